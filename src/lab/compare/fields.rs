//! The values of several replies field by field.

use std::collections::HashMap;

use serde_json::Value;

/// Most fields that are listed of one value.
const MAX_FIELDS: usize = 1_000;
/// What lies deeper stands as one field.
const MAX_DEPTH: usize = 64;

/// One field a row, a cell a column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FieldTable {
    pub rows: Vec<FieldRow>,
    /// The column that the others are held against.
    pub reference: usize,
    /// Some value has more fields than are listed.
    pub is_cut: bool,
}

/// One field in every column.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldRow {
    /// The field's JSON pointer; empty where a whole value is no object and no array.
    pub path: String,
    /// None where the column's value has no such field, and where it has no value at all.
    pub cells: Vec<Option<Value>>,
    /// The columns that disagree with the reference.
    pub differing: Vec<usize>,
}

/// Lists every leaf of the values, those of the first column in its order, and what only later columns have behind
/// the field that it follows there. A column without a value takes no part; without one in the wished reference, the
/// first column that has a value is it.
pub fn field_table(values: &[Option<&Value>], wished: usize) -> FieldTable {
    let mut order: Vec<String> = Vec::new();
    let mut found: Vec<HashMap<String, &Value>> = Vec::new();
    let mut is_cut = false;
    for value in values {
        let mut leaves = Vec::new();
        if let Some(value) = value {
            add_leaves(&mut leaves, String::new(), (value, 0));
        }
        is_cut |= leaves.len() > MAX_FIELDS;
        leaves.truncate(MAX_FIELDS);
        merge(&mut order, &leaves);
        found.push(leaves.into_iter().collect());
    }
    let has_value = |it: &usize| values.get(*it).is_some_and(Option::is_some);
    let first = values.iter().position(Option::is_some);
    let reference = Some(wished).filter(has_value).or(first).unwrap_or_default();
    let rows = order.into_iter().map(|path| {
        let cells: Vec<_> = found
            .iter()
            .map(|it| it.get(&path).map(|it| (*it).clone()))
            .collect();
        let differs = |it: &usize| {
            values[*it].is_some() && !is_same(cells[*it].as_ref(), cells[reference].as_ref())
        };
        FieldRow {
            differing: (0..values.len()).filter(differs).collect(),
            path,
            cells,
        }
    });
    FieldTable {
        rows: rows.collect(),
        reference,
        is_cut,
    }
}

impl FieldTable {
    /// Rows in which some column disagrees with the reference.
    pub fn n_differing(&self) -> usize {
        let differing = self.rows.iter().filter(|it| !it.differing.is_empty());
        differing.count()
    }
}

/// Puts the paths that are new behind those that they follow.
fn merge(order: &mut Vec<String>, leaves: &[(String, &Value)]) {
    let mut behind = 0;
    for (path, _) in leaves {
        if let Some(at) = order.iter().position(|it| it == path) {
            behind = at + 1;
        } else {
            order.insert(behind, path.clone());
            behind += 1;
        }
    }
}

fn add_leaves<'a>(
    acc: &mut Vec<(String, &'a Value)>,
    path: String,
    (value, depth): (&'a Value, usize),
) {
    if acc.len() > MAX_FIELDS {
        return;
    }
    match value {
        Value::Object(map) if !map.is_empty() && depth < MAX_DEPTH => {
            for (key, part) in map {
                let key = key.replace('~', "~0").replace('/', "~1");
                add_leaves(acc, format!("{path}/{key}"), (part, depth + 1));
            }
        }
        Value::Array(items) if !items.is_empty() && depth < MAX_DEPTH => {
            for (idx, part) in items.iter().enumerate() {
                add_leaves(acc, format!("{path}/{idx}"), (part, depth + 1));
            }
        }
        _ => acc.push((path, value)),
    }
}

/// 2 and 2.0 are the same number.
fn is_same(one: Option<&Value>, other: Option<&Value>) -> bool {
    match (one, other) {
        (Some(Value::Number(one)), Some(Value::Number(other))) => {
            one == other || (one.is_f64() != other.is_f64() && one.as_f64() == other.as_f64())
        }
        _ => one == other,
    }
}
