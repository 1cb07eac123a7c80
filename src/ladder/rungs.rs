//! The climb itself: tries the rungs from below and tells what each of them said.

use super::choose::{choose, pool, why_taken};
use super::cut::{Candidate, Found};
use super::document::LONGEST;
use super::findings::Findings;
use super::hint::Hint;
use super::log::{Fail, FailKind, Log};
use super::reading::Reading;
use super::repair::Parsed;
use super::strict::{Refusal, strict, without_mark};
use super::tags::Split;
use super::trail::Trail;
use super::trim::trim_start;
use super::whole::{behind_prefill, scalar};
use super::{Climb, Flag, Rung, tags};

/// Climbs until a rung holds. Never fails: a reply without JSON gives a climb without a value.
///
/// The work is linear in the length of the reply. Offsets count bytes, lines and columns characters from 1.
pub fn climb(reply: &str, hint: &Hint<'_>) -> Climb {
    if reply.len() > LONGEST {
        return too_long(reply.len());
    }
    match as_is(reply) {
        Ok(parsed) => held_as_is(reply, parsed),
        Err(refusal) => {
            let split = tags::split(reply);
            Ascent { reply, hint, split }.climb(&refusal)
        }
    }
}

/// A reply that is not read at all.
fn too_long(n_bytes: usize) -> Climb {
    let trail = Trail {
        fail: Some(Box::new(Fail {
            at: 0,
            message: format!("a reply of {n_bytes} bytes is too long to be read"),
            kind: FailKind::Prose,
        })),
        ..Trail::default()
    };
    Climb {
        findings: Findings::none("", trail),
        ..Climb::default()
    }
}

/// Rung 1: the reply is JSON, with or without a byte order mark.
fn as_is(reply: &str) -> Result<Parsed, Refusal> {
    let text = without_mark(reply);
    strict(text).map_err(|mut stop| {
        let start = reply.len() - text.len();
        stop.at += start;
        let within = start..reply.len();
        Refusal { stop, within }
    })
}

/// The climb that ends on rung 1.
fn held_as_is(reply: &str, mut parsed: Parsed) -> Climb {
    let start = reply.len() - without_mark(reply).len();
    let mut told = Told::default();
    told.take(&mut parsed.log);
    if start > 0 {
        told.flags.push(Flag::Bom);
        told.notes
            .push("A byte order mark before the value is left out.".to_owned());
    }
    let reading = Reading::of_reply(parsed.document, start);
    Climb {
        rung: Some(Rung::AsIs),
        flags: told.flags,
        notes: told.notes,
        whole_reply_valid: start == 0,
        first_object_recoverable: reading.is_object(),
        thinking: None,
        findings: Findings::read(reply, reading, parsed.log, None),
    }
}

/// What is told of a climb besides its findings.
#[derive(Default)]
struct Told {
    flags: Vec<Flag>,
    notes: Vec<String>,
    thinking: Option<String>,
}

impl Told {
    /// Takes over the flags and notes of a log.
    #[inline]
    fn take(&mut self, log: &mut Log) {
        let Some(told) = log.told() else { return };
        for flag in told.flags.drain(..) {
            if !self.flags.contains(&flag) {
                self.flags.push(flag);
            }
        }
        self.notes.append(&mut told.notes);
    }
}

/// A climb above rung 1.
struct Ascent<'a> {
    reply: &'a str,
    hint: &'a Hint<'a>,
    split: Split,
}

impl Ascent<'_> {
    fn climb(&self, as_is: &Refusal) -> Climb {
        let told = self.tell_tags();
        if let Some(candidate) = behind_prefill(self.reply, &self.split, self.hint) {
            return self.settle(candidate, Found::default(), told);
        }
        let mut found = pool(self.reply, &self.split, Some(as_is));
        if found.refused {
            found.candidates.clear();
        } else if found.candidates.is_empty() {
            let lone = scalar(self.reply, &self.split, &found);
            found.candidates.extend(lone);
        }
        let candidates = &found.candidates;
        let Some(best) = choose(candidates, self.reply, self.hint) else {
            return self.refuse(found, told);
        };
        let several =
            (candidates.len() > 1).then(|| why_taken(candidates, best, (self.reply, self.hint)));
        let chosen = found.candidates.remove(best);
        let mut climb = self.settle(chosen, found, told);
        if let Some(note) = several {
            climb.flags.push(Flag::MultipleValues);
            climb.notes.push(note);
        }
        climb
    }

    /// Which rung a value stands on.
    fn rung_of(&self, candidate: &Candidate) -> Rung {
        if !candidate.strict {
            return Rung::Repair;
        }
        if candidate.fills_block && !self.has_tags() {
            Rung::Fences
        } else {
            Rung::Cut
        }
    }

    fn has_tags(&self) -> bool {
        !self.split.thinking.is_empty() || self.split.has_tool_tags
    }

    fn tell_tags(&self) -> Told {
        let mut told = Told::default();
        if self.reply.starts_with('\u{feff}') {
            told.flags.push(Flag::Bom);
        }
        if !self.split.thinking.is_empty() {
            let parts: Vec<&str> = self
                .split
                .thinking
                .iter()
                .map(|it| self.reply[it.clone()].trim())
                .collect();
            told.thinking = Some(parts.join("\n"));
            told.flags.push(Flag::Thinking);
        }
        if self.split.has_tool_tags {
            told.flags.push(Flag::ToolCallTag);
        }
        told
    }

    /// The climb to the value that was chosen, and the others.
    #[inline]
    fn settle(&self, mut chosen: Candidate, mut found: Found, mut told: Told) -> Climb {
        let rung = self.rung_of(&chosen);
        let behind = self.reply.get(chosen.end..).unwrap_or_default();
        if let Some(rest) = trim_start(behind).strip_prefix(',')
            && rest.trim_start().starts_with('"')
        {
            told.notes
                .push("More pairs seem to follow behind the value; they are left out.".to_owned());
        }
        told.take(&mut chosen.log);
        let others = std::mem::take(&mut found.candidates);
        let trail = self.trail(Some(rung), found);
        let mut climb = Climb {
            rung: Some(rung),
            flags: told.flags,
            notes: told.notes,
            whole_reply_valid: false,
            first_object_recoverable: chosen.reading.is_object(),
            thinking: told.thinking,
            findings: Findings::read(self.reply, chosen.reading, chosen.log, Some(trail)),
        };
        if !others.is_empty() {
            add_others(&mut climb, others, chosen.start);
        }
        climb
    }

    fn refuse(&self, found: Found, mut told: Told) -> Climb {
        if found.too_deep() {
            told.flags.push(Flag::Depth);
        }
        Climb {
            flags: told.flags,
            notes: told.notes,
            thinking: told.thinking,
            findings: Findings::none(self.reply, self.trail(None, found)),
            ..Climb::default()
        }
    }

    fn trail(&self, rung: Option<Rung>, found: Found) -> Trail {
        Trail {
            rung,
            has_tags: self.has_tags(),
            refused: found.refused_text,
            fail: found.fail,
        }
    }
}

/// Adds the values that were not chosen; the chosen one starts at a place.
#[cold]
fn add_others(climb: &mut Climb, mut others: Vec<Candidate>, start: usize) {
    others.sort_by_key(|it| it.start);
    // A value that starts where the chosen one does was found before it.
    let place = others.partition_point(|it| it.start <= start);
    let others = others.into_iter().map(|it| it.reading).collect();
    climb.findings.add_others(others, place);
    climb.first_object_recoverable = climb.findings.holds_object();
}

impl Found {
    fn too_deep(&self) -> bool {
        self.fail
            .as_ref()
            .is_some_and(|it| it.kind == FailKind::Depth)
    }
}
