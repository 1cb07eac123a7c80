//! The chain: from a token's logits, through the stages in their order, to the pick and its trace.

use super::candidates::Candidates;
use super::random::Random;
use super::stages::{self, Part, Work};
use super::trace::{Candidate, StageEffect, TokenTrace};
use super::vector;
use super::{Knob, Knobs, Stage, TokenId};
use crate::constraint::TokenMask;

/// How many candidates a trace shows before and after the chain.
const N_SHOWN: usize = 8;

/// Picks the tokens of one reply. Made anew for each reply.
#[derive(Debug)]
pub struct Chain {
    links: Vec<Link>,
    candidates: Candidates,
    effects: Vec<StageEffect>,
    random: Random,
    is_greedy: bool,
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
    pub fn new(knobs: &Knobs, n_vocab: usize) -> Self {
        let links = knobs.order.stages().iter().filter_map(|&stage| {
            if stage == Stage::Mask {
                Some(Link::Mask)
            } else {
                Some(Link::Work(stage, stages::build(stage, knobs)?))
            }
        });
        Self {
            links: links.collect(),
            candidates: Candidates::with_capacity(n_vocab),
            effects: Vec::new(),
            random: Random::new(knobs.count(Knob::Seed) as u64),
            is_greedy: knobs.is_greedy(),
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
        if let Err(stages) = self.work(mask) {
            return Outcome::DeadEnd { stages };
        }
        let after = self.candidates.most_likely(N_SHOWN);
        let token = self.pick(&after);
        let logit = logits[token as usize];
        let trace = TokenTrace {
            wanted: before[0].token,
            probability: raw.probability(logit) as f32,
            rank: 1 + vector::count_greater(logits, logit) as u32,
            before,
            after,
            effects: self.effects.clone(),
            n_legal: mask.map(TokenMask::n_legal),
            mask_us: None,
        };
        Outcome::Token { token, trace }
    }

    /// Takes note of a token of the reply.
    pub fn accept(&mut self, token: TokenId) {
        self.see(token, Part::Reply);
    }

    fn see(&mut self, token: TokenId, part: Part) {
        for link in &mut self.links {
            if let Link::Work(_, work) = link {
                work.see(token, part);
            }
        }
    }

    /// Lets the stages work. Fails with the stages that left no candidate.
    fn work(&mut self, mask: Option<&TokenMask>) -> Result<(), Vec<Stage>> {
        let candidates = &mut self.candidates;
        self.effects.clear();
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
                changed_top: top.is_some() && top != wanted,
            };
            if effect.n_removed > 0 || effect.changed_top {
                self.effects.push(effect);
            }
            if top.is_none() {
                return Err(dead_end(&self.effects, mask));
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
