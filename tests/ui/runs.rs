//! Bench with a second run, and with more replies than a window holds.

use std::sync::Arc;

use egui_kittest::kittest::Queryable as _;
use serde_json::json;
use stepladder::app::{
    Action, BenchAction, BenchNews, CellChoice, Effect, Experiment, Model, RunsAction, RunsEffect,
    RunsNews, Second, Shown, on_action, on_bench_news, on_runs_news,
};
use stepladder::judge::Leak;
use stepladder::lab::{Measure, Trial};

use crate::{Window, bench, click, window};

const OTHER: &str = "experiments/2026-11-29T09-00-00-000Z constraints";

fn shown(model: &Model) -> &Shown {
    model.bench.shown.as_deref().unwrap()
}

/// The replies of Bench as they were in another run: two of three fell out otherwise, one is missing.
fn before(model: &Model) -> Vec<Arc<Trial>> {
    let trials = shown(model).trials.iter().enumerate();
    let changed = trials.map(|(idx, trial)| {
        let mut trial = (**trial).clone();
        trial.preset["knobs"]["temperature"] = json!(0.7);
        trial
            .versions
            .insert("llama_cpp".to_owned(), json!("b9000"));
        if idx % 24 == 3 {
            let fits = trial.lamps.schema != Some(true);
            trial.lamps.schema = Some(fits);
            trial.lamps.correct = Some(fits);
            "{\"items\": [{\"name\": \"사과\", \"qty\": 3}]}".clone_into(&mut trial.reply);
        }
        Arc::new(trial)
    });
    changed.skip(1).collect()
}

/// With a second run, its first flip read.
pub(crate) fn against() -> Model {
    let mut model = bench::results();
    model.bench.experiments.push(Experiment {
        folder: OTHER.into(),
        title: "The same before the update".to_owned(),
        n_trials: 143,
    });
    let second = Second::new(
        (OTHER.into(), "The same before the update".to_owned()),
        before(&model),
        (&shown(&model).folder, &shown(&model).trials),
    );
    on_runs_news(&mut model, RunsNews::Second(Box::new(second)));
    model
}

/// With values that were copied out of an example.
pub(crate) fn copied() -> Model {
    let mut model = bench::results();
    let library = model.library.tasks.clone();
    let shown = model.bench.shown.as_mut().unwrap();
    let mut again = Shown::new(
        shown.folder.clone(),
        (shown.plan.clone(), shown.reference.clone()),
        144,
    )
    .with_tasks(library);
    again.add(shown.trials.iter().enumerate().map(|(idx, it)| {
        let mut trial = (**it).clone();
        if idx % 5 == 0 {
            trial.leaks = vec![Leak {
                path: "/items/0/name".to_owned(),
                example: 1 + idx % 2,
                ..Leak::default()
            }];
        }
        trial
    }));
    **shown = again;
    model
}

/// 10,000 replies under six presets, those of the first one listed.
fn many() -> Model {
    let mut model = bench::results();
    let shown = model.bench.shown.as_mut().unwrap();
    let spare = shown.trials.clone();
    let more = (0..10_000 - spare.len()).map(|n| {
        let mut trial = (*spare[n % spare.len()]).clone();
        trial.preset["knobs"]["seed"] = json!(1000 + n);
        trial.cell.as_mut().unwrap().key.push_str(&n.to_string());
        trial
    });
    shown.add(more.collect::<Vec<_>>());
    let choice = CellChoice {
        part: 0,
        label: "greedy".to_owned(),
        task: None,
    };
    on_action(&mut model, Action::Bench(BenchAction::PickCell(choice)));
    model
}

fn opened(model: Model) -> Window {
    let mut window = window(model, (1440.0, 1400.0));
    window.run_steps(3);
    window
}

#[test]
fn a_second_run_is_chosen_among_the_experiments() {
    let mut model = against();
    model.bench.shown.as_mut().unwrap().second = None;
    let mut window = opened(model);
    click(&mut window, "Compare with: Compare with");
    click(&mut window, "2026-11-29T09-00 · The same before the update");
    let wish = RunsAction::Compare(OTHER.into());
    let wish = Action::Bench(BenchAction::Runs(wish));
    assert_eq!(window.state().actions.last(), Some(&wish));
    let mut model = against();
    let effects = on_action(&mut model, wish);
    let [Effect::Runs(effect)] = effects.as_slice() else {
        panic!("{effects:?}")
    };
    assert!(matches!(&**effect, RunsEffect::Read { folder, shown, .. }
        if folder.ends_with("2026-11-29T09-00-00-000Z constraints") && shown.1.len() == 144));
}

#[test]
fn flips_settings_and_what_is_missing_are_shown() {
    let window = opened(against());
    window.get_by_label("143 pairs of replies to the same question, 137 of them the same text.");
    window.get_by_label("Flipped: schema, 6");
    assert_eq!(window.query_all_by_label_contains("Flip: ").count(), 6);
    window.get_by_label("chat: temperature");
    window.get_by_label("version of llama cpp");
    window.get_by_label("Only in this run: 1");
    // Six flips, some each way: the counts add up to them.
    let model = against();
    let second = shown(&model).second.as_ref().unwrap();
    let schema = second.runs.of_measure(Measure::Schema);
    assert_eq!(schema.n_lost + schema.n_won, 6);
}

#[test]
fn a_flip_opens_both_replies_and_the_next_one_is_a_click_away() {
    let mut window = opened(against());
    window.get_by_label("This run");
    window.get_by_label("{\"items\": [{\"name\": \"사과\", \"qty\": 3}]}");
    let second = shown(&window.state().model).second.clone().unwrap();
    click(&mut window, "The next flip");
    let wish = RunsAction::Pick(second.listed()[1]);
    let wish = Action::Bench(BenchAction::Runs(wish));
    assert_eq!(window.state().actions, [wish]);
}

#[test]
fn flips_are_those_of_the_measure_that_is_counted() {
    let mut model = against();
    on_action(
        &mut model,
        Action::Bench(BenchAction::SetMeasure(Measure::LeakFree)),
    );
    assert_eq!(shown(&model).second.as_ref().unwrap().listed(), [0; 0]);
    let close = Action::Bench(BenchAction::Runs(RunsAction::Close));
    let effects = on_action(&mut model, close);
    assert!(shown(&model).second.is_none());
    // What it held is freed beside the window's thread.
    let [Effect::Runs(effect)] = effects.as_slice() else {
        panic!("{effects:?}")
    };
    assert!(matches!(&**effect, RunsEffect::LetGo(trials) if trials.len() == 143));
}

#[test]
fn a_flip_makes_room_for_a_cell_and_the_other_way_round() {
    let mut model = against();
    let choice = CellChoice {
        part: 0,
        label: "chat".to_owned(),
        task: None,
    };
    on_action(&mut model, Action::Bench(BenchAction::PickCell(choice)));
    let window = opened(model);
    window.get_by_label("24 replies, all tasks; those that failed first");
    drop(window);
    let mut model = bench::cell();
    let again = against();
    model.bench.shown.as_mut().unwrap().second = shown(&again).second.clone();
    let pick = RunsAction::Pick(0);
    on_action(&mut model, Action::Bench(BenchAction::Runs(pick)));
    assert_eq!(shown(&model).cell, None);
}

#[test]
fn copied_values_are_told_by_preset_and_example_with_stand_ins() {
    let window = opened(copied());
    window.get_by_label("Values copied out of the examples");
    assert!(window.query_all_by_label_contains("/items/0/name").count() >= 6);
    window.get_by_label("Example 1 of shopping with stand-ins");
    window.get_by_label("Copy example 1 of shopping");
}

#[test]
fn of_ten_thousand_replies_only_those_in_sight_are_laid_out() {
    let mut window = opened(many());
    let listed = shown(&window.state().model).replies().len();
    assert!(listed > 1_600, "{listed}");
    let rows = |window: &Window| window.query_all_by_label_contains("Read the reply").count();
    let n_rows = rows(&window);
    // 1400 points of height hold 56 rows of 25.
    assert!((10..=57).contains(&n_rows), "{n_rows} rows");
    let n_counts = shown(&window.state().model).n_counts;
    window.run_steps(20);
    assert_eq!(shown(&window.state().model).n_counts, n_counts);
}

#[test]
fn many_replies_are_counted_beside_the_frames() {
    let mut model = many();
    let spare = shown(&model).trials[0].clone();
    let n_counts = shown(&model).n_counts;
    model.bench.running = bench::running().bench.running;
    let trial = |n: usize| {
        let mut trial = (*spare).clone();
        trial
            .cell
            .as_mut()
            .unwrap()
            .key
            .push_str(["/one more", "/another"][n]);
        BenchNews::Trial(Box::new(trial))
    };
    let effects = on_bench_news(&mut model, 7, trial(0));
    let [Effect::Runs(effect)] = effects.as_slice() else {
        panic!("{effects:?}")
    };
    let RunsEffect::Count {
        shown: folder,
        to_count,
        ..
    } = (**effect).clone()
    else {
        panic!("{effect:?}")
    };
    // Another one comes while it is counted: it waits for its turn.
    assert_eq!(on_bench_news(&mut model, 7, trial(1)), []);
    assert_eq!(shown(&model).n_counts, n_counts);
    let counted = || RunsNews::Counted {
        shown: folder.clone(),
        counted: Box::new(to_count.count()),
        runs: None,
    };
    let effects = on_runs_news(&mut model, counted());
    assert!(matches!(effects.as_slice(), [Effect::Runs(_)]));
    assert_eq!(shown(&model).n_counts, n_counts + 1);
    let elsewhere = RunsNews::Counted {
        shown: "elsewhere".into(),
        counted: Box::new(to_count.count()),
        runs: None,
    };
    assert_eq!(on_runs_news(&mut model, elsewhere), []);
    assert_eq!(shown(&model).n_counts, n_counts + 1);
}

#[test]
fn a_second_run_that_was_read_for_another_experiment_falls_away() {
    let mut model = against();
    let shown = model.bench.shown.as_mut().unwrap();
    let late = shown.second.take().unwrap();
    shown.folder = "experiments/another".into();
    on_runs_news(&mut model, RunsNews::Second(late));
    assert!(model.bench.shown.unwrap().second.is_none());
}
