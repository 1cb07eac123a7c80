//! The four lamps, side by side and never merged, and the cause under them.

use eframe::egui::Ui;

use crate::judge::{Cause, Lamps};
use crate::ui::theme::{self, Tone};
use crate::ui::widgets::{Lamp, Light, banner, lamp, note, sentence};

/// Further causes that are shown; the rest is told on hover.
const MAX_FURTHER: usize = 3;

/// All four, unjudged while there is no reply.
pub(crate) fn lamps(lamps: Option<Lamps>) -> [Lamp; 4] {
    let light = |finding: Option<bool>| match finding {
        Some(true) => Light::Lit,
        Some(false) => Light::Dark,
        None => Light::Unjudged,
    };
    let word = |finding: Option<bool>, yes: &'static str, no: &'static str| match finding {
        Some(true) => yes,
        Some(false) => no,
        None => "not judged",
    };
    let parses = lamps.map(|it| it.parses);
    let schema = lamps.and_then(|it| it.schema);
    let correct = lamps.and_then(|it| it.correct);
    let leak_free = lamps.and_then(|it| it.leak_free);
    [
        Lamp {
            name: "Parses",
            light: light(parses),
            word: word(parses, "yes", "no"),
            help: "Some rung of the ladder yields JSON.",
        },
        Lamp {
            name: "Schema",
            light: light(schema),
            word: word(schema, "valid", "invalid"),
            help: "The value has the shape that the schema asks for.",
        },
        Lamp {
            name: "Correct",
            light: light(correct),
            word: word(correct, "yes", "no"),
            help: "The value agrees with the known answer.",
        },
        Lamp {
            name: "Leak-free",
            light: light(leak_free),
            word: word(leak_free, "yes", "leaks"),
            help: "Nothing was copied from the few-shot examples.",
        },
    ]
}

pub(crate) fn lamps_ui(lamps: &[Lamp], ui: &mut Ui) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let n = lamps.len() as f32;
        let width = (ui.available_width() - 6.0 * (n - 1.0)) / n;
        for it in lamps {
            lamp(ui, it, width.floor());
        }
    });
}

/// The first cause, and under it what else is wrong.
pub(crate) fn cause_ui(cause: Option<&Cause>, tone: Tone, ui: &mut Ui) {
    let Some(cause) = cause else { return };
    ui.add_space(2.0);
    banner(ui, tone, &sentence(&cause.message));
    if cause.further.is_empty() {
        return;
    }
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = theme::SMALL_GAP;
        let line = |it: &Cause| format!("Also: {}", sentence(&it.message));
        let (shown, rest) = cause.further.split_at(cause.further.len().min(MAX_FURTHER));
        for it in shown {
            note(ui, line(it));
        }
        if !rest.is_empty() {
            let all: Vec<String> = rest.iter().map(line).collect();
            note(ui, format!("and {} more", rest.len())).on_hover_text(all.join("\n"));
        }
    });
}
