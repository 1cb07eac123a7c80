//! The honesty report: what becomes of each keyword of the schema while a reply is written.

use eframe::egui::{Label, RichText, Ui};

use crate::app::Model;
use crate::constraint::{Enforcement, KeywordReport};
use crate::ui::theme::{self, Tone, palette};
use crate::ui::widgets::{banner, caption, card, note, sentence, toned_pill, weak};

const GROUPS: &[(Enforcement, &str, &str, Tone)] = &[
    (
        Enforcement::NotChecked,
        "Not checked",
        "Nothing looks at these: a reply that breaks them is called valid.",
        Tone::Bad,
    ),
    (
        Enforcement::CheckedAfterwards,
        "Checked afterwards",
        "A reply can break these while it is written; the lamp “Schema” tells.",
        Tone::Warn,
    ),
    (
        Enforcement::Enforced,
        "Enforced by the mask",
        "No reply that ends can break these.",
        Tone::Good,
    ),
];

pub(super) fn report_ui(model: &Model, ui: &mut Ui) {
    let Some(tried) = &model.grammars.tried else {
        weak(ui, "Not tried yet");
        return;
    };
    if tried.fault().is_some() {
        weak(ui, "Not known until the fault is mended.");
        return;
    }
    let examined = &tried.examined;
    if !examined.shape.is_empty() {
        note(ui, format!("Read as {}.", examined.shape));
    }
    if examined.is_weaker {
        banner(
            ui,
            Tone::Warn,
            "The mask is weaker than the schema: it was made lenient.",
        );
    }
    for (enforcement, title, about, tone) in GROUPS {
        let rows: Vec<&KeywordReport> = examined
            .keywords
            .iter()
            .filter(|it| it.enforcement == *enforcement)
            .collect();
        if rows.is_empty() {
            continue;
        }
        ui.horizontal(|ui| {
            caption(ui, title);
            toned_pill(ui, &rows.len().to_string(), *tone);
        });
        note(ui, *about);
        card(ui).show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 3.0;
            for row in rows {
                row_ui(row, ui);
            }
        });
        ui.add_space(theme::SMALL_GAP);
    }
}

fn row_ui(row: &KeywordReport, ui: &mut Ui) {
    let colours = palette(ui);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let keyword = RichText::new(&row.keyword).font(theme::mono(12.0));
        ui.label(keyword.color(colours.text));
        let pointer = RichText::new(&row.pointer).font(theme::mono(theme::SMALL));
        ui.add(Label::new(pointer.color(colours.faint)).wrap());
    });
    if !row.note.is_empty() {
        note(ui, sentence(&row.note));
    }
}
