//! The presets and plans that ship with the program, embedded in it.

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

/// The plans that ship with the program.
const PLANS: &[(&str, &str)] = &[
    (
        "finding.json",
        include_str!("../../presets/plans/finding.json"),
    ),
    (
        "ablation.json",
        include_str!("../../presets/plans/ablation.json"),
    ),
    (
        "constraints.json",
        include_str!("../../presets/plans/constraints.json"),
    ),
    (
        "strategies.json",
        include_str!("../../presets/plans/strategies.json"),
    ),
    (
        "stages.json",
        include_str!("../../presets/plans/stages.json"),
    ),
    (
        "leakage.json",
        include_str!("../../presets/plans/leakage.json"),
    ),
];

/// The shipped plans: file name and text; `Plan::parse` reads them.
pub fn plans() -> &'static [(&'static str, &'static str)] {
    PLANS
}
