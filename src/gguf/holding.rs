//! What a GGUF file holds: a model, a part of one, or something that only goes with a model.

use std::io::{Read, Seek};

use super::header::{Header, read_model, read_preamble};
use super::metadata::Metadata;
use super::reader::Bounded;
use super::tensors::read_tensors;
use super::{GgufError, SideFile};

/// What is in a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Holding {
    /// A model that writes text; the first part, if it is split.
    Model(Box<Header>),
    /// A later part of a model that is split.
    Part(Part),
    /// Something that writes no text by itself.
    Beside(SideFile),
}

/// A later part of a split model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// From 2.
    pub number: u32,
    pub n_parts: u32,
    pub n_params: u64,
    pub weight_bytes: u64,
}

/// Reads what an open file holds, within the same bounds as [`read_header`](super::read_header).
pub fn read_holding<R: Read + Seek>(file: R) -> Result<Holding, GgufError> {
    let mut reader = Bounded::new(file)?;
    let (n_tensors, n_pairs) = read_preamble(&mut reader)?;
    let metadata = Metadata::read(&mut reader, n_pairs)?;
    let number = |key| metadata.unsigned(key).unwrap_or(0).min(u64::from(u16::MAX)) as u32;
    let (split, n_parts) = (number("split.no"), number("split.count"));
    if split > 0 {
        let tensors = read_tensors(&mut reader, n_tensors, &metadata)?;
        return Ok(Holding::Part(Part {
            number: split + 1,
            n_parts,
            n_params: tensors.n_params,
            weight_bytes: tensors.data_end - tensors.data_start,
        }));
    }
    if let Some(side) = side_file(&metadata, n_tensors, n_parts) {
        return Ok(Holding::Beside(side));
    }
    let header = read_model(&mut reader, n_tensors, &metadata)?;
    Ok(Holding::Model(Box::new(header)))
}

/// Told by what the converters of llama.cpp write: `general.type`, and architectures of their own.
fn side_file(metadata: &Metadata, n_tensors: u64, n_parts: u32) -> Option<SideFile> {
    let architecture = metadata.text("general.architecture").unwrap_or_default();
    let by_type = match metadata.text("general.type") {
        Some("mmproj") => Some(SideFile::Projector),
        Some("adapter") => Some(SideFile::Adapter),
        Some("imatrix") => Some(SideFile::Statistics),
        _ => None,
    };
    let by_architecture = match architecture {
        "clip" => Some(SideFile::Projector),
        "controlvector" => Some(SideFile::Adapter),
        "imatrix" => Some(SideFile::Statistics),
        "t5encoder" => Some(SideFile::Encoder),
        it if it.contains("bert") => Some(SideFile::Encoder),
        _ => None,
    };
    by_type.or(by_architecture).or_else(|| {
        let is_causal = metadata.bool(&format!("{architecture}.attention.causal"));
        if metadata.has_under("adapter.") {
            Some(SideFile::Adapter)
        } else if metadata.has_under("clip.") {
            Some(SideFile::Projector)
        } else if is_causal == Some(false) {
            Some(SideFile::Encoder)
        } else {
            (n_tensors == 0 && n_parts < 2).then_some(SideFile::Vocabulary)
        }
    })
}
