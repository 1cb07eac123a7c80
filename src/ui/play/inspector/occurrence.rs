//! Where the tokens stand already that made a ban or a penalty act.

use std::ops::Range;

use crate::app::Reply;
use crate::engine::TokenEvent;
use crate::sampling::Stage;

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

/// The earlier text that made the stage act on the wanted token, as the trace tells it.
pub(super) fn find(reply: &Reply, event: &TokenEvent, stage: Stage) -> Option<Occurrence> {
    let trace = &event.trace;
    let mut touches = trace.touches_of(trace.wanted);
    let span = touches.find(|it| it.stage == stage)?.earlier?;
    Some(occurrence(reply, span.start as usize..span.end as usize))
}

/// A run over the border of prompt and reply counts as the prompt's.
fn occurrence(reply: &Reply, tokens: Range<usize>) -> Occurrence {
    let n_prompt = reply.assembly.view.tokens.len();
    if tokens.start >= n_prompt {
        let tokens = tokens.start - n_prompt..tokens.end - n_prompt;
        let text = reply
            .assembly
            .tokens
            .get(tokens.clone())
            .unwrap_or(&[])
            .iter();
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
    use super::prompt_bytes;

    #[test]
    fn a_token_begins_where_the_one_before_it_ends() {
        assert_eq!(prompt_bytes(&[0, 3, 7], &(1..3)), Some(0..7));
        assert_eq!(prompt_bytes(&[0, 3, 7], &(2..3)), Some(3..7));
        assert_eq!(prompt_bytes(&[], &(2..3)), None);
    }
}
