//! What becomes of documents: opened, made, renamed, copied, taken away and brought back; no text is lost.

use super::documents::{Document, DocumentKind, documents, free_name, name_fault, shipped};
use super::trial::grammar;
use super::{GrammarsDesk, Source, Steps};
use crate::app::{Effect, Model, NoticeKind};
use crate::constraint::rename_rule;
use crate::store::Library;

pub(super) fn duplicate(desk: &mut GrammarsDesk, library: &mut Library) -> Vec<Effect> {
    let kind = desk.draft.kind;
    let name = free_name(kind, &format!("{}-copy", desk.draft.name), library);
    let text = desk.draft.text.clone();
    desk.draft.copy_tests(kind, &name);
    put(desk, library, (kind, name, text))
}

/// The tests of the schema go with it: they are what the grammar must be held against.
pub(super) fn make_grammar(model: &mut Model) -> Vec<Effect> {
    match grammar(&model.grammars.draft.constraint()) {
        Ok(made) => {
            let Model {
                grammars: desk,
                library,
                ..
            } = model;
            let kind = DocumentKind::Grammar;
            let wish = format!("{}-of-schema", desk.draft.name);
            let name = free_name(kind, &wish, library);
            desk.draft.copy_tests(kind, &name);
            put(desk, library, (kind, name, made.text))
        }
        Err(error) => {
            model.notify(NoticeKind::Warning, format!("No grammar is made: {error}"));
            Vec::new()
        }
    }
}

pub(super) fn renamed_rule(model: &mut Model, name: &str, new_name: &str) -> Vec<Effect> {
    match rename_rule(&model.grammars.draft.text, name, new_name) {
        Ok(text) => {
            model.grammars.draft.text = text;
            edited(&mut model.grammars, &mut model.library)
        }
        Err(error) => {
            model.notify(NoticeKind::Warning, format!("Not renamed: {error}"));
            Vec::new()
        }
    }
}

/// The open text goes into its file, and into the library that the other views choose from.
pub(super) fn edited(desk: &mut GrammarsDesk, library: &mut Library) -> Vec<Effect> {
    let draft = &desk.draft;
    let (kind, name, text) = (draft.kind, draft.name.clone(), draft.text.clone());
    take_in(library, (kind, &name), Some(text.clone()));
    let is_shipped = shipped(kind, &name, library).is_some_and(|it| it == text);
    let file = (!is_shipped).then_some(text);
    let mut effects = vec![
        Effect::SaveDocument {
            kind,
            name,
            text: file,
        },
        Effect::SaveGrammarsDraft,
    ];
    effects.extend(desk.ask());
    effects
}

/// Puts a text under a name; none brings back what ships, or takes the document away.
fn take_in(library: &mut Library, (kind, name): (DocumentKind, &str), text: Option<String>) {
    let text = text.or_else(|| match kind {
        DocumentKind::Grammar => shipped(kind, name, library),
        // A task's schema stands in the task.
        DocumentKind::Schema => None,
    });
    let list = match kind {
        DocumentKind::Grammar => &mut library.grammars,
        DocumentKind::Schema => &mut library.schemas,
    };
    let old = list.iter().position(|it| it.0 == name);
    match (old, text) {
        (Some(idx), Some(text)) => list[idx].1 = text,
        (Some(idx), None) => drop(list.remove(idx)),
        (None, Some(text)) => list.push((name.to_owned(), text)),
        (None, None) => {}
    }
}

pub(super) fn open(desk: &mut GrammarsDesk, library: &Library, (kind, name): (DocumentKind, &str)) {
    let list = documents(library);
    if let Some(it) = list.iter().find(|it| it.kind == kind && it.name == name) {
        desk.draft.open(it);
        desk.tried = None;
        desk.steps = Steps::default();
    }
}

/// Opens a new document with a text of its own.
pub(super) fn put(
    desk: &mut GrammarsDesk,
    library: &mut Library,
    (kind, name, text): (DocumentKind, String, String),
) -> Vec<Effect> {
    desk.draft.open(&Document {
        kind,
        name,
        text,
        source: Source::Own,
    });
    desk.tried = None;
    desk.steps = Steps::default();
    edited(desk, library)
}

pub(super) fn rename(model: &mut Model, name: &str) -> Vec<Effect> {
    let kind = model.grammars.draft.kind;
    if name == model.grammars.draft.name {
        return Vec::new();
    }
    if let Some(fault) = name_fault(kind, name, &model.library) {
        model.notify(NoticeKind::Warning, fault);
        return Vec::new();
    }
    let Model {
        grammars: desk,
        library,
        ..
    } = model;
    let old = desk.draft.name.clone();
    let text = desk.draft.text.clone();
    desk.draft.copy_tests(kind, name);
    let mut effects = Vec::new();
    if shipped(kind, &old, library).is_none() {
        take_in(library, (kind, &old), None);
        desk.draft.tests.remove(&kind.key(&old));
        effects.push(Effect::SaveDocument {
            kind,
            name: old,
            text: None,
        });
    }
    effects.extend(put(desk, library, (kind, name.to_owned(), text)));
    effects
}

pub(super) fn delete(desk: &mut GrammarsDesk, library: &mut Library) -> Vec<Effect> {
    let (kind, name) = (desk.draft.kind, desk.draft.name.clone());
    if shipped(kind, &name, library).is_some() {
        return revert(desk, library);
    }
    desk.draft.keep();
    take_in(library, (kind, &name), None);
    let left = documents(library);
    let next = left.iter().find(|it| it.kind == kind).or(left.first());
    if let Some(next) = next {
        open(desk, library, (next.kind, &next.name));
    }
    saved_without(desk, kind, name)
}

pub(super) fn revert(desk: &mut GrammarsDesk, library: &mut Library) -> Vec<Effect> {
    let (kind, name) = (desk.draft.kind, desk.draft.name.clone());
    if shipped(kind, &name, library).is_none_or(|it| it == desk.draft.text) {
        return Vec::new();
    }
    desk.draft.keep();
    take_in(library, (kind, &name), None);
    open(desk, library, (kind, &name));
    saved_without(desk, kind, name)
}

fn saved_without(desk: &mut GrammarsDesk, kind: DocumentKind, name: String) -> Vec<Effect> {
    let text = None;
    let mut effects = vec![
        Effect::SaveDocument { kind, name, text },
        Effect::SaveGrammarsDraft,
    ];
    effects.extend(desk.ask());
    effects
}

pub(super) fn restore(desk: &mut GrammarsDesk, library: &mut Library, idx: usize) -> Vec<Effect> {
    if idx >= desk.draft.kept.len() {
        return Vec::new();
    }
    let kept = desk.draft.kept.remove(idx);
    // What stands under the name now is not overwritten, unless it is what ships.
    let now = documents(library)
        .into_iter()
        .find(|it| it.kind == kept.kind && it.name == kept.name);
    let name = match now {
        Some(it) if it.source != Source::Shipped => free_name(kept.kind, &kept.name, library),
        _ => kept.name,
    };
    put(desk, library, (kept.kind, name, kept.text))
}
