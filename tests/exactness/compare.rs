//! The child's side: walks texts under both matchers and compares every bit of every mask.

use std::mem::ManuallyDrop;
use std::path::Path;

use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;
use llama_cpp_2::sampling::LlamaSampler;
use llama_cpp_2::token::LlamaToken;
use llama_cpp_2::token::data::LlamaTokenData;
use llama_cpp_2::token::data_array::LlamaTokenDataArray;
use serde::{Deserialize, Serialize};
use stepladder::constraint::{Constraint, Matcher, TokenMask, TokenTrie, Vocabulary, compile};
use stepladder::engine::llama::ModelTokens;

use crate::rows::{Known, Row, TOKEN, TOKEN_MARK};

/// What came of one grammar on one vocabulary.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Outcome {
    pub(crate) name: String,
    pub(crate) n_texts: usize,
    /// Texts that were walked to their end, all others up to the first token that is not legal.
    pub(crate) n_whole: usize,
    pub(crate) n_masks: usize,
    /// Control tokens whose name llama.cpp takes for text.
    pub(crate) n_control: usize,
    /// Tokens that llama.cpp lets through although no UTF-8 text has their bytes at this place.
    pub(crate) n_not_utf8: usize,
    /// Tokens with a zero byte, at which llama.cpp ends every text.
    pub(crate) n_zero: usize,
    /// Differences of the kind that the row names.
    pub(crate) n_known: usize,
    /// All other differences, the first few in words.
    pub(crate) n_faults: usize,
    pub(crate) faults: Vec<String>,
}

/// A model's vocabulary for both sides.
pub(crate) struct Sides {
    model: LlamaModel,
    tokens: ModelTokens,
    trie: TokenTrie,
}

impl Sides {
    pub(crate) fn open(path: &Path) -> Self {
        let tokens = ModelTokens::open(path).unwrap();
        // The library started llama.cpp already; this only stands for that.
        let backend = ManuallyDrop::new(LlamaBackend {});
        let params = LlamaModelParams::default().with_vocab_only(true);
        Self {
            model: LlamaModel::load_from_file(&backend, path, &params).unwrap(),
            trie: TokenTrie::new(tokens.vocabulary()).unwrap(),
            tokens,
        }
    }

    pub(crate) fn compare(&self, row: &Row, texts: &[String]) -> Outcome {
        let mut outcome = Outcome {
            name: row.name.clone(),
            ..Outcome::default()
        };
        let constraint = Constraint::Grammar {
            text: row.grammar.clone(),
        };
        let ours = compile(&constraint, &self.trie).unwrap().unwrap();
        for text in texts {
            let theirs = LlamaSampler::grammar(&self.model, &row.grammar, "root").unwrap();
            let walk = Walk {
                sides: self,
                known: row.known,
                ours: ours.clone(),
                theirs,
                pending: Vec::new(),
            };
            outcome.n_texts += 1;
            outcome.n_whole += usize::from(walk.along(text, &mut outcome));
        }
        outcome
    }

    fn tokenize(&self, text: &str) -> Vec<u32> {
        let mut res = Vec::new();
        for (part, n_before) in text.split(TOKEN_MARK).zip(0..) {
            if n_before > 0 {
                res.push(TOKEN);
            }
            res.extend(self.tokens.tokenize(part, false));
        }
        res
    }

    fn vocabulary(&self) -> &Vocabulary {
        self.tokens.vocabulary()
    }
}

struct Walk<'s> {
    sides: &'s Sides,
    known: Known,
    ours: Matcher,
    theirs: LlamaSampler,
    /// Bytes of the character that the tokens so far have begun.
    pending: Vec<u8>,
}

impl Walk<'_> {
    /// Whether the text was walked to its end.
    fn along(mut self, text: &str, outcome: &mut Outcome) -> bool {
        for token in self.sides.tokenize(text) {
            let (ours, theirs) = self.compare(text, outcome);
            if !(ours.allows(token) && theirs[token as usize]) {
                return false;
            }
            self.ours.accept(token).unwrap();
            self.theirs
                .try_accept(LlamaToken(token.cast_signed()))
                .unwrap();
            let piece = &self.sides.vocabulary().pieces[token as usize];
            self.pending = open_character(&[&self.pending, piece.as_slice()].concat());
        }
        self.compare(text, outcome);
        true
    }

    fn compare(&mut self, text: &str, outcome: &mut Outcome) -> (TokenMask, Vec<bool>) {
        let ours = self.ours.mask().unwrap();
        let theirs = legal(&mut self.theirs, self.sides.trie.n_tokens());
        outcome.n_masks += 1;
        for (token, theirs) in (0..).zip(&theirs) {
            if ours.allows(token) != *theirs {
                self.note((token, *theirs), text, outcome);
            }
        }
        (ours, theirs)
    }

    /// Sorts a difference into one of its kinds.
    fn note(&self, (token, theirs): (u32, bool), text: &str, outcome: &mut Outcome) {
        let piece = &self.sides.vocabulary().pieces[token as usize];
        let bytes = [&self.pending, piece.as_slice()].concat();
        let ends = self.sides.vocabulary().end_of_generation.contains(&token);
        let is_half = !open_character(&bytes).is_empty();
        // Either it begins within a character, or it is the beginning of one and no more.
        let is_part = piece.first().is_some_and(|it| *it >= 0x80)
            && std::str::from_utf8(piece).is_err_and(|it| it.valid_up_to() == 0);
        if ends {
        } else if piece.is_empty() && theirs {
            outcome.n_control += 1;
            return;
        } else if piece.contains(&0) && !theirs {
            outcome.n_zero += 1;
            return;
        } else if theirs && !is_text(&bytes) {
            outcome.n_not_utf8 += 1;
            return;
        } else if match self.known {
            Known::Exact => false,
            Known::HalvesRefused => !theirs && is_half,
            Known::PartsRefused => !theirs && is_part,
        } {
            outcome.n_known += 1;
            return;
        }
        outcome.n_faults += 1;
        if outcome.faults.len() < 5 {
            let shown = String::from_utf8_lossy(&bytes).into_owned();
            outcome.faults.push(format!(
                "token {token} {shown:?} in {text:?}: llama.cpp says {theirs}"
            ));
        }
    }
}

fn legal(sampler: &mut LlamaSampler, n_tokens: usize) -> Vec<bool> {
    let data =
        (0..n_tokens as u32).map(|it| LlamaTokenData::new(LlamaToken(it.cast_signed()), 0.0, 0.0));
    let mut array = LlamaTokenDataArray::from_iter(data, false);
    sampler.apply(&mut array);
    let mut res = vec![false; n_tokens];
    for it in array.data {
        res[it.id().0.cast_unsigned() as usize] = it.logit().is_finite();
    }
    res
}

/// The bytes at the end that begin a character.
fn open_character(bytes: &[u8]) -> Vec<u8> {
    match std::str::from_utf8(bytes) {
        Err(it) if it.error_len().is_none() => bytes[it.valid_up_to()..].to_vec(),
        _ => Vec::new(),
    }
}

/// Whether the bytes are text, or become text when more follow.
fn is_text(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).map_or_else(|it| it.error_len().is_none(), |_| true)
}
