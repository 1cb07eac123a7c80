//! What a GGUF file says of itself before its weights begin.

use std::io::{Read, Seek};

use super::GgufError;
use super::memory::Footprint;
use super::metadata::Metadata;
use super::reader::Bounded;
use super::tensors::{quantization, read_tensors};

/// A model file's header. Texts are as the file has them, numbers are within sane bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    pub architecture: String,
    /// `general.name`; empty if the file has none.
    pub name: String,
    /// Such as `Q4_K_M`: from the file type, else the type that most weights have.
    pub quantization: String,
    pub license: Option<String>,
    pub chat_template: Option<String>,
    /// Whether the tokenizer puts a begin token first; none if the file leaves it to the tokenizer's kind.
    pub add_bos: Option<bool>,
    pub n_vocab: u64,
    pub n_params: u64,
    pub shape: AttentionShape,
    /// The file's own `general.sampling.*`.
    pub sampling: Vec<SamplingDefault>,
    /// Files that the model is split into; 1 if it is whole.
    pub n_parts: u32,
    /// Bytes up to the first weight.
    pub header_bytes: u64,
    /// Where the last tensor ends: a shorter file is cut.
    pub data_end: u64,
}

/// The numbers that say how much memory a context takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AttentionShape {
    /// Context size in tokens that the model was trained for; 0 if not said.
    pub n_ctx_train: u32,
    /// Layers.
    pub block_count: u32,
    pub embedding_length: u32,
    /// Heads that ask, of the layer that has most.
    pub n_head: u32,
    /// Heads whose keys and values are stored, of the layer that has most.
    pub n_head_kv: u32,
    /// The same, summed over all layers.
    pub n_head_kv_sum: u64,
    /// Numbers in a head's key.
    pub key_length: u32,
    /// Numbers in a head's value.
    pub value_length: u32,
}

/// A sampling setting that the file recommends, such as `temp` 0.7.
#[derive(Clone, Debug, PartialEq)]
pub struct SamplingDefault {
    pub key: String,
    pub value: f64,
}

impl Header {
    /// What decides how much memory the model takes.
    pub fn footprint(&self) -> Footprint {
        Footprint {
            weight_bytes: self.data_end.saturating_sub(self.header_bytes),
            n_vocab: self.n_vocab,
            shape: self.shape,
        }
    }
}

/// Reads the header of an open file and checks that all tensors lie within the file.
///
/// Nothing is allocated by a length that the file claims; the work is bounded by the file's size.
pub fn read_header<R: Read + Seek>(file: R) -> Result<Header, GgufError> {
    let mut reader = Bounded::new(file)?;
    let (n_tensors, n_pairs) = read_preamble(&mut reader)?;
    let metadata = Metadata::read(&mut reader, n_pairs)?;
    read_model(&mut reader, n_tensors, &metadata)
}

/// The header of a model, behind whose metadata the reader stands.
pub(super) fn read_model<R: Read + Seek>(
    reader: &mut Bounded<R>,
    n_tensors: u64,
    metadata: &Metadata,
) -> Result<Header, GgufError> {
    let architecture = metadata
        .text("general.architecture")
        .ok_or_else(|| missing("general.architecture"))?
        .to_owned();
    let shape = attention_shape(metadata, &architecture)?;
    let tensors = read_tensors(reader, n_tensors, metadata)?;
    Ok(Header {
        name: metadata.text("general.name").unwrap_or_default().to_owned(),
        quantization: quantization(metadata, &tensors),
        license: metadata.text("general.license").map(str::to_owned),
        chat_template: metadata.text("tokenizer.chat_template").map(str::to_owned),
        add_bos: metadata.bool("tokenizer.ggml.add_bos_token"),
        n_vocab: metadata
            .array_length("tokenizer.ggml.tokens")
            .or_else(|| metadata.unsigned(&format!("{architecture}.vocab_size")))
            .unwrap_or(0),
        n_params: tensors.n_params,
        shape,
        sampling: metadata
            .numbers_under("general.sampling.")
            .into_iter()
            .map(|(key, value)| SamplingDefault { key, value })
            .collect(),
        n_parts: metadata
            .unsigned("split.count")
            .map_or(1, |it| it.clamp(1, u64::from(u16::MAX)) as u32),
        header_bytes: tensors.data_start,
        data_end: tensors.data_end,
        architecture,
    })
}

const MAX_TENSORS: u64 = 1 << 20;
const MAX_PAIRS: u64 = 1 << 16;

/// Checks magic and version; gives the numbers of tensors and of metadata pairs.
pub(super) fn read_preamble<R: Read + Seek>(
    reader: &mut Bounded<R>,
) -> Result<(u64, u64), GgufError> {
    if reader.n_bytes() == 0 {
        return Err(GgufError::NotGguf {
            found: "nothing, it is empty".to_owned(),
        });
    }
    let magic: [u8; 4] = reader.array("the file's first word")?;
    if &magic != b"GGUF" {
        return Err(GgufError::NotGguf {
            found: format!("\"{}\"", magic.escape_ascii()),
        });
    }
    let version = reader.u32("the GGUF version")?;
    if !matches!(version, 2 | 3) {
        return Err(match version.swap_bytes() {
            2 | 3 => GgufError::BigEndian,
            _ => GgufError::Version { version },
        });
    }
    let n_tensors = reader.u64("the number of tensors")?;
    let n_pairs = reader.u64("the number of metadata pairs")?;
    if n_tensors > MAX_TENSORS {
        let what = "the number of tensors";
        return Err(GgufError::out_of_range(what, &n_tensors, "0 to 1048576"));
    }
    if n_pairs > MAX_PAIRS {
        let what = "the number of metadata pairs";
        return Err(GgufError::out_of_range(what, &n_pairs, "0 to 65536"));
    }
    Ok((n_tensors, n_pairs))
}

fn attention_shape(metadata: &Metadata, architecture: &str) -> Result<AttentionShape, GgufError> {
    let number = |key: &str, max: u64, expected| -> Result<Option<u32>, GgufError> {
        let key = format!("{architecture}.{key}");
        match metadata.largest(&key) {
            Some(it) if it > max => Err(GgufError::out_of_range(key, &it, expected)),
            found => Ok(found.map(|it| it as u32)),
        }
    };
    let block_count = number("block_count", 512, "1 to 512")?;
    if block_count == Some(0) {
        let what = format!("{architecture}.block_count");
        return Err(GgufError::out_of_range(what, &0, "1 to 512"));
    }
    let embedding_length = number("embedding_length", 1 << 20, "1 to 1048576")?.unwrap_or(0);
    let n_head = number("attention.head_count", 65_536, "0 to 65536")?.unwrap_or(0);
    let head_length = embedding_length.checked_div(n_head).unwrap_or(0);
    let block_count = block_count.ok_or_else(|| missing(&format!("{architecture}.block_count")))?;
    let n_head_kv = number("attention.head_count_kv", 65_536, "0 to 65536")?.unwrap_or(n_head);
    Ok(AttentionShape {
        n_ctx_train: number("context_length", 1 << 30, "1 to 1073741824")?.unwrap_or(0),
        block_count,
        embedding_length,
        n_head,
        n_head_kv,
        n_head_kv_sum: metadata
            .over_layers(
                &format!("{architecture}.attention.head_count_kv"),
                block_count,
            )
            .unwrap_or(u64::from(n_head_kv) * u64::from(block_count)),
        key_length: number("attention.key_length", 65_536, "1 to 65536")?.unwrap_or(head_length),
        value_length: number("attention.value_length", 65_536, "1 to 65536")?
            .unwrap_or(head_length),
    })
}

fn missing(key: &str) -> GgufError {
    GgufError::Missing {
        key: key.to_owned(),
    }
}
