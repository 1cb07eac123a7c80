//! The reply, the ladder and the lamps, read out.

use egui_kittest::kittest::{NodeT as _, Queryable as _};
use stepladder::app::{Model, RunPhase};
use stepladder::ui::ColourMode;

use crate::{check_hidden, check_shown, click, fixture, opened, window};

#[test]
fn the_reply_is_read_out() {
    let window = opened(fixture::writing("{\"a\": 1}"));
    let reply = window.get_by_label("Reply text");
    assert_eq!(reply.accesskit_node().value().unwrap(), "{\"a\": 1}");
}

#[test]
fn the_prompts_evaluation_is_shown_while_no_token_has_come() {
    check_shown(fixture::reading_the_prompt(), "128 of 214 tokens");
}

#[test]
fn a_failed_run_says_why() {
    let model = Model {
        run: RunPhase::Failed {
            message: "The prompt is too long.".to_owned(),
        },
        ..fixture::ready()
    };
    check_shown(model, "The prompt is too long.");
}

#[test]
fn a_second_try_is_marked() {
    let mut reply = fixture::reply("Sure", None);
    reply.assembly.attempt = 2;
    check_shown(
        fixture::running(reply),
        "second try after the engine was lost",
    );
}

#[test]
fn a_first_try_is_not_marked() {
    check_hidden(fixture::writing("Sure"), "second try");
}

#[test]
fn lit_lamps_are_read_out() {
    let window = opened(fixture::done_valid());
    for label in [
        "Parses: yes",
        "Schema: valid",
        "Correct: yes",
        "Leak-free: yes",
    ] {
        window.get_by_label(label);
    }
}

#[test]
fn dark_lamps_are_read_out() {
    let window = opened(fixture::done_repaired());
    for label in [
        "Parses: yes",
        "Schema: invalid",
        "Correct: no",
        "Leak-free: leaks",
    ] {
        window.get_by_label(label);
    }
}

#[test]
fn lamps_without_a_judge_are_not_lit() {
    let window = opened(fixture::far_east());
    for label in ["Parses: yes", "Schema: not judged", "Correct: not judged"] {
        window.get_by_label(label);
    }
}

#[test]
fn the_rung_that_held_is_named() {
    check_shown(fixture::done_repaired(), "Rung 4, Repair: held");
}

#[test]
fn a_rung_that_gave_way_has_the_parsers_message() {
    let text = "Rung 2, Strip the fences: gave way, 2:3 key must be a string";
    check_shown(fixture::done_repaired(), text);
}

#[test]
fn rungs_above_are_not_needed() {
    check_shown(fixture::done_valid(), "Rung 4, Repair: not needed");
}

#[test]
fn a_dark_lamp_has_its_cause() {
    check_shown(fixture::done_repaired(), "the n-gram ban took “qty” away");
}

#[test]
fn the_value_folds() {
    let mut window = opened(fixture::done_valid());
    click(&mut window, "items: [ ]");
    window.get_by_label("items: [ 3 items ]");
}

#[test]
fn the_colours_can_be_switched_off() {
    let mut window = opened(fixture::done_valid());
    click(&mut window, "Colour by: Plain");
    assert_eq!(window.state().state.tokens.mode, ColourMode::Plain);
}

#[test]
fn the_folded_prompt_leaves_the_reply_in_sight() {
    let mut window = window(fixture::done_valid(), (1000.0, 640.0));
    window.run_steps(3);
    click(&mut window, "Fold the prompt");
    window.get_by_label("Reply text");
    assert!(window.query_by_label("Instruction").is_none());
}

#[test]
fn the_value_grows_with_open_fields_marked() {
    let window = opened(fixture::writing(
        "{\"items\": [{\"name\": \"oat milk\", \"qty\": 2}, {\"name\": \"ry",
    ));
    for label in [
        "items: [ ], still open",
        "0: { }",
        "name: \"oat milk\"",
        "1: { }, still open",
        "name: ry…, still open",
    ] {
        window.get_by_label(label);
    }
}

#[test]
fn a_finished_reply_has_no_growing_value() {
    check_hidden(fixture::done_valid(), "still open");
}
