//! Thinking, prefill and constraint together, with chat templates of our own on a real model.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use stepladder::constraint::{Constraint, WhiteSpace};
use stepladder::prompt::{Thinking, is_template_failure, shipped_tasks};

use super::setup::{Retold, greedy, instruct, with_template};

/// Has the switch, and opens the block unless it is off.
const SWITCHED: &str = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}<|im_start|>assistant\n<think>\n{% if enable_thinking is false %}\n</think>\n\n{% endif %}";

/// Knows thinking, and leaves it to the model.
const FREE: &str = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content.split('</think>')[-1] }}<|im_end|>\n{% endfor %}<|im_start|>assistant\n";

const CLOSED: &str = "assistant\n<think>\n</think>\n\n";

fn switched() -> MutexGuard<'static, Retold> {
    static MODEL: OnceLock<Mutex<Retold>> = OnceLock::new();
    let model = MODEL.get_or_init(|| Mutex::new(with_template(SWITCHED)));
    model.lock().unwrap_or_else(PoisonError::into_inner)
}

fn shopping() -> Constraint {
    let (_, text) = shipped_tasks()
        .iter()
        .find(|it| it.0 == "shopping.json")
        .unwrap();
    let task: serde_json::Value = serde_json::from_str(text).unwrap();
    Constraint::Schema {
        text: task["schema"].to_string(),
        white_space: WhiteSpace::One,
        switches: stepladder::constraint::SchemaSwitches::default(),
    }
}

const QUESTION: &str = "List what to buy as JSON: two milk, three eggs.";

#[track_caller]
fn check_warned(warnings: &[String], part: &str) {
    assert!(warnings.iter().any(|it| it.contains(part)), "{warnings:?}");
}

#[test]
fn a_prefill_and_a_schema_give_one_whole_object() {
    let mut request = greedy(QUESTION, 300);
    request.prompt.prefill = "{".to_owned();
    request.constraint = shopping();
    let told = instruct().run(&request).unwrap();
    assert!(
        !told.text().trim_start().starts_with('{'),
        "{:?}",
        told.text()
    );
    let whole = format!("{{{}", told.text());
    let value: serde_json::Value = serde_json::from_str(&whole)
        .unwrap_or_else(|it| panic!("{it}: {whole:?} after {:?}", told.finish.stop));
    assert!(value["items"].is_array());
    assert!(told.view.warnings.is_empty(), "{:?}", told.view.warnings);
}

#[test]
fn a_prefill_that_the_constraint_refuses_is_named() {
    let mut request = greedy(QUESTION, 5);
    request.prompt.prefill = "{\"shop".to_owned();
    request.constraint = shopping();
    let message = instruct().run(&request).unwrap_err();
    assert!(message.contains("does not allow the prefill"), "{message}");
    assert!(message.contains("\"shop\""), "{message}");
}

#[test]
fn thinking_and_a_constraint_are_warned_of_in_the_run() {
    let mut request = greedy(QUESTION, 3);
    request.constraint = shopping();
    let told = switched().asked.run(&request).unwrap();
    check_warned(&told.view.warnings, "the constraint suppresses thinking");
    assert!(
        told.text().trim_start().starts_with('{'),
        "{:?}",
        told.text()
    );
    request.constraint = Constraint::None;
    let told = switched().asked.run(&request).unwrap();
    assert!(told.view.warnings.is_empty(), "{:?}", told.view.warnings);
}

#[test]
fn with_thinking_off_the_constraint_is_active_from_the_first_token() {
    let mut request = greedy(QUESTION, 3);
    request.prompt.thinking = Thinking::Off;
    request.constraint = shopping();
    let told = switched().asked.run(&request).unwrap();
    assert!(
        told.view.rendered.ends_with(CLOSED),
        "{:?}",
        told.view.rendered
    );
    assert!(told.view.warnings.is_empty(), "{:?}", told.view.warnings);
    assert!(told.tokens[0].trace.n_legal.is_some());
    assert!(
        told.text().trim_start().starts_with('{'),
        "{:?}",
        told.text()
    );
}

#[test]
fn a_prefill_is_refused_while_the_model_thinks() {
    for thinking in [Thinking::Template, Thinking::On] {
        let mut request = greedy(QUESTION, 3).prompt;
        request.thinking = thinking;
        request.prefill = "{".to_owned();
        let message = switched().asked.preview(request).unwrap_err();
        assert!(message.contains("switch thinking off"), "{message}");
        assert!(!is_template_failure(&message));
    }
}

#[test]
fn a_prefill_stands_behind_the_closed_block() {
    let mut request = greedy(QUESTION, 3).prompt;
    request.thinking = Thinking::Off;
    request.prefill = "{".to_owned();
    let view = switched().asked.preview(request).unwrap();
    assert!(
        view.rendered.ends_with(&format!("{CLOSED}{{")),
        "{:?}",
        view.rendered
    );
}

#[test]
fn a_template_without_the_switch_says_so_and_leaves_thinking_to_the_model() {
    let mut model = with_template(FREE).asked;
    let mut request = greedy(QUESTION, 3);
    request.prompt.thinking = Thinking::Off;
    request.prompt.prefill = "{".to_owned();
    request.constraint = shopping();
    let told = model.run(&request).unwrap();
    for part in [
        "no switch",
        "the constraint suppresses",
        "the prefill suppresses",
    ] {
        check_warned(&told.view.warnings, part);
    }
}

#[test]
fn a_template_that_fails_is_told_apart() {
    let mut model = with_template("{{ raise_exception('no talk today') }}").asked;
    let message = model.run(&greedy(QUESTION, 3)).unwrap_err();
    assert!(is_template_failure(&message), "{message}");
    assert!(message.contains("no talk today"), "{message}");
}
