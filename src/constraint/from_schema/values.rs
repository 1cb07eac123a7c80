//! Any schema: references, combinations and types, and what is left for the other files.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::expression::Expression;
use super::merge::{merge, without};
use super::rules::Basic;
use super::{Gap, Rules};
use crate::constraint::schema_bounds::below;
use crate::constraint::{ConstraintError, WhiteSpace};

/// Makes the rules of one schema.
pub(super) struct Maker<'s> {
    pub(super) schema: &'s Value,
    pub(super) rules: Rules,
    pub(super) gaps: Vec<Gap>,
    /// The rules of what is referred to, by pointer.
    references: HashMap<String, Expression>,
    n_left: usize,
}

/// Where a schema stands, and what its rule is to be called.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) pointer: String,
    pub(super) name: String,
    pub(super) depth: usize,
}

/// Why there is no expression.
pub(super) enum Stop {
    /// No value fits the schema at this pointer.
    Nothing(String),
    Fault(ConstraintError),
}

/// Schemas that one grammar may be made of, references and branches counted each time.
const MAX_SCHEMAS: usize = 5_000;
/// Schemas inside schemas, references followed.
const MAX_DEPTH: usize = 200;
/// Keywords that say something to people alone.
const NOTES: &[&str] = &[
    "title",
    "description",
    "default",
    "examples",
    "example",
    "$comment",
    "$schema",
    "$id",
    "id",
    "$anchor",
    "$defs",
    "definitions",
    "readOnly",
    "writeOnly",
    "deprecated",
];
/// Keywords that no grammar is made to hold to, with what is let through.
const LEFT_OUT: &[(&str, &str)] = &[
    ("not", "is left out: what it forbids is let through"),
    ("if", "is left out"),
    ("then", "is left out"),
    ("else", "is left out"),
    ("dependentRequired", "is left out"),
    ("dependentSchemas", "is left out"),
    ("dependencies", "is left out"),
    ("propertyNames", "is left out: any name is let through"),
    (
        "patternProperties",
        "is left out: such names are treated as other names",
    ),
    ("unevaluatedProperties", "is left out"),
    ("unevaluatedItems", "is left out"),
    ("uniqueItems", "is left out: equal items are let through"),
    ("contains", "is left out"),
    ("minContains", "is left out"),
    ("maxContains", "is left out"),
    ("multipleOf", "is left out: any number is let through"),
    ("$dynamicRef", "is left out"),
    ("$recursiveRef", "is left out"),
];
const TYPES: &[&str] = &["object", "array", "string", "number", "boolean", "null"];

impl Place {
    pub(super) fn root() -> Self {
        Self {
            pointer: String::new(),
            name: "answer".to_owned(),
            depth: 0,
        }
    }

    /// A schema under a key of this one.
    pub(super) fn under(&self, key: &str) -> Self {
        Self {
            pointer: below(&self.pointer, key),
            name: self.name.clone(),
            depth: self.depth + 1,
        }
    }

    pub(super) fn named(self, name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ..self
        }
    }
}

impl<'s> Maker<'s> {
    pub(super) fn new(schema: &'s Value, white_space: WhiteSpace) -> Self {
        Self {
            schema,
            rules: Rules::new(white_space),
            gaps: Vec::new(),
            references: HashMap::new(),
            n_left: MAX_SCHEMAS,
        }
    }

    pub(super) fn finish(mut self) -> (Rules, Vec<Gap>) {
        let mut seen = std::collections::HashSet::new();
        self.gaps
            .retain(|it| seen.insert((it.pointer.clone(), it.message.clone())));
        (self.rules, self.gaps)
    }

    /// What may be written for a value of a schema.
    pub(super) fn value(&mut self, schema: &Value, place: &Place) -> Result<Expression, Stop> {
        if self.n_left == 0 || place.depth > MAX_DEPTH {
            return Err(Stop::Fault(ConstraintError {
                within: Some(place.pointer.clone()),
                ..ConstraintError::new(
                    "the schema unfolds into too many schemas; expected fewer branches or references",
                )
            }));
        }
        self.n_left -= 1;
        let object = match schema {
            Value::Object(object) => object,
            Value::Bool(false) => return Err(Stop::Nothing(place.pointer.clone())),
            _ => return Ok(self.rules.basic(Basic::Value)),
        };
        self.name_left_out(object, place);
        if let Some(reference) = object.get("$ref") {
            return self.referred(object, reference, place);
        }
        if let Some(value) = object.get("const") {
            return self.constants(std::slice::from_ref(value), (object, "const"), place);
        }
        if let Some(Value::Array(values)) = object.get("enum") {
            return self.constants(values, (object, "enum"), place);
        }
        if let Some(Value::Array(all)) = object.get("allOf") {
            let merged = self.all_of(object, all, place)?;
            return self.value(&merged, place);
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = object.get(keyword) {
                return self.branches(object, (keyword, branches), place);
            }
        }
        self.of_types(object, place)
    }

    pub(super) fn gap(&mut self, place: &Place, keyword: &str, message: &str) {
        self.gaps.push(Gap {
            pointer: below(&place.pointer, keyword),
            message: message.to_owned(),
        });
    }

    fn name_left_out(&mut self, object: &Map<String, Value>, place: &Place) {
        for (keyword, value) in object {
            let found = LEFT_OUT.iter().find(|it| it.0 == keyword);
            let is_idle = *value == Value::Bool(false) && keyword == "uniqueItems";
            if let Some((_, message)) = found.filter(|_| !is_idle) {
                self.gap(place, keyword, message);
            }
        }
    }

    fn referred(
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

    fn constants(
        &mut self,
        values: &[Value],
        (object, keyword): (&Map<String, Value>, &str),
        place: &Place,
    ) -> Result<Expression, Stop> {
        let fits = |value: &&Value| object.get("type").is_none_or(|it| is_of(value, it));
        let values: Vec<&Value> = values.iter().filter(fits).collect();
        for other in object.keys() {
            let is_known = other == keyword || other == "type" || NOTES.contains(&other.as_str());
            if !is_known && !LEFT_OUT.iter().any(|it| it.0 == other) {
                self.gap(place, other, "is left out beside a list of values");
            }
        }
        if values.is_empty() {
            return Err(Stop::Nothing(place.pointer.clone()));
        }
        let parts: Vec<Expression> = values.iter().map(|it| self.constant(it)).collect();
        let n_parts = parts.len();
        let body = Expression::choice(parts);
        if n_parts < 2 {
            return Ok(body);
        }
        let (slot, rule) = self.rules.reserve(&place.name, &about_map(object));
        self.rules.fill(slot, body);
        Ok(rule)
    }

    /// One value, with the white space that may stand inside it.
    fn constant(&mut self, value: &Value) -> Expression {
        match value {
            Value::Array(items) => {
                let items: Vec<Expression> = items.iter().map(|it| self.constant(it)).collect();
                self.listed(("[", "]"), items)
            }
            Value::Object(fields) => {
                let fields: Vec<Expression> = fields
                    .iter()
                    .map(|(key, value)| {
                        let value = self.constant(value);
                        self.member(key, value)
                    })
                    .collect();
                self.listed(("{", "}"), fields)
            }
            _ => Expression::literal(&value.to_string()),
        }
    }

    fn listed(&mut self, (open, close): (&str, &str), parts: Vec<Expression>) -> Expression {
        let mut res = vec![Expression::literal(open), self.rules.blank()];
        for (idx, part) in parts.into_iter().enumerate() {
            if idx > 0 {
                res.push(self.comma());
            }
            res.push(part);
        }
        res.push(self.rules.blank());
        res.push(Expression::literal(close));
        Expression::sequence(res)
    }

    fn all_of(
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

    /// A branch without the reference that it may be.
    fn followed(&self, part: &Value, place: &Place) -> Result<Value, Stop> {
        let mut part = part.clone();
        for _ in 0..MAX_HOPS {
            let Some(reference) = part.get("$ref").filter(|_| is_lone(&part)) else {
                break;
            };
            part = self.target(reference, place)?.1;
        }
        Ok(part)
    }

    fn name_conflicts(&mut self, conflicts: Vec<String>, place: &Place) {
        for keyword in conflicts {
            let message = "is said twice in different ways; one of them is left out";
            self.gap(place, &keyword, message);
        }
    }

    fn branches(
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

    fn of_types(&mut self, object: &Map<String, Value>, place: &Place) -> Result<Expression, Stop> {
        let types: Vec<&str> = match object.get("type") {
            Some(Value::String(it)) => vec![it.as_str()],
            Some(Value::Array(it)) => it.iter().filter_map(Value::as_str).collect(),
            _ if !object.keys().any(|it| is_of_some_type(it)) => {
                return Ok(self.rules.basic(Basic::Value));
            }
            _ => TYPES.to_vec(),
        };
        let mut parts = Vec::new();
        for kind in &types {
            let part = match *kind {
                "object" => self.object(object, place),
                "array" => self.array(object, place),
                "string" => self.string(object, place),
                "number" | "integer" => self.number(object, *kind == "integer", place),
                "boolean" => Ok(self.rules.basic(Basic::Boolean)),
                "null" => Ok(self.rules.basic(Basic::Null)),
                _ => {
                    let message = format!("the type {kind:?} is none of JSON's");
                    return Err(Stop::Fault(ConstraintError {
                        within: Some(below(&place.pointer, "type")),
                        ..ConstraintError::new(message)
                    }));
                }
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

/// References that lead to a reference.
const MAX_HOPS: usize = 20;

/// What a schema says of itself to people.
pub(super) fn about(schema: &Value) -> String {
    schema.as_object().map(about_map).unwrap_or_default()
}

pub(super) fn about_map(object: &Map<String, Value>) -> String {
    let text = |key: &str| object.get(key).and_then(Value::as_str);
    text("description")
        .or_else(|| text("title"))
        .unwrap_or_default()
        .to_owned()
}

/// Whether a keyword says something of one type alone, so that a schema without a type means all the others too.
fn is_of_some_type(keyword: &str) -> bool {
    !NOTES.contains(&keyword)
        && !keyword.starts_with("x-")
        && !matches!(keyword, "not" | "if" | "then" | "else")
}

fn is_lone(schema: &Value) -> bool {
    schema.as_object().is_some_and(|it| {
        it.keys()
            .all(|key| key == "$ref" || NOTES.contains(&key.as_str()))
    })
}

fn is_of(value: &Value, kind: &Value) -> bool {
    match kind {
        Value::Array(kinds) => kinds.iter().any(|it| is_of(value, it)),
        _ => match kind.as_str().unwrap_or_default() {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "string" => value.is_string(),
            "number" => value.is_number(),
            "integer" => value.is_i64() || value.is_u64(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            _ => false,
        },
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

/// A fragment's percent signs undone.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = tail.get(..2).filter(|_| *first == b'%');
        let code = code.and_then(|it| u8::from_str_radix(std::str::from_utf8(it).ok()?, 16).ok());
        match code {
            Some(byte) => {
                bytes.push(byte);
                rest = tail.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
