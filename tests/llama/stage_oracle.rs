//! Ours and llama.cpp's view of the same logits, and how far they may be apart.

use llama_cpp_2::sampling::LlamaSampler;
use llama_cpp_2::token::LlamaToken;
use llama_cpp_2::token::data::LlamaTokenData;
use llama_cpp_2::token::data_array::LlamaTokenDataArray;

use stepladder::sampling::{Chain, Knobs, Lexicon, Outcome, TokenId};

/// Each candidate that is left with its probability, ids ascending.
pub(crate) type Shares = Vec<(TokenId, f64)>;

/// Which candidates one side may keep and the other not.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Edge {
    /// Those whose logits are within this of the least one that both keep: 0 for equal ones.
    Near(f32),
    /// As many on one side as on the other, with the same logits.
    Equals,
    /// Any, if together they have no more than this share of the probability.
    Mass(f64),
}

/// What came of many comparisons.
#[derive(Debug)]
pub(crate) struct Tally {
    /// How far a candidate's probabilities may be apart, in parts of the probability.
    pub(crate) relative: f64,
    pub(crate) n_compared: usize,
    /// Comparisons in which the edge fell between different candidates.
    pub(crate) n_edges: usize,
    /// The largest difference of two probabilities.
    pub(crate) worst: f64,
}

/// How far the smallest probabilities may be apart, which single precision rounds away.
const ABSOLUTE: f64 = 1e-9;

/// What our chain leaves, behind the tokens that it has seen.
pub(crate) fn ours(
    (knobs, lexicon): (&Knobs, Lexicon<'_>),
    seen: &[TokenId],
    logits: &[f32],
) -> Shares {
    let mut chain = Chain::with_lexicon(knobs, logits.len(), lexicon);
    chain.feed_prompt(seen);
    match chain.step(logits, None) {
        Outcome::Token { .. } => chain.shares(),
        other => panic!("{other:?}"),
    }
}

/// What llama.cpp's sampler leaves. It normalizes in single precision, whose rounding grows to a hundredth over a flat
/// vocabulary; so what it left is taken, and its probabilities are worked out from its logits in double precision.
pub(crate) fn theirs(sampler: &mut LlamaSampler, logits: &[f32]) -> Shares {
    let mut array = array(logits);
    array.apply_sampler(sampler);
    let left = array.data.iter().map(|it| (it.id().0, it.logit()));
    let mut left: Vec<_> = left.filter(|it| it.1 > f32::NEG_INFINITY).collect();
    left.sort_unstable_by_key(|it| it.0);
    let max = left.iter().map(|it| it.1).fold(f32::NEG_INFINITY, f32::max);
    let weight = |it: f32| f64::from(it - max).exp();
    let sum: f64 = left.iter().map(|it| weight(it.1)).sum();
    left.iter()
        .map(|it| (it.0.cast_unsigned(), weight(it.1) / sum))
        .collect()
}

pub(crate) fn array(logits: &[f32]) -> LlamaTokenDataArray {
    let data = (0..).zip(logits);
    let data = data.map(|(id, logit)| LlamaTokenData::new(LlamaToken(id), *logit, 0.0));
    LlamaTokenDataArray::from_iter(data, false)
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            relative: 5e-5,
            n_compared: 0,
            n_edges: 0,
            worst: 0.0,
        }
    }
}

impl Tally {
    /// Compares every probability, and the candidates that are left, exactly but for the edge.
    #[track_caller]
    pub(crate) fn compare(&mut self, (a, b): (&Shares, &Shares), logits: &[f32], edge: Edge) {
        let merged = Merged::new(a, b);
        assert!(!merged.both.is_empty(), "nothing is left by both");
        self.n_compared += 1;
        if !merged.only_a.is_empty() || !merged.only_b.is_empty() {
            self.n_edges += 1;
            merged.check_edge(logits, edge);
        }
        // Each side's made to sum to 1 over what both have left.
        let sum_a: f64 = merged.both.iter().map(|it| it.1).sum();
        let sum_b: f64 = merged.both.iter().map(|it| it.2).sum();
        for (token, a, b) in merged.both {
            let (a, b) = (a / sum_a, b / sum_b);
            let apart = (a - b).abs();
            assert!(
                apart <= self.relative * b + ABSOLUTE,
                "token {token} has {a} and {b}"
            );
            self.worst = self.worst.max(apart);
        }
    }

    pub(crate) fn tell(&self, what: &str) {
        println!(
            "{what}: {} comparisons, {} with other candidates at the edge, probabilities at most {:.1e} apart",
            self.n_compared, self.n_edges, self.worst
        );
    }
}

/// Two distributions side by side.
struct Merged {
    /// What both have left, with both probabilities.
    both: Vec<(TokenId, f64, f64)>,
    only_a: Shares,
    only_b: Shares,
}

impl Merged {
    fn new(a: &Shares, b: &Shares) -> Self {
        let mut res = Self {
            both: Vec::new(),
            only_a: Vec::new(),
            only_b: Vec::new(),
        };
        let mut others = b.iter().copied().peekable();
        for &(token, share) in a {
            while let Some(it) = others.next_if(|it| it.0 < token) {
                res.only_b.push(it);
            }
            match others.next_if(|it| it.0 == token) {
                Some(other) => res.both.push((token, share, other.1)),
                None => res.only_a.push((token, share)),
            }
        }
        res.only_b.extend(others);
        res
    }

    #[track_caller]
    fn check_edge(&self, logits: &[f32], edge: Edge) {
        let sorted = |shares: &Shares| {
            let mut logits: Vec<f32> = shares.iter().map(|it| logits[it.0 as usize]).collect();
            logits.sort_by(f32::total_cmp);
            logits
        };
        let (a, b) = (sorted(&self.only_a), sorted(&self.only_b));
        let least = self.both.iter().map(|it| logits[it.0 as usize]);
        let least = least.fold(f32::INFINITY, f32::min);
        match edge {
            Edge::Near(most) => {
                let is_near = |it: &f32| (it - least).abs() <= most;
                assert!(
                    a.iter().all(is_near) && b.iter().all(is_near),
                    "least {least}, only on one side {a:?}, on the other {b:?}"
                );
            }
            Edge::Equals => assert_eq!(a, b),
            Edge::Mass(most) => {
                let mass = |it: &Shares| it.iter().map(|it| it.1).sum::<f64>();
                let mass = mass(&self.only_a).max(mass(&self.only_b));
                assert!(mass <= most, "{mass} of the probability at the edge");
            }
        }
    }
}
