//! How a schema is held to, beside its white space.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{ConstraintError, WhiteSpace};

/// Switches of the schema's mask. Neutral ones are left out of files and records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SchemaSwitches {
    /// Lets a schema in whose keywords the mask cannot all hold to. Then the mask is weaker than the schema.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub lenient: bool,
    /// Takes `oneOf` for `anyOf` where its branches may overlap.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub one_of_as_any_of: bool,
    /// What stands between items: a comma, with white space that must be there.
    #[serde(skip_serializing_if = "is_comma")]
    pub item_separator: String,
    /// What stands between a key and its value: a colon, with white space that must be there.
    #[serde(skip_serializing_if = "is_colon")]
    pub key_separator: String,
}

impl Default for SchemaSwitches {
    fn default() -> Self {
        Self {
            lenient: false,
            one_of_as_any_of: false,
            item_separator: ",".to_owned(),
            key_separator: ":".to_owned(),
        }
    }
}

impl SchemaSwitches {
    /// Whether nothing is switched.
    pub fn is_neutral(&self) -> bool {
        *self == Self::default()
    }

    /// The options of the schema compiler.
    ///
    /// # Errors
    /// A separator that would not be JSON.
    pub(super) fn options(
        &self,
        white_space: WhiteSpace,
    ) -> Result<Map<String, Value>, ConstraintError> {
        let mut res = Map::new();
        match white_space {
            WhiteSpace::None => {
                res.insert("whitespace_flexible".to_owned(), json!(false));
            }
            WhiteSpace::One => {
                res.insert("whitespace_pattern".to_owned(), json!(BLANK));
            }
            WhiteSpace::UpTo(n) => {
                let pattern = format!("{BLANK}{{1,{n}}}");
                res.insert("whitespace_pattern".to_owned(), json!(pattern));
            }
            WhiteSpace::Free => {
                res.insert("whitespace_flexible".to_owned(), json!(true));
            }
        }
        if self.lenient {
            res.insert("lenient".to_owned(), json!(true));
        }
        if self.one_of_as_any_of {
            res.insert("coerce_one_of".to_owned(), json!(true));
        }
        self.check()?;
        let pattern = |text: &str| {
            let escaped = text.chars().map(|it| format!("\\x{:02X}", u32::from(it)));
            json!(escaped.collect::<String>())
        };
        if !is_comma(&self.item_separator) {
            res.insert("item_separator".to_owned(), pattern(&self.item_separator));
        }
        if !is_colon(&self.key_separator) {
            res.insert("key_separator".to_owned(), pattern(&self.key_separator));
        }
        Ok(res)
    }

    /// # Errors
    /// A separator that would not be JSON.
    pub(super) fn check(&self) -> Result<(), ConstraintError> {
        for (name, sign, text) in [
            ("item separator", ",", &self.item_separator),
            ("key separator", ":", &self.key_separator),
        ] {
            if text.trim_matches([' ', '\t', '\n', '\r']) != sign || text.len() > MAX_SEPARATOR {
                return Err(ConstraintError::new(format!(
                    "the {name} is {text:?}; expected {sign:?} with at most {MAX_SEPARATOR} characters, the others white space"
                )));
            }
        }
        Ok(())
    }
}

/// One character that JSON takes for white space.
const BLANK: &str = r"[\x20\x0A\x0D\x09]";
/// Longest separator, in characters.
const MAX_SEPARATOR: usize = 16;

fn is_comma(text: &str) -> bool {
    text == ","
}

fn is_colon(text: &str) -> bool {
    text == ":"
}
