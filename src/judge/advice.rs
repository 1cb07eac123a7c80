//! What would make a schema easier for a small model, and portable to hosted strict modes. Advice, no faults.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::bounds::{child_path, is_too_deep};
use super::fold::fold;
use super::wording::names_type;

/// One thing that a schema could do better.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Advice {
    /// JSON pointer into the schema; empty for the root.
    pub pointer: String,
    /// One of [`ADVICE_KINDS`].
    pub kind: String,
    pub message: String,
}

/// All kinds of advice, with what each means.
pub const ADVICE_KINDS: &[(&str, &str)] = &[
    (
        "prefer_enum",
        "a text that has few values is better an enum",
    ),
    ("too_deep", "a model loses its way over three levels deep"),
    (
        "joined_list",
        "a list is better an array than a joined text",
    ),
    ("no_description", "a field says nothing of what it means"),
    (
        "optional_key",
        "hosted strict modes want every key required",
    ),
    (
        "open_object",
        "hosted strict modes want additionalProperties: false",
    ),
    (
        "unsupported_keyword",
        "hosted strict modes refuse or ignore the keyword",
    ),
];

/// Levels of objects and lists that a small model still follows.
const MAX_LEVELS: usize = 3;

/// Most pieces of advice; a schema with more is read by nobody.
const MAX_ADVICE: usize = 500;

/// Names of fields that mostly have few values.
const FEW_VALUES: &[&str] = &[
    "type",
    "kind",
    "category",
    "status",
    "state",
    "priority",
    "level",
    "mood",
    "sentiment",
    "severity",
    "gender",
    "unit",
    "currency",
    "language",
    "size",
    "color",
    "colour",
    "role",
    "mode",
    "class",
    "tag",
    "urgency",
];

/// What a description says when a text has few values, or holds several.
const CHOICE_WORDS: &[&str] = &["one of", "either ", "must be ", "可选", "之一", "중 하나"];
const JOIN_WORDS: &[&str] = &[
    "comma-separated",
    "comma separated",
    "separated by",
    "semicolon",
    "joined",
    "delimited",
    "csv",
    "list of",
    "逗号",
    "分隔",
    "쉼표",
    "구분",
];

/// Keywords that strict modes of hosted models refuse or ignore, with what to do instead. After the published lists
/// of the large providers, which differ; a schema without these is taken by all of them.
const UNSUPPORTED: &[(&str, &str)] = &[
    ("oneOf", "use anyOf"),
    ("allOf", "write the joined object out"),
    ("not", "check it afterwards"),
    ("if", "use anyOf with a constant in each alternative"),
    ("dependentRequired", "use anyOf"),
    ("dependentSchemas", "use anyOf"),
    ("dependencies", "use anyOf"),
    (
        "patternProperties",
        "use a list of objects with a key field",
    ),
    ("propertyNames", "name the properties"),
    ("unevaluatedProperties", "use additionalProperties: false"),
    ("unevaluatedItems", "name the items"),
    ("minProperties", "require the keys by name"),
    ("maxProperties", "name the properties"),
    ("uniqueItems", "check it afterwards"),
    ("contains", "check it afterwards"),
    ("minContains", "check it afterwards"),
    ("maxContains", "check it afterwards"),
    ("prefixItems", "use an object with a key for each place"),
    (
        "minLength",
        "say it in the description and check it afterwards",
    ),
    (
        "maxLength",
        "say it in the description and check it afterwards",
    ),
    ("$dynamicRef", "use $ref"),
    ("$recursiveRef", "use $ref"),
    ("contentEncoding", "say it in the description"),
    ("contentMediaType", "say it in the description"),
    ("default", "fill it in after the reply"),
];

/// Formats that strict modes know.
const FORMATS: &[&str] = &[
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uuid",
];

/// Keywords under which there are schemas by name, and lists of schemas, and one schema.
const BY_NAME: &[&str] = &[
    "properties",
    "$defs",
    "definitions",
    "patternProperties",
    "dependentSchemas",
];
const LISTS: &[&str] = &["anyOf", "oneOf", "allOf", "prefixItems"];
const ONE: &[&str] = &[
    "items",
    "additionalProperties",
    "not",
    "if",
    "then",
    "else",
    "contains",
];

/// A schema inside the schema.
struct Place<'a> {
    schema: &'a Map<String, Value>,
    pointer: String,
    /// The name of the property that it describes; empty for others.
    name: &'a str,
    /// Objects and lists around it.
    level: usize,
}

/// Everything there is to say of a schema, in its order. Deep schemas are refused elsewhere and get no advice.
pub fn advice(schema: &Value) -> Vec<Advice> {
    let mut found = Vec::new();
    let Some(root) = schema.as_object().filter(|_| !is_too_deep(schema)) else {
        return found;
    };
    if !names_type(schema, "object") {
        let message =
            "the root is no plain object; hosted strict modes want `\"type\": \"object\"` there";
        push(&mut found, "", "unsupported_keyword", message.to_owned());
    }
    let mut left = vec![Place {
        schema: root,
        pointer: String::new(),
        name: "",
        level: 1,
    }];
    while let Some(place) = left.pop() {
        if found.len() >= MAX_ADVICE {
            break;
        }
        of_field(&place, &mut found);
        of_object(&place, &mut found);
        of_keywords(&place, &mut found);
        let mut below = children(&place);
        below.reverse();
        left.extend(below);
    }
    found
}

fn push(found: &mut Vec<Advice>, pointer: &str, kind: &str, message: String) {
    found.push(Advice {
        pointer: pointer.to_owned(),
        kind: kind.to_owned(),
        message,
    });
}

fn of_field(place: &Place<'_>, found: &mut Vec<Advice>) {
    let schema = Value::Object(place.schema.clone());
    let says = |key: &str| {
        place
            .schema
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    let is_described = !says("description").trim().is_empty() || !says("title").trim().is_empty();
    let name = place.name;
    if !name.is_empty()
        && !is_described
        && !place.schema.contains_key("$ref")
        && !place.schema.contains_key("const")
    {
        let message = format!("{name} has no description; say in a few words what belongs there");
        push(found, &place.pointer, "no_description", message);
    }
    let is_level = names_type(&schema, "object") || names_type(&schema, "array");
    if is_level && place.level == MAX_LEVELS + 1 {
        let message = format!(
            "this is level {} of the answer; flatten it, or ask in two steps",
            place.level
        );
        push(found, &place.pointer, "too_deep", message);
    }
    let is_closed = ["enum", "const", "format", "pattern"]
        .iter()
        .any(|it| place.schema.contains_key(*it));
    if name.is_empty() || !names_type(&schema, "string") || is_closed {
        return;
    }
    let text = fold(says("description"));
    let has = |words: &[&str]| words.iter().any(|it| text.contains(it));
    let plural = ["tags", "keywords", "items", "names", "ingredients", "list"];
    if has(JOIN_WORDS) || plural.contains(&fold(name).as_str()) {
        let message = format!("{name} joins several values in one text; make it an array of texts");
        push(found, &place.pointer, "joined_list", message);
    } else if has(CHOICE_WORDS)
        || is_few(name)
        || text.split(" or ").count() > 2
        || text.contains('|')
    {
        let message = format!("{name} seems to have few values; list them in an enum");
        push(found, &place.pointer, "prefer_enum", message);
    }
}

/// `ticket_status` has few values as `status` has.
fn is_few(name: &str) -> bool {
    let folded = fold(name);
    let last = folded.rsplit(['_', '-', ' ']).next().unwrap_or_default();
    FEW_VALUES.contains(&last)
}

fn of_object(place: &Place<'_>, found: &mut Vec<Advice>) {
    let Some(properties) = place.schema.get("properties").and_then(Value::as_object) else {
        if names_type(&Value::Object(place.schema.clone()), "object")
            && !place.schema.contains_key("$ref")
        {
            let message = "the object names no properties; strict modes take it for an empty one";
            push(found, &place.pointer, "open_object", message.to_owned());
        }
        return;
    };
    let required = place.schema.get("required").and_then(Value::as_array);
    let is_required = |key: &str| required.is_some_and(|it| it.iter().any(|name| name == key));
    for key in properties.keys().filter(|it| !is_required(it)) {
        let pointer = child_path(&format!("{}/properties", place.pointer), key);
        let message = format!("{key} may be left out; require it and let it be null instead");
        push(found, &pointer, "optional_key", message);
    }
    if place.schema.get("additionalProperties") != Some(&Value::Bool(false)) {
        let message = "other keys are allowed here; add `\"additionalProperties\": false`";
        push(found, &place.pointer, "open_object", message.to_owned());
    }
}

fn of_keywords(place: &Place<'_>, found: &mut Vec<Advice>) {
    for (keyword, instead) in UNSUPPORTED
        .iter()
        .filter(|it| place.schema.contains_key(it.0))
    {
        let pointer = child_path(&place.pointer, keyword);
        let message =
            format!("{keyword} is refused or ignored by some hosted strict modes; {instead}");
        push(found, &pointer, "unsupported_keyword", message);
    }
    let format = place.schema.get("format").and_then(Value::as_str);
    if let Some(format) = format.filter(|it| !FORMATS.contains(it)) {
        let pointer = child_path(&place.pointer, "format");
        let message =
            format!("the format {format} is unknown to hosted strict modes; check it afterwards");
        push(found, &pointer, "unsupported_keyword", message);
    }
    let reference = place.schema.get("$ref").and_then(Value::as_str);
    if reference.is_some_and(|it| !it.starts_with('#')) {
        let pointer = child_path(&place.pointer, "$ref");
        let message = "a reference outside the schema cannot be followed; put the part under $defs";
        push(found, &pointer, "unsupported_keyword", message.to_owned());
    }
}

/// The schemas directly inside one.
fn children<'a>(place: &Place<'a>) -> Vec<Place<'a>> {
    let mut res = Vec::new();
    let mut add = |schema: &'a Value, path: String, name: &'a str, level: usize| {
        res.extend(schema.as_object().map(|schema| Place {
            schema,
            pointer: format!("{}{path}", place.pointer),
            name,
            level,
        }));
    };
    for (keyword, value) in place.schema {
        let base = child_path("", keyword);
        match value {
            Value::Object(fields) if BY_NAME.contains(&keyword.as_str()) => {
                let is_property = keyword == "properties";
                let is_definition = matches!(keyword.as_str(), "$defs" | "definitions");
                let level = if is_definition { 1 } else { place.level + 1 };
                for (key, schema) in fields {
                    let name = if is_property { key.as_str() } else { "" };
                    add(schema, child_path(&base, key), name, level);
                }
            }
            Value::Array(schemas) if LISTS.contains(&keyword.as_str()) => {
                for (idx, schema) in schemas.iter().enumerate() {
                    add(schema, format!("{base}/{idx}"), "", place.level);
                }
            }
            Value::Object(_) if ONE.contains(&keyword.as_str()) => {
                let is_item = keyword == "items";
                add(value, base, "", place.level + usize::from(is_item));
            }
            _ => {}
        }
    }
    res
}
