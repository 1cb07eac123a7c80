//! Any schema: references, combinations and types, and what is left for the other files.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::expression::Expression;
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
    pub(super) references: HashMap<String, Expression>,
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
pub(super) const NOTES: &[&str] = &[
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
pub(super) const LEFT_OUT: &[(&str, &str)] = &[
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
