//! A model's tokens as the bytes they stand for: all that a constraint needs to know of a model.

use crate::sampling::TokenId;

/// Every token's bytes, and which tokens are not text.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// The bytes of each token, by id; empty for control tokens.
    pub pieces: Vec<Vec<u8>>,
    /// What is shown for a control token, such as `<|im_end|>`; empty for all others. By id.
    pub names: Vec<String>,
    /// Tokens that end a reply.
    pub end_of_generation: Vec<TokenId>,
}
