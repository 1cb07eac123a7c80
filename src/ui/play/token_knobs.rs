//! Knobs that speak of single tokens: the logit bias, and the ban of tokens by their characters.

use eframe::egui::{DragValue, Label, RichText, Ui, vec2};
use serde_json::json;

use super::{Part, PlayState};
use crate::sampling::{BanReport, CharClass, KnobList, Knobs, LogitBias, TokenKnobReport};
use crate::ui::theme::{self, Tone, icons, palette};
use crate::ui::tokens::{grouped, visible};
use crate::ui::widgets::{Field, icon_button, note, pill, quiet_button};

/// How many look-alikes stand in the row; the others come with the pointer.
const MOST_SHOWN: usize = 16;

/// `report` is what the model's vocabulary makes of these knobs; none while that is not known.
pub(super) fn token_knobs_ui(
    knobs: &mut Knobs,
    report: Option<&TokenKnobReport>,
    state: &mut PlayState,
    ui: &mut Ui,
) {
    for (list, reason) in knobs.idle_lists() {
        let name = match list {
            KnobList::LogitBias => "Logit bias",
            KnobList::TokenBan => "Token ban",
        };
        ui.horizontal(|ui| {
            note(ui, name).on_hover_text(&reason);
            pill(ui, "no effect", Tone::Quiet).on_hover_text(&reason);
        });
    }
    if state.disclosure(
        ui,
        Part::LogitBias,
        &counted("Logit bias", knobs.logit_bias.len()),
    ) {
        let unmatched = report.map_or(&[][..], |it| &it.unmatched_biases);
        bias_ui(knobs, unmatched, &mut state.bias_text, ui);
    }
    if state.disclosure(
        ui,
        Part::TokenBan,
        &counted("Token ban", knobs.token_ban.len()),
    ) {
        ban_ui(knobs, &mut state.ban_text, ui);
        if let Some(report) = report.and_then(|it| it.ban.as_ref()) {
            ban_report_ui(report, ui);
        }
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

fn bias_ui(knobs: &mut Knobs, unmatched: &[String], text: &mut String, ui: &mut Ui) {
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
            if unmatched.contains(&bias.key()) {
                pill(ui, "no such token", Tone::Warn).on_hover_text(
                    "This text is no single token of the model, so the bias does nothing. Mind the space before a word.",
                );
            }
            note(ui, visible(&bias.key()));
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

/// What the ban does in this model's vocabulary, and what slips through.
fn ban_report_ui(report: &BanReport, ui: &mut Ui) {
    note(ui, ban_sentence(report));
    if report.look_alikes.is_empty() {
        return;
    }
    let all: Vec<String> = report.look_alikes.iter().map(|it| visible(&it.1)).collect();
    let shown = all[..all.len().min(MOST_SHOWN)].join("  ");
    let text = RichText::new(shown)
        .font(theme::mono(12.0))
        .color(palette(ui).warn);
    let label = ui.add(Label::new(text).wrap());
    label.on_hover_text(all.join("  "));
}

/// Counts of a ban in words.
pub(super) fn ban_sentence(report: &BanReport) -> String {
    let banned = format!("Bans {} of this model's tokens.", grouped(report.n_banned));
    let missed = match report.n_look_alikes {
        0 => "No whole token that reads alike is let through.".to_owned(),
        1 => "1 token that reads alike is let through:".to_owned(),
        n => format!("{} that read alike are let through:", grouped(n)),
    };
    if report.n_partial == 0 || report.n_look_alikes > 0 {
        return format!("{banned} {missed}");
    }
    let n_partial = grouped(report.n_partial);
    format!(
        "{banned} {missed} {n_partial} tokens hold part of a character: together they can write one."
    )
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
