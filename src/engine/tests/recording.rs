//! What a recording file may say, and what is played from it.

use super::super::pieces::{make_tokens, split};
use super::super::{
    Backend as _, Cancel, Command, Event, Recording, RunId, ScriptedBackend, StopReason, TokenEvent,
};
use super::{load, preview, run, run_on};

const HEADER: &str = "{\"v\":1,\"recording\":\"Test\"}\n";

/// A token of this text.
pub(super) fn token(text: &str) -> TokenEvent {
    let token = make_tokens(text).remove(0);
    assert_eq!(token.text, text);
    token
}

#[track_caller]
fn check_fault(lines: &str, expected: &str) {
    let got = Recording::parse(&format!("{HEADER}{lines}")).unwrap_err();
    assert!(got.to_string().starts_with(expected), "{got}");
}

#[track_caller]
fn check_pieces(text: &str, expected: &[&str]) {
    assert_eq!(split(text), expected);
    assert_eq!(split(text).concat(), text);
}

/// One for each part of the demo.
const DEMO_PROMPTS: [&str; 10] = [
    "qty",
    "phone",
    "mood",
    "maths",
    "Buy 2 apples",
    "Anna Berg",
    "Tom: I got the job",
    "买3个苹果",
    "王芳",
    "小明",
];

pub(super) fn demo() -> Recording {
    Recording::parse(include_str!("../../../assets/demo.jsonl")).unwrap()
}

/// All that a recording tells for some commands, without delays.
pub(super) fn play(
    recording: Recording,
    commands: impl IntoIterator<Item = Command>,
) -> Vec<Event> {
    let mut backend = ScriptedBackend::new(recording.without_delays(), || ());
    let mut events = Vec::new();
    for command in commands {
        backend.execute(command, &Cancel::default(), &mut |it| events.push(it));
    }
    events
}

fn texts(events: &[Event]) -> Vec<&str> {
    events
        .iter()
        .filter_map(|it| match it {
            Event::Finished { finish, .. } => Some(finish.text.as_str()),
            _ => None,
        })
        .collect()
}

#[track_caller]
fn check_replies(lines: &str, asked: &[&str], expected: &[&str]) {
    let recording = Recording::parse(&format!("{HEADER}{lines}")).unwrap();
    let commands = asked.iter().map(|it| run_on(1, it));
    assert_eq!(texts(&play(recording, commands)), expected);
}

const REPLIES: &str = r#"
{"for":"run","match":"mood","reply":"m1"}
{"for":"run","match":"Mood","reply":"m2"}
{"for":"run","match":"good mood","reply":"good"}
{"for":"run","reply":"any"}
"#;

#[test]
fn replies_made_for_the_prompt_take_turns() {
    check_replies(REPLIES, &["The MOOD?", "mood", "mood"], &["m1", "m2", "m1"]);
}

#[test]
fn the_closest_fit_wins() {
    check_replies(REPLIES, &["a good mood", "mood"], &["good", "m2"]);
}

#[test]
fn other_prompts_get_the_reply_for_all() {
    check_replies(REPLIES, &["maths", "maths"], &["any", "any"]);
}

#[test]
fn without_a_reply_for_all_every_reply_takes_its_turn() {
    let lines = "{\"for\":\"run\",\"match\":\"x\",\"reply\":\"1\"}\n{\"for\":\"run\",\"match\":\"y\",\"reply\":\"2\"}";
    check_replies(lines, &["a", "b", "c"], &["1", "2", "1"]);
}

#[test]
fn a_recording_without_replies_fails_each_run() {
    let events = play(Recording::default(), [run(3)]);
    assert!(matches!(
        &events[..],
        [Event::RunFailed { id: RunId(3), .. }]
    ));
}

#[test]
fn events_carry_the_asked_ids() {
    let events = play(demo(), [load(7), preview(8), run(9)]);
    let ids: Vec<_> = events.iter().map(|it| it.id().unwrap().0).collect();
    assert_eq!(ids[..3], [7, 8, 9]);
    assert!(ids[3..].iter().all(|it| *it == 9));
}

#[test]
fn a_made_up_reply_starts_with_the_prompt_that_was_asked() {
    let events = play(Recording::from_replies(&["{}"]), [run(1)]);
    let Event::Started {
        view, attempt: 1, ..
    } = &events[0]
    else {
        panic!("{events:?}")
    };
    assert_eq!(view.rendered, "<|user|>\nTag the mood.\n<|assistant|>\n");
    assert!(!view.tokens.is_empty());
}

#[test]
fn tokens_join_to_the_reply() {
    let events = play(
        demo(),
        DEMO_PROMPTS.iter().zip(1..).map(|(it, id)| run_on(id, it)),
    );
    let mut text = String::new();
    for event in events {
        match event {
            Event::Tokens { tokens, .. } => {
                text.extend(tokens.iter().map(|it| it.text.as_str()));
                let bytes: Vec<_> = tokens.iter().flat_map(|it| it.bytes.clone()).collect();
                assert!(text.as_bytes().ends_with(&bytes));
            }
            Event::Finished { finish, .. } => {
                assert_eq!(std::mem::take(&mut text), finish.text);
                assert!(finish.timings.n_reply > 3);
            }
            _ => (),
        }
    }
}

#[test]
fn the_demo_answers_each_task_in_several_ways() {
    for (asked, n) in [
        ("qty: Buy 2 apples and 3 bananas.", 4),
        ("phone: I am Anna Berg.", 4),
        ("mood: Tom: I got the job!", 3),
    ] {
        let events = play(demo(), (0..n).map(|it| run_on(it + 1, asked)));
        let mut texts = texts(&events);
        texts.sort_unstable();
        texts.dedup();
        assert_eq!(texts.len() as u64, n, "{asked}");
    }
}

#[test]
fn a_cancelled_play_ends_between_tokens() {
    let recording = Recording::parse(&format!("{HEADER}{REPLIES}")).unwrap();
    let mut backend = ScriptedBackend::new(recording, || ());
    let (cancel, mut n_tokens, mut end) = (Cancel::default(), 0, None);
    backend.execute(run_on(1, "maths mood"), &cancel, &mut |it| match it {
        Event::Tokens { .. } => {
            n_tokens += 1;
            cancel.request(RunId(1));
        }
        Event::Finished { finish, .. } => end = Some(finish),
        _ => (),
    });
    let end = end.unwrap();
    assert_eq!(
        (n_tokens, end.stop, end.text.as_str()),
        (1, StopReason::Cancelled, "m")
    );
}

#[test]
fn a_cancelled_load_says_so() {
    let cancel = Cancel::default();
    cancel.request(RunId(1));
    let mut events = Vec::new();
    let mut backend = ScriptedBackend::new(demo(), || ());
    backend.execute(load(1), &cancel, &mut |it| events.push(it));
    assert_eq!(events, [Event::LoadCancelled { id: RunId(1) }]);
}

#[test]
fn a_missing_header_is_named() {
    let expected =
        "line 1 of the recording: expected the header {\"v\":1,\"recording\":\"<title>\"}";
    assert_eq!(Recording::parse("").unwrap_err().to_string(), expected);
    let got = Recording::parse("\n{\"for\":\"run\"}").unwrap_err();
    assert_eq!(
        (got.line, got.to_string().contains("expected the header")),
        (2, true)
    );
}

#[test]
fn a_version_of_the_future_is_refused() {
    let got = Recording::parse("{\"v\":2,\"recording\":\"x\"}").unwrap_err();
    assert_eq!(got.message, "version 2; this Stepladder reads 1");
}

#[test]
fn a_line_that_is_no_json_is_named() {
    check_fault("\n{\"for\":", "line 3 of the recording: EOF while parsing");
}

#[test]
fn an_unknown_field_is_named() {
    check_fault(
        "{\"fro\":\"run\"}",
        "line 2 of the recording: unknown field `fro`",
    );
}

#[test]
fn a_second_header_is_refused() {
    check_fault(HEADER, "line 2 of the recording: the header comes once");
}

#[test]
fn a_step_outside_of_a_part_is_refused() {
    check_fault(
        "{\"do\":\"hang\"}",
        "line 2 of the recording: expected a line with \"for\"",
    );
}

#[test]
fn a_step_that_does_nothing_is_refused() {
    check_fault(
        "{\"for\":\"run\"}\n{\"after_ms\":5}",
        "line 3 of the recording: expected a step with either",
    );
}

#[test]
fn a_step_after_the_end_is_refused() {
    check_fault(
        "{\"for\":\"run\",\"reply\":\"x\"}\n{\"do\":\"die\"}",
        "line 3 of the recording: this step comes after the end",
    );
}

#[test]
fn a_reply_without_an_end_is_refused() {
    check_fault(
        "{\"for\":\"run\"}\n{\"for\":\"load\"}",
        "line 3 of the recording: the run before it has no event that ends it",
    );
    check_fault(
        "{\"for\":\"load\"}",
        "line 2 of the recording: the load before it",
    );
}

#[test]
fn a_load_has_no_reply() {
    check_fault(
        "{\"for\":\"load\",\"reply\":\"x\"}",
        "line 2 of the recording: only a run has",
    );
}

#[test]
fn a_speed_of_zero_is_refused() {
    check_fault(
        "{\"for\":\"run\",\"reply\":\"x\",\"tokens_per_second\":0}",
        "line 2 of the recording: tokens_per_second is 0; it must be 0.1 to 10000",
    );
}

#[test]
fn text_is_cut_as_a_tokenizer_might() {
    check_pieces(
        "{\n  \"qty\": 12, \"full_name\"}",
        &[
            "{", "\n  ", "\"", "qty", "\"", ":", " ", "1", "2", ",", " \"", "full_na", "me", "\"",
            "}",
        ],
    );
}

#[test]
fn chinese_is_cut_by_the_character() {
    check_pieces("牛奶 ok,好", &["牛", "奶", " ok", ",", "好"]);
}

#[test]
fn any_text_is_cut_without_loss() {
    check_pieces("", &[]);
    check_pieces("é😀\r\n\t x", &["é", "😀", "\r", "\n\t ", "x"]);
    check_pieces("   a", &["   ", "a"]);
}

#[test]
fn made_up_traces_are_sound() {
    let tokens = make_tokens(&"{\"name\": \"oat milk\", \"qty\": 12}\n的".repeat(20));
    for token in &tokens {
        let trace = &token.trace;
        let named = |id| token.names.iter().any(|(it, _)| *it == id);
        for side in [&trace.before, &trace.after] {
            assert!(
                side.iter()
                    .all(|it| named(it.token) && it.probability > 0.0)
            );
            assert!(
                side.is_sorted_by(|a, b| a.probability >= b.probability),
                "{side:?}"
            );
            assert!(side.iter().map(|it| it.probability).sum::<f32>() <= 1.0);
        }
        let rank = 1 + trace
            .before
            .iter()
            .position(|it| it.token == token.token)
            .unwrap();
        assert_eq!(trace.rank as usize, rank);
        let chosen = trace.before[rank - 1].probability;
        assert_eq!(chosen.to_bits(), trace.probability.to_bits());
        assert_eq!(trace.wanted, trace.before[0].token);
        assert_eq!(trace.after[0].token, token.token);
        assert_eq!(trace.effects.is_empty(), rank == 1);
    }
    assert!(tokens.iter().any(|it| it.trace.probability < 0.5));
    assert!(tokens.iter().any(|it| !it.trace.effects.is_empty()));
    assert_eq!(
        tokens,
        make_tokens(&tokens.iter().map(|it| it.text.as_str()).collect::<String>())
    );
}
