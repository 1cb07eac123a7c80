//! A mask's bits, applied to logits or listed as tokens.

/// Sets the logits of all tokens that are not legal to minus infinity.
pub(super) fn blot_out(logits: &mut [f32], words: &[u32]) {
    let words = words.iter().copied().chain(std::iter::repeat(0));
    for (block, word) in logits.chunks_mut(32).zip(words) {
        match word {
            u32::MAX => {}
            0 => block.fill(f32::NEG_INFINITY),
            _ => {
                for (bit, logit) in block.iter_mut().enumerate() {
                    if word >> bit & 1 == 0 {
                        *logit = f32::NEG_INFINITY;
                    }
                }
            }
        }
    }
}

/// Fills `tokens` with the ids of the set bits, ascending.
pub(super) fn legal_tokens(words: &[u32], tokens: &mut Vec<u32>) {
    for (start, &word) in (0..).step_by(32).zip(words) {
        let mut rest = word;
        while rest != 0 {
            tokens.push(start + rest.trailing_zeros());
            rest &= rest - 1;
        }
    }
}

/// Whether a token's bit is set.
pub(super) fn is_set(words: &[u32], token: u32) -> bool {
    let word = words.get(token as usize / 32).copied().unwrap_or(0);
    word >> (token % 32) & 1 == 1
}
