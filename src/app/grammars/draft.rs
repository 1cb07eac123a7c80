//! What is typed in Grammars: the open text, and the texts that it is tried on. Nothing typed is lost.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::documents::{Document, DocumentKind, documents};
use crate::constraint::{Constraint, SchemaSwitches, WhiteSpace};
use crate::store::Library;

/// How many texts that something else took the place of are kept.
const MAX_KEPT: usize = 40;

/// The open document and all test texts. Saved as it changes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GrammarsDraft {
    pub v: u32,
    pub kind: DocumentKind,
    /// The open document's name; empty before the first start.
    pub name: String,
    pub text: String,
    /// How a schema's white space is held.
    pub white_space: WhiteSpace,
    #[serde(skip_serializing_if = "SchemaSwitches::is_neutral")]
    pub switches: SchemaSwitches,
    /// The test texts of each document, by [`DocumentKind::key`].
    pub tests: BTreeMap<String, Vec<TestText>>,
    /// The text that is stepped through.
    pub step_text: String,
    /// Which examples are made.
    pub seed: u64,
    /// Texts that were deleted or taken back, the latest first.
    pub kept: Vec<KeptDocument>,
    /// Fields this version does not know, kept as they were.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A text that a constraint must let pass, or must stop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TestText {
    pub text: String,
    pub must_pass: bool,
}

/// A document's earlier text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct KeptDocument {
    pub kind: DocumentKind,
    pub name: String,
    pub text: String,
}

impl GrammarsDraft {
    /// The draft of a first start: the JSON grammar.
    pub fn new(library: &Library) -> Self {
        let mut draft = Self {
            v: 1,
            ..Self::default()
        };
        let list = documents(library);
        let first = list.iter().find(|it| it.name == "json").or(list.first());
        if let Some(first) = first {
            draft.open(first);
        }
        draft
    }

    /// Opens a document. The one that was open lies in its file.
    pub fn open(&mut self, document: &Document) {
        self.kind = document.kind;
        self.name.clone_from(&document.name);
        self.text.clone_from(&document.text);
        self.seed = 0;
        if let Some(first) = self.tests().iter().find(|it| it.must_pass) {
            self.step_text.clone_from(&first.text);
        }
    }

    /// The constraint that the open text is.
    pub fn constraint(&self) -> Constraint {
        match self.kind {
            DocumentKind::Grammar => Constraint::Grammar {
                text: self.text.clone(),
            },
            DocumentKind::Schema => Constraint::Schema {
                text: self.text.clone(),
                white_space: self.white_space,
                switches: self.switches.clone(),
            },
        }
    }

    /// The open document's test texts: the user's, or those that ship.
    pub fn tests(&self) -> Vec<TestText> {
        let key = self.kind.key(&self.name);
        let own = self.tests.get(&key).cloned();
        own.unwrap_or_else(|| super::trial::shipped_tests(&key))
    }

    /// Changes the open document's test texts.
    pub fn set_tests(&mut self, tests: Vec<TestText>) {
        let key = self.kind.key(&self.name);
        self.tests.insert(key, tests);
    }

    /// Gives the open document's test texts to another one.
    pub fn copy_tests(&mut self, kind: DocumentKind, name: &str) {
        let tests = self.tests();
        self.tests.insert(kind.key(name), tests);
    }

    /// Keeps the open text, which something else takes the place of.
    pub fn keep(&mut self) {
        if self.text.trim().is_empty() {
            return;
        }
        let kept = KeptDocument {
            kind: self.kind,
            name: self.name.clone(),
            text: self.text.clone(),
        };
        self.kept.retain(|it| *it != kept);
        self.kept.insert(0, kept);
        self.kept.truncate(MAX_KEPT);
    }
}
