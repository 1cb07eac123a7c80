//! Ends a reply that has fallen into a loop: by its text, with the place in the JSON, and by its tokens.

use crate::judge::LoopWatch;
use crate::sampling::TokenId;

use super::loop_guard::LoopGuard;

/// Both watches over one reply; none where they are switched off.
pub(super) enum Loops {
    Off,
    On {
        text: LoopWatch,
        tokens: LoopGuard,
        /// Bytes of a character that is not complete.
        partial: Vec<u8>,
    },
}

impl Loops {
    pub(super) fn new(is_on: bool, prefill: &str) -> Self {
        if !is_on {
            return Self::Off;
        }
        Self::On {
            text: LoopWatch::behind(prefill),
            tokens: LoopGuard::default(),
            partial: Vec::new(),
        }
    }

    /// The constraint begins: what came before it was free text.
    pub(super) fn restart(&mut self) {
        *self = Self::new(matches!(self, Self::On { .. }), "");
    }

    /// Takes a token in and says what loops, once something does.
    pub(super) fn push(&mut self, token: TokenId, piece: &[u8]) -> Option<String> {
        let Self::On {
            text,
            tokens,
            partial,
        } = self
        else {
            return None;
        };
        partial.extend_from_slice(piece);
        let whole = whole(partial);
        let found = text.push(&whole).map(|it| it.message);
        let by_tokens = tokens.push(token, piece);
        found.or_else(|| {
            let place = text
                .place()
                .map(|it| format!(" at {it}"))
                .unwrap_or_default();
            by_tokens.map(|it| format!("{it}{place}"))
        })
    }
}

/// Takes out what is whole characters; what can never become one is taken as it is shown.
fn whole(partial: &mut Vec<u8>) -> String {
    let n_whole = match std::str::from_utf8(partial) {
        Ok(it) => it.len(),
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        Err(_) => partial.len(),
    };
    let rest = partial.split_off(n_whole);
    let text = String::from_utf8_lossy(partial).into_owned();
    *partial = rest;
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(pieces: &[&str], is_on: bool) -> Option<String> {
        let mut loops = Loops::new(is_on, "");
        let mut numbered = (0..).zip(pieces.iter().cycle().take(600));
        numbered.find_map(|(id, it)| loops.push(id % pieces.len() as u32, it.as_bytes()))
    }

    #[test]
    fn a_loop_is_named_by_its_text_first() {
        let said = first(&["0"], true).unwrap();
        assert_eq!(said, "loop in a number: 48 digits in a row");
    }

    #[test]
    fn a_switched_off_guard_says_nothing() {
        assert_eq!(first(&["0"], false), None);
        assert_eq!(first(&["\n"], false), None);
    }

    #[test]
    fn a_character_in_parts_is_put_together() {
        let mut partial = b"a\xF0\x9F".to_vec();
        assert_eq!(whole(&mut partial), "a");
        partial.extend_from_slice(b"\x98\x80");
        assert_eq!(whole(&mut partial), "😀");
    }
}
