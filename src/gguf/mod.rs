//! Reads a GGUF file's header within bounds, so that a broken or hostile file is known before llama.cpp sees it.

mod error;
mod format;
mod header;
mod metadata;
mod reader;
#[cfg(test)]
mod tests;

pub use error::GgufError;
pub use header::{AttentionShape, Header, SamplingDefault, read_header};
