//! Makes a grammar of a schema, to be read and edited by hand.

mod arrays;
mod branches;
mod constants;
mod expression;
mod formats;
mod merge;
mod numbers;
mod objects;
mod other_keys;
mod pattern_reader;
mod patterns;
mod ranges;
mod references;
mod rules;
mod strings;
mod values;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::gbnf::Plan;
use super::schema_bounds::check_bounds;
use super::{ConstraintError, WhiteSpace};
use rules::Rules;
use values::{Maker, Place, Stop};

/// A grammar that was made of a schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MadeGrammar {
    /// In GBNF.
    pub text: String,
    /// What the grammar does not hold to.
    pub gaps: Vec<Gap>,
}

/// A keyword that a grammar was not made to hold to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    /// JSON pointer of the keyword in the schema.
    pub pointer: String,
    /// What is let through, or refused beyond need.
    pub message: String,
}

/// Makes a grammar whose rules are named for the properties they stand for, in the order of the schema.
///
/// # Errors
/// No value fits the schema, a reference leads nowhere, or the grammar would be too large; with the pointer.
pub fn schema_to_gbnf(
    schema: &Value,
    white_space: WhiteSpace,
) -> Result<MadeGrammar, ConstraintError> {
    check_bounds(schema)?;
    let mut maker = Maker::new(schema, white_space);
    let place = Place::root();
    let root = maker.value(schema, &place).map_err(|it| match it {
        Stop::Nothing(pointer) => ConstraintError {
            within: Some(pointer),
            ..ConstraintError::new("no value fits the schema")
        },
        Stop::Fault(error) => error,
    })?;
    let (rules, gaps) = maker.finish();
    let text = rules.text(&root, &gaps);
    Plan::new(&text).map_err(|it| ConstraintError {
        within: None,
        place: None,
        message: format!("no grammar can be made of the schema: {}", it.message),
    })?;
    Ok(MadeGrammar { text, gaps })
}
