//! Random valid JSON with one known fault: it comes back, or what comes back is told as doubtful; rates by fault.

use serde_json::Value;

use super::damage::random_object;
use super::prefixes::Dice;
use crate::ladder::{Hint, Rung, climb};

/// A fault and what may come of it, in percent of the replies.
struct Fault {
    name: &'static str,
    /// So many come back as they were, at least.
    right: usize,
    /// So many wrong values without a flag or a note, at most.
    silent: usize,
    /// Breaks a text; none when it has no such place.
    damage: fn(&str, &mut Dice) -> Option<String>,
}

const FAULTS: &[Fault] = &[
    Fault {
        name: "none",
        right: 100,
        silent: 0,
        damage: |text, _| Some(text.to_owned()),
    },
    Fault {
        name: "a comma dropped",
        right: 97,
        silent: 0,
        damage: |text, dice| drop_one(text, &[','], dice),
    },
    Fault {
        name: "a closer dropped",
        right: 84,
        silent: 0,
        damage: |text, dice| drop_one(text, &['}', ']'], dice),
    },
    Fault {
        name: "a quote dropped",
        right: 46,
        silent: 0,
        damage: |text, dice| drop_one(text, &['"'], dice),
    },
    Fault {
        name: "quotes swapped",
        right: 99,
        silent: 0,
        damage: |text, _| Some(text.replace('"', "'")),
    },
    Fault {
        name: "cut anywhere",
        right: 0,
        silent: 0,
        damage: |text, dice| {
            let end = structure(text, &['{', '}', '[', ']', ',', ':', '"']);
            let end = end[dice.roll(end.len())];
            (end > 0).then(|| text[..end].to_owned())
        },
    },
    Fault {
        name: "in prose",
        right: 100,
        silent: 0,
        damage: |text, _| {
            Some(format!(
                "Sure, {{name}}! As [1] says:\n\n{text}\n\nIs there more I can do?"
            ))
        },
    },
    Fault {
        name: "in fences",
        right: 100,
        silent: 0,
        damage: |text, _| Some(format!("Here it is:\n```json\n{text}\n```\nDone.")),
    },
];

/// Offsets of marks that are structure: outside strings, or the quotes around them.
fn structure(text: &str, marks: &[char]) -> Vec<usize> {
    let (mut in_string, mut escaped) = (false, false);
    let mut places = Vec::new();
    for (at, c) in text.char_indices() {
        let is_quote = c == '"' && !escaped;
        if marks.contains(&c) && (is_quote || !in_string) {
            places.push(at);
        }
        in_string ^= is_quote;
        escaped = in_string && c == '\\' && !escaped;
    }
    places
}

fn drop_one(text: &str, marks: &[char], dice: &mut Dice) -> Option<String> {
    let places = structure(text, marks);
    let at = *places.get(dice.roll(places.len().max(1)))?;
    Some([&text[..at], &text[at + 1..]].concat())
}

#[test]
fn one_fault_never_gives_a_wrong_value_in_silence() {
    let mut faults = Vec::new();
    for fault in FAULTS {
        let (mut n_right, mut n_told, mut n_refused, mut silent) = (0, 0, 0, Vec::new());
        for seed in 1..=1_000 {
            let mut dice = Dice(0x5eed_2000 + seed * 6_151);
            let value = Value::Object(random_object(&mut dice, 3));
            let text = match seed % 2 {
                0 => value.to_string(),
                _ => serde_json::to_string_pretty(&value).unwrap(),
            };
            let Some(reply) = (fault.damage)(&text, &mut dice) else {
                continue;
            };
            // Without its comma, `[1,2]` is valid and means something else: nobody can tell.
            if fault.right < 100 && serde_json::from_str::<Value>(&reply).is_ok() {
                continue;
            }
            let found = climb(&reply, &Hint::default());
            let is_told = !found.flags.is_empty() || !found.notes.is_empty();
            match found.value() {
                Some(it) if *it == value => n_right += 1,
                Some(_) if is_told => n_told += 1,
                Some(it) => silent.push(format!("{reply}\n  gave {it}")),
                None => n_refused += 1,
            }
            assert!(fault.name != "none" || found.rung == Some(Rung::AsIs));
        }
        let n_all = n_right + n_told + n_refused + silent.len();
        println!(
            "{}: {n_all} replies, {n_right} right, {n_told} told, {n_refused} refused, {} silently wrong",
            fault.name,
            silent.len()
        );
        if n_right * 100 < fault.right * n_all || silent.len() * 100 > fault.silent * n_all {
            silent.truncate(8);
            faults.push(format!("{}:\n{}", fault.name, silent.join("\n")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
