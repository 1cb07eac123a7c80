//! A constraint never shows as more enforced than it is, and a reply says how it was held and why it ended.

use egui_kittest::kittest::Queryable as _;
use stepladder::app::{Action, ConstraintKind, Model};
use stepladder::constraint::{self, Constraint, WhiteSpace};
use stepladder::lab::Trial;

use crate::{
    check_hidden, check_shown, click, fixture, opened, with_constraint, with_grammar_fault,
};

/// The schema constraint of the draft with this text, checked.
fn with_schema(text: &str) -> Model {
    let mut model = with_constraint(ConstraintKind::Schema);
    text.clone_into(&mut model.draft.constraint.schema);
    model.check_constraint();
    model
}

#[track_caller]
fn check_label(model: Model, label: &str) {
    opened(model).get_by_label(label);
}

#[track_caller]
fn check_no_label(model: Model, label: &str) {
    assert_eq!(opened(model).query_all_by_label(label).count(), 0);
}

#[test]
fn a_schema_that_is_held_to_in_full_is_enforced() {
    check_label(with_schema("{\"type\": \"object\"}"), "Enforced");
}

#[test]
fn a_schema_that_is_held_to_in_part_says_so() {
    check_label(with_schema(fixture::PARTLY), "Partly enforced");
}

#[test]
fn a_schema_that_is_held_to_in_part_never_shows_as_enforced() {
    check_no_label(with_schema(fixture::PARTLY), "Enforced");
}

#[test]
fn the_keyword_that_is_checked_afterwards_is_named_with_its_place() {
    let text = "format at /properties/email/format is checked when the reply is there";
    check_shown(with_schema(fixture::PARTLY), text);
}

#[test]
fn a_grammar_is_enforced() {
    check_label(with_constraint(ConstraintKind::Grammar), "Enforced");
}

#[test]
fn a_constraint_with_a_fault_is_not_enforced() {
    check_label(with_grammar_fault(), "Not enforced");
}

#[test]
fn without_a_constraint_nothing_is_said_of_enforcing() {
    check_hidden(fixture::ready(), "nforced");
}

#[test]
fn a_text_that_was_not_checked_yet_has_no_badge() {
    let mut model = with_schema("{\"type\": \"object\"}");
    fixture::PARTLY.clone_into(&mut model.draft.constraint.schema);
    check_hidden(model, "nforced");
}

#[test]
fn a_reply_that_was_held_says_so() {
    check_label(
        fixture::done_under(&fixture::free_schema()),
        "constraint enforced",
    );
}

#[test]
fn a_reply_that_was_held_in_part_says_so() {
    let constraint = Constraint::Schema {
        text: fixture::PARTLY.to_owned(),
        white_space: WhiteSpace::EIGHT,
        switches: stepladder::constraint::SchemaSwitches::default(),
    };
    check_label(
        fixture::done_under(&constraint),
        "constraint partly enforced",
    );
}

#[test]
fn a_reply_without_the_mask_that_was_asked_for_says_so() {
    let model = fixture::with_trial(fixture::done_under(&fixture::free_schema()), |it| {
        it.trace.mask = None;
    });
    check_label(model, "constraint not enforced");
}

#[test]
fn a_reply_without_a_constraint_has_no_mark_of_it() {
    check_hidden(fixture::done_repaired(), "nforced");
}

#[track_caller]
fn check_fact(text: &str) {
    let mut window = opened(fixture::done_valid());
    click(&mut window, "What the chain did");
    let found = window.query_all_by_label_contains(text).count();
    assert_eq!(found, 1, "“{text}” is not on the screen");
}

#[test]
fn the_time_of_the_mask_is_told() {
    check_fact("Mask: 43 µs a token in the median, 120 µs at the 99th percentile, 3.1 %");
}

#[test]
fn the_number_of_legal_tokens_is_told() {
    check_fact("Legal tokens: 812 in the median.");
}

#[test]
fn what_a_stage_changed_is_told() {
    check_fact("No-repeat n-gram: changed 3 tokens, took 2.1 % of the probability on average");
}

#[test]
fn a_stage_that_changed_nothing_is_left_out() {
    let mut window = opened(fixture::done_valid());
    click(&mut window, "What the chain did");
    let found = window.query_all_by_label_contains("Temperature: changed");
    assert_eq!(found.count(), 0);
}

#[test]
fn a_reply_that_nothing_was_done_to_has_no_facts_of_the_chain() {
    check_hidden(fixture::done_repaired(), "What the chain did");
}

fn stopped(stop: &str, detail: &str, constraint: &Constraint) -> Model {
    fixture::with_trial(fixture::done_under(constraint), |it: &mut Trial| {
        stop.clone_into(&mut it.stop);
        it.stop_detail = Some(detail.to_owned());
    })
}

#[test]
fn a_dead_end_names_the_stages_that_met() {
    let detail = "no-repeat n-gram against constraint mask";
    check_shown(
        stopped("dead_end", detail, &fixture::free_schema()),
        "Dead end: no-repeat n-gram against constraint mask.",
    );
}

const BLANKS: &str = "64 tokens of white space in a row";

#[test]
fn a_loop_is_named() {
    check_shown(
        stopped("loop_guard", BLANKS, &fixture::free_schema()),
        "Stopped a loop: 64 tokens of white space in a row.",
    );
}

#[test]
fn a_loop_of_white_space_can_be_bounded_with_one_click() {
    let mut model = stopped("loop_guard", BLANKS, &fixture::free_schema());
    model.draft.constraint.white_space = WhiteSpace::Free;
    let mut window = opened(model);
    click(&mut window, "Allow eight in a row at most");
    let seen = window.state();
    assert_eq!(seen.model.draft.constraint.white_space, WhiteSpace::EIGHT);
    assert_eq!(seen.actions, [Action::DraftEdited]);
}

#[test]
fn a_loop_of_words_has_no_offer_about_white_space() {
    let mut model = stopped(
        "loop_guard",
        "the same token 128 times in a row",
        &fixture::free_schema(),
    );
    model.draft.constraint.white_space = WhiteSpace::Free;
    check_hidden(model, "Allow eight in a row at most");
}

#[test]
fn white_space_that_is_bounded_already_is_not_offered_to_be() {
    check_hidden(
        stopped("loop_guard", BLANKS, &fixture::free_schema()),
        "Allow eight in a row at most",
    );
}

#[test]
fn a_loop_of_white_space_in_a_grammar_has_advice() {
    let constraint = Constraint::Grammar {
        text: fixture::JSON_GRAMMAR.to_owned(),
    };
    check_shown(
        stopped("loop_guard", BLANKS, &constraint),
        "Bound the white space in the grammar",
    );
}

#[track_caller]
fn check_badge(kind: ConstraintKind, text: &str) {
    let mut model = with_constraint(kind);
    text.clone_into(&mut model.draft.constraint.schema);
    text.clone_into(&mut model.draft.constraint.grammar);
    model.check_constraint();
    let expected = constraint::badge(&model.draft.constraint.chosen());
    assert_eq!(model.checked.badge, expected);
}

#[test]
fn the_badge_is_the_constraint_rooms_own() {
    check_badge(ConstraintKind::None, "");
    check_badge(ConstraintKind::Grammar, fixture::JSON_GRAMMAR);
    check_badge(ConstraintKind::Grammar, "root ::= nothing");
    check_badge(ConstraintKind::Schema, "{\"type\": \"object\"}");
    check_badge(ConstraintKind::Schema, fixture::PARTLY);
    check_badge(ConstraintKind::Schema, "{\"if\": true}");
    check_badge(ConstraintKind::Schema, "{\"type\": ");
    let wrapped = format!(
        "{{\"type\": \"json_schema\", \"json_schema\": {{\"schema\": {}}}}}",
        fixture::PARTLY
    );
    check_badge(ConstraintKind::Schema, &wrapped);
}
