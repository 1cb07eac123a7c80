//! Measuring this machine: the button, how far it is, the rates, and what follows from them.

use eframe::egui::{Align, Grid, Layout, ProgressBar, Response, RichText, Ui};

use crate::app::{Action, MachineAction, Measuring, Model, measure_obstacle};
use crate::engine::{Measurement, Speed};
use crate::ui::theme::{self, icons, palette};
use crate::ui::widgets::{icon_button, note, quiet_button};

/// What the usual batch is; another one has to be asked for.
const USUAL: u32 = crate::gguf::BATCH;

/// A row of the table of rates.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rate {
    what: String,
    reading: String,
    writing: String,
    is_best: bool,
}

pub(super) fn measuring_ui(model: &Model, ui: &mut Ui) -> Option<Action> {
    if let Measuring::Running {
        n_done,
        n_total,
        rows,
        ..
    } = &model.machine.measuring
    {
        let cancelled = running_ui((*n_done, *n_total), ui);
        rates_ui(
            &rows.iter().map(|it| rate(it, None)).collect::<Vec<_>>(),
            ui,
        );
        return cancelled.then_some(Action::Machine(MachineAction::Cancel));
    }
    let mut action = button_ui(model, ui).then_some(Action::Machine(MachineAction::Measure));
    if let Measuring::Failed { message } = &model.machine.measuring {
        note(ui, format!("It could not be measured: {message}"));
    }
    if let Some(measured) = model.measured() {
        rates_ui(&rates(measured), ui);
        note(ui, verdict(measured));
        let offered = offer(measured, model.settings.load.n_batch);
        if let Some((n_batch, text)) = offered
            && quiet_button(ui, icons::STACK, &text)
                .on_hover_text("Rounding depends on it, so replies can differ in rare cases.")
                .clicked()
        {
            action = Some(Action::Machine(MachineAction::TakeBatch(n_batch)));
        }
    }
    action
}

fn button_ui(model: &Model, ui: &mut Ui) -> bool {
    let obstacle = measure_obstacle(model);
    let button = |ui: &mut Ui| -> Response {
        quiet_button(ui, icons::GAUGE, "Measure this machine")
            .on_hover_text("Finds the best thread count for the loaded model; takes some seconds.")
    };
    ui.add_enabled_ui(obstacle.is_none(), button)
        .inner
        .on_disabled_hover_text(obstacle.unwrap_or_default())
        .clicked()
}

fn running_ui((n_done, n_total): (u32, u32), ui: &mut Ui) -> bool {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let cancelled = icon_button(ui, icons::X, "Cancel measuring").clicked();
        let text = match n_total {
            0 => "Measuring".to_owned(),
            n_total => format!("Measuring: {n_done} of {n_total}"),
        };
        let bar = ProgressBar::new(n_done as f32 / n_total.max(1) as f32)
            .desired_height(theme::CONTROL)
            .corner_radius(theme::RADIUS)
            .fill(palette(ui).accent_soft)
            .text(RichText::new(&text).font(theme::medium(12.0)));
        ui.add(bar).accessible_name(&text);
        cancelled
    })
    .inner
}

fn rates(measured: &Measurement) -> Vec<Rate> {
    let threads = measured.threads.iter();
    let threads = threads.map(|it| rate(it, Some(measured.n_threads)));
    threads.collect()
}

fn rate(speed: &Speed, best: Option<u32>) -> Rate {
    let what = if speed.decode.is_none() {
        format!("{} tokens at once", speed.n_batch)
    } else if speed.n_threads == 1 {
        "1 thread".to_owned()
    } else {
        format!("{} threads", speed.n_threads)
    };
    Rate {
        what,
        reading: format!("{:.0}", speed.prefill),
        writing: speed.decode.map_or(String::new(), |it| format!("{it:.1}")),
        is_best: best == Some(speed.n_threads),
    }
}

fn rates_ui(rates: &[Rate], ui: &mut Ui) {
    if rates.is_empty() {
        return;
    }
    let colours = palette(ui);
    ui.horizontal(|ui| {
        ui.add_space(10.0);
        Grid::new("rates")
            .num_columns(4)
            .spacing([18.0, 3.0])
            .show(ui, |ui| {
                for head in ["", "Reading, tokens/s", "Writing, tokens/s", ""] {
                    let text = RichText::new(head).font(theme::regular(theme::SMALL));
                    ui.label(text.color(colours.weak));
                }
                ui.end_row();
                for it in rates {
                    let font = if it.is_best {
                        theme::semibold(theme::SMALL)
                    } else {
                        theme::regular(theme::SMALL)
                    };
                    let text = |text: &str| RichText::new(text).font(font.clone());
                    ui.label(text(&it.what));
                    for number in [&it.reading, &it.writing] {
                        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                            ui.label(text(number));
                        });
                    }
                    ui.label(text(if it.is_best { "best" } else { "" }).color(colours.good));
                    ui.end_row();
                }
            });
    });
}

fn verdict(measured: &Measurement) -> String {
    let n = measured.n_threads;
    let threads = if n == 1 {
        "1 thread is".to_owned()
    } else {
        format!("{n} threads are")
    };
    format!(
        "{threads} best for {} on {}. Set under Threads; counts from the next load on.",
        measured.model, measured.device
    )
}

/// Another batch than the one that is set, and what to call it; none where the one that is set is best.
fn offer(measured: &Measurement, n_batch: u32) -> Option<(u32, String)> {
    let now = if n_batch == 0 { USUAL } else { n_batch };
    let best = measured.n_batch;
    let rate = |n: u32| measured.batches.iter().find(|it| it.n_batch == n);
    let gain = rate(best)?.prefill / rate(now)?.prefill - 1.0;
    let text = format!("Read {best} tokens at once: {:.0} % faster", gain * 100.0);
    (best != now && gain > 0.0).then_some((best, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(n_batch: u32) -> Measurement {
        let batch = |n_batch, prefill| Speed {
            n_threads: 2,
            n_batch,
            prefill,
            decode: None,
        };
        Measurement {
            batches: vec![batch(64, 100.0), batch(512, 125.0)],
            n_threads: 2,
            n_batch,
            ..Measurement::default()
        }
    }

    #[test]
    fn a_better_batch_is_offered_with_what_it_brings() {
        let text = "Read 512 tokens at once: 25 % faster".to_owned();
        assert_eq!(offer(&measured(512), 0), Some((512, text)));
    }

    #[test]
    fn the_batch_that_is_set_is_not_offered() {
        assert_eq!(offer(&measured(64), 0), None);
        assert_eq!(offer(&measured(512), 512), None);
    }

    #[test]
    fn a_batch_that_was_not_measured_is_not_compared() {
        assert_eq!(offer(&measured(512), 100), None);
    }
}
