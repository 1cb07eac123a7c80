//! Who parted two replies at a token: a stage of one chain, the dice, the prompt, the model, or an end.

use super::setup::{Difference, Setting, Setup, differences};
use crate::sampling::{Blame, Knob, Stage, StageKind, TokenId, TokenTrace};

/// Which of two columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    One,
    Other,
}

/// A column at the place where it parts from another.
#[derive(Clone, Copy, Debug)]
pub struct Witness<'a> {
    pub setup: Setup<'a>,
    /// The token that came there and its trace; none if the reply had ended.
    pub token: Option<(TokenId, &'a TokenTrace)>,
    /// Why the reply ended, as records name it.
    pub stop: &'a str,
}

/// What made the difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Culprit {
    /// A stage of one side's chain took away, or put behind, the token that came on the other side. `token` is the
    /// token that it was done to.
    Stage {
        side: Side,
        stage: Stage,
        token: TokenId,
    },
    /// One side was given by the dice what the other was not.
    Dice { side: Side },
    /// The models are not the same, and each has another favourite.
    Model,
    /// The prompts are not the same, and the model has another favourite behind each.
    Prompt,
    /// The model's own scores are not the same, although nothing that is set makes them so: the texts before the token
    /// differ, or it was a near tie.
    Scores,
    /// This side's reply had ended.
    End { side: Side },
}

/// Who parted two columns, and the settings that it works by and in which they differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parting {
    pub culprit: Culprit,
    pub settings: Vec<Difference>,
}

/// Finds who made two columns go on with different tokens at the same place.
///
/// In this order: an end; another favourite of the model, by another model, another prompt, or neither; a stage that
/// took the other side's token away; a stage that took the lead from the favourite on one side alone; a stage that
/// moved one of the two tokens on one side more than on the other; the dice.
pub fn parting(one: &Witness<'_>, other: &Witness<'_>) -> Parting {
    let all = differences(&one.setup, &other.setup);
    let culprit = culprit(one, other, &all);
    let settings = all
        .into_iter()
        .filter(|it| bears_on(it.setting, culprit, (one, other)))
        .collect();
    Parting { culprit, settings }
}

fn culprit(one: &Witness<'_>, other: &Witness<'_>, all: &[Difference]) -> Culprit {
    let has = |is_it: fn(Setting) -> bool| all.iter().any(|it| is_it(it.setting));
    let ((a, trace_a), (b, trace_b)) = match (one.token, other.token) {
        (Some(one), Some(other)) => (one, other),
        (None, _) => return Culprit::End { side: Side::One },
        (_, None) => return Culprit::End { side: Side::Other },
    };
    if trace_a.wanted != trace_b.wanted {
        return if has(|it| it == Setting::Model) {
            Culprit::Model
        } else if has(Setting::steers_prompt) {
            Culprit::Prompt
        } else {
            Culprit::Scores
        };
    }
    let (one, other) = ((a, trace_a), (b, trace_b));
    removal(one, other)
        .or_else(|| lead(one, other))
        .or_else(|| shift(one, other))
        .unwrap_or(Culprit::Dice {
            side: if b == trace_b.wanted {
                Side::One
            } else {
                Side::Other
            },
        })
}

type Came<'a> = (TokenId, &'a TokenTrace);

/// A stage of one side that took the other side's token away.
fn removal((a, trace_a): Came<'_>, (b, trace_b): Came<'_>) -> Option<Culprit> {
    let of = |trace: &TokenTrace, token, side| {
        let mut touches = trace.touches_of(token);
        let gone = touches.find(|it| it.shift.is_none())?;
        Some(Culprit::Stage {
            side,
            stage: gone.stage,
            token,
        })
    };
    of(trace_b, a, Side::Other).or_else(|| of(trace_a, b, Side::One))
}

/// A stage that took the lead from the favourite, where the other side's did not.
fn lead((a, trace_a): Came<'_>, (b, trace_b): Came<'_>) -> Option<Culprit> {
    let (ours, theirs) = (trace_a.blame(a), trace_b.blame(b));
    let stage = |blame, trace: &TokenTrace, side| match blame {
        Blame::Stage(stage) => Some(Culprit::Stage {
            side,
            stage,
            token: trace.wanted,
        }),
        _ => None,
    };
    if ours == theirs {
        return None;
    }
    stage(theirs, trace_b, Side::Other).or_else(|| stage(ours, trace_a, Side::One))
}

/// A stage that moved one of the tokens by another amount on one side than on the other.
#[expect(clippy::float_cmp, reason = "the same shift is the same number")]
fn shift((a, trace_a): Came<'_>, (b, trace_b): Came<'_>) -> Option<Culprit> {
    let moved = |trace: &TokenTrace, stage: Stage, token| {
        let mut touches = trace.touches_of(token);
        touches.find(|it| it.stage == stage).and_then(|it| it.shift)
    };
    for token in [a, b] {
        for (trace, elsewhere, side) in [
            (trace_b, trace_a, Side::Other),
            (trace_a, trace_b, Side::One),
        ] {
            let mut touches = trace.touches_of(token);
            let found = touches.find(|it| {
                it.stage.kind() != StageKind::Temperature
                    && moved(elsewhere, it.stage, token).unwrap_or(0.0) != it.shift.unwrap_or(0.0)
            });
            if let Some(it) = found {
                let stage = it.stage;
                return Some(Culprit::Stage { side, stage, token });
            }
        }
    }
    None
}

/// Whether the culprit works by a setting.
fn bears_on(
    setting: Setting,
    culprit: Culprit,
    (one, other): (&Witness<'_>, &Witness<'_>),
) -> bool {
    match culprit {
        Culprit::Stage { stage, .. } => setting.steers(stage),
        Culprit::Dice { .. } => setting.steers_dice(),
        Culprit::Model => setting == Setting::Model,
        Culprit::Prompt => setting.steers_prompt(),
        Culprit::Scores => false,
        Culprit::End { side } => {
            let ended = match side {
                Side::One => one,
                Side::Other => other,
            };
            match ended.stop {
                "token_limit" => setting == Setting::Knob(Knob::MaxTokens),
                "stop_string" => setting == Setting::StopTexts,
                "constraint_complete" => setting.steers(Stage::Mask) && setting != Setting::Order,
                "loop_guard" => setting == Setting::Holding,
                "dead_end" => {
                    matches!(setting, Setting::Constraint | Setting::TokenBan)
                        || setting.steers(Stage::NoRepeatNgram)
                }
                _ => true,
            }
        }
    }
}
