//! Bench, driven by its labels: plans, progress, results, the replies behind a cell.

use egui_kittest::kittest::{NodeT as _, Queryable as _};
use serde_json::json;
use stepladder::app::{
    Action, BenchAction, BenchNews, CellChoice, Effect, Experiment, Model, Pace, Running, Settings,
    Shown, Tab, on_action, on_bench_news,
};
use stepladder::engine::Command;
use stepladder::lab::{CellStamp, Measure, Trial};
use stepladder::store::{self, Folders};

use crate::{Window, click, fixture, window};

/// Bench with the shipped plans and a loaded model.
pub(crate) fn first() -> Model {
    let library = store::library(&Folders::at("no such folder"));
    let draft = stepladder::app::Draft::new(&library);
    Model {
        tab: Tab::Bench,
        engine: fixture::ready().engine,
        ..Model::new(library, draft, Settings::default())
    }
}

/// A reply under a preset: fits the schema or not.
fn trial((preset, task): (&str, &str), input: usize, fits: bool) -> Trial {
    let mut trial = fixture::recorded(fits);
    trial.preset = json!({"name": preset, "knobs": {"seed": 42}});
    task.clone_into(&mut trial.task);
    trial.input = Some(input);
    trial.input_text = format!("Buy {input} apples. 사과 {input}개를 사 주세요.");
    trial.cell = Some(CellStamp {
        plan: "constraints".to_owned(),
        key: format!("{task}/{input}/{preset}"),
        attempt: 1,
        is_last: true,
        gave_up_with: None,
        examples: stepladder::prompt::ExampleValues::Own,
    });
    trial
}

fn shown(model: &Model) -> Shown {
    let plans = &model.library.plans;
    let plan = plans.iter().find(|it| it.name == "constraints").unwrap();
    let mut shown = Shown::new(
        "experiments/2026-11-30T09-00-00-000Z constraints".into(),
        (plan.clone(), "greedy".to_owned()),
        144,
    );
    let presets = [
        "greedy",
        "greedy-ngram3",
        "chat",
        "greedy-grammar",
        "greedy-schema",
        "chat-schema",
    ];
    for (n, preset) in presets.iter().enumerate() {
        for task in ["mood", "contact", "shopping"] {
            shown.add((0..8).map(|it| trial((preset, task), it, (it + n) % 4 != 0 && n != 1)));
        }
    }
    shown
}

/// With the results of an experiment.
pub(crate) fn results() -> Model {
    let mut model = first();
    let shown = Box::new(shown(&model));
    on_bench_news(&mut model, 0, BenchNews::Opened(shown));
    model.bench.experiments = vec![Experiment {
        folder: "experiments/2026-11-30T09-00-00-000Z constraints".into(),
        title: "Greedy, n-gram ban, chat, grammar, schema".to_owned(),
        n_trials: 144,
    }];
    model
}

/// With the replies behind a cell.
pub(crate) fn cell() -> Model {
    let mut model = results();
    let choice = CellChoice {
        part: 0,
        label: "greedy-ngram3".to_owned(),
        task: Some("shopping".to_owned()),
    };
    on_action(&mut model, Action::Bench(BenchAction::PickCell(choice)));
    model
}

pub(crate) fn running() -> Model {
    let mut model = results();
    model.bench.running = Some(Running {
        id: 7,
        folder: "experiments/2026-11-30T09-00-00-000Z constraints".into(),
        n_done: 31,
        n_todo: 144,
        text: "24 tokens written".to_owned(),
        seconds_left: Some(412.0),
        seconds: 88.0,
        pace: Pace::Going,
        restarter: None,
        model: "m.gguf".into(),
    });
    model
}

fn opened(model: Model) -> Window {
    let mut window = window(model, (1440.0, 1400.0));
    window.run_steps(3);
    window
}

#[track_caller]
fn check_wish(model: Model, label: &str, expected: &BenchAction) {
    let mut window = opened(model);
    click(&mut window, label);
    let wish = Action::Bench(expected.clone());
    assert_eq!(window.state().actions.last(), Some(&wish));
}

#[test]
fn a_plan_says_what_it_asks_for_and_is_run() {
    let window = opened(first());
    window.get_by_label("96 replies, at most 15360 tokens");
    drop(window);
    check_wish(first(), "Run plan", &BenchAction::Start);
    check_wish(
        first(),
        "Plan ablation",
        &BenchAction::PickPlan("ablation".to_owned()),
    );
}

#[test]
fn a_plan_needs_a_model() {
    let mut model = first();
    model.engine = fixture::without_model().engine;
    let window = opened(model);
    window.get_by_label("Open a model first");
    assert!(
        window
            .get_by_label("Run plan")
            .accesskit_node()
            .is_disabled()
    );
}

#[test]
fn the_model_of_the_window_makes_room_and_comes_back() {
    let mut model = first();
    let effects = on_action(&mut model, Action::Bench(BenchAction::Start));
    let [Effect::Send(Command::Unload), Effect::StartBench(order)] = effects.as_slice() else {
        panic!("{effects:?}")
    };
    let id = order.id;
    assert!(model.obstacle().is_some_and(|it| it.contains("experiment")));
    let effects = on_bench_news(&mut model, id, BenchNews::Ended(Ok(())));
    assert!(
        effects
            .iter()
            .any(|it| matches!(it, Effect::Send(Command::Load { .. })))
    );
    assert_eq!(model.bench.running, None);
}

#[test]
fn news_of_another_experiment_falls_away() {
    let mut model = running();
    let n = model.bench.shown.as_ref().unwrap().trials.len();
    let late = Box::new(trial(("greedy", "mood"), 9, true));
    on_bench_news(&mut model, 6, BenchNews::Trial(late.clone()));
    assert_eq!(model.bench.shown.as_ref().unwrap().trials.len(), n);
    on_bench_news(&mut model, 7, BenchNews::Trial(late));
    assert_eq!(model.bench.shown.as_ref().unwrap().trials.len(), n + 1);
}

#[test]
fn a_running_plan_shows_how_far_it_is_and_can_be_stopped() {
    let window = opened(running());
    window.get_by_label("31 of 144 replies. 24 tokens written");
    window.get_by_label("21.1 replies/min, 7 min left");
    drop(window);
    check_wish(running(), "Stop", &BenchAction::Stop);
}

#[test]
fn rates_come_with_words() {
    let window = opened(results());
    window.get_by_label("greedy-ngram3: 0/24   0 % worse");
    window.get_by_label("greedy-schema: 18/24  75 % no difference");
}

#[test]
fn another_measure_is_counted() {
    check_wish(
        results(),
        "Counted: correct",
        &BenchAction::SetMeasure(Measure::Correct),
    );
}

#[test]
fn a_cell_opens_its_replies_and_one_of_them_is_read() {
    let choice = CellChoice {
        part: 0,
        label: "chat".to_owned(),
        task: Some("mood".to_owned()),
    };
    check_wish(
        results(),
        "Replies of chat to mood: 6/8",
        &BenchAction::PickCell(choice),
    );
    let mut window = opened(cell());
    window.get_by_label("8 replies, shopping; those that failed first");
    let found = window.query_all_by_label_contains("Read the reply to shopping");
    assert_eq!(found.count(), 8);
    click(&mut window, "Open in Repair");
    let wish = Action::Bench(BenchAction::OpenInRepair);
    assert_eq!(window.state().actions.last(), Some(&wish));
}

#[test]
fn a_reply_comes_to_repair_with_its_task() {
    let mut model = cell();
    on_action(&mut model, Action::Bench(BenchAction::OpenInRepair));
    assert_eq!(model.tab, Tab::Repair);
    assert_eq!(model.repair.draft.task, "shopping");
    assert!(model.repair.draft.input_text.starts_with("Buy "));
    assert!(model.repair.outcome().is_some());
}

#[test]
fn an_experiment_is_opened_reported_and_gone_on_with() {
    let mut model = results();
    model.bench.shown = None;
    let folder = model.bench.experiments[0].folder.clone();
    check_wish(
        model,
        "Experiment 2026-11-30T09-00-00-000Z constraints",
        &BenchAction::Open(folder),
    );
    check_wish(results(), "Save report", &BenchAction::SaveReport);
    check_wish(results(), "Go on", &BenchAction::Resume);
}
