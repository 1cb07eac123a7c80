//! What is to be fetched: `owner/name`, a file or a quantization of it, and a revision.

use std::fmt;

use percent_encoding::percent_decode_str;
use url::Url;

use super::catalogue::catalogue;
use super::error::{FetchError, Trouble};
use super::listing::parts;

/// Longest name of an owner or a repository that the hub gives.
const MAX_NAME: usize = 96;
const MAX_FILE: usize = 240;
/// The revision that is meant when none is given.
const MAIN: &str = "main";
/// Hosts whose addresses are taken apart when they are pasted.
const HOSTS: &[&str] = &["huggingface.co", "www.huggingface.co", "hf.co"];

/// A file of a repository, as far as it is said.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Wanted {
    pub owner: String,
    pub name: String,
    pub revision: String,
    pub choice: Choice,
}

/// Which of a repository's files.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    /// The only one, or the one in `Q4_K_M`.
    Any,
    /// The one in this quantization.
    Tag(String),
    /// The one of this name.
    File(String),
}

impl Wanted {
    /// The model that this file of the same repository belongs to; the same where no file is named.
    #[must_use]
    pub fn of_file(&self, file: &str) -> Self {
        let first = parts(file).into_iter().next().filter(|it| !it.is_empty());
        Self {
            choice: first.map_or_else(|| self.choice.clone(), Choice::File),
            ..self.clone()
        }
    }

    /// Reads `owner/name`, `owner/name:FILE.gguf`, `owner/name:Q4_K_M`, `owner/name@REVISION:…`, or an address on the
    /// hub that was copied from a browser.
    pub fn parse(text: &str) -> Result<Self, FetchError> {
        let text = text.trim();
        if text.starts_with("https://") || text.starts_with("http://") {
            return of_address(text);
        }
        let text = HOSTS
            .iter()
            .find_map(|it| text.strip_prefix(it)?.strip_prefix('/'))
            .unwrap_or(text);
        let (repository, file) = match text.split_once(':') {
            Some((repository, file)) => (repository, Some(file)),
            None => (text, None),
        };
        let (repository, revision) = repository.split_once('@').unwrap_or((repository, MAIN));
        let Some((owner, name)) = repository.split_once('/') else {
            return Err(no_model(text));
        };
        Self {
            owner: owner.to_owned(),
            name: name.to_owned(),
            revision: revision.to_owned(),
            choice: file.map_or(Choice::Any, Choice::of),
        }
        .checked(text)
    }

    pub(super) fn repository(&self) -> String {
        format!("{}/{}", self.owner, self.name)
    }

    /// The file that is named; empty where none is.
    pub(super) fn file(&self) -> &str {
        match &self.choice {
            Choice::File(it) => it,
            Choice::Any | Choice::Tag(_) => "",
        }
    }

    fn checked(self, text: &str) -> Result<Self, FetchError> {
        if !is_name(&self.owner) || !is_name(&self.name) {
            return Err(no_model(text));
        }
        let wrong =
            |what: &str, advice: &str| Err(FetchError::new(Trouble::Usage, what, text, advice));
        let mut segments = self.revision.split('/');
        if !segments.all(is_name) {
            return wrong("this is no revision", "name a branch, a tag or a commit");
        }
        match &self.choice {
            Choice::File(file) if !is_file(file) => wrong(
                "this is no name of a file",
                "name one as the repository lists it",
            ),
            Choice::Tag(tag) if !is_name(tag) => wrong(
                "this is neither a file in GGUF nor a quantization",
                "name a file that ends in .gguf, or a quantization such as Q4_K_M",
            ),
            _ => Ok(self),
        }
    }
}

impl Choice {
    fn of(text: &str) -> Self {
        if text.to_lowercase().ends_with(".gguf") {
            Self::File(text.to_owned())
        } else {
            Self::Tag(text.to_owned())
        }
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.owner, self.name)?;
        if self.revision != MAIN {
            write!(f, "@{}", self.revision)?;
        }
        match &self.choice {
            Choice::Any => Ok(()),
            Choice::Tag(it) | Choice::File(it) => write!(f, ":{it}"),
        }
    }
}

/// `https://HUB/owner/name/blob/REVISION/FILE`, with `resolve` in place of `blob`; `tree/REVISION` or nothing behind
/// the repository.
fn of_address(text: &str) -> Result<Wanted, FetchError> {
    let url = Url::parse(text).map_err(|_parse| no_model(text))?;
    if !HOSTS.contains(&url.host_str().unwrap_or_default()) {
        let advice = "set HF_ENDPOINT to a hub of your own, and name owner/name:FILE";
        let what = "models are fetched from a hub, not from any address";
        return Err(FetchError::new(Trouble::Usage, what, text, advice));
    }
    let decoded = |it: &str| percent_decode_str(it).decode_utf8_lossy().into_owned();
    let segments = url.path().split('/').filter(|it| !it.is_empty());
    let segments: Vec<String> = segments.map(decoded).collect();
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    let wanted = |owner: &str, name: &str, revision: &str, choice| Wanted {
        owner: owner.to_owned(),
        name: name.to_owned(),
        revision: revision.to_owned(),
        choice,
    };
    let res = match segments.as_slice() {
        [owner, name] => wanted(owner, name, MAIN, Choice::Any),
        [owner, name, "tree", revision, ..] => wanted(owner, name, revision, Choice::Any),
        [owner, name, "blob" | "resolve", revision, file @ ..] if !file.is_empty() => {
            wanted(owner, name, revision, Choice::of(&file.join("/")))
        }
        _ => return Err(no_model(text)),
    };
    res.checked(text)
}

fn no_model(text: &str) -> FetchError {
    let names: Vec<&str> = catalogue().iter().map(|it| it.name.as_str()).collect();
    FetchError::new(
        Trouble::Usage,
        "this names no model",
        text,
        format!(
            "name owner/name, owner/name:FILE.gguf, or one of {}",
            names.join(", ")
        ),
    )
}

fn is_name(text: &str) -> bool {
    let is_fit = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'.' | b'_' | b'-');
    (1..=MAX_NAME).contains(&text.len())
        && text.bytes().all(is_fit)
        && !text.starts_with('.')
        && !text.ends_with('.')
        && !text.contains("..")
}

/// A path that stays in its folder on every system.
pub(super) fn is_file(text: &str) -> bool {
    let is_segment = |it: &str| {
        let is_strange = |c: char| c.is_control() || "\\:*?\"<>|".contains(c);
        !it.is_empty()
            && !it.starts_with('.')
            && !it.ends_with(['.', ' '])
            && !it.contains(is_strange)
    };
    text.len() <= MAX_FILE
        && text.to_lowercase().ends_with(".gguf")
        && text.split('/').all(is_segment)
}
