//! What is wrong with a line of a file of JSON lines, by the line's own number in that file.

/// Such as `line 3, column 7: expected value`. Lines count from 1.
pub(super) fn line_fault(number: usize, error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((message, _)) => format!("line {number}, column {}: {message}", error.column()),
        None => format!("line {number}: {text}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn the_number_is_that_of_the_file() {
        let error = serde_json::from_str::<Value>("{\"a\": x}").unwrap_err();
        assert_eq!(line_fault(12, &error), "line 12, column 7: expected value");
        let error = serde_json::from_value::<u8>(Value::from("a")).unwrap_err();
        let text = line_fault(3, &error);
        assert!(text.starts_with("line 3: invalid type"), "{text}");
    }
}
