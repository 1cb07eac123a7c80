//! Replies side by side: fields, lock step, and who parted them.

use serde_json::{Value, json};

use crate::constraint::{Constraint, Hold};
use crate::lab::{
    Culprit, LockStep, Setting, Setup, Side, Witness, field_table, lock_step, parting,
};
use crate::prompt::{PromptStyle, Thinking};
use crate::sampling::{Candidate, Knob, Knobs, Stage, StageEffect, TokenId, TokenTrace, Touch};

#[track_caller]
fn check_fields(values: &[Value], expected: &[(&str, &[usize])]) {
    let values: Vec<_> = values.iter().map(Some).collect();
    let table = field_table(&values, 0);
    let found: Vec<_> = table
        .rows
        .iter()
        .map(|it| (it.path.as_str(), it.differing.as_slice()))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn fields_stand_in_the_order_of_the_first_column() {
    check_fields(
        &[json!({"b": 1, "a": 2}), json!({"a": 2, "b": 1})],
        &[("/b", &[]), ("/a", &[])],
    );
}

#[test]
fn a_field_of_a_later_column_stands_behind_the_one_it_follows() {
    check_fields(
        &[json!({"a": 1, "c": 3}), json!({"a": 1, "b": 2, "c": 3})],
        &[("/a", &[]), ("/b", &[1]), ("/c", &[])],
    );
}

#[test]
fn whole_and_fractional_numbers_of_one_size_are_the_same_and_texts_are_not() {
    check_fields(&[json!({"n": 2}), json!({"n": 2.0})], &[("/n", &[])]);
    check_fields(&[json!({"n": 2}), json!({"n": "2"})], &[("/n", &[1])]);
}

#[test]
fn lists_are_held_against_each_other_item_by_item() {
    check_fields(
        &[json!([1, 2]), json!([1, 3]), json!([1])],
        &[("/0", &[]), ("/1", &[1, 2])],
    );
}

#[test]
fn an_object_against_a_number_leaves_both_fields() {
    check_fields(
        &[json!({"a": {"b": 1}}), json!({"a": 1})],
        &[("/a", &[1]), ("/a/b", &[1])],
    );
}

#[test]
fn keys_with_slashes_are_escaped_as_pointers_are() {
    check_fields(&[json!({"a/b~": 1})], &[("/a~1b~0", &[])]);
}

#[test]
fn a_column_without_a_value_takes_no_part() {
    let value = json!({"a": 1});
    let table = field_table(&[None, Some(&value), Some(&value)], 0);
    assert_eq!(table.rows.len(), 1);
    assert_eq!(table.n_differing(), 0);
    assert_eq!(table.rows[0].cells, [None, Some(json!(1)), Some(json!(1))]);
}

#[test]
fn a_value_with_too_many_fields_is_cut_and_says_so() {
    let many = json!((0..3_000).collect::<Vec<_>>());
    let table = field_table(&[Some(&many), Some(&many)], 0);
    assert!(table.is_cut);
    assert_eq!(table.rows.len(), 1_000);
}

fn steps(streams: &[&[u32]]) -> LockStep {
    let streams: Vec<_> = streams.iter().map(|it| Some(*it)).collect();
    lock_step(&streams, 0)
}

#[test]
fn equal_streams_have_no_divergence() {
    let found = steps(&[&[1, 2, 3], &[1, 2, 3]]);
    assert_eq!(found.divergences, []);
    assert_eq!(found.steps.len(), 3);
}

#[test]
fn a_replaced_token_is_a_divergence_and_the_next_one_comes_after_the_streams_have_met() {
    let found = steps(&[&[1, 2, 3, 4, 5], &[1, 9, 3, 4, 8]]);
    let places: Vec<_> = found.divergences.iter().map(|it| it.at.clone()).collect();
    assert_eq!(places, [[Some(1), Some(1)], [Some(4), Some(4)]]);
}

#[test]
fn behind_an_insertion_the_same_tokens_stand_side_by_side_again() {
    let found = steps(&[&[1, 2, 3, 4], &[1, 7, 8, 2, 3, 5]]);
    let second = &found.divergences[1];
    assert_eq!(second.at, [Some(3), Some(5)]);
    assert_eq!(found.shown(second.step), [3, 5]);
    assert_eq!(found.shown(second.step + 1), [4, 6]);
}

#[test]
fn at_a_divergence_every_column_shows_the_token_it_goes_on_with() {
    let found = steps(&[&[1, 2, 3], &[1, 7, 2, 3]]);
    let first = &found.divergences[0];
    assert_eq!(first.at, [Some(1), Some(1)]);
    assert_eq!(found.shown(first.step + 1), [2, 2]);
}

#[test]
fn an_end_is_a_divergence_where_the_other_goes_on() {
    let found = steps(&[&[1, 2], &[1, 2, 3]]);
    assert_eq!(found.divergences.len(), 1);
    assert_eq!(found.divergences[0].at, [None, Some(2)]);
}

#[test]
fn columns_that_leave_at_one_place_leave_together() {
    let found = steps(&[&[1, 2, 3], &[1, 7, 7, 2, 3], &[1, 8, 3], &[1, 2, 3]]);
    assert_eq!(found.divergences.len(), 1);
    assert_eq!(found.divergences[0].leaving, [1, 2]);
}

#[test]
fn a_column_without_a_stream_takes_no_part() {
    let found = lock_step(&[None, Some(&[1, 2]), Some(&[1, 3])], 0);
    assert_eq!(found.reference, Some(1));
    assert_eq!(found.divergences[0].leaving, [2]);
    assert_eq!(found.divergences[0].at, [None, Some(1), Some(1)]);
    assert_eq!(lock_step(&[None, None], 0), LockStep::default());
}

/// Small numbers from a seed, the same each time.
fn stream(mut seed: u64, n: usize, of: u64) -> Vec<u32> {
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        ((seed >> 33) % of) as u32
    };
    (0..n).map(|_| next()).collect()
}

#[test]
fn every_token_stands_once_and_in_order_and_the_first_divergence_ends_the_common_beginning() {
    for seed in 0..400 {
        let columns: Vec<Vec<u32>> = (0..4)
            .map(|it| {
                let shared = stream(seed, (seed % 7) as usize, 4);
                let own = stream(seed * 31 + it, ((seed + it) % 9) as usize, 3);
                [shared, own].concat()
            })
            .collect();
        let streams: Vec<_> = columns.iter().map(|it| Some(it.as_slice())).collect();
        let found = lock_step(&streams, 0);
        for (column, tokens) in columns.iter().enumerate() {
            let shown: Vec<usize> = found.steps.iter().filter_map(|it| it[column]).collect();
            assert_eq!(shown, (0..tokens.len()).collect::<Vec<_>>(), "{columns:?}");
        }
        let longest = columns.iter().map(Vec::len).max().unwrap();
        let differs = |at: &usize| columns.iter().any(|it| it.get(*at) != columns[0].get(*at));
        let expected = (0..longest).find(differs);
        let first = found.divergences.first().map(|it| it.step);
        assert_eq!(first, expected, "{columns:?}");
    }
}

#[test]
fn streams_that_are_too_long_to_align_still_show_every_token() {
    let (one, other) = (stream(1, 4_000, 50), stream(2, 5_000, 50));
    let found = lock_step(&[Some(&one), Some(&other)], 0);
    let n = |column: usize| found.steps.iter().filter(|it| it[column].is_some()).count();
    assert_eq!((n(0), n(1)), (4_000, 5_000));
}

const WANTED: TokenId = 1;
const OTHER: TokenId = 2;

fn knobs(set: &[(Knob, f64)]) -> Knobs {
    set.iter().fold(Knobs::neutral(), |it, (knob, value)| {
        it.with(*knob, *value).unwrap()
    })
}

fn trace() -> TokenTrace {
    let likely = |token, probability| Candidate { token, probability };
    TokenTrace {
        wanted: WANTED,
        before: vec![likely(WANTED, 0.7), likely(OTHER, 0.2)],
        ..TokenTrace::default()
    }
}

/// A stage took a token away, and with it the lead if that was the favourite.
fn without(stage: Stage, token: TokenId) -> TokenTrace {
    TokenTrace {
        effects: vec![StageEffect {
            stage,
            n_removed: 1,
            removed_mass: 0.7,
            kept_mass: 0.3,
            changed_top: token == WANTED,
            new_top: None,
        }],
        touches: vec![Touch {
            stage,
            token,
            shift: None,
            earlier: None,
        }],
        ..trace()
    }
}

fn setup(knobs: &Knobs) -> Setup<'_> {
    const HOLD: &Hold = &Hold {
        start: crate::constraint::Start::Now,
        close_in_time: false,
        guards: true,
    };
    Setup {
        knobs,
        constraint: &Constraint::None,
        hold: HOLD,
        style: PromptStyle::Example,
        thinking: Thinking::Template,
        prefill: "",
        first: None,
        model: ("SmolLM2", "a"),
    }
}

fn witness<'a>(knobs: &'a Knobs, token: Option<(TokenId, &'a TokenTrace)>) -> Witness<'a> {
    Witness {
        setup: setup(knobs),
        token,
        stop: "end_of_generation",
    }
}

fn settings(found: &crate::lab::Parting) -> Vec<Setting> {
    found.settings.iter().map(|it| it.setting).collect()
}

#[test]
fn a_ban_that_took_the_other_columns_token_is_named_with_its_knob() {
    let greedy = knobs(&[(Knob::Temperature, 0.0)]);
    let chat = knobs(&[(Knob::NoRepeatNgramSize, 3.0), (Knob::TopK, 40.0)]);
    let (plain, banned) = (trace(), without(Stage::NoRepeatNgram, WANTED));
    let one = witness(&greedy, Some((WANTED, &plain)));
    let other = witness(&chat, Some((OTHER, &banned)));
    let found = parting(&one, &other);
    let expected = Culprit::Stage {
        side: Side::Other,
        stage: Stage::NoRepeatNgram,
        token: WANTED,
    };
    assert_eq!(found.culprit, expected);
    assert_eq!(settings(&found), [Setting::Knob(Knob::NoRepeatNgramSize)]);
    assert_eq!(
        (&*found.settings[0].one, &*found.settings[0].other),
        ("0", "3")
    );
    // From the other side the same stage is to blame.
    let turned = parting(&other, &one);
    let expected = Culprit::Stage {
        side: Side::One,
        stage: Stage::NoRepeatNgram,
        token: WANTED,
    };
    assert_eq!(turned.culprit, expected);
}

#[test]
fn a_stage_that_worked_alike_on_both_sides_is_not_to_blame() {
    let both = [(Knob::NoRepeatNgramSize, 3.0)];
    let (one, other) = (
        knobs(&both),
        knobs(&[both[0], (Knob::RepetitionPenalty, 1.2)]),
    );
    let ban = without(Stage::NoRepeatNgram, WANTED);
    let mut pushed = ban.clone();
    pushed.touches.push(Touch {
        stage: Stage::RepetitionPenalty,
        token: OTHER,
        shift: Some(-1.5),
        earlier: None,
    });
    let found = parting(
        &witness(&one, Some((OTHER, &ban))),
        &witness(&other, Some((3, &pushed))),
    );
    let expected = Culprit::Stage {
        side: Side::Other,
        stage: Stage::RepetitionPenalty,
        token: OTHER,
    };
    assert_eq!(found.culprit, expected);
    assert_eq!(settings(&found), [Setting::Knob(Knob::RepetitionPenalty)]);
}

#[test]
fn where_no_stage_did_anything_the_dice_fell_otherwise() {
    let greedy = knobs(&[(Knob::Temperature, 0.0)]);
    let warm = knobs(&[(Knob::Temperature, 1.0), (Knob::RepetitionPenalty, 1.1)]);
    let plain = trace();
    let found = parting(
        &witness(&greedy, Some((WANTED, &plain))),
        &witness(&warm, Some((OTHER, &plain))),
    );
    assert_eq!(found.culprit, Culprit::Dice { side: Side::Other });
    assert_eq!(settings(&found), [Setting::Knob(Knob::Temperature)]);
}

#[test]
fn another_favourite_comes_of_another_prompt_or_another_model() {
    let knobs = Knobs::neutral();
    let (ours, theirs) = (
        trace(),
        TokenTrace {
            wanted: OTHER,
            ..trace()
        },
    );
    let one = witness(&knobs, Some((WANTED, &ours)));
    let mut other = witness(&knobs, Some((OTHER, &theirs)));
    assert_eq!(parting(&one, &other).culprit, Culprit::Scores);
    other.setup.style = PromptStyle::Schema;
    let found = parting(&one, &other);
    assert_eq!(
        (found.culprit, settings(&found)),
        (Culprit::Prompt, vec![Setting::Style])
    );
    other.setup.model = ("Gemma", "b");
    let found = parting(&one, &other);
    assert_eq!(
        (found.culprit, settings(&found)),
        (Culprit::Model, vec![Setting::Model])
    );
}

#[test]
fn a_token_limit_names_its_knob() {
    let (short, long) = (
        knobs(&[(Knob::MaxTokens, 8.0)]),
        knobs(&[(Knob::TopK, 3.0)]),
    );
    let plain = trace();
    let one = Witness {
        stop: "token_limit",
        ..witness(&short, None)
    };
    let found = parting(&one, &witness(&long, Some((WANTED, &plain))));
    assert_eq!(found.culprit, Culprit::End { side: Side::One });
    assert_eq!(settings(&found), [Setting::Knob(Knob::MaxTokens)]);
}

#[test]
fn any_column_can_be_the_reference_of_the_streams() {
    let streams: [Option<&[u32]>; 3] = [Some(&[1, 2, 3]), Some(&[1, 9, 3]), Some(&[1, 9, 4])];
    let found = lock_step(&streams, 1);
    assert_eq!(found.reference, Some(1));
    let leaving: Vec<_> = found.divergences.iter().map(|it| &it.leaving).collect();
    assert_eq!(leaving, [&[0][..], &[2]]);
    // A column without a stream cannot be it, and one that is not there cannot either.
    let found = lock_step(&[None, Some(&[1]), Some(&[2])], 0);
    assert_eq!(found.reference, Some(1));
    assert_eq!(lock_step(&streams, 7).reference, Some(0));
}

#[test]
fn any_column_can_be_the_reference_of_the_fields() {
    let values = [json!({"a": 1}), json!({"a": 2}), json!({"a": 2})];
    let values: Vec<_> = values.iter().map(Some).collect();
    assert_eq!(field_table(&values, 0).rows[0].differing, [1, 2]);
    assert_eq!(field_table(&values, 2).rows[0].differing, [0]);
    let table = field_table(&[values[0], None, values[1]], 1);
    assert_eq!(
        (table.reference, &table.rows[0].differing[..]),
        (0, &[2][..])
    );
}
