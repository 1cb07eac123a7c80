//! Compare: the queue of runs, models that change, playback, plans, and what goes to Play.

use super::*;
use crate::engine::ModelInfo;
use crate::lab::{Culprit, Plan, PresetChoice};
use crate::sampling::{Candidate, Stage, StageEffect, Touch};

const HOME: &str = "home.gguf";

fn info(path: &str) -> Box<ModelInfo> {
    Box::new(ModelInfo {
        path: path.into(),
        name: path.trim_end_matches(".gguf").to_owned(),
        fingerprint: path.to_owned(),
        ..ModelInfo::default()
    })
}

/// Greedy and chat on the shopping task, a model loaded.
fn compared() -> Model {
    let mut model = model();
    model.engine = EnginePhase::Ready(info(HOME));
    model.tab = Tab::Compare;
    model
}

fn wish(model: &mut Model, wish: CompareAction) -> Vec<Effect> {
    on_action(model, Action::Compare(wish))
}

fn ids(model: &Model) -> Vec<ColumnId> {
    model.compare.draft.columns.iter().map(|it| it.id).collect()
}

fn states(model: &Model) -> Vec<ColumnState> {
    let ids = ids(model);
    ids.into_iter().map(|it| model.column_state(it)).collect()
}

/// The id of the run that was asked for among these effects.
fn asked(effects: &[Effect]) -> Option<RunId> {
    effects.iter().find_map(|it| match it {
        Effect::Send(Command::Run { id, .. }) => Some(*id),
        _ => None,
    })
}

fn loads(effects: &[Effect]) -> Vec<(RunId, String)> {
    let loads = effects.iter().filter_map(|it| match it {
        Effect::Send(Command::Load { id, settings }) => {
            Some((*id, settings.path.display().to_string()))
        }
        _ => None,
    });
    loads.collect()
}

fn numbered(token: u32, text: &str) -> TokenEvent {
    TokenEvent {
        token,
        names: vec![(token, text.to_owned()), (2, "\"name\"".to_owned())],
        ..super::token(text)
    }
}

/// Writes a reply and ends it.
fn answer(model: &mut Model, id: RunId, tokens: &[TokenEvent]) -> Vec<Effect> {
    let text: String = tokens.iter().map(|it| it.text.as_str()).collect();
    let tokens = tokens.to_vec();
    on_event(model, Event::Tokens { id, tokens });
    on_event(model, finished(id, &text, StopReason::EndOfGeneration))
}

fn plain() -> Vec<TokenEvent> {
    let mut tokens = vec![
        numbered(1, "{"),
        numbered(2, "\"name\""),
        numbered(3, ": 1}"),
    ];
    tokens[1].trace.wanted = 2;
    tokens
}

/// The n-gram ban took the second token away.
fn banned() -> Vec<TokenEvent> {
    let mut second = numbered(4, "\"title\"");
    second.trace = TokenTrace {
        wanted: 2,
        probability: 0.1,
        rank: 2,
        before: vec![Candidate {
            token: 2,
            probability: 0.9,
        }],
        effects: vec![StageEffect {
            stage: Stage::NoRepeatNgram,
            n_removed: 1,
            removed_mass: 0.9,
            kept_mass: 0.1,
            changed_top: true,
        }],
        touches: vec![Touch {
            stage: Stage::NoRepeatNgram,
            token: 2,
            shift: None,
            earlier: None,
        }],
        ..TokenTrace::default()
    };
    vec![numbered(1, "{"), second, numbered(3, ": 1}")]
}

/// Both columns have answered.
fn done() -> Model {
    let mut model = compared();
    let first = wish(&mut model, CompareAction::Run);
    let second = answer(&mut model, asked(&first).unwrap(), &plain());
    answer(&mut model, asked(&second).unwrap(), &banned());
    model
}

#[test]
fn the_columns_run_one_after_the_other() {
    let mut model = compared();
    let first = asked(&wish(&mut model, CompareAction::Run)).unwrap();
    assert_eq!(states(&model), [ColumnState::Running, ColumnState::Waiting]);
    assert!(model.obstacle().is_some(), "Play must wait");
    let effects = answer(&mut model, first, &plain());
    assert!(matches!(effects[0], Effect::AppendTrial(_)));
    let second = asked(&effects).unwrap();
    assert_eq!(states(&model), [ColumnState::Done, ColumnState::Running]);
    assert_eq!(model.compare.comparison, None);
    let effects = answer(&mut model, second, &banned());
    assert!(matches!(effects[0], Effect::AppendTrial(_)));
    assert_eq!(states(&model), [ColumnState::Done, ColumnState::Done]);
    assert!(!model.is_running());
    assert!(model.compare.comparison.is_some());
}

#[test]
fn every_column_answers_the_same_prompt_with_its_own_knobs() {
    let mut model = compared();
    let effects = wish(&mut model, CompareAction::Run);
    let request = |effects: &[Effect]| match &effects[0] {
        Effect::Send(Command::Run { request, .. }) => request.clone(),
        other => panic!("{other:?}"),
    };
    let first = request(&effects);
    let id = asked(&effects).unwrap();
    let effects = answer(&mut model, id, &plain());
    let second = request(&effects[1..]);
    assert_eq!(first.prompt, second.prompt);
    assert!(first.knobs.is_greedy() && !second.knobs.is_greedy());
}

#[test]
fn a_column_with_another_model_is_run_last_and_the_first_model_comes_back() {
    let mut model = compared();
    let first = ids(&model)[0];
    let path = Some("other.gguf".into());
    wish(&mut model, CompareAction::PickModel(first, path));
    let effects = wish(&mut model, CompareAction::Run);
    assert_eq!(states(&model), [ColumnState::Waiting, ColumnState::Running]);
    let effects = answer(&mut model, asked(&effects).unwrap(), &plain());
    let (load, path) = loads(&effects).remove(0);
    assert_eq!(path, "other.gguf");
    assert_eq!(states(&model), [ColumnState::Loading, ColumnState::Done]);
    let info = info("other.gguf");
    let effects = on_event(&mut model, Event::Loaded { id: load, info });
    let effects = answer(&mut model, asked(&effects).unwrap(), &plain());
    assert_eq!(loads(&effects)[0].1, HOME);
    let comparison = model.compare.comparison.as_ref().unwrap();
    assert!(comparison.mixes_models);
    assert_eq!(
        comparison.lock_step.divergences,
        [],
        "the texts are the same"
    );
}

#[test]
fn a_model_that_cannot_be_loaded_fails_its_column_alone() {
    let mut model = compared();
    let second = ids(&model)[1];
    let path = Some("broken.gguf".into());
    wish(&mut model, CompareAction::PickModel(second, path));
    let effects = wish(&mut model, CompareAction::Run);
    let effects = answer(&mut model, asked(&effects).unwrap(), &plain());
    let (id, _) = loads(&effects).remove(0);
    let message = "it is cut off".to_owned();
    let effects = on_event(&mut model, Event::LoadFailed { id, message });
    assert_eq!(states(&model), [ColumnState::Done, ColumnState::Failed]);
    assert_eq!(loads(&effects)[0].1, HOME);
    let Some(RunPhase::Failed { message }) = model.compare.run(second) else {
        panic!("{:?}", model.compare)
    };
    assert!(message.contains("it is cut off"), "{message}");
}

#[test]
fn a_run_that_cannot_begin_fails_its_column_and_the_next_goes_on() {
    let mut model = compared();
    let id = asked(&wish(&mut model, CompareAction::Run)).unwrap();
    let message = "the prompt is too long".to_owned();
    let effects = on_event(&mut model, Event::RunFailed { id, message });
    assert_eq!(states(&model), [ColumnState::Failed, ColumnState::Running]);
    answer(&mut model, asked(&effects).unwrap(), &plain());
    assert_eq!(states(&model), [ColumnState::Failed, ColumnState::Done]);
}

#[test]
fn cancel_ends_the_running_column_and_those_that_wait() {
    let mut model = compared();
    let id = asked(&wish(&mut model, CompareAction::Run)).unwrap();
    let effects = on_action(&mut model, Action::Cancel);
    assert_eq!(effects, [Effect::Send(Command::Cancel { id })]);
    let effects = on_event(&mut model, finished(id, "", StopReason::Cancelled));
    assert_eq!(asked(&effects), None);
    assert_eq!(states(&model), [ColumnState::Done, ColumnState::Failed]);
}

#[test]
fn a_lost_engine_is_waited_for() {
    let mut model = compared();
    let id = asked(&wish(&mut model, CompareAction::Run)).unwrap();
    let reason = "killed (signal 9)".to_owned();
    on_event(&mut model, Event::EngineLost { reason });
    on_event(&mut model, Event::EngineRestarted);
    let view = Box::default();
    let attempt = 2;
    on_event(&mut model, Event::Started { id, attempt, view });
    let effects = answer(&mut model, id, &plain());
    answer(&mut model, asked(&effects).unwrap(), &plain());
    assert_eq!(states(&model), [ColumnState::Done, ColumnState::Done]);
}

#[test]
fn a_column_that_is_removed_while_it_runs_is_cancelled() {
    let mut model = compared();
    let first = ids(&model)[0];
    let id = asked(&wish(&mut model, CompareAction::Run)).unwrap();
    let effects = wish(&mut model, CompareAction::Remove(first));
    assert_eq!(effects[0], Effect::Send(Command::Cancel { id }));
    assert_eq!(states(&model), [ColumnState::Running]);
}

#[test]
fn without_a_model_or_a_second_column_nothing_runs_and_the_reason_is_named() {
    let mut model = compared();
    model.engine = EnginePhase::NoModel;
    assert!(model.compare_obstacle().unwrap().contains("model"));
    assert!(wish(&mut model, CompareAction::Run).is_empty());
    let mut model = compared();
    let first = ids(&model)[0];
    wish(&mut model, CompareAction::Remove(first));
    assert!(model.compare_obstacle().unwrap().contains("column"));
}

#[test]
fn playback_stops_at_the_first_divergence_which_names_the_knob_and_the_stage() {
    let mut model = done();
    let play = |model: &mut Model, it| wish(model, CompareAction::Playback(it));
    assert_eq!(model.compare.playback.n_steps, 3, "all is in sight");
    play(&mut model, PlaybackWish::Play);
    assert_eq!(model.compare.playback.n_steps, 0);
    for _ in 0..10 {
        play(&mut model, PlaybackWish::Tick);
    }
    assert_eq!(model.compare.playback.n_steps, 2);
    assert!(!model.compare.playback.is_playing);
    let comparison = model.compare.comparison.as_ref().unwrap();
    let parted = &comparison.partings[comparison.reached(2).unwrap()][0];
    assert_eq!(parted.stage(), Some(Stage::NoRepeatNgram));
    assert!(matches!(
        parted.parting.culprit,
        Culprit::Stage { token: 2, .. }
    ));
    assert_eq!(
        parted.sentence,
        "Token 2: A (Greedy) wrote `\"name\"`, B (Chat settings) wrote `\"title\"`. In B (Chat settings) the n-gram ban took `\"name\"` away. No-repeat n-gram: 0 in A, 3 in B."
    );
}

#[test]
fn playback_goes_step_by_step_to_any_place_and_to_the_next_divergence() {
    let mut model = done();
    let mut at = |it| {
        wish(&mut model, CompareAction::Playback(it));
        model.compare.playback.n_steps
    };
    assert_eq!(at(PlaybackWish::NextDivergence), 2);
    assert_eq!(at(PlaybackWish::NextDivergence), 2, "there is no other");
    assert_eq!(at(PlaybackWish::Step), 3);
    assert_eq!(at(PlaybackWish::Step), 3);
    assert_eq!(at(PlaybackWish::GoTo(1)), 1);
    assert_eq!(at(PlaybackWish::StepBack), 0);
    assert_eq!(at(PlaybackWish::StepBack), 0);
    assert_eq!(at(PlaybackWish::ShowAll), 3);
}

#[test]
fn values_are_held_against_each_other_field_by_field() {
    let model = done();
    let rows = &model.compare.comparison.as_ref().unwrap().fields.rows;
    let found: Vec<_> = rows
        .iter()
        .map(|it| (it.path.as_str(), it.differing.len()))
        .collect();
    assert_eq!(found, [("/title", 1), ("/name", 1)]);
}

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
fn a_column_opens_in_play_with_its_settings_and_its_trace() {
    let mut model = done();
    let second = ids(&model)[1];
    let change = ColumnChange::Knob(Knob::TopK, 7.0);
    wish(&mut model, CompareAction::Change(second, change));
    wish(&mut model, CompareAction::OpenInPlay(second));
    assert_eq!(model.tab, Tab::Play);
    assert_eq!(shown_text(&model), "{\"title\": 1}");
    let tokens = &model.reply().unwrap().assembly.tokens;
    assert_eq!(tokens[1].trace.touches.len(), 1);
    assert_eq!(model.draft.preset, "chat");
    assert_eq!(model.draft.knobs.count(Knob::TopK), 7);
    assert_eq!(model.draft.prompt.input, model.compare.draft.text);
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
fn the_markdown_tells_of_columns_fields_and_divergences() {
    let mut model = done();
    model.compare.draft.text = "a | b `c`".to_owned();
    let effects = wish(&mut model, CompareAction::CopyMarkdown);
    let [Effect::CopyText(text)] = effects.as_slice() else {
        panic!("{effects:?}")
    };
    assert!(text.contains("Input: a \\| b \\`c\\`"), "{text}");
    assert!(text.contains("| Field | A | B |"), "{text}");
    assert!(text.contains("| /name | 1 | ≠ – |"), "{text}");
    assert!(text.contains("n-gram ban took"), "{text}");
    assert!(text.contains("```\n{\"title\": 1}\n```"), "{text}");
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
fn what_is_typed_meanwhile_changes_no_column_that_waits() {
    let mut model = compared();
    let before = model.compare.draft.text.clone();
    let first = asked(&wish(&mut model, CompareAction::Run)).unwrap();
    model.compare.draft.text.push_str(" and more");
    wish(&mut model, CompareAction::Edited);
    let effects = answer(&mut model, first, &plain());
    answer(&mut model, asked(&effects).unwrap(), &plain());
    let second = ids(&model)[1];
    assert_eq!(model.compare.trial(second).unwrap().input_text, before);
    assert!(!model.compare.is_current(second));
}
