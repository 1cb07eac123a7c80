//! Grammars, driven by its labels: documents, faults, completion, tests, examples, report, steps.

use eframe::egui::{Event, Key, Modifiers};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use stepladder::app::{
    Action, DocumentKind, Effect, EnginePhase, GrammarsAction, Model, Settings, Steps, Tab,
    on_action, on_event, on_tried, try_all,
};
use stepladder::constraint::{Legs, TokenTrie, walk};
use stepladder::engine::{self, Command, ModelInfo, RunId};
use stepladder::store::{self, Folders};

use crate::{Window, click, window};

/// Grammars as at a first start, with no model.
pub(crate) fn first() -> Model {
    let library = store::library(&Folders::at("no such folder"));
    let draft = stepladder::app::Draft::new(&library);
    let mut model = Model {
        tab: Tab::Grammars,
        ..Model::new(library, draft, Settings::default())
    };
    let effects = model.open_grammars(None);
    answer(&mut model, effects);
    model
}

pub(crate) fn with(action: GrammarsAction) -> Model {
    let mut model = first();
    act(&mut model, action);
    model
}

pub(crate) fn with_text(text: &str) -> Model {
    let mut model = first();
    text.clone_into(&mut model.grammars.draft.text);
    act(&mut model, GrammarsAction::Edited);
    model
}

pub(crate) fn schema(name: &str) -> Model {
    with(GrammarsAction::Open(DocumentKind::Schema, name.to_owned()))
}

pub(crate) fn partly() -> Model {
    let mut model = schema("shopping");
    "{\n  \"type\": \"object\",\n  \"properties\": {\n    \"邮箱\": {\"type\": \"string\", \"format\": \"email\"},\n    \"이름\": {\"type\": \"string\", \"maxLength\": 40},\n    \"日程\": {\"type\": \"array\", \"items\": {\"type\": \"string\", \"format\": \"date\"}}\n  },\n  \"required\": [\"邮箱\"],\n  \"additionalProperties\": false\n}"
        .clone_into(&mut model.grammars.draft.text);
    act(&mut model, GrammarsAction::Edited);
    model
}

/// A text stepped through, byte by byte.
pub(crate) fn stepped() -> Model {
    let mut model = first();
    model.engine = EnginePhase::Ready(Box::new(ModelInfo {
        name: "SmolLM2 135M Instruct".to_owned(),
        ..ModelInfo::default()
    }));
    "{\"이름\": [1, 2,]}".clone_into(&mut model.grammars.draft.step_text);
    let effects = on_action(&mut model, Action::Grammars(GrammarsAction::Step));
    answer(&mut model, effects);
    model
}

fn act(model: &mut Model, action: GrammarsAction) {
    let effects = on_action(model, Action::Grammars(action));
    answer(model, effects);
}

/// Does what the shell and an engine without a model would.
fn answer(model: &mut Model, effects: Vec<Effect>) {
    for effect in effects {
        let more = match effect {
            Effect::TryConstraint(asked) => on_tried(model, asked.id, Box::new(try_all(&asked))),
            Effect::Send(Command::Walk {
                id,
                constraint,
                text,
            }) => on_event(model, walked(id, &constraint, &text)),
            _ => Vec::new(),
        };
        answer(model, more);
    }
}

fn walked(id: RunId, constraint: &stepladder::constraint::Constraint, text: &str) -> engine::Event {
    let trie = TokenTrie::of_bytes().unwrap();
    let n_looks = std::cell::Cell::new(0.0);
    let legs = Legs {
        trie: &trie,
        tokenize: &|_, _| Vec::new(),
        // Each look at the clock takes three microseconds.
        clock: &|| n_looks.replace(n_looks.get() + 3.0),
    };
    let walk = walk(constraint, text, legs);
    engine::Event::Walked {
        id,
        walk: Box::new(walk.unwrap().unwrap()),
    }
}

fn opened(model: Model) -> Window {
    let mut window = window(model, (1440.0, 1400.0));
    window.run_steps(3);
    window
}

/// The last wish in Grammars.
fn wish(window: &Window) -> GrammarsAction {
    match window.state().actions.last() {
        Some(Action::Grammars(it)) => it.clone(),
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn check_wish(model: Model, label: &str, expected: &GrammarsAction) {
    let mut window = opened(model);
    click(&mut window, label);
    assert_eq!(wish(&window), *expected);
}

#[track_caller]
fn check_shown(model: Model, text: &str) {
    let window = opened(model);
    let found = window.query_all_by_label_contains(text).count();
    assert!(found > 0, "“{text}” is not on the screen");
}

#[test]
fn the_tab_has_a_key() {
    let mut model = first();
    model.tab = Tab::Play;
    let mut window = opened(model);
    window.key_press_modifiers(Modifiers::COMMAND, Key::Num5);
    window.run_steps(2);
    assert_eq!(window.state().actions, [Action::ShowTab(Tab::Grammars)]);
}

#[test]
fn a_document_can_be_opened() {
    let name = "mood".to_owned();
    check_wish(
        first(),
        "Open schema/mood",
        &GrammarsAction::Open(DocumentKind::Schema, name),
    );
}

#[test]
fn documents_are_made_copied_and_used() {
    check_wish(
        first(),
        "New grammar",
        &GrammarsAction::New(DocumentKind::Grammar),
    );
    check_wish(
        first(),
        "New schema",
        &GrammarsAction::New(DocumentKind::Schema),
    );
    check_wish(
        first(),
        "Duplicate the document",
        &GrammarsAction::Duplicate,
    );
    check_wish(first(), "Use in Play", &GrammarsAction::UseInPlay);
    check_wish(first(), "Save as a file", &GrammarsAction::SaveAs);
    check_wish(first(), "Open a file", &GrammarsAction::Browse);
}

#[test]
fn only_a_changed_document_can_go_back() {
    let window = opened(first());
    assert!(window.query_by_label("Back to the shipped text").is_none());
    check_wish(
        with_text("root ::= \"x\""),
        "Back to the shipped text",
        &GrammarsAction::Revert,
    );
}

#[test]
fn an_own_document_can_be_deleted() {
    check_wish(
        with(GrammarsAction::New(DocumentKind::Grammar)),
        "Delete the document",
        &GrammarsAction::Delete,
    );
}

#[test]
fn a_document_is_renamed_by_typing() {
    let mut window = opened(first());
    click(&mut window, "Rename the document");
    window.get_by_label("New name of the document").focus();
    window.run_steps(1);
    window.event(Event::Text("-2".to_owned()));
    window.run_steps(2);
    click(&mut window, "Take this name");
    let GrammarsAction::Rename(name) = wish(&window) else {
        panic!("{:?}", wish(&window))
    };
    assert!(name.contains("json") && name.contains("-2"), "{name}");
}

#[test]
fn a_fault_is_told_and_play_does_not_get_it() {
    let mut window = opened(with_text("root ::= thing\n"));
    let told = window.query_all_by_label_contains("line 1, column 10");
    assert!(told.count() > 0);
    window.get_by_label("has a fault");
    let button = window.get_by_label("Use in Play");
    assert!(button.accesskit_node().is_disabled());
    window.run_steps(1);
}

/// The editor with the caret behind its last character, and something typed there.
fn typed(text: &str, more: &str) -> Window {
    let mut window = opened(with_text(text));
    window.get_by_label("Text of the grammar").focus();
    window.run_steps(1);
    window.key_press_modifiers(Modifiers::COMMAND, Key::End);
    window.run_steps(1);
    // One by one, as fingers do it: what comes and goes around the editor must not take its focus.
    for sign in more.chars() {
        window.event(Event::Text(sign.to_string()));
        window.run_steps(2);
    }
    window
}

#[test]
fn rule_names_are_completed_by_tab() {
    let mut window = typed("number ::= [0-9]+\nroot ::= ", "nu");
    window.get_by_label("Complete number");
    window.key_press(Key::Tab);
    window.run_steps(3);
    let text = &window.state().model.grammars.draft.text;
    assert_eq!(text, "number ::= [0-9]+\nroot ::= number");
    assert_eq!(wish(&window), GrammarsAction::Edited);
    window.event(Event::Text(" \"!\"".to_owned()));
    window.run_steps(2);
    let text = &window.state().model.grammars.draft.text;
    assert_eq!(text, "number ::= [0-9]+\nroot ::= number \"!\"");
}

#[test]
fn another_name_is_chosen_by_arrow() {
    let mut window = typed("note ::= \"b\"\nnumber ::= \"a\"\nroot ::= ", "n");
    window.key_press(Key::ArrowDown);
    window.run_steps(1);
    window.key_press(Key::Tab);
    window.run_steps(3);
    let text = &window.state().model.grammars.draft.text;
    assert!(text.ends_with("root ::= number"), "{text}");
}

#[test]
fn escape_closes_the_list_and_keeps_what_was_typed() {
    let mut window = typed("number ::= [0-9]+\nroot ::= ", "nu");
    window.key_press(Key::Escape);
    window.run_steps(2);
    assert!(window.query_by_label("Complete number").is_none());
    assert!(
        window
            .state()
            .model
            .grammars
            .draft
            .text
            .ends_with("root ::= nu")
    );
}

#[test]
fn the_rule_under_the_caret_is_renamed() {
    let mut window = typed("number ::= [0-9]+\nroot ::= number", "");
    click(&mut window, "Rename the rule number");
    window.get_by_label("New name of the rule").focus();
    window.run_steps(1);
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.event(Event::Text("count".to_owned()));
    window.run_steps(2);
    click(&mut window, "Take this name");
    let (name, new_name) = ("number".to_owned(), "count".to_owned());
    assert_eq!(wish(&window), GrammarsAction::RenameRule { name, new_name });
}

#[test]
fn a_test_says_where_it_stops_and_what_could_follow() {
    let mut window = opened(first());
    window.get_by_label("5 of 5 as expected");
    let found = window.query_all_by_label_contains("Stopped at character 9. Could follow there: ");
    assert_eq!(found.count(), 1);
    click(&mut window, "Text 1: Must be stopped");
    let GrammarsAction::SetTests(tests) = wish(&window) else {
        panic!("{:?}", wish(&window))
    };
    assert!(!tests[0].must_pass);
}

#[test]
fn a_broken_expectation_is_counted() {
    let mut model = first();
    let mut tests = model.grammars.draft.tests();
    tests[0].must_pass = false;
    act(&mut model, GrammarsAction::SetTests(tests));
    check_shown(model, "4 of 5 as expected");
}

#[test]
fn tests_are_added_and_removed() {
    let mut window = opened(first());
    let n = window.state().model.grammars.draft.tests().len();
    click(&mut window, "Add a text");
    assert!(matches!(wish(&window), GrammarsAction::SetTests(it) if it.len() == n + 1));
    click(&mut window, "Remove text 2");
    assert!(matches!(wish(&window), GrammarsAction::SetTests(it) if it.len() == n - 1));
}

#[test]
fn examples_become_tests() {
    let mut window = opened(first());
    click(&mut window, "Show: Examples");
    let n = window.state().model.grammars.draft.tests().len();
    click(&mut window, "Make example 1 a test");
    assert!(matches!(wish(&window), GrammarsAction::SetTests(it) if it.len() == n + 1));
    click(&mut window, "Other examples");
    assert_eq!(wish(&window), GrammarsAction::MoreExamples);
}

#[test]
fn the_report_says_what_is_not_enforced() {
    let mut window = opened(partly());
    click(&mut window, "Show: Enforcement");
    window.get_by_label("Enforced by the mask");
    window.get_by_label("/properties/이름/maxLength");
    assert!(
        window
            .query_all_by_label_contains("partly enforced")
            .count()
            > 0
    );
}

#[test]
fn steps_need_a_model() {
    let mut window = opened(first());
    click(&mut window, "Show: Steps");
    window.get_by_label("Open a model: the steps are its tokens");
    let button = window.get_by_label("Step through");
    assert!(button.accesskit_node().is_disabled());
}

#[test]
fn steps_show_where_the_text_stops() {
    let model = stepped();
    assert!(matches!(model.grammars.steps, Steps::Done { .. }));
    let mut window = opened(model);
    click(&mut window, "Show: Steps");
    window.get_by_label("stopped");
    window.get_by_label("Stopped at character 14.");
    window.get_by_label_contains("Mask: 3.0 µs in the median, 3.0 µs at most.");
    window.get_by_label("legal");
    click(&mut window, "Step through");
    assert_eq!(wish(&window), GrammarsAction::Step);
}
