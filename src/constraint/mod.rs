//! What a reply is allowed to be: none, a grammar or a schema, and the mask that holds it to that.

mod byte_trie;
mod characters;
mod choice;
mod closing;
mod envelope;
mod examine;
mod from_schema;
mod gbnf;
mod grammar_walk;
mod guided;
mod guided_way;
mod hold;
mod keywords;
mod mask;
mod matcher;
mod regex;
mod report;
mod schema;
mod schema_bounds;
mod shipped;
mod slice;
mod switches;
mod trial;
mod trie;
mod trie_cut;
mod vocabulary;
mod walk;
mod white_space;

#[cfg(test)]
mod tests;

pub use characters::Characters;
pub use choice::{Constraint, ConstraintError};
pub use envelope::{ReadSchema, read_schema};
pub use examine::{Examination, badge, examine};
pub use from_schema::{Gap, MadeGrammar, schema_to_gbnf};
pub use gbnf::{
    Completion, GrammarSpan, GrammarSpanKind, RulePlaces, complete_rule, generate_example,
    grammar_rules, grammar_spans, rename_rule,
};
pub use hold::{Held, Hold, Start, Trigger};
pub use mask::TokenMask;
pub use matcher::{Matcher, check, compile};
pub use report::{Badge, Enforcement, KeywordReport, report};
pub use shipped::grammars;
pub use switches::SchemaSwitches;
pub use trial::{Following, TextTrial, try_text};
pub use trie::TokenTrie;
pub use vocabulary::Vocabulary;
pub use walk::{Legs, Walk, WalkStep, walk};
pub use white_space::WhiteSpace;
