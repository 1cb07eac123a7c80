//! What the lint finds, and what the structured twin turns, worked out by hand.

use serde_json::{Value, json};

use super::super::{ConstraintChoice, LintKind, Preset, lint, structured_twin};
use crate::sampling::{Knob, Order, Scope, Stage};

fn preset(knobs: &Value) -> Preset {
    let file = json!({"v": 1, "name": "mine", "title": "Mine", "about": "", "style": "example",
        "knobs": knobs, "constraint": {"kind": "none"}});
    Preset::parse(&file.to_string(), "mine.json").unwrap()
}

#[track_caller]
fn check(knobs: &Value, schema: Option<&Value>, expected: &[(Knob, LintKind)]) {
    let found = lint(&preset(knobs), schema);
    let kinds: Vec<_> = found.iter().map(|it| (it.knob, it.kind)).collect();
    assert_eq!(kinds, expected);
    assert!(found.iter().all(|it| it.reason.ends_with('.')));
}

/// A list of two fields: 8 items of 3 fields' worth with the object itself, 12 tokens each: 1 + 24 fields, 300 tokens.
fn list() -> Value {
    let item = json!({"properties": {"name": {"type": "string"}, "qty": {"type": "integer"}}});
    json!({"properties": {"items": {"items": item}}})
}

#[test]
fn a_neutral_preset_has_nothing_to_tell() {
    check(&json!({"temperature": 0}), None, &[]);
    check(&json!({"temperature": 0}), Some(&list()), &[]);
}

#[test]
fn inherited_chat_settings_are_named_in_the_tables_order() {
    let chat = json!({"temperature": 0.75, "top_k": 40, "top_p": 0.9, "repetition_penalty": 1.12,
        "no_repeat_ngram_size": 3});
    let expected = [
        (Knob::Temperature, LintKind::HighTemperature),
        (Knob::RepetitionPenalty, LintKind::Penalty),
        (Knob::NoRepeatNgramSize, LintKind::NgramBan),
    ];
    check(&chat, None, &expected);
}

#[test]
fn dry_and_xtc_and_mirostat_are_named() {
    let knobs = json!({"temperature": 0.4, "dry_multiplier": 0.8, "xtc_probability": 0.5, "mirostat_tau": 5});
    let expected = [Knob::XtcProbability, Knob::MirostatTau, Knob::DryMultiplier];
    check(
        &knobs,
        None,
        &expected.map(|it| (it, LintKind::AntiRepetition)),
    );
}

#[test]
fn a_limit_too_low_for_a_list_is_named_with_what_it_needs() {
    let schema = list();
    check(
        &json!({"temperature": 0, "max_tokens": 300}),
        Some(&schema),
        &[],
    );
    let low = json!({"temperature": 0, "max_tokens": 299});
    check(
        &low,
        Some(&schema),
        &[(Knob::MaxTokens, LintKind::LowLimit)],
    );
    let reason = &lint(&preset(&low), Some(&schema))[0].reason;
    assert!(
        reason.contains("299") && reason.contains("about 300"),
        "{reason}"
    );
}

#[test]
fn what_cannot_bite_is_not_named() {
    // A negative penalty makes what was seen likelier; DRY with an empty window looks at nothing.
    let knobs = json!({"temperature": 0, "presence_penalty": -0.5, "dry_multiplier": 0.8, "dry_penalty_last_n": 0});
    check(&knobs, None, &[]);
}

#[test]
fn a_reason_says_where_the_ban_looks() {
    let mut preset = preset(&json!({"temperature": 0, "no_repeat_ngram_size": 4}));
    let reason = |preset: &Preset| lint(preset, None)[0].reason.clone();
    assert!(reason(&preset).contains("stands in the prompt and the reply"));
    preset.knobs.ngram_scope = Scope::Reply;
    assert!(reason(&preset).contains("stands in the reply"));
}

#[test]
fn the_twin_turns_what_the_lint_names_and_leaves_the_rest() {
    let chat = preset(
        &json!({"temperature": 0.75, "top_k": 40, "repetition_penalty": 1.12,
        "no_repeat_ngram_size": 3, "max_tokens": 100, "seed": 7}),
    );
    let twin = structured_twin(&chat, Some(&list()));
    assert_eq!(
        (twin.name.as_str(), twin.title.as_str()),
        ("mine-structured", "Mine, structured")
    );
    assert_eq!(twin.constraint, ConstraintChoice::TaskSchema);
    let values = [
        (Knob::Temperature, 0.0),
        (Knob::RepetitionPenalty, 1.0),
        (Knob::NoRepeatNgramSize, 0.0),
        (Knob::MaxTokens, 300.0),
        (Knob::TopK, 40.0),
        (Knob::Seed, 7.0),
    ];
    for (knob, value) in values {
        assert!((twin.knobs.get(knob) - value).abs() < 1e-9, "{knob}");
    }
    assert_eq!(lint(&twin, Some(&list())), []);
}

#[test]
fn the_twin_is_greedy_whatever_the_order_was() {
    let mut odd = preset(&json!({"temperature": 0.4, "dynatemp_range": 0.3}));
    odd.knobs.order = Order::new(&[Stage::TopK]).unwrap();
    odd.constraint = ConstraintChoice::Grammar("json".to_owned());
    let twin = structured_twin(&odd, None);
    assert!(twin.knobs.is_greedy());
    // A constraint that is there already stays.
    assert_eq!(twin.constraint, odd.constraint);
}
