//! Watches a reply while it is written, and speaks when it has fallen into a loop that it will not leave.

use super::bounds::dotted;
use super::loops::find_running_loop;
use super::place::open_path;

/// Takes the text of one reply piece by piece. It is slow to speak: an honest reply may repeat itself a good while.
#[derive(Clone, Debug, Default)]
pub struct LoopWatch {
    text: String,
    n_looked_at: usize,
}

/// A loop in a reply that is still written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunningLoop {
    /// What loops and where, such as `loop in a number at $.x: 40 digits in a row`.
    pub message: String,
    /// JSON pointer to what it runs in; none outside of all brackets.
    pub path: Option<String>,
}

/// Bytes between two looks.
const STRIDE: usize = 16;

impl LoopWatch {
    /// Begins behind a text that was put into the model's mouth.
    pub fn behind(prefill: &str) -> Self {
        Self {
            text: prefill.to_owned(),
            n_looked_at: prefill.len(),
        }
    }

    /// Forgets what came before: an answer begins.
    pub fn restart(&mut self) {
        *self = Self::default();
    }

    /// Where in the answer the reply stands, as people write paths; none outside of all brackets.
    pub fn place(&self) -> Option<String> {
        open_path(&self.text).map(|it| dotted(&it))
    }

    /// Takes what was written next; the loop, once there is one.
    pub fn push(&mut self, piece: &str) -> Option<RunningLoop> {
        self.text.push_str(piece);
        if self.text.len() < self.n_looked_at + STRIDE {
            return None;
        }
        self.n_looked_at = self.text.len();
        let found = find_running_loop(&self.text)?;
        Some(RunningLoop {
            message: found.describe(),
            path: found.path,
        })
    }
}
