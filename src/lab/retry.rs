//! What is asked again after a reply that failed, and how often.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::Trial;
use crate::prompt::{Fields, FileError, Message, Role};

/// Retries beyond this are no help.
pub const MOST_RETRIES: u64 = 5;
/// Faults that are named to the model.
const MAX_FAULTS: usize = 5;

/// When and how a reply is asked for again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Retry {
    pub policy: RetryPolicy,
    /// Retries after the first reply, at most.
    pub most: u32,
    /// What stands for the value after the last failure, marked as such.
    pub default: Option<Value>,
}

/// What the model is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RetryPolicy {
    #[default]
    None,
    /// Nothing: the same prompt with the next seed.
    Same,
    /// What was wrong.
    Error,
    /// Its last reply, and what was wrong with it.
    ErrorAndReply,
}

const POLICIES: [(RetryPolicy, &str); 4] = [
    (RetryPolicy::None, "none"),
    (RetryPolicy::Same, "same"),
    (RetryPolicy::Error, "error"),
    (RetryPolicy::ErrorAndReply, "error_and_reply"),
];

impl Retry {
    /// Replies to one cell, at most.
    pub fn n_attempts(&self) -> u32 {
        if self.policy == RetryPolicy::None {
            1
        } else {
            self.most + 1
        }
    }

    /// The messages of the next attempt, from those of the first one and the reply that failed.
    pub fn messages(&self, first: &[Message], failed: &Trial) -> Vec<Message> {
        let mut messages = first.to_vec();
        let fault = format!(
            "Your last reply was not usable: {} Answer again, with the JSON alone.",
            what_failed(failed)
        );
        match self.policy {
            RetryPolicy::None | RetryPolicy::Same => {}
            RetryPolicy::Error => match messages.iter_mut().rfind(|it| it.role == Role::User) {
                Some(last) => last.content = format!("{}\n\n{fault}", last.content),
                None => messages.push(message(Role::User, fault)),
            },
            RetryPolicy::ErrorAndReply => {
                messages.push(message(Role::Assistant, failed.reply.clone()));
                messages.push(message(Role::User, fault));
            }
        }
        messages
    }

    pub(super) fn read(fields: &mut Fields) -> Result<Self, FileError> {
        let mut inner = fields.object("retry")?;
        if inner.as_map().is_empty() {
            return Ok(Self::default());
        }
        let policy = inner.take("policy");
        let found = POLICIES
            .iter()
            .find(|(_, key)| policy.as_ref().and_then(Value::as_str) == Some(*key));
        let Some((found, _)) = found else {
            let must = "\"none\", \"same\", \"error\" or \"error_and_reply\"";
            return Err(inner.error("policy", policy.as_ref(), must));
        };
        let most = inner.take("most");
        let n = most.as_ref().map_or(Some(1), Value::as_u64);
        let Some(n) = n.filter(|it| *it <= MOST_RETRIES) else {
            return Err(inner.error("most", most.as_ref(), "a whole number from 0 to 5"));
        };
        Ok(Self {
            policy: *found,
            most: n as u32,
            default: inner.take("default"),
        })
    }

    pub(super) fn to_json(&self) -> Value {
        let mut json = Map::new();
        let policy = POLICIES.iter().find(|it| it.0 == self.policy);
        json.insert("policy".to_owned(), json!(policy.map_or("none", |it| it.1)));
        json.insert("most".to_owned(), json!(self.most));
        if let Some(default) = &self.default {
            json.insert("default".to_owned(), default.clone());
        }
        Value::Object(json)
    }
}

/// Whether a reply need not be asked for again: it is JSON, and fits the schema if there is one.
pub fn is_usable(trial: &Trial) -> bool {
    trial.lamps.parses && trial.lamps.schema != Some(false)
}

/// What was wrong, in sentences for the model.
fn what_failed(trial: &Trial) -> String {
    let faults = trial.verdict.iter().flat_map(|it| &it.faults);
    let named: Vec<String> = faults
        .take(MAX_FAULTS)
        .map(|it| {
            let place = if it.instance_path.is_empty() {
                "the value".to_owned()
            } else {
                it.instance_path.clone()
            };
            format!("{place}: {}.", it.message)
        })
        .collect();
    if !named.is_empty() {
        return named.join(" ");
    }
    let last = trial.climb.attempts().last();
    match last {
        Some(it) => format!(
            "it is not JSON (line {}, column {}: {}).",
            it.error.line, it.error.column, it.error.message
        ),
        None => "it is not JSON.".to_owned(),
    }
}

fn message(role: Role, content: String) -> Message {
    Message { role, content }
}
