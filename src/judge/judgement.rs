//! All judges in one call: what a reply is worth, and why it failed.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::cause::{Scene, cause};
use super::compare::correctness;
use super::leak::{LeakSources, leaks_of};
use super::schema::Finding;
use super::{
    AfterDefaults, Cause, Correctness, Defaults, Difference, Lamps, Leak, Origins, Schema, Verdict,
    after_defaults, echo, origins, shape,
};
use crate::ladder::{Climb, Flag, Rung};
use crate::prompt::{Example, Rules};

/// A reply with all there is to judge it by. What is not known is left out: its lamp stays unlit, not dark.
#[derive(Clone, Copy, Debug)]
pub struct Judged<'a> {
    pub reply: &'a str,
    pub climb: &'a Climb,
    pub ending: Ending,
    pub schema: Option<&'a Schema>,
    /// The right answer.
    pub answer: Option<&'a Value>,
    /// How fields are compared with the right answer; none for exactly.
    pub rules: Option<&'a Rules>,
    /// The few-shot examples that stood in the prompt.
    pub examples: &'a [Example],
    pub input: &'a str,
    /// What the prompt asked for, system message and instruction.
    pub instruction: &'a str,
    /// What a preset puts in for missing fields.
    pub defaults: Option<&'a Defaults>,
}

/// How a reply ended, as far as it bears on the cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// End of generation, a stop string, a complete constraint; also: not known.
    #[default]
    ByItself,
    /// Token limit, full context, cancelled, loop guard, engine lost.
    Cut,
    /// Every next token was forbidden.
    DeadEnd,
}

/// All findings on one reply.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// None without a schema. Without a value there is nothing that could be valid, and no fault with a place.
    pub verdict: Option<Verdict>,
    /// None without a known answer.
    pub correctness: Option<Correctness>,
    /// None without defaults, without a schema or without a value. Lights no lamp.
    pub after_defaults: Option<AfterDefaults>,
    pub leaks: Vec<Leak>,
    /// Each leaf of the value with its source.
    pub origins: Origins,
    pub lamps: Lamps,
    /// None when every lamp that could be judged is lit, the reply came to its end and is no copy of the schema.
    pub cause: Option<Cause>,
}

impl<'a> Judged<'a> {
    /// A reply of which nothing else is known.
    pub fn new(reply: &'a str, climb: &'a Climb) -> Self {
        Self {
            reply,
            climb,
            ending: Ending::default(),
            schema: None,
            answer: None,
            rules: None,
            examples: &[],
            input: "",
            instruction: "",
            defaults: None,
        }
    }
}

impl Lamps {
    /// Whether no lamp is dark.
    pub fn are_lit(&self) -> bool {
        let unlit_or_lit = |it: Option<bool>| it != Some(false);
        self.parses
            && unlit_or_lit(self.schema)
            && unlit_or_lit(self.correct)
            && unlit_or_lit(self.leak_free)
    }
}

/// Judges a reply. Never fails: a bad reply is data. A reply without a value has its lamps for schema and
/// correctness dark, where there was a schema or an answer, and nothing that could leak.
pub fn judge(judged: &Judged<'_>) -> Judgement {
    let value = judged.climb.value();
    let findings = value
        .zip(judged.schema)
        .map(|(value, schema)| schema.findings(value));
    let verdict = judged.schema.map(|_| match &findings {
        Some(findings) => Verdict {
            valid: findings.is_empty(),
            on_repaired: is_repaired(judged.climb),
            faults: findings.iter().map(|it| it.fault.clone()).collect(),
        },
        None => Verdict::default(),
    });
    let correctness = judged.answer.map(|answer| compared(judged, answer));
    let origins = value
        .map(|it| origins(it, &leak_sources(judged)))
        .unwrap_or_default();
    let leaks = if judged.examples.is_empty() {
        Vec::new()
    } else {
        leaks_of(&origins)
    };
    let after_defaults = value
        .zip(judged.defaults)
        .zip(judged.schema)
        .and_then(|((value, defaults), schema)| after_defaults(value, defaults, schema))
        .map(|mut it| {
            it.verdict.on_repaired = is_repaired(judged.climb);
            it
        });
    let has_leak_lamp = value.is_some() && !judged.examples.is_empty();
    let lamps = Lamps {
        parses: value.is_some(),
        schema: verdict.as_ref().map(|it| it.valid),
        correct: correctness.as_ref().map(|it| it.correct),
        leak_free: has_leak_lamp.then_some(leaks.is_empty()),
    };
    let mut judgement = Judgement {
        verdict,
        correctness,
        after_defaults,
        leaks,
        origins,
        lamps,
        cause: None,
    };
    judgement.cause = cause_of(judged, &judgement, &findings.unwrap_or_default());
    judgement
}

/// The cause behind a dark lamp or a broken end.
fn cause_of(judged: &Judged<'_>, judgement: &Judgement, findings: &[Finding]) -> Option<Cause> {
    let is_truncated = judged.climb.flags.contains(&Flag::Truncated);
    let is_well = judgement.lamps.are_lit() && !is_truncated;
    let shape = judged
        .climb
        .value()
        .zip(judged.schema)
        .filter(|_| !is_well)
        .map(|(value, schema)| shape::causes(schema, value, findings))
        .unwrap_or_default();
    let correctness = judgement.correctness.as_ref();
    let scene = Scene {
        judged,
        findings,
        origins: &judgement.origins,
        leaks: &judgement.leaks,
        differences: correctness.map_or(&[], |it| &it.differences),
        shape: &shape,
    };
    // A copy of the schema's own words may fit the schema.
    if is_well && echo::schema(&scene).is_empty() {
        return None;
    }
    cause(&scene)
}

/// Whether the value is something that the model did not quite write.
fn is_repaired(climb: &Climb) -> bool {
    climb.rung == Some(Rung::Repair)
        || [Flag::Truncated, Flag::Elided]
            .iter()
            .any(|it| climb.flags.contains(it))
}

fn compared(judged: &Judged<'_>, answer: &Value) -> Correctness {
    let exactly = Rules::default();
    match judged.climb.value() {
        Some(value) => correctness(value, answer, judged.rules.unwrap_or(&exactly)),
        None => Correctness {
            correct: false,
            differences: vec![Difference {
                path: String::new(),
                expected: answer.clone(),
                found: None,
                remark: Some("the reply yields no value".to_owned()),
            }],
        },
    }
}

fn leak_sources<'a>(judged: &Judged<'a>) -> LeakSources<'a> {
    LeakSources {
        examples: judged.examples,
        input: judged.input,
        instruction: judged.instruction,
        rules: judged.rules,
        answer: judged.answer,
        schema: judged.schema.map(Schema::source),
    }
}
