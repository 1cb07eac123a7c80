//! How the next model is loaded: device, context, threads, batch, layers on the GPU, flash attention, memory.

use eframe::egui::{Align, DragValue, Layout, Ui};

use super::device_choice::device_choice_ui;
use super::measuring::measuring_ui;
use crate::app::{Action, Model};
use crate::engine::{FlashAttention, LoadSettings};
use crate::gguf::BATCH;
use crate::ui::theme::{icons, palette};
use crate::ui::widgets::{Segmented, note, quiet_button};

/// Largest context that can be asked for; the model's own limit is checked when it is loaded.
const MAX_CONTEXT: u32 = 131_072;
const MAX_THREADS: u32 = 256;
const MAX_BATCH: u32 = 4_096;
const VALUE_WIDTH: f32 = 88.0;
/// What a limit of one's own begins at.
const FIRST_LIMIT_MB: u32 = 4_000;
const MOST_LIMIT_MB: u32 = 1_024_000;
/// Stands for "all layers" on the dial.
const ALL_LAYERS: u32 = 1_000;

const FLASH: &[(FlashAttention, &str)] = &[
    (FlashAttention::Auto, "Auto"),
    (FlashAttention::On, "On"),
    (FlashAttention::Off, "Off"),
];

/// The dials, and a way to load the model again with them.
pub(super) fn load_settings_ui(model: &Model, ui: &mut Ui) -> Option<Action> {
    let mut load = model.settings.load.clone();
    device_choice_ui(model, &mut load.device, ui);
    ui.add_space(4.0);
    dial(
        ui,
        "Context size",
        &mut load.n_ctx,
        (MAX_CONTEXT, "model's"),
    );
    dial(
        ui,
        "Threads",
        &mut load.n_threads,
        (MAX_THREADS, "cores − 1"),
    );
    dial(
        ui,
        "Tokens read at once",
        &mut load.n_batch,
        (MAX_BATCH, &BATCH.to_string()),
    );
    layers_ui(&mut load, ui);
    row(ui, "Flash attention", |ui| {
        Segmented::new("Flash attention").show(ui, &mut load.flash_attention, FLASH);
    });
    memory_ui(&mut load, ui);
    if load != model.settings.load {
        return Some(Action::SetLoadSettings(load));
    }
    note(ui, "They count from the next load on.");
    if let Some(info) = model.info()
        && quiet_button(ui, icons::ARROW_AGAIN, "Load the model again").clicked()
    {
        return Some(Action::LoadModel(info.path.clone()));
    }
    measuring_ui(model, ui)
}

/// What the limit of memory is made of.
#[derive(Clone, Copy, PartialEq)]
enum Limit {
    Free,
    Own,
    None,
}

const LIMITS: &[(Limit, &str)] = &[
    (Limit::Free, "What is free"),
    (Limit::Own, "Own"),
    (Limit::None, "None"),
];

/// The limit at which the engine stops itself.
fn memory_ui(load: &mut LoadSettings, ui: &mut Ui) {
    let mut limit = match load.memory_limit_mb {
        None => Limit::Free,
        Some(0) => Limit::None,
        Some(_) => Limit::Own,
    };
    row(ui, "Memory limit", |ui| {
        Segmented::new("Memory limit").show(ui, &mut limit, LIMITS);
    });
    let own = load.memory_limit_mb.filter(|it| *it > 0);
    load.memory_limit_mb = match limit {
        Limit::Free => None,
        Limit::None => Some(0),
        Limit::Own => own.or(Some(FIRST_LIMIT_MB)),
    };
    if limit == Limit::Own {
        let mut megabytes = own.unwrap_or(FIRST_LIMIT_MB);
        row(ui, "Own limit", |ui| {
            let drag = DragValue::new(&mut megabytes)
                .range(100..=MOST_LIMIT_MB)
                .speed(100.0)
                .custom_formatter(|it, _| format!("{:.1} GB", it / 1e3))
                .custom_parser(|it| {
                    Some(it.trim_end_matches("GB").trim().parse::<f64>().ok()? * 1e3)
                });
            ui.add(drag).accessible_name("Own limit");
        });
        load.memory_limit_mb = Some(megabytes);
    }
}

fn layers_ui(load: &mut LoadSettings, ui: &mut Ui) {
    let mut n_layers = load.n_gpu_layers.unwrap_or(ALL_LAYERS);
    row(ui, "Layers on the GPU", |ui| {
        let drag = DragValue::new(&mut n_layers)
            .range(0..=ALL_LAYERS)
            .custom_formatter(|it, _| {
                if it >= f64::from(ALL_LAYERS) {
                    "all".to_owned()
                } else {
                    format!("{it:.0}")
                }
            });
        ui.add(drag).accessible_name("Layers on the GPU");
    });
    load.n_gpu_layers = (n_layers < ALL_LAYERS).then_some(n_layers);
}

/// A whole number where 0 leaves the choice to the engine.
fn dial(ui: &mut Ui, name: &str, value: &mut u32, (max, least): (u32, &str)) {
    row(ui, name, |ui| {
        let drag = DragValue::new(value)
            .range(0..=max)
            .custom_formatter(|it, _| {
                if it < 1.0 {
                    least.to_owned()
                } else {
                    format!("{it:.0}")
                }
            });
        ui.add(drag).accessible_name(name);
    });
}

/// A menu takes the frames off its widgets; a number that can be dragged needs one to be seen as such.
fn row(ui: &mut Ui, name: &str, widget: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.add_space(10.0);
        ui.spacing_mut().interact_size.x = VALUE_WIDTH;
        ui.visuals_mut().widgets.inactive.weak_bg_fill = palette(ui).raised;
        ui.label(name);
        ui.with_layout(Layout::right_to_left(Align::Center), widget);
    });
}
