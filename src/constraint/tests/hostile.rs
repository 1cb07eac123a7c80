//! Grammars that hang, abort or exhaust other readers: each is an error, or its work is bounded.

use super::{grammar, toy};
use crate::constraint::{check, compile};

/// What becomes of a grammar.
pub(super) enum Fate {
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
pub(super) fn check_fate(name: &str, text: &str, fate: &Fate) {
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

const SHORT: &[(&str, &str, Fate)] = &[
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

#[test]
fn short_grammars_with_a_trap() {
    for (name, text, fate) in SHORT {
        check_fate(name, text, fate);
    }
    assert!(SHORT.len() >= 38);
}
