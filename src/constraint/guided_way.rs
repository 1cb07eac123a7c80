//! A way to the end of a reply under a constraint whose inside is not known: found by trying bytes.

use super::guided::GuidedWalk;
use super::trial::byte_trie;

/// Bytes that a way may have.
const MAX_WAY: usize = 2_000;
/// Bytes that most closings are made of, the shortest ways first.
const PREFERRED: &[u8] = b"}]\"0123456789ntfe,:[{";

/// A walk over single bytes beside a reply, to try ways to its end.
#[derive(Clone)]
pub(super) struct ByteWalk {
    walk: GuidedWalk,
    strings: Strings,
}

/// Whether a place lies in a string of JSON: there a quote ends what a bracket would only lengthen.
#[derive(Clone, Copy, Debug, Default)]
struct Strings {
    is_inside: bool,
    is_escaped: bool,
}

impl Strings {
    fn take(&mut self, byte: u8) {
        match byte {
            _ if self.is_escaped => self.is_escaped = false,
            b'\\' => self.is_escaped = self.is_inside,
            b'"' => self.is_inside = !self.is_inside,
            _ => {}
        }
    }
}

impl ByteWalk {
    /// Behind these bytes of the reply.
    pub(super) fn behind(walk: &GuidedWalk, taken: &[u8]) -> Option<Self> {
        let walk = GuidedWalk::new(walk.recipe().clone(), byte_trie().ok()?.factory()).ok()?;
        let mut res = Self {
            walk,
            strings: Strings::default(),
        };
        res.take(taken).then_some(res)
    }

    /// Takes bytes; false where one is not allowed.
    pub(super) fn take(&mut self, bytes: &[u8]) -> bool {
        bytes.iter().all(|it| {
            self.strings.take(*it);
            self.walk.accept(u32::from(*it)).unwrap_or(false)
        })
    }

    /// Bytes that lead from behind `more` to an end, not many more than needed; none where no way is found in reason.
    ///
    /// Closing bytes are taken where they are allowed, and otherwise the byte that was taken least of late, so that
    /// a loop is left.
    pub(super) fn way_behind(&self, more: &[u8]) -> Option<Vec<u8>> {
        let mut here = self.clone();
        if !here.take(more) {
            return None;
        }
        let Self {
            mut walk,
            mut strings,
        } = here;
        let mut way = Vec::new();
        let mut n_taken = [0_u32; 256];
        while !walk.is_accepting() {
            if way.len() >= MAX_WAY {
                return None;
            }
            let words = walk.text_mask().ok()?;
            let allows = |byte: u8| {
                let word = words.get(usize::from(byte) / 32).copied().unwrap_or(0);
                word >> (byte % 32) & 1 == 1
            };
            let byte = (0..=255_u8)
                .filter(|it| allows(*it))
                .min_by_key(|it| rank(*it, strings.is_inside, &n_taken))?;
            if !walk.accept(u32::from(byte)).ok()? {
                return None;
            }
            if let Some(it) = n_taken.get_mut(usize::from(byte)) {
                *it += 1;
            }
            strings.take(byte);
            way.push(byte);
        }
        Some(way)
    }
}

/// What closes here, then others, white space last.
fn rank(byte: u8, in_string: bool, n_taken: &[u32; 256]) -> (u32, usize) {
    let closes = match byte {
        b'"' => in_string,
        b'}' | b']' => !in_string,
        _ => false,
    };
    if closes {
        return (0, 0);
    }
    let n = 1 + n_taken.get(usize::from(byte)).copied().unwrap_or(0);
    match PREFERRED.iter().position(|it| *it == byte) {
        Some(place) => (n, place),
        None if byte.is_ascii_whitespace() => (n + 1_000_000, 0),
        None => (n, PREFERRED.len() + usize::from(byte)),
    }
}
