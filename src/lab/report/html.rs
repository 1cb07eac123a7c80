//! The report as one page that needs nothing else: tables, charts, and the replies that failed.

use super::chart::{bars, escaped, rungs};
use super::{ModelPart, Report, sections};
use crate::lab::Table;
use crate::lab::attempts::last_attempts;
use crate::lab::results::Measure;
use crate::lab::summary::preset_name;

/// Replies that are shown in full.
const MAX_SHOWN: usize = 200;

const STYLE: &str = "body{font:14px/1.5 system-ui,sans-serif;max-width:1000px;margin:2em auto;padding:0 1em;color:#1b1d22;background:#fff}h1,h2,h3{line-height:1.2}table{border-collapse:collapse;margin:.5em 0 1.5em}th,td{padding:3px 10px;border-bottom:1px solid #dfe2e8;text-align:left;vertical-align:top}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}p.about{color:#555b66;max-width:70ch}svg{max-width:100%;height:auto}svg text{font:12px system-ui,sans-serif;fill:currentColor}svg .label{text-anchor:end}svg .tick{text-anchor:middle;opacity:.6}.bar{fill:#4f6bed}.whisker{stroke:#1b1d22;stroke-width:1.5;fill:none}.mark{stroke:#9aa0ab;stroke-dasharray:4 3}pre{white-space:pre-wrap;word-break:break-word;background:#f4f5f8;padding:8px;border-radius:6px}summary{cursor:pointer}@media(prefers-color-scheme:dark){body{color:#e6e8ee;background:#14161b}th,td{border-color:#2c303a}p.about{color:#a4abb8}pre{background:#1d2027}.whisker{stroke:#e6e8ee}}";

/// The whole page. Everything that comes from models and files is escaped; nothing is loaded, nothing is run.
pub fn html(report: &Report<'_>) -> String {
    let mut body = format!("<p class=\"about\">{}</p>\n", escaped(&report.plan.about));
    let head = format!("{} Reference: {}.", report.head(), report.reference);
    add(&mut body, &format!("<p>{}</p>\n", escaped(&head)));
    for part in &report.models {
        model((report, part), &mut body);
    }
    page(&report.plan.title, &body)
}

/// A page of its own around what stands in it.
pub(super) fn page(title: &str, body: &str) -> String {
    let title = escaped(title);
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"><title>{title}</title><style>{STYLE}</style></head><body><h1>{title}</h1>\n{body}</body></html>\n"
    )
}

fn model((report, part): (&Report<'_>, &ModelPart<'_>), page: &mut String) {
    add(page, &format!("<h2>{}</h2><ul>", escaped(&part.title)));
    for fact in &part.facts {
        add(page, &format!("<li>{}</li>", escaped(fact)));
    }
    add(page, "</ul>\n<h3>Fits the schema</h3>\n");
    add(page, &bars(part, Measure::Schema).on_page());
    add(page, "\n<h3>Is right</h3>\n");
    add(page, &bars(part, Measure::Correct).on_page());
    add(page, "\n<h3>How far replies climbed</h3>\n");
    add(page, &rungs(part).on_page());
    for (title, about, rows) in sections(report, part) {
        section((title, &about), &rows, page);
    }
    failures(part, page);
}

/// A table with its heading and what it counts.
pub(super) fn section((title, about): (&str, &str), rows: &Table, page: &mut String) {
    add(
        page,
        &format!(
            "\n<h3>{title}</h3>\n<p class=\"about\">{}</p>\n",
            escaped(about)
        ),
    );
    table(rows, page);
}

fn table(table: &Table, page: &mut String) {
    let class = |n: usize| {
        let is_number = table.columns.get(n).is_some_and(|it| it.is_number);
        if is_number { " class=\"n\"" } else { "" }
    };
    add(page, "<table><tr>");
    for (n, column) in table.columns.iter().enumerate() {
        add(
            page,
            &format!("<th{}>{}</th>", class(n), escaped(&column.title)),
        );
    }
    add(page, "</tr>\n");
    for row in &table.rows {
        add(page, "<tr>");
        for (n, cell) in row.iter().enumerate() {
            add(page, &format!("<td{}>{}</td>", class(n), escaped(cell)));
        }
        add(page, "</tr>\n");
    }
    add(page, "</table>\n");
}

/// The replies with a cause of failure, folded.
fn failures(part: &ModelPart<'_>, page: &mut String) {
    let all = last_attempts(&part.trials);
    let failed: Vec<_> = all.iter().filter(|it| it.cause.is_some()).collect();
    if failed.is_empty() {
        return;
    }
    add(
        page,
        &format!(
            "<h3>Replies that failed</h3><p class=\"about\">{} of {}",
            failed.len(),
            all.len()
        ),
    );
    if failed.len() > MAX_SHOWN {
        add(page, &format!("; the first {MAX_SHOWN} are shown"));
    }
    add(page, ".</p>\n");
    for trial in failed.into_iter().take(MAX_SHOWN) {
        let cause = trial.cause.as_ref().map(|it| it.message.as_str());
        let head = format!(
            "{}, {} {}, {}: {}",
            preset_name(trial),
            trial.task,
            trial.input.map_or(String::new(), |it| (it + 1).to_string()),
            trial.style.label(),
            cause.unwrap_or_default()
        );
        add(
            page,
            &format!(
                "<details><summary>{}</summary><p>{}</p><pre>{}</pre></details>\n",
                escaped(&head),
                escaped(&trial.input_text),
                escaped(&trial.reply)
            ),
        );
    }
}

fn add(text: &mut String, part: &str) {
    text.push_str(part);
}
