//! Rows of results stand as their plan has them.

use serde_json::json;

use super::records::trial;
use crate::lab::row_order::in_order;
use crate::lab::summary::preset_name;
use crate::lab::{Plan, Trial};

fn names(plan: &serde_json::Value, of_trials: &[&str]) -> Vec<String> {
    let plan = Plan::parse(&plan.to_string(), "plan.json").unwrap();
    let trials: Vec<Trial> = of_trials
        .iter()
        .map(|it| {
            let mut trial = trial(it, None, [None; 3]);
            trial.preset = json!({"name": it});
            trial
        })
        .collect();
    let trials: Vec<&Trial> = trials.iter().collect();
    let ordered = in_order(&plan, &trials);
    ordered
        .into_iter()
        .map(|it| preset_name(it).to_owned())
        .collect()
}

#[test]
fn rows_stand_as_the_plan_names_its_presets() {
    let plan = json!({"v": 1, "name": "x", "title": "X", "tasks": ["mood"], "presets": ["b", "a"]});
    assert_eq!(names(&plan, &["a", "?", "b", "a"]), ["b", "a", "a", "?"]);
}

#[test]
fn an_ablation_goes_from_its_base_knob_by_knob_to_its_target() {
    let plan = json!({"v": 1, "name": "x", "title": "X", "tasks": ["mood"],
        "ablate": {"base": "greedy", "target": "chat"}});
    let came = [
        "other",
        "chat",
        "greedy+top_k",
        "greedy",
        "greedy+constraint",
        "greedy+temperature",
    ];
    let expected = [
        "greedy",
        "greedy+temperature",
        "greedy+top_k",
        "greedy+constraint",
        "chat",
        "other",
    ];
    assert_eq!(names(&plan, &came), expected);
}
