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
    let Some((rect, bar)) = row_ui(ui, &row.label, &name) else {
        return;
    };
    bar_ui(ui, bar, share);
    if let Some(mark) = mark {
        let line = Stroke::new(1.0, colours.weak);
        let x = bar.left() + bar.width() * mark;
        ui.painter().vline(x, rect.y_range(), line);
    }
    figure(ui, (bar.right() + 10.0, rect), &text, colours.text);
    let tone = match decision {
        Decision::Better => Tone::Good,
        Decision::Worse => Tone::Bad,
        _ => Tone::Quiet,
    };
    let x = bar.right() + FIGURES - 20.0;
    figure(ui, (x, rect), words, colours.tone(tone));
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
    if let Some((rect, bar)) = row_ui(ui, &bucket.name, &name) {
        bar_ui(ui, bar, bucket.share);
        figure(ui, (bar.right() + 10.0, rect), &text, palette(ui).text);
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
        let Some((rect, bar)) = row_ui(ui, &row.label, &name) else {
            continue;
        };
        let at = |ms: f64| bar.left() + bar.width() * (ms / longest) as f32;
        let painter = ui.painter();
        painter.rect_filled(bar, 3, colours.well);
        let filled = Rect::from_min_max(bar.min, pos2(at(row.ms_median), bar.bottom()));
        painter.rect_filled(filled, 3, colours.border_strong);
        let x = at(row.ms_p90).min(bar.right() - 1.0);
        painter.vline(x, bar.y_range(), Stroke::new(2.0, colours.text));
        figure(ui, (bar.right() + 10.0, rect), &text, colours.text);
    }
    note(
        ui,
        "Seconds from the prompt to the last token, retries included: the bar is the median, the mark the 90th percentile.",
    );
}

/// Name at the left; gives the row and the place of its bar, unless it is out of sight.
fn row_ui(ui: &mut Ui, label: &str, name: &str) -> Option<(Rect, Rect)> {
    let size = vec2(
        ui.available_width().max(LABEL + FIGURES + WORDS + 80.0),
        ROW,
    );
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, name));
    response.on_hover_text(name);
    if !ui.is_rect_visible(rect) {
        return None;
    }
    let color = palette(ui).text;
    let font = theme::mono(12.0);
    let galley = ui.painter().layout_no_wrap(label.to_owned(), font, color);
    let place = pos2(rect.left(), rect.center().y - galley.size().y / 2.0);
    let column = Rect::from_min_size(rect.min, vec2(LABEL - 10.0, ROW));
    ui.painter()
        .with_clip_rect(column.intersect(ui.clip_rect()))
        .galley(place, galley, color);
    let right = rect.right() - FIGURES - WORDS;
    let bar = Rect::from_min_max(
        pos2(rect.left() + LABEL, rect.top() + 5.0),
        pos2(right, rect.bottom() - 5.0),
    );
    Some((rect, bar))
}

fn figure(ui: &Ui, (x, rect): (f32, Rect), text: &str, color: Color32) {
    let place = pos2(x, rect.center().y);
    let font = theme::mono(theme::SMALL);
    ui.painter()
        .text(place, Align2::LEFT_CENTER, text, font, color);
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
        let Some((rect, bar)) = row_ui(ui, &row.label, &format!("{}: {words}", row.label)) else {
            continue;
        };
        let mut x = bar.left();
        for (n, fill) in row.rungs.iter().zip(fills) {
            let width = bar.width() * *n as f32 / row.n_replies.max(1) as f32;
            let piece = Rect::from_min_size(pos2(x, bar.top()), vec2(width, bar.height()));
            ui.painter().rect_filled(piece, 0, fill);
            x += width;
        }
        // All words would not fit beside the bar; the legend has them.
        let counts = row.rungs.map(|it| it.to_string()).join(" · ");
        figure(ui, (bar.right() + 10.0, rect), &counts, colours.weak);
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
