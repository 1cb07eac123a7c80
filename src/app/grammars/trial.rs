//! Tries the open text: is it sound, what does the mask enforce, which texts pass, what does it write.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::TestText;
use crate::constraint::{
    self, Constraint, ConstraintError, Examination, Gap, MadeGrammar, TextTrial, examine,
    generate_example, read_schema, schema_to_gbnf,
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
    /// What the mask holds a reply to, or what is wrong with the text.
    pub examined: Examination,
    /// What a grammar made of the schema would not hold to; empty for a grammar.
    pub gaps: Vec<Gap>,
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

impl Tried {
    /// Why the text is no constraint.
    pub fn fault(&self) -> Option<&ConstraintError> {
        self.examined.error.as_ref()
    }
}

/// Tries a constraint on all its test texts.
pub fn try_all(asked: &AskedTrial) -> Tried {
    let constraint = &asked.constraint;
    let mut tried = Tried {
        constraint: constraint.clone(),
        examined: examine(constraint),
        gaps: Vec::new(),
        tests: Vec::new(),
        examples: Ok(Vec::new()),
    };
    if tried.fault().is_some() {
        return tried;
    }
    tried.tests = asked
        .tests
        .iter()
        .map(|test| TriedText {
            test: test.clone(),
            trial: try_one(constraint, &test.text),
        })
        .collect();
    match grammar(constraint) {
        Ok(made) => {
            tried.examples = examples(&made.text, asked.seed);
            tried.gaps = made.gaps;
        }
        Err(error) => tried.examples = Err(error.to_string()),
    }
    tried
}

/// The grammar itself, or the one that is made of the schema.
pub(super) fn grammar(constraint: &Constraint) -> Result<MadeGrammar, ConstraintError> {
    match constraint {
        Constraint::Schema {
            text, white_space, ..
        } => schema_to_gbnf(&read_schema(text)?.schema, *white_space),
        Constraint::Grammar { text } => Ok(MadeGrammar {
            text: text.clone(),
            gaps: Vec::new(),
        }),
        Constraint::None | Constraint::Regex { .. } => Err(ConstraintError {
            message: "no examples are made of this".to_owned(),
            place: None,
            within: None,
        }),
    }
}

fn try_one(constraint: &Constraint, text: &str) -> Result<TextTrial, String> {
    let trial = constraint::try_text(constraint, text, None).map_err(|it| it.to_string())?;
    trial.ok_or_else(|| "There is no constraint.".to_owned())
}

fn examples(grammar: &str, seed: u64) -> Result<Vec<String>, String> {
    let first = seed * N_EXAMPLES;
    let mut examples = Vec::new();
    for seed in first..first + N_EXAMPLES {
        let example =
            generate_example(grammar, seed, EXAMPLE_CHARS).map_err(|it| it.to_string())?;
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
