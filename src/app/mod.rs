//! The window's state and everything that changes it; knows no egui.

mod action;
mod draft;
mod model;

pub use action::{Action, Effect};
pub use draft::{ConstraintDraft, ConstraintKind, Draft, ExampleDraft, PromptDraft};
pub use model::{
    EnginePhase, FoundModel, Library, Model, Notice, NoticeKind, Reply, RunPhase, Tab, ThemeChoice,
};
