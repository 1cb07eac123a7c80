//! What the replies of a plan say: rates a preset, pairs against the reference, rungs, causes, buckets.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use super::attempts::{Attempts, last_attempts};
use super::cells::Cell;
use super::grouping::Grouping;
use super::statistics::{Pairs, quantile};
use super::summary::{Share, preset_name};
use super::trial::Trial;
use crate::ladder::Rung;
use crate::prompt::{ExampleValues, PromptStyle};

/// The results of one model.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// The row that the others are compared with, by its label.
    pub reference: String,
    /// In the order in which the presets first occur.
    pub rows: Vec<ResultRow>,
}

/// The replies of one preset in one prompt style.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResultRow {
    pub label: String,
    pub n_replies: usize,
    pub as_is: Share,
    pub parses: Share,
    pub schema: Share,
    pub correct: Share,
    pub leak_free: Share,
    /// Of the replies whose first attempt failed, those that a retry made usable.
    pub rescued: Share,
    /// Against the reference, reply by reply: fits the schema.
    pub schema_pairs: Pairs,
    /// Against the reference, reply by reply: is right.
    pub correct_pairs: Pairs,
    /// Replies that stood on each rung, lowest first; the last counts those that gave no JSON.
    pub rungs: [usize; 5],
    /// First causes of failure with their numbers, the most frequent first.
    pub causes: Vec<(String, usize)>,
    /// Replies with a value copied from an example.
    pub n_leaking: usize,
    /// Tokens of a reply, retries included: median.
    pub tokens_median: f64,
    /// Milliseconds from the prompt to the last token, retries included: median and 90th percentile.
    pub ms_median: f64,
    pub ms_p90: f64,
}

/// What is counted as success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    AsIs,
    Parses,
    Schema,
    Correct,
    LeakFree,
}

/// Replies with something in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bucket {
    pub name: String,
    pub share: Share,
}

impl Measure {
    pub const ALL: [Self; 5] = [
        Self::AsIs,
        Self::Parses,
        Self::Schema,
        Self::Correct,
        Self::LeakFree,
    ];

    /// The name in tables and on the command line.
    pub fn label(self) -> &'static str {
        match self {
            Self::AsIs => "as is",
            Self::Parses => "parses",
            Self::Schema => "schema",
            Self::Correct => "correct",
            Self::LeakFree => "leak-free",
        }
    }

    /// What it counts, in a sentence.
    pub fn says(self) -> &'static str {
        match self {
            Self::AsIs => "The whole reply is valid JSON without any help.",
            Self::Parses => "Some rung of the ladder held.",
            Self::Schema => "The value fits the schema; on a repaired value too.",
            Self::Correct => "The value is the known right answer, by the task's rules.",
            Self::LeakFree => "No value was copied from a few-shot example.",
        }
    }

    /// None where it could not be judged.
    pub fn of(self, trial: &Trial) -> Option<bool> {
        match self {
            Self::AsIs => Some(trial.climb.rung == Some(Rung::AsIs)),
            Self::Parses => Some(trial.lamps.parses),
            Self::Schema => trial.lamps.schema,
            Self::Correct => trial.lamps.correct,
            Self::LeakFree => trial.lamps.leak_free,
        }
    }
}

impl ResultRow {
    pub fn share(&self, measure: Measure) -> Share {
        match measure {
            Measure::AsIs => self.as_is,
            Measure::Parses => self.parses,
            Measure::Schema => self.schema,
            Measure::Correct => self.correct,
            Measure::LeakFree => self.leak_free,
        }
    }
}

impl Results {
    /// From the trials of one model. `reference` is the preset's name.
    pub fn of(trials: &[&Trial], reference: &str) -> Self {
        let labels = Labels::of(trials);
        let mut groups: Vec<(String, Vec<&Trial>)> = Vec::new();
        for trial in last_attempts(trials) {
            let label = labels.label(trial);
            match groups.iter_mut().find(|it| it.0 == label) {
                Some(group) => group.1.push(trial),
                None => groups.push((label, vec![trial])),
            }
        }
        let attempts = Attempts::of(trials);
        let mut rows: Vec<ResultRow> = Vec::new();
        for (label, group) in &groups {
            let mut row = ResultRow::of(label, group, &attempts);
            let style = group[0].style.label();
            let of_reference = groups.iter().find(|(_, it)| {
                preset_name(it[0]) == reference
                    && examples_of(it[0]) == examples_of(group[0])
                    && (!labels.has_styles || it[0].style.label() == style)
            });
            if let Some((name, of_reference)) = of_reference
                && name != label
            {
                row.compare(of_reference, group);
            }
            rows.push(row);
        }
        Self {
            reference: reference.to_owned(),
            rows,
        }
    }

    /// How the rows of these trials are called.
    pub fn labels(trials: &[&Trial]) -> impl Fn(&Trial) -> String {
        let labels = Labels::of(trials);
        move |trial| labels.label(trial)
    }

    /// How the rows will be called when a plan's replies are there, each once.
    pub fn labels_of(cells: &[Cell]) -> Vec<String> {
        let first = cells.first().map(|it| it.preset.style);
        let labels = Labels {
            has_styles: cells.iter().any(|it| Some(it.preset.style) != first),
        };
        let mut res: Vec<String> = Vec::new();
        for cell in cells {
            let preset = &cell.preset;
            let label = labels.compose(&preset.name, preset.style, cell.examples);
            if !res.contains(&label) {
                res.push(label);
            }
        }
        res
    }

    /// How often a measure holds in each group of replies.
    pub fn buckets(trials: &[&Trial], grouping: Grouping, measure: Measure) -> Vec<Bucket> {
        let mut shares: BTreeMap<(usize, String), Share> = BTreeMap::new();
        for trial in last_attempts(trials) {
            let share = shares.entry(grouping.of(trial)).or_default();
            share.count(measure.of(trial));
        }
        shares
            .into_iter()
            .map(|((_, name), share)| Bucket { name, share })
            .collect()
    }

    /// One row a task, one share a preset in the order of `rows`.
    pub fn matrix(&self, trials: &[&Trial], measure: Measure) -> Vec<(String, Vec<Share>)> {
        let [matrix] = self.matrices(trials, [measure]);
        matrix
    }

    /// The same for several measures, in their order.
    pub fn matrices<const N: usize>(
        &self,
        trials: &[&Trial],
        measures: [Measure; N],
    ) -> [Vec<(String, Vec<Share>)>; N] {
        let labels = Labels::of(trials);
        let mut tasks: Vec<&str> = Vec::new();
        let mut shares: Vec<Vec<[Share; N]>> = Vec::new();
        for trial in last_attempts(trials) {
            let label = labels.label(trial);
            let Some(column) = self.rows.iter().position(|it| it.label == label) else {
                continue;
            };
            let known = tasks.iter().position(|it| *it == trial.task);
            let row = known.unwrap_or_else(|| {
                tasks.push(&trial.task);
                shares.push(vec![[Share::default(); N]; self.rows.len()]);
                tasks.len() - 1
            });
            for (share, measure) in shares[row][column].iter_mut().zip(measures) {
                share.count(measure.of(trial));
            }
        }
        std::array::from_fn(|nth| {
            let rows = tasks.iter().zip(&shares);
            rows.map(|(task, row)| {
                let of_measure = row.iter().map(|it| it[nth]).collect();
                ((*task).to_owned(), of_measure)
            })
            .collect()
        })
    }
}

impl ResultRow {
    fn of(label: &str, group: &[&Trial], attempts: &Attempts<'_>) -> Self {
        let mut row = Self {
            label: label.to_owned(),
            n_replies: group.len(),
            ..Self::default()
        };
        let mut causes: BTreeMap<&str, usize> = BTreeMap::new();
        let (mut tokens, mut times) = (Vec::new(), Vec::new());
        for trial in group {
            row.as_is.count(Measure::AsIs.of(trial));
            row.parses.count(Measure::Parses.of(trial));
            row.schema.count(Measure::Schema.of(trial));
            row.correct.count(Measure::Correct.of(trial));
            row.leak_free.count(Measure::LeakFree.of(trial));
            row.n_leaking += usize::from(!trial.leaks.is_empty());
            row.rungs[trial.climb.rung.map_or(4, |it| it as usize - 1)] += 1;
            if let Some(cause) = &trial.cause {
                *causes.entry(&cause.kind).or_default() += 1;
            }
            let several = attempts.several(trial);
            let own = [*trial];
            let all = if several.is_empty() { &own } else { several };
            if all.len() > 1 {
                row.rescued.count(Some(super::is_usable(trial)));
            }
            tokens.push(all.iter().map(|it| it.reply_tokens.len() as f64).sum());
            times.push(
                all.iter()
                    .map(|it| it.timings.prefill_ms + it.timings.decode_ms)
                    .sum(),
            );
        }
        let mut causes: Vec<(String, usize)> = causes
            .into_iter()
            .map(|(kind, n)| (kind.to_owned(), n))
            .collect();
        causes.sort_by_key(|it| std::cmp::Reverse(it.1));
        row.causes = causes;
        row.tokens_median = quantile(&tokens, 0.5).unwrap_or_default();
        row.ms_median = quantile(&times, 0.5).unwrap_or_default();
        row.ms_p90 = quantile(&times, 0.9).unwrap_or_default();
        row
    }

    fn compare(&mut self, reference: &[&Trial], group: &[&Trial]) {
        let known: HashMap<_, &Trial> = reference.iter().map(|it| (question(it), *it)).collect();
        for trial in group {
            let Some(other) = known.get(&question(trial)) else {
                continue;
            };
            let measures = [
                (Measure::Schema, &mut self.schema_pairs),
                (Measure::Correct, &mut self.correct_pairs),
            ];
            for (measure, pairs) in measures {
                if let (Some(reference), Some(own)) = (measure.of(other), measure.of(trial)) {
                    pairs.count([reference, own]);
                }
            }
        }
    }
}

/// What two replies must share to be a pair: the text they answer, the style and the seed.
fn question(trial: &Trial) -> (&str, &str, &str, Option<u64>) {
    let seed = trial.preset.pointer("/knobs/seed").and_then(Value::as_u64);
    let style = trial.style.label();
    (&trial.task, &trial.input_text, style, seed)
}

fn examples_of(trial: &Trial) -> ExampleValues {
    trial
        .cell
        .as_ref()
        .map_or_else(Default::default, |it| it.examples)
}

/// How rows are called: by the preset, and by the style where there are several.
struct Labels {
    has_styles: bool,
}

impl Labels {
    fn of(trials: &[&Trial]) -> Self {
        let first = trials.first().map(|it| it.style);
        Self {
            has_styles: trials.iter().any(|it| Some(it.style) != first),
        }
    }

    fn label(&self, trial: &Trial) -> String {
        self.compose(preset_name(trial), trial.style, examples_of(trial))
    }

    fn compose(&self, preset: &str, style: PromptStyle, examples: ExampleValues) -> String {
        let mut label = preset.to_owned();
        let style = self.has_styles.then(|| style.label());
        let examples = (!examples.is_own()).then(|| examples.key());
        for part in style.into_iter().chain(examples) {
            label.push_str(", ");
            label.push_str(part);
        }
        label
    }
}
