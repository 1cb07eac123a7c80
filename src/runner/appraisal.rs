//! Everything there is to say about a finished reply: the climb, then the judges.

use serde::de::IgnoredAny;
use serde_json::Value;

use super::Given;
use crate::judge::{self, Ending, Judged, Judgement, Schema};
use crate::ladder::{self, Climb, Hint, RootType, RootTypes};
use crate::prompt::{Rules, ThinkingSplit, ThinkingTags, is_open, thinking_tags};

/// A reply and where it came from, as far as that bears on judging it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Appraised<'a> {
    pub reply: &'a str,
    pub ending: Ending,
    /// The text that was put into the model's mouth; the reply goes on from it.
    pub prefill: &'a str,
    /// The chat template that rendered the prompt, and that prompt: they tell whether the model thinks aloud.
    pub template: Option<&'a str>,
    pub prompt: &'a str,
    /// A constraint was on from the first token, so the reply has no room for thoughts.
    pub constrained: bool,
    /// The one of the reply's values that is to be taken in place of the ladder's own choice.
    pub picked: Option<&'a Value>,
}

/// Climbs and judges. Where the template knows thinking, the ladder climbs the answer alone.
///
/// A schema that cannot be used judges nothing: its lamp stays unlit by the caller's own check of the schema.
pub fn appraise(appraised: &Appraised<'_>, given: &Given) -> (Climb, Judgement) {
    let schema = given.schema.as_ref().and_then(|it| Schema::parse(it).ok());
    let (thinking, answer) = channels(appraised);
    let fits = schema.as_ref().map(|it| move |value: &_| it.fits(value));
    let is_picked = appraised.picked.map(|it| move |value: &_| it == value);
    let hint = Hint {
        root: match appraised.picked {
            Some(value) => Some(RootType::of(value).into()),
            None => schema.as_ref().and_then(roots),
        },
        fits: match &is_picked {
            Some(it) => Some(it as _),
            None => fits.as_ref().map(|it| it as _),
        },
        prefill: Some(appraised.prefill).filter(|it| !it.is_empty()),
    };
    let mut climb = ladder::climb(&answer, &hint);
    climb.thinking = thinking.or(climb.thinking);
    let rules = Rules::parse(&given.rules).ok();
    let judgement = judge::judge(&Judged {
        reply: &answer,
        climb: &climb,
        ending: appraised.ending,
        schema: schema.as_ref(),
        answer: given.answer.as_ref(),
        rules: rules.as_ref(),
        examples: &given.examples,
        input: &given.input_text,
        instruction: &given.instruction,
        defaults: Some(&given.defaults),
    });
    (climb, judgement)
}

/// What was thought aloud, if the template knows thinking and anything was, and the rest.
fn channels(appraised: &Appraised<'_>) -> (Option<String>, String) {
    let whole = || (None, appraised.reply.to_owned());
    let Some(tags) = appraised.template.and_then(thinking_tags) else {
        return whole();
    };
    if appraised.constrained && is_all_answer(appraised.reply, tags) {
        return whole();
    }
    let mut split = ThinkingSplit::new(tags, is_open(appraised.prompt, tags));
    let mut parts = split.push(appraised.reply);
    let rest = split.finish();
    parts.thinking.push_str(&rest.thinking);
    parts.answer.push_str(&rest.answer);
    if parts.thinking.is_empty() {
        return whole();
    }
    (Some(parts.thinking), parts.answer)
}

/// Whether a reply under a constraint went without thinking, although the prompt may have opened the block.
fn is_all_answer(reply: &str, tags: ThinkingTags) -> bool {
    !reply.contains(tags.close) || serde_json::from_str::<IgnoredAny>(reply).is_ok()
}

fn roots(schema: &Schema) -> Option<RootTypes> {
    let roots = schema.root_types().into_iter().flat_map(|name| match name {
        "object" => vec![RootType::Object],
        "array" => vec![RootType::Array],
        "string" => vec![RootType::String],
        "number" | "integer" => vec![RootType::Number],
        "boolean" => vec![RootType::Boolean],
        "null" => vec![RootType::Null],
        _ => Vec::new(),
    });
    let roots: Vec<_> = roots.collect();
    (!roots.is_empty()).then(|| roots.into_iter().collect())
}
