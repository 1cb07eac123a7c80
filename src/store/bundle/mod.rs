//! Everything of the user's in one file, to keep or to bring to another computer.
//!
//! A bundle is JSON Lines: a head, then a row for each document and for each line of a record, then an end that
//! counts the rows and holds the SHA-256 of all that stands before it. It has no compression and no paths of its own:
//! a name that is not in the table of `parts` is left out, and a file that was cut or changed is refused whole.

mod commit;
mod export;
mod import;
mod names;
mod parts;
mod stage;
#[cfg(test)]
mod tests;

pub use export::{Exported, export};
pub use import::{Differing, Imported, import};

use serde::{Deserialize, Serialize};

/// The version of the format.
const VERSION: u32 = 1;
/// What the head calls the file.
const TITLE: &str = "everything of Stepladder";
/// Longest row, and longest document or record that is taken in; escapes can double it on its way.
const MAX_ROW: u64 = 128 << 20;
const MAX_TEXT: u64 = 64 << 20;
/// Largest bundle.
const MAX_BYTES: u64 = 8 << 30;
/// Most rows, and most documents among them.
const MAX_ROWS: u64 = 20_000_000;
const MAX_DOCUMENTS: usize = 20_000;

/// One line of a bundle; which fields it has tells what it is.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Row {
    #[serde(skip_serializing_if = "Option::is_none")]
    bundle: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    v: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    app: Option<String>,
    /// Where it belongs in the data folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// A whole document.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// One line of a record.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<String>,
    /// The end: how many rows stand before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
}

fn hex(bytes: &[u8]) -> String {
    let digit = |it: u8| char::from_digit(u32::from(it), 16).unwrap_or('0');
    let digits = bytes.iter().flat_map(|it| [digit(it >> 4), digit(it & 15)]);
    digits.collect()
}

fn counted(n: u64, what: &str) -> String {
    let ending = if n == 1 { "" } else { "s" };
    format!("{n} {what}{ending}")
}
