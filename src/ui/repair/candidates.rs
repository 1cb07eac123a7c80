//! The values that a reply holds, and which of them was taken.

use eframe::egui::text::{LayoutJob, TextWrapping};
use eframe::egui::{
    Align2, CursorIcon, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2,
};

use crate::app::{Action, Outcome, RepairAction};
use crate::ui::theme::{self, Tone, palette};
use crate::ui::widgets::{heading, pill};

/// Values that are offered; a loop can write thousands.
const MAX_ROWS: usize = 12;

/// Draws nothing for a reply with one value. Returns the wish for another one.
pub(super) fn candidates_ui(outcome: &Outcome, ui: &mut Ui) -> Option<Action> {
    let n = outcome.previews.len();
    if n < 2 {
        return None;
    }
    ui.add_space(theme::SMALL_GAP);
    ui.horizontal(|ui| {
        heading(ui, "Values in the reply");
        pill(ui, &n.to_string(), Tone::Warn);
    });
    let mut picked = None;
    for (idx, preview) in outcome.previews.iter().enumerate().take(MAX_ROWS) {
        let row = Row {
            idx,
            n,
            preview,
            is_chosen: outcome.chosen == Some(idx),
            is_own: outcome.own == Some(idx),
        };
        if row.show(ui) && !row.is_chosen {
            picked = Some(Action::Repair(RepairAction::Take(idx)));
        }
    }
    picked
}

struct Row<'a> {
    idx: usize,
    n: usize,
    preview: &'a str,
    is_chosen: bool,
    is_own: bool,
}

impl Row<'_> {
    /// Says whether it was clicked.
    fn show(&self, ui: &mut Ui) -> bool {
        let colours = palette(ui);
        let size = vec2(ui.available_width(), 30.0);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click());
        let name = format!("Value {} of {}: {}", self.idx + 1, self.n, self.preview);
        response
            .widget_info(|| WidgetInfo::selected(Role::RadioButton, true, self.is_chosen, &name));
        let (fill, edge) = if self.is_chosen {
            (colours.accent_soft, colours.accent)
        } else if response.hovered() || response.has_focus() {
            (colours.raised, colours.border_strong)
        } else {
            (colours.card, colours.border)
        };
        let stroke = Stroke::new(theme::HAIRLINE, edge);
        ui.painter()
            .rect(rect, theme::RADIUS, fill, stroke, StrokeKind::Inside);
        let ring = pos2(rect.left() + 14.0, rect.center().y);
        ui.painter()
            .circle_stroke(ring, 5.0, Stroke::new(1.5, edge));
        if self.is_chosen {
            ui.painter().circle_filled(ring, 2.5, colours.accent);
        }
        let mut right = rect.right() - 8.0;
        if self.is_own {
            let font = theme::regular(theme::SMALL);
            let place = pos2(right, rect.center().y);
            let word = "the ladder's";
            let drawn = ui
                .painter()
                .text(place, Align2::RIGHT_CENTER, word, font, colours.weak);
            right = drawn.left() - 8.0;
        }
        let left = rect.left() + 28.0;
        let text = self.preview.to_owned();
        let mut job = LayoutJob::simple_singleline(text, theme::mono(12.0), colours.text);
        job.wrap = TextWrapping::truncate_at_width((right - left).max(20.0));
        let galley = ui.painter().layout_job(job);
        let place = pos2(left, rect.center().y - galley.size().y / 2.0);
        ui.painter().galley(place, galley, colours.text);
        response
            .on_hover_cursor(CursorIcon::PointingHand)
            .on_hover_text(self.preview)
            .clicked()
    }
}
