//! Whether a model fits where its layers go: on a graphics device, in the computer's memory, or shared out to both.

use super::{Fit, Footprint, MemoryNeed};

/// The memory that a model can have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Room {
    /// Free memory of the computer, in bytes; none where it is not known.
    pub computer: Option<u64>,
    /// The graphics device that layers go to, if one is known.
    pub device: Option<DeviceRoom>,
}

/// The memory of a graphics device.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceRoom {
    pub name: String,
    /// In bytes.
    pub free: u64,
    /// Layers that go there; none for all.
    pub n_layers: Option<u32>,
}

/// A need, shared out, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    pub device: u64,
    pub computer: u64,
}

impl Room {
    /// Of the computer alone.
    pub fn of_computer(free: Option<u64>) -> Self {
        Self {
            computer: free,
            device: None,
        }
    }

    /// The worse of the two verdicts; none where no free memory is known.
    pub fn fit(&self, footprint: &Footprint, need: MemoryNeed) -> Option<Fit> {
        let Some(device) = &self.device else {
            return Some(Fit::of(need.total(), self.computer?));
        };
        let share = footprint.share(need, device.n_layers);
        let on_device = Fit::of(share.device, device.free);
        let in_computer = self.computer.map(|it| Fit::of(share.computer, it));
        Some(in_computer.map_or(on_device, |it| it.max(on_device)))
    }
}

impl Footprint {
    /// Weights and cache go with the layers, of which the output counts as one; room to compute is needed wherever
    /// a layer is, and in the computer's memory always.
    pub fn share(&self, need: MemoryNeed, n_layers: Option<u32>) -> Share {
        let n_all = u64::from(self.shape.block_count) + 1;
        let n_there = n_layers.map_or(n_all, |it| u64::from(it).min(n_all));
        let with_layers = need.weights.saturating_add(need.cache);
        let there = (u128::from(with_layers) * u128::from(n_there) / u128::from(n_all)) as u64;
        let computes_there = if n_there > 0 { need.compute } else { 0 };
        Share {
            device: there.saturating_add(computes_there),
            computer: (with_layers - there).saturating_add(need.compute),
        }
    }
}
