//! Where each token of a prompt stands in its text.

use crate::sampling::TokenId;

/// Where each token ends in the text, in bytes; empty where its pieces do not join to the text.
///
/// The begin token may stand in front without being part of the text, and the tokenizer may have put a space
/// before a word that has none.
pub(super) fn ends<'a>(
    text: &str,
    tokens: &[TokenId],
    piece: impl Fn(TokenId) -> &'a [u8],
) -> Vec<u32> {
    let text = text.as_bytes();
    let mut at = 0;
    let mut res = Vec::with_capacity(tokens.len());
    for (idx, &token) in tokens.iter().enumerate() {
        let piece = piece(token);
        let rest = &text[at..];
        let without_space = piece.strip_prefix(b" ").unwrap_or(piece);
        if rest.starts_with(piece) {
            at += piece.len();
        } else if rest.starts_with(without_space) {
            at += without_space.len();
        } else if idx > 0 {
            return Vec::new();
        }
        res.push(at as u32);
    }
    if at == text.len() { res } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::ends;

    const PIECES: [&[u8]; 6] = [b"<s>", b"Buy", b" two", b" Buy", b"\xe4\xb9", b"\xb0"];

    #[track_caller]
    fn check(text: &str, tokens: &[u32], expected: &[u32]) {
        let found = ends(text, tokens, |it| PIECES[it as usize]);
        assert_eq!(found, expected);
    }

    #[test]
    fn tokens_that_join_to_the_text_end_in_it() {
        check("Buy two", &[1, 2], &[3, 7]);
    }

    #[test]
    fn a_begin_token_may_stand_outside_of_the_text() {
        check("Buy two", &[0, 1, 2], &[0, 3, 7]);
    }

    #[test]
    fn a_begin_token_in_the_text_counts() {
        check("<s>Buy", &[0, 1], &[3, 6]);
    }

    #[test]
    fn a_space_that_the_tokenizer_put_in_front_is_not_in_the_text() {
        check("Buy two", &[3, 2], &[3, 7]);
    }

    #[test]
    fn a_character_may_be_cut_by_tokens() {
        check("买", &[4, 5], &[2, 3]);
    }

    #[test]
    fn pieces_of_another_text_have_no_place() {
        check("Sell two", &[1, 2], &[]);
    }

    #[test]
    fn pieces_that_do_not_reach_the_end_have_no_place() {
        check("Buy two", &[1], &[]);
    }
}
