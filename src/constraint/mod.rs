//! What a reply is allowed to be: none, a grammar or a schema, and the mask that holds it to that.

mod byte_trie;
mod characters;
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
mod slice;
mod trial;
mod trie;
mod trie_cut;
mod vocabulary;
mod walk;

#[cfg(test)]
mod tests;

pub use characters::Characters;
pub use choice::{Constraint, ConstraintError, WhiteSpace};
pub use gbnf::{
    Completion, GrammarSpan, GrammarSpanKind, RulePlaces, complete_rule, generate_example,
    grammar_rules, grammar_spans, rename_rule,
};
pub use mask::TokenMask;
pub use matcher::{Matcher, check, compile};
pub use report::{Badge, Enforcement, KeywordReport, badge, report};
pub use shipped::grammars;
pub use trial::{Following, TextTrial, try_text};
pub use trie::TokenTrie;
pub use vocabulary::Vocabulary;
pub use walk::{Legs, Walk, WalkStep, walk};
