//! Few-shot examples with other values in them, which show what a model copies out of them.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Example, Task};

/// Which values stand in the few-shot examples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExampleValues {
    /// Those of the task's file.
    #[default]
    Own,
    /// Another of the task's inputs with its right answer takes the place of each example.
    Swapped,
    /// Obvious stand-ins: the field's name in capitals for a text, 0 for a number.
    Placeholders,
}

impl ExampleValues {
    pub const ALL: [Self; 3] = [Self::Own, Self::Swapped, Self::Placeholders];

    /// The name in files and tables.
    pub fn key(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Swapped => "swapped",
            Self::Placeholders => "placeholders",
        }
    }

    pub fn is_own(&self) -> bool {
        *self == Self::Own
    }

    /// The task with these values in its examples, to be asked about one of its inputs (from 0). None where the task
    /// has too few inputs with known answers to swap with.
    pub fn put_into(self, task: &Task, input: usize) -> Option<Task> {
        let examples = match self {
            Self::Own => task.examples.clone(),
            Self::Swapped => swapped(task, input)?,
            Self::Placeholders => placeholders(task),
        };
        Some(Task {
            examples,
            ..task.clone()
        })
    }
}

/// The examples of a task with stand-ins for their values.
pub fn placeholders(task: &Task) -> Vec<Example> {
    let mut fixed = BTreeSet::new();
    fixed_texts(&task.schema, &mut fixed);
    let stand_in = |example: &Example| {
        let mut names = Names {
            fixed: &fixed,
            taken: Vec::new(),
        };
        let mut answer = example.answer.clone();
        names.replace(&mut answer, "value");
        Example {
            input: names.in_text(&example.input),
            answer,
        }
    };
    task.examples.iter().map(stand_in).collect()
}

/// Other inputs with their right answers, those first that share no text or number with the input that is asked about.
fn swapped(task: &Task, input: usize) -> Option<Vec<Example>> {
    let asked = task.inputs.get(input)?.text.to_lowercase();
    let n = task.inputs.len();
    let others = (1..n).map(|it| (input + it) % n);
    let with_answers = others.filter_map(|it| {
        let other = &task.inputs[it];
        let answer = other.answer.clone()?;
        Some(Example {
            input: other.text.clone(),
            answer,
        })
    });
    let mut others: Vec<Example> = with_answers.collect();
    others.sort_by_key(|it| leaves(&it.answer).any(|leaf| asked.contains(&leaf.to_lowercase())));
    others.truncate(task.examples.len());
    (others.len() == task.examples.len()).then_some(others)
}

/// Texts and numbers of a value, as they would be written.
fn leaves(value: &Value) -> Box<dyn Iterator<Item = String> + '_> {
    match value {
        Value::String(text) => Box::new(std::iter::once(text.clone())),
        Value::Number(number) => Box::new(std::iter::once(number.to_string())),
        Value::Array(items) => Box::new(items.iter().flat_map(leaves)),
        Value::Object(fields) => Box::new(fields.values().flat_map(leaves)),
        Value::Null | Value::Bool(_) => Box::new(std::iter::empty()),
    }
}

/// The texts that a schema names itself: they are no values to be copied.
fn fixed_texts(schema: &Value, acc: &mut BTreeSet<String>) {
    match schema {
        Value::Object(fields) => {
            for (key, value) in fields {
                if key == "enum" || key == "const" {
                    acc.extend(leaves(value));
                } else {
                    fixed_texts(value, acc);
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|it| fixed_texts(it, acc)),
        _ => {}
    }
}

/// The stand-ins of one example.
struct Names<'a> {
    fixed: &'a BTreeSet<String>,
    /// What was replaced, and by what.
    taken: Vec<(String, String)>,
}

impl Names<'_> {
    fn replace(&mut self, value: &mut Value, field: &str) {
        match value {
            Value::String(text) if !self.fixed.contains(text) => {
                *text = self.stand_in(text, field);
            }
            Value::Number(number) => {
                self.taken.push((number.to_string(), "0".to_owned()));
                *value = Value::from(0);
            }
            Value::Array(items) => items.iter_mut().for_each(|it| self.replace(it, field)),
            Value::Object(fields) => {
                for (key, value) in fields {
                    self.replace(value, key);
                }
            }
            _ => {}
        }
    }

    /// NAME, then NAME2 for another text in a field of the same name.
    fn stand_in(&mut self, text: &str, field: &str) -> String {
        if let Some(known) = self.taken.iter().find(|it| it.0 == text) {
            return known.1.clone();
        }
        let name = field.to_uppercase();
        let is_own = |it: &&(String, String)| it.1.trim_end_matches(char::is_numeric) == name;
        let stand_in = match self.taken.iter().filter(is_own).count() {
            0 => name,
            n => format!("{name}{}", n + 1),
        };
        self.taken.push((text.to_owned(), stand_in.clone()));
        stand_in
    }

    /// The input with the same stand-ins, longer texts first; numbers only where they stand alone.
    fn in_text(&self, text: &str) -> String {
        let mut taken: Vec<_> = self.taken.iter().filter(|it| !it.0.is_empty()).collect();
        taken.sort_by_key(|it| std::cmp::Reverse(it.0.len()));
        let mut res = String::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let is_word = |it: Option<char>| it.is_some_and(char::is_alphanumeric);
            let before = res.chars().next_back();
            let found = taken.iter().find(|(old, _)| {
                let behind = rest.strip_prefix(old.as_str());
                behind.is_some_and(|it| !is_word(before) && !is_word(it.chars().next()))
            });
            if let Some((old, new)) = found {
                res.push_str(new);
                rest = &rest[old.len()..];
            } else {
                res.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
        res
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn task() -> Task {
        let file = json!({
            "v": 1, "id": "t", "title": "T", "instruction": "List.",
            "schema": {"type": "object", "properties": {"unit": {"enum": ["kg", "l"]}}},
            "examples": [{
                "input": "Get 11 widgets and 12 gadgets in kg, widgets first; 112 is no 11.",
                "answer": {"unit": "kg", "items": [{"name": "widgets", "qty": 11}, {"name": "gadgets", "qty": 12}], "ok": true},
            }],
            "inputs": [
                {"text": "Buy 2 apples.", "answer": {"items": [{"name": "apples", "qty": 2}]}},
                {"text": "Buy 5 Apples.", "answer": {"items": [{"name": "apples", "qty": 5}]}},
                {"text": "No answer is known."},
                {"text": "Buy 7 pears.", "answer": {"items": [{"name": "pears", "qty": 7}]}},
            ],
        });
        Task::parse(&file.to_string(), "t.json").unwrap()
    }

    #[test]
    fn stand_ins_are_the_same_in_answer_and_input() {
        let [example] = &placeholders(&task())[..] else {
            panic!("one example")
        };
        let answer = json!({"unit": "kg", "items": [{"name": "NAME", "qty": 0}, {"name": "NAME2", "qty": 0}], "ok": true});
        assert_eq!(example.answer, answer);
        let input = "Get 0 NAME and 0 NAME2 in kg, NAME first; 112 is no 0.";
        assert_eq!(example.input, input);
    }

    #[test]
    fn an_input_that_shares_nothing_takes_the_examples_place() {
        let swapped = ExampleValues::Swapped.put_into(&task(), 0).unwrap();
        assert_eq!(swapped.examples[0].input, "Buy 7 pears.");
        assert_eq!(swapped.inputs, task().inputs);
    }

    #[test]
    fn own_values_change_nothing() {
        assert_eq!(ExampleValues::Own.put_into(&task(), 0), Some(task()));
    }

    #[test]
    fn without_other_answers_nothing_is_swapped() {
        let mut task = task();
        task.inputs.truncate(1);
        assert_eq!(ExampleValues::Swapped.put_into(&task, 0), None);
    }
}
