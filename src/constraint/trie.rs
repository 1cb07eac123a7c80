//! A model's vocabulary as a trie over bytes, made once a model and shared by all its replies.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use llguidance::ParserFactory;
use toktrie::{TokEnv, TokRxInfo, TokTrie, TokenizerEnv};

use super::Vocabulary;
use super::byte_trie::ByteTrie;
use super::slice::Slice;
use crate::sampling::TokenId;

/// Longest token in bytes that a trie can hold.
const MAX_TOKEN_BYTES: usize = 1_024;
/// Most bytes of all tokens together, a bound of the trie's own form.
const MAX_BYTES: usize = 4_000_000;
/// A byte that no text in UTF-8 has; the trie keeps it for itself.
const NOT_TEXT: u8 = 0xFF;

/// Every token that is text, by its bytes, and the tokens that end a reply. Cheap to clone.
///
/// Making it takes 0.3 s for 49,000 tokens and some seconds for 262,000.
#[derive(Clone)]
pub struct TokenTrie {
    factory: Arc<ParserFactory>,
    env: TokEnv,
    bytes: Arc<ByteTrie>,
    end_of_generation: Arc<[TokenId]>,
    special: Arc<SpecialTokens>,
    slices: Arc<Mutex<Slices>>,
}

/// Cut out when a grammar first counts characters of a class, by that class.
type Slices = HashMap<Box<[(u32, u32)]>, Arc<Slice>>;

/// Slices kept; each is as large as some masks and a part of the trie.
const MAX_SLICES: usize = 16;

/// Tokens that are no text, and all that a reply may hold.
#[derive(Default)]
struct SpecialTokens {
    /// What is shown for each control token; empty for all others. By id.
    names: Vec<String>,
    /// A bit for each token that is text or has a name, and does not end the reply.
    all: Vec<u32>,
    is_of_bytes: bool,
}

impl TokenTrie {
    /// # Errors
    /// A sentence: the vocabulary names no end of generation, or it is too large for a trie.
    pub fn new(vocabulary: &Vocabulary) -> Result<Self, String> {
        let words = words(vocabulary)?;
        let mut ends = vocabulary.end_of_generation.clone();
        ends.sort_unstable();
        ends.dedup();
        let Some(first_end) = ends.first() else {
            return Err("the vocabulary names no token that ends a reply".to_owned());
        };
        let info = TokRxInfo::new(words.len() as u32, *first_end);
        let trie = TokTrie::from(&info, &words).with_eos_tokens(&ends);
        let bytes = Arc::new(ByteTrie::new(&words));
        let env: TokEnv = Arc::new(Env { trie });
        let mut factory = ParserFactory::new_simple(&env)
            .map_err(|error| format!("the vocabulary cannot be used for constraints: {error}"))?;
        factory.quiet();
        Ok(Self {
            factory: Arc::new(factory),
            env,
            bytes,
            special: Arc::new(SpecialTokens::new(vocabulary, &words)),
            end_of_generation: ends.into(),
            slices: Arc::default(),
        })
    }

    /// A trie of single bytes, to try a constraint on a text without a model.
    ///
    /// # Errors
    /// As for [`Self::new`].
    pub fn of_bytes() -> Result<Self, String> {
        let mut pieces: Vec<Vec<u8>> = (0..=255).map(|it| vec![it]).collect();
        let end = pieces.len() as TokenId;
        pieces.push(Vec::new());
        let mut res = Self::new(&Vocabulary {
            names: vec![String::new(); pieces.len()],
            pieces,
            end_of_generation: vec![end],
        })?;
        res.special = Arc::new(SpecialTokens {
            is_of_bytes: true,
            ..SpecialTokens::default()
        });
        Ok(res)
    }

    /// How many token ids there are.
    pub fn n_tokens(&self) -> usize {
        self.tokens().vocab_size()
    }

    /// Tokens that end a reply.
    pub fn end_of_generation(&self) -> &[TokenId] {
        &self.end_of_generation
    }

    /// Splits a text by the longest token at each place, which is not how the model would.
    ///
    /// `None` when the vocabulary lacks a byte of it.
    pub fn tokenize(&self, text: &[u8]) -> Option<Vec<TokenId>> {
        let tokens = self.tokens().greedy_tokenize(text);
        let bytes: usize = tokens.iter().map(|it| self.piece(*it).len()).sum();
        (bytes == text.len()).then_some(tokens)
    }

    /// The bytes of a token; empty when it is not text.
    pub fn piece(&self, token: TokenId) -> &[u8] {
        self.tokens().token(token)
    }

    /// What stands for a token in a text: its bytes, or a control token's name.
    pub fn shown(&self, token: TokenId) -> &[u8] {
        let piece = self.piece(token);
        if !piece.is_empty() {
            return piece;
        }
        let name = self.special.names.get(token as usize);
        name.map_or(&[], String::as_bytes)
    }

    /// The one token that is shown as this, control tokens first.
    pub(super) fn token_named(&self, name: &str) -> Option<TokenId> {
        let by_name = self.special.names.iter().position(|it| it == name);
        let by_name = by_name.map(|it| it as TokenId);
        by_name.or_else(|| {
            let (token, n_bytes) = self.tokens().prefix_token_id(name.as_bytes());
            (n_bytes == name.len()).then_some(token)
        })
    }

    /// Whether it is a token that may stand in a reply, be it text or not.
    pub(super) fn is_token(&self, token: TokenId) -> bool {
        let word = self.special.all.get(token as usize / 32);
        word.is_some_and(|it| it >> (token % 32) & 1 == 1)
    }

    /// A bit for each token that [`Self::is_token`] holds of.
    pub(super) fn all_tokens(&self) -> &[u32] {
        &self.special.all
    }

    /// Whether it belongs to no model; see [`Self::of_bytes`].
    pub(super) fn is_of_bytes(&self) -> bool {
        self.special.is_of_bytes
    }

    /// The longest token that the text begins with.
    pub(super) fn longest_token(&self, text: &[u8]) -> Option<TokenId> {
        let (token, n_bytes) = self.tokens().prefix_token_id(text);
        (n_bytes > 0).then_some(token)
    }

    pub(super) fn bytes(&self) -> &ByteTrie {
        &self.bytes
    }

    /// The tokens that are made of a class of characters, and all others.
    pub(super) fn slice(&self, class: &[(u32, u32)]) -> Arc<Slice> {
        let mut slices = self.slices.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = slices.get(class) {
            return Arc::clone(known);
        }
        let new = Arc::new(Slice::new(&self.bytes, class));
        if slices.len() >= MAX_SLICES {
            slices.clear();
        }
        slices.insert(class.into(), Arc::clone(&new));
        new
    }

    pub(super) fn factory(&self) -> &ParserFactory {
        &self.factory
    }

    fn tokens(&self) -> &TokTrie {
        self.env.tok_trie()
    }
}

impl SpecialTokens {
    fn new(vocabulary: &Vocabulary, words: &[Vec<u8>]) -> Self {
        let mut all = vec![0; words.len().div_ceil(32)];
        for (token, word) in words.iter().enumerate() {
            let name = vocabulary.names.get(token);
            let is_token = !word.is_empty() || name.is_some_and(|it| !it.is_empty());
            let ends = vocabulary.end_of_generation.contains(&(token as TokenId));
            if let Some(it) = all.get_mut(token / 32).filter(|_| is_token && !ends) {
                *it |= 1 << (token % 32);
            }
        }
        Self {
            names: vocabulary.names.clone(),
            all,
            is_of_bytes: false,
        }
    }
}

impl std::fmt::Debug for TokenTrie {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("TokenTrie")
            .field("n_tokens", &self.n_tokens())
            .finish_non_exhaustive()
    }
}

/// The trie as llguidance wants it.
struct Env {
    trie: TokTrie,
}

impl TokenizerEnv for Env {
    fn tok_trie(&self) -> &TokTrie {
        &self.trie
    }

    fn tokenize_bytes(&self, text: &[u8]) -> Vec<TokenId> {
        self.trie.greedy_tokenize(text)
    }

    /// Greedy is not the model's own way, so no token may be forced because of it.
    fn tokenize_is_canonical(&self) -> bool {
        false
    }
}

/// The bytes of each token that a text may be made of; all others are left empty.
fn words(vocabulary: &Vocabulary) -> Result<Vec<Vec<u8>>, String> {
    let mut words = vocabulary.pieces.clone();
    for word in &mut words {
        if word.len() > MAX_TOKEN_BYTES || word.contains(&NOT_TEXT) {
            word.clear();
        }
    }
    let n_words = words.len();
    for token in &vocabulary.end_of_generation {
        words
            .get_mut(*token as usize)
            .ok_or_else(|| {
                format!("the end-of-generation token {token} is not among the {n_words} tokens")
            })?
            .clear();
    }
    let n_bytes: usize = words.iter().map(Vec::len).sum();
    if n_bytes > MAX_BYTES {
        return Err(format!(
            "the vocabulary has {n_bytes} bytes of text, at most {MAX_BYTES} can be used"
        ));
    }
    Ok(words)
}
