//! What else the replies say: causes, groups, time. Worked out once for what is shown.

use std::path::PathBuf;

use eframe::egui::{Grid, RichText, ScrollArea, Ui, vec2};

use super::order;
use super::rates::{bucket_ui, time_ui};
use crate::app::{Part, Shown};
use crate::lab::{Bucket, Grouping, Measure, Results};
use crate::ui::theme::{self, palette};
use crate::ui::widgets::{Segmented, heading, note};

const GROUPINGS: &[(Grouping, &str)] = &[
    (Grouping::Task, "Task"),
    (Grouping::Style, "Prompt style"),
    (Grouping::InputLength, "Input length"),
    (Grouping::OutputLength, "Reply length"),
    (Grouping::Rung, "Rung"),
    (Grouping::Cause, "Cause"),
];

/// What the details were worked out for.
#[derive(Clone, Debug, PartialEq)]
struct Key {
    folder: PathBuf,
    /// How often it was counted, and how many replies there were: not each reply that comes is a reason.
    counted: (usize, usize),
    part: usize,
    measure: Measure,
    grouping: Grouping,
}

/// The latest details.
#[derive(Debug)]
pub(super) struct Details {
    grouping: Grouping,
    key: Option<Key>,
    buckets: Vec<Bucket>,
}

impl Default for Details {
    fn default() -> Self {
        Self {
            grouping: Grouping::InputLength,
            key: None,
            buckets: Vec::new(),
        }
    }
}

impl Details {
    pub(super) fn show(&mut self, (shown, part): (&Shown, usize), rows: &[usize], ui: &mut Ui) {
        let results = &shown.parts[part];
        heading(ui, "Why they failed");
        causes_ui((results, rows), ui);
        ui.add_space(theme::GAP);
        heading(ui, "What they cost");
        time_ui((results, rows), ui);
        ui.add_space(theme::GAP);
        ui.horizontal_wrapped(|ui| {
            heading(ui, "In groups");
            Segmented::new("Groups by").show(ui, &mut self.grouping, GROUPINGS);
        });
        self.prepare(shown, part);
        for bucket in &self.buckets {
            bucket_ui(bucket, ui);
        }
        note(
            ui,
            format!("All presets together; counted: {}.", shown.measure.label()),
        );
    }

    /// Thousands of replies are not gone through at every frame.
    fn prepare(&mut self, shown: &Shown, part: usize) {
        let key = Key {
            folder: shown.folder.clone(),
            counted: (shown.n_counts, n_counted(&shown.parts[part])),
            part,
            measure: shown.measure,
            grouping: self.grouping,
        };
        if self.key.as_ref() == Some(&key) {
            return;
        }
        let trials = shown.of_part(part);
        self.buckets = Results::buckets(&trials, self.grouping, shown.measure);
        self.key = Some(key);
    }
}

fn n_counted(part: &Part) -> usize {
    part.results.rows.iter().map(|it| it.n_replies).sum()
}

/// One row a preset, one column a cause.
fn causes_ui((part, rows): (&Part, &[usize]), ui: &mut Ui) {
    let mut kinds: Vec<&str> = Vec::new();
    for row in order::of(part, rows) {
        for (kind, _) in &row.causes {
            if !kinds.contains(&kind.as_str()) {
                kinds.push(kind);
            }
        }
    }
    if kinds.is_empty() {
        note(ui, "No reply failed.");
        return;
    }
    let names: Vec<String> = kinds.iter().map(|it| it.replace('_', " ")).collect();
    let mut head = vec!["preset"];
    head.extend(names.iter().map(String::as_str));
    let cells: Vec<Vec<String>> = order::of(part, rows)
        .map(|row| {
            let count = |kind: &&str| {
                let known = row.causes.iter().find(|it| it.0 == **kind);
                known.map_or(String::new(), |it| it.1.to_string())
            };
            std::iter::once(row.label.clone())
                .chain(kinds.iter().map(count))
                .collect()
        })
        .collect();
    table_ui("causes", &head, &cells, ui);
}

fn table_ui(name: &str, head: &[&str], rows: &[impl AsRef<[String]>], ui: &mut Ui) {
    let colours = palette(ui);
    ScrollArea::horizontal().id_salt(name).show(ui, |ui| {
        let grid = Grid::new(name).spacing(vec2(18.0, 4.0)).striped(true);
        grid.show(ui, |ui| {
            for title in head {
                let text = RichText::new(*title).font(theme::medium(theme::SMALL));
                ui.label(text.color(colours.weak));
            }
            ui.end_row();
            for row in rows {
                for cell in row.as_ref() {
                    let text = RichText::new(cell).font(theme::mono(theme::SMALL));
                    ui.label(text.color(colours.text));
                }
                ui.end_row();
            }
        });
    });
}
