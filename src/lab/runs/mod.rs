//! Two runs held against each other reply by reply: what flipped, what only one of them has, and how they differ.

mod matching;
mod settings;

pub use settings::RunDifference;

use super::results::Measure;
use super::statistics::Pairs;
use super::summary::preset_name;
use super::trial::Trial;
use matching::{Matched, matched};

/// What two runs say together. Replies are named by their index among the trials of their run.
#[derive(Clone, Debug, PartialEq)]
pub struct TwoRuns {
    /// Replies to the same question in both runs: the reference's, and the other run's.
    pub pairs: Vec<[usize; 2]>,
    /// Pairs whose replies are the same text.
    pub n_same_text: usize,
    /// Pairs that were asked with another prompt.
    pub n_other_prompt: usize,
    /// In the order of [`Measure::ALL`]; lost are those that only the reference got right.
    pub counts: [Pairs; 5],
    /// The same for each preset, in the order in which they first occur.
    pub by_preset: Vec<(String, [Pairs; 5])>,
    /// Pairs in which some verdict flipped, the worst first.
    pub flips: Vec<Flip>,
    /// Replies without a counterpart, in the reference and in the other run.
    pub alone: [Vec<usize>; 2],
    /// What was set otherwise.
    pub differences: Vec<RunDifference>,
}

/// A pair in which at least one verdict is another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flip {
    /// The reference's reply, and the other run's.
    pub pair: [usize; 2],
    /// What flipped, the weightiest first.
    pub turns: Vec<Turn>,
}

/// A verdict that flipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    pub measure: Measure,
    /// It holds in the other run and not in the reference.
    pub is_won: bool,
}

/// Measures by their weight: what fails the first fails the next ones too.
const WEIGHTIEST: [Measure; 5] = [
    Measure::Parses,
    Measure::Schema,
    Measure::Correct,
    Measure::LeakFree,
    Measure::AsIs,
];

impl TwoRuns {
    /// Matches replies by task, input text, prompt style, preset, values in the examples, seed and model; of a retried
    /// reply the last attempt counts. Where both runs have a single model, or a single preset, and not the same one,
    /// these are held against each other, and the difference is named.
    pub fn of(reference: &[&Trial], other: &[&Trial]) -> Self {
        let Matched { pairs, alone } = matched(reference, other);
        let mut res = Self {
            n_same_text: 0,
            n_other_prompt: 0,
            counts: Default::default(),
            by_preset: Vec::new(),
            flips: Vec::new(),
            alone,
            differences: settings::differences(reference, other, &pairs),
            pairs,
        };
        for at in 0..res.pairs.len() {
            let pair = res.pairs[at];
            res.count(pair, [reference[pair[0]], other[pair[1]]]);
        }
        res.flips.sort_by_key(Flip::weight);
        res
    }

    /// How often one verdict flipped.
    pub fn of_measure(&self, measure: Measure) -> Pairs {
        self.counts[place(measure)]
    }

    fn count(&mut self, pair: [usize; 2], trials: [&Trial; 2]) {
        let [one, other] = trials;
        self.n_same_text += usize::from(one.reply == other.reply);
        self.n_other_prompt += usize::from(one.prompt != other.prompt);
        let preset = preset_name(other);
        let known = self.by_preset.iter().position(|it| it.0 == preset);
        let idx = known.unwrap_or_else(|| {
            self.by_preset.push((preset.to_owned(), Default::default()));
            self.by_preset.len() - 1
        });
        let mut turns = Vec::new();
        for measure in WEIGHTIEST {
            let (Some(before), Some(after)) = (measure.of(one), measure.of(other)) else {
                continue;
            };
            for counts in [&mut self.counts, &mut self.by_preset[idx].1] {
                counts[place(measure)].count([before, after]);
            }
            if before != after {
                let is_won = after;
                turns.push(Turn { measure, is_won });
            }
        }
        if !turns.is_empty() {
            self.flips.push(Flip { pair, turns });
        }
    }
}

impl Flip {
    /// The turn that it is listed by.
    pub fn weightiest(&self) -> Turn {
        self.turns[0]
    }

    /// Whether this verdict flipped, and which way.
    pub fn turn(&self, measure: Measure) -> Option<Turn> {
        self.turns.iter().find(|it| it.measure == measure).copied()
    }

    /// What was lost comes before what was won, a weighty verdict before a light one.
    fn weight(&self) -> (bool, Option<usize>) {
        let turn = self.weightiest();
        let place = WEIGHTIEST.iter().position(|it| *it == turn.measure);
        (turn.is_won, place)
    }
}

impl Turn {
    /// Such as `lost schema`.
    pub fn words(self) -> String {
        let word = if self.is_won { "won" } else { "lost" };
        format!("{word} {}", self.measure.label())
    }
}

/// Where a measure stands in [`Measure::ALL`].
fn place(measure: Measure) -> usize {
    Measure::ALL
        .iter()
        .position(|it| *it == measure)
        .unwrap_or_default()
}
