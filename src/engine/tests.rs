//! Tests of the engine room, a file for each of its parts.

mod frame;
mod given;
mod host;
mod lost_group;
mod machine;
#[cfg(unix)]
mod processes;
mod recorded;
mod recording;
mod supervisor;
mod vigil;
mod worker;

use super::{Command, LoadSettings, PreviewRequest, PromptRequest, RunId, RunRequest};
use crate::constraint::Constraint;
use crate::prompt::{Message, Role};
use crate::sampling::Knobs;

fn load(id: u64) -> Command {
    Command::Load {
        id: RunId(id),
        settings: LoadSettings {
            path: "model.gguf".into(),
            ..LoadSettings::default()
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
            ..RunRequest::default()
        }),
    }
}

fn preview(id: u64) -> Command {
    Command::Preview {
        id: RunId(id),
        request: Box::new(PreviewRequest {
            prompt: prompt("Tag the mood."),
            texts: Vec::new(),
            knobs: Knobs::neutral(),
        }),
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

#[cfg(feature = "llama")]
#[test]
fn the_version_names_the_crate_that_is_built() {
    let name = "llama-cpp-sys-2";
    let lock = include_str!("../../Cargo.lock");
    let (_, entry) = lock
        .split_once(&format!("name = \"{name}\"\nversion = \""))
        .unwrap();
    let (version, _) = entry.split_once('"').unwrap();
    let told = super::llama_cpp_version();
    assert!(told.contains(&format!("{name} {version}")), "{told}");
}

#[test]
fn a_prompt_of_an_older_record_leaves_thinking_to_the_template() {
    let request: PromptRequest = serde_json::from_str(r#"{"messages":[]}"#).unwrap();
    assert_eq!(request, PromptRequest::default());
    assert_eq!(request.thinking, crate::prompt::Thinking::Template);
}
