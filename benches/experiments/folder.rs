//! A folder with 10,000 trials: a dozen real records over and over, under other seeds and ids.

use std::path::Path;
use std::{fs, io};

use serde_json::{Value, json};
use stepladder::store::{self, Folders};

pub(crate) const N_TRIALS: usize = 10_000;

/// Real replies of SmolLM2-135M-Instruct.
const RECORDS: &str = include_str!("records.jsonl");

/// Writes plan and trials. With `is_other` every seventh reply is judged otherwise, and the temperature is another.
pub(crate) fn fill(folder: &Path, is_other: bool) -> io::Result<()> {
    let library = store::library(&Folders::at("no such folder"));
    let plan = library
        .plans
        .iter()
        .find(|it| it.name == "finding")
        .ok_or_else(|| io::Error::other("there is no plan finding"))?;
    let presets = plan.presets(&library.presets).map_err(io::Error::other)?;
    fs::create_dir_all(folder)?;
    let resolved = plan.resolved(&presets, &library.tasks);
    fs::write(folder.join("plan.json"), resolved.to_string())?;
    fs::write(folder.join("trials.jsonl"), lines(is_other)?)
}

fn lines(is_other: bool) -> io::Result<String> {
    let records: Vec<Value> = RECORDS
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()?;
    let mut text = String::new();
    for n in 0..N_TRIALS {
        let mut record = records[n % records.len()].clone();
        let round = n / records.len();
        record["id"] = json!(format!("{n:x}-{round}"));
        record["preset"]["knobs"]["seed"] = json!(42 + round);
        let key = record["cell"]["key"].as_str().unwrap_or_default();
        record["cell"]["key"] = json!(format!("{key}/{round}"));
        if is_other {
            record["preset"]["knobs"]["temperature"] = json!(0.35);
            if n % 7 == 0 {
                let was = record["lamps"]["schema"].as_bool();
                record["lamps"]["schema"] = json!(was != Some(true));
            }
        }
        text.push_str(&record.to_string());
        text.push('\n');
    }
    Ok(text)
}
