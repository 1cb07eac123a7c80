//! `stepladder` alone: opens the window, with a second renderer should the first one fail.

use std::process::ExitCode;
use std::time::Instant;

use eframe::egui;

use super::args::{Renderer, WindowArguments};
use super::engine::recording;
use super::{out, run};
use crate::engine::Source;
use crate::store::{self, Folders};
use crate::ui::{Opening, Window};

/// Opens the window and stays until it is closed.
pub(super) fn window(arguments: &WindowArguments) -> ExitCode {
    let begun = Instant::now();
    let folders = Folders::of_user();
    if let Some(name) = &arguments.preset
        && let Err(error) = run::preset(name, &store::library(&folders))
    {
        return out::error(&error);
    }
    let [first, second] = order(arguments.renderer);
    let Err(error) = open(arguments, &folders, (first, begun)) else {
        return ExitCode::SUCCESS;
    };
    out::say(&format!(
        "{first} cannot draw here ({error}); trying {second}"
    ));
    match open(arguments, &folders, (second, begun)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(it) => out::error(&format!(
            "no window can be opened: {it}; the display; use the command line: stepladder run --help"
        )),
    }
}

/// glow first on Linux, where it works on more machines; wgpu first elsewhere; or what was asked for.
fn order(asked: Option<Renderer>) -> [eframe::Renderer; 2] {
    let glow_first = match asked {
        Some(it) => it == Renderer::Glow,
        None => cfg!(target_os = "linux"),
    };
    if glow_first {
        [eframe::Renderer::Glow, eframe::Renderer::Wgpu]
    } else {
        [eframe::Renderer::Wgpu, eframe::Renderer::Glow]
    }
}

fn open(
    arguments: &WindowArguments,
    folders: &Folders,
    (renderer, begun): (eframe::Renderer, Instant),
) -> Result<(), String> {
    let source = source(arguments)?;
    let scripted = arguments.scripted.clone();
    let opening = Opening {
        folders: folders.clone(),
        source,
        model: scripted.or_else(|| std::env::var_os("STEPLADDER_MODEL").map(Into::into)),
        preset: arguments.preset.clone(),
    };
    let viewport = egui::ViewportBuilder::default()
        .with_title("Stepladder")
        .with_app_id("stepladder")
        .with_inner_size([1440.0, 900.0])
        .with_min_inner_size([1000.0, 640.0]);
    let mut options = eframe::NativeOptions {
        viewport,
        renderer,
        ..eframe::NativeOptions::default()
    };
    // The default would wake a laptop's second, power-hungry GPU for a window of text.
    if let eframe::egui_wgpu::WgpuSetup::CreateNew(setup) = &mut options.wgpu_options.wgpu_setup {
        setup.power_preference = eframe::wgpu::PowerPreference::LowPower;
    }
    let measured = arguments.phases;
    let make: eframe::AppCreator<'_> = Box::new(move |it| {
        let mut window = Window::new(&it.egui_ctx, opening);
        if measured {
            window.measure(begun, out::say);
        }
        Ok(Box::new(window))
    });
    eframe::run_native("stepladder", options, make).map_err(|it| it.to_string())
}

fn source(arguments: &WindowArguments) -> Result<Source, String> {
    match &arguments.scripted {
        Some(path) => Ok(Source::Scripted(recording(path)?)),
        None => run::own_process(),
    }
}
