//! Field by field: how a value compares with the known answer.

use serde_json::{Map, Value};

use super::bounds::{child_path, is_too_deep};
use super::{Correctness, Difference, digits, names};
use crate::prompt::{Rule, Rules};

/// Most differences that are listed.
const MAX_DIFFERENCES: usize = 200;

/// Longest list whose items are matched in any order; a longer one is compared in order.
const MAX_UNORDERED: usize = 500;

/// Compares a value with the right answer under a task's rules.
pub fn correctness(found: &Value, expected: &Value, rules: &Rules) -> Correctness {
    if is_too_deep(found) || is_too_deep(expected) {
        let too_deep = difference("", expected, None, Some("nested too deep to compare"));
        return Correctness {
            correct: false,
            differences: vec![too_deep],
        };
    }
    let mut differences = compare("", expected, found, rules);
    let correct = differences.is_empty();
    differences.truncate(MAX_DIFFERENCES);
    Correctness {
        correct,
        differences,
    }
}

/// A text without case, and with one space for all white space.
pub(super) fn folded(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

fn compare(path: &str, expected: &Value, found: &Value, rules: &Rules) -> Vec<Difference> {
    let rule = rules.rule(path);
    match (expected, found) {
        _ if rule == Rule::Ignore => Vec::new(),
        (Value::Array(wanted), Value::Array(items)) => match rule {
            Rule::Set => compare_sets(path, wanted, items, rules),
            Rule::Bag => compare_unordered(path, &indexed(wanted), &indexed(items), rules),
            _ => compare_lists(path, wanted, items, rules),
        },
        (Value::Object(wanted), Value::Object(fields)) => {
            compare_objects(path, wanted, fields, rules)
        }
        _ if is_same(rule, expected, found) => Vec::new(),
        _ => vec![difference(
            path,
            expected,
            Some(found),
            remark(expected, found).as_deref(),
        )],
    }
}

fn compare_lists(
    path: &str,
    expected: &[Value],
    found: &[Value],
    rules: &Rules,
) -> Vec<Difference> {
    let mut differences = Vec::new();
    for idx in 0..expected.len().max(found.len()) {
        let path = child_path(path, &idx.to_string());
        match (expected.get(idx), found.get(idx)) {
            (Some(wanted), Some(item)) => differences.extend(compare(&path, wanted, item, rules)),
            (Some(wanted), None) => {
                differences.push(difference(
                    &path,
                    wanted,
                    None,
                    Some("this item is missing"),
                ));
            }
            (None, item) => differences.push(surplus(&path, item, "one item too many")),
        }
    }
    differences
}

fn compare_objects(
    path: &str,
    expected: &Map<String, Value>,
    found: &Map<String, Value>,
    rules: &Rules,
) -> Vec<Difference> {
    let mut differences = Vec::new();
    for (key, wanted) in expected {
        let path = child_path(path, key);
        if let Some(value) = found.get(key) {
            differences.extend(compare(&path, wanted, value, rules));
        } else if rules.rule(&path) != Rule::Ignore {
            let other = found
                .keys()
                .find(|it| !expected.contains_key(*it) && names::is_renamed(key, it));
            let remark = match other {
                Some(other) => format!("the reply calls this key {other}"),
                None => "this key is missing".to_owned(),
            };
            differences.push(difference(&path, wanted, None, Some(&remark)));
        }
    }
    for (key, value) in found {
        let path = child_path(path, key);
        if !expected.contains_key(key) && rules.rule(&path) != Rule::Ignore {
            differences.push(surplus(&path, Some(value), "the answer has no such key"));
        }
    }
    differences
}

/// Every item must be the same as some item of the other side; how often it comes does not count.
fn compare_sets(path: &str, expected: &[Value], found: &[Value], rules: &Rules) -> Vec<Difference> {
    let n_most = MAX_UNORDERED;
    let same = |wanted: &Value, (idx, item): (usize, &Value)| {
        compare(&child_path(path, &idx.to_string()), wanted, item, rules).is_empty()
    };
    let mut missing: Vec<(usize, &Value)> = Vec::new();
    for (idx, wanted) in expected.iter().enumerate() {
        let is_known = idx < n_most && missing.iter().any(|(_, it)| *it == wanted);
        let mut items = found.iter().take(n_most).enumerate();
        if !is_known && !items.any(|it| same(wanted, it)) {
            missing.push((idx, wanted));
        }
    }
    let mut surplus: Vec<(usize, &Value)> = Vec::new();
    for (idx, item) in found.iter().enumerate() {
        let is_known = idx < n_most && surplus.iter().any(|(_, it)| *it == item);
        let mut wanted = expected.iter().take(n_most);
        if !is_known && !wanted.any(|it| same(it, (idx, item))) {
            surplus.push((idx, item));
        }
    }
    compare_unordered(path, &missing, &surplus, rules)
}

/// Pairs items that are the same; those left over are paired by the fewest differences.
fn compare_unordered(
    path: &str,
    expected: &[(usize, &Value)],
    found: &[(usize, &Value)],
    rules: &Rules,
) -> Vec<Difference> {
    let at = |idx: usize| child_path(path, &idx.to_string());
    let mut found = found.to_vec();
    let mut missing = Vec::new();
    for (idx, wanted) in expected.iter().take(MAX_UNORDERED) {
        let same = found
            .iter()
            .take(MAX_UNORDERED)
            .position(|(at_idx, item)| compare(&at(*at_idx), wanted, item, rules).is_empty());
        match same {
            Some(position) => drop(found.remove(position)),
            None => missing.push((*idx, *wanted)),
        }
    }
    missing.extend(expected.iter().skip(MAX_UNORDERED));
    let mut differences = Vec::new();
    for (idx, wanted) in missing {
        if differences.len() > MAX_DIFFERENCES {
            return differences;
        }
        let n_fields = wanted.as_object().map_or(0, Map::len);
        let n_searched = if n_fields > 1 { MAX_UNORDERED } else { 0 };
        let closest = (0..found.len().min(n_searched))
            .map(|it| (it, compare(&at(found[it].0), wanted, found[it].1, rules)))
            .filter(|(_, faults)| faults.len() < n_fields)
            .min_by_key(|(_, faults)| faults.len());
        if let Some((position, faults)) = closest {
            found.remove(position);
            differences.extend(faults);
        } else {
            let missing = difference(&at(idx), wanted, None, Some("this item is missing"));
            differences.push(missing);
        }
    }
    let surplus = found
        .iter()
        .map(|(idx, item)| surplus(&at(*idx), Some(item), "the answer has no such item"));
    differences.extend(surplus);
    differences
}

fn indexed(items: &[Value]) -> Vec<(usize, &Value)> {
    items.iter().enumerate().collect()
}

fn is_same(rule: Rule, expected: &Value, found: &Value) -> bool {
    match (rule, expected, found) {
        (Rule::Folded, Value::String(wanted), Value::String(text)) => {
            folded(wanted) == folded(text)
        }
        (Rule::Number(tolerance), Value::Number(wanted), Value::Number(number)) => {
            match (wanted.as_f64(), number.as_f64()) {
                // A hair more than the tolerance, so that 0.8 is within 0.1 of 0.9.
                (Some(a), Some(b)) => (a - b).abs() <= tolerance + 1e-9,
                _ => false,
            }
        }
        (_, Value::Number(wanted), Value::Number(number)) => {
            wanted == number
                || (wanted.is_f64() != number.is_f64() && wanted.as_f64() == number.as_f64())
        }
        _ => expected == found,
    }
}

fn difference(
    path: &str,
    expected: &Value,
    found: Option<&Value>,
    remark: Option<&str>,
) -> Difference {
    Difference {
        path: path.to_owned(),
        expected: expected.clone(),
        found: found.cloned(),
        remark: remark.map(str::to_owned),
    }
}

fn surplus(path: &str, found: Option<&Value>, remark: &str) -> Difference {
    difference(path, &Value::Null, found, Some(remark))
}

/// What makes a wrong value look right, or nearly.
fn remark(expected: &Value, found: &Value) -> Option<String> {
    let text = found.as_str()?;
    let wanted = match expected {
        Value::String(wanted) => wanted.clone(),
        Value::Number(number) => number.to_string(),
        Value::Null => {
            let is_nothing =
                ["", "null", "none", "n/a", "unknown"].contains(&folded(text).as_str());
            return is_nothing.then(|| format!("the text {found}, not null"));
        }
        _ => return None,
    };
    if digits::plain(text).is_some_and(|it| folded(&it) == folded(&wanted)) {
        return digits::remark(text);
    }
    if folded(text) != folded(&wanted) {
        return None;
    }
    Some(match expected {
        Value::Number(_) => format!("the text {found}, not the number {expected}"),
        _ => "differs only in case or white space".to_owned(),
    })
}
