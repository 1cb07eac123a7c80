//! The backend on real models: what it loads, refuses, writes and stops at.
#![cfg(feature = "llama")]
#![expect(clippy::unwrap_used, reason = "a test may panic")]

#[path = "llama/bad_files.rs"]
mod bad_files;
#[path = "llama/forks.rs"]
mod forks;
#[path = "llama/holding.rs"]
mod holding;
#[path = "llama/prompts.rs"]
mod prompts;
#[path = "llama/replies.rs"]
mod replies;
#[path = "llama/setup.rs"]
mod setup;
#[path = "llama/thinking.rs"]
mod thinking;
