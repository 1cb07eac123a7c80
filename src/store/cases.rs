//! The regression set: replies with what must come of them, as lines that `climb --lines` runs.

use std::path::Path;

use serde_json::Value;

use super::StoreError;
use super::lines::append_line;

/// Adds a case at the end; those that are there stay as they are, also those written by hand.
pub fn append_case(path: &Path, case: &Value) -> Result<(), StoreError> {
    append_line(path, case, "cannot save the case")
}
