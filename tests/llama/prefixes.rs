//! A prompt whose beginning was kept from the run before gives the very same reply as one that is evaluated anew.

use stepladder::engine::{RunRequest, TokenEvent};
use stepladder::prompt::TemplateChoice;
use stepladder::sampling::Knob;

use super::setup::{Asked, Told, base_path, greedy, instruct_path, settings};

/// Tokens of a row in which prompts are evaluated.
const ROW: u32 = 256;

/// Some six hundred tokens, and a question behind them.
fn asked(question: &str) -> RunRequest {
    let rules = "Write the shopping list as JSON with the keys name and qty. Two milk, one bread. ";
    let mut request = greedy(&format!("{}{question}", rules.repeat(30)), 24);
    request.prompt.template = TemplateChoice::Raw;
    request.knobs.set(Knob::Temperature, 0.8).unwrap();
    request.knobs.set(Knob::TopP, 0.95).unwrap();
    request
}

/// All that was told of the tokens; every score in it is compared to the bit.
fn story(told: &Told) -> &[TokenEvent] {
    &told.tokens
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
    for nth in [0, 1, 1, 0] {
        let told = one.run(&asked(questions[nth])).unwrap();
        assert_eq!(story(&told), story(&fresh[nth]), "{}", questions[nth]);
        assert_eq!(told.text(), fresh[nth].text());
    }
    let told = one.run(&asked(questions[1])).unwrap();
    let timings = told.finish.timings;
    assert!(timings.n_prompt > 2 * ROW, "{timings:?}");
    assert_eq!(timings.n_kept, timings.n_prompt / ROW * ROW);
}

#[test]
fn a_kept_prefix_changes_no_score_of_the_instruct_model() {
    check(&instruct_path());
}

#[test]
fn a_kept_prefix_changes_no_score_of_a_model_with_a_sliding_window() {
    check(&base_path());
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
    assert_eq!(story(&told), story(&fresh));
}
