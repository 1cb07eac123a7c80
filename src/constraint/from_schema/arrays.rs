//! Arrays: fixed items in front, one kind of item behind them, and how many there may be.

use serde_json::{Map, Value};

use super::expression::Expression;
use super::values::{Maker, Place, Stop, about_map};

/// Highest number of items that a grammar counts to.
const MAX_COUNTED: u64 = 500;

impl Maker<'_> {
    pub(super) fn array(
        &mut self,
        object: &Map<String, Value>,
        place: &Place,
    ) -> Result<Expression, Stop> {
        let (slot, rule) = self.rules.reserve(&place.name, &about_map(object));
        match self.items(object, place) {
            Ok(inner) => {
                let blank = self.rules.blank();
                let body = Expression::sequence([
                    Expression::literal("["),
                    blank.clone(),
                    inner,
                    blank,
                    Expression::literal("]"),
                ]);
                self.rules.fill(slot, body);
                Ok(rule)
            }
            Err(it) => {
                self.rules.drop(slot);
                Err(it)
            }
        }
    }

    fn items(&mut self, object: &Map<String, Value>, place: &Place) -> Result<Expression, Stop> {
        let least = count(object, "minItems").unwrap_or(0);
        let mut most = count(object, "maxItems");
        if most.is_some_and(|it| it < least) {
            return Err(Stop::Nothing(place.pointer.clone()));
        }
        let (first, (tail_key, tail)) = parts(object);
        let mut fixed = Vec::new();
        for (key, idx, schema) in first {
            if most.is_some_and(|it| fixed.len() as u64 >= it) {
                break;
            }
            let there = place.under(key).under(&idx.to_string());
            let there = there.named(&format!("{}-{}", place.name, idx + 1));
            match self.value(schema, &there) {
                Ok(it) => fixed.push(it),
                Err(Stop::Nothing(_)) if fixed.len() as u64 >= least => {
                    most = Some(fixed.len() as u64);
                    break;
                }
                Err(it) => return Err(it),
            }
        }
        let n_fixed = fixed.len() as u64;
        let there = place.under(tail_key).named(&item_name(&place.name));
        let tail = if most.is_some_and(|it| it <= n_fixed) {
            None
        } else {
            match self.value(&tail, &there) {
                Ok(it) => Some(it),
                Err(Stop::Nothing(_)) => None,
                Err(it) => return Err(it),
            }
        };
        if tail.is_none() && least > n_fixed {
            return Err(Stop::Nothing(place.pointer.clone()));
        }
        let bounds = self.bounds((least, most), place);
        Ok(self.listed_items(fixed, tail, bounds))
    }

    fn bounds(&mut self, (least, most): (u64, Option<u64>), place: &Place) -> (u64, Option<u64>) {
        let message = "is larger than a grammar counts to and is left out";
        let counted = if least > MAX_COUNTED {
            self.gap(place, "minItems", message);
            MAX_COUNTED
        } else {
            least
        };
        if most.is_some_and(|it| it > MAX_COUNTED) {
            self.gap(place, "maxItems", message);
            return (counted, None);
        }
        (counted, most)
    }

    fn listed_items(
        &mut self,
        fixed: Vec<Expression>,
        tail: Option<Expression>,
        (least, most): (u64, Option<u64>),
    ) -> Expression {
        let comma = self.comma();
        let n_fixed = fixed.len() as u64;
        // From the back: what may follow once the items before are there.
        let more = tail.clone().map(|item| {
            let next = Expression::sequence([comma.clone(), item]);
            let behind = |n: u64| n.saturating_sub(n_fixed.max(1));
            next.repeated(behind(least), most.map(behind))
        });
        let mut rest = match (n_fixed, tail, more) {
            (_, None, _) | (_, _, None) => Expression::atom(""),
            (0, Some(item), Some(more)) => {
                let all = Expression::sequence([item, more]);
                return if least == 0 { all.optional() } else { all };
            }
            (_, Some(_), Some(more)) => more,
        };
        for (idx, item) in fixed.into_iter().enumerate().rev() {
            let idx = idx as u64;
            let begin = if idx == 0 {
                item
            } else {
                Expression::sequence([comma.clone(), item])
            };
            let all = Expression::sequence([begin, rest]);
            rest = if idx < least { all } else { all.optional() };
        }
        rest
    }
}

/// The fixed items, each with its keyword and place, and the keyword and schema of all others.
#[expect(clippy::type_complexity, reason = "two lists that are used once")]
fn parts(
    object: &Map<String, Value>,
) -> (Vec<(&'static str, usize, &Value)>, (&'static str, Value)) {
    let get = |key: &str| object.get(key).cloned().unwrap_or(Value::Bool(true));
    let listed = |key: &'static str| {
        let items = object.get(key).and_then(Value::as_array);
        let items = items.into_iter().flatten().enumerate();
        items.map(|(idx, it)| (key, idx, it)).collect::<Vec<_>>()
    };
    if object.get("items").is_some_and(Value::is_array) {
        return (listed("items"), ("additionalItems", get("additionalItems")));
    }
    (listed("prefixItems"), ("items", get("items")))
}

fn count(object: &Map<String, Value>, key: &str) -> Option<u64> {
    object.get(key).and_then(Value::as_u64)
}

/// `tags` has items that are each a `tag`.
fn item_name(name: &str) -> String {
    let is_plural = name.ends_with('s') && !name.ends_with("ss") && name.len() > 3;
    if let Some(stem) = name.strip_suffix("ies").filter(|it| it.len() > 2) {
        return format!("{stem}y");
    }
    match name.strip_suffix('s') {
        Some(stem) if is_plural => stem.to_owned(),
        _ => format!("{name}-item"),
    }
}
