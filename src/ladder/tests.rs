//! Unit tests of the ladder, one file a subject.

mod damage;
mod differential;
mod edits;
mod log;
mod prefixes;
mod rungs;
mod seeds;
mod stream;
mod work;
