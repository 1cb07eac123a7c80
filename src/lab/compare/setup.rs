//! What a reply was asked for with, and in what two of them differ.

use crate::constraint::{Constraint, Hold};
use crate::prompt::{FirstStage, PromptStyle, Thinking};
use crate::sampling::{Knob, Knobs, Order, Stage, StageKind};

/// All that can make one reply another than the next, but for its input.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    pub knobs: &'a Knobs,
    pub constraint: &'a Constraint,
    pub hold: &'a Hold,
    pub style: PromptStyle,
    pub thinking: Thinking,
    pub prefill: &'a str,
    pub first: Option<FirstStage>,
    /// The model's name and its fingerprint.
    pub model: (&'a str, &'a str),
}

/// One thing that can be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    Knob(Knob),
    PenaltyScope,
    NgramScope,
    DryBreakers,
    LogitBias,
    TokenBan,
    Order,
    StopTexts,
    Constraint,
    /// When the constraint begins and ends.
    Holding,
    Style,
    Thinking,
    Prefill,
    FirstStage,
    Model,
}

/// A setting with its two values, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub setting: Setting,
    pub one: String,
    pub other: String,
}

impl Setting {
    pub fn name(self) -> &'static str {
        match self {
            Self::Knob(knob) => knob.spec().name,
            Self::PenaltyScope => "What the penalties count",
            Self::NgramScope => "What the n-gram ban counts",
            Self::DryBreakers => "DRY's breakers",
            Self::LogitBias => "Logit bias",
            Self::TokenBan => "Token ban",
            Self::Order => "Order of the chain",
            Self::StopTexts => "Stop texts",
            Self::Constraint => "Constraint",
            Self::Holding => "When the constraint holds",
            Self::Style => "Prompt style",
            Self::Thinking => "Thinking",
            Self::Prefill => "Beginning of the reply",
            Self::FirstStage => "First stage",
            Self::Model => "Model",
        }
    }

    /// Whether a stage works by it.
    pub fn steers(self, stage: Stage) -> bool {
        match self {
            Self::Knob(Knob::PenaltyLastN) | Self::PenaltyScope => {
                matches!(stage, Stage::RepetitionPenalty | Stage::PresenceFrequency)
            }
            Self::Knob(Knob::DryLastN) | Self::DryBreakers => stage == Stage::Dry,
            Self::Knob(knob) => knob.spec().stage == Some(stage),
            Self::NgramScope => stage == Stage::NoRepeatNgram,
            Self::LogitBias => stage == Stage::LogitBias,
            Self::TokenBan => stage == Stage::TokenBan,
            Self::Constraint | Self::Holding => stage == Stage::Mask,
            // What one stage leaves depends on what the others left before it.
            Self::Order => true,
            _ => false,
        }
    }

    /// Whether it has a hand in what the dice take: they are thrown over what the cuts have left.
    pub fn steers_dice(self) -> bool {
        match self {
            Self::Knob(Knob::Seed) | Self::Order => true,
            Self::Knob(knob) => knob.spec().stage.is_some_and(|it| {
                matches!(it.kind(), StageKind::Temperature | StageKind::Truncation)
            }),
            _ => false,
        }
    }

    /// Whether it changes what the model reads.
    pub fn steers_prompt(self) -> bool {
        matches!(
            self,
            Self::Style | Self::Thinking | Self::Prefill | Self::FirstStage
        )
    }
}

/// Everything in which two setups differ, knobs first, in the order of their table.
pub fn differences(one: &Setup<'_>, other: &Setup<'_>) -> Vec<Difference> {
    let knobs = Knob::ALL.into_iter().map(Setting::Knob);
    let others = [
        Setting::PenaltyScope,
        Setting::NgramScope,
        Setting::DryBreakers,
        Setting::LogitBias,
        Setting::TokenBan,
        Setting::Order,
        Setting::StopTexts,
        Setting::Constraint,
        Setting::Holding,
        Setting::Style,
        Setting::Thinking,
        Setting::Prefill,
        Setting::FirstStage,
        Setting::Model,
    ];
    knobs
        .chain(others)
        .filter(|it| differs(*it, one, other))
        .map(|setting| Difference {
            setting,
            one: value(setting, one),
            other: value(setting, other),
        })
        .collect()
}

#[expect(clippy::float_cmp, reason = "values are stored, not computed")]
fn differs(setting: Setting, one: &Setup<'_>, other: &Setup<'_>) -> bool {
    let (a, b) = (one.knobs, other.knobs);
    match setting {
        Setting::Knob(knob) => a.get(knob) != b.get(knob),
        Setting::PenaltyScope => a.penalty_scope != b.penalty_scope,
        Setting::NgramScope => a.ngram_scope != b.ngram_scope,
        Setting::DryBreakers => a.dry_breakers != b.dry_breakers,
        Setting::LogitBias => a.logit_bias != b.logit_bias,
        Setting::TokenBan => a.token_ban != b.token_ban,
        Setting::Order => a.order != b.order,
        Setting::StopTexts => a.stop != b.stop,
        Setting::Constraint => one.constraint != other.constraint,
        Setting::Holding => one.hold != other.hold,
        Setting::Style => one.style != other.style,
        Setting::Thinking => one.thinking != other.thinking,
        Setting::Prefill => one.prefill != other.prefill,
        Setting::FirstStage => one.first != other.first,
        Setting::Model => one.model.1 != other.model.1,
    }
}

fn value(setting: Setting, setup: &Setup<'_>) -> String {
    let knobs = setup.knobs;
    match setting {
        Setting::Knob(knob) => format!("{:.*}", knob.spec().decimals, knobs.get(knob)),
        Setting::PenaltyScope => knobs.penalty_scope.key().replace('_', " "),
        Setting::NgramScope => knobs.ngram_scope.key().replace('_', " "),
        Setting::DryBreakers => n_of(knobs.dry_breakers.len()),
        Setting::LogitBias => n_of(knobs.logit_bias.len()),
        Setting::TokenBan => n_of(knobs.token_ban.len()),
        Setting::Order => order_words(&knobs.order).to_owned(),
        Setting::StopTexts => n_of(knobs.stop.len()),
        Setting::Constraint => constraint_words(setup.constraint).to_owned(),
        Setting::Holding => "its own".to_owned(),
        Setting::Style => setup.style.label().to_owned(),
        Setting::Thinking => setup.thinking.word().unwrap_or("the model's").to_owned(),
        Setting::Prefill if setup.prefill.is_empty() => "none".to_owned(),
        Setting::Prefill => format!("“{}”", setup.prefill),
        Setting::FirstStage => match setup.first {
            Some(it) => format!("{:?}", it.kind).to_lowercase(),
            None => "none".to_owned(),
        },
        Setting::Model => setup.model.0.to_owned(),
    }
}

fn n_of(n: usize) -> String {
    if n == 0 {
        "none".to_owned()
    } else {
        format!("{n} entries")
    }
}

fn order_words(order: &Order) -> &'static str {
    if *order == Order::transformers() {
        "Transformers"
    } else if *order == Order::llama_cpp() {
        "llama.cpp"
    } else {
        "its own"
    }
}

fn constraint_words(constraint: &Constraint) -> &'static str {
    match constraint {
        Constraint::None => "none",
        Constraint::Grammar { .. } => "grammar",
        Constraint::Schema { .. } => "schema",
        Constraint::Regex { .. } => "regex",
    }
}
