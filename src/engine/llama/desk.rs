//! What is needed of a model beside its context: its tokens, and the room that a sequence has.

use llama_cpp_2::model::LlamaModel;

use super::vocabulary::ModelVocabulary;

/// Borrowed for the time of a reply, while its context computes.
#[derive(Clone, Copy)]
pub(super) struct Desk<'a> {
    pub(super) model: &'a LlamaModel,
    pub(super) vocabulary: &'a ModelVocabulary,
    /// Tokens of one sequence, prompt and reply together.
    pub(super) n_ctx: u32,
}
