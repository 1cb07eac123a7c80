//! What a model can be computed on, and which of these a load gets.

use serde::{Deserialize, Serialize};

use super::LoadSettings;

/// A device that llama.cpp can compute on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Device {
    /// Such as `Vulkan0` or `CPU`; what it is chosen by.
    pub name: String,
    /// Its maker's words.
    pub description: String,
    /// The part of llama.cpp that drives it, such as `Vulkan`.
    pub backend: String,
    pub kind: DeviceKind,
    /// Of its own; 0 where the driver does not say.
    pub memory_bytes: u64,
    /// What of it was free when it was asked.
    pub free_bytes: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviceKind {
    Cpu,
    Gpu,
    /// It shares the computer's memory.
    IntegratedGpu,
    /// Helps the processor, and holds no layers.
    Accelerator,
    #[default]
    Unknown,
}

/// What a load is computed on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chosen {
    /// The graphics devices that hold layers; none when the processor does it all.
    pub gpus: Vec<Device>,
    /// Why it is not what was asked for.
    pub fallback: Option<String>,
}

impl Device {
    /// Whether layers can be put on it.
    pub fn is_gpu(&self) -> bool {
        matches!(self.kind, DeviceKind::Gpu | DeviceKind::IntegratedGpu)
    }

    /// The name with the maker's words.
    pub fn label(&self) -> String {
        if self.description.is_empty() || self.description == self.name {
            self.name.clone()
        } else {
            format!("{}: {}", self.name, self.description)
        }
    }
}

impl DeviceKind {
    pub fn label(self) -> &'static str {
        match self {
            Self::Cpu => "processor",
            Self::Gpu => "graphics card",
            Self::IntegratedGpu => "integrated graphics",
            Self::Accelerator => "accelerator",
            Self::Unknown => "unknown",
        }
    }
}

impl Chosen {
    /// What the load ran on, in words, among the `devices` that there are.
    pub fn label(&self, devices: &[Device]) -> String {
        if !self.gpus.is_empty() {
            let labels: Vec<String> = self.gpus.iter().map(Device::label).collect();
            return labels.join(" + ");
        }
        let cpu = devices.iter().find(|it| it.kind == DeviceKind::Cpu);
        cpu.filter(|it| !it.description.is_empty())
            .map_or_else(|| "CPU".to_owned(), |it| it.description.clone())
    }
}

/// The devices that a load with these settings gets: the one that is named, else every graphics card, else integrated
/// graphics, else the processor.
pub fn choose(devices: &[Device], settings: &LoadSettings) -> Chosen {
    let on_cpu = |fallback| Chosen {
        gpus: Vec::new(),
        fallback,
    };
    if settings.n_gpu_layers == Some(0) {
        return on_cpu(settings.fallback.clone());
    }
    let Some(name) = &settings.device else {
        let of_kind = |kind| devices.iter().filter(move |it| it.kind == kind).cloned();
        let mut gpus: Vec<Device> = of_kind(DeviceKind::Gpu).collect();
        if gpus.is_empty() {
            gpus.extend(of_kind(DeviceKind::IntegratedGpu).take(1));
        }
        let fallback = None;
        return Chosen { gpus, fallback };
    };
    let mut named = devices
        .iter()
        .filter(|it| it.name.eq_ignore_ascii_case(name));
    match named.next() {
        Some(device) if device.is_gpu() => Chosen {
            gpus: vec![device.clone()],
            fallback: None,
        },
        Some(_) => on_cpu(settings.fallback.clone()),
        // Every build has a processor, whatever it is called.
        None if name.eq_ignore_ascii_case("cpu") => on_cpu(settings.fallback.clone()),
        None => {
            let names: Vec<&str> = devices.iter().map(|it| it.name.as_str()).collect();
            on_cpu(Some(format!(
                "there is no device {name} here, only {}",
                names.join(", ")
            )))
        }
    }
}

impl LoadSettings {
    /// The same load on the processor, after `device` failed with `reason`.
    #[must_use]
    pub fn on_cpu(&self, device: &str, reason: &str) -> Self {
        Self {
            device: Some("CPU".to_owned()),
            fallback: Some(format!("{device} failed: {reason}")),
            ..self.clone()
        }
    }
}
