//! Reads a JSON file field by field, so that an error names file, field, value and what it must be.

use serde_json::{Map, Value};

/// Longest value that an error quotes, in characters.
const MAX_QUOTED: usize = 60;

/// Why a task or preset file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    #[error("{file} is not valid JSON: line {line}, column {column}: {message}")]
    Json {
        file: String,
        message: String,
        line: usize,
        column: usize,
    },
    #[error("{file}: {field} is {value}; it must be {must}")]
    Field {
        file: String,
        /// As a path: `inputs[2].text`.
        field: String,
        /// The value, or `missing`.
        value: String,
        must: String,
    },
}

/// The fields of one object of a file; each is taken out as it is read, so that the unknown ones remain.
#[derive(Debug)]
pub(crate) struct Fields {
    file: String,
    /// Path of this object in the file; empty for the whole.
    within: String,
    map: Map<String, Value>,
}

impl Fields {
    /// Reads a whole file, which must be an object with `"v": 1`.
    pub(crate) fn parse(text: &str, file: &str) -> Result<Self, FileError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let value: Value = serde_json::from_str(text).map_err(|error| json_error(&error, file))?;
        let Value::Object(map) = value else {
            return Err(FileError::Field {
                file: file.to_owned(),
                field: "the file".to_owned(),
                value: quoted(Some(&value)),
                must: "an object".to_owned(),
            });
        };
        let mut fields = Self {
            file: file.to_owned(),
            within: String::new(),
            map,
        };
        let version = fields.take("v");
        if version.as_ref().and_then(Value::as_f64) != Some(1.0) {
            return Err(fields.error("v", version.as_ref(), "1"));
        }
        Ok(fields)
    }

    pub(crate) fn take(&mut self, key: &str) -> Option<Value> {
        self.map.shift_remove(key)
    }

    /// A text that must be there and must say something.
    pub(crate) fn text(&mut self, key: &str) -> Result<String, FileError> {
        match self.take(key) {
            Some(Value::String(text)) if !text.trim().is_empty() => Ok(text),
            other => Err(self.error(key, other.as_ref(), "a text that is not empty")),
        }
    }

    /// A text that may be missing or empty.
    pub(crate) fn optional_text(&mut self, key: &str) -> Result<String, FileError> {
        match self.take(key) {
            None => Ok(String::new()),
            Some(Value::String(text)) => Ok(text),
            other => Err(self.error(key, other.as_ref(), "a text")),
        }
    }

    /// A name for the command line: letters, digits, `-`, `_` and `.`.
    pub(crate) fn name(&mut self, key: &str) -> Result<String, FileError> {
        match self.take(key) {
            Some(Value::String(name)) if is_name(&name) => Ok(name),
            other => Err(self.error(
                key,
                other.as_ref(),
                "a name of letters, digits, '-', '_', '.' and '+'",
            )),
        }
    }

    /// An object inside this one; an empty one when it is missing.
    pub(crate) fn object(&mut self, key: &str) -> Result<Self, FileError> {
        let within = self.path(key);
        match self.take(key) {
            None => Ok(self.inner(within, Map::new())),
            Some(Value::Object(map)) => Ok(self.inner(within, map)),
            other => Err(self.error(key, other.as_ref(), "an object")),
        }
    }

    /// A list of objects; an empty one when it is missing.
    pub(crate) fn objects(&mut self, key: &str) -> Result<Vec<Self>, FileError> {
        let items = match self.take(key) {
            None => Vec::new(),
            Some(Value::Array(items)) => items,
            other => return Err(self.error(key, other.as_ref(), "a list of objects")),
        };
        let place = |idx: usize| format!("{key}[{idx}]");
        items
            .into_iter()
            .enumerate()
            .map(|(idx, item)| match item {
                Value::Object(map) => Ok(self.inner(self.path(&place(idx)), map)),
                other => Err(self.error(&place(idx), Some(&other), "an object")),
            })
            .collect()
    }

    /// An error about a field of this object; `value` is none when it is missing.
    pub(crate) fn error(&self, key: &str, value: Option<&Value>, must: &str) -> FileError {
        self.error_text(key, &quoted(value), must)
    }

    /// The same with the value in words.
    pub(crate) fn error_text(&self, key: &str, value: &str, must: &str) -> FileError {
        FileError::Field {
            file: self.file.clone(),
            field: self.path(key),
            value: value.to_owned(),
            must: must.to_owned(),
        }
    }

    /// The fields themselves, for a reader that takes out what it knows.
    pub(crate) fn map_mut(&mut self) -> &mut Map<String, Value> {
        &mut self.map
    }

    pub(crate) fn as_map(&self) -> &Map<String, Value> {
        &self.map
    }

    /// What was not read.
    pub(crate) fn rest(self) -> Map<String, Value> {
        self.map
    }

    fn inner(&self, within: String, map: Map<String, Value>) -> Self {
        Self {
            file: self.file.clone(),
            within,
            map,
        }
    }

    fn path(&self, key: &str) -> String {
        if self.within.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.within)
        }
    }
}

fn json_error(error: &serde_json::Error, file: &str) -> FileError {
    let message = error.to_string();
    let message = message
        .rsplit_once(" at line ")
        .map_or(message.as_str(), |(it, _)| it);
    FileError::Json {
        file: file.to_owned(),
        message: message.to_owned(),
        line: error.line(),
        column: error.column(),
    }
}

fn quoted(value: Option<&Value>) -> String {
    let Some(value) = value else {
        return "missing".to_owned();
    };
    let text = value.to_string();
    match text.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Whether a text can be a name on the command line and of a file: letters, digits, `-`, `_`, `.` and `+`.
pub fn is_name(text: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '+');
    !text.is_empty() && text.chars().all(is_plain)
}
