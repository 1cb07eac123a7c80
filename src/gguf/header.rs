//! What a GGUF file says of itself before its weights begin.

use std::collections::BTreeMap;
use std::io::{Read, Seek};

use super::GgufError;
use super::format::{file_type_name, tensor_type};
use super::metadata::Metadata;
use super::reader::Bounded;

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
    /// Heads whose keys and values are stored, of the layer that has most.
    pub n_head_kv: u32,
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

/// Reads the header of an open file and checks that all tensors lie within the file.
///
/// Nothing is allocated by a length that the file claims; the work is bounded by the file's size.
pub fn read_header<R: Read + Seek>(file: R) -> Result<Header, GgufError> {
    let mut reader = Bounded::new(file)?;
    let (n_tensors, n_pairs) = read_preamble(&mut reader)?;
    let metadata = Metadata::read(&mut reader, n_pairs)?;
    let architecture = metadata
        .text("general.architecture")
        .ok_or_else(|| missing("general.architecture"))?
        .to_owned();
    let shape = attention_shape(&metadata, &architecture)?;
    let tensors = read_tensors(&mut reader, n_tensors, &metadata)?;
    Ok(Header {
        name: metadata.text("general.name").unwrap_or_default().to_owned(),
        quantization: quantization(&metadata, &tensors),
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
        header_bytes: tensors.data_start,
        data_end: tensors.data_end,
        architecture,
    })
}

/// What the list of tensors adds up to.
#[derive(Debug, Default)]
struct Tensors {
    n_params: u64,
    data_start: u64,
    data_end: u64,
    /// Weights by tensor type.
    by_type: BTreeMap<u32, u64>,
}

/// One line of the list.
struct Tensor {
    name: String,
    type_id: u32,
    n_params: u64,
    n_bytes: u64,
    offset: u64,
}

const MAX_TENSORS: u64 = 1 << 20;
const MAX_PAIRS: u64 = 1 << 16;
const MAX_NAME_BYTES: u64 = 4_096;
const MAX_ALIGNMENT: u64 = 1 << 20;
const DEFAULT_ALIGNMENT: u64 = 32;

/// Checks magic and version; gives the numbers of tensors and of metadata pairs.
fn read_preamble<R: Read + Seek>(reader: &mut Bounded<R>) -> Result<(u64, u64), GgufError> {
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
    Ok(AttentionShape {
        n_ctx_train: number("context_length", 1 << 30, "1 to 1073741824")?.unwrap_or(0),
        block_count: block_count.ok_or_else(|| missing(&format!("{architecture}.block_count")))?,
        embedding_length,
        n_head_kv: number("attention.head_count_kv", 65_536, "0 to 65536")?.unwrap_or(n_head),
        key_length: number("attention.key_length", 65_536, "1 to 65536")?.unwrap_or(head_length),
        value_length: number("attention.value_length", 65_536, "1 to 65536")?
            .unwrap_or(head_length),
    })
}

fn read_tensors<R: Read + Seek>(
    reader: &mut Bounded<R>,
    n_tensors: u64,
    metadata: &Metadata,
) -> Result<Tensors, GgufError> {
    let alignment = metadata
        .unsigned("general.alignment")
        .unwrap_or(DEFAULT_ALIGNMENT);
    if !alignment.is_power_of_two() || alignment > MAX_ALIGNMENT {
        let expected = "a power of two up to 1048576";
        return Err(GgufError::out_of_range(
            "general.alignment",
            &alignment,
            expected,
        ));
    }
    let mut res = Tensors::default();
    let mut last: Option<Tensor> = None;
    for index in 0..n_tensors {
        let tensor = read_tensor(reader, index)?;
        res.n_params = res.n_params.saturating_add(tensor.n_params);
        let of_type = res.by_type.entry(tensor.type_id).or_default();
        *of_type = of_type.saturating_add(tensor.n_params);
        let is_later = |it: &Tensor| tensor.end() >= it.end();
        if last.as_ref().is_none_or(is_later) {
            last = Some(tensor);
        }
    }
    res.data_start = reader.offset().next_multiple_of(alignment);
    res.data_end = res.data_start;
    if let Some(last) = last {
        res.data_end = res.data_start.saturating_add(last.end());
        if res.data_end > reader.n_bytes() {
            return Err(GgufError::CutTensor {
                name: last.name,
                end: res.data_end,
                file_bytes: reader.n_bytes(),
            });
        }
    }
    Ok(res)
}

fn read_tensor<R: Read + Seek>(reader: &mut Bounded<R>, index: u64) -> Result<Tensor, GgufError> {
    let what = format!("tensor {index}");
    let name = reader.string(&what, MAX_NAME_BYTES)?;
    let n_dims = reader.u32(&what)?;
    if n_dims > 4 {
        let what = format!("the number of dimensions of tensor {name}");
        return Err(GgufError::out_of_range(what, &n_dims, "0 to 4"));
    }
    let mut n_params: u64 = 1;
    for _ in 0..n_dims {
        let size = reader.u64(&what)?;
        n_params = n_params.checked_mul(size).ok_or_else(|| {
            let what = format!("the size of tensor {name}");
            GgufError::out_of_range(what, &format!("{n_params} times {size}"), "a smaller one")
        })?;
    }
    let type_id = reader.u32(&what)?;
    let kind = tensor_type(type_id).ok_or_else(|| {
        let what = format!("the type of tensor {name}");
        GgufError::out_of_range(what, &type_id, "a type known to this version")
    })?;
    let n_bytes = n_params
        .div_ceil(kind.block_weights)
        .saturating_mul(kind.block_bytes);
    let offset = reader.u64(&what)?;
    Ok(Tensor {
        name,
        type_id,
        n_params,
        n_bytes,
        offset,
    })
}

impl Tensor {
    fn end(&self) -> u64 {
        self.offset.saturating_add(self.n_bytes)
    }
}

fn quantization(metadata: &Metadata, tensors: &Tensors) -> String {
    let named = metadata
        .unsigned("general.file_type")
        .and_then(file_type_name);
    let commonest = || {
        let (id, _) = tensors.by_type.iter().max_by_key(|(_, n)| **n)?;
        Some(tensor_type(*id)?.name)
    };
    named.or_else(commonest).unwrap_or("unknown").to_owned()
}

fn missing(key: &str) -> GgufError {
    GgufError::Missing {
        key: key.to_owned(),
    }
}
