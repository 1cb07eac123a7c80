//! Combinations of schemas: all of them, or one of them.

use serde_json::{Map, Value};

use super::expression::Expression;
use super::merge::{merge, without};
use super::values::{Maker, NOTES, Place, Stop};

impl Maker<'_> {
    pub(super) fn all_of(
        &mut self,
        object: &Map<String, Value>,
        all: &[Value],
        place: &Place,
    ) -> Result<Value, Stop> {
        let mut merged = Value::Object(without(object, "allOf"));
        for (idx, part) in all.iter().enumerate() {
            let part = self.followed(part, place)?;
            let there = place.under("allOf").under(&idx.to_string());
            let (all, conflicts) = match &merged {
                Value::Object(it) => merge(it, &part),
                _ => (merged.clone(), Vec::new()),
            };
            self.name_conflicts(conflicts, &there);
            merged = all;
        }
        Ok(merged)
    }

    pub(super) fn name_conflicts(&mut self, conflicts: Vec<String>, place: &Place) {
        for keyword in conflicts {
            let message = "is said twice in different ways; one of them is left out";
            self.gap(place, &keyword, message);
        }
    }

    pub(super) fn branches(
        &mut self,
        object: &Map<String, Value>,
        (keyword, branches): (&str, &[Value]),
        place: &Place,
    ) -> Result<Expression, Stop> {
        let base = without(object, keyword);
        let is_bare = base.keys().all(|it| NOTES.contains(&it.as_str()));
        if keyword == "oneOf" && !are_disjoint(branches) {
            let message = "is taken for anyOf: values that fit several branches are let through";
            self.gap(place, keyword, message);
        }
        let mut parts = Vec::new();
        for (idx, branch) in branches.iter().enumerate() {
            let there = place.under(keyword).under(&idx.to_string());
            let there = there.named(&format!("{}-{}", place.name, idx + 1));
            let part = if is_bare {
                self.value(branch, &there)
            } else {
                let followed = self.followed(branch, place)?;
                let (merged, conflicts) = merge(&base, &followed);
                self.name_conflicts(conflicts, &there);
                self.value(&merged, &there)
            };
            match part {
                Ok(it) => parts.push(it),
                Err(Stop::Nothing(_)) => {}
                Err(it) => return Err(it),
            }
        }
        if parts.is_empty() {
            return Err(Stop::Nothing(place.pointer.clone()));
        }
        Ok(Expression::choice(parts))
    }
}

/// Whether no value fits two of these branches, as far as that is plain to see.
fn are_disjoint(branches: &[Value]) -> bool {
    branches.iter().enumerate().all(|(idx, a)| {
        branches.iter().skip(idx + 1).all(|b| {
            differ(a, b)
                || a.get("properties")
                    .zip(b.get("properties"))
                    .is_some_and(|(x, y)| {
                        let both = x.as_object().into_iter().flatten();
                        both.filter(|(key, _)| is_required(a, key) && is_required(b, key))
                            .any(|(key, value)| {
                                y.get(key).is_some_and(|other| differ(value, other))
                            })
                    })
        })
    })
}

fn is_required(schema: &Value, key: &str) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    required.is_some_and(|it| it.iter().any(|it| it == key))
}

fn differ(a: &Value, b: &Value) -> bool {
    let kind = |it: &Value| {
        let kind = it.get("type").and_then(Value::as_str).map(str::to_owned);
        kind.map(|it| {
            if it == "integer" {
                "number".to_owned()
            } else {
                it
            }
        })
    };
    let constant = |it: &Value| it.get("const").cloned();
    let unlike = |a: Option<Value>, b: Option<Value>| a.zip(b).is_some_and(|(a, b)| a != b);
    kind(a).zip(kind(b)).is_some_and(|(a, b)| a != b) || unlike(constant(a), constant(b))
}
