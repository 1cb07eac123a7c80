//! The prompt: its texts, and how the model will read them.

use eframe::egui::{Align, Layout, Ui};

use super::{Part, PlayState, examples, forecast, rendered, task};
use crate::app::{Action, Model};
use crate::prompt::{TemplateChoice, is_template_failure};
use crate::ui::theme::{Tone, icons};
use crate::ui::widgets::{
    Field, banner, banner_with, heading, icon_button, pill, pill_with_icon, quiet_button, sentence,
};

/// The row that stays in sight when the rest is folded.
pub(super) fn head_ui(model: &Model, state: &mut PlayState, ui: &mut Ui) -> Option<Action> {
    ui.horizontal(|ui| {
        heading(ui, "Prompt");
        match &model.preview.shown {
            Some(Ok(view)) => {
                pill(ui, &format!("{} tokens", view.tokens.len()), Tone::Quiet)
                    .on_hover_text("What the model will read, counted by its own vocabulary.");
                if state.is_open(Part::FoldedPrompt) && !view.warnings.is_empty() {
                    pill_with_icon(ui, icons::WARNING, "warning", Tone::Warn)
                        .on_hover_text(view.warnings.join("\n"));
                }
            }
            Some(Err(_)) => {
                pill(ui, "cannot be rendered", Tone::Bad);
            }
            None => {}
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            ui.add_space(2.0);
            let is_folded = state.is_open(Part::FoldedPrompt);
            let (sign, name) = if is_folded {
                (icons::CARET_DOWN, "Unfold the prompt")
            } else {
                (icons::CARET_UP, "Fold the prompt")
            };
            if icon_button(ui, sign, name).clicked() {
                state.set_open(Part::FoldedPrompt, !is_folded);
            }
            let Some(Ok(view)) = &model.preview.shown else {
                return None;
            };
            let copied = icon_button(ui, icons::COPY, "Copy the rendered prompt").clicked();
            copied.then(|| Action::CopyText(view.rendered.clone()))
        })
        .inner
    })
    .inner
}

pub(super) fn prompt_ui(model: &mut Model, state: &mut PlayState, ui: &mut Ui) -> Option<Action> {
    ui.spacing_mut().item_spacing.y = 8.0;
    let mut action = match &model.preview.shown {
        Some(Err(message)) => trouble_ui(message, model.draft.prompt.template, ui),
        Some(Ok(view)) => {
            for warning in &view.warnings {
                banner(ui, Tone::Warn, &sentence(warning));
            }
            None
        }
        None => None,
    };
    action = task::task_ui(model, ui).or(action);
    let prompt = &mut model.draft.prompt;
    if Field::new("Input")
        .rows(2)
        .focus(std::mem::take(&mut state.focus_input))
        .show(ui, &mut prompt.input)
    {
        model.draft.input = None;
    }
    Field::new("Instruction")
        .rows(1)
        .show(ui, &mut prompt.instruction);
    action = examples::examples_ui(model, state, ui).or(action);
    more_ui(model, state, ui);
    forecast::forecast_ui(model, state, ui);
    rendered::rendered_ui(model, state, ui);
    action
}

/// A template that fails is the model's fault, and there is a way round it; other faults have none here.
fn trouble_ui(message: &str, template: TemplateChoice, ui: &mut Ui) -> Option<Action> {
    let text = format!("The prompt cannot be rendered: {message}");
    if template == TemplateChoice::ChatMl || !is_template_failure(message) {
        banner(ui, Tone::Bad, &text);
        return None;
    }
    let wants_chatml = banner_with(ui, Tone::Bad, &text, |ui| {
        quiet_button(ui, icons::ARROW_RIGHT, "Use ChatML instead").clicked()
    });
    wants_chatml.then_some(Action::UseChatMl)
}

fn more_ui(model: &mut Model, state: &mut PlayState, ui: &mut Ui) {
    let prompt = &mut model.draft.prompt;
    let name = "System message and reply's beginning";
    if state.disclosure(ui, Part::MoreTexts, name) {
        Field::new("System message").show(ui, &mut prompt.system);
        Field::new("Reply begins with")
            .hint("Such as {")
            .code()
            .show(ui, &mut prompt.prefill);
    }
}
