//! How far a download is: bytes, rate, and time left.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The rate is that of this time.
const WINDOW: Duration = Duration::from_secs(8);
/// Less is no measurement.
const SHORTEST: Duration = Duration::from_millis(300);

/// How far a download is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    pub stage: Stage,
    /// The file's name.
    pub file: String,
    /// The model's first file as its repository names it, once that is settled.
    pub model: String,
    /// Which part of how many, if the model is split.
    pub part: Option<(usize, usize)>,
    pub done: u64,
    pub total: Option<u64>,
    pub per_second: Option<f64>,
    pub left: Option<Duration>,
}

/// What a download is busy with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// Waits for the hub's answer.
    #[default]
    Asking,
    /// Reads the part that is there already.
    Reading,
    Transferring,
    /// Waits before it tries again.
    Waiting {
        why: String,
        wait: Duration,
    },
    /// Reads what came as a model.
    Checking,
}

impl Progress {
    /// Between 0 and 1, where the whole is known.
    pub fn fraction(&self) -> Option<f32> {
        let total = self.total.filter(|it| *it > 0)?;
        Some((self.done as f64 / total as f64).min(1.0) as f32)
    }
}

/// Bytes a second over the last few seconds.
#[derive(Debug, Default)]
pub(super) struct Pace(VecDeque<(Duration, u64)>);

impl Pace {
    /// Takes in how many bytes there are at a time, counted from any beginning.
    pub(super) fn note(&mut self, at: Duration, bytes: u64) {
        self.0.push_back((at, bytes));
        while self.0.len() > 2 && at.saturating_sub(self.0[1].0) >= WINDOW {
            self.0.pop_front();
        }
    }

    pub(super) fn per_second(&self) -> Option<f64> {
        let (begun, first) = self.0.front()?;
        let (now, last) = self.0.back()?;
        let time = now.saturating_sub(*begun);
        (time >= SHORTEST).then(|| last.saturating_sub(*first) as f64 / time.as_secs_f64())
    }
}

/// Tells a listener how far it is, not more often than anyone reads.
pub(super) struct Reporter<'a> {
    pub(super) progress: Progress,
    tell: &'a mut dyn FnMut(&Progress),
    /// Between two words.
    news: Duration,
    pace: Pace,
    begun: Instant,
    told: Option<Instant>,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(news: Duration, tell: &'a mut dyn FnMut(&Progress)) -> Self {
        Self {
            progress: Progress::default(),
            tell,
            news,
            pace: Pace::default(),
            begun: Instant::now(),
            told: None,
        }
    }

    /// Something else begins.
    pub(super) fn enter(&mut self, stage: Stage) {
        self.progress.stage = stage;
        self.progress.per_second = None;
        self.progress.left = None;
        self.pace = Pace::default();
        self.told = None;
        self.advance(self.progress.done);
    }

    /// There are so many bytes now.
    pub(super) fn advance(&mut self, done: u64) {
        self.progress.done = done;
        if self.told.is_some_and(|it| it.elapsed() < self.news) {
            return;
        }
        self.told = Some(Instant::now());
        if matches!(self.progress.stage, Stage::Reading | Stage::Transferring) {
            self.pace.note(self.begun.elapsed(), done);
            self.progress.per_second = self.pace.per_second();
            self.progress.left = time_left(&self.progress);
        }
        (self.tell)(&self.progress);
    }
}

/// None before there is a rate, or when it stands still.
fn time_left(progress: &Progress) -> Option<Duration> {
    let rate = progress.per_second.filter(|it| *it >= 1.0)?;
    let rest = progress.total?.saturating_sub(progress.done);
    Duration::try_from_secs_f64(rest as f64 / rate).ok()
}
