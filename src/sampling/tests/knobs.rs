//! The table of knobs, the values, their form in a file, and the knobs that cannot bite.

use serde_json::{Map, Value, json};

use super::*;
use crate::sampling::{KnobList, Order, Scope, Stage};

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        other => panic!("{other}"),
    }
}

#[track_caller]
fn check_round_trip(knobs: &Knobs, file: Value) {
    assert_eq!(serde_json::to_value(knobs).unwrap(), file);
    assert_eq!(serde_json::from_value::<Knobs>(file).unwrap(), *knobs);
}

#[track_caller]
fn check_refused(file: Value, message: &str) {
    let error = Knobs::from_map(&mut object(file)).unwrap_err();
    assert_eq!(error.to_string(), message);
}

#[track_caller]
fn check_idle(knobs: &Knobs, expected: &[(Knob, &str)]) {
    let idle = knobs.idle();
    let agree = idle.len() == expected.len()
        && idle
            .iter()
            .zip(expected)
            .all(|(found, expected)| found.0 == expected.0 && found.1.contains(expected.1));
    assert!(agree, "{idle:?}");
}

/// A value at which the knob is felt, and what else must be set for it.
fn off_neutral(knob: Knob) -> Option<(f64, &'static [(Knob, f64)])> {
    Some(match knob {
        Knob::TopK => (3.0, &[]),
        Knob::Temperature | Knob::TopP => (0.5, &[]),
        Knob::MinP => (0.3, &[]),
        Knob::TypicalP => (0.4, &[]),
        Knob::TopNSigma | Knob::XtcProbability | Knob::DynatempRange | Knob::MirostatTau => {
            (0.9, &[])
        }
        Knob::DynatempExponent => (3.0, &[(Knob::DynatempRange, 0.9)]),
        Knob::MirostatEta => (0.9, &[(Knob::MirostatTau, 0.9)]),
        Knob::XtcThreshold => (0.2, &[(Knob::XtcProbability, 1.0)]),
        Knob::PresencePenalty => (0.6, &[]),
        Knob::FrequencyPenalty => (-0.6, &[]),
        Knob::RepetitionPenalty => (1.2, &[]),
        Knob::PenaltyLastN => (1.0, &[(Knob::RepetitionPenalty, 1.2)]),
        Knob::NoRepeatNgramSize => (2.0, &[]),
        Knob::DryMultiplier => (0.8, &[]),
        Knob::DryAllowedLength => (4.0, &[(Knob::DryMultiplier, 0.8)]),
        Knob::DryBase | Knob::DryLastN => (3.0, &[(Knob::DryMultiplier, 0.8)]),
        Knob::Seed => (7.0, &[]),
        // Ends the reply, and is the engine's to obey.
        // The least tokens need to know which tokens end a reply; `lexical` tests them.
        Knob::MinTokens | Knob::MaxTokens => return None,
    })
}

#[test]
fn every_knob_off_neutral_is_felt() {
    let logits = [1.0, 2.0, 1.5, 0.5, -1.0, 0.0, 0.2];
    let prompt = [1, 2, 4, 1, 2, 4, 1];
    for knob in Knob::ALL {
        let Some((value, others)) = off_neutral(knob) else {
            continue;
        };
        let replies = [knobs(others), knobs(others).with(knob, value).unwrap()].map(|knobs| {
            assert_eq!(knobs.idle(), []);
            let mut chain = Chain::new(&knobs, logits.len());
            chain.feed_prompt(&prompt);
            (0..20)
                .map(|_| chain.step(&logits, None))
                .collect::<Vec<_>>()
        });
        assert_ne!(replies[0], replies[1], "{knob}");
    }
}

#[test]
fn the_table_is_sound() {
    for knob in Knob::ALL {
        let spec = knob.spec();
        assert_eq!(spec.knob, knob);
        assert_eq!(json!(knob), spec.key);
        assert_eq!(Knob::from_key(spec.key), Some(knob));
        assert!(spec.min < spec.max && spec.step > 0.0);
        assert!(Knobs::neutral().with(knob, spec.neutral).is_ok());
        assert!(spec.help.ends_with('.') && !spec.source.is_empty());
        assert!(!spec.aliases.contains(&spec.key));
    }
}

#[test]
fn stages_have_the_same_name_in_files_and_records() {
    for &stage in Stage::ALL {
        assert_eq!(json!(stage), stage.key());
        assert_eq!(Stage::from_key(stage.key()), Some(stage));
    }
    assert_eq!(Order::transformers().stages().len(), Stage::ALL.len());
    assert_eq!(Order::llama_cpp().stages().len(), Stage::ALL.len());
}

#[test]
fn a_value_out_of_range_is_refused_and_the_old_one_kept() {
    let mut knobs = Knobs::neutral();
    let error = knobs.set(Knob::TopP, 1.5).unwrap_err();
    assert_eq!(
        error.to_string(),
        "top_p is 1.5; it must be a number from 0 to 1"
    );
    assert_eq!(knobs, Knobs::neutral());
    for (knob, value) in [
        (Knob::TopK, 2.5),
        (Knob::MinP, f64::NAN),
        (Knob::MaxTokens, 0.0),
        (Knob::Seed, -1.0),
    ] {
        assert!(knobs.set(knob, value).is_err(), "{knob} {value}");
    }
}

#[test]
fn neutral_knobs_are_a_short_file() {
    check_round_trip(
        &Knobs::neutral(),
        json!({"seed": 42, "max_tokens": 512, "order": "transformers"}),
    );
}

#[test]
fn the_articles_chat_settings_read_as_they_are_known() {
    let knobs = knobs(&[
        (Knob::Temperature, 0.75),
        (Knob::TopP, 0.9),
        (Knob::TopK, 40.0),
        (Knob::RepetitionPenalty, 1.12),
        (Knob::NoRepeatNgramSize, 3.0),
    ]);
    let text = r#"{"temperature":0.75,"top_k":40,"top_p":0.9,"repetition_penalty":1.12,"no_repeat_ngram_size":3,"seed":42,"max_tokens":512,"order":"transformers"}"#;
    assert_eq!(serde_json::to_string(&knobs).unwrap(), text);
}

#[test]
fn orders_scopes_and_stop_strings_survive_a_file() {
    let mut knobs = knobs(&[(Knob::Temperature, 0.0), (Knob::Seed, 4_294_967_295.0)]);
    knobs.order = Order::llama_cpp();
    knobs.ngram_scope = Scope::Reply;
    knobs.stop = vec!["\n\n".to_owned()];
    check_round_trip(
        &knobs,
        json!({"temperature": 0, "seed": 4_294_967_295_u32, "max_tokens": 512, "order": "llama.cpp", "ngram_scope": "reply", "stop": ["\n\n"]}),
    );
    knobs.order = Order::new(&[Stage::MinP, Stage::Mask]).unwrap();
    knobs.penalty_scope = Scope::Reply;
    check_round_trip(
        &knobs,
        json!({"temperature": 0, "seed": 4_294_967_295_u32, "max_tokens": 512, "order": ["min_p", "mask"], "penalty_scope": "reply", "ngram_scope": "reply", "stop": ["\n\n"]}),
    );
}

#[test]
fn the_mask_cannot_be_left_out_of_an_order() {
    let order = Order::from_value(&json!(["top_k"])).unwrap();
    assert_eq!(order.stages(), [Stage::Mask, Stage::TopK]);
}

#[test]
fn unknown_keys_are_left_to_the_caller() {
    let mut map = object(json!({"rep_pen": 1.1, "top_k": 5, "note": "mine"}));
    let knobs = Knobs::from_map(&mut map).unwrap();
    assert_eq!(knobs, super::knobs(&[(Knob::TopK, 5.0)]));
    assert_eq!(Value::Object(map), json!({"rep_pen": 1.1, "note": "mine"}));
}

#[test]
fn a_wrong_value_is_named_with_field_and_range() {
    check_refused(
        json!({"temperature": -1}),
        "temperature is -1; it must be a number from 0 to 2",
    );
    check_refused(
        json!({"top_k": 1.5}),
        "top_k is 1.5; it must be a whole number from 0 to 1000",
    );
    check_refused(
        json!({"top_p": "high"}),
        "top_p is \"high\"; it must be a number from 0 to 1",
    );
    check_refused(
        json!({"min_p": null}),
        "min_p is null; it must be a number from 0 to 1",
    );
    check_refused(
        json!({"ngram_scope": "prompt"}),
        "ngram_scope is \"prompt\"; it must be \"prompt_and_reply\" or \"reply\"",
    );
    check_refused(
        json!({"stop": [""]}),
        "stop is [\"\"]; it must be a list of texts, none of them empty",
    );
    let stages = "\"transformers\", \"llama.cpp\" or a list of stages, each at most once, from mask, logit_bias, token_ban, min_tokens, repetition_penalty, presence_frequency, dry, no_repeat_ngram, temperature, top_k, top_p, min_p, typical_p, top_n_sigma, xtc, mirostat";
    check_refused(
        json!({"order": ["topk"]}),
        &format!("order is [\"topk\"]; it must be {stages}"),
    );
    check_refused(
        json!({"order": ["top_k", "top_k"]}),
        &format!("order is [\"top_k\",\"top_k\"]; it must be {stages}"),
    );
}

#[test]
fn neutral_knobs_are_not_idle() {
    check_idle(&Knobs::neutral(), &[]);
    check_idle(&knobs(&[(Knob::Temperature, 0.0)]), &[]);
}

#[test]
fn truncations_and_seed_are_idle_beside_temperature_zero() {
    let values = [
        (Knob::Temperature, 0.0),
        (Knob::TopK, 40.0),
        (Knob::TopP, 0.9),
        (Knob::MinP, 0.1),
        (Knob::Seed, 1.0),
        (Knob::NoRepeatNgramSize, 3.0),
    ];
    let reason = "temperature is 0";
    check_idle(
        &knobs(&values),
        &[
            (Knob::TopK, reason),
            (Knob::TopP, reason),
            (Knob::MinP, reason),
            (Knob::Seed, reason),
        ],
    );
}

#[test]
fn a_knob_whose_stage_is_not_in_the_order_is_idle() {
    let mut knobs = knobs(&[(Knob::TopK, 40.0), (Knob::Temperature, 0.0)]);
    knobs.order = Order::new(&[Stage::MinP]).unwrap();
    check_idle(
        &knobs,
        &[
            (Knob::Temperature, "temperature is not in the order"),
            (Knob::TopK, "set, but top-k is not in the order: no effect"),
        ],
    );
}

#[test]
fn a_window_without_a_penalty_is_idle_and_a_penalty_without_a_window_too() {
    check_idle(
        &knobs(&[(Knob::PenaltyLastN, 64.0)]),
        &[(Knob::PenaltyLastN, "no penalty")],
    );
    let values = [(Knob::RepetitionPenalty, 1.1), (Knob::PenaltyLastN, 0.0)];
    check_idle(&knobs(&values), &[(Knob::RepetitionPenalty, "window is 0")]);
}

#[test]
fn stages_behind_one_that_leaves_one_token_are_idle() {
    let mut knobs = knobs(&[
        (Knob::Temperature, 0.7),
        (Knob::TopK, 1.0),
        (Knob::TopP, 0.9),
        (Knob::XtcProbability, 0.5),
        (Knob::RepetitionPenalty, 1.1),
        (Knob::NoRepeatNgramSize, 3.0),
        (Knob::Seed, 7.0),
    ]);
    let reason = "Top-k 1 before it leaves one token";
    // Temperature and penalty stand before top-k.
    let transformers = [
        (Knob::TopP, reason),
        (Knob::XtcProbability, reason),
        (Knob::Seed, "nothing is drawn"),
    ];
    check_idle(&knobs, &transformers);
    // Behind it the ban can still take the last token away.
    let order = [
        Stage::Xtc,
        Stage::TopK,
        Stage::RepetitionPenalty,
        Stage::NoRepeatNgram,
        Stage::Temperature,
        Stage::TopP,
    ];
    knobs.order = Order::new(&order).unwrap();
    let behind = [
        (Knob::Temperature, reason),
        (Knob::TopP, reason),
        (Knob::RepetitionPenalty, reason),
    ];
    check_idle(&knobs, &behind);
}

#[test]
fn what_is_called_idle_changes_nothing() {
    let logits = [1.0, 2.0, 1.5, 0.5, -1.0, 0.0, 0.2];
    for sole in [(Knob::TopK, 1.0), (Knob::TopP, 0.0), (Knob::MinP, 1.0)] {
        for knob in Knob::ALL {
            let Some((value, others)) = off_neutral(knob) else {
                continue;
            };
            let without = knobs(&[others, &[sole]].concat());
            let Ok(with) = without.clone().with(knob, value) else {
                continue;
            };
            if knob == sole.0 || !with.idle().iter().any(|it| it.0 == knob) {
                continue;
            }
            let tokens = [without, with].map(|knobs| {
                let mut chain = Chain::new(&knobs, logits.len());
                chain.feed_prompt(&[1, 2, 4, 1, 2, 4, 1]);
                let outcomes = (0..20).map(|_| chain.step(&logits, None));
                let tokens: Vec<_> = outcomes.map(|it| token_and_trace(it).0).collect();
                tokens
            });
            assert_eq!(tokens[0], tokens[1], "{knob} behind {sole:?}");
        }
    }
}

#[test]
fn a_bias_or_ban_outside_the_order_is_idle() {
    let mut knobs = Knobs::neutral();
    knobs.token_ban = vec![crate::sampling::CharClass::parse("ascii_digit").unwrap()];
    knobs.logit_bias = vec![crate::sampling::LogitBias {
        target: crate::sampling::BiasTarget::Token(3),
        bias: 1.0,
    }];
    assert_eq!(knobs.idle_lists(), []);
    knobs.order = Order::new(&[Stage::TopK, Stage::LogitBias]).unwrap();
    knobs.set(Knob::TopK, 1.0).unwrap();
    let idle = knobs.idle_lists();
    let found: Vec<_> = idle.iter().map(|it| (it.0, it.1.as_str())).collect();
    assert_eq!(
        found,
        [
            (
                KnobList::LogitBias,
                "Top-k 1 before it leaves one token, so there is nothing left to do"
            ),
            (
                KnobList::TokenBan,
                "set, but token ban is not in the order: no effect"
            ),
        ]
    );
}
