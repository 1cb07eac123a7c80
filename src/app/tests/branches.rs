//! Forks: what is asked of the engine, what stands beside what, and what is recorded.

use super::*;
use crate::lab::Trial;

fn numbered(token: u32, text: &str) -> TokenEvent {
    TokenEvent {
        token,
        ..super::token(text)
    }
}

/// A finished reply of three tokens.
fn done() -> Model {
    let (mut model, id) = running();
    let tokens = vec![numbered(1, "{"), numbered(2, "\"a\""), numbered(3, "!")];
    on_event(&mut model, Event::Tokens { id, tokens });
    on_event(
        &mut model,
        finished(id, "{\"a\"!", StopReason::EndOfGeneration),
    );
    model
}

const CHANGE: Change = Change::Knob(Knob::NoRepeatNgramSize, 2.0);

/// The same with a fork before its third token, and the fork's request.
fn forked(change: Change) -> (Model, RunId, crate::engine::RunRequest) {
    let mut model = done();
    let wish = Action::Fork {
        n_shared: 2,
        change,
    };
    let effects = on_action(&mut model, wish);
    let [Effect::Send(Command::Run { id, request })] = effects.as_slice() else {
        panic!("{effects:?}")
    };
    let (id, request) = (*id, (**request).clone());
    (model, id, request)
}

fn finish(model: &mut Model, id: RunId) -> Trial {
    let given = |it: TokenEvent| TokenEvent { given: true, ..it };
    let tokens = vec![
        given(numbered(1, "{")),
        given(numbered(2, "\"a\"")),
        numbered(4, ": 1}"),
    ];
    on_event(model, Event::Tokens { id, tokens });
    let end = finished(id, "{\"a\": 1}", StopReason::EndOfGeneration);
    let effects = on_event(model, end);
    match &effects[0] {
        Effect::AppendTrial(trial) => (**trial).clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_fork_gives_the_tokens_before_it_and_the_changed_knob() {
    let (model, _, request) = forked(CHANGE);
    assert_eq!(request.given_tokens, [1, 2]);
    assert_eq!(request.knobs.count(Knob::NoRepeatNgramSize), 2);
    assert!(model.is_running());
    assert_eq!(shown_text(&model), "{\"a\"!");
}

#[test]
fn a_fork_may_change_the_constraint_alone() {
    let constraint = crate::constraint::Constraint::Grammar {
        text: "root ::= \"{\" [^]*".to_owned(),
    };
    let (_, _, request) = forked(Change::Constraint(constraint.clone()));
    assert_eq!(request.constraint, constraint);
    assert_eq!(request.knobs.count(Knob::NoRepeatNgramSize), 0);
}

#[test]
fn the_record_says_where_the_fork_left_which_trial() {
    let (mut model, id, _) = forked(CHANGE);
    let RunPhase::Done { trial: parent, .. } = &model.run else {
        panic!("{:?}", model.run)
    };
    let parent = parent.id.clone();
    let trial = finish(&mut model, id);
    let from = trial.forked_from.unwrap();
    assert_eq!((from.trial, from.n_tokens), (parent, 2));
    assert_eq!(from.change, "No-repeat n-gram 0 → 2");
    assert_eq!(trial.reply_tokens, [1, 2, 4]);
    assert!(trial.lamps.parses);
}

#[test]
fn either_branch_can_be_the_current_one() {
    let (mut model, id, _) = forked(CHANGE);
    finish(&mut model, id);
    on_action(&mut model, Action::SwapBranches);
    assert_eq!(shown_text(&model), "{\"a\": 1}");
    on_action(&mut model, Action::SwapBranches);
    assert_eq!(shown_text(&model), "{\"a\"!");
}

#[test]
fn a_closed_branch_is_cancelled_and_its_late_events_fall_away() {
    let (mut model, id, _) = forked(CHANGE);
    let effects = on_action(&mut model, Action::CloseBranch);
    assert_eq!(effects, [Effect::Send(Command::Cancel { id })]);
    let late = finished(id, "", StopReason::Cancelled);
    assert!(on_event(&mut model, late).is_empty());
    assert_eq!(shown_text(&model), "{\"a\"!");
}

#[test]
fn escape_cancels_the_fork_and_leaves_the_reply() {
    let (mut model, id, _) = forked(CHANGE);
    let effects = on_action(&mut model, Action::Cancel);
    assert_eq!(effects, [Effect::Send(Command::Cancel { id })]);
    assert!(matches!(model.run, RunPhase::Done { .. }));
}

#[test]
fn a_refused_fork_says_why_beside_the_reply() {
    let (mut model, id, _) = forked(CHANGE);
    let message = "token 2 is not allowed".to_owned();
    on_event(&mut model, Event::RunFailed { id, message });
    let branch = model.branch.as_ref().unwrap();
    assert!(matches!(&branch.run, RunPhase::Failed { message } if message.contains("token 2")));
    assert_eq!(shown_text(&model), "{\"a\"!");
}

#[test]
fn another_model_cannot_go_on_with_a_reply() {
    let mut model = done();
    let info = crate::engine::ModelInfo {
        fingerprint: "other".to_owned(),
        ..Default::default()
    };
    model.engine = EnginePhase::Ready(Box::new(info));
    let wish = Action::Fork {
        n_shared: 1,
        change: CHANGE,
    };
    assert!(on_action(&mut model, wish).is_empty());
    assert!(
        model
            .notices
            .iter()
            .any(|it| it.text.contains("Another model"))
    );
}

#[test]
fn a_new_run_puts_the_branch_away() {
    let (mut model, id, _) = forked(CHANGE);
    finish(&mut model, id);
    on_action(&mut model, Action::Run);
    assert!(model.branch.is_none());
}
