//! Where the tokens stand already that made a ban or a penalty act.

use std::ops::Range;

use crate::app::Reply;
use crate::sampling::{Knob, Scope, Stage, TokenId};

/// Some tokens that came before, all in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::ui::play) struct Occurrence {
    pub(in crate::ui::play) place: Place,
    /// Indexes of its tokens within the place.
    pub(in crate::ui::play) tokens: Range<usize>,
    pub(in crate::ui::play) text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ui::play) enum Place {
    Prompt,
    Reply,
}

/// The last place before token `index` of the reply that made the stage act on `token`.
pub(super) fn find(
    reply: &Reply,
    index: usize,
    (stage, token): (Stage, TokenId),
) -> Option<Occurrence> {
    let knobs = &reply.assembly.job.request.knobs;
    let (n, scope) = match stage {
        Stage::NoRepeatNgram => (knobs.count(Knob::NoRepeatNgramSize), knobs.ngram_scope),
        Stage::RepetitionPenalty | Stage::PresenceFrequency => (1, knobs.penalty_scope),
        _ => return None,
    };
    let n_prompt = reply.assembly.view.tokens.len();
    let seen = seen(reply, index);
    let from = match scope {
        Scope::PromptAndReply => 0,
        Scope::Reply => n_prompt,
    };
    let start = last_of(&seen[from..], n, token)? + from;
    Some(occurrence(reply, start..start + n))
}

/// Prompt and reply up to a token.
fn seen(reply: &Reply, index: usize) -> Vec<TokenId> {
    let written = reply.assembly.tokens.iter().take(index);
    let prompt = reply.assembly.view.tokens.iter().copied();
    prompt.chain(written.map(|it| it.token)).collect()
}

/// Where the last run of `n` tokens begins that the end of `seen` and `token` would repeat.
fn last_of(seen: &[TokenId], n: usize, token: TokenId) -> Option<usize> {
    let n_before = n.checked_sub(1)?;
    let tail = &seen[seen.len().checked_sub(n_before)?..];
    seen.windows(n)
        .rposition(|it| it[..n_before] == *tail && it[n_before] == token)
}

/// A run over the border of prompt and reply counts as the prompt's.
fn occurrence(reply: &Reply, tokens: Range<usize>) -> Occurrence {
    let n_prompt = reply.assembly.view.tokens.len();
    if tokens.start >= n_prompt {
        let tokens = tokens.start - n_prompt..tokens.end - n_prompt;
        let text = reply.assembly.tokens[tokens.clone()].iter();
        return Occurrence {
            place: Place::Reply,
            text: text.map(|it| it.text.as_str()).collect(),
            tokens,
        };
    }
    let tokens = tokens.start..tokens.end.min(n_prompt);
    let bytes = prompt_bytes(&reply.assembly.view.ends, &tokens);
    let text = bytes.and_then(|it| reply.assembly.view.rendered.get(it));
    Occurrence {
        place: Place::Prompt,
        text: text.unwrap_or_default().to_owned(),
        tokens,
    }
}

/// Where tokens of the prompt stand in its text; none where that is not known.
pub(in crate::ui::play) fn prompt_bytes(
    ends: &[u32],
    tokens: &Range<usize>,
) -> Option<Range<usize>> {
    let start = match tokens.start.checked_sub(1) {
        Some(before) => *ends.get(before)? as usize,
        None => 0,
    };
    let end = *ends.get(tokens.end.checked_sub(1)?)? as usize;
    Some(start..end)
}

#[cfg(test)]
mod tests {
    use super::{last_of, prompt_bytes};

    #[track_caller]
    fn check(seen: &[u32], n: usize, expected: Option<usize>) {
        assert_eq!(last_of(seen, n, 9), expected);
    }

    #[test]
    fn a_run_is_found_where_it_stood_before() {
        check(&[1, 2, 9, 4, 1, 2], 3, Some(0));
    }

    #[test]
    fn of_several_the_last_is_found() {
        check(&[1, 2, 9, 1, 2, 9, 4, 1, 2], 3, Some(3));
    }

    #[test]
    fn a_single_token_needs_no_run() {
        check(&[9, 2, 9, 4], 1, Some(2));
    }

    #[test]
    fn a_run_that_never_stood_is_not_found() {
        check(&[1, 9, 2, 1, 2], 3, None);
    }

    #[test]
    fn too_few_tokens_hold_no_run() {
        check(&[2], 3, None);
    }

    #[test]
    fn a_token_begins_where_the_one_before_it_ends() {
        assert_eq!(prompt_bytes(&[0, 3, 7], &(1..3)), Some(0..7));
        assert_eq!(prompt_bytes(&[0, 3, 7], &(2..3)), Some(3..7));
        assert_eq!(prompt_bytes(&[], &(2..3)), None);
    }
}
