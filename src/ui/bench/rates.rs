//! Rates as bars with their intervals, rungs as stacked bars, seconds as bars.

use eframe::egui::{Align2, Color32, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::order;
use crate::app::Part;
use crate::lab::{Bucket, Decision, Measure, ResultRow, Share, wilson};
use crate::ui::theme::{self, Tone, palette};
use crate::ui::widgets::note;

const ROW: f32 = 26.0;
const LABEL: f32 = 210.0;
const FIGURES: f32 = 150.0;
const WORDS: f32 = 120.0;
/// Narrower than this, a bar stands below its name and figures.
const ONE_LINE: f32 = LABEL + FIGURES + WORDS + 80.0;

/// Where the parts of a row are.
struct Row {
    rect: Rect,
    bar: Rect,
    is_narrow: bool,
}

/// One bar a preset; the reference's rate is a line through all of them.
pub(super) fn rates_ui((part, rows): (&Part, &[usize]), measure: Measure, ui: &mut Ui) {
    let results = &part.results;
    let reference = results.rows.iter().find(|it| it.label == results.reference);
    let mark = reference.map(|it| it.share(measure)).and_then(rate);
    for row in order::of(part, rows) {
        let share = row.share(measure);
        let words = match measure {
            Measure::Schema => row.schema_pairs.decision(),
            Measure::Correct => row.correct_pairs.decision(),
            _ => Decision::Unpaired,
        };
        rate_ui(row, (share, mark, words), ui);
    }
    if matches!(measure, Measure::Schema | Measure::Correct) {
        note(
            ui,
            format!(
                "Compared with {} reply by reply (exact McNemar test at 5 %); bars have 95 % intervals (Wilson).",
                results.reference
            ),
        );
    }
}

fn rate(share: Share) -> Option<f32> {
    (share.of > 0).then(|| share.n as f32 / share.of as f32)
}

fn rate_ui(row: &ResultRow, (share, mark, decision): (Share, Option<f32>, Decision), ui: &mut Ui) {
    let colours = palette(ui);
    let text = share.text();
    let words = match decision {
        Decision::Unpaired => "",
        other => other.words(),
    };
    let name = format!("{}: {text} {words}", row.label);
    let Some(place) = row_ui(ui, &row.label, &name) else {
        return;
    };
    let bar = place.bar;
    bar_ui(ui, bar, share);
    if let Some(mark) = mark {
        let line = Stroke::new(1.0, colours.weak);
        let x = bar.left() + bar.width() * mark;
        let y = if place.is_narrow {
            bar.y_range().expand(2.0)
        } else {
            place.rect.y_range()
        };
        ui.painter().vline(x, y, line);
    }
    let tone = match decision {
        Decision::Better => Tone::Good,
        Decision::Worse => Tone::Bad,
        _ => Tone::Quiet,
    };
    let words = (words, colours.tone(tone));
    place.figures_ui(ui, (&text, colours.text), words);
}

/// A rate with its interval.
pub(super) fn bar_ui(ui: &Ui, bar: Rect, share: Share) {
    let colours = palette(ui);
    let painter = ui.painter();
    let at = |share: f32| bar.left() + bar.width() * share;
    painter.rect_filled(bar, 3, colours.well);
    let Some(rate) = rate(share) else { return };
    let filled = Rect::from_min_max(bar.min, pos2(at(rate), bar.bottom()));
    painter.rect_filled(filled, 3, colours.accent_fill);
    let interval = wilson(share.n, share.of);
    let (low, high) = (at(interval.low as f32), at(interval.high as f32));
    let stroke = Stroke::new(1.5, colours.text);
    let y = bar.center().y;
    let half = (bar.height() / 2.0).min(4.0);
    painter.hline(low..=high, y, stroke);
    for x in [low, high] {
        painter.vline(x, y - half..=y + half, stroke);
    }
}

/// A group of replies and how often the measure holds in it.
pub(super) fn bucket_ui(bucket: &Bucket, ui: &mut Ui) {
    let text = bucket.share.text();
    let name = format!("{}: {text}", bucket.name);
    if let Some(place) = row_ui(ui, &bucket.name, &name) {
        bar_ui(ui, place.bar, bucket.share);
        place.figure_ui(ui, &text, palette(ui).text);
    }
}

/// Seconds of a reply: the median as a bar, the 90th percentile as a mark, beside it the tokens.
pub(super) fn time_ui((part, rows): (&Part, &[usize]), ui: &mut Ui) {
    let colours = palette(ui);
    let longest = order::of(part, rows)
        .map(|it| it.ms_p90)
        .fold(1.0, f64::max);
    for row in order::of(part, rows) {
        let text = format!(
            "{:.1} s, p90 {:.1} s, {:.0} tokens",
            row.ms_median / 1e3,
            row.ms_p90 / 1e3,
            row.tokens_median
        );
        let name = format!("{}: {text}", row.label);
        let Some(place) = row_ui(ui, &row.label, &name) else {
            continue;
        };
        let bar = place.bar;
        let at = |ms: f64| bar.left() + bar.width() * (ms / longest) as f32;
        let painter = ui.painter();
        painter.rect_filled(bar, 3, colours.well);
        let filled = Rect::from_min_max(bar.min, pos2(at(row.ms_median), bar.bottom()));
        painter.rect_filled(filled, 3, colours.border_strong);
        let x = at(row.ms_p90).min(bar.right() - 1.0);
        painter.vline(x, bar.y_range(), Stroke::new(2.0, colours.text));
        place.figure_ui(ui, &text, colours.text);
    }
    note(
        ui,
        "Seconds from the prompt to the last token, retries included: the bar is the median, the mark the 90th percentile.",
    );
}

/// Name at the left; gives the places of the rest, unless the row is out of sight.
fn row_ui(ui: &mut Ui, label: &str, name: &str) -> Option<Row> {
    let width = ui.available_width();
    let is_narrow = width < ONE_LINE;
    let height = if is_narrow { 2.0 * ROW - 10.0 } else { ROW };
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, name));
    response.on_hover_text(name);
    if !ui.is_rect_visible(rect) {
        return None;
    }
    let color = palette(ui).text;
    let font = theme::mono(12.0);
    let galley = ui.painter().layout_no_wrap(label.to_owned(), font, color);
    let y = rect.top() + (ROW - galley.size().y) / 2.0;
    let n_left = if is_narrow { width / 2.0 } else { LABEL };
    let column = Rect::from_min_size(rect.min, vec2(n_left - 10.0, ROW));
    ui.painter()
        .with_clip_rect(column.intersect(ui.clip_rect()))
        .galley(pos2(rect.left(), y), galley, color);
    let bar = if is_narrow {
        let top = rect.top() + ROW - 2.0;
        Rect::from_min_max(pos2(rect.left(), top), pos2(rect.right() - 2.0, top + 12.0))
    } else {
        let right = rect.right() - FIGURES - WORDS;
        Rect::from_min_max(
            pos2(rect.left() + LABEL, rect.top() + 5.0),
            pos2(right, rect.bottom() - 5.0),
        )
    };
    Some(Row {
        rect,
        bar,
        is_narrow,
    })
}

impl Row {
    fn figure_ui(&self, ui: &Ui, text: &str, color: Color32) {
        self.figures_ui(ui, (text, color), ("", color));
    }

    /// Beside the bar, or at the right end of the line above it.
    fn figures_ui(&self, ui: &Ui, text: (&str, Color32), words: (&str, Color32)) {
        let font = || theme::mono(theme::SMALL);
        let y = self.rect.top() + ROW / 2.0;
        if !self.is_narrow {
            let place = |x| (pos2(self.bar.right() + x, y), Align2::LEFT_CENTER);
            for ((place, align), (text, color)) in
                [(place(10.0), text), (place(FIGURES - 20.0), words)]
            {
                ui.painter().text(place, align, text, font(), color);
            }
            return;
        }
        let mut right = self.bar.right();
        for (text, color) in [words, text] {
            let place = pos2(right, y);
            let drawn = ui
                .painter()
                .text(place, Align2::RIGHT_CENTER, text, font(), color);
            right = drawn.left() - if text.is_empty() { 0.0 } else { 12.0 };
        }
    }
}

/// The share of each rung, from as is to none.
pub(super) fn rungs_ui((part, rows): (&Part, &[usize]), ui: &mut Ui) {
    const NAMES: [&str; 5] = ["as is", "fences", "cut", "repair", "none"];
    let colours = palette(ui);
    let fills = [
        colours.good,
        colours.good.gamma_multiply(0.65),
        colours.warn,
        colours.warn.gamma_multiply(0.6),
        colours.bad,
    ];
    for row in order::of(part, rows) {
        let named: Vec<String> = NAMES
            .iter()
            .zip(row.rungs)
            .filter(|it| it.1 > 0)
            .map(|(name, n)| format!("{name} {n}"))
            .collect();
        let words = named.join(", ");
        let Some(place) = row_ui(ui, &row.label, &format!("{}: {words}", row.label)) else {
            continue;
        };
        let bar = place.bar;
        let mut x = bar.left();
        for (n, fill) in row.rungs.iter().zip(fills) {
            let width = bar.width() * *n as f32 / row.n_replies.max(1) as f32;
            let piece = Rect::from_min_size(pos2(x, bar.top()), vec2(width, bar.height()));
            ui.painter().rect_filled(piece, 0, fill);
            x += width;
        }
        // All words would not fit beside the bar; the legend has them.
        let counts = row.rungs.map(|it| it.to_string()).join(" · ");
        place.figure_ui(ui, &counts, colours.weak);
    }
    ui.horizontal_wrapped(|ui| {
        for (name, fill) in NAMES.iter().zip(fills) {
            let (place, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
            ui.painter().rect_filled(place, 2, fill);
            note(ui, *name);
            ui.add_space(theme::SMALL_GAP);
        }
    });
}
