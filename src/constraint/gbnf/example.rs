//! Writes random texts that a grammar accepts, the same ones for the same seed.

use super::ast::{Grammar, Node, RuleId};
use super::checks::order_rules;
use super::cursor::fault;
use super::network::Network;
use super::parser::parse;
use crate::constraint::ConstraintError;

/// Expansions of one example.
const MAX_STEPS: usize = 200_000;
/// The cost of what can never end.
const NEVER: u32 = u32::MAX;
/// How often an unbounded repetition comes at most, beyond what it must.
const MAX_EXTRA: u32 = 8;
/// Characters that a class is tried with first, so that examples can be read.
const USUAL: &[&str] = &[
    "abcdefghijklmnopqrstuvwxyz",
    "0123456789",
    "ABCXYZ",
    " ",
    ".,-_!",
    "éß한😀",
];

/// A text that the grammar accepts, chosen by `seed`.
///
/// Once it has about `max_chars` characters, only what ends soonest is added. Tokens that a grammar names stand
/// in the text by their names.
///
/// # Errors
/// The grammar has a fault, or it can never end, or it cannot end within bounds.
pub fn generate_example(
    grammar: &str,
    seed: u64,
    max_chars: usize,
) -> Result<String, ConstraintError> {
    let parsed = parse(grammar)?;
    if let Ok(network) = Network::new(&parsed) {
        order_rules(grammar, &parsed, &network)?;
    }
    let costs = Costs::new(&parsed);
    if costs.rule(parsed.root) == NEVER {
        let message =
            "no text ends under this grammar: each way through it needs a rule that never ends";
        return Err(fault(grammar, 0, message));
    }
    let writing = Writing {
        grammar: &parsed,
        costs,
        chance: Chance(seed),
        text: String::new(),
        n_chars: 0,
        max_chars,
        tasks: vec![Task::Rule(parsed.root)],
    };
    writing
        .finish()
        .ok_or_else(|| fault(grammar, 0, "no example ends within bounds"))
}

/// The fewest characters that each rule needs.
struct Costs(Vec<u32>);

impl Costs {
    fn new(grammar: &Grammar) -> Self {
        let users = users(grammar);
        let mut res = Self(vec![NEVER; grammar.rules.len()]);
        let mut todo: Vec<RuleId> = (0..grammar.rules.len()).rev().collect();
        let mut n_steps = 0;
        while let Some(rule) = todo.pop() {
            n_steps += 1;
            let cost = grammar
                .rules
                .get(rule)
                .map_or(NEVER, |it| res.node(&it.body));
            // A cost only falls; after this many changes what is left over is close enough.
            if cost < res.rule(rule) && n_steps < MAX_STEPS {
                if let Some(it) = res.0.get_mut(rule) {
                    *it = cost;
                }
                todo.extend(users.get(rule).into_iter().flatten());
            }
        }
        res
    }

    fn rule(&self, rule: RuleId) -> u32 {
        self.0.get(rule).copied().unwrap_or(NEVER)
    }

    fn node(&self, node: &Node) -> u32 {
        match node {
            Node::Text(text) => text.chars().count() as u32,
            Node::Class(_) | Node::Token(_) => 1,
            // One more than the rule, so that a chain of calls ends too.
            Node::Call { rule, .. } => self.rule(*rule).saturating_add(1),
            Node::Sequence(items) => items
                .iter()
                .fold(0, |cost, it| self.node(it).saturating_add(cost)),
            Node::Choice(options) => options.iter().map(|it| self.node(it)).min().unwrap_or(0),
            Node::Repeat { min: 0, .. } => 0,
            Node::Repeat { item, min, .. } => self.node(item).saturating_mul(*min),
        }
    }
}

/// For each rule, the rules that call it.
fn users(grammar: &Grammar) -> Vec<Vec<RuleId>> {
    let mut res = vec![Vec::new(); grammar.rules.len()];
    for (id, rule) in grammar.rules.iter().enumerate() {
        let mut todo = vec![&rule.body];
        while let Some(node) = todo.pop() {
            match node {
                Node::Call { rule, .. } => {
                    if let Some(it) = res.get_mut(*rule).filter(|it| it.last() != Some(&id)) {
                        it.push(id);
                    }
                }
                Node::Sequence(items) | Node::Choice(items) => todo.extend(items),
                Node::Repeat { item, .. } => todo.push(item),
                Node::Text(_) | Node::Class(_) | Node::Token(_) => {}
            }
        }
    }
    res
}

enum Task<'g> {
    Rule(RuleId),
    Node(&'g Node),
}

struct Writing<'g> {
    grammar: &'g Grammar,
    costs: Costs,
    chance: Chance,
    text: String,
    n_chars: usize,
    max_chars: usize,
    tasks: Vec<Task<'g>>,
}

impl<'g> Writing<'g> {
    fn finish(mut self) -> Option<String> {
        let mut n_steps = 0;
        while let Some(task) = self.tasks.pop() {
            n_steps += 1;
            if n_steps > MAX_STEPS {
                return None;
            }
            match task {
                Task::Rule(rule) => {
                    let rule = self.grammar.rules.get(rule)?;
                    self.tasks.push(Task::Node(&rule.body));
                }
                Task::Node(node) => self.node(node),
            }
        }
        Some(self.text)
    }

    fn node(&mut self, node: &'g Node) {
        match node {
            Node::Text(text) => self.push(text),
            Node::Class(ranges) => {
                let it = self.chance.character(ranges);
                self.push(it.encode_utf8(&mut [0; 4]));
            }
            Node::Token(terminal) => self.token(*terminal),
            Node::Call { rule, .. } => self.tasks.push(Task::Rule(*rule)),
            Node::Sequence(items) => self.tasks.extend(items.iter().rev().map(Task::Node)),
            Node::Choice(options) => self.choose(options),
            Node::Repeat { item, min, max } => {
                let can_end = self.costs.node(item) != NEVER;
                let room = self.max_chars.saturating_sub(self.n_written());
                let most = if is_blank(item) { 1 } else { MAX_EXTRA };
                let extra = max.map_or(most, |it| (it - min).min(most));
                let extra = (extra as usize).min(room.max(1)) as u64;
                let n_extra = if self.is_long() || !can_end {
                    0
                } else {
                    // The smaller of two, so that short texts come more often than long ones.
                    let other = self.chance.below(extra + 1);
                    self.chance.below(extra + 1).min(other) as u32
                };
                let n_times = (min + n_extra) as usize;
                self.tasks
                    .extend(std::iter::repeat_with(|| Task::Node(item)).take(n_times));
            }
        }
    }

    fn choose(&mut self, options: &'g [Node]) {
        let costs: Vec<u32> = options.iter().map(|it| self.costs.node(it)).collect();
        let cheapest = costs.iter().copied().min().unwrap_or(NEVER);
        let is_long = self.is_long();
        let open = |it: &u32| {
            if is_long {
                *it == cheapest
            } else {
                *it != NEVER
            }
        };
        let n_open = costs.iter().filter(|it| open(it)).count();
        let chosen = self.chance.below(n_open.max(1) as u64) as usize;
        let node = options
            .iter()
            .zip(&costs)
            .filter(|it| open(it.1))
            .nth(chosen);
        if let Some((node, _)) = node {
            self.tasks.push(Task::Node(node));
        }
    }

    fn token(&mut self, terminal: usize) {
        match self.grammar.tokens.get(terminal) {
            Some(it) if !it.is_negated => self.push(&it.to_string()),
            _ => {
                let it = self.chance.character(&[(u32::from('a'), u32::from('z'))]);
                self.push(it.encode_utf8(&mut [0; 4]));
            }
        }
    }

    fn is_long(&self) -> bool {
        self.n_written() >= self.max_chars
    }

    /// What waits to be written counts too, so that nested repetitions come to an end.
    fn n_written(&self) -> usize {
        self.n_chars + self.tasks.len()
    }

    fn push(&mut self, text: &str) {
        self.n_chars += text.chars().count();
        self.text.push_str(text);
    }
}

/// Whether a repetition of it is white space only, of which little is enough.
fn is_blank(node: &Node) -> bool {
    matches!(node, Node::Class(ranges) if ranges.last().is_some_and(|it| it.1 <= u32::from(' ')))
}

struct Chance(u64);

impl Chance {
    /// `SplitMix64`, by Steele, Lea and Flood.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut it = self.0;
        it = (it ^ (it >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        it ^ (it >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n.max(1)
    }

    /// A character of a class, mostly one that people write.
    fn character(&mut self, ranges: &[(u32, u32)]) -> char {
        let holds = |it: char| {
            let point = u32::from(it);
            ranges
                .iter()
                .any(|(low, high)| (*low..=*high).contains(&point))
        };
        for _ in 0..8 {
            let kind = self.below(20) as usize;
            // Small letters come most often.
            let usual = USUAL.get(kind).copied().unwrap_or(USUAL[0]);
            let known: Vec<char> = usual.chars().filter(|it| holds(*it)).collect();
            if !known.is_empty() {
                let chosen = self.below(known.len() as u64) as usize;
                return known.get(chosen).copied().unwrap_or('?');
            }
        }
        for _ in 0..32 {
            let range = self.below(ranges.len() as u64) as usize;
            let (low, high) = ranges.get(range).copied().unwrap_or((63, 63));
            let point = low + self.below(u64::from(high - low) + 1) as u32;
            if let Some(it) = char::from_u32(point) {
                return it;
            }
        }
        ranges
            .iter()
            .find_map(|it| char::from_u32(it.0).or_else(|| char::from_u32(it.1)))
            .unwrap_or('?')
    }
}
