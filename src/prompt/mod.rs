//! From a task and an input to the messages, and from messages to the text a model reads.

mod message;
mod rules;
mod task;

pub use message::{Message, Role, TemplateChoice};
pub use rules::{Rule, RuleError, Rules};
pub use task::{Answer, Example, PromptStyle, Task, TaskInput};
