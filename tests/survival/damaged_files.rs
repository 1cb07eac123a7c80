//! Damaged model files before a real engine: each is refused, or runs, or ends its engine alone; the next model loads.

use std::collections::BTreeMap;
use std::path::Path;

use super::asked::{Answer, Asked};
use super::little_model::{array, saved, writer};
use crate::tiny::Writer;

/// A damage by its name, and the bytes.
type Damage = (String, Vec<u8>);

#[track_caller]
fn named(name: impl Into<String>, file: &Writer) -> Damage {
    (name.into(), file.bytes())
}

/// Cut behind each count, within and behind pairs and tensors, and in the weights.
fn cuts() -> Vec<Damage> {
    let whole = writer();
    let bytes = whole.bytes();
    let mut ends = vec![0, 3, 4, 8, 16, 24];
    let mut at = 24;
    for (idx, it) in whole.pairs.iter().chain(&whole.tensors).enumerate() {
        if idx % 3 == 0 {
            ends.push(at + it.len() / 2);
        }
        at += it.len();
    }
    ends.extend([at, at + 33, bytes.len() / 2, bytes.len() - 1]);
    let cut = |it: &usize| (format!("cut at byte {it}"), bytes[..*it].to_vec());
    ends.iter().map(cut).collect()
}

fn false_counts() -> Vec<Damage> {
    let mut res = Vec::new();
    for (name, at) in [("tensors", 8), ("pairs", 16)] {
        for value in [0, 1, 1_000, 1 << 40, u64::MAX] {
            let mut bytes = writer().bytes();
            bytes[at..at + 8].copy_from_slice(&u64::to_le_bytes(value));
            res.push((format!("{value} {name}"), bytes));
        }
    }
    res
}

/// Numbers that the file says of itself, absurd in size or false.
fn false_numbers() -> Vec<Damage> {
    let table: [(&str, &[u32]); 8] = [
        ("block_count", &[0, 2, 100, 512, 513, u32::MAX]),
        ("context_length", &[0, 1, u32::MAX]),
        ("embedding_length", &[0, 1, 33, 64, u32::MAX]),
        ("feed_forward_length", &[0, 1, u32::MAX]),
        ("attention.head_count", &[0, 3, 1_000, u32::MAX]),
        ("attention.head_count_kv", &[0, 3, u32::MAX]),
        ("rope.dimension_count", &[1, 17, u32::MAX]),
        ("expert_count", &[8, u32::MAX]),
    ];
    let mut res = Vec::new();
    for (key, values) in table {
        for value in values {
            let file = writer().with_u32(&format!("llama.{key}"), *value);
            res.push(named(format!("{key} {value}"), &file));
        }
    }
    for key in ["block_count", "embedding_length", "attention.head_count"] {
        let key = format!("llama.{key}");
        let file = writer().without(&key);
        res.push(named(format!("without {key}"), &file));
        let file = writer().with_text(&key, "many");
        res.push(named(format!("{key} as a text"), &file));
    }
    res
}

fn false_tokenizers() -> Vec<Damage> {
    let without = |key: &str| named(format!("without {key}"), &writer().without(key));
    let mut res = vec![
        without("tokenizer.ggml.model"),
        without("tokenizer.ggml.tokens"),
        without("tokenizer.ggml.scores"),
        without("tokenizer.ggml.token_type"),
    ];
    for model in ["none", "gpt2", "bert", "no such tokenizer"] {
        let file = writer().with_text("tokenizer.ggml.model", model);
        res.push(named(format!("tokenizer {model}"), &file));
    }
    for key in ["bos", "eos", "unknown"] {
        let file = writer().with_u32(&format!("tokenizer.ggml.{key}_token_id"), 1_000_000);
        res.push(named(format!("{key} token 1000000"), &file));
    }
    let kinds = array(5, &[[9, 0, 0, 0]; 2]);
    let file = writer().with_pair("tokenizer.ggml.token_type", 9, &kinds);
    res.push(named("two token types", &file));
    let scores = array(6, &[f32::NAN.to_le_bytes(); 259]);
    let file = writer().with_pair("tokenizer.ggml.scores", 9, &scores);
    res.push(named("scores that are no numbers", &file));
    let mut file = writer().without("tokenizer.ggml.tokens");
    file.texts("tokenizer.ggml.tokens", &["a"; 259]);
    res.push(named("one token 259 times", &file));
    let mut file = writer().without("tokenizer.ggml.tokens");
    file.texts("tokenizer.ggml.tokens", &["a", "b"]);
    res.push(named("two tokens", &file));
    res
}

fn false_tensors() -> Vec<Damage> {
    let mut res = Vec::new();
    for idx in [0, 1, 3, 7] {
        let mut file = writer();
        file.tensors.remove(idx);
        res.push(named(format!("without tensor {idx}"), &file));
        let mut file = writer();
        let twin = file.tensors[idx].clone();
        file.tensors.push(twin);
        res.push(named(format!("tensor {idx} twice"), &file));
    }
    for offset in [1, 4, 1 << 20, 1 << 50, u64::MAX] {
        let mut file = writer();
        let tensor = file.tensors.last_mut().unwrap();
        let at = tensor.len() - 8;
        tensor[at..].copy_from_slice(&u64::to_le_bytes(offset));
        res.push(named(format!("offset {offset}"), &file));
    }
    for kind in [1_u32, 2, 12, 26, 200] {
        let mut file = writer();
        let tensor = file.tensors.last_mut().unwrap();
        let at = tensor.len() - 12;
        tensor[at..at + 4].copy_from_slice(&kind.to_le_bytes());
        res.push(named(format!("weights of type {kind}"), &file));
    }
    for (name, byte) in [("all ones", 0xFF), ("huge", 0x7F)] {
        let mut bytes = writer().bytes();
        let start = writer().unpadded().len().next_multiple_of(32);
        bytes[start..].fill(byte);
        res.push((format!("weights {name}"), bytes));
    }
    res
}

/// What a damage came to, short enough to be counted.
fn kind(answer: &Answer) -> &'static str {
    match answer {
        Answer::Refused(message) if message.contains("(signal ") => "engine lost in the load",
        Answer::Refused(_) => "refused",
        Answer::Failed(_) => "loaded, and the reply failed",
        Answer::Lost(_) => "engine lost in the reply",
        Answer::Written(_) => "ran",
    }
}

#[test]
fn no_damage_takes_more_than_its_engine() {
    let folder = tempfile::tempdir().unwrap();
    let whole = saved(folder.path(), "whole", &writer().bytes());
    let mut asked = Asked::new();
    assert!(
        matches!(asked.ask(&whole), Answer::Written(_)),
        "the whole model runs"
    );
    let damages = [
        cuts(),
        false_counts(),
        false_numbers(),
        false_tokenizers(),
        false_tensors(),
    ]
    .concat();
    assert!(damages.len() >= 60, "{}", damages.len());
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (idx, (name, bytes)) in damages.iter().enumerate() {
        let path = saved(folder.path(), &format!("damaged-{idx}"), bytes);
        let answer = asked.ask(&path);
        println!("{name}: {answer:?}");
        *counts.entry(kind(&answer)).or_default() += 1;
        if let Answer::Refused(message) | Answer::Failed(message) | Answer::Lost(message) = &answer
        {
            assert!(
                message.len() > 10 && message.len() < 2_000,
                "{name}: {message}"
            );
        }
    }
    println!("{} damages: {counts:?}", damages.len());
    assert!(
        matches!(asked.ask(&whole), Answer::Written(_)),
        "the whole model still runs"
    );
}

#[test]
fn weights_that_are_no_numbers_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let start = writer().unpadded().len().next_multiple_of(32);
    let mut bytes = writer().bytes();
    bytes[start..].fill(0xFF);
    let path = saved(folder.path(), "nan", &bytes);
    match Asked::new().ask(&path) {
        Answer::Failed(message) => assert!(message.contains("NaN"), "{message}"),
        other => panic!("{other:?}"),
    }
}

/// The engine touches weights that are no longer there; the system ends it.
#[test]
fn a_file_cut_while_it_is_mapped_costs_the_engine_and_is_named_at_the_next_load() {
    let folder = tempfile::tempdir().unwrap();
    let path = saved(folder.path(), "cut", &writer().bytes());
    let mut asked = Asked::new();
    assert_eq!(asked.load(&path), Ok(()));
    cut(&path, 100);
    let answer = asked.reply("Hello");
    match &answer {
        Answer::Lost(reason) => assert!(reason.contains("cut"), "{reason}"),
        other => panic!("{other:?}"),
    }
    assert!(
        asked
            .losses()
            .iter()
            .any(|it| it.contains("bus error (signal ")),
        "{:?}",
        asked.losses()
    );
    let whole = saved(folder.path(), "whole", &writer().bytes());
    assert!(matches!(asked.ask(&whole), Answer::Written(_)));
}

fn cut(path: &Path, n_bytes: u64) {
    let file = std::fs::File::options().write(true).open(path).unwrap();
    file.set_len(n_bytes).unwrap();
}
