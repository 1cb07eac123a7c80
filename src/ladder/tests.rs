//! Unit tests of the ladder, one file a subject.

mod damage;
mod edits;
mod prefixes;
mod rungs;
mod stream;
mod work;
