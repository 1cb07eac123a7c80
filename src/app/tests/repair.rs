//! Repair: what is pasted climbs, nothing typed is lost, late answers fall away, and places lead into the text.

use serde_json::{Value, json};

use super::*;
use crate::ladder::{Hint, climb};

fn repair(model: &mut Model, action: RepairAction) -> Vec<Effect> {
    on_action(model, Action::Repair(action))
}

fn typed(model: &mut Model, reply: &str) -> Vec<Effect> {
    reply.clone_into(&mut model.repair.draft.reply);
    repair(model, RepairAction::Edited)
}

/// A part of the value and the text in the reply that it must lead to.
#[track_caller]
fn check_place(reply: &str, pointer: &str, text: &str) {
    let climb = climb(reply, &Hint::default());
    let places = Places::of(reply, &climb);
    let range = places.range(pointer).unwrap();
    assert_eq!(&reply[range], text);
}

#[test]
fn a_value_leads_to_its_text() {
    check_place("{\"a\": [1, {\"b\": \"x\"}]}", "/a/1/b", "\"x\"");
}

#[test]
fn prose_and_fences_are_skipped() {
    check_place("Use {name}:\n```json\n{\"a\": 17}\n```", "/a", "17");
}

#[test]
fn a_mended_value_leads_to_what_the_model_wrote() {
    check_place("{'a': 'x', b: True,}", "/a", "'x'");
    check_place("{'a': 'x', b: True,}", "/b", "True");
}

#[test]
fn a_value_that_is_cut_off_ends_with_the_text() {
    check_place("{\"a\": [1, {\"b\": \"xyz", "/a/1/b", "\"xyz");
}

#[test]
fn a_missing_key_leads_to_its_object() {
    check_place("{\"a\": {\"b\": 1}}", "/a/c", "{\"b\": 1}");
}

#[test]
fn keys_of_other_alphabets_lead_to_their_text() {
    check_place("{“名称”：“铁壶”，“数量”：2}", "/数量", "2");
    check_place("{'이름': '녹차'}", "/이름", "'녹차'");
}

#[test]
fn a_place_in_the_text_leads_to_the_innermost_part() {
    let reply = "Sure: {'a': {'b': 17}}";
    let places = Places::of(reply, &climb(reply, &Hint::default()));
    assert_eq!(places.at(reply.find("17").unwrap()), Some("/a/b"));
    assert_eq!(places.at(reply.find("'b'").unwrap()), Some("/a/b"));
    assert_eq!(places.at(0), None);
}

/// The log does not say of all edits what they leave, such as of a key that is dropped: those are found by their keys.
#[test]
fn nearly_every_value_of_the_traps_is_found_exactly() {
    let traps = include_str!("../../../tests/data/ladder_traps.jsonl");
    let (mut n_values, mut lost) = (0, Vec::new());
    for line in traps.lines() {
        let trap: Value = serde_json::from_str(line).unwrap();
        let reply = trap["input"].as_str().unwrap();
        let climb = climb(reply, &Hint::default());
        let Some(value) = climb.value().filter(|it| !it.is_string()) else {
            continue;
        };
        n_values += 1;
        if Places::of_mended(reply, &climb).is_none() {
            lost.push(format!("{}: {value}", trap["id"]));
        }
    }
    assert!(
        lost.len() * 10 <= n_values,
        "{} of {n_values}: {lost:#?}",
        lost.len()
    );
}

#[test]
fn what_the_log_does_not_lead_to_is_found_by_its_keys() {
    check_place("{\"a\": \"x\" + \"y\", \"b\": 17}", "/b", "17");
    check_place("{\"a\": 1, \"na", "/a", "1");
}

#[test]
fn each_sample_keeps_its_promise() {
    assert_eq!(samples().len(), sample_files().len());
    for sample in samples() {
        let mut model = model();
        repair(&mut model, RepairAction::LoadSample(sample.id.clone()));
        let outcome = model.repair.outcome().unwrap();
        let rung = outcome.climb.rung.map(u8::from);
        assert_eq!(rung, Some(sample.promise.rung), "{}", sample.id);
        let cause = outcome.judgement.cause.as_ref().unwrap();
        assert_eq!(cause.kind, sample.promise.cause, "{}: {cause:?}", sample.id);
        assert!(model.library.task(&sample.task).is_some());
    }
}

#[test]
fn the_leak_sample_has_leaks_in_both_of_its_values() {
    let mut model = model();
    repair(&mut model, RepairAction::LoadSample("leak".to_owned()));
    for idx in 0..2 {
        repair(&mut model, RepairAction::Take(idx));
        let outcome = model.repair.outcome().unwrap();
        assert_eq!(outcome.chosen, Some(idx));
        assert_eq!(
            outcome.judgement.lamps.leak_free,
            Some(false),
            "value {idx}"
        );
    }
}

#[test]
fn a_value_that_was_picked_is_forgotten_when_the_reply_changes() {
    let mut model = model();
    typed(&mut model, "{\"a\": 1} {\"b\": 2}");
    repair(&mut model, RepairAction::Take(1));
    let value = |model: &Model| model.repair.outcome().unwrap().climb.value().cloned();
    assert_eq!(value(&model), Some(json!({"b": 2})));
    typed(&mut model, "{\"a\": 1} {\"b\": 3}");
    assert_eq!(value(&model), Some(json!({"a": 1})));
}

#[test]
fn a_sample_does_not_take_the_place_of_what_was_typed() {
    let mut model = model();
    typed(&mut model, "my own");
    repair(&mut model, RepairAction::LoadSample("loop".to_owned()));
    repair(&mut model, RepairAction::LoadSample("leak".to_owned()));
    let kept: Vec<&str> = model
        .repair
        .draft
        .kept
        .iter()
        .map(|it| it.reply.as_str())
        .collect();
    assert_eq!(kept, ["my own"], "what ships is not kept");
    repair(&mut model, RepairAction::Restore(0));
    assert_eq!(model.repair.draft.reply, "my own");
}

fn large() -> String {
    format!("[{}]", "1, ".repeat(LARGE))
}

fn climb_asked(effects: &[Effect]) -> Option<Asked> {
    effects.iter().find_map(|it| match it {
        Effect::Climb(asked) => Some((**asked).clone()),
        _ => None,
    })
}

#[test]
fn a_large_reply_is_climbed_elsewhere_one_at_a_time() {
    let mut model = model();
    let asked = climb_asked(&typed(&mut model, &large())).unwrap();
    let second = typed(&mut model, &format!("{} ", large()));
    assert_eq!(climb_asked(&second), None, "one is out");
    let late = on_climbed(&mut model, asked.id, Box::new(outcome(&asked)));
    let again = climb_asked(&late).unwrap();
    assert!(
        model.repair.outcome().is_none(),
        "it was of the text before"
    );
    let none = on_climbed(&mut model, again.id, Box::new(outcome(&again)));
    assert!(none.is_empty());
    assert!(model.repair.outcome().is_some());
}

#[test]
fn a_late_answer_does_not_take_the_place_of_a_newer_one() {
    let mut model = model();
    let asked = climb_asked(&typed(&mut model, &large())).unwrap();
    typed(&mut model, "{}");
    on_climbed(&mut model, asked.id, Box::new(outcome(&asked)));
    let value = model.repair.outcome().unwrap().climb.value();
    assert_eq!(value, Some(&json!({})));
}

#[test]
fn a_file_that_is_not_utf_8_is_read_as_far_as_it_goes() {
    let mut model = model();
    let path = std::path::Path::new("reply.txt");
    on_reply_read(&mut model, path, Ok(b"{\"a\": \"\xff\"}".to_vec()));
    assert_eq!(model.tab, Tab::Repair);
    assert_eq!(model.repair.draft.reply, "{\"a\": \"\u{fffd}\"}");
    assert!(
        model.notices[0].text.contains("byte 7"),
        "{:?}",
        model.notices
    );
}

#[test]
fn a_file_named_as_a_schema_goes_where_schemas_go() {
    let mut model = model();
    typed(&mut model, "{}");
    let path = std::path::Path::new("order.schema.json");
    on_reply_read(&mut model, path, Ok(b"{\"type\": \"array\"}".to_vec()));
    assert_eq!(model.repair.draft.reply, "{}");
    let lamps = model.repair.outcome().unwrap().judgement.lamps;
    assert_eq!(lamps.schema, Some(false));
}

#[test]
fn a_case_that_could_not_be_saved_can_be_saved_again() {
    let mut model = model();
    typed(&mut model, "{}");
    assert_eq!(repair(&mut model, RepairAction::SaveCase).len(), 1);
    assert!(repair(&mut model, RepairAction::SaveCase).is_empty());
    on_case_saved(&mut model, Err("the disk is full".to_owned()));
    assert_eq!(repair(&mut model, RepairAction::SaveCase).len(), 1);
}

#[test]
fn two_cases_of_one_task_have_names_of_their_own() {
    let mut model = model();
    let mut ids = Vec::new();
    for id in ["loop", "leak"] {
        repair(&mut model, RepairAction::LoadSample(id.to_owned()));
        let effects = repair(&mut model, RepairAction::SaveCase);
        let Effect::AppendCase(case) = &effects[0] else {
            panic!("{effects:?}")
        };
        ids.push(case["id"].as_str().unwrap().to_owned());
    }
    assert_ne!(ids[0], ids[1]);
    assert!(ids[0].starts_with("shopping-"), "{ids:?}");
}

#[test]
fn a_fault_of_a_key_leads_to_the_key() {
    let mut model = model();
    let reply = "{\"items\": [{\"name\": \"x\", \"qty\": 1, \"more\": 2}]}";
    typed(&mut model, reply);
    repair(&mut model, RepairAction::PickTask("shopping".to_owned()));
    typed(&mut model, reply);
    let outcome = model.repair.outcome().unwrap();
    assert_eq!(outcome.faults[0].instance_path, "/items/0/more");
    let mark = outcome
        .marks
        .iter()
        .find(|it| it.kind == MarkKind::Fault(0))
        .unwrap();
    assert_eq!(&reply[mark.bytes.clone()], "\"more\"");
}

#[test]
fn the_diff_shows_each_changed_line_before_and_after() {
    let mut model = model();
    typed(&mut model, "{\n'a': 1,\n\"b\": 2,\n}");
    let outcome = model.repair.outcome().unwrap();
    let text = |it: &[Segment]| it.iter().map(|it| it.text.as_str()).collect::<String>();
    let lines: Vec<_> = outcome
        .diff
        .iter()
        .map(|it| (it.number, text(&it.before), text(&it.after)))
        .collect();
    let line = |n, before: &str, after: &str| (n, before.to_owned(), after.to_owned());
    assert_eq!(
        lines,
        [
            line(2, "'a': 1,", "\"a\": 1,"),
            line(3, "\"b\": 2,", "\"b\": 2")
        ]
    );
}

#[test]
fn marks_are_told_in_bytes_and_in_characters() {
    let mut model = model();
    typed(&mut model, "값: {'가': 1}");
    let outcome = model.repair.outcome().unwrap();
    let edit = outcome
        .marks
        .iter()
        .find(|it| it.kind == MarkKind::Edit(0))
        .unwrap();
    assert_eq!((edit.bytes.clone(), edit.chars.clone()), (6..7, 4..5));
}

#[test]
fn the_draft_keeps_what_a_later_version_wrote() {
    let text = "{\"reply\": \"x\", \"from_the_future\": [1]}";
    let draft: RepairDraft = serde_json::from_str(text).unwrap();
    let again = serde_json::to_value(&draft).unwrap();
    assert_eq!(again["from_the_future"], json!([1]));
}
