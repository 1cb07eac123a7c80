//! Two runs as one page: the flips, and every flipped case with both replies side by side.

use super::chart::escaped;
use super::html::{page, section};
use super::markdown::add;
use super::runs::{RunsReport, asked, judged, turns};

/// Flipped cases whose replies are shown.
const MAX_SHOWN: usize = 500;

/// The whole page. Everything that comes from models and files is escaped; nothing is loaded, nothing is run.
pub fn runs_html(report: &RunsReport<'_>) -> String {
    let mut body = format!("<p>{}</p>\n", escaped(&report.head()));
    let mut sections = report.sections().into_iter();
    if let Some((title, about, table)) = sections.next() {
        section((title, &about), &table, &mut body);
    }
    flips(report, &mut body);
    for (title, about, table) in sections {
        section((title, &about), &table, &mut body);
    }
    page(&report.title(), &body)
}

fn flips(report: &RunsReport<'_>, page: &mut String) {
    let flips = &report.runs.flips;
    if flips.is_empty() {
        return;
    }
    page.push_str("\n<h3>Flipped cases</h3>\n");
    if flips.len() > MAX_SHOWN {
        let text = format!(
            "<p class=\"about\">The first {MAX_SHOWN} of {}.</p>\n",
            flips.len()
        );
        page.push_str(&text);
    }
    for (idx, flip) in flips.iter().take(MAX_SHOWN).enumerate() {
        let pair = report.pair(flip);
        let open = if idx == 0 { " open" } else { "" };
        add(
            page,
            &format!(
                "<details{open}><summary>{}: {}</summary><p>{}</p><table><tr>",
                escaped(&turns(flip)),
                escaped(&asked(pair[1])),
                escaped(&pair[1].input_text)
            ),
        );
        for name in &report.names {
            add(page, &format!("<th>{}</th>", escaped(name)));
        }
        page.push_str("</tr><tr>");
        for trial in pair {
            add(
                page,
                &format!(
                    "<td style=\"width:50%\">{}<pre>{}</pre></td>",
                    escaped(&judged(trial)),
                    escaped(&trial.reply)
                ),
            );
        }
        page.push_str("</tr></table></details>\n");
    }
}
