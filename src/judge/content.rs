//! Causes in what a well-shaped value says: copied from an example, or wrong.

use serde_json::Value;

use super::bounds::{dotted, quoted};
use super::cause::Scene;
use super::{Cause, Difference, Leak};

pub(super) fn leaked(scene: &Scene<'_>) -> Vec<Cause> {
    scene.leaks.iter().map(|it| leak_cause(scene, it)).collect()
}

/// The differences that no cause above has named. A value that stands elsewhere is not compared at all.
pub(super) fn wrong_value(scene: &Scene<'_>) -> Vec<Cause> {
    let is_elsewhere = scene.shape.iter().any(|it| it.kind == "nested");
    if scene.value().is_none() || is_elsewhere {
        return Vec::new();
    }
    scene
        .differences
        .iter()
        .filter(|it| {
            !is_leaked(it, scene.leaks) && !scene.shape.iter().any(|cause| explains(cause, it))
        })
        .map(difference_cause)
        .collect()
}

fn is_leaked(difference: &Difference, leaks: &[Leak]) -> bool {
    leaks.iter().any(|it| is_at(&difference.path, &it.path))
}

/// Whether a fault of shape says the same as a difference.
fn explains(cause: &Cause, difference: &Difference) -> bool {
    let Some(place) = cause.path.as_deref() else {
        return false;
    };
    let object = difference.path.rsplit_once('/').map_or("", |it| it.0);
    let is_missing = difference.found.is_none();
    match cause.kind.as_str() {
        "missing_key" => is_missing && object == place,
        "renamed_key" => {
            let around = place.rsplit_once('/').map_or("", |it| it.0);
            is_at(&difference.path, place) || (is_missing && object == around)
        }
        _ => is_at(&difference.path, place),
    }
}

/// Whether a difference is at a place or below it.
fn is_at(path: &str, place: &str) -> bool {
    let rest = path.strip_prefix(place);
    rest.is_some_and(|it| it.is_empty() || it.starts_with('/'))
}

fn leak_cause(scene: &Scene<'_>, leak: &Leak) -> Cause {
    let mixed = scene
        .origins
        .mixed
        .iter()
        .find(|it| it.from_example.contains(&leak.path));
    let beside = mixed.map(|it| {
        let fields: Vec<_> = it
            .from_input
            .iter()
            .take(3)
            .map(|path| dotted(path))
            .collect();
        format!("; {} of the same record from the input", fields.join(", "))
    });
    let message = format!(
        "{} is {}, copied from example {}{}",
        dotted(&leak.path),
        quoted(&Value::from(leak.value.as_str())),
        leak.example,
        beside.unwrap_or_default()
    );
    Cause::new("leak", message).at(&leak.path)
}

fn difference_cause(difference: &Difference) -> Cause {
    let found = match &difference.found {
        Some(found) => format!("is {}", quoted(found)),
        None => "is missing".to_owned(),
    };
    let remark = difference
        .remark
        .as_ref()
        .map(|it| format!(" ({it})"))
        .unwrap_or_default();
    let message = format!(
        "{} {found}; right is {}{remark}",
        dotted(&difference.path),
        quoted(&difference.expected)
    );
    Cause::new("wrong_value", message).at(&difference.path)
}
