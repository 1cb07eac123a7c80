//! The window's state and everything that changes it; knows no egui.

mod action;
mod bench;
mod branch;
mod checked;
mod compare;
mod download;
mod draft;
mod forecast;
mod grammars;
mod machine;
mod model;
mod model_search;
mod on_action;
mod on_disk;
mod on_event;
mod repair;
mod texts;

pub use action::{Action, Effect};
pub use bench::{
    AblationDraft, BenchAction, BenchDesk, BenchEffect, BenchNews, BenchOrder, BuildAction,
    Builder, CellChoice, Counted, Experiment, Fault, InputsDraft, InputsKind, Matrix, ModelOutlook,
    Outlook, Pace, Page, Part, PlanDraft, PlanDrafts, PlanField, RetryDraft, Running, RunsAction,
    RunsEffect, RunsNews, Second, Shown, ToCount, on_bench_news, on_experiments, on_reported,
    on_runs_news, on_speeds, two_runs,
};
pub use branch::{Branch, Change, forkable};
pub use checked::Checked;
pub use compare::{
    COLUMNS, ColumnChange, ColumnDraft, ColumnId, ColumnState, CompareAction, CompareDesk,
    CompareDraft, Comparison, Parted, Playback, PlaybackWish,
};
pub use download::{
    DownloadAction, DownloadDesk, DownloadEffect, DownloadNews, GetPhase, Getting, on_download_news,
};
pub use draft::{ConstraintDraft, ConstraintKind, Draft, ExampleDraft, PromptDraft};
pub use grammars::{
    AskedTrial, Document, DocumentKind, GrammarsAction, GrammarsDesk, GrammarsDraft, KeptDocument,
    Source, Steps, TestText, Tried, TriedText, documents, on_document_read, on_tried, try_all,
};
pub use machine::{MachineAction, MachineDesk, Measuring, measure_obstacle};
pub use model::{
    Crash, EnginePhase, Model, Notice, NoticeKind, Preview, Reply, RunPhase, Settings, Tab,
    ThemeChoice,
};
pub use model_search::{ModelSearch, on_found, on_search_failed, on_searching};
pub use on_action::on_action;
pub use on_disk::{on_exported, on_imported, on_kept, on_opened, on_recorded};
pub use on_event::{on_crash_kept, on_event, on_saved};
pub use repair::{
    Asked, ClimbPhase, DiffLine, KeptReply, LARGE, Mark, MarkKind, Outcome, Places, RepairAction,
    RepairDesk, RepairDraft, Sample, Segment, case, flag_words, on_case_saved, on_climbed,
    on_reply_read, outcome, report, sample_files, samples,
};
pub use texts::{Drawer, Kept, Place};

pub use crate::store::{Finding, FoundModel, Library, Problem, Searching};

#[cfg(test)]
mod tests;
