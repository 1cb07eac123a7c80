//! How a model is to be loaded, and what is known of one that is.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::sampling::ModelDefault;

/// How a model is loaded. Zero means: the engine chooses.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LoadSettings {
    #[serde(default)]
    pub path: PathBuf,
    /// Context size in tokens; 0 for the model's own, at most 8,192.
    #[serde(default)]
    pub n_ctx: u32,
    /// Threads; 0 for physical cores minus one, at least one.
    #[serde(default)]
    pub n_threads: u32,
    /// Tokens of a prompt that are evaluated at once; 0 for 64. Rounding depends on it.
    #[serde(default)]
    pub n_batch: u32,
    /// The name of the device; none for the best there is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// Layers on the GPU; none for all.
    #[serde(default)]
    pub n_gpu_layers: Option<u32>,
    #[serde(default)]
    pub flash_attention: FlashAttention,
    /// Memory that the engine may take, in megabytes; 0 for no limit, none for what is free when a model is loaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_limit_mb: Option<u32>,
    /// Why the load is not on the device that was asked for at first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FlashAttention {
    #[default]
    Auto,
    On,
    Off,
}

/// A loaded model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelInfo {
    pub path: PathBuf,
    pub name: String,
    pub architecture: String,
    pub quantization: String,
    pub bytes: u64,
    pub n_params: u64,
    pub n_vocab: u32,
    pub n_ctx: u32,
    pub n_ctx_train: u32,
    pub n_threads: u32,
    /// Tokens of a prompt that are evaluated at once.
    #[serde(default)]
    pub n_batch: u32,
    pub device: String,
    /// Why it is not the device that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device_fallback: Option<String>,
    /// Layers on a graphics device, of how many.
    #[serde(default)]
    pub layers: (u32, u32),
    /// SHA-256 of header and size.
    pub fingerprint: String,
    pub chat_template: Option<String>,
    pub load_ms: f64,
    /// Resident memory of the engine's process after the load.
    pub memory_bytes: u64,
    /// llama.cpp's version, as its build says.
    pub llama_cpp: String,
    /// The knobs that the file itself suggests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sampling: Vec<ModelDefault>,
}
