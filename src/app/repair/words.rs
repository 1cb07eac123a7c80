//! The ladder's flags in plain words.

use crate::ladder::Flag;

/// A flag's name on the screen, and what it means.
pub fn flag_words(flag: Flag) -> (&'static str, &'static str) {
    match flag {
        Flag::Truncated => ("truncated", "The reply ends in the middle of the value."),
        Flag::MultipleValues => ("several values", "The reply holds several; one was chosen."),
        Flag::DuplicateKey => (
            "duplicate key",
            "An object has a key twice; the last one counts.",
        ),
        Flag::Elided => ("left out", "The model wrote dots in place of a part."),
        Flag::NumberMaybeCut => (
            "number may be cut",
            "The reply ends in a number that may have gone on.",
        ),
        Flag::NumberAsString => ("number as text", "A number stands in quotes."),
        Flag::BigNumber => (
            "big number",
            "A number has more digits than most readers keep.",
        ),
        Flag::Nonfinite => ("not finite", "NaN or infinity, which JSON does not have."),
        Flag::LookalikeDigit => (
            "look-alike digit",
            "A digit of another script stands where 0 to 9 was meant.",
        ),
        Flag::LoneSurrogate => ("half a character", "An escape names only half of one."),
        Flag::BadEscape => ("bad escape", "An escape that JSON does not know."),
        Flag::Bom => ("byte order mark", "The reply begins with an invisible one."),
        Flag::DoubleEncoded => ("JSON in a string", "The value was JSON inside a string."),
        Flag::Prefill => (
            "prefill",
            "The reply's beginning was given, so it was put in front.",
        ),
        Flag::Depth => ("too deep", "The value is nested deeper than is read."),
        Flag::UnquotedValue => ("bare value", "A text stood without quotes."),
        Flag::AmbiguousQuotes => (
            "ambiguous quotes",
            "Where a string ends could be read in more than one way.",
        ),
        Flag::Thinking => ("thinking", "The model thought aloud before its answer."),
        Flag::ToolCallTag => ("tool call", "The value stood inside a tool-call tag."),
    }
}
