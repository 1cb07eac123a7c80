//! What many records say together.

use super::records::trial;
use crate::lab::{Column, Share, Summary, Table};
use crate::ladder::Rung;

fn summary() -> Summary {
    let trials = [
        trial(
            "greedy",
            Some(Rung::AsIs),
            [Some(true), Some(true), Some(true)],
        ),
        trial(
            "chat",
            Some(Rung::Repair),
            [Some(false), Some(false), Some(false)],
        ),
        trial("greedy", Some(Rung::Cut), [Some(true), Some(false), None]),
        trial("greedy", None, [Some(false), None, None]),
    ];
    Summary::of(&trials)
}

#[test]
fn rows_come_in_the_order_of_the_trials() {
    let names: Vec<_> = summary().rows.into_iter().map(|it| it.preset).collect();
    assert_eq!(names, ["greedy", "chat"]);
}

#[test]
fn what_could_not_be_judged_is_not_counted() {
    let greedy = summary().rows.remove(0);
    assert_eq!(greedy.n_replies, 3);
    assert_eq!(greedy.as_is, Share { n: 1, of: 3 });
    assert_eq!(greedy.parses, Share { n: 2, of: 3 });
    assert_eq!(greedy.schema, Share { n: 2, of: 3 });
    assert_eq!(greedy.correct, Share { n: 1, of: 2 });
    assert_eq!(greedy.leak_free, Share { n: 1, of: 1 });
}

#[test]
fn the_text_is_aligned() {
    let expected = "\
preset  replies      as is     parses     schema    correct  leak-free
greedy        3  1/3  33 %  2/3  67 %  2/3  67 %  1/2  50 %  1/1 100 %
chat          1  0/1   0 %  1/1 100 %  0/1   0 %  0/1   0 %  0/1   0 %
";
    assert_eq!(summary().table().text(), expected);
}

#[test]
fn markdown_has_a_rule_under_its_head() {
    let markdown = summary().table().markdown();
    let mut lines = markdown.lines();
    assert!(
        lines
            .next()
            .unwrap()
            .starts_with("| preset | replies | as is |")
    );
    assert_eq!(
        lines.next(),
        Some("| --- | --: | --: | --: | --: | --: | --: |")
    );
    assert!(
        lines
            .next()
            .unwrap()
            .starts_with("| greedy | 3 | 1/3  33 % |")
    );
}

#[test]
fn nothing_judged_is_a_dash() {
    assert_eq!(Share::default().text(), "–");
}

#[test]
fn nothing_tried_is_a_head_alone() {
    assert_eq!(Summary::of([]).table().text().lines().count(), 1);
}

fn table(cell: &str) -> Table {
    let column = |title: &str| Column {
        title: title.to_owned(),
        is_number: false,
    };
    Table {
        columns: vec![column("a"), column("b")],
        rows: vec![vec![cell.to_owned(), "x".to_owned()]],
    }
}

#[test]
fn wide_characters_are_counted_twice() {
    assert_eq!(table("苹果").text(), "a     b\n苹果  x\n");
}

#[test]
fn a_bar_in_a_cell_breaks_no_markdown() {
    assert!(table("p|q").markdown().contains("| p\\|q | x |"));
}
