//! What the rungs below the one that held said, put into words when somebody asks.

use std::ops::Range;

use super::fences::{Block, Label, blocks};
use super::log::Fail;
use super::place::Cursor;
use super::strict::{complaint, complaint_of_prefix, strict, without_mark};
use super::{Attempt, Rung, SyntaxError};

/// What must be remembered of a climb to tell how it went.
#[derive(Clone, Debug, Default)]
pub(super) struct Trail {
    /// The rung that held.
    pub(super) rung: Option<Rung>,
    /// Thinking or tool call tags stand in the reply.
    pub(super) has_tags: bool,
    /// The first text whose beginning was to be a value and was none, in bytes of the reply.
    pub(super) refused: Option<Range<usize>>,
    /// Where and why repair gave up.
    pub(super) fail: Option<Box<Fail>>,
}

impl Trail {
    /// The rungs below the one that held, lowest first.
    pub(super) fn attempts(&self, reply: &str) -> Vec<Attempt> {
        let below = Rung::ALL
            .iter()
            .filter(|it| self.rung.is_none_or(|rung| **it < rung));
        below.map(|rung| self.attempt(*rung, reply)).collect()
    }

    fn attempt(&self, rung: Rung, reply: &str) -> Attempt {
        let (at, message) = match rung {
            Rung::AsIs => {
                let text = without_mark(reply);
                let (at, message) = complaint(text);
                (at + reply.len() - text.len(), message)
            }
            Rung::Fences => self.of_fences(reply),
            Rung::Cut => match &self.refused {
                Some(range) => {
                    let (at, message) = complaint_of_prefix(&reply[range.clone()]);
                    (at + range.start, message)
                }
                None => (0, "no bracket opens a value".to_owned()),
            },
            Rung::Repair => match &self.fail {
                Some(fail) => (fail.at, fail.message.clone()),
                None => (0, "there is nothing to repair".to_owned()),
            },
        };
        let (line, column) = Cursor::new(reply).of(at);
        Attempt {
            rung,
            error: SyntaxError {
                message,
                line,
                column,
            },
        }
    }

    fn of_fences(&self, reply: &str) -> (usize, String) {
        let told = |at: usize, message: &str| (at, message.to_owned());
        if self.has_tags {
            return told(0, "thinking or tool call tags stand in the reply");
        }
        let blocks: Vec<Block> = blocks(reply).collect();
        let block = blocks
            .iter()
            .filter(|it| it.closed)
            .min_by_key(|it| it.label != Label::Json);
        let Some(block) = block else {
            return match blocks.first() {
                Some(open) => told(open.whole.start, "the code block is not closed"),
                None => told(0, "there is no code block"),
            };
        };
        let content = &reply[block.content.clone()];
        if strict(content).is_ok() {
            return told(block.content.start, "another value fits better");
        }
        let (at, message) = complaint(content);
        (block.content.start + at, message)
    }
}
