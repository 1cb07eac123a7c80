//! A model's vocabulary and its tokenizer, without its weights: all that a constraint needs to be tried.

use std::path::Path;

use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;

use crate::constraint::Vocabulary;
use crate::sampling::TokenId;

use super::context::capture_log;
use super::library::backend;
use super::model_file::{check_file, describe};
use super::vocabulary::{ModelVocabulary, tokenize_as};

/// The tokens of a model file. Loading takes a tenth of what the model would, and no memory to speak of.
pub struct ModelTokens {
    model: LlamaModel,
    vocabulary: ModelVocabulary,
}

impl ModelTokens {
    /// # Errors
    /// A sentence that names the file and what is wrong with it.
    pub fn open(path: &Path) -> Result<Self, String> {
        let (header, _) = check_file(path)?;
        let backend = backend()?;
        let params = LlamaModelParams::default()
            .with_vocab_only(true)
            .with_n_gpu_layers(0);
        let (model, log) = capture_log(|| LlamaModel::load_from_file(backend, path, &params));
        let model = model.map_err(|it| {
            let reason = if log.is_empty() {
                it.to_string()
            } else {
                log.join("; ")
            };
            describe(path, &reason)
        })?;
        let vocabulary = ModelVocabulary::new(&model, header.chat_template);
        Ok(Self { model, vocabulary })
    }

    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary.tokens
    }

    /// What is shown for a token: its text with � for parts of characters, or a control token's name.
    pub fn shown(&self, token: TokenId) -> String {
        self.vocabulary.shown(token)
    }

    /// Turns text into tokens as the model's own tokenizer does; control tokens where their names stand only if
    /// `reads_names`.
    pub fn tokenize(&self, text: &str, reads_names: bool) -> Vec<TokenId> {
        tokenize_as(&self.model, text, reads_names)
    }
}
