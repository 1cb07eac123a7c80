//! Where a text stops, marked in it, and what could follow there in words.

use eframe::egui::text::{LayoutJob, TextFormat};
use eframe::egui::{Label, Stroke, Ui};

use crate::constraint::Following;
use crate::ui::theme::{self, palette};
use crate::ui::tokens::{grouped, visible};

/// Characters that are shown before and behind the place.
const AROUND: usize = 48;

/// The text around the place where it stops.
pub(super) fn stop_ui(ui: &mut Ui, text: &str, n_taken: usize) {
    let colours = palette(ui);
    let (taken, rest) = text.split_at(text.floor_char_boundary(n_taken));
    let n_skipped = taken.chars().count().saturating_sub(AROUND);
    let shown: String = taken.chars().skip(n_skipped).collect();
    let mut chars = rest.chars();
    let stopped: String = chars.next().into_iter().collect();
    let behind: String = chars.by_ref().take(AROUND).collect();
    let plain = |color| TextFormat::simple(theme::mono(12.0), color);
    let mut job = LayoutJob::default();
    if n_skipped > 0 {
        job.append("…", 0.0, plain(colours.faint));
    }
    job.append(&visible(&shown), 0.0, plain(colours.good));
    let marked = TextFormat {
        color: colours.text,
        background: colours.bad_soft,
        underline: Stroke::new(1.5, colours.bad),
        ..plain(colours.text)
    };
    let sign = if stopped.is_empty() {
        "▏".to_owned()
    } else {
        visible(&stopped)
    };
    job.append(&sign, 0.0, marked);
    job.append(&visible(&behind), 0.0, plain(colours.faint));
    if chars.next().is_some() {
        job.append("…", 0.0, plain(colours.faint));
    }
    ui.add(Label::new(job).wrap());
}

/// Where a text stops: after all of it, or at which character.
pub(super) fn stop_words(text: &str, n_taken: usize) -> String {
    let taken = text.get(..n_taken).unwrap_or(text);
    if taken.len() == text.len() {
        return "The text ends too early.".to_owned();
    }
    let n_chars = taken.chars().count() + 1;
    match taken.matches('\n').count() {
        0 => format!("Stopped at character {n_chars}."),
        n => {
            let line = taken.rsplit('\n').next().unwrap_or_default();
            let column = line.chars().count() + 1;
            format!("Stopped at line {}, column {column}.", n + 1)
        }
    }
}

/// What may follow, in a sentence.
pub(super) fn following_words(following: &Following) -> String {
    let mut parts = following.terminals.clone();
    if !following.characters.is_empty() {
        parts.push(following.characters.to_string());
    }
    if following.may_end {
        parts.push("the end".to_owned());
    }
    if parts.is_empty() {
        return "Nothing could follow there.".to_owned();
    }
    format!("Could follow there: {}.", parts.join(", or "))
}

/// A count of tokens in words.
pub(super) fn tokens_words(n: u32) -> String {
    match n {
        1 => "1 legal token".to_owned(),
        n => format!("{} legal tokens", grouped(n)),
    }
}
