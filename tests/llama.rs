//! The backend on real models: what it loads, refuses, writes and stops at.
#![cfg(feature = "llama")]
#![expect(clippy::print_stdout, reason = "a comparison tells what it found")]
#![expect(clippy::cast_possible_wrap, reason = "vocabularies are small")]
#![expect(clippy::unwrap_used, reason = "a test may panic")]

#[path = "llama/bad_files.rs"]
mod bad_files;
#[path = "llama/forecasts.rs"]
mod forecasts;
#[path = "llama/forks.rs"]
mod forks;
#[path = "llama/holding.rs"]
mod holding;
#[path = "llama/machine.rs"]
mod machine;
#[path = "llama/masses.rs"]
mod masses;
#[path = "llama/prefixes.rs"]
mod prefixes;
#[path = "llama/prompts.rs"]
mod prompts;
#[path = "llama/real_logits.rs"]
mod real_logits;
#[path = "llama/replies.rs"]
mod replies;
#[path = "llama/setup.rs"]
mod setup;
#[path = "llama/stage_definitions.rs"]
mod stage_definitions;
#[path = "llama/stage_oracle.rs"]
mod stage_oracle;
#[path = "llama/stage_vectors.rs"]
mod stage_vectors;
#[path = "llama/stages_alone.rs"]
mod stages_alone;
#[path = "llama/stages_chained.rs"]
mod stages_chained;
#[path = "llama/stages_dry.rs"]
mod stages_dry;
#[path = "llama/thinking.rs"]
mod thinking;
#[path = "llama/together.rs"]
mod together;
