//! Nothing that was typed is lost.

use super::ready;
use crate::app::{Action, ConstraintKind, Draft, on_action};
use crate::constraint::Constraint;

#[test]
fn a_grammar_of_the_users_is_kept_when_a_preset_brings_its_own_and_can_be_had_back() {
    let mut model = ready();
    let own = "root ::= \"mine\"";
    model.draft.constraint.grammar = own.to_owned();
    on_action(&mut model, Action::PickPreset("greedy-grammar".to_owned()));
    assert!(model.draft.is_preset(&model.library));
    assert_eq!(model.draft.kept.len(), 1);
    on_action(&mut model, Action::RestoreKept(0));
    assert_eq!(model.draft.constraint.grammar, own);
    assert!(
        model.draft.kept.is_empty(),
        "the shipped grammar need not be kept"
    );
}

#[test]
fn an_input_of_the_users_is_kept_when_another_is_picked() {
    let mut model = ready();
    model.draft.prompt.input = "my own".to_owned();
    on_action(&mut model, Action::PickInput(2));
    on_action(&mut model, Action::RestoreKept(0));
    assert_eq!(model.draft.prompt.input, "my own");
    assert_eq!(model.draft.input, None);
}

#[test]
fn what_was_made_of_a_tasks_prompt_comes_back_with_the_task() {
    let mut model = ready();
    model.draft.prompt.instruction = "Mine.".to_owned();
    model.draft.prompt.examples[0].on = false;
    let edited = model.draft.prompt.clone();
    on_action(&mut model, Action::PickTask("contact".to_owned()));
    assert_ne!(model.draft.prompt.instruction, "Mine.");
    on_action(&mut model, Action::PickTask("shopping".to_owned()));
    assert_eq!(model.draft.prompt, edited);
}

#[test]
fn picking_the_same_task_again_changes_between_the_shipped_prompt_and_the_users() {
    let mut model = ready();
    let shipped = model.draft.prompt.clone();
    model.draft.prompt.instruction = "Mine.".to_owned();
    on_action(&mut model, Action::PickTask("shopping".to_owned()));
    assert_eq!(model.draft.prompt, shipped);
    on_action(&mut model, Action::PickTask("shopping".to_owned()));
    assert_eq!(model.draft.prompt.instruction, "Mine.");
}

#[test]
fn a_draft_of_a_later_version_keeps_what_this_one_does_not_know() {
    let text = r#"{"task": "shopping", "from_the_future": [1]}"#;
    let draft: Draft = serde_json::from_str(text).unwrap();
    let again = serde_json::to_value(&draft).unwrap();
    assert_eq!(again["from_the_future"], serde_json::json!([1]));
}

#[test]
fn the_draft_comes_back_from_its_file_form() {
    let mut model = ready();
    on_action(&mut model, Action::PickPreset("chat".to_owned()));
    let text = serde_json::to_string(&model.draft).unwrap();
    assert_eq!(serde_json::from_str::<Draft>(&text).unwrap(), model.draft);
}

#[test]
fn constraint_texts_survive_switching_off_and_another_preset() {
    let mut model = ready();
    model.draft.constraint.kind = ConstraintKind::Grammar;
    model.draft.constraint.grammar = "root ::= \"mine\"".to_owned();
    model.draft.constraint.kind = ConstraintKind::None;
    on_action(&mut model, Action::PickPreset("greedy".to_owned()));
    on_action(&mut model, Action::PickTask("contact".to_owned()));
    model.draft.constraint.kind = ConstraintKind::Grammar;
    let text = "root ::= \"mine\"".to_owned();
    assert_eq!(
        model.draft.constraint.chosen(),
        Constraint::Grammar { text }
    );
}
