//! The reply as a stream of tokens, each of which can tell why it came.

mod card;
mod paragraphs;
#[cfg(test)]
mod tests;
mod view;

pub(crate) use card::visible;
pub use view::{ColourMode, TokenView};
