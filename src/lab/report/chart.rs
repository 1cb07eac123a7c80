//! What charts are drawn of, as SVG: bars with intervals, and the rungs stacked.

use super::{ModelPart, share_text};
use crate::lab::results::Measure;
use crate::lab::visible::visible;
use crate::lab::wilson;

const ROW: usize = 26;
const LEFT: usize = 220;
const WIDTH: usize = 420;
const RIGHT: usize = 190;

/// Rungs from the ground, then none; told apart by brightness too.
const RUNGS: [(&str, &str); 5] = [
    ("as is", "#1d7a4f"),
    ("fences", "#5aa469"),
    ("cut", "#c9b458"),
    ("repair", "#e08a3c"),
    ("none", "#b3261e"),
];

/// A chart's elements and the room that they take.
pub(super) struct Drawn {
    name: String,
    pub(super) height: usize,
    pub(super) elements: String,
}

/// Every chart is so wide.
pub(super) const WHOLE_WIDTH: usize = LEFT + WIDTH + RIGHT;

impl Drawn {
    /// As a part of a page, which has the styles.
    pub(super) fn on_page(&self) -> String {
        format!(
            "<svg viewBox=\"0 0 {WHOLE_WIDTH} {}\" width=\"{WHOLE_WIDTH}\" role=\"img\" aria-label=\"{}\">{}</svg>",
            self.height,
            escaped(&self.name),
            self.elements
        )
    }
}

/// One bar a preset with its interval, the reference's rate as a line through all of them.
pub(super) fn bars(part: &ModelPart<'_>, measure: Measure) -> Drawn {
    let rows = &part.results.rows;
    let height = ROW * rows.len() + 24;
    let mut svg = String::new();
    let reference = rows.iter().find(|it| it.label == part.results.reference);
    if let Some(share) = reference.map(|it| it.share(measure)).filter(|it| it.of > 0) {
        let x = at(share.n as f64 / share.of as f64);
        add(
            &mut svg,
            &format!(
                "<line x1=\"{x:.1}\" y1=\"0\" x2=\"{x:.1}\" y2=\"{}\" class=\"mark\"/>",
                height - 20
            ),
        );
    }
    for (idx, row) in rows.iter().enumerate() {
        let y = idx * ROW + 4;
        label(&mut svg, &row.label, y);
        let share = row.share(measure);
        if share.of > 0 {
            let interval = wilson(share.n, share.of);
            let end = at(share.n as f64 / share.of as f64);
            let (low, high) = (at(interval.low), at(interval.high));
            let middle = y + 9;
            add(
                &mut svg,
                &format!(
                    "<rect x=\"{LEFT}\" y=\"{y}\" width=\"{:.1}\" height=\"18\" class=\"bar\"/>",
                    end - LEFT as f64
                ),
            );
            add(
                &mut svg,
                &format!(
                    "<path d=\"M{low:.1} {middle}H{high:.1}M{low:.1} {}v8M{high:.1} {}v8\" class=\"whisker\"/>",
                    middle - 4,
                    middle - 4
                ),
            );
        }
        value(&mut svg, &share_text(share), y);
    }
    axis(&mut svg, height);
    Drawn {
        name: format!("{} by preset", measure.label()),
        height,
        elements: svg,
    }
}

/// How far replies climbed, one bar a preset.
pub(super) fn rungs(part: &ModelPart<'_>) -> Drawn {
    let rows = &part.results.rows;
    let height = ROW * rows.len() + 30;
    let mut svg = String::new();
    for (idx, row) in rows.iter().enumerate() {
        let y = idx * ROW + 4;
        label(&mut svg, &row.label, y);
        let mut x = LEFT as f64;
        for (n, (name, color)) in row.rungs.iter().zip(RUNGS) {
            let width = WIDTH as f64 * *n as f64 / row.n_replies.max(1) as f64;
            if *n > 0 {
                add(
                    &mut svg,
                    &format!(
                        "<rect x=\"{x:.1}\" y=\"{y}\" width=\"{width:.1}\" height=\"18\" fill=\"{color}\"><title>{name}: {n}</title></rect>"
                    ),
                );
            }
            x += width;
        }
        let counts: Vec<String> = row.rungs.iter().map(ToString::to_string).collect();
        value(&mut svg, &counts.join(" · "), y);
    }
    for (idx, (name, color)) in RUNGS.iter().enumerate() {
        let x = LEFT + idx * 84;
        add(
            &mut svg,
            &format!(
                "<rect x=\"{x}\" y=\"{}\" width=\"10\" height=\"10\" fill=\"{color}\"/>",
                height - 16
            ),
        );
        add(
            &mut svg,
            &format!("<text x=\"{}\" y=\"{}\">{name}</text>", x + 14, height - 7),
        );
    }
    Drawn {
        name: "rungs by preset".to_owned(),
        height,
        elements: svg,
    }
}

fn at(rate: f64) -> f64 {
    LEFT as f64 + WIDTH as f64 * rate
}

fn label(svg: &mut String, text: &str, y: usize) {
    let shown: String = text.chars().take(34).collect();
    add(
        svg,
        &format!(
            "<text x=\"{}\" y=\"{}\" class=\"label\">{}</text>",
            LEFT - 8,
            y + 13,
            escaped(&shown)
        ),
    );
}

fn value(svg: &mut String, text: &str, y: usize) {
    add(
        svg,
        &format!(
            "<text x=\"{}\" y=\"{}\">{}</text>",
            LEFT + WIDTH + 10,
            y + 13,
            escaped(text)
        ),
    );
}

fn axis(svg: &mut String, height: usize) {
    for percent in [0, 25, 50, 75, 100] {
        let x = at(f64::from(percent) / 100.0);
        add(
            svg,
            &format!(
                "<text x=\"{x:.1}\" y=\"{}\" class=\"tick\">{percent} %</text>",
                height - 4
            ),
        );
    }
}

fn add(text: &mut String, part: &str) {
    text.push_str(part);
}

/// Text between tags and in attributes.
pub(super) fn escaped(text: &str) -> String {
    visible(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}
