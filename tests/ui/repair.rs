//! Repair, driven by its labels: a reply is typed and climbs, candidates, edits, samples, cases.

use eframe::egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use serde_json::{Value, json};
use stepladder::app::{
    Action, Effect, Model, RepairAction, RepairDraft, Settings, Tab, ThemeChoice, on_action,
    on_climbed, outcome, samples,
};
use stepladder::store::{self, Folders};

use crate::{Window, click, fixture, window};

/// Repair with nothing in it, the shipped tasks, and no model.
pub(crate) fn empty() -> Model {
    let library = store::library(&Folders::at("no such folder"));
    let draft = stepladder::app::Draft::new(&library);
    Model {
        tab: Tab::Repair,
        ..Model::new(library, draft, Settings::default())
    }
}

/// With a shipped broken reply in place.
pub(crate) fn sample(id: &str) -> Model {
    let mut model = empty();
    let wish = RepairAction::LoadSample(id.to_owned());
    on_action(&mut model, Action::Repair(wish));
    model
}

fn with_reply(reply: &str) -> Model {
    let mut model = empty();
    reply.clone_into(&mut model.repair.draft.reply);
    on_action(&mut model, Action::Repair(RepairAction::Edited));
    model
}

pub(crate) fn far_east() -> Model {
    let text = "好的，这是您要的 JSON：\n\n{“买家”：“上海光华贸易有限公司”，\n 품목: [{'이름': '녹차 가루 일 킬로그램', 'qty': １２, '비고': '서울특별시 종로구 세종대로 이백구번지까지 빠른 배송으로 보내 주세요'},\n {'品名': '急須', 'qty': 1,}],\n “备注”：“请务必用双层纸箱仔细包装后再发货”}\n\n还有其他需要帮助的吗？";
    with_reply(text)
}

pub(crate) fn refusal() -> Model {
    let mut model = with_reply(
        "I'm sorry, but I can't help with that list. Could you tell me more about what you need?",
    );
    let wish = RepairAction::PickTask("shopping".to_owned());
    on_action(&mut model, Action::Repair(wish));
    model
}

/// A reply of half a megabyte, climbed elsewhere and come back.
pub(crate) fn large() -> Model {
    let mut model = large_working();
    answer_climb(&mut model);
    model
}

fn large_working() -> Model {
    let items: Vec<String> = (0..20_000)
        .map(|it| format!("{{'name': 'item {it}', qty: {it}}}"))
        .collect();
    with_reply(&format!("Here:\n{{\"items\": [{}]}}", items.join(",\n")))
}

fn answer_climb(model: &mut Model) {
    let effects = on_action(model, Action::Repair(RepairAction::Edited));
    // The climb that was asked for first is out; its answer makes the app ask again for the changed text.
    assert!(!effects.iter().any(|it| matches!(it, Effect::Climb(_))));
    let mut asked = stepladder::app::Asked {
        id: 1,
        reply: model.repair.draft.reply.clone(),
        ..stepladder::app::Asked::default()
    };
    for _ in 0..2 {
        let found = Box::new(outcome(&asked));
        let effects = on_climbed(model, asked.id, found);
        match effects.into_iter().next() {
            Some(Effect::Climb(next)) => asked = *next,
            _ => return,
        }
    }
}

fn opened(model: Model) -> Window {
    let mut window = window(model, (1440.0, 1400.0));
    window.state_mut().is_live = true;
    window.run_steps(3);
    window
}

#[track_caller]
fn check_seen(window: &Window, text: &str) {
    let n_found = window.query_all_by_label_contains(text).count();
    assert!(n_found > 0, "“{text}” is not on the screen");
}

#[track_caller]
fn check_sample(id: &str, texts: &[&str]) {
    let title = &samples().iter().find(|it| it.id == id).unwrap().title;
    let mut window = opened(empty());
    click(&mut window, title);
    for text in texts {
        check_seen(&window, text);
    }
}

#[test]
fn the_tab_is_reached_by_its_name_and_by_its_key() {
    let mut window = opened(fixture::ready());
    click(&mut window, "Repair");
    assert_eq!(window.state().model.tab, Tab::Repair);
    window.key_press_modifiers(Modifiers::COMMAND, Key::Num1);
    window.run_steps(2);
    assert_eq!(window.state().model.tab, Tab::Play);
    window.key_press_modifiers(Modifiers::COMMAND, Key::Num4);
    window.run_steps(2);
    assert_eq!(window.state().model.tab, Tab::Repair);
}

#[test]
fn what_is_typed_climbs_at_once() {
    let mut window = opened(empty());
    window.get_by_label("Reply to climb").focus();
    window.run_steps(2);
    window
        .get_by_label("Reply to climb")
        .type_text("Sure: {'a': 1}");
    window.run_steps(3);
    check_seen(&window, "Rung 4, Repair: held");
    check_seen(&window, "a: 1");
    check_seen(&window, "Line 1, column 8: Quote");
    assert!(window.state().effects.contains(&Effect::SaveRepairDraft));
}

#[test]
fn the_fenced_sample_stands_on_the_second_rung() {
    let texts = [
        "Rung 2, Strip the fences: held",
        "Correct: yes",
        "code fence",
    ];
    check_sample("fenced", &texts);
}

#[test]
fn the_detours_sample_is_repaired_and_names_the_renamed_key() {
    let texts = [
        "Rung 4, Repair: held",
        "Schema: invalid",
        "is called",
        "Against the schema",
    ];
    check_sample("detours", &texts);
}

#[test]
fn the_loop_sample_is_cut_off_and_says_so() {
    let texts = [
        "Rung 4, Repair: held",
        "The reply ends in the middle of the value.",
        "Loop",
    ];
    let mut window = opened(empty());
    click(&mut window, "A loop that ran into the limit");
    for text in &texts[..2] {
        check_seen(&window, text);
    }
    let cause = window
        .state()
        .model
        .repair
        .outcome()
        .unwrap()
        .judgement
        .cause
        .clone();
    assert_eq!(cause.unwrap().kind, "loop");
}

#[test]
fn the_leak_sample_offers_both_objects() {
    let texts = ["Value 1 of 2", "Value 2 of 2", "Leak-free: leaks"];
    check_sample("leak", &texts);
}

#[test]
fn another_value_is_taken_by_a_click_and_all_else_follows() {
    let mut window = opened(sample("leak"));
    let value = |window: &Window| {
        let outcome = window.state().model.repair.outcome().unwrap();
        (outcome.chosen, outcome.climb.value().cloned().unwrap())
    };
    let (own, first) = value(&window);
    let other = 1 - own.unwrap();
    window
        .get_by_label_contains(&format!("Value {} of 2", other + 1))
        .click();
    window.run_steps(3);
    let (chosen, second) = value(&window);
    assert_eq!(chosen, Some(other));
    assert_ne!(first, second);
    let name = second["items"][0]["name"].as_str().unwrap();
    check_seen(&window, &format!("name: \"{name}\""));
    check_seen(&window, "picked by you");
}

#[test]
fn a_clicked_edit_is_selected_in_the_reply() {
    let mut window = opened(with_reply("{\"a\": True}"));
    click(&mut window, "Line 1, column 7: Literal, True became true");
    let lit = window.state().state.repair.lit.clone().unwrap();
    assert_eq!(lit.bytes, Some(6..10));
    let editor = window.get_by_label("Reply to climb");
    let node = editor.accesskit_node();
    let selection = node.text_selection().unwrap();
    assert_eq!(selection.text(), "True");
}

#[test]
fn a_clicked_rung_leads_to_the_place_of_its_message() {
    let mut window = opened(with_reply("{\"a\": True}"));
    window
        .get_by_label_contains("Rung 1, As is: gave way")
        .click();
    window.run_steps(3);
    let lit = window.state().state.repair.lit.clone().unwrap();
    assert_eq!(lit.bytes.unwrap().start, 6);
}

#[test]
fn a_clicked_fault_leads_to_its_place_and_lights_its_row() {
    let mut model = with_reply("{\"items\": [{\"name\": \"x\", \"qty\": \"2\"}]}");
    let wish = RepairAction::PickTask("shopping".to_owned());
    on_action(&mut model, Action::Repair(wish));
    let at = model.repair.draft.reply.find("\"2\"").unwrap();
    let mut window = opened(model);
    window
        .get_by_label_contains("/items/0/qty: \"2\" is a text")
        .click();
    window.run_steps(3);
    let lit = window.state().state.repair.lit.clone().unwrap();
    assert_eq!(lit.bytes, Some(at..at + 3));
    assert_eq!(lit.pointer.as_deref(), Some("/items/0/qty"));
}

#[test]
fn a_clicked_row_of_the_value_leads_to_its_place() {
    let reply = "Here: {\"a\": {\"b\": 17}}";
    let mut window = opened(with_reply(reply));
    click(&mut window, "b: 17");
    let lit = window.state().state.repair.lit.clone().unwrap();
    let at = reply.find("17").unwrap();
    assert_eq!(lit.bytes, Some(at..at + 2));
}

/// The case that is to be appended.
fn saved(window: &Window) -> Vec<Value> {
    let case = |it: &Effect| match it {
        Effect::AppendCase(case) => Some((**case).clone()),
        _ => None,
    };
    window.state().effects.iter().filter_map(case).collect()
}

#[test]
fn a_case_is_saved_once() {
    let mut window = opened(with_reply("{\"a\": True}"));
    click(&mut window, "Save case");
    click(&mut window, "Save case");
    let cases = saved(&window);
    assert_eq!(cases.len(), 1);
    assert!(cases[0]["id"].is_string());
    assert_eq!(cases[0]["input"], "{\"a\": True}");
    let expected = json!({"value": {"a": true}, "rung": 4, "flags": [], "valid": null});
    assert_eq!(cases[0]["expected"], expected);
}

#[test]
fn value_and_report_can_be_copied() {
    let mut window = opened(with_reply("{\"a\": True}"));
    click(&mut window, "Copy the value");
    click(&mut window, "Copy the report");
    let copied: Vec<&String> = window
        .state()
        .effects
        .iter()
        .filter_map(|it| match it {
            Effect::CopyText(text) => Some(text),
            _ => None,
        })
        .collect();
    assert_eq!(copied[0], "{\n  \"a\": true\n}");
    for words in ["4 repair: held", "1:7 literal", "Parses: yes"] {
        assert!(copied[1].contains(words), "{words} in {}", copied[1]);
    }
}

#[test]
fn a_schema_that_is_typed_judges() {
    let mut window = opened(with_reply("{\"a\": 1}"));
    click(&mut window, "Schema");
    window.get_by_label("Text of the reply's schema").focus();
    window.run_steps(2);
    window
        .get_by_label("Text of the reply's schema")
        .type_text("{\"required\": [\"b\"]}");
    window.run_steps(3);
    check_seen(&window, "Schema: invalid");
    check_seen(&window, "the key \"b\" is missing");
}

#[test]
fn a_task_brings_its_schema_and_the_right_answer() {
    let reply =
        "{\"items\": [{\"name\": \"apples\", \"qty\": 2}, {\"name\": \"bananas\", \"qty\": 3}]}";
    let mut window = opened(with_reply(reply));
    click(&mut window, "Task of the reply: No task");
    click(&mut window, "Shopping list");
    check_seen(&window, "Correct: yes");
    check_seen(&window, "Schema: valid");
}

#[test]
fn a_reply_that_is_cleared_can_be_had_again() {
    let mut window = opened(with_reply("{\"a\": 1}"));
    click(&mut window, "Clear the reply");
    assert_eq!(window.state().model.repair.draft.reply, "");
    click(&mut window, "Earlier replies: Your earlier");
    click(&mut window, "{\"a\": 1}");
    assert_eq!(window.state().model.repair.draft.reply, "{\"a\": 1}");
}

#[test]
fn what_was_typed_comes_back_with_the_next_start() {
    let model = with_reply("{\"a\": 1}");
    let text = serde_json::to_string(&model.repair.draft).unwrap();
    let mut next = empty();
    let draft: RepairDraft = serde_json::from_str(&text).unwrap();
    next.open_repair(draft);
    let window = opened(next);
    check_seen(&window, "Rung 1, As is: held");
}

#[test]
fn a_large_reply_is_climbed_elsewhere_and_says_so() {
    let window = opened(large_working());
    check_seen(&window, "it is being climbed");
}

#[test]
fn a_large_reply_comes_back_and_is_shown() {
    let window = opened(large());
    check_seen(&window, "Rung 4, Repair: held");
}

#[test]
fn a_reply_of_play_opens_with_what_it_was_judged_by() {
    let mut window = opened(fixture::done_repaired());
    click(&mut window, "Open in Repair");
    let model = &window.state().model;
    assert_eq!(model.tab, Tab::Repair);
    assert_eq!(model.repair.draft.reply, fixture::BROKEN);
    assert!(model.repair.draft.schema.contains("items"));
    check_seen(&window, "Rung 4, Repair: held");
}

#[test]
fn an_empty_view_says_what_to_do_in_both_themes() {
    for theme in [ThemeChoice::Dark, ThemeChoice::Light] {
        let mut model = empty();
        model.settings.theme = theme;
        let window = opened(model);
        check_seen(&window, "Broken replies to learn from");
        check_seen(&window, "Paste a reply to see which rung holds.");
    }
}

#[test]
fn a_reply_without_json_says_so() {
    let window = opened(refusal());
    check_seen(&window, "Parses: no");
    check_seen(&window, "nothing can be recovered");
}
