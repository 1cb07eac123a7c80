//! `stepladder engine`: the process in which models run, so that a crash of theirs is only a message.

use std::path::Path;
use std::process::ExitCode;

use super::args::EngineArguments;
use super::out;
use crate::engine::{Backend, Recording, ScriptedBackend, host};
use crate::store::{MAX_RECORDING, read_given};

/// Serves the process that started this one until it is gone.
pub(super) fn engine(arguments: &EngineArguments) -> ExitCode {
    let mut backend = match backend(arguments.scripted.as_deref()) {
        Ok(it) => it,
        Err(it) => return out::error(&it),
    };
    match host::serve(
        backend.as_mut(),
        std::io::stdin(),
        std::io::stdout(),
        host::end_process,
    ) {
        Ok(()) => ExitCode::SUCCESS,
        Err(it) => out::error(&format!(
            "{it}; the engine's pipe; start stepladder, not its engine"
        )),
    }
}

/// Reads a recording to be played.
pub(super) fn recording(path: &Path) -> Result<Recording, String> {
    let place = path.display();
    let text = read_given(path, MAX_RECORDING)
        .map_err(|it| format!("cannot read the recording: {it}; {place}; check the path"))?;
    Recording::parse(&text)
        .map_err(|it| format!("the recording cannot be played: {it}; {place}; record it anew"))
}

fn backend(scripted: Option<&Path>) -> Result<Box<dyn Backend>, String> {
    match scripted {
        Some(path) => Ok(Box::new(ScriptedBackend::new(
            recording(path)?,
            host::abort_process,
        ))),
        None => llama(),
    }
}

#[cfg(feature = "llama")]
#[expect(
    clippy::unnecessary_wraps,
    reason = "a build without llama.cpp fails here"
)]
fn llama() -> Result<Box<dyn Backend>, String> {
    crate::engine::llama::prepare_process();
    Ok(Box::new(crate::engine::llama::LlamaBackend::new()))
}

#[cfg(not(feature = "llama"))]
fn llama() -> Result<Box<dyn Backend>, String> {
    Err("this build runs no models; it was built without the feature llama; build it with default features, or play a recording with --scripted".to_owned())
}
