//! The column of knobs, by its labels.

use eframe::egui::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use stepladder::app::Action;
use stepladder::sampling::{Knob, Order, Scope};

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
