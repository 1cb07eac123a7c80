//! Results as text for a terminal: columns side by side, tables, and the ladder.

use unicode_width::UnicodeWidthStr as _;

use super::wrap::wrap;
use crate::constraint::{Badge, Constraint, badge};
use crate::engine::ModelInfo;
use crate::judge::Judgement;
use crate::lab::{Summary, Trial};
use crate::ladder::{Climb, Rung};
use crate::runner;

/// Narrowest column that a reply is still readable in.
const MIN_COLUMN: usize = 24;

/// Columns of the terminal; 100 where there is none.
pub(super) fn terminal_width() -> usize {
    terminal_size::terminal_size()
        .map_or(100, |(width, _)| usize::from(width.0))
        .clamp(40, 240)
}

/// The line above the results: model, device, task.
pub(super) fn heading(info: &ModelInfo, task: &str) -> String {
    format!(
        "{} {} on {}, {} · task {task}\n",
        info.name,
        info.quantization,
        info.device,
        counted(info.n_threads.into(), "thread")
    )
}

/// Such as "1 reply" and "3 replies".
pub(super) fn counted(n: u64, what: &str) -> String {
    match what.strip_suffix('y') {
        _ if n == 1 => format!("1 {what}"),
        Some(stem) => format!("{n} {stem}ies"),
        None => format!("{n} {what}s"),
    }
}

/// A line of progress.
pub(super) fn progress(label: &str, progress: &runner::Progress) -> String {
    match progress {
        runner::Progress::Load(share) => format!("loading the model: {:.0} %", share * 100.0),
        runner::Progress::Prefill(done, total) => {
            format!("{label}: reading the prompt, {done} of {total} tokens")
        }
        runner::Progress::Decode(n) => format!("{label}: {}", counted(*n as u64, "token")),
        runner::Progress::Lost(_)
        | runner::Progress::Noted(_)
        | runner::Progress::Silent(_)
        | runner::Progress::SilenceOver => label.to_owned(),
    }
}

/// One column a trial: the raw reply, the rung, the lamps. Columns that do not fit go below.
pub(super) fn side_by_side(trials: &[Trial], width: usize) -> String {
    let gap = 3;
    let fitting = ((width + gap) / (MIN_COLUMN + gap)).max(1);
    let blocks = trials.chunks(fitting).map(|row| {
        let column = ((width + gap) / row.len()).saturating_sub(gap);
        let cells: Vec<Vec<String>> = row.iter().map(|it| cell(it, column)).collect();
        beside(&cells, column, gap)
    });
    blocks.collect::<Vec<_>>().join("\n")
}

/// Counts over all inputs, one row a preset.
pub(super) fn over_inputs(trials: &[Trial]) -> String {
    Summary::of(trials).table().text()
}

/// The ladder of one reply, rung by rung, with value and verdict.
pub(super) fn ladder(climb: &Climb, judgement: &Judgement) -> String {
    let mut lines: Vec<String> = Rung::ALL.iter().map(|it| rung_line(*it, climb)).collect();
    for it in climb.repairs() {
        lines.push(format!(
            "    {}:{} {}: {:?} → {:?}",
            it.line,
            it.column,
            it.kind.label(),
            it.before,
            it.after
        ));
    }
    lines.extend(climb.notes.iter().map(|it| format!("    note: {it}")));
    match climb.value() {
        Some(value) => lines.push(format!("value: {value}")),
        None => lines.push("no value".to_owned()),
    }
    if let Some(verdict) = &judgement.verdict {
        let on = if verdict.on_repaired {
            " (on a repaired value)"
        } else {
            ""
        };
        let word = if verdict.valid { "valid" } else { "not valid" };
        lines.push(format!("schema: {word}{on}"));
        lines.extend(
            verdict
                .faults
                .iter()
                .map(|it| format!("    {} {}: {}", it.instance_path, it.keyword, it.message)),
        );
    }
    if let Some(cause) = &judgement.cause {
        lines.push(format!("cause: {}", cause.summary()));
    }
    lines.join("\n")
}

fn rung_line(rung: Rung, climb: &Climb) -> String {
    let mark = if climb.rung == Some(rung) {
        "●"
    } else {
        "○"
    };
    let number = u8::from(rung);
    let failed = climb.attempts().iter().find(|it| it.rung == rung);
    let what = failed.map_or(String::new(), |it| {
        let error = &it.error;
        format!(
            "  {} (line {}, column {})",
            error.message, error.line, error.column
        )
    });
    format!("{mark} {number} {}{what}", rung.label())
}

fn cell(trial: &Trial, width: usize) -> Vec<String> {
    let mut lines = wrap(&name(trial), width);
    lines.push("─".repeat(width));
    lines.extend(wrap(&trial.reply, width));
    lines.push("─".repeat(width));
    let lamps = &trial.lamps;
    let mut facts: Vec<String> = rung(trial).into_iter().collect();
    facts.push(format!(
        "{} parses   {} schema   {} correct",
        lamp(Some(lamps.parses)),
        lamp(lamps.schema),
        lamp(lamps.correct)
    ));
    facts.extend(trial.cause.as_ref().map(|it| it.message.clone()));
    facts.extend(constraint(trial));
    let mask = trial.trace.mask;
    facts.extend(mask.map(|it| {
        format!(
            "mask: {} legal tokens, {} µs a token (medians)",
            it.legal_median, it.us_median
        )
    }));
    facts.push(format!(
        "{}, {:.0} tokens/s, {}",
        counted(trial.reply_tokens.len() as u64, "token"),
        trial.timings.tokens_per_second,
        stop(trial)
    ));
    lines.extend(facts.iter().flat_map(|it| wrap(it, width)));
    lines
}

/// The rung that held; none where the cause says that none did.
fn rung(trial: &Trial) -> Option<String> {
    const NONE: &str = "no rung held";
    if let Some(it) = trial.climb.rung {
        return Some(format!("rung {}: {}", u8::from(it), it.label()));
    }
    let cause = trial.cause.as_ref();
    let is_said = cause.is_some_and(|it| it.message.starts_with(NONE));
    (!is_said).then(|| NONE.to_owned())
}

/// How far the constraint held the model; none where there was no constraint.
fn constraint(trial: &Trial) -> Option<String> {
    let constraint = serde_json::from_value(trial.constraint.clone()).ok()?;
    if constraint == Constraint::None {
        return None;
    }
    let word = match badge(&constraint) {
        Badge::Enforced => "enforced",
        Badge::Partly => "partly enforced",
        Badge::None => "not enforced",
    };
    Some(format!("constraint {word}"))
}

/// Why the reply ended: "dead end: no-repeat n-gram against constraint mask".
fn stop(trial: &Trial) -> String {
    let name = trial.stop.replace('_', " ");
    match &trial.stop_detail {
        Some(detail) => format!("{name}: {detail}"),
        None => name,
    }
}

fn lamp(lit: Option<bool>) -> char {
    match lit {
        Some(true) => '✓',
        Some(false) => '✗',
        None => '–',
    }
}

fn name(trial: &Trial) -> String {
    let preset = trial
        .preset
        .get("name")
        .and_then(|it| it.as_str())
        .unwrap_or("preset");
    preset.to_owned()
}

fn beside(cells: &[Vec<String>], column: usize, gap: usize) -> String {
    let n_lines = cells.iter().map(Vec::len).max().unwrap_or(0);
    let mut res = String::new();
    for idx in 0..n_lines {
        let mut line = String::new();
        for cell in cells {
            let text = cell.get(idx).map_or("", String::as_str);
            line.push_str(text);
            let pad = (column + gap).saturating_sub(text.width());
            line.push_str(&" ".repeat(pad));
        }
        res.push_str(line.trim_end());
        res.push('\n');
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_unequal_height_stand_side_by_side() {
        let cells = vec![vec!["a".to_owned()], vec!["b".to_owned(), "c".to_owned()]];
        assert_eq!(beside(&cells, 3, 2), "a    b\n     c\n");
    }
}
