//! The climb itself: tries the rungs from below and tells what each of them said.

use super::choose::{choose, pool, told};
use super::cut::{Candidate, Found};
use super::document::LONGEST;
use super::findings::Findings;
use super::hint::Hint;
use super::log::FailKind;
use super::reading::Reading;
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
        Ok(climb) => climb,
        Err(refusal) => {
            let split = tags::split(reply);
            let mut climb = Climb::default();
            Ascent { reply, hint, split }.climb(&refusal, &mut climb);
            climb
        }
    }
}

/// A reply that is not read at all.
fn too_long(n_bytes: usize) -> Climb {
    let trail = Trail {
        fail: Some((
            0,
            format!("a reply of {n_bytes} bytes is too long to be read"),
        )),
        ..Trail::default()
    };
    Climb {
        findings: Findings::none("", trail),
        ..Climb::default()
    }
}

/// Rung 1: the reply is JSON, with or without a byte order mark.
fn as_is(reply: &str) -> Result<Climb, Refusal> {
    let text = without_mark(reply);
    let start = reply.len() - text.len();
    let mut parsed = match strict(text) {
        Ok(parsed) => parsed,
        Err(mut stop) => {
            stop.at += start;
            let within = start..reply.len();
            return Err(Refusal { stop, within });
        }
    };
    let reading = Reading::of_reply(parsed.document, start);
    let mut climb = Climb {
        rung: Some(Rung::AsIs),
        first_object_recoverable: reading.is_object(),
        flags: std::mem::take(&mut parsed.log.flags),
        notes: std::mem::take(&mut parsed.log.notes),
        findings: Findings::read(reply, reading, parsed.log, None),
        whole_reply_valid: start == 0,
        ..Climb::default()
    };
    if start > 0 {
        climb.flags.push(Flag::Bom);
        climb
            .notes
            .push("A byte order mark before the value is left out.".to_owned());
    }
    Ok(climb)
}

/// A climb above rung 1.
struct Ascent<'a> {
    reply: &'a str,
    hint: &'a Hint<'a>,
    split: Split,
}

impl Ascent<'_> {
    fn climb(&self, as_is: &Refusal, climb: &mut Climb) {
        if self.reply.starts_with('\u{feff}') {
            climb.flags.push(Flag::Bom);
        }
        self.tell_tags(climb);
        if let Some(candidate) = behind_prefill(self.reply, &self.split, self.hint) {
            climb.rung = Some(Rung::Repair);
            self.settle(climb, candidate, Found::default());
            return;
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
            self.refuse(climb, found);
            return;
        };
        climb.rung = Some(self.rung_of(&candidates[best]));
        let several =
            (candidates.len() > 1).then(|| told(candidates, best, (self.reply, self.hint)));
        let chosen = found.candidates.remove(best);
        self.settle(climb, chosen, found);
        if let Some(note) = several {
            climb.flags.push(Flag::MultipleValues);
            climb.notes.push(note);
        }
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

    fn tell_tags(&self, climb: &mut Climb) {
        if !self.split.thinking.is_empty() {
            let parts: Vec<&str> = self
                .split
                .thinking
                .iter()
                .map(|it| self.reply[it.clone()].trim())
                .collect();
            climb.thinking = Some(parts.join("\n"));
            climb.flags.push(Flag::Thinking);
        }
        if self.split.has_tool_tags {
            climb.flags.push(Flag::ToolCallTag);
        }
    }

    /// Fills in the value that was chosen, and the others.
    fn settle(&self, climb: &mut Climb, chosen: Candidate, mut found: Found) {
        let behind = self.reply.get(chosen.end..).unwrap_or_default();
        if let Some(rest) = trim_start(behind).strip_prefix(',')
            && rest.trim_start().starts_with('"')
        {
            climb
                .notes
                .push("More pairs seem to follow behind the value; they are left out.".to_owned());
        }
        let mut log = chosen.log;
        for flag in &log.flags {
            if !climb.flags.contains(flag) {
                climb.flags.push(*flag);
            }
        }
        climb.notes.append(&mut log.notes);
        let mut others = std::mem::take(&mut found.candidates);
        let trail = self.trail(climb.rung, found);
        climb.findings = Findings::read(self.reply, chosen.reading, log, Some(trail));
        if !others.is_empty() {
            others.sort_by_key(|it| it.start);
            // A value that starts where the chosen one does was found before it.
            let place = others.partition_point(|it| it.start <= chosen.start);
            let others = others.into_iter().map(|it| it.reading).collect();
            climb.findings.add_others(others, place);
        }
        climb.first_object_recoverable = climb.findings.holds_object();
    }

    fn refuse(&self, climb: &mut Climb, found: Found) {
        if found.too_deep() {
            climb.flags.push(Flag::Depth);
        }
        climb.findings = Findings::none(self.reply, self.trail(None, found));
    }

    fn trail(&self, rung: Option<Rung>, found: Found) -> Trail {
        Trail {
            rung,
            has_tags: self.has_tags(),
            refused: found.refused_text,
            fail: found.fail.map(|it| (it.at, it.message)),
        }
    }
}

impl Found {
    fn too_deep(&self) -> bool {
        self.fail
            .as_ref()
            .is_some_and(|it| it.kind == FailKind::Depth)
    }
}
