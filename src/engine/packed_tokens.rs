//! Tokens as bytes on their way from the engine: their traces are most of what it tells.
//!
//! A message of tokens begins with [`PACKED_VERSION`], which no JSON text begins with. Behind it come the run's id, the
//! number of tokens, and each token: its id, its flags (1 it was given, 2 its text is what its bytes say), its bytes,
//! unless flag 2 its text, its trace, and the number of names, each with its token and its text. Numbers, texts and
//! traces are those of [`crate::sampling::Packer`].

use super::{RunId, TokenEvent};
use crate::sampling::{PACKED_VERSION, PackError, Packer, Unpacker};

const IS_GIVEN: u8 = 1;
const IS_ITS_BYTES: u8 = 2;

/// Some tokens of one run.
pub(super) fn pack(id: RunId, tokens: &[TokenEvent]) -> Vec<u8> {
    let mut packer = Packer::default();
    packer.byte(PACKED_VERSION);
    packer.number(id.0);
    packer.number(tokens.len() as u64);
    for it in tokens {
        pack_token(it, &mut packer);
    }
    packer.into_bytes()
}

/// Reads what [`pack`] wrote.
pub(super) fn unpack(bytes: &[u8]) -> Result<(RunId, Vec<TokenEvent>), PackError> {
    let mut unpacker = Unpacker::new(bytes);
    if unpacker.byte()? != PACKED_VERSION {
        return Err(PackError {
            at: 0,
            expected: "the version of packed tokens that this Stepladder knows",
        });
    }
    let id = RunId(unpacker.number()?);
    let n_tokens = unpacker.count()?;
    let tokens: Result<_, _> = (0..n_tokens).map(|_| unpack_token(&mut unpacker)).collect();
    let tokens = tokens?;
    if unpacker.is_at_end() {
        Ok((id, tokens))
    } else {
        Err(unpacker.error("the end"))
    }
}

fn pack_token(it: &TokenEvent, packer: &mut Packer) {
    let is_its_bytes = it.text.as_bytes() == it.bytes;
    packer.number(it.token.into());
    packer.byte(u8::from(it.given) * IS_GIVEN + u8::from(is_its_bytes) * IS_ITS_BYTES);
    packer.run(&it.bytes);
    if !is_its_bytes {
        packer.run(it.text.as_bytes());
    }
    packer.trace(&it.trace);
    packer.number(it.names.len() as u64);
    for (token, name) in &it.names {
        packer.number((*token).into());
        packer.run(name.as_bytes());
    }
}

fn unpack_token(unpacker: &mut Unpacker<'_>) -> Result<TokenEvent, PackError> {
    let token = unpacker.short()?;
    let flags = unpacker.byte()?;
    let bytes = unpacker.run()?.to_vec();
    let text = if flags & IS_ITS_BYTES == 0 {
        unpacker.text()?
    } else {
        let text = String::from_utf8(bytes.clone());
        text.map_err(|_bytes| unpacker.error("bytes that are a text"))?
    };
    let trace = unpacker.trace()?;
    let n_names = unpacker.count()?;
    let names: Result<_, PackError> = (0..n_names)
        .map(|_| Ok((unpacker.short()?, unpacker.text()?)))
        .collect();
    Ok(TokenEvent {
        token,
        bytes,
        text,
        trace,
        given: flags & IS_GIVEN != 0,
        names: names?,
    })
}
