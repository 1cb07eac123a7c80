//! `stepladder models` in a home of its own: the table, the array, the object with problems.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// A text as GGUF writes it.
fn text(value: &str) -> Vec<u8> {
    let mut res = (value.len() as u64).to_le_bytes().to_vec();
    res.extend(value.as_bytes());
    res
}

/// A model of 192 weights with three tokens.
fn tiny() -> Vec<u8> {
    let number = |key: &str, value: u32| {
        let mut res = text(key);
        res.extend(4_u32.to_le_bytes());
        res.extend(value.to_le_bytes());
        res
    };
    let mut architecture = text("general.architecture");
    architecture.extend(8_u32.to_le_bytes());
    architecture.extend(text("llama"));
    let mut tokens = text("tokenizer.ggml.tokens");
    tokens.extend(9_u32.to_le_bytes());
    tokens.extend(8_u32.to_le_bytes());
    tokens.extend(3_u64.to_le_bytes());
    tokens.extend(["a", "b", "c"].iter().flat_map(|it| text(it)));
    let pairs = [
        architecture,
        tokens,
        number("llama.block_count", 2),
        number("llama.context_length", 512),
        number("llama.embedding_length", 64),
        number("llama.attention.head_count", 4),
        number("llama.attention.head_count_kv", 2),
    ];
    let mut res = b"GGUF".to_vec();
    res.extend(3_u32.to_le_bytes());
    res.extend(1_u64.to_le_bytes());
    res.extend((pairs.len() as u64).to_le_bytes());
    res.extend(pairs.iter().flatten());
    res.extend(text("token_embd.weight"));
    res.extend(2_u32.to_le_bytes());
    res.extend([64_u64, 3].iter().flat_map(|it| it.to_le_bytes()));
    res.extend(0_u32.to_le_bytes());
    res.extend(0_u64.to_le_bytes());
    res.resize(res.len().next_multiple_of(32) + 64 * 3 * 4, 0);
    res
}

/// The program in a home folder, with nothing of the environment that could lead elsewhere.
fn models(home: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_stepladder"))
        .env_clear()
        .env("HOME", home)
        .env("STEPLADDER_DATA", home.join("data"))
        .arg("models")
        .args(args)
        .output()
        .unwrap()
}

/// A home with a model of LM Studio's and a file that is cut.
fn home() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join(".lmstudio/models/publisher/tiny");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("tiny-F32.gguf"), tiny()).unwrap();
    fs::write(folder.join("cut.gguf"), &tiny()[..200]).unwrap();
    home
}

#[test]
fn the_table_has_a_row_a_model_and_problems_go_to_standard_error() {
    let home = home();
    let done = models(home.path(), &[]);
    assert!(done.status.success());
    let out = String::from_utf8(done.stdout).unwrap();
    let mut lines = out.lines();
    let head: Vec<_> = lines.next().unwrap().split("  ").map(str::trim).collect();
    let head: Vec<_> = head.into_iter().filter(|it| !it.is_empty()).collect();
    assert_eq!(
        head,
        [
            "name",
            "architecture",
            "quantization",
            "parameters",
            "size",
            "context",
            "memory",
            "verdict",
            "found in",
            "path"
        ]
    );
    let row = lines.next().unwrap();
    for part in ["tiny-F32", "llama", "F32", "192", "512", "LM Studio"] {
        assert!(row.contains(part), "{row} lacks {part}");
    }
    let err = String::from_utf8(done.stderr).unwrap();
    assert!(
        err.starts_with("warning: cut: ") && err.contains("cut.gguf (LM Studio)"),
        "{err}"
    );
}

#[test]
fn the_array_has_what_it_always_had_and_the_card() {
    let home = home();
    let done = models(home.path(), &["--json"]);
    let array: Value = serde_json::from_slice(&done.stdout).unwrap();
    let [model] = array.as_array().unwrap().as_slice() else {
        panic!("{array}");
    };
    let path = home
        .path()
        .join(".lmstudio/models/publisher/tiny/tiny-F32.gguf");
    assert_eq!(model["path"], path.to_str().unwrap());
    assert_eq!(model["name"], "tiny-F32");
    assert_eq!(model["format"], "gguf");
    assert_eq!(model["bytes"], tiny().len());
    assert_eq!(model["architecture"], "llama");
    assert_eq!(model["quantization"], "F32");
    assert_eq!(model["found_in"], "LM Studio");
    assert_eq!(model["parameters"], 192);
    assert_eq!(model["context"], 512);
    assert_eq!(model["vocabulary"], 3);
    assert_eq!(model["chat_template"], false);
    assert_eq!(model["memory"]["weights"], 768);
    // 4 heads × (16 + 16) numbers × 2 bytes × 512 tokens.
    assert_eq!(model["memory"]["cache"], 131_072);
}

#[test]
fn the_context_that_memory_is_worked_out_for_can_be_given() {
    let home = home();
    let done = models(home.path(), &["--json", "--ctx", "1024"]);
    let array: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(array[0]["memory"]["for_context"], 1_024);
    assert_eq!(array[0]["memory"]["cache"], 262_144);
}

#[test]
fn the_object_has_the_problems_too() {
    let home = home();
    let done = models(home.path(), &["--json", "--problems"]);
    assert!(done.stderr.is_empty());
    let object: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(object["models"].as_array().unwrap().len(), 1);
    let problem = &object["problems"][0];
    assert_eq!(problem["found_in"], "LM Studio");
    assert!(problem["what"].as_str().unwrap().starts_with("cut: "));
}
