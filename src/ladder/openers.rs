//! Finds where a tag may begin, at little cost where there is none, as in most replies.

/// So many bytes are looked at without a branch.
const AT_ONCE: usize = 32;

/// Whether anything may be a tag by its first two bytes; most replies hold nothing of the kind.
pub(super) fn may_hold_tag(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    while let Some(seconds) = rest.get(1..).and_then(<[u8]>::first_chunk::<AT_ONCE>) {
        let (firsts, behind) = rest.split_at(AT_ONCE);
        if may_begin_tag(firsts, seconds) {
            return true;
        }
        rest = behind;
    }
    // What is left is looked at with what stands before it, as many bytes as ever.
    let start = bytes.len().saturating_sub(AT_ONCE + 1);
    let last = &bytes[start..];
    match last.get(1..).and_then(<[u8]>::first_chunk::<AT_ONCE>) {
        Some(seconds) => may_begin_tag(last, seconds),
        None => may_begin_tag(last, last.get(1..).unwrap_or_default()),
    }
}

/// Whether a tag may begin at one of the first bytes by the one behind it. Goes over all of them without a branch,
/// which takes many at once.
#[inline]
fn may_begin_tag(firsts: &[u8], seconds: &[u8]) -> bool {
    firsts
        .iter()
        .zip(seconds)
        .fold(0, |found, (first, second)| {
            let of_capitals = u8::from(second.wrapping_sub(b'A') < 26);
            let of_marks = u8::from(*second == b'/') | u8::from(*second == b'|');
            let square = u8::from(*first == b'[') & (of_capitals | of_marks);
            // The second byte of the triangle.
            let triangle = u8::from(*first == 0xE2) & u8::from(*second == 0x97);
            found | u8::from(*first == b'<') | square | triangle
        })
        != 0
}

/// Whether the second character of what may be a tag is one that tags have; most brackets fall here.
pub(super) fn may_be_tag(bytes: &[u8]) -> bool {
    let second = bytes.get(1).copied().unwrap_or(b' ');
    match bytes[0] {
        b'[' => second.is_ascii_uppercase() || matches!(second, b'/' | b'|'),
        b'<' => second.is_ascii_alphabetic() || matches!(second, b'/' | b'|' | 0xEF),
        _ => bytes
            .strip_prefix("◁".as_bytes())
            .and_then(<[u8]>::first)
            .is_some_and(|it| it.is_ascii_alphabetic() || *it == b'/'),
    }
}

/// The next places of the characters that may begin a tag, each looked for only when it was passed.
pub(super) struct Openers {
    places: [usize; 3],
}

impl Openers {
    const CHARS: [char; 3] = ['<', '[', '◁'];

    pub(super) fn new(reply: &str) -> Self {
        let place = |c: char| reply.find(c).unwrap_or(usize::MAX);
        Self {
            places: Self::CHARS.map(place),
        }
    }

    /// The first one at or behind a place, which must not go back.
    pub(super) fn next(&mut self, reply: &str, at: usize) -> Option<usize> {
        for (place, c) in self.places.iter_mut().zip(Self::CHARS) {
            if *place < at {
                *place = reply[at..].find(c).map_or(usize::MAX, |n| at + n);
            }
        }
        let next = self.places.into_iter().min()?;
        (next < reply.len()).then_some(next)
    }
}
