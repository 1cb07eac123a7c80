//! A second run beside the shown one: what flipped each way, the flipped cases, and what was set otherwise.

use eframe::egui::{Button, Label, RichText, ScrollArea, Ui, vec2};

use super::copied::table;
use crate::app::{BenchAction, Model, RunsAction, Second, Shown};
use crate::lab::{Measure, Trial, TwoRuns};
use crate::ui::theme::{self, icons, palette};
use crate::ui::widgets::{Entry, Rows, caption, icon_button, note, picker};

const ROW: f32 = 25.0;
/// More flips scroll within their own list, so that what stands below stays near.
const MOST_HEIGHT: f32 = 10.0 * ROW;
/// Replies of only one run that are named.
const MAX_ALONE: usize = 20;

/// Chooses the second run.
pub(super) fn choose_ui(
    (model, shown): (&Model, &Shown),
    ui: &mut Ui,
    push: &mut dyn FnMut(BenchAction),
) {
    let others = model.bench.experiments.iter();
    let others: Vec<_> = others.filter(|it| it.folder != shown.folder).collect();
    if others.is_empty() {
        return;
    }
    let about: Vec<String> = others
        .iter()
        .map(|it| {
            let name = it.folder.file_name().unwrap_or_default();
            format!("{}, {} replies", name.to_string_lossy(), it.n_trials)
        })
        .collect();
    let chosen = shown.second.as_ref().map(|it| &it.folder);
    let titles: Vec<String> = others
        .iter()
        .zip(&about)
        .map(|(it, about)| format!("{} · {}", about.get(..16).unwrap_or(about), it.title))
        .collect();
    let entries: Vec<Entry<'_>> = others
        .iter()
        .zip(titles.iter().zip(&about))
        .map(|(it, (title, about))| Entry {
            title,
            about,
            chosen: Some(&it.folder) == chosen,
        })
        .collect();
    let picked = picker(ui, "Compare with", "Compare with", &entries);
    if let Some(other) = picked.and_then(|it| others.get(it)) {
        let folder = other.folder.clone();
        push(BenchAction::Runs(RunsAction::Compare(folder)));
    }
}

/// Draws nothing without a second run.
pub(super) fn runs_ui(shown: &Shown, ui: &mut Ui, push: &mut dyn FnMut(BenchAction)) {
    let Some(second) = shown.second.as_deref() else {
        return;
    };
    let title = RichText::new(format!("Against {}", called(second)));
    let title = title.font(theme::semibold(theme::TITLE));
    ui.horizontal(|ui| {
        ui.scope(|ui| {
            ui.set_max_width((ui.available_width() - theme::CONTROL - theme::GAP).max(0.0));
            ui.add(Label::new(title).truncate());
        });
        if icon_button(ui, icons::X, "Let go of the second run").clicked() {
            push(BenchAction::Runs(RunsAction::Close));
        }
    });
    let runs = &second.runs;
    note(ui, head(runs));
    if runs.pairs.is_empty() {
        note(
            ui,
            "No question is in both runs: they must share task, input, prompt style, preset, seed and model.",
        );
    } else {
        counts_ui(runs, ui);
        flips_ui((shown, second), ui, push);
    }
    if !runs.differences.is_empty() {
        ui.add_space(theme::SMALL_GAP);
        caption(ui, "What was set otherwise");
        table(
            ("run differences", ui),
            &["setting", "the other run", "this run"],
            runs.differences.iter().map(|it| {
                let name = match it.preset.as_str() {
                    "" => it.name.clone(),
                    preset => format!("{preset}: {}", it.name),
                };
                vec![name, it.reference.clone(), it.other.clone()]
            }),
        );
    }
    alone_ui((shown, second), ui);
    ui.add_space(theme::GAP);
}

/// The second run by its title and its time.
pub(super) fn called(second: &Second) -> String {
    let name = second.folder.file_name().unwrap_or_default();
    let name = name.to_string_lossy();
    let time: String = name.chars().take(16).collect();
    format!("{} ({time})", second.title)
}

fn head(runs: &TwoRuns) -> String {
    let prompts = match runs.n_other_prompt {
        0 => String::new(),
        n => format!(" {n} were asked with another prompt."),
    };
    format!(
        "{} pairs of replies to the same question, {} of them the same text.{prompts}",
        runs.pairs.len(),
        runs.n_same_text
    )
}

fn counts_ui(runs: &TwoRuns, ui: &mut Ui) {
    table(
        ("flips", ui),
        &["measure", "lost", "won", "same", "p", ""],
        Measure::ALL.into_iter().map(|measure| {
            let pairs = runs.of_measure(measure);
            vec![
                measure.label().to_owned(),
                pairs.n_lost.to_string(),
                pairs.n_won.to_string(),
                pairs.n_same.to_string(),
                p_words(pairs.p()),
                pairs.decision().words().to_owned(),
            ]
        }),
    );
    note(
        ui,
        "Lost: only the other run got it right. Won: only this one did. p is exact (McNemar).",
    );
}

fn p_words(p: f64) -> String {
    if p < 0.001 {
        "< 0.001".to_owned()
    } else {
        format!("{p:.3}")
    }
}

fn flips_ui((shown, second): (&Shown, &Second), ui: &mut Ui, push: &mut dyn FnMut(BenchAction)) {
    let listed = second.listed();
    ui.add_space(theme::SMALL_GAP);
    caption(
        ui,
        &format!("Flipped: {}, {}", shown.measure.label(), listed.len()),
    );
    let rows = Rows {
        n: listed.len(),
        height: ROW,
    };
    let mut draw = |ui: &mut Ui, nth: usize| {
        let idx = listed[nth];
        let flip = &second.runs.flips[idx];
        let Some(trial) = shown.trials.get(flip.pair[1]) else {
            return;
        };
        let is_won = flip.turn(shown.measure).is_some_and(|it| it.is_won);
        if row_ui(trial, (is_won, second.picked == Some(idx)), ui) {
            push(BenchAction::Runs(RunsAction::Pick(idx)));
        }
    };
    ScrollArea::vertical()
        .id_salt("flipped replies")
        .max_height(MOST_HEIGHT)
        .show(ui, |ui| rows.show(ui, &mut draw));
}

fn row_ui(trial: &Trial, (is_won, is_picked): (bool, bool), ui: &mut Ui) -> bool {
    let colours = palette(ui);
    let (word, sign, color) = if is_won {
        ("won", icons::CHECK, colours.good)
    } else {
        ("lost", icons::X, colours.bad)
    };
    let asked = asked(trial);
    let line: String = trial.input_text.chars().take(80).collect();
    let sign = RichText::new(sign).color(color);
    let text = RichText::new(format!("{word}  {asked}  {line}"))
        .font(theme::regular(theme::SMALL))
        .color(colours.text);
    let button = Button::selectable(is_picked, (sign, text))
        .right_text("")
        .truncate()
        .min_size(vec2(ui.available_width(), ROW - 1.0));
    ui.add(button)
        .accessible_name(format!("Flip: {word} {asked}"))
        .on_hover_text(&trial.input_text)
        .clicked()
}

/// Preset, task, input and style.
pub(super) fn asked(trial: &Trial) -> String {
    let preset = trial.preset.get("name").and_then(|it| it.as_str());
    let number = trial.input.map_or(String::new(), |it| (it + 1).to_string());
    format!(
        "{} · {} {number} · {}",
        preset.unwrap_or_default(),
        trial.task,
        trial.style.label()
    )
}

fn alone_ui((shown, second): (&Shown, &Second), ui: &mut Ui) {
    let sides = [
        ("Only in the other run", &second.trials),
        ("Only in this run", &shown.trials),
    ];
    for ((title, trials), alone) in sides.into_iter().zip(&second.runs.alone) {
        if alone.is_empty() {
            continue;
        }
        ui.add_space(theme::SMALL_GAP);
        caption(ui, &format!("{title}: {}", alone.len()));
        let named = alone.iter().take(MAX_ALONE);
        let named: Vec<String> = named
            .filter_map(|it| trials.get(*it))
            .map(|it| asked(it))
            .collect();
        let more = if alone.len() > MAX_ALONE { ", …" } else { "" };
        note(ui, format!("{}{more}", named.join(", ")));
    }
}
