//! The climb itself: tries the rungs from below and tells what each of them said.

use std::borrow::Cow;

use serde_json::Value;

use super::choose::{choose, pool, told};
use super::cut::{Candidate, Found};
use super::fences::{Label, blocks};
use super::hint::Hint;
use super::log::Edit;
use super::place::Cursor;
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
    let read = strict(text).map_err(|error| error.moved(reply.len() - text.len()))?;
    let mut climb = Climb {
        rung: Some(Rung::AsIs),
        candidates: vec![None],
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
        let mut found = pool(self.reply, &self.split, Some(as_is_error));
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
        let mut chosen = candidates.swap_remove(0);
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
        let log = std::mem::take(&mut chosen.log);
        climb.notes.extend(log.notes);
        climb.repairs = self.repairs(log.edits);
        candidates.sort_by_key(|it| it.start);
        // A value that starts where the chosen one does was found before it.
        let n_before = candidates.partition_point(|it| it.start <= chosen.start);
        climb.candidates = candidates.into_iter().map(|it| Some(it.value)).collect();
        climb.candidates.insert(n_before, None);
        climb.value = Some(chosen.value);
        let has_object = climb.candidates().any(Value::is_object);
        climb.first_object_recoverable = has_object;
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
            return self.fence_attempt(found);
        }
        match &found.strict_error {
            Some(error) => self.attempt(rung, error.at, &error.message),
            None => self.attempt(rung, 0, "no bracket opens a value"),
        }
    }

    fn fence_attempt(&self, found: &Found) -> Attempt {
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
        if let Some(error) = &found.strict_error
            && error.stops_in_value(&block.content)
        {
            return self.attempt(Rung::Fences, error.at, &error.message);
        }
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
        let (line, column) = Cursor::new(self.reply).of(at);
        Attempt {
            rung,
            error: SyntaxError {
                message: message.to_owned(),
                line,
                column,
            },
        }
    }

    /// The edits with their places; the log has them in the order of the text.
    fn repairs(&self, edits: Vec<Edit>) -> Vec<Repair> {
        let mut cursor = Cursor::new(self.reply);
        let mut repairs = Vec::with_capacity(edits.len());
        for edit in edits {
            let before = self.reply.get(edit.start..edit.end).unwrap_or_default();
            // Below a layer of escapes a quote can be put back that the reply has as it is.
            if before == edit.after {
                continue;
            }
            let (line, column) = cursor.of(edit.start);
            repairs.push(Repair {
                kind: edit.kind,
                offset: edit.start,
                line,
                column,
                before: text_of(before),
                after: edit.after,
            });
        }
        repairs
    }
}

/// A piece of the reply for the log; the marks that are mended most often cost no memory.
fn text_of(text: &str) -> Cow<'static, str> {
    Cow::Borrowed(match text {
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
        _ => return Cow::Owned(text.to_owned()),
    })
}

impl Found {
    fn too_deep(&self) -> bool {
        self.fail
            .as_ref()
            .is_some_and(|it| it.kind == super::log::FailKind::Depth)
    }
}
