//! Why a reply failed: one word, and one sentence with its place.

use serde_json::Value;

use super::bounds::{cut, dotted, quoted};
use super::judgement::{Ending, Judged};
use super::loops::find_loop;
use super::place::open_path;
use super::schema::Finding;
use super::{Cause, Difference, Leak, digits, names};
use crate::ladder::{Climb, Flag, Rung};

/// All words a cause can be, with what each means.
pub const CAUSE_KINDS: &[(&str, &str)] = &[
    ("wrapping", "text, fences or tags around the JSON"),
    ("syntax", "small faults of syntax"),
    ("truncated", "the reply was cut off"),
    ("loop", "the reply repeats itself"),
    ("dead_end", "every next token was forbidden"),
    ("no_json", "no JSON at all"),
    ("echo", "the reply repeats the input or the schema"),
    ("renamed_key", "a key has another name"),
    ("missing_key", "a key is missing"),
    ("extra_key", "a key is not allowed"),
    ("wrong_type", "a value has the wrong type"),
    ("wrong_enum", "a value is not one of those allowed"),
    ("wrong_shape", "the value breaks the schema otherwise"),
    ("leak", "a value was copied from an example"),
    ("wrong_value", "a value is not the right one"),
];

/// Fewest characters of an input whose repetition is an echo rather than chance.
const MIN_ECHO_CHARS: usize = 12;

/// Why the whole reply is not valid JSON; none when it is. Knows no schema and no answer.
pub fn reply_cause(reply: &str, climb: &Climb, ending: Ending) -> Option<Cause> {
    if climb.whole_reply_valid && !climb.flags.contains(&Flag::Truncated) {
        return None;
    }
    broken_off(reply, climb, ending)
        .or_else(|| climb.value.is_none().then(|| nothing(reply, climb)))
        .or_else(|| rescued(climb))
}

/// What is behind a dark lamp. Asked only when one is dark or the reply broke off.
pub(super) fn cause(judged: &Judged<'_>, findings: &[Finding], leaks: &[Leak]) -> Option<Cause> {
    let Judged { reply, climb, .. } = *judged;
    broken_off(reply, climb, judged.ending)
        .or_else(|| {
            (climb.value.is_none() || !findings.is_empty())
                .then(|| echo(judged))
                .flatten()
        })
        .or_else(|| climb.value.is_none().then(|| nothing(reply, climb)))
        .or_else(|| wrong_shape(climb.value.as_ref()?, findings))
        .or_else(|| leaks.first().map(|it| leaked(it, leaks.len())))
}

/// The first difference from the right answer.
pub(super) fn wrong_value(differences: &[Difference]) -> Option<Cause> {
    let first = differences.first()?;
    let found = match &first.found {
        Some(found) => format!("is {}", quoted(found)),
        None => "is missing".to_owned(),
    };
    let remark = first
        .remark
        .as_ref()
        .map(|it| format!(" ({it})"))
        .unwrap_or_default();
    let place = dotted(&first.path);
    let wanted = quoted(&first.expected);
    let rest = and_more(differences.len());
    Some(of(
        "wrong_value",
        format!("{place} {found}; right is {wanted}{remark}{rest}"),
    ))
}

/// Loop, dead end and truncation: the reply did not come to its own end.
fn broken_off(reply: &str, climb: &Climb, ending: Ending) -> Option<Cause> {
    let is_truncated = climb.flags.contains(&Flag::Truncated);
    let is_cut = is_truncated || ending != Ending::ByItself;
    let looping = find_loop(reply, is_cut).filter(|_| is_cut || climb.value.is_none());
    if let Some(found) = looping {
        let message = format!("the reply ends in a {}", found.describe());
        return Some(of("loop", message));
    }
    let path = open_path(answer_part(reply));
    let place = path.as_ref().map(|it| format!(" at {it}"));
    match ending {
        Ending::DeadEnd if is_truncated || climb.value.is_none() => Some(of(
            "dead_end",
            format!(
                "every next token was forbidden{}",
                place.unwrap_or_default()
            ),
        )),
        _ if is_truncated || (is_cut && climb.value.is_none() && path.is_some()) => Some(of(
            "truncated",
            format!("the reply is cut off{}", place.unwrap_or_default()),
        )),
        _ => None,
    }
}

/// The reply without what the model thought first.
fn answer_part(reply: &str) -> &str {
    reply
        .rsplit_once("</think>")
        .map_or(reply, |(_, answer)| answer)
}

/// The reply says again what it was told: the input's text, or the schema.
fn echo(judged: &Judged<'_>) -> Option<Cause> {
    let schema = judged.schema.map(super::Schema::source);
    let value = judged.climb.value.as_ref();
    let is_schema = value.is_some_and(|it| {
        Some(it) == schema
            || (schema.is_some() && it.get("type").is_some() && it.get("properties").is_some())
    });
    if is_schema {
        return Some(of("echo", "the reply repeats the schema".to_owned()));
    }
    let input = letters(judged.input);
    let reply = letters(judged.reply);
    let is_echo = value.is_none()
        && input.chars().count() >= MIN_ECHO_CHARS
        && (reply.contains(&input) || (reply.len() * 2 >= input.len() && input.contains(&reply)));
    is_echo.then(|| of("echo", "the reply repeats the input".to_owned()))
}

/// Letters and digits alone, so that quotes and line breaks hide no echo.
fn letters(text: &str) -> String {
    text.chars()
        .filter(|it| it.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// The reply yields no value.
fn nothing(reply: &str, climb: &Climb) -> Cause {
    let text = answer_part(reply).trim();
    if text.is_empty() {
        let message = if reply.trim().is_empty() {
            "the reply is empty"
        } else {
            "the reply thinks and never answers"
        };
        return of("no_json", message.to_owned());
    }
    if !text.contains(['{', '[']) || looks_like_code(text) {
        let what = if looks_like_code(text) {
            "program code"
        } else {
            "text"
        };
        let begin = Value::from(cut(text));
        return of(
            "no_json",
            format!("the reply is {what} without JSON: {begin}"),
        );
    }
    match climb.attempts.last() {
        Some(attempt) => of(
            "syntax",
            format!(
                "no rung held; line {}, column {}: {}",
                attempt.error.line, attempt.error.column, attempt.error.message
            ),
        ),
        None => of("syntax", "no rung held".to_owned()),
    }
}

fn looks_like_code(text: &str) -> bool {
    let begin = text
        .trim_start_matches('`')
        .trim_start_matches("python")
        .trim_start_matches("javascript")
        .trim_start();
    [
        "def ",
        "import ",
        "from ",
        "function ",
        "class ",
        "#include",
        "const ",
        "let ",
    ]
    .iter()
    .any(|it| begin.starts_with(it))
        && text.contains(['(', '='])
}

/// The rung above the first that held, and what made it necessary.
fn rescued(climb: &Climb) -> Option<Cause> {
    match climb.rung? {
        Rung::AsIs => Some(of(
            "wrapping",
            "a byte order mark stands before the JSON".to_owned(),
        ))
        .filter(|_| climb.flags.contains(&Flag::Bom)),
        Rung::Fences => Some(of("wrapping", "the JSON stands in a code fence".to_owned())),
        Rung::Cut => {
            let flagged = [
                (Flag::Thinking, "the reply thinks before the JSON"),
                (Flag::ToolCallTag, "the JSON stands in a tool-call tag"),
                (Flag::MultipleValues, "the reply holds several JSON values"),
                (Flag::Bom, "a byte order mark stands before the JSON"),
            ];
            let message = flagged
                .iter()
                .find(|(flag, _)| climb.flags.contains(flag))
                .map_or("text stands around the JSON", |(_, message)| message);
            Some(of("wrapping", message.to_owned()))
        }
        Rung::Repair => {
            let message = match (climb.repairs.first(), climb.attempts.first()) {
                (Some(repair), _) => format!(
                    "line {}, column {}: {} had to become {}{}",
                    repair.line,
                    repair.column,
                    quoted(&Value::from(repair.before.as_str())),
                    quoted(&Value::from(repair.after.as_str())),
                    and_more(climb.repairs.len())
                ),
                (None, Some(attempt)) => attempt.error.message.clone(),
                (None, None) => "the JSON had to be repaired".to_owned(),
            };
            Some(of("syntax", message))
        }
    }
}

/// The fault that explains most: a renamed key before a missing one before any other.
fn wrong_shape(value: &Value, findings: &[Finding]) -> Option<Cause> {
    if let Some(renamed) = findings.iter().find_map(|it| renamed(value, it, findings)) {
        return Some(renamed);
    }
    let missing = findings.iter().find(|it| it.fault.keyword == "required");
    let finding = missing.or(findings.first())?;
    let kind = match finding.fault.keyword.as_str() {
        "required" => "missing_key",
        "additionalProperties" | "unevaluatedProperties" => "extra_key",
        "type" => "wrong_type",
        "enum" | "const" => "wrong_enum",
        _ => "wrong_shape",
    };
    let found = value.pointer(&finding.fault.instance_path);
    let remark = found
        .and_then(Value::as_str)
        .and_then(digits::remark)
        .map(|it| format!(" ({it})"))
        .unwrap_or_default();
    let place = dotted(&finding.fault.instance_path);
    let message = &finding.fault.message;
    let rest = and_more(findings.len());
    Some(of(kind, format!("at {place}: {message}{remark}{rest}")))
}

/// A missing key beside one that looks like it, or beside the only one that is not allowed.
fn renamed(value: &Value, finding: &Finding, findings: &[Finding]) -> Option<Cause> {
    let wanted = finding
        .key
        .as_deref()
        .filter(|_| finding.fault.keyword == "required")?;
    let place = &finding.fault.instance_path;
    let here = || {
        findings
            .iter()
            .filter(|it| it.fault.instance_path == *place)
    };
    let unexpected: Vec<_> = here()
        .filter(|it| it.fault.keyword != "required")
        .filter_map(|it| it.key.as_deref())
        .collect();
    let n_missing = here().filter(|it| it.fault.keyword == "required").count();
    let keys = value.pointer(place)?.as_object()?;
    let found = match unexpected.as_slice() {
        [] => keys
            .keys()
            .map(String::as_str)
            .find(|it| names::is_renamed(wanted, it)),
        [only] if n_missing == 1 => Some(*only),
        several => several
            .iter()
            .copied()
            .find(|it| names::is_renamed(wanted, it)),
    }?;
    Some(of(
        "renamed_key",
        format!("at {}: the key {wanted} is called {found}", dotted(place)),
    ))
}

fn leaked(leak: &Leak, n: usize) -> Cause {
    of(
        "leak",
        format!(
            "{} is {}, copied from example {}{}",
            dotted(&leak.path),
            quoted(&Value::from(leak.value.as_str())),
            leak.example,
            and_more(n)
        ),
    )
}

fn and_more(n: usize) -> String {
    match n {
        0 | 1 => String::new(),
        _ => format!("; and {} more", n - 1),
    }
}

fn of(kind: &str, message: String) -> Cause {
    Cause {
        kind: kind.to_owned(),
        message,
        ..Cause::default()
    }
}
