//! Devices, their fallback, and measuring the machine.

use std::path::PathBuf;

use super::{model, ready};
use crate::app::{
    Action, Effect, EnginePhase, MachineAction, Measuring, Model, on_action, on_event,
};
use crate::engine::{
    Command, Device, Event, LoadSettings, MachineAsk, MachineNews, Measurement, ModelInfo, RunId,
    Speed,
};

fn news(model: &mut Model, id: RunId, news: MachineNews) -> Vec<Effect> {
    let news = Box::new(news);
    on_event(model, Event::Machine { id, news })
}

fn measuring() -> (Model, RunId) {
    let mut model = ready();
    let effects = on_action(&mut model, Action::Machine(MachineAction::Measure));
    let [Effect::Send(Command::Machine { id, ask })] = effects.as_slice() else {
        panic!("{effects:?}")
    };
    assert_eq!(*ask, MachineAsk::Measure);
    let id = *id;
    (model, id)
}

fn measured() -> MachineNews {
    MachineNews::Measured {
        measurement: Measurement {
            n_threads: 3,
            n_batch: 512,
            ..Measurement::default()
        },
    }
}

#[test]
fn the_devices_that_are_told_are_kept() {
    let mut model = model();
    let Effect::Send(Command::Machine { id, ask }) = model.ask_devices() else {
        panic!()
    };
    assert_eq!(ask, MachineAsk::Devices);
    let devices = vec![Device::default()];
    news(&mut model, id, MachineNews::Devices { devices });
    assert_eq!(model.machine.devices.len(), 1);
}

#[test]
fn a_load_asks_for_the_chosen_device() {
    let mut model = model();
    let load = LoadSettings {
        device: Some("Vulkan0".to_owned()),
        ..LoadSettings::default()
    };
    let effects = on_action(&mut model, Action::SetLoadSettings(load));
    assert_eq!(effects, [Effect::SaveSettings]);
    let effects = on_action(&mut model, Action::LoadModel(PathBuf::from("a.gguf")));
    let Some(Effect::Send(Command::Load { settings, .. })) = effects.last() else {
        panic!("{effects:?}")
    };
    assert_eq!(settings.device.as_deref(), Some("Vulkan0"));
}

#[test]
fn a_load_that_fell_back_says_why() {
    let mut model = model();
    on_action(&mut model, Action::LoadModel(PathBuf::from("a.gguf")));
    let EnginePhase::Loading { id, .. } = model.engine else {
        panic!()
    };
    let info = Box::new(ModelInfo {
        device_fallback: Some("Vulkan0 failed: out of memory".to_owned()),
        ..ModelInfo::default()
    });
    on_event(&mut model, Event::Loaded { id, info });
    let said = &model.notices[0].text;
    assert_eq!(
        said,
        "The model runs on the CPU: Vulkan0 failed: out of memory"
    );
}

#[test]
fn rows_come_in_one_by_one_and_nothing_runs_meanwhile() {
    let (mut model, id) = measuring();
    assert!(on_action(&mut model, Action::Run).is_empty());
    assert!(on_action(&mut model, Action::Machine(MachineAction::Measure)).is_empty());
    let speed = Speed {
        n_threads: 1,
        n_batch: 256,
        prefill: 100.0,
        decode: Some(50.0),
    };
    let row = MachineNews::Measuring {
        n_done: 1,
        n_total: 6,
        speed,
    };
    news(&mut model, id, row);
    let Measuring::Running {
        n_done,
        n_total,
        rows,
        ..
    } = &model.machine.measuring
    else {
        panic!()
    };
    assert_eq!((*n_done, *n_total, rows.as_slice()), (1, 6, &[speed][..]));
}

#[test]
fn the_best_thread_count_is_saved_and_the_batch_only_offered() {
    let (mut model, id) = measuring();
    let effects = news(&mut model, id, measured());
    assert_eq!(effects.first(), Some(&Effect::SaveSettings));
    assert_eq!(model.settings.load.n_threads, 3);
    assert_eq!(model.settings.load.n_batch, 0);
    assert!(!model.is_measuring());
    on_action(&mut model, Action::Machine(MachineAction::TakeBatch(512)));
    assert_eq!(model.settings.load.n_batch, 512);
    let saved = serde_json::to_string(&model.settings).unwrap();
    let read: crate::app::Settings = serde_json::from_str(&saved).unwrap();
    assert_eq!(read, model.settings);
    assert!(read.measured.is_some());
}

#[test]
fn a_recordings_measurement_is_shown_but_not_saved() {
    let (mut model, id) = measuring();
    model.is_scripted = true;
    let effects = news(&mut model, id, measured());
    assert!(!effects.contains(&Effect::SaveSettings), "{effects:?}");
    assert_eq!(model.settings.load.n_threads, 0);
    assert_eq!(model.measured().unwrap().n_threads, 3);
}

#[test]
fn a_cancel_is_sent_and_what_comes_after_it_falls_away() {
    let (mut model, id) = measuring();
    let effects = on_action(&mut model, Action::Machine(MachineAction::Cancel));
    assert_eq!(effects, [Effect::Send(Command::Cancel { id })]);
    news(&mut model, id, MachineNews::Cancelled);
    assert_eq!(model.machine.measuring, Measuring::Idle);
    news(&mut model, id, measured());
    assert_eq!(model.settings.load.n_threads, 0);
}

#[test]
fn a_load_ends_the_measurement_first() {
    let (mut model, id) = measuring();
    let effects = on_action(&mut model, Action::LoadModel(PathBuf::from("b.gguf")));
    assert_eq!(effects.first(), Some(&Effect::Send(Command::Cancel { id })));
    assert!(matches!(
        effects.last(),
        Some(Effect::Send(Command::Load { .. }))
    ));
}

#[test]
fn a_measurement_that_fails_says_why() {
    let (mut model, id) = measuring();
    let message = "aborted (signal 6)".to_owned();
    news(&mut model, id, MachineNews::Failed { message });
    assert!(
        matches!(&model.machine.measuring, Measuring::Failed { message } if message.contains("aborted"))
    );
}

#[test]
fn nothing_is_measured_without_a_model() {
    let mut model = model();
    assert!(on_action(&mut model, Action::Machine(MachineAction::Measure)).is_empty());
}
