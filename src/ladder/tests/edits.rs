//! What rung 4 mends, with the log of each edit and the flags.

use serde_json::{Value, json};

use crate::ladder::{Flag, Hint, RepairKind, climb};

#[track_caller]
fn check(reply: &str, value: &Value) {
    let found = climb(reply, &Hint::default());
    assert_eq!(found.value(), Some(value), "{reply}");
}

#[track_caller]
fn check_edits(reply: &str, edits: &[(RepairKind, usize, &str, &str)]) {
    let found = climb(reply, &Hint::default());
    let log: Vec<(RepairKind, usize, &str, &str)> = found
        .repairs()
        .iter()
        .map(|it| (it.kind, it.offset, &*it.before, &*it.after))
        .collect();
    assert_eq!(log, edits, "{reply}");
}

#[track_caller]
fn check_flag(reply: &str, flag: Flag, value: &Value) {
    let found = climb(reply, &Hint::default());
    assert_eq!(found.value(), Some(value), "{reply}");
    assert!(found.flags.contains(&flag), "{reply} {:?}", found.flags);
}

#[track_caller]
fn check_refused(reply: &str) {
    assert_eq!(climb(reply, &Hint::default()).value(), None, "{reply}");
}

#[test]
fn every_edit_is_logged_with_its_place() {
    check_edits(
        "{a: 'b',} // c",
        &[
            (RepairKind::BareKey, 1, "a", "\"a\""),
            (RepairKind::Quote, 4, "'", "\""),
            (RepairKind::Quote, 6, "'", "\""),
            (RepairKind::Comma, 7, ",", ""),
        ],
    );
    check_edits(
        "[1 True]",
        &[
            (RepairKind::Comma, 3, "", ","),
            (RepairKind::Literal, 3, "True", "true"),
        ],
    );
    check_edits("{\"a\": [1", &[(RepairKind::Truncation, 8, "", "]}")]);
}

#[test]
fn lines_and_columns_count_characters_from_one() {
    let found = climb("好的\n{“名”: 1}", &Hint::default());
    let places: Vec<(usize, usize)> = found
        .repairs()
        .iter()
        .map(|it| (it.line, it.column))
        .collect();
    assert_eq!(places, [(2, 2), (2, 4)]);
}

#[test]
fn chinese_marks_are_structure_outside_values_and_content_inside() {
    check(
        "{“姓名”：“张三，李四”，“年龄”：28｝",
        &json!({"姓名": "张三，李四", "年龄": 28}),
    );
}

#[test]
fn apostrophes_are_content_and_doubtful_ones_are_marked() {
    check("{'a': \"can't\"}", &json!({"a": "can't"}));
    check_flag(
        "{'name': 'O'Brien'}",
        Flag::AmbiguousQuotes,
        &json!({"name": "O'Brien"}),
    );
}

#[test]
fn forgotten_quotes_are_put_where_the_next_key_begins() {
    check_flag(
        "{\"a\": \"b, \"c\": \"d\"}",
        Flag::AmbiguousQuotes,
        &json!({"a": "b", "c": "d"}),
    );
    check("{\"a\": \"b\n\"c\": \"d\"\n}", &json!({"a": "b", "c": "d"}));
    check("[\n\"abc\n]\n", &json!(["abc"]));
    check("{a\": 1, name\": \"x\"}", &json!({"a": 1, "name": "x"}));
    check_refused("{\"a: 1, \"b\": 2}");
}

#[test]
fn two_strings_side_by_side_in_a_pair_are_refused() {
    check_refused("{\"a\": \"x\" \"y\"}");
}

#[test]
fn wrong_brackets_are_read_so_that_the_rest_fits() {
    check(
        "{\"x\": {\"a\": [1, 2}, \"b\": 3}}",
        &json!({"x": {"a": [1, 2], "b": 3}}),
    );
    check(
        "{\"x\": {\"a\": [1, 2}, \"b\": 3}",
        &json!({"x": {"a": [1, 2]}, "b": 3}),
    );
    check("[{\"i\": 1, {\"i\": 2}]", &json!([{"i": 1}, {"i": 2}]));
}

#[test]
fn numbers_that_would_lose_something_stay_text() {
    check_flag(
        "{\"zip\": 01234}",
        Flag::NumberAsString,
        &json!({"zip": "01234"}),
    );
    check_flag(
        "{\"n\": 1,234, \"m\": 2}",
        Flag::NumberAsString,
        &json!({"n": "1,234", "m": 2}),
    );
    check_flag("{\"n\": 0x1F}", Flag::NumberAsString, &json!({"n": "0x1F"}));
    check_flag("{\"n\": １２}", Flag::LookalikeDigit, &json!({"n": "１２"}));
    check_flag("{\"n\": \"②\"}", Flag::LookalikeDigit, &json!({"n": "②"}));
}

#[test]
fn digits_that_a_number_does_not_keep_are_told() {
    let found = climb("{\"n\": 123456789012345678901}", &Hint::default());
    assert!(found.flags.contains(&Flag::BigNumber));
    assert!(
        found.notes[0].contains("123456789012345678901"),
        "{:?}",
        found.notes
    );
    for exact in [
        "18446744073709551615",
        "0.1",
        "1.50",
        "2300e-3",
        "-0.0",
        "1e10",
    ] {
        let found = climb(exact, &Hint::default());
        assert!(found.flags.is_empty(), "{exact} {:?}", found.notes);
    }
}

#[test]
fn numbers_that_are_not_finite_become_null_with_a_word() {
    check_flag("{\"a\": NaN}", Flag::Nonfinite, &json!({"a": null}));
    check_refused("{\"a\": 1e400}");
}

#[test]
fn a_repeated_key_names_the_value_that_is_lost() {
    let found = climb("{\"item\":\"milk\",\"item\":\"eggs\"}", &Hint::default());
    assert!(found.flags.contains(&Flag::DuplicateKey));
    assert!(found.notes[0].contains("\"milk\""), "{:?}", found.notes);
}

#[test]
fn escapes_that_json_does_not_know_keep_their_backslash() {
    check_flag(
        "{\"p\": \"C:\\Users\\me\"}",
        Flag::BadEscape,
        &json!({"p": "C:\\Users\\me"}),
    );
    check(
        "{\"p\": \"C:\\dir\\\", \"n\": 1}",
        &json!({"p": "C:\\dir\\", "n": 1}),
    );
    check("{'a': 'it\\'s'}", &json!({"a": "it's"}));
}

#[test]
fn half_of_a_surrogate_pair_is_told() {
    check_flag(
        "{\"a\": \"\\ude00\"}",
        Flag::LoneSurrogate,
        &json!({"a": "\u{fffd}"}),
    );
    check_flag("{\"a\": \"x\\ud83d", Flag::Truncated, &json!({"a": "x"}));
}

#[test]
fn a_layer_of_escapes_comes_off_as_a_whole() {
    check(
        "{\\\"a\\\": \\\"b \\\\\"c\\\\\"\\\"}",
        &json!({"a": "b \"c\""}),
    );
}

#[test]
fn what_was_cut_off_is_dropped_or_told() {
    check_flag("{\"a\": 1, \"na", Flag::Truncated, &json!({"a": 1}));
    check_flag("{\"a\": 1, \"b\": -", Flag::Truncated, &json!({"a": 1}));
    check_flag("{\"a\": 12", Flag::NumberMaybeCut, &json!({"a": 12}));
    check_flag("{\"a\": tru", Flag::Truncated, &json!({"a": true}));
    check_flag("{\"a\": \"x\\u00", Flag::Truncated, &json!({"a": "x"}));
    check_flag("{\"a\": N", Flag::Truncated, &json!({}));
}

#[test]
fn what_was_left_out_is_told() {
    check_flag("{\"a\": [1, 2, ...]}", Flag::Elided, &json!({"a": [1, 2]}));
    check_flag(
        "{\"a\": [1, 2, // ... more\n]}",
        Flag::Elided,
        &json!({"a": [1, 2]}),
    );
    check_flag(
        "{\"a\": [\"x\", ... and 5 more]}",
        Flag::Elided,
        &json!({"a": ["x"]}),
    );
}

#[test]
fn wrappers_of_programs_come_off() {
    check(
        "{\"_id\": ObjectId(\"1\"), \"n\": NumberLong(2)}",
        &json!({"_id": "1", "n": 2}),
    );
    check(
        "{\"a\": (1, 2), \"b\": (\"x\"), \"c\": u'y'}",
        &json!({"a": [1, 2], "b": "x", "c": "y"}),
    );
}

#[test]
fn a_string_that_holds_json_stays_a_string() {
    check_flag(
        "\"{\\\"a\\\": 1}\"",
        Flag::DoubleEncoded,
        &json!("{\"a\": 1}"),
    );
}

#[test]
fn strings_are_joined_by_a_plus_sign() {
    check("{\"a\": \"x\" + 'y' +\n \"z\"}", &json!({"a": "xyz"}));
}
