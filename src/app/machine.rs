//! The computer as the engine sees it: its devices, and how fast the loaded model runs with which threads.

use super::on_action::ask_preview;
use super::{Effect, EnginePhase, Model};
use crate::engine::{Command, Device, MachineAsk, MachineNews, Measurement, RunId, Speed, choose};
use crate::gguf::{DeviceRoom, Room};

/// What is known of the computer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MachineDesk {
    /// None until the engine has told them.
    pub devices: Vec<Device>,
    pub measuring: Measuring,
    /// What was measured since the start; what was measured before is in the settings.
    pub measured: Option<Measurement>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub enum Measuring {
    #[default]
    Idle,
    Running {
        id: RunId,
        n_done: u32,
        /// 0 until the first row is there.
        n_total: u32,
        rows: Vec<Speed>,
    },
    Failed {
        message: String,
    },
}

/// What a user can do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MachineAction {
    /// Measures the loaded model with each thread count and batch size.
    Measure,
    Cancel,
    /// Evaluates so many tokens of a prompt at once from the next load on.
    TakeBatch(u32),
}

impl Model {
    /// Asks for the devices of this computer.
    pub fn ask_devices(&mut self) -> Effect {
        let id = self.take_id();
        Effect::Send(Command::Machine {
            id,
            ask: MachineAsk::Devices,
        })
    }

    /// The memory that the next model can have, as far as devices and the search for models have told it.
    pub fn room(&self) -> Room {
        self.room_beside(self.search.free_memory)
    }

    /// The same with so much memory of the computer's free.
    pub(super) fn room_beside(&self, computer: Option<u64>) -> Room {
        let load = &self.settings.load;
        let gpus = choose(&self.machine.devices, load).gpus;
        let free = gpus.iter().map(|it| it.free_bytes).sum();
        let names: Vec<String> = gpus.into_iter().map(|it| it.name).collect();
        let device = (free > 0).then(|| DeviceRoom {
            name: names.join(" + "),
            free,
            n_layers: load.n_gpu_layers,
        });
        Room { computer, device }
    }

    pub fn is_measuring(&self) -> bool {
        matches!(self.machine.measuring, Measuring::Running { .. })
    }

    /// The latest measurement, of whichever model.
    pub fn measured(&self) -> Option<&Measurement> {
        let saved = self.settings.measured.as_ref();
        self.machine.measured.as_ref().or(saved)
    }
}

pub(super) fn on_machine(model: &mut Model, action: MachineAction) -> Vec<Effect> {
    match action {
        MachineAction::Measure if model.engine_obstacle().is_some() => Vec::new(),
        MachineAction::Measure => {
            let id = model.take_id();
            model.machine.measuring = Measuring::Running {
                id,
                n_done: 0,
                n_total: 0,
                rows: Vec::new(),
            };
            let ask = MachineAsk::Measure;
            vec![Effect::Send(Command::Machine { id, ask })]
        }
        MachineAction::Cancel => give_up(model),
        MachineAction::TakeBatch(n_batch) => {
            model.settings.load.n_batch = n_batch;
            vec![Effect::SaveSettings]
        }
    }
}

/// Ends the measurement that runs, if one does.
pub(super) fn give_up(model: &Model) -> Vec<Effect> {
    match model.machine.measuring {
        Measuring::Running { id, .. } => vec![Effect::Send(Command::Cancel { id })],
        _ => Vec::new(),
    }
}

/// Takes in what the engine tells; what an abandoned measurement still tells falls away.
pub(super) fn on_news(model: &mut Model, id: RunId, news: MachineNews) -> Vec<Effect> {
    let is_ours =
        matches!(model.machine.measuring, Measuring::Running { id: ours, .. } if ours == id);
    match news {
        MachineNews::Devices { devices } => model.machine.devices = devices,
        MachineNews::Measuring {
            n_done: done,
            n_total: total,
            speed,
        } => {
            if let Measuring::Running {
                n_done,
                n_total,
                rows,
                ..
            } = &mut model.machine.measuring
                && is_ours
            {
                (*n_done, *n_total) = (done, total);
                rows.push(speed);
            }
        }
        _ if !is_ours => {}
        MachineNews::Measured { measurement } => return measured(model, measurement),
        MachineNews::Failed { message } => {
            model.machine.measuring = Measuring::Failed { message };
        }
        MachineNews::Cancelled => model.machine.measuring = Measuring::Idle,
    }
    if is_ours && !model.is_measuring() {
        return ask_preview(model).into_iter().collect();
    }
    Vec::new()
}

/// The best thread count is used from the next load on: it changes no reply. Another batch is only offered.
fn measured(model: &mut Model, measurement: Measurement) -> Vec<Effect> {
    let mut effects = Vec::new();
    if !model.is_scripted {
        model.settings.load.n_threads = measurement.n_threads;
        model.settings.measured = Some(measurement.clone());
        effects.push(Effect::SaveSettings);
    }
    model.machine.measured = Some(measurement);
    model.machine.measuring = Measuring::Idle;
    effects.extend(ask_preview(model));
    effects
}

/// Why a measurement cannot begin; none when it can.
pub fn measure_obstacle(model: &Model) -> Option<String> {
    match model.engine {
        EnginePhase::NoModel => Some("Open a model first: it is what is measured".to_owned()),
        _ => model.engine_obstacle(),
    }
}
