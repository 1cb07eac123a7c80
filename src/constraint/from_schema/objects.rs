//! Objects: their properties in the order of the schema, and other names behind them.

use serde_json::{Map, Value};

use super::expression::Expression;
use super::rules::Basic;
use super::values::{Maker, Place, Stop, about_map};

/// One property, or all free ones together.
struct Member {
    expression: Expression,
    is_required: bool,
    /// It may come several times.
    is_repeated: bool,
}

/// Optional properties in a row that are written out in one rule; more get rules of their own.
const MAX_INLINE: usize = 4;

impl Maker<'_> {
    pub(super) fn object(
        &mut self,
        object: &Map<String, Value>,
        place: &Place,
    ) -> Result<Expression, Stop> {
        let (slot, rule) = self.rules.reserve(&place.name, &about_map(object));
        match self.body(object, place) {
            Ok(body) => {
                self.rules.fill(slot, body);
                Ok(rule)
            }
            Err(it) => {
                self.rules.drop(slot);
                Err(it)
            }
        }
    }

    /// `"key" : value`, with the white space between.
    pub(super) fn member(&mut self, key: &str, value: Expression) -> Expression {
        let key = Expression::literal(&Value::from(key).to_string());
        self.member_of(key, value)
    }

    /// A comma with the white space around it.
    pub(super) fn comma(&mut self) -> Expression {
        let parts = [
            self.rules.blank(),
            Expression::literal(","),
            self.rules.blank(),
        ];
        Expression::sequence(parts)
    }

    fn member_of(&mut self, key: Expression, value: Expression) -> Expression {
        let parts = [
            key,
            self.rules.blank(),
            Expression::literal(":"),
            self.rules.blank(),
            value,
        ];
        Expression::sequence(parts)
    }

    fn body(&mut self, object: &Map<String, Value>, place: &Place) -> Result<Expression, Stop> {
        let mut members = self.named_members(object, place)?;
        let n_required = members.iter().filter(|it| it.is_required).count();
        self.name_counts(object, n_required, place);
        let names: Vec<&str> = names(object);
        if let Some(free) = self.free_members(object, &names, place)? {
            members.push(free);
        }
        let blank = self.rules.blank();
        let inner = self.ordered(&members, place);
        let opening = [Expression::literal("{"), blank.clone()];
        let closing = [blank, Expression::literal("}")];
        Ok(Expression::sequence(
            opening.into_iter().chain([inner]).chain(closing),
        ))
    }

    fn named_members(
        &mut self,
        object: &Map<String, Value>,
        place: &Place,
    ) -> Result<Vec<Member>, Stop> {
        let required = required(object);
        let listed = object.get("properties").and_then(Value::as_object);
        let mut members = Vec::new();
        for name in names(object) {
            let is_required = required.contains(&name);
            let there = place.under("properties").under(name);
            let there = there.named(&Self::member_name(place, name));
            let schema = match listed.and_then(|it| it.get(name)) {
                Some(it) => it.clone(),
                // Named as required and nowhere described.
                None => object
                    .get("additionalProperties")
                    .cloned()
                    .unwrap_or(Value::Bool(true)),
            };
            match self.value(&schema, &there) {
                Ok(value) => {
                    let expression = self.member(name, value);
                    members.push(Member {
                        expression,
                        is_required,
                        is_repeated: false,
                    });
                }
                Err(Stop::Nothing(_)) if !is_required => {}
                Err(it) => return Err(it),
            }
        }
        Ok(members)
    }

    /// A short name at the top, and one that says where it belongs further down.
    fn member_name(place: &Place, name: &str) -> String {
        if place.depth == 0 || name.len() > 24 {
            name.to_owned()
        } else {
            format!("{}-{name}", place.name)
        }
    }

    /// Names that the schema does not list.
    fn free_members(
        &mut self,
        object: &Map<String, Value>,
        names: &[&str],
        place: &Place,
    ) -> Result<Option<Member>, Stop> {
        let any = Value::Bool(true);
        let schema = object.get("additionalProperties").unwrap_or(&any);
        if object.get("maxProperties").and_then(Value::as_u64) == Some(0) {
            return Ok(None);
        }
        let there = place.under("additionalProperties");
        let there = there.named(&format!("{}-other", place.name));
        let value = match self.value(schema, &there) {
            Ok(it) => it,
            Err(Stop::Nothing(_)) => return Ok(None),
            Err(it) => return Err(it),
        };
        let key = if names.is_empty() {
            self.rules.basic(Basic::String)
        } else {
            self.other_key(names, place)
        };
        let expression = self.member_of(key, value);
        Ok(Some(Member {
            expression,
            is_required: false,
            is_repeated: true,
        }))
    }

    fn name_counts(&mut self, object: &Map<String, Value>, n_required: usize, place: &Place) {
        let count = |key: &str| object.get(key).and_then(Value::as_u64);
        if count("minProperties").is_some_and(|it| it > n_required as u64) {
            self.gap(
                place,
                "minProperties",
                "is left out: fewer properties are let through",
            );
        }
        if count("maxProperties").is_some_and(|it| it > 0) {
            self.gap(
                place,
                "maxProperties",
                "is left out: more properties are let through",
            );
        }
    }

    /// Members in their order with commas between those that are there.
    fn ordered(&mut self, members: &[Member], place: &Place) -> Expression {
        match members.iter().position(|it| it.is_required) {
            Some(first) => {
                let comma = self.comma();
                let before = members.iter().take(first).map(|it| {
                    Expression::sequence([it.expression.clone(), comma.clone()]).optional()
                });
                let before: Vec<Expression> = before.collect();
                let first_member = members.get(first).map(|it| it.expression.clone());
                let after = self.following(members.get(first + 1..).unwrap_or_default());
                Expression::sequence(before.into_iter().chain(first_member).chain(after))
            }
            None => self.all_optional(members, place),
        }
    }

    /// Members behind one that is there.
    fn following(&mut self, members: &[Member]) -> Vec<Expression> {
        let comma = self.comma();
        let with_comma = |it: &Member| {
            let pair = Expression::sequence([comma.clone(), it.expression.clone()]);
            match (it.is_required, it.is_repeated) {
                (true, _) => pair,
                (false, true) => pair.repeated(0, None),
                (false, false) => pair.optional(),
            }
        };
        members.iter().map(with_comma).collect()
    }

    fn all_optional(&mut self, members: &[Member], place: &Place) -> Expression {
        if members.len() > MAX_INLINE {
            return self.in_steps(members, place);
        }
        let mut parts = Vec::new();
        for (idx, member) in members.iter().enumerate() {
            let mut line = vec![member.expression.clone()];
            if member.is_repeated {
                line.extend(self.following(std::slice::from_ref(member)));
            }
            line.extend(self.following(members.get(idx + 1..).unwrap_or_default()));
            parts.push(Expression::sequence(line));
        }
        if parts.is_empty() {
            return Expression::atom("");
        }
        Expression::choice(parts).optional()
    }

    /// A rule for each place behind which the rest follows, so that the grammar grows by the number of members only.
    fn in_steps(&mut self, members: &[Member], place: &Place) -> Expression {
        let comma = self.comma();
        let mut rest = Expression::atom("");
        let mut starts = Vec::new();
        for (idx, member) in members.iter().enumerate().rev() {
            let again = Expression::sequence([comma.clone(), member.expression.clone()]);
            let more = if member.is_repeated {
                again.clone().repeated(0, None)
            } else {
                Expression::atom("")
            };
            starts.push(Expression::sequence([
                member.expression.clone(),
                more.clone(),
                rest.clone(),
            ]));
            let link = if member.is_repeated {
                more
            } else {
                again.optional()
            };
            if idx > 0 {
                let name = format!("{}-rest", place.name);
                let (slot, rule) = self.rules.reserve(&name, "");
                self.rules.fill(slot, Expression::sequence([link, rest]));
                rest = rule;
            }
        }
        starts.reverse();
        Expression::choice(starts).optional()
    }
}

/// The listed names in their order, and those that are only required behind them.
fn names(object: &Map<String, Value>) -> Vec<&str> {
    let listed = object.get("properties").and_then(Value::as_object);
    let mut names: Vec<&str> = listed
        .into_iter()
        .flatten()
        .map(|(name, _)| name.as_str())
        .collect();
    for name in required(object) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn required(object: &Map<String, Value>) -> Vec<&str> {
    let required = object.get("required").and_then(Value::as_array);
    required
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}
