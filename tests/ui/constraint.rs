//! The constraint: its kinds, its text, its faults.

use eframe::egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use stepladder::app::{Action, ConstraintKind};
use stepladder::constraint::{Start, WhiteSpace};
use stepladder::ui::Part;

use crate::{check_shown, click, fixture, opened, with_constraint, with_grammar_fault};

#[test]
fn the_constraint_can_be_switched_to_a_schema() {
    let mut window = opened(fixture::ready());
    click(&mut window, "Constraint: Schema");
    let seen = window.state();
    assert_eq!(seen.model.draft.constraint.kind, ConstraintKind::Schema);
    assert_eq!(seen.actions, [Action::DraftEdited]);
    window.get_by_label("Schema text");
}

#[test]
fn white_space_can_be_forbidden() {
    let mut window = opened(with_constraint(ConstraintKind::Schema));
    click(&mut window, "White space: None");
    let chosen = window.state().model.draft.constraint.white_space;
    assert_eq!(chosen, WhiteSpace::None);
}

#[test]
fn a_shipped_grammar_can_be_picked() {
    let mut window = opened(with_constraint(ConstraintKind::Grammar));
    click(&mut window, "Shipped grammars: JSON");
    click(&mut window, "Yes or no");
    let wish = Action::PickGrammar("Yes or no".to_owned());
    assert_eq!(window.state().actions, [wish]);
}

#[test]
fn a_grammar_can_be_typed() {
    let mut window = opened(with_constraint(ConstraintKind::Grammar));
    window.get_by_label("Grammar text").focus();
    window.run_steps(2);
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window
        .get_by_label("Grammar text")
        .type_text("root ::= \"x\"");
    window.run_steps(2);
    let text = &window.state().model.draft.constraint.grammar;
    assert_eq!(text, "root ::= \"x\"");
}

#[test]
fn a_grammars_fault_is_shown_with_its_place() {
    check_shown(
        with_grammar_fault(),
        "line 3, column 12: there is no rule “strng”",
    );
}

#[test]
fn the_large_editor_opens_and_takes_the_text_with_it() {
    let mut window = opened(with_constraint(ConstraintKind::Grammar));
    click(&mut window, "Edit in a large window");
    assert!(window.state().state.play.is_open(Part::LargeEditor));
    assert_eq!(window.query_all_by_label("Grammar text").count(), 1);
}

#[test]
fn a_constraint_can_begin_late_and_close_in_time() {
    let mut window = opened(with_constraint(ConstraintKind::Schema));
    click(&mut window, "When it begins and ends");
    click(&mut window, "The constraint begins: After thoughts");
    click(&mut window, "Close in time switch");
    click(&mut window, "Loop guards switch");
    let hold = window.state().model.draft.hold.clone();
    assert_eq!(hold.start, Start::AfterThinking);
    assert!(hold.close_in_time && !hold.guards);
}

#[test]
fn a_schema_can_be_held_to_leniently() {
    let mut window = opened(with_constraint(ConstraintKind::Schema));
    click(&mut window, "Lenient schema");
    assert!(window.state().model.draft.constraint.switches.lenient);
}
