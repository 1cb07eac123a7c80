//! What a recording tells of the computer: its devices, which of them a load gets, and a measurement.

use super::recording::{Deed, Step};
use super::{
    BATCHES, Device, Event, LoadSettings, MachineAsk, MachineNews, Measurement, Recording, RunId,
    Speed, choose, thread_counts,
};
use crate::gguf::BATCH;

/// Between two rows of a measurement that was made up.
const ROW_MS: u64 = 250;

/// The steps that answer a question.
pub(super) fn answer(recording: &Recording, ask: MachineAsk) -> Vec<Step> {
    match ask {
        MachineAsk::Devices => {
            let devices = recording.devices.clone();
            vec![Step::now(told(MachineNews::Devices { devices }))]
        }
        MachineAsk::Measure if recording.measure.is_empty() => made_up_measurement(),
        MachineAsk::Measure => recording.measure.clone(),
    }
}

/// Where the recording lists devices, a load gets one of them and says so; one whose loads end in a crash says on
/// which it was before. On the processor no load of such a computer crashes.
pub(super) fn put_device(steps: &mut Vec<Step>, devices: &[Device], settings: &LoadSettings) {
    if devices.is_empty() {
        return;
    }
    let chosen = choose(devices, settings);
    if let Some(gpu) = chosen.gpus.first() {
        let device = gpu.name.clone();
        let id = RunId(0);
        steps.insert(0, Step::now(Event::LoadingOn { id, device }));
    } else {
        steps.retain(|it| it.deed != Deed::Die);
    }
    for step in steps {
        if let Deed::Tell(Event::Loaded { info, .. }) = &mut step.deed {
            info.device = chosen.label(devices);
            info.device_fallback.clone_from(&chosen.fallback);
        }
    }
}

/// A measurement of no model: two cores, of which the second brings three quarters.
pub(super) fn made_up_measurement() -> Vec<Step> {
    let rate = |n_threads: u32| 25.0 + 75.0 * f64::from(n_threads);
    let threads = thread_counts(2, 2).into_iter().map(|n_threads| Speed {
        n_threads,
        n_batch: BATCH,
        prefill: 3.0 * rate(n_threads),
        decode: Some(rate(n_threads)),
    });
    let batches = BATCHES.map(|n_batch| Speed {
        n_threads: 2,
        n_batch,
        prefill: 3.0 * rate(2),
        decode: None,
    });
    let mut measurement = Measurement {
        model: "recording".to_owned(),
        device: "recording".to_owned(),
        threads: threads.collect(),
        batches: batches.to_vec(),
        ..Measurement::default()
    };
    measurement.settle_threads();
    measurement.settle_batches();
    let rows: Vec<Speed> = measurement
        .threads
        .iter()
        .chain(&measurement.batches)
        .copied()
        .collect();
    let n_total = rows.len() as u32;
    let told_rows = rows.into_iter().zip(1..).map(|(speed, n_done)| Step {
        after_ms: ROW_MS,
        deed: Deed::Tell(told(MachineNews::Measuring {
            n_done,
            n_total,
            speed,
        })),
    });
    let mut steps: Vec<Step> = told_rows.collect();
    steps.push(Step::now(told(MachineNews::Measured { measurement })));
    steps
}

fn told(news: MachineNews) -> Event {
    Event::Machine {
        id: RunId(0),
        news: Box::new(news),
    }
}
