//! Names that are none of those that a schema lists.

use std::collections::BTreeMap;

use serde_json::Value;

use super::expression::{Expression, class};
use super::rules::Basic;
use super::values::{Maker, Place};

/// Listed names by their characters.
#[derive(Default)]
struct Names {
    is_end: bool,
    next: BTreeMap<char, Self>,
}

/// Characters of all listed names together; beyond them a rule that tells them apart would not be read by anyone.
const MAX_CHARACTERS: usize = 1_000;

impl Maker<'_> {
    /// A key that is none of the listed ones.
    pub(super) fn other_key(&mut self, names: &[&str], place: &Place) -> Expression {
        let total: usize = names.iter().map(|it| it.chars().count()).sum();
        if total > MAX_CHARACTERS {
            let message = "lets listed names come a second time: there are too many to leave out";
            self.gap(place, "additionalProperties", message);
            return self.rules.basic(Basic::String);
        }
        let mut known = Names::default();
        for name in names {
            let quoted = Value::from(*name).to_string();
            let inner = quoted
                .get(1..quoted.len().saturating_sub(1))
                .unwrap_or_default();
            known.add(inner);
        }
        let character = self.rules.basic(Basic::Character);
        // Without `\u`, by which a listed name could be spelled.
        let escape = Expression::atom(r#""\\" ["\\bfnrt]"#);
        let rest = character.repeated(0, None);
        let body = Expression::sequence([
            Expression::literal("\""),
            known.others(&rest, &escape),
            Expression::literal("\""),
        ]);
        let comment = "Any key but those that are listed.";
        let name = format!("{}-other-key", place.name);
        let (slot, rule) = self.rules.reserve(&name, comment);
        self.rules.fill(slot, body);
        rule
    }
}

impl Names {
    fn add(&mut self, name: &str) {
        let mut here = self;
        for c in name.chars() {
            here = here.next.entry(c).or_default();
        }
        here.is_end = true;
    }

    /// Every ending that makes none of the names.
    fn others(&self, rest: &Expression, escape: &Expression) -> Expression {
        let mut parts = Vec::new();
        for (c, below) in &self.next {
            let begin = Expression::literal(&c.to_string());
            parts.push(Expression::sequence([begin, below.others(rest, escape)]));
        }
        let mut taken: Vec<(u32, u32)> = vec![(0x00, 0x1F), (0x22, 0x22), (0x5C, 0x5C)];
        let listed = self.next.keys().filter(|it| **it != '\\' && **it != '"');
        taken.extend(listed.map(|it| (u32::from(*it), u32::from(*it))));
        taken.sort_unstable();
        parts.push(Expression::sequence([class(&taken, true), rest.clone()]));
        if !self.next.contains_key(&'\\') {
            parts.push(Expression::sequence([escape.clone(), rest.clone()]));
        }
        let choice = Expression::choice(parts);
        if self.is_end {
            choice
        } else {
            choice.optional()
        }
    }
}
