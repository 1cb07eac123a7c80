//! The reply as a stream of tokens, each of which can tell why it came.

mod blame;
mod card;
mod legend;
mod measures;
mod paragraphs;
mod signs;
#[cfg(test)]
mod tests;
mod track;
mod view;

pub(crate) use blame::{Blame, Change, blame, same_blame};
pub(crate) use card::{grouped, name, percent, stage_name, visible};
pub(crate) use legend::{legend_ui, legend_width};
pub use view::{ColourMode, TokenView};
