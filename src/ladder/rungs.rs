//! The climb itself: tries the rungs from below and tells what each of them said.

use super::choose::{choose, pool, told};
use super::cut::{Candidate, Found};
use super::fences::{Label, blocks};
use super::hint::Hint;
use super::log::{Edit, Log};
use super::place::Places;
use super::strict::{StrictError, strict};
use super::tags::Split;
use super::whole::{behind_prefill, scalar};
use super::{Attempt, Climb, Flag, Repair, Rung, SyntaxError, tags};

/// Climbs until a rung holds. Never fails: a reply without JSON gives a climb without a value.
///
/// The work is linear in the length of the reply. Offsets count bytes, lines and columns characters from 1.
pub fn climb(reply: &str, hint: &Hint<'_>) -> Climb {
    let error = match as_is(reply) {
        Ok(climb) => return climb,
        Err(error) => error,
    };
    Ascent {
        reply,
        hint,
        places: Places::new(reply),
        split: tags::split(reply),
    }
    .climb(&error)
}

/// Rung 1: the reply is JSON, with or without a byte order mark.
fn as_is(reply: &str) -> Result<Climb, StrictError> {
    let (text, has_bom) = match reply.strip_prefix('\u{feff}') {
        Some(text) => (text, true),
        None => (reply, false),
    };
    let read = strict(text).map_err(|mut error| {
        error.at += reply.len() - text.len();
        error
    })?;
    let mut climb = Climb {
        rung: Some(Rung::AsIs),
        candidates: vec![read.value.clone()],
        first_object_recoverable: read.value.is_object(),
        value: Some(read.value),
        flags: read.log.flags,
        notes: read.log.notes,
        whole_reply_valid: !has_bom,
        ..Climb::default()
    };
    if has_bom {
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
    places: Places<'a>,
    split: Split,
}

impl Ascent<'_> {
    fn climb(&self, as_is_error: &StrictError) -> Climb {
        let mut climb = Climb {
            attempts: vec![self.attempt(Rung::AsIs, as_is_error.at, &as_is_error.message)],
            ..Climb::default()
        };
        if self.reply.starts_with('\u{feff}') {
            climb.flags.push(Flag::Bom);
        }
        self.tell_tags(&mut climb);
        if let Some(candidate) = behind_prefill(self.reply, &self.split, self.hint) {
            climb.rung = Some(Rung::Repair);
            return self.settle(climb, vec![candidate], &Found::default());
        }
        let mut found = pool(self.reply, &self.split);
        let mut candidates = std::mem::take(&mut found.candidates);
        if found.refused {
            candidates.clear();
        } else if candidates.is_empty() {
            candidates.extend(scalar(self.reply, &self.split, &found));
        }
        let Some(best) = choose(&candidates, self.hint) else {
            return self.refuse(climb, &found);
        };
        climb.rung = Some(self.rung_of(&candidates[best]));
        let several = (candidates.len() > 1).then(|| told(&candidates, best, self.hint));
        candidates.swap(0, best);
        let mut climb = self.settle(climb, candidates, &found);
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
        if candidate.fills_block && self.has_no_tags() {
            Rung::Fences
        } else {
            Rung::Cut
        }
    }

    fn has_no_tags(&self) -> bool {
        self.split.thinking.is_empty() && !self.split.has_tool_tags
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

    /// Fills in the value that was chosen; it comes first among the candidates.
    fn settle(&self, mut climb: Climb, mut candidates: Vec<Candidate>, found: &Found) -> Climb {
        for below in [Rung::Fences, Rung::Cut] {
            if Some(below) < climb.rung {
                climb.attempts.push(self.attempt_at(below, found));
            }
        }
        let chosen = candidates.swap_remove(0);
        let behind = self.reply.get(chosen.end..).unwrap_or_default();
        if let Some(rest) = behind.trim_start().strip_prefix(',')
            && rest.trim_start().starts_with('"')
        {
            climb
                .notes
                .push("More pairs seem to follow behind the value; they are left out.".to_owned());
        }
        for flag in &chosen.log.flags {
            if !climb.flags.contains(flag) {
                climb.flags.push(*flag);
            }
        }
        climb.notes.extend(chosen.log.notes.iter().cloned());
        climb.repairs = self.repairs(&chosen.log);
        climb.value = Some(chosen.value.clone());
        candidates.push(chosen);
        candidates.sort_by_key(|it| it.start);
        climb.first_object_recoverable = candidates.iter().any(|it| it.value.is_object());
        climb.candidates = candidates.into_iter().map(|it| it.value).collect();
        climb
    }

    fn refuse(&self, mut climb: Climb, found: &Found) -> Climb {
        climb.attempts.push(self.attempt_at(Rung::Fences, found));
        climb.attempts.push(self.attempt_at(Rung::Cut, found));
        let attempt = match &found.fail {
            Some(fail) => self.attempt(Rung::Repair, fail.at, &fail.message),
            None => self.attempt(Rung::Repair, 0, "there is nothing to repair"),
        };
        climb.attempts.push(attempt);
        if found.too_deep() {
            climb.flags.push(Flag::Depth);
        }
        climb
    }

    /// What rung 2 or 3 has to say.
    fn attempt_at(&self, rung: Rung, found: &Found) -> Attempt {
        if rung == Rung::Fences {
            return self.fence_attempt();
        }
        match &found.strict_error {
            Some(error) => self.attempt(rung, error.at, &error.message),
            None => self.attempt(rung, 0, "no bracket opens a value"),
        }
    }

    fn fence_attempt(&self) -> Attempt {
        if !self.has_no_tags() {
            return self.attempt(
                Rung::Fences,
                0,
                "thinking or tool call tags stand in the reply",
            );
        }
        let blocks = blocks(self.reply);
        let block = blocks
            .iter()
            .filter(|it| it.closed)
            .min_by_key(|it| it.label != Label::Json);
        let Some(block) = block else {
            return match blocks.first() {
                Some(open) => self.attempt(
                    Rung::Fences,
                    open.whole.start,
                    "the code block is not closed",
                ),
                None => self.attempt(Rung::Fences, 0, "there is no code block"),
            };
        };
        match strict(&self.reply[block.content.clone()]) {
            Ok(_) => self.attempt(
                Rung::Fences,
                block.content.start,
                "another value fits better",
            ),
            Err(error) => {
                self.attempt(Rung::Fences, block.content.start + error.at, &error.message)
            }
        }
    }

    fn attempt(&self, rung: Rung, at: usize, message: &str) -> Attempt {
        let (line, column) = self.places.of(at);
        Attempt {
            rung,
            error: SyntaxError {
                message: message.to_owned(),
                line,
                column,
            },
        }
    }

    fn repairs(&self, log: &Log) -> Vec<Repair> {
        let repairs = log.edits.iter().map(|edit| self.repair(edit));
        // Below a layer of escapes a quote can be put back that the reply has as it is.
        repairs.filter(|it| it.before != it.after).collect()
    }

    fn repair(&self, edit: &Edit) -> Repair {
        let (line, column) = self.places.of(edit.start);
        Repair {
            kind: edit.kind,
            offset: edit.start,
            line,
            column,
            before: self
                .reply
                .get(edit.start..edit.end)
                .unwrap_or_default()
                .to_owned(),
            after: edit.after.clone(),
        }
    }
}

impl Found {
    fn too_deep(&self) -> bool {
        self.fail
            .as_ref()
            .is_some_and(|it| it.kind == super::log::FailKind::Depth)
    }
}
