//! Models from the network: a catalogue of small ones, and any file of a model hub. Nothing is fetched unasked.
//!
//! A file comes into the folder of our own models in three steps: it is written beside its place as a part that a
//! later try goes on with, it is checked against the hub's SHA-256 and read as GGUF, and only then renamed into
//! place. A server is outside data: whatever it says about lengths, ranges, places and types is held against what
//! comes, and every wait and every repetition has an end.
//!
//! The client is `ureq` (blocking, no runtime, 28 crates), because `hf-hub` 1.0 stands on tokio, reqwest and 289
//! crates in all, and redirects, ranges and the token are to be watched step by step. The system's own certificates
//! count, so that a company's proxy is trusted here as it is in the browser.

mod catalogue;
mod control;
mod disk;
mod error;
mod fetch;
mod http;
mod kept;
mod listing;
mod network;
mod part_file;
mod patience;
mod place;
mod progress;
mod proxy;
mod reach;
mod token;
mod transfer;
mod wanted;
mod words;

#[cfg(test)]
mod tests;

pub use catalogue::{Offer, catalogue, offer};
pub use control::Control;
pub use error::{FetchError, Trouble};
pub use fetch::{Fetched, Fetcher, Order};
pub use kept::{Kept, discard, kept};
pub use network::Network;
pub use patience::Patience;
pub use progress::{Progress, Stage};
pub use wanted::{Choice, Wanted};
pub use words::{progress_text, size_text};
