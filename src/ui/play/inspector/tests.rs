//! What the inspector says.
