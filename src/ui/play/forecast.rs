//! The forecast: which tokens of the expected answer the n-gram ban forbids, before anything is run.

use eframe::egui::{Button, RichText, ScrollArea, Ui, vec2};

use super::{Part, PlayState};
use crate::app::Model;
use crate::prompt::{Forecast, ForecastBan};
use crate::sampling::Knob;
use crate::ui::theme::{self, Tone, palette};
use crate::ui::tokens::visible;
use crate::ui::widgets::{banner, note, sentence};

/// Height of the list.
const HEIGHT: f32 = 150.0;

/// One token that cannot be written.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BanRow {
    pub(super) text: String,
    /// Where the run stands already: in the prompt, or none where the reply itself writes it first.
    pub(super) prompt: Option<std::ops::Range<usize>>,
}

pub(super) fn ban_rows(forecast: &Forecast) -> Vec<BanRow> {
    let row = |it: &ForecastBan, in_prompt: bool| {
        let place = it.earlier.start as usize..it.earlier.end as usize;
        BanRow {
            text: format!("`{}` behind `{}`", visible(&it.text), before(it)),
            prompt: in_prompt.then_some(place),
        }
    };
    let by_prompt = forecast.banned.iter().map(|it| row(it, true));
    let by_reply = forecast.banned_by_reply.iter().map(|it| row(it, false));
    by_prompt.chain(by_reply).collect()
}

/// Draws nothing without a ban.
pub(super) fn forecast_ui(model: &Model, state: &mut PlayState, ui: &mut Ui) {
    let Some(forecast) = &model.preview.forecast else {
        return;
    };
    if forecast.size != model.draft.knobs.count(Knob::NoRepeatNgramSize) {
        return;
    }
    let n = forecast.banned.len() + forecast.banned_by_reply.len();
    let mut text = sentence(&format!("forecast: {}", forecast.sentence()));
    if let Some(more) = forecast.reply_sentence() {
        text.push(' ');
        text.push_str(&sentence(&more));
    }
    if let Some(more) = forecast.elsewhere_sentence() {
        text.push(' ');
        text.push_str(&sentence(&more));
    }
    let tone = if n > 0 { Tone::Warn } else { Tone::Good };
    banner(ui, tone, &text);
    if n == 0 || !state.disclosure(ui, Part::Forecast, "Which tokens") {
        return;
    }
    ScrollArea::vertical()
        .id_salt("forecast")
        .max_height(HEIGHT)
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for row in ban_rows(forecast) {
                row_ui(&row, state, ui);
            }
        });
}

fn row_ui(row: &BanRow, state: &mut PlayState, ui: &mut Ui) {
    let text = RichText::new(&row.text).font(theme::mono(11.5));
    let Some(place) = &row.prompt else {
        note(
            ui,
            format!("{}: the reply's own first use bans it", row.text),
        );
        return;
    };
    let button = Button::new(text.color(palette(ui).text))
        .frame_when_inactive(false)
        .truncate()
        .min_size(vec2(ui.available_width(), 22.0));
    let response = ui.add(button).on_hover_text("Show it in the prompt");
    if response.clicked() {
        state.point_at_prompt(place.clone());
        state.points_at_draft = true;
    }
}

/// The run without its last token.
fn before(it: &ForecastBan) -> String {
    visible(it.run.strip_suffix(it.text.as_str()).unwrap_or(&it.run))
}
