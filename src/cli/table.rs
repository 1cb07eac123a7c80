//! Results as text for a terminal: columns side by side, tables, and the ladder.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

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
        "{} {} on {}, {} threads · task {task}\n",
        info.name, info.quantization, info.device, info.n_threads
    )
}

/// A line of progress.
pub(super) fn progress(label: &str, progress: &runner::Progress) -> String {
    match progress {
        runner::Progress::Load(share) => format!("loading the model: {:.0} %", share * 100.0),
        runner::Progress::Prefill(done, total) => {
            format!("{label}: reading the prompt, {done} of {total} tokens")
        }
        runner::Progress::Decode(n) => format!("{label}: {n} tokens"),
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
    let rung = trial.climb.rung.map_or("no rung holds".to_owned(), |it| {
        format!("rung {}: {}", u8::from(it), it.label())
    });
    let lamps = &trial.lamps;
    let mut facts = vec![
        rung,
        format!(
            "{} parses   {} schema   {} correct",
            lamp(Some(lamps.parses)),
            lamp(lamps.schema),
            lamp(lamps.correct)
        ),
    ];
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
        "{} tokens, {:.0} tokens/s, {}",
        trial.reply_tokens.len(),
        trial.timings.tokens_per_second,
        stop(trial)
    ));
    lines.extend(facts.iter().flat_map(|it| wrap(it, width)));
    lines
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

/// Breaks text into lines of at most `width` terminal cells. Control characters become visible.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for c in text.chars() {
        if c == '\n' {
            lines.push(String::new());
            used = 0;
            continue;
        }
        let shown = if c.is_control() { '␣' } else { c };
        let cells = shown.width().unwrap_or(0);
        if used + cells > width {
            lines.push(String::new());
            used = 0;
        }
        if let Some(line) = lines.last_mut() {
            line.push(shown);
            used += cells;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_wrap(text: &str, width: usize, expected: &[&str]) {
        assert_eq!(wrap(text, width), expected);
    }

    #[test]
    fn a_long_line_is_broken_at_the_width() {
        check_wrap("abcdef", 4, &["abcd", "ef"]);
    }

    #[test]
    fn chinese_takes_two_cells_a_character() {
        check_wrap("牛奶鸡蛋", 5, &["牛奶", "鸡蛋"]);
    }

    #[test]
    fn line_breaks_are_kept_and_control_characters_shown() {
        check_wrap("a\n\tb", 9, &["a", "␣b"]);
    }

    #[test]
    fn cells_of_unequal_height_stand_side_by_side() {
        let cells = vec![vec!["a".to_owned()], vec!["b".to_owned(), "c".to_owned()]];
        assert_eq!(beside(&cells, 3, 2), "a    b\n     c\n");
    }
}
