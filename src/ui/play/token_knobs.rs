//! Knobs that speak of single tokens: the logit bias, and the ban of tokens by their characters.

use eframe::egui::{DragValue, Ui, vec2};
use serde_json::json;

use super::{Part, PlayState};
use crate::sampling::{CharClass, Knobs, LogitBias};
use crate::ui::theme::{self, icons};
use crate::ui::widgets::{Field, icon_button, note, quiet_button};

pub(super) fn token_knobs_ui(knobs: &mut Knobs, state: &mut PlayState, ui: &mut Ui) {
    if state.disclosure(
        ui,
        Part::LogitBias,
        &counted("Logit bias", knobs.logit_bias.len()),
    ) {
        bias_ui(knobs, &mut state.bias_text, ui);
    }
    if state.disclosure(
        ui,
        Part::TokenBan,
        &counted("Token ban", knobs.token_ban.len()),
    ) {
        ban_ui(knobs, &mut state.ban_text, ui);
    }
}

fn counted(name: &str, n: usize) -> String {
    match n {
        0 => name.to_owned(),
        n => format!("{name} ({n})"),
    }
}

/// A bias of 0 for a token's text, or for `#` and its id; none for what names no token.
pub(super) fn new_bias(text: &str) -> Option<LogitBias> {
    LogitBias::read_all(&json!({ text: 0.0 })).ok()?.pop()
}

fn bias_ui(knobs: &mut Knobs, text: &mut String, ui: &mut Ui) {
    note(
        ui,
        "Added to the score of one token; -100 all but takes it away.",
    );
    let mut removed = None;
    for (idx, bias) in knobs.logit_bias.iter_mut().enumerate() {
        ui.horizontal(|ui| {
            if icon_button(
                ui,
                icons::TRASH,
                &format!("Remove the bias of {}", bias.key()),
            )
            .clicked()
            {
                removed = Some(idx);
            }
            ui.spacing_mut().interact_size = vec2(60.0, theme::CONTROL);
            let name = format!("Bias of {}", bias.key());
            let value = DragValue::new(&mut bias.bias)
                .range(-100.0..=100.0)
                .speed(0.1);
            ui.add(value).accessible_name(name);
            note(ui, crate::ui::tokens::visible(&bias.key()));
        });
    }
    if let Some(idx) = removed {
        knobs.logit_bias.remove(idx);
    }
    Field::new("A token's text, or # and its id")
        .code()
        .show(ui, text);
    let bias =
        new_bias(text).filter(|it| knobs.logit_bias.iter().all(|old| old.target != it.target));
    let add = ui.add_enabled_ui(bias.is_some(), |ui| {
        quiet_button(ui, icons::PLUS, "Add a bias").clicked()
    });
    if let (true, Some(bias)) = (add.inner, bias) {
        knobs.logit_bias.push(bias);
        text.clear();
    }
}

fn ban_ui(knobs: &mut Knobs, text: &mut String, ui: &mut Ui) {
    note(
        ui,
        "Tokens with any such character never come. What reads alike, such as ② for a digit, is let through.",
    );
    ui.horizontal_wrapped(|ui| {
        for name in CharClass::names() {
            let Some(class) = CharClass::parse(name) else {
                continue;
            };
            let is_on = knobs.token_ban.contains(&class);
            if ui.selectable_label(is_on, name.replace('_', " ")).clicked() {
                if is_on {
                    knobs.token_ban.retain(|it| *it != class);
                } else {
                    knobs.token_ban.push(class);
                }
            }
        }
    });
    let own = |it: &CharClass| matches!(it, CharClass::Members { .. });
    let mut removed = None;
    for (idx, class) in knobs.token_ban.iter().enumerate().filter(|it| own(it.1)) {
        ui.horizontal(|ui| {
            if icon_button(
                ui,
                icons::TRASH,
                &format!("Remove the ban of {}", class.key()),
            )
            .clicked()
            {
                removed = Some(idx);
            }
            note(ui, class.key());
        });
    }
    if let Some(idx) = removed {
        knobs.token_ban.remove(idx);
    }
    Field::new("Characters in brackets, such as [0-9]")
        .code()
        .show(ui, text);
    let class = CharClass::parse(text.trim()).filter(|it| !knobs.token_ban.contains(it));
    let add = ui.add_enabled_ui(class.is_some(), |ui| {
        quiet_button(ui, icons::PLUS, "Add a ban").clicked()
    });
    if let (true, Some(class)) = (add.inner, class) {
        knobs.token_ban.push(class);
        text.clear();
    }
}
