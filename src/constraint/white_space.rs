//! How much white space is let through between tokens of JSON.

use serde::{Deserialize, Serialize};

/// The most characters of white space at one place, between tokens of JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub enum WhiteSpace {
    None,
    /// At most one character.
    One,
    /// At most this many characters, from 2 to [`WhiteSpace::MOST`].
    UpTo(u32),
    Free,
}

/// As files and records hold it.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Written {
    None,
    One,
    Eight,
    Free,
    UpTo(u32),
}

impl WhiteSpace {
    /// Room for indentation, none for a loop.
    pub const EIGHT: Self = Self::UpTo(8);

    /// The largest bound; beyond it there is little left to bound.
    pub const MOST: u32 = 1_000;

    /// The policy with this bound.
    ///
    /// # Errors
    /// A sentence: the bound is larger than [`Self::MOST`].
    pub fn up_to(n: u32) -> Result<Self, String> {
        match n {
            0 => Ok(Self::None),
            1 => Ok(Self::One),
            2..=Self::MOST => Ok(Self::UpTo(n)),
            _ => Err(format!(
                "white space is bounded by {n}; the largest bound is {}, or it is free",
                Self::MOST
            )),
        }
    }

    /// The bound; none where there is none.
    pub fn most(self) -> Option<u32> {
        match self {
            Self::None => Some(0),
            Self::One => Some(1),
            Self::UpTo(n) => Some(n),
            Self::Free => None,
        }
    }
}

impl Default for WhiteSpace {
    fn default() -> Self {
        Self::EIGHT
    }
}

impl std::fmt::Display for WhiteSpace {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self::None => out.write_str("none"),
            Self::One => out.write_str("one"),
            Self::EIGHT => out.write_str("eight"),
            Self::UpTo(n) => write!(out, "{n}"),
            Self::Free => out.write_str("free"),
        }
    }
}

impl std::str::FromStr for WhiteSpace {
    type Err = String;

    /// A name or a number, as [`Self`] is displayed.
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "none" => Ok(Self::None),
            "one" => Ok(Self::One),
            "eight" => Ok(Self::EIGHT),
            "free" => Ok(Self::Free),
            _ => match text.parse() {
                Ok(n) => Self::up_to(n),
                Err(_) => Err(format!(
                    "{text:?} is no white space policy; expected none, one, eight, free or a number"
                )),
            },
        }
    }
}

impl From<WhiteSpace> for Written {
    fn from(it: WhiteSpace) -> Self {
        match it {
            WhiteSpace::None => Self::None,
            WhiteSpace::One => Self::One,
            WhiteSpace::EIGHT => Self::Eight,
            WhiteSpace::UpTo(n) => Self::UpTo(n),
            WhiteSpace::Free => Self::Free,
        }
    }
}

impl TryFrom<Written> for WhiteSpace {
    type Error = String;

    fn try_from(it: Written) -> Result<Self, String> {
        match it {
            Written::None => Ok(Self::None),
            Written::One => Ok(Self::One),
            Written::Eight => Ok(Self::EIGHT),
            Written::Free => Ok(Self::Free),
            Written::UpTo(n) => Self::up_to(n),
        }
    }
}
