//! The truncations that sum over the whole vocabulary, written from their definitions in double precision.
//!
//! llama.cpp sums them in single precision, so over a large flat vocabulary its own cut is off by more than ours may be.

use super::stage_oracle::Shares;

/// The candidates that a stage keeps of these logits.
type Kept = Vec<usize>;

/// Each candidate's probability.
fn softmax(logits: &[f64]) -> Vec<f64> {
    let max = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = logits.iter().map(|it| (it - max).exp()).collect();
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|it| it / sum).collect()
}

/// The first of these whose probabilities together reach the mass.
fn first_to_reach(ranked: Vec<usize>, probabilities: &[f64], mass: f64) -> Kept {
    let mut before = 0.0;
    let kept = ranked.into_iter().take_while(|it| {
        let is_kept = before < mass;
        before += probabilities[*it];
        is_kept
    });
    kept.collect()
}

/// Holtzman et al. 2020: the fewest of the most likely whose probabilities together reach `p`; one at least.
pub(crate) fn top_p(logits: &[f32], p: f64) -> Shares {
    let logits = wide(logits);
    let probabilities = softmax(&logits);
    let mut ranked: Vec<usize> = (0..logits.len()).collect();
    ranked.sort_by(|a, b| logits[*b].total_cmp(&logits[*a]));
    let kept = first_to_reach(ranked, &probabilities, p.max(1e-12));
    shares(&logits, kept)
}

/// Meister et al. 2022: those whose surprise is nearest to the entropy, the fewest whose probabilities together reach
/// the mass.
pub(crate) fn typical(logits: &[f32], mass: f64) -> Shares {
    let logits = wide(logits);
    let probabilities = softmax(&logits);
    let surprises: Vec<f64> = probabilities.iter().map(|it| -it.ln()).collect();
    let terms = probabilities.iter().zip(&surprises);
    let entropy: f64 = terms.map(|(p, surprise)| p * surprise).sum();
    let distance = |it: usize| (surprises[it] - entropy).abs();
    let mut ranked: Vec<usize> = (0..logits.len()).collect();
    ranked.sort_by(|a, b| distance(*a).total_cmp(&distance(*b)));
    shares(&logits, first_to_reach(ranked, &probabilities, mass))
}

/// Tang et al. 2024: those whose logit is within n standard deviations of the best one's.
pub(crate) fn top_n_sigma(logits: &[f32], n: f64) -> Shares {
    let logits = wide(logits);
    let count = logits.len() as f64;
    let mean = logits.iter().sum::<f64>() / count;
    let squares: f64 = logits.iter().map(|it| (it - mean).powi(2)).sum();
    let best = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = best - n * (squares / count).sqrt();
    let kept = (0..logits.len()).filter(|it| logits[*it] >= least);
    let kept = kept.collect();
    shares(&logits, kept)
}

/// llama.cpp's dynamic temperature: the entropy's share of the largest possible one, to a power, says where in the
/// range the temperature is.
pub(crate) fn dynamic_temperature(
    logits: &[f32],
    (middle, range): (f64, f64),
    power: f64,
) -> Shares {
    let mut logits = wide(logits);
    let probabilities = softmax(&logits);
    let terms = probabilities.iter().filter(|it| **it > 0.0);
    let entropy: f64 = terms.map(|it| -it * it.ln()).sum();
    let share = entropy / (logits.len() as f64).ln();
    let least = (middle - range).max(0.0);
    let temperature = least + (middle + range - least) * share.powf(power);
    for logit in &mut logits {
        *logit /= temperature;
    }
    let all = (0..logits.len()).collect();
    shares(&logits, all)
}

/// Basu et al. 2021, version 2: those whose surprise in bits is at most `mu`; one at least.
pub(crate) fn mirostat(logits: &[f32], mu: f64) -> Shares {
    let logits = wide(logits);
    let probabilities = softmax(&logits);
    let best = probabilities.iter().copied().fold(0.0, f64::max);
    let is_kept = |it: &usize| -probabilities[*it].log2() <= mu || probabilities[*it] >= best;
    let kept = (0..logits.len()).filter(is_kept).collect();
    shares(&logits, kept)
}

fn wide(logits: &[f32]) -> Vec<f64> {
    logits.iter().copied().map(f64::from).collect()
}

fn shares(logits: &[f64], mut kept: Kept) -> Shares {
    kept.sort_unstable();
    let left: Vec<f64> = kept.iter().map(|it| logits[*it]).collect();
    let probabilities = softmax(&left);
    let tokens = kept.into_iter().map(|it| it as u32);
    tokens.zip(probabilities).collect()
}
