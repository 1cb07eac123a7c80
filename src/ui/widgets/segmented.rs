//! A segmented control: one trough, the chosen segment raised.

use std::sync::Arc;

use eframe::egui::{
    CursorIcon, Galley, Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2,
};

use crate::ui::theme::{self, palette};

const PADDING: f32 = 10.0;
const INSET: f32 = 2.0;

/// A choice among a few that are all in sight.
pub(crate) struct Segmented<'a> {
    group: &'a str,
    stretch: bool,
    captioned: bool,
}

impl<'a> Segmented<'a> {
    /// The group's name is read aloud before each segment's; it may be empty.
    pub(crate) fn new(group: &'a str) -> Self {
        Self {
            group,
            stretch: false,
            captioned: false,
        }
    }

    /// Takes all the width there is.
    pub(crate) fn stretch(mut self) -> Self {
        self.stretch = true;
        self
    }

    /// Shows the group's name before the segments.
    pub(crate) fn captioned(mut self) -> Self {
        self.captioned = true;
        self
    }

    /// Says whether another segment was chosen.
    pub(crate) fn show<T: PartialEq + Clone>(
        &self,
        ui: &mut Ui,
        value: &mut T,
        items: &[(T, &str)],
    ) -> bool {
        let font = theme::medium(12.0);
        let texts: Vec<Arc<Galley>> = items
            .iter()
            .map(|(_, text)| {
                let color = palette(ui).text;
                ui.painter()
                    .layout_no_wrap((*text).to_owned(), font.clone(), color)
            })
            .collect();
        let caption = self.caption(ui);
        let caption_width = caption
            .as_ref()
            .map_or(0.0, |it| it.size().x + PADDING + 6.0);
        let widths = self.widths(ui.available_width() - caption_width, &texts);
        let width = widths.iter().sum::<f32>() + caption_width + 2.0 * INSET;
        let (trough, _) = ui.allocate_exact_size(vec2(width, theme::CONTROL), Sense::hover());
        ui.painter()
            .rect_filled(trough, theme::RADIUS + 1, palette(ui).raised);
        let mut left = trough.left() + INSET + caption_width;
        if let Some(caption) = caption {
            let y = trough.center().y - caption.size().y / 2.0;
            let place = pos2(trough.left() + PADDING, y);
            ui.painter().galley(place, caption, palette(ui).faint);
        }
        let mut changed = false;
        for (((item, text), galley), width) in items.iter().zip(texts).zip(widths) {
            let size = vec2(width, trough.height() - 2.0 * INSET);
            let rect = Rect::from_min_size(pos2(left, trough.top() + INSET), size);
            let on = item == value;
            if segment(ui, rect, (&self.name(text), on), galley) && !on {
                *value = item.clone();
                changed = true;
            }
            left += width;
        }
        changed
    }

    fn caption(&self, ui: &Ui) -> Option<Arc<Galley>> {
        let font = theme::regular(12.0);
        let color = palette(ui).faint;
        let layout = || {
            ui.painter()
                .layout_no_wrap(self.group.to_owned(), font, color)
        };
        self.captioned.then(layout)
    }

    fn name(&self, text: &str) -> String {
        if self.group.is_empty() {
            text.to_owned()
        } else {
            format!("{}: {text}", self.group)
        }
    }

    fn widths(&self, available: f32, texts: &[Arc<Galley>]) -> Vec<f32> {
        let natural: Vec<f32> = texts.iter().map(|it| it.size().x + 2.0 * PADDING).collect();
        let room = available - 2.0 * INSET - natural.iter().sum::<f32>();
        let n = natural.len().max(1) as f32;
        let extra = if self.stretch || room < 0.0 {
            room / n
        } else {
            0.0
        };
        natural.into_iter().map(|it| it + extra).collect()
    }
}

fn segment(ui: &Ui, rect: Rect, (name, on): (&str, bool), galley: Arc<Galley>) -> bool {
    let colours = palette(ui);
    let response = ui
        .interact(rect, ui.scope_id().with(name), Sense::click())
        .on_hover_cursor(CursorIcon::PointingHand);
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, ui.is_enabled(), on, name));
    let radius = theme::RADIUS - 1;
    if on {
        let edge = Stroke::new(theme::HAIRLINE, colours.chosen_edge);
        ui.painter()
            .rect(rect, radius, colours.chosen, edge, StrokeKind::Inside);
    }
    if response.has_focus() {
        let ring = Stroke::new(1.5, colours.accent);
        ui.painter()
            .rect_stroke(rect, radius, ring, StrokeKind::Inside);
    }
    let color = if on || response.hovered() {
        colours.text
    } else {
        colours.weak
    };
    let place = rect.center() - galley.size() / 2.0;
    ui.painter()
        .with_clip_rect(rect.intersect(ui.clip_rect()))
        .galley_with_override_text_color(place, galley, color);
    response.clicked()
}
