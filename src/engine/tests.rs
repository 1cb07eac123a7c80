//! Tests of the engine room, a file for each of its parts.

mod frame;
mod host;
mod recording;
mod supervisor;
mod worker;

use super::{Command, FlashAttention, LoadSettings, PromptRequest, RunId, RunRequest};
use crate::constraint::Constraint;
use crate::prompt::{Message, Role};
use crate::sampling::Knobs;

fn load(id: u64) -> Command {
    Command::Load {
        id: RunId(id),
        settings: LoadSettings {
            path: "model.gguf".into(),
            n_ctx: 0,
            n_threads: 0,
            n_gpu_layers: None,
            flash_attention: FlashAttention::Auto,
        },
    }
}

fn run(id: u64) -> Command {
    run_on(id, "Tag the mood.")
}

fn run_on(id: u64, text: &str) -> Command {
    Command::Run {
        id: RunId(id),
        request: Box::new(RunRequest {
            prompt: prompt(text),
            knobs: Knobs::neutral(),
            constraint: Constraint::None,
        }),
    }
}

fn preview(id: u64) -> Command {
    Command::Preview {
        id: RunId(id),
        prompt: prompt("Tag the mood."),
    }
}

fn cancel(id: u64) -> Command {
    Command::Cancel { id: RunId(id) }
}

fn prompt(text: &str) -> PromptRequest {
    PromptRequest {
        messages: vec![Message {
            role: Role::User,
            content: text.to_owned(),
        }],
        ..PromptRequest::default()
    }
}
