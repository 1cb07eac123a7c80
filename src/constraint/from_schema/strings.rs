//! Strings: their length, their pattern, and the formats that have a plain shape.

use serde_json::{Map, Value};

use super::expression::Expression;
use super::formats::pattern_of;
use super::patterns::{Pattern, parse};
use super::rules::Basic;
use super::values::{Maker, Place, Stop};

/// Highest count of characters that a grammar holds to.
const MAX_COUNTED: u64 = 2_000;

impl Maker<'_> {
    pub(super) fn string(
        &mut self,
        object: &Map<String, Value>,
        place: &Place,
    ) -> Result<Expression, Stop> {
        let count = |key: &str| object.get(key).and_then(Value::as_u64);
        let (least, most) = (count("minLength").unwrap_or(0), count("maxLength"));
        if most.is_some_and(|it| it < least) {
            return Err(Stop::Nothing(place.pointer.clone()));
        }
        if let Some(pattern) = self.pattern(object, place) {
            let character = self.rules.basic(Basic::Character);
            let body = pattern.expression(&character, (least, most));
            if (least > 0 || most.is_some()) && !pattern.is_run() {
                for key in ["minLength", "maxLength"] {
                    if object.contains_key(key) {
                        self.gap(place, key, "is left out beside a pattern");
                    }
                }
            }
            let quote = Expression::literal("\"");
            let body = Expression::sequence([quote.clone(), body, quote]);
            let (slot, rule) = self.rules.reserve(&place.name, &pattern.source);
            self.rules.fill(slot, body);
            return Ok(rule);
        }
        if least == 0 && most.is_none() {
            return Ok(self.rules.basic(Basic::String));
        }
        let (least, most) = self.counted((least, most), place);
        let character = self.rules.basic(Basic::Character);
        let quote = Expression::literal("\"");
        let body = [quote.clone(), character.repeated(least, most), quote];
        Ok(Expression::sequence(body))
    }

    fn counted(&mut self, (least, most): (u64, Option<u64>), place: &Place) -> (u64, Option<u64>) {
        let message = "is larger than a grammar counts to and is left out";
        let least = if least > MAX_COUNTED {
            self.gap(place, "minLength", message);
            MAX_COUNTED
        } else {
            least
        };
        if most.is_some_and(|it| it > MAX_COUNTED) {
            self.gap(place, "maxLength", message);
            return (least, None);
        }
        (least, most)
    }

    /// The pattern that the string is held to, its format's if it has none of its own.
    fn pattern(&mut self, object: &Map<String, Value>, place: &Place) -> Option<Pattern> {
        let text = |key: &str| object.get(key).and_then(Value::as_str);
        let format = text("format");
        if let Some(source) = text("pattern") {
            match parse(source) {
                Ok(it) => {
                    if format.is_some() {
                        self.gap(place, "format", "is left out beside a pattern");
                    }
                    return Some(it);
                }
                Err(why) => self.gap(place, "pattern", &format!("is left out: {why}")),
            }
        }
        let format = format?;
        if let Some(source) = pattern_of(format) {
            let mut pattern = parse(source).ok()?;
            pattern.source = format!("Of the format {format}.");
            Some(pattern)
        } else {
            self.gap(place, "format", "is left out: any text is let through");
            None
        }
    }
}
