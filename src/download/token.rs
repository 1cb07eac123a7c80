//! The token that names the user to the hub: read from its usual places, shown to nobody else.

use std::fmt;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::store::Surroundings;

/// Longer texts are no tokens.
const MAX_BYTES: u64 = 4_096;

/// A secret. It has no text form but the one that goes into a request.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Token(String);

impl Token {
    /// `HF_TOKEN`, else the file of `HF_TOKEN_PATH`, else `token` in the folder of `HF_HOME`.
    pub(super) fn find(surroundings: &Surroundings) -> Option<Self> {
        let variable = |name: &str| {
            let value = surroundings.variables.get(name)?.to_str()?.trim();
            (!value.is_empty()).then(|| value.to_owned())
        };
        variable("HF_TOKEN")
            .or_else(|| variable("HUGGING_FACE_HUB_TOKEN"))
            .and_then(|it| Self::of(&it))
            .or_else(|| {
                let path = variable("HF_TOKEN_PATH").map(PathBuf::from);
                let home = variable("HF_HOME").map(PathBuf::from);
                let usual = || {
                    let cache = variable("XDG_CACHE_HOME").map(PathBuf::from);
                    let cache = cache.unwrap_or_else(|| surroundings.home.join(".cache"));
                    cache.join("huggingface")
                };
                let path = path.unwrap_or_else(|| home.unwrap_or_else(usual).join("token"));
                Self::of(&read(&path)?)
            })
    }

    /// The value of the `Authorization` header.
    pub(super) fn header(&self) -> String {
        format!("Bearer {}", self.0)
    }

    /// None if it could not stand in a header.
    fn of(text: &str) -> Option<Self> {
        let text = text.trim();
        let is_fit = !text.is_empty() && text.bytes().all(|it| it.is_ascii_graphic());
        is_fit.then(|| Self(text.to_owned()))
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

fn read(path: &Path) -> Option<String> {
    let file = File::open(path).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut text = String::new();
    file.take(MAX_BYTES).read_to_string(&mut text).ok()?;
    Some(text)
}
