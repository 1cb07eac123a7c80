//! Stepladder shows why a local model's JSON breaks and what mends it.
//!
//! A reply to "answer in JSON" climbs a ladder until a rung holds: as is, fences stripped, cut out of its prose,
//! repaired. Beside the ladder stand the judges: the schema's verdict, the known answer, leaks from the few-shot
//! examples. In front of it stands everything that shapes the reply: the prompt, the sampling chain with every
//! knob of it, and the constraint whose mask says which tokens are legal.
//!
//! # Rooms
//!
//! ```text
//! main ─► cli ──────────┐
//!   └───► ui ─► app ─► runner ─► engine ─► pure rooms: sampling constraint ladder judge prompt lab gguf
//!                 └────► store ────────────┘      (ui, cli, app ─► download ─► store, gguf)
//! ```
//!
//! | room | holds |
//! |---|---|
//! | [`sampling`] | the table of knobs, the chain built from them, the trace of what each stage did |
//! | [`constraint`] | GBNF grammars, JSON Schemas and regular expressions, the mask that enforces them, when it begins and ends, and what it does not enforce |
//! | [`ladder`] | the climb: fences, cutting, repair, the log of every edit; values and messages are made when asked for |
//! | [`judge`] | verdict, correctness, leaks, cause: lamps that are never merged |
//! | [`prompt`] | tasks, messages, chat templates, special tokens that must stay text |
//! | [`lab`] | presets, plans, the record of every trial, statistics with intervals, reports |
//! | [`gguf`] | the header of a model file, read within bounds; what its memory comes to |
//! | [`machine`] | what this computer has to give: memory that is free, and what of it is taken |
//! | [`download`] | the catalogue, and models from a hub: resumed, checked, bounded; nothing unasked |
//! | [`engine`] | the protocol, the worker that drives a backend, and the backends |
//! | [`runner`] | from a preset and a task to a run, from a run's events to a trial, from a plan to its trials |
//! | [`store`] | all files: drafts, settings, trials, experiments, the library, models found where other tools keep them; everything as one file; windows that share a folder |
//! | [`app`] | the window's state, its actions, effects and events; knows no egui |
//! | [`ui`] | everything that is drawn |
//! | [`cli`] | one file a subcommand |
//!
//! # Invariants
//!
//! 1. **The pure rooms are pure.** They know no window, no llama.cpp, no clock, no file, no thread. They judge a
//!    reply; they never fail on one. Times are measured by the engine.
//! 2. Only [`engine`]'s llama backend names llama.cpp's crates, and unsafe code lives in one file of it. llama.cpp's
//!    own grammar sampler is never run: it hangs or aborts on grammars that a user can type.
//! 3. **A crash of llama.cpp is a message, not the end of the window.** Models run in a child process of the same
//!    binary. When it is lost it is started again, the model reloaded, and the interrupted reply tried once more
//!    and marked so. One that shows no sign of life for seconds is named, and ended only on wish; one that takes more
//!    memory than it may ends itself.
//! 4. Every reply can be reproduced: its record holds the model's fingerprint, the rendered prompt, token ids, knobs,
//!    chain order, constraint, seed and versions.
//! 5. Views draw and return an [`app::Action`]; [`app::on_action`] and [`app::on_event`] are the only places where
//!    state changes; effects go out as data.
//! 6. Every running phase has an exit: end, cancel, failure, engine gone. Cancel works within 100 ms, by ending
//!    the child where llama.cpp cannot be asked.
//! 7. A trial is on disk before the next begins. What a user typed is saved as it changes, atomically; a broken file
//!    is set aside under another name, never overwritten. What the disk does not take stays in memory and is tried
//!    again; windows on one folder write over nothing of each other's.
//! 8. A constraint that is not enforced never shows as enforced, and a run whose constraint has a fault is refused,
//!    never quietly unconstrained. After decoding, the validator always judges.
//!
//! The directions between rooms, the length of files and functions, and the purity of the pure rooms are held by
//! `tests/tidy.rs`.

pub mod app;
pub mod cli;
pub mod constraint;
pub mod download;
pub mod engine;
pub mod gguf;
pub mod judge;
pub mod lab;
pub mod ladder;
pub mod machine;
pub mod prompt;
pub mod runner;
pub mod sampling;
pub mod store;
mod typefaces;
pub mod ui;
