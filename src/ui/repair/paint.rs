//! The reply's text in the colours of the value's tree: keys, texts, numbers, and apart from them the prose around.

use std::ops::Range;

use eframe::egui::Color32;
use serde_json::Value;

use crate::app::Outcome;
use crate::ui::theme::Palette;

/// Colours of stretches of the reply, in bytes, in their order; what lies between them is prose.
pub(super) fn paints(outcome: &Outcome, colours: &Palette) -> Vec<(Range<usize>, Color32)> {
    let Some(value) = outcome.climb.value() else {
        return Vec::new();
    };
    let mut parts = Vec::new();
    for (pointer, key, place) in outcome.places.parts() {
        if let Some(key) = key {
            parts.push((key.clone(), colours.accent));
        }
        let color = match value.pointer(pointer) {
            Some(Value::String(_)) => colours.good,
            Some(Value::Number(_)) => colours.warn,
            Some(Value::Bool(_) | Value::Null) => colours.text,
            _ => continue,
        };
        parts.push((place.clone(), color));
    }
    parts.sort_by_key(|it| it.0.start);
    let Some(root) = outcome.places.range("") else {
        return parts;
    };
    // Brackets, colons and commas of the value stand out from the prose around it.
    let mut all = Vec::with_capacity(parts.len() * 2 + 1);
    let mut at = root.start;
    for (range, color) in parts {
        if range.start > at {
            all.push((at..range.start, colours.faint));
        }
        at = range.end.max(at);
        all.push((range, color));
    }
    if at < root.end {
        all.push((at..root.end, colours.faint));
    }
    all
}
