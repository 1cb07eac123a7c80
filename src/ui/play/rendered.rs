//! The prompt as the model reads it, with what is pointed at in it.

use std::ops::Range;

use eframe::egui::text::{LayoutJob, TextFormat};
use eframe::egui::{Align, Label, ScrollArea, Sense, TextWrapMode, Ui};

use super::inspector::prompt_bytes;
use super::{Part, PlayState};
use crate::app::Model;
use crate::engine::PromptView;
use crate::ui::theme::{self, palette};
use crate::ui::widgets::{card, note};

/// Height of the box that the text scrolls in.
const HEIGHT: f32 = 260.0;

pub(super) fn rendered_ui(model: &Model, state: &mut PlayState, ui: &mut Ui) {
    if !state.disclosure(ui, Part::RenderedPrompt, "Rendered prompt") {
        state.pointed = None;
        return;
    }
    let Some((view, pointed)) = shown(model, state) else {
        note(
            ui,
            "Not known yet: it is rendered by the model's own template.",
        );
        return;
    };
    if pointed.is_some() && is_other(model, view) {
        note(
            ui,
            "As it was for the reply that is shown; the draft has moved on.",
        );
    }
    card(ui).fill(palette(ui).well).show(ui, |ui| {
        ui.set_width(ui.available_width());
        if pointed.is_some() {
            // One scroll bar less, so that the place can be brought into sight.
            text_ui(ui, &view.rendered, pointed, &mut state.seek_pointed);
            return;
        }
        let prefill = &model.draft.prompt.prefill;
        let prefill = Some(prefill).filter(|it| !it.is_empty());
        let own = prefill.and_then(|it| view.rendered.strip_suffix(it.as_str()));
        ScrollArea::vertical()
            .id_salt("rendered")
            .max_height(HEIGHT)
            .show(ui, |ui| {
                ui.set_width(ui.available_width());
                match own {
                    Some(own) => prefilled_ui(ui, &view.rendered, own.len()),
                    None => text_ui(ui, &view.rendered, None, &mut false),
                }
            });
        if own.is_some() {
            note(ui, "Marked: the prefill, behind which the reply goes on.");
        }
    });
}

/// The shown reply's prompt while something in it is pointed at, else that of the draft.
fn shown<'a>(
    model: &'a Model,
    state: &PlayState,
) -> Option<(&'a PromptView, Option<Range<usize>>)> {
    if let (Some(tokens), Some(Ok(view)), true) =
        (&state.pointed, &model.preview.shown, state.points_at_draft)
    {
        return Some((view, prompt_bytes(&view.ends, tokens)));
    }
    if let (Some(tokens), Some(reply)) = (&state.pointed, model.reply()) {
        let view = &reply.assembly.view;
        return Some((view, prompt_bytes(&view.ends, tokens)));
    }
    match &model.preview.shown {
        Some(Ok(view)) => Some((view, None)),
        _ => None,
    }
}

fn is_other(model: &Model, view: &PromptView) -> bool {
    match &model.preview.shown {
        Some(Ok(draft)) => draft.rendered != view.rendered,
        _ => true,
    }
}

/// The prompt with the prefill, which begins at `start`, in a colour of its own.
fn prefilled_ui(ui: &mut Ui, text: &str, start: usize) {
    let colours = palette(ui);
    let plain = TextFormat::simple(theme::mono(12.0), colours.weak);
    let prefill = TextFormat {
        color: colours.accent,
        background: colours.accent_soft,
        ..plain.clone()
    };
    let mut job = LayoutJob::default();
    job.wrap.max_width = ui.available_width();
    job.append(&text[..start], 0.0, plain);
    job.append(&text[start..], 0.0, prefill);
    ui.add(Label::new(job).wrap().selectable(true));
}

fn text_ui(ui: &mut Ui, text: &str, pointed: Option<Range<usize>>, seek: &mut bool) {
    let colours = palette(ui);
    let plain = TextFormat::simple(theme::mono(12.0), colours.weak);
    let mut job = LayoutJob::default();
    job.wrap.max_width = ui.available_width();
    let Some(range) = pointed.and_then(|it| on_characters(text, it)) else {
        job.append(text, 0.0, plain);
        ui.add(Label::new(job).wrap().selectable(true));
        return;
    };
    let marked = TextFormat {
        color: colours.text,
        background: colours.pointed,
        ..plain.clone()
    };
    job.append(&text[..range.start], 0.0, plain.clone());
    job.append(&text[range.clone()], 0.0, marked);
    job.append(&text[range.end..], 0.0, plain);
    let n_before = text[..range.start].chars().count();
    let galley = ui.fonts_mut(|it| it.layout_job(job));
    let place = galley.pos_from_cursor(eframe::egui::text::CCursor::new(n_before));
    let label = Label::new(galley)
        .wrap_mode(TextWrapMode::Wrap)
        .sense(Sense::hover());
    let response = ui.add(label);
    let name = format!("Pointed at: {}", &text[range]);
    ui.interact(
        place
            .translate(response.rect.left_top().to_vec2())
            .expand(4.0),
        ui.scope_id().with("pointed"),
        Sense::hover(),
    )
    .widget_info(|| eframe::egui::WidgetInfo::labeled(eframe::egui::Role::Label, true, &name));
    if std::mem::take(seek) {
        let place = place.translate(response.rect.left_top().to_vec2());
        ui.scroll_to_rect(place.expand(30.0), Some(Align::Center));
    }
}

/// A token may begin within a character: the whole of it is marked then.
fn on_characters(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let start = text.floor_char_boundary(range.start);
    let end = text.ceil_char_boundary(range.end.min(text.len()));
    (start < end).then_some(start..end)
}
