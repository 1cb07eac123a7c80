//! Numbers within bounds.

use serde_json::{Map, Value};

use super::expression::{Expression, class};
use super::ranges::{at_least, between};
use super::rules::Basic;
use super::values::{Maker, Place, Stop};

/// A bound, and whether it is itself left out.
type Bound = Option<(i64, bool)>;

/// Largest bound that is written out as digits.
const MAX_BOUND: f64 = 9e15;

impl Maker<'_> {
    pub(super) fn number(
        &mut self,
        object: &Map<String, Value>,
        is_integer: bool,
        place: &Place,
    ) -> Result<Expression, Stop> {
        let low = self.bound(object, ("minimum", "exclusiveMinimum"), (is_integer, place));
        let high = self.bound(object, ("maximum", "exclusiveMaximum"), (is_integer, place));
        if low.is_none() && high.is_none() {
            let basic = if is_integer {
                Basic::Integer
            } else {
                Basic::Number
            };
            return Ok(self.rules.basic(basic));
        }
        let found = if is_integer {
            let low = low.map(|it| it.0 + i64::from(it.1));
            let high = high.map(|it| it.0 - i64::from(it.1));
            integers(low, high)
        } else {
            fractions(low, high)
        };
        if found.is_empty() {
            return Err(Stop::Nothing(place.pointer.clone()));
        }
        Ok(Expression::choice(found))
    }

    /// The stricter of a plain and an exclusive bound. One that is no whole number is widened, and that is said.
    fn bound(
        &mut self,
        object: &Map<String, Value>,
        (plain, exclusive): (&str, &str),
        (is_integer, place): (bool, &Place),
    ) -> Bound {
        let is_low = plain == "minimum";
        let mut value = object
            .get(plain)
            .and_then(Value::as_f64)
            .map(|it| (it, false));
        let mut key = plain;
        match object.get(exclusive) {
            Some(Value::Bool(true)) => value = value.map(|it| (it.0, true)),
            Some(other) => {
                if let Some(bound) = other.as_f64() {
                    let is_stricter =
                        value.is_none_or(|it| if is_low { bound >= it.0 } else { bound <= it.0 });
                    if is_stricter {
                        value = Some((bound, true));
                        key = exclusive;
                    }
                }
            }
            None => {}
        }
        let (value, is_left_out) = value?;
        if value.abs() > MAX_BOUND {
            self.gap(place, key, "is too large to be written out and is left out");
            return None;
        }
        if value.fract() == 0.0 {
            return Some((value as i64, is_left_out));
        }
        if is_integer {
            let whole = if is_low { value.ceil() } else { value.floor() };
            return Some((whole as i64, false));
        }
        self.gap(place, key, "is held to by the next whole number only");
        let whole = if is_low { value.floor() } else { value.ceil() };
        Some((whole as i64, false))
    }
}

fn integers(low: Option<i64>, high: Option<i64>) -> Vec<Expression> {
    let mut parts = Vec::new();
    if low.is_none_or(|it| it < 0) {
        let least = high.filter(|it| *it < 0).map_or(1, i64::unsigned_abs);
        let most = low.map(i64::unsigned_abs);
        if most.is_none_or(|it| it >= least) {
            parts.push(Expression::sequence([
                Expression::literal("-"),
                range(least, most),
            ]));
        }
    }
    if high.is_none_or(|it| it >= 0) {
        let least = low.map_or(0, |it| it.max(0).unsigned_abs());
        let most = high.map(i64::unsigned_abs);
        if most.is_none_or(|it| it >= least) {
            parts.push(range(least, most));
        }
    }
    parts
}

fn range(least: u64, most: Option<u64>) -> Expression {
    match most {
        Some(most) => between(least, most),
        None => at_least(least),
    }
}

fn fractions(low: Bound, high: Bound) -> Vec<Expression> {
    let mut parts = Vec::new();
    let mirrored = |it: (i64, bool)| (it.0.unsigned_abs(), it.1);
    if low.is_none_or(|it| it.0 < 0) {
        let least = high.filter(|it| it.0 <= 0).map_or((0, true), mirrored);
        let found = positive(least, low.map(mirrored));
        parts.extend(found.map(|it| Expression::sequence([Expression::literal("-"), it])));
    }
    if high.is_none_or(|it| it.0 >= 0) {
        let least = low.filter(|it| it.0 >= 0).map_or((0, false), mirrored);
        parts.extend(positive(least, high.map(mirrored)));
    }
    parts
}

/// Numbers without a sign between two whole ones, in plain notation.
fn positive(least: (u64, bool), most: Option<(u64, bool)>) -> Option<Expression> {
    let digits = || class(&[(0x30, 0x39)], false);
    let point = || Expression::literal(".");
    let fraction = || Expression::sequence([point(), digits().repeated(1, None)]).optional();
    let mut parts = Vec::new();
    let (low, is_left_out) = least;
    let is_above = |it: u64| most.is_none_or(|most| it < most.0);
    if is_left_out && is_above(low) {
        parts.push(Expression::sequence([
            Expression::literal(&low.to_string()),
            point(),
            digits().repeated(0, None),
            class(&[(0x31, 0x39)], false),
            digits().repeated(0, None),
        ]));
    }
    let start = low + u64::from(is_left_out);
    match most {
        None => parts.push(Expression::sequence([at_least(start), fraction()])),
        Some((most, most_is_left_out)) => {
            if start < most {
                parts.push(Expression::sequence([between(start, most - 1), fraction()]));
            }
            if !most_is_left_out && most >= start {
                let zeros = Expression::literal("0").repeated(1, None);
                parts.push(Expression::sequence([
                    Expression::literal(&most.to_string()),
                    Expression::sequence([point(), zeros]).optional(),
                ]));
            }
        }
    }
    (!parts.is_empty()).then(|| Expression::choice(parts))
}
