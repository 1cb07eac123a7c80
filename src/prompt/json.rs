//! JSON as a prompt shows it: a space after `:` and `,`, keys in their order.

use std::io;

use serde::Serialize as _;
use serde_json::Value;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};

/// One line: `{"items": [{"name": "rice", "qty": 2}]}`, as Python's `json.dumps` writes it.
pub fn spaced(value: &Value) -> String {
    write(value, Spaced)
}

/// Several lines, indented by this many spaces a level.
pub fn indented(value: &Value, n_spaces: usize) -> String {
    let indent = vec![b' '; n_spaces];
    write(value, PrettyFormatter::with_indent(&indent))
}

fn write<F: Formatter>(value: &Value, formatter: F) -> String {
    let mut bytes = Vec::new();
    let written = value.serialize(&mut Serializer::with_formatter(&mut bytes, formatter));
    debug_assert!(written.is_ok(), "a value is always JSON");
    String::from_utf8(bytes).unwrap_or_default()
}

struct Spaced;

impl Formatter for Spaced {
    fn begin_array_value<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        separate(writer, first)
    }

    fn begin_object_key<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        separate(writer, first)
    }

    fn begin_object_value<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}

fn separate<W: io::Write + ?Sized>(writer: &mut W, first: bool) -> io::Result<()> {
    if first {
        Ok(())
    } else {
        writer.write_all(b", ")
    }
}
