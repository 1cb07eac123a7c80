//! Grammars that hang, abort or exhaust other readers: each is an error, or its work is bounded.

use super::{grammar, toy};
use crate::constraint::{check, compile};

/// What becomes of a grammar.
enum Fate {
    /// It is refused, in words that hold this.
    Refused(&'static str),
    /// It is read, and the text is walked to this many bytes.
    Walked(&'static str, usize),
    /// It is read; a walk may give up, with an error, but not go on for long.
    Bounded(&'static str),
}
use Fate::{Bounded, Refused, Walked};

/// Places that one mask or token may look at. Some millions take less than a tenth of a second.
const MAX_WORK: usize = 8_100_000;

#[track_caller]
fn check_fate(name: &str, text: &str, fate: &Fate) {
    match fate {
        Refused(words) => {
            let error = check(&grammar(text)).expect_err(name);
            assert!(error.to_string().contains(words), "{name}: {error}");
            assert!(error.place.is_some(), "{name}: {error}");
            assert!(error.to_string().len() < 600, "{name}: a long message");
            assert!(compile(&grammar(text), toy()).is_err(), "{name}");
        }
        Walked(reply, n_bytes) => assert_eq!(walk(name, text, reply), Some(*n_bytes), "{name}"),
        Bounded(reply) => {
            walk(name, text, reply);
        }
    }
}

/// Bytes taken; none when the walk gave up.
#[track_caller]
fn walk(name: &str, text: &str, reply: &str) -> Option<usize> {
    let mut matcher = compile(&grammar(text), toy()).expect(name).expect(name);
    let mut n_taken = 0;
    for token in toy().tokenize(reply.as_bytes()).unwrap() {
        let mask = matcher.mask();
        assert!(
            matcher.work() < MAX_WORK,
            "{name}: {} places",
            matcher.work()
        );
        if !mask.ok()?.allows(token) {
            return Some(n_taken);
        }
        let taken = matcher.accept(token);
        assert!(
            matcher.work() < MAX_WORK,
            "{name}: {} places",
            matcher.work()
        );
        taken.ok()?;
        n_taken += toy().piece(token).len();
    }
    matcher.mask().ok().map(|_| n_taken)
}

#[test]
fn short_grammars_with_a_trap() {
    let rows: &[(&str, &str, Fate)] = &[
        ("open text", "root ::= \"a", Refused("never closed")),
        (
            "open text after a backslash",
            "root ::= \"a\\",
            Refused("escape"),
        ),
        ("open class", "root ::= [a", Refused("never closed")),
        ("open range", "root ::= [a-", Refused("never closed")),
        ("open group", "root ::= (\"a\"", Refused("never closed")),
        ("open count", "root ::= \"a\"{2,", Refused("`}`")),
        ("open token", "root ::= <", Refused("never closed")),
        ("unknown rule", "root ::= nope", Refused("not defined")),
        ("empty", "", Refused("empty")),
        ("zero byte", "\0", Refused("U+0000")),
        ("no root", "a ::= \"b\"", Refused("root")),
        ("name of nothing", "::= \"a\"", Refused("name of a rule")),
        ("itself", "root ::= root", Refused("left recursion")),
        (
            "left",
            "root ::= root \"a\" | \"b\"",
            Refused("root → root"),
        ),
        (
            "left, in a group",
            "root ::= ((root)) \"a\" | \"b\"",
            Refused("root → root"),
        ),
        (
            "left, repeated",
            "root ::= root* \"a\"",
            Refused("root → root"),
        ),
        (
            "left, behind an optional",
            "root ::= \"x\"? root \"a\" | \"b\"",
            Refused("root → root"),
        ),
        (
            "left, behind an empty text",
            "root ::= \"\" root | \"a\"",
            Refused("root → root"),
        ),
        (
            "left, behind a count of nothing",
            "root ::= \"a\"{0} root | \"b\"",
            Refused("root → root"),
        ),
        (
            "left, behind an empty class",
            "root ::= [] root | \"b\"",
            Refused("root → root"),
        ),
        (
            "left, through an empty rule",
            "root ::= e root \"a\" | \"b\"\ne ::= | \"c\"",
            Refused("root → root"),
        ),
        (
            "left, in a circle of three",
            "root ::= a\na ::= b \"1\"\nb ::= c\nc ::= a | \"x\"",
            Refused("a → b → c → a"),
        ),
        (
            "left, in an unused rule",
            "root ::= \"a\"\nb ::= b \"x\"",
            Refused("b → b"),
        ),
        ("never ends", "root ::= \"a\" root", Walked("aaaa", 4)),
        ("nothing at all", "root ::= \"\"", Walked("a", 0)),
        ("empty in a loop", "root ::= (\"\"*)* \"b\"", Walked("b", 1)),
        (
            "loops in loops",
            "root ::= (((\"a\"*)*)+)? \"b\"",
            Walked("aaab", 4),
        ),
        (
            "exponential in its length",
            "root ::= s\ns ::= \"x\" s s | \"\"",
            Walked("xxxxxxxxxxxxxxxxxxxx", 20),
        ),
        (
            "cubic",
            "root ::= s\ns ::= \"x\" s s s | \"x\"",
            Walked("xxxxxxxxxxxxxxxxxxxxx", 21),
        ),
        (
            "optional tails",
            "root ::= \"x\" root \"y\"? | \"\"",
            Walked("xxxxxxxxxxxxxxxxyyy", 19),
        ),
        (
            "same twice",
            "root ::= (\"x\" | \"x\" | \"x\")* \"y\"",
            Walked("xxxxxxxxxxxxy", 13),
        ),
        (
            "reversed range",
            "root ::= [z-a]",
            Refused("before it begins"),
        ),
        (
            "beyond Unicode",
            "root ::= \"\\UFFFFFFFF\"",
            Refused("not a Unicode"),
        ),
        (
            "half a surrogate",
            "root ::= \"\\uD83D\"",
            Refused("not a Unicode"),
        ),
        (
            "million million copies",
            "root ::= \"a\"{1000000000000}",
            Refused("2000"),
        ),
        (
            "copies of copies",
            "root ::= ((\"a\"{2000}){2000}){2000}",
            Refused("copies"),
        ),
        (
            "copies of loops",
            "root ::= ((\"a\"?){2000}){5}",
            Bounded("aaaaaaaaaaaaaaaa"),
        ),
        (
            "tokens without end",
            "root ::= (!<[1]>*)* \"a\"",
            Walked("milka", 5),
        ),
    ];
    for (name, text, fate) in rows {
        check_fate(name, text, fate);
    }
    assert!(rows.len() >= 38);
}

#[test]
fn long_grammars_with_a_trap() {
    let many = |it: &str, n: usize| it.repeat(n);
    let chain = |n: usize, last: &str| {
        let mut text = "root ::= r0\n".to_owned();
        text.extend((0..n).map(|it| format!("r{it} ::= r{} | \"y\"\n", it + 1)));
        format!("{text}r{n} ::= {last}")
    };
    let rows: Vec<(&str, String, Fate)> = vec![
        (
            "a megabyte of (",
            many("(", 1_000_000),
            Refused("name of a rule"),
        ),
        (
            "a rule of (",
            format!("root ::= {}", many("(", 999_000)),
            Refused("128 deep"),
        ),
        (
            "groups to the bound",
            format!("root ::= {}\"a\"{}", many("(", 128), many(")", 128)),
            Walked("a", 1),
        ),
        (
            "a megabyte of [",
            format!("root ::= {}", many("[", 999_000)),
            Refused("never closed"),
        ),
        (
            "a megabyte of \"",
            format!("root ::= {}", many("\"", 999_000)),
            Walked("a", 0),
        ),
        (
            "a megabyte of \\",
            format!("root ::= \"{}", many("\\", 999_000)),
            Refused("never closed"),
        ),
        (
            "a megabyte of *",
            format!("root ::= \"a\"{}", many("*", 999_000)),
            Refused("quantifiers"),
        ),
        (
            "a megabyte of |",
            format!("root ::= {}", many("|", 999_000)),
            Refused("alternatives"),
        ),
        (
            "a megabyte of <",
            format!("root ::= {}", many("<", 999_000)),
            Refused("never closed"),
        ),
        (
            "a megabyte of !",
            format!("root ::= {}", many("!", 999_000)),
            Refused("after `!`"),
        ),
        ("a megabyte of lines", many("\n", 999_000), Refused("empty")),
        (
            "a megabyte of comment",
            format!("#{}", many("é", 400_000)),
            Refused("empty"),
        ),
        (
            "a megabyte of a name",
            format!("root ::= {}", many("a", 990_000)),
            Refused("200 characters"),
        ),
        (
            "a megabyte of names",
            format!(
                "root ::= {}",
                (0..130_000).map(|it| format!("a{it} ")).collect::<String>()
            ),
            Refused("not defined"),
        ),
        (
            "a megabyte of rules",
            format!(
                "root ::= \"a\"\n{}",
                (0..60_000)
                    .map(|it| format!("a{it} ::= \"b\"\n"))
                    .collect::<String>()
            ),
            Walked("a", 1),
        ),
        (
            "a megabyte of the same rule",
            many("root ::= \"a\"\n", 75_000),
            Walked("a", 1),
        ),
        (
            "a megabyte of empty classes",
            format!("root ::= {}\"a\"", many("[]", 400_000)),
            Walked("a", 1),
        ),
        (
            "a megabyte of ranges",
            format!("root ::= [{}]", many("é-ö", 190_000)),
            Walked("é", 2),
        ),
        (
            "a megabyte of classes",
            format!("root ::= {}", many("[^a]", 240_000)),
            Refused("steps"),
        ),
        (
            "a megabyte of loops",
            format!("root ::= {}", many("\"a\"*", 240_000)),
            Bounded("aaaa"),
        ),
        (
            "a megabyte of calls",
            format!("root ::= \"x\" {}", many("root ", 190_000)),
            Bounded("xxx"),
        ),
        (
            "a megabyte of tokens",
            format!("root ::= {}", many("<[65]>", 160_000)),
            Walked("AAA", 3),
        ),
        (
            "more than a megabyte",
            many(" ", 1_000_001),
            Refused("1000001 bytes"),
        ),
        (
            "a hundred thousand alternatives",
            format!("root ::= \"a\"{}", many("|\"b\"", 100_000)),
            Refused("20000 alternatives"),
        ),
        (
            "alternatives to the bound",
            format!("root ::= \"a\"{}", many("|\"b\"", 19_000)),
            Walked("b", 1),
        ),
        ("a long left chain", chain(20_000, "\"x\""), Walked("x", 1)),
        (
            "a long left circle",
            chain(20_000, "r0 \"x\""),
            Refused("left recursion"),
        ),
        (
            "two thousand optional items",
            format!("root ::= {}", many("\"ab\"? ", 2_000)),
            Bounded("ababababab"),
        ),
        (
            "counts on counts",
            format!("root ::= {}\"a\"{}", many("(", 13), many(" \"b\"?){2}", 13)),
            Bounded("aaaaaaa"),
        ),
        (
            "dots that overlap",
            "root ::= (.{0,50} | .{3,60} .)* \"z\"".to_owned(),
            Bounded("the quick brown fox, jumps over"),
        ),
        (
            "counts that overlap",
            "root ::= ([a-z ]{0,100} \",\"?){0,100}".to_owned(),
            Bounded("the quick brown fox, jumps over"),
        ),
    ];
    for (name, text, fate) in &rows {
        check_fate(name, text, fate);
    }
    assert!(rows.len() >= 28);
}
