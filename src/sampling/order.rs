//! The stages of the chain and the order in which they work.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::KnobError;

/// Which tokens a penalty or ban counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Prompt and reply, as Hugging Face counts.
    #[default]
    PromptAndReply,
    /// The reply alone.
    Reply,
}

/// One step of the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    Mask,
    LogitBias,
    TokenBan,
    MinTokens,
    RepetitionPenalty,
    PresenceFrequency,
    Dry,
    NoRepeatNgram,
    Temperature,
    TopK,
    TopP,
    MinP,
    #[serde(rename = "typical_p")]
    Typical,
    TopNSigma,
    Xtc,
    Mirostat,
}

/// The stages in the order in which they work, each at most once. A stage that is missing is off, whatever its knob
/// says; only the mask is never missing, because a constraint that is shown must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order(Vec<Stage>);

impl Stage {
    pub const ALL: &[Self] = &[
        Self::Mask,
        Self::LogitBias,
        Self::TokenBan,
        Self::MinTokens,
        Self::RepetitionPenalty,
        Self::PresenceFrequency,
        Self::Dry,
        Self::NoRepeatNgram,
        Self::Temperature,
        Self::TopK,
        Self::TopP,
        Self::MinP,
        Self::Typical,
        Self::TopNSigma,
        Self::Xtc,
        Self::Mirostat,
    ];

    /// The name in files.
    pub fn key(self) -> &'static str {
        self.names().0
    }

    /// What people read, such as "no-repeat n-gram".
    pub fn label(self) -> &'static str {
        self.names().1
    }

    /// What it is called in a sentence, such as "the n-gram ban".
    pub fn actor(self) -> &'static str {
        match self {
            Self::NoRepeatNgram => "the n-gram ban",
            Self::TokenBan => "the token ban",
            Self::LogitBias => "the logit bias",
            Self::MinTokens => "the minimum of tokens",
            Self::Mask => "the constraint",
            Self::RepetitionPenalty => "the repetition penalty",
            Self::PresenceFrequency => "the presence or frequency penalty",
            other => other.label(),
        }
    }

    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|it| it.key() == key)
    }

    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Mask => ("mask", "constraint mask"),
            Self::LogitBias => ("logit_bias", "logit bias"),
            Self::TokenBan => ("token_ban", "token ban"),
            Self::MinTokens => ("min_tokens", "minimum of tokens"),
            Self::RepetitionPenalty => ("repetition_penalty", "repetition penalty"),
            Self::PresenceFrequency => ("presence_frequency", "presence and frequency penalty"),
            Self::Dry => ("dry", "DRY"),
            Self::NoRepeatNgram => ("no_repeat_ngram", "no-repeat n-gram"),
            Self::Temperature => ("temperature", "temperature"),
            Self::TopK => ("top_k", "top-k"),
            Self::TopP => ("top_p", "top-p"),
            Self::MinP => ("min_p", "min-p"),
            Self::Typical => ("typical_p", "typical"),
            Self::TopNSigma => ("top_n_sigma", "top-n-sigma"),
            Self::Xtc => ("xtc", "XTC"),
            Self::Mirostat => ("mirostat", "mirostat"),
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.label())
    }
}

impl Scope {
    /// The name in files.
    pub fn key(self) -> &'static str {
        match self {
            Self::PromptAndReply => "prompt_and_reply",
            Self::Reply => "reply",
        }
    }

    pub fn from_key(key: &str) -> Option<Self> {
        [Self::PromptAndReply, Self::Reply]
            .into_iter()
            .find(|it| it.key() == key)
    }
}

impl Order {
    /// Takes the stages as they come. Fails on a stage that comes twice. The mask comes first if it is not named.
    pub fn new(stages: &[Stage]) -> Result<Self, KnobError> {
        let mut order = Vec::with_capacity(stages.len() + 1);
        for &stage in stages {
            if order.contains(&stage) {
                let keys: Value = stages.iter().map(|it| it.key()).collect();
                return Err(order_error(keys.to_string()));
            }
            order.push(stage);
        }
        if !order.contains(&Stage::Mask) {
            order.insert(0, Stage::Mask);
        }
        Ok(Self(order))
    }

    /// Hugging Face Transformers: penalties, temperature, then the truncations.
    pub fn transformers() -> Self {
        Self(vec![
            Stage::Mask,
            Stage::LogitBias,
            Stage::TokenBan,
            Stage::MinTokens,
            Stage::RepetitionPenalty,
            Stage::PresenceFrequency,
            Stage::Dry,
            Stage::NoRepeatNgram,
            Stage::Temperature,
            Stage::TopK,
            Stage::TopP,
            Stage::MinP,
            Stage::Typical,
            Stage::TopNSigma,
            Stage::Xtc,
            Stage::Mirostat,
        ])
    }

    /// llama.cpp: temperature comes last, but for mirostat, which llama.cpp puts behind it in place of the draw.
    pub fn llama_cpp() -> Self {
        Self(vec![
            Stage::Mask,
            Stage::LogitBias,
            Stage::TokenBan,
            Stage::MinTokens,
            Stage::RepetitionPenalty,
            Stage::PresenceFrequency,
            Stage::Dry,
            Stage::NoRepeatNgram,
            Stage::TopNSigma,
            Stage::TopK,
            Stage::Typical,
            Stage::TopP,
            Stage::MinP,
            Stage::Xtc,
            Stage::Temperature,
            Stage::Mirostat,
        ])
    }

    /// "transformers" or "llama.cpp" for the two orders that have a name.
    pub fn name(&self) -> Option<&'static str> {
        if *self == Self::transformers() {
            Some("transformers")
        } else if *self == Self::llama_cpp() {
            Some("llama.cpp")
        } else {
            None
        }
    }

    pub fn stages(&self) -> &[Stage] {
        &self.0
    }

    pub fn contains(&self, stage: Stage) -> bool {
        self.0.contains(&stage)
    }

    /// The form in a file: a name, or the list of the stages' keys.
    pub fn to_value(&self) -> Value {
        match self.name() {
            Some(name) => name.into(),
            None => self.0.iter().map(|it| it.key()).collect(),
        }
    }

    /// Reads the form in a file.
    pub fn from_value(value: &Value) -> Result<Self, KnobError> {
        match value {
            Value::String(name) if name == "transformers" => Ok(Self::transformers()),
            Value::String(name) if name == "llama.cpp" => Ok(Self::llama_cpp()),
            Value::Array(keys) => {
                let stages: Option<Vec<_>> = keys
                    .iter()
                    .map(|it| it.as_str().and_then(Stage::from_key))
                    .collect();
                Self::new(&stages.ok_or_else(|| order_error(value.to_string()))?)
            }
            _ => Err(order_error(value.to_string())),
        }
    }
}

impl Serialize for Order {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_value().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Order {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Self::from_value(&value).map_err(serde::de::Error::custom)
    }
}

fn order_error(value: String) -> KnobError {
    let keys: Vec<_> = Stage::ALL.iter().map(|it| it.key()).collect();
    KnobError {
        key: "order".to_owned(),
        value,
        range: format!(
            "\"transformers\", \"llama.cpp\" or a list of stages, each at most once, from {}",
            keys.join(", ")
        ),
    }
}
