//! Random texts that the grammar accepts: what it lets a model write.

use eframe::egui::{Align, Label, Layout, RichText, Ui};

use crate::app::{Action, GrammarsAction, Model, TestText};
use crate::ui::theme::{self, icons, palette};
use crate::ui::widgets::{card, icon_button, note, quiet_button, weak};

/// Characters of an example that are shown.
const MAX_SHOWN: usize = 1_200;

pub(super) fn examples_ui(model: &Model, ui: &mut Ui, actions: &mut Vec<Action>) {
    let desk = &model.grammars;
    ui.horizontal_wrapped(|ui| {
        if quiet_button(ui, icons::DICE, "Other examples").clicked() {
            actions.push(Action::Grammars(GrammarsAction::MoreExamples));
        }
        note(ui, "Any of these could be a reply.");
    });
    let Some(tried) = &desk.tried else {
        weak(ui, "Not tried yet");
        return;
    };
    match &tried.examples {
        Err(message) => {
            note(ui, message.as_str());
        }
        Ok(_) if tried.fault().is_some() => {
            weak(ui, "None until the fault is mended.");
        }
        Ok(examples) => {
            if let Some(gap) = tried.gaps.first() {
                let more = match tried.gaps.len() {
                    1 => String::new(),
                    n => format!(" And {} more.", n - 1),
                };
                note(
                    ui,
                    format!(
                        "Made by way of a grammar, which does not hold to all of the schema: {} ({}).{more}",
                        gap.message, gap.pointer
                    ),
                );
            }
            for (idx, example) in examples.iter().enumerate() {
                example_ui(model, (idx + 1, example), ui, actions);
            }
        }
    }
}

fn example_ui(
    model: &Model,
    (number, example): (usize, &str),
    ui: &mut Ui,
    actions: &mut Vec<Action>,
) {
    card(ui).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal(|ui| {
            note(ui, format!("{} characters", example.chars().count()));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let test = format!("Make example {number} a test");
                if icon_button(ui, icons::PLUS, &test).clicked() {
                    let mut tests = model.grammars.draft.tests();
                    tests.push(TestText {
                        text: example.to_owned(),
                        must_pass: true,
                    });
                    actions.push(Action::Grammars(GrammarsAction::SetTests(tests)));
                }
                let copy = format!("Copy example {number}");
                if icon_button(ui, icons::COPY, &copy).clicked() {
                    actions.push(Action::CopyText(example.to_owned()));
                }
            });
        });
        let end = example.char_indices().nth(MAX_SHOWN).map(|it| it.0);
        let shown = end.and_then(|end| example.get(..end)).unwrap_or(example);
        let shown = if example.is_empty() {
            "(the empty text)"
        } else {
            shown
        };
        let text = RichText::new(shown)
            .font(theme::mono(12.0))
            .color(palette(ui).text);
        ui.add(Label::new(text).wrap().selectable(true));
    });
}
