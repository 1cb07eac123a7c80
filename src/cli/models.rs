//! `stepladder models`: the models found on this computer.

use std::process::ExitCode;

use super::args::ModelsArguments;
use super::out;
use crate::app::Settings;
use crate::store::{self, Folders, FoundModel};

/// Lists them, one a line or as JSON.
pub(super) fn models(arguments: &ModelsArguments) -> ExitCode {
    let found = found(&Folders::of_user());
    if arguments.json {
        let list: Vec<_> = found.iter().map(json).collect();
        out::line(&serde_json::Value::from(list).to_string());
        return ExitCode::SUCCESS;
    }
    if found.is_empty() {
        out::line(
            "No models found. Set STEPLADDER_MODEL to a GGUF file, or STEPLADDER_MODEL_DIRS to folders.",
        );
    }
    for it in &found {
        out::line(&format!(
            "{}  {} {}  {:.0} MB  {}  ({})",
            it.name,
            it.architecture,
            it.quantization,
            it.bytes as f64 / 1e6,
            it.path.display(),
            it.found_in,
        ));
    }
    ExitCode::SUCCESS
}

/// All models that can be named without their path.
pub(super) fn found(folders: &Folders) -> Vec<FoundModel> {
    // Only the window mends a broken settings file; here it means no more than an empty list.
    let settings = std::fs::read(folders.settings()).unwrap_or_default();
    let settings: Settings = serde_json::from_slice(&settings).unwrap_or_default();
    store::find_models(folders, &settings.recent)
}

fn json(model: &FoundModel) -> serde_json::Value {
    serde_json::json!({
        "path": model.path,
        "name": model.name,
        "format": "gguf",
        "bytes": model.bytes,
        "architecture": model.architecture,
        "quantization": model.quantization,
        "found_in": model.found_in,
    })
}
