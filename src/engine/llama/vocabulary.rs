//! A model's tokens as bytes, as names and as special texts, read from llama.cpp once a load.

use std::sync::Arc;

use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::token::LlamaToken;
use llama_cpp_2::token_type::LlamaTokenAttr;
use llama_cpp_2::vocab::LlamaVocab;

use crate::constraint::Vocabulary;
use crate::prompt::Guard;
use crate::sampling::{Lexicon, TokenId};

/// All that prompts and replies need of the vocabulary.
pub(super) struct ModelVocabulary {
    /// Shared with the thread that builds the constraint's trie.
    pub(super) tokens: Arc<Vocabulary>,
    /// Knows the texts that the tokenizer turns into one control token, such as `<|im_end|>`.
    pub(super) guard: Guard,
    pub(super) bos: Option<SpecialToken>,
    pub(super) eos: Option<SpecialToken>,
    /// Whether the tokenizer wants the begin token in front of each prompt.
    pub(super) adds_bos: bool,
    pub(super) chat_template: Option<String>,
}

/// A token with the text that stands for it in templates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SpecialToken {
    pub(super) id: TokenId,
    pub(super) text: String,
}

impl ModelVocabulary {
    pub(super) fn new(model: &LlamaModel, chat_template: Option<String>) -> Self {
        let vocab = model.vocab();
        let mut tokens = Vocabulary::default();
        let mut special_texts = Vec::new();
        for token in vocab.tokens() {
            let id = token.0.cast_unsigned();
            let ends = vocab.is_eog(token);
            let is_control = vocab.is_control(token);
            // A token that ends a reply is no text either, whatever its type in the file is.
            let is_text = !is_control && !ends;
            let piece = vocab.token_to_piece(token, false, None);
            let name = special_name(&vocab, token);
            tokens.pieces.push(if is_text { piece } else { Vec::new() });
            let shown = if is_text { "" } else { name.as_str() };
            tokens.names.push(shown.to_owned());
            if ends {
                tokens.end_of_generation.push(id);
            }
            // Tokens that a user defined are left out: they stand for text, such as a run of line breaks.
            if !is_text || vocab.attr(token).contains(LlamaTokenAttr::Unknown) {
                special_texts.push(name);
            }
        }
        Self {
            bos: special_token(&vocab, vocab.bos()),
            eos: special_token(&vocab, vocab.eos()),
            adds_bos: vocab.should_add_bos(),
            tokens: Arc::new(tokens),
            guard: Guard::new(&special_texts),
            chat_template,
        }
    }

    /// What knobs that name tokens are read by.
    pub(super) fn lexicon(&self) -> Lexicon<'_> {
        Lexicon {
            pieces: &self.tokens.pieces,
            ends: &self.tokens.end_of_generation,
        }
    }

    pub(super) fn n_tokens(&self) -> u32 {
        self.tokens.pieces.len() as u32
    }

    pub(super) fn ends_reply(&self, token: TokenId) -> bool {
        self.tokens.end_of_generation.contains(&token)
    }

    /// The token's bytes; none for a control token.
    pub(super) fn piece(&self, token: TokenId) -> &[u8] {
        self.tokens
            .pieces
            .get(token as usize)
            .map_or(&[], Vec::as_slice)
    }

    /// The bytes that the token stands for in a prompt: a control token's name, or its piece.
    pub(super) fn written(&self, token: TokenId) -> &[u8] {
        match self.tokens.names.get(token as usize) {
            Some(name) if !name.is_empty() => name.as_bytes(),
            _ => self.piece(token),
        }
    }

    /// What is shown for a token: its text with � for parts of characters, or a control token's name.
    pub(super) fn shown(&self, token: TokenId) -> String {
        match self.tokens.names.get(token as usize) {
            Some(name) if !name.is_empty() => name.clone(),
            _ => String::from_utf8_lossy(self.piece(token)).into_owned(),
        }
    }
}

/// Turns text into tokens, control tokens where their texts stand, without a begin or end token.
pub(super) fn tokenize(model: &LlamaModel, text: &str) -> Vec<TokenId> {
    tokenize_as(model, text, true)
}

/// The same; control tokens stand where their texts do only if `reads_names`.
pub(super) fn tokenize_as(model: &LlamaModel, text: &str, reads_names: bool) -> Vec<TokenId> {
    if text.is_empty() {
        return Vec::new();
    }
    let tokens = model.vocab().tokenize(text.as_bytes(), false, reads_names);
    tokens.into_iter().map(|it| it.0.cast_unsigned()).collect()
}

fn special_token(vocab: &LlamaVocab<'_>, token: LlamaToken) -> Option<SpecialToken> {
    if token.0 < 0 || token.0 >= vocab.n_tokens() {
        return None;
    }
    Some(SpecialToken {
        id: token.0.cast_unsigned(),
        text: special_name(vocab, token),
    })
}

fn special_name(vocab: &LlamaVocab<'_>, token: LlamaToken) -> String {
    String::from_utf8_lossy(&vocab.token_to_piece(token, true, None)).into_owned()
}
