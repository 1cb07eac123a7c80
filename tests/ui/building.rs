//! The plan builder, driven by its labels: what is chosen, what it comes to, what is refused.

use egui_kittest::kittest::{NodeT as _, Queryable as _};
use stepladder::app::{
    Action, BenchAction, BenchEffect, BenchNews, BuildAction, Effect, Model, PlanDraft, on_action,
    on_bench_news, on_speeds,
};
use stepladder::lab::{Inputs, PastReply, Plan, RetryPolicy, Speeds};

use crate::{Window, bench, click, window};

/// The builder with a copy of the shipped finding plan.
pub(crate) fn copy() -> Model {
    let mut model = bench::first();
    build(&mut model, BuildAction::Copy("finding".to_owned()));
    model
}

/// The same once some replies of the loaded model are known.
pub(crate) fn with_speeds() -> Model {
    let mut model = copy();
    let mut speeds = Speeds::default();
    let path = &model.info().unwrap().path;
    let file = path.file_name().unwrap().to_string_lossy();
    for _ in 0..10 {
        speeds.count(&PastReply {
            model: file.to_string(),
            task: "mood".to_owned(),
            preset: "greedy".to_owned(),
            n_tokens: 50,
            prefill_ms: 500.0,
            decode_ms: 1_000.0,
        });
    }
    on_speeds(&mut model, speeds);
    model
}

/// An empty plan: all that is wanting is named.
pub(crate) fn empty() -> Model {
    let mut model = bench::first();
    build(&mut model, BuildAction::New);
    model
}

fn build(model: &mut Model, action: BuildAction) -> Vec<Effect> {
    on_action(model, Action::Bench(BenchAction::Build(action)))
}

/// Clicks change the model.
fn live(model: Model) -> Window {
    let mut window = window(model, (1440.0, 1800.0));
    window.state_mut().is_live = true;
    window.run_steps(3);
    window
}

/// A banner has its text twice: as an alert and as a label.
#[track_caller]
fn check_said(window: &Window, text: &str) {
    let found = window.query_all_by_label_contains(text).count();
    assert!(found > 0, "“{text}” is not on the screen");
}

fn draft(window: &Window) -> &PlanDraft {
    &window.state().model.bench.builder.drafts.draft
}

fn plan(window: &Window) -> Plan {
    let outlook = &window.state().model.bench.builder.outlook;
    outlook
        .plan
        .clone()
        .unwrap_or_else(|| panic!("{:?}", outlook.faults))
}

#[test]
fn a_copy_of_a_shipped_plan_asks_for_the_same_replies_under_another_name() {
    let window = live(copy());
    window.get_by_label("96 replies, at most 15360 tokens; time not known yet");
    let plan = plan(&window);
    assert_eq!(plan.name, "my-finding");
    let library = &window.state().model.library;
    let shipped = library
        .plans
        .iter()
        .find(|it| it.name == "finding")
        .unwrap();
    assert_eq!(
        plan,
        Plan {
            name: plan.name.clone(),
            ..shipped.clone()
        }
    );
}

#[test]
fn the_time_is_estimated_from_earlier_replies() {
    let window = live(with_speeds());
    // 96 replies of 50 tokens at 50 tokens a second, each after half a second.
    window.get_by_label("96 replies, at most 15360 tokens; about 4800 tokens and 2.4 min");
}

#[test]
fn tasks_presets_and_inputs_are_ticked() {
    let mut window = live(copy());
    click(&mut window, "Contact  (8 inputs)");
    click(&mut window, "Greedy + n-gram ban");
    click(&mut window, "Inputs: Chosen");
    check_said(&window, "No input is chosen: pick some, or take all.");
    click(&mut window, "Input 2");
    click(&mut window, "Input 5");
    let plan = plan(&window);
    assert_eq!(plan.tasks, ["mood", "shopping"]);
    assert_eq!(plan.inputs, Inputs::These(vec![2, 5]));
    let library = &window.state().model.library;
    let presets = plan.presets(&library.presets).unwrap();
    let names: Vec<&str> = presets.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["greedy", "chat", "greedy-ngram3"]);
    // Two tasks, two inputs, two styles, three presets.
    window.get_by_label_contains("24 replies, at most");
}

#[test]
fn one_knob_at_a_time_adds_a_preset_a_knob() {
    let mut model = empty();
    let draft = &mut model.bench.builder.drafts.draft;
    draft.tasks = vec!["mood".to_owned()];
    draft.ablation.base = "greedy".to_owned();
    draft.ablation.target = "chat".to_owned();
    let mut window = live(model);
    click(&mut window, "Use one knob at a time");
    let plan = plan(&window);
    let ablation = plan.ablation.clone().unwrap();
    assert_eq!(
        (ablation.base.as_str(), ablation.target.as_str()),
        ("greedy", "chat")
    );
    let library = &window.state().model.library;
    let shipped = library
        .plans
        .iter()
        .find(|it| it.name == "ablation")
        .unwrap();
    let of = |plan: &Plan| plan.presets(&library.presets).unwrap().len();
    assert_eq!(of(&plan), of(shipped));
}

#[test]
fn retries_and_seeds_are_set() {
    let mut window = live(copy());
    click(&mut window, "Retry: Error and reply");
    assert_eq!(plan(&window).retry.policy, RetryPolicy::ErrorAndReply);
    window.get_by_label("Seeds of the plan").click();
    window.run_steps(2);
    window
        .get_by_label("Seeds of the plan")
        .type_text("7, 9-11");
    window.run_steps(3);
    assert_eq!(plan(&window).seeds, [7, 9, 10, 11]);
    window.get_by_label("Seeds of the plan").type_text(" x");
    window.run_steps(3);
    check_said(&window, "“x” is no seed");
    assert!(
        window
            .get_by_label("Run this plan")
            .accesskit_node()
            .is_disabled()
    );
}

#[test]
fn an_empty_plan_says_what_is_wanting() {
    let window = live(empty());
    check_said(&window, "No task is chosen: switch one on.");
    check_said(&window, "No preset is chosen");
    window.get_by_label("2 things are to be mended; they are marked below.");
    assert!(
        window
            .get_by_label("Save plan")
            .accesskit_node()
            .is_disabled()
    );
}

#[test]
fn a_model_file_is_added_and_taken_away() {
    let mut window = live(copy());
    window.get_by_label("Path of a model for the plan").click();
    window.run_steps(2);
    window
        .get_by_label("Path of a model for the plan")
        .type_text("/models/other.gguf");
    window.run_steps(3);
    click(&mut window, "Add the typed model");
    assert_eq!(draft(&window).models, ["/models/other.gguf"]);
    window.get_by_label_contains("other.gguf: 96 replies; how long is not known");
    click(&mut window, "other.gguf");
    assert!(draft(&window).models.is_empty());
}

#[test]
fn a_plan_is_saved_among_the_others_and_run() {
    let mut window = live(copy());
    click(&mut window, "Save plan");
    let state = window.state();
    assert!(
        state
            .model
            .library
            .plans
            .iter()
            .any(|it| it.name == "my-finding")
    );
    let saved = |it: &Effect| matches!(it, Effect::SavePlan(plan) if plan.name == "my-finding");
    assert!(state.effects.iter().any(saved));
    assert_eq!(state.model.bench.plan, "my-finding");
    click(&mut window, "Run this plan");
    let begun = |it: &Effect| matches!(it, Effect::StartBench(order) if order.plan.name == "my-finding" && order.models.len() == 1);
    assert!(window.state().effects.iter().any(begun));
}

#[test]
fn the_name_of_a_shipped_plan_is_refused() {
    let mut model = copy();
    model.bench.builder.drafts.draft.name = "ablation".to_owned();
    build(&mut model, BuildAction::Edited);
    let effects = build(&mut model, BuildAction::Save);
    assert_eq!(effects, []);
    let window = live(model);
    check_said(&window, "There is another plan “ablation” already");
}

#[test]
fn a_draft_that_another_takes_the_place_of_is_kept() {
    let mut model = copy();
    model.bench.builder.drafts.draft.title = "Mine".to_owned();
    let effects = build(&mut model, BuildAction::Edited);
    assert_eq!(effects, [Effect::Bench(BenchEffect::SaveDraft)]);
    build(&mut model, BuildAction::New);
    build(&mut model, BuildAction::Restore(0));
    assert_eq!(model.bench.builder.drafts.draft.title, "Mine");
}

#[test]
fn a_running_experiment_pauses_goes_on_and_ends() {
    let mut window = live(bench::running());
    click(&mut window, "Pause");
    window.get_by_label("Pauses behind this reply");
    on_bench_news(&mut window.state_mut().model, 7, BenchNews::Paused);
    window.run_steps(3);
    window.get_by_label("31 of 144 replies. Paused");
    click(&mut window, "Continue");
    window.get_by_label("31 of 144 replies. 24 tokens written");
    click(&mut window, "Stop");
    window.get_by_label("31 of 144 replies. Ending");
    let wishes = [
        Effect::Bench(BenchEffect::Pause(true)),
        Effect::Bench(BenchEffect::Pause(false)),
        Effect::StopBench,
    ];
    assert_eq!(window.state().effects, wishes);
}
