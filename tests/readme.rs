//! Holds README to what the program can do: every knob with its range, every preset, subcommand and flag.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::process::Command;

use stepladder::lab::{Preset, shipped_presets};
use stepladder::sampling::Knob;

const README: &str = include_str!("../README.md");

#[track_caller]
fn check_has(part: &str) {
    assert!(README.contains(part), "README lacks {part}");
}

/// What the program says of itself.
fn help(args: &[&str]) -> String {
    let done = Command::new(env!("CARGO_BIN_EXE_stepladder"))
        .args(args)
        .arg("--help")
        .output()
        .unwrap();
    assert!(done.status.success());
    String::from_utf8(done.stdout).unwrap()
}

/// The flags in a help text, such as `--ctx`.
fn flags(help: &str) -> Vec<&str> {
    let flags = help.lines().filter_map(|line| {
        let (_, rest) = line.trim_start().split_once("--")?;
        let is_head = line.trim_start().starts_with('-');
        let end = rest.find(|c: char| !c.is_ascii_lowercase() && c != '-');
        is_head.then(|| &rest[..end.unwrap_or(rest.len())])
    });
    flags.collect()
}

#[test]
fn every_knob_has_its_row_with_range_and_neutral_value() {
    for knob in Knob::ALL {
        let it = knob.spec();
        check_has(&format!(
            "\n| `{}` | {} to {} | {} | ",
            it.key, it.min, it.max, it.neutral
        ));
    }
}

#[test]
fn the_other_keys_of_knobs_are_named() {
    for key in ["penalty_scope", "ngram_scope", "order", "stop"] {
        check_has(&format!("`{key}`"));
    }
}

#[test]
fn every_shipped_preset_is_named() {
    for (file, text) in shipped_presets() {
        check_has(&format!("`{}`", Preset::parse(text, file).unwrap().name));
    }
}

#[test]
fn every_subcommand_is_named() {
    let help = help(&[]);
    let commands = help.split("Commands:").nth(1).unwrap();
    let names: Vec<&str> = commands
        .lines()
        .skip(1)
        .map_while(|line| line.split_whitespace().next())
        .filter(|it| *it != "help")
        .collect();
    assert!(names.contains(&"climb"), "{names:?}");
    for name in names {
        check_has(&format!("\nstepladder {name} "));
    }
}

#[test]
fn every_flag_is_named() {
    for args in [
        &[][..],
        &["run"],
        &["climb"],
        &["constrain"],
        &["models"],
        &["devices"],
        &["models", "get"],
        &["models", "catalogue"],
    ] {
        let help = help(args);
        let flags = flags(&help);
        assert!(flags.contains(&"help"), "{flags:?}");
        for flag in flags
            .into_iter()
            .filter(|it| !matches!(*it, "help" | "version"))
        {
            check_has(&format!("--{flag}"));
        }
    }
}
