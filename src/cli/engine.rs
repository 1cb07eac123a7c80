//! `stepladder engine`: the process in which models run, so that a crash of theirs is only a message.

use std::path::Path;
use std::process::ExitCode;

use super::args::EngineArguments;
use super::out;
use crate::engine::{Backend, Recording, ScriptedBackend, host};
use crate::store::{MAX_RECORDING, read_given};

/// Serves the process that started this one until it is gone.
pub(super) fn engine(arguments: &EngineArguments) -> ExitCode {
    let mut backend = match backend(arguments) {
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

fn backend(arguments: &EngineArguments) -> Result<Box<dyn Backend>, String> {
    match arguments.scripted.as_deref() {
        Some(path) => Ok(Box::new(ScriptedBackend::new(
            recording(path)?,
            host::abort_process,
        ))),
        None => llama(arguments.memory),
    }
}

#[cfg(feature = "llama")]
#[expect(
    clippy::unnecessary_wraps,
    reason = "a build without llama.cpp fails here"
)]
fn llama(memory_limit_mb: Option<u32>) -> Result<Box<dyn Backend>, String> {
    use crate::engine::MemoryGuard;
    use crate::engine::llama::{LlamaBackend, prepare_process};
    prepare_process();
    let guard = MemoryGuard::of_process();
    Ok(Box::new(LlamaBackend::guarded(guard, memory_limit_mb)))
}

#[cfg(not(feature = "llama"))]
fn llama(_memory_limit_mb: Option<u32>) -> Result<Box<dyn Backend>, String> {
    Err("this build runs no models; it was built without the feature llama; build it with default features, or play a recording with --scripted".to_owned())
}
