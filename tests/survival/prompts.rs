//! Prompts and contexts beyond all measure before a real engine: refused in words, and the engine lives.

use std::fmt::Write as _;

use stepladder::engine::LoadSettings;

use super::asked::{Answer, Asked};
use super::little_model::{saved, writer};

/// An engine with a small model of 256 tokens of context.
fn loaded() -> (tempfile::TempDir, Asked) {
    let folder = tempfile::tempdir().unwrap();
    let path = saved(folder.path(), "little", &writer().bytes());
    let mut asked = Asked::new();
    asked.load(&path).unwrap();
    (folder, asked)
}

#[test]
fn a_megabyte_of_prompt_is_refused_with_numbers() {
    let (_folder, mut asked) = loaded();
    for text in ["a", "牛", "\u{0}", "<|im_start|>"] {
        let text = text.repeat(1_000_000 / text.len());
        let Answer::Failed(message) = asked.reply(&text) else {
            panic!("it was run")
        };
        assert!(message.contains("the prompt has "), "{message}");
        assert!(message.contains("shorten the prompt"), "{message}");
    }
    // Beyond what a template may write.
    let Answer::Failed(message) = asked.reply(&"a".repeat(3_000_000)) else {
        panic!("it was run")
    };
    assert!(message.contains("more than 1000000 bytes"), "{message}");
    assert!(matches!(asked.reply("Hello"), Answer::Written(_)));
    assert_eq!(asked.losses(), [""; 0]);
}

#[test]
fn every_control_character_can_be_asked() {
    let (_folder, mut asked) = loaded();
    let mut text = String::new();
    for code in (0..32).chain([
        127, 128, 159, 0x200B, 0x200E, 0x202E, 0xFEFF, 0xFFFD, 0x10_FFFF,
    ]) {
        write!(text, "{}", char::from_u32(code).unwrap()).unwrap();
    }
    assert_eq!(asked.preview(&text), Ok(text.clone()));
    assert!(matches!(asked.reply(&text), Answer::Written(_)));
    assert_eq!(asked.losses(), [""; 0]);
}

#[test]
fn a_context_larger_than_memory_is_refused_with_numbers_and_what_would_fit() {
    let folder = tempfile::tempdir().unwrap();
    // A model that says that it was trained for very long texts: its context would take 128 GB.
    let file = writer().with_u32("llama.context_length", 1_000_000_000);
    let path = saved(folder.path(), "long", &file.bytes());
    let mut asked = Asked::new();
    let message = asked
        .load_with(LoadSettings {
            path,
            n_ctx: 1_000_000_000,
            ..LoadSettings::default()
        })
        .unwrap_err();
    assert!(
        message.contains("a context of 1000000000 tokens needs about "),
        "{message}"
    );
    assert!(
        message.contains(" GB of memory can be had; choose a context of at most "),
        "{message}"
    );
    assert_eq!(asked.losses(), [""; 0]);
}
