//! The ladder: a reply climbs from "as is" over fences and cutting to repair, until a rung holds.
//!
//! [`climb()`] takes any text and never fails or panics. It is linear in the length of the reply.
//!
//! 1. **As is**: `serde_json`, once more without a byte order mark.
//! 2. **Fences**: a closed, line-anchored block of Markdown that holds one value.
//! 3. **Cut**: thinking blocks and tool call tags are split off; every bracket from the left is tried
//!    strictly. A value inside a broken value is a part and never the answer.
//! 4. **Repair**: a tolerant parser without recursion reads what strict parsing refused; every edit is
//!    logged with its place.
//!
//! # What is built and when
//! Strict parsing first only recognizes (`recognize`), and what it refuses is put into `serde_json`'s words when
//! [`Climb::attempts`] is called. What is read becomes a flat document (`document`): nodes in a row, strings as
//! stretches of the reply, a copy only where escapes change them. The log keeps small edits. Values are made by
//! [`Climb::value`] and [`Climb::candidates`], edits with lines, columns and texts by [`Climb::repairs`], each at
//! the first call and once. Nothing is made that nobody asks for.
//!
//! # Which of several values
//! What fits the hint, then the block labelled JSON, then what does not stand inside a sentence, then what
//! needs no repair, then what is not cut off, then the first. All are listed as candidates.
//!
//! # Policies where repair libraries disagree
//! - Numbers: `arbitrary_precision` of `serde_json` is not used, because it changes how numbers compare
//!   and serialise. A number whose digits i64, u64 and f64 do not keep is flagged `big_number` with its
//!   digits in the notes; one beyond f64 (`1e400`) refuses the whole reply.
//! - Leading zeros, thousands separators, hexadecimal digits, fractions, dates: kept as text.
//! - Digits that only look like ASCII ones: kept as text, flagged `lookalike_digit`.
//! - `+1`, `.5`, `5.`, `2e`: the number that is meant.
//! - NaN and infinities: null, flagged `nonfinite`; `undefined`, `None`, `nil`: null.
//! - Duplicate keys: the last wins, as in `serde_json`; the lost value is noted.
//! - Bad escapes keep their backslash, because dropping it changes paths and patterns; `\'` loses it.
//! - Half of a surrogate pair: U+FFFD, flagged; half an escape at the end: dropped.
//! - Raw control characters in strings are content, white space at the end of a string too.
//! - A quote inside a string closes it only where structure follows; otherwise it is content, flagged
//!   `ambiguous_quotes`. A string that would swallow what looks like further strings or pairs: refused.
//! - A backslash at the end of a line joins the lines, as in JSON5.
//! - Two strings side by side as one value (`"a": "x" "y"`): refused. Joined by a plus sign: one string.
//! - A closing quote that is missing before the next key is put there.
//! - A wrong closing bracket: whichever reading lets the rest fit; a missing bracket if both do.
//! - A key without a value: null before a comma or brace, dropped at the end of the text.
//! - A key that is cut off is dropped; a literal that is cut is completed if only one can be meant; a number
//!   at the end is kept and flagged `number_maybe_cut`.
//! - Ellipses are dropped and flagged `elided`, also those in comments.
//! - A bare value is text, flagged `unquoted_value`; names and calls of a program, types of an echoed
//!   schema and placeholders in angle brackets are refused.
//! - `ObjectId("…")` and other calls with one literal argument: the argument. `(1, 2)`: an array; `("x")`: "x".
//! - `{"a": 1}, {"b": 2}`: the first object, never a merged one, never an array around them.
//! - Thinking that never ends: no answer is in it. A closing tag alone: all before it was thought.
//! - Nesting deeper than 128: refused, flagged `depth`.
//! - A byte order mark counts as rung 1 with its flag; other characters of no width around a value are cut off at
//!   rung 3 without one, and inside strings they are content.
//! - A key or value that is cut off goes with its comma, in one edit that also closes what is open.
//! - A reply of a gigabyte and more is not read.
//! - A string that holds JSON stays a string, flagged `double_encoded`.

mod bare;
mod brackets;
mod choose;
mod climb;
mod content;
mod cut;
mod document;
mod escapes;
mod fences;
mod findings;
mod hint;
mod joined;
mod keys;
mod labels;
mod log;
mod numbers;
mod openers;
mod place;
mod prose;
mod quotes;
mod reading;
mod recognize;
mod repair;
mod rungs;
mod scan;
mod states;
mod stream;
mod stream_text;
mod stream_view;
mod strict;
mod strings;
mod tags;
mod trail;
mod tree;
mod trim;
mod unescape;
mod values;
mod whole;
mod words;

#[cfg(any(test, fuzzing))]
pub mod properties;
#[cfg(test)]
mod tests;

pub use climb::{Attempt, Climb, Flag, Repair, RepairKind, Rung, SyntaxError};
pub use findings::Findings;
pub use hint::{Hint, RootType, RootTypes};
pub use rungs::climb;
pub use stream::{Stream, StreamState};
pub use stream_view::{Branch, Pending, Step};
