//! Devices and measurements as an engine's user sees them, on computers that were made up.

use std::time::Duration;

use super::super::recording::{self, Deed, Step};
use super::super::{
    Command, Device, DeviceKind, Engine, Event, LoadSettings, MachineAsk, MachineNews, ModelInfo,
    Recording, RunId, Source, choose,
};
use super::cancel;

/// Long enough for any machine; only a fault waits so long.
const PATIENCE: Duration = Duration::from_secs(20);

fn device(name: &str, kind: DeviceKind) -> Device {
    Device {
        name: name.to_owned(),
        description: format!("{name} of a maker"),
        kind,
        ..Device::default()
    }
}

fn computer() -> Vec<Device> {
    vec![
        device("Vulkan0", DeviceKind::Gpu),
        device("Vulkan1", DeviceKind::IntegratedGpu),
        device("CPU", DeviceKind::Cpu),
    ]
}

fn on(device: Option<&str>) -> LoadSettings {
    LoadSettings {
        device: device.map(str::to_owned),
        ..LoadSettings::default()
    }
}

fn start(recording: Recording) -> Engine {
    Engine::start(Source::Scripted(recording), || ())
}

fn ask(engine: &Engine, id: u64, ask: MachineAsk) {
    let id = RunId(id);
    engine.send(Command::Machine { id, ask });
}

fn until_end(engine: &Engine) -> Vec<Event> {
    let mut res = Vec::new();
    while !res.last().is_some_and(Event::is_end) {
        res.push(engine.events().recv_timeout(PATIENCE).unwrap());
    }
    res
}

/// Loads on a computer with two graphics devices; gives the model as it was loaded, and the events before.
fn loaded(load: Vec<Step>, settings: LoadSettings) -> (Box<ModelInfo>, Vec<Event>) {
    let mut recording = Recording::from_replies(&["{}"]).with_devices(computer());
    recording.load = load;
    let engine = start(recording.without_delays());
    let id = RunId(1);
    engine.send(Command::Load { id, settings });
    let mut events = until_end(&engine);
    match events.pop() {
        Some(Event::Loaded { info, .. }) => (info, events),
        other => panic!("{other:?} after {events:?}"),
    }
}

#[track_caller]
fn check(device: Option<&str>, expected: &str, fallback: Option<&str>) {
    let (info, _) = loaded(Vec::new(), on(device));
    assert_eq!(info.device, expected);
    assert_eq!(info.device_fallback.as_deref(), fallback);
}

#[test]
fn without_a_choice_the_graphics_card_is_taken() {
    check(None, "Vulkan0: Vulkan0 of a maker", None);
}

#[test]
fn the_device_that_is_named_is_taken_whatever_its_letter_case() {
    check(Some("vulkan1"), "Vulkan1: Vulkan1 of a maker", None);
    check(Some("cpu"), "CPU of a maker", None);
}

#[test]
fn a_device_that_is_not_here_leaves_the_load_to_the_processor_and_says_so() {
    let reason = "there is no device CUDA0 here, only Vulkan0, Vulkan1, CPU";
    check(Some("CUDA0"), "CPU of a maker", Some(reason));
}

#[test]
fn no_layers_on_the_card_means_the_processor() {
    let settings = LoadSettings {
        n_gpu_layers: Some(0),
        ..on(Some("Vulkan0"))
    };
    assert_eq!(choose(&computer(), &settings).gpus, []);
}

#[test]
fn integrated_graphics_are_taken_where_no_card_is() {
    let names = |devices: &[Device]| {
        let gpus = choose(devices, &on(None)).gpus.into_iter();
        gpus.map(|it| it.name).collect::<Vec<_>>()
    };
    assert_eq!(names(&computer()[1..]), ["Vulkan1"]);
    assert!(names(&computer()[2..]).is_empty());
}

#[test]
fn a_driver_that_takes_the_process_down_leaves_the_load_to_the_processor() {
    // A load that dies on a graphics device, and on no other.
    let dies = Step {
        after_ms: 0,
        deed: Deed::Die,
    };
    let load = vec![dies, Step::now(recording::loaded("Test"))];
    let (info, events) = loaded(load, on(None));
    assert_eq!(info.device, "CPU of a maker");
    let reason = info.device_fallback.unwrap();
    assert_eq!(
        reason,
        "Vulkan0 failed: aborted (signal 6): the recording says so"
    );
    let is_lost = |it: &Event| matches!(it, Event::EngineLost { .. });
    assert!(!events.iter().any(is_lost), "{events:?}");
}

#[test]
fn the_devices_are_told() {
    let engine = start(Recording::from_replies(&["{}"]).with_devices(computer()));
    ask(&engine, 1, MachineAsk::Devices);
    let told = MachineNews::Devices {
        devices: computer(),
    };
    let expected = Event::Machine {
        id: RunId(1),
        news: Box::new(told),
    };
    assert_eq!(until_end(&engine), [expected]);
}

#[test]
fn a_recording_keeps_its_devices_in_its_file() {
    let recording = Recording::from_replies(&["{}"]).with_devices(computer());
    assert_eq!(Recording::parse(&recording.to_lines()).unwrap(), recording);
}

#[test]
fn a_measurement_tells_each_row_and_ends_with_all_of_them() {
    let engine = start(Recording::from_replies(&["{}"]).without_delays());
    ask(&engine, 1, MachineAsk::Measure);
    let events = until_end(&engine);
    let mut n_told = 0;
    for event in &events {
        let Event::Machine { news, .. } = event else {
            panic!("{event:?}")
        };
        match &**news {
            MachineNews::Measuring {
                n_done, n_total, ..
            } => {
                n_told += 1;
                assert_eq!((*n_done, *n_total), (n_told, events.len() as u32 - 1));
            }
            MachineNews::Measured { measurement } => {
                let n_rows = measurement.threads.len() + measurement.batches.len();
                assert_eq!(n_rows, events.len() - 1);
                assert_eq!((measurement.n_threads, measurement.n_batch), (2, 64));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_measurement_is_cancelled() {
    let engine = start(Recording::from_replies(&["{}"]));
    ask(&engine, 1, MachineAsk::Measure);
    engine.send(cancel(1));
    check_end(&engine, &MachineNews::Cancelled);
}

#[track_caller]
fn check_end(engine: &Engine, expected: &MachineNews) {
    let events = until_end(engine);
    match events.last() {
        Some(Event::Machine { news, .. }) => assert_eq!(&**news, expected),
        _ => panic!("{events:?}"),
    }
}

#[test]
fn a_measurement_that_hears_no_cancel_is_ended_with_its_process_and_the_engine_is_back() {
    let lines = "{\"v\":1,\"recording\":\"Test\"}\n{\"for\":\"measure\"}\n{\"do\":\"hang\"}\n";
    let engine = start(Recording::parse(lines).unwrap());
    ask(&engine, 1, MachineAsk::Measure);
    engine.send(cancel(1));
    check_end(&engine, &MachineNews::Cancelled);
    ask(&engine, 2, MachineAsk::Devices);
    let devices = Vec::new();
    check_end(&engine, &MachineNews::Devices { devices });
}

#[test]
fn a_measurement_that_loses_its_engine_says_why() {
    let lines = "{\"v\":1,\"recording\":\"Test\"}\n{\"for\":\"measure\"}\n{\"do\":\"die\"}\n";
    let engine = start(Recording::parse(lines).unwrap());
    ask(&engine, 1, MachineAsk::Measure);
    let message = "aborted (signal 6): the recording says so".to_owned();
    check_end(&engine, &MachineNews::Failed { message });
}
