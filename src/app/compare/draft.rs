//! What stands in Compare: the prompt that all columns share, and the columns. Nothing typed is lost.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{COLUMNS, ColumnDraft, ColumnId};
use crate::lab::Preset;
use crate::runner::Text;
use crate::store::Library;

/// One prompt and its columns. Saved as it changes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CompareDraft {
    pub v: u32,
    /// The task's id.
    pub task: String,
    /// Which of the task's inputs was picked, from 0.
    pub input: Option<usize>,
    /// The input's text; it may have moved on since.
    pub text: String,
    pub columns: Vec<ColumnDraft>,
    /// The column that the others are held against; the first one, if none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<ColumnId>,
    /// Texts of the user's own that something else took the place of, the latest first.
    pub kept: Vec<String>,
    /// Fields this version does not know, kept as they were.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The columns of a first start: what a chat app sends beside the plainest settings.
const FIRST_PRESETS: [&str; 2] = ["greedy", "chat"];

/// How many earlier texts are kept.
const MAX_KEPT: usize = 20;

impl CompareDraft {
    /// The shopping task, and two presets that answer it differently.
    pub fn new(library: &Library) -> Self {
        let mut draft = Self {
            v: 1,
            ..Self::default()
        };
        let first = library.task("shopping").or(library.tasks.first());
        draft.take_task(library, first.map_or("", |it| it.id.as_str()));
        for name in FIRST_PRESETS {
            if let Some(preset) = library.preset(name) {
                draft.add(preset.clone());
            }
        }
        draft
    }

    pub fn column(&self, id: ColumnId) -> Option<&ColumnDraft> {
        self.columns.iter().find(|it| it.id == id)
    }

    pub(super) fn column_mut(&mut self, id: ColumnId) -> Option<&mut ColumnDraft> {
        self.columns.iter_mut().find(|it| it.id == id)
    }

    pub(super) fn place(&self, id: ColumnId) -> Option<usize> {
        self.columns.iter().position(|it| it.id == id)
    }

    /// The index of the column that the others are held against.
    pub fn reference_place(&self) -> usize {
        let place = self.reference.and_then(|it| self.place(it));
        place.unwrap_or_default()
    }

    /// The letter and the title of a column, such as "B (Chat)".
    pub fn name(&self, idx: usize) -> String {
        let title = self
            .columns
            .get(idx)
            .map_or("", |it| it.preset.title.as_str());
        format!("{} ({title})", letter(idx))
    }

    /// The index of the task's input, if its text still stands there unchanged.
    pub fn unchanged_input(&self, library: &Library) -> Option<usize> {
        let idx = self.input?;
        let input = library.task(&self.task)?.inputs.get(idx)?;
        (input.text == self.text).then_some(idx)
    }

    pub(super) fn text(&self, library: &Library) -> Text {
        match self.unchanged_input(library) {
            Some(idx) => Text::Input(idx),
            None => Text::Free(self.text.clone()),
        }
    }

    /// Takes a task and its first input. A text of the user's own stays.
    pub(super) fn take_task(&mut self, library: &Library, id: &str) {
        let is_own = !self.text.is_empty() && self.unchanged_input(library).is_none();
        id.clone_into(&mut self.task);
        self.input = None;
        if !is_own {
            self.take_input(library, 0);
        }
    }

    pub(super) fn take_input(&mut self, library: &Library, idx: usize) {
        let inputs = library.task(&self.task).map(|it| &it.inputs);
        if let Some(input) = inputs.and_then(|it| it.get(idx)) {
            let text = input.text.clone();
            self.keep(library);
            self.input = Some(idx);
            self.text = text;
        }
    }

    /// Puts an earlier text back, and keeps the one that stands there.
    pub(super) fn restore(&mut self, library: &Library, idx: usize) {
        if idx < self.kept.len() {
            let text = self.kept.remove(idx);
            self.keep(library);
            self.input = None;
            self.text = text;
        }
    }

    /// Keeps the text if it is the user's own.
    fn keep(&mut self, library: &Library) {
        let is_own = self.unchanged_input(library).is_none() && !self.text.trim().is_empty();
        if is_own && !self.kept.contains(&self.text) {
            self.kept.insert(0, std::mem::take(&mut self.text));
            self.kept.truncate(MAX_KEPT);
        }
    }

    /// Adds a column at the end; none if there is no room for it.
    pub(super) fn add(&mut self, preset: Preset) -> Option<ColumnId> {
        let id = self.free_id();
        let has_room = self.columns.len() < *COLUMNS.end();
        has_room.then(|| {
            self.columns.push(ColumnDraft::new(id, preset));
            id
        })
    }

    /// Puts a copy of a column behind it; none if there is no room for it.
    pub(super) fn duplicate(&mut self, id: ColumnId) -> Option<ColumnId> {
        let at = self.place(id)?;
        let new = self.free_id();
        let has_room = self.columns.len() < *COLUMNS.end();
        has_room.then(|| {
            let copy = ColumnDraft {
                id: new,
                ..self.columns[at].clone()
            };
            self.columns.insert(at + 1, copy);
            new
        })
    }

    /// Columns that were saved by hand or by another version are made to fit.
    pub(in crate::app) fn mend(&mut self) {
        self.columns.truncate(*COLUMNS.end());
        let mut seen = Vec::new();
        for idx in 0..self.columns.len() {
            if seen.contains(&self.columns[idx].id) {
                self.columns[idx].id = self.free_id();
            }
            seen.push(self.columns[idx].id);
        }
    }

    fn free_id(&self) -> ColumnId {
        let last = self.columns.iter().map(|it| it.id.0).max();
        ColumnId(last.unwrap_or(0) + 1)
    }
}

/// A, B, C …
pub(super) fn letter(idx: usize) -> char {
    let nth = u8::try_from(idx).unwrap_or(25).min(25);
    char::from(b'A' + nth)
}
