//! Takes a bundle in: what is here already is skipped, and of two that differ both are kept.

use std::path::Path;

use super::commit::Commit;
use super::counted;
use super::stage::stage;
use crate::store::{Folders, StoreError};

/// What becomes of something that is here already with another content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Differing {
    /// What is here stays; the other comes in beside it under a name of its own.
    #[default]
    Beside,
    /// The other takes its place; what was here is kept under a name of its own.
    Replace,
}

/// What came in.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// New here.
    pub added: Vec<String>,
    /// Skipped, because the same is here already.
    pub n_same: usize,
    /// Each with the name under which the one lies that is not in use.
    pub beside: Vec<(String, String)>,
    pub replaced: Vec<(String, String)>,
    /// Lines of records: trials, and cases of the regression set.
    pub n_lines: u64,
    pub n_same_lines: u64,
    /// A sentence for each thing that was left out.
    pub problems: Vec<String>,
}

/// Takes in all that a bundle holds. It is read to its end before anything is changed.
///
/// # Errors
/// The bundle cannot be taken in: nothing was changed. Or the disk failed while it was put into place: what came in
/// until then stays, and the next try skips it.
pub fn import(
    folders: &Folders,
    from: &Path,
    differing: Differing,
) -> Result<Imported, StoreError> {
    let mut stage = stage(folders, from)?;
    let mut commit = Commit::new(folders, differing);
    commit.imported.problems = std::mem::take(&mut stage.problems);
    // Records first: they need room on the disk, documents only change their names.
    let (lines, documents): (Vec<_>, Vec<_>) = stage.files.iter().partition(|it| it.1.is_lines());
    commit.find_experiments(&documents);
    for (name, part, staged) in lines {
        commit.put_lines(name, *part, staged)?;
    }
    for (name, part, staged) in documents {
        commit.put_document(name, *part, staged)?;
    }
    Ok(commit.imported)
}

impl Imported {
    /// Sentences that say what came in.
    pub fn sentences(&self) -> Vec<String> {
        let mut said = vec![format!(
            "{} and {} came in; {} and {} were here already.",
            counted(self.added.len() as u64, "document"),
            counted(self.n_lines, "record"),
            counted(self.n_same as u64, "document"),
            counted(self.n_same_lines, "record"),
        )];
        for (name, other) in &self.beside {
            said.push(format!(
                "{name} differs from what is here: it came in as {other}."
            ));
        }
        for (name, other) in &self.replaced {
            said.push(format!(
                "{name} was replaced: what was here is kept as {other}."
            ));
        }
        said
    }
}
