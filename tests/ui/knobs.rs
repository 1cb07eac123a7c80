//! The column of knobs, by its labels.

use eframe::egui::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use stepladder::app::{Action, EnginePhase, Model};
use stepladder::engine::PromptView;
use stepladder::sampling::{
    BanReport, BiasTarget, CharClass, Knob, LogitBias, ModelDefault, Order, Scope, TokenKnobReport,
};

use crate::{check_hidden, check_shown, click, fixture, opened};

#[track_caller]
fn check_knob(label: &str, value: f64, knob: Knob) {
    let mut window = opened(fixture::ready());
    let mut found = window.query_all_by_label(label);
    let slider = found.rfind(|it| it.accesskit_node().role() != Role::Label);
    let slider = slider.unwrap();
    slider.set_value_accesskit(value);
    drop(found);
    window.run_steps(2);
    let got = window.state().model.draft.knobs.get(knob);
    assert!((got - value).abs() < 1e-6, "{label} is {got}");
    assert_eq!(window.state().actions, [Action::DraftEdited]);
}

#[test]
fn every_knob_is_there_by_its_name() {
    let mut window = opened(fixture::ready());
    click(&mut window, "More knobs");
    for knob in Knob::ALL {
        window.get_by_label(&format!("{} value", knob.spec().name));
    }
}

#[test]
fn temperature_can_be_slid() {
    check_knob("Temperature", 1.25, Knob::Temperature);
}

#[test]
fn the_ngram_size_can_be_slid() {
    check_knob("No-repeat n-gram", 3.0, Knob::NoRepeatNgramSize);
}

#[test]
fn the_token_limit_can_be_set() {
    check_knob("Token limit value", 96.0, Knob::MaxTokens);
}

#[test]
fn the_die_picks_another_seed() {
    let mut window = opened(fixture::ready());
    let before = window.state().model.draft.knobs.get(Knob::Seed);
    click(&mut window, "Pick another seed");
    let after = window.state().model.draft.knobs.get(Knob::Seed);
    assert!((after - before).abs() >= 1.0);
}

#[test]
fn a_knob_without_effect_says_so() {
    let mut model = fixture::ready();
    model.draft.knobs.set(Knob::TopP, 0.9).unwrap();
    check_shown(model, "no effect");
}

#[test]
fn knobs_with_effect_are_not_marked() {
    let mut model = fixture::ready();
    model.draft.knobs.set(Knob::Temperature, 0.8).unwrap();
    model.draft.knobs.set(Knob::TopP, 0.9).unwrap();
    check_hidden(model, "no effect");
}

#[test]
fn the_ngram_ban_can_leave_out_the_prompt() {
    let mut model = fixture::ready();
    model.draft.knobs.set(Knob::NoRepeatNgramSize, 3.0).unwrap();
    let mut window = opened(model);
    click(&mut window, "N-gram ban counts: Reply only");
    assert_eq!(window.state().model.draft.knobs.ngram_scope, Scope::Reply);
}

#[test]
fn the_chain_can_have_the_order_of_llama_cpp() {
    let mut window = opened(fixture::ready());
    click(&mut window, "Order: llama.cpp");
    assert_eq!(window.state().model.draft.knobs.order, Order::llama_cpp());
}

#[test]
fn a_preset_can_be_picked() {
    let mut window = opened(fixture::ready());
    click(&mut window, "Preset: Greedy");
    click(&mut window, "Chat settings");
    let wish = Action::PickPreset("chat".to_owned());
    assert_eq!(window.state().actions, [wish]);
}

#[test]
fn a_preset_that_was_moved_on_from_says_so() {
    let mut model = fixture::ready();
    model.draft.knobs.set(Knob::Temperature, 0.3).unwrap();
    check_shown(model, "edited");
}

#[test]
fn what_the_models_file_suggests_is_taken_by_a_click() {
    let mut model = fixture::ready();
    if let EnginePhase::Ready(info) = &mut model.engine {
        info.sampling = vec![ModelDefault {
            knob: Knob::Temperature,
            value: 0.7,
        }];
    }
    let mut window = opened(model);
    click(&mut window, "Take the model file's 0.70 for Temperature");
    let got = window.state().model.draft.knobs.get(Knob::Temperature);
    assert!((got - 0.7).abs() < 1e-9, "{got}");
    assert_eq!(window.state().actions, [Action::DraftEdited]);
    window.run_steps(2);
    let left = window.query_all_by_label_contains("Take the model file's");
    assert_eq!(left.count(), 0);
}

/// A digit ban and a bias that meet this vocabulary so.
fn with_report(token_knobs: TokenKnobReport) -> Model {
    let mut model = fixture::ready();
    model.draft.knobs.token_ban = vec![CharClass::AsciiDigit];
    model.draft.knobs.logit_bias = vec![LogitBias {
        target: BiasTarget::Text("quantity".to_owned()),
        bias: 2.0,
    }];
    if let Some(Ok(view)) = &mut model.preview.shown {
        *view = PromptView {
            token_knobs,
            ..view.clone()
        };
    }
    model
}

#[test]
fn a_ban_shows_what_slips_through() {
    let mut window = opened(with_report(TokenKnobReport {
        ban: Some(BanReport {
            n_banned: 1_230,
            n_look_alikes: 2,
            look_alikes: vec![(61, "²".to_owned()), (97, " ½".to_owned())],
            n_partial: 0,
        }),
        unmatched_biases: Vec::new(),
    }));
    click(&mut window, "Token ban (1)");
    window.get_by_label_contains("Bans 1,230 of this model's tokens.");
    window.get_by_label("²  ·½");
}

#[test]
fn a_bias_for_no_token_says_so() {
    let mut window = opened(with_report(TokenKnobReport {
        ban: None,
        unmatched_biases: vec!["quantity".to_owned()],
    }));
    click(&mut window, "Logit bias (1)");
    window.get_by_label("no such token");
}

#[test]
fn a_bias_for_a_token_has_no_mark() {
    let mut window = opened(with_report(TokenKnobReport::default()));
    click(&mut window, "Logit bias (1)");
    assert!(window.query_by_label("no such token").is_none());
}

#[test]
fn a_ban_outside_the_order_has_no_effect_and_says_so() {
    let marks = |bans: Vec<CharClass>| {
        let mut model = fixture::ready();
        model.draft.knobs.token_ban = bans;
        model.draft.knobs.order = Order::from_value(&serde_json::json!(["temperature"])).unwrap();
        let window = opened(model);
        window.query_all_by_label("no effect").count()
    };
    // Other knobs may have no effect in this order either.
    assert_eq!(marks(vec![CharClass::AsciiDigit]), marks(Vec::new()) + 1);
}
