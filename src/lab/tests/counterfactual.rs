//! What followed the example, on replies made by hand.

use serde_json::{Value, json};

use super::records::trial;
use crate::judge::Leak;
use crate::lab::{CellStamp, Copied, Copies, Plan, Report, Trial, counterfactual, html, markdown};
use crate::ladder::Rung;
use crate::prompt::{ExampleValues, Task};

/// A reply to an input; `leaks` are the places of values that stand in its prompt's example.
fn reply(input: usize, examples: ExampleValues, value: &Value, leaks: &[(&str, usize)]) -> Trial {
    let mut trial = trial("greedy", Some(Rung::AsIs), [Some(true); 3]);
    let mut climb = serde_json::to_value(&trial.climb).unwrap();
    climb["value"] = value.clone();
    trial.climb = serde_json::from_value(climb).unwrap();
    trial.leaks = leaks
        .iter()
        .map(|(path, example)| Leak {
            path: (*path).to_owned(),
            example: *example,
            ..Leak::default()
        })
        .collect();
    let suffix = match examples {
        ExampleValues::Own => String::new(),
        other => format!("/{}", other.key()),
    };
    trial.cell = Some(CellStamp {
        plan: "test".to_owned(),
        key: format!("mood/{input}/example/greedy/42{suffix}"),
        attempt: 1,
        is_last: true,
        gave_up_with: None,
        examples,
    });
    trial
}

/// Input 1: the name follows, the number stays. Input 2: the name is gone. Input 3: nothing was copied. Input 4 has no
/// counterpart.
fn trials() -> Vec<Trial> {
    use ExampleValues::{Own, Swapped};
    vec![
        reply(
            1,
            Own,
            &json!({"name": "widgets", "qty": 11}),
            &[("/name", 1), ("/qty", 1)],
        ),
        reply(
            1,
            Swapped,
            &json!({"name": "pears", "qty": 11}),
            &[("/name", 1)],
        ),
        reply(2, Own, &json!({"name": "widgets"}), &[("/name", 2)]),
        reply(2, Swapped, &json!({"name": "tea"}), &[]),
        reply(3, Own, &json!({"name": "milk"}), &[]),
        reply(3, Swapped, &json!({"name": "milk"}), &[]),
        reply(4, Own, &json!({"name": "widgets"}), &[("/name", 1)]),
    ]
}

fn copies(example: usize, [n_copied, n_follow, n_stay]: [usize; 3]) -> Copies {
    Copies {
        label: "greedy".to_owned(),
        task: "mood".to_owned(),
        example,
        n_pairs: 3,
        n_copied,
        n_follow,
        n_stay,
    }
}

#[test]
fn copied_values_follow_stay_or_are_gone() {
    let trials = trials();
    let all: Vec<&Trial> = trials.iter().collect();
    let rows = counterfactual(&all, ExampleValues::Swapped);
    assert_eq!(rows, [copies(1, [2, 1, 1]), copies(2, [1, 0, 0])]);
    assert_eq!(rows[1].n_gone(), 1);
    assert_eq!(counterfactual(&all, ExampleValues::Placeholders), []);
}

fn task() -> Task {
    let text = json!({
        "v": 1, "id": "mood", "title": "Mood", "instruction": "Say what it is.", "schema": {"type": "object"},
        "examples": [
            {"input": "Get 12 widgets.", "answer": {"name": "widgets", "qty": 12}},
            {"input": "No tea.", "answer": {"name": "tea", "qty": 0}},
        ],
        "inputs": [{"text": "Two eggs."}],
    });
    serde_json::from_value(text).unwrap()
}

#[test]
fn leaks_are_counted_by_preset_and_example() {
    let trials = trials();
    let all: Vec<&Trial> = trials.iter().collect();
    let copied = Copied::of(&all, &[]);
    let rows: Vec<String> = copied
        .leaks
        .iter()
        .map(|it| {
            let counts = format!("{}/{} {}", it.n_leaking, it.n_replies, it.n_values);
            format!("{} {} {counts}: {}", it.label, it.example, it.places_text())
        })
        .collect();
    assert_eq!(
        rows,
        [
            "greedy 1 2/4 3: /name 2, /qty 1",
            "greedy 2 1/4 1: /name 1",
            "greedy, swapped 1 1/3 1: /name 1",
        ]
    );
    assert_eq!(copied.swaps.len(), 2);
    assert_eq!(copied.stand_ins, []);
}

#[test]
fn stand_ins_are_proposed_for_the_examples_of_a_task_that_leaks() {
    let trials = trials();
    let all: Vec<&Trial> = trials.iter().collect();
    let other = Task {
        id: "other".to_owned(),
        ..task()
    };
    let proposed = Copied::of(&all, &[other, task()]).stand_ins;
    let [first, second] = proposed.as_slice() else {
        panic!("{proposed:?}")
    };
    // Copies of the task's own values alone: those under swapped examples are of other ones.
    assert_eq!((first.n_values, second.n_values), (3, 1));
    assert_eq!(first.own.input, "Get 12 widgets.");
    assert_eq!(first.proposed.input, "Get 0 NAME.");
    assert_eq!(first.proposed.answer, json!({"name": "NAME", "qty": 0}));
}

#[test]
fn the_report_has_leaks_and_stand_ins_in_markdown_and_as_a_page() {
    let trials = trials();
    let plan = Plan::parse(r#"{"v": 1, "name": "p", "tasks": ["mood"]}"#, "p.json").unwrap();
    let mut report = Report::new(&plan, "greedy".to_owned(), &trials);
    report.tasks = vec![task()];
    let text = markdown(&report);
    for row in [
        "| greedy | mood | 1 | 4 | 2 | 3 | /name 2, /qty 1 |",
        "| greedy | mood | 1 | swapped | 3 | 2 | 1 | 1 | 0 |",
        "| mood | 1 | 3 | input | Get 12 widgets. | Get 0 NAME. |",
    ] {
        assert!(text.contains(row), "{text}");
    }
    let page = html(&report);
    assert!(page.contains("<td>{&quot;name&quot;:&quot;NAME&quot;,&quot;qty&quot;:0}</td>"));
}
