//! Runs models: the protocol, the worker that drives a backend, and the backends.

mod backend;
#[cfg(feature = "llama")]
pub mod llama;
mod protocol;

pub use backend::{Backend, Cancel};
pub use protocol::{
    Command, Event, Finish, FlashAttention, LoadSettings, ModelInfo, PromptRequest, PromptView,
    RunId, RunRequest, RunTimings, StopReason, TokenEvent,
};
