//! What each wish in Grammars changes, and what comes back from outside.

use std::path::{Path, PathBuf};

use super::documents::{Document, DocumentKind, documents, free_name, name_fault, shipped};
use super::trial::grammar;
use super::{AskedTrial, GrammarsDesk, Source, Steps, TestText, Tried};
use crate::app::{ConstraintKind, Effect, Model, NoticeKind, Place, Tab};
use crate::constraint::rename_rule;
use crate::engine::Command;
use crate::store::Library;

/// A wish in the Grammars view.
#[derive(Clone, Debug, PartialEq)]
pub enum GrammarsAction {
    /// The open text was changed by a widget: save it and try it again.
    Edited,
    /// The test texts, or what is stepped through, were changed.
    SetTests(Vec<TestText>),
    /// Only the text to step through was changed.
    StepTextEdited,
    Open(DocumentKind, String),
    New(DocumentKind),
    /// A copy under another name.
    Duplicate,
    /// Makes a grammar of the open schema, as a document of its own.
    MakeGrammar,
    /// Gives the open document another name; one that ships is copied.
    Rename(String),
    /// Takes the user's own document away; its text is kept.
    Delete,
    /// Goes back to the text that ships; the changed one is kept.
    Revert,
    /// Puts a kept text back.
    Restore(usize),
    RenameRule {
        name: String,
        new_name: String,
    },
    MoreExamples,
    /// Steps through the text with the model's tokens.
    Step,
    /// Makes the open text Play's constraint.
    UseInPlay,
    /// Opens the system's dialog for a file to read.
    Browse,
    Read(PathBuf),
    /// Opens the system's dialog for a file to write.
    SaveAs,
}

pub(crate) fn on_grammars(model: &mut Model, action: GrammarsAction) -> Vec<Effect> {
    let Model {
        grammars: desk,
        library,
        ..
    } = model;
    match action {
        GrammarsAction::Edited => return edited(desk, library),
        GrammarsAction::SetTests(tests) => desk.draft.set_tests(tests),
        GrammarsAction::StepTextEdited => return vec![Effect::SaveGrammarsDraft],
        GrammarsAction::Open(kind, name) => open(desk, library, (kind, &name)),
        GrammarsAction::MoreExamples => desk.draft.seed += 1,
        GrammarsAction::Delete => return delete(desk, library),
        GrammarsAction::Revert => return revert(desk, library),
        GrammarsAction::Restore(idx) => return restore(desk, library, idx),
        GrammarsAction::New(kind) => {
            let name = free_name(kind, "untitled", library);
            return put(desk, library, (kind, name, kind.beginning().to_owned()));
        }
        GrammarsAction::Duplicate => return duplicate(desk, library),
        GrammarsAction::MakeGrammar => return make_grammar(model),
        GrammarsAction::Rename(name) => return rename(model, name.trim()),
        GrammarsAction::RenameRule { name, new_name } => {
            return renamed_rule(model, &name, new_name.trim());
        }
        GrammarsAction::Step => return step(model),
        GrammarsAction::UseInPlay => return use_in_play(model),
        GrammarsAction::Browse => return vec![Effect::BrowseForDocument],
        GrammarsAction::Read(path) => return vec![Effect::ReadDocument(path)],
        GrammarsAction::SaveAs => return vec![save_as(desk)],
    }
    let mut effects = vec![Effect::SaveGrammarsDraft];
    effects.extend(desk.ask());
    effects
}

fn duplicate(desk: &mut GrammarsDesk, library: &mut Library) -> Vec<Effect> {
    let kind = desk.draft.kind;
    let name = free_name(kind, &format!("{}-copy", desk.draft.name), library);
    let text = desk.draft.text.clone();
    desk.draft.copy_tests(kind, &name);
    put(desk, library, (kind, name, text))
}

/// The tests of the schema go with it: they are what the grammar must be held against.
fn make_grammar(model: &mut Model) -> Vec<Effect> {
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

fn renamed_rule(model: &mut Model, name: &str, new_name: &str) -> Vec<Effect> {
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

fn save_as(desk: &GrammarsDesk) -> Effect {
    Effect::SaveDocumentAs {
        kind: desk.draft.kind,
        name: desk.draft.name.clone(),
        text: desk.draft.text.clone(),
    }
}

/// A trial is done. One whose texts have changed since is asked for again.
pub fn on_tried(model: &mut Model, id: u64, tried: Box<Tried>) -> Vec<Effect> {
    let desk = &mut model.grammars;
    if desk.working != Some(id) {
        return Vec::new();
    }
    desk.working = None;
    desk.tried = Some(tried);
    if desk.is_stale {
        desk.ask().into_iter().collect()
    } else {
        Vec::new()
    }
}

/// A file was read, or could not be. Its text becomes a document of the user's own.
pub fn on_document_read(
    model: &mut Model,
    path: &Path,
    read: Result<Vec<u8>, String>,
) -> Vec<Effect> {
    let text = read.and_then(|bytes| {
        String::from_utf8(bytes).map_err(|error| {
            format!(
                "{} is not UTF-8 from byte {} on. Save it as UTF-8 first.",
                path.display(),
                error.utf8_error().valid_up_to()
            )
        })
    });
    let text = match text {
        Ok(it) => it,
        Err(it) => {
            model.notify(NoticeKind::Error, it);
            return Vec::new();
        }
    };
    let kind = if is_json(path) {
        DocumentKind::Schema
    } else {
        DocumentKind::Grammar
    };
    model.tab = Tab::Grammars;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let stem = stem.trim_end_matches(".schema");
    let is_bad = |it: char| !it.is_alphanumeric() && !matches!(it, '-' | '_' | ' ' | '.');
    let wish = stem.replace(is_bad, "-");
    let Model {
        grammars: desk,
        library,
        ..
    } = model;
    let wish = wish.trim_matches(['.', ' ']);
    let wish = if wish.is_empty() { "untitled" } else { wish };
    let same = documents(library)
        .into_iter()
        .find(|it| it.kind == kind && it.name == wish && it.text == text);
    if let Some(same) = same {
        open(desk, library, (kind, &same.name));
        let mut effects = vec![Effect::SaveGrammarsDraft];
        effects.extend(desk.ask());
        return effects;
    }
    let name = free_name(kind, wish, library);
    put(desk, library, (kind, name, text))
}

fn is_json(path: &Path) -> bool {
    path.extension()
        .is_some_and(|it| it.eq_ignore_ascii_case("json"))
}

impl GrammarsDesk {
    /// Has the open text tried; at most one trial is out.
    pub(crate) fn ask(&mut self) -> Option<Effect> {
        if self.working.is_some() {
            self.is_stale = true;
            return None;
        }
        self.is_stale = false;
        self.next_id += 1;
        self.working = Some(self.next_id);
        Some(Effect::TryConstraint(Box::new(AskedTrial {
            id: self.next_id,
            constraint: self.draft.constraint(),
            tests: self.draft.tests(),
            seed: self.draft.seed,
        })))
    }
}

/// The open text goes into its file, and into the library that the other views choose from.
fn edited(desk: &mut GrammarsDesk, library: &mut Library) -> Vec<Effect> {
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

fn open(desk: &mut GrammarsDesk, library: &Library, (kind, name): (DocumentKind, &str)) {
    let list = documents(library);
    if let Some(it) = list.iter().find(|it| it.kind == kind && it.name == name) {
        desk.draft.open(it);
        desk.tried = None;
        desk.steps = Steps::default();
    }
}

/// Opens a new document with a text of its own.
fn put(
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

fn rename(model: &mut Model, name: &str) -> Vec<Effect> {
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

fn delete(desk: &mut GrammarsDesk, library: &mut Library) -> Vec<Effect> {
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

fn revert(desk: &mut GrammarsDesk, library: &mut Library) -> Vec<Effect> {
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

fn restore(desk: &mut GrammarsDesk, library: &mut Library, idx: usize) -> Vec<Effect> {
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

fn step(model: &mut Model) -> Vec<Effect> {
    let id = model.take_id();
    let desk = &mut model.grammars;
    desk.steps = Steps::Working(id);
    vec![Effect::Send(Command::Walk {
        id,
        constraint: desk.draft.constraint(),
        text: desk.draft.step_text.clone(),
    })]
}

/// A text of the user's own that stands in Play is kept there.
fn use_in_play(model: &mut Model) -> Vec<Effect> {
    let Model {
        grammars: desk,
        library,
        draft,
        ..
    } = model;
    let text = desk.draft.text.clone();
    match desk.draft.kind {
        DocumentKind::Grammar => {
            draft.constraint.kind = ConstraintKind::Grammar;
            draft.put(Place::Grammar, text, library);
        }
        DocumentKind::Schema => {
            draft.constraint.kind = ConstraintKind::Schema;
            draft.put(Place::Schema, text, library);
            draft.constraint.white_space = desk.draft.white_space;
            draft.constraint.switches = desk.draft.switches.clone();
        }
    }
    model.tab = Tab::Play;
    crate::app::on_action::draft_edited(model)
}
