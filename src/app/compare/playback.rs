//! Playback: how many steps of the replies are in sight, and what moves that.

use super::Comparison;

/// Where playback stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Playback {
    /// Steps that are in sight.
    pub n_steps: usize,
    pub is_playing: bool,
    /// The replies are shown whole: no step is looked at, not even the last one.
    pub is_whole: bool,
}

/// A wish about playback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaybackWish {
    /// Plays up to the next divergence; from the beginning, if all is in sight.
    Play,
    Pause,
    /// The next step of a playback that is running.
    Tick,
    Step,
    StepBack,
    GoTo(usize),
    /// Goes to the next divergence; from the end, to the first.
    NextDivergence,
    ShowAll,
}

impl Playback {
    /// With everything in sight.
    pub(super) fn at_end(comparison: &Comparison) -> Self {
        Self {
            n_steps: comparison.n_steps(),
            is_playing: false,
            is_whole: true,
        }
    }

    pub(super) fn take(&mut self, wish: PlaybackWish, comparison: &Comparison) {
        if wish == PlaybackWish::Tick && !self.is_playing {
            return;
        }
        let n_all = comparison.n_steps();
        let was_whole = std::mem::replace(&mut self.is_whole, wish == PlaybackWish::ShowAll);
        match wish {
            PlaybackWish::Play => {
                if self.n_steps >= n_all {
                    self.n_steps = 0;
                }
                self.is_playing = n_all > 0;
                return;
            }
            PlaybackWish::Tick => {
                self.n_steps = (self.n_steps + 1).min(n_all);
                let has_parted = comparison.lock_step.divergence_at(self.n_steps).is_some();
                self.is_playing = !has_parted && self.n_steps < n_all;
                return;
            }
            PlaybackWish::Pause => {}
            PlaybackWish::Step => self.n_steps = (self.n_steps + 1).min(n_all),
            PlaybackWish::StepBack => self.n_steps = self.n_steps.saturating_sub(1),
            PlaybackWish::GoTo(step) => self.n_steps = step.min(n_all),
            PlaybackWish::NextDivergence => {
                let lock_step = &comparison.lock_step;
                let is_at_end = was_whole || self.n_steps >= n_all;
                let from = if is_at_end { 0 } else { self.n_steps };
                if let Some(it) = lock_step.next_divergence(from) {
                    self.n_steps = it.step + 1;
                }
            }
            PlaybackWish::ShowAll => self.n_steps = n_all,
        }
        self.is_playing = false;
    }
}
