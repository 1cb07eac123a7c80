//! Long grammars that hang, abort or exhaust other readers.

use super::hostile::Fate::{Bounded, Refused, Walked};
use super::hostile::check_fate;

fn many(part: &str, n: usize) -> String {
    part.repeat(n)
}

/// A part for each number.
fn numbered(n: usize, part: fn(usize) -> String) -> String {
    let mut res = String::new();
    res.extend((0..n).map(part));
    res
}

/// Rules that each begin with the next one, down to the last.
fn chain(n: usize, last: &str) -> String {
    let rules = numbered(n, |it| format!("r{it} ::= r{} | \"y\"\n", it + 1));
    format!("root ::= r0\n{rules}r{n} ::= {last}")
}

#[test]
fn a_megabyte_of_marks_and_brackets() {
    check_fate(
        "a megabyte of (",
        &many("(", 1_000_000),
        &Refused("name of a rule"),
    );
    check_fate(
        "a rule of (",
        &format!("root ::= {}", many("(", 999_000)),
        &Refused("128 deep"),
    );
    check_fate(
        "groups to the bound",
        &format!("root ::= {}\"a\"{}", many("(", 128), many(")", 128)),
        &Walked("a", 1),
    );
    check_fate(
        "a megabyte of [",
        &format!("root ::= {}", many("[", 999_000)),
        &Refused("never closed"),
    );
    check_fate(
        "a megabyte of \"",
        &format!("root ::= {}", many("\"", 999_000)),
        &Walked("a", 0),
    );
    check_fate(
        "a megabyte of \\",
        &format!("root ::= \"{}", many("\\", 999_000)),
        &Refused("never closed"),
    );
}

#[test]
fn a_megabyte_of_operators_and_lines() {
    check_fate(
        "a megabyte of *",
        &format!("root ::= \"a\"{}", many("*", 999_000)),
        &Refused("quantifiers"),
    );
    check_fate(
        "a megabyte of |",
        &format!("root ::= {}", many("|", 999_000)),
        &Refused("alternatives"),
    );
    check_fate(
        "a megabyte of <",
        &format!("root ::= {}", many("<", 999_000)),
        &Refused("never closed"),
    );
    check_fate(
        "a megabyte of !",
        &format!("root ::= {}", many("!", 999_000)),
        &Refused("after `!`"),
    );
    check_fate(
        "a megabyte of lines",
        &many("\n", 999_000),
        &Refused("empty"),
    );
    check_fate(
        "a megabyte of comment",
        &format!("#{}", many("é", 400_000)),
        &Refused("empty"),
    );
}

#[test]
fn a_megabyte_of_names_and_rules() {
    check_fate(
        "a megabyte of a name",
        &format!("root ::= {}", many("a", 990_000)),
        &Refused("200 characters"),
    );
    check_fate(
        "a megabyte of names",
        &format!("root ::= {}", numbered(130_000, |it| format!("a{it} "))),
        &Refused("not defined"),
    );
    check_fate(
        "a megabyte of rules",
        &format!(
            "root ::= \"a\"\n{}",
            numbered(60_000, |it| format!("a{it} ::= \"b\"\n"))
        ),
        &Walked("a", 1),
    );
    check_fate(
        "a megabyte of the same rule",
        &many("root ::= \"a\"\n", 75_000),
        &Walked("a", 1),
    );
    check_fate(
        "a megabyte of empty classes",
        &format!("root ::= {}\"a\"", many("[]", 400_000)),
        &Walked("a", 1),
    );
    check_fate(
        "a megabyte of ranges",
        &format!("root ::= [{}]", many("é-ö", 190_000)),
        &Walked("é", 2),
    );
    check_fate(
        "a megabyte of classes",
        &format!("root ::= {}", many("[^a]", 240_000)),
        &Refused("steps"),
    );
}

#[test]
fn a_megabyte_of_loops_and_calls() {
    check_fate(
        "a megabyte of loops",
        &format!("root ::= {}", many("\"a\"*", 240_000)),
        &Bounded("aaaa"),
    );
    check_fate(
        "a megabyte of calls",
        &format!("root ::= \"x\" {}", many("root ", 190_000)),
        &Bounded("xxx"),
    );
    check_fate(
        "a megabyte of tokens",
        &format!("root ::= {}", many("<[65]>", 160_000)),
        &Walked("AAA", 3),
    );
}

#[test]
fn a_megabyte_of_classes_and_loops() {
    check_fate(
        "more than a megabyte",
        &many(" ", 1_000_001),
        &Refused("1000001 bytes"),
    );
    check_fate(
        "a hundred thousand alternatives",
        &format!("root ::= \"a\"{}", many("|\"b\"", 100_000)),
        &Refused("20000 alternatives"),
    );
    check_fate(
        "alternatives to the bound",
        &format!("root ::= \"a\"{}", many("|\"b\"", 19_000)),
        &Walked("b", 1),
    );
    check_fate(
        "a long left chain",
        &chain(20_000, "\"x\""),
        &Walked("x", 1),
    );
    check_fate(
        "a long left circle",
        &chain(20_000, "r0 \"x\""),
        &Refused("left recursion"),
    );
    check_fate(
        "two thousand optional items",
        &format!("root ::= {}", many("\"ab\"? ", 2_000)),
        &Bounded("ababababab"),
    );
    check_fate(
        "counts on counts",
        &format!("root ::= {}\"a\"{}", many("(", 13), many(" \"b\"?){2}", 13)),
        &Bounded("aaaaaaa"),
    );
    check_fate(
        "dots that overlap",
        "root ::= (.{0,50} | .{3,60} .)* \"z\"",
        &Bounded("the quick brown fox, jumps over"),
    );
    check_fate(
        "counts that overlap",
        "root ::= ([a-z ]{0,100} \",\"?){0,100}",
        &Bounded("the quick brown fox, jumps over"),
    );
}
