//! `stepladder` alone: opens the window, with a second renderer should the first one fail.

use std::ffi::OsString;
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
    // Read before any window is tried: what is wrong with it is no fault of the display.
    let scripted = match arguments.scripted.as_deref().map(recording).transpose() {
        Ok(it) => it,
        Err(it) => return out::error(&it),
    };
    if let Some(it) = no_display(|name| std::env::var_os(name)) {
        return out::error(&unopened(it, "this computer"));
    }
    let [first, second] = order(arguments.renderer);
    let open = |renderer| {
        let source = match &scripted {
            Some(it) => Source::Scripted(it.clone()),
            None => run::own_process()?,
        };
        open((arguments, &folders), source, (renderer, begun))
    };
    let Err(error) = open(first) else {
        return ExitCode::SUCCESS;
    };
    // Where there is no display, no renderer can draw, and a second try would only hide why.
    if let Some(why) = error.strip_prefix("winit EventLoopError: ") {
        return out::error(&unopened(&without_source(why), "the display"));
    }
    out::say(&format!(
        "{first} cannot draw here ({}); trying {second}",
        without_source(&error)
    ));
    match open(second) {
        Ok(()) => ExitCode::SUCCESS,
        Err(it) => out::error(&unopened(&without_source(&it), "the display")),
    }
}

fn unopened(why: &str, place: &str) -> String {
    format!("no window can be opened: {why}; {place}; use the command line: stepladder run --help")
}

/// Why there is nothing to open a window on; none where there may be. Windows and macOS name no display.
fn no_display(variable: impl Fn(&str) -> Option<OsString>) -> Option<&'static str> {
    let names = ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"];
    let is_set = |it: &&str| variable(it).is_some_and(|it| !it.is_empty());
    let is_missing = cfg!(target_os = "linux") && !names.iter().any(is_set);
    is_missing.then_some("neither DISPLAY nor WAYLAND_DISPLAY is set")
}

/// The error without the places in source files that libraries put before their words, such as
/// `os error at /home/me/winit/src/linux.rs:764: `.
fn without_source(error: &str) -> String {
    let mut words = Vec::new();
    let mut rest = error;
    while let Some((before, after)) = rest.split_once("os error at ") {
        words.push(before);
        let end = after.find(".rs:").map_or(0, |it| it + 4);
        let place = after[end..].trim_start_matches(|it: char| it.is_ascii_digit());
        rest = place.strip_prefix(": ").unwrap_or(place);
    }
    words.push(rest);
    words.concat()
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
    (arguments, folders): (&WindowArguments, &Folders),
    source: Source,
    (renderer, begun): (eframe::Renderer, Instant),
) -> Result<(), String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_source_files_are_left_out() {
        let error = "winit EventLoopError: os error at /somewhere/winit-0.30/src/linux/mod.rs:764: no display";
        assert_eq!(without_source(error), "winit EventLoopError: no display");
        assert_eq!(without_source("no display"), "no display");
        assert_eq!(without_source("os error at somewhere"), "somewhere");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_display_is_any_of_three_variables_with_something_in_it() {
        let with = |set: &'static str, value: &'static str| {
            no_display(move |name| (name == set).then(|| value.into()))
        };
        assert_eq!(with("DISPLAY", ":0"), None);
        assert_eq!(with("WAYLAND_DISPLAY", "wayland-0"), None);
        assert_eq!(with("WAYLAND_SOCKET", "5"), None);
        assert!(with("DISPLAY", "").is_some() && with("HOME", "somewhere").is_some());
    }
}
