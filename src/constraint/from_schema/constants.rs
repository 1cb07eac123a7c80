//! Single values and lists of them.

use serde_json::{Map, Value};

use super::expression::Expression;
use super::values::{LEFT_OUT, Maker, NOTES, Place, Stop, about_map};

impl Maker<'_> {
    pub(super) fn constants(
        &mut self,
        values: &[Value],
        (object, keyword): (&Map<String, Value>, &str),
        place: &Place,
    ) -> Result<Expression, Stop> {
        let fits = |value: &&Value| object.get("type").is_none_or(|it| is_of(value, it));
        let values: Vec<&Value> = values.iter().filter(fits).collect();
        for other in object.keys() {
            let is_known = other == keyword || other == "type" || NOTES.contains(&other.as_str());
            if !is_known && !LEFT_OUT.iter().any(|it| it.0 == other) {
                self.gap(place, other, "is left out beside a list of values");
            }
        }
        if values.is_empty() {
            return Err(Stop::Nothing(place.pointer.clone()));
        }
        let parts: Vec<Expression> = values.iter().map(|it| self.constant(it)).collect();
        let n_parts = parts.len();
        let body = Expression::choice(parts);
        if n_parts < 2 {
            return Ok(body);
        }
        let (slot, rule) = self.rules.reserve(&place.name, &about_map(object));
        self.rules.fill(slot, body);
        Ok(rule)
    }

    /// One value, with the white space that may stand inside it.
    fn constant(&mut self, value: &Value) -> Expression {
        match value {
            Value::Array(items) => {
                let items: Vec<Expression> = items.iter().map(|it| self.constant(it)).collect();
                self.listed(("[", "]"), items)
            }
            Value::Object(fields) => {
                let fields: Vec<Expression> = fields
                    .iter()
                    .map(|(key, value)| {
                        let value = self.constant(value);
                        self.member(key, value)
                    })
                    .collect();
                self.listed(("{", "}"), fields)
            }
            _ => Expression::literal(&value.to_string()),
        }
    }

    fn listed(&mut self, (open, close): (&str, &str), parts: Vec<Expression>) -> Expression {
        let mut res = vec![Expression::literal(open), self.rules.blank()];
        for (idx, part) in parts.into_iter().enumerate() {
            if idx > 0 {
                res.push(self.comma());
            }
            res.push(part);
        }
        res.push(self.rules.blank());
        res.push(Expression::literal(close));
        Expression::sequence(res)
    }
}

fn is_of(value: &Value, kind: &Value) -> bool {
    match kind {
        Value::Array(kinds) => kinds.iter().any(|it| is_of(value, it)),
        _ => match kind.as_str().unwrap_or_default() {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "string" => value.is_string(),
            "number" => value.is_number(),
            "integer" => value.is_i64() || value.is_u64(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            _ => false,
        },
    }
}
