//! Reads small files written here, whole and damaged in every way that came to mind.

mod damage;
mod holdings;
mod needs;
mod rooms;

use std::io::Cursor;

use super::tiny::Writer;
use super::{Header, SamplingDefault, read_header};

fn read(bytes: &[u8]) -> Result<Header, String> {
    read_header(Cursor::new(bytes)).map_err(|it| it.to_string())
}

#[track_caller]
fn check_error(bytes: &[u8], part: &str) {
    let message = read(bytes).expect_err("the file is damaged");
    assert!(message.contains(part), "{message:?} lacks {part:?}");
}

/// The tiny file with some bytes written over it.
fn patched(at: usize, with: &[u8]) -> Vec<u8> {
    let mut bytes = Writer::tiny().bytes();
    bytes[at..at + with.len()].copy_from_slice(with);
    bytes
}

#[test]
fn a_whole_file_tells_its_name_shape_and_size() {
    let bytes = Writer::tiny().bytes();
    let header = read(&bytes).unwrap();
    assert_eq!(header.architecture, "llama");
    assert_eq!(header.name, "Tiny");
    assert_eq!(header.quantization, "Q4_K_M");
    assert_eq!(header.chat_template.as_deref(), Some("{{ messages }}"));
    assert_eq!(header.add_bos, Some(true));
    assert_eq!(header.n_vocab, 3);
    assert_eq!(header.n_params, 64 * 3 + 256 * 2);
    assert_eq!(header.shape.n_ctx_train, 2048);
    assert_eq!(header.shape.block_count, 2);
    assert_eq!((header.shape.n_head_kv, header.shape.key_length), (2, 16));
    let recommended = SamplingDefault {
        key: "temp".to_owned(),
        value: 0.5,
    };
    assert_eq!(header.sampling, [recommended]);
    assert_eq!(header.data_end, bytes.len() as u64);
    assert_eq!(header.header_bytes, bytes.len() as u64 - 768 - 288);
}

#[test]
fn a_file_without_a_type_is_named_by_what_most_weights_have() {
    let bytes = Writer::tiny().without("general.file_type").bytes();
    assert_eq!(read(&bytes).unwrap().quantization, "Q4_K");
}

#[test]
fn heads_given_once_a_layer_count_by_the_largest() {
    let mut array = 4_u32.to_le_bytes().to_vec();
    array.extend(2_u64.to_le_bytes());
    array.extend([1_u32, 8].iter().flat_map(|it| it.to_le_bytes()));
    let file = Writer::tiny().with_pair("llama.attention.head_count_kv", 9, &array);
    assert_eq!(read(&file.bytes()).unwrap().shape.n_head_kv, 8);
}

#[test]
fn a_file_cut_anywhere_is_an_error() {
    let bytes = Writer::tiny().bytes();
    for length in 0..bytes.len() {
        assert!(read(&bytes[..length]).is_err(), "cut at {length}");
    }
}

#[test]
fn any_flipped_bit_is_survived() {
    let bytes = Writer::tiny().bytes();
    let header_bytes = bytes.len() - 768 - 288;
    for at in 0..header_bytes {
        for bit in 0..8 {
            let mut broken = bytes.clone();
            broken[at] ^= 1 << bit;
            // Either answer is right: what counts is that there is one, and soon.
            let _answer = read(&broken);
        }
    }
}

#[test]
fn a_cut_between_the_weights_names_the_tensor_and_the_bytes() {
    let bytes = Writer::tiny().bytes();
    let n_bytes = bytes.len();
    let expected = format!(
        "cut: tensor blk.0.weight ends at byte {n_bytes}, but the file has {} bytes",
        n_bytes - 1
    );
    check_error(&bytes[..n_bytes - 1], &expected);
}

#[test]
fn an_empty_file_is_no_model() {
    check_error(b"", "it is empty");
}

#[test]
fn another_format_is_told_by_how_it_starts() {
    check_error(b"PK\x03\x04 something", "it starts with \"PK\\x03\\x04\"");
}

#[test]
fn an_unknown_version_is_named() {
    check_error(&patched(4, &9_u32.to_le_bytes()), "GGUF version 9");
}

#[test]
fn a_big_endian_file_is_named() {
    check_error(&patched(4, &3_u32.to_be_bytes()), "big-endian");
}

#[test]
fn absurd_counts_are_refused_at_once() {
    check_error(&patched(8, &u64::MAX.to_le_bytes()), "number of tensors is");
    check_error(&patched(16, &u64::MAX.to_le_bytes()), "metadata pairs is");
}

#[test]
fn a_length_beyond_the_file_is_a_cut() {
    check_error(&patched(24, &u64::MAX.to_le_bytes()), "cut: the file has");
}

#[test]
fn a_key_longer_than_the_format_allows_is_refused() {
    let mut file = Writer::tiny();
    file.u32(&"k".repeat(70_000), 1);
    check_error(&file.bytes(), "the length of metadata key 12 is 70000");
}

#[test]
fn block_counts_out_of_bounds_are_refused() {
    for count in [0, 513, 5000, u32::MAX] {
        let file = Writer::tiny().with_u32("llama.block_count", count);
        let expected = format!("llama.block_count is {count}; 1 to 512 expected");
        check_error(&file.bytes(), &expected);
    }
}

#[test]
fn what_is_missing_is_named() {
    for key in ["general.architecture", "llama.block_count"] {
        check_error(&Writer::tiny().without(key).bytes(), key);
    }
}

#[test]
fn unknown_value_types_are_refused() {
    let file = Writer::tiny().with_pair("odd", 13, &[0; 8]);
    check_error(&file.bytes(), "the value type of odd is 13");
    let mut array = 77_u32.to_le_bytes().to_vec();
    array.extend(1_u64.to_le_bytes());
    let file = Writer::tiny().with_pair("odd", 9, &array);
    check_error(&file.bytes(), "the item type of odd is 77");
}

#[test]
fn a_false_bool_is_refused() {
    let file = Writer::tiny().with_pair("odd", 7, &[2]);
    check_error(&file.bytes(), "odd is 2; 0 or 1 expected");
}

#[test]
fn arrays_of_absurd_length_are_a_cut() {
    for kind in [0_u32, 4, 8, 9, 12] {
        let mut array = kind.to_le_bytes().to_vec();
        array.extend(u64::MAX.to_le_bytes());
        let file = Writer::tiny().with_pair("odd", 9, &array);
        assert!(read(&file.bytes()).is_err(), "items of type {kind}");
    }
}

#[test]
fn arrays_nest_to_a_bound() {
    let nested = |depth: usize| {
        let mut res = Vec::new();
        for _ in 0..depth {
            res.extend(9_u32.to_le_bytes());
            res.extend(1_u64.to_le_bytes());
        }
        res.extend(0_u32.to_le_bytes());
        res.extend(0_u64.to_le_bytes());
        Writer::tiny().with_pair("odd", 9, &res).bytes()
    };
    assert!(read(&nested(3)).is_ok());
    check_error(&nested(1_000), "the depth of arrays in odd");
}

#[test]
fn odd_alignments_are_refused() {
    for alignment in [0, 3, 1 << 30] {
        let file = Writer::tiny().with_u32("general.alignment", alignment);
        check_error(&file.bytes(), "general.alignment is");
    }
}

#[test]
fn odd_tensors_are_refused() {
    let with = |dims: &[u64], kind| {
        let mut file = Writer::tiny();
        file.tensor("odd", dims, (kind, 0));
        file.bytes()
    };
    check_error(&with(&[1; 5], 0), "the number of dimensions of tensor odd");
    check_error(&with(&[u64::MAX, 2], 0), "the size of tensor odd");
    check_error(&with(&[1], 31), "the type of tensor odd is 31");
    check_error(&with(&[u64::MAX], 0), "cut: tensor odd");
}
