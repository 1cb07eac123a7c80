//! The list of tensors: how many weights, of which types, and where the last one ends.

use std::collections::BTreeMap;
use std::io::{Read, Seek};

use super::GgufError;
use super::format::{file_type_name, tensor_type};
use super::metadata::Metadata;
use super::reader::Bounded;

/// What the list of tensors adds up to.
#[derive(Debug, Default)]
pub(super) struct Tensors {
    pub(super) n_params: u64,
    pub(super) data_start: u64,
    pub(super) data_end: u64,
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

const MAX_NAME_BYTES: u64 = 4_096;
const MAX_ALIGNMENT: u64 = 1 << 20;
const DEFAULT_ALIGNMENT: u64 = 32;

pub(super) fn read_tensors<R: Read + Seek>(
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

pub(super) fn quantization(metadata: &Metadata, tensors: &Tensors) -> String {
    let named = metadata
        .unsigned("general.file_type")
        .and_then(file_type_name);
    let commonest = || {
        let (id, _) = tensors.by_type.iter().max_by_key(|(_, n)| **n)?;
        Some(tensor_type(*id)?.name)
    };
    named.or_else(commonest).unwrap_or("unknown").to_owned()
}
