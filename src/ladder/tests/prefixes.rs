//! Random values cut at every byte: what is kept was written, nothing is invented, nothing panics.

use serde_json::{Map, Value, json};

use crate::ladder::{Hint, Rung, climb};

/// What garbage is made of.
const GARBAGE: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "\"",
    "'",
    "“",
    "”",
    "：",
    "，",
    ":",
    ",",
    "\\",
    "\\u",
    "\\ud83d",
    "d83d",
    "```",
    "```json\n",
    "\n",
    " ",
    "//",
    "/*",
    "*/",
    "#",
    "...",
    "…",
    "a",
    "key",
    "12",
    "-",
    "1e400",
    "+",
    "true",
    "nul",
    "NaN",
    "<think>",
    "</think>",
    "<tool_call>",
    "[TOOL_CALLS]",
    "é",
    "\u{feff}",
    "\u{200b}",
    "\0",
    "=>",
    "=",
    ";",
    "u",
    "f(",
    "ObjectId(",
    "｛",
    "］",
    "②",
    "<|channel|>",
    "◁think▷",
    "~~~",
    "``",
];

/// A small random number generator (xorshift), so that every run sees the same values.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn roll(&mut self, n_sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n_sides as u64) as usize
    }

    fn text(&mut self) -> String {
        const PIECES: &[&str] = &[
            "a", "milk", " ", "\"", "\\", "\n", "é", "张", "😀", "{", "}", "[", "]", ",", ":", "'",
            "//", "```", "“", "”", "null", "12", "\t", "#", "<think>", "\u{200b}",
        ];
        (0..self.roll(5))
            .map(|_| PIECES[self.roll(PIECES.len())])
            .collect()
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.roll(if depth == 0 { 6 } else { 8 }) {
            0 => Value::Null,
            1 => Value::Bool(self.roll(2) == 0),
            2 => json!(self.roll(100_000)),
            3 => json!(self.roll(1000) as f64 / 8.0),
            4 | 5 => Value::String(self.text()),
            6 => Value::Array((0..self.roll(4)).map(|_| self.value(depth - 1)).collect()),
            _ => Value::Object(self.object(depth)),
        }
    }

    pub(super) fn object(&mut self, depth: usize) -> Map<String, Value> {
        (0..self.roll(4))
            .map(|n| (format!("{}{n}", self.text()), self.value(depth - 1)))
            .collect()
    }
}

#[test]
fn valid_json_stays_on_the_first_rung_unchanged() {
    let mut dice = Dice(0x5eed_0001);
    for _ in 0..2000 {
        let value = dice.value(4);
        let text = value.to_string();
        let found = climb(&text, &Hint::default());
        assert_eq!(found.rung, Some(Rung::AsIs), "{text}");
        assert_eq!(found.value(), Some(&value), "{text}");
        assert!(
            found.repairs().is_empty() && found.whole_reply_valid,
            "{text}"
        );
    }
}

#[test]
fn a_cut_reply_keeps_only_what_was_written() {
    let mut dice = Dice(0x5eed_0002);
    let mut refused = Vec::new();
    for n in 0..400 {
        let object = Value::Object(dice.object(4));
        let text = if n % 2 == 0 {
            object.to_string()
        } else {
            serde_json::to_string_pretty(&object).unwrap()
        };
        for cut in 0..text.len() {
            let Some(reply) = text.get(..cut) else {
                continue;
            };
            let found = climb(reply, &Hint::default());
            if let Some(value) = found.value() {
                assert!(
                    is_kept(value, &object),
                    "{reply:?} of {text:?} gave {value}"
                );
            } else if cut > 0 {
                refused.push(reply.to_owned());
            }
        }
    }
    // Strings that look like structure may be refused, but hardly ever.
    assert!(refused.len() <= 5, "{refused:#?}");
}

#[test]
fn the_tolerant_parser_reads_valid_json_without_an_edit() {
    let mut dice = Dice(0x5eed_0003);
    for _ in 0..2000 {
        let value = Value::Array(vec![Value::Object(dice.object(4)), dice.value(3)]);
        let text = value.to_string();
        let parsed = crate::ladder::repair::repair(&text)
            .0
            .unwrap_or_else(|fail| panic!("{text} {fail:?}"));
        assert_eq!(parsed.document.value(&text), value, "{text}");
        assert!(parsed.log.edits.is_empty(), "{text} {:?}", parsed.log.edits);
    }
}

#[test]
fn prose_around_valid_json_changes_nothing() {
    let mut dice = Dice(0x5eed_0004);
    for _ in 0..500 {
        let value = Value::Object(dice.object(3));
        for reply in [
            format!("Here you are:\n{value}\nDon't hesitate to ask!"),
            format!("```json\n{value}\n```"),
            format!("<think>is it {{x}}?</think>{value}"),
        ] {
            let found = climb(&reply, &Hint::default());
            assert_eq!(found.value(), Some(&value), "{reply}");
            assert!(found.rung <= Some(Rung::Cut), "{reply}");
        }
    }
}

#[test]
fn garbage_never_panics() {
    let mut dice = Dice(0x5eed_0005);
    for _ in 0..30_000 {
        let reply: String = (0..dice.roll(24))
            .map(|_| GARBAGE[dice.roll(GARBAGE.len())])
            .collect();
        let found = climb(&reply, &Hint::default());
        assert_eq!(found.value().is_some(), found.rung.is_some(), "{reply:?}");
        for repair in found.repairs() {
            assert!(
                reply.is_char_boundary(repair.offset),
                "{reply:?} {repair:?}"
            );
            assert!(
                reply[repair.offset..].starts_with(&*repair.before),
                "{reply:?} {repair:?}"
            );
        }
    }
}

/// Whether every scalar is the original's or its beginning, and every key is the original's.
pub(super) fn is_kept(found: &Value, original: &Value) -> bool {
    match (found, original) {
        (Value::Object(found), Value::Object(original)) => found
            .iter()
            .all(|(key, value)| original.get(key).is_some_and(|it| is_kept(value, it))),
        (Value::Array(found), Value::Array(original)) => {
            found.len() <= original.len() && found.iter().zip(original).all(|(a, b)| is_kept(a, b))
        }
        (Value::String(found), Value::String(original)) => original.starts_with(found.as_str()),
        (Value::Number(found), Value::Number(original)) => {
            let found = found.to_string();
            original
                .to_string()
                .starts_with(found.trim_end_matches(".0"))
        }
        _ => found == original,
    }
}
