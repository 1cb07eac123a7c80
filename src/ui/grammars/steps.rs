//! A text stepped through with the model's tokens: what is legal at each, and how long the mask took.

use eframe::egui::{Align, Label, Layout, RichText, ScrollArea, Ui};

use super::outcome::{following_words, stop_ui, stop_words, tokens_words};
use crate::app::{Action, EnginePhase, GrammarsAction, Model, Steps};
use crate::constraint::{Walk, WalkStep};
use crate::ui::theme::{self, Tone, icons, palette};
use crate::ui::tokens::{grouped, visible};
use crate::ui::widgets::{Field, banner, caption, note, quiet_button, toned_pill, weak};

const HEIGHT: f32 = 460.0;
const ROW: f32 = 20.0;

pub(super) fn steps_ui(model: &mut Model, ui: &mut Ui, actions: &mut Vec<Action>) {
    if Field::new("Text to step through")
        .code()
        .rows(2)
        .show(ui, &mut model.grammars.draft.step_text)
    {
        actions.push(Action::Grammars(GrammarsAction::StepTextEdited));
    }
    let obstacle = obstacle(model);
    ui.horizontal_wrapped(|ui| {
        let button = ui.add_enabled_ui(obstacle.is_none(), |ui| {
            quiet_button(ui, icons::ARROW_RIGHT, "Step through")
        });
        if button.inner.clicked() {
            actions.push(Action::Grammars(GrammarsAction::Step));
        }
        match (&obstacle, model.info()) {
            (Some(text), _) => note(ui, text.as_str()),
            (None, Some(info)) => note(ui, format!("With the tokens of {}", info.name)),
            (None, None) => return,
        };
    });
    match &model.grammars.steps {
        Steps::Unasked => {}
        Steps::Working(_) => {
            ui.horizontal(|ui| {
                ui.spinner();
                weak(
                    ui,
                    "The vocabulary is read, which takes seconds the first time",
                );
            });
        }
        Steps::Failed(message) => banner(ui, Tone::Bad, message),
        Steps::Done { text, walk } => walk_ui(text, walk, ui),
    }
}

fn obstacle(model: &Model) -> Option<String> {
    if matches!(model.grammars.steps, Steps::Working(_)) {
        return Some("It is being stepped through".to_owned());
    }
    match &model.engine {
        EnginePhase::Ready(_) if model.is_running() => Some("A reply is running".to_owned()),
        EnginePhase::Ready(_) => None,
        _ => Some("Open a model: the steps are its tokens".to_owned()),
    }
}

fn walk_ui(text: &str, walk: &Walk, ui: &mut Ui) {
    ui.horizontal_wrapped(|ui| {
        let (word, tone) = if walk.is_accepted {
            ("accepted", Tone::Good)
        } else {
            ("stopped", Tone::Bad)
        };
        toned_pill(ui, word, tone);
        note(ui, figures(walk));
    });
    if !walk.is_accepted {
        stop_ui(ui, text, walk.n_taken);
        note(ui, stop_words(text, walk.n_taken));
    }
    note(ui, following_words(&walk.following));
    if !walk.names.is_empty() && !walk.is_accepted {
        let names: Vec<String> = walk.names.iter().map(|it| visible(it)).collect();
        note(
            ui,
            format!(
                "{}, such as {}",
                tokens_words(walk.following.n_legal),
                names.join("  ")
            ),
        );
    }
    ui.add_space(theme::SMALL_GAP);
    row_ui(ui, |ui| drop(caption(ui, "Token")), ("legal", "mask µs"));
    ScrollArea::vertical()
        .id_salt("steps")
        .max_height(HEIGHT)
        .show_rows(ui, ROW, walk.steps.len(), |ui, rows| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for step in walk.steps.get(rows).unwrap_or_default() {
                step_ui(step, ui);
            }
        });
}

fn step_ui(step: &WalkStep, ui: &mut Ui) {
    let colours = palette(ui);
    let color = if step.is_legal {
        colours.text
    } else {
        colours.bad
    };
    let mut shown = visible(&step.text);
    if !step.is_legal {
        shown.push_str("  (not legal)");
    }
    let text = RichText::new(shown).font(theme::mono(12.0)).color(color);
    let figures = (
        grouped(step.n_legal),
        format!("{:.1}", step.mask_us.min(99_999_999.0)),
    );
    row_ui(
        ui,
        |ui| drop(ui.add(Label::new(text).truncate())),
        (&figures.0, &figures.1),
    );
}

/// A text with two figures at its right.
fn row_ui(ui: &mut Ui, text: impl FnOnce(&mut Ui), (legal, us): (&str, &str)) {
    let color = palette(ui).weak;
    ui.horizontal(|ui| {
        ui.set_height(ROW);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            for figure in [us, legal] {
                let figure = RichText::new(figure).font(theme::mono(12.0)).color(color);
                ui.scope(|ui| {
                    ui.set_width(72.0);
                    ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.label(figure));
                });
            }
            ui.with_layout(Layout::left_to_right(Align::Center), text);
        });
    });
}

/// Number of tokens, and how long masks and compilation took.
fn figures(walk: &Walk) -> String {
    let mut us: Vec<f64> = walk.steps.iter().map(|it| it.mask_us).collect();
    us.sort_by(f64::total_cmp);
    let median = us.get(us.len() / 2).copied().unwrap_or_default();
    let slowest = us.last().copied().unwrap_or_default();
    format!(
        "{} tokens. Mask: {median:.1} µs in the median, {slowest:.1} µs at most. Compiled in {:.1} ms.",
        walk.steps.len(),
        walk.compile_ms
    )
}
