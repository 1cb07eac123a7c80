//! A whole model of a few kilobytes that llama.cpp runs: what it writes makes no sense, and takes no time.

use std::path::{Path, PathBuf};

use crate::tiny::Writer;

const N_EMBEDDING: u64 = 32;
const N_FEED_FORWARD: u64 = 64;
/// Unknown, begin, end, and one token for each byte.
const N_VOCABULARY: u64 = 3 + 256;

const TEMPLATE: &str = "{% for message in messages %}{{ message.content }}{% endfor %}";

/// Type of 32-bit floats, of tensors and of items.
const F32: u32 = 0;
const ITEM_I32: u32 = 5;
const ITEM_F32: u32 = 6;
const ARRAY: u32 = 9;

/// Llama's architecture in one layer, with a tokenizer of bytes; all weights are 0.
pub(crate) fn writer() -> Writer {
    let mut file = Writer::empty();
    file.text("general.architecture", "llama");
    file.text("general.name", "Little");
    file.u32("llama.context_length", 4_096);
    file.u32("llama.block_count", 1);
    file.u32("llama.embedding_length", N_EMBEDDING as u32);
    file.u32("llama.feed_forward_length", N_FEED_FORWARD as u32);
    file.u32("llama.attention.head_count", 2);
    file.u32("llama.attention.head_count_kv", 2);
    file.u32("llama.rope.dimension_count", 16);
    let epsilon = 1e-5_f32.to_le_bytes();
    file.pair("llama.attention.layer_norm_rms_epsilon", ITEM_F32, &epsilon);
    file.text("tokenizer.chat_template", TEMPLATE);
    tokenizer(&mut file);
    tensors(&mut file);
    file
}

/// The same with this chat template.
pub(crate) fn with_template(source: &str) -> Writer {
    writer().with_text("tokenizer.chat_template", source)
}

/// Writes a file into a folder.
pub(crate) fn saved(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(format!("{name}.gguf"));
    std::fs::write(&path, bytes).unwrap();
    path
}

/// A value of an array of this type of items.
pub(crate) fn array(kind: u32, items: &[[u8; 4]]) -> Vec<u8> {
    let mut bytes = kind.to_le_bytes().to_vec();
    bytes.extend((items.len() as u64).to_le_bytes());
    bytes.extend(items.concat());
    bytes
}

fn tokenizer(file: &mut Writer) {
    let mut tokens = vec!["<unk>".to_owned(), "<s>".to_owned(), "</s>".to_owned()];
    tokens.extend((0..=255_u8).map(|it| format!("<0x{it:02X}>")));
    let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
    let n_tokens = tokens.len();
    assert_eq!(n_tokens as u64, N_VOCABULARY);
    // Unknown, control, control, and bytes.
    let mut kinds = vec![2_i32, 3, 3];
    kinds.resize(n_tokens, 6);
    let kinds: Vec<_> = kinds.iter().map(|it| it.to_le_bytes()).collect();
    file.text("tokenizer.ggml.model", "llama");
    file.texts("tokenizer.ggml.tokens", &tokens);
    let scores = vec![0.0_f32.to_le_bytes(); n_tokens];
    file.pair("tokenizer.ggml.scores", ARRAY, &array(ITEM_F32, &scores));
    file.pair("tokenizer.ggml.token_type", ARRAY, &array(ITEM_I32, &kinds));
    file.u32("tokenizer.ggml.bos_token_id", 1);
    file.u32("tokenizer.ggml.eos_token_id", 2);
    file.u32("tokenizer.ggml.unknown_token_id", 0);
}

fn tensors(file: &mut Writer) {
    let mut add = |name: &str, dims: &[u64]| {
        let n_bytes = dims.iter().product::<u64>() as usize * 4;
        file.tensor(name, dims, (F32, n_bytes));
    };
    add("token_embd.weight", &[N_EMBEDDING, N_VOCABULARY]);
    add("output_norm.weight", &[N_EMBEDDING]);
    add("blk.0.attn_norm.weight", &[N_EMBEDDING]);
    for part in ["q", "k", "v", "output"] {
        let name = format!("blk.0.attn_{part}.weight");
        add(&name, &[N_EMBEDDING, N_EMBEDDING]);
    }
    add("blk.0.ffn_norm.weight", &[N_EMBEDDING]);
    add("blk.0.ffn_gate.weight", &[N_EMBEDDING, N_FEED_FORWARD]);
    add("blk.0.ffn_up.weight", &[N_EMBEDDING, N_FEED_FORWARD]);
    add("blk.0.ffn_down.weight", &[N_FEED_FORWARD, N_EMBEDDING]);
}
