//! Reads from all records in the data folder what replies took, for estimates.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::Folders;
use crate::lab::{PastReply, Speeds};

/// Bytes of records that are read, the latest experiments first: more would not change an estimate.
const MAX_BYTES: u64 = 64 << 20;

/// The part of a record that is read.
#[derive(Deserialize)]
struct Line {
    model: Model,
    preset: Value,
    task: String,
    reply_tokens: Vec<i32>,
    timings: Timings,
}

#[derive(Deserialize)]
struct Model {
    file: String,
}

#[derive(Deserialize)]
struct Timings {
    prefill_ms: f64,
    decode_ms: f64,
}

/// What the replies in the data folder took. Records that cannot be read are passed over: they are told elsewhere.
pub fn speeds(folders: &Folders) -> Speeds {
    let mut speeds = Speeds::default();
    let mut n_bytes = 0;
    for path in records(folders) {
        n_bytes += fs::metadata(&path).map_or(0, |it| it.len());
        if n_bytes > MAX_BYTES {
            break;
        }
        read(&path, &mut speeds);
    }
    speeds
}

/// The record of Play, then those of the experiments from the latest on: their names begin with the time.
fn records(folders: &Folders) -> Vec<PathBuf> {
    let entries = fs::read_dir(folders.experiments());
    let entries = entries.into_iter().flatten().flatten();
    let mut res: Vec<PathBuf> = entries.map(|it| it.path().join("trials.jsonl")).collect();
    res.sort_by(|one, other| other.cmp(one));
    res.insert(0, folders.trials());
    res
}

fn read(path: &Path, speeds: &mut Speeds) {
    let Ok(file) = File::open(path) else { return };
    for line in BufReader::new(file).split(b'\n').map_while(Result::ok) {
        let Ok(line) = serde_json::from_slice::<Line>(&line) else {
            continue;
        };
        let name = line.preset.get("name").and_then(Value::as_str);
        speeds.count(&PastReply {
            model: line.model.file,
            task: line.task,
            preset: name.unwrap_or_default().to_owned(),
            n_tokens: line.reply_tokens.len(),
            prefill_ms: line.timings.prefill_ms,
            decode_ms: line.timings.decode_ms,
        });
    }
}
