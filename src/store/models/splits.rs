//! Puts the parts of split models together: llama.cpp finds them by their names, `…-00002-of-00005.gguf`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::look::Looked;
use super::problem::Problem;
use super::sift::Seen;
use crate::gguf::{Part, SplitName};

/// Parts of one model: folder, name before the numbers, number of parts.
type Family = (PathBuf, String, u32);
/// The later parts of a model by their numbers, with the size of each.
type Parts = BTreeMap<u32, (Part, u64)>;

/// Adds the later parts to their first one. First parts that lack some, and parts that lack their first one, become
/// problems: neither can be loaded.
pub(super) fn join(seen: Vec<Seen>) -> (Vec<Seen>, Vec<Problem>) {
    let mut families: BTreeMap<Family, Parts> = BTreeMap::new();
    let mut strays: BTreeMap<Family, Problem> = BTreeMap::new();
    let mut firsts = Vec::new();
    for it in seen {
        let Looked::Part(part) = &*it.looked else {
            firsts.push(it);
            continue;
        };
        let Some((family, _)) = family(&it.candidate.path) else {
            continue;
        };
        let (number, n_parts) = (part.number, part.n_parts);
        let what = format!("part {number} of {n_parts}, whose first part is missing");
        let problem = it.problem(what);
        strays.entry(family.clone()).or_insert(problem);
        let parts = families.entry(family).or_default();
        parts.insert(number, (*part, it.bytes));
    }
    let mut problems = Vec::new();
    firsts.retain_mut(|first| match complete(first, &families, &mut strays) {
        Ok(()) => true,
        Err(what) => {
            problems.push(first.problem(what));
            false
        }
    });
    problems.extend(strays.into_values());
    (firsts, problems)
}

/// Adds to a first part what belongs to it, and takes that off the strays; says what is missing.
fn complete(
    first: &mut Seen,
    families: &BTreeMap<Family, Parts>,
    strays: &mut BTreeMap<Family, Problem>,
) -> Result<(), String> {
    let n_parts = match &*first.looked {
        Looked::Model(header) => header.n_parts,
        _ => 1,
    };
    if n_parts < 2 {
        return Ok(());
    }
    let named = family(&first.candidate.path).filter(|it| it.1 == 1 && it.0.2 == n_parts);
    let Some((family, _)) = named else {
        return Err(format!(
            "the first of {n_parts} parts, but its name does not end in -00001-of-{n_parts:05}"
        ));
    };
    strays.remove(&family);
    let parts = families.get(&family);
    if let Some(gaps) = gaps(parts, n_parts) {
        return Err(gaps);
    }
    for (part, bytes) in parts.into_iter().flat_map(BTreeMap::values) {
        first.add(*part, *bytes);
    }
    Ok(())
}

/// A split model's name without the numbers at its end.
pub(super) fn without_numbers(stem: &str) -> &str {
    SplitName::parse(stem).map_or(stem, |it| it.name)
}

/// Says which parts behind the first are missing, if any are.
fn gaps(parts: Option<&Parts>, n_parts: u32) -> Option<String> {
    const MAX_NAMED: usize = 8;
    let has = |number: &u32| parts.is_some_and(|it| it.contains_key(number));
    let missing: Vec<_> = (2..=n_parts).filter(|it| !has(it)).collect();
    if missing.is_empty() {
        return None;
    }
    let named = missing.iter().take(MAX_NAMED).map(u32::to_string);
    let mut list = named.collect::<Vec<_>>().join(", ");
    if missing.len() > MAX_NAMED {
        list += " and more";
    }
    Some(format!(
        "{} of {n_parts} parts missing: {list}",
        missing.len()
    ))
}

fn family(path: &Path) -> Option<(Family, u32)> {
    let stem = path.file_stem()?.to_str()?;
    let part = SplitName::parse(stem)?;
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    Some(((folder, part.name.to_owned(), part.n_parts), part.number))
}
