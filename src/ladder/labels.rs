//! What rungs and edits are called on the screen and in the terminal.

use super::{RepairKind, Rung};

impl Rung {
    /// All rungs, lowest first.
    pub const ALL: [Self; 4] = [Self::AsIs, Self::Fences, Self::Cut, Self::Repair];

    pub fn label(self) -> &'static str {
        match self {
            Self::AsIs => "as is",
            Self::Fences => "strip fences",
            Self::Cut => "cut out the JSON",
            Self::Repair => "repair",
        }
    }
}

impl RepairKind {
    /// The name in files, with spaces.
    pub fn label(self) -> String {
        let name = serde_json::to_value(self).unwrap_or_default();
        name.as_str().unwrap_or_default().replace('_', " ")
    }
}
