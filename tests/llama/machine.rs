//! The computer as the real engine sees it: its devices, the choice among them, and a measurement.

use stepladder::engine::llama::LlamaBackend;
use stepladder::engine::{
    BATCHES, Backend as _, Cancel, Command, DeviceKind, Event, LoadSettings, MachineAsk,
    MachineNews, RunId,
};

use crate::setup::{Asked, greedy, instruct, instruct_path, load, settings};

fn told(backend: &mut LlamaBackend, ask: MachineAsk, cancel: &Cancel) -> Vec<MachineNews> {
    let mut res = Vec::new();
    let id = RunId(2);
    backend.execute(
        Command::Machine { id, ask },
        cancel,
        &mut |event| match event {
            Event::Machine { news, .. } => res.push(*news),
            other => panic!("{other:?}"),
        },
    );
    res
}

#[test]
fn the_processor_is_among_the_devices_with_its_memory() {
    let told = told(
        &mut LlamaBackend::new(),
        MachineAsk::Devices,
        &Cancel::default(),
    );
    let [MachineNews::Devices { devices }] = told.as_slice() else {
        panic!("{told:?}")
    };
    let cpu = devices
        .iter()
        .find(|it| it.kind == DeviceKind::Cpu)
        .unwrap();
    assert_eq!(cpu.name, "CPU");
    assert!(cpu.memory_bytes > 1 << 28, "{cpu:?}");
    assert!(!cpu.description.is_empty());
}

#[test]
fn a_device_that_is_not_here_is_named_and_the_model_runs_on_the_processor() {
    let mut backend = LlamaBackend::new();
    let settings = LoadSettings {
        device: Some("Nowhere7".to_owned()),
        ..settings(instruct_path())
    };
    let events = load(&mut backend, settings, &Cancel::default());
    let Some(Event::Loaded { info, .. }) = events.last() else {
        panic!("{events:?}")
    };
    let reason = info.device_fallback.as_deref().unwrap();
    assert!(
        reason.starts_with("there is no device Nowhere7 here"),
        "{reason}"
    );
    assert_eq!(info.layers.0, 0);
    assert_eq!(info.layers.1, 31, "30 layers and the output");
}

#[test]
fn the_batch_that_is_asked_for_is_used_and_told() {
    let small = Asked::new(LoadSettings {
        n_batch: 64,
        ..settings(instruct_path())
    });
    assert_eq!(small.info.n_batch, 64);
    assert_eq!(instruct().info.n_batch, 64);
}

#[test]
fn a_measurement_finds_a_thread_count_and_leaves_the_model_as_it_was() {
    let mut asked = instruct();
    let request = greedy("Name three colours.", 12);
    let before = asked.run(&request).unwrap();
    let told = told(&mut asked.backend, MachineAsk::Measure, &Cancel::default());
    let Some((MachineNews::Measured { measurement }, rows)) = told.split_last() else {
        panic!("{told:?}")
    };
    assert_eq!(
        rows.len(),
        measurement.threads.len() + measurement.batches.len()
    );
    for row in &measurement.threads {
        assert!(row.prefill > 0.0 && row.decode.unwrap() > 0.0, "{row:?}");
        // Rows of a prompt are read together, tokens of a reply one by one.
        assert!(row.prefill > row.decode.unwrap(), "{row:?}");
    }
    let counts: Vec<u32> = measurement.threads.iter().map(|it| it.n_threads).collect();
    assert!(counts.contains(&measurement.n_threads), "{measurement:?}");
    assert!(BATCHES.contains(&measurement.n_batch));
    assert_eq!(before.tokens, asked.run(&request).unwrap().tokens);
}

#[test]
fn a_measurement_ends_when_it_is_cancelled() {
    let mut asked = instruct();
    let cancel = Cancel::default();
    cancel.request(RunId(2));
    let told = told(&mut asked.backend, MachineAsk::Measure, &cancel);
    assert_eq!(told, [MachineNews::Cancelled]);
}

#[test]
fn nothing_is_measured_without_a_model() {
    let told = told(
        &mut LlamaBackend::new(),
        MachineAsk::Measure,
        &Cancel::default(),
    );
    assert!(matches!(told.as_slice(), [MachineNews::Failed { .. }]));
}
