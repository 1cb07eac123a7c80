//! The walk against a second, much simpler reading of the same grammar.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::ast::{Grammar, Node};
use super::parser::parse;
use super::utf8::push_byte_ranges;
use super::{DEAD, Plan, Recognizer};

const N_GRAMMARS: usize = 300;
const MAX_LENGTH: usize = 5;

/// A reading that tries everything, and remembers what each rule came to.
struct Reading<'g> {
    grammar: &'g Grammar,
    text: &'g [u8],
    known: HashMap<(usize, usize), BTreeSet<usize>>,
}

impl Reading<'_> {
    /// All places at which `node` may end when it begins at `from`.
    fn ends(&mut self, node: &Node, from: usize) -> BTreeSet<usize> {
        match node {
            Node::Text(it) => {
                let found = self.text[from..].starts_with(it.as_bytes());
                found.then_some(from + it.len()).into_iter().collect()
            }
            Node::Class(ranges) => {
                let byte = self.text.get(from).map(|it| u32::from(*it));
                byte.filter(|byte| ranges.iter().any(|it| (it.0..=it.1).contains(byte)))
                    .map(|_| from + 1)
                    .into_iter()
                    .collect()
            }
            Node::Token(_) => BTreeSet::new(),
            Node::Call { rule, .. } => {
                if let Some(known) = self.known.get(&(*rule, from)) {
                    return known.clone();
                }
                let grammar = self.grammar;
                let res = self.ends(&grammar.rules[*rule].body, from);
                self.known.insert((*rule, from), res.clone());
                res
            }
            Node::Sequence(items) => items.iter().fold(BTreeSet::from([from]), |froms, item| {
                self.ends_of_all(item, froms)
            }),
            Node::Choice(options) => options.iter().flat_map(|it| self.ends(it, from)).collect(),
            Node::Repeat { item, min, max } => {
                let mut res = BTreeSet::new();
                let mut froms = BTreeSet::from([from]);
                // Beyond the length of the text, only empty copies are left.
                for n_copies in 0..=max.unwrap_or(min + MAX_LENGTH as u32 + 1) {
                    if n_copies >= *min {
                        res.extend(froms.iter().copied());
                    }
                    froms = self.ends_of_all(item, froms);
                }
                res
            }
        }
    }

    fn ends_of_all(&mut self, item: &Node, froms: BTreeSet<usize>) -> BTreeSet<usize> {
        froms
            .into_iter()
            .flat_map(|it| self.ends(item, it))
            .collect()
    }
}

/// Small grammars by chance, the same ones every time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn body(&mut self, depth: u64, rules: &[&str]) -> String {
        let n_options = 1 + self.below(3);
        let options: Vec<String> = (0..n_options)
            .map(|_| {
                let n_items = self.below(4);
                let items: Vec<String> = (0..n_items).map(|_| self.item(depth, rules)).collect();
                items.join(" ")
            })
            .collect();
        options.join(" | ")
    }

    fn item(&mut self, depth: u64, rules: &[&str]) -> String {
        let atom = match self.below(if depth > 0 { 8 } else { 7 }) {
            0 => "\"a\"".to_owned(),
            1 => "\"b\"".to_owned(),
            2 => "\"ab\"".to_owned(),
            3 => "[ab]".to_owned(),
            4 => "\"\"".to_owned(),
            5 | 6 => rules[self.below(rules.len() as u64) as usize].to_owned(),
            _ => format!("({})", self.body(depth - 1, rules)),
        };
        let quantifiers = ["", "", "", "*", "+", "?", "{2}", "{1,2}", "{0,2}", "{1,}"];
        format!("{atom}{}", quantifiers[self.below(10) as usize])
    }
}

fn texts() -> Vec<Vec<u8>> {
    let mut res = vec![Vec::new()];
    let mut last = res.clone();
    for _ in 0..MAX_LENGTH {
        last = last
            .iter()
            .flat_map(|it| [b'a', b'b'].map(|byte| [it.as_slice(), &[byte]].concat()))
            .collect();
        res.extend(last.clone());
    }
    res
}

#[test]
fn the_walk_accepts_what_trying_everything_accepts() {
    let mut chance = Chance(7);
    let texts = texts();
    let mut n_compared = 0;
    for _ in 0..N_GRAMMARS {
        let text = format!(
            "root ::= {}\nx ::= {}\ny ::= {}\nz ::= {}",
            chance.body(2, &["x", "y", "z", "root"]),
            chance.body(1, &["y", "z", "root"]),
            chance.body(1, &["z"]),
            chance.body(1, &["\"a\""])
        );
        let Ok(plan) = Plan::new(&text) else {
            continue;
        };
        n_compared += 1;
        let grammar = parse(&text).unwrap();
        let root = &grammar.rules[grammar.root].body;
        let (mut recognizer, start) = Recognizer::new(Arc::new(plan));
        for reply in &texts {
            let state = reply
                .iter()
                .fold(start, |state, byte| recognizer.step(state, *byte));
            let mut reading = Reading {
                grammar: &grammar,
                text: reply,
                known: HashMap::new(),
            };
            let expected = reading.ends(root, 0).contains(&reply.len());
            let found = state != DEAD && recognizer.is_accepting(state);
            assert_eq!(found, expected, "{reply:?} under\n{text}");
        }
    }
    assert!(
        n_compared > N_GRAMMARS / 5,
        "{n_compared} grammars were compared"
    );
}

#[test]
fn byte_ranges_match_exactly_the_characters_of_a_range() {
    let borders = [
        0, 0x41, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x1_0000, 0x10_FFFF,
    ];
    for low in borders {
        for high in borders.into_iter().filter(|it| *it >= low) {
            let mut ways = Vec::new();
            push_byte_ranges(&mut ways, low, high);
            for point in borders.into_iter().chain([0x42, 0x900, 0xFFFE, 0x2_0000]) {
                let bytes = char::from_u32(point).unwrap().to_string().into_bytes();
                let n_matching = ways
                    .iter()
                    .filter(|way| {
                        way.len() == bytes.len()
                            && way
                                .iter()
                                .zip(&bytes)
                                .all(|(it, byte)| (it.0..=it.1).contains(byte))
                    })
                    .count();
                let expected = usize::from((low..=high).contains(&point));
                assert_eq!(n_matching, expected, "{point:X} in {low:X}..={high:X}");
            }
        }
    }
}
