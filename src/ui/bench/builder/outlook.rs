//! What the plan in the making comes to, before it is run.

use eframe::egui::Ui;

use super::whole_faults;
use crate::app::{BuildAction, Model, ModelOutlook, Outlook};
use crate::ui::theme::{self, Tone, icons};
use crate::ui::widgets::{banner, card, heading, note, primary_button, quiet_button};

pub(super) fn outlook_ui(model: &Model, ui: &mut Ui, wishes: &mut Vec<BuildAction>) {
    let outlook = &model.bench.builder.outlook;
    card(ui).show(ui, |ui| {
        ui.set_width(ui.available_width());
        if outlook.plan.is_some() {
            heading(ui, &head(outlook));
            for it in &outlook.models {
                note(ui, line(it, outlook.n_cells));
            }
        } else {
            heading(ui, "Not ready yet");
            let n = outlook.faults.len();
            let text = match n {
                1 => "One thing is to be mended; it is marked below.".to_owned(),
                n => format!("{n} things are to be mended; they are marked below."),
            };
            note(ui, text);
        }
        for fault in whole_faults(model) {
            banner(ui, Tone::Bad, &fault.text);
        }
        ui.add_space(theme::SMALL_GAP);
        buttons_ui(model, ui, wishes);
    });
}

fn buttons_ui(model: &Model, ui: &mut Ui, wishes: &mut Vec<BuildAction>) {
    let outlook = &model.bench.builder.outlook;
    let obstacle = obstacle(model);
    ui.horizontal_wrapped(|ui| {
        let run = ui.add_enabled_ui(obstacle.is_none() && outlook.plan.is_some(), |ui| {
            primary_button(ui, icons::PLAY, "Run this plan")
        });
        if run.inner.clicked() {
            wishes.push(BuildAction::Run);
        }
        let save = ui.add_enabled_ui(outlook.plan.is_some(), |ui| {
            quiet_button(ui, icons::STACK, "Save plan")
                .on_hover_text("Puts it among the plans, as a file in the data folder")
        });
        if save.inner.clicked() {
            wishes.push(BuildAction::Save);
        }
        if let Some(text) = obstacle.filter(|_| outlook.plan.is_some()) {
            note(ui, text);
        }
    });
}

/// Why a plan that is whole cannot be run now.
fn obstacle(model: &Model) -> Option<&'static str> {
    if model.bench.running.is_some() {
        Some("An experiment is running")
    } else if model.is_running() {
        Some("A reply is running")
    } else if model.bench.builder.outlook.models.is_empty() {
        Some("Open a model first, or tick one")
    } else {
        None
    }
}

/// Replies, tokens and time over all models.
pub(super) fn head(outlook: &Outlook) -> String {
    let n = outlook.n_replies();
    let most = outlook.most_tokens * outlook.models.len().max(1) as u64;
    let replies = if n == 1 { "reply" } else { "replies" };
    let rest = match outlook.expected() {
        Some((tokens, seconds)) => {
            format!("about {} tokens and {}", rounded(tokens), duration(seconds))
        }
        None => "time not known yet".to_owned(),
    };
    format!("{n} {replies}, at most {most} tokens; {rest}")
}

fn line(it: &ModelOutlook, n_cells: usize) -> String {
    match &it.estimate {
        Some(known) => format!(
            "{}: {n_cells} replies in about {}, from {} earlier replies at {:.0} tokens/s",
            it.title,
            duration(known.seconds),
            known.n_past,
            known.tokens_per_second
        ),
        None => format!(
            "{}: {n_cells} replies; how long is not known before its first replies",
            it.title
        ),
    }
}

/// Two digits are all that an estimate is worth.
fn rounded(n: f64) -> String {
    if n < 10.0 {
        return format!("{n:.0}");
    }
    let unit = 10_f64.powf(n.log10().floor() - 1.0);
    format!("{:.0}", (n / unit).round() * unit)
}

fn duration(seconds: f64) -> String {
    if seconds < 90.0 {
        format!("{} s", rounded(seconds))
    } else if seconds < 600.0 {
        format!("{:.1} min", seconds / 60.0)
    } else if seconds < 5_400.0 {
        format!("{} min", rounded(seconds / 60.0))
    } else {
        format!("{:.1} h", seconds / 3_600.0)
    }
}
