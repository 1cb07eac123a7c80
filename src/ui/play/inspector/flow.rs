//! The chain drawn as a flow: the model's scores on top, each stage under it, what was taken at the end.

use eframe::egui::{Align2, Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use super::story::{Step, Story};
use crate::ui::theme::{self, icons, palette};
use crate::ui::widgets::caption;

/// The middle of the rail, and where the words begin.
const RAIL: f32 = 9.0;
const WORDS: f32 = 26.0;
const ROW: f32 = 36.0;
const LEAD: f32 = 20.0;
/// Width of the bar that shows the removed share.
const BAR: f32 = 54.0;

pub(super) fn flow_ui(ui: &mut Ui, story: &Story) {
    caption(ui, "From the model's scores to the token");
    ui.spacing_mut().item_spacing.y = 0.0;
    let top = ui.cursor().top() + 10.0;
    let rail = ui.painter().add(eframe::egui::Shape::Noop);
    end_ui(ui, ("Model", &story.wanted.text, &story.wanted.share));
    for step in &story.steps {
        step_ui(ui, step);
    }
    let bottom = ui.cursor().top() + 10.0;
    end_ui(ui, ("Taken", &story.came.text, ""));
    let x = ui.max_rect().left() + RAIL;
    let line =
        eframe::egui::Shape::vline(x, top..=bottom, Stroke::new(2.0, palette(ui).border_strong));
    ui.painter().set(rail, line);
    ui.spacing_mut().item_spacing.y = 6.0;
}

/// Where the flow begins or ends: the token in front.
fn end_ui(ui: &mut Ui, (title, token, share): (&str, &str, &str)) {
    let colours = palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 26.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{title}: {token}")));
    let y = rect.top() + 11.0;
    let painter = ui.painter();
    painter.circle_filled(pos2(rect.left() + RAIL, y), 5.0, colours.accent_fill);
    let words = rect.left() + WORDS;
    let name = painter.text(
        pos2(words, y),
        Align2::LEFT_CENTER,
        title,
        theme::medium(theme::LABEL),
        colours.text,
    );
    let place = pos2(name.right() + 8.0, y);
    let room = Rect::from_min_max(
        place - vec2(0.0, 12.0),
        rect.right_bottom() - vec2(BAR, 0.0),
    );
    painter.with_clip_rect(room).text(
        place,
        Align2::LEFT_CENTER,
        token,
        theme::mono(13.0),
        colours.accent,
    );
    painter.text(
        pos2(rect.right(), y),
        Align2::RIGHT_CENTER,
        share,
        theme::regular(theme::SMALL),
        colours.weak,
    );
}

fn step_ui(ui: &mut Ui, step: &Step) {
    let colours = palette(ui);
    let height = ROW + if step.lead.is_some() { LEAD } else { 0.0 };
    let size = vec2(ui.available_width(), height);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let read = format!("{}: {}", step.title, step.about);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &read));
    let y = rect.top() + 9.0;
    let is_idle = step.about == "had nothing to do";
    node_ui(ui, pos2(rect.left() + RAIL, y), step);
    let words = rect.left() + WORDS;
    let painter = ui.painter();
    let color = if is_idle { colours.faint } else { colours.text };
    let font = theme::medium(theme::LABEL);
    painter.text(
        pos2(words, y),
        Align2::LEFT_CENTER,
        &step.title,
        font,
        color,
    );
    let about = pos2(words, y + 15.0);
    let font = theme::regular(theme::SMALL);
    painter.text(
        about,
        Align2::LEFT_CENTER,
        &step.about,
        font,
        if is_idle { colours.faint } else { colours.weak },
    );
    if step.removed > 0.0 {
        let trough = Rect::from_min_size(pos2(rect.right() - BAR, y - 3.0), vec2(BAR, 6.0));
        painter.rect_filled(trough, 3, colours.raised);
        let filled = vec2(BAR * step.removed.clamp(0.02, 1.0), 6.0);
        painter.rect_filled(Rect::from_min_size(trough.min, filled), 3, colours.bad);
    }
    if let Some((before, now)) = &step.lead {
        lead_ui(ui, (words, y + 33.0, rect.right()), (before, now));
    }
}

/// Filled where the stage took the lead from the favourite.
fn node_ui(ui: &Ui, center: eframe::egui::Pos2, step: &Step) {
    let colours = palette(ui);
    let painter = ui.painter();
    let Some(change) = step.change else {
        painter.circle_filled(center, 4.5, colours.panel);
        painter.circle_stroke(center, 4.5, Stroke::new(1.5, colours.border_strong));
        return;
    };
    let place = Rect::from_center_size(center, vec2(16.0, 16.0));
    painter.rect_filled(place, 4, colours.change(change as usize));
    let edge = Stroke::new(1.0, colours.text.gamma_multiply(0.5));
    painter.rect_stroke(place, 4, edge, StrokeKind::Inside);
    let letter = change.word()[..1].to_uppercase();
    let font = theme::semibold(theme::TINY);
    painter.text(center, Align2::CENTER_CENTER, letter, font, colours.text);
}

/// The favourite before, and the one after.
fn lead_ui(ui: &Ui, (left, y, right): (f32, f32, f32), (before, now): (&str, &str)) {
    let colours = palette(ui);
    let room = Rect::from_min_max(pos2(left, y - 12.0), pos2(right, y + 12.0));
    let painter = ui.painter().with_clip_rect(room.intersect(ui.clip_rect()));
    let font = theme::mono(12.5);
    let first = painter.text(
        pos2(left, y),
        Align2::LEFT_CENTER,
        before,
        font.clone(),
        colours.weak,
    );
    painter.hline(first.x_range(), y, Stroke::new(1.0, colours.weak));
    let arrow = pos2(first.right() + 14.0, y);
    let sign = theme::regular(12.0);
    painter.text(
        arrow,
        Align2::CENTER_CENTER,
        icons::ARROW_RIGHT,
        sign,
        colours.faint,
    );
    let place = pos2(first.right() + 28.0, y);
    painter.text(place, Align2::LEFT_CENTER, now, font, colours.text);
}
