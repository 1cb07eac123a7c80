//! How a prompt is laid out.

use serde_json::{Value, json};

use crate::prompt::{Example, Layout, PromptStyle, Role, TemplateChoice, messages, spaced};

fn laid_out(style: PromptStyle, system: &str) -> Vec<(Role, String)> {
    let schema = json!({"type": "object", "properties": {
        "reason": {"type": "string"},
        "items": {"type": "array", "items": {"type": "object", "properties": {"name": {}, "qty": {}}}},
    }});
    let example = Example {
        input: "EXAMPLE".to_owned(),
        answer: json!({"reason": "x", "items": [{"name": "rice", "qty": 2}]}),
    };
    let layout = Layout {
        system,
        instruction: "Do it.",
        schema: Some(&schema),
        style,
        examples: &[example],
        input: "the input\n",
        template: TemplateChoice::Model,
    };
    messages(&layout)
        .into_iter()
        .map(|it| (it.role, it.content))
        .collect()
}

#[test]
fn the_plain_style_names_the_keys() {
    let question = "Do it.\n\nInput: the input\n\nAnswer with JSON only with the keys reason, items (a list of objects with the keys name, qty), from { to }.";
    assert_eq!(
        laid_out(PromptStyle::Plain, "Be good."),
        [
            (Role::System, "Be good.".to_owned()),
            (Role::User, question.to_owned()),
        ]
    );
}

#[test]
fn an_empty_system_text_makes_no_message() {
    assert_eq!(laid_out(PromptStyle::Plain, " ")[0].0, Role::User);
}

#[test]
fn the_example_style_shows_question_and_answer_in_turn() {
    let laid_out = laid_out(PromptStyle::Example, "");
    let roles: Vec<_> = laid_out.iter().map(|it| it.0).collect();
    assert_eq!(roles, [Role::User, Role::Assistant, Role::User]);
    assert!(
        laid_out[0]
            .1
            .starts_with("Do it.\n\nThe answer's JSON Schema:\n{\n  \"type\"")
    );
    assert_eq!(
        laid_out[1].1,
        r#"{"reason": "x", "items": [{"name": "rice", "qty": 2}]}"#
    );
    assert_eq!(
        laid_out[2].1,
        "Input: the input\n\nAnswer with JSON only, from { to }."
    );
}

#[test]
fn the_schema_style_shows_no_example() {
    let laid_out = laid_out(PromptStyle::Schema, "");
    assert_eq!(laid_out.len(), 1);
    assert!(!laid_out[0].1.contains("EXAMPLE"));
}

#[test]
fn properties_keep_their_order() {
    let question = &laid_out(PromptStyle::Schema, "")[0].1;
    let place = |key: &str| question.find(key).unwrap();
    assert!(place("reason") < place("items") && place("\"name\"") < place("\"qty\""));
}

#[track_caller]
fn check_spaced(value: &Value, expected: &str) {
    assert_eq!(spaced(value), expected);
}

#[test]
fn empty_lists_and_objects_stay_tight() {
    check_spaced(&json!({"a": [], "b": {}}), r#"{"a": [], "b": {}}"#);
}

#[test]
fn texts_are_not_escaped_beyond_need() {
    check_spaced(
        &json!(["张三", "<a>", "\"\n"]),
        r#"["张三", "<a>", "\"\n"]"#,
    );
}

#[track_caller]
fn check_contents(layout: &Layout<'_>, expected: &[&str]) {
    let contents: Vec<String> = messages(layout).into_iter().map(|it| it.content).collect();
    assert_eq!(contents, expected);
}

fn bare(instruction: &'static str, input: &'static str) -> Layout<'static> {
    Layout {
        system: "",
        instruction,
        schema: None,
        style: PromptStyle::Plain,
        examples: &[],
        input,
        template: TemplateChoice::Raw,
    }
}

#[test]
fn without_instruction_and_input_nothing_is_asked() {
    for template in [TemplateChoice::Raw, TemplateChoice::Model] {
        let layout = Layout {
            system: "Be good.",
            template,
            ..bare(" ", "\n")
        };
        check_contents(&layout, &[]);
    }
}

#[test]
fn a_raw_prompt_without_an_instruction_is_the_input_alone() {
    check_contents(&bare("", " Once upon a time,"), &[" Once upon a time,"]);
}

#[test]
fn a_raw_prompt_with_an_instruction_ends_with_a_blank_line() {
    check_contents(
        &bare("Do it.", "x"),
        &["Do it.\n\nInput: x\n\nAnswer with JSON only, from { to }.\n\n"],
    );
}

#[test]
fn a_template_lays_out_an_input_without_an_instruction() {
    let layout = Layout {
        template: TemplateChoice::Model,
        ..bare("", "x")
    };
    check_contents(
        &layout,
        &["Input: x\n\nAnswer with JSON only, from { to }."],
    );
}
