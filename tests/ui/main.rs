//! Drives the window by its labels, as a screen reader would. Needs no GPU and no model.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod bench;
mod building;
mod choosing;
mod compare;
mod constraint;
mod enforcement;
mod fixture;
mod getting;
mod grammars;
mod judging;
mod knobs;
mod machine;
mod model;
mod prompt;
mod recorded;
mod repair;
mod running;
mod runs;
mod shots;
mod stages;
mod verdict;

use std::sync::Arc;

use eframe::egui::vec2;
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, HarnessBuilder};
use stepladder::app::{self, Action, ConstraintKind, Effect, Model};
use stepladder::constraint::ConstraintError;
use stepladder::ui::{self, State};

/// What the harness keeps: the model, the views' state, and all wishes so far.
pub(crate) struct Seen {
    model: Model,
    state: State,
    actions: Vec<Action>,
    /// Wishes change the model, and what is to be done outside is kept here.
    is_live: bool,
    effects: Vec<Effect>,
}

pub(crate) type Window = Harness<'static, Seen>;

/// A harness of this size with the window's fonts and colours.
pub(crate) fn builder<T>((width, height): (f32, f32)) -> HarnessBuilder<T> {
    Harness::builder()
        .with_size(vec2(width, height))
        .with_max_steps(20)
        .with_context_setup(|ctx| {
            ui::theme::install(ctx);
            ctx.add_font_provider(Arc::new(
                egui_system_font_provider::SystemFontProvider::new(),
            ));
        })
}

pub(crate) fn window(model: Model, size: (f32, f32)) -> Window {
    let seen = Seen {
        model,
        state: State::default(),
        actions: Vec::new(),
        is_live: false,
        effects: Vec::new(),
    };
    builder(size).build_ui_state(
        |ui, seen: &mut Seen| {
            let actions = ui::shell_ui(&mut seen.model, &mut seen.state, ui);
            if seen.is_live {
                for action in &actions {
                    let effects = app::on_action(&mut seen.model, action.clone());
                    seen.effects.extend(effects);
                }
            }
            seen.actions.extend(actions);
        },
        seen,
    )
}

fn opened(model: Model) -> Window {
    let mut window = window(model, (1440.0, 1400.0));
    window.run_steps(3);
    window
}

#[track_caller]
fn click(window: &mut Window, label: &str) {
    window.get_by_label(label).click();
    window.run_steps(3);
}

/// Clicks, and checks the one wish that came of it.
#[track_caller]
fn check_click(model: Model, label: &str, wish: &Action) {
    let mut window = opened(model);
    click(&mut window, label);
    assert_eq!(window.state().actions, std::slice::from_ref(wish));
}

#[track_caller]
fn check_shown(model: Model, text: &str) {
    let window = opened(model);
    let found = window.query_all_by_label_contains(text).count();
    assert!(found > 0, "“{text}” is not on the screen");
}

#[track_caller]
fn check_hidden(model: Model, text: &str) {
    let window = opened(model);
    let found = window.query_all_by_label_contains(text).count();
    assert_eq!(found, 0, "“{text}” is on the screen");
}

fn with_constraint(kind: ConstraintKind) -> Model {
    let mut model = fixture::ready();
    model.draft.constraint.kind = kind;
    model.check_constraint();
    model
}

fn with_grammar_fault() -> Model {
    let mut model = with_constraint(ConstraintKind::Grammar);
    model.constraint_error = Some(ConstraintError {
        message: "there is no rule “strng”".to_owned(),
        place: Some((3, 12)),
        within: None,
    });
    model
}
