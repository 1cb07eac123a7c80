//! Logits as a model gives them.

use std::mem::ManuallyDrop;
use std::num::NonZeroU32;
use std::path::Path;

use llama_cpp_2::context::params::LlamaContextParams;
use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::llama_batch::LlamaBatch;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;
use llama_cpp_2::token::LlamaToken;

use stepladder::engine::llama::ModelTokens;

/// What a model says behind each token of a text.
pub(crate) fn real_logits(path: &Path, text: &str) -> Vec<Vec<f32>> {
    // Starts llama.cpp; the backend below only stands for that.
    let tokens = ModelTokens::open(path).unwrap().tokenize(text, true);
    let backend = ManuallyDrop::new(LlamaBackend {});
    let model = LlamaModel::load_from_file(&backend, path, &LlamaModelParams::default()).unwrap();
    let params = LlamaContextParams::default().with_n_ctx(NonZeroU32::new(512));
    let mut context = model.new_context(&backend, params).unwrap();
    let mut batch = LlamaBatch::new(512, 1);
    for (at, token) in (0..).zip(&tokens) {
        batch
            .add(LlamaToken(token.cast_signed()), at, &[0], true)
            .unwrap();
    }
    context.decode(&mut batch).unwrap();
    let places = 0..i32::try_from(tokens.len()).unwrap();
    places
        .map(|it| context.get_logits_ith(it).to_vec())
        .collect()
}
