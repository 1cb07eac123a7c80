//! What in a preset is likely to break structured output, with the reason; and the preset's structured twin.

use serde_json::Value;

use super::{ConstraintChoice, Preset};
use crate::sampling::{Knob, Scope, Stage};

/// Something that is likely to hurt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lint {
    /// The knob to turn.
    pub knob: Knob,
    pub kind: LintKind,
    /// A whole sentence for the user.
    pub reason: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LintKind {
    /// A penalty on what was seen, the keys among it.
    Penalty,
    NgramBan,
    HighTemperature,
    /// DRY, XTC or mirostat.
    AntiRepetition,
    LowLimit,
    /// The reply may not end when the structure does.
    LeastTokens,
}

/// Above this the tail of the distribution comes often enough to break a key.
const HIGH_TEMPERATURE: f64 = 0.5;

/// Tokens that an item of a list or a field takes, about.
const TOKENS_A_FIELD: usize = 12;

/// Items that a list of unknown length is reckoned with.
const ITEMS_A_LIST: usize = 8;

/// What is likely to break JSON, in the order of the table of knobs. `schema` is the task's, for the length of an
/// answer. Knobs that cannot bite are left out.
pub fn lint(preset: &Preset, schema: Option<&Value>) -> Vec<Lint> {
    let idle = preset.knobs.idle();
    let is_idle = |knob: Knob| idle.iter().any(|it| it.0 == knob);
    let found = Knob::ALL.into_iter().filter(|it| !is_idle(*it));
    found
        .filter_map(|knob| {
            let (kind, reason) = lint_knob(preset, knob, schema)?;
            Some(Lint { knob, kind, reason })
        })
        .collect()
}

/// The same preset made fit for structured output: what [`lint`] finds is turned to neutral, the temperature to 0,
/// and the task's schema is enforced if nothing is yet.
pub fn structured_twin(preset: &Preset, schema: Option<&Value>) -> Preset {
    let mut twin = preset.clone();
    twin.name = format!("{}-structured", preset.name);
    twin.title = format!("{}, structured", preset.title);
    "The same without what breaks JSON: no penalties and bans, temperature 0, the task's schema."
        .clone_into(&mut twin.about);
    for it in lint(preset, schema) {
        let value = match it.kind {
            LintKind::HighTemperature => 0.0,
            LintKind::LowLimit => wanted_limit(schema) as f64,
            _ => it.knob.spec().neutral,
        };
        // Within the range by the table and the bound of `wanted_limit`.
        drop(twin.knobs.set(it.knob, value));
    }
    if !twin.knobs.order.contains(Stage::Temperature) || !twin.knobs.is_greedy() {
        twin.knobs.order = crate::sampling::Order::transformers();
        drop(twin.knobs.set(Knob::DynatempRange, 0.0));
        drop(twin.knobs.set(Knob::Temperature, 0.0));
    }
    if twin.constraint == ConstraintChoice::None {
        twin.constraint = ConstraintChoice::TaskSchema;
    }
    twin
}

fn lint_knob(preset: &Preset, knob: Knob, schema: Option<&Value>) -> Option<(LintKind, String)> {
    let knobs = &preset.knobs;
    let value = knobs.get(knob);
    let counts_prompt = |scope: Scope| match scope {
        Scope::PromptAndReply => "in the prompt and the reply",
        Scope::Reply => "in the reply",
    };
    Some(match knob {
        Knob::RepetitionPenalty | Knob::PresencePenalty | Knob::FrequencyPenalty
            if value > knob.spec().neutral =>
        {
            let seen = counts_prompt(knobs.penalty_scope);
            let reason = format!(
                "{knob} {value} makes every token seen {seen} less likely, and JSON must repeat its quotes, braces and keys; it is a chat setting."
            );
            (LintKind::Penalty, reason)
        }
        Knob::NoRepeatNgramSize if value > 0.0 => {
            let seen = counts_prompt(knobs.ngram_scope);
            let reason = format!(
                "No-repeat n-gram {value} forbids every run of {value} tokens that stands {seen}: the keys of an example, and of a list's second item, cannot be written."
            );
            (LintKind::NgramBan, reason)
        }
        Knob::Temperature if value > HIGH_TEMPERATURE => {
            let reason = format!(
                "Temperature {value} draws unlikely tokens too, and a single wrong one breaks a key or a bracket; 0 always takes the most likely."
            );
            (LintKind::HighTemperature, reason)
        }
        Knob::DynatempRange if value > 0.0 => {
            let reason = "Dynamic temperature rises where the model is unsure, which is where a structure breaks.".to_owned();
            (LintKind::HighTemperature, reason)
        }
        _ => return lint_further(preset, knob, schema),
    })
}

/// The knobs that few presets turn, and the limits.
fn lint_further(preset: &Preset, knob: Knob, schema: Option<&Value>) -> Option<(LintKind, String)> {
    let knobs = &preset.knobs;
    let value = knobs.get(knob);
    Some(match knob {
        Knob::DryMultiplier if value > 0.0 => {
            let reason = "DRY penalizes going on with a run seen before, and that is what a list of objects does with its keys.".to_owned();
            (LintKind::AntiRepetition, reason)
        }
        Knob::XtcProbability if value > 0.0 => {
            let reason = "XTC takes the most likely tokens away at random, and in JSON those are the right ones.".to_owned();
            (LintKind::AntiRepetition, reason)
        }
        Knob::MirostatTau if value > 0.0 => {
            let reason =
                "Mirostat asks for surprise at every token, and a structure has none to give."
                    .to_owned();
            (LintKind::AntiRepetition, reason)
        }
        Knob::MinTokens if value > 1.0 => {
            let reason = format!(
                "The reply may not end before {value} tokens; a short answer must go on behind its last bracket."
            );
            (LintKind::LeastTokens, reason)
        }
        Knob::MaxTokens if knobs.count(knob) < wanted_limit(schema) => {
            let wanted = wanted_limit(schema);
            let reason = format!(
                "A limit of {value} tokens may cut the answer off: by its schema it can need about {wanted}, and JSON without its end does not parse."
            );
            (LintKind::LowLimit, reason)
        }
        _ => return None,
    })
}

/// Tokens that an answer to this schema can need, roughly; 0 if nothing is known.
fn wanted_limit(schema: Option<&Value>) -> usize {
    let n_fields = schema.map_or(0, |it| n_fields(it, 0));
    (n_fields * TOKENS_A_FIELD).min(4096)
}

fn n_fields(schema: &Value, depth: usize) -> usize {
    // Deeper than any answer of use, so that a huge schema costs little.
    if depth > 8 {
        return 1;
    }
    if let Some(properties) = schema["properties"].as_object() {
        let inner = properties.iter().map(|(_, it)| n_fields(it, depth + 1));
        return 1 + inner.sum::<usize>();
    }
    if schema["items"].is_object() {
        let most = schema["maxItems"]
            .as_u64()
            .map_or(ITEMS_A_LIST, |it| it.min(64) as usize);
        return most * n_fields(&schema["items"], depth + 1);
    }
    1
}
