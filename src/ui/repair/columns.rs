//! The columns beside the reply: verdict and cause, the ladder with its edits, the value with its findings.

use eframe::egui::{Align, Layout, Ui};

use super::diff::diff_ui;
use super::value::value_ui;
use super::{Lit, RepairPart, RepairState, candidates, flags};
use crate::app::{Action, ClimbPhase, MarkKind, Model, Outcome, RepairAction, RepairDesk, report};
use crate::judge::{Advice, Cause, Source};
use crate::ladder::Rung;
use crate::ui::outcome::{
    Edits, Finding, RungRow, Section, answer_findings, cause_ui, ladder_ui, lamps, lamps_ui,
    leak_findings, repairs_head_ui, repairs_ui, rows, schema_findings,
};
use crate::ui::theme::{self, Tone, icons};
use crate::ui::widgets::{banner, disclosure, heading, icon_button, note, quiet_button};

/// With more edits than this their list begins folded; the diff shows them all the same.
const MANY_EDITS: usize = 8;

pub(super) fn verdict_ui(
    model: &Model,
    state: &mut RepairState,
    ui: &mut Ui,
    actions: &mut Vec<Action>,
) {
    let desk = &model.repair;
    ui.horizontal(|ui| {
        ui.set_min_height(theme::CONTROL);
        heading(ui, "Verdict");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if let Some(outcome) = desk.outcome() {
                tools_ui(desk, outcome, ui, actions);
            }
        });
    });
    let outcome = desk.outcome();
    lamps_ui(&lamps(outcome.map(|it| it.judgement.lamps)), ui);
    match (&desk.phase, outcome) {
        (ClimbPhase::Working { .. }, _) => {
            ui.horizontal(|ui| {
                ui.spinner();
                note(ui, "A large reply: it is being climbed.");
            });
        }
        (_, None) => {
            note(ui, "Nothing to judge yet.");
        }
        (_, Some(outcome)) => {
            whole_ui(outcome, ui);
            if let Some(cause) = &outcome.judgement.cause {
                let is_well = outcome.judgement.lamps.are_lit();
                let tone = if is_well { Tone::Warn } else { Tone::Bad };
                cause_ui(Some(cause), tone, ui);
                cause_place_ui(cause, (outcome, state), ui);
            }
        }
    }
}

/// Copy and save, drawn from right to left.
fn tools_ui(desk: &RepairDesk, outcome: &Outcome, ui: &mut Ui, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.x = 4.0;
    let save = quiet_button(ui, icons::PLUS, "Save case")
        .on_hover_text("Adds reply and result to the regression set");
    if save.clicked() {
        actions.push(Action::Repair(RepairAction::SaveCase));
    }
    if icon_button(ui, icons::COPY, "Copy the report").clicked() {
        actions.push(Action::CopyText(report(&desk.draft.reply, outcome)));
    }
}

/// Two things that are easily taken for one.
fn whole_ui(outcome: &Outcome, ui: &mut Ui) {
    let climb = &outcome.climb;
    let text = match (climb.whole_reply_valid, climb.first_object_recoverable) {
        (true, _) => "The whole reply is valid JSON.",
        (false, true) => "Not valid as a whole; an object can be recovered.",
        (false, false) if climb.value().is_some() => {
            "Not valid as a whole; a value can be recovered."
        }
        (false, false) => "Not valid as a whole, and nothing can be recovered.",
    };
    note(ui, text);
}

/// The way to the cause's place, where it has one.
fn cause_place_ui(cause: &Cause, (outcome, state): (&Outcome, &mut RepairState), ui: &mut Ui) {
    let bytes = cause.span.map(|it| it.start..it.end);
    let of_value = cause.path.as_ref().and_then(|it| outcome.places.range(it));
    let Some(bytes) = bytes.or(of_value) else {
        return;
    };
    if quiet_button(ui, icons::ARROW_RIGHT, "Show the cause in the reply").clicked() {
        state.go(Lit {
            bytes: Some(bytes),
            pointer: cause.path.clone(),
            edit: None,
        });
    }
}

pub(super) fn ladder_column_ui(
    model: &Model,
    state: &mut RepairState,
    ui: &mut Ui,
    actions: &mut Vec<Action>,
) {
    ui.horizontal(|ui| {
        ui.set_min_height(theme::CONTROL);
        heading(ui, "Ladder");
    });
    let outcome = model.repair.outcome();
    let rows = leading_rows(outcome);
    let clicked = ui.scope(|ui| ladder_ui(&rows, ui)).inner;
    ui.add_space(theme::SMALL_GAP);
    let Some(outcome) = outcome else {
        if matches!(model.repair.phase, ClimbPhase::Empty) {
            note(ui, "Paste a reply to see which rung holds.");
        }
        return;
    };
    if let Some(number) = clicked {
        go_to_rung(outcome, number, state);
    }
    actions.extend(candidates::candidates_ui(outcome, ui));
    flags::flags_ui(&outcome.climb, ui);
    edits_ui(outcome, state, ui);
    thinking_ui(outcome, state, ui);
}

/// The changed lines, and under them each edit by itself.
fn edits_ui(outcome: &Outcome, state: &mut RepairState, ui: &mut Ui) {
    let n = outcome.climb.repairs().len();
    if n == 0 {
        return;
    }
    ui.add_space(theme::GAP - 6.0);
    repairs_head_ui(&outcome.climb, ui);
    let lit = state.lit.as_ref().and_then(|it| it.edit);
    let mut clicked = diff_ui(&outcome.diff, lit, ui);
    let mut open = state.edits_open.unwrap_or(n <= MANY_EDITS);
    let was_open = open;
    disclosure(ui, &mut open, "Each edit");
    if open != was_open {
        state.edits_open = Some(open);
    }
    let edits = Edits {
        climb: &outcome.climb,
        leads: true,
        lit,
    };
    if open {
        clicked = repairs_ui(&edits, ui).or(clicked);
    }
    if let Some(idx) = clicked
        && let Some(it) = outcome.climb.repairs().get(idx)
    {
        state.go(Lit {
            bytes: Some(it.offset..it.offset + it.before.len()),
            pointer: None,
            edit: Some(idx),
        });
    }
}

fn leading_rows(outcome: Option<&Outcome>) -> Vec<RungRow> {
    let mut rows = rows(outcome.map(|it| &it.climb));
    for row in &mut rows {
        row.leads = true;
    }
    rows
}

fn go_to_rung(outcome: &Outcome, number: u8, state: &mut RepairState) {
    let is_rung = |kind: MarkKind| matches!(kind, MarkKind::Rung(it) if u8::from(it) == number);
    let mark = outcome.marks.iter().find(|it| is_rung(it.kind));
    if let Some(mark) = mark {
        state.go(Lit {
            bytes: Some(mark.bytes.clone()),
            pointer: None,
            edit: None,
        });
    }
}

fn thinking_ui(outcome: &Outcome, state: &mut RepairState, ui: &mut Ui) {
    let Some(thinking) = &outcome.climb.thinking else {
        return;
    };
    ui.add_space(theme::SMALL_GAP);
    if state.disclosure(ui, RepairPart::Thinking, "Thought aloud") {
        note(ui, thinking.trim());
    }
}

pub(super) fn value_column_ui(
    model: &Model,
    state: &mut RepairState,
    ui: &mut Ui,
    actions: &mut Vec<Action>,
) {
    let Some(outcome) = model.repair.outcome() else {
        return;
    };
    actions.extend(value_ui(outcome, state, ui));
    let judgement = &outcome.judgement;
    if let Some(verdict) = &judgement.verdict {
        let mut findings = schema_findings(verdict);
        for (finding, fault) in findings.iter_mut().zip(&outcome.faults) {
            finding.leads_to = Some(fault.instance_path.clone());
        }
        section_ui(
            ("Against the schema", Tone::Bad),
            &findings,
            (outcome, state),
            ui,
        );
        let is_rescued = verdict.on_repaired || outcome.climb.rung == Some(Rung::Repair);
        if is_rescued && verdict.valid {
            ui.add_space(theme::SMALL_GAP);
            let text = "The verdict is on the repaired value, not on what the model wrote.";
            banner(ui, Tone::Warn, text);
        }
    }
    if let Some(correctness) = &judgement.correctness {
        let findings = answer_findings(correctness);
        section_ui(
            ("Against the right answer", Tone::Bad),
            &findings,
            (outcome, state),
            ui,
        );
    }
    let leaks = leak_findings(&judgement.leaks);
    section_ui(
        ("Copied from the examples", Tone::Warn),
        &leaks,
        (outcome, state),
        ui,
    );
    let mixed = mixed_findings(outcome);
    section_ui(("Mixed records", Tone::Warn), &mixed, (outcome, state), ui);
    let invented = invented_findings(outcome);
    section_ui(
        ("Not in the prompt", Tone::Quiet),
        &invented,
        (outcome, state),
        ui,
    );
    advice_ui(&outcome.advice, state, ui);
}

fn section_ui(
    (title, tone): (&str, Tone),
    findings: &[Finding],
    (outcome, state): (&Outcome, &mut RepairState),
    ui: &mut Ui,
) {
    let lit = state.pointer().map(str::to_owned);
    let section = Section {
        title,
        tone,
        findings,
        leads: true,
        lit: lit.as_deref(),
    };
    if let Some(finding) = section.show(ui).and_then(|idx| findings.get(idx)) {
        let pointer = finding.leads_to.as_ref().unwrap_or(&finding.pointer);
        state.go_to_pointer(outcome, pointer);
    }
}

fn mixed_findings(outcome: &Outcome) -> Vec<Finding> {
    let mixed = outcome.judgement.origins.mixed.iter();
    mixed
        .map(|it| Finding {
            pointer: it.path.clone(),
            message: format!(
                "{} from an example, {} from the input",
                it.from_example.join(", "),
                it.from_input.join(", ")
            ),
            ..Finding::default()
        })
        .collect()
}

/// Only where something else was found in the prompt: without an input everything would count as invented.
fn invented_findings(outcome: &Outcome) -> Vec<Finding> {
    let leaves = &outcome.judgement.origins.leaves;
    if !leaves.iter().any(|it| it.source == Source::Input) {
        return Vec::new();
    }
    let invented = leaves.iter().filter(|it| it.source == Source::Invented);
    invented
        .map(|it| Finding {
            pointer: it.path.clone(),
            message: format!("“{}” stands nowhere in the prompt", it.value),
            ..Finding::default()
        })
        .collect()
}

fn advice_ui(advice: &[Advice], state: &mut RepairState, ui: &mut Ui) {
    if advice.is_empty() {
        return;
    }
    ui.add_space(theme::GAP - 6.0);
    let name = format!("Advice on the schema ({})", advice.len());
    if !state.disclosure(ui, RepairPart::Advice, &name) {
        return;
    }
    ui.indent("advice", |ui| {
        for it in advice {
            let place = if it.pointer.is_empty() {
                "root"
            } else {
                &it.pointer
            };
            note(ui, format!("{place}: {}", it.message));
        }
    });
}
