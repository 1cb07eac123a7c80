//! What the track shows of each token, in numbers.

use crate::engine::TokenEvent;

/// One row of the track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lane {
    Removed,
    Entropy,
    Legal,
    MaskTime,
}

/// What is known of one token.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Measure {
    /// The share of the probability that the whole chain took away.
    pub(super) removed: f32,
    /// How torn the model was before the chain, in bits.
    pub(super) entropy: f32,
    pub(super) legal: Option<u32>,
    pub(super) mask_us: Option<u32>,
    pub(super) probability: f32,
    pub(super) is_changed: bool,
}

impl Lane {
    pub(super) const ALL: [Self; 4] = [Self::Removed, Self::Entropy, Self::Legal, Self::MaskTime];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Removed => "Removed",
            Self::Entropy => "Entropy",
            Self::Legal => "Legal tokens",
            Self::MaskTime => "Mask time",
        }
    }

    /// None where it was not measured.
    pub(super) fn value(self, measure: &Measure) -> Option<f32> {
        match self {
            Self::Removed => Some(measure.removed),
            Self::Entropy => Some(measure.entropy),
            Self::Legal => measure.legal.map(|it| it as f32),
            Self::MaskTime => measure.mask_us.map(|it| it as f32),
        }
    }

    /// The bar's height between 0 and 1; counts and times span many powers of ten.
    pub(super) fn height(self, value: f32, largest: f32) -> f32 {
        let share = match self {
            Self::Removed => value,
            Self::Entropy => value / largest.max(4.0),
            Self::Legal | Self::MaskTime => (1.0 + value).ln() / (1.0 + largest.max(1.0)).ln(),
        };
        share.clamp(0.0, 1.0)
    }

    pub(super) fn words(self, value: f32) -> String {
        match self {
            Self::Removed => format!("{:.0} %", value * 100.0),
            Self::Entropy => format!("{value:.1} bit"),
            Self::Legal => format!("{value:.0}"),
            Self::MaskTime if value >= 10_000.0 => format!("{:.0} ms", value / 1_000.0),
            Self::MaskTime => format!("{value:.0} µs"),
        }
    }
}

impl Measure {
    pub(super) fn new(event: &TokenEvent) -> Self {
        let trace = &event.trace;
        Self {
            removed: trace.removed_mass(),
            entropy: trace.entropy,
            legal: trace.n_legal,
            mask_us: trace.mask_us,
            probability: trace.probability,
            is_changed: super::blame::blame(event).is_some(),
        }
    }
}

/// What there is to say about some tokens together.
pub(super) fn summary(measures: &[Measure], first: usize) -> String {
    let n = measures.len();
    let mean = |value: fn(&Measure) -> f32| {
        measures.iter().map(value).sum::<f32>() / n.max(1) as f32 * 100.0
    };
    let n_changed = measures.iter().filter(|it| it.is_changed).count();
    let place = if n == 1 {
        format!("Token {}", first + 1)
    } else {
        format!("Tokens {} to {}", first + 1, first + n)
    };
    let text = format!(
        "{place}: {:.0} % sure on average, {:.0} % removed, {n_changed} changed",
        mean(|it| it.probability),
        mean(|it| it.removed),
    );
    let legal = measures.iter().filter_map(|it| it.legal);
    if let (Some(least), Some(most)) = (legal.clone().min(), legal.max()) {
        return format!("{text}, {least} to {most} legal");
    }
    text
}
