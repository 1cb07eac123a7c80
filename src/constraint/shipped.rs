//! The grammars that come with the program, also to be read as files in `grammars/`.

/// Name and text of each shipped grammar.
pub fn grammars() -> &'static [(&'static str, &'static str)] {
    GRAMMARS
}

const GRAMMARS: &[(&str, &str)] = &[
    ("json", include_str!("../../grammars/json.gbnf")),
    ("json-array", include_str!("../../grammars/json-array.gbnf")),
    ("list", include_str!("../../grammars/list.gbnf")),
    (
        "digits-answer",
        include_str!("../../grammars/digits-answer.gbnf"),
    ),
    ("date-time", include_str!("../../grammars/date-time.gbnf")),
    ("mood", include_str!("../../grammars/mood.gbnf")),
    ("contact", include_str!("../../grammars/contact.gbnf")),
    ("shopping", include_str!("../../grammars/shopping.gbnf")),
    ("maths", include_str!("../../grammars/maths.gbnf")),
    ("ticket", include_str!("../../grammars/ticket.gbnf")),
    ("event", include_str!("../../grammars/event.gbnf")),
];
