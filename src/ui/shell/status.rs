//! The line at the bottom: state, model, device, threads, memory, context, speed, version.

use eframe::egui::{Align, Layout, RichText, Sense, Ui, vec2};

use super::model_picker::size_text;
use crate::app::{EnginePhase, Model, RunPhase};
use crate::engine::ModelInfo;
use crate::ui::theme::{self, Tone, icons, palette};

/// What the line says.
#[derive(Debug, PartialEq)]
pub(super) struct Status {
    tone: Tone,
    state: &'static str,
    /// Icon and text, the most important first: those at the end fall away where there is no room.
    parts: Vec<(&'static str, String)>,
    version: String,
}

impl Status {
    pub(super) fn of(model: &Model) -> Self {
        let (tone, state) = state(model);
        let info = match &model.engine {
            EnginePhase::Ready(info) => Some(info.as_ref()),
            _ => None,
        };
        let mut parts = info.map(model_parts).unwrap_or_default();
        parts.extend(run_parts(model, info));
        Self {
            tone,
            state,
            parts,
            version: info
                .map(|it| format!("llama.cpp {}", it.llama_cpp))
                .unwrap_or_default(),
        }
    }
}

pub(super) fn status_ui(status: &Status, ui: &mut Ui) {
    let colours = palette(ui);
    let text = |it: &str| {
        RichText::new(it)
            .font(theme::regular(theme::SMALL))
            .color(colours.weak)
    };
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.add_space(f32::from(theme::MARGIN) - 6.0);
        let (dot, _) = ui.allocate_exact_size(vec2(8.0, 8.0), Sense::hover());
        ui.painter()
            .circle_filled(dot.center(), 3.5, colours.tone(status.tone));
        ui.label(text(status.state));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(f32::from(theme::MARGIN) - 6.0);
            ui.label(text(&status.version));
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                for (sign, part) in &status.parts {
                    if ui.available_width() < 130.0 {
                        break;
                    }
                    ui.add_space(10.0);
                    ui.label(text(sign));
                    ui.label(text(part));
                }
            });
        });
    });
}

fn state(model: &Model) -> (Tone, &'static str) {
    if let Some(silence) = model.silence {
        return if silence.lives {
            (Tone::Warn, "No progress")
        } else {
            (Tone::Bad, "Engine not responding")
        };
    }
    match (&model.engine, &model.run) {
        (EnginePhase::NoModel, _) => (Tone::Quiet, "No model"),
        (EnginePhase::Loading { .. }, _) => (Tone::Accent, "Loading"),
        (EnginePhase::Failed { .. }, _) => (Tone::Bad, "Load failed"),
        (EnginePhase::Restarting { .. }, _) => (Tone::Warn, "Engine starting again"),
        (EnginePhase::Ready(_), _) if model.is_measuring() => (Tone::Accent, "Measuring"),
        (EnginePhase::Ready(_), _) if model.compare.is_running() => (Tone::Accent, "Comparing"),
        (EnginePhase::Ready(_), RunPhase::Running { reply, .. })
            if reply.assembly.tokens.is_empty() =>
        {
            (Tone::Accent, "Reading the prompt")
        }
        (EnginePhase::Ready(_), RunPhase::Running { .. }) => (Tone::Accent, "Writing"),
        (EnginePhase::Ready(_), RunPhase::Failed { .. }) => (Tone::Bad, "Run failed"),
        (EnginePhase::Ready(_), RunPhase::Idle | RunPhase::Done { .. }) => (Tone::Good, "Ready"),
    }
}

fn model_parts(info: &ModelInfo) -> Vec<(&'static str, String)> {
    let threads = if info.n_threads == 1 {
        "1 thread".to_owned()
    } else {
        format!("{} threads", info.n_threads)
    };
    let device = match info.layers {
        (n, n_all) if n > 0 && n < n_all => format!("{}, {n} of {n_all} layers", info.device),
        _ => info.device.clone(),
    };
    let mut parts = vec![
        (icons::CUBE, info.name.clone()),
        (icons::CPU, format!("{device} · {threads}")),
        (icons::MEMORY, size_text(info.memory_bytes)),
    ];
    // A recording takes no memory worth telling.
    parts.retain(|it| it.0 != icons::MEMORY || info.memory_bytes > 0);
    parts
}

fn run_parts(model: &Model, info: Option<&ModelInfo>) -> Vec<(&'static str, String)> {
    let reply = match &model.run {
        RunPhase::Running { reply, .. } | RunPhase::Done { reply, .. } => reply,
        RunPhase::Idle | RunPhase::Failed { .. } => return Vec::new(),
    };
    let mut parts = Vec::new();
    if let Some(info) = info {
        let n_used = reply.assembly.view.tokens.len() + reply.assembly.tokens.len();
        parts.push((icons::STACK, format!("context {n_used} / {}", info.n_ctx)));
    }
    if let RunPhase::Done { trial, .. } = &model.run
        && trial.timings.tokens_per_second > 0.0
    {
        let speed = format!("{:.1} tokens/s", trial.timings.tokens_per_second);
        parts.push((icons::GAUGE, speed));
    }
    parts
}
