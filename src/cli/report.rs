//! `stepladder report`: the tables and charts of an experiment that was run before.

use std::io::{self, IsTerminal as _};
use std::process::ExitCode;

use serde_json::{Value, json};

use super::args::{ChartChoice, ReportArguments, ReportFormat};
use super::experiments::experiment;
use super::{against, out};
use crate::lab::{
    Chart, Copied, Measure, Pairs, Plan, Report, csv, drawing, html, markdown, wilson,
};
use crate::store::{self, Folders};

/// Reads the folder and prints its report.
pub(super) fn report(arguments: &ReportArguments) -> ExitCode {
    match try_report(arguments) {
        Ok(bytes) => match &arguments.out {
            None => {
                out::whole(&bytes);
                ExitCode::SUCCESS
            }
            Some(path) => match store::save_bytes(path, &bytes) {
                Ok(()) => ExitCode::SUCCESS,
                Err(it) => out::error(&it.to_string()),
            },
        },
        Err(it) => out::error(&it),
    }
}

fn try_report(arguments: &ReportArguments) -> Result<Vec<u8>, String> {
    let folders = Folders::of_user();
    let folder = experiment(&arguments.folder, &folders)?;
    if let Some(reference) = &arguments.against {
        let reference = experiment(reference, &folders)?;
        return against::against(&folder, &reference, arguments.format).map(String::into_bytes);
    }
    let place = folder.path().display().to_string();
    let begun = folder.plan().map_err(|it| it.to_string())?;
    let opened = folder.read().map_err(|it| it.to_string())?;
    for problem in &opened.problems {
        out::say(&format!("warning: {problem}"));
    }
    if opened.trials.is_empty() {
        return Err(format!(
            "there are no trials yet; {place}; run the plan first"
        ));
    }
    let (plan, presets) = Plan::parse_resolved(&begun, &place).map_err(|it| it.to_string())?;
    let reference = plan.reference(&presets).map_err(|it| it.to_string())?;
    let mut report = Report::new(&plan, reference, &opened.trials);
    report.tasks = Plan::resolved_tasks(&begun);
    let text = match arguments.format {
        ReportFormat::Md => markdown(&report),
        ReportFormat::Csv => csv(&opened.trials),
        ReportFormat::Html => html(&report),
        ReportFormat::Json => format!("{}\n", object(&report)),
        ReportFormat::Png => return picture(&report, arguments),
    };
    Ok(text.into_bytes())
}

/// A terminal is no place for a picture.
fn picture(report: &Report<'_>, arguments: &ReportArguments) -> Result<Vec<u8>, String> {
    if arguments.out.is_none() && io::stdout().is_terminal() {
        return Err("a picture is no text for a terminal; --format png; add --out FILE".to_owned());
    }
    store::picture(&drawing(report, arguments.chart.into()))
}

impl From<ChartChoice> for Chart {
    fn from(choice: ChartChoice) -> Self {
        match choice {
            ChartChoice::AsIs => Self::Rates(Measure::AsIs),
            ChartChoice::Parses => Self::Rates(Measure::Parses),
            ChartChoice::Schema => Self::Rates(Measure::Schema),
            ChartChoice::Correct => Self::Rates(Measure::Correct),
            ChartChoice::LeakFree => Self::Rates(Measure::LeakFree),
            ChartChoice::Rungs => Self::Rungs,
        }
    }
}

/// The figures of a report as one object.
pub(super) fn object(report: &Report<'_>) -> Value {
    let models: Vec<Value> = report
        .models
        .iter()
        .map(|part| {
            let rows: Vec<Value> = part.results.rows.iter().map(row).collect();
            json!({"model": part.title, "fingerprint": part.trials[0].model.fingerprint, "presets": rows, "copied": copied(&report.copied(part))})
        })
        .collect();
    json!({
        "plan": report.plan.name, "reference": report.reference, "replies_asked": report.n_asked, "models": models,
    })
}

/// Leaks by preset, task and example, what other values in the examples did, and the examples with stand-ins.
fn copied(copied: &Copied) -> Value {
    let leaks: Vec<Value> = copied
        .leaks
        .iter()
        .map(|it| {
            json!({
                "preset": it.label, "task": it.task, "example": it.example, "replies": it.n_replies,
                "leaking": it.n_leaking, "values": it.n_values,
                "places": it.places.iter().map(|(path, n)| json!({"path": path, "n": n})).collect::<Vec<_>>(),
            })
        })
        .collect();
    let swaps: Vec<Value> = copied
        .swaps
        .iter()
        .map(|(values, it)| {
            json!({
                "preset": it.label, "task": it.task, "example": it.example, "in_its_place": values.key(),
                "pairs": it.n_pairs, "copied": it.n_copied, "follow": it.n_follow, "stay": it.n_stay,
                "gone": it.n_gone(),
            })
        })
        .collect();
    let stand_ins: Vec<Value> = copied
        .stand_ins
        .iter()
        .map(|it| {
            json!({
                "task": it.task, "example": it.example, "copied": it.n_values, "own": it.own,
                "proposed": it.proposed,
            })
        })
        .collect();
    json!({"leaks": leaks, "with_other_examples": swaps, "stand_ins": stand_ins})
}

fn row(row: &crate::lab::ResultRow) -> Value {
    let mut json = json!({"preset": row.label, "replies": row.n_replies});
    let mut put = |key: String, value: Value| {
        if let Some(object) = json.as_object_mut() {
            object.insert(key, value);
        }
    };
    for measure in Measure::ALL {
        let share = row.share(measure);
        let interval = wilson(share.n, share.of);
        let key = measure.label().replace([' ', '-'], "_");
        put(
            key,
            json!({"n": share.n, "of": share.of, "low": interval.low, "high": interval.high}),
        );
    }
    put(
        "against_reference".to_owned(),
        json!({
            "schema": pairs(row.schema_pairs), "correct": pairs(row.correct_pairs),
        }),
    );
    put(
        "rungs".to_owned(),
        json!({
            "as_is": row.rungs[0], "fences": row.rungs[1], "cut": row.rungs[2], "repair": row.rungs[3], "none": row.rungs[4],
        }),
    );
    let causes: serde_json::Map<String, Value> = row
        .causes
        .iter()
        .map(|it| (it.0.clone(), json!(it.1)))
        .collect();
    put("causes".to_owned(), Value::Object(causes));
    put("leaking".to_owned(), json!(row.n_leaking));
    put(
        "rescued".to_owned(),
        json!({"n": row.rescued.n, "of": row.rescued.of}),
    );
    put("tokens_median".to_owned(), json!(row.tokens_median));
    put("ms_median".to_owned(), json!(row.ms_median));
    put("ms_p90".to_owned(), json!(row.ms_p90));
    json
}

pub(super) fn pairs(pairs: Pairs) -> Value {
    json!({
        "lost": pairs.n_lost, "won": pairs.n_won, "same": pairs.n_same, "p": pairs.p(),
        "decision": pairs.decision().words(),
    })
}
