//! All that the inspector says of one token, in its words.

use super::occurrence::{Occurrence, Place, find};
use crate::app::Reply;
use crate::engine::TokenEvent;
use crate::sampling::{Knob, Knobs, Stage, StageEffect, TokenId};
use crate::ui::tokens::{
    Blame, Change, blame, grouped, name, percent, same_blame, stage_name, visible,
};

/// One token, from the model's scores to what came.
#[derive(Debug, PartialEq)]
pub(super) struct Story {
    /// Its number in the reply from 1, of how many, and its id.
    pub(super) place: String,
    pub(super) wanted: Choice,
    pub(super) came: Choice,
    pub(super) blame: Option<Blame>,
    /// Why it came, in a sentence or two.
    pub(super) sentence: String,
    pub(super) occurrence: Option<Occurrence>,
    pub(super) steps: Vec<Step>,
    /// Other tokens with the same to blame; none where nothing is.
    pub(super) same: Option<Same>,
    pub(super) is_given: bool,
}

/// A token and how likely it was in the model's own scores.
#[derive(Debug, PartialEq)]
pub(super) struct Choice {
    pub(super) text: String,
    pub(super) share: String,
}

/// One stage of the chain that was switched on.
#[derive(Debug, PartialEq)]
pub(super) struct Step {
    pub(super) title: String,
    pub(super) about: String,
    /// The share of the probability that it took away.
    pub(super) removed: f32,
    /// The favourite that it took the lead from, and the one that has it now.
    pub(super) lead: Option<(String, String)>,
    pub(super) change: Option<Change>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Same {
    /// What they have in common, such as "the n-gram ban".
    pub(super) name: String,
    pub(super) previous: Option<usize>,
    pub(super) next: Option<usize>,
    /// Which of them this is, from 1, and how many there are.
    pub(super) number: usize,
    pub(super) of: usize,
}

impl Story {
    pub(super) fn new(reply: &Reply, index: usize) -> Option<Self> {
        let tokens = &reply.assembly.tokens;
        let event = tokens.get(index)?;
        let trace = &event.trace;
        let blame = blame(event);
        let stage = blame.and_then(|it| it.stage);
        let occurrence = stage.and_then(|it| find(reply, event, it));
        let before = trace.before.first().map_or(0.0, |it| it.probability);
        let rank = match trace.rank {
            0 | 1 => "the favourite".to_owned(),
            rank => format!("choice number {}", grouped(rank)),
        };
        Some(Self {
            place: format!(
                "token {} of {} · id {}",
                index + 1,
                tokens.len(),
                event.token
            ),
            wanted: Choice {
                text: shown(event, trace.wanted),
                share: percent(before),
            },
            came: Choice {
                text: shown(event, event.token),
                share: format!("{}, {rank}", percent(trace.probability)),
            },
            sentence: sentence(event, blame, occurrence.as_ref()),
            steps: steps(event, &reply.assembly.job.request.knobs),
            same: blame.map(|it| same(tokens, index, it)),
            is_given: event.given,
            blame,
            occurrence,
        })
    }
}

/// The knob to turn so that a stage does nothing; none for those that no knob steers.
pub(super) fn knob_of(stage: Stage) -> Option<Knob> {
    Knob::ALL
        .into_iter()
        .find(|it| it.spec().stage == Some(stage))
}

fn shown(event: &TokenEvent, token: TokenId) -> String {
    visible(name(event, token))
}

fn sentence(event: &TokenEvent, blame: Option<Blame>, occurrence: Option<&Occurrence>) -> String {
    let trace = &event.trace;
    let wanted = shown(event, trace.wanted);
    let came = shown(event, event.token);
    let Some(blame) = blame else {
        return match trace.n_legal {
            Some(1) => {
                format!("The constraint left `{came}` alone: no other token was legal here.")
            }
            _ => "The model's own favourite came; nothing stood in its way.".to_owned(),
        };
    };
    let Some(stage) = blame.stage else {
        let after = trace.after.iter().find(|it| it.token == event.token);
        let share = after.map_or(String::new(), |it| {
            format!(", which had {} after the chain", percent(it.probability))
        });
        return format!(
            "Nothing took `{wanted}` away: the dice took `{came}`{share}. At temperature 0 `{wanted}` would have come."
        );
    };
    let who = capital(stage.actor());
    let why = occurrence.map_or(String::new(), |it| {
        let place = match it.place {
            Place::Prompt => "in the prompt",
            Place::Reply => "in the reply",
        };
        let text = if it.text.is_empty() {
            "it".to_owned()
        } else {
            format!("`{}`", visible(&it.text))
        };
        format!(": {text} stands {place} already")
    });
    match blame.change {
        Change::Penalty => {
            let mut touches = trace.touches_of(trace.wanted);
            let shift = touches.find(|it| it.stage == stage).and_then(|it| it.shift);
            let size = shift.map_or(String::new(), |it| {
                let (verb, size) = if it < 0.0 {
                    ("took", -it)
                } else {
                    ("gave", it)
                };
                format!(" {verb} {size:.1} of its score and")
            });
            format!("{who}{size} put `{wanted}` behind{why}.")
        }
        Change::Mask => match trace.n_legal {
            Some(n) if n > 1 => format!(
                "{who} did not allow `{wanted}`: of the {} legal tokens `{came}` was taken.",
                grouped(n)
            ),
            _ => format!("{who} did not allow `{wanted}`: `{came}` was the only legal token."),
        },
        _ => format!("{who} took `{wanted}` away{why}."),
    }
}

fn capital(text: &str) -> String {
    let mut signs = text.chars();
    let first = signs.next().into_iter().flat_map(char::to_uppercase);
    first.chain(signs).collect()
}

/// The stages that were at work, in the order of the chain.
fn steps(event: &TokenEvent, knobs: &Knobs) -> Vec<Step> {
    let trace = &event.trace;
    let mut lead = shown(event, trace.wanted);
    let last_change = trace.effects.iter().rposition(|it| it.changed_top);
    let is_on = |stage: Stage| match stage {
        Stage::Mask => trace.n_legal.is_some(),
        Stage::LogitBias => !knobs.logit_bias.is_empty(),
        Stage::TokenBan => !knobs.token_ban.is_empty(),
        _ => {
            let mut of_stage = Knob::ALL
                .into_iter()
                .filter(|it| it.spec().stage == Some(stage));
            of_stage.any(|it| !knobs.is_neutral(it))
        }
    };
    let mut steps = Vec::new();
    for &stage in knobs.order.stages() {
        let found = trace.effects.iter().position(|it| it.stage == stage);
        if found.is_none() && !is_on(stage) {
            continue;
        }
        let effect = found.map(|it| &trace.effects[it]);
        let mut step = step(stage, effect, (trace.n_legal, knobs));
        if effect.is_some_and(|it| it.changed_top) {
            let last = || trace.after.first().filter(|_| found == last_change);
            let now = effect.and_then(|it| it.new_top);
            let now = now.or_else(|| last().map(|it| it.token));
            // Older recordings only tell how it ended.
            let now = now.map_or("another token".to_owned(), |it| shown(event, it));
            step.lead = Some((lead, now.clone()));
            lead = now;
        }
        steps.push(step);
    }
    steps
}

fn step(
    stage: Stage,
    effect: Option<&StageEffect>,
    (n_legal, knobs): (Option<u32>, &Knobs),
) -> Step {
    let removed = effect.map_or(0.0, |it| it.removed_mass);
    let n_removed = effect.map_or(0, |it| it.n_removed);
    let about = match (stage, n_removed) {
        (Stage::Mask, _) if n_legal.is_some() => {
            format!(
                "{} legal, took {}",
                grouped(n_legal.unwrap_or(0)),
                percent(removed)
            )
        }
        (Stage::Temperature, 0) if knobs.is_greedy() => "takes the likeliest".to_owned(),
        (Stage::Temperature, 0) => "changed the shares".to_owned(),
        (_, 0) if effect.is_some() => "changed the shares".to_owned(),
        (_, 0) => "had nothing to do".to_owned(),
        (_, 1) => format!("took 1 token, {}", percent(removed)),
        (_, n) => format!("took {} tokens, {}", grouped(n), percent(removed)),
    };
    Step {
        title: title(stage, knobs),
        about,
        removed,
        lead: None,
        change: effect
            .filter(|it| it.changed_top)
            .map(|_| Change::of(stage)),
    }
}

/// The stage with its value, such as "Top-k 40".
fn title(stage: Stage, knobs: &Knobs) -> String {
    let name = stage_name(stage);
    match knob_of(stage).map(|it| (it, knobs.get(it))) {
        Some((knob, value)) => format!("{name} {value:.*}", knob.spec().decimals),
        None => name,
    }
}

fn same(tokens: &[TokenEvent], index: usize, wanted: Blame) -> Same {
    let is_same = |it: &&TokenEvent| blame(it) == Some(wanted);
    Same {
        name: wanted.stage.map_or("the dice", Stage::actor).to_owned(),
        previous: same_blame(tokens, index, false),
        next: same_blame(tokens, index, true),
        number: tokens.iter().take(index + 1).filter(is_same).count(),
        of: tokens.iter().filter(is_same).count(),
    }
}
