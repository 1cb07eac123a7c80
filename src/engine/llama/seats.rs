//! The sequences of one context, side by side: what two of them begin with is evaluated once, and copied.

use super::context::Context;
use super::row::Place;
use super::rows::common;
use super::watch::{DecodeError, Watch};
use crate::sampling::TokenId;

/// A copy takes about as long as a few tokens, so less than this is evaluated again.
const LEAST_SHARED: usize = 8;

pub(super) struct Seats {
    context: Context,
    seats: Vec<Seat>,
}

/// One sequence. What a reply that has ended leaves behind stays until the seat is taken again.
#[derive(Clone, Debug, Default)]
struct Seat {
    evaluated: Vec<TokenId>,
    /// The token that comes behind them.
    next: TokenId,
}

impl Seats {
    pub(super) fn new(context: Context) -> Self {
        let n_seats = context.settings().n_sequences as usize;
        Self {
            seats: vec![Seat::default(); n_seats],
            context,
        }
    }

    /// Makes a seat ready for a reply to this prompt, and gives how many of its tokens were evaluated already, in
    /// whichever seat. The prompt's last token is left for the first step.
    pub(super) fn begin(
        &mut self,
        (seat, prompt): (usize, &[TokenId]),
        watch: &Watch,
        tell: &mut dyn FnMut(usize),
    ) -> Result<usize, DecodeError> {
        let Some((last, before)) = prompt.split_last() else {
            let n_batch = self.context.settings().n_batch;
            return Err(DecodeError::BatchSize {
                n_tokens: 0,
                n_batch,
            });
        };
        let n_kept = self.share(seat, before);
        let sequence = seat as u32;
        for row in before[n_kept..].chunks(self.context.settings().n_batch as usize) {
            let n_done = self.seats[seat].evaluated.len();
            let place = |(position, token): (u32, &TokenId)| Place {
                token: *token,
                position,
                sequence,
                wants_logits: false,
            };
            let places: Vec<Place> = (n_done as u32..).zip(row).map(place).collect();
            if let Err(error) = self.context.decode(&places, watch) {
                self.seats[seat].evaluated.clear();
                self.context.forget(sequence, 0);
                return Err(error);
            }
            self.seats[seat].evaluated.extend_from_slice(row);
            tell(n_done + row.len());
        }
        self.put(seat, *last);
        Ok(n_kept)
    }

    /// The token that a seat's next step evaluates.
    pub(super) fn put(&mut self, seat: usize, token: TokenId) {
        self.seats[seat].next = token;
    }

    /// Moves a reply to a free seat.
    pub(super) fn relocate(&mut self, from: usize, to: usize) {
        self.context.forget(to as u32, 0);
        self.context.copy(from as u32, to as u32);
        self.context.forget(from as u32, 0);
        self.seats[to] = std::mem::take(&mut self.seats[from]);
    }

    /// Evaluates the next token of each of these seats, which stand next to each other in their order; gives the logits
    /// behind it.
    pub(super) fn step(
        &mut self,
        seats: &[usize],
        watch: &Watch,
    ) -> Result<Vec<&[f32]>, DecodeError> {
        let place = |idx: &usize| Place {
            token: self.seats[*idx].next,
            position: self.seats[*idx].evaluated.len() as u32,
            sequence: *idx as u32,
            wants_logits: true,
        };
        let row: Vec<Place> = seats.iter().map(place).collect();
        self.context.decode(&row, watch)?;
        for place in &row {
            let seat = &mut self.seats[place.sequence as usize];
            seat.evaluated.push(place.token);
        }
        Ok(self.context.logits())
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.context.clear();
        self.seats.fill_with(Seat::default);
    }

    /// Gives the seat what another one, or itself, has of the prompt's beginning, and says how much that is.
    fn share(&mut self, seat: usize, prompt: &[TokenId]) -> usize {
        let n_common = |it: &Seat| common(&it.evaluated, prompt);
        let n_own = n_common(&self.seats[seat]);
        let shares = self.seats.iter().map(n_common).enumerate();
        let best = shares.max_by_key(|it| it.1);
        let best = best.filter(|it| it.1 >= n_own + LEAST_SHARED);
        let (source, mut n_kept) = best.unwrap_or((seat, n_own));
        let sequence = seat as u32;
        if source != seat {
            self.context.forget(sequence, 0);
            if n_kept > 0 {
                self.context.copy(source as u32, sequence);
            }
        }
        if !self.context.forget(sequence, n_kept as u32) {
            self.context.forget(sequence, 0);
            n_kept = 0;
        }
        self.seats[seat].evaluated = prompt[..n_kept].to_vec();
        n_kept
    }
}
