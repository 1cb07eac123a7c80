//! From files that may be models to models: each file read once, parts joined, doubles folded.

use std::collections::BTreeMap;
use std::fs;
use std::rc::Rc;

use super::doubles;
use super::found::{Card, FoundModel};
use super::look::{Identity, Looked, identity, look};
use super::problem::Problem;
use super::splits;
use super::walk::Candidate;
use crate::gguf::Part;

/// A candidate that was looked into.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) candidate: Candidate,
    pub(super) identity: Identity,
    pub(super) looked: Rc<Looked>,
    /// Of all parts.
    pub(super) bytes: u64,
    n_params_behind: u64,
    weight_bytes_behind: u64,
}

impl Seen {
    pub(super) fn add(&mut self, part: Part, bytes: u64) {
        self.bytes = self.bytes.saturating_add(bytes);
        self.n_params_behind = self.n_params_behind.saturating_add(part.n_params);
        self.weight_bytes_behind = self.weight_bytes_behind.saturating_add(part.weight_bytes);
    }

    pub(super) fn problem(&self, what: String) -> Problem {
        Problem {
            path: self.candidate.path.clone(),
            found_in: self.candidate.found_in.clone(),
            what,
        }
    }

    fn model(&self) -> Option<FoundModel> {
        let Looked::Model(header) = &*self.looked else {
            return None;
        };
        let mut card = Card::of(header);
        card.n_params = card.n_params.saturating_add(self.n_params_behind);
        let weight_bytes = &mut card.footprint.weight_bytes;
        *weight_bytes = weight_bytes.saturating_add(self.weight_bytes_behind);
        let path = &self.candidate.path;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let called = self.candidate.name.clone();
        Some(FoundModel {
            path: path.clone(),
            name: called.unwrap_or_else(|| splits::without_numbers(&stem).to_owned()),
            architecture: header.architecture.clone(),
            quantization: header.quantization.clone(),
            bytes: self.bytes,
            found_in: self.candidate.found_in.clone(),
            also: Vec::new(),
            card: Some(Box::new(card)),
        })
    }
}

/// The models among the candidates, in their order. `tell` hears how many files were looked into, and how many of
/// them are models.
pub(super) fn sift(
    candidates: Vec<Candidate>,
    problems: &mut Vec<Problem>,
    tell: &mut dyn FnMut(usize, usize),
) -> Vec<FoundModel> {
    let mut known: BTreeMap<Identity, (Rc<Looked>, u64)> = BTreeMap::new();
    let mut seen = Vec::new();
    let mut n_models = 0;
    for (idx, candidate) in candidates.into_iter().enumerate() {
        let identity = identity(&candidate.path);
        let is_new = !known.contains_key(&identity);
        let (looked, bytes) = known.entry(identity.clone()).or_insert_with(|| {
            let bytes = fs::metadata(&candidate.path).map_or(0, |it| it.len());
            (Rc::new(look(&candidate.path)), bytes)
        });
        let it = Seen {
            candidate,
            identity,
            looked: Rc::clone(looked),
            bytes: *bytes,
            n_params_behind: 0,
            weight_bytes_behind: 0,
        };
        match &*it.looked {
            Looked::Broken(what) if is_new => problems.push(it.problem(what.clone())),
            Looked::Broken(_) | Looked::Other => {}
            Looked::Model(_) | Looked::Part(_) => seen.push(it),
        }
        n_models += usize::from(is_new && matches!(&**looked, Looked::Model(_)));
        tell(idx + 1, n_models);
    }
    let (firsts, faults) = splits::join(seen);
    problems.extend(faults);
    let models = firsts.iter().filter_map(|it| Some((it, it.model()?)));
    doubles::fold(models)
}
