//! The columns at the sides of a view: their width, their margins, the line that sets them off.

use eframe::egui::{Frame, Margin, Panel, ScrollArea, Stroke, Ui, vec2};

use super::theme::{self, palette};

pub(super) fn column(panel: Panel, width: f32, range: std::ops::RangeInclusive<f32>) -> Panel {
    panel
        .resizable(true)
        .default_size(width)
        .size_range(range)
        .show_separator_line(false)
        .frame(Frame::NONE)
}

pub(super) fn scroll(name: &'static str) -> ScrollArea {
    ScrollArea::vertical()
        .id_salt(name)
        .auto_shrink(false)
        .content_margin(Margin {
            left: theme::MARGIN,
            right: theme::MARGIN,
            top: 14,
            bottom: 14,
        })
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Side {
    Left,
    Right,
}

/// Fills the column and sets it off by a line.
pub(super) fn edge(ui: &Ui, side: Side) {
    let colours = palette(ui);
    let rect = ui.max_rect().expand2(vec2(0.0, 1.0));
    ui.painter().rect_filled(rect, 0, colours.panel);
    let x = match side {
        Side::Left => rect.left() + 0.5,
        Side::Right => rect.right() - 0.5,
    };
    let stroke = Stroke::new(theme::HAIRLINE, colours.border);
    ui.painter().vline(x, rect.y_range(), stroke);
}
