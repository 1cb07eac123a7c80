//! `stepladder report RUN --against OTHER`: two runs reply by reply, flipped cases first.

use std::path::Path;

use serde_json::{Value, json};

use super::args::ReportFormat;
use super::out;
use super::report::pairs;
use crate::lab::{Measure, RunsReport, Trial, TwoRuns, runs_csv, runs_html, runs_markdown};
use crate::store::BenchFolder;

/// Reads both folders and says in what the first one differs from the second one.
pub(super) fn against(
    folder: &BenchFolder,
    reference: &BenchFolder,
    format: ReportFormat,
) -> Result<String, String> {
    let [before, after] = [trials(reference)?, trials(folder)?];
    let [before, after] = [&before, &after].map(|it| it.iter().collect::<Vec<&Trial>>());
    let runs = TwoRuns::of(&before, &after);
    let report = RunsReport {
        runs: &runs,
        names: names([reference.path(), folder.path()]),
        trials: [&before, &after],
    };
    Ok(match format {
        ReportFormat::Md => runs_markdown(&report),
        ReportFormat::Csv => runs_csv(&report),
        ReportFormat::Html => runs_html(&report),
        ReportFormat::Json => format!("{}\n", object(&report)),
        ReportFormat::Png => {
            return Err(
                "two runs have no chart; --format png; choose md, csv, html or json".to_owned(),
            );
        }
    })
}

fn trials(folder: &BenchFolder) -> Result<Vec<Trial>, String> {
    let path = folder.path();
    let opened = folder.read().map_err(|it| it.to_string())?;
    for problem in &opened.problems {
        out::say(&format!("warning: {}: {problem}", path.display()));
    }
    if opened.trials.is_empty() {
        return Err(format!(
            "there are no trials yet; {}; run the plan first",
            path.display()
        ));
    }
    Ok(opened.trials)
}

/// The folders' names; their whole paths where these are the same.
fn names(paths: [&Path; 2]) -> [String; 2] {
    let short = paths.map(|it| {
        let name = it.file_name().unwrap_or(it.as_os_str());
        name.to_string_lossy().into_owned()
    });
    if short[0] == short[1] {
        paths.map(|it| it.display().to_string())
    } else {
        short
    }
}

fn object(report: &RunsReport<'_>) -> Value {
    let runs = report.runs;
    let flips: Vec<Value> = runs
        .flips
        .iter()
        .map(|flip| {
            let lost = flip.turns.iter().filter(|it| !it.is_won);
            let won = flip.turns.iter().filter(|it| it.is_won);
            let [one, other] = report.trials;
            json!({
                "lost": lost.map(|it| it.measure.label()).collect::<Vec<_>>(),
                "won": won.map(|it| it.measure.label()).collect::<Vec<_>>(),
                "reference": reply(one[flip.pair[0]]), "other": reply(other[flip.pair[1]]),
            })
        })
        .collect();
    let by_preset: Vec<Value> = runs
        .by_preset
        .iter()
        .map(|(preset, all)| json!({"preset": preset, "flips": counts(all)}))
        .collect();
    let differences: Vec<Value> = runs
        .differences
        .iter()
        .map(|it| {
            let preset = (!it.preset.is_empty()).then_some(&it.preset);
            json!({"preset": preset, "setting": it.name, "reference": it.reference, "other": it.other})
        })
        .collect();
    let alone = |side: usize| -> Vec<Value> {
        let trials = report.trials[side];
        runs.alone[side]
            .iter()
            .map(|it| reply(trials[*it]))
            .collect()
    };
    json!({
        "reference": report.names[0], "other": report.names[1], "pairs": runs.pairs.len(),
        "same_text": runs.n_same_text, "other_prompt": runs.n_other_prompt, "flips": counts(&runs.counts),
        "presets": by_preset, "differences": differences, "flipped": flips,
        "only_in_reference": alone(0), "only_in_other": alone(1),
    })
}

fn counts(all: &[crate::lab::Pairs; 5]) -> Value {
    let entries = Measure::ALL.iter().zip(all);
    let entries =
        entries.map(|(measure, it)| (measure.label().replace([' ', '-'], "_"), pairs(*it)));
    Value::Object(entries.collect())
}

fn reply(trial: &Trial) -> Value {
    json!({
        "id": trial.id, "preset": trial.preset.get("name"), "style": trial.style, "task": trial.task,
        "input": trial.input.map(|it| it + 1), "seed": trial.preset.pointer("/knobs/seed"),
        "input_text": trial.input_text, "reply": trial.reply, "rung": trial.climb.rung, "lamps": trial.lamps,
        "cause": trial.cause,
    })
}
