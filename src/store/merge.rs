//! Settings that more than one window changes: what each changed holds, field by field.

use std::fs::OpenOptions;
use std::io;
use std::path::Path;

use serde_json::{Map, Value};

use super::lines::lock;
use super::{Loaded, StoreError, load, save};

/// Saves the fields of `mine` that differ from `base`, and leaves all others as they are on the disk now.
pub(super) fn save_merged(path: &Path, base: &Value, mine: &Value) -> Result<(), StoreError> {
    let failed = |it: &io::Error| StoreError::new("cannot save", path, it);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|it| failed(&it))?;
    }
    // Held while the file is read and written; the file itself is replaced, so it cannot carry the lock.
    let held = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path.with_extension("lock"))
        .map_err(|it| failed(&it))?;
    lock(&held).map_err(|it| failed(&it))?;
    match load::<Map<String, Value>>(path) {
        Loaded::Found(now) => save(path, &merged(now, base, mine)),
        Loaded::Missing | Loaded::SetAside { .. } => save(path, mine),
        Loaded::Locked { reason } => Err(failed(&io::Error::other(reason))),
        Loaded::Newer { .. } => Err(failed(&io::Error::other(
            "a newer version of Stepladder has written it",
        ))),
    }
}

fn merged(mut now: Map<String, Value>, base: &Value, mine: &Value) -> Map<String, Value> {
    let fields = mine.as_object().into_iter().flatten();
    for (key, value) in fields {
        let is_changed = base.get(key) != Some(value);
        let current = now.get(key);
        let value = match (current, value) {
            (Some(Value::Array(theirs)), Value::Array(mine)) if is_changed => {
                Value::Array(union(mine, theirs))
            }
            (Some(_), _) if !is_changed => continue,
            _ => value.clone(),
        };
        now.insert(key.clone(), value);
    }
    now
}

/// Mine first, then what only they have; no longer than the longer of the two, for lists have a most.
fn union(mine: &[Value], theirs: &[Value]) -> Vec<Value> {
    let others = theirs.iter().filter(|it| !mine.contains(it));
    let all = mine.iter().chain(others).cloned();
    all.take(mine.len().max(theirs.len()).max(8)).collect()
}
