//! What followed the example, on replies made by hand.

use serde_json::{Value, json};

use super::records::trial;
use crate::judge::Leak;
use crate::lab::{CellStamp, Copies, Trial, counterfactual};
use crate::ladder::Rung;
use crate::prompt::ExampleValues;

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
