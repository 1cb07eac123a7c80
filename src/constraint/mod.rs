//! What a reply is allowed to be: none, a grammar or a schema, and the mask that holds it to that.

mod choice;
mod mask;
mod vocabulary;

pub use choice::{Constraint, ConstraintError, WhiteSpace};
pub use mask::TokenMask;
pub use vocabulary::Vocabulary;
