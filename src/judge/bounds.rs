//! How deep a value is, and how it is shown in a sentence.

use serde_json::Value;

/// Deepest nesting that is judged; a scalar has depth 0. Beyond it the validator's recursion is not safe.
pub(super) const MAX_DEPTH: usize = 128;

/// Longest text of a value that is quoted in a message, in characters.
const MAX_QUOTED: usize = 60;

/// Whether arrays and objects nest deeper than [`MAX_DEPTH`]. Does not recurse.
pub(super) fn is_too_deep(value: &Value) -> bool {
    depth(value) > MAX_DEPTH
}

/// Levels of arrays and objects above the deepest scalar, counted to just over [`MAX_DEPTH`].
pub(super) fn depth(value: &Value) -> usize {
    let mut level = vec![value];
    for depth in 0..=MAX_DEPTH {
        level = level.into_iter().flat_map(children).collect();
        if level.is_empty() {
            return depth;
        }
    }
    MAX_DEPTH + 1
}

/// The items of an array or the values of an object.
pub(super) fn children(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(items) => items.iter().collect(),
        Value::Object(fields) => fields.values().collect(),
        _ => Vec::new(),
    }
}

/// The pointer to a child: `~` and `/` in a key are written as JSON Pointer wants them.
pub(super) fn child_path(path: &str, key: &str) -> String {
    format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// A value as a message quotes it: JSON, cut when it is long.
pub(super) fn quoted(value: &Value) -> String {
    match value {
        Value::Array(items) if items.len() > 8 => format!("a list of {} items", items.len()),
        Value::Object(fields) if fields.len() > 8 => {
            format!("an object of {} fields", fields.len())
        }
        _ if is_too_deep(value) => "a very deep value".to_owned(),
        _ => cut(&value.to_string()),
    }
}

/// A text cut to what a message can hold.
pub(super) fn cut(text: &str) -> String {
    cut_to(text, MAX_QUOTED)
}

/// A text of at most so many characters; `…` stands for the rest.
pub(super) fn cut_to(text: &str, n_chars: usize) -> String {
    match text.char_indices().nth(n_chars) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A JSON pointer as people write paths: `/items/0/qty` becomes `$.items[0].qty`.
pub(super) fn dotted(pointer: &str) -> String {
    let mut path = "$".to_owned();
    for part in pointer.split('/').skip(1) {
        let key = part.replace("~1", "/").replace("~0", "~");
        push_part(&mut path, &key);
    }
    path
}

/// Adds one key or index to a dotted path.
pub(super) fn push_part(path: &mut String, key: &str) {
    if !key.is_empty() && key.bytes().all(|it| it.is_ascii_digit()) {
        path.push('[');
        path.push_str(key);
        path.push(']');
    } else if !key.is_empty() && key.chars().all(|it| it.is_alphanumeric() || it == '_') {
        path.push('.');
        path.push_str(key);
    } else {
        path.push_str("[\"");
        path.push_str(&cut(key));
        path.push_str("\"]");
    }
}
