//! The masks of grammars against llama.cpp's own grammar sampler, bit by bit, in a child process with a time limit.
//!
//! The checks compare short texts. `scripts/grammar_exactness.sh` compares all of it on both vocabularies.

#![cfg(feature = "llama")]
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod child;
mod compare;
mod rows;

use std::path::{Path, PathBuf};
use std::time::Duration;

use child::{Job, Size};
use compare::Outcome;

/// Grammars that are compared on the large vocabulary too.
const ON_LARGE: &[&str] = &[
    "json",
    "korean",
    "both bounds",
    "ambiguous sums",
    "any characters",
];

fn model(variable: &str) -> PathBuf {
    match std::env::var_os(variable) {
        Some(it) => it.into(),
        None => panic!("set {variable} to the path of a GGUF file; README says where to get it"),
    }
}

#[track_caller]
fn check(model: &Path, names: Option<&[&str]>, size: Size) -> Vec<Outcome> {
    let chosen = (0..)
        .zip(rows::rows())
        .filter(|(_, row)| names.is_none_or(|it| it.contains(&row.name.as_str())));
    let job = Job {
        model: model.to_owned(),
        rows: chosen.map(|it| it.0).collect(),
        size,
        limit: Duration::from_mins(2),
    };
    let outcomes = child::run(&job, &mut |_| {});
    for it in &outcomes {
        assert_eq!(it.n_faults, 0, "{}: {:#?}", it.name, it.faults);
        assert!(it.n_masks > it.n_texts / 2, "{it:?}");
    }
    outcomes
}

#[test]
fn masks_are_those_of_llama_on_all_grammars() {
    let outcomes = check(&model("STEPLADDER_MODEL"), None, Size::Short);
    assert!(outcomes.len() >= 40, "{} grammars", outcomes.len());
    let n_whole: usize = outcomes.iter().map(|it| it.n_whole).sum();
    let n_texts: usize = outcomes.iter().map(|it| it.n_texts).sum();
    assert!(
        n_whole * 2 > n_texts,
        "{n_whole} of {n_texts} texts were walked to their end"
    );
}

#[test]
fn masks_are_those_of_llama_on_a_large_vocabulary() {
    let outcomes = check(&model("STEPLADDER_MODEL_2"), Some(ON_LARGE), Size::Tiny);
    assert_eq!(outcomes.len(), ON_LARGE.len());
    // That llama.cpp takes bytes for text which are none is so, and not an idle excuse.
    assert!(outcomes.iter().any(|it| it.n_not_utf8 > 0));
}

/// What llama.cpp does otherwise is there, so that the rows which excuse it are not idle.
#[test]
fn llama_lets_control_tokens_into_texts_and_refuses_half_characters() {
    let names: &[&str] = &[
        "negated letter with an accent",
        "any token but one",
        "any characters",
    ];
    let outcomes = check(&model("STEPLADDER_MODEL"), Some(names), Size::Short);
    let of = |name: &str| outcomes.iter().find(|it| it.name == name).unwrap();
    assert!(
        of("any characters").n_control > 0,
        "control tokens within texts"
    );
    assert!(
        of("negated letter with an accent").n_known > 0,
        "halves of characters"
    );
    assert!(of("any token but one").n_known > 0, "parts of characters");
}

/// For the script: everything, continued where it was left.
#[test]
#[ignore = "takes most of an hour; scripts/grammar_exactness.sh runs it"]
fn all_grammars_and_texts() {
    child::run_all(
        &model("STEPLADDER_EXACTNESS_MODEL"),
        &model("STEPLADDER_EXACTNESS_OUT"),
    );
}

/// The other process of the tests above.
#[test]
#[ignore = "the tests start it"]
fn the_child_compares() {
    child::main();
}
