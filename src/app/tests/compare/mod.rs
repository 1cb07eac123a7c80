//! Compare: the queue of runs, models that change, playback, plans, and what goes to Play.

mod columns;
mod playback;

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
        chat_template: Some("{{ messages }}".to_owned()),
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
            new_top: None,
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

/// The second column's model is being loaded.
fn loading_another() -> (Model, RunId) {
    let mut model = compared();
    let second = ids(&model)[1];
    let path = Some("other.gguf".into());
    wish(&mut model, CompareAction::PickModel(second, path));
    let effects = wish(&mut model, CompareAction::Run);
    let effects = answer(&mut model, asked(&effects).unwrap(), &plain());
    let id = loads(&effects)[0].0;
    (model, id)
}

#[test]
fn a_cancelled_load_between_columns_brings_the_first_model_back() {
    let (mut model, id) = loading_another();
    on_action(&mut model, Action::CancelLoad);
    let effects = on_event(&mut model, Event::LoadCancelled { id });
    assert_eq!(loads(&effects)[0].1, HOME);
    assert_eq!(states(&model), [ColumnState::Done, ColumnState::Failed]);
}

#[test]
fn another_model_that_the_user_opens_meanwhile_stays() {
    let (mut model, _) = loading_another();
    let effects = on_action(&mut model, Action::LoadModel("third.gguf".into()));
    let id = loads(&effects)[0].0;
    let info = info("third.gguf");
    let effects = on_event(&mut model, Event::Loaded { id, info });
    assert_eq!(loads(&effects), []);
    assert_eq!(states(&model), [ColumnState::Done, ColumnState::Failed]);
}

#[test]
fn a_model_without_a_chat_template_reads_the_plain_text() {
    let mut model = compared();
    let base = ModelInfo {
        chat_template: None,
        ..*info(HOME)
    };
    model.engine = EnginePhase::Ready(Box::new(base));
    let effects = wish(&mut model, CompareAction::Run);
    let [Effect::Send(Command::Run { request, .. })] = effects.as_slice() else {
        panic!("{effects:?}")
    };
    assert_eq!(request.prompt.template, TemplateChoice::Raw);
}
