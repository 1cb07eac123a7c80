//! What an engine's process can meet with: stopped, killed, short of memory, given hostile files and prompts.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test may panic")]

#[cfg(feature = "llama")]
mod asked;
#[cfg(feature = "llama")]
mod damaged_files;
#[cfg(feature = "llama")]
mod hostile_templates;
#[cfg(feature = "llama")]
mod killed_plan;
#[cfg(feature = "llama")]
mod little_model;
#[cfg(feature = "llama")]
mod memory;
#[cfg_attr(
    not(feature = "llama"),
    expect(dead_code, reason = "real models need more of it")
)]
mod processes;
#[cfg(feature = "llama")]
mod prompts;
mod silence;
#[cfg(feature = "llama")]
mod silent_command_line;
mod window;

#[cfg(feature = "llama")]
#[expect(dead_code, reason = "the tests of the reader need more of it")]
#[path = "../../src/gguf/tiny.rs"]
mod tiny;

use std::time::Duration;

/// Long enough for any machine; only a fault waits so long.
pub(crate) const PATIENCE: Duration = Duration::from_mins(2);
