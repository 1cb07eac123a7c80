//! The tasks that ship with the program, embedded in it.

/// File name and text of each, in the order in which they are offered.
const TASKS: &[(&str, &str)] = &[
    ("mood.json", include_str!("../../presets/tasks/mood.json")),
    (
        "contact.json",
        include_str!("../../presets/tasks/contact.json"),
    ),
    (
        "shopping.json",
        include_str!("../../presets/tasks/shopping.json"),
    ),
    ("maths.json", include_str!("../../presets/tasks/maths.json")),
    (
        "ticket.json",
        include_str!("../../presets/tasks/ticket.json"),
    ),
    ("event.json", include_str!("../../presets/tasks/event.json")),
];

/// The shipped tasks: file name and text; `Task::parse` reads them.
pub fn tasks() -> &'static [(&'static str, &'static str)] {
    TASKS
}
