//! How often each preset gave JSON, schema-valid JSON and the right answer.

use serde_json::Value;

use super::table::{Column, Table};
use super::trial::Trial;
use crate::ladder::Rung;

/// One row a preset, in the order in which they first occur.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    pub rows: Vec<SummaryRow>,
}

/// The replies of one preset, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SummaryRow {
    pub preset: String,
    pub n_replies: usize,
    /// The reply was valid JSON as it was.
    pub as_is: Share,
    /// Some rung of the ladder held.
    pub parses: Share,
    pub schema: Share,
    pub correct: Share,
    pub leak_free: Share,
}

/// So many of so many; replies that could not be judged are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    pub n: usize,
    pub of: usize,
}

impl Summary {
    /// Counts trials by the name in their preset.
    pub fn of<'a>(trials: impl IntoIterator<Item = &'a Trial>) -> Self {
        let mut summary = Self::default();
        for trial in trials {
            summary.row(preset_name(trial)).count(trial);
        }
        summary
    }

    /// The rows as a table of texts.
    pub fn table(&self) -> Table {
        let column = |title: &str, is_number: bool| Column {
            title: title.to_owned(),
            is_number,
        };
        Table {
            columns: vec![
                column("preset", false),
                column("replies", true),
                column("as is", true),
                column("parses", true),
                column("schema", true),
                column("correct", true),
                column("leak-free", true),
            ],
            rows: self.rows.iter().map(SummaryRow::cells).collect(),
        }
    }

    fn row(&mut self, preset: &str) -> &mut SummaryRow {
        let known = self.rows.iter().position(|it| it.preset == preset);
        let idx = known.unwrap_or_else(|| {
            self.rows.push(SummaryRow {
                preset: preset.to_owned(),
                ..SummaryRow::default()
            });
            self.rows.len() - 1
        });
        &mut self.rows[idx]
    }
}

impl SummaryRow {
    fn count(&mut self, trial: &Trial) {
        self.n_replies += 1;
        self.as_is.count(Some(trial.climb.rung == Some(Rung::AsIs)));
        self.parses.count(Some(trial.lamps.parses));
        self.schema.count(trial.lamps.schema);
        self.correct.count(trial.lamps.correct);
        self.leak_free.count(trial.lamps.leak_free);
    }

    fn cells(&self) -> Vec<String> {
        let shares = [
            self.as_is,
            self.parses,
            self.schema,
            self.correct,
            self.leak_free,
        ];
        let counts = [self.preset.clone(), self.n_replies.to_string()];
        counts
            .into_iter()
            .chain(shares.iter().map(Share::text))
            .collect()
    }
}

impl Share {
    pub(super) fn count(&mut self, lamp: Option<bool>) {
        self.of += usize::from(lamp.is_some());
        self.n += usize::from(lamp == Some(true));
    }

    /// `18/24 75 %`, or a dash when nothing was judged.
    pub fn text(&self) -> String {
        if self.of == 0 {
            return "–".to_owned();
        }
        let percent = (100 * self.n + self.of / 2) / self.of;
        format!("{}/{} {percent:>3} %", self.n, self.of)
    }
}

pub(super) fn preset_name(trial: &Trial) -> &str {
    match &trial.preset {
        Value::String(name) => name,
        preset => preset
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or("(no name)"),
    }
}
