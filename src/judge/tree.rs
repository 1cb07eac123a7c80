//! The validator's errors as a tree: where no alternative fits, what each of them lacks.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value;

use super::bounds::cut_to;
use super::schema::Finding;
use super::wording::{message, not_allowed};
use super::{Branch, Fault};

/// Longest message of an alternative inside another message, in characters.
const MAX_INNER: usize = 200;

/// Most faults below alternatives, over the whole value.
const MAX_BELOW: usize = 2_000;

/// Deepest nesting of alternatives that is shown.
const MAX_LEVELS: usize = 8;

/// Most alternatives that are told apart.
const MAX_BRANCHES: usize = 64;

/// Turns errors into findings, within bounds.
pub(super) struct Tree<'a> {
    schema: &'a Value,
    n_left: usize,
    level: usize,
}

/// An alternative on the way to being shown.
struct Tried {
    branch: Branch,
    findings: Vec<Finding>,
}

impl<'a> Tree<'a> {
    pub(super) fn new(schema: &'a Value) -> Self {
        Self {
            schema,
            n_left: MAX_BELOW,
            level: 0,
        }
    }

    /// One finding an error, but one for each key that is not allowed.
    pub(super) fn findings(&mut self, error: &ValidationError<'_>) -> Vec<Finding> {
        match error.kind() {
            Kind::Required { property } => {
                vec![finding(error, message(error), property.as_str())]
            }
            Kind::AdditionalProperties { unexpected }
            | Kind::UnevaluatedProperties { unexpected } => unexpected
                .iter()
                .map(|key| finding(error, not_allowed(key), Some(key)))
                .collect(),
            Kind::AnyOf { context }
            | Kind::OneOfNotValid { context }
            | Kind::OneOfMultipleValid { context } => vec![self.alternatives(error, context)],
            _ => vec![finding(error, message(error), None)],
        }
    }

    fn alternatives(
        &mut self,
        error: &ValidationError<'_>,
        context: &[Vec<ValidationError<'static>>],
    ) -> Finding {
        let mut res = finding(error, message(error), None);
        if self.level >= MAX_LEVELS {
            return res;
        }
        self.level += 1;
        let names = self.names(error);
        let mut tried = Vec::new();
        for (idx, errors) in context.iter().enumerate().take(MAX_BRANCHES) {
            let mut findings = Vec::new();
            for error in errors {
                if self.n_left == 0 {
                    break;
                }
                self.n_left -= 1;
                findings.extend(self.findings(error));
            }
            let branch = Branch {
                number: idx + 1,
                name: names.get(idx).cloned().unwrap_or_default(),
                faults: findings.iter().map(|it| it.fault.clone()).collect(),
            };
            tried.push(Tried { branch, findings });
        }
        self.level -= 1;
        let place = &res.fault.instance_path;
        tried.sort_by_key(|it| distance(place, &it.findings));
        describe(&mut res, tried, error);
        res
    }

    /// What the alternatives are called in the schema.
    fn names(&self, error: &ValidationError<'_>) -> Vec<String> {
        let path = error.schema_path().as_str();
        let list = self.schema.pointer(path).and_then(Value::as_array);
        list.into_iter().flatten().map(name).collect()
    }
}

fn finding(error: &ValidationError<'_>, message: String, key: Option<&str>) -> Finding {
    Finding {
        fault: Fault {
            instance_path: error.instance_path().as_str().to_owned(),
            keyword: error.kind().keyword().to_owned(),
            message,
            branches: Vec::new(),
        },
        key: key.map(str::to_owned),
        nearest: Vec::new(),
    }
}

/// Adds the alternatives, nearest first, and what they come to.
fn describe(res: &mut Finding, tried: Vec<Tried>, error: &ValidationError<'_>) {
    if let Kind::OneOfMultipleValid { .. } = error.kind() {
        let fitting = tried.iter().filter(|it| it.findings.is_empty());
        let numbers: Vec<_> = fitting.map(|it| it.branch.number.to_string()).collect();
        if numbers.len() > 1 {
            res.fault
                .message
                .push_str(&format!(": numbers {}", numbers.join(" and ")));
        }
    } else if let Some((nearest, first)) = tried
        .first()
        .and_then(|it| Some((it, it.findings.first()?)))
    {
        let called = match nearest.branch.name.as_str() {
            "" => String::new(),
            name => format!(" ({})", cut_to(name, MAX_INNER)),
        };
        res.fault.message.push_str(&format!(
            "; closest is number {}{called}: {}",
            nearest.branch.number,
            cut_to(&first.fault.message, MAX_INNER)
        ));
        res.nearest.clone_from(&nearest.findings);
    }
    res.fault.branches = tried.into_iter().map(|it| it.branch).collect();
}

/// How far a value is from an alternative. Another type, or another constant that tells the alternatives apart,
/// is further than any number of lesser faults.
fn distance(place: &str, findings: &[Finding]) -> (usize, usize, usize) {
    let count = |holds: &dyn Fn(&Finding) -> bool| findings.iter().filter(|it| holds(it)).count();
    let n_types = count(&|it| it.fault.keyword == "type" && it.fault.instance_path == place);
    let n_constants = count(&|it| {
        let depth = it.fault.instance_path.matches('/').count();
        let is_near = depth <= place.matches('/').count() + 1;
        it.fault.keyword == "const" && is_near
    });
    (n_types, n_constants, findings.len())
}

fn name(schema: &Value) -> String {
    let text = |keyword: &str| schema.get(keyword).and_then(Value::as_str);
    let reference = || text("$ref").map(|it| it.rsplit('/').next().unwrap_or(it));
    text("title")
        .or_else(reference)
        .or_else(|| text("type"))
        .unwrap_or_default()
        .to_owned()
}
