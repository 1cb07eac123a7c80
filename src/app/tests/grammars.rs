//! Grammars: documents are kept and never lost, the text is tried as it is typed, late answers fall away.

use super::*;

fn wish(model: &mut Model, action: GrammarsAction) -> Vec<Effect> {
    on_action(model, Action::Grammars(action))
}

/// Grammars as at a first start, and what came of its first trial.
fn opened() -> Model {
    let mut model = model();
    let effects = model.open_grammars(None);
    answer(&mut model, effects);
    model
}

/// Does what the shell would: tries what is asked for.
fn answer(model: &mut Model, effects: Vec<Effect>) {
    for effect in effects {
        if let Effect::TryConstraint(asked) = effect {
            let more = on_tried(model, asked.id, Box::new(try_all(&asked)));
            answer(model, more);
        }
    }
}

fn typed(model: &mut Model, text: &str) -> Vec<Effect> {
    text.clone_into(&mut model.grammars.draft.text);
    wish(model, GrammarsAction::Edited)
}

/// The files that effects write, and those that they take away (without a text).
fn files(effects: &[Effect]) -> Vec<(&str, Option<&str>)> {
    let mut files = Vec::new();
    for effect in effects {
        if let Effect::SaveDocument { name, text, .. } = effect {
            files.push((name.as_str(), text.as_deref()));
        }
    }
    files
}

fn source(model: &Model, name: &str) -> Option<Source> {
    let list = documents(&model.library);
    let found = list
        .iter()
        .find(|it| it.kind == DocumentKind::Grammar && it.name == name);
    found.map(|it| it.source)
}

#[test]
fn a_first_start_shows_the_json_grammar_tried() {
    let model = opened();
    let tried = model.grammars.tried.as_ref().unwrap();
    assert_eq!(model.grammars.draft.name, "json");
    assert_eq!(
        (tried.fault(), tried.examined.badge),
        (None, crate::constraint::Badge::Enforced)
    );
    assert!(!tried.tests.is_empty());
}

#[test]
fn every_shipped_text_passes_or_is_stopped_as_its_test_says() {
    let mut model = opened();
    let mut n_tests = 0;
    for document in documents(&model.library) {
        let effects = wish(
            &mut model,
            GrammarsAction::Open(document.kind, document.name.clone()),
        );
        answer(&mut model, effects);
        let tried = model.grammars.tried.as_ref().unwrap();
        assert_eq!(tried.fault(), None, "{}", document.name);
        assert!(
            tried.tests.iter().any(|it| it.test.must_pass)
                && tried.tests.iter().any(|it| !it.test.must_pass),
            "{} has texts of both kinds",
            document.name
        );
        for it in &tried.tests {
            assert!(it.is_as_expected(), "{}: {it:?}", document.name);
        }
        n_tests += tried.tests.len();
    }
    assert!(n_tests > 40, "{n_tests}");
}

#[test]
fn examples_of_a_grammar_are_accepted_by_it() {
    let model = opened();
    let tried = model.grammars.tried.as_ref().unwrap();
    let examples = tried.examples.as_ref().unwrap();
    assert!(examples.len() > 1);
    for it in examples {
        let trial = crate::constraint::try_text(&tried.constraint, it, None);
        assert!(trial.unwrap().unwrap().is_accepted, "{it}");
    }
}

#[test]
fn other_examples_are_others() {
    let mut model = opened();
    let before = model.grammars.tried.clone().unwrap().examples;
    let effects = wish(&mut model, GrammarsAction::MoreExamples);
    answer(&mut model, effects);
    assert_ne!(model.grammars.tried.unwrap().examples, before);
}

#[test]
fn a_changed_shipped_grammar_is_saved_as_the_users_own() {
    let mut model = opened();
    let effects = typed(&mut model, "root ::= \"x\"");
    assert_eq!(files(&effects), [("json", Some("root ::= \"x\""))]);
    assert_eq!(source(&model, "json"), Some(Source::Changed));
    assert_eq!(model.library.grammar("json"), Some("root ::= \"x\""));
}

#[test]
fn typing_back_to_the_shipped_text_takes_the_file_away() {
    let mut model = opened();
    let shipped = model.grammars.draft.text.clone();
    typed(&mut model, "root ::= \"x\"");
    let effects = typed(&mut model, &shipped);
    assert_eq!(files(&effects), [("json", None)]);
    assert_eq!(source(&model, "json"), Some(Source::Shipped));
}

#[test]
fn the_shipped_text_comes_back_and_the_changed_one_is_kept() {
    let mut model = opened();
    let shipped = model.grammars.draft.text.clone();
    typed(&mut model, "root ::= \"x\"");
    let effects = wish(&mut model, GrammarsAction::Revert);
    assert_eq!(files(&effects), [("json", None)]);
    assert_eq!(model.grammars.draft.text, shipped);
    wish(&mut model, GrammarsAction::Restore(0));
    assert_eq!(model.grammars.draft.text, "root ::= \"x\"");
    assert_eq!(source(&model, "json"), Some(Source::Changed));
}

#[test]
fn a_deleted_document_can_be_had_back_under_a_free_name() {
    let mut model = opened();
    wish(&mut model, GrammarsAction::New(DocumentKind::Grammar));
    typed(&mut model, "root ::= \"mine\"");
    let effects = wish(&mut model, GrammarsAction::Delete);
    assert_eq!(files(&effects), [("untitled", None)]);
    assert_eq!(source(&model, "untitled"), None);
    wish(&mut model, GrammarsAction::New(DocumentKind::Grammar));
    wish(&mut model, GrammarsAction::Restore(0));
    assert_eq!(model.grammars.draft.text, "root ::= \"mine\"");
    assert_eq!(model.grammars.draft.name, "untitled-2");
}

#[test]
fn renaming_moves_the_file_and_its_tests() {
    let mut model = opened();
    wish(&mut model, GrammarsAction::New(DocumentKind::Grammar));
    let tests = vec![TestText {
        text: "yes".to_owned(),
        must_pass: true,
    }];
    wish(&mut model, GrammarsAction::SetTests(tests.clone()));
    let effects = wish(&mut model, GrammarsAction::Rename("answer".to_owned()));
    let names: Vec<_> = files(&effects)
        .into_iter()
        .map(|it| (it.0, it.1.is_some()))
        .collect();
    assert_eq!(names, [("untitled", false), ("answer", true)]);
    assert_eq!(model.grammars.draft.tests(), tests);
}

#[test]
fn a_shipped_document_under_another_name_is_a_copy() {
    let mut model = opened();
    wish(&mut model, GrammarsAction::Rename("mine".to_owned()));
    assert_eq!(source(&model, "json"), Some(Source::Shipped));
    assert_eq!(source(&model, "mine"), Some(Source::Own));
}

#[track_caller]
fn check_refused_name(name: &str) {
    let mut model = opened();
    let effects = wish(&mut model, GrammarsAction::Rename(name.to_owned()));
    assert_eq!(files(&effects), []);
    assert_eq!(model.grammars.draft.name, "json");
    assert!(
        model
            .notices
            .iter()
            .any(|it| it.kind == NoticeKind::Warning),
        "{name:?}"
    );
}

#[test]
fn names_that_are_taken_or_no_file_names_are_refused() {
    check_refused_name("mood");
    check_refused_name("../escape");
    check_refused_name("a/b");
    check_refused_name(".hidden");
    check_refused_name("  ");
}

#[test]
fn a_trial_of_an_older_text_leads_to_another_one() {
    let mut model = opened();
    let first = typed(&mut model, "root ::= \"a\"");
    let second = typed(&mut model, "root ::= \"b\"");
    assert!(
        !second
            .iter()
            .any(|it| matches!(it, Effect::TryConstraint(_)))
    );
    answer(&mut model, first);
    let tried = model.grammars.tried.unwrap();
    let text = "root ::= \"b\"".to_owned();
    assert_eq!(
        tried.constraint,
        crate::constraint::Constraint::Grammar { text }
    );
}

#[test]
fn a_late_trial_falls_away() {
    let mut model = opened();
    let asked = AskedTrial {
        id: 999,
        constraint: crate::constraint::Constraint::None,
        tests: Vec::new(),
        seed: 0,
    };
    let before = model.grammars.tried.clone();
    on_tried(&mut model, 999, Box::new(try_all(&asked)));
    assert_eq!(model.grammars.tried, before);
}

#[test]
fn a_fault_is_told_with_its_place() {
    let mut model = opened();
    let effects = typed(&mut model, "root ::= thing\n");
    answer(&mut model, effects);
    let tried = model.grammars.tried.unwrap();
    let fault = tried.fault().unwrap();
    assert_eq!(fault.place, Some((1, 10)));
}

#[test]
fn a_rule_is_renamed_everywhere() {
    let mut model = opened();
    typed(&mut model, "root ::= it it\nit ::= \"it\"\n");
    let (name, new_name) = ("it".to_owned(), "word".to_owned());
    wish(&mut model, GrammarsAction::RenameRule { name, new_name });
    assert_eq!(
        model.grammars.draft.text,
        "root ::= word word\nword ::= \"it\"\n"
    );
}

#[test]
fn a_rule_cannot_take_the_name_of_another() {
    let mut model = opened();
    let text = "root ::= it\nit ::= \"it\"\n";
    typed(&mut model, text);
    let (name, new_name) = ("it".to_owned(), "root".to_owned());
    wish(&mut model, GrammarsAction::RenameRule { name, new_name });
    assert_eq!(model.grammars.draft.text, text);
    assert_eq!(model.notices.last().unwrap().kind, NoticeKind::Warning);
}

#[test]
fn what_is_used_in_play_takes_the_place_of_a_text_that_is_kept_there() {
    let mut model = opened();
    "root ::= \"typed in Play\"".clone_into(&mut model.draft.constraint.grammar);
    wish(&mut model, GrammarsAction::UseInPlay);
    assert_eq!(model.tab, Tab::Play);
    assert_eq!(model.draft.constraint.kind, ConstraintKind::Grammar);
    assert_eq!(model.draft.constraint.grammar, model.grammars.draft.text);
    assert!(
        model
            .draft
            .kept
            .iter()
            .any(|it| it.text.contains("typed in Play"))
    );
}

#[test]
fn a_file_becomes_a_document_of_its_name() {
    let mut model = opened();
    let path = std::path::Path::new("/somewhere/my list.gbnf");
    let effects = on_document_read(&mut model, path, Ok(b"root ::= \"x\"".to_vec()));
    assert_eq!(files(&effects), [("my list", Some("root ::= \"x\""))]);
    let path = std::path::Path::new("/somewhere/mood.schema.json");
    on_document_read(&mut model, path, Ok(b"{\"type\": \"object\"}".to_vec()));
    let draft = &model.grammars.draft;
    assert_eq!(
        (draft.kind, draft.name.as_str()),
        (DocumentKind::Schema, "mood-2")
    );
}

#[test]
fn a_file_that_is_no_text_is_refused_with_its_place() {
    let mut model = opened();
    let path = std::path::Path::new("x.gbnf");
    let effects = on_document_read(&mut model, path, Ok(vec![b'r', 0xFF]));
    assert_eq!(effects, []);
    assert!(model.notices.last().unwrap().text.contains("byte 1"));
}

#[test]
fn steps_of_an_older_wish_fall_away() {
    let mut model = opened();
    model.engine = EnginePhase::Ready(Box::default());
    let old = wish(&mut model, GrammarsAction::Step);
    let new = wish(&mut model, GrammarsAction::Step);
    let id = |effects: &[Effect]| match effects {
        [Effect::Send(Command::Walk { id, .. })] => *id,
        other => panic!("{other:?}"),
    };
    let message = "lost".to_owned();
    on_event(
        &mut model,
        Event::WalkFailed {
            id: id(&old),
            message,
        },
    );
    assert!(matches!(model.grammars.steps, Steps::Working(it) if it == id(&new)));
    let message = "no model".to_owned();
    on_event(
        &mut model,
        Event::WalkFailed {
            id: id(&new),
            message,
        },
    );
    assert!(matches!(&model.grammars.steps, Steps::Failed(it) if it == "no model"));
}

#[test]
fn a_grammar_made_of_a_schema_passes_the_schemas_tests() {
    let mut model = opened();
    let name = "ticket".to_owned();
    let effects = wish(&mut model, GrammarsAction::Open(DocumentKind::Schema, name));
    answer(&mut model, effects);
    let effects = wish(&mut model, GrammarsAction::MakeGrammar);
    answer(&mut model, effects);
    let draft = &model.grammars.draft;
    assert_eq!(
        (draft.kind, draft.name.as_str()),
        (DocumentKind::Grammar, "ticket-of-schema")
    );
    let tried = model.grammars.tried.as_ref().unwrap();
    assert!(tried.tests.iter().any(|it| it.test.must_pass));
    for it in tried.tests.iter().filter(|it| it.test.must_pass) {
        assert!(it.is_as_expected(), "{it:?}");
    }
}

#[test]
fn a_lenient_schema_says_that_it_is_weaker() {
    let mut model = opened();
    let effects = wish(&mut model, GrammarsAction::New(DocumentKind::Schema));
    answer(&mut model, effects);
    let text = r#"{"type": "array", "items": {"type": "integer"}, "uniqueItems": true}"#;
    let effects = typed(&mut model, text);
    answer(&mut model, effects);
    let tried = model.grammars.tried.clone().unwrap();
    assert!(tried.fault().is_some());
    model.grammars.draft.switches.lenient = true;
    let effects = wish(&mut model, GrammarsAction::Edited);
    answer(&mut model, effects);
    let tried = model.grammars.tried.unwrap();
    assert_eq!(tried.fault(), None);
    assert!(tried.examined.is_weaker);
    assert_eq!(tried.examined.badge, crate::constraint::Badge::Partly);
}
