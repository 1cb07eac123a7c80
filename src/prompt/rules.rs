//! How each field of an answer is compared with the right one.

use serde_json::{Map, Value};

/// What a task file may say for a field; for messages.
const ALLOWED: &str = r#""exact", "folded", {"number": tolerance}, "set", "bag" or "ignore""#;

/// When a field counts as right.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Rule {
    /// The same value; 1 and 1.0 are the same number.
    #[default]
    Exact,
    /// The same text but for case and white space.
    Folded,
    /// A number at most this far away.
    Number(f64),
    /// A list with the same items in any order; repetitions do not count.
    Set,
    /// A list with the same items, each as often, in any order.
    Bag,
    /// Anything at all, even nothing.
    Ignore,
}

/// The rules of a task, made ready.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rules(Vec<(Vec<String>, Rule)>);

/// A rule that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the rule for {pointer} is {value}; it must be {must}")]
pub struct RuleError {
    pub pointer: String,
    pub value: String,
    pub must: String,
}

impl Rules {
    /// Reads `rules` of a task file: JSON pointer (`*` for any index or key) to rule.
    pub fn parse(rules: &Map<String, Value>) -> Result<Self, RuleError> {
        let parsed = rules
            .iter()
            .map(|(pointer, rule)| Ok((parts(pointer)?, parse_rule(pointer, rule)?)))
            .collect::<Result<_, RuleError>>()?;
        Ok(Self(parsed))
    }

    /// The rule for the field at a pointer. Where none is written, the nearest one above holds,
    /// except that the order of a list inside a set or bag counts again.
    pub fn rule(&self, pointer: &str) -> Rule {
        let path: Vec<_> = pointer.split('/').skip(1).collect();
        let nearest = self
            .0
            .iter()
            .filter(|(pattern, _)| is_above(pattern, &path))
            .max_by_key(|(pattern, _)| pattern.len());
        match nearest {
            Some((pattern, Rule::Set | Rule::Bag)) if pattern.len() < path.len() => Rule::Exact,
            Some((_, rule)) => *rule,
            None => Rule::Exact,
        }
    }
}

fn parts(pointer: &str) -> Result<Vec<String>, RuleError> {
    if pointer.is_empty() || pointer.starts_with('/') {
        return Ok(pointer.split('/').skip(1).map(str::to_owned).collect());
    }
    Err(RuleError {
        pointer: pointer.to_owned(),
        value: "under a key that is no JSON pointer".to_owned(),
        must: format!("under a pointer such as /{pointer}"),
    })
}

fn parse_rule(pointer: &str, rule: &Value) -> Result<Rule, RuleError> {
    let named = match rule {
        Value::String(name) => match name.as_str() {
            "exact" => Some(Rule::Exact),
            "folded" => Some(Rule::Folded),
            "set" => Some(Rule::Set),
            "bag" => Some(Rule::Bag),
            "ignore" => Some(Rule::Ignore),
            _ => None,
        },
        Value::Object(fields) if fields.len() == 1 => fields
            .get("number")
            .and_then(Value::as_f64)
            .filter(|it| *it >= 0.0)
            .map(Rule::Number),
        _ => None,
    };
    named.ok_or_else(|| RuleError {
        pointer: pointer.to_owned(),
        value: rule.to_string(),
        must: ALLOWED.to_owned(),
    })
}

/// Whether a pattern names this path or one above it.
fn is_above(pattern: &[String], path: &[&str]) -> bool {
    pattern.len() <= path.len()
        && pattern
            .iter()
            .zip(path)
            .all(|(part, key)| part == "*" || part == key)
}
