//! What a constraint holds a reply to, found by trying where the table of keywords does not say.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::envelope::read_schema;
use super::keywords::{Kind, kind_of};
use super::report::report;
use super::schema::{Terms, try_compile};
use super::{
    Badge, Constraint, ConstraintError, Enforcement, KeywordReport, SchemaSwitches, check,
};

/// All there is to say of a constraint before anything is run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Examination {
    pub badge: Badge,
    /// A constraint was asked for and none is active: to be shown in red.
    pub is_missing: bool,
    /// The mask was made lenient, and it lets through what the schema does not.
    pub is_weaker: bool,
    /// What the schema came in, such as `JSON Schema`; empty for other constraints.
    pub shape: String,
    /// Pointers of keys that mean nothing here, in the text as it was given.
    pub unread: Vec<String>,
    /// Every keyword of the schema, with pointers into the schema itself.
    pub keywords: Vec<KeywordReport>,
    /// Warnings about a grammar, a sentence each.
    pub notes: Vec<String>,
    /// Why the constraint cannot be used.
    pub error: Option<ConstraintError>,
}

impl Default for Examination {
    fn default() -> Self {
        Self {
            badge: Badge::None,
            is_missing: false,
            is_weaker: false,
            shape: String::new(),
            unread: Vec::new(),
            keywords: Vec::new(),
            notes: Vec::new(),
            error: None,
        }
    }
}

/// Examines a constraint without a model.
pub fn examine(constraint: &Constraint) -> Examination {
    let Constraint::Schema {
        text,
        white_space,
        switches,
    } = constraint
    else {
        return examine_other(constraint);
    };
    let read = match read_schema(text) {
        Ok(it) => it,
        Err(error) => return Examination::failed(error),
    };
    let terms = (*white_space, switches);
    let keywords = keywords(&read.schema, terms);
    let mut unread = read.unread;
    if read.schema.get(OPTIONS).is_some() {
        unread.push(format!("{}/{OPTIONS}", read.pointer));
    }
    let examined = Examination {
        shape: read.shape,
        unread,
        ..Examination::default()
    };
    if let Err(error) = try_compile(&read.schema, terms) {
        return Examination {
            keywords,
            ..examined.with_error(error)
        };
    }
    let all_enforced = keywords
        .iter()
        .all(|it| it.enforcement == Enforcement::Enforced);
    let is_loosened = switches.lenient || switches.one_of_as_any_of;
    Examination {
        badge: if all_enforced {
            Badge::Enforced
        } else {
            Badge::Partly
        },
        is_weaker: is_loosened && try_strictly(&read.schema, terms).is_err(),
        keywords,
        ..examined
    }
}

/// The badge of a constraint; [`Badge::None`] for one that does not compile.
pub fn badge(constraint: &Constraint) -> Badge {
    examine(constraint).badge
}

impl Examination {
    /// All warnings, a sentence each.
    pub fn sentences(&self) -> Vec<String> {
        let weaker = self
            .is_weaker
            .then(|| "The mask is weaker than the schema: it was made lenient.".to_owned());
        let keywords = self.keywords.iter().filter_map(KeywordReport::warning);
        let unread = self.unread.iter().map(|it| format!("{it} is not read."));
        weaker
            .into_iter()
            .chain(keywords)
            .chain(unread)
            .chain(self.notes.iter().cloned())
            .collect()
    }

    fn failed(error: ConstraintError) -> Self {
        Self::default().with_error(error)
    }

    fn with_error(self, error: ConstraintError) -> Self {
        Self {
            is_missing: true,
            error: Some(error),
            ..self
        }
    }
}

/// The key under which some programs hand options to the schema compiler. Here the switches stand beside the schema.
const OPTIONS: &str = "x-guidance";
/// Keywords that are tried one by one; beyond them nothing is claimed.
const MAX_TRIED: usize = 24;

/// For [`check`].
pub(super) fn check_schema(constraint: &Constraint) -> Result<Vec<String>, ConstraintError> {
    let examined = examine(constraint);
    let sentences = examined.sentences();
    match examined.error {
        Some(error) => Err(error),
        None => Ok(sentences),
    }
}

fn examine_other(constraint: &Constraint) -> Examination {
    if *constraint == Constraint::None {
        return Examination::default();
    }
    match check(constraint) {
        Ok(notes) => Examination {
            badge: Badge::Enforced,
            notes,
            ..Examination::default()
        },
        Err(error) => Examination::failed(error),
    }
}

/// The report, with what a lenient mask lets go found by trying.
fn keywords(schema: &Value, terms: Terms<'_>) -> Vec<KeywordReport> {
    let mut found = report(schema);
    if !terms.1.lenient && !terms.1.one_of_as_any_of {
        return found;
    }
    let is_soft = |it: &KeywordReport| {
        it.enforcement == Enforcement::Enforced && SOFT.contains(&it.keyword.as_str())
    };
    let soft: Vec<String> = found
        .iter()
        .filter(|it| is_soft(it))
        .map(|it| it.pointer.clone())
        .collect();
    if soft.is_empty() || try_strictly(schema, terms).is_ok() {
        return found;
    }
    for it in found.iter_mut().filter(|it| is_soft(it)) {
        let is_held = soft.len() <= MAX_TRIED && is_held(schema, (&it.pointer, &soft), terms);
        if !is_held {
            it.enforcement = Enforcement::CheckedAfterwards;
            LET_GO.clone_into(&mut it.note);
        }
    }
    found
}

/// Keywords that a lenient mask holds to at some places and lets go at others.
const SOFT: &[&str] = &["oneOf", "minProperties", "maxProperties"];
const LET_GO: &str = "the mask is lenient and lets it go at this place";

/// Whether a strict mask takes the schema with this keyword as it is and all that may be let go left out.
fn is_held(schema: &Value, (pointer, soft): (&str, &[String]), terms: Terms<'_>) -> bool {
    let mut tried = schema.clone();
    // From the inside out, so that pointers stay true.
    for other in soft.iter().rev().filter(|it| *it != pointer) {
        loosen(&mut tried, other);
    }
    strip(&mut tried);
    try_strictly(&tried, terms).is_ok()
}

fn try_strictly(schema: &Value, (white_space, switches): Terms<'_>) -> Result<(), ConstraintError> {
    let strict = SchemaSwitches {
        lenient: false,
        one_of_as_any_of: false,
        ..switches.clone()
    };
    try_compile(schema, (white_space, &strict)).map(|_| ())
}

/// Renames `oneOf` to `anyOf`, or takes the keyword out.
fn loosen(schema: &mut Value, pointer: &str) {
    let Some((around, keyword)) = pointer.rsplit_once('/') else {
        return;
    };
    let Some(Value::Object(object)) = schema.pointer_mut(around) else {
        return;
    };
    let Some(value) = object.shift_remove(keyword) else {
        return;
    };
    if keyword == "oneOf" {
        let branches = serde_json::json!([{"anyOf": value}]);
        match object.get_mut("allOf") {
            Some(Value::Array(all)) => {
                all.extend(branches.as_array().into_iter().flatten().cloned());
            }
            _ => {
                object.insert("allOf".to_owned(), branches);
            }
        }
    }
}

/// Takes out what no mask enforces.
fn strip(schema: &mut Value) {
    let mut left = vec![schema];
    while let Some(value) = left.pop() {
        let Value::Object(object) = value else {
            continue;
        };
        let unheld: Vec<String> = report(&Value::Object(object.clone()))
            .into_iter()
            .filter(|it| it.enforcement != Enforcement::Enforced)
            .filter(|it| it.pointer.matches('/').count() == 1 && is_refused(it))
            .map(|it| it.keyword)
            .collect();
        object.retain(|key, _| !unheld.contains(key));
        for (key, value) in object.iter_mut() {
            match (kind_of(key), value) {
                (Kind::SchemaMap, Value::Object(schemas)) => left.extend(schemas.values_mut()),
                (Kind::Schema, Value::Array(schemas)) => left.extend(schemas.iter_mut()),
                (Kind::Schema, value) => left.push(value),
                _ => {}
            }
        }
    }
}

/// Whether a strict mask refuses a schema because of it.
fn is_refused(it: &KeywordReport) -> bool {
    it.enforcement == Enforcement::CheckedAfterwards && it.keyword != "minProperties"
        || it.keyword == "format" && it.note == "an unknown format"
}
