//! Downloads against a server of the tests' own that cuts, lies, redirects, throttles and refuses.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod choosing;
mod command;
mod hub;
mod lying;
mod redirects;
mod refusing;
mod resuming;
mod server;
mod together;
