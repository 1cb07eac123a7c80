//! The right column: lamps and cause, the ladder, the value, and all that was found wrong with it.

use eframe::egui::Ui;

use super::PlayState;
use super::judging::judged_by;
use crate::app::{Action, Model, RunPhase};
use crate::lab::Trial;
use crate::ui::outcome::{
    Edits, Finding, Section, Tree, TreeClick, after_defaults_ui, answer_findings, cause_ui,
    growing_ui, ladder_ui, lamps, lamps_ui, leak_findings, remarks_ui, repairs_head_ui, repairs_ui,
    rows, schema_findings, tree_ui,
};
use crate::ui::theme::{self, Tone, icons};
use crate::ui::widgets::{banner, heading, icon_button, note, pill};

pub(super) fn column_ui(model: &Model, state: &mut PlayState, ui: &mut Ui) -> Option<Action> {
    let trial = match &model.run {
        RunPhase::Done { trial, .. } => Some(trial.as_ref()),
        RunPhase::Idle | RunPhase::Running { .. } | RunPhase::Failed { .. } => None,
    };
    heading(ui, "Verdict");
    ui.add_space(2.0);
    lamps_ui(&lamps(trial.map(|it| it.lamps)), ui);
    if let Some(words) = judged_by(model) {
        note(ui, words);
    }
    cause_ui(trial.and_then(|it| it.cause.as_ref()), Tone::Bad, ui);
    ui.add_space(theme::GAP - 6.0);
    heading(ui, "Ladder");
    let climb = trial.map(|it| &it.climb);
    ui.scope(|ui| ladder_ui(&rows(climb), ui));
    ui.add_space(theme::SMALL_GAP);
    let Some(trial) = trial else {
        note(ui, waiting_words(&model.run));
        if let RunPhase::Running { reply } = &model.run {
            ui.add_space(theme::GAP - 6.0);
            heading(ui, "Value so far");
            growing_ui(&reply.stream, ui);
        }
        return None;
    };
    remarks_ui(&trial.climb, ui);
    if !trial.climb.repairs().is_empty() {
        ui.add_space(theme::SMALL_GAP);
    }
    let edits = Edits {
        climb: &trial.climb,
        leads: false,
        lit: None,
    };
    repairs_head_ui(&trial.climb, ui);
    repairs_ui(&edits, ui);
    let action = value_ui(trial, state, ui);
    findings_ui(trial, ui);
    action
}

fn waiting_words(run: &RunPhase) -> &'static str {
    match run {
        RunPhase::Running { .. } => "The climb begins when the reply has ended.",
        RunPhase::Failed { .. } => "There is no reply to judge.",
        RunPhase::Idle | RunPhase::Done { .. } => "Run to see which rung holds.",
    }
}

fn value_ui(trial: &Trial, state: &mut PlayState, ui: &mut Ui) -> Option<Action> {
    let value = trial.climb.value()?;
    ui.add_space(theme::GAP - 6.0);
    let action = ui
        .horizontal(|ui| {
            heading(ui, "Value");
            let n = trial.climb.candidates().len();
            if n > 1 {
                pill(ui, &format!("1 of {n} in the reply"), Tone::Warn);
            }
            let copied = icon_button(ui, icons::COPY, "Copy the value").clicked();
            copied.then(|| Action::CopyText(format!("{value:#}")))
        })
        .inner;
    let faults = trial.verdict.as_ref().map_or(&[][..], |it| &it.faults);
    let clicked = tree_ui(&Tree::new(value, &state.folded, faults), ui);
    if let Some(TreeClick::Fold(pointer)) = clicked
        && !state.folded.remove(&pointer)
    {
        state.folded.insert(pointer);
    }
    action
}

fn findings_ui(trial: &Trial, ui: &mut Ui) {
    let show = |title: &str, tone: Tone, findings: &[Finding], ui: &mut Ui| {
        let section = Section {
            title,
            tone,
            findings,
            leads: false,
            lit: None,
        };
        section.show(ui);
    };
    if let Some(verdict) = &trial.verdict {
        let findings = schema_findings(verdict);
        show("Against the schema", Tone::Bad, &findings, ui);
        if verdict.on_repaired && verdict.valid {
            ui.add_space(theme::SMALL_GAP);
            let text = "The verdict is on the repaired value, not on what the model wrote.";
            banner(ui, Tone::Warn, text);
        }
    }
    after_defaults_ui(trial.after_defaults.as_ref(), ui);
    if let Some(correctness) = &trial.correctness {
        let findings = answer_findings(correctness);
        show("Against the right answer", Tone::Bad, &findings, ui);
    }
    let leaks = leak_findings(&trial.leaks);
    show("Copied from the examples", Tone::Warn, &leaks, ui);
    if let Some(thinking) = &trial.climb.thinking {
        ui.add_space(theme::GAP - 6.0);
        heading(ui, "Thought aloud");
        note(ui, thinking.trim());
    }
}
