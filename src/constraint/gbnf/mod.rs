//! GBNF, llama.cpp's notation for grammars: read, checked, and walked byte by byte.

mod ast;
mod chars;
mod checks;
mod cursor;
mod limits;
mod network;
mod parser;
mod plan;
mod recognizer;
mod store;
mod utf8;

#[cfg(test)]
mod tests;

pub(crate) use plan::Plan;
pub(crate) use recognizer::{DEAD, Recognizer, StateId};
