//! Which file of a repository is meant: its list is asked for only where no file is named.

use std::io::Read as _;

use serde::Deserialize;

use super::error::{FetchError, Setback, Trouble};
use super::http::plain;
use super::reach::{Way, server};
use super::wanted::is_file;
use super::{Choice, Wanted};
use crate::gguf::SplitName;

/// Lists of thousands of files are shorter.
const MAX_BYTES: u64 = 4 << 20;
/// Quantization that is taken where there is a choice and none was made: small, and close to the original.
const USUAL: &str = "Q4_K_M";
/// Most files that an error names.
const MAX_NAMED: usize = 12;
/// Most parts of a split model.
const MAX_PARTS: u32 = 99;

#[derive(Deserialize)]
struct Repository {
    #[serde(default)]
    siblings: Vec<Sibling>,
}

#[derive(Deserialize)]
struct Sibling {
    rfilename: String,
}

/// The files in GGUF that a repository lists, without projectors and the like.
pub(super) fn list(wanted: &Wanted, way: &Way<'_>) -> Result<Vec<String>, Setback> {
    let head = ["api", "models", &wanted.owner, &wanted.name, "revision"];
    let url = way
        .network
        .url(head.into_iter().chain([wanted.revision.as_str()]));
    let reached = way.reach(url.clone(), &Vec::new())?;
    let mut text = Vec::new();
    let mut reader = reached.answer.into_reader().take(MAX_BYTES + 1);
    let read = reader.read_to_end(&mut text);
    if way.control.is_stopped() {
        return Err(FetchError::cancelled(wanted.to_string()).into());
    }
    read.map_err(|it| Setback::again(server(&plain(&it), &url)))?;
    if text.len() as u64 > MAX_BYTES {
        return Err(server("the list of the repository's files has no end", &url).into());
    }
    let strange = |_parse| server("the server's list of files cannot be read", &url);
    let repository: Repository = serde_json::from_slice(&text).map_err(strange)?;
    let files = repository.siblings.into_iter().map(|it| it.rfilename);
    Ok(files.filter(|it| is_file(it) && is_model(it)).collect())
}

/// The file that is meant, the first one of a model that is split.
pub(super) fn choose(wanted: &Wanted, files: &[String]) -> Result<String, FetchError> {
    let tag = match &wanted.choice {
        Choice::File(it) => return Ok(it.clone()),
        Choice::Tag(it) => Some(it.as_str()),
        Choice::Any => None,
    };
    let firsts: Vec<&String> = files.iter().filter(|it| is_first(it)).collect();
    let fitting = |tag: &str| {
        let fits = |it: &&String| has_tag(it, tag);
        let mut fitting = firsts.iter().copied().filter(fits).collect::<Vec<_>>();
        // Of `Q4_K_M` and `UD-Q4_K_M` the plain one.
        fitting.sort_by_key(|it| it.len());
        fitting.first().map(|it| (*it).clone())
    };
    let chosen = match (tag, firsts.as_slice()) {
        (Some(tag), _) => fitting(tag),
        (None, [only]) => Some((*only).clone()),
        (None, _) => fitting(USUAL),
    };
    chosen.ok_or_else(|| nothing_fits(wanted, &firsts))
}

/// All files of a model in their order, by the name of any: `…-00002-of-00003.gguf` has two others.
pub(super) fn parts(file: &str) -> Vec<String> {
    let Some(part) = split(file).filter(|it| it.n_parts <= MAX_PARTS) else {
        return vec![file.to_owned()];
    };
    (1..=part.n_parts)
        .map(|it| format!("{}.gguf", part.of_part(it)))
        .collect()
}

fn split(file: &str) -> Option<SplitName<'_>> {
    SplitName::parse(file.strip_suffix(".gguf")?)
}

fn is_first(file: &str) -> bool {
    split(file).is_none_or(|it| it.number == 1)
}

fn is_model(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file).to_lowercase();
    !["mmproj", "imatrix", "ggml-vocab"]
        .iter()
        .any(|it| name.contains(it))
}

/// Whether the quantization stands in the name as a word of its own.
fn has_tag(file: &str, tag: &str) -> bool {
    let (file, tag) = (file.to_lowercase(), tag.to_lowercase());
    let is_apart = |it: Option<char>| !it.is_some_and(|it| it.is_alphanumeric() || it == '_');
    file.match_indices(&tag).any(|(at, _)| {
        is_apart(file[..at].chars().next_back()) && is_apart(file[at + tag.len()..].chars().next())
    })
}

fn nothing_fits(wanted: &Wanted, firsts: &[&String]) -> FetchError {
    let what = match &wanted.choice {
        Choice::Tag(tag) => format!("no file is in {tag}"),
        _ => format!("it is not said which file, and none is in {USUAL}"),
    };
    if firsts.is_empty() {
        return FetchError::new(
            Trouble::Missing,
            "the repository has no file in GGUF",
            wanted.repository(),
            "look for the same name with -GGUF at its end",
        );
    }
    let mut names: Vec<&str> = firsts
        .iter()
        .map(|it| it.as_str())
        .take(MAX_NAMED)
        .collect();
    if firsts.len() > MAX_NAMED {
        names.push("…");
    }
    let advice = format!("name one of its files: {}", names.join(", "));
    FetchError::new(Trouble::Missing, what, wanted.repository(), advice)
}
