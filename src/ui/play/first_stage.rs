//! What the model writes freely before the reply: asked for on the left, shown over the reply.

use eframe::egui::{DragValue, Label, RichText, Ui, vec2};

use super::branches::judged_ui;
use super::reply::stop_mark;
use super::{Part, PlayState};
use crate::app::Reply;
use crate::engine::StageDone;
use crate::lab::Trial;
use crate::prompt::{FirstStage, StageKind};
use crate::ui::theme::{self, palette};
use crate::ui::widgets::{Segmented, card, note, toned_pill};

const KINDS: &[(Option<StageKind>, &str)] = &[
    (None, "Nothing"),
    (Some(StageKind::Reason), "Reasoning"),
    (Some(StageKind::Draft), "A draft"),
];

/// Asks for a first stage, or for none.
pub(super) fn first_ui(first: &mut Option<FirstStage>, ui: &mut Ui) {
    note(ui, "Written freely before the reply");
    let mut kind = first.map(|it| it.kind);
    let segments = Segmented::new("Written freely before the reply").stretch();
    if segments.show(ui, &mut kind, KINDS) {
        let max_tokens = first.map_or(120, |it| it.max_tokens);
        *first = kind.map(|kind| FirstStage { kind, max_tokens });
    }
    let Some(first) = first else {
        return;
    };
    ui.horizontal(|ui| {
        note(ui, "at most, in tokens");
        let limit = DragValue::new(&mut first.max_tokens).range(1..=FirstStage::MOST_TOKENS);
        ui.add_sized(vec2(64.0, theme::CONTROL), limit)
            .accessible_name("Tokens before the reply");
    });
    let about = match first.kind {
        StageKind::Reason => "The model is asked to think in its own words, then for the reply.",
        StageKind::Draft => "The model answers as it likes, then is asked for the same as JSON.",
    };
    note(ui, format!("{about} The constraint holds the reply only."));
}

/// Shows what was written before the reply, with its own verdict once the trial is judged.
pub(super) fn written_ui(reply: &Reply, trial: Option<&Trial>, state: &mut PlayState, ui: &mut Ui) {
    let Some(stage) = reply.assembly.staged.as_deref() else {
        if reply.assembly.job.request.first.is_some() && trial.is_none() {
            note(ui, "The first of two stages: the reply comes behind it.");
        }
        return;
    };
    if !state.disclosure(ui, Part::FirstStage, &title(stage)) {
        return;
    }
    card(ui).fill(palette(ui).well).show(ui, |ui| {
        ui.set_width(ui.available_width());
        if let Some(record) = trial.and_then(|it| it.stages.first()) {
            ui.horizontal_wrapped(|ui| {
                let mark = stop_mark(&record.stop, record.stop_detail.as_deref());
                toned_pill(ui, &mark.text, mark.tone).on_hover_text(&mark.help);
                judged_ui(record.rung, record.lamps, ui);
            });
        }
        let text = RichText::new(stage.finish.text.trim()).font(theme::mono(theme::CODE));
        ui.add(Label::new(text).wrap().selectable(true));
    });
    ui.add_space(theme::SMALL_GAP);
}

/// Such as "Reasoning before the reply, 78 tokens".
fn title(stage: &StageDone) -> String {
    let what = match stage.kind {
        StageKind::Reason => "Reasoning",
        StageKind::Draft => "A draft",
    };
    match stage.tokens.len() {
        1 => format!("{what} before the reply, 1 token"),
        n => format!("{what} before the reply, {n} tokens"),
    }
}
