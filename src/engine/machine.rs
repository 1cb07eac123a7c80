//! What can be asked of the engine about the computer, and what it tells.

use serde::{Deserialize, Serialize};

use super::{Device, Measurement, Speed};

/// A question about the computer that the engine runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MachineAsk {
    /// Which devices there are.
    Devices,
    /// How fast the loaded model runs with which threads and batches.
    Measure,
}

/// An answer, or a part of one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "news", rename_all = "snake_case")]
pub enum MachineNews {
    Devices {
        devices: Vec<Device>,
    },
    /// A row of a measurement is done: how many are, of how many.
    Measuring {
        n_done: u32,
        n_total: u32,
        speed: Speed,
    },
    Measured {
        measurement: Measurement,
    },
    Failed {
        message: String,
    },
    Cancelled,
}

impl MachineNews {
    /// Whether it is the last one to its question.
    pub fn is_end(&self) -> bool {
        !matches!(self, Self::Measuring { .. })
    }
}
