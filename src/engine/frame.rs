//! Messages over a pipe: a greeting that names the version, then length-checked frames of JSON, or of packed tokens.

use std::io::{self, Read, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Event;
use super::packed_tokens::{pack, unpack};
use crate::sampling::{PACKED_VERSION, PackError};

/// The version of `Command` and `Event` as they cross. Raised with every change to them.
pub const PROTOCOL: u32 = 6;

/// The longest message that is read or written, in bytes.
pub(super) const MAX_FRAME: u32 = 64 << 20;

/// The most tokens that are packed together; an engine tells far fewer at once.
const MOST_PACKED: usize = 1024;

/// The first bytes of either direction; the last one is the version of the framing.
const MAGIC: [u8; 4] = *b"STL1";

/// The first message of either direction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    pub protocol: u32,
    pub app: String,
}

/// Why a message could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    #[error("the pipe between window and engine failed: {0}")]
    Pipe(#[from] io::Error),
    #[error("the pipe ended within {what}: {n_got} of {n_expected} bytes came")]
    Cut {
        what: &'static str,
        n_got: usize,
        n_expected: usize,
    },
    #[error("expected the greeting {:?}, got {:?}", show(MAGIC.as_slice()), show(.0))]
    NotGreeting(Vec<u8>),
    #[error(
        "expected {}, got {}; start Stepladder again",
        name(expected),
        name(got)
    )]
    Version { expected: Hello, got: Hello },
    #[error("expected a message of 1 to {MAX_FRAME} bytes, got a length of {0}")]
    Length(u64),
    #[error("expected {what} as JSON: {source}")]
    Json {
        what: &'static str,
        source: serde_json::Error,
    },
    #[error(transparent)]
    Packed(#[from] PackError),
    #[error("more than {0} commands wait for the engine")]
    TooManyCommands(usize),
}

impl FrameError {
    /// Whether what came was wrong; a pipe that just ended or broke is explained by how its process ended.
    pub(super) fn is_protocol(&self) -> bool {
        match self {
            Self::Pipe(_) | Self::Cut { .. } => false,
            // A stream that is cut within the greeting's mark.
            Self::NotGreeting(got) => !MAGIC.starts_with(got),
            _ => true,
        }
    }
}

impl Hello {
    /// What this very binary speaks.
    pub(super) fn ours() -> Self {
        Self {
            protocol: PROTOCOL,
            app: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

/// Says who we are; comes before the first frame.
pub(super) fn write_greeting(output: &mut impl Write, hello: &Hello) -> Result<(), FrameError> {
    output.write_all(&MAGIC)?;
    write_frame(output, "the greeting", hello)
}

/// Reads the other side's greeting, and refuses any version but our own: both are the same binary, unless it was replaced.
pub(super) fn read_greeting(input: &mut impl Read) -> Result<(), FrameError> {
    let mut magic = Vec::new();
    input.take(MAGIC.len() as u64).read_to_end(&mut magic)?;
    if magic != MAGIC {
        return Err(FrameError::NotGreeting(magic));
    }
    let what = "the greeting";
    let got: Hello = read_frame(input, what)?.ok_or(FrameError::Cut {
        what,
        n_got: 0,
        n_expected: 4,
    })?;
    let expected = Hello::ours();
    if got == expected {
        Ok(())
    } else {
        Err(FrameError::Version { expected, got })
    }
}

/// Writes an event, or none as a sign of life. Tokens are packed.
pub(super) fn write_event(
    output: &mut impl Write,
    event: Option<&Event>,
) -> Result<(), FrameError> {
    match event {
        Some(Event::Tokens { id, tokens }) if tokens.len() <= MOST_PACKED => {
            write_body(output, &pack(*id, tokens))
        }
        other => write_frame(output, "an event", &other),
    }
}

/// What came from an engine.
#[derive(Debug, PartialEq)]
pub(super) enum Heard {
    Event(Event),
    /// Only that it lives.
    Alive,
}

/// Reads what [`write_event`] wrote; none when the pipe ended before its first byte.
pub(super) fn read_event(input: &mut impl Read) -> Result<Option<Heard>, FrameError> {
    let what = "an event";
    match read_body(input, what)? {
        Some(body) if body.first() == Some(&PACKED_VERSION) => {
            let (id, tokens) = unpack(&body)?;
            Ok(Some(Heard::Event(Event::Tokens { id, tokens })))
        }
        Some(body) => {
            let event: Option<Event> = parse(&body, what)?;
            Ok(Some(event.map_or(Heard::Alive, Heard::Event)))
        }
        None => Ok(None),
    }
}

/// Writes one message at once and flushes it. `what` names it in errors.
pub(super) fn write_frame(
    output: &mut impl Write,
    what: &'static str,
    message: &impl Serialize,
) -> Result<(), FrameError> {
    let body = serde_json::to_vec(message).map_err(|source| FrameError::Json { what, source })?;
    write_body(output, &body)
}

fn write_body(output: &mut impl Write, body: &[u8]) -> Result<(), FrameError> {
    let length = match u32::try_from(body.len()) {
        Ok(length) if length <= MAX_FRAME => length,
        _ => return Err(FrameError::Length(body.len() as u64)),
    };
    // In one piece, so that a reader is not woken twice.
    output.write_all(&[&length.to_le_bytes(), body].concat())?;
    Ok(output.flush()?)
}

/// Reads one message; none when the pipe ended before its first byte. `what` names it in errors.
pub(super) fn read_frame<T: DeserializeOwned>(
    input: &mut impl Read,
    what: &'static str,
) -> Result<Option<T>, FrameError> {
    let body = read_body(input, what)?;
    body.map(|it| parse(&it, what)).transpose()
}

fn parse<T: DeserializeOwned>(body: &[u8], what: &'static str) -> Result<T, FrameError> {
    serde_json::from_slice(body).map_err(|source| FrameError::Json { what, source })
}

fn read_body(input: &mut impl Read, what: &'static str) -> Result<Option<Vec<u8>>, FrameError> {
    let head = read_up_to(input, 4)?;
    if head.is_empty() {
        return Ok(None);
    }
    let Ok(head) = <[u8; 4]>::try_from(head.as_slice()) else {
        let n_got = head.len();
        let what = "a message's length";
        return Err(FrameError::Cut {
            what,
            n_got,
            n_expected: 4,
        });
    };
    let length = u32::from_le_bytes(head);
    if length == 0 || length > MAX_FRAME {
        return Err(FrameError::Length(u64::from(length)));
    }
    // The length is only a claim, so memory grows with the bytes that come.
    let body = read_up_to(input, length)?;
    if body.len() < length as usize {
        return Err(FrameError::Cut {
            what,
            n_got: body.len(),
            n_expected: length as usize,
        });
    }
    Ok(Some(body))
}

fn read_up_to(input: &mut impl Read, n_bytes: u32) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(u64::from(n_bytes)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn show(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

fn name(hello: &Hello) -> String {
    format!("protocol {} of Stepladder {}", hello.protocol, hello.app)
}
