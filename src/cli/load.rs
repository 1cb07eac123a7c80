//! The flags that say how a model is loaded.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::engine::{FlashAttention, LoadSettings};

/// How the model is loaded.
#[derive(Debug, Args)]
pub(super) struct LoadArguments {
    /// Context size in tokens; 0 for the model's own, at most 8192.
    #[arg(long, value_name = "N", default_value_t = 0)]
    ctx: u32,
    /// Threads; 0 for physical cores minus one.
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: u32,
    /// Tokens of a prompt that are evaluated at once; 0 for 64. Another number rounds differently.
    #[arg(long, value_name = "N", default_value_t = 0)]
    batch: u32,
    /// The device that `devices` lists under this name; the best there is, if not given.
    #[arg(long, value_name = "NAME")]
    device: Option<String>,
    /// Layers on the GPU; all that there are, if not given.
    #[arg(long, value_name = "N")]
    gpu_layers: Option<u32>,
    /// Whether flash attention is used.
    #[arg(long, value_enum, default_value = "auto")]
    flash_attention: Switch,
    /// Megabytes of memory that the engine may take before it stops itself; 0 for no limit, and without this what is
    /// free when the model is loaded.
    #[arg(long, env = "STEPLADDER_MEMORY", value_name = "MB")]
    memory: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Switch {
    Auto,
    On,
    Off,
}

impl LoadArguments {
    /// The load of this file.
    pub(super) fn settings(&self, path: PathBuf) -> LoadSettings {
        LoadSettings {
            path,
            n_ctx: self.ctx,
            n_threads: self.threads,
            n_batch: self.batch,
            device: self.device.clone(),
            n_gpu_layers: self.gpu_layers,
            flash_attention: self.flash_attention.into(),
            memory_limit_mb: self.memory,
            fallback: None,
        }
    }
}

impl From<Switch> for FlashAttention {
    fn from(switch: Switch) -> Self {
        match switch {
            Switch::Auto => Self::Auto,
            Switch::On => Self::On,
            Switch::Off => Self::Off,
        }
    }
}
