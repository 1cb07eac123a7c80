//! The few-shot examples: on or off, edited in place, added, removed.

use eframe::egui::{Align, Layout, RichText, Ui};

use super::PlayState;
use crate::app::{Action, ExampleDraft, Model};
use crate::prompt::PromptStyle;
use crate::ui::theme::{self, Tone, icons, palette};
use crate::ui::widgets::{Field, caption, card, elided, icon_button, note, pill, switch};

pub(super) fn examples_ui(model: &mut Model, state: &mut PlayState, ui: &mut Ui) -> Option<Action> {
    let prompt = &mut model.draft.prompt;
    let mut action = head_ui(&prompt.examples, ui);
    if prompt.style != PromptStyle::Example && prompt.examples.iter().any(|it| it.on) {
        note(ui, "Only the style “Example” sends them.");
    }
    for (idx, example) in prompt.examples.iter_mut().enumerate() {
        let is_edited = state.example == Some(idx);
        match example_ui(example, (idx, is_edited), ui) {
            Some(Wish::Edit) => state.example = (!is_edited).then_some(idx),
            Some(Wish::Remove) => {
                state.example = None;
                action = Some(Action::RemoveExample(idx));
            }
            None => {}
        }
    }
    if action == Some(Action::AddExample) {
        state.example = Some(prompt.examples.len());
    }
    action
}

enum Wish {
    Edit,
    Remove,
}

fn head_ui(examples: &[ExampleDraft], ui: &mut Ui) -> Option<Action> {
    ui.horizontal(|ui| {
        caption(ui, "Few-shot examples");
        let n_on = examples.iter().filter(|it| it.on).count();
        pill(ui, &format!("{n_on} of {}", examples.len()), Tone::Quiet);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let added = icon_button(ui, icons::PLUS, "Add an example").clicked();
            added.then_some(Action::AddExample)
        })
        .inner
    })
    .inner
}

fn example_ui(
    example: &mut ExampleDraft,
    (idx, is_edited): (usize, bool),
    ui: &mut Ui,
) -> Option<Wish> {
    let number = idx + 1;
    card(ui)
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            let wish = ui
                .horizontal(|ui| {
                    switch(ui, &mut example.on, &format!("Use example {number}"));
                    row_ui(example, number, ui)
                })
                .inner;
            if is_edited {
                ui.push_id(idx, |ui| {
                    Field::new("Input of the example").show(ui, &mut example.input);
                    Field::new("Answer of the example")
                        .code()
                        .show(ui, &mut example.answer);
                });
            }
            wish
        })
        .inner
}

fn row_ui(example: &ExampleDraft, number: usize, ui: &mut Ui) -> Option<Wish> {
    let colours = palette(ui);
    let (color, answer_color) = if example.on {
        (colours.text, colours.weak)
    } else {
        (colours.faint, colours.faint)
    };
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let removed = icon_button(ui, icons::TRASH, &format!("Remove example {number}")).clicked();
        let edited = icon_button(ui, icons::PENCIL, &format!("Edit example {number}")).clicked();
        ui.with_layout(Layout::top_down(Align::Min), |ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            elided(ui, RichText::new(one_line(&example.input)).color(color));
            let answer = RichText::new(one_line(&example.answer))
                .font(theme::mono(11.0))
                .color(answer_color);
            elided(ui, answer);
        });
        match (removed, edited) {
            (true, _) => Some(Wish::Remove),
            (_, true) => Some(Wish::Edit),
            _ => None,
        }
    })
    .inner
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.is_empty() {
        "(empty)".to_owned()
    } else {
        words.join(" ")
    }
}
