//! What a plan's replies say, and the reports made of them.

use serde_json::{Value, json};

use super::records::trial;
use crate::lab::{
    CellStamp, Decision, Grouping, Measure, Plan, Report, Results, Trial, csv, html, last_attempts,
    markdown,
};
use crate::ladder::Rung;
use crate::prompt::ExampleValues;

/// A reply to an input under a preset: fits the schema, is right.
fn reply(preset: &str, input: usize, (schema, correct): (bool, bool)) -> Trial {
    let rung = if schema { Some(Rung::AsIs) } else { None };
    let mut trial = trial(preset, rung, [Some(schema), Some(correct), Some(true)]);
    trial.preset = json!({"name": preset, "knobs": {"seed": 42}});
    trial.input = Some(input);
    trial.input_text = format!("input {input}");
    trial.timings.prefill_ms = 100.0;
    trial.timings.decode_ms = 100.0 * (input + 1) as f64;
    trial.reply_tokens = vec![1; 10 * (input + 1)];
    trial
}

fn attempt(mut trial: Trial, attempt: u32, is_last: bool) -> Trial {
    trial.cell = Some(CellStamp {
        plan: "test".to_owned(),
        key: format!("{}/{:?}", trial.preset["name"], trial.input),
        attempt,
        is_last,
        gave_up_with: None,
        examples: ExampleValues::Own,
    });
    trial
}

/// Eight inputs: greedy is right on all of them, the ban on two.
fn trials() -> Vec<Trial> {
    let greedy = (0..8).map(|it| reply("greedy", it, (true, it < 6)));
    let ban = (0..8).map(|it| reply("ban", it, (it < 2, it < 2)));
    greedy.chain(ban).collect()
}

fn results(trials: &[Trial]) -> Results {
    let trials: Vec<&Trial> = trials.iter().collect();
    Results::of(&trials, "greedy")
}

#[test]
fn replies_are_paired_with_the_reference_by_input() {
    let results = results(&trials());
    let ban = &results.rows[1];
    let (schema, correct) = (ban.schema_pairs, ban.correct_pairs);
    assert_eq!((schema.n_same, schema.n_lost, schema.n_won), (2, 6, 0));
    assert_eq!((correct.n_same, correct.n_lost, correct.n_won), (4, 4, 0));
    assert_eq!(schema.decision(), Decision::Worse);
    assert_eq!(correct.decision(), Decision::TooFew);
    assert_eq!(results.rows[0].schema_pairs.decision(), Decision::Unpaired);
}

#[test]
fn medians_are_those_of_the_replies() {
    let row = &results(&trials()).rows[0];
    // Tokens 10 to 80, milliseconds 200 to 900.
    assert!((row.tokens_median - 45.0).abs() < 1e-9);
    assert!((row.ms_median - 550.0).abs() < 1e-9);
    assert!((row.ms_p90 - 830.0).abs() < 1e-9);
}

#[test]
fn only_the_last_attempt_counts_and_its_cost_is_that_of_all() {
    let trials = [
        attempt(reply("greedy", 0, (false, false)), 1, false),
        attempt(reply("greedy", 0, (true, true)), 2, true),
        attempt(reply("greedy", 1, (false, false)), 1, false),
        attempt(reply("greedy", 1, (false, false)), 2, true),
        attempt(reply("greedy", 2, (true, true)), 1, true),
    ];
    let row = &results(&trials).rows[0];
    assert_eq!((row.n_replies, row.schema.n, row.schema.of), (3, 2, 3));
    assert_eq!((row.rescued.n, row.rescued.of), (1, 2));
    // 20, 40 and 30 tokens.
    assert!((row.tokens_median - 30.0).abs() < 1e-9);
    let all: Vec<&Trial> = trials.iter().collect();
    assert_eq!(last_attempts(&all).len(), 3);
}

#[test]
fn a_report_has_its_rows_as_the_plan_has_them_whichever_reply_came_first() {
    let plan =
        json!({"v": 1, "name": "x", "title": "X", "tasks": ["mood"], "presets": ["greedy", "ban"]});
    let plan = Plan::parse(&plan.to_string(), "plan.json").unwrap();
    let mut trials = trials();
    trials.reverse();
    let report = Report::new(&plan, "greedy".to_owned(), &trials);
    let rows = &report.models[0].results.rows;
    let labels: Vec<&str> = rows.iter().map(|it| it.label.as_str()).collect();
    assert_eq!(labels, ["greedy", "ban"]);
}

#[test]
fn buckets_are_in_order() {
    let trials = trials();
    let all: Vec<&Trial> = trials.iter().collect();
    let buckets = Results::buckets(&all, Grouping::OutputLength, Measure::Schema);
    let found: Vec<(&str, usize, usize)> = buckets
        .iter()
        .map(|it| (it.name.as_str(), it.share.n, it.share.of))
        .collect();
    assert_eq!(
        found,
        [
            ("up to 32 tokens", 5, 6),
            ("33 to 64 tokens", 3, 6),
            ("65 to 128 tokens", 2, 4)
        ]
    );
}

fn plan() -> Plan {
    let json: Value = json!({"v": 1, "name": "test", "title": "A <test> of *marks*", "tasks": ["mood"], "presets": ["greedy", "ban"]});
    Plan::parse(&json.to_string(), "test").unwrap()
}

#[test]
fn the_markdown_report_has_intervals_and_words() {
    let trials = trials();
    let plan = plan();
    let text = markdown(&Report::new(&plan, "greedy".to_owned(), &trials));
    assert!(text.contains("| greedy | 8 | 8/8 100 % [68–100]"), "{text}");
    assert!(
        text.contains("| ban | 6 | 0 | 0.031 | worse | 4 | 0 | 0.125 | too few to tell |"),
        "{text}"
    );
    assert!(text.starts_with("# A \\<test> of \\*marks\\*\n"), "{text}");
}

#[test]
fn the_page_escapes_what_models_write() {
    let mut trials = trials();
    trials[9].reply = "<script>alert('x')</script>".to_owned();
    trials[9].cause = Some(crate::judge::Cause {
        kind: "no_json".to_owned(),
        message: "no <b>JSON</b>".to_owned(),
        ..crate::judge::Cause::default()
    });
    let plan = plan();
    let page = html(&Report::new(&plan, "greedy".to_owned(), &trials));
    assert!(!page.contains("<script"), "text of a model is markup");
    assert!(page.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"));
    assert!(
        !page.contains("http:") && !page.contains("https:"),
        "the page names another place"
    );
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
    assert_eq!(page.matches("<svg").count(), 3);
}

/// Names and replies that try to be markup, to end their cell, to hide, and to turn the page around.
const HOSTILE: &str = "<script>alert(1)</script> | `code` [x](javascript:1) \\| \u{202e}nwod\u{202c} \u{0}\u{1b}[31m\u{7f}\u{2028}\r\n# head";

#[test]
fn hostile_names_and_replies_stand_as_text_in_every_report() {
    let mut trials = trials();
    for trial in &mut trials {
        trial.model.file = HOSTILE.to_owned();
        trial.preset["name"] = json!(HOSTILE);
        trial.task = HOSTILE.to_owned();
        trial.reply = HOSTILE.to_owned();
        trial.input_text = HOSTILE.to_owned();
        trial.cause = Some(crate::judge::Cause {
            kind: "no_json".to_owned(),
            message: HOSTILE.to_owned(),
            ..crate::judge::Cause::default()
        });
    }
    let mut plan = plan();
    plan.title = HOSTILE.to_owned();
    plan.about = HOSTILE.to_owned();
    let report = Report::new(&plan, HOSTILE.to_owned(), &trials);
    let (page, text) = (html(&report), markdown(&report));
    assert!(!page.contains("<script") && !text.replace("\\<", "").contains("<script"));
    for (report, name) in [(&page, "page"), (&text, "Markdown")] {
        let hidden = |it: char| "\u{202e}\u{202c}\u{0}\u{1b}\u{7f}\u{2028}\r".contains(it);
        let at = report.find(hidden);
        assert_eq!(
            at.map(|it| report[..it].chars().rev().take(60).collect::<String>()),
            None,
            "the {name} holds a hidden character"
        );
        assert!(report.contains("⟨U+202E⟩"), "the {name} does not show it");
    }
    let links = text.replace("]\\(", "").replace("\\](", "");
    assert!(!links.contains("](javascript"), "{text}");
    assert!(!text.contains("\n# head"), "a name made a heading");
    // Every row of a table has as many cells as its head.
    let cells = |line: &str| {
        line.replace("\\\\", "")
            .replace("\\|", "")
            .matches('|')
            .count()
    };
    let mut n_cells = 0;
    for line in text.lines() {
        let n = cells(line);
        assert!(n == 0 || n_cells == 0 || n == n_cells, "{line}");
        n_cells = n;
    }
}

#[test]
fn the_csv_has_a_line_a_trial_and_no_formulas() {
    let mut trials = trials();
    trials[0].reply = "=1+1".to_owned();
    trials[1].reply = "two\nlines, \"quoted\"".to_owned();
    let text = csv(&trials);
    assert!(text.contains(",'=1+1\r\n"), "{text}");
    assert!(
        text.contains("\"two\nlines, \"\"quoted\"\"\"\r\n"),
        "{text}"
    );
    assert_eq!(text.matches("\r\n").count(), trials.len() + 1);
}
