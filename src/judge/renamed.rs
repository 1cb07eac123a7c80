//! Missing keys beside keys that are not allowed: which of them are the same key under another name.

use serde_json::Value;

use super::bounds::{child_path, dotted};
use super::schema::Finding;
use super::shape::properties;
use super::{Cause, Schema, names, wording};

/// A missing key with the one that stands for it.
struct Pair<'a> {
    wanted: &'a str,
    found: &'a str,
}

/// The renamed keys of a value, and which findings they explain.
pub(super) fn renamed_keys(
    schema: &Schema,
    value: &Value,
    findings: &[&Finding],
) -> (Vec<Cause>, Vec<usize>) {
    let mut causes = Vec::new();
    let mut used = Vec::new();
    let mut places: Vec<&str> = Vec::new();
    for finding in findings.iter().filter(|it| it.fault.keyword == "required") {
        let place = finding.fault.instance_path.as_str();
        if places.contains(&place) {
            continue;
        }
        places.push(place);
        for pair in pairs(schema, value, place, findings) {
            let message = format!(
                "at {}: the key {} is called {}",
                dotted(place),
                pair.wanted,
                shown(pair.found)
            );
            causes.push(Cause::new("renamed_key", message).at(&child_path(place, pair.found)));
            let explained = findings.iter().enumerate().filter(|(_, it)| {
                let key = it.key.as_deref();
                it.fault.instance_path == place
                    && (key == Some(pair.wanted) || key == Some(pair.found))
            });
            used.extend(explained.map(|(idx, _)| idx));
        }
    }
    (causes, used)
}

/// Pairs by name first, then those that are left by type, where only one pairing is possible.
fn pairs<'a>(
    schema: &Schema,
    value: &'a Value,
    place: &str,
    findings: &[&'a Finding],
) -> Vec<Pair<'a>> {
    let here = |it: &&&Finding| it.fault.instance_path == place;
    let keys = |is_missing: bool| {
        findings
            .iter()
            .filter(here)
            .filter(move |it| (it.fault.keyword == "required") == is_missing)
            .filter_map(|it| it.key.as_deref())
            .collect::<Vec<&str>>()
    };
    let Some(fields) = value.pointer(place).and_then(Value::as_object) else {
        return Vec::new();
    };
    let mut missing = keys(true);
    let mut surplus = keys(false);
    if surplus.is_empty() {
        // The schema is open: every key that it does not name may be the missing one.
        let known = schema.at(place).and_then(properties);
        let is_unknown = |it: &&String| known.is_none_or(|known| !known.contains_key(*it));
        surplus = fields
            .keys()
            .filter(is_unknown)
            .map(String::as_str)
            .collect();
    }
    let is_open = keys(false).is_empty();
    let mut pairs = Vec::new();
    by_name(&mut missing, &mut surplus, &mut pairs);
    if !is_open {
        let fits = |wanted: &str, found: &str| {
            let field = fields.get(found).unwrap_or(&Value::Null);
            may_be(schema, &child_path(place, wanted), field)
        };
        by_type(&missing, &surplus, &fits, &mut pairs);
    }
    pairs
}

/// The most alike first, each key once.
fn by_name<'a>(missing: &mut Vec<&'a str>, surplus: &mut Vec<&'a str>, pairs: &mut Vec<Pair<'a>>) {
    let mut alike: Vec<(usize, &str, &str)> = Vec::new();
    for wanted in missing.iter() {
        for found in surplus.iter().filter(|it| names::is_renamed(wanted, it)) {
            alike.push((names::unlikeness(wanted, found), wanted, found));
        }
    }
    alike.sort_by_key(|it| it.0);
    for (_, wanted, found) in alike {
        if missing.contains(&wanted) && surplus.contains(&found) {
            missing.retain(|it| *it != wanted);
            surplus.retain(|it| *it != found);
            pairs.push(Pair { wanted, found });
        }
    }
}

/// A missing key and a surplus one that fit each other and nothing else.
fn by_type<'a>(
    missing: &[&'a str],
    surplus: &[&'a str],
    fits: &dyn Fn(&str, &str) -> bool,
    pairs: &mut Vec<Pair<'a>>,
) {
    for wanted in missing {
        let fitting: Vec<&&str> = surplus.iter().filter(|it| fits(wanted, it)).collect();
        let [found] = fitting.as_slice() else {
            continue;
        };
        let n_wanting = missing.iter().filter(|it| fits(it, found)).count();
        if n_wanting == 1 {
            pairs.push(Pair { wanted, found });
        }
    }
}

/// Whether a value may be meant for a place: it has the type, or is a number in quotes.
fn may_be(schema: &Schema, place: &str, found: &Value) -> bool {
    let Some(here) = schema.at(place) else {
        return true;
    };
    let types = wording::types_of(here);
    let is_number = |it: &Value| {
        it.as_str()
            .is_some_and(|text| text.trim().parse::<f64>().is_ok())
    };
    types.is_empty()
        || types.contains(&wording::type_of(found))
        || (types.contains(&"number") && found.is_number())
        || (types.iter().any(|it| matches!(*it, "number" | "integer")) && is_number(found))
}

/// A key as a message names it: in quotes when it would not be seen otherwise.
fn shown(key: &str) -> String {
    if key.trim() == key && !key.is_empty() {
        key.to_owned()
    } else {
        Value::from(key).to_string()
    }
}
