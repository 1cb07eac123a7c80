//! Looks into a file that may be a model. The magic decides, not the name.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use crate::gguf::{Header, Holding, Part, read_holding};

/// What a file turned out to be.
#[derive(Clone, Debug)]
pub(super) enum Looked {
    Model(Box<Header>),
    Part(Part),
    /// Something else; not worth a word.
    Other,
    /// It should be a model, and cannot be used.
    Broken(String),
}

/// Which file a path leads to, whatever it is called.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Identity {
    #[cfg_attr(
        not(unix),
        expect(dead_code, reason = "only some systems number their files")
    )]
    Number(u64, u64),
    Path(PathBuf),
}

pub(super) fn look(path: &Path) -> Looked {
    match holding(path) {
        Ok(Some(Holding::Model(it))) if it.n_vocab == 0 => {
            Looked::Broken("it has no vocabulary, so it cannot write text".to_owned())
        }
        Ok(Some(Holding::Model(it))) => Looked::Model(it),
        Ok(Some(Holding::Part(it))) => Looked::Part(it),
        Ok(Some(Holding::Beside(_)) | None) => Looked::Other,
        Err(it) => Looked::Broken(it),
    }
}

/// None if the file does not even claim to be in the format.
fn holding(path: &Path) -> Result<Option<Holding>, String> {
    let unreadable = |it: io::Error| match it.kind() {
        io::ErrorKind::PermissionDenied => "no permission to read it".to_owned(),
        _ => format!("it cannot be read: {it}"),
    };
    let mut file = File::open(path).map_err(unreadable)?;
    let mut magic = [0; 4];
    file.read_exact(&mut magic).map_err(unreadable)?;
    let is_called_so = path
        .extension()
        .is_some_and(|it| it.eq_ignore_ascii_case("gguf"));
    if &magic != b"GGUF" && !is_called_so {
        return Ok(None);
    }
    read_holding(file).map(Some).map_err(|it| it.to_string())
}

/// The number that the system gives the file, else the path without links.
pub(super) fn identity(path: &Path) -> Identity {
    #[cfg(unix)]
    if let Ok(it) = fs::metadata(path) {
        use std::os::unix::fs::MetadataExt as _;
        return Identity::Number(it.dev(), it.ino());
    }
    Identity::Path(fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()))
}
