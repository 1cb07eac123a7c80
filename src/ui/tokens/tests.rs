//! What a card says, and how paragraphs are cut.

use egui_kittest::Harness;

use super::blame::{Change, blame, same_blame};
use super::card::Card;
use super::measures::{Measure, summary};
use super::paragraphs::{Paragraphs, Run, split_off};
use super::track::Track;
use crate::engine::TokenEvent;
use crate::sampling::{Candidate, Stage, StageEffect, TokenTrace};
use crate::ui::theme;

fn event(text: &str) -> TokenEvent {
    TokenEvent {
        given: false,
        token: 5,
        bytes: text.as_bytes().to_vec(),
        text: text.to_owned(),
        trace: TokenTrace {
            wanted: 5,
            probability: 0.25,
            rank: 1,
            before: vec![candidate(5, 0.25), candidate(6, 0.2)],
            after: vec![candidate(5, 1.0)],
            effects: Vec::new(),
            n_legal: None,
            mask_us: None,
            ..TokenTrace::default()
        },
        names: vec![(5, text.to_owned()), (6, " no".to_owned())],
    }
}

fn candidate(token: u32, probability: f32) -> Candidate {
    Candidate { token, probability }
}

fn with_effect(n_removed: u32, changed_top: bool) -> TokenEvent {
    let mut event = event("x");
    event.trace.effects.push(StageEffect {
        stage: Stage::NoRepeatNgram,
        n_removed,
        removed_mass: 0.5,
        kept_mass: 1.0 - 0.5,
        changed_top,
        new_top: None,
    });
    event
}

fn texts(paragraphs: &Paragraphs) -> Vec<String> {
    let text = |runs: &[Run]| runs.iter().map(|it| it.text.as_str()).collect();
    paragraphs.list.iter().map(|it| text(&it.runs)).collect()
}

#[track_caller]
fn check_paragraphs(tokens: &[&str], expected: &[&str]) {
    let mut paragraphs = Paragraphs::default();
    let tokens: Vec<TokenEvent> = tokens.iter().map(|it| event(it)).collect();
    paragraphs.take(&tokens);
    assert_eq!(texts(&paragraphs), expected);
}

#[test]
fn a_line_break_begins_a_paragraph() {
    check_paragraphs(&["{", "\n", "}"], &["{↵", "}"]);
}

#[test]
fn what_follows_a_line_break_in_its_token_stands_on_the_new_line() {
    check_paragraphs(&["{\n  ", "a"], &["{↵", "  a"]);
}

#[test]
fn an_unfinished_character_takes_no_room() {
    check_paragraphs(&["", "é"], &["é"]);
}

#[test]
fn new_tokens_are_taken_in_once() {
    let mut paragraphs = Paragraphs::default();
    let tokens = [event("a"), event("b")];
    paragraphs.take(&tokens[..1]);
    paragraphs.take(&tokens);
    assert_eq!(texts(&paragraphs), ["ab"]);
}

#[test]
fn a_shorter_reply_is_another_one() {
    let mut paragraphs = Paragraphs::default();
    paragraphs.take(&[event("a"), event("b")]);
    assert!(paragraphs.take(&[event("c")]));
    assert_eq!(texts(&paragraphs), ["c"]);
}

#[track_caller]
fn check_split(n_chars: usize, head: &str, tail: &str) {
    let mut paragraphs = Paragraphs::default();
    paragraphs.take(&[event("äb"), event("cd")]);
    let mut runs = paragraphs.list.remove(0).runs;
    let rest = split_off(&mut runs, n_chars);
    let text = |runs: &[Run]| -> String { runs.iter().map(|it| it.text.as_str()).collect() };
    assert_eq!(
        (text(&runs), text(&rest)),
        (head.to_owned(), tail.to_owned())
    );
}

#[test]
fn a_split_between_tokens_keeps_both_whole() {
    check_split(2, "äb", "cd");
}

#[test]
fn a_split_in_a_token_counts_characters() {
    check_split(1, "ä", "bcd");
}

#[test]
fn a_split_at_the_end_leaves_nothing() {
    check_split(4, "äbcd", "");
}

/// What stands on each row when the tokens come in lots of this size.
fn rows_in_lots(tokens: &[TokenEvent], n_lot: usize) -> (Vec<String>, usize) {
    let mut rows = (Vec::new(), 0);
    let harness = Harness::builder().with_context_setup(theme::install);
    let mut harness = harness.build_ui_state(
        |ui, rows: &mut (Vec<String>, usize)| {
            let mut paragraphs = Paragraphs::default();
            for n in (n_lot..=tokens.len()).step_by(n_lot) {
                paragraphs.take(&tokens[..n]);
                paragraphs.lay_out(ui, 300.0);
            }
            let laid = paragraphs.list.iter().filter_map(|it| it.laid.as_ref());
            let all_rows = laid.flat_map(|it| it.galley.rows.iter().map(|row| row.text()));
            *rows = (all_rows.collect(), paragraphs.list.len());
        },
        (Vec::new(), 0),
    );
    harness.run_steps(1);
    std::mem::swap(&mut rows, harness.state_mut());
    rows
}

#[test]
fn a_long_paragraph_wraps_the_same_whether_it_grows_or_comes_at_once() {
    let words = ["alpha ", "be", "ta, ", "gamma-delta ", "e ", "zeta"];
    let tokens: Vec<TokenEvent> = (0..240).map(|idx| event(words[idx % 6])).collect();
    let (at_once, _) = rows_in_lots(&tokens, 240);
    let (grown, n_paragraphs) = rows_in_lots(&tokens, 1);
    assert!(at_once.len() > 20, "{} rows", at_once.len());
    assert!(n_paragraphs > 3, "nothing was frozen");
    assert_eq!(grown, at_once);
}

#[track_caller]
fn check_stage(event: &TokenEvent, sentence: &str) {
    assert_eq!(Card::new(0, event).stages, [sentence]);
}

#[test]
fn a_stage_that_took_tokens_says_how_many_and_how_much() {
    check_stage(
        &with_effect(1, false),
        "No-repeat n-gram took 1 token and 50.0 % of the probability",
    );
}

#[test]
fn a_stage_that_changed_the_favourite_says_so() {
    check_stage(
        &with_effect(3, true),
        "No-repeat n-gram took 3 tokens and 50.0 % of the probability, and changed the favourite",
    );
}

#[test]
fn large_counts_are_grouped() {
    check_stage(
        &with_effect(49_112, false),
        "No-repeat n-gram took 49,112 tokens and 50.0 % of the probability",
    );
}

#[test]
fn a_candidate_that_the_chain_took_has_no_share_after_it() {
    let card = Card::new(0, &event("yes"));
    let rows: Vec<_> = card
        .rows
        .iter()
        .map(|it| (it.name.as_str(), it.after))
        .collect();
    assert_eq!(rows, [("yes", Some(1.0)), ("·no", None)]);
}

#[test]
fn a_forced_token_says_so() {
    let mut event = event("{");
    event.trace.n_legal = Some(1);
    assert_eq!(Card::new(0, &event).rank, "the only legal token");
}

#[test]
fn tokens_count_from_one() {
    assert_eq!(Card::new(0, &event("x")).place, "token 1 · id 5");
}

#[track_caller]
fn check_blame(change: impl FnOnce(&mut TokenEvent), expected: Option<Change>) {
    let mut event = with_effect(1, true);
    event.trace.wanted = 6;
    change(&mut event);
    assert_eq!(blame(&event).map(|it| it.change), expected);
}

#[test]
fn a_ban_that_took_the_lead_is_to_blame() {
    check_blame(|_| (), Some(Change::Ban));
}

#[test]
fn nobody_is_to_blame_for_the_favourite() {
    check_blame(|it| it.trace.wanted = it.token, None);
}

#[test]
fn where_no_stage_took_the_lead_the_dice_are_to_blame() {
    check_blame(
        |it| it.trace.effects[0].changed_top = false,
        Some(Change::Draw),
    );
}

#[test]
fn the_first_stage_that_took_the_lead_is_to_blame() {
    let mask = StageEffect {
        stage: Stage::Mask,
        n_removed: 9,
        removed_mass: 0.9,
        kept_mass: 0.1,
        changed_top: true,
        new_top: None,
    };
    check_blame(|it| it.trace.effects.insert(0, mask), Some(Change::Mask));
}

#[test]
fn the_same_blame_is_found_in_both_directions() {
    let mut changed = with_effect(1, true);
    changed.trace.wanted = 6;
    let tokens = [event("a"), changed.clone(), event("b"), changed];
    assert_eq!(same_blame(&tokens, 1, true), Some(3));
    assert_eq!(same_blame(&tokens, 3, false), Some(1));
    assert_eq!(same_blame(&tokens, 3, true), None);
    assert_eq!(same_blame(&tokens, 0, true), None);
}

#[test]
fn what_the_stages_remove_multiplies() {
    let mut event = with_effect(1, false);
    event.trace.effects.push(event.trace.effects[0]);
    let removed = Measure::new(&event).removed;
    assert!((removed - 0.75).abs() < 1e-6, "{removed}");
}

#[test]
fn a_brushed_stretch_is_summed_up() {
    let mut changed = with_effect(1, true);
    changed.trace.wanted = 6;
    changed.trace.n_legal = Some(7);
    let measures = [Measure::new(&event("a")), Measure::new(&changed)];
    assert_eq!(
        summary(&measures, 4),
        "Tokens 5 to 6: 25 % sure on average, 25 % removed, 1 changed, 7 to 7 legal"
    );
}

#[test]
fn many_tokens_share_the_bars_of_a_narrow_track() {
    let tokens: Vec<TokenEvent> = (0..5_000).map(|_| with_effect(1, true)).collect();
    let mut track = Track::default();
    track.take(&tokens);
    track.lay_out(300);
    let lanes = track.lanes();
    assert_eq!(lanes.len(), 2, "only what was measured has a lane");
    assert!(lanes.iter().all(|it| it.1.len() == 300));
    assert!(lanes[0].1.iter().all(|it| (it - 0.5).abs() < 1e-6));
}
