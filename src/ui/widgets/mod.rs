//! The window's own widgets: each draws one thing, by its name, and says what the user did to it.

mod banner;
mod button;
mod code_editor;
mod disclosure;
mod field;
mod knob_row;
mod lamp;
mod large_text;
mod line_edit;
mod marked_editor;
mod marked_scene;
mod picker;
mod pill;
mod rows;
mod segmented;
mod switch;
mod text;

pub(crate) use banner::{banner, banner_with};
pub(crate) use button::{icon_button, primary_button, quiet_button};
pub(crate) use code_editor::{CodeEditor, Edited, Language};
pub(crate) use disclosure::disclosure;
pub(crate) use field::Field;
pub(crate) use knob_row::{KnobRow, Look, OriginForm, RowOrigin, head_with, knob_row};
pub(crate) use lamp::{Lamp, Light, lamp};
pub(crate) use large_text::{LargeRows, large_text};
pub(crate) use line_edit::line_edit;
pub(crate) use marked_editor::{MarkStyle, MarkedEditor, TextMark};
pub(crate) use picker::{Entry, picker};
pub(crate) use pill::{pill, pill_with_icon, toned_pill};
pub(crate) use rows::Rows;
pub(crate) use segmented::Segmented;
pub(crate) use switch::switch;
pub(crate) use text::{caption, card, elided, heading, icon, note, sentence, weak};
