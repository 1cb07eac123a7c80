//! Replies without an answer: thoughts alone, apologies, program code, prose.

use serde_json::Value;

use super::Cause;
use super::bounds::{child_path, cut};
use super::cause::Scene;
use super::fold::fold;
use super::languages::{format_of, language_of};
use crate::ladder::{Hint, climb};

/// How far into a text an apology may begin, in characters.
const MAX_BEFORE_APOLOGY: usize = 100;

/// Most keys of an object that holds nothing but an apology.
const MAX_KEYS: usize = 3;

/// What ends a block of thinking.
const CLOSERS: &[&str] = &[
    "</think>",
    "</thinking>",
    "</thought>",
    "</thoughts>",
    "</reasoning>",
    "</reason>",
    "</reflection>",
    "</analysis>",
    "</scratchpad>",
    "</seed:think>",
    "[/THINK]",
    "<|END_THINKING|>",
];

/// How models refuse and apologise; folded.
const APOLOGIES: &[&str] = &[
    "i'm sorry",
    "i am sorry",
    "sorry,",
    "sorry but",
    "sorry for",
    "i apologize",
    "i apologise",
    "my apologies",
    "i cannot",
    "i can't",
    "i can not",
    "i'm unable",
    "i am unable",
    "unable to assist",
    "unable to help",
    "i'm not able",
    "i am not able",
    "as an ai",
    "as a language model",
    "as a large language model",
    "i'm an ai",
    "i am an ai",
    "i'm just an ai",
    "i do not have the ability",
    "i don't have the ability",
    "i don't have access",
    "i won't",
    "i will not",
    "i must decline",
    "cannot fulfill",
    "can't fulfill",
    "cannot assist",
    "can't assist",
    "can't help with",
    "cannot help with",
    "unfortunately, i",
    "could you please provide",
    "please provide me with",
    "please provide the",
    "please provide more",
    "i don't understand",
    "i'm not sure",
    "抱歉",
    "对不起",
    "對不起",
    "不好意思",
    "很遗憾",
    "遗憾地",
    "无法完成",
    "我无法",
    "無法",
    "我不能",
    "我没有能力",
    "作为一个人工智能",
    "作为人工智能",
    "作为一个ai",
    "作为ai",
    "作为一个语言模型",
    "请提供更多",
    "请您提供",
    "죄송",
    "미안",
    "유감",
    "할 수 없습니다",
    "도와드릴 수 없",
    "제공할 수 없",
    "도와드리기 어렵",
    "ai 언어 모델",
    "인공지능으로서",
    "정보를 제공해 주",
    "申し訳",
    "すみません",
    "できません",
    "lo siento",
    "no puedo",
    "es tut mir leid",
    "ich kann nicht",
    "je suis désolé",
    "je ne peux pas",
    "desculpe",
    "mi dispiace",
];

/// Where the answer begins, in bytes: after the last block of thinking that was closed.
pub(super) fn answer_start(reply: &str) -> usize {
    CLOSERS
        .iter()
        .filter_map(|it| Some(reply.rfind(it)? + it.len()))
        .max()
        .unwrap_or(0)
}

pub(super) fn reasoning_only(scene: &Scene<'_>) -> Vec<Cause> {
    let climb_of = scene.judged.climb;
    let Some(thinking) = climb_of
        .thinking
        .as_ref()
        .filter(|_| climb_of.value().is_none())
    else {
        return Vec::new();
    };
    let found = climb(thinking, &Hint::default());
    let Some(found) = found.value().filter(|it| it.is_object() || it.is_array()) else {
        return Vec::new();
    };
    let fits = scene.judged.schema.is_some_and(|it| it.fits(found));
    let remark = if fits {
        "; there it fits the schema"
    } else {
        ""
    };
    let message = format!("JSON stands in the reasoning only, and not in the answer{remark}");
    vec![Cause::new("reasoning_only", message)]
}

pub(super) fn refusal(scene: &Scene<'_>) -> Vec<Cause> {
    if let Some(value) = scene.value() {
        return refusal_in(scene, value).into_iter().collect();
    }
    let (text, start) = answer(scene);
    if !is_apology(text) || language_of(text).is_some() {
        return Vec::new();
    }
    let begin = Value::from(cut(text));
    let message = format!("the model apologises or refuses: {begin}");
    vec![Cause::new("refusal", message).over(start, start + text.len())]
}

pub(super) fn code(scene: &Scene<'_>) -> Vec<Cause> {
    let is_answer = scene.value().is_some() && scene.findings.is_empty();
    let (text, start) = answer(scene);
    let Some(language) = language_of(text).filter(|_| !is_answer) else {
        return Vec::new();
    };
    let begin = Value::from(cut(text));
    let message = format!("the reply is {language} instead of JSON: {begin}");
    vec![Cause::new("code", message).over(start, start + text.len())]
}

pub(super) fn no_json(scene: &Scene<'_>) -> Vec<Cause> {
    if scene.value().is_some() {
        return Vec::new();
    }
    let (text, start) = answer(scene);
    if text.is_empty() || is_unclosed_thought(scene, text) {
        let message = match (scene.judged.reply.trim(), &scene.judged.climb.thinking) {
            ("", None) => "the reply is empty",
            _ => "the reply thinks and never answers",
        };
        return vec![Cause::new("no_json", message.to_owned())];
    }
    if looks_like_json(text) {
        return Vec::new();
    }
    let what = format_of(text).unwrap_or("text");
    let begin = Value::from(cut(text));
    let message = format!("the reply is {what} without JSON: {begin}");
    vec![Cause::new("no_json", message).over(start, start + text.len())]
}

/// The text after the thinking, without white space around it, and where it begins.
fn answer<'a>(scene: &Scene<'a>) -> (&'a str, usize) {
    let reply = scene.judged.reply;
    let start = answer_start(reply);
    let rest = &reply[start..];
    let indent = rest.len() - rest.trim_start().len();
    (rest.trim(), start + indent)
}

fn is_unclosed_thought(scene: &Scene<'_>, text: &str) -> bool {
    let open = CLOSERS
        .iter()
        .map(|it| it.replace('/', "").replace("END", "START"));
    scene.judged.climb.thinking.is_some() && open.into_iter().any(|it| text.starts_with(&it))
}

fn is_apology(text: &str) -> bool {
    let begin: String = fold(text).chars().take(MAX_BEFORE_APOLOGY).collect();
    APOLOGIES.iter().any(|it| begin.contains(it))
}

/// An apology under a key that the schema does not have: `{"error": "I cannot do that."}`.
fn refusal_in(scene: &Scene<'_>, value: &Value) -> Option<Cause> {
    let fields = value.as_object().filter(|it| it.len() <= MAX_KEYS);
    let properties = scene.judged.schema?.source().get("properties");
    let is_own = |key: &str| properties.and_then(|it| it.get(key)).is_none();
    let is_found =
        |(key, it): &(&String, &Value)| is_own(key) && it.as_str().is_some_and(is_apology);
    let (key, text) = fields
        .filter(|_| !scene.findings.is_empty())?
        .iter()
        .find(is_found)?;
    let begin = Value::from(cut(text.as_str()?));
    let message = format!("the model apologises or refuses: {begin}");
    Some(Cause::new("refusal", message).at(&child_path("", key)))
}

/// Whether a bracket begins something that could be a value, and not a remark or a placeholder.
fn looks_like_json(text: &str) -> bool {
    let begins = text
        .trim_start_matches('`')
        .trim_start_matches("json")
        .trim_start();
    let is_inner = |(at, _): (usize, &str)| {
        let rest = text[at + 1..].trim_start();
        rest.starts_with(['"', '\'', '\u{201C}', '{', '[']) && rest.contains([':', ',', '：'])
    };
    begins.starts_with(['{', '[']) || text.match_indices(['{', '[']).any(is_inner)
}
