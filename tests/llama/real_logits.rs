//! Logits as a model gives them.

use std::mem::ManuallyDrop;
use std::num::NonZeroU32;
use std::path::Path;

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::context::params::LlamaContextParams;
use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::llama_batch::LlamaBatch;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;
use llama_cpp_2::token::LlamaToken;

use stepladder::engine::llama::ModelTokens;
use stepladder::sampling::TokenId;

/// What a model says behind each token of a text.
pub(crate) fn real_logits(path: &Path, text: &str) -> Vec<Vec<f32>> {
    let tokens = ModelTokens::open(path).unwrap().tokenize(text, true);
    let mut scored = Scored::open(path);
    scored.decode(&tokens, true);
    let places = 0..i32::try_from(tokens.len()).unwrap();
    places.map(|it| scored.logits(it)).collect()
}

/// A model and its context through llama-cpp-2 alone.
pub(crate) struct Scored {
    context: LlamaContext<'static>,
    n_past: i32,
}

impl Scored {
    pub(crate) fn open(path: &Path) -> Self {
        // Starts llama.cpp; the backend below only stands for that.
        ModelTokens::open(path).unwrap();
        let backend = ManuallyDrop::new(LlamaBackend {});
        let params = LlamaModelParams::default();
        let model = LlamaModel::load_from_file(&backend, path, &params).unwrap();
        let params = LlamaContextParams::default()
            .with_n_ctx(NonZeroU32::new(2_048))
            .with_n_threads(1)
            .with_n_threads_batch(1);
        Self {
            context: Box::leak(Box::new(model))
                .new_context(&backend, params)
                .unwrap(),
            n_past: 0,
        }
    }

    /// Evaluates tokens at once, behind all before.
    pub(crate) fn decode(&mut self, tokens: &[TokenId], asks_all: bool) {
        let mut batch = LlamaBatch::new(tokens.len(), 1);
        for (nth, token) in (0_usize..).zip(tokens) {
            let is_asked = asks_all || nth + 1 == tokens.len();
            batch
                .add(LlamaToken(token.cast_signed()), self.n_past, &[0], is_asked)
                .unwrap();
            self.n_past += 1;
        }
        self.context.decode(&mut batch).unwrap();
    }

    /// Behind the nth token of the last `decode`, -1 for its last.
    pub(crate) fn logits(&self, at: i32) -> Vec<f32> {
        self.context.get_logits_ith(at).to_vec()
    }
}
