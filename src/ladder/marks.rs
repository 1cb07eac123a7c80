//! Marks of keys: numbers that differ for most keys that differ, so that few keys are compared in full.

/// The length and some bytes of a key.
#[inline]
pub(super) fn mark(bytes: &[u8]) -> u64 {
    let n_bytes = bytes.len();
    let ends = match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) => {
            u64::from_le_bytes(*first) ^ u64::from_le_bytes(*last).rotate_left(23)
        }
        _ => short_mark(bytes),
    };
    ends ^ (n_bytes as u64) << 56
}

/// The bytes of a key that has fewer than eight, without a loop.
#[inline]
fn short_mark(bytes: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        return u64::from(u32::from_le_bytes(*first))
            ^ u64::from(u32::from_le_bytes(*last)).rotate_left(24);
    }
    match bytes {
        [] => 0,
        [one] => u64::from(*one),
        [one, rest @ ..] => {
            let last = rest[rest.len() - 1];
            u64::from(*one) | u64::from(rest[0]) << 8 | u64::from(last) << 16
        }
    }
}
