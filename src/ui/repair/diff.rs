//! The repair drawn as a diff; a click on an edit leads to its place in the reply.

use std::sync::Arc;

use eframe::egui::text::{LayoutJob, TextFormat};
use eframe::egui::{
    Align2, Color32, CursorIcon, Galley, Rect, Response, Role, Sense, Ui, WidgetInfo, pos2, vec2,
};

use crate::app::{DiffLine, Segment};
use crate::ui::theme::{self, palette};
use crate::ui::widgets::card;

/// Where the text begins, right of the sign and the line's number.
const LEFT: f32 = 46.0;

/// Returns the index of the edit that was clicked.
pub(super) fn diff_ui(lines: &[DiffLine], lit: Option<usize>, ui: &mut Ui) -> Option<usize> {
    let frame = card(ui).fill(palette(ui).well).inner_margin(1);
    let shown = frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.add_space(4.0);
        let mut clicked = None;
        for line in lines {
            for is_after in [false, true] {
                let row = Row {
                    line,
                    is_after,
                    lit,
                };
                clicked = row.show(ui).or(clicked);
            }
            ui.add_space(4.0);
        }
        clicked
    });
    shown.inner
}

struct Row<'a> {
    line: &'a DiffLine,
    is_after: bool,
    lit: Option<usize>,
}

impl Row<'_> {
    fn segments(&self) -> &[Segment] {
        if self.is_after {
            &self.line.after
        } else {
            &self.line.before
        }
    }

    fn show(&self, ui: &mut Ui) -> Option<usize> {
        let colours = palette(ui);
        let (sign, word, color) = if self.is_after {
            ("+", "after", colours.good)
        } else {
            ("−", "before", colours.bad)
        };
        let width = ui.available_width();
        let job = self.job(width - LEFT - 10.0, color, ui);
        let galley = ui.painter().layout_job(job);
        let size = vec2(width, galley.size().y + 2.0);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click());
        let text: String = self.segments().iter().map(|it| it.text.as_str()).collect();
        let name = format!("Line {} {word}: {text}", self.line.number);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
        let is_touched = response.hovered() || response.has_focus();
        let strength = if is_touched { 0.16 } else { 0.09 };
        ui.painter()
            .rect_filled(rect, 0, color.gamma_multiply(strength));
        let middle = rect.top() + 1.0 + theme::CODE_ROW / 2.0;
        let font = theme::mono(theme::TINY);
        let at = pos2(rect.left() + 30.0, middle);
        if !self.is_after {
            let number = self.line.number;
            ui.painter().text(
                at,
                Align2::RIGHT_CENTER,
                number,
                font.clone(),
                colours.faint,
            );
        }
        let at = pos2(rect.left() + LEFT - 8.0, middle);
        ui.painter()
            .text(at, Align2::CENTER_CENTER, sign, font, color);
        let place = rect.left_top() + vec2(LEFT, 1.0);
        self.tints(ui, (&galley, place.to_vec2()), color);
        ui.painter()
            .galley(place, Arc::clone(&galley), colours.text);
        self.clicked(&galley, place, &response)
    }

    fn job(&self, width: f32, color: Color32, ui: &Ui) -> LayoutJob {
        let colours = palette(ui);
        let mut job = LayoutJob::default();
        job.wrap.max_width = width;
        job.wrap.break_anywhere = true;
        for segment in self.segments() {
            let color = match segment.edit {
                Some(_) => color,
                None => colours.weak,
            };
            let format = TextFormat {
                line_height: Some(theme::CODE_ROW),
                ..TextFormat::simple(theme::mono(12.0), color)
            };
            job.append(&segment.text, 0.0, format);
        }
        job
    }

    /// Behind each edit; stronger behind the one that is pointed at.
    fn tints(&self, ui: &Ui, (galley, at): (&Galley, eframe::egui::Vec2), color: Color32) {
        let mut n_chars = 0;
        for segment in self.segments() {
            let n = segment.text.chars().count();
            if let Some(edit) = segment.edit {
                let strength = if self.lit == Some(edit) { 0.55 } else { 0.28 };
                for idx in n_chars..n_chars + n {
                    let rect = char_rect(galley, idx).translate(at);
                    ui.painter()
                        .rect_filled(rect, 1, color.gamma_multiply(strength));
                }
            }
            n_chars += n;
        }
    }

    /// The edit under the click, or the line's first one.
    fn clicked(
        &self,
        galley: &Galley,
        place: eframe::egui::Pos2,
        response: &Response,
    ) -> Option<usize> {
        let response = response.clone().on_hover_cursor(CursorIcon::PointingHand);
        if !response.clicked() {
            return None;
        }
        let first = self.segments().iter().find_map(|it| it.edit);
        let all = self.line.before.iter().chain(&self.line.after);
        let first = first.or_else(|| all.clone().find_map(|it| it.edit));
        let at = response.interact_pointer_pos();
        let under = at.and_then(|at| {
            let mut left = galley.cursor_from_pos(at - place).index.0;
            self.segments().iter().find_map(|it| {
                let n = it.text.chars().count();
                let is_here = left < n;
                left = left.saturating_sub(n);
                is_here.then_some(it.edit)
            })
        });
        under.flatten().or(first)
    }
}

/// The place of one character.
fn char_rect(galley: &Galley, idx: usize) -> Rect {
    use eframe::egui::text::CCursor;
    let start = CCursor {
        prefer_next_row: true,
        ..CCursor::new(idx)
    };
    let from = galley.pos_from_cursor(start);
    let to = galley.pos_from_cursor(CCursor::new(idx + 1));
    let right = if (to.top() - from.top()).abs() < 1.0 {
        to.left()
    } else {
        from.left() + 7.0
    };
    Rect::from_min_max(from.min, pos2(right, from.bottom()))
}
