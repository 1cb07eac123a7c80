//! What ladder, lamps and tree compute before they draw.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::*;
use crate::judge::Fault;
use crate::ladder::{Attempt, Climb, Findings, Rung, SyntaxError};
use crate::ui::widgets::Light;

fn climb(rung: Option<Rung>, failed: &[Rung]) -> Climb {
    let attempt = |&rung: &Rung| Attempt {
        rung,
        error: SyntaxError {
            message: "no".to_owned(),
            line: 2,
            column: 3,
        },
    };
    Climb {
        rung,
        findings: Findings::default().with_attempts(failed.iter().map(attempt).collect()),
        ..Climb::default()
    }
}

#[track_caller]
fn check_ladder(climb: Option<&Climb>, top_down: &[RungState; 4]) {
    let states: Vec<RungState> = rows(climb).into_iter().map(|it| it.state).collect();
    assert_eq!(states, top_down.as_slice());
}

fn gave_way() -> RungState {
    RungState::Failed("2:3 no".to_owned())
}

#[test]
fn all_rungs_wait_before_there_is_a_reply() {
    check_ladder(None, &[const { RungState::Waiting }; 4]);
}

#[test]
fn rungs_above_the_one_that_held_are_not_needed() {
    let climb = climb(Some(Rung::Fences), &[Rung::AsIs]);
    let not_needed = || RungState::NotNeeded;
    check_ladder(
        Some(&climb),
        &[not_needed(), not_needed(), RungState::Held, gave_way()],
    );
}

#[test]
fn no_rung_holds_a_reply_without_json() {
    let all = [Rung::AsIs, Rung::Fences, Rung::Cut, Rung::Repair];
    let climb = climb(None, &all);
    check_ladder(
        Some(&climb),
        &[gave_way(), gave_way(), gave_way(), gave_way()],
    );
}

#[test]
fn no_lamp_is_lit_before_there_is_a_reply() {
    assert!(lamps(None).iter().all(|it| it.light == Light::Unjudged));
}

#[track_caller]
fn check_tree(value: &Value, folded: &[&str], expected: &[&str]) {
    let folded: BTreeSet<String> = folded.iter().map(|&it| it.to_owned()).collect();
    let tree = Tree::new(value, &folded, &[]);
    let line = |it: &TreeRow| {
        let indent = "  ".repeat(it.depth);
        let key = it
            .key
            .as_ref()
            .map(|it| format!("{it}: "))
            .unwrap_or_default();
        format!("{indent}{key}{}", it.text)
    };
    let lines: Vec<String> = tree.rows.iter().map(line).collect();
    assert_eq!(lines, expected);
}

#[test]
fn the_tree_keeps_the_order_of_keys() {
    check_tree(
        &json!({"b": 1, "a": "x"}),
        &[],
        &["{ }", "  b: 1", "  a: \"x\""],
    );
}

#[test]
fn a_folded_branch_says_what_is_in_it() {
    check_tree(
        &json!({"list": [1, 2]}),
        &["/list"],
        &["{ }", "  list: [ 2 items ]"],
    );
}

#[test]
fn an_empty_branch_cannot_be_folded() {
    check_tree(&json!({}), &[""], &["{}"]);
}

#[test]
fn a_key_with_a_slash_has_a_pointer_of_its_own() {
    check_tree(
        &json!({"a/b": {"c": 1}}),
        &["/a~1b"],
        &["{ }", "  a/b: { 1 key }"],
    );
}

#[test]
fn a_fault_stands_at_its_place() {
    let fault = Fault {
        instance_path: "/a".to_owned(),
        keyword: "type".to_owned(),
        message: "wrong".to_owned(),
        ..Fault::default()
    };
    let (value, folded) = (json!({"a": 1}), BTreeSet::new());
    let tree = Tree::new(&value, &folded, std::slice::from_ref(&fault));
    let marked: Vec<&str> = tree
        .rows
        .iter()
        .filter(|it| it.fault.is_some())
        .map(|it| it.pointer.as_str())
        .collect();
    assert_eq!(marked, ["/a"]);
}

#[test]
fn a_huge_value_is_cut_and_says_so() {
    let (value, folded) = (json!(vec![0; 5_000]), BTreeSet::new());
    assert!(Tree::new(&value, &folded, &[]).is_cut);
}
