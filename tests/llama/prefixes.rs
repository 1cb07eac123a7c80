//! A prompt whose beginning was kept from the run before gives the very same reply as one that is evaluated anew.

use stepladder::engine::{RunRequest, TokenEvent};
use stepladder::prompt::TemplateChoice;
use stepladder::sampling::Knob;

use super::setup::{Asked, Told, base_path, greedy, instruct_path, settings};

/// The most tokens of a row in which prompts are evaluated.
const ROW: u32 = 64;

/// Some six hundred tokens, and a question behind them.
fn asked(question: &str) -> RunRequest {
    let rules = "Write the shopping list as JSON with the keys name and qty. Two milk, one bread. ";
    let mut request = greedy(&format!("{}{question}", rules.repeat(30)), 24);
    request.prompt.template = TemplateChoice::Raw;
    request.knobs.set(Knob::Temperature, 0.8).unwrap();
    request.knobs.set(Knob::TopP, 0.95).unwrap();
    request
}

/// Compares all that was told of the tokens; every score to the bit.
#[track_caller]
fn assert_same(told: &Told, fresh: &Told, what: &str) {
    let pairs = told.tokens.iter().zip(&fresh.tokens);
    let first = pairs.enumerate().find(|(_, it)| it.0 != it.1);
    let said = |it: &TokenEvent| (it.text.clone(), it.trace.probability, it.trace.entropy);
    let first = first.map(|(nth, it)| (nth, said(it.0), said(it.1)));
    assert_eq!(first, None, "{what}: {:?}", told.finish.timings);
    assert_eq!(told.text(), fresh.text(), "{what}");
}

#[track_caller]
fn check(path: &std::path::Path) {
    let questions = ["Three eggs.", "What is left to buy? Nothing but tea."];
    let fresh = questions.map(|it| {
        let told = Asked::new(settings(path)).run(&asked(it)).unwrap();
        assert_eq!(told.finish.timings.n_kept, 0);
        told
    });
    let mut one = Asked::new(settings(path));
    for nth in [0, 1, 0, 1, 0, 0, 1] {
        let told = one.run(&asked(questions[nth])).unwrap();
        assert_same(&told, &fresh[nth], questions[nth]);
    }
    let again = one.run(&asked(questions[1])).unwrap();
    let timings = again.finish.timings;
    assert!(timings.n_prompt > 2 * ROW, "{timings:?}");
    assert_eq!(timings.n_kept, timings.n_prompt, "the very same prompt");
    assert_same(&again, &fresh[1], "again");
    let told = one.run(&asked(questions[0])).unwrap();
    let timings = told.finish.timings;
    assert_eq!(timings.n_kept, (timings.n_prompt - 1) / ROW * ROW);
}

/// Prompts of several tasks and styles take turns in a plan: each finds what was kept of its own kind.
#[track_caller]
fn check_turns(path: &std::path::Path) {
    let prompts = ["Three eggs.", "Nothing but tea."].map(asked);
    let others = prompts.clone().map(|mut it| {
        let content = &mut it.prompt.messages[0].content;
        *content = format!("Be short. {content}");
        it
    });
    let fresh = [&prompts[1], &others[1]].map(|it| Asked::new(settings(path)).run(it).unwrap());
    let mut one = Asked::new(settings(path));
    one.run(&prompts[0]).unwrap();
    one.run(&others[0]).unwrap();
    for (request, fresh) in [(&prompts[1], &fresh[0]), (&others[1], &fresh[1])] {
        let told = one.run(request).unwrap();
        let timings = told.finish.timings;
        assert!(timings.n_kept >= timings.n_prompt - 2 * ROW, "{timings:?}");
        assert_same(&told, fresh, "in turn");
    }
}

#[test]
fn beginnings_that_take_turns_are_kept_and_change_no_score_of_the_instruct_model() {
    check_turns(&instruct_path());
}

#[test]
fn beginnings_that_take_turns_are_kept_and_change_no_score_of_a_model_with_a_sliding_window() {
    check_turns(&base_path());
}

#[test]
fn a_kept_prefix_changes_no_score_of_the_instruct_model() {
    check(&instruct_path());
}

#[test]
fn a_kept_prefix_changes_no_score_of_a_model_with_a_sliding_window() {
    check(&base_path());
}

/// A prompt that is longer than the window, and ones that part from it within what the window has passed.
#[test]
fn a_prompt_that_parts_within_what_a_window_has_passed_changes_no_score() {
    let path = base_path();
    let rules = "Write the shopping list as JSON with the keys name and qty. Two milk, one bread. ";
    let mut first = asked("");
    first.prompt.messages[0].content = rules.repeat(60);
    let mut one = Asked::new(settings(&path));
    for n_same in [12, 30] {
        let mut second = first.clone();
        second.prompt.messages[0].content = format!("{}Nothing but tea.", rules.repeat(n_same));
        let fresh = Asked::new(settings(&path)).run(&second).unwrap();
        let n_prompt = one.run(&first).unwrap().finish.timings.n_prompt;
        assert!(
            n_prompt > 1_000,
            "{n_prompt} tokens hardly leave the window"
        );
        let told = one.run(&second).unwrap();
        assert_same(&told, &fresh, &format!("{n_same} sentences"));
    }
}

/// Inputs differ behind a paragraph that is the same: all before them is kept, however long it is.
#[test]
fn all_in_front_of_an_input_is_kept() {
    let mut model = Asked::new(settings(instruct_path()));
    let asked = |input: &str| {
        let rules =
            "List what to buy, each item with its quantity, and write nothing else than JSON.";
        greedy(
            &format!("{rules}\n\nInput: {input}\n\nAnswer with JSON only."),
            4,
        )
    };
    let first = model.run(&asked("Three eggs.")).unwrap();
    let second = model.run(&asked("Tea.")).unwrap();
    let timings = second.finish.timings;
    let text = &first.view.rendered;
    let at_input = text.find("Input:").unwrap();
    let n_before = first
        .view
        .ends
        .iter()
        .filter(|it| **it as usize <= at_input);
    assert_eq!(timings.n_kept as usize, n_before.count());
    assert!(
        timings.n_kept > 16 && !timings.n_kept.is_multiple_of(ROW),
        "{timings:?}"
    );
}

#[test]
fn another_beginning_keeps_nothing() {
    let mut model = Asked::new(settings(instruct_path()));
    model.run(&asked("Three eggs.")).unwrap();
    let mut other = asked("Three eggs.");
    let content = &mut other.prompt.messages[0].content;
    *content = format!("Now. {content}");
    let told = model.run(&other).unwrap();
    assert_eq!(told.finish.timings.n_kept, 0);
}

/// What a cancelled run left half done is not taken for evaluated.
#[test]
fn a_cancelled_run_spoils_nothing() {
    let path = instruct_path();
    let fresh = Asked::new(settings(&path))
        .run(&asked("Three eggs."))
        .unwrap();
    let mut model = Asked::new(settings(&path));
    model.run(&asked("Two eggs.")).unwrap();
    let mut n_seen = 0;
    model.events(&asked("Four eggs."), |_, cancel, id| {
        n_seen += 1;
        if n_seen == 2 {
            cancel.request(id);
        }
    });
    let told = model.run(&asked("Three eggs.")).unwrap();
    assert_same(&told, &fresh, "after a cancel");
}
