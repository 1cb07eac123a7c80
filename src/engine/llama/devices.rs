//! The devices that llama.cpp finds here, and how a model is put on those that were chosen.

use llama_cpp_2::model::params::LlamaModelParams;
use llama_cpp_2::{LlamaBackendDevice, LlamaBackendDeviceType};

use super::library::backend;
use crate::engine::{Chosen, Device, DeviceKind};

/// The devices that llama.cpp can compute on, the processor among them.
pub(super) fn devices() -> Vec<Device> {
    found().iter().map(device).collect()
}

/// Tells llama.cpp where the layers go. Without graphics devices it gets none at all: with no layers on one it would
/// still compute long prompts there.
pub(super) fn place(
    params: LlamaModelParams,
    chosen: &Chosen,
    n_gpu_layers: Option<u32>,
) -> Result<LlamaModelParams, String> {
    let is_chosen = |it: &&LlamaBackendDevice| chosen.gpus.iter().any(|gpu| gpu.name == it.name);
    let places: Vec<usize> = found()
        .iter()
        .filter(is_chosen)
        .map(|it| it.index)
        .collect();
    if places.len() < chosen.gpus.len() {
        return Err("a device that was there is gone".to_owned());
    }
    let params = match n_gpu_layers {
        _ if places.is_empty() => params.with_n_gpu_layers(0),
        Some(n_layers) => params.with_n_gpu_layers(n_layers),
        None => params,
    };
    params.with_devices(&places).map_err(|it| it.to_string())
}

fn found() -> Vec<LlamaBackendDevice> {
    match backend() {
        Ok(_) => llama_cpp_2::list_llama_ggml_backend_devices(),
        Err(_) => Vec::new(),
    }
}

fn device(found: &LlamaBackendDevice) -> Device {
    Device {
        name: found.name.clone(),
        description: found.description.trim().to_owned(),
        backend: found.backend.clone(),
        kind: match found.device_type {
            LlamaBackendDeviceType::Cpu => DeviceKind::Cpu,
            LlamaBackendDeviceType::Gpu => DeviceKind::Gpu,
            LlamaBackendDeviceType::IntegratedGpu => DeviceKind::IntegratedGpu,
            LlamaBackendDeviceType::Accelerator => DeviceKind::Accelerator,
            LlamaBackendDeviceType::Unknown => DeviceKind::Unknown,
        },
        memory_bytes: found.memory_total as u64,
        free_bytes: found.memory_free as u64,
    }
}
