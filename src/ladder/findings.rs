//! What a climb found and did, made into values and words when somebody asks for them, and once.

use std::fmt;
use std::sync::OnceLock;

use serde_json::Value;

use super::log::Log;
use super::place::Cursor;
use super::reading::Reading;
use super::trail::Trail;
use super::{Attempt, Repair};

/// Value, candidates, edits and attempts of a climb. Read them with the methods of [`Climb`](super::Climb).
#[derive(Clone, Default)]
pub struct Findings {
    reply: Box<str>,
    value: Option<Reading>,
    /// The candidates without the chosen one.
    others: Vec<Reading>,
    /// How many of the others stand before the chosen one; none when it is no candidate.
    place: Option<usize>,
    /// The edits; flags and notes are the climb's.
    log: Log,
    trail: Option<Trail>,
    repairs: OnceLock<Vec<Repair>>,
    attempts: OnceLock<Vec<Attempt>>,
}

impl Findings {
    /// A value and nothing else.
    pub fn of(value: Value) -> Self {
        Self {
            value: Some(value.into()),
            ..Self::default()
        }
    }

    #[must_use]
    pub fn with_repairs(self, repairs: Vec<Repair>) -> Self {
        Self {
            repairs: repairs.into(),
            ..self
        }
    }

    #[must_use]
    pub fn with_attempts(self, attempts: Vec<Attempt>) -> Self {
        Self {
            attempts: attempts.into(),
            ..self
        }
    }

    /// All candidates; the one that equals the value is held once.
    pub(super) fn with_candidates(mut self, mut candidates: Vec<Value>) -> Self {
        self.place = candidates.iter().position(|it| Some(it) == self.value());
        if let Some(place) = self.place {
            candidates.remove(place);
        }
        self.others = candidates.into_iter().map(Reading::from).collect();
        self
    }

    /// The chosen value, what was done to it, and how the climb went.
    #[inline]
    pub(super) fn read(reply: &str, chosen: Reading, log: Log, trail: Option<Trail>) -> Self {
        Self {
            reply: reply.into(),
            value: Some(chosen),
            others: Vec::new(),
            place: Some(0),
            log,
            trail,
            repairs: OnceLock::new(),
            attempts: OnceLock::new(),
        }
    }

    /// No value at all.
    pub(super) fn none(reply: &str, trail: Trail) -> Self {
        Self {
            reply: reply.into(),
            trail: Some(trail),
            ..Self::default()
        }
    }

    /// The other candidates in their order, and how many of them stand before the chosen one.
    pub(super) fn add_others(&mut self, others: Vec<Reading>, place: usize) {
        self.others = others;
        self.place = Some(place);
    }

    pub(super) fn value(&self) -> Option<&Value> {
        self.value.as_ref().map(|it| it.value(&self.reply))
    }

    pub(super) fn candidates(&self) -> impl ExactSizeIterator<Item = &Value> {
        let chosen = self.value.as_ref().zip(self.place);
        let n_all = self.others.len() + usize::from(chosen.is_some());
        (0..n_all).map(move |n| {
            let reading = match chosen {
                Some((chosen, place)) if n == place => chosen,
                Some((_, place)) if n > place => &self.others[n - 1],
                _ => &self.others[n],
            };
            reading.value(&self.reply)
        })
    }

    pub(super) fn holds_object(&self) -> bool {
        let chosen = self.value.iter().filter(|_| self.place.is_some());
        chosen.chain(&self.others).any(Reading::is_object)
    }

    pub(super) fn repairs(&self) -> &[Repair] {
        let made = || repairs(&self.reply, &self.log);
        self.repairs.get_or_init(made)
    }

    pub(super) fn attempts(&self) -> &[Attempt] {
        self.attempts.get_or_init(|| {
            let trail = self.trail.as_ref();
            trail.map_or_else(Vec::new, |it| it.attempts(&self.reply))
        })
    }
}

impl PartialEq for Findings {
    fn eq(&self, other: &Self) -> bool {
        self.value() == other.value()
            && self.candidates().eq(other.candidates())
            && self.repairs() == other.repairs()
            && self.attempts() == other.attempts()
    }
}

impl fmt::Debug for Findings {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("Findings")
            .field("value", &self.value())
            .field("candidates", &self.candidates().collect::<Vec<_>>())
            .field("repairs", &self.repairs())
            .field("attempts", &self.attempts())
            .finish()
    }
}

/// The edits with their places; the log has them in the order of the text.
fn repairs(reply: &str, log: &Log) -> Vec<Repair> {
    let mut cursor = Cursor::new(reply);
    let mut repairs = Vec::with_capacity(log.edits.len());
    for edit in &log.edits {
        let before = reply.get(edit.place()).unwrap_or_default();
        let after = log.after(edit, before);
        // Below a layer of escapes a quote can be put back that the reply has as it is.
        if before == after {
            continue;
        }
        let (line, column) = cursor.of(edit.start());
        repairs.push(Repair {
            kind: edit.kind,
            offset: edit.start(),
            line,
            column,
            before: text_of(before),
            after,
        });
    }
    repairs
}

/// A piece of the reply for the log; the marks that are mended most often cost no memory.
fn text_of(text: &str) -> std::borrow::Cow<'static, str> {
    std::borrow::Cow::Borrowed(match text {
        "" => "",
        "'" => "'",
        "," => ",",
        "“" => "“",
        "”" => "”",
        "：" => "：",
        "，" => "，",
        "True" => "True",
        "False" => "False",
        "None" => "None",
        _ => return std::borrow::Cow::Owned(text.to_owned()),
    })
}
