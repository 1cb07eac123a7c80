//! Takes a schema out of the shapes in which programs hand schemas to a model.

use serde_json::{Map, Value, json};

use super::ConstraintError;
use super::schema_bounds::{below, check_bounds};

/// A schema as it was found in a text.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadSchema {
    pub schema: Value,
    /// What the text is, such as `JSON Schema` or `response_format of type json_schema`.
    pub shape: String,
    /// JSON pointer of the schema in the text; empty for a bare schema.
    pub pointer: String,
    /// The name that goes with the schema.
    pub name: Option<String>,
    /// Pointers of the keys around the schema that mean nothing here.
    pub unread: Vec<String>,
}

/// Bytes of schema text.
const MAX_TEXT: usize = 1_000_000;
/// Envelopes inside envelopes.
const MAX_ENVELOPES: usize = 6;

/// Reads a schema: bare, as a `response_format`, inside a whole request, or as a tool's parameters.
///
/// # Errors
/// The text is no JSON, holds no schema, or is too large, with the place.
pub fn read_schema(text: &str) -> Result<ReadSchema, ConstraintError> {
    let value = parse(text)?;
    let mut opened = Opened::default();
    let schema = opened.open(value)?;
    if !schema.is_object() && !schema.is_boolean() {
        let message = "a schema is an object in braces, `true` or `false`";
        return Err(if opened.pointer.is_empty() {
            ConstraintError::at(1, 1, message)
        } else {
            ConstraintError {
                within: Some(opened.pointer),
                ..ConstraintError::new(message)
            }
        });
    }
    check_bounds(&schema)?;
    Ok(ReadSchema {
        schema,
        shape: if opened.shapes.is_empty() {
            "JSON Schema".to_owned()
        } else {
            opened.shapes.join(", ")
        },
        pointer: opened.pointer,
        name: opened.name,
        unread: opened.unread,
    })
}

fn parse(text: &str) -> Result<Value, ConstraintError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        return Err(ConstraintError::at(
            1,
            1,
            "the schema is empty; expected `{`",
        ));
    }
    if text.len() > MAX_TEXT {
        let n = text.len();
        let message = format!("the schema has {n} bytes, at most {MAX_TEXT} are read");
        return Err(ConstraintError::at(1, 1, message));
    }
    serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        let end = message.rfind(" at line ").unwrap_or(message.len());
        let message = message.get(..end).unwrap_or(&message);
        ConstraintError::at(
            error.line(),
            error.column().max(1),
            format!("the schema is not JSON: {message}"),
        )
    })
}

/// How an envelope is recognised, and where in it the schema is.
struct Shape {
    /// What it is called.
    title: &'static str,
    /// The key that holds the schema or a further envelope, as a path.
    path: &'static [&'static str],
    /// What must stand under `type`; empty for anything.
    kinds: &'static [&'static str],
}

const fn shape(title: &'static str, path: &'static [&'static str]) -> Shape {
    Shape {
        title,
        path,
        kinds: &[],
    }
}

/// In this order: the first whose path is there is taken.
const SHAPES: &[Shape] = &[
    shape("request with a response_format", &["response_format"]),
    shape("request with a text format", &["text", "format"]),
    shape(
        "request with an output format",
        &["output_config", "format"],
    ),
    shape("request with an output format", &["output_format"]),
    shape("request with guided_json", &["guided_json"]),
    shape("request with guided_json", &["extra_body", "guided_json"]),
    shape(
        "request with structured outputs",
        &["structured_outputs", "json"],
    ),
    shape(
        "request with structured outputs",
        &["extra_body", "structured_outputs", "json"],
    ),
    shape(
        "request with a response schema",
        &["generationConfig", "responseJsonSchema"],
    ),
    shape(
        "request with a response schema",
        &["generationConfig", "responseSchema"],
    ),
    Shape {
        title: "response_format of type json_schema",
        path: &["json_schema", "schema"],
        kinds: &["json_schema", ""],
    },
    Shape {
        title: "response_format of type json_schema",
        path: &["schema"],
        kinds: &["json_schema"],
    },
    Shape {
        title: "response_format of type json_schema",
        path: &["json_schema"],
        kinds: &["json_schema", ""],
    },
    Shape {
        title: "response_format of type json_object",
        path: &["schema"],
        kinds: &["json_object", "json"],
    },
    Shape {
        title: "preset with structured output",
        path: &["jsonSchema"],
        kinds: &["json", ""],
    },
    Shape {
        title: "tool",
        path: &["function", "parameters"],
        kinds: &["function", ""],
    },
    Shape {
        title: "tool",
        path: &["parameters"],
        kinds: &["function", ""],
    },
    shape("tool", &["input_schema"]),
    Shape {
        title: "request with a format",
        path: &["format"],
        kinds: &[""],
    },
    Shape {
        title: "named schema",
        path: &["schema"],
        kinds: &[""],
    },
];

/// Keys around a schema that say what it is, or what it is for, and nothing of its shape.
const READ: &[&str] = &[
    "type",
    "name",
    "description",
    "strict",
    "model",
    "messages",
    "input",
    "prompt",
    "stream",
    "tool_choice",
    "id",
];

/// Keys that only a schema has: where one of them is, there is no envelope.
const OF_SCHEMA: &[&str] = &[
    "$schema",
    "$ref",
    "$defs",
    "definitions",
    "properties",
    "items",
    "prefixItems",
    "anyOf",
    "oneOf",
    "allOf",
    "enum",
    "const",
    "required",
    "additionalProperties",
];
const TYPES: &[&str] = &[
    "object", "array", "string", "number", "integer", "boolean", "null",
];

/// What was learnt on the way in.
#[derive(Default)]
struct Opened {
    shapes: Vec<&'static str>,
    pointer: String,
    name: Option<String>,
    unread: Vec<String>,
}

impl Opened {
    fn open(&mut self, mut value: Value) -> Result<Value, ConstraintError> {
        for _ in 0..MAX_ENVELOPES {
            if let Value::String(text) = &value {
                // Some servers take the schema as a text.
                value = parse(text)?;
                continue;
            }
            let Some(object) = value.as_object() else {
                return Ok(value);
            };
            if is_schema(object) {
                return Ok(value);
            }
            match self.inner(object) {
                Some(inner) => value = inner,
                None => return self.without_schema(value),
            }
        }
        Ok(value)
    }

    /// `{"type": "json_object"}` asks for any object.
    fn without_schema(&mut self, value: Value) -> Result<Value, ConstraintError> {
        match value.get("type").and_then(Value::as_str) {
            Some("json_object" | "json") => {
                self.shapes.push("response_format of type json_object");
                Ok(json!({"type": "object"}))
            }
            Some("json_schema") => Err(ConstraintError {
                within: Some(self.pointer.clone()),
                ..ConstraintError::new(
                    "the response_format names no schema; expected `json_schema.schema` or `schema`",
                )
            }),
            _ => Ok(value),
        }
    }

    fn inner(&mut self, object: &Map<String, Value>) -> Option<Value> {
        let kind = object.get("type").and_then(Value::as_str).unwrap_or("");
        let found = SHAPES.iter().find_map(|it| {
            let is_kind = it.kinds.is_empty() || it.kinds.contains(&kind);
            let inner = at_path(object, it.path).filter(|_| is_kind)?;
            is_inner(it, inner).then(|| (it, inner.clone()))
        });
        let (shape, inner) = found?;
        let mut around = object;
        for (idx, key) in shape.path.iter().enumerate() {
            self.look_around(around, key, idx > 0 || self.is_inside());
            self.pointer = below(&self.pointer, key);
            match around.get(*key) {
                Some(Value::Object(it)) => around = it,
                _ => break,
            }
        }
        self.shapes.push(shape.title);
        Some(inner)
    }

    fn is_inside(&self) -> bool {
        !self.pointer.is_empty()
    }

    /// Keeps the name and the keys that nothing is done with.
    fn look_around(&mut self, object: &Map<String, Value>, taken: &str, is_inside: bool) {
        for (key, value) in object {
            if key == "name" && value.is_string() {
                self.name = value.as_str().map(str::to_owned);
            }
            let is_read = READ.contains(&key.as_str()) && (!is_inside || !is_of_request(key));
            if key != taken && !is_read {
                self.unread.push(below(&self.pointer, key));
            }
        }
    }
}

fn is_of_request(key: &str) -> bool {
    matches!(
        key,
        "model" | "messages" | "input" | "prompt" | "stream" | "tool_choice"
    )
}

/// What a path of keys leads to.
fn at_path<'v>(object: &'v Map<String, Value>, path: &[&str]) -> Option<&'v Value> {
    let (first, rest) = path.split_first()?;
    let value = object.get(*first)?;
    if rest.is_empty() {
        return Some(value);
    }
    at_path(value.as_object()?, rest)
}

/// A schema is an object or a truth value, or JSON in a text where a server takes that.
fn is_inner(shape: &Shape, value: &Value) -> bool {
    let takes_text = shape
        .path
        .last()
        .is_some_and(|it| matches!(*it, "guided_json" | "json"));
    value.is_object()
        || (value.is_boolean() && !shape.path.ends_with(&["format"]))
        || (takes_text && value.is_string())
}

fn is_schema(object: &Map<String, Value>) -> bool {
    let is_type = |it: &Value| it.as_str().is_some_and(|it| TYPES.contains(&it)) || it.is_array();
    OF_SCHEMA.iter().any(|it| object.contains_key(*it)) || object.get("type").is_some_and(is_type)
}
