//! Random logits of several shapes, the same each time.

/// The sizes of the two vocabularies.
pub(crate) const SIZES: [usize; 2] = [49_152, 262_144];

/// Random numbers that are the same each time.
pub(crate) struct Dice(pub(crate) u64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// All within two of each other.
    Flat,
    /// Bell-shaped, as a model's logits mostly are.
    Peaked,
    /// The same with one token far above.
    Spiked,
    /// The same in steps of a quarter, so that many are equal.
    Stepped,
    /// The n-th best has the n-th part of the best one's probability, in a random place.
    Zipf,
}

impl Shape {
    pub(crate) const ALL: [Self; 5] = [
        Self::Flat,
        Self::Peaked,
        Self::Spiked,
        Self::Stepped,
        Self::Zipf,
    ];

    pub(crate) fn logits(self, n: usize, seed: u64) -> Vec<f32> {
        let mut dice = Dice(seed);
        let mut logits: Vec<f32> = (0..n).map(|nth| self.logit(nth, &mut dice)).collect();
        if self == Self::Spiked {
            logits[dice.below(n)] = 32.0;
        }
        for place in (1..n).rev().filter(|_| self == Self::Zipf) {
            logits.swap(place, dice.below(place + 1));
        }
        logits
    }

    fn logit(self, nth: usize, dice: &mut Dice) -> f32 {
        let bell: f32 = (0..6).map(|_| dice.fraction()).sum::<f32>() * 8.0 - 24.0;
        match self {
            Self::Flat => bell / 24.0,
            Self::Peaked | Self::Spiked => bell,
            Self::Stepped => (bell * 4.0).round() / 4.0,
            Self::Zipf => 20.0 - ((nth + 1) as f32).ln(),
        }
    }
}

impl Dice {
    /// At least 0 and below 1.
    pub(crate) fn fraction(&mut self) -> f32 {
        self.below(1 << 24) as f32 / (1 << 24) as f32
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }
}
