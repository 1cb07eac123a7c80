//! What a report of two runs says, table by table.

use super::markdown::add;
use super::{Section, column, p_text};
use crate::lab::results::Measure;
use crate::lab::runs::{Flip, Turn, TwoRuns};
use crate::lab::summary::preset_name;
use crate::lab::table::Table;
use crate::lab::trial::Trial;
use crate::lab::{Decision, Pairs};

/// Two runs with the names that they are called by: the reference's first.
#[derive(Clone, Debug)]
pub struct RunsReport<'a> {
    pub runs: &'a TwoRuns,
    pub names: [String; 2],
    pub trials: [&'a [&'a Trial]; 2],
}

impl<'a> RunsReport<'a> {
    pub(super) fn title(&self) -> String {
        format!("{} against {}", self.names[1], self.names[0])
    }

    /// What was matched, in a few sentences.
    pub(super) fn head(&self) -> String {
        let runs = self.runs;
        let n = runs.pairs.len();
        let mut text = format!(
            "{n} pairs of replies to the same question; {} flipped, {} are the same text.",
            runs.flips.len(),
            runs.n_same_text
        );
        if runs.n_other_prompt > 0 {
            let prompts = format!(" {} were asked with another prompt.", runs.n_other_prompt);
            text.push_str(&prompts);
        }
        for (side, name) in runs.alone.iter().zip(&self.names) {
            if !side.is_empty() {
                add(&mut text, &format!(" Only in {name}: {}.", side.len()));
            }
        }
        text
    }

    /// Both replies of a flip, the reference's first.
    pub(super) fn pair(&self, flip: &Flip) -> [&'a Trial; 2] {
        [self.trials[0][flip.pair[0]], self.trials[1][flip.pair[1]]]
    }

    /// The tables, but for the flipped cases themselves.
    pub(super) fn sections(&self) -> Vec<Section> {
        let [reference, other] = &self.names;
        let all = vec![
            (
                "Flips",
                format!(
                    "Lost are replies that only {reference} got right, won those that only {other} did. p is exact and two-sided (McNemar)."
                ),
                self.flips(),
            ),
            ("Flips by preset", String::new(), self.by_preset()),
            (
                "What was set otherwise",
                "Versions, model, machine and presets; a preset's name in front of what belongs to it."
                    .to_owned(),
                self.differences(),
            ),
            (
                "Only in one run",
                "Replies without a counterpart.".to_owned(),
                self.alone(),
            ),
        ];
        all.into_iter().filter(|it| !it.2.rows.is_empty()).collect()
    }

    fn flips(&self) -> Table {
        let mut columns = vec![column("measure", false), column("pairs", true)];
        columns.extend(pairs_columns());
        let rows = Measure::ALL.into_iter().filter_map(|measure| {
            let pairs = self.runs.of_measure(measure);
            let head = [measure.label().to_owned(), n_pairs(pairs).to_string()];
            (n_pairs(pairs) > 0).then(|| head.into_iter().chain(pairs_cells(pairs)).collect())
        });
        Table {
            columns,
            rows: rows.collect(),
        }
    }

    fn by_preset(&self) -> Table {
        let mut columns = vec![
            column("preset", false),
            column("measure", false),
            column("pairs", true),
        ];
        columns.extend(pairs_columns());
        let mut rows = Vec::new();
        for (preset, counts) in &self.runs.by_preset {
            for (measure, pairs) in Measure::ALL.iter().zip(counts) {
                if pairs.n_lost + pairs.n_won > 0 {
                    let head = [preset.clone(), measure.label().to_owned()];
                    let mut row: Vec<String> = head.into();
                    row.push(n_pairs(*pairs).to_string());
                    row.extend(pairs_cells(*pairs));
                    rows.push(row);
                }
            }
        }
        Table { columns, rows }
    }

    fn differences(&self) -> Table {
        let columns = vec![
            column("setting", false),
            column(&self.names[0], false),
            column(&self.names[1], false),
        ];
        let rows = self.runs.differences.iter().map(|it| {
            let name = if it.preset.is_empty() {
                it.name.clone()
            } else {
                format!("{}: {}", it.preset, it.name)
            };
            vec![name, it.reference.clone(), it.other.clone()]
        });
        Table {
            columns,
            rows: rows.collect(),
        }
    }

    fn alone(&self) -> Table {
        let columns = vec![column("run", false), column("reply", false)];
        let mut rows = Vec::new();
        for side in 0..2 {
            for idx in &self.runs.alone[side] {
                let words = asked(self.trials[side][*idx]);
                rows.push(vec![self.names[side].clone(), words]);
            }
        }
        Table { columns, rows }
    }
}

/// What flipped, such as `lost schema, lost correct`.
pub(super) fn turns(flip: &Flip) -> String {
    let words: Vec<String> = flip.turns.iter().map(|it| Turn::words(*it)).collect();
    words.join(", ")
}

/// What a reply was asked for: preset, task, input, style, seed.
pub(super) fn asked(trial: &Trial) -> String {
    let seed = trial.preset.pointer("/knobs/seed");
    let input = trial.input.map(|it| format!("input {}", it + 1));
    let parts = [
        Some(preset_name(trial).to_owned()),
        Some(trial.task.clone()),
        input,
        Some(trial.style.label().to_owned()),
        seed.map(|it| format!("seed {it}")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// How a reply was judged: its rung, the lamps that are dark, the cause.
pub(super) fn judged(trial: &Trial) -> String {
    let rung = match trial.climb.rung {
        Some(rung) => format!("rung {}", rung as usize),
        None => "no rung".to_owned(),
    };
    let dark = Measure::ALL.into_iter().filter(|it| {
        let is_own_rung = matches!(it, Measure::AsIs | Measure::Parses);
        !is_own_rung && it.of(trial) == Some(false)
    });
    let mut words = vec![rung];
    words.extend(dark.map(|it| format!("not {}", it.label())));
    let cause = trial.cause.as_ref().map(|it| it.message.clone());
    words.extend(cause);
    words.join("; ")
}

fn n_pairs(pairs: Pairs) -> usize {
    pairs.n_same + pairs.n_lost + pairs.n_won
}

fn pairs_columns() -> [crate::lab::Column; 4] {
    [
        column("lost", true),
        column("won", true),
        column("p", true),
        column("", false),
    ]
}

fn pairs_cells(pairs: Pairs) -> [String; 4] {
    let decision: Decision = pairs.decision();
    [
        pairs.n_lost.to_string(),
        pairs.n_won.to_string(),
        p_text(pairs.p()),
        decision.words().to_owned(),
    ]
}
