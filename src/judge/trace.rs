//! Each leaf of a value traced to its source in the prompt.

use serde_json::Value;

use super::bounds::{child_path, children, is_too_deep};
use super::origin::PromptText;
use super::passage::{Passage, Wanted, is_inside};
use super::trivial::{is_common, is_distinctive};
use super::{Leaf, LeakSources, MixedRecord, Origins, Place, Source};
use crate::prompt::{Rule, indented, spaced};

/// Most leaves that are traced; a value with more is a loop.
const MAX_LEAVES: usize = 1_000;

/// Fewest characters of a text that is looked for inside a longer one.
const MIN_CHARS_INSIDE: usize = 6;

/// Fewest characters of a text that is taken for a part of an example's longer one.
const MIN_CHARS_PART: usize = 4;

/// Traces every scalar of a value to the text of the prompt that it comes from. What stands in the input is
/// from the input, whatever else holds it too.
pub fn origins(value: &Value, sources: &LeakSources<'_>) -> Origins {
    if is_too_deep(value) {
        return Origins::default();
    }
    let mut tracer = Tracer::new(sources);
    tracer.walk("", "", value);
    Origins {
        mixed: mixed(&tracer.records, &tracer.leaves),
        leaves: tracer.leaves,
    }
}

/// A scalar of an example's answer.
struct Known {
    wanted: Wanted,
    scalar: Value,
    /// The nearest key above it; empty when there is none.
    key: String,
    /// Its index in the nearest list above it.
    index: usize,
    place: Place,
}

struct Tracer<'a> {
    sources: &'a LeakSources<'a>,
    input: Passage,
    instruction: Passage,
    example_inputs: Vec<Passage>,
    known: Vec<Known>,
    /// What the schema names: its values and its own words, each with its place.
    named: Vec<(String, Place)>,
    right: Vec<Wanted>,
    leaves: Vec<Leaf>,
    /// For each leaf, the pointer to the object that it belongs to.
    records: Vec<String>,
}

impl<'a> Tracer<'a> {
    fn new(sources: &'a LeakSources<'a>) -> Self {
        let examples = || sources.examples.iter().enumerate();
        let right = sources.answer.map(scalars).unwrap_or_default();
        Self {
            sources,
            input: Passage::new(PromptText::Input, None, sources.input),
            instruction: Passage::new(PromptText::Instruction, None, sources.instruction),
            example_inputs: examples()
                .map(|(idx, it)| Passage::new(PromptText::ExampleInput, Some(idx + 1), &it.input))
                .collect(),
            known: examples()
                .flat_map(|(idx, it)| known(&it.answer, idx + 1))
                .collect(),
            named: sources.schema.map(named).unwrap_or_default(),
            right: right.into_iter().map(Wanted::new).collect(),
            leaves: Vec::new(),
            records: Vec::new(),
        }
    }

    fn walk(&mut self, path: &str, record: &str, value: &Value) {
        match value {
            Value::Array(items) => {
                for (idx, item) in items.iter().enumerate() {
                    self.walk(&child_path(path, &idx.to_string()), record, item);
                }
            }
            Value::Object(fields) => {
                for (key, field) in fields {
                    self.walk(&child_path(path, key), path, field);
                }
            }
            _ if self.leaves.len() < MAX_LEAVES => {
                let (source, places) = self.trace(path, value);
                self.records.push(record.to_owned());
                self.leaves.push(Leaf {
                    path: path.to_owned(),
                    value: text_of(value),
                    source,
                    places,
                });
            }
            _ => {}
        }
    }

    /// The first source in this order that holds the value.
    fn trace(&self, path: &str, value: &Value) -> (Source, Vec<Place>) {
        if value.is_null() || value.is_boolean() {
            return (Source::Common, Vec::new());
        }
        let wanted = Wanted::new(value);
        let exactly = self.input.find(&wanted);
        let here = exactly.or_else(|| self.input.find_words_of(&wanted));
        if let Some(place) = here {
            return (Source::Input, vec![place]);
        }
        if let Some((_, place)) = self.named.iter().find(|it| it.0 == wanted.folded) {
            return (Source::Schema, vec![place.clone()]);
        }
        if self.right.iter().any(|it| it.is_same(&wanted)) {
            return (Source::Derived, Vec::new());
        }
        if is_common(value) {
            return (Source::Common, Vec::new());
        }
        if let Some(place) = self.in_examples(path, value, &wanted) {
            return (Source::Example, vec![place]);
        }
        let asked = self.instruction.find(&wanted);
        if let Some(place) = asked.filter(|_| is_distinctive(value, false)) {
            return (Source::Instruction, vec![place]);
        }
        let is_free = self
            .sources
            .rules
            .is_some_and(|it| it.rule(path) == Rule::Ignore);
        if is_free || self.input.has_most_words_of(&wanted) {
            return (Source::Derived, Vec::new());
        }
        (Source::Invented, Vec::new())
    }

    fn in_examples(&self, path: &str, value: &Value, wanted: &Wanted) -> Option<Place> {
        let key = key_of(path);
        // A number of two digits far down a list was counted up to, not copied.
        let same_key = || self.known.iter().filter(|it| it.key == key);
        let last = same_key().map(|it| it.index).max().unwrap_or(0);
        let is_near = index_of(path) <= last + 1;
        let is_known_number =
            |it: &Known| is_distinctive(&it.scalar, is_near && it.key == key && !key.is_empty());
        let mut same = self
            .known
            .iter()
            .filter(|it| it.wanted.is_same(wanted) && is_known_number(it));
        let first = same.next();
        let at_the_key = first
            .filter(|it| it.key == key)
            .or_else(|| same.find(|it| it.key == key));
        if let Some(found) = at_the_key.or(first) {
            return Some(found.place.clone());
        }
        if !is_distinctive(value, false) {
            return None;
        }
        let is_part = |it: &&Known| {
            let (known, found) = (&it.wanted.folded, &wanted.folded);
            // What the input says inside a longer text was not copied.
            (is_long(known, MIN_CHARS_INSIDE)
                && is_inside(known, found)
                && is_distinctive(&it.scalar, false)
                && self.input.find(&it.wanted).is_none())
                || (is_long(found, MIN_CHARS_PART) && is_inside(found, known))
        };
        let part = self.known.iter().find(is_part).map(|it| it.place.clone());
        part.or_else(|| self.example_inputs.iter().find_map(|it| it.find(wanted)))
    }
}

/// A scalar as text: a string without its quotes.
pub(super) fn text_of(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// The nearest key above a leaf: list indices are passed over. A list at the root has none.
pub(super) fn key_of(path: &str) -> String {
    let is_key = |it: &&str| it.is_empty() || !it.bytes().all(|c| c.is_ascii_digit());
    path.split('/')
        .skip(1)
        .filter(is_key)
        .last()
        .unwrap_or_default()
        .to_owned()
}

/// The last list index in a pointer; 0 when there is none.
fn index_of(path: &str) -> usize {
    path.rsplit('/').find_map(|it| it.parse().ok()).unwrap_or(0)
}

/// Characters count double where two of them are a name.
fn is_long(text: &str, n_chars: usize) -> bool {
    let count = |it: char| if super::fold::is_ideograph(it) { 2 } else { 1 };
    text.chars().map(count).sum::<usize>() >= n_chars
}

fn mixed(records: &[String], leaves: &[Leaf]) -> Vec<MixedRecord> {
    let mut mixed: Vec<MixedRecord> = Vec::new();
    for (record, leaf) in records.iter().zip(leaves) {
        let idx = mixed
            .iter()
            .position(|it| it.path == *record)
            .unwrap_or_else(|| {
                mixed.push(MixedRecord {
                    path: record.clone(),
                    ..MixedRecord::default()
                });
                mixed.len() - 1
            });
        match leaf.source {
            Source::Example => mixed[idx].from_example.push(leaf.path.clone()),
            Source::Input => mixed[idx].from_input.push(leaf.path.clone()),
            _ => {}
        }
    }
    mixed.retain(|it| !it.from_example.is_empty() && !it.from_input.is_empty());
    mixed
}

/// The scalars of an example's answer with their places in the text that the prompt shows.
fn known(answer: &Value, example: usize) -> Vec<Known> {
    if is_too_deep(answer) {
        return Vec::new();
    }
    let text = spaced(answer);
    let mut found = Vec::new();
    let mut at = 0;
    known_of(answer, "", &mut |path, scalar| {
        let written = spaced(scalar);
        let start = next_value(&text, at, &written);
        at = start + written.len();
        let quotes = usize::from(scalar.is_string());
        found.push(Known {
            wanted: Wanted::new(scalar),
            scalar: scalar.clone(),
            key: key_of(path),
            index: index_of(path),
            place: Place {
                text: PromptText::ExampleAnswer,
                example: Some(example),
                start: start + quotes,
                end: at.saturating_sub(quotes),
            },
        });
    });
    found
}

fn known_of(value: &Value, path: &str, found: &mut impl FnMut(&str, &Value)) {
    match value {
        Value::Array(items) => {
            for (idx, item) in items.iter().enumerate() {
                known_of(item, &child_path(path, &idx.to_string()), found);
            }
        }
        Value::Object(fields) => {
            for (key, field) in fields {
                known_of(field, &child_path(path, key), found);
            }
        }
        scalar => found(path, scalar),
    }
}

/// Where a scalar that was written out next stands: not as a key, and not inside another number.
fn next_value(text: &str, at: usize, written: &str) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    rest.match_indices(written)
        .find(|(start, _)| {
            let after = rest[start + written.len()..].chars().next();
            let before = rest[..*start].chars().next_back();
            matches!(after, None | Some(',' | '}' | ']'))
                && matches!(before, None | Some(' ' | '['))
        })
        .map_or(at, |(start, _)| at + start)
}

fn scalars(value: &Value) -> Vec<&Value> {
    let mut scalars = Vec::new();
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        if value.is_array() || value.is_object() {
            left.extend(children(value).into_iter().rev());
        } else {
            scalars.push(value);
        }
    }
    scalars
}

/// What a schema names: values of `enum`, `const`, `default` and `examples`, and its titles and descriptions.
fn named(schema: &Value) -> Vec<(String, Place)> {
    let text = indented(schema, 2);
    let mut values = Vec::new();
    let mut left = vec![schema];
    while let Some(schema) = left.pop() {
        if let Value::Object(fields) = schema {
            let keys = [
                "enum",
                "const",
                "default",
                "examples",
                "title",
                "description",
            ];
            let named = keys.iter().filter_map(|it| fields.get(*it));
            values.extend(
                named
                    .flat_map(scalars)
                    .filter(|it| it.is_string() || it.is_number()),
            );
        }
        left.extend(children(schema).into_iter().rev());
    }
    let place = |value: &Value| {
        let written = spaced(value);
        let start = text.find(&written).unwrap_or_default();
        let quotes = usize::from(value.is_string());
        Place {
            text: PromptText::Schema,
            example: None,
            start: start + quotes,
            end: (start + written.len()).saturating_sub(quotes),
        }
    };
    values
        .into_iter()
        .map(|it| (Wanted::new(it).folded, place(it)))
        .collect()
}
