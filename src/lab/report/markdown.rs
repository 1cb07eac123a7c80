//! The report as Markdown.

use super::{Report, sections};
use crate::lab::Table;
use crate::lab::visible::visible;

/// The whole report. Texts of models stand in it as text.
pub fn markdown(report: &Report<'_>) -> String {
    let mut text = format!("# {}\n\n", plain(&report.plan.title));
    if !report.plan.about.is_empty() {
        add(&mut text, &format!("{}\n\n", plain(&report.plan.about)));
    }
    add(
        &mut text,
        &format!(
            "{} Reference: {}.\n\n",
            report.head(),
            plain(&report.reference)
        ),
    );
    for part in &report.models {
        add(&mut text, &format!("## {}\n\n", plain(&part.title)));
        for fact in &part.facts {
            add(&mut text, &format!("- {}\n", plain(fact)));
        }
        for (title, about, table) in sections(report, part) {
            add(&mut text, "\n");
            section(("###", title, &about), &table, &mut text);
        }
        add(&mut text, "\n");
    }
    text
}

/// A table with its heading and what it counts.
pub(super) fn section((level, title, about): (&str, &str, &str), table: &Table, text: &mut String) {
    add(text, &format!("{level} {title}\n\n"));
    if !about.is_empty() {
        add(text, &format!("{about}\n\n"));
    }
    add(text, &table.markdown());
}

/// A text in a fence that is longer than any within it.
pub fn fenced(text: &str) -> String {
    let runs = text.split(|it| it != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or(0).max(2) + 1);
    format!("{fence}\n{text}\n{fence}")
}

pub(super) fn add(text: &mut String, part: &str) {
    text.push_str(part);
}

/// A text without the signs that would be markup, on one line.
pub fn plain(text: &str) -> String {
    let mut res = String::with_capacity(text.len());
    for sign in visible(text).chars() {
        match sign {
            '\n' | '\r' => res.push(' '),
            '*' | '_' | '`' | '#' | '<' | '[' | ']' | '|' | '\\' => {
                res.push('\\');
                res.push(sign);
            }
            _ => res.push(sign),
        }
    }
    res
}
