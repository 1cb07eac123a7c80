//! The messages of a chat, and the choice of how they become one text.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    System,
    User,
    Assistant,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    pub role: Role,
    pub content: String,
}

/// Whether the model is to think before it answers, in templates that have the switch `enable_thinking`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Thinking {
    /// As the template does by itself.
    #[default]
    Template,
    On,
    Off,
}

/// How messages become the prompt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TemplateChoice {
    /// The chat template in the model's file.
    #[default]
    Model,
    /// `ChatML`, for a model whose own template is missing or broken; only ever chosen by the user.
    ChatMl,
    /// No template: the messages' texts, a blank line between them.
    Raw,
}

impl Thinking {
    pub fn is_template(&self) -> bool {
        *self == Self::Template
    }

    /// In a word; none for what the template does by itself.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Self::Template => None,
            Self::On => Some("on"),
            Self::Off => Some("off"),
        }
    }

    /// The switch's value; none leaves it undefined.
    pub fn switch(self) -> Option<bool> {
        match self {
            Self::Template => None,
            Self::On => Some(true),
            Self::Off => Some(false),
        }
    }
}
