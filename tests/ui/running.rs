//! Run, cancel, and the keys for both.

use eframe::egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use stepladder::app::{Action, Model};

use crate::{check_click, fixture, opened, with_grammar_fault};

#[test]
fn run_asks_for_a_run() {
    check_click(fixture::ready(), "Run", &Action::Run);
}

#[test]
fn a_running_reply_can_be_cancelled() {
    check_click(fixture::writing("Sure"), "Cancel", &Action::Cancel);
}

#[test]
fn a_load_can_be_cancelled() {
    check_click(fixture::loading(), "Cancel loading", &Action::CancelLoad);
}

#[track_caller]
fn check_key(model: Model, (modifiers, key): (Modifiers, Key), wishes: &[Action]) {
    let mut window = opened(model);
    window.key_press_modifiers(modifiers, key);
    window.run_steps(2);
    assert_eq!(window.state().actions, wishes);
}

const RUN_KEYS: (Modifiers, Key) = (Modifiers::COMMAND, Key::Enter);
const ESCAPE: (Modifiers, Key) = (Modifiers::NONE, Key::Escape);

#[test]
fn ctrl_enter_runs() {
    check_key(fixture::ready(), RUN_KEYS, &[Action::Run]);
}

#[test]
fn ctrl_enter_does_nothing_while_a_reply_comes() {
    check_key(fixture::writing("Sure"), RUN_KEYS, &[]);
}

#[test]
fn ctrl_enter_does_nothing_without_a_model() {
    check_key(fixture::without_model(), RUN_KEYS, &[]);
}

#[test]
fn ctrl_enter_does_nothing_with_a_faulty_constraint() {
    check_key(with_grammar_fault(), RUN_KEYS, &[]);
}

#[test]
fn escape_cancels_the_run() {
    check_key(fixture::writing("Sure"), ESCAPE, &[Action::Cancel]);
}

#[test]
fn escape_cancels_the_load() {
    check_key(fixture::loading(), ESCAPE, &[Action::CancelLoad]);
}

#[test]
fn escape_does_nothing_when_nothing_runs() {
    check_key(fixture::done_valid(), ESCAPE, &[]);
}

#[test]
fn escape_first_closes_the_card_of_a_token() {
    let mut window = opened(fixture::writing("Sure"));
    window.state_mut().state.tokens.pinned = Some(0);
    window.run_steps(2);
    window.key_press(Key::Escape);
    window.run_steps(2);
    assert_eq!(window.state().state.tokens.pinned, None);
    assert_eq!(window.state().actions, []);
}

#[test]
fn a_cards_token_can_be_walked_with_the_keyboard() {
    let mut window = opened(fixture::writing("one two three"));
    window.get_by_label("Reply text").focus();
    window.run_steps(2);
    window.key_press(Key::ArrowRight);
    window.run_steps(2);
    window.key_press(Key::ArrowRight);
    window.run_steps(2);
    assert_eq!(window.state().state.tokens.pinned, Some(1));
    window.get_by_label_contains("token 2 of ");
}
