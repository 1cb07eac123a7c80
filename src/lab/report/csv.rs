//! One line a trial, for spreadsheets and other programs (RFC 4180).

use crate::lab::summary::preset_name;
use crate::lab::trial::Trial;

const HEAD: &[&str] = &[
    "id",
    "time",
    "model",
    "preset",
    "style",
    "task",
    "input",
    "seed",
    "attempt",
    "rung",
    "parses",
    "schema",
    "correct",
    "leak_free",
    "cause",
    "stop",
    "prompt_tokens",
    "reply_tokens",
    "prefill_ms",
    "decode_ms",
    "mask_ms",
    "tokens_per_second",
    "batch_width",
    "input_text",
    "reply",
];

/// All trials, a head first. Cells that a spreadsheet would take for a formula get an apostrophe.
pub fn csv<'a>(trials: impl IntoIterator<Item = &'a Trial>) -> String {
    let mut text = line(HEAD.iter().map(|it| (*it).to_owned()));
    for trial in trials {
        text.push_str(&line(cells(trial).into_iter()));
    }
    text
}

fn cells(trial: &Trial) -> Vec<String> {
    let seed = trial.preset.pointer("/knobs/seed").map(ToString::to_string);
    let lamp = |it: Option<bool>| it.map_or(String::new(), |it| it.to_string());
    let number = |it: f64| format!("{it:.3}");
    vec![
        trial.id.clone(),
        trial.time.clone(),
        shown(&trial.model.file),
        shown(preset_name(trial)),
        trial.style.label().to_owned(),
        shown(&trial.task),
        trial.input.map_or(String::new(), |it| (it + 1).to_string()),
        seed.unwrap_or_default(),
        trial.cell.as_ref().map_or(1, |it| it.attempt).to_string(),
        trial
            .climb
            .rung
            .map_or(String::new(), |it| (it as usize).to_string()),
        trial.lamps.parses.to_string(),
        lamp(trial.lamps.schema),
        lamp(trial.lamps.correct),
        lamp(trial.lamps.leak_free),
        trial
            .cause
            .as_ref()
            .map(|it| it.kind.clone())
            .unwrap_or_default(),
        trial.stop.clone(),
        trial.prompt_tokens.len().to_string(),
        trial.reply_tokens.len().to_string(),
        number(trial.timings.prefill_ms),
        number(trial.timings.decode_ms),
        number(trial.timings.mask_ms),
        number(trial.timings.tokens_per_second),
        trial.model.batch_width.to_string(),
        shown(&trial.input_text),
        shown(&trial.reply),
    ]
}

/// What comes from outside must not begin like a formula.
pub(super) fn shown(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

pub(super) fn line(cells: impl Iterator<Item = String>) -> String {
    let quoted: Vec<String> = cells
        .map(|cell| {
            if cell.contains(['"', ',', '\n', '\r']) {
                format!("\"{}\"", cell.replace('"', "\"\""))
            } else {
                cell
            }
        })
        .collect();
    quoted.join(",") + "\r\n"
}
