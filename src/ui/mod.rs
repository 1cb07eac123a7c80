//! The window: draws the model and returns the user's wishes; changes nothing but drafts and its own view state.

mod bench;
mod bench_errands;
mod bench_thread;
mod columns;
mod compare;
mod downloads;
mod dropped;
mod errands;
mod grammars;
mod inputs;
mod outcome;
mod phases;
mod play;
mod records;
mod reins;
mod repair;
mod saved;
mod shell;
pub mod theme;
mod tokens;
mod widgets;
mod window;

pub use bench::BenchState;
pub use compare::CompareState;
pub use downloads::Fetch;
pub use grammars::GrammarsState;
pub use play::{Part, PlayState};
pub use repair::RepairState;
pub use shell::shell_ui;
pub use tokens::{ColourMode, TokenView};
pub use window::{Opening, Window};

/// What the views remember that is no part of the model.
#[derive(Debug, Default)]
pub struct State {
    /// The laid out reply, its colours, and the token whose card stays open.
    pub tokens: TokenView,
    /// The same for the other branch of a fork.
    pub branch_tokens: TokenView,
    pub play: PlayState,
    pub repair: RepairState,
    pub grammars: GrammarsState,
    pub bench: BenchState,
    pub compare: CompareState,
    /// The path that is being typed in the model picker.
    pub model_path: String,
    /// The model's name that is being typed to be downloaded.
    pub wanted_model: String,
    /// Whether the catalogue is unfolded in the model picker, once the user has said so.
    pub catalogue_open: Option<bool>,
    /// Whether the load settings are unfolded in the model picker.
    pub load_settings_open: bool,
}
