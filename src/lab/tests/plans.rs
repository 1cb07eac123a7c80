//! Plans: what their files may say, and which replies they ask for.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::records::trial;
use crate::lab::{Cell, Plan, Preset, Retry, RetryPolicy, shipped_plans, shipped_presets};
use crate::prompt::{Message, Role, Task, shipped_tasks};
use crate::sampling::Knob;

fn presets() -> Vec<Preset> {
    let files = shipped_presets().iter();
    files
        .map(|(file, text)| Preset::parse(text, file).unwrap())
        .collect()
}

fn tasks() -> Vec<Task> {
    let files = shipped_tasks().iter();
    files
        .map(|(file, text)| Task::parse(text, file).unwrap())
        .collect()
}

fn plan(more: &Value) -> Result<Plan, String> {
    let mut json = json!({"v": 1, "name": "test", "tasks": ["mood"], "presets": ["greedy"]});
    let object = json.as_object_mut().unwrap();
    object.extend(more.as_object().unwrap().clone());
    Plan::parse(&json.to_string(), "test.json").map_err(|it| it.to_string())
}

/// The cells of one task under one preset.
pub(super) fn cells_of(task: &str, preset: &str) -> Vec<Cell> {
    let plan = plan(&json!({"tasks": [task], "presets": [preset]})).unwrap();
    let presets = plan.presets(&presets()).unwrap();
    plan.cells(&tasks(), &presets).unwrap()
}

#[test]
fn models_are_read_and_written() {
    let models = json!(["smollm2", "/models/ä.gguf"]);
    let plan = plan(&json!({"models": models})).unwrap();
    assert_eq!(plan.models, ["smollm2", "/models/ä.gguf"]);
    assert_eq!(plan.to_json()["models"], models);
}

#[test]
fn models_that_are_no_list_are_refused() {
    let error = plan(&json!({"models": "smollm2"})).unwrap_err();
    assert!(error.contains("a list of model files"), "{error}");
}

fn keys(plan: &Plan) -> Result<Vec<String>, String> {
    let known = presets();
    let presets = plan.presets(&known).map_err(|it| it.to_string())?;
    let cells = plan
        .cells(&tasks(), &presets)
        .map_err(|it| it.to_string())?;
    Ok(cells.into_iter().map(|it| it.key).collect())
}

#[test]
fn values_in_the_examples_multiply_the_replies_that_see_examples() {
    let more =
        json!({"inputs": 1, "styles": ["plain", "example"], "examples": ["own", "placeholders"]});
    let expected = [
        "mood/1/plain/greedy/42",
        "mood/1/example/greedy/42",
        "mood/1/example/greedy/42/placeholders",
    ];
    let plan = plan(&more).unwrap();
    assert_eq!(keys(&plan).unwrap(), expected);
    let again = Plan::parse(&plan.to_json().to_string(), "again").unwrap();
    assert_eq!(again, plan);
}

/// As an experiment's folder holds them.
#[test]
fn presets_of_an_ablation_are_read_back() {
    let known = presets();
    let (file, text) = shipped_plans()
        .iter()
        .find(|it| it.0.contains("ablation"))
        .unwrap();
    let plan = Plan::parse(text, file).unwrap();
    let presets = plan.presets(&known).unwrap();
    assert!(presets.iter().any(|it| it.name.contains('+')));
    let begun = plan.resolved(&presets, &tasks());
    let read = Plan::parse_resolved(&begun, "plan.json").unwrap();
    assert_eq!(read, (plan.clone(), presets));
    // A preset that cannot be read is named, not left out.
    let mut spoiled = begun;
    spoiled["presets"][1]["name"] = json!("two words");
    let error = Plan::parse_resolved(&spoiled, "plan.json").unwrap_err();
    assert!(error.to_string().contains("two words"), "{error}");
}

#[test]
fn unknown_values_in_the_examples_are_named() {
    let error = plan(&json!({"examples": ["others"]})).unwrap_err();
    assert!(
        error.contains("examples") && error.contains("\"swapped\""),
        "{error}"
    );
}

#[test]
fn shipped_plans_ask_for_what_they_say() {
    let counts: Vec<(String, usize)> = shipped_plans()
        .iter()
        .map(|(file, text)| {
            let plan = Plan::parse(text, file).unwrap();
            let n = keys(&plan).unwrap().len();
            (plan.name, n)
        })
        .collect();
    let count = |name: &str| counts.iter().find(|it| it.0 == name).unwrap().1;
    assert_eq!(count("finding"), 96);
    // Greedy and chat, and one preset for each knob in which they differ: 24 replies each.
    assert_eq!(count("ablation") % 24, 0);
    assert_eq!(count("ablation"), 24 * 7);
    assert_eq!(count("constraints"), 24 * 6);
    // Two tasks with eight inputs and one with seven, two presets, three kinds of values in the example.
    assert_eq!(count("leakage"), (8 + 8 + 7) * 2 * 3);
}

#[test]
fn each_cell_has_a_key_of_its_own() {
    for (file, text) in shipped_plans() {
        let keys = keys(&Plan::parse(text, file).unwrap()).unwrap();
        let distinct: BTreeSet<&String> = keys.iter().collect();
        assert_eq!(distinct.len(), keys.len(), "{file}");
    }
}

#[test]
fn an_ablation_changes_one_knob_a_preset() {
    let known = presets();
    let plan =
        plan(&json!({"presets": [], "ablate": {"base": "greedy", "target": "chat"}})).unwrap();
    let made = plan.presets(&known).unwrap();
    let base = known.iter().find(|it| it.name == "greedy").unwrap();
    let target = known.iter().find(|it| it.name == "chat").unwrap();
    assert_eq!(made.first(), Some(base));
    assert_eq!(made.last(), Some(target));
    let mut seen = BTreeSet::new();
    for preset in &made[1..made.len() - 1] {
        let changed: Vec<Knob> = Knob::ALL
            .into_iter()
            .filter(|it| preset.knobs.get(*it).to_bits() != base.knobs.get(*it).to_bits())
            .collect();
        let [knob] = changed[..] else {
            panic!("{} changes {changed:?}", preset.name)
        };
        assert_eq!(
            preset.knobs.get(knob).to_bits(),
            target.knobs.get(knob).to_bits()
        );
        assert!(seen.insert(knob), "{knob:?} twice");
    }
    assert!(seen.contains(&Knob::NoRepeatNgramSize) && seen.contains(&Knob::Temperature));
}

#[test]
fn styles_and_seeds_multiply() {
    let plan = plan(&json!({"inputs": [2, 1], "styles": ["plain", "example"], "seeds": [1, 2, 3]}))
        .unwrap();
    let keys = keys(&plan).unwrap();
    assert_eq!(keys.len(), 2 * 2 * 3);
    assert_eq!(keys[0], "mood/2/plain/greedy/1");
    assert_eq!(keys[11], "mood/1/example/greedy/3");
}

/// So that a prompt is evaluated once for all presets.
#[test]
fn replies_to_the_same_prompt_stand_next_to_each_other() {
    let plan = plan(&json!({
        "inputs": [1], "styles": ["example", "plain"],
        "presets": ["greedy", {"v": 1, "name": "own", "knobs": {"temperature": 0.5}}],
    }))
    .unwrap();
    let keys = keys(&plan).unwrap();
    let styles: Vec<&str> = keys.iter().filter_map(|it| it.split('/').nth(2)).collect();
    assert_eq!(styles, ["plain", "plain", "example", "example"]);
}

#[test]
fn a_plan_is_written_as_it_is_read() {
    for (file, text) in shipped_plans() {
        let plan = Plan::parse(text, file).unwrap();
        assert_eq!(Plan::parse(&plan.to_json().to_string(), file), Ok(plan));
    }
    let more = json!({
        "inputs": 3, "reference": "greedy", "unknown": [1],
        "retry": {"policy": "error_and_reply", "most": 2, "default": null},
        "parallel": 8,
        "presets": [{"v": 1, "name": "own", "knobs": {"temperature": 0.5}}, "greedy"],
    });
    let plan = plan(&more).unwrap();
    assert_eq!(Plan::parse(&plan.to_json().to_string(), "again"), Ok(plan));
}

#[track_caller]
fn check_fault(more: &Value, said: &str) {
    let error = plan(more).and_then(|it| keys(&it)).unwrap_err();
    assert!(error.contains(said), "{error}");
}

#[test]
fn faults_of_a_plan_are_named() {
    check_fault(&json!({"tasks": []}), "tasks");
    check_fault(&json!({"tasks": ["no such"]}), "no such");
    check_fault(&json!({"presets": ["no such"]}), "no such");
    check_fault(&json!({"presets": []}), "names no preset");
    check_fault(&json!({"inputs": 0}), "inputs");
    check_fault(&json!({"inputs": [9]}), "no input 9");
    check_fault(&json!({"inputs": [0]}), "no input 0");
    check_fault(&json!({"styles": ["loud"]}), "styles");
    check_fault(&json!({"seeds": [-1]}), "seeds");
    check_fault(&json!({"reference": "chat"}), "reference");
    check_fault(&json!({"retry": {"policy": "hope"}}), "policy");
    for wrong in [json!(0), json!(65), json!(1.5), json!("8")] {
        check_fault(&json!({ "parallel": wrong }), "parallel");
    }
    check_fault(&json!({"retry": {"policy": "same", "most": 99}}), "most");
    check_fault(&json!({"ablate": {"base": "greedy"}}), "target");
}

fn retry(policy: RetryPolicy) -> Vec<Message> {
    let first = [
        Message {
            role: Role::System,
            content: "Be short.".to_owned(),
        },
        Message {
            role: Role::User,
            content: "Mood?".to_owned(),
        },
    ];
    let retry = Retry {
        policy,
        most: 1,
        default: None,
    };
    let mut failed = trial("greedy", None, [None; 3]);
    failed.reply = "{'a': }".to_owned();
    retry.messages(&first, &failed)
}

#[test]
fn a_retry_with_the_error_adds_it_to_the_question() {
    let messages = retry(RetryPolicy::Error);
    assert_eq!(messages.len(), 2);
    assert!(
        messages[1]
            .content
            .starts_with("Mood?\n\nYour last reply was not usable: ")
    );
}

#[test]
fn a_retry_with_the_reply_goes_on_with_the_talk() {
    let messages = retry(RetryPolicy::ErrorAndReply);
    let roles: Vec<Role> = messages.iter().map(|it| it.role).collect();
    assert_eq!(
        roles,
        [Role::System, Role::User, Role::Assistant, Role::User]
    );
    assert_eq!(messages[2].content, "{'a': }");
}

#[test]
fn the_same_prompt_stays_the_same() {
    assert_eq!(retry(RetryPolicy::Same).len(), 2);
}
