//! What a reply is allowed to be: none, a grammar or a schema, and the mask that holds it to that.

mod byte_trie;
mod choice;
mod gbnf;
mod grammar_walk;
mod keywords;
mod mask;
mod matcher;
mod report;
mod schema;
mod schema_bounds;
mod shipped;
mod trie;
mod vocabulary;

#[cfg(test)]
mod tests;

pub use choice::{Constraint, ConstraintError, WhiteSpace};
pub use mask::TokenMask;
pub use matcher::{Matcher, check, compile};
pub use report::{Badge, Enforcement, KeywordReport, badge, report};
pub use shipped::grammars;
pub use trie::TokenTrie;
pub use vocabulary::Vocabulary;
