//! A preset file is read, or its fault is named.

use serde_json::{Value, json};

use crate::constraint::{Start, WhiteSpace};
use crate::lab::{ConstraintChoice, Preset, Terms, shipped_presets};
use crate::prompt::PromptStyle;
use crate::sampling::Knob;

fn preset() -> Value {
    json!({
        "v": 1, "name": "mine", "title": "Mine", "about": "A test.", "style": "schema",
        "knobs": {"temperature": 0.5, "mirostat": 2},
        "constraint": {"kind": "grammar", "text": "root ::= \"a\""},
        "retry": {"most": 2}
    })
}

#[track_caller]
fn check(field: &str, value: Value, message: &str) {
    let mut preset = preset();
    preset[field] = value;
    let error = Preset::parse(&preset.to_string(), "mine.json").unwrap_err();
    assert_eq!(error.to_string(), message);
}

#[test]
fn a_preset_is_read_as_it_is_written() {
    let read = Preset::parse(&preset().to_string(), "mine.json").unwrap();
    assert_eq!(read.style, PromptStyle::Schema);
    assert_eq!(
        read.constraint,
        ConstraintChoice::Grammar("root ::= \"a\"".to_owned())
    );
    assert!((read.knobs.get(Knob::Temperature) - 0.5).abs() < 1e-12);
}

#[test]
fn what_is_unknown_is_kept_and_named() {
    let read = Preset::parse(&preset().to_string(), "mine.json").unwrap();
    assert_eq!(read.unknown_knobs(), ["mirostat"]);
    let written = read.to_json();
    assert_eq!(written["knobs"]["mirostat"], 2);
    assert_eq!(written["retry"], json!({"most": 2}));
    assert_eq!(
        Preset::parse(&written.to_string(), "again.json").unwrap(),
        read
    );
}

#[test]
fn a_short_preset_gets_the_usual() {
    let read = Preset::parse(r#"{"v": 1, "name": "bare"}"#, "bare.json").unwrap();
    assert_eq!(read.title, "bare");
    assert_eq!(read.style, PromptStyle::Example);
    assert_eq!(read.constraint, ConstraintChoice::None);
}

#[test]
fn a_knob_out_of_range_is_named_with_its_range() {
    check(
        "knobs",
        json!({"temperature": -3}),
        "mine.json: knobs.temperature is -3; it must be a number from 0 to 2",
    );
}

#[test]
fn a_knob_that_is_a_text_is_refused() {
    check(
        "knobs",
        json!({"top_k": "many"}),
        "mine.json: knobs.top_k is \"many\"; it must be a whole number from 0 to 1000",
    );
}

#[test]
fn knobs_that_are_a_list_are_refused() {
    check(
        "knobs",
        json!([]),
        "mine.json: knobs is []; it must be an object",
    );
}

#[test]
fn an_unknown_style_is_refused() {
    check(
        "style",
        json!("fancy"),
        "mine.json: style is \"fancy\"; it must be \"plain\", \"example\" or \"schema\"",
    );
}

#[test]
fn an_unknown_constraint_is_refused() {
    check(
        "constraint",
        json!({"kind": "wish"}),
        "mine.json: constraint.kind is \"wish\"; it must be \"none\", \"task_grammar\", \"grammar\", \"task_schema\", \"schema\" or \"regex\"",
    );
}

#[test]
fn a_constraint_without_a_kind_is_refused() {
    let error = Preset::parse(
        r#"{"v": 1, "name": "a", "constraint": {"text": "root ::= x"}}"#,
        "a.json",
    );
    assert!(
        error
            .unwrap_err()
            .to_string()
            .contains("constraint.kind is missing")
    );
}

#[test]
fn a_grammar_without_text_is_refused() {
    check(
        "constraint",
        json!({"kind": "grammar"}),
        "mine.json: constraint.text is missing; it must be a text that is not empty",
    );
}

#[test]
fn another_version_is_refused() {
    check("v", json!("1"), "mine.json: v is \"1\"; it must be 1");
}

#[test]
fn every_constraint_comes_back() {
    let texts = ["none", "task_grammar", "task_schema"].map(|it| json!({"kind": it}));
    let owned = ["grammar", "schema"].map(|it| json!({"kind": it, "text": "x"}));
    for constraint in texts.into_iter().chain(owned) {
        let mut preset = preset();
        preset["constraint"] = constraint.clone();
        let read = Preset::parse(&preset.to_string(), "a.json").unwrap();
        assert_eq!(read.to_json()["constraint"], constraint);
    }
}

fn shipped() -> Vec<Preset> {
    shipped_presets()
        .iter()
        .map(|(file, text)| Preset::parse(text, file).unwrap())
        .collect()
}

#[test]
fn the_shipped_presets_are_those_that_are_promised() {
    let names: Vec<_> = shipped().into_iter().map(|it| it.name).collect();
    assert_eq!(
        names,
        [
            "greedy",
            "chat",
            "greedy-temperature",
            "greedy-top-p",
            "greedy-top-k",
            "greedy-repetition",
            "greedy-ngram3",
            "low-temperature",
            "greedy-grammar",
            "greedy-schema",
            "chat-schema",
            "reason-schema",
            "draft-schema",
            "digits-regex",
        ]
    );
    let files = shipped_presets().iter().map(|it| it.0);
    assert!(
        names
            .iter()
            .zip(files)
            .all(|(name, file)| format!("{name}.json") == file)
    );
}

#[test]
fn shipped_presets_hold_nothing_unknown_and_say_what_they_are_for() {
    for preset in shipped() {
        assert!(preset.other.is_empty(), "{}", preset.name);
        assert!(preset.about.ends_with('.') && preset.title != preset.name);
        assert_eq!(preset.style, PromptStyle::Example);
        assert!((preset.knobs.get(Knob::MaxTokens) - 160.0).abs() < 1e-12);
        assert_eq!(
            Preset::parse(&preset.to_json().to_string(), "a").unwrap(),
            preset
        );
    }
}

/// One knob of the chat settings over greedy, or none.
#[test]
fn each_ablation_changes_one_knob_to_its_value_in_chat() {
    let shipped = shipped();
    let named = |name: &str| &shipped.iter().find(|it| it.name == name).unwrap().knobs;
    let (greedy, chat) = (named("greedy"), named("chat"));
    for (name, knob) in [
        ("greedy-temperature", Knob::Temperature),
        ("greedy-top-p", Knob::TopP),
        ("greedy-top-k", Knob::TopK),
        ("greedy-repetition", Knob::RepetitionPenalty),
        ("greedy-ngram3", Knob::NoRepeatNgramSize),
    ] {
        for other in Knob::ALL {
            let wanted = if other == knob { chat } else { greedy };
            assert!(
                (named(name).get(other) - wanted.get(other)).abs() < 1e-12,
                "{name}: {other}"
            );
        }
        assert!((greedy.get(knob) - chat.get(knob)).abs() > 1e-3, "{name}");
    }
    assert_eq!(named("chat-schema"), chat);
    assert_eq!(named("greedy-schema"), greedy);
    assert_eq!(named("greedy-grammar"), greedy);
}

#[test]
fn defaults_are_read_and_written_again() {
    let text = r#"{"v": 1, "name": "kind", "defaults": {"/items/*/qty": 1}, "ignore_unknown_fields": true}"#;
    let read = Preset::parse(text, "kind.json").unwrap();
    assert!(read.defaults.ignores_unknown_fields());
    let written = read.to_json();
    assert_eq!(written["defaults"], json!({"/items/*/qty": 1}));
    assert_eq!(
        Preset::parse(&written.to_string(), "kind.json").unwrap(),
        read
    );
    let bare = Preset::parse(r#"{"v": 1, "name": "bare"}"#, "bare.json").unwrap();
    assert_eq!(bare.to_json().get("defaults"), None);
}

#[test]
fn a_default_for_every_item_is_refused() {
    check(
        "defaults",
        json!({"/items/*": 1}),
        "mine.json: defaults./items/* is 1 for no single field; it must be under a pointer to a key, such as /qty or /items/*/qty",
    );
    check(
        "ignore_unknown_fields",
        json!("yes"),
        "mine.json: ignore_unknown_fields is \"yes\"; it must be true or false",
    );
}

#[test]
fn what_goes_with_a_constraint_is_read_and_written() {
    let text = json!({
        "v": 1, "name": "late", "prefill": "{",
        "constraint": {"kind": "task_schema", "white_space": {"up_to": 3}, "switches": {"lenient": true},
            "start": {"after": "JSON:"}, "close_in_time": true, "guards": false},
        "first": {"kind": "draft", "max_tokens": 50}
    });
    let preset = Preset::parse(&text.to_string(), "late.json").unwrap();
    assert_eq!(preset.terms.white_space, WhiteSpace::UpTo(3));
    assert_eq!(preset.terms.hold.start, Start::After("JSON:".to_owned()));
    assert!(preset.terms.switches.lenient && preset.terms.hold.close_in_time);
    assert!(!preset.terms.hold.guards);
    assert_eq!(preset.terms.prefill, "{");
    let again = preset.to_json();
    for key in ["constraint", "first", "prefill"] {
        assert_eq!(again[key], text[key], "{key}");
    }
}

#[test]
fn neutral_terms_are_not_written() {
    let text = json!({"v": 1, "name": "plain", "constraint": {"kind": "task_schema"}});
    let preset = Preset::parse(&text.to_string(), "plain.json").unwrap();
    assert_eq!(preset.terms, Terms::default());
    assert_eq!(
        preset.to_json()["constraint"],
        json!({"kind": "task_schema"})
    );
}

#[test]
fn terms_with_a_fault_are_refused_with_their_range() {
    for (constraint, first, words) in [
        (
            json!({"kind": "none", "start": "later"}),
            json!(null),
            "constraint.start is \"later\"",
        ),
        (
            json!({"kind": "none", "white_space": "lots"}),
            json!(null),
            "constraint.white_space",
        ),
        (
            json!({"kind": "none", "guards": 1}),
            json!(null),
            "true or false",
        ),
        (
            json!({"kind": "none"}),
            json!({"kind": "reason", "max_tokens": 0}),
            "a number to 8192",
        ),
    ] {
        let mut text = json!({"v": 1, "name": "a", "constraint": constraint});
        if !first.is_null() {
            text["first"] = first;
        }
        let error = Preset::parse(&text.to_string(), "a.json")
            .unwrap_err()
            .to_string();
        assert!(error.contains(words), "{error}");
    }
}
