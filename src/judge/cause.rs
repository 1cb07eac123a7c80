//! Why a reply failed: the table of causes, and the first and further ones of a reply.

use serde_json::Value;

use super::judgement::{Ending, Judged};
use super::schema::Finding;
use super::{Cause, Difference, Leak, Origins, Span};
use super::{content, echo, ending, nothing, rescue, shape};
use crate::ladder::{Climb, Flag};

/// Most causes that are listed after the first.
const MAX_FURTHER: usize = 20;

/// One row of the table: a cause, when it holds, and the rule that finds it.
#[derive(Debug)]
pub struct CauseRule {
    /// The word in records and reports.
    pub kind: &'static str,
    /// What it says of a reply.
    pub says: &'static str,
    /// When it holds.
    pub when: &'static str,
    group: Group,
    find: fn(&Scene<'_>) -> Vec<Cause>,
}

/// Everything the rules look at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene<'a> {
    pub(super) judged: &'a Judged<'a>,
    pub(super) findings: &'a [Finding],
    pub(super) origins: &'a Origins,
    pub(super) leaks: &'a [Leak],
    pub(super) differences: &'a [Difference],
    /// The causes behind the findings, most telling first.
    pub(super) shape: &'a [Cause],
}

/// What a cause is about. One cause explains how a reply ended, one what it is as a whole; faults of shape and
/// content are only looked for in a reply that is an answer at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    Ending,
    Whole,
    Shape,
    Content,
    Rescue,
}

/// All causes, most telling first. The first row that holds is the first cause, the others are further ones.
/// Each kind has its rows in `tests/data/judged_replies.jsonl`.
pub static CAUSES: &[CauseRule] = &[
    CauseRule {
        kind: "loop",
        says: "the reply repeats itself",
        when: "it ends in white space, digits or a unit that repeats; or a closed list repeats one item",
        group: Group::Ending,
        find: ending::looping,
    },
    CauseRule {
        kind: "echo_schema",
        says: "the reply repeats the schema",
        when: "a value has `type` and `properties`, or is a type's name or a description where a value belongs",
        group: Group::Whole,
        find: echo::schema,
    },
    CauseRule {
        kind: "echo_example",
        says: "the reply repeats an example",
        when: "the value is an example's answer, and that is not right here",
        group: Group::Whole,
        find: echo::example,
    },
    CauseRule {
        kind: "echo_input",
        says: "the reply repeats the input",
        when: "there is no value and the text is the input; or a wrong value has the whole input as a text",
        group: Group::Whole,
        find: echo::input,
    },
    CauseRule {
        kind: "dead_end",
        says: "every next token was forbidden",
        when: "the run ended in a dead end before the value was closed",
        group: Group::Ending,
        find: ending::dead_end,
    },
    CauseRule {
        kind: "truncated",
        says: "the reply was cut off",
        when: "a bracket or text is open at the end",
        group: Group::Ending,
        find: ending::truncated,
    },
    CauseRule {
        kind: "reasoning_only",
        says: "JSON stands in the reasoning only",
        when: "the answer holds no value and the thinking does",
        group: Group::Whole,
        find: nothing::reasoning_only,
    },
    CauseRule {
        kind: "refusal",
        says: "the model apologises or refuses",
        when: "there is no value, or one with a key of its own, and the text begins with an apology",
        group: Group::Whole,
        find: nothing::refusal,
    },
    CauseRule {
        kind: "code",
        says: "the reply is program code",
        when: "there is no value that fits, and the text or its fence is written in a programming language",
        group: Group::Whole,
        find: nothing::code,
    },
    CauseRule {
        kind: "no_json",
        says: "the reply holds no JSON at all",
        when: "there is no value, and nothing in the text looks like one: prose, a table, YAML, XML, nothing",
        group: Group::Whole,
        find: nothing::no_json,
    },
    CauseRule {
        kind: "nested",
        says: "the answer stands inside another value",
        when: "what is under a key of its own, or the only item of a list, fits better than the whole",
        group: Group::Shape,
        find: |scene| shape::of_kind(scene, "nested"),
    },
    CauseRule {
        kind: "renamed_key",
        says: "a key has another name",
        when: "a key is missing and one that is not allowed looks like it, means it, or alone fits its type",
        group: Group::Shape,
        find: |scene| shape::of_kind(scene, "renamed_key"),
    },
    CauseRule {
        kind: "missing_key",
        says: "a key is missing",
        when: "a required key is not there, and no other key stands for it",
        group: Group::Shape,
        find: |scene| shape::of_kind(scene, "missing_key"),
    },
    CauseRule {
        kind: "wrong_type",
        says: "a value has the wrong type",
        when: "`type` is broken: a number in quotes, a list for an object, a joined text for a list",
        group: Group::Shape,
        find: |scene| shape::of_kind(scene, "wrong_type"),
    },
    CauseRule {
        kind: "wrong_enum",
        says: "a value is not one of those allowed",
        when: "`enum` or `const` is broken",
        group: Group::Shape,
        find: |scene| shape::of_kind(scene, "wrong_enum"),
    },
    CauseRule {
        kind: "unknown_key",
        says: "a key is not allowed",
        when: "`additionalProperties` or `unevaluatedProperties` is broken, and no missing key explains it",
        group: Group::Shape,
        find: |scene| shape::of_kind(scene, "unknown_key"),
    },
    CauseRule {
        kind: "wrong_shape",
        says: "the value breaks the schema otherwise",
        when: "any other keyword is broken",
        group: Group::Shape,
        find: |scene| shape::of_kind(scene, "wrong_shape"),
    },
    CauseRule {
        kind: "leak",
        says: "a value was copied from an example",
        when: "a leaf stands in an example and not in the input, and is not right",
        group: Group::Content,
        find: content::leaked,
    },
    CauseRule {
        kind: "wrong_value",
        says: "a value is not the right one",
        when: "a field differs from the known answer under its rule, and nothing above explains it",
        group: Group::Content,
        find: content::wrong_value,
    },
    CauseRule {
        kind: "wrapping",
        says: "text, fences or tags stand around the JSON",
        when: "rung 2 or 3 held, or a byte order mark had to go",
        group: Group::Rescue,
        find: rescue::wrapping,
    },
    CauseRule {
        kind: "syntax",
        says: "the JSON has small faults of syntax",
        when: "rung 4 held, or no rung did although something like JSON is there",
        group: Group::Rescue,
        find: rescue::syntax,
    },
];

/// Why the whole reply is not valid JSON; none when it is. Knows no schema and no answer.
pub fn reply_cause(reply: &str, climb: &Climb, ending: Ending) -> Option<Cause> {
    if climb.whole_reply_valid && !climb.flags.contains(&Flag::Truncated) {
        return None;
    }
    let judged = Judged {
        ending,
        ..Judged::new(reply, climb)
    };
    cause(&Scene {
        judged: &judged,
        findings: &[],
        origins: &Origins::default(),
        leaks: &[],
        differences: &[],
        shape: &[],
    })
}

/// What is behind a dark lamp: the first cause with the further ones. Asked only when one is dark or the reply
/// broke off.
pub(super) fn cause(scene: &Scene<'_>) -> Option<Cause> {
    let mut groups: Vec<Group> = Vec::new();
    let mut found: Vec<Cause> = Vec::new();
    for rule in CAUSES {
        let has = |group: Group| groups.contains(&group);
        let is_explained = match rule.group {
            Group::Ending | Group::Whole => has(rule.group),
            Group::Shape | Group::Content => has(Group::Whole),
            Group::Rescue => has(Group::Ending) || has(Group::Whole),
        };
        if is_explained {
            continue;
        }
        let causes = (rule.find)(scene);
        if !causes.is_empty() {
            groups.push(rule.group);
        }
        found.extend(causes);
    }
    let mut found = found.into_iter();
    let mut first = found.next()?;
    first.further = found.take(MAX_FURTHER).collect();
    Some(first)
}

impl Scene<'_> {
    pub(super) fn value(&self) -> Option<&Value> {
        self.judged.climb.value()
    }

    /// Whether the value is neither what the schema wants nor what is right.
    pub(super) fn is_wrong(&self) -> bool {
        !self.findings.is_empty() || !self.differences.is_empty()
    }
}

impl Cause {
    pub(super) fn new(kind: &str, message: String) -> Self {
        Self {
            kind: kind.to_owned(),
            message,
            ..Self::default()
        }
    }

    /// The same with its place in the value.
    pub(super) fn at(self, path: &str) -> Self {
        Self {
            path: Some(path.to_owned()),
            ..self
        }
    }

    /// The same with its place in the text.
    pub(super) fn over(self, start: usize, end: usize) -> Self {
        Self {
            span: Some(Span { start, end }),
            ..self
        }
    }

    /// The message, and how many further causes there are.
    pub fn summary(&self) -> String {
        match self.further.len() {
            0 => self.message.clone(),
            n => format!("{}; and {n} more", self.message),
        }
    }
}
