//! The honesty report: which keywords of a schema the mask enforces, and which it does not.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::keywords::{Kind, kind_of, note_of};
use super::schema_bounds::below;
use super::{Constraint, check, schema};

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

/// The badge of a constraint; [`Badge::None`] for one that does not compile.
pub fn badge(constraint: &Constraint) -> Badge {
    if check(constraint).is_err() {
        return Badge::None;
    }
    match constraint {
        Constraint::None => Badge::None,
        Constraint::Grammar { .. } => Badge::Enforced,
        Constraint::Schema { text, .. } => {
            let all_enforced = schema::read(text).is_ok_and(|it| {
                report(&it)
                    .iter()
                    .all(|it| it.enforcement == Enforcement::Enforced)
            });
            if all_enforced {
                Badge::Enforced
            } else {
                Badge::Partly
            }
        }
    }
}

/// A warning for each keyword that is not enforced.
pub(super) fn sentences(schema: &Value) -> Vec<String> {
    report(schema)
        .into_iter()
        .filter(|it| it.enforcement != Enforcement::Enforced)
        .map(|it| {
            let fate = match it.enforcement {
                Enforcement::NotChecked => "not checked at all",
                _ => "checked when the reply is there, not enforced by the mask",
            };
            let note = if it.note.is_empty() {
                String::new()
            } else {
                format!(" ({})", it.note)
            };
            format!("{} at {} is {fate}{note}.", it.keyword, it.pointer)
        })
        .collect()
}

impl KeywordReport {
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
