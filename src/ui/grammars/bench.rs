//! The test bench: texts that must pass or must be stopped, each with what came of it.

use eframe::egui::{Align, Layout, Ui};

use super::outcome::{following_words, stop_ui, stop_words};
use crate::app::{Action, GrammarsAction, GrammarsDesk, Model, RunPhase, TestText, TriedText};
use crate::ui::theme::{self, Tone, icons};
use crate::ui::widgets::{
    Field, Segmented, card, icon_button, note, quiet_button, toned_pill, weak,
};

const EXPECTED: &[(bool, &str)] = &[(true, "Must pass"), (false, "Must be stopped")];

pub(super) fn tests_ui(model: &Model, ui: &mut Ui, actions: &mut Vec<Action>) {
    let desk = &model.grammars;
    let mut tests = desk.draft.tests();
    let before = tests.clone();
    ui.horizontal(|ui| {
        ui.set_min_height(theme::CONTROL);
        summary_ui(desk, &tests, ui);
    });
    let mut removed = None;
    for (idx, test) in tests.iter_mut().enumerate() {
        let tried = tried(desk, idx, test);
        ui.push_id(idx, |ui| {
            if test_ui(idx, test, tried, ui) {
                removed = Some(idx);
            }
        });
    }
    if let Some(idx) = removed {
        tests.remove(idx);
    }
    ui.horizontal_wrapped(|ui| {
        if quiet_button(ui, icons::PLUS, "Add a text").clicked() {
            tests.push(TestText {
                text: String::new(),
                must_pass: true,
            });
        }
        if let RunPhase::Done { trial, .. } = &model.run
            && !trial.reply.is_empty()
            && quiet_button(ui, icons::PLUS, "Add Play's reply").clicked()
        {
            tests.push(TestText {
                text: trial.reply.clone(),
                must_pass: true,
            });
        }
    });
    if tests != before {
        actions.push(Action::Grammars(GrammarsAction::SetTests(tests)));
    }
}

fn summary_ui(desk: &GrammarsDesk, tests: &[TestText], ui: &mut Ui) {
    let Some(found) = desk.tried.as_ref() else {
        weak(ui, "Not tried yet");
        return;
    };
    if found.fault().is_some() {
        weak(ui, "Nothing can be tried until the fault is mended.");
        return;
    }
    let n_good = (0..)
        .zip(tests)
        .filter_map(|(idx, test)| tried(desk, idx, test))
        .filter(|it| it.is_as_expected())
        .count();
    let text = format!("{n_good} of {} as expected", tests.len());
    let tone = match (tests.len(), n_good == tests.len()) {
        (0, _) => Tone::Quiet,
        (_, true) => Tone::Good,
        (_, false) => Tone::Bad,
    };
    toned_pill(ui, &text, tone);
}

/// What came of a test, if it was tried as it stands.
fn tried<'a>(desk: &'a GrammarsDesk, idx: usize, test: &TestText) -> Option<&'a TriedText> {
    let tried = desk.tried.as_ref()?;
    tried.tests.get(idx).filter(|it| it.test == *test)
}

/// Says whether the test is to be removed.
fn test_ui(idx: usize, test: &mut TestText, tried: Option<&TriedText>, ui: &mut Ui) -> bool {
    let number = idx + 1;
    card(ui)
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 5.0;
            let removed = ui
                .horizontal(|ui| {
                    let name = format!("Text {number}");
                    Segmented::new(&name).show(ui, &mut test.must_pass, EXPECTED);
                    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                        let name = format!("Remove text {number}");
                        let removed = icon_button(ui, icons::TRASH, &name).clicked();
                        verdict_ui(tried, ui);
                        removed
                    })
                    .inner
                })
                .inner;
            Field::new(&format!("Text {number}"))
                .code()
                .show(ui, &mut test.text);
            if let Some(tried) = tried {
                outcome_ui(tried, ui);
            }
            removed
        })
        .inner
}

fn verdict_ui(tried: Option<&TriedText>, ui: &mut Ui) {
    let Some(tried) = tried else { return };
    let (word, tone) = match &tried.trial {
        Err(_) => ("given up", Tone::Bad),
        Ok(it) => {
            let word = if it.is_accepted { "passes" } else { "stopped" };
            let tone = if tried.is_as_expected() {
                Tone::Good
            } else {
                Tone::Bad
            };
            (word, tone)
        }
    };
    toned_pill(ui, word, tone);
}

fn outcome_ui(tried: &TriedText, ui: &mut Ui) {
    match &tried.trial {
        Err(message) => {
            note(ui, message.as_str());
        }
        Ok(it) if it.is_accepted => {}
        Ok(it) => {
            stop_ui(ui, &tried.test.text, it.n_taken);
            let stop = stop_words(&tried.test.text, it.n_taken);
            note(ui, format!("{stop} {}", following_words(&it.following)));
        }
    }
}
