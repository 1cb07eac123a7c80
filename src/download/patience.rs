//! How long a download waits, and how often it tries again: everything in it has an end.

use std::time::Duration;

/// Longest that we wait because a server asks for it.
const LONGEST_ASKED: Duration = Duration::from_mins(2);

/// The waits and bounds of a download.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For a connection, its proxy and its encryption.
    pub connect: Duration,
    /// For the head of an answer.
    pub answer: Duration,
    /// For the next bytes of a body.
    pub stall: Duration,
    /// Before the second try; twice as long before each further one.
    pub back_off: Duration,
    pub longest_back_off: Duration,
    /// Most tries in a row that bring less than `worthwhile` bytes.
    pub n_fruitless: u32,
    /// Between two words on how far it is.
    pub news: Duration,
    /// What a try must bring for the count to begin anew.
    pub worthwhile: u64,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(15),
            answer: Duration::from_secs(30),
            stall: Duration::from_secs(30),
            back_off: Duration::from_millis(500),
            longest_back_off: Duration::from_secs(20),
            n_fruitless: 7,
            news: Duration::from_millis(100),
            worthwhile: 4 << 20,
        }
    }
}

impl Patience {
    /// The wait after so many fruitless tries, counted from 1; `asked` is what the server wants. None if that is
    /// longer than anyone would sit through.
    pub(super) fn wait(&self, n_fruitless: u32, asked: Option<Duration>) -> Option<Duration> {
        let factor = 1_u32 << n_fruitless.saturating_sub(1).min(16);
        let own = self.back_off.saturating_mul(factor);
        let own = own.min(self.longest_back_off);
        match asked {
            Some(asked) if asked > LONGEST_ASKED => None,
            Some(asked) => Some(own.max(asked)),
            None => Some(own),
        }
    }
}
