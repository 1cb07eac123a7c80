//! The typeface of the window and of the charts, which is part of the program.

/// Inter, upright, with all weights.
pub(crate) static INTER: &[u8] = include_bytes!("../assets/Inter-var.ttf");
