//! A short run of what the fuzzer does, on a fixed seed: the kept replies, changed at random.

use super::prefixes::Dice;
use crate::ladder::properties::{of_climb, of_stream};

/// The replies that the fuzzer starts from.
const SEEDS: &str = include_str!("../../../tests/data/ladder_traps.jsonl");

/// What is put into a reply.
const MARKS: &[&str] = &[
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
    "「",
    "：",
    "，",
    ":",
    ",",
    "\\",
    "\\\"",
    "\\u",
    "\\ud83d",
    "```",
    "~~~",
    "\n",
    " ",
    "\u{200b}",
    "//",
    "/*",
    "*/",
    "#",
    "...",
    "+",
    "=",
    "1e400",
    "null",
    "tru",
    "NaN",
    "-",
    "<think>",
    "</think>",
    "[TOOL_CALLS]",
    "<|channel|>",
    "1,234",
    "f(",
    "é",
    "\0",
    "\u{feff}",
];

pub(super) fn seeds() -> Vec<String> {
    let inputs = SEEDS.lines().filter_map(|line| {
        let trap: serde_json::Value = serde_json::from_str(line).ok()?;
        trap["input"].as_str().map(str::to_owned)
    });
    inputs.filter(|it| it.len() < 2_000).collect()
}

/// Takes out, doubles, moves or puts in a piece, at any character.
fn change(text: &str, dice: &mut Dice) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let at = dice.roll(chars.len() + 1);
    let n = (dice.roll(8) + 1).min(chars.len() - at);
    match dice.roll(4) {
        0 => {
            chars.drain(at..at + n);
        }
        1 => {
            let piece: Vec<char> = chars[at..at + n].to_vec();
            let to = dice.roll(chars.len() + 1);
            chars.splice(to..to, piece);
        }
        _ => {
            let mark = MARKS[dice.roll(MARKS.len())];
            chars.splice(at..at, mark.chars());
        }
    }
    chars.into_iter().collect()
}

#[test]
fn what_must_hold_holds_for_changed_replies() {
    let seeds = seeds();
    assert!(seeds.len() >= 70, "{} seeds", seeds.len());
    let mut dice = Dice(0x5eed_0007);
    for seed in &seeds {
        let mut reply = seed.clone();
        for _ in 0..60 {
            of_climb(&reply);
            let cuts: Vec<u8> = (0..8).map(|_| dice.roll(16) as u8).collect();
            of_stream(&reply, &cuts);
            // Now and then anew, so that a reply keeps some of its shape.
            let is_worn = dice.roll(6) == 0;
            reply = change(if is_worn { seed } else { &reply }, &mut dice);
        }
    }
}

#[test]
fn what_the_fuzzer_found_stays_mended() {
    for reply in [
        "{\"a\": 1, // c\n}",
        "{\\\"a\\\": \\\"b\\\"|",
        " (1e40",
        "\\\"\\\"",
        "{\"t\": \"他说：“好１行”\"}",
        "\"a",
        "0 \n;\n",
        // An escape that the forgotten end of a string falls into or before.
        "\t \"*\r netpp\n\u{14c2}é\\\n \"a\": 1\n \"b\": \"x\"\n \"cd\"foz\"*/r z\"\\,n/",
        "{\"p[]<think>，\\\n\"\"\\u\\\"C:\\:\t' ，\\\"a\" ，\\\n\"a\": 1}u\"C:\\Us\"}",
    ] {
        of_climb(reply);
        of_stream(reply, &[1]);
    }
    // Valid down to the deepest level that is taken, with a text before it.
    of_climb(&format!("[[~{}{}", "[".repeat(128), "]".repeat(128)));
}
