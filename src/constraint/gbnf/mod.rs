//! GBNF, llama.cpp's notation for grammars: read, checked, and walked byte by byte.

mod ast;
mod chars;
mod checks;
mod cursor;
mod example;
mod limits;
mod network;
mod next;
mod parser;
mod plan;
mod quantifiers;
mod recognizer;
mod runs;
mod shortest;
mod spans;
mod store;
mod tokens;
mod utf8;

#[cfg(test)]
mod tests;

pub use example::generate_example;
pub use spans::{
    Completion, GrammarSpan, GrammarSpanKind, RulePlaces, complete_rule, grammar_rules,
    grammar_spans, rename_rule,
};

pub(crate) use plan::Plan;
pub(crate) use recognizer::{DEAD, Recognizer, StateId};
pub(crate) use shortest::Shortest;
pub(crate) use tokens::KnownToken;
