//! The window's state and everything that changes it; knows no egui.

mod action;
mod bench;
mod branch;
mod checked;
mod compare;
mod draft;
mod forecast;
mod grammars;
mod model;
mod model_search;
mod on_action;
mod on_event;
mod repair;
mod texts;

pub use action::{Action, Effect};
pub use bench::{
    BenchAction, BenchDesk, BenchNews, BenchOrder, CellChoice, Counted, Experiment, Matrix, Part,
    Running, RunsAction, RunsEffect, RunsNews, Second, Shown, ToCount, on_bench_news,
    on_experiments, on_reported, on_runs_news, two_runs,
};
pub use branch::{Branch, Change, forkable};
pub use checked::Checked;
pub use compare::{
    COLUMNS, ColumnChange, ColumnDraft, ColumnId, ColumnState, CompareAction, CompareDesk,
    CompareDraft, Comparison, Parted, Playback, PlaybackWish,
};
pub use draft::{ConstraintDraft, ConstraintKind, Draft, ExampleDraft, PromptDraft};
pub use grammars::{
    AskedTrial, Document, DocumentKind, GrammarsAction, GrammarsDesk, GrammarsDraft, KeptDocument,
    Source, Steps, TestText, Tried, TriedText, documents, on_document_read, on_tried, try_all,
};
pub use model::{
    EnginePhase, Model, Notice, NoticeKind, Preview, Reply, RunPhase, Settings, Tab, ThemeChoice,
};
pub use model_search::{ModelSearch, on_found, on_search_failed, on_searching};
pub use on_action::on_action;
pub use on_event::{on_event, on_saved};
pub use repair::{
    Asked, ClimbPhase, DiffLine, KeptReply, LARGE, Mark, MarkKind, Outcome, Places, RepairAction,
    RepairDesk, RepairDraft, Sample, Segment, case, flag_words, on_case_saved, on_climbed,
    on_reply_read, outcome, report, sample_files, samples,
};
pub use texts::{Drawer, Kept, Place};

pub use crate::store::{Finding, FoundModel, Library, Problem, Searching};

#[cfg(test)]
mod tests;
