//! From a task and an input to the messages, and from messages to the text a model reads.

mod example_values;
mod file;
mod forecast;
mod guard;
mod json;
mod layout;
mod message;
mod rules;
mod shipped;
mod stages;
mod structural;
mod tags;
mod task;
mod template;
#[cfg(test)]
mod tests;
mod thinking;
mod tojson;

pub use example_values::{ExampleValues, placeholders};
pub(crate) use file::Fields;
pub use file::{FileError, is_name};
pub use forecast::{Forecast, ForecastBan, Piece, expected_text, expected_text_indented, forecast};
pub use guard::{Guard, free_mark, protect, segments};
pub use json::{indented, spaced};
pub use layout::{Layout, messages};
pub use message::{Message, Role, TemplateChoice, Thinking};
pub use rules::{Rule, RuleError, Rules};
pub use shipped::tasks as shipped_tasks;
pub use stages::{FirstStage, StageKind};
pub use structural::{answer_keys, structural_runs};
pub use task::{Answer, Example, PromptStyle, Task, TaskInput};
pub use template::{
    CHATML, PromptError, TemplateError, TemplateInput, double_begin, is_template_failure, raw,
    render,
};
pub use thinking::{
    Mind, Split, ThinkingSplit, ThinkingTags, has_switch, is_open, mind, thinking_tags,
};
