//! What a search for models could not use, and why.

use std::fmt;
use std::path::PathBuf;

/// A folder or file that could not be read or used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub path: PathBuf,
    /// The tool or place in whose search it came up.
    pub found_in: String,
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.path.display();
        if self.found_in == place.to_string() {
            write!(f, "{}; {place}", self.what)
        } else {
            write!(f, "{}; {place} ({})", self.what, self.found_in)
        }
    }
}
