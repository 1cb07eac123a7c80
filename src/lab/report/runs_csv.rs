//! Two runs as lines for spreadsheets: one a pair, flipped cases first, then what only one run has.

use super::csv::{line, shown};
use super::runs::{RunsReport, turns};
use crate::lab::summary::preset_name;
use crate::lab::trial::Trial;

/// What is asked stands once, what came of it once for each run.
pub fn runs_csv(report: &RunsReport<'_>) -> String {
    let mut head: Vec<String> = ["flips", "preset", "style", "task", "input", "seed"]
        .map(str::to_owned)
        .into();
    for name in &report.names {
        let columns = [
            "id",
            "rung",
            "schema",
            "correct",
            "leak_free",
            "cause",
            "reply",
        ];
        head.extend(columns.map(|it| format!("{it} in {name}")));
    }
    let mut text = line(head.into_iter());
    let runs = report.runs;
    let mut add = |flips: &str, pair: [Option<&Trial>; 2]| {
        text.push_str(&line(cells(flips, pair).into_iter()));
    };
    for flip in &runs.flips {
        add(&turns(flip), report.pair(flip).map(Some));
    }
    let mut flipped: Vec<[usize; 2]> = runs.flips.iter().map(|it| it.pair).collect();
    flipped.sort_unstable();
    for pair in &runs.pairs {
        if flipped.binary_search(pair).is_err() {
            let [one, other] = report.trials;
            add("", [Some(one[pair[0]]), Some(other[pair[1]])]);
        }
    }
    for idx in &runs.alone[0] {
        add("", [Some(report.trials[0][*idx]), None]);
    }
    for idx in &runs.alone[1] {
        add("", [None, Some(report.trials[1][*idx])]);
    }
    text
}

fn cells(flips: &str, pair: [Option<&Trial>; 2]) -> Vec<String> {
    let asked = pair[1].or(pair[0]);
    let seed = asked.and_then(|it| it.preset.pointer("/knobs/seed"));
    let input = asked.and_then(|it| it.input);
    let mut cells = vec![
        flips.to_owned(),
        asked.map_or(String::new(), |it| shown(preset_name(it))),
        asked.map_or(String::new(), |it| it.style.label().to_owned()),
        asked.map_or(String::new(), |it| shown(&it.task)),
        input.map_or(String::new(), |it| (it + 1).to_string()),
        seed.map_or(String::new(), ToString::to_string),
    ];
    for trial in pair {
        cells.extend(trial.map_or_else(Default::default, came_of_it));
    }
    cells
}

fn came_of_it(trial: &Trial) -> [String; 7] {
    let lamp = |it: Option<bool>| it.map_or(String::new(), |it| it.to_string());
    let rung = trial.climb.rung.map(|it| (it as usize).to_string());
    let cause = trial.cause.as_ref().map(|it| it.kind.clone());
    [
        shown(&trial.id),
        rung.unwrap_or_default(),
        lamp(trial.lamps.schema),
        lamp(trial.lamps.correct),
        lamp(trial.lamps.leak_free),
        cause.unwrap_or_default(),
        shown(&trial.reply),
    ]
}
