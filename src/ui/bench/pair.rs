//! Both replies of a flipped case: how each was judged, and its text.

use eframe::egui::{Label, RichText, Ui};

use super::replies::{lamps_ui, text_of};
use super::runs::{asked, called};
use crate::app::{BenchAction, RunsAction, Shown};
use crate::lab::{Trial, Turn};
use crate::ui::theme::{self, icons, palette};
use crate::ui::widgets::{caption, card, heading, icon_button, note, sentence};

/// Draws nothing while no flip is read.
pub(super) fn pair_ui(shown: &Shown, ui: &mut Ui, push: &mut dyn FnMut(BenchAction)) {
    let Some(second) = shown.second.as_deref() else {
        return;
    };
    let Some(flip) = second.flip() else { return };
    let [one, other] = flip.pair;
    let (Some(before), Some(now)) = (second.trials.get(one), shown.trials.get(other)) else {
        return;
    };
    let turns: Vec<String> = flip.turns.iter().map(|it| Turn::words(*it)).collect();
    heading(ui, &sentence(&turns.join(", ")));
    ui.horizontal(|ui| {
        let place = second
            .listed()
            .iter()
            .position(|it| Some(*it) == second.picked);
        let mut step = |sign, name: &str, by: isize| {
            let to = place
                .and_then(|it| it.checked_add_signed(by))
                .and_then(|it| second.listed().get(it));
            let clicked = ui
                .add_enabled_ui(to.is_some(), |ui| icon_button(ui, sign, name).clicked())
                .inner;
            if let (true, Some(to)) = (clicked, to) {
                push(BenchAction::Runs(RunsAction::Pick(*to)));
            }
        };
        step(icons::CARET_UP, "The flip before", -1);
        step(icons::CARET_DOWN, "The next flip", 1);
        note(ui, asked(now));
    });
    note(ui, now.input_text.as_str());
    if before.prompt != now.prompt {
        note(ui, "The two runs asked with different prompts.");
    }
    for (name, trial) in [("This run".to_owned(), now), (called(second), before)] {
        ui.add_space(theme::SMALL_GAP);
        caption(ui, &name);
        reply_ui(trial, ui);
    }
}

fn reply_ui(trial: &Trial, ui: &mut Ui) {
    card(ui).show(ui, |ui| {
        ui.set_width(ui.available_width());
        lamps_ui(trial, ui);
        let rung = match trial.climb.rung {
            Some(rung) => format!("Rung {} held.", rung as usize),
            None => "No rung held.".to_owned(),
        };
        let cause = trial.cause.as_ref().map(|it| sentence(&it.message));
        note(ui, format!("{rung} {}", cause.unwrap_or_default()));
        let text = RichText::new(text_of(trial))
            .font(theme::mono(12.0))
            .color(palette(ui).text);
        ui.add(Label::new(text).wrap().selectable(true));
    });
}
