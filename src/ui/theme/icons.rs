//! The icons that are in the bundled subset of Phosphor.

pub(crate) const PLAY: &str = "\u{E3D0}";
pub(crate) const STOP: &str = "\u{E46C}";
pub(crate) const SUN: &str = "\u{E472}";
pub(crate) const MOON: &str = "\u{E330}";
pub(crate) const DICE: &str = "\u{E1EE}";
pub(crate) const CHECK: &str = "\u{E182}";
pub(crate) const CHECK_CIRCLE: &str = "\u{E184}";
pub(crate) const X_CIRCLE: &str = "\u{E4F8}";
pub(crate) const WARNING: &str = "\u{E4E2}";
pub(crate) const INFO: &str = "\u{E2CE}";
pub(crate) const MINUS: &str = "\u{E32A}";
pub(crate) const X: &str = "\u{E4F6}";
pub(crate) const CARET_RIGHT: &str = "\u{E13A}";
pub(crate) const CARET_DOWN: &str = "\u{E136}";
pub(crate) const CARET_UP: &str = "\u{E13C}";
pub(crate) const PLUS: &str = "\u{E3D4}";
pub(crate) const TRASH: &str = "\u{E4A6}";
pub(crate) const COPY: &str = "\u{E1CA}";
pub(crate) const CPU: &str = "\u{E610}";
pub(crate) const MEMORY: &str = "\u{E9C4}";
pub(crate) const GAUGE: &str = "\u{E628}";
pub(crate) const STACK: &str = "\u{E466}";
pub(crate) const CUBE: &str = "\u{E1DA}";
pub(crate) const FOLDER_OPEN: &str = "\u{E256}";
pub(crate) const PENCIL: &str = "\u{E3B4}";
pub(crate) const LADDER: &str = "\u{E9E4}";
pub(crate) const ARROW_RIGHT: &str = "\u{E06C}";
pub(crate) const ARROW_AGAIN: &str = "\u{E036}";

/// Two letters of the text: the subset has no sign for it.
pub(crate) const PAUSE: &str = "II";
