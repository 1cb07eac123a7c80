//! Correctness, field by field, under the rules of a task.

#![expect(
    clippy::needless_pass_by_value,
    reason = "rows of cases read better without borrows"
)]

use serde_json::{Value, json};

use crate::judge::correctness;
use crate::prompt::Rules;

/// Each difference as `path: expected, found (remark)`.
#[track_caller]
fn check(rules: Value, expected: Value, found: Value, differences: &[&str]) {
    let rules = Rules::parse(rules.as_object().unwrap()).unwrap();
    let compared = correctness(&found, &expected, &rules);
    let texts: Vec<_> = compared
        .differences
        .iter()
        .map(|it| {
            let found = it
                .found
                .as_ref()
                .map_or("nothing".to_owned(), Value::to_string);
            let remark = it
                .remark
                .as_ref()
                .map(|it| format!(" ({it})"))
                .unwrap_or_default();
            format!("{}: {}, {found}{remark}", it.path, it.expected)
        })
        .collect();
    assert_eq!(texts, differences);
    assert_eq!(compared.correct, differences.is_empty());
}

#[track_caller]
fn check_exact(expected: Value, found: Value, differences: &[&str]) {
    check(json!({}), expected, found, differences);
}

#[test]
fn the_same_value_is_correct_whatever_its_order_of_keys() {
    check_exact(json!({"a": 1, "b": [2]}), json!({"b": [2], "a": 1}), &[]);
}

#[test]
fn a_whole_number_with_a_point_is_the_same_number() {
    check_exact(json!(2), json!(2.0), &[]);
    check_exact(
        json!(9_007_199_254_740_993_i64),
        json!(9_007_199_254_740_992_i64),
        &[": 9007199254740993, 9007199254740992"],
    );
}

#[test]
fn a_wrong_value_is_named_with_its_place() {
    check_exact(
        json!({"items": [{"qty": 1}, {"qty": 2}]}),
        json!({"items": [{"qty": 1}, {"qty": 3}]}),
        &["/items/1/qty: 2, 3"],
    );
}

#[test]
fn a_number_written_as_text_is_remarked() {
    check_exact(
        json!(2),
        json!("2"),
        &[": 2, \"2\" (the text \"2\", not the number 2)"],
    );
}

#[test]
fn a_look_alike_digit_is_named() {
    check_exact(
        json!({"qty": "2"}),
        json!({"qty": "②"}),
        &["/qty: \"2\", \"②\" (② is CIRCLED DIGIT TWO, not 2)"],
    );
    check_exact(
        json!(12),
        json!("１２"),
        &[": 12, \"１２\" (１ is FULLWIDTH DIGIT ONE, not 1)"],
    );
}

#[test]
fn a_look_alike_of_another_number_is_just_wrong() {
    check_exact(json!("3"), json!("②"), &[": \"3\", \"②\""]);
}

#[test]
fn case_alone_is_remarked_where_it_counts() {
    check_exact(
        json!("Tom"),
        json!(" tom"),
        &[": \"Tom\", \" tom\" (differs only in case or white space)"],
    );
}

#[test]
fn case_and_white_space_are_folded_where_the_rule_says_so() {
    check(
        json!({"/a": "folded"}),
        json!({"a": "Tom  Berg"}),
        json!({"a": " tom\nberg "}),
        &[],
    );
    check(
        json!({"/a": "folded"}),
        json!({"a": "Tom"}),
        json!({"a": "Tim"}),
        &["/a: \"Tom\", \"Tim\""],
    );
}

#[test]
fn null_as_text_is_remarked() {
    check_exact(
        json!(null),
        json!("None"),
        &[": null, \"None\" (the text \"None\", not null)"],
    );
}

#[test]
fn a_missing_key_is_named() {
    check_exact(
        json!({"a": 1}),
        json!({}),
        &["/a: 1, nothing (this key is missing)"],
    );
}

#[test]
fn a_renamed_key_is_named() {
    check_exact(
        json!({"qty": 1}),
        json!({"quantity": 1}),
        &[
            "/qty: 1, nothing (the reply calls this key quantity)",
            "/quantity: null, 1 (the answer has no such key)",
        ],
    );
}

#[test]
fn a_number_may_be_off_by_its_tolerance() {
    let rules = || json!({"": {"number": 0.1}});
    check(rules(), json!(0.9), json!(0.8), &[]);
    check(rules(), json!(0.9), json!(0.79), &[": 0.9, 0.79"]);
    check(
        rules(),
        json!(0.9),
        json!("0.9"),
        &[": 0.9, \"0.9\" (the text \"0.9\", not the number 0.9)"],
    );
}

#[test]
fn an_ignored_field_may_be_anything_or_missing() {
    check(
        json!({"/a": "ignore"}),
        json!({"a": 1}),
        json!({"a": [2]}),
        &[],
    );
    check(json!({"/a": "ignore"}), json!({"a": 1}), json!({}), &[]);
    check(json!({"/a": "ignore"}), json!({}), json!({"a": 1}), &[]);
}

#[test]
fn lists_are_compared_in_order() {
    check_exact(json!([1, 2]), json!([2, 1]), &["/0: 1, 2", "/1: 2, 1"]);
    check_exact(
        json!([1]),
        json!([]),
        &["/0: 1, nothing (this item is missing)"],
    );
    check_exact(json!([]), json!([1]), &["/0: null, 1 (one item too many)"]);
}

#[test]
fn a_bag_counts_but_has_no_order() {
    let rules = || json!({"": "bag"});
    check(rules(), json!([1, 2, 2]), json!([2, 1, 2]), &[]);
    check(
        rules(),
        json!([1, 2, 2]),
        json!([2, 1]),
        &["/2: 2, nothing (this item is missing)"],
    );
    check(
        rules(),
        json!([1]),
        json!([1, 1]),
        &["/1: null, 1 (the answer has no such item)"],
    );
}

#[test]
fn a_set_does_not_even_count() {
    check(json!({"": "set"}), json!([1, 2]), json!([2, 1, 2]), &[]);
    check(
        json!({"": "set"}),
        json!([1, 2]),
        json!([1, 3]),
        &[
            "/1: 2, nothing (this item is missing)",
            "/1: null, 3 (the answer has no such item)",
        ],
    );
}

#[test]
fn a_set_compares_its_items_by_their_own_rule() {
    check(
        json!({"": "set", "/*": "folded"}),
        json!(["Tea", "milk"]),
        json!(["MILK", "tea", "Tea "]),
        &[],
    );
}

#[test]
fn in_a_bag_the_closest_item_is_compared_field_by_field() {
    check(
        json!({"/items": "bag", "/items/*/name": "folded"}),
        json!({"items": [{"name": "Milk", "qty": 1}, {"name": "Eggs", "qty": 6}]}),
        json!({"items": [{"name": "eggs", "qty": 5}, {"name": "milk", "qty": 1}]}),
        &["/items/0/qty: 6, 5"],
    );
}

#[test]
fn what_is_too_deep_is_not_correct() {
    let mut deep = json!(1);
    for _ in 0..300 {
        deep = json!([deep]);
    }
    let compared = correctness(&deep, &deep.clone(), &Rules::default());
    assert!(!compared.correct);
}

#[test]
fn long_bags_end() {
    let numbers: Vec<_> = (0..5_000).collect();
    let backwards: Vec<_> = (0..5_000).rev().collect();
    let rules = Rules::parse(json!({"": "bag"}).as_object().unwrap()).unwrap();
    let compared = correctness(&json!(backwards), &json!(numbers), &rules);
    assert!(compared.differences.len() <= 200);
}
