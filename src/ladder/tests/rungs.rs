//! Which rung holds, what the rungs below said, and which of several values is chosen.

use serde_json::{Value, json};

use crate::ladder::{Climb, Flag, Hint, RepairKind, RootType, Rung, climb};

#[track_caller]
fn check(reply: &str, rung: Rung, value: &Value) -> Climb {
    let found = climb(reply, &Hint::default());
    assert_eq!(
        (found.rung, found.value()),
        (Some(rung), Some(value)),
        "{reply}"
    );
    let n_below = usize::from(u8::from(rung)) - 1;
    assert_eq!(found.attempts().len(), n_below, "{reply}");
    found
}

#[track_caller]
fn check_refused(reply: &str) -> Climb {
    let found = climb(reply, &Hint::default());
    assert_eq!((found.rung, found.value()), (None, None), "{reply}");
    assert_eq!(found.attempts().len(), 4);
    found
}

#[track_caller]
fn check_hint(reply: &str, hint: &Hint<'_>, value: &Value) {
    assert_eq!(climb(reply, hint).value(), Some(value), "{reply}");
}

#[test]
fn the_parsers_message_has_its_place_in_the_reply() {
    let found = check(
        "Bitte:\n```json\n{\"ä\": 'b'}\n```",
        Rung::Repair,
        &json!({"ä": "b"}),
    );
    let places: Vec<(usize, usize)> = found
        .attempts()
        .iter()
        .map(|it| (it.error.line, it.error.column))
        .collect();
    assert_eq!(places, [(1, 1), (3, 7), (3, 7)]);
    assert_eq!(found.attempts()[2].error.message, "expected value");
}

#[test]
fn a_byte_order_mark_is_told() {
    let found = check("\u{feff}{}", Rung::AsIs, &json!({}));
    assert!(found.flags.contains(&Flag::Bom) && !found.whole_reply_valid);
}

#[test]
fn zero_width_edges_are_cut() {
    check("\u{200b}{\"a\": 1}\u{200b}", Rung::Cut, &json!({"a": 1}));
}

#[test]
fn a_tilde_fence_holds() {
    check("~~~\n[1]\n~~~", Rung::Fences, &json!([1]));
}

#[test]
fn a_longer_fence_holds_shorter_ones() {
    check(
        "````json\n{\"a\": \"x\"}\n````",
        Rung::Fences,
        &json!({"a": "x"}),
    );
    check(
        "````\n```json\n{\"a\": 1}\n```\n````",
        Rung::Cut,
        &json!({"a": 1}),
    );
}

#[test]
fn a_block_labelled_json_is_preferred_and_all_are_offered() {
    let found = check(
        "```\n{\"a\": 1}\n```\n```json\n{\"b\": 2}\n```",
        Rung::Fences,
        &json!({"b": 2}),
    );
    let offered: Vec<&Value> = found.candidates().collect();
    assert_eq!(offered, [&json!({"a": 1}), &json!({"b": 2})]);
    assert!(found.flags.contains(&Flag::MultipleValues));
}

#[test]
fn a_broken_block_labelled_json_beats_an_example_in_prose() {
    check(
        "Like {\"b\": 2}:\n```json\n{'a': 1}\n```",
        Rung::Repair,
        &json!({"a": 1}),
    );
}

#[test]
fn a_fence_line_inside_a_string_is_content() {
    let reply = "```json\n{\"code\": \"```python\nx\n```\n\", \"b\": 1}\n```";
    check(
        reply,
        Rung::Repair,
        &json!({"code": "```python\nx\n```\n", "b": 1}),
    );
}

#[test]
fn thinking_is_split_off_and_kept() {
    let found = check("<think>a {x}</think>{\"a\":1}", Rung::Cut, &json!({"a": 1}));
    assert_eq!(found.thinking.as_deref(), Some("a {x}"));
    assert!(found.flags.contains(&Flag::Thinking));
}

#[test]
fn drafts_inside_every_kind_of_thinking_are_no_answer() {
    for (open, close) in [
        ("<thinking>", "</thinking>"),
        ("<reasoning>", "</reasoning>"),
        ("<|thinking|>", "<|/thinking|>"),
        ("<|begin_of_thought|>", "<|end_of_thought|>"),
        ("[THINK]", "[/THINK]"),
        ("◁think▷", "◁/think▷"),
        (
            "<|channel|>analysis<|message|>",
            "<|end|><|channel|>final<|message|>",
        ),
        ("", "</think>"),
    ] {
        let reply = format!("{open}say {{\"a\": 0}}{close}\n{{\"a\": 1}}");
        check(&reply, Rung::Cut, &json!({"a": 1}));
    }
}

#[test]
fn thinking_that_never_ends_holds_no_answer() {
    let found = check_refused("<think>maybe {\"a\": 0}");
    assert_eq!(found.thinking.as_deref(), Some("maybe {\"a\": 0}"));
}

#[test]
fn a_thinking_tag_inside_a_string_is_content() {
    check(
        "{\"a\": \"<think>x</think>\",}",
        Rung::Repair,
        &json!({"a": "<think>x</think>"}),
    );
}

#[test]
fn tool_call_tags_are_told() {
    for reply in [
        "<tool_call>\n{\"a\": 1}\n</tool_call>",
        "<|python_tag|>{\"a\": 1}",
        "<function=f>{\"a\": 1}</function>",
        "<｜tool▁call▁begin｜>{\"a\": 1}<｜tool▁call▁end｜>",
    ] {
        let found = check(reply, Rung::Cut, &json!({"a": 1}));
        assert!(found.flags.contains(&Flag::ToolCallTag), "{reply}");
    }
}

#[test]
fn the_first_object_is_taken_when_nothing_else_is_known() {
    let found = check("{\"a\": 1} {\"b\": 2}", Rung::Cut, &json!({"a": 1}));
    assert!(found.first_object_recoverable && !found.whole_reply_valid);
}

#[test]
fn the_type_of_the_root_decides() {
    let hint = Hint {
        root: Some(RootType::Array.into()),
        ..Hint::default()
    };
    check_hint("{\"a\": 1}\n[2, 3]", &hint, &json!([2, 3]));
}

#[test]
fn what_fits_the_schema_decides() {
    let fits = |value: &Value| value.get("b").is_some();
    let hint = Hint {
        fits: Some(&fits),
        ..Hint::default()
    };
    check_hint("{\"a\": 1} {\"b\": 2}", &hint, &json!({"b": 2}));
    check_hint("{\"a\": 1} {'b': 2}", &hint, &json!({"b": 2}));
}

#[track_caller]
fn check_told(reply: &str, hint: &Hint<'_>, note: &str) {
    let notes = climb(reply, hint).notes;
    assert_eq!(notes.last().map(String::as_str), Some(note), "{notes:?}");
}

#[test]
fn the_value_that_fits_is_taken_and_said_with_what_speaks_against_the_first() {
    let fits = |value: &Value| value.get("b").is_some();
    let hint = Hint {
        fits: Some(&fits),
        ..Hint::default()
    };
    check_told(
        "{\"a\": 1} {\"b\": 2}",
        &hint,
        "Took the second of 2 values: the first does not fit the schema.",
    );
    check_told(
        "{\"b\": 1} {\"a\": 2} {\"c\": 2}",
        &hint,
        "Took the first of 3 values: the second does not fit the schema.",
    );
}

#[test]
fn a_wrong_type_is_said_as_such() {
    let hint = Hint {
        root: Some(RootType::Array.into()),
        ..Hint::default()
    };
    check_told(
        "{\"a\": 1}\n[2, 3]",
        &hint,
        "Took the second of 2 values: the first has another type than the schema asks for.",
    );
}

#[test]
fn a_block_of_json_and_a_repair_are_said_too() {
    let none = Hint::default();
    check_told(
        "{\"a\": 1}\n```json\n{\"b\": 2}\n```",
        &none,
        "Took the second of 2 values: the first does not stand in a code block of JSON.",
    );
    check_told(
        "{'a': 1} {\"b\": 2}",
        &none,
        "Took the second of 2 values: the first has to be repaired.",
    );
    check_told(
        "{\"a\": 1} {\"b\": 2}",
        &none,
        "Took the first of 2 values: nothing speaks for another.",
    );
}

#[test]
fn a_known_prefill_is_put_back() {
    let hint = Hint {
        prefill: Some("{\"items\": ["),
        ..Hint::default()
    };
    let found = climb("{\"a\": 1}, {\"a\": 2}]}", &hint);
    assert_eq!(found.value(), Some(&json!({"items": [{"a": 1}, {"a": 2}]})));
    assert!(found.flags.contains(&Flag::Prefill));
}

#[test]
fn a_missing_opening_brace_is_put_back() {
    let found = check(
        "\"a\": {\"x\": 1}, \"b\": 2}",
        Rung::Repair,
        &json!({"a": {"x": 1}, "b": 2}),
    );
    assert!(found.flags.contains(&Flag::Prefill));
}

#[test]
fn prose_and_programs_hold_no_value() {
    for reply in [
        "Sorry, I cannot {do} this.",
        "The sizes are [small, medium, large].",
        "See [1] and [the docs](http://x.y).",
        "- [ ] todo\n- [x] done",
        "body { color: red; margin: 0 }",
        "interface X { name: string; qty: number; }",
        "{\"name\": string, \"qty\": number}",
        "{\"name\": <name>, \"qty\": <number>}",
        "return {\"name\": n, \"phone\": p}",
        "```python\nd = {\"name\": n}\n```",
        "{\"a\": text[0]}",
        "{\"a\": name.strip()}",
        "{{name}}",
        "${name}",
        "foo [",
        "f(x) = {x | x > 0}",
        "yes",
        "2024-01-01",
    ] {
        check_refused(reply);
    }
}

#[test]
fn a_part_of_a_broken_value_is_no_answer() {
    check_refused("{\"a\": 1, @@@ \"b\": {\"c\": 1}}");
    check_refused("{\"x\": 1e400, \"y\": {\"z\": 1}}");
}

#[test]
fn a_lone_scalar_of_another_language_is_a_value() {
    check("True", Rung::Repair, &json!(true));
    check("'foo'", Rung::Repair, &json!("foo"));
    check("callback(2);", Rung::Repair, &json!(2));
}

#[test]
fn a_climb_survives_its_own_json() {
    let found = climb("```json\n{'a': [1, 2\n```", &Hint::default());
    let text = serde_json::to_string(&found).unwrap();
    assert_eq!(serde_json::from_str::<Climb>(&text).unwrap(), found);
    assert!(text.starts_with("{\"rung\":4,"), "{text}");
}

#[test]
fn rungs_and_edits_are_called_by_names_of_their_own() {
    let labels = Rung::ALL.map(Rung::label);
    let expected = ["as is", "strip fences", "cut out the JSON", "repair"];
    assert_eq!(labels, expected);
    assert_eq!(RepairKind::InnerQuote.label(), "inner quote");
}
