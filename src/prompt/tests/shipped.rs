//! The shipped tasks: whole, named once, and without an example's value in any input.

use std::collections::HashSet;

use serde_json::Value;

use crate::judge::{Judged, LeakSources, Schema, judge, leaks};
use crate::ladder::{Climb, Findings, Rung};
use crate::prompt::{Task, shipped_tasks};

fn tasks() -> Vec<Task> {
    shipped_tasks()
        .iter()
        .map(|(file, text)| Task::parse(text, file).unwrap())
        .collect()
}

#[test]
fn they_are_the_six_of_the_benchmark() {
    let ids: Vec<_> = tasks().into_iter().map(|it| it.id).collect();
    assert_eq!(
        ids,
        ["mood", "contact", "shopping", "maths", "ticket", "event"]
    );
    let files: Vec<_> = shipped_tasks().iter().map(|it| it.0).collect();
    assert!(
        ids.iter()
            .zip(files)
            .all(|(id, file)| format!("{id}.json") == file)
    );
}

#[test]
fn nothing_in_them_is_unknown() {
    assert!(tasks().iter().all(|it| it.other.is_empty()));
}

#[test]
fn there_are_enough_inputs_some_of_them_chinese_and_korean() {
    for task in tasks() {
        let enough = match task.id.as_str() {
            "mood" | "contact" | "shopping" => 8,
            _ => 5,
        };
        assert!(task.inputs.len() >= enough, "{}", task.id);
        for range in ['\u{4E00}'..='\u{9FFF}', '\u{AC00}'..='\u{D7AF}'] {
            let any = task
                .inputs
                .iter()
                .any(|it| it.text.chars().any(|c| range.contains(&c)));
            assert!(any, "{} lacks {range:?}", task.id);
        }
    }
}

#[test]
fn inputs_and_examples_are_all_different() {
    for task in tasks() {
        let inputs = task.inputs.iter().map(|it| it.text.as_str());
        let texts: Vec<_> = inputs
            .chain(task.examples.iter().map(|it| it.input.as_str()))
            .collect();
        let distinct: HashSet<_> = texts.iter().collect();
        assert_eq!(distinct.len(), texts.len(), "{}", task.id);
    }
}

#[test]
fn every_answer_fits_its_schema_and_is_right() {
    for task in tasks() {
        let schema = Schema::parse(&task.schema).unwrap();
        let rules = task.comparison().unwrap();
        for input in &task.inputs {
            let answer = input.answer.clone().unwrap();
            let climb = Climb {
                rung: Some(Rung::AsIs),
                findings: Findings::of(answer.clone()),
                whole_reply_valid: true,
                ..Climb::default()
            };
            let judgement = judge(&Judged {
                schema: Some(&schema),
                answer: Some(&answer),
                rules: Some(&rules),
                examples: &task.examples,
                input: &input.text,
                ..Judged::new(&answer.to_string(), &climb)
            });
            assert!(judgement.lamps.are_lit(), "{}: {judgement:?}", input.text);
            assert_eq!(judgement.cause, None);
        }
    }
}

#[test]
fn every_example_fits_its_schema() {
    for task in tasks() {
        let schema = Schema::parse(&task.schema).unwrap();
        assert!(!task.examples.is_empty());
        for example in &task.examples {
            assert_eq!(schema.verdict(&example.answer).faults, [], "{}", task.id);
        }
    }
}

#[test]
fn every_object_of_a_schema_is_closed_and_wants_all_keys() {
    fn check(schema: &Value) {
        if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
            assert_eq!(schema["additionalProperties"], false);
            let keys: Vec<_> = properties
                .keys()
                .map(|it| Value::from(it.as_str()))
                .collect();
            assert_eq!(schema["required"], Value::Array(keys));
            properties.values().for_each(check);
        }
        if let Some(items) = schema.get("items") {
            check(items);
        }
    }
    for task in tasks() {
        check(&task.schema);
    }
}

#[test]
fn no_example_value_occurs_in_an_input() {
    for task in tasks() {
        for example in &task.examples {
            let mut left = vec![&example.answer];
            while let Some(value) = left.pop() {
                match value {
                    Value::Array(items) => left.extend(items),
                    Value::Object(fields) => left.extend(fields.values()),
                    Value::String(_) | Value::Number(_) => {
                        let text = value
                            .as_str()
                            .map_or_else(|| value.to_string(), str::to_lowercase);
                        let is_named = task.schema.to_string().contains(&format!("\"{text}\""));
                        let found = task
                            .inputs
                            .iter()
                            .find(|it| it.text.to_lowercase().contains(&text));
                        assert!(is_named || found.is_none(), "{}: {text}", task.id);
                    }
                    _ => {}
                }
            }
        }
    }
}

#[test]
fn a_copied_example_shows_as_a_leak_in_every_task_but_those_of_numbers() {
    for task in tasks() {
        let sources = LeakSources {
            examples: &task.examples,
            input: &task.inputs[0].text,
            answer: task.inputs[0].answer.as_ref(),
            schema: Some(&task.schema),
            ..LeakSources::default()
        };
        let n = leaks(&task.examples[0].answer, &sources).len();
        // A ticket's answer is a word of its schema and a short number: nothing in it can be told from chance.
        assert_eq!(n == 0, task.id == "ticket", "{}", task.id);
    }
}
