//! How big a grammar may be, so that each one is answered at once and none can exhaust memory or stack.

/// Bytes of grammar text.
pub(crate) const MAX_TEXT: usize = 1_000_000;
/// Characters of a rule's name.
pub(crate) const MAX_NAME: usize = 200;
/// Brackets inside brackets.
pub(crate) const MAX_NESTING: usize = 128;
/// Quantifiers on one item, such as the two of `"a"{2}*`.
pub(crate) const MAX_QUANTIFIERS: usize = 3;
/// The highest count in `{m,n}`; as in llama.cpp, a higher second count is none.
pub(crate) const MAX_REPETITIONS: u32 = 2_000;
/// Copies that repetitions inside repetitions may come to.
pub(crate) const MAX_COPIES: u64 = 10_000;
/// Alternatives in the whole grammar.
pub(crate) const MAX_ALTERNATIVES: usize = 20_000;
/// Nodes of the network that the grammar is unfolded into.
pub(crate) const MAX_NODES: usize = 1_000_000;
/// Warnings that are noted of one grammar.
pub(crate) const MAX_WARNINGS: usize = 100;
