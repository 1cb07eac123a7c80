//! The key-value pairs of a GGUF file, as far as anybody here asks for them.

use std::collections::BTreeMap;
use std::io::{Read, Seek};

use super::GgufError;
use super::format::{TYPE_ARRAY, TYPE_STRING, scalar_bytes};
use super::reader::Bounded;

/// The kept pairs: all scalars, wanted texts, and of arrays their length and first numbers.
#[derive(Debug, Default)]
pub(super) struct Metadata(BTreeMap<String, Value>);

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    Bool(bool),
    Text(String),
    /// `numbers` holds the whole array if it is short and of whole numbers.
    Array {
        length: u64,
        numbers: Vec<u64>,
    },
}

impl Metadata {
    /// Reads `n_pairs` pairs from where the reader stands.
    pub(super) fn read<R: Read + Seek>(
        reader: &mut Bounded<R>,
        n_pairs: u64,
    ) -> Result<Self, GgufError> {
        let mut res = Self::default();
        let mut kept_bytes = 0;
        for index in 0..n_pairs {
            let key = reader.string(&format!("metadata key {index}"), MAX_KEY_BYTES)?;
            let value_type = reader.u32(&key)?;
            let Some(value) = read_value(reader, &key, value_type)? else {
                continue;
            };
            kept_bytes += key.len() + value.n_bytes();
            if kept_bytes > MAX_KEPT_BYTES {
                let what = "the length of the metadata's keys and texts together";
                let found = format!("{kept_bytes} bytes and more");
                return Err(GgufError::out_of_range(what, &found, "16777216 at most"));
            }
            res.0.insert(key, value);
        }
        Ok(res)
    }

    pub(super) fn text(&self, key: &str) -> Option<&str> {
        match self.0.get(key)? {
            Value::Text(it) => Some(it),
            _ => None,
        }
    }

    pub(super) fn unsigned(&self, key: &str) -> Option<u64> {
        match self.0.get(key)? {
            Value::Unsigned(it) => Some(*it),
            Value::Signed(it) => u64::try_from(*it).ok(),
            _ => None,
        }
    }

    /// The largest number under a key that some models give once and others once a layer.
    pub(super) fn largest(&self, key: &str) -> Option<u64> {
        match self.0.get(key)? {
            Value::Array { numbers, .. } => numbers.iter().copied().max(),
            _ => self.unsigned(key),
        }
    }

    /// The sum over all layers of a number that some models give once and others once a layer.
    pub(super) fn over_layers(&self, key: &str, n_layers: u32) -> Option<u64> {
        match self.0.get(key)? {
            Value::Array { numbers, .. } => Some(
                numbers
                    .iter()
                    .take(n_layers as usize)
                    .fold(0, |acc, it| acc.saturating_add(*it)),
            ),
            _ => Some(self.unsigned(key)?.saturating_mul(u64::from(n_layers))),
        }
    }

    /// Whether any key begins so.
    pub(super) fn has_under(&self, prefix: &str) -> bool {
        self.0.keys().any(|it| it.starts_with(prefix))
    }

    pub(super) fn bool(&self, key: &str) -> Option<bool> {
        match self.0.get(key)? {
            Value::Bool(it) => Some(*it),
            _ => None,
        }
    }

    pub(super) fn array_length(&self, key: &str) -> Option<u64> {
        match self.0.get(key)? {
            Value::Array { length, .. } => Some(*length),
            _ => None,
        }
    }

    /// Numbers whose key begins with `prefix`, with the rest of the key.
    pub(super) fn numbers_under(&self, prefix: &str) -> Vec<(String, f64)> {
        self.0
            .iter()
            .filter_map(|(key, value)| {
                let rest = key.strip_prefix(prefix)?;
                let number = match value {
                    Value::Unsigned(it) => *it as f64,
                    Value::Signed(it) => *it as f64,
                    Value::Float(it) => *it,
                    _ => return None,
                };
                Some((rest.to_owned(), number))
            })
            .collect()
    }
}

impl Value {
    /// What it takes to keep, about.
    fn n_bytes(&self) -> usize {
        size_of::<Self>()
            + match self {
                Self::Text(it) => it.len(),
                Self::Array { numbers, .. } => size_of_val(numbers.as_slice()),
                _ => 0,
            }
    }
}

/// The format's own bound on keys.
const MAX_KEY_BYTES: u64 = 65_535;
/// No chat template comes near this.
const MAX_TEXT_BYTES: u64 = 4 << 20;
/// All that is kept of a file; real ones need a few kilobytes.
const MAX_KEPT_BYTES: usize = 16 << 20;
/// One number a layer is the longest array that is of interest.
const MAX_KEPT_NUMBERS: u64 = 1_024;
const MAX_DEPTH: u32 = 4;

fn read_value<R: Read + Seek>(
    reader: &mut Bounded<R>,
    key: &str,
    value_type: u32,
) -> Result<Option<Value>, GgufError> {
    let value = match value_type {
        TYPE_STRING if is_wanted_text(key) => Value::Text(reader.string(key, MAX_TEXT_BYTES)?),
        TYPE_STRING => {
            reader.skip_string(key)?;
            return Ok(None);
        }
        TYPE_ARRAY => read_array(reader, key)?,
        _ => read_scalar(reader, key, value_type)?,
    };
    Ok(Some(value))
}

fn is_wanted_text(key: &str) -> bool {
    key.starts_with("general.") || key == "tokenizer.chat_template" || key == "adapter.type"
}

fn read_scalar<R: Read + Seek>(
    reader: &mut Bounded<R>,
    key: &str,
    value_type: u32,
) -> Result<Value, GgufError> {
    Ok(match value_type {
        0 => Value::Unsigned(u64::from(reader.u8(key)?)),
        1 => Value::Signed(i64::from(i8::from_le_bytes(reader.array(key)?))),
        2 => Value::Unsigned(u64::from(u16::from_le_bytes(reader.array(key)?))),
        3 => Value::Signed(i64::from(i16::from_le_bytes(reader.array(key)?))),
        4 => Value::Unsigned(u64::from(reader.u32(key)?)),
        5 => Value::Signed(i64::from(i32::from_le_bytes(reader.array(key)?))),
        6 => Value::Float(f64::from(f32::from_le_bytes(reader.array(key)?))),
        7 => match reader.u8(key)? {
            0 => Value::Bool(false),
            1 => Value::Bool(true),
            other => return Err(GgufError::out_of_range(key, &other, "0 or 1")),
        },
        10 => Value::Unsigned(reader.u64(key)?),
        11 => Value::Signed(i64::from_le_bytes(reader.array(key)?)),
        12 => Value::Float(f64::from_le_bytes(reader.array(key)?)),
        _ => {
            let what = format!("the value type of {key}");
            return Err(GgufError::out_of_range(what, &value_type, "0 to 12"));
        }
    })
}

fn read_array<R: Read + Seek>(reader: &mut Bounded<R>, key: &str) -> Result<Value, GgufError> {
    let item_type = reader.u32(key)?;
    let length = reader.u64(key)?;
    let is_whole = matches!(item_type, 0..=5 | 10 | 11);
    let mut numbers = Vec::new();
    if is_whole && length <= MAX_KEPT_NUMBERS {
        for _ in 0..length {
            match read_scalar(reader, key, item_type)? {
                Value::Unsigned(it) => numbers.push(it),
                Value::Signed(it) => numbers.push(u64::try_from(it).unwrap_or(0)),
                _ => {}
            }
        }
    } else {
        skip_items(reader, key, (item_type, length), 1)?;
    }
    Ok(Value::Array { length, numbers })
}

/// Skips an array's items. The reader bounds how many of them are walked one by one.
fn skip_items<R: Read + Seek>(
    reader: &mut Bounded<R>,
    key: &str,
    (item_type, length): (u32, u64),
    depth: u32,
) -> Result<(), GgufError> {
    if let Some(n_bytes) = scalar_bytes(item_type) {
        return reader.skip(length.saturating_mul(n_bytes), key);
    }
    if depth > MAX_DEPTH {
        let what = format!("the depth of arrays in {key}");
        return Err(GgufError::out_of_range(what, &depth, "1 to 4"));
    }
    match item_type {
        TYPE_STRING => {
            for _ in 0..length {
                reader.step(key)?;
                reader.skip_string(key)?;
            }
        }
        TYPE_ARRAY => {
            for _ in 0..length {
                reader.step(key)?;
                let inner = (reader.u32(key)?, reader.u64(key)?);
                skip_items(reader, key, inner, depth + 1)?;
            }
        }
        _ => {
            let what = format!("the item type of {key}");
            return Err(GgufError::out_of_range(what, &item_type, "0 to 12"));
        }
    }
    Ok(())
}
