//! What the colours and lines of the stream mean.

use eframe::egui::{CornerRadius, Rect, RichText, Sense, Ui, vec2};

use super::blame::Change;
use super::{ColourMode, signs};
use crate::ui::theme::{self, palette};

/// The width that a legend takes, so that it can be left out where there is no room.
pub(crate) fn legend_width(mode: ColourMode) -> f32 {
    match mode {
        ColourMode::Plain => 0.0,
        ColourMode::Confidence | ColourMode::Rank => 150.0,
        ColourMode::Chain => 320.0,
        ColourMode::Forced => 170.0,
    }
}

/// Drawn from left to right.
pub(crate) fn legend_ui(mode: ColourMode, ui: &mut Ui) {
    ui.spacing_mut().item_spacing.x = 6.0;
    match mode {
        ColourMode::Plain => {}
        ColourMode::Confidence => {
            let shares: Vec<_> = (0..12).map(|it| it as f32 / 12.0).collect();
            scale_ui(ui, ("unsure", "sure"), &shares);
        }
        ColourMode::Rank => scale_ui(ui, ("6th choice", "2nd"), &[0.05, 0.3, 0.55]),
        ColourMode::Chain => {
            for change in Change::ALL {
                let color = palette(ui).change(change as usize);
                let place = swatch(ui, color);
                signs::underline(ui.painter(), place, (change, palette(ui).text));
                word(ui, change.word());
            }
        }
        ColourMode::Forced => {
            let color = palette(ui).forced;
            let place = swatch(ui, color);
            signs::underline(ui.painter(), place, (Change::Mask, palette(ui).text));
            word(ui, "only this token was legal");
        }
    }
}

fn word(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).small().color(palette(ui).weak));
}

/// A sample as large as a short token.
fn swatch(ui: &mut Ui, color: eframe::egui::Color32) -> Rect {
    let (place, _) = ui.allocate_exact_size(vec2(18.0, 18.0), Sense::hover());
    ui.painter()
        .rect_filled(place.shrink2(vec2(0.0, 2.5)), theme::TINT_RADIUS, color);
    place
}

fn scale_ui(ui: &mut Ui, (low, high): (&str, &str), shares: &[f32]) {
    let colours = palette(ui);
    word(ui, low);
    let (rect, _) = ui.allocate_exact_size(vec2(54.0, 8.0), Sense::hover());
    let width = rect.width() / shares.len() as f32;
    for (idx, share) in shares.iter().enumerate() {
        let at = rect.min + vec2(width * idx as f32, 0.0);
        let place = Rect::from_min_size(at, vec2(width + 0.5, rect.height()));
        let radius = if idx == 0 {
            CornerRadius {
                nw: 4,
                sw: 4,
                ..CornerRadius::ZERO
            }
        } else {
            CornerRadius::ZERO
        };
        let color = colours.confidence(share.min(0.89));
        ui.painter().rect_filled(place, radius, color);
    }
    word(ui, high);
}
