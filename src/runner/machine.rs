//! Asks the engine about the computer and waits for the answer.

use super::WalkError;
use super::walk::next;
use crate::engine::{Command, Device, Engine, Event, MachineAsk, MachineNews, Measurement, RunId};

/// The devices that models can be computed on.
pub fn devices(engine: &Engine) -> Result<Vec<Device>, WalkError> {
    match answer(engine, MachineAsk::Devices, &mut |_, _| {})? {
        MachineNews::Devices { devices } => Ok(devices),
        other => Err(unexpected(other)),
    }
}

/// How fast the loaded model runs here; `tell` hears how many rows are done, of how many.
pub fn measure(engine: &Engine, tell: &mut dyn FnMut(u32, u32)) -> Result<Measurement, WalkError> {
    match answer(engine, MachineAsk::Measure, tell)? {
        MachineNews::Measured { measurement } => Ok(measurement),
        other => Err(unexpected(other)),
    }
}

fn unexpected(news: MachineNews) -> WalkError {
    match news {
        MachineNews::Failed { message } => WalkError::Run(message),
        MachineNews::Cancelled => WalkError::Stopped,
        other => WalkError::Run(format!("the engine answered {other:?}")),
    }
}

fn answer(
    engine: &Engine,
    ask: MachineAsk,
    tell: &mut dyn FnMut(u32, u32),
) -> Result<MachineNews, WalkError> {
    // Behind the load's; nothing else is under way.
    let id = RunId(2);
    engine.send(Command::Machine { id, ask });
    loop {
        let Event::Machine { news, .. } = next(engine)? else {
            continue;
        };
        match *news {
            MachineNews::Measuring {
                n_done, n_total, ..
            } => tell(n_done, n_total),
            end => return Ok(end),
        }
    }
}
