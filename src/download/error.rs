//! Why a model could not be fetched: what, where, and what to do.

use std::io;
use std::path::Path;
use std::time::Duration;

/// A download that did not come to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}; {place}; {advice}")]
pub struct FetchError {
    pub trouble: Trouble,
    pub what: String,
    pub place: String,
    pub advice: String,
}

/// The kinds of trouble, for those who act on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The user stopped it; what came is kept.
    Cancelled,
    /// Another window or program is fetching the same file.
    Busy,
    /// There is no way to the host.
    Unreachable,
    /// The server wants to know who asks, or that a licence was accepted.
    Refused,
    /// There is no such repository, revision or file.
    Missing,
    /// The server fails, contradicts itself or leads in circles.
    Server,
    /// What came is no model.
    NotAModel,
    /// What came is not what the hub, or the catalogue, says it is.
    WrongHash,
    /// The disk is too small.
    NoRoom,
    /// The disk cannot be read or written.
    Disk,
    /// What is asked for is no name of a model.
    Usage,
}

/// What ends an attempt: for good, or until the next one.
#[derive(Debug)]
pub(super) enum Setback {
    Over(FetchError),
    Again {
        why: FetchError,
        /// What the server asks to wait.
        after: Option<Duration>,
    },
}

impl FetchError {
    pub(super) fn new(
        trouble: Trouble,
        what: impl Into<String>,
        place: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self {
            trouble,
            what: what.into(),
            place: place.into(),
            advice: advice.into(),
        }
    }

    pub(super) fn cancelled(place: impl Into<String>) -> Self {
        let advice = "get it again to go on";
        Self::new(
            Trouble::Cancelled,
            "the download was stopped",
            place,
            advice,
        )
    }

    pub(super) fn disk(what: &str, path: &Path, error: &io::Error) -> Self {
        let place = path.display().to_string();
        let (trouble, plain, advice) = match error.kind() {
            io::ErrorKind::StorageFull => {
                (Trouble::NoRoom, None, "free some space and get it again")
            }
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => (
                Trouble::Disk,
                Some("it cannot be written"),
                "set STEPLADDER_DATA to a folder that can be written",
            ),
            _ => (Trouble::Disk, None, "check the disk and get it again"),
        };
        let plain = plain.map_or_else(|| error.to_string(), ToOwned::to_owned);
        Self::new(trouble, format!("{what}: {plain}"), place, advice)
    }

    /// Whether something came, and was found to be wrong.
    pub fn is_bad_file(&self) -> bool {
        matches!(self.trouble, Trouble::NotAModel | Trouble::WrongHash)
    }
}

impl Setback {
    pub(super) fn again(why: FetchError) -> Self {
        Self::Again { why, after: None }
    }
}

impl From<FetchError> for Setback {
    fn from(error: FetchError) -> Self {
        Self::Over(error)
    }
}
