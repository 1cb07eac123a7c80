//! Playback, what parted the replies, and where they go from Compare.

use super::*;

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
    let parted = &comparison.partings[comparison.reached(model.compare.playback).unwrap()][0];
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
fn the_markdown_tells_of_columns_fields_and_divergences() {
    let mut model = done();
    "a | b `c`".clone_into(&mut model.compare.draft.text);
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
