//! Instructive broken replies that ship with the program.

use std::sync::LazyLock;

use serde::Deserialize;

/// The files, in the order in which they are offered.
const FILES: &[(&str, &str)] = &[
    (
        "fenced.json",
        include_str!("../../../presets/replies/fenced.json"),
    ),
    (
        "detours.json",
        include_str!("../../../presets/replies/detours.json"),
    ),
    (
        "loop.json",
        include_str!("../../../presets/replies/loop.json"),
    ),
    (
        "leak.json",
        include_str!("../../../presets/replies/leak.json"),
    ),
];

/// A reply to learn from, with the task that it answers.
#[derive(Clone, Debug, Deserialize)]
pub struct Sample {
    pub v: u32,
    pub id: String,
    pub title: String,
    pub about: String,
    /// The task's id.
    pub task: String,
    /// Which of the task's inputs, from 0.
    pub input: usize,
    pub reply: String,
    /// What it shows; held by a test.
    pub promise: Promise,
}

/// What comes of a sample.
#[derive(Clone, Debug, Deserialize)]
pub struct Promise {
    /// The rung that holds.
    pub rung: u8,
    /// The cause's kind.
    pub cause: String,
}

/// File name and text of each sample.
pub fn sample_files() -> &'static [(&'static str, &'static str)] {
    FILES
}

/// All samples. That each file can be read is held by a test.
pub fn samples() -> &'static [Sample] {
    static SAMPLES: LazyLock<Vec<Sample>> = LazyLock::new(|| {
        let read = |(_, text): &(&str, &str)| serde_json::from_str(text).ok();
        FILES.iter().filter_map(read).collect()
    });
    &SAMPLES
}
