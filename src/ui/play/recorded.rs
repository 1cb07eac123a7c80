//! A reply from a record: its text, and what the record does not hold.

use eframe::egui::{Label, RichText, Ui};

use crate::app::Reply;
use crate::lab::Trial;
use crate::ui::theme::{self, Tone, palette};
use crate::ui::widgets::{banner, weak};

/// Draws a finished reply that has no tokens to show.
pub(super) fn recorded_ui(trial: &Trial, ui: &mut Ui) {
    if trial.reply.is_empty() {
        weak(ui, "The reply is empty.");
        return;
    }
    let when: String = trial.time.chars().take(16).collect();
    let text = format!(
        "As recorded {} on {}. The record has the text, the rung, the verdict and a summary of the trace, not the single tokens. Run writes the reply anew under the same settings, token by token.",
        when.replace('T', " "),
        trial.model.file
    );
    banner(ui, Tone::Accent, &text);
    ui.add_space(theme::SMALL_GAP);
    let text = RichText::new(&trial.reply)
        .font(theme::mono(theme::REPLY))
        .color(palette(ui).text)
        .line_height(Some(theme::REPLY_ROW));
    ui.add(Label::new(text).wrap().selectable(true));
}

/// The text of a reply, from its tokens or its record.
pub(super) fn text(reply: &Reply, trial: Option<&Trial>) -> String {
    match trial {
        Some(trial) if reply.assembly.tokens.is_empty() => trial.reply.clone(),
        _ => {
            let tokens = reply.assembly.tokens.iter();
            tokens.map(|it| it.text.as_str()).collect()
        }
    }
}
