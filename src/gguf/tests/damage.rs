//! Damaged headers by kind, made from the tiny model: each gives an error or a reading, and takes no memory to speak of.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use crate::gguf::tiny::Writer;
use crate::gguf::{GgufError, Holding, SideFile, read_holding};

/// A file with a hole: `head`, then zeros up to `n_bytes`, without a byte of memory for them. Counts what is read.
struct Sparse {
    head: Vec<u8>,
    n_bytes: u64,
    at: u64,
    n_read: u64,
}

impl Read for Sparse {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.n_bytes.saturating_sub(self.at);
        let n = left.min(buffer.len() as u64) as usize;
        for (idx, byte) in buffer[..n].iter_mut().enumerate() {
            let at = usize::try_from(self.at).unwrap() + idx;
            *byte = self.head.get(at).copied().unwrap_or(0);
        }
        self.at += n as u64;
        self.n_read += n as u64;
        Ok(n)
    }
}

impl Seek for Sparse {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let signed = |it: u64| i64::try_from(it).unwrap();
        let at = match to {
            SeekFrom::Start(it) => signed(it),
            SeekFrom::End(it) => signed(self.n_bytes) + it,
            SeekFrom::Current(it) => signed(self.at) + it,
        };
        self.at = u64::try_from(at).unwrap();
        Ok(self.at)
    }
}

/// The header of 200 GB of a file whose bytes behind `head` are zeros.
fn read_sparse(head: Vec<u8>) -> (Result<Holding, GgufError>, u64) {
    let mut file = Sparse {
        head,
        n_bytes: 200_000_000_000,
        at: 0,
        n_read: 0,
    };
    let res = read_holding(&mut file);
    (res, file.n_read)
}

/// An architecture, and an array that is said to have `length` items of `kind`; then nothing.
fn with_claim(kind: u32, length: u64) -> Vec<u8> {
    let mut array = kind.to_le_bytes().to_vec();
    array.extend(length.to_le_bytes());
    let mut file = Writer::empty();
    file.text("general.architecture", "llama");
    file.pair("tokenizer.ggml.tokens", 9, &array);
    file.unpadded()
}

#[test]
fn a_claim_of_200_gigabytes_costs_nothing() {
    // The whole file as one array, of numbers and of bytes: skipped in one step.
    for (kind, width) in [(0, 1), (4, 4), (10, 8), (12, 8)] {
        let (res, n_read) = read_sparse(with_claim(kind, 199_000_000_000 / width));
        let nothing_else = Holding::Beside(SideFile::Vocabulary);
        assert_eq!(res.unwrap(), nothing_else);
        assert!(n_read < 1 << 20, "{n_read} bytes read for type {kind}");
    }
    // More than the file has.
    for kind in [0, 4, 8, 9, 12] {
        let (res, n_read) = read_sparse(with_claim(kind, u64::MAX));
        assert!(res.is_err());
        assert!(n_read < 300 << 20, "{n_read} bytes read for type {kind}");
    }
}

#[test]
fn empty_texts_without_end_are_walked_to_a_bound() {
    let (res, n_read) = read_sparse(with_claim(8, 20_000_000_000));
    let message = res.unwrap_err().to_string();
    assert!(
        message.contains("the number of items up to tokenizer.ggml.tokens is more than 16777216"),
        "{message}"
    );
    assert!(n_read < 200 << 20, "{n_read}");
}

#[test]
fn texts_that_are_kept_have_a_bound_together() {
    let mut file = Writer::tiny();
    for idx in 0..6 {
        file.text(&format!("general.note{idx}"), &"x".repeat(3 << 20));
    }
    let message = read_holding(Cursor::new(file.bytes())).unwrap_err();
    let message = message.to_string();
    assert!(message.contains("keys and texts together"), "{message}");
}

/// A damage by its name, and the bytes.
type Damage = (String, Vec<u8>);

/// Cut behind the magic, the version, each count, each pair, each tensor, and within each of them.
fn cuts() -> Vec<Damage> {
    let whole = Writer::tiny();
    let bytes = whole.bytes();
    let mut ends = vec![3, 4, 6, 8, 12, 16, 20, 24];
    let mut at = 24;
    for it in whole.pairs.iter().chain(&whole.tensors) {
        ends.extend([at + 4, at + it.len() / 2, at + it.len() - 1, at + it.len()]);
        at += it.len();
    }
    ends.extend([at + 1, bytes.len() - 300, bytes.len() - 1]);
    let cut = |it: &usize| (format!("cut at byte {it}"), bytes[..*it].to_vec());
    ends.iter().map(cut).collect()
}

/// Counts and lengths that lie.
fn false_counts() -> Vec<Damage> {
    let mut res = Vec::new();
    for (name, at) in [("tensors", 8), ("pairs", 16), ("first key", 24)] {
        for value in [1_000, 1 << 20, 1 << 32, 1 << 40, u64::MAX] {
            let mut bytes = Writer::tiny().bytes();
            bytes[at..at + 8].copy_from_slice(&u64::to_le_bytes(value));
            res.push((format!("{name}: {value}"), bytes));
        }
    }
    res
}

/// Values of a wrong type or size under the keys that count.
fn false_values() -> Vec<Damage> {
    let mut res = Vec::new();
    for value in [0, 513, u32::MAX] {
        let file = Writer::tiny().with_u32("llama.block_count", value);
        res.push((format!("block_count {value}"), file.bytes()));
    }
    for key in [
        "context_length",
        "embedding_length",
        "attention.head_count",
        "attention.head_count_kv",
        "attention.key_length",
    ] {
        let file = Writer::tiny().with_u32(&format!("llama.{key}"), u32::MAX);
        res.push((format!("{key} {}", u32::MAX), file.bytes()));
    }
    for (key, kind) in [("general.architecture", 4), ("llama.block_count", 6)] {
        let file = Writer::tiny().with_pair(key, kind, &[0; 4]);
        res.push((format!("{key} of type {kind}"), file.bytes()));
    }
    for kind in [13, 255, u32::MAX] {
        let file = Writer::tiny().with_pair("odd", kind, &[0; 8]);
        res.push((format!("value type {kind}"), file.bytes()));
    }
    for alignment in [0, 3, 1 << 30] {
        let file = Writer::tiny().with_u32("general.alignment", alignment);
        res.push((format!("alignment {alignment}"), file.bytes()));
    }
    res
}

/// Tensors of unknown types, absurd sizes, and offsets outside the file.
fn false_tensors() -> Vec<Damage> {
    let with = |name: &str, dims: &[u64], kind| {
        let mut file = Writer::tiny();
        file.tensor("odd", dims, (kind, 0));
        (name.to_owned(), file.bytes())
    };
    let mut res = vec![
        with("five dimensions", &[1; 5], 0),
        with("a size beyond numbers", &[u64::MAX, 2], 0),
        with("a size beyond the file", &[1 << 40], 0),
        with("a removed type", &[32], 4),
        with("an unknown type", &[32], 1_000),
    ];
    for offset in [1 << 20, 1 << 50, u64::MAX] {
        let mut file = Writer::tiny();
        let tensor = file.tensors.last_mut().unwrap();
        let at = tensor.len() - 8;
        tensor[at..].copy_from_slice(&u64::to_le_bytes(offset));
        res.push((format!("offset {offset}"), file.bytes()));
    }
    res
}

#[test]
fn every_damage_is_an_error_in_words() {
    let damages = [cuts(), false_counts(), false_values(), false_tensors()].concat();
    assert!(damages.len() >= 60, "{}", damages.len());
    for (name, bytes) in damages {
        let message = match read_holding(Cursor::new(bytes)) {
            Ok(it) => panic!("{name}: {it:?}"),
            Err(it) => it.to_string(),
        };
        assert!(message.len() > 20, "{name}: {message}");
        assert!(message.len() < 500, "{name}: {message}");
    }
}

#[test]
fn a_missing_tokenizer_is_a_reading_without_vocabulary() {
    let file = Writer::tiny().without("tokenizer.ggml.tokens");
    let Ok(Holding::Model(header)) = read_holding(Cursor::new(file.bytes())) else {
        panic!("no model");
    };
    assert_eq!(header.n_vocab, 0);
}
