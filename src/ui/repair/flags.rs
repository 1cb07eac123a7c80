//! What the reader of the value must know, in plain words, with what was lost.

use eframe::egui::{Frame, Label, Margin, RichText, Ui};

use crate::app::flag_words;
use crate::ladder::Climb;
use crate::ui::theme::{self, Tone, icons, palette};
use crate::ui::widgets::icon;

/// Sentences that are shown.
const MAX_NOTES: usize = 12;

/// Draws nothing where there is nothing to know.
pub(super) fn flags_ui(climb: &Climb, ui: &mut Ui) {
    if climb.flags.is_empty() && climb.notes.is_empty() {
        return;
    }
    ui.add_space(theme::SMALL_GAP);
    let colours = palette(ui);
    let frame = Frame::NONE
        .fill(colours.soft(Tone::Warn))
        .corner_radius(theme::CARD_RADIUS)
        .inner_margin(Margin::symmetric(10, 7));
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = 3.0;
        for flag in &climb.flags {
            let (name, about) = flag_words(*flag);
            row_ui(ui, icons::WARNING, (name, about));
        }
        for text in climb.notes.iter().take(MAX_NOTES) {
            row_ui(ui, icons::INFO, ("", text));
        }
    });
}

/// A sign, a name, and a sentence that wraps.
fn row_ui(ui: &mut Ui, sign: &str, (name, about): (&str, &str)) {
    let colours = palette(ui);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label(icon(sign, 12.5).color(colours.warn));
        let mut job = eframe::egui::text::LayoutJob::default();
        let bold = theme::semibold(12.0);
        let plain = theme::regular(12.0);
        let append = |job: &mut eframe::egui::text::LayoutJob, text: &str, font| {
            RichText::new(text)
                .font(font)
                .color(colours.text)
                .append_to(
                    job,
                    ui.style(),
                    eframe::egui::FontSelection::Default,
                    eframe::egui::Align::Min,
                );
        };
        if !name.is_empty() {
            append(&mut job, &format!("{name}: "), bold);
        }
        append(&mut job, about, plain);
        ui.add(Label::new(job).wrap());
    });
}
