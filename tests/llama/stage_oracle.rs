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
    /// Any, if together they have no more than this share of the probability.
    Mass(f64),
}

/// What came of many comparisons.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) n_compared: usize,
    /// Comparisons in which the edge fell between different candidates.
    pub(crate) n_edges: usize,
    /// The largest difference of two probabilities.
    pub(crate) worst: f64,
}

/// The largest difference of a candidate's probability on both sides, in parts of the probability.
const RELATIVE: f64 = 5e-5;
/// And for the smallest of them, which single precision rounds away.
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

impl Tally {
    /// Compares every probability, and the candidates that are left, exactly but for the edge.
    #[track_caller]
    pub(crate) fn compare(&mut self, (a, b): (&Shares, &Shares), logits: &[f32], edge: Edge) {
        let (only_a, only_b) = (without(a, b), without(b, a));
        let both: Vec<_> = a.iter().filter(|it| find(b, it.0).is_some()).collect();
        assert!(!both.is_empty(), "nothing is left by both");
        self.n_compared += 1;
        if !only_a.is_empty() || !only_b.is_empty() {
            self.n_edges += 1;
            let mass = |it: &Shares| it.iter().map(|it| it.1).sum::<f64>();
            let logit = |it: TokenId| logits[it as usize];
            let least = both.iter().map(|it| logit(it.0));
            let least = least.fold(f32::INFINITY, f32::min);
            let odd: Shares = [only_a.clone(), only_b.clone()].concat();
            match edge {
                Edge::Near(most) => assert!(
                    odd.iter().all(|it| (logit(it.0) - least).abs() <= most),
                    "{} of {} candidates, {:?}, least {least}",
                    odd.len(),
                    both.len(),
                    odd.iter().take(4).map(|it| logit(it.0)).collect::<Vec<_>>()
                ),
                Edge::Mass(most) => {
                    let mass = mass(&only_a).max(mass(&only_b));
                    assert!(mass <= most, "{mass} of the probability at the edge");
                }
            }
        }
        self.compare_shares(a, b);
    }

    /// The probabilities, each side's made to sum to 1 over what both have left.
    fn compare_shares(&mut self, a: &Shares, b: &Shares) {
        let pairs: Vec<_> = a
            .iter()
            .filter_map(|it| Some((it.0, it.1, find(b, it.0)?)))
            .collect();
        let sum_a: f64 = pairs.iter().map(|it| it.1).sum();
        let sum_b: f64 = pairs.iter().map(|it| it.2).sum();
        for (token, a, b) in pairs {
            let (a, b) = (a / sum_a, b / sum_b);
            let apart = (a - b).abs();
            assert!(
                apart <= RELATIVE * b + ABSOLUTE,
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

fn find(shares: &Shares, token: TokenId) -> Option<f64> {
    let place = shares.binary_search_by_key(&token, |it| it.0).ok()?;
    Some(shares[place].1)
}

fn without(a: &Shares, b: &Shares) -> Shares {
    let lone = a.iter().filter(|it| find(b, it.0).is_none());
    lone.copied().collect()
}
