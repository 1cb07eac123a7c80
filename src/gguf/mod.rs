//! Reads a GGUF file's header within bounds, so that a broken or hostile file is known before llama.cpp sees it, and
//! says how much memory the model will take.

mod error;
mod format;
mod header;
mod holding;
mod memory;
mod metadata;
mod reader;
mod room;
mod side_file;
mod split_name;
mod tensors;
#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) mod tiny;

pub use error::GgufError;
pub use header::{AttentionShape, Header, SamplingDefault, read_header};
pub use holding::{Holding, Part, read_holding};
pub use memory::{BATCH, DEFAULT_CONTEXT, Fit, Footprint, MemoryNeed};
pub use room::{DeviceRoom, Room, Share};
pub use side_file::SideFile;
pub use split_name::SplitName;
