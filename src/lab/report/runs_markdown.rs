//! Two runs as Markdown: the flips, and every flipped case with both replies.

use super::markdown::{add, fenced, plain, section};
use super::runs::{RunsReport, asked, judged, turns};

/// The whole report. Texts of models stand in it as text.
pub fn runs_markdown(report: &RunsReport<'_>) -> String {
    let mut text = format!(
        "# {}\n\n{}\n",
        plain(&report.title()),
        plain(&report.head())
    );
    let mut sections = report.sections().into_iter();
    if let Some((title, about, table)) = sections.next() {
        text.push('\n');
        section(("##", title, &plain(&about)), &table, &mut text);
    }
    if !report.runs.flips.is_empty() {
        text.push_str("\n## Flipped cases\n");
    }
    for flip in &report.runs.flips {
        let pair = report.pair(flip);
        add(
            &mut text,
            &format!(
                "\n### {}: {}\n\n{}\n",
                turns(flip),
                plain(&asked(pair[1])),
                plain(&pair[1].input_text)
            ),
        );
        for (name, trial) in report.names.iter().zip(pair) {
            add(
                &mut text,
                &format!(
                    "\n{}: {}\n\n{}\n",
                    plain(name),
                    plain(&judged(trial)),
                    fenced(&trial.reply)
                ),
            );
        }
    }
    for (title, about, table) in sections {
        text.push('\n');
        section(("##", title, &about), &table, &mut text);
    }
    text
}
