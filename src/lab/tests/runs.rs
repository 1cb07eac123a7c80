//! Two runs held against each other.

use serde_json::json;

use super::records::trial;
use crate::lab::{
    CellStamp, Flip, Measure, RunsReport, Trial, Turn, TwoRuns, runs_csv, runs_html, runs_markdown,
};
use crate::ladder::Rung;

/// A reply to an input: fits the schema, is right.
fn reply(preset: &str, input: usize, [schema, correct]: [bool; 2]) -> Trial {
    let mut trial = trial(
        preset,
        Some(Rung::AsIs),
        [Some(schema), Some(correct), Some(true)],
    );
    trial.preset =
        json!({"name": preset, "style": "example", "knobs": {"seed": 42, "temperature": 0}});
    trial.task = "mood".to_owned();
    trial.input = Some(input);
    trial.input_text = format!("input {input}");
    trial.model.fingerprint = "one".to_owned();
    trial.reply = format!("{preset} {input} {schema} {correct}");
    trial
}

fn two_runs(reference: &[Trial], other: &[Trial]) -> TwoRuns {
    let [reference, other] = [reference, other].map(|it| it.iter().collect::<Vec<_>>());
    TwoRuns::of(&reference, &other)
}

fn fits(preset: &str, verdicts: &[bool]) -> Vec<Trial> {
    let verdicts = verdicts.iter().enumerate();
    verdicts
        .map(|(idx, fits)| reply(preset, idx, [*fits, *fits]))
        .collect()
}

#[test]
fn the_same_run_twice_flips_nothing() {
    let run = fits("greedy", &[true, false, true]);
    let runs = two_runs(&run, &run);
    assert_eq!(runs.pairs, [[0, 0], [1, 1], [2, 2]]);
    assert_eq!(runs.n_same_text, 3);
    assert_eq!((runs.flips.len(), runs.differences.len()), (0, 0));
    assert_eq!(runs.alone, [[], []] as [[usize; 0]; 2]);
}

#[test]
fn flips_are_counted_each_way_and_the_worst_comes_first() {
    let reference = fits("greedy", &[true, false, true, true]);
    let mut other = fits("greedy", &[true, true, false, true]);
    other[3].lamps.correct = Some(false);
    let runs = two_runs(&reference, &other);
    let schema = runs.of_measure(Measure::Schema);
    assert_eq!((schema.n_same, schema.n_lost, schema.n_won), (2, 1, 1));
    let correct = runs.of_measure(Measure::Correct);
    assert_eq!((correct.n_same, correct.n_lost, correct.n_won), (1, 2, 1));
    let pairs: Vec<[usize; 2]> = runs.flips.iter().map(|it| it.pair).collect();
    assert_eq!(pairs, [[2, 2], [3, 3], [1, 1]]);
    let words: Vec<String> = runs
        .flips
        .iter()
        .map(|it| it.weightiest().words())
        .collect();
    assert_eq!(words, ["lost schema", "lost correct", "won schema"]);
}

#[test]
fn a_flip_names_every_verdict_that_turned() {
    let runs = two_runs(&fits("greedy", &[true]), &fits("greedy", &[false]));
    let lost = |measure| Turn {
        measure,
        is_won: false,
    };
    let turns = vec![lost(Measure::Schema), lost(Measure::Correct)];
    assert_eq!(
        runs.flips,
        [Flip {
            pair: [0, 0],
            turns
        }]
    );
    assert_eq!(runs.flips[0].turn(Measure::Parses), None);
}

#[test]
fn the_test_is_that_of_mcnemar() {
    // Ten lost against one won: 2 · (1 + 11) / 2^11.
    let reference = fits("greedy", &[[true; 10].as_slice(), &[false]].concat());
    let other = fits("greedy", &[[false; 10].as_slice(), &[true]].concat());
    let p = two_runs(&reference, &other).of_measure(Measure::Schema).p();
    assert!((p - 24.0 / 2048.0).abs() < 1e-12, "{p}");
}

#[test]
fn what_only_one_run_has_is_named() {
    let mut reference = fits("greedy", &[true, true]);
    reference.extend(fits("chat", &[true]));
    let mut other = fits("greedy", &[true, true, false]);
    other[0].preset["knobs"]["seed"] = json!(43);
    let runs = two_runs(&reference, &other);
    assert_eq!(runs.pairs, [[1, 1]]);
    assert_eq!(runs.alone, [vec![0, 2], vec![0, 2]]);
}

#[test]
fn questions_that_were_asked_twice_are_matched_in_order() {
    let twice = [fits("greedy", &[true]), fits("greedy", &[false])].concat();
    let runs = two_runs(&twice, &twice);
    assert_eq!(runs.pairs, [[0, 0], [1, 1]]);
    assert!(runs.flips.is_empty());
}

#[test]
fn of_a_retried_reply_the_last_attempt_counts() {
    let mut reference = fits("greedy", &[true]);
    let first = reply("greedy", 0, [false, false]);
    let mut other = vec![first, reply("greedy", 0, [true, true])];
    for (attempt, trial) in (1..).zip(other.iter_mut()) {
        trial.cell = Some(CellStamp {
            key: "mood/1/greedy".to_owned(),
            attempt,
            is_last: attempt == 2,
            ..CellStamp::default()
        });
    }
    let runs = two_runs(&reference, &other);
    assert_eq!(runs.pairs, [[0, 1]]);
    assert!(runs.flips.is_empty());
    reference.clear();
    assert_eq!(two_runs(&reference, &other).alone, [vec![], vec![1]]);
}

#[test]
fn single_models_and_presets_are_held_against_each_other() {
    let reference = fits("greedy", &[true]);
    let mut other = fits("chat", &[false]);
    other[0].model.fingerprint = "two".to_owned();
    other[0].preset["knobs"]["temperature"] = json!(0.7);
    let runs = two_runs(&reference, &other);
    assert_eq!(runs.pairs, [[0, 0]]);
    let said: Vec<[&str; 4]> = runs
        .differences
        .iter()
        .map(|it| {
            [
                it.preset.as_str(),
                it.name.as_str(),
                it.reference.as_str(),
                it.other.as_str(),
            ]
        })
        .collect();
    assert_eq!(
        said,
        [
            ["", "model's fingerprint", "one", "two"],
            ["chat", "name", "greedy", "chat"],
            ["chat", "temperature", "0", "0.7"],
        ]
    );
}

#[test]
fn versions_and_width_are_named_and_prompts_are_counted() {
    let reference = fits("greedy", &[true, true]);
    let mut other = reference.clone();
    for trial in &mut other {
        trial.versions.insert("llama_cpp".to_owned(), json!("b2"));
        trial.model.batch_width = 8;
    }
    other[1].prompt.push_str(" more");
    let runs = two_runs(&reference, &other);
    let names: Vec<&str> = runs.differences.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["replies decoded together", "version of llama cpp"]);
    assert_eq!(runs.differences[0].other, "8");
    assert_eq!(runs.differences[1].reference, "not set");
    assert_eq!(runs.n_other_prompt, 1);
}

#[test]
fn what_was_not_judged_in_both_runs_is_not_counted() {
    let reference = fits("greedy", &[true]);
    let mut other = fits("greedy", &[false]);
    other[0].lamps.correct = None;
    let correct = two_runs(&reference, &other).of_measure(Measure::Correct);
    assert_eq!((correct.n_same, correct.n_lost, correct.n_won), (0, 0, 0));
}

fn told(form: fn(&RunsReport<'_>) -> String) -> String {
    let reference = fits("greedy", &[true, false, true]);
    let mut other = fits("greedy", &[false, false, true, true]);
    other[0].reply = "<b>no `JSON`</b>".to_owned();
    other[0].input_text = "input 0".to_owned();
    other[2].model.n_threads = 7;
    let [reference, other] = [&reference, &other].map(|it| it.iter().collect::<Vec<_>>());
    let runs = TwoRuns::of(&reference, &other);
    form(&RunsReport {
        runs: &runs,
        names: ["old".to_owned(), "new".to_owned()],
        trials: [&reference, &other],
    })
}

#[test]
fn the_markdown_has_counts_then_flipped_cases_with_both_replies() {
    let text = told(runs_markdown);
    let head = "# new against old\n\n3 pairs of replies to the same question; 1 flipped, 2 are the same text. Only in new: 1.\n";
    assert!(text.starts_with(head), "{text}");
    let places = [
        "## Flips",
        "| schema | 3 | 1 | 0 | 1.000 | too few to tell |",
        "## Flipped cases",
        "### lost schema, lost correct: greedy, mood, input 1",
        "old: rung 1\n\n```\ngreedy 0 true true\n```",
        "new: rung 1; not schema; not correct\n\n```\n<b>no `JSON`</b>\n```",
        "## What was set otherwise",
        "| threads | 2 | 2, 7 |",
        "## Only in one run",
        "| new | greedy, mood, input 4, ",
    ];
    let mut from = 0;
    for place in places {
        let at = text[from..].find(place);
        assert!(at.is_some(), "“{place}” is not behind the last: {text}");
        from += at.unwrap();
    }
}

#[test]
fn the_page_holds_no_markup_of_a_reply() {
    let page = told(runs_html);
    assert!(page.contains("&lt;b&gt;no `JSON`&lt;/b&gt;"), "{page}");
    assert!(!page.contains("<b>"), "{page}");
    assert!(
        page.contains("<details open><summary>lost schema"),
        "{page}"
    );
}

#[test]
fn a_line_a_pair_flipped_ones_first_then_what_is_alone() {
    let text = told(runs_csv);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 5, "{text}");
    assert!(lines[0].starts_with("flips,preset,style,task,input,seed,id in old,"));
    assert!(lines[1].starts_with("\"lost schema, lost correct\",greedy,"));
    assert!(lines[2].starts_with(",greedy,"));
    // Nothing stands there of the run that does not have it.
    assert!(lines[4].contains(",4,42,,,,,,,,t1,"), "{}", lines[4]);
}
