//! The chain: from a token's logits, through the stages in their order, to the pick and its trace.

use super::candidates::Candidates;
use super::random::Random;
use super::stages::{self, Part, Place, Work};
use super::trace::{Candidate, StageEffect, Standing, TokenTrace, Touch};
use super::vector;
use super::{Knob, Knobs, Lexicon, Stage, TokenId};
use crate::constraint::TokenMask;

/// How many candidates a trace shows before and after the chain.
const N_SHOWN: usize = 8;

/// Picks the tokens of one reply. Made anew for each reply.
#[derive(Debug)]
pub struct Chain {
    links: Vec<Link>,
    candidates: Candidates,
    effects: Vec<StageEffect>,
    /// The tokens of `before` that a stage took away, with the stage.
    gone: Vec<(TokenId, Stage)>,
    random: Random,
    is_greedy: bool,
    /// Tokens of prompt and reply so far.
    n_seen: u32,
}

/// What came of one token's logits.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    Token {
        token: TokenId,
        trace: TokenTrace,
    },
    /// No candidate is left; names the stages that took them away, in the order of the chain.
    DeadEnd {
        stages: Vec<Stage>,
    },
    /// The model gave no logits to pick from: NaN, plus infinity, or nothing above minus infinity.
    BrokenLogits,
}

#[derive(Debug)]
enum Link {
    Mask,
    Work(Stage, Box<dyn Work>),
}

impl Chain {
    /// Builds the stages that these knobs switch on, in the knobs' order. `n_vocab` is the number of logits to come.
    /// Knobs that speak of texts or of the reply's end need [`Chain::with_lexicon`].
    pub fn new(knobs: &Knobs, n_vocab: usize) -> Self {
        Self::with_lexicon(knobs, n_vocab, Lexicon::default())
    }

    /// The same with the texts of the vocabulary, for logit bias, token ban, DRY's breakers and the least tokens.
    pub fn with_lexicon(knobs: &Knobs, n_vocab: usize, lexicon: Lexicon<'_>) -> Self {
        let links = knobs.order.stages().iter().filter_map(|&stage| {
            if stage == Stage::Mask {
                Some(Link::Mask)
            } else {
                Some(Link::Work(stage, stages::build(stage, knobs, lexicon)?))
            }
        });
        Self {
            links: links.collect(),
            candidates: Candidates::with_capacity(n_vocab),
            effects: Vec::new(),
            gone: Vec::new(),
            random: Random::new(knobs.count(Knob::Seed) as u64),
            is_greedy: knobs.is_greedy(),
            n_seen: 0,
        }
    }

    /// Shows the chain the tokens of the prompt, or some more of them.
    pub fn feed_prompt(&mut self, tokens: &[TokenId]) {
        for &token in tokens {
            self.see(token, Part::Prompt);
        }
    }

    /// Picks the next token, one logit a token of the vocabulary. Under a mask nothing but legal tokens is picked.
    ///
    /// The token does not count as written until it is given to [`Chain::accept`].
    pub fn step(&mut self, logits: &[f32], mask: Option<&TokenMask>) -> Outcome {
        if !self.candidates.begin(logits) {
            return Outcome::BrokenLogits;
        }
        let raw = self.candidates.softmax();
        let before = self.candidates.most_likely(N_SHOWN);
        if let Err(stages) = self.work(&before, mask) {
            return Outcome::DeadEnd { stages };
        }
        let after = self.candidates.most_likely(N_SHOWN);
        let token = self.pick(&after);
        let wanted = before[0].token;
        let chosen_after = self.standing(token, &after).unwrap_or_default();
        let wanted_after = self.standing(wanted, &after);
        self.tell_picked(f64::from(chosen_after.probability));
        let logit = logits[token as usize];
        let rank = rank_among(&before, token)
            .unwrap_or_else(|| 1 + vector::count_greater(logits, logit) as u32);
        let trace = TokenTrace {
            wanted,
            probability: raw.probability(logit) as f32,
            rank,
            chosen_after,
            wanted_after,
            entropy: (raw.entropy() / std::f64::consts::LN_2) as f32,
            touches: self.touches(logits, &before, token),
            before,
            after,
            effects: self.effects.clone(),
            n_legal: mask.map(TokenMask::n_legal),
            mask_us: None,
        };
        Outcome::Token { token, trace }
    }

    /// Picks among some candidates, ids ascending with their logits, and leaves no trace. None if all were taken away.
    pub(super) fn glance(
        &mut self,
        (ids, logits): (&[TokenId], &[f32]),
        mask: Option<&TokenMask>,
    ) -> Option<TokenId> {
        if !self.candidates.begin_with(ids, logits) || self.work(&[], mask).is_err() {
            return None;
        }
        let after = self.candidates.most_likely(1);
        let token = self.pick(&after);
        let probability = self.candidates.standing(token)?.probability;
        self.tell_picked(f64::from(probability));
        Some(token)
    }

    /// What the last step left of the candidates, ids ascending, with the probabilities by which it picked. At
    /// temperature 0 these are the probabilities that a temperature of 1 would give.
    pub fn shares(&mut self) -> Vec<(TokenId, f64)> {
        self.candidates.shares()
    }

    /// Takes note of a token of the reply.
    pub fn accept(&mut self, token: TokenId) {
        self.see(token, Part::Reply);
    }

    fn see(&mut self, token: TokenId, part: Part) {
        let position = self.n_seen;
        self.n_seen += 1;
        for link in &mut self.links {
            if let Link::Work(_, work) = link {
                work.see(token, Place { part, position });
            }
        }
    }

    /// Lets the stages work. Fails with the stages that left no candidate.
    fn work(&mut self, before: &[Candidate], mask: Option<&TokenMask>) -> Result<(), Vec<Stage>> {
        let candidates = &mut self.candidates;
        self.effects.clear();
        self.gone.clear();
        for link in &mut self.links {
            let wanted = candidates.top().map(|it| it.0);
            candidates.begin_stage();
            let stage = match (link, mask) {
                (Link::Work(stage, work), _) => {
                    work.work(candidates);
                    *stage
                }
                (Link::Mask, Some(mask)) => {
                    candidates.keep_legal(mask);
                    Stage::Mask
                }
                (Link::Mask, None) => continue,
            };
            let removal = candidates.removal();
            let top = candidates.top().map(|it| it.0);
            let effect = StageEffect {
                stage,
                n_removed: removal.n_removed as u32,
                removed_mass: removal.mass.min(1.0) as f32,
                kept_mass: removal.kept.min(1.0) as f32,
                changed_top: top.is_some() && top != wanted,
                new_top: top.filter(|_| top != wanted),
            };
            if effect.n_removed > 0 || effect.changed_top {
                self.effects.push(effect);
            }
            if top.is_none() {
                return Err(dead_end(&self.effects, mask));
            }
            if effect.n_removed > 0 {
                note_gone(&mut self.gone, before, (candidates, stage));
            }
        }
        Ok(())
    }

    fn pick(&mut self, after: &[Candidate]) -> TokenId {
        let best = after[0].token;
        if self.is_greedy {
            return best;
        }
        let draw = self.random.next_fraction();
        self.candidates.pick(draw).unwrap_or(best)
    }

    /// How a token stands after the chain, by the list of the best if it is there.
    fn standing(&mut self, token: TokenId, after: &[Candidate]) -> Option<Standing> {
        match rank_among(after, token) {
            Some(rank) => Some(Standing {
                rank,
                probability: after.iter().find(|it| it.token == token)?.probability,
            }),
            None => self.candidates.standing(token),
        }
    }

    fn tell_picked(&mut self, probability: f64) {
        for link in &mut self.links {
            if let Link::Work(_, work) = link {
                work.picked(probability);
            }
        }
    }

    /// What each stage did to the shown tokens and to the one that came, worked out once more for each of them.
    fn touches(&self, logits: &[f32], before: &[Candidate], token: TokenId) -> Vec<Touch> {
        let shown = before.iter().map(|it| it.token);
        let is_shown = before.iter().any(|it| it.token == token);
        let mut touches = Vec::new();
        for token in shown.chain((!is_shown).then_some(token)) {
            self.touches_of(token, logits[token as usize], &mut touches);
        }
        let place = |stage| {
            let is_it = |link: &Link| link.stage() == stage;
            self.links.iter().position(is_it)
        };
        // Stable, so that the tokens of one stage stay best first.
        touches.sort_by_key(|it| place(it.stage));
        touches
    }

    fn touches_of(&self, token: TokenId, mut logit: f32, touches: &mut Vec<Touch>) {
        let gone = self.gone.iter().find(|it| it.0 == token).map(|it| it.1);
        for link in &self.links {
            let stage = link.stage();
            let mut touch = Touch {
                stage,
                token,
                shift: None,
                earlier: None,
            };
            if let Link::Work(_, work) = link {
                let new = work.replay(token, logit);
                touch.shift = Some(new - logit);
                // A stage that moves all logits alike has nothing to say of one.
                let is_moved = new.to_bits() != logit.to_bits() && stage != Stage::Temperature;
                if is_moved || gone == Some(stage) {
                    touch.earlier = work.earlier(token);
                }
                logit = new;
                if is_moved && gone != Some(stage) && new > f32::NEG_INFINITY {
                    touches.push(touch);
                }
            }
            if gone == Some(stage) {
                touches.push(Touch {
                    shift: None,
                    ..touch
                });
                return;
            }
        }
    }
}

impl Link {
    fn stage(&self) -> Stage {
        match self {
            Self::Mask => Stage::Mask,
            Self::Work(stage, _) => *stage,
        }
    }
}

/// A token's rank by a list of the best candidates, best first; none if it is not among them.
fn rank_among(best: &[Candidate], token: TokenId) -> Option<u32> {
    let it = best.iter().find(|it| it.token == token)?;
    let n_better = best
        .iter()
        .filter(|other| other.probability > it.probability);
    Some(1 + n_better.count() as u32)
}

/// Notes which of the shown tokens a stage has just taken away.
fn note_gone(
    gone: &mut Vec<(TokenId, Stage)>,
    before: &[Candidate],
    (candidates, stage): (&Candidates, Stage),
) {
    for it in before {
        let is_known = gone.iter().any(|(token, _)| *token == it.token);
        if !is_known && candidates.logit(it.token).is_none() {
            gone.push((it.token, stage));
        }
    }
}

/// The stages that took candidates away; the mask alone if it has nothing legal by itself.
fn dead_end(effects: &[StageEffect], mask: Option<&TokenMask>) -> Vec<Stage> {
    if mask.is_some_and(|it| it.n_legal() == 0) {
        return vec![Stage::Mask];
    }
    effects
        .iter()
        .filter(|it| it.n_removed > 0)
        .map(|it| it.stage)
        .collect()
}
