//! The grammars and schemas there are: those that ship, and the user's own.

use serde::{Deserialize, Serialize};

use crate::app::draft::schema_text;
use crate::constraint::grammars;
use crate::store::Library;

/// What a document is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentKind {
    /// GBNF.
    #[default]
    Grammar,
    /// JSON Schema.
    Schema,
}

/// Where a document comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Shipped,
    /// A shipped one that the user changed.
    Changed,
    Own,
}

/// A grammar or a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    pub kind: DocumentKind,
    pub name: String,
    pub text: String,
    pub source: Source,
}

impl DocumentKind {
    /// Names a document among those of both kinds.
    pub fn key(self, name: &str) -> String {
        match self {
            Self::Grammar => format!("grammar/{name}"),
            Self::Schema => format!("schema/{name}"),
        }
    }

    /// What a new document begins as.
    pub(super) fn beginning(self) -> &'static str {
        match self {
            Self::Grammar => "root ::= \"yes\" | \"no\"\n",
            Self::Schema => {
                "{\n  \"type\": \"object\",\n  \"properties\": {\n    \"name\": {\"type\": \"string\"}\n  },\n  \"required\": [\"name\"],\n  \"additionalProperties\": false\n}\n"
            }
        }
    }
}

/// All documents, grammars first, each kind in the order of the library.
pub fn documents(library: &Library) -> Vec<Document> {
    let mut res: Vec<Document> = library
        .grammars
        .iter()
        .map(|(name, text)| document(DocumentKind::Grammar, name, text, library))
        .collect();
    for task in &library.tasks {
        let own = library.schemas.iter().find(|it| it.0 == task.id);
        let text = own.map_or_else(|| schema_text(task), |it| it.1.clone());
        res.push(document(DocumentKind::Schema, &task.id, &text, library));
    }
    let is_of_task = |name: &str| library.task(name).is_some();
    for (name, text) in library.schemas.iter().filter(|it| !is_of_task(&it.0)) {
        res.push(document(DocumentKind::Schema, name, text, library));
    }
    res
}

/// The text that a document of this name ships with.
pub(super) fn shipped(kind: DocumentKind, name: &str, library: &Library) -> Option<String> {
    match kind {
        DocumentKind::Grammar => grammars()
            .iter()
            .find(|it| it.0 == name)
            .map(|it| it.1.to_owned()),
        DocumentKind::Schema => library.task(name).map(schema_text),
    }
}

fn document(kind: DocumentKind, name: &str, text: &str, library: &Library) -> Document {
    let source = match shipped(kind, name, library) {
        Some(it) if it == text => Source::Shipped,
        Some(_) => Source::Changed,
        None => Source::Own,
    };
    Document {
        kind,
        name: name.to_owned(),
        text: text.to_owned(),
        source,
    }
}

/// A name that no document of this kind has: the wish, or the wish with a number.
pub(super) fn free_name(kind: DocumentKind, wish: &str, library: &Library) -> String {
    let list = documents(library);
    let is_free = |name: &str| !list.iter().any(|it| it.kind == kind && it.name == name);
    if is_free(wish) {
        return wish.to_owned();
    }
    let numbered = (2..).map(|n| format!("{wish}-{n}"));
    numbered
        .into_iter()
        .find(|it| is_free(it))
        .unwrap_or_default()
}

/// Why a document cannot have this name; none when it can.
pub(super) fn name_fault(kind: DocumentKind, name: &str, library: &Library) -> Option<String> {
    const LONGEST: usize = 80;
    let is_sign = |it: char| it.is_alphanumeric() || matches!(it, '-' | '_' | ' ' | '.');
    if name.trim().is_empty() {
        return Some("A document needs a name.".to_owned());
    }
    if !name.chars().all(is_sign) || name.starts_with('.') || name.len() > LONGEST {
        return Some(format!(
            "“{name}” cannot be a file's name; use at most {LONGEST} letters, digits, dashes and spaces."
        ));
    }
    let is_taken = documents(library)
        .iter()
        .any(|it| it.kind == kind && it.name == name);
    is_taken.then(|| format!("There is a document named “{name}” already."))
}
