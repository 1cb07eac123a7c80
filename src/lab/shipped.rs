//! The presets that ship with the program, embedded in it.

/// File name and text of each, in the order in which they are offered.
const PRESETS: &[(&str, &str)] = &[
    ("greedy.json", include_str!("../../presets/greedy.json")),
    ("chat.json", include_str!("../../presets/chat.json")),
    (
        "greedy-temperature.json",
        include_str!("../../presets/greedy-temperature.json"),
    ),
    (
        "greedy-top-p.json",
        include_str!("../../presets/greedy-top-p.json"),
    ),
    (
        "greedy-top-k.json",
        include_str!("../../presets/greedy-top-k.json"),
    ),
    (
        "greedy-repetition.json",
        include_str!("../../presets/greedy-repetition.json"),
    ),
    (
        "greedy-ngram3.json",
        include_str!("../../presets/greedy-ngram3.json"),
    ),
    (
        "low-temperature.json",
        include_str!("../../presets/low-temperature.json"),
    ),
    (
        "greedy-grammar.json",
        include_str!("../../presets/greedy-grammar.json"),
    ),
    (
        "greedy-schema.json",
        include_str!("../../presets/greedy-schema.json"),
    ),
    (
        "chat-schema.json",
        include_str!("../../presets/chat-schema.json"),
    ),
    (
        "reason-schema.json",
        include_str!("../../presets/reason-schema.json"),
    ),
    (
        "draft-schema.json",
        include_str!("../../presets/draft-schema.json"),
    ),
    (
        "digits-regex.json",
        include_str!("../../presets/digits-regex.json"),
    ),
];

/// The shipped presets: file name and text; `Preset::parse` reads them.
pub fn presets() -> &'static [(&'static str, &'static str)] {
    PRESETS
}
