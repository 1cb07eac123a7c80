//! Loops in replies that are still written: named with their place, and not before they are plain.

use crate::judge::LoopWatch;

/// At which byte the watch spoke, and what it said.
fn first(text: &str) -> Option<(usize, String)> {
    let mut watch = LoopWatch::default();
    let mut n = 0;
    for c in text.chars() {
        n += c.len_utf8();
        if let Some(found) = watch.push(&c.to_string()) {
            return Some((n, found.message));
        }
    }
    None
}

#[track_caller]
fn check(text: &str, words: &str) {
    let (at, message) = first(text).unwrap_or_else(|| panic!("nothing was said of {text:?}"));
    assert!(message.contains(words), "{message}");
    assert!(at < text.len(), "only at the end");
}

#[test]
fn each_kind_of_loop_is_named_with_its_place() {
    check(
        &format!("{{{}", "\n".repeat(200)),
        "loop in white space at $",
    );
    check(
        &format!("{{\"x\":0.3{}", "0".repeat(200)),
        "loop in a number at $.x",
    );
    check(
        &format!("{{\"items\":[{{\"name\":\"{}", "jars ".repeat(100)),
        "loop in a string at $.items[0].name",
    );
    check(
        &format!("{{\"a\":[{}", "1,".repeat(300)),
        "loop in a list at $.a",
    );
    let item = "{\"name\":\"milk\",\"qty\":1},";
    check(
        &format!("{{\"items\":[{}", item.repeat(40)),
        "loop in a list at $.items",
    );
    check(
        &format!("{{\"s\":\"{}", "ha".repeat(200)),
        "loop in a string at $.s",
    );
}

#[test]
fn honest_replies_are_left_alone() {
    let matrix = format!("{{\"m\":[{}]}}", ["[0,0,0,0]"; 12].join(","));
    let indented = format!("{{\"a\":{{\n{}\"b\":1}}}}", " ".repeat(60));
    let items: Vec<String> = (0..80)
        .map(|it| format!("{{\"id\":{it},\"ok\":true}}"))
        .collect();
    let table = format!("{{\"rows\":[{}]}}", items.join(","));
    let zeros = format!("[{}]", vec!["0"; 50].join(", "));
    let ruler = format!("# Title\n{}\nText", "-".repeat(100));
    let id = "{\"id\":12345678901234567890123456789012345678}".to_owned();
    for text in [matrix, indented, table, zeros, ruler, id] {
        assert_eq!(first(&text), None, "{text}");
    }
}

#[test]
fn a_watch_begins_anew_behind_thoughts() {
    let mut watch = LoopWatch::behind("{\"a\":");
    assert_eq!(watch.push(&" ".repeat(70)), None);
    watch.restart();
    assert_eq!(watch.push(&" ".repeat(70)), None);
    assert!(watch.push(&" ".repeat(20)).is_some());
}
