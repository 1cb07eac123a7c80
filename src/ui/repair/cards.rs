//! The broken replies to learn from, as cards while there is no reply.

use eframe::egui::text::{LayoutJob, TextFormat, TextWrapping};
use eframe::egui::{CursorIcon, Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use crate::app::{Action, RepairAction, Sample, samples};
use crate::ui::theme::{self, palette};
use crate::ui::widgets::{caption, note};

const HEIGHT: f32 = 138.0;
const GAP: f32 = 10.0;

/// Returns the wish for one of them.
pub(super) fn cards_ui(ui: &mut Ui) -> Option<Action> {
    caption(ui, "Broken replies to learn from");
    note(
        ui,
        "Each is what a small model really does. Click one, or paste your own below.",
    );
    ui.add_space(theme::SMALL_GAP);
    let n_columns = if ui.available_width() > 560.0 { 2 } else { 1 };
    let width = (ui.available_width() - GAP * (n_columns as f32 - 1.0)) / n_columns as f32;
    let height = if n_columns == 2 { HEIGHT } else { 74.0 };
    let mut action = None;
    for row in samples().chunks(n_columns) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = GAP;
            for sample in row {
                if card_ui(sample, vec2(width.floor(), height), ui) {
                    let id = sample.id.clone();
                    action = Some(Action::Repair(RepairAction::LoadSample(id)));
                }
            }
        });
        ui.add_space(theme::SMALL_GAP);
    }
    action
}

/// Says whether it was clicked.
fn card_ui(sample: &Sample, size: eframe::egui::Vec2, ui: &mut Ui) -> bool {
    let colours = palette(ui);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &sample.title));
    let is_touched = response.hovered() || response.has_focus();
    let (fill, edge) = if is_touched {
        (colours.raised, colours.accent)
    } else {
        (colours.card, colours.border)
    };
    let stroke = Stroke::new(theme::HAIRLINE, edge);
    ui.painter()
        .rect(rect, theme::CARD_RADIUS, fill, stroke, StrokeKind::Inside);
    let inner = rect.shrink2(vec2(12.0, 9.0));
    let painter = ui.painter_at(inner);
    let place = |text: &str, format: TextFormat, n_rows: usize| {
        let mut job = LayoutJob::single_section(text.to_owned(), format);
        job.wrap = TextWrapping {
            max_width: inner.width(),
            max_rows: n_rows,
            ..TextWrapping::default()
        };
        painter.layout_job(job)
    };
    let title = place(
        &sample.title,
        TextFormat::simple(theme::semibold(theme::BODY), colours.text),
        1,
    );
    let about = place(
        &sample.about,
        TextFormat::simple(theme::regular(theme::SMALL), colours.weak),
        2,
    );
    let mut y = inner.top();
    for galley in [title, about] {
        let height = galley.size().y;
        painter.galley(pos2(inner.left(), y), galley, colours.text);
        y += height + 4.0;
    }
    let code = place(
        sample.reply.trim(),
        TextFormat::simple(theme::mono(11.0), colours.faint),
        4,
    );
    let left = Rect::from_min_max(pos2(inner.left(), y + 2.0), inner.max);
    if left.height() > 14.0 {
        ui.painter_at(left).galley(left.min, code, colours.faint);
    }
    response.on_hover_cursor(CursorIcon::PointingHand).clicked()
}
