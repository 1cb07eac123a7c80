//! Fork here: what is changed from this token on.

use eframe::egui::{DragValue, Ui, vec2};

use super::super::PlayState;
use super::story::knob_of;
use crate::app::{Action, Change, ConstraintKind, Model, Reply, RunPhase, forkable};
use crate::constraint::Constraint;
use crate::sampling::Knob;
use crate::ui::theme::{self, icons};
use crate::ui::tokens::{self, blame};
use crate::ui::widgets::{Entry, Segmented, caption, card, note, picker, quiet_button};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    #[default]
    Knob,
    Constraint,
    Settings,
}

const KINDS: &[(Kind, &str)] = &[
    (Kind::Knob, "A knob"),
    (Kind::Constraint, "Constraint"),
    (Kind::Settings, "All settings"),
];

const CONSTRAINTS: &[(ConstraintKind, &str)] = &[
    (ConstraintKind::None, "None"),
    (ConstraintKind::Schema, "Schema"),
    (ConstraintKind::Grammar, "Grammar"),
];

/// The change that is being put together.
#[derive(Debug, Default)]
pub(crate) struct ForkDraft {
    /// The token it was begun at: at another one it begins anew.
    at: Option<usize>,
    kind: Kind,
    knob: Option<Knob>,
    value: f64,
    constraint: ConstraintKind,
}

impl ForkDraft {
    /// Proposes to undo what is to blame.
    fn begin(&mut self, reply: &Reply, index: usize) {
        if self.at == Some(index) {
            return;
        }
        *self = Self::default();
        self.at = Some(index);
        let blamed = reply.assembly.tokens.get(index).and_then(blame);
        let knobs = &reply.assembly.job.request.knobs;
        match blamed {
            Some(it) if it.change == tokens::Change::Mask => self.kind = Kind::Constraint,
            Some(it) if it.stage.is_none() => self.set_knob(Knob::Temperature, 0.0),
            Some(it) => {
                let knob = it.stage.and_then(knob_of).unwrap_or(Knob::Temperature);
                self.set_knob(knob, knob.spec().neutral);
            }
            None => {
                let first = forkable(knobs).first().copied();
                let knob = first.unwrap_or(Knob::Temperature);
                self.set_knob(knob, knob.spec().neutral);
            }
        }
    }

    fn set_knob(&mut self, knob: Knob, value: f64) {
        self.knob = Some(knob);
        self.value = value;
    }

    fn change(&self, model: &Model) -> Change {
        let draft = &model.draft.constraint;
        match self.kind {
            Kind::Knob => Change::Knob(self.knob.unwrap_or(Knob::Temperature), self.value),
            Kind::Settings => Change::Settings,
            Kind::Constraint => Change::Constraint(match self.constraint {
                ConstraintKind::None => Constraint::None,
                kind => crate::app::ConstraintDraft {
                    kind,
                    ..draft.clone()
                }
                .chosen(),
            }),
        }
    }
}

pub(super) fn fork_ui(
    model: &Model,
    (reply, index): (&Reply, usize),
    state: &mut PlayState,
    ui: &mut Ui,
) -> Option<Action> {
    let draft = &mut state.fork;
    draft.begin(reply, index);
    caption(ui, "Fork here");
    let clicked = card(ui)
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            Segmented::new("Change")
                .stretch()
                .show(ui, &mut draft.kind, KINDS);
            match draft.kind {
                Kind::Knob => knob_ui(draft, reply, ui),
                Kind::Constraint => {
                    Segmented::new("Constraint of the fork").stretch().show(
                        ui,
                        &mut draft.constraint,
                        CONSTRAINTS,
                    );
                    note(ui, "Schema and grammar as they stand on the left.");
                }
                Kind::Settings => {
                    note(ui, "Knobs and constraint as they stand on the left now.");
                }
            }
            go_ui(model, ui)
        })
        .inner;
    clicked.then(|| Action::Fork {
        n_shared: index,
        change: draft.change(model),
    })
}

fn knob_ui(draft: &mut ForkDraft, reply: &Reply, ui: &mut Ui) {
    let knobs = &reply.assembly.job.request.knobs;
    let all = forkable(knobs);
    let chosen = draft.knob.unwrap_or(Knob::Temperature);
    let entries: Vec<Entry<'_>> = all
        .iter()
        .map(|it| Entry {
            title: it.spec().name,
            about: it.spec().help,
            chosen: *it == chosen,
        })
        .collect();
    ui.horizontal(|ui| {
        let picked = picker(ui, "Knob to change", chosen.spec().name, &entries);
        if let Some(knob) = picked.and_then(|it| all.get(it)) {
            draft.set_knob(*knob, knob.spec().neutral);
        }
        let spec = draft.knob.unwrap_or(chosen).spec();
        ui.spacing_mut().interact_size = vec2(64.0, theme::CONTROL);
        let value = DragValue::new(&mut draft.value)
            .range(spec.min..=spec.max)
            .speed(spec.step)
            .fixed_decimals(spec.decimals);
        ui.add(value).accessible_name("Value in the fork");
        let was = knobs.get(spec.knob);
        note(ui, format!("was {was:.*}", spec.decimals));
    });
}

/// The button, and why it cannot be pressed.
fn go_ui(model: &Model, ui: &mut Ui) -> bool {
    let hindrance = hindrance(model);
    let button = ui
        .add_enabled_ui(hindrance.is_none(), |ui| {
            quiet_button(ui, icons::PLAY, "Go on from here")
        })
        .inner
        .on_hover_text("Keeps the tokens before this one and writes the rest anew.")
        .on_disabled_hover_text(hindrance.unwrap_or_default());
    button.clicked()
}

fn hindrance(model: &Model) -> Option<String> {
    if !matches!(model.run, RunPhase::Done { .. }) {
        return Some("The reply is still being written".to_owned());
    }
    if model.is_running() {
        return Some("Another reply is still being written".to_owned());
    }
    model
        .info()
        .is_none()
        .then(|| "Load a model first".to_owned())
}
