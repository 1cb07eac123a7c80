//! Finds how many characters of one class may follow each other in a state, as inside a string with a bound.

use super::network::{ClassId, Op};
use super::recognizer::{Closure, DEAD, Recognizer, StateId};
use super::store::Item;

/// Class items of one state that are looked at.
const MAX_TRIED: usize = 8;

/// Items that may be looked at to find runs; what a mask needs is far more.
const MAX_WORK: usize = 400_000;

/// Characters of one class that may come next, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) class: ClassId,
    /// At least this many of them.
    pub(crate) n_chars: u32,
}

impl Recognizer {
    /// The longest run in a state, if it ends: one without end has an outline to go by.
    ///
    /// Longer ones than `enough` need not be told apart. Classes of few characters are left out.
    pub(crate) fn counted_run(&mut self, state: StateId, enough: u32) -> Option<Run> {
        let items = self.items(state);
        let starts: Vec<Item> = items
            .iter()
            .filter(|it| self.plan().class_at(it.0).is_some())
            .take(MAX_TRIED)
            .copied()
            .collect();
        let mut best: Option<Run> = None;
        for item in starts {
            let run = self.run_from(item, enough)?;
            if best.is_none_or(|it| it.n_chars < run.n_chars) {
                best = Some(run);
            }
        }
        best
    }

    /// Follows the class from copy to copy; `None` when it comes back to where it was.
    fn run_from(&mut self, item: Item, enough: u32) -> Option<Run> {
        let class = self.plan().class_at(item.0)?.class;
        let mut n_chars = 1;
        let mut at = item;
        while n_chars < enough && self.work() < MAX_WORK {
            match self.next_of_class(at) {
                Some(next) if next == at => return None,
                Some(next) => at = next,
                None => break,
            }
            n_chars += 1;
        }
        Some(Run { class, n_chars })
    }

    /// Where a character of the class leads, if that is a place for another one.
    fn next_of_class(&mut self, item: Item) -> Option<Item> {
        if let Some(known) = self.runs().get(&item) {
            return *known;
        }
        let here = *self.plan().class_at(item.0)?;
        let mut closure = Closure::default();
        closure.todo.push((here.next, item.1));
        let to = self.close(closure);
        if to == DEAD && self.gave_up() {
            return None;
        }
        let items = self.items(to);
        let same = |it: &&Item| {
            matches!(self.plan().op(it.0), Op::Byte { .. })
                && self
                    .plan()
                    .class_at(it.0)
                    .is_some_and(|it| it.class == here.class)
        };
        // The copy itself first, so that a loop is known as one.
        let next = items
            .iter()
            .find(|it| **it == item)
            .or_else(|| items.iter().find(same))
            .copied();
        self.runs().insert(item, next);
        next
    }
}
