//! The honesty report: which keywords of a schema the mask enforces, and which it does not.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::keywords::{Kind, kind_of, note_of};
use super::schema_bounds::below;

/// What becomes of a keyword while a reply is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Enforcement {
    /// No reply that breaks it can be written.
    Enforced,
    /// The validator judges it when the reply is there.
    CheckedAfterwards,
    /// Nothing looks at it.
    NotChecked,
}

/// One keyword at one place of a schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeywordReport {
    /// JSON pointer of the keyword.
    pub pointer: String,
    pub keyword: String,
    pub enforcement: Enforcement,
    /// What else is to be known of it; often empty.
    pub note: String,
}

/// What may be shown beside a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Badge {
    /// Every reply that ends fulfils all of it.
    Enforced,
    /// It is held to in part; the rest is judged afterwards.
    Partly,
    /// There is no constraint, or it cannot be used.
    None,
}

/// Every keyword of a schema in the order of its text. Titles and other notes to people are left out.
pub fn report(schema: &Value) -> Vec<KeywordReport> {
    let mut res = Vec::new();
    visit(schema, "", &mut res);
    res
}

impl Enforcement {
    /// As it is said of a keyword.
    pub fn words(self) -> &'static str {
        match self {
            Self::Enforced => "enforced by the mask",
            Self::CheckedAfterwards => "checked afterwards",
            Self::NotChecked => "not checked",
        }
    }
}

impl KeywordReport {
    /// What is to be said of a keyword that is not enforced; none for one that is.
    pub fn warning(&self) -> Option<String> {
        let fate = match self.enforcement {
            Enforcement::Enforced => return None,
            Enforcement::NotChecked => "not checked at all",
            Enforcement::CheckedAfterwards => {
                "checked when the reply is there, not enforced by the mask"
            }
        };
        let note = if self.note.is_empty() {
            String::new()
        } else {
            format!(" ({})", self.note)
        };
        Some(format!(
            "{} at {} is {fate}{note}.",
            self.keyword, self.pointer
        ))
    }

    /// What the keyword is set to.
    pub(super) fn value<'s>(&self, schema: &'s Value) -> Option<&'s Value> {
        schema.pointer(&self.pointer)
    }
}

fn visit(schema: &Value, pointer: &str, acc: &mut Vec<KeywordReport>) {
    let Some(object) = schema.as_object() else {
        return;
    };
    for (keyword, value) in object {
        let kind = kind_of(keyword);
        let here = below(pointer, keyword);
        if let Some((enforcement, note)) = note_of(keyword, value, object) {
            acc.push(KeywordReport {
                pointer: here.clone(),
                keyword: keyword.clone(),
                enforcement,
                note: note.to_owned(),
            });
        }
        match (kind, value) {
            (Kind::SchemaMap, Value::Object(schemas)) => {
                for (name, value) in schemas {
                    visit(value, &below(&here, name), acc);
                }
            }
            (Kind::Schema, Value::Array(schemas)) => {
                for (value, idx) in schemas.iter().zip(0..) {
                    visit(value, &format!("{here}/{idx}"), acc);
                }
            }
            (Kind::Schema, _) => visit(value, &here, acc),
            _ => {}
        }
    }
}
