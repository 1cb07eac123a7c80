//! Random values written carelessly, as models do, come back as they were meant.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::prefixes::{Dice, is_kept};
use crate::ladder::{Climb, Flag, Hint, Rung, climb};

const TEXTS: &[&str] = &[
    "milk",
    "two words",
    "it's",
    "a, b",
    "x: y",
    "(z)",
    "{q}",
    "[r]",
    "http://x.y/z",
    "#tag",
    "",
    "张三，李四",
    "“q”",
    "null",
    "1,234",
    "a // b",
    "don't, won't",
    "...",
];

const KEYS: &[&str] = &["name", "qty", "first_name", "total", "价格", "e-mail", "n2"];

/// Writes a value carelessly.
struct Careless {
    dice: Dice,
    text: String,
}

impl Careless {
    fn value(&mut self, value: &Value, depth: usize) {
        match value {
            Value::Object(map) => self.object(map, depth),
            Value::Array(items) => self.array(items, depth),
            Value::String(text) => self.string(text),
            Value::Bool(true) => self.one_of(&["true", "True", "TRUE"]),
            Value::Bool(false) => self.one_of(&["false", "False"]),
            Value::Null => self.one_of(&["null", "None", "undefined"]),
            Value::Number(number) => write!(self.text, "{number}").unwrap(),
        }
    }

    fn object(&mut self, map: &Map<String, Value>, depth: usize) {
        self.text.push('{');
        for (n, (key, value)) in map.iter().enumerate() {
            self.space(depth);
            if self.dice.roll(3) == 0 && !key.contains('-') {
                self.text.push_str(key);
            } else {
                self.string(key);
            }
            self.one_of(&[":", ": ", "：", " : "]);
            self.value(value, depth + 1);
            self.comma(n + 1 == map.len(), depth);
        }
        self.text.push('}');
    }

    fn array(&mut self, items: &[Value], depth: usize) {
        self.text.push('[');
        for (n, item) in items.iter().enumerate() {
            self.space(depth);
            self.value(item, depth + 1);
            self.comma(n + 1 == items.len(), depth);
        }
        self.text.push(']');
    }

    fn comma(&mut self, is_last: bool, depth: usize) {
        match (is_last, self.dice.roll(8)) {
            (true, 0..6) => {}
            (false, 0) => {
                self.text.push('\n');
                self.space(depth);
            }
            (false, 1) => self.text.push_str(", // it's a note\n"),
            (false, 2) => self.text.push_str(" /* { */ ,"),
            _ => self.text.push(','),
        }
    }

    fn string(&mut self, text: &str) {
        let quoted = Value::String(text.to_owned()).to_string();
        let inner = &quoted[1..quoted.len() - 1];
        match self.dice.roll(4) {
            0 if !text.contains('\'') => write!(self.text, "'{inner}'").unwrap(),
            1 if !text.contains(['“', '”']) => write!(self.text, "“{inner}”").unwrap(),
            _ => self.text.push_str(&quoted),
        }
    }

    fn space(&mut self, depth: usize) {
        match self.dice.roll(3) {
            0 => {}
            1 => self.text.push(' '),
            _ => write!(self.text, "\n{}", "  ".repeat(depth)).unwrap(),
        }
    }

    fn one_of(&mut self, words: &[&str]) {
        self.text.push_str(words[self.dice.roll(words.len())]);
    }
}

#[test]
fn careless_writing_comes_back_as_it_was_meant() {
    let mut faults = Vec::new();
    let mut n_repaired = 0;
    for seed in 1..3000 {
        let (reply, value) = careless(seed);
        let found = climb(&reply, &Hint::default());
        if found.value() != Some(&value) {
            faults.push(fault(&reply, &value, &found));
        } else if found.rung == Some(Rung::Repair) {
            assert!(!found.repairs().is_empty(), "{reply:?}");
            n_repaired += 1;
        }
    }
    assert!(n_repaired > 2000, "only {n_repaired} replies were damaged");
    assert!(
        faults.is_empty(),
        "{} faults\n{}",
        faults.len(),
        faults[..faults.len().min(6)].join("\n")
    );
}

#[test]
fn careless_writing_that_is_cut_keeps_only_what_was_meant() {
    let mut faults = Vec::new();
    for seed in 1..500 {
        let (text, value) = careless(seed);
        for (cut, _) in text.char_indices() {
            let found = climb(&text[..cut], &Hint::default());
            let is_right = match found.value() {
                Some(found) => is_kept(found, &value),
                None => cut == 0,
            };
            if !is_right {
                faults.push(fault(&text[..cut], &value, &found));
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{} faults\n{}",
        faults.len(),
        faults[..faults.len().min(12)].join("\n")
    );
}

#[test]
fn a_lost_mark_never_gives_a_wrong_value_in_silence() {
    let values = [
        json!({"name": "Tom Lee", "qty": 2, "tags": ["a", "b c"], "addr": {"city": "Rome", "zip": "00100"}, "ok": true}),
        json!({"items": [{"name": "milk", "qty": 2}, {"name": "eggs", "qty": 12}]}),
        json!({"mood": "happy", "reply": "Fine - thanks", "n": null}),
    ];
    let mut n_right = 0;
    for value in values {
        for text in [
            value.to_string(),
            serde_json::to_string_pretty(&value).unwrap(),
        ] {
            for (at, _) in text.match_indices(['{', '}', '[', ']', ',', ':', '"']) {
                let reply = [&text[..at], &text[at + 1..]].concat();
                let found = climb(&reply, &Hint::default());
                let is_right = found.value() == Some(&value);
                let is_told = found.value().is_none() || found.flags.contains(&Flag::Truncated);
                assert!(is_right || is_told, "{}", fault(&reply, &value, &found));
                n_right += usize::from(is_right);
            }
        }
    }
    assert!(n_right >= 120, "only {n_right} came back");
}

fn careless(seed: u64) -> (String, Value) {
    let mut careless = Careless {
        dice: Dice(0x5eed_1000 + seed * 7919),
        text: String::new(),
    };
    let value = Value::Object(random_object(&mut careless.dice, 3));
    careless.value(&value, 1);
    (careless.text, value)
}

fn fault(reply: &str, meant: &Value, found: &Climb) -> String {
    let value = found.value().map(ToString::to_string);
    let last = found.attempts().last().map(|it| &it.error.message);
    format!("{reply:?}\n  meant {meant}\n  gave {value:?} {last:?}")
}

pub(super) fn random_object(dice: &mut Dice, depth: usize) -> Map<String, Value> {
    (0..=dice.roll(4))
        .map(|_| {
            (
                KEYS[dice.roll(KEYS.len())].to_owned(),
                random_value(dice, depth),
            )
        })
        .collect()
}

fn random_value(dice: &mut Dice, depth: usize) -> Value {
    match dice.roll(if depth == 0 { 6 } else { 8 }) {
        0 => Value::Null,
        1 => Value::Bool(dice.roll(2) == 0),
        2 => json!(dice.roll(1000)),
        3 => json!(dice.roll(100) as f64 / 4.0),
        4 | 5 => json!(TEXTS[dice.roll(TEXTS.len())]),
        6 => (0..dice.roll(4))
            .map(|_| random_value(dice, depth - 1))
            .collect(),
        _ => Value::Object(random_object(dice, depth - 1)),
    }
}
