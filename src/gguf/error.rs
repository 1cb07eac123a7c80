//! Why a file is not a usable model, in words for the person who chose it.

/// What is wrong with a GGUF file. Offsets count bytes from the file's start.
#[derive(Debug, thiserror::Error)]
pub enum GgufError {
    #[error("not a GGUF file: it starts with {found}, a model starts with \"GGUF\"")]
    NotGguf { found: String },
    #[error("GGUF version {version}; versions 2 and 3 can be read")]
    Version { version: u32 },
    #[error("GGUF file written for big-endian machines; only little-endian files can be read")]
    BigEndian,
    #[error(
        "cut: the file has {file_bytes} bytes, but {what} at byte {offset} needs {needed} bytes"
    )]
    CutHeader {
        what: String,
        offset: u64,
        needed: u64,
        file_bytes: u64,
    },
    #[error("cut: tensor {name} ends at byte {end}, but the file has {file_bytes} bytes")]
    CutTensor {
        name: String,
        end: u64,
        file_bytes: u64,
    },
    #[error("{what} is {found}; {expected} expected")]
    OutOfRange {
        what: String,
        found: String,
        expected: &'static str,
    },
    #[error("{key} is missing from the file's metadata")]
    Missing { key: String },
    #[error("the file cannot be read: {0}")]
    Io(#[from] std::io::Error),
}

impl GgufError {
    pub(super) fn out_of_range(
        what: impl Into<String>,
        found: &impl ToString,
        expected: &'static str,
    ) -> Self {
        Self::OutOfRange {
            what: what.into(),
            found: found.to_string(),
            expected,
        }
    }
}
