//! The device of the next load, and measuring the machine.

use egui_kittest::kittest::{NodeT as _, Queryable as _};
use stepladder::app::{Action, MachineAction, Measuring, Model};
use stepladder::engine::{Device, DeviceKind, LoadSettings, Measurement, RunId, Speed};

use crate::{Window, click, fixture, opened};

pub(crate) fn with_devices(mut model: Model) -> Model {
    let device = |name: &str, description: &str, kind, gigabytes: u64| Device {
        name: name.to_owned(),
        description: description.to_owned(),
        backend: "Vulkan".to_owned(),
        kind,
        memory_bytes: gigabytes * 1_000_000_000,
        free_bytes: gigabytes * 900_000_000,
    };
    model.machine.devices = vec![
        device("Vulkan0", "GeForce RTX 4070", DeviceKind::Gpu, 12),
        device(
            "CPU",
            "AMD Ryzen 7 7840U w/ Radeon 780M Graphics",
            DeviceKind::Cpu,
            32,
        ),
    ];
    model
}

fn speed(n_threads: u32, prefill: f64, decode: f64) -> Speed {
    Speed {
        n_threads,
        n_batch: 64,
        prefill,
        decode: Some(decode),
    }
}

pub(crate) fn measured() -> Model {
    let mut model = with_devices(fixture::ready());
    let batch = |n_batch, prefill| Speed {
        n_threads: 4,
        n_batch,
        prefill,
        decode: None,
    };
    model.settings.load.n_threads = 4;
    model.settings.measured = Some(Measurement {
        model: "SmolLM2 135M Instruct".to_owned(),
        device: "CPU".to_owned(),
        threads: vec![
            speed(1, 204.0, 66.2),
            speed(2, 396.0, 98.0),
            speed(4, 731.0, 121.4),
            speed(8, 744.0, 118.9),
        ],
        batches: vec![batch(64, 731.0), batch(512, 842.0)],
        n_threads: 4,
        n_batch: 512,
    });
    model
}

pub(crate) fn measuring() -> Model {
    let mut model = with_devices(fixture::ready());
    model.machine.measuring = Measuring::Running {
        id: RunId(5),
        n_done: 2,
        n_total: 8,
        rows: vec![speed(1, 204.0, 66.2), speed(2, 396.0, 98.0)],
    };
    model
}

fn load_settings(model: Model) -> Window {
    let mut window = opened(model);
    click(&mut window, "Model: SmolLM2 135M Instruct");
    click(&mut window, "Load settings");
    window
}

const CARD: &str = "Device: Vulkan0, GeForce RTX 4070 · 10.8 GB of 12.0 GB free · Vulkan";

#[test]
fn a_device_can_be_chosen_for_the_next_load() {
    let mut window = load_settings(with_devices(fixture::ready()));
    window.get_by_label("Device: Best there is, Now Vulkan0: GeForce RTX 4070");
    click(&mut window, CARD);
    let wish = Action::SetLoadSettings(LoadSettings {
        device: Some("Vulkan0".to_owned()),
        ..LoadSettings::default()
    });
    assert_eq!(window.state().actions.first(), Some(&wish));
}

#[test]
fn the_chosen_device_is_marked_and_can_be_left_to_the_engine_again() {
    let mut model = with_devices(fixture::ready());
    model.settings.load.device = Some("Vulkan0".to_owned());
    let mut window = load_settings(model);
    let toggled = window.get_by_label(CARD).accesskit_node().toggled();
    assert_eq!(toggled, Some(eframe::egui::accesskit::Toggled::True));
    click(
        &mut window,
        "Device: Best there is, Now Vulkan0: GeForce RTX 4070",
    );
    let wish = Action::SetLoadSettings(LoadSettings::default());
    assert_eq!(window.state().actions.first(), Some(&wish));
}

#[test]
fn a_fallback_is_told_beside_the_choice() {
    let mut model = with_devices(fixture::ready());
    let reason = "Vulkan0 failed: out of device memory";
    if let stepladder::app::EnginePhase::Ready(info) = &mut model.engine {
        info.device_fallback = Some(reason.to_owned());
    }
    let window = load_settings(model);
    window.get_by_label(&format!("The loaded model runs on the CPU: {reason}"));
}

#[test]
fn measuring_can_be_asked_for_without_the_menu_closing() {
    let mut window = load_settings(with_devices(fixture::ready()));
    click(&mut window, "Measure this machine");
    let wish = Action::Machine(MachineAction::Measure);
    assert_eq!(window.state().actions, [wish]);
    window.get_by_label("Measure this machine");
}

#[test]
fn without_a_model_there_is_nothing_to_measure() {
    let mut window = opened(fixture::without_model());
    click(&mut window, "Model: Choose a model");
    click(&mut window, "Load settings");
    click(&mut window, "Measure this machine");
    assert_eq!(window.state().actions, []);
}

#[test]
fn a_measurement_shows_its_rows_and_can_be_cancelled() {
    let mut window = load_settings(measuring());
    window.get_by_label("Measuring: 2 of 8");
    window.get_by_label("2 threads");
    window.get_by_label("98.0");
    click(&mut window, "Cancel measuring");
    let wish = Action::Machine(MachineAction::Cancel);
    assert_eq!(window.state().actions, [wish]);
}

#[test]
fn what_was_measured_names_the_best_and_offers_the_better_batch() {
    let mut window = load_settings(measured());
    window.get_by_label(
        "4 threads are best for SmolLM2 135M Instruct on CPU. Set under Threads; counts from the next load on.",
    );
    click(&mut window, "Read 512 tokens at once: 15 % faster");
    let wish = Action::Machine(MachineAction::TakeBatch(512));
    assert_eq!(window.state().actions, [wish]);
}
