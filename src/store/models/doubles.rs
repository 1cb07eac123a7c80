//! The same model at several places is one model: by the file's identity, else by size and a sample of its bytes.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::found::{Elsewhere, FoundModel};
use super::look::Identity;
use super::sift::Seen;

/// Why a model of the recent ones is listed; any tool's own word for it says more.
pub(super) const OPENED_BEFORE: &str = "opened before";

/// Beginnings differ most: there are the names and the vocabulary.
const HEAD_BYTES: u64 = 1 << 20;
const N_SAMPLES: u64 = 64;
const SAMPLE_BYTES: u64 = 4_096;

type Sample = [u8; 32];

/// Keeps the first of each, with the places of the others. Files are sampled only where sizes are equal.
pub(super) fn fold<'a>(models: impl Iterator<Item = (&'a Seen, FoundModel)>) -> Vec<FoundModel> {
    let mut kept: Vec<FoundModel> = Vec::new();
    let mut by_identity: BTreeMap<Identity, usize> = BTreeMap::new();
    let mut by_size: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    let mut samples: BTreeMap<usize, Option<Sample>> = BTreeMap::new();
    for (seen, model) in models {
        if let Some(idx) = by_identity.get(&seen.identity) {
            absorb(&mut kept[*idx], model);
            continue;
        }
        let idx = kept.len();
        let of_size = by_size.entry(model.bytes).or_default();
        let twin = if of_size.is_empty() {
            None
        } else {
            let ours = sample(&model.path).ok();
            samples.insert(idx, ours);
            of_size.iter().copied().find(|other| {
                let theirs = samples
                    .entry(*other)
                    .or_insert_with(|| sample(&kept[*other].path).ok());
                ours.is_some() && *theirs == ours
            })
        };
        by_identity.insert(seen.identity.clone(), twin.unwrap_or(idx));
        if let Some(twin) = twin {
            samples.remove(&idx);
            absorb(&mut kept[twin], model);
        } else {
            of_size.push(idx);
            kept.push(model);
        }
    }
    kept
}

fn absorb(kept: &mut FoundModel, other: FoundModel) {
    if kept.found_in == OPENED_BEFORE && other.found_in != OPENED_BEFORE {
        kept.name = other.name;
        kept.found_in.clone_from(&other.found_in);
    }
    let elsewhere = Elsewhere {
        path: other.path,
        found_in: other.found_in,
    };
    let is_same = elsewhere.path == kept.path && elsewhere.found_in == kept.found_in;
    if !is_same && elsewhere.found_in != OPENED_BEFORE && !kept.also.contains(&elsewhere) {
        kept.also.push(elsewhere);
    }
}

/// SHA-256 over the file's size, its beginning, and pieces at even distances up to its end.
fn sample(path: &Path) -> io::Result<Sample> {
    let mut file = File::open(path)?;
    let n_bytes = file.metadata()?.len();
    let mut hasher = Sha256::new();
    hasher.update(n_bytes.to_le_bytes());
    let mut buffer = Vec::new();
    file.by_ref().take(HEAD_BYTES).read_to_end(&mut buffer)?;
    hasher.update(&buffer);
    let last = n_bytes.saturating_sub(SAMPLE_BYTES);
    for idx in 1..=N_SAMPLES {
        // Divided first: the product of a size and a count has no bound.
        let at = last / N_SAMPLES * idx + last % N_SAMPLES * idx / N_SAMPLES;
        file.seek(SeekFrom::Start(at))?;
        buffer.clear();
        file.by_ref().take(SAMPLE_BYTES).read_to_end(&mut buffer)?;
        hasher.update(&buffer);
    }
    Ok(hasher.finalize().into())
}
