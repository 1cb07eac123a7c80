//! From where on a reply is held to its constraint, token by token.

use crate::constraint::{Matcher, Start, TokenMask, Trigger};
use crate::prompt::{Mind, ThinkingTags, is_open};
use crate::sampling::TokenId;

use super::vocabulary::ModelVocabulary;

/// How far a reply is from the beginning of its constraint.
pub(super) enum Opening {
    Begun,
    /// The model may begin with its thoughts or with the answer. Holds what was written of the tag.
    Undecided {
        tags: ThinkingTags,
        typed: Vec<u8>,
    },
    /// Behind this text; white space behind it is passed over where thoughts end.
    Waiting {
        trigger: Trigger,
        is_thinking: bool,
    },
}

/// What a token means for the beginning.
pub(super) enum Step {
    /// It belongs to what comes before.
    Before,
    /// The constraint begins with or behind it; these bytes of the answer are there already.
    Begins(Vec<u8>),
}

impl Opening {
    /// What a prompt leaves open. `rendered` is without the prefill.
    pub(super) fn new(
        start: &Start,
        (mind, tags): (Mind, Option<ThinkingTags>),
        rendered: &str,
    ) -> Self {
        match (start, tags) {
            (Start::After(text), _) => Self::Waiting {
                trigger: Trigger::new(text),
                is_thinking: false,
            },
            (Start::AfterThinking, Some(tags)) if mind != Mind::Answers => {
                if is_open(rendered, tags) {
                    Self::thinking(tags)
                } else {
                    Self::Undecided {
                        tags,
                        typed: Vec::new(),
                    }
                }
            }
            (Start::Now | Start::AfterThinking, _) => Self::Begun,
        }
    }

    pub(super) fn has_begun(&self) -> bool {
        matches!(self, Self::Begun)
    }

    /// The tokens that may come; none where all may. `prefill` must begin the answer.
    pub(super) fn mask(
        &self,
        matcher: &mut Matcher,
        (vocabulary, prefill): (&ModelVocabulary, &str),
    ) -> Result<Option<TokenMask>, String> {
        let Self::Undecided { tags, typed } = self else {
            return Ok(None);
        };
        let answer = if typed.is_empty() {
            Some(matcher.mask().map_err(|it| it.to_string())?)
        } else {
            None
        };
        let n_tokens = vocabulary.n_tokens();
        let mut words = vec![0_u32; (n_tokens as usize).div_ceil(32)];
        for token in 0..n_tokens {
            let written = vocabulary.written(token);
            let opens = !vocabulary.ends_reply(token)
                && is_on_the_way(tags.open.as_bytes(), typed, written);
            let answers = answer.as_ref().is_some_and(|it| it.allows(token))
                && agrees(prefill.as_bytes(), written);
            if opens || answers {
                words[token as usize / 32] |= 1 << (token % 32);
            }
        }
        Ok(Some(TokenMask::from_words(words)))
    }

    /// The tokens that do not complete the trigger, and those behind whose trigger the answer begins as it may.
    pub(super) fn mask_before(
        &self,
        vocabulary: &ModelVocabulary,
        fits: impl Fn(&[u8]) -> bool,
    ) -> TokenMask {
        let n_tokens = vocabulary.n_tokens();
        let mut words = vec![0_u32; (n_tokens as usize).div_ceil(32)];
        let first_bytes: Vec<bool> = (0..=255_u8).map(|it| fits(&[it])).collect();
        let begins = |it: &u8| first_bytes.get(usize::from(*it)) == Some(&true);
        for token in 0..n_tokens {
            let written = vocabulary.written(token);
            let may_come = self.behind(written).is_none_or(|rest| {
                rest.first().is_none_or(begins) && (rest.is_empty() || fits(rest))
            });
            if may_come {
                words[token as usize / 32] |= 1 << (token % 32);
            }
        }
        TokenMask::from_words(words)
    }

    /// What stands behind the trigger once this token is written.
    fn behind<'w>(&self, written: &'w [u8]) -> Option<&'w [u8]> {
        let Self::Waiting {
            trigger,
            is_thinking,
        } = self
        else {
            return None;
        };
        let rest = trigger.behind(written)?;
        Some(if *is_thinking {
            rest.trim_ascii_start()
        } else {
            rest
        })
    }

    /// What a token would mean; changes nothing.
    pub(super) fn look(&self, token: TokenId, written: &[u8], matcher: &Matcher) -> Step {
        match self {
            Self::Begun => Step::Begins(Vec::new()),
            Self::Undecided { typed, .. } => {
                let answers = typed.is_empty() && matcher.clone().accept(token).is_ok();
                if answers {
                    Step::Begins(written.to_vec())
                } else {
                    Step::Before
                }
            }
            Self::Waiting { .. } => match self.behind(written) {
                Some(rest) => Step::Begins(rest.to_vec()),
                None => Step::Before,
            },
        }
    }

    /// Takes a token that comes before the beginning.
    pub(super) fn push(&mut self, written: &[u8]) {
        match self {
            Self::Begun => {}
            Self::Undecided { tags, typed } => {
                typed.extend_from_slice(written);
                let tags = *tags;
                if let Some(rest) = typed.strip_prefix(tags.open.as_bytes()) {
                    let rest = rest.to_vec();
                    *self = Self::thinking(tags);
                    self.push(&rest);
                }
            }
            Self::Waiting { trigger, .. } => trigger.push(written),
        }
    }

    fn thinking(tags: ThinkingTags) -> Self {
        Self::Waiting {
            trigger: Trigger::new(tags.close),
            is_thinking: true,
        }
    }
}

/// What the prefill adds to an answer that has begun with these bytes; none where they do not fit together.
pub(super) fn completed<'p>(begun: &[u8], prefill: &'p str) -> Option<&'p [u8]> {
    let prefill = prefill.as_bytes();
    if begun.starts_with(prefill) {
        return Some(&[]);
    }
    prefill.strip_prefix(begun)
}

/// Whether a token goes on with the tag, or completes it.
fn is_on_the_way(tag: &[u8], typed: &[u8], written: &[u8]) -> bool {
    let Some(rest) = tag.get(typed.len()..) else {
        return false;
    };
    !written.is_empty() && (rest.starts_with(written) || written.starts_with(rest))
}

fn agrees(prefill: &[u8], written: &[u8]) -> bool {
    prefill.starts_with(written) || written.starts_with(prefill)
}
