//! Reads files from outside whole, but never more of them than a bound says.

use std::fs::{self, File};
use std::io::{self, BufRead, Read as _};
use std::path::Path;

/// Largest schema, grammar, plan or preset: larger ones were not written by hand.
pub const MAX_DOCUMENT: u64 = 16 << 20;
/// Largest reply that climbs.
pub const MAX_REPLY: u64 = 64 << 20;
/// Largest recording.
pub const MAX_RECORDING: u64 = 1 << 30;
/// Longest line of a record: a trial has the whole prompt in it, and a reply of a few thousand tokens.
pub(super) const MAX_LINE: u64 = 64 << 20;

/// The bytes of a regular file with at most `most` of them.
///
/// # Errors
/// It cannot be read, is no regular file, or has more.
pub fn read_bytes(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    // A pipe would wait for somebody to write into it, and a device may never end.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    at_most(File::open(path)?, most)
}

/// The text of a file that was named on the command line: it may be a pipe too.
///
/// # Errors
/// It cannot be read, is no UTF-8, or has more than `most` bytes.
pub fn read_given(path: &Path, most: u64) -> io::Result<String> {
    text(at_most(File::open(path)?, most)?)
}

/// All bytes of a reader that has at most `most` of them.
///
/// # Errors
/// It fails, or has more.
pub fn at_most(reader: impl io::Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let said = match most >> 20 {
            0 => format!("{most} bytes"),
            mb => format!("{mb} MB"),
        };
        return Err(io::Error::other(format!("it has more than {said}")));
    }
    Ok(bytes)
}

/// The text of such a file.
///
/// # Errors
/// Also if it is not UTF-8.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    text(read_bytes(path, most)?)
}

fn text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|it| {
        let at = it.utf8_error().valid_up_to();
        io::Error::other(format!("it is no UTF-8 text: see byte {at}"))
    })
}

/// A line of a record.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    Whole(Vec<u8>),
    /// It is longer than lines may be; the rest of it was passed over.
    TooLong,
}

/// The next line without its end; none behind the last.
pub fn next_line(reader: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let n = reader
        .by_ref()
        .take(MAX_LINE)
        .read_until(b'\n', &mut line)? as u64;
    if n == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if n == MAX_LINE {
        reader.skip_until(b'\n')?;
        return Ok(Some(Line::TooLong));
    }
    Ok(Some(Line::Whole(line)))
}
