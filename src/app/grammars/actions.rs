//! What each wish in Grammars changes, and what comes back from outside.

use std::path::{Path, PathBuf};

use super::documents::{DocumentKind, documents, free_name};
use super::keeping::{
    delete, duplicate, edited, make_grammar, open, put, rename, renamed_rule, restore, revert,
};
use super::{AskedTrial, GrammarsDesk, Steps, TestText, Tried};
use crate::app::{ConstraintKind, Effect, Model, NoticeKind, Place, Tab};
use crate::engine::Command;

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
