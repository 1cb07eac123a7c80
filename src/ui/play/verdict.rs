//! The right column: lamps and cause, the ladder, the value, and all that was found wrong with it.

use eframe::egui::{Frame, Label, Margin, RichText, Ui};
use serde_json::Value;

use super::PlayState;
use super::judging::judged_by;
use super::ladder::{ladder_ui, rows};
use super::repairs::{remarks_ui, repairs_ui};
use super::value_tree::{Tree, tree_ui};
use crate::app::{Action, Model, RunPhase};
use crate::judge::{Correctness, Fault, Leak, Verdict};
use crate::lab::Trial;
use crate::ui::theme::{self, Tone, icons, palette};
use crate::ui::widgets::{Lamp, Light, banner, heading, icon_button, lamp, note, pill, sentence};

/// Findings of one kind that are listed.
const MAX_ROWS: usize = 20;

/// One thing that is wrong, at its place.
#[derive(Debug, PartialEq)]
struct Finding {
    /// JSON pointer, or the word for the root.
    path: String,
    message: String,
}

pub(super) fn column_ui(model: &Model, state: &mut PlayState, ui: &mut Ui) -> Option<Action> {
    let trial = match &model.run {
        RunPhase::Done { trial, .. } => Some(trial.as_ref()),
        RunPhase::Idle | RunPhase::Running { .. } | RunPhase::Failed { .. } => None,
    };
    heading(ui, "Verdict");
    ui.add_space(2.0);
    lamps_ui(&lamps(trial), ui);
    if let Some(words) = judged_by(model) {
        note(ui, words);
    }
    if let Some(cause) = trial.and_then(|it| it.cause.as_ref()) {
        ui.add_space(2.0);
        banner(ui, Tone::Bad, &sentence(&cause.summary()));
    }
    ui.add_space(theme::GAP - 6.0);
    heading(ui, "Ladder");
    let climb = trial.map(|it| &it.climb);
    ui.scope(|ui| ladder_ui(&rows(climb), ui));
    ui.add_space(theme::SMALL_GAP);
    let Some(trial) = trial else {
        note(ui, waiting_words(&model.run));
        return None;
    };
    remarks_ui(&trial.climb, ui);
    if !trial.climb.repairs.is_empty() {
        ui.add_space(theme::SMALL_GAP);
    }
    repairs_ui(&trial.climb, ui);
    let action = value_ui(trial, state, ui);
    findings_ui(trial, ui);
    action
}

/// All four, unjudged while there is no reply.
pub(super) fn lamps(trial: Option<&Trial>) -> [Lamp; 4] {
    let lamps = trial.map(|it| it.lamps);
    let light = |finding: Option<bool>| match finding {
        Some(true) => Light::Lit,
        Some(false) => Light::Dark,
        None => Light::Unjudged,
    };
    let word = |finding: Option<bool>, yes: &'static str, no: &'static str| match finding {
        Some(true) => yes,
        Some(false) => no,
        None => "not judged",
    };
    let parses = lamps.map(|it| it.parses);
    let schema = lamps.and_then(|it| it.schema);
    let correct = lamps.and_then(|it| it.correct);
    let leak_free = lamps.and_then(|it| it.leak_free);
    [
        Lamp {
            name: "Parses",
            light: light(parses),
            word: word(parses, "yes", "no"),
            help: "Some rung of the ladder yields JSON.",
        },
        Lamp {
            name: "Schema",
            light: light(schema),
            word: word(schema, "valid", "invalid"),
            help: "The value has the shape that the schema asks for.",
        },
        Lamp {
            name: "Correct",
            light: light(correct),
            word: word(correct, "yes", "no"),
            help: "The value agrees with the known answer.",
        },
        Lamp {
            name: "Leak-free",
            light: light(leak_free),
            word: word(leak_free, "yes", "leaks"),
            help: "Nothing was copied from the few-shot examples.",
        },
    ]
}

fn lamps_ui(lamps: &[Lamp], ui: &mut Ui) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let n = lamps.len() as f32;
        let width = (ui.available_width() - 6.0 * (n - 1.0)) / n;
        for it in lamps {
            lamp(ui, it, width.floor());
        }
    });
}

fn waiting_words(run: &RunPhase) -> &'static str {
    match run {
        RunPhase::Running { .. } => "The climb begins when the reply has ended.",
        RunPhase::Failed { .. } => "There is no reply to judge.",
        RunPhase::Idle | RunPhase::Done { .. } => "Run to see which rung holds.",
    }
}

fn value_ui(trial: &Trial, state: &mut PlayState, ui: &mut Ui) -> Option<Action> {
    let value = trial.climb.value.as_ref()?;
    ui.add_space(theme::GAP - 6.0);
    let action = ui
        .horizontal(|ui| {
            heading(ui, "Value");
            let n = trial.climb.candidates.len();
            if n > 1 {
                pill(ui, &format!("1 of {n} in the reply"), Tone::Warn);
            }
            let copied = icon_button(ui, icons::COPY, "Copy the value").clicked();
            copied.then(|| Action::CopyText(format!("{value:#}")))
        })
        .inner;
    let faults = trial.verdict.as_ref().map_or(&[][..], |it| &it.faults);
    let clicked = tree_ui(&Tree::new(value, &state.folded, faults), ui);
    if let Some(pointer) = clicked
        && !state.folded.remove(&pointer)
    {
        state.folded.insert(pointer);
    }
    action
}

fn findings_ui(trial: &Trial, ui: &mut Ui) {
    if let Some(verdict) = &trial.verdict {
        section_ui(
            ui,
            "Against the schema",
            (&schema_findings(verdict), Tone::Bad),
        );
        if verdict.on_repaired && verdict.valid {
            ui.add_space(theme::SMALL_GAP);
            let text = "The verdict is on the repaired value, not on what the model wrote.";
            banner(ui, Tone::Warn, text);
        }
    }
    if let Some(correctness) = &trial.correctness {
        let findings = answer_findings(correctness);
        section_ui(ui, "Against the right answer", (&findings, Tone::Bad));
    }
    let leaks = leak_findings(&trial.leaks);
    section_ui(ui, "Copied from the examples", (&leaks, Tone::Warn));
    if let Some(thinking) = &trial.climb.thinking {
        ui.add_space(theme::GAP - 6.0);
        heading(ui, "Thought aloud");
        note(ui, thinking.trim());
    }
}

fn schema_findings(verdict: &Verdict) -> Vec<Finding> {
    let finding = |it: &Fault| Finding {
        path: place(&it.instance_path),
        message: it.message.clone(),
    };
    verdict.faults.iter().map(finding).collect()
}

fn answer_findings(correctness: &Correctness) -> Vec<Finding> {
    let differences = correctness.differences.iter();
    differences
        .map(|it| {
            let found = it
                .found
                .as_ref()
                .map_or("nothing".to_owned(), Value::to_string);
            let remark = it
                .remark
                .as_ref()
                .map(|it| format!(" ({it})"))
                .unwrap_or_default();
            Finding {
                path: place(&it.path),
                message: format!("is {found}, should be {}{remark}", it.expected),
            }
        })
        .collect()
}

fn leak_findings(leaks: &[Leak]) -> Vec<Finding> {
    let finding = |it: &Leak| Finding {
        path: place(&it.path),
        message: format!("“{}” stands in example {}", it.value, it.example),
    };
    leaks.iter().map(finding).collect()
}

fn place(pointer: &str) -> String {
    if pointer.is_empty() {
        "whole value".to_owned()
    } else {
        pointer.to_owned()
    }
}

/// Draws nothing where nothing was found.
fn section_ui(ui: &mut Ui, title: &str, (findings, tone): (&[Finding], Tone)) {
    if findings.is_empty() {
        return;
    }
    ui.add_space(theme::GAP - 6.0);
    ui.horizontal(|ui| {
        heading(ui, title);
        pill(ui, &findings.len().to_string(), tone);
    });
    for finding in findings.iter().take(MAX_ROWS) {
        finding_ui(finding, tone, ui);
    }
    if findings.len() > MAX_ROWS {
        note(ui, format!("and {} more", findings.len() - MAX_ROWS));
    }
}

fn finding_ui(finding: &Finding, tone: Tone, ui: &mut Ui) {
    let colours = palette(ui);
    let frame = Frame::NONE
        .fill(colours.soft(tone))
        .corner_radius(theme::RADIUS)
        .inner_margin(Margin::symmetric(10, 5));
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = 1.0;
        let path = RichText::new(&finding.path)
            .font(theme::mono(12.0))
            .color(colours.text);
        ui.add(Label::new(path).wrap());
        let message = RichText::new(&finding.message)
            .font(theme::regular(12.0))
            .color(colours.tone(tone));
        ui.add(Label::new(message).wrap());
    });
}
