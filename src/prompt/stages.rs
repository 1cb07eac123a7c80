//! Two-stage runs: the model writes freely first, and the structure afterwards.

use serde::{Deserialize, Serialize};

use super::{Message, Role};

/// What comes before the structured reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstStage {
    pub kind: StageKind,
    /// Most tokens of this stage.
    pub max_tokens: u32,
}

impl FirstStage {
    /// The longest first stage.
    pub const MOST_TOKENS: u32 = 8_192;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StageKind {
    /// The model reasons in its own words.
    Reason,
    /// The model writes the answer as it likes; then it is asked for the structure.
    Draft,
}

const REASON: &str = "First think it through in a few short sentences. Do not write JSON yet.";
const AFTER_REASON: &str = "Now write the answer as JSON, and nothing else.";
const AFTER_DRAFT: &str =
    "Now write the same answer as JSON in the format that was asked for, and nothing else.";

impl StageKind {
    /// The name in files and records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reason => "reason",
            Self::Draft => "draft",
        }
    }

    /// The messages of the first stage.
    pub fn first_messages(self, messages: &[Message]) -> Vec<Message> {
        let mut res = messages.to_vec();
        if let (Self::Reason, Some(last)) = (self, res.last_mut()) {
            last.content = format!("{}\n\n{REASON}", last.content.trim_end());
        }
        res
    }

    /// The messages of the second stage, with what the first one wrote.
    pub fn second_messages(self, messages: &[Message], written: &str) -> Vec<Message> {
        let mut res = self.first_messages(messages);
        let ask = match self {
            Self::Reason => AFTER_REASON,
            Self::Draft => AFTER_DRAFT,
        };
        res.push(Message {
            role: Role::Assistant,
            content: written.trim().to_owned(),
        });
        res.push(Message {
            role: Role::User,
            content: ask.to_owned(),
        });
        res
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked() -> Vec<Message> {
        vec![Message {
            role: Role::User,
            content: "Two and two?".to_owned(),
        }]
    }

    #[test]
    fn reasoning_is_asked_for_and_kept() {
        let first = StageKind::Reason.first_messages(&asked());
        assert_eq!(first.len(), 1);
        assert!(first[0].content.starts_with("Two and two?\n\nFirst think"));
        let second = StageKind::Reason.second_messages(&asked(), " It is four. ");
        assert_eq!(second[0], first[0]);
        assert_eq!(second[1].content, "It is four.");
        assert_eq!(
            (second[1].role, second[2].role),
            (Role::Assistant, Role::User)
        );
    }

    #[test]
    fn a_draft_is_asked_for_as_it_stands() {
        assert_eq!(StageKind::Draft.first_messages(&asked()), asked());
        assert_eq!(StageKind::Draft.second_messages(&asked(), "4").len(), 3);
    }
}
