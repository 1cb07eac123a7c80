//! What is said of a divergence: who wrote what, who made it so, and by which setting.

use crate::engine::TokenEvent;
use crate::lab::{Culprit, Parting, Side};
use crate::sampling::{Stage, StageKind, TokenId};

/// Two columns at the place where they part.
pub(super) struct Meeting<'a> {
    /// Such as "A (Greedy)".
    pub(super) names: (String, String),
    pub(super) letters: (char, char),
    /// None for a reply that has ended.
    pub(super) events: (Option<&'a TokenEvent>, Option<&'a TokenEvent>),
    pub(super) stops: (&'a str, &'a str),
    /// The token's number, from 1.
    pub(super) token: usize,
    pub(super) is_first: bool,
}

/// Most settings that are named; more of them say nothing.
const MAX_NAMED: usize = 3;

const BEHIND: &str = "The texts before it differ already";

pub(super) fn sentence(meeting: &Meeting<'_>, parting: &Parting) -> String {
    let Meeting { names, events, .. } = meeting;
    let wrote = match events {
        (Some(one), Some(other)) => format!(
            "Token {}: {} wrote `{}`, {} wrote `{}`.",
            meeting.token,
            names.0,
            shown(one, one.token),
            names.1,
            shown(other, other.token),
        ),
        _ => format!("Token {}:", meeting.token),
    };
    format!(
        "{wrote} {}{}",
        culprit(meeting, parting),
        settings(meeting, parting)
    )
}

fn culprit(meeting: &Meeting<'_>, parting: &Parting) -> String {
    let Meeting { names, events, .. } = meeting;
    let of = |side: Side| match side {
        Side::One => (&names.0, events.0, meeting.stops.0),
        Side::Other => (&names.1, events.1, meeting.stops.1),
    };
    match parting.culprit {
        Culprit::Stage { side, stage, token } => {
            let (name, event, _) = of(side);
            let text = event.map_or_else(String::new, |it| shown(it, token));
            format!("In {name} {} {}.", stage.actor(), deed(stage, &text))
        }
        Culprit::Dice { side } => {
            let (name, event, _) = of(side);
            let came = event.map_or_else(String::new, |it| shown(it, it.token));
            let wanted = event.map_or_else(String::new, |it| shown(it, it.trace.wanted));
            format!(
                "No stage took a token away: in {name} the dice fell on `{came}`, the model's favourite was `{wanted}`."
            )
        }
        Culprit::Model => "The two models have different favourites here.".to_owned(),
        Culprit::Prompt if meeting.is_first => {
            "The prompts differ, and the model has another favourite behind each.".to_owned()
        }
        Culprit::Prompt | Culprit::Scores if !meeting.is_first => {
            format!("The model's favourites differ here. {BEHIND}.")
        }
        Culprit::Prompt | Culprit::Scores => {
            "The model's own scores differ here, though nothing that is set makes them so: a near tie."
                .to_owned()
        }
        Culprit::End { side } => {
            let (name, _, stop) = of(side);
            let other = match side {
                Side::One => &names.1,
                Side::Other => &names.0,
            };
            format!("{name} has ended here ({}), {other} goes on.", stop.replace('_', " "))
        }
    }
}

fn deed(stage: Stage, text: &str) -> String {
    match stage.kind() {
        StageKind::Mask => format!("did not allow `{text}`"),
        StageKind::Penalty => format!("put `{text}` behind"),
        StageKind::Temperature => format!("changed the share of `{text}`"),
        StageKind::Ban | StageKind::Truncation => format!("took `{text}` away"),
    }
}

fn settings(meeting: &Meeting<'_>, parting: &Parting) -> String {
    let (a, b) = meeting.letters;
    let named = parting.settings.iter().take(MAX_NAMED).map(|it| {
        let name = it.setting.name();
        format!(" {name}: {} in {a}, {} in {b}.", it.one, it.other)
    });
    let mut words: String = named.collect();
    let n_more = parting.settings.len().saturating_sub(MAX_NAMED);
    if n_more > 0 {
        words = format!("{words} And {n_more} more settings.");
    }
    let is_of_chain = matches!(
        parting.culprit,
        Culprit::Stage { .. } | Culprit::Dice { .. }
    );
    if words.is_empty() && is_of_chain {
        words = if meeting.is_first {
            " Both columns set it alike.".to_owned()
        } else {
            format!(" Both columns set it alike. {BEHIND}.")
        };
    }
    words
}

/// A token's text, white space made visible.
fn shown(event: &TokenEvent, token: TokenId) -> String {
    let name = event.names.iter().find(|it| it.0 == token);
    let text = match name {
        Some((_, name)) => name.as_str(),
        None if token == event.token => event.text.as_str(),
        None => "?",
    };
    text.replace(' ', "·").replace('\n', "↵").replace('\t', "→")
}
