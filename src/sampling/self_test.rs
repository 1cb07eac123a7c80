//! The knobs' self-test: at how many tokens of a reply each knob that is set made a difference.

use serde::{Deserialize, Serialize};

use super::chain::Chain;
use super::mask_bits::blot_out;
use super::ranking::{Ranked, rank};
use super::stages::allowed;
use super::{Knob, KnobList, Knobs, Lexicon, TokenId};
use crate::constraint::TokenMask;

/// What is tested: a knob of the table, or one of the lists beside it. Both are known by their keys in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Tested {
    Knob(Knob),
    List(KnobList),
}

/// What one knob did over a whole reply, against the same chain with that knob at neutral.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct KnobEffect {
    pub knob: Tested,
    /// The knob's value; of a list the number of its entries.
    pub value: f64,
    /// Tokens at which this was looked at.
    pub n_positions: u32,
    /// Tokens at which the knob moved more than a thousandth of the probability.
    pub n_distribution: u32,
    /// Tokens that would have been others without the knob, with the same reply before them and the same dice.
    pub n_token: u32,
}

/// Runs, beside a reply, a chain for each knob that is off neutral, with that knob at neutral. So that this costs
/// little it looks at the likeliest tokens only, raw and legal ones; where a knob counts all candidates, at all.
#[derive(Debug)]
pub struct SelfTest {
    base: Chain,
    rivals: Vec<Rival>,
    looks_at_all: bool,
    /// Tokens that a bias may bring up from below those that are looked at.
    biased: Vec<TokenId>,
    /// One bit a token that the token ban lets through; none without a ban.
    allowed: Option<Vec<u32>>,
    logits: Vec<f32>,
    ranked: Vec<Ranked>,
    ids: Vec<TokenId>,
}

#[derive(Debug)]
struct Rival {
    chain: Chain,
    effect: KnobEffect,
}

/// Candidates that are looked at, of the raw and of the legal ones each.
const N_LOOKED_AT: usize = 256;

/// Probability that must move for a distribution to count as changed.
const LEAST_MOVE: f64 = 1e-3;

/// Knobs whose stages reckon with the number or the spread of all candidates.
const OF_ALL: [Knob; 3] = [Knob::TypicalP, Knob::TopNSigma, Knob::DynatempRange];

impl PartialEq<Knob> for Tested {
    fn eq(&self, other: &Knob) -> bool {
        *self == Self::Knob(*other)
    }
}

impl KnobEffect {
    /// Such as "top-p 0.9: no effect at 97 % of 120 tokens, changed the token at 1 %".
    pub fn sentence(&self) -> String {
        let value = self.value;
        let name = match self.knob {
            Tested::Knob(it) => format!("{it} {value}"),
            Tested::List(it) if self.value < 1.5 => format!("{}, one entry", it.name()),
            Tested::List(it) => format!("{}, {value} entries", it.name()),
        };
        let of = self.n_positions;
        if of == 0 {
            return format!("{name}: not tested");
        }
        let percent = |n: u32| (100.0 * f64::from(n) / f64::from(of)).round();
        let idle = percent(of - self.n_distribution.max(self.n_token).min(of));
        format!(
            "{name}: no effect at {idle} % of {of} tokens, another token at {}",
            self.n_token
        )
    }
}

impl SelfTest {
    /// None if no knob is off neutral that can be tested.
    pub fn new(knobs: &Knobs, n_vocab: usize, lexicon: Lexicon<'_>) -> Option<Self> {
        let rival = |(knob, value, without): (Tested, f64, Knobs)| Rival {
            chain: Chain::with_lexicon(&without, n_vocab, lexicon),
            effect: KnobEffect {
                knob,
                value,
                n_positions: 0,
                n_distribution: 0,
                n_token: 0,
            },
        };
        let rivals: Vec<_> = without_each(knobs).into_iter().map(rival).collect();
        let biased = knobs.logit_bias.iter().flat_map(|it| it.tokens(lexicon));
        (!rivals.is_empty()).then(|| Self {
            base: Chain::with_lexicon(knobs, n_vocab, lexicon),
            rivals,
            looks_at_all: OF_ALL.iter().any(|it| !knobs.is_neutral(*it)),
            biased: biased.filter(|it| (*it as usize) < n_vocab).collect(),
            allowed: allowed(knobs, lexicon),
            logits: Vec::new(),
            ranked: Vec::new(),
            ids: Vec::new(),
        })
    }

    pub fn feed_prompt(&mut self, tokens: &[TokenId]) {
        for chain in self.chains() {
            chain.feed_prompt(tokens);
        }
    }

    /// Takes note of a token of the reply.
    pub fn accept(&mut self, token: TokenId) {
        for chain in self.chains() {
            chain.accept(token);
        }
    }

    /// Compares the chains at one token's logits, which the chain proper has accepted as logits.
    pub fn look(&mut self, logits: &[f32], mask: Option<&TokenMask>) {
        self.choose(logits, mask);
        let some = (self.ids.as_slice(), self.logits.as_slice());
        let token = self.base.glance(some, mask);
        let shares = self.base.shares();
        for rival in &mut self.rivals {
            let other = rival.chain.glance(some, mask);
            let moved = distance(&shares, &rival.chain.shares());
            rival.effect.n_positions += 1;
            rival.effect.n_distribution += u32::from(moved > LEAST_MOVE);
            rival.effect.n_token += u32::from(token != other);
        }
    }

    /// One row a knob, in the order of the table.
    pub fn effects(&self) -> Vec<KnobEffect> {
        self.rivals.iter().map(|it| it.effect).collect()
    }

    fn chains(&mut self) -> impl Iterator<Item = &mut Chain> {
        let rivals = self.rivals.iter_mut().map(|it| &mut it.chain);
        std::iter::once(&mut self.base).chain(rivals)
    }

    /// Fills `ids`, ascending, and `logits` with the candidates to look at.
    fn choose(&mut self, logits: &[f32], mask: Option<&TokenMask>) {
        self.ids.clear();
        if self.looks_at_all {
            self.ids.extend(0..logits.len() as TokenId);
        } else {
            rank(logits, N_LOOKED_AT, &mut self.ranked);
            self.ids.extend(self.ranked.iter().map(|it| it.place));
            self.ids.extend(&self.biased);
            let sieves = [mask.map(TokenMask::words), self.allowed.as_deref()];
            if sieves.iter().any(Option::is_some) {
                self.logits.clear();
                self.logits.extend_from_slice(logits);
                for words in sieves.into_iter().flatten() {
                    blot_out(&mut self.logits, words);
                }
                rank(&self.logits, N_LOOKED_AT, &mut self.ranked);
                self.ids.extend(self.ranked.iter().map(|it| it.place));
            }
            self.ids.sort_unstable();
            self.ids.dedup();
        }
        self.logits.clear();
        let chosen = self.ids.iter().map(|it| logits[*it as usize]);
        self.logits.extend(chosen);
    }
}

/// For each knob and list that is set, its value and the same knobs without it.
fn without_each(knobs: &Knobs) -> Vec<(Tested, f64, Knobs)> {
    let numbers = Knob::ALL
        .into_iter()
        .filter(|&it| !matches!(it, Knob::Seed | Knob::MaxTokens) && !knobs.is_neutral(it))
        .filter_map(|it| {
            let without = knobs.clone().with(it, it.spec().neutral).ok()?;
            Some((Tested::Knob(it), knobs.get(it), without))
        });
    let lists = KnobList::ALL.into_iter().filter_map(|it| {
        let n = knobs.n_entries(it);
        (n > 0).then(|| (Tested::List(it), n as f64, knobs.without_list(it)))
    });
    numbers.chain(lists).collect()
}

/// Half the sum of the differences: the probability that moved. Both lists ascend by token.
fn distance(a: &[(TokenId, f64)], b: &[(TokenId, f64)]) -> f64 {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut sum = 0.0;
    loop {
        let token = match (a.peek(), b.peek()) {
            (Some(a), Some(b)) => a.0.min(b.0),
            (Some(it), None) | (None, Some(it)) => it.0,
            (None, None) => return sum / 2.0,
        };
        let left = a.next_if(|it| it.0 == token).map_or(0.0, |it| it.1);
        let right = b.next_if(|it| it.0 == token).map_or(0.0, |it| it.1);
        sum += f64::abs(left - right);
    }
}
