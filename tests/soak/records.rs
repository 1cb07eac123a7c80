//! Holds the records on the disk against the trials that the window has shown.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// What a file of trials holds.
#[derive(Default)]
pub(crate) struct Recorded {
    pub(crate) ids: BTreeSet<String>,
    pub(crate) n_lines: usize,
    pub(crate) problems: Vec<String>,
}

/// Reads every file of trials in the data folder, line by line: all must be whole.
pub(crate) fn recorded(data: &Path) -> Recorded {
    let mut recorded = Recorded::default();
    for path in files(data) {
        let text = fs::read_to_string(&path).unwrap_or_default();
        for (idx, line) in text.lines().enumerate() {
            recorded.n_lines += 1;
            let value: Option<Value> = serde_json::from_str(line).ok();
            let id = value.as_ref().and_then(|it| it.get("id")?.as_str());
            match id {
                Some(id) if recorded.ids.insert(id.to_owned()) => {}
                Some(id) => recorded.problems.push(format!("{id} is there twice")),
                None => {
                    let place = path.display();
                    recorded
                        .problems
                        .push(format!("{place}:{} cannot be read", idx + 1));
                }
            }
        }
        if !text.is_empty() && !text.ends_with('\n') {
            recorded
                .problems
                .push(format!("{} ends within a line", path.display()));
        }
    }
    recorded
}

fn files(data: &Path) -> Vec<PathBuf> {
    let experiments = fs::read_dir(data.join("experiments")).into_iter().flatten();
    let folders = experiments.flatten().map(|it| it.path());
    let all = std::iter::once(data.to_owned()).chain(folders);
    let all = all.map(|it| it.join("trials.jsonl"));
    all.filter(|it| it.exists()).collect()
}
