//! One chart of a report as a drawing of its own, with what it needs to be understood alone.

use super::chart::{Drawn, WHOLE_WIDTH, bars, escaped, rungs};
use super::{ModelPart, Report};
use crate::lab::results::Measure;

const MARGIN: usize = 20;
/// Height of the title with the line under it, and of a model's name.
const HEAD: usize = 58;
const MODEL: usize = 26;
/// Signs of the title and of another line that fit into the width.
const TITLE_SIGNS: usize = 90;
const MAX_SIGNS: usize = 135;

const STYLE: &str = "text{font-size:12px;fill:#1b1d22}.label{text-anchor:end}.tick{text-anchor:middle;fill:#6a707c}.bar{fill:#4f6bed}.whisker{stroke:#1b1d22;stroke-width:1.5;fill:none}.mark{stroke:#9aa0ab;stroke-dasharray:4 3}.title{font-size:16px;font-weight:600}.about{fill:#555b66}.model{font-size:13px;font-weight:600}";

/// What a chart shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chart {
    /// How often a measure holds, one bar a preset.
    Rates(Measure),
    /// How far replies climbed.
    Rungs,
}

impl Chart {
    /// The name of its file, without the ending.
    pub fn file_name(self) -> String {
        match self {
            Self::Rates(measure) => format!("chart-{}", measure.label().replace(' ', "-")),
            Self::Rungs => "chart-rungs".to_owned(),
        }
    }

    fn title(self) -> String {
        match self {
            Self::Rates(measure) => measure.says().to_owned(),
            Self::Rungs => "The rung of the ladder that held.".to_owned(),
        }
    }

    fn of(self, part: &ModelPart<'_>) -> Drawn {
        match self {
            Self::Rates(measure) => bars(part, measure),
            Self::Rungs => rungs(part),
        }
    }
}

/// The whole SVG document: title, what is counted, and the chart of each model.
pub fn drawing(report: &Report<'_>, chart: Chart) -> String {
    let mut body = String::new();
    text(&mut body, (16, "title"), &report.plan.title);
    let about = format!(
        "{} {} Reference: {}.",
        chart.title(),
        report.head(),
        report.reference
    );
    text(&mut body, (38, "about"), &about);
    let mut y = HEAD;
    for part in &report.models {
        text(&mut body, (y + 12, "model"), &part.title);
        y += MODEL;
        let drawn = chart.of(part);
        body.push_str(&lowered(y, &drawn.elements));
        y += drawn.height + MARGIN;
    }
    let (width, height) = (WHOLE_WIDTH + 2 * MARGIN, y + MARGIN);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\"><style>{STYLE}</style><rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/><g transform=\"translate({MARGIN} {MARGIN})\">\n{body}</g></svg>\n"
    )
}

fn text(svg: &mut String, (y, class): (usize, &str), words: &str) {
    let most = if class == "title" {
        TITLE_SIGNS
    } else {
        MAX_SIGNS
    };
    let mut shown: String = words.chars().take(most).collect();
    if shown.len() < words.len() {
        shown.push('…');
    }
    let line = format!(
        "<text x=\"0\" y=\"{y}\" class=\"{class}\">{}</text>\n",
        escaped(&shown)
    );
    svg.push_str(&line);
}

fn lowered(y: usize, elements: &str) -> String {
    format!("<g transform=\"translate(0 {y})\">{elements}</g>\n")
}
