//! Runs models: the protocol, the worker that drives a backend, and the backends.
//!
//! An [`Engine`] is what the window and the command line hold. It drives a [`Backend`] that works in a child process
//! of the same binary ([`host::serve`] there), so that a crash, a hang or a kill of it becomes an event with a reason.

mod backend;
mod crash_note;
mod device;
mod finish;
mod frame;
mod group;
pub mod host;
mod job;
mod limits;
mod link;
mod listening;
#[cfg(feature = "llama")]
pub mod llama;
mod loading;
mod machine;
mod measurement;
mod memory_guard;
mod outbox;
mod packed_tokens;
mod pieces;
mod process;
mod protocol;
mod recording;
mod recording_lines;
mod recovery;
mod running;
mod scripted;
mod scripted_machine;
#[cfg(any(feature = "llama", test))]
mod spans;
mod supervisor;
mod vigil;
mod worker;

/// llama.cpp's version, as its build says.
pub fn llama_cpp_version() -> String {
    #[cfg(feature = "llama")]
    return llama::LlamaBackend::llama_cpp_version();
    #[cfg(not(feature = "llama"))]
    return "not in this build".to_owned();
}

#[cfg(test)]
mod tests;

pub use crate::constraint::Held;
pub use backend::{Backend, Cancel};
pub use crash_note::CrashNote;
pub use device::{Chosen, Device, DeviceKind, choose};
pub use finish::{Finish, RunTimings, StageDone, StopReason};
pub use frame::{FrameError, Hello, PROTOCOL};
pub use loading::{FlashAttention, LoadSettings, ModelInfo};
pub use machine::{MachineAsk, MachineNews};
pub use measurement::{BATCHES, Measurement, Speed, thread_counts};
pub use memory_guard::MemoryGuard;
pub use protocol::{
    Command, Event, GroupRun, Piece, PreviewRequest, PromptRequest, PromptView, RunId, RunRequest,
    Silence, TokenEvent,
};
pub use recording::Recording;
pub use recording_lines::RecordingError;
pub use scripted::ScriptedBackend;
pub use worker::{Engine, Restarter, Source};
