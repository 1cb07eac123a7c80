//! What the disk has to say: saves that failed and were mended, other windows, what was exported and came in.

use super::{Model, Notice, NoticeKind};
use crate::store::{Exported, Folders, Imported, Library, Saved};

/// At most this many sentences of one import become notices.
const MAX_SENTENCES: usize = 8;

/// A document was not saved, or is on the disk after all.
pub fn on_kept(model: &mut Model, saved: Saved) {
    match saved {
        Saved::Failed(text) => model.notify(NoticeKind::Error, text),
        Saved::Said(text) => model.notify(NoticeKind::Warning, text),
        Saved::Mended(failure) => {
            model.notices.retain(|it| it.text != failure);
            let text = "What could not be saved before is on the disk now.";
            model.notify(NoticeKind::Info, text);
        }
    }
}

/// All trials so far are on the disk, or some wait in memory.
pub fn on_recorded(model: &mut Model, result: Result<(), String>) {
    let is_of_trials = |it: &Notice| it.text.starts_with("cannot record the trial");
    let was_failing = model.notices.iter().any(is_of_trials);
    model.notices.retain(|it| !is_of_trials(it));
    match result {
        Err(text) => model.notify(NoticeKind::Error, text),
        Ok(()) if was_failing => {
            model.notify(NoticeKind::Info, "All trials are on the disk now.");
        }
        Ok(()) => {}
    }
}

/// Says what is uncommon about the place where everything is kept.
pub fn on_opened(model: &mut Model, folders: &Folders) {
    if folders.is_makeshift() {
        let text = format!(
            "There is no home folder: everything is kept in {}. Set STEPLADDER_DATA to choose another place.",
            folders.data().display()
        );
        model.notify(NoticeKind::Warning, text);
    }
    if folders.window() > 1 {
        let name = folders.draft();
        let name = name.file_name().unwrap_or_default().to_string_lossy();
        let text = format!(
            "Another window has this data folder open. What you type here is kept apart, in {name} and its like; trials go to the same file."
        );
        model.notify(NoticeKind::Info, text);
    }
}

/// Everything was written into one file, or could not be.
pub fn on_exported(model: &mut Model, result: Result<(Exported, String), String>) {
    match result {
        Err(text) => model.notify(NoticeKind::Error, text),
        Ok((exported, place)) => {
            let text = format!("{} Written to {place}.", exported.sentence());
            model.notify(NoticeKind::Info, text);
            tell(model, NoticeKind::Warning, exported.problems);
        }
    }
}

/// What another file held came in, or could not.
pub fn on_imported(model: &mut Model, result: Result<(Imported, Library), String>) {
    match result {
        Err(text) => model.notify(NoticeKind::Error, text),
        Ok((imported, library)) => {
            model.library = library;
            let problems = std::mem::take(&mut model.library.problems);
            tell(model, NoticeKind::Info, imported.sentences());
            tell(model, NoticeKind::Warning, imported.problems);
            tell(model, NoticeKind::Warning, problems);
            model.check_constraint();
        }
    }
}

fn tell(model: &mut Model, kind: NoticeKind, mut sentences: Vec<String>) {
    let n_more = sentences.len().saturating_sub(MAX_SENTENCES);
    sentences.truncate(MAX_SENTENCES);
    if n_more > 0 {
        sentences.push(format!("And {n_more} more."));
    }
    for it in sentences {
        model.notify(kind, it);
    }
}
