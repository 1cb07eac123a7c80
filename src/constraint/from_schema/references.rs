//! References inside a schema, each of which becomes a rule.

use serde_json::{Map, Value};

use super::expression::Expression;
use super::merge::{merge, without};
use super::values::{Maker, NOTES, Place, Stop, about};
use crate::constraint::ConstraintError;
use crate::constraint::schema_bounds::below;

/// References that lead to a reference.
const MAX_HOPS: usize = 20;

impl Maker<'_> {
    pub(super) fn referred(
        &mut self,
        object: &Map<String, Value>,
        reference: &Value,
        place: &Place,
    ) -> Result<Expression, Stop> {
        let (pointer, target) = self.target(reference, place)?;
        let beside = object
            .keys()
            .filter(|it| *it != "$ref" && !NOTES.contains(&it.as_str()));
        if beside.count() > 0 {
            let merged = merge(&without(object, "$ref"), &target);
            self.name_conflicts(merged.1, place);
            return self.value(&merged.0, &place.under("$ref"));
        }
        if let Some(known) = self.references.get(&pointer) {
            return Ok(known.clone());
        }
        let name = pointer.rsplit('/').next().filter(|it| !it.is_empty());
        let name = name.unwrap_or("answer").to_owned();
        let (slot, rule) = self.rules.reserve(&name, &about(&target));
        self.references.insert(pointer.clone(), rule.clone());
        let there = Place {
            pointer,
            name: format!("{name}-value"),
            depth: place.depth + 1,
        };
        match self.value(&target, &there) {
            Ok(body) => {
                self.rules.fill(slot, body);
                Ok(rule)
            }
            Err(it) => {
                self.rules.drop(slot);
                Err(it)
            }
        }
    }

    /// What a reference inside the schema leads to.
    pub(super) fn target(&self, reference: &Value, place: &Place) -> Result<(String, Value), Stop> {
        let text = reference.as_str().unwrap_or_default();
        let pointer = text.strip_prefix('#').map(decoded);
        let found = pointer.and_then(|it| {
            let target = self.schema.pointer(&it)?.clone();
            Some((it, target))
        });
        found.ok_or_else(|| {
            Stop::Fault(ConstraintError {
                within: Some(below(&place.pointer, "$ref")),
                ..ConstraintError::new(format!(
                    "the reference {text:?} leads nowhere in this schema; expected # and a JSON pointer"
                ))
            })
        })
    }

    /// A branch without the reference that it may be.
    pub(super) fn followed(&self, part: &Value, place: &Place) -> Result<Value, Stop> {
        let mut part = part.clone();
        for _ in 0..MAX_HOPS {
            let Some(reference) = part.get("$ref").filter(|_| is_lone(&part)) else {
                break;
            };
            part = self.target(reference, place)?.1;
        }
        Ok(part)
    }
}

fn is_lone(schema: &Value) -> bool {
    schema.as_object().is_some_and(|it| {
        it.keys()
            .all(|key| key == "$ref" || NOTES.contains(&key.as_str()))
    })
}

/// A fragment's percent signs undone.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = tail.get(..2).filter(|_| *first == b'%');
        let code = code.and_then(|it| u8::from_str_radix(std::str::from_utf8(it).ok()?, 16).ok());
        if let Some(byte) = code {
            bytes.push(byte);
            rest = tail.get(2..).unwrap_or_default();
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
