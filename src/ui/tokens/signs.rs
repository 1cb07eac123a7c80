//! What is drawn at a token beside its tint: lines of five patterns, rings, and the flag of a fork.

use eframe::egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2, pos2, vec2};

use super::blame::Change;
use crate::ui::theme::{self, Palette};

/// A line under a token, whose pattern tells the change without colour.
pub(super) fn underline(painter: &Painter, place: Rect, (change, color): (Change, Color32)) {
    let (left, right) = (place.left() + 1.0, place.right() - 1.0);
    let y = place.bottom() - 2.5;
    let thin = Stroke::new(1.2, color);
    match change {
        Change::Ban => {
            painter.hline(left..=right, y - 1.5, Stroke::new(1.0, color));
            painter.hline(left..=right, y + 1.0, Stroke::new(1.0, color));
        }
        Change::Penalty => {
            let mut x = left + 0.8;
            while x < right {
                painter.circle_filled(pos2(x, y), 0.9, color);
                x += 3.5;
            }
        }
        Change::Cut => {
            let ends = [pos2(left, y), pos2(right, y)];
            painter.extend(Shape::dashed_line(&ends, Stroke::new(1.6, color), 4.0, 2.5));
        }
        Change::Mask => {
            painter.hline(left..=right, y, Stroke::new(2.0, color));
        }
        Change::Draw => {
            painter.line(wave(left, right, y), thin);
        }
    }
}

pub(super) fn ring(painter: &Painter, place: Rect, stroke: Stroke) {
    let place = place.shrink2(vec2(0.0, 2.0)).expand2(Vec2::splat(0.5));
    painter.rect_stroke(place, theme::TINT_RADIUS, stroke, StrokeKind::Inside);
}

/// Behind the text of tokens that are marked together.
pub(super) fn band(painter: &Painter, place: Rect, color: Color32) {
    painter.rect_filled(place.shrink2(vec2(0.0, 1.0)), 0, color);
}

/// Marks the token at which two branches part.
pub(super) fn flag(painter: &Painter, place: Rect, colours: &Palette) {
    ring(painter, place, Stroke::new(1.5, colours.warn));
    let tip = place.left_top() + vec2(0.0, 1.0);
    let sail = vec![tip, tip + vec2(7.0, 0.0), tip + vec2(0.0, 7.0)];
    painter.add(Shape::convex_polygon(sail, colours.warn, Stroke::NONE));
}

fn wave(left: f32, right: f32, y: f32) -> Vec<Pos2> {
    let mut points = Vec::new();
    let mut x = left;
    let mut is_up = false;
    while x <= right {
        points.push(pos2(x, y + if is_up { -1.6 } else { 1.2 }));
        x += 2.5;
        is_up = !is_up;
    }
    points
}
