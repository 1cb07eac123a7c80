//! By what replies are put together.

use super::trial::Trial;

/// By what replies are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    Task,
    Style,
    InputLength,
    OutputLength,
    Rung,
    Cause,
}

impl Grouping {
    pub const ALL: [Self; 6] = [
        Self::Task,
        Self::Style,
        Self::InputLength,
        Self::OutputLength,
        Self::Rung,
        Self::Cause,
    ];

    pub fn label(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Style => "prompt style",
            Self::InputLength => "input length",
            Self::OutputLength => "reply length",
            Self::Rung => "rung",
            Self::Cause => "cause",
        }
    }

    /// A place in the order of groups, and the group's name.
    pub(super) fn of(self, trial: &Trial) -> (usize, String) {
        match self {
            Self::Task => (0, trial.task.clone()),
            Self::Style => (0, trial.style.label().to_owned()),
            Self::InputLength => length(trial.input_text.chars().count(), "characters"),
            Self::OutputLength => length(trial.reply_tokens.len(), "tokens"),
            Self::Rung => match trial.climb.rung {
                Some(rung) => (rung as usize, format!("rung {}", rung as usize)),
                None => (5, "no rung".to_owned()),
            },
            Self::Cause => match &trial.cause {
                Some(cause) => (1, cause.kind.clone()),
                None => (0, "none".to_owned()),
            },
        }
    }
}

/// Lengths double from group to group.
fn length(n: usize, unit: &str) -> (usize, String) {
    let least = 32;
    let mut most = least;
    let mut place = 0;
    while n > most {
        most *= 2;
        place += 1;
    }
    let name = if place == 0 {
        format!("up to {least} {unit}")
    } else {
        format!("{} to {most} {unit}", most / 2 + 1)
    };
    (place, name)
}
