//! Turns a range of characters into the ranges of bytes that UTF-8 writes them with.

/// One range for each byte of a character, both ends included.
pub(super) type ByteRanges = Vec<(u8, u8)>;

/// The last code point that is written with one, two and three bytes.
const LAST_OF_LENGTH: [u32; 3] = [0x7F, 0x7FF, 0xFFFF];
/// Code points that are no characters.
const SURROGATES: (u32, u32) = (0xD800, 0xDFFF);

/// Appends the byte ranges that together match exactly the characters from `low` to `high`.
pub(super) fn push_byte_ranges(acc: &mut Vec<ByteRanges>, low: u32, high: u32) {
    let mut todo = vec![(low, high)];
    while let Some((low, high)) = todo.pop() {
        if low > high {
            continue;
        }
        if let Some(middle) = split_point(low, high) {
            todo.push((middle + 1, high));
            todo.push((low, middle));
        } else if let (Some(first), Some(last)) = (char::from_u32(low), char::from_u32(high)) {
            let first = first.to_string().into_bytes();
            let last = last.to_string().into_bytes();
            acc.push(first.into_iter().zip(last).collect());
        }
    }
}

/// Where a range must be cut so that each of its bytes varies independently of the others.
fn split_point(low: u32, high: u32) -> Option<u32> {
    let (first, last) = SURROGATES;
    for border in LAST_OF_LENGTH.into_iter().chain([first - 1, last]) {
        if low <= border && border < high {
            return Some(border);
        }
    }
    if high <= LAST_OF_LENGTH[0] {
        return None;
    }
    for n_bits in [6, 12, 18] {
        let tail = (1 << n_bits) - 1;
        if low & !tail == high & !tail {
            return None;
        }
        if low & tail != 0 {
            return Some(low | tail);
        }
        if high & tail != tail {
            return Some((high & !tail) - 1);
        }
    }
    None
}
