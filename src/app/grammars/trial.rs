//! Tries the open text: is it sound, what does the mask enforce, which texts pass, what does it write.

use std::sync::OnceLock;

use std::collections::BTreeMap;

use serde_json::Value;

use super::TestText;
use crate::constraint::{
    self, Badge, Constraint, ConstraintError, KeywordReport, TextTrial, generate_example,
};

/// How many examples are made at a time, and about how long they get.
const N_EXAMPLES: u64 = 4;
const EXAMPLE_CHARS: usize = 160;

/// What is to be tried. It can take a second, so the shell does it beside the window's thread.
#[derive(Clone, Debug, PartialEq)]
pub struct AskedTrial {
    pub id: u64,
    pub constraint: Constraint,
    pub tests: Vec<TestText>,
    pub seed: u64,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    pub constraint: Constraint,
    /// What is wrong with the text; then nothing else is known.
    pub fault: Option<ConstraintError>,
    pub badge: Badge,
    /// A sentence each.
    pub warnings: Vec<String>,
    /// Each keyword of a schema; empty for a grammar.
    pub report: Vec<KeywordReport>,
    pub tests: Vec<TriedText>,
    /// Texts that the constraint accepts, or why there are none.
    pub examples: Result<Vec<String>, String>,
}

/// A test text with what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TriedText {
    pub test: TestText,
    pub trial: Result<TextTrial, String>,
}

impl TriedText {
    /// Whether it passes where it must, and is stopped where it must.
    pub fn is_as_expected(&self) -> bool {
        let passes = self.trial.as_ref().ok().map(|it| it.is_accepted);
        passes == Some(self.test.must_pass)
    }
}

/// Tries a constraint on all its test texts.
pub fn try_all(asked: &AskedTrial) -> Tried {
    let constraint = &asked.constraint;
    let checked = constraint::check(constraint);
    let mut tried = Tried {
        constraint: constraint.clone(),
        fault: checked.as_ref().err().cloned(),
        badge: Badge::None,
        warnings: checked.unwrap_or_default(),
        report: Vec::new(),
        tests: Vec::new(),
        examples: Ok(Vec::new()),
    };
    if tried.fault.is_some() {
        return tried;
    }
    tried.badge = constraint::badge(constraint);
    tried.report = report(constraint);
    tried.tests = asked
        .tests
        .iter()
        .map(|test| TriedText {
            test: test.clone(),
            trial: try_one(constraint, &test.text),
        })
        .collect();
    tried.examples = examples(constraint, asked.seed);
    tried
}

fn try_one(constraint: &Constraint, text: &str) -> Result<TextTrial, String> {
    let trial = constraint::try_text(constraint, text, None).map_err(|it| it.to_string())?;
    trial.ok_or_else(|| "There is no constraint.".to_owned())
}

fn report(constraint: &Constraint) -> Vec<KeywordReport> {
    let Constraint::Schema { text, .. } = constraint else {
        return Vec::new();
    };
    let schema: Value = serde_json::from_str(text).unwrap_or_default();
    constraint::report(&schema)
}

fn examples(constraint: &Constraint, seed: u64) -> Result<Vec<String>, String> {
    let Constraint::Grammar { text } = constraint else {
        return Ok(Vec::new());
    };
    let first = seed * N_EXAMPLES;
    let mut examples = Vec::new();
    for seed in first..first + N_EXAMPLES {
        let example = generate_example(text, seed, EXAMPLE_CHARS).map_err(|it| it.to_string())?;
        if !examples.contains(&example) {
            examples.push(example);
        }
    }
    Ok(examples)
}

/// The test texts that ship with a document of this key.
pub(super) fn shipped_tests(key: &str) -> Vec<TestText> {
    static TESTS: OnceLock<BTreeMap<String, Vec<TestText>>> = OnceLock::new();
    const FILE: &str = include_str!("../../../grammars/tests.json");
    let all = TESTS.get_or_init(|| serde_json::from_str(FILE).unwrap_or_default());
    all.get(key).cloned().unwrap_or_default()
}
