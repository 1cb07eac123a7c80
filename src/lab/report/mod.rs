//! Reports: the results of a plan as Markdown, as a table for other programs, and as one page with charts.

mod chart;
mod copied;
mod csv;
mod drawing;
mod html;
mod markdown;
mod runs;
mod runs_csv;
mod runs_html;
mod runs_markdown;

pub use csv::csv;
pub use drawing::{Chart, drawing};
pub use html::html;
pub use markdown::{fenced as fenced_markdown, markdown, plain as plain_markdown};
pub use runs::RunsReport;
pub use runs_csv::runs_csv;
pub use runs_html::runs_html;
pub use runs_markdown::runs_markdown;

use super::grouping::Grouping;
use super::results::{Measure, Results};
use super::row_order::in_order;
use super::summary::Share;
use super::table::{Column, Table};
use super::trial::Trial;
use super::{Copied, Decision, Plan, wilson};
use crate::prompt::Task;

/// What a report is made of.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    pub plan: &'a Plan,
    /// The preset that the others are compared with.
    pub reference: String,
    /// One part a model, in the order in which they first occur.
    pub models: Vec<ModelPart<'a>>,
    /// How many replies the plan asks for, over all models; none when that is not known.
    pub n_asked: Option<usize>,
    /// The tasks as they were asked; without them no stand-ins are proposed for what leaks.
    pub tasks: Vec<Task>,
}

/// The trials of one model and what they say.
#[derive(Clone, Debug)]
pub struct ModelPart<'a> {
    pub title: String,
    /// File, device, versions and times, a line each.
    pub facts: Vec<String>,
    pub trials: Vec<&'a Trial>,
    pub results: Results,
}

impl<'a> Report<'a> {
    pub fn new(
        plan: &'a Plan,
        reference: String,
        trials: impl IntoIterator<Item = &'a Trial>,
    ) -> Self {
        let mut models: Vec<(&str, Vec<&Trial>)> = Vec::new();
        for trial in trials {
            let print = trial.model.fingerprint.as_str();
            match models.iter_mut().find(|it| it.0 == print) {
                Some(model) => model.1.push(trial),
                None => models.push((print, vec![trial])),
            }
        }
        let part = |(_, trials): (&str, Vec<&'a Trial>)| ModelPart {
            title: trials[0].model.file.clone(),
            facts: facts(&trials),
            results: Results::of(&in_order(plan, &trials), &reference),
            trials,
        };
        Self {
            models: models.into_iter().map(part).collect(),
            plan,
            reference,
            n_asked: None,
            tasks: Vec::new(),
        }
    }

    /// What the replies of one of its models copied out of the examples.
    pub fn copied(&self, part: &ModelPart<'_>) -> Copied {
        Copied::of(&part.trials, &self.tasks)
    }

    /// What the whole report is about, in a line.
    fn head(&self) -> String {
        let n: usize = self.models.iter().map(|it| it.trials.len()).sum();
        let asked = match self.n_asked {
            Some(asked) if asked > n => format!(" of {asked} (the plan is not finished)"),
            _ => String::new(),
        };
        let replies = if n == 1 { "reply" } else { "replies" };
        format!("{n} {replies}{asked}. Rates with 95 % intervals (Wilson).")
    }
}

fn facts(trials: &[&Trial]) -> Vec<String> {
    let model = &trials[0].model;
    let version = |name: &str| {
        let version = trials[0].versions.get(name);
        version
            .and_then(|it| it.as_str())
            .unwrap_or("unknown")
            .to_owned()
    };
    let times = || trials.iter().map(|it| it.time.as_str());
    let widest = trials.iter().map(|it| it.model.batch_width).max();
    let mut facts = vec![
        format!(
            "{}, {}, {:.0} MB, fingerprint {}",
            model.architecture,
            model.quantization,
            model.bytes as f64 / 1e6,
            model.fingerprint.get(..12).unwrap_or(&model.fingerprint)
        ),
        format!(
            "{}, {} {}, context {}",
            model.device,
            model.n_threads,
            if model.n_threads == 1 {
                "thread"
            } else {
                "threads"
            },
            model.n_ctx
        ),
        format!(
            "Stepladder {}, llama.cpp {}",
            version("stepladder"),
            version("llama_cpp")
        ),
        format!(
            "from {} to {}",
            times().min().unwrap_or_default(),
            times().max().unwrap_or_default()
        ),
    ];
    if let Some(width) = widest.filter(|it| *it > 1) {
        facts.push(format!(
            "up to {width} replies were decoded together: near-ties can fall otherwise than alone"
        ));
    }
    facts
}

/// `18/24 75 % [55–88]`, or a dash.
fn share_text(share: Share) -> String {
    if share.of == 0 {
        return "–".to_owned();
    }
    let interval = wilson(share.n, share.of);
    format!(
        "{} [{:.0}–{:.0}]",
        share.text(),
        100.0 * interval.low,
        100.0 * interval.high
    )
}

fn column(title: &str, is_number: bool) -> Column {
    Column {
        title: title.to_owned(),
        is_number,
    }
}

/// Rates, one row a preset.
fn rates(part: &ModelPart<'_>) -> Table {
    let mut columns = vec![column("preset", false), column("replies", true)];
    columns.extend(Measure::ALL.iter().map(|it| column(it.label(), true)));
    let rows = part.results.rows.iter().map(|row| {
        let head = [row.label.clone(), row.n_replies.to_string()];
        let shares = Measure::ALL.iter().map(|it| share_text(row.share(*it)));
        head.into_iter().chain(shares).collect()
    });
    Table {
        columns,
        rows: rows.collect(),
    }
}

/// Against the reference, pair by pair.
fn comparison(part: &ModelPart<'_>) -> Table {
    let columns = vec![
        column("preset", false),
        column("schema: lost", true),
        column("won", true),
        column("p", true),
        column("", false),
        column("correct: lost", true),
        column("won", true),
        column("p", true),
        column("", false),
    ];
    let mut rows = Vec::new();
    for row in &part.results.rows {
        let pairs = [row.schema_pairs, row.correct_pairs];
        if pairs.iter().all(|it| it.decision() == Decision::Unpaired) {
            continue;
        }
        let mut cells = vec![row.label.clone()];
        for pairs in pairs {
            cells.push(pairs.n_lost.to_string());
            cells.push(pairs.n_won.to_string());
            cells.push(p_text(pairs.p()));
            cells.push(pairs.decision().words().to_owned());
        }
        rows.push(cells);
    }
    Table { columns, rows }
}

fn p_text(p: f64) -> String {
    if p < 0.001 {
        "< 0.001".to_owned()
    } else {
        format!("{p:.3}")
    }
}

/// Where replies stood on the ladder, and why they failed.
fn rungs(part: &ModelPart<'_>) -> Table {
    let mut columns = vec![column("preset", false)];
    columns.extend(["as is", "fences", "cut", "repair", "none"].map(|it| column(it, true)));
    columns.push(column("first causes", false));
    let rows = part.results.rows.iter().map(|row| {
        let mut cells = vec![row.label.clone()];
        cells.extend(row.rungs.iter().map(ToString::to_string));
        let causes: Vec<String> = row
            .causes
            .iter()
            .map(|it| format!("{} {}", it.0, it.1))
            .collect();
        cells.push(causes.join(", "));
        cells
    });
    Table {
        columns,
        rows: rows.collect(),
    }
}

/// What replies cost.
fn costs(part: &ModelPart<'_>) -> Table {
    let columns = vec![
        column("preset", false),
        column("tokens, median", true),
        column("seconds, median", true),
        column("90th percentile", true),
        column("leaking", true),
        column("rescued by a retry", true),
    ];
    let rows = part.results.rows.iter().map(|row| {
        vec![
            row.label.clone(),
            format!("{:.0}", row.tokens_median),
            format!("{:.1}", row.ms_median / 1e3),
            format!("{:.1}", row.ms_p90 / 1e3),
            row.n_leaking.to_string(),
            row.rescued.text(),
        ]
    });
    Table {
        columns,
        rows: rows.collect(),
    }
}

/// Schema-valid replies, task by preset.
fn matrix(part: &ModelPart<'_>) -> Table {
    let mut columns = vec![column("task", false)];
    columns.extend(part.results.rows.iter().map(|it| column(&it.label, true)));
    let rows = part.results.matrix(&part.trials, Measure::Schema);
    Table {
        columns,
        rows: rows
            .into_iter()
            .map(|(task, shares)| {
                let cells = shares.iter().map(Share::text);
                std::iter::once(task).chain(cells).collect()
            })
            .collect(),
    }
}

/// Schema-valid replies by what they have in common.
fn buckets(part: &ModelPart<'_>) -> Table {
    let mut rows = Vec::new();
    for grouping in [
        Grouping::Style,
        Grouping::InputLength,
        Grouping::OutputLength,
        Grouping::Rung,
    ] {
        for bucket in Results::buckets(&part.trials, grouping, Measure::Schema) {
            rows.push(vec![
                grouping.label().to_owned(),
                bucket.name,
                share_text(bucket.share),
            ]);
        }
    }
    Table {
        columns: vec![
            column("by", false),
            column("group", false),
            column("schema", true),
        ],
        rows,
    }
}

/// A part of a report: its title, what it counts, and the table.
type Section = (&'static str, String, Table);

/// The parts of a model's report.
fn sections(report: &Report<'_>, part: &ModelPart<'_>) -> Vec<Section> {
    let says: Vec<String> = Measure::ALL
        .iter()
        .map(|it| format!("{}: {}", it.label(), it.says()))
        .collect();
    let mut all = vec![
        ("Rates", says.join(" "), rates(part)),
        (
            "Against the reference",
            "Replies to the same input with the same seed, in pairs: lost are those that only the reference got right, won those that only this preset did. p is exact and two-sided (McNemar).".to_owned(),
            comparison(part),
        ),
        ("Schema by task", String::new(), matrix(part)),
        (
            "Rungs and causes",
            "The rung of the ladder that held, and the first cause of each failure.".to_owned(),
            rungs(part),
        ),
        (
            "Cost",
            "Tokens and seconds a reply, from the prompt's first token to the reply's last, retries included. Leaking: replies with a value copied from an example.".to_owned(),
            costs(part),
        ),
    ];
    all.extend(copied::sections(&report.copied(part)));
    all.push(("Schema by kind of reply", String::new(), buckets(part)));
    all.into_iter().filter(|it| !it.2.rows.is_empty()).collect()
}
