//! What was set otherwise in one run than in the other: versions, model, machine, presets.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::lab::summary::preset_name;
use crate::lab::trial::Trial;
use crate::sampling::Knob;

/// Something that is not the same in two runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunDifference {
    /// The preset that it belongs to; empty for what belongs to the whole run.
    pub preset: String,
    pub name: String,
    /// The value in the reference; all of them, where it has several.
    pub reference: String,
    pub other: String,
}

/// Said of what a run does not have.
const NOTHING: &str = "not set";

/// More of a value says nothing.
const MAX_CHARS: usize = 80;

/// Differences of the replies that have a counterpart; of all replies, if none has. First what belongs to the whole
/// runs, then preset by preset.
pub(super) fn differences(
    reference: &[&Trial],
    other: &[&Trial],
    pairs: &[[usize; 2]],
) -> Vec<RunDifference> {
    let mut res = Vec::new();
    let sides: [Vec<&Trial>; 2] = if pairs.is_empty() {
        [reference.to_vec(), other.to_vec()]
    } else {
        [
            pairs.iter().map(|it| reference[it[0]]).collect(),
            pairs.iter().map(|it| other[it[1]]).collect(),
        ]
    };
    let facts = sides
        .each_ref()
        .map(|it| values(it.iter().copied(), run_facts));
    push(&mut res, "", &facts);
    let mut seen = BTreeSet::new();
    for pair in pairs {
        let [one, two] = [reference[pair[0]], other[pair[1]]];
        let names = [preset_name(one), preset_name(two)];
        if !seen.insert(names) {
            continue;
        }
        let facts = [one, two].map(|it| values(std::iter::once(it), preset_facts));
        push(&mut res, names[1], &facts);
    }
    res
}

/// A name, and the values that it has in a run.
type Facts = BTreeMap<String, BTreeSet<String>>;

fn values<'a>(
    trials: impl Iterator<Item = &'a Trial>,
    facts: impl Fn(&Trial, &mut dyn FnMut(String, String)),
) -> Facts {
    let mut res = Facts::new();
    for trial in trials {
        facts(trial, &mut |name, value| {
            let known = res.entry(name).or_default();
            if !known.contains(&value) {
                known.insert(value);
            }
        });
    }
    res
}

fn push(acc: &mut Vec<RunDifference>, preset: &str, [one, other]: &[Facts; 2]) {
    let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    for name in names {
        let (before, after) = (one.get(name), other.get(name));
        if before != after {
            acc.push(RunDifference {
                preset: preset.to_owned(),
                name: name.clone(),
                reference: words(before),
                other: words(after),
            });
        }
    }
}

fn words(values: Option<&BTreeSet<String>>) -> String {
    let Some(values) = values else {
        return NOTHING.to_owned();
    };
    let all: Vec<&str> = values.iter().map(String::as_str).collect();
    let text = all.join(", ");
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn run_facts(trial: &Trial, put: &mut dyn FnMut(String, String)) {
    for (name, version) in &trial.versions {
        put(
            format!("version of {}", spoken(name)),
            spoken_value(version),
        );
    }
    let model = &trial.model;
    let print = model.fingerprint.get(..12).unwrap_or(&model.fingerprint);
    for (name, value) in [
        ("model", model.file.clone()),
        ("model's fingerprint", print.to_owned()),
        ("quantization", model.quantization.clone()),
        ("device", model.device.clone()),
        ("threads", model.n_threads.to_string()),
        ("context", model.n_ctx.to_string()),
        ("replies decoded together", width(model.batch_width)),
    ] {
        put(name.to_owned(), value);
    }
}

/// Records from before there was a width ran alone.
fn width(width: u32) -> String {
    width.max(1).to_string()
}

/// Every leaf of the preset but for its words, and for what replies are matched by.
fn preset_facts(trial: &Trial, put: &mut dyn FnMut(String, String)) {
    if let Value::Object(preset) = &trial.preset {
        for (key, value) in preset {
            if !matches!(key.as_str(), "v" | "title" | "about" | "style") {
                leaves((key, value), put);
            }
        }
    } else {
        put("preset".to_owned(), spoken_value(&trial.preset));
    }
}

fn leaves((path, value): (&str, &Value), put: &mut dyn FnMut(String, String)) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                leaves((&format!("{path}/{key}"), value), put);
            }
        }
        _ if path == "knobs/seed" => {}
        _ => put(setting_name(path), spoken_value(value)),
    }
}

/// A knob's name as the window has it; for all else the words of its place.
fn setting_name(path: &str) -> String {
    let key = path.strip_prefix("knobs/").unwrap_or(path);
    match Knob::ALL.into_iter().find(|it| it.spec().key == key) {
        Some(knob) => knob.spec().name.to_lowercase(),
        None => spoken(key),
    }
}

fn spoken(key: &str) -> String {
    key.replace('_', " ").replace('/', ": ")
}

fn spoken_value(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
