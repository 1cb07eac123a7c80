//! Every shipped grammar is read, takes a right reply and refuses a wrong one.

use super::{accepts, grammar, matcher, toy};
use crate::constraint::{check, grammars};

/// Name, right replies, wrong replies.
const ROWS: &[(&str, &[&str], &[&str])] = &[
    (
        "json",
        &[
            r"{}",
            r#"{"a": [1, -2.5e+3, true, null, "x\n\u00e4"], "b": {"c": ""}}"#,
        ],
        &[
            r"[]",
            r#"{"a":01}"#,
            r#"{"a":1,}"#,
            "{\"a\":\"\n\"}",
            r"{'a':1}",
        ],
    ),
    (
        "json-array",
        &["[]", r#"[{"a":1},"b"]"#],
        &["{}", "[1,]", "1"],
    ),
    (
        "list",
        &["- milk\n", "- milk\n- two eggs\n"],
        &["milk\n", "- milk", "- \n", "-milk\n"],
    ),
    (
        "digits-answer",
        &[r#"{"answer":"42"}"#, "{ \"answer\" : \"0\" }"],
        &[r#"{"answer":42}"#, r#"{"answer":""}"#],
    ),
    (
        "date-time",
        &[
            "2026-11-30",
            "09:15:00",
            "2026-11-30T09:15:00Z",
            "2024-02-29T23:59:59.5+01:00",
        ],
        &[
            "2026-02-30",
            "2026-11-31",
            "2026-11-30T09:15:00",
            "24:00:00",
            "2026-13-01",
        ],
    ),
    (
        "mood",
        &[r#"{"speaker": "Ann", "mood": "calm", "reply": "Good."}"#],
        &[
            r#"{"speaker":"Ann","mood":"bored","reply":"x"}"#,
            r#"{"mood":"calm","speaker":"Ann","reply":"x"}"#,
        ],
    ),
    (
        "contact",
        &[r#"{"name":"Ann","email":null,"phone":"+49 1"}"#],
        &[
            r#"{"name":"Ann","email":1,"phone":null}"#,
            r#"{"name":"Ann"}"#,
        ],
    ),
    (
        "shopping",
        &[
            r#"{"items":[]}"#,
            r#"{"items": [{"name": "milk", "qty": 2}, {"name": "eggs", "qty": 12}]}"#,
        ],
        &[
            r#"{"items":[{"name":"milk","qty":2.5}]}"#,
            r#"{"items":[{"name":"milk"}]}"#,
            r#"{"items":[{"name":"milk","qty":02}]}"#,
        ],
    ),
    (
        "maths",
        &[r#"{"reasoning":"2 and 2","answer":"4"}"#],
        &[
            r#"{"answer":"4","reasoning":"2 and 2"}"#,
            r#"{"reasoning":"2 and 2","answer":4}"#,
        ],
    ),
    (
        "ticket",
        &[
            r#"{"category":"billing","confidence":0.95}"#,
            r#"{"category":"other","confidence":1}"#,
        ],
        &[
            r#"{"category":"billing","confidence":1.5}"#,
            r#"{"category":"sales","confidence":0}"#,
        ],
    ),
    (
        "event",
        &[r#"{"name":"Tea","time":"17:00","action":"come"}"#],
        &[r#"{"name":"Tea","time":17,"action":"come"}"#, "{}"],
    ),
];

#[test]
fn shipped_grammars_take_right_replies_and_refuse_wrong_ones() {
    for ((name, text), (row, right, wrong)) in grammars().iter().zip(ROWS) {
        assert_eq!(name, row);
        for reply in *right {
            assert!(accepts(&grammar(text), reply.as_bytes()), "{name}: {reply}");
        }
        for reply in *wrong {
            assert!(
                !accepts(&grammar(text), reply.as_bytes()),
                "{name}: {reply}"
            );
        }
    }
    assert_eq!(grammars().len(), ROWS.len());
}

#[test]
fn shipped_grammars_have_no_fault_and_say_what_they_are_for() {
    for (name, text) in grammars() {
        assert_eq!(check(&grammar(text)), Ok(Vec::new()), "{name}");
        assert!(text.starts_with("# "), "{name}");
    }
}

#[test]
fn right_json_replies_parse() {
    for (name, right, _) in ROWS {
        if !matches!(*name, "list" | "date-time") {
            for reply in *right {
                assert!(
                    serde_json::from_str::<serde_json::Value>(reply).is_ok(),
                    "{name}: {reply}"
                );
            }
        }
    }
}

#[test]
fn white_space_alone_cannot_go_on() {
    for (name, text) in grammars() {
        let mut matcher = matcher(&grammar(text));
        let blanks = [b' ', b'\n', b'\t'].map(u32::from);
        if matcher.accept(u32::from(b'{')).is_err() {
            continue;
        }
        let n_taken = (0..100)
            .take_while(|_| blanks.iter().any(|it| matcher.accept(*it).is_ok()))
            .count();
        assert!(n_taken < 40, "{name} takes {n_taken} blanks");
    }
}

#[test]
fn the_first_token_obeys_the_grammar_every_time() {
    for (name, text) in grammars() {
        let first = matcher(&grammar(text)).mask().unwrap();
        assert!(first.n_legal() > 0, "{name}");
        for token in 0..toy().n_tokens() as u32 {
            let legal = matcher(&grammar(text)).accept(token).is_ok();
            assert_eq!(legal, first.allows(token), "{name}: token {token}");
        }
        for _ in 0..50 {
            assert_eq!(matcher(&grammar(text)).mask().unwrap(), first, "{name}");
        }
    }
}
