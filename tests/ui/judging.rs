//! The schema that judges: in sight, edited, named at its lamp.

use eframe::egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use stepladder::app::{Action, Model, RunPhase};

use crate::{check_hidden, check_shown, click, fixture, opened};

fn judged_by(text: &str) -> Model {
    let mut model = fixture::ready();
    text.clone_into(&mut model.draft.judge_schema);
    model.check_constraint();
    model
}

#[test]
fn the_schema_that_judges_can_be_edited() {
    let mut window = opened(fixture::ready());
    click(&mut window, "Schema that judges");
    let name = "Text of the schema that judges";
    window.get_by_label(name).focus();
    window.run_steps(2);
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.get_by_label(name).type_text("{}");
    window.run_steps(2);
    assert_eq!(window.state().model.draft.judge_schema, "{}");
}

#[test]
fn a_judging_schema_that_is_no_json_is_told_with_its_place() {
    let mut window = opened(judged_by("{\n  x"));
    click(&mut window, "Schema that judges");
    let text = "Judges nothing: line 2, column 3: it is not JSON";
    assert!(window.query_all_by_label_contains(text).count() > 0);
}

#[test]
fn a_judging_schema_that_is_no_schema_is_told() {
    let window = opened(judged_by("{\"type\": 7}"));
    window.get_by_label("fault");
}

#[test]
fn the_lamp_says_beforehand_that_no_schema_will_be_judged() {
    check_shown(
        judged_by(""),
        "The schema will not be judged: there is no schema.",
    );
}

#[test]
fn a_judging_schema_that_differs_from_the_tasks_says_so() {
    let mut window = opened(judged_by("{}"));
    window.get_by_label("own");
    click(&mut window, "Schema that judges");
    let text = "It differs from the schema of the task “Shopping list”.";
    window.get_by_label(text);
}

#[test]
fn white_space_is_no_difference_to_the_tasks_schema() {
    let mut model = fixture::ready();
    model.draft.judge_schema.push_str("\n\n");
    model.check_constraint();
    assert_eq!(opened(model).query_all_by_label("own").count(), 0);
}

#[test]
fn the_tasks_schema_can_be_brought_back() {
    let before = fixture::ready().draft.judge_schema;
    let mut window = opened(judged_by("{}"));
    click(&mut window, "Schema that judges");
    click(&mut window, "Back to the task's schema");
    let seen = window.state();
    assert_eq!(seen.model.draft.judge_schema, before);
    assert_eq!(seen.actions, [Action::DraftEdited]);
}

#[test]
fn the_lamp_names_the_tasks_schema() {
    check_shown(
        fixture::done_valid(),
        "Schema: judged by the task's, “Shopping list”.",
    );
}

/// A finished reply that was judged by this schema.
fn done_with(schema: Option<serde_json::Value>, is_judged: bool) -> Model {
    let mut model = fixture::done_valid();
    if let RunPhase::Done { reply, trial } = &mut model.run {
        reply.assembly.job.given.schema = schema;
        trial.lamps.schema = is_judged.then_some(true);
    }
    model
}

#[test]
fn the_lamp_names_an_own_schema() {
    let model = done_with(Some(serde_json::json!({})), true);
    check_shown(model, "Schema: judged by your own");
}

#[test]
fn the_lamp_says_why_it_is_unlit_without_a_schema() {
    check_shown(done_with(None, false), "was empty or no JSON");
}

#[test]
fn the_lamp_says_why_it_is_unlit_with_a_broken_schema() {
    let model = done_with(Some(serde_json::json!(7)), false);
    check_shown(model, "Schema not judged: the schema cannot be used");
}

#[test]
fn nothing_is_said_before_a_run_when_the_schema_is_well() {
    check_hidden(fixture::ready(), "judged by");
}
