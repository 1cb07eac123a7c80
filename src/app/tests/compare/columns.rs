//! What stands in the columns: copies, changes, texts, plans.

use super::*;
use crate::prompt::Thinking;

#[test]
fn a_copy_with_another_knob_is_a_preset_of_its_own() {
    let mut model = compared();
    let first = ids(&model)[0];
    wish(&mut model, CompareAction::Duplicate(first));
    let copy = ids(&model)[1];
    let change = ColumnChange::Knob(Knob::TopK, 40.0);
    let effects = wish(&mut model, CompareAction::Change(copy, change));
    assert!(effects.contains(&Effect::SaveCompareDraft));
    let preset = &model.compare.draft.column(copy).unwrap().preset;
    assert_eq!(
        (&*preset.name, &*preset.title),
        ("greedy-top_k-40", "Greedy, Top-k 40")
    );
    let back = ColumnChange::Knob(Knob::TopK, 0.0);
    wish(&mut model, CompareAction::Change(copy, back));
    let base = model.library.preset("greedy").unwrap();
    assert_eq!(&model.compare.draft.column(copy).unwrap().preset, base);
}

#[test]
fn there_are_six_columns_at_most() {
    let mut model = compared();
    for _ in 0..9 {
        wish(&mut model, CompareAction::Add("greedy-ngram3".to_owned()));
    }
    let first = ids(&model)[0];
    wish(&mut model, CompareAction::Duplicate(first));
    assert_eq!(ids(&model).len(), 6);
}

#[test]
fn a_reply_of_other_settings_says_so() {
    let mut model = done();
    let first = ids(&model)[0];
    assert!(model.compare.is_current(first));
    let change = ColumnChange::Knob(Knob::Seed, 3.0);
    wish(&mut model, CompareAction::Change(first, change));
    assert!(!model.compare.is_current(first));
    let mut model = done();
    model.compare.draft.text.push('!');
    assert!(!model.compare.is_current(first));
}

#[test]
fn the_columns_become_a_plan_that_reads_back() {
    let mut model = compared();
    let first = ids(&model)[0];
    wish(&mut model, CompareAction::Duplicate(first));
    let copy = ids(&model)[1];
    let change = ColumnChange::Knob(Knob::TopK, 40.0);
    wish(&mut model, CompareAction::Change(copy, change));
    wish(&mut model, CompareAction::PickInput(2));
    let effects = wish(&mut model, CompareAction::SavePlan);
    let Some(Effect::SavePlan(plan)) = effects.last() else {
        panic!("{effects:?}")
    };
    let again = Plan::parse(&plan.to_json().to_string(), "plan.json").unwrap();
    assert_eq!(again, **plan);
    let presets = again.presets(&model.library.presets).unwrap();
    let cells = again.cells(&model.library.tasks, &presets).unwrap();
    let keys: Vec<_> = cells.iter().map(|it| it.key.as_str()).collect();
    assert_eq!(keys.len(), 3);
    assert!(
        keys.iter().all(|it| it.starts_with("shopping/3/")),
        "{keys:?}"
    );
    assert!(matches!(&plan.presets[0], PresetChoice::Named(it) if it == "greedy"));
    assert!(matches!(&plan.presets[1], PresetChoice::Own(_)));
    assert_eq!(model.chosen_plan().unwrap().name, plan.name);
}

#[test]
fn a_text_of_ones_own_makes_no_plan_and_the_reason_is_named() {
    let mut model = compared();
    model.compare.draft.text.push('!');
    assert!(wish(&mut model, CompareAction::SavePlan).is_empty());
    assert!(model.notices[0].text.contains("inputs"));
}

#[test]
fn a_text_of_ones_own_is_kept_when_an_input_takes_its_place() {
    let mut model = compared();
    "사과 세 개".clone_into(&mut model.compare.draft.text);
    wish(&mut model, CompareAction::PickInput(1));
    assert_eq!(model.compare.draft.kept, ["사과 세 개"]);
    wish(&mut model, CompareAction::RestoreText(0));
    assert_eq!(model.compare.draft.text, "사과 세 개");
    assert_eq!(model.compare.draft.kept, [""; 0]);
}

#[test]
fn the_draft_is_the_same_after_it_was_saved() {
    let mut model = compared();
    let first = ids(&model)[0];
    let change = ColumnChange::Style(PromptStyle::Schema);
    wish(&mut model, CompareAction::Change(first, change));
    let saved = serde_json::to_value(&model.compare.draft).unwrap();
    let again: CompareDraft = serde_json::from_value(saved).unwrap();
    assert_eq!(again, model.compare.draft);
    let title = again.columns[0].preset.title.clone();
    model.open_compare(Some(again));
    assert_eq!(model.compare.draft.columns[0].preset.title, title);
}

#[test]
fn any_column_can_be_the_one_that_the_others_are_held_against() {
    let mut model = done();
    let [first, second] = ids(&model)[..] else {
        panic!("two columns")
    };
    let of_reference = |model: &Model| {
        let comparison = model.compare.comparison.as_ref().unwrap();
        let parted = &comparison.partings[0][0];
        (comparison.lock_step.reference, parted.column)
    };
    assert_eq!(of_reference(&model), (Some(0), 1));
    wish(&mut model, CompareAction::MakeReference(second));
    assert_eq!(of_reference(&model), (Some(1), 0));
    // The columns keep their places, and the choice is saved with them.
    assert_eq!(ids(&model), [first, second]);
    let saved = serde_json::to_value(&model.compare.draft).unwrap();
    let again: CompareDraft = serde_json::from_value(saved).unwrap();
    assert_eq!(again.reference_place(), 1);
    wish(&mut model, CompareAction::Remove(second));
    assert_eq!(model.compare.draft.reference_place(), 0);
}

#[test]
fn thinking_is_switched_column_by_column_and_no_plan_can_say_so() {
    let mut model = compared();
    let first = ids(&model)[0];
    let change = ColumnChange::Thinking(Thinking::Off);
    wish(&mut model, CompareAction::Change(first, change));
    let column = model.compare.draft.column(first).unwrap();
    assert_eq!(column.preset.name, "greedy-thinking-off");
    let effects = wish(&mut model, CompareAction::Run);
    let request = effects.iter().find_map(|it| match it {
        Effect::Send(Command::Run { request, .. }) => Some(request),
        _ => None,
    });
    assert_eq!(request.unwrap().prompt.thinking, Thinking::Off);
    let mut model = compared();
    let change = ColumnChange::Thinking(Thinking::On);
    wish(&mut model, CompareAction::Change(first, change));
    assert!(wish(&mut model, CompareAction::SavePlan).is_empty());
    assert!(model.notices[0].text.contains("thinking"));
    wish(&mut model, CompareAction::OpenInPlay(first));
    assert_eq!(model.draft.prompt.thinking, Thinking::On);
}
