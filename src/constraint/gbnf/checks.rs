//! What must hold of a grammar as a whole: no rule comes back to itself before it read something.

use super::ast::{Grammar, RuleId};
use super::cursor::fault;
use super::limits::MAX_WARNINGS;
use super::network::{ACCEPT, END, Network, NodeId, Op};
use crate::constraint::ConstraintError;

/// How many names of a cycle are shown.
const MAX_NAMES: usize = 8;

/// The order of the rules in which a rule comes before all that it may begin with.
///
/// # Errors
/// Left recursion, direct, indirect or hidden behind items that may be empty; the cycle is named.
pub(crate) fn order_rules(
    text: &str,
    grammar: &Grammar,
    network: &Network,
) -> Result<Vec<u32>, ConstraintError> {
    let firsts = first_calls(network);
    let mut order = Order {
        marks: vec![Mark::New; firsts.len()],
        done: Vec::with_capacity(firsts.len()),
    };
    for rule in 0..firsts.len() {
        if let Some(cycle) = order.visit(rule, &firsts) {
            return Err(left_recursion(text, grammar, &cycle));
        }
    }
    let mut ranks = vec![0; firsts.len()];
    for (rank, rule) in order.done.iter().rev().enumerate() {
        if let Some(it) = ranks.get_mut(*rule) {
            *it = rank as u32;
        }
    }
    Ok(ranks)
}

/// Says what is odd: rules that no reply can reach, and rules that can never end.
pub(crate) fn warnings(grammar: &Grammar, network: &Network) -> Vec<String> {
    let used = used_rules(grammar.root, network);
    let ending = spread(network, true);
    let mut called = vec![false; network.n_rules()];
    for op in network.ops() {
        if let Op::Call { rule, .. } = op
            && let Some(it) = called.get_mut(*rule)
        {
            *it = true;
        }
    }
    let mut res = Vec::new();
    for (rule, id) in grammar.rules.iter().zip(0..) {
        if res.len() >= MAX_WARNINGS {
            break;
        }
        if !holds(&used, id) {
            let how = if holds(&called, id) {
                "cannot be reached from root"
            } else {
                "is never used"
            };
            res.push(format!("The rule {} {how}.", rule.name));
        } else if !holds(&ending, id) {
            res.push(format!(
                "The rule {} can never end: each way through it needs the rule again.",
                rule.name
            ));
        }
    }
    res
}

/// Which rules may match the empty text.
pub(crate) fn nullable_rules(network: &Network) -> Vec<bool> {
    spread(network, false)
}

/// A call at the beginning of a rule: which rule, and where it is named.
type FirstCall = (RuleId, usize);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    Done,
}

struct Order {
    marks: Vec<Mark>,
    done: Vec<RuleId>,
}

impl Order {
    /// Walks from a rule to all it may begin with; gives back a cycle, if it meets one.
    fn visit(&mut self, from: RuleId, firsts: &[Vec<FirstCall>]) -> Option<Vec<FirstCall>> {
        if self.marks.get(from) != Some(&Mark::New) {
            return None;
        }
        let mut path: Vec<(FirstCall, usize)> = vec![((from, 0), 0)];
        self.mark(from, Mark::Open);
        while let Some(((rule, _), n_seen)) = path.last_mut() {
            let rule = *rule;
            let call = firsts.get(rule).and_then(|it| it.get(*n_seen)).copied();
            *n_seen += 1;
            let Some(call) = call else {
                self.mark(rule, Mark::Done);
                self.done.push(rule);
                path.pop();
                continue;
            };
            match self.marks.get(call.0) {
                Some(Mark::New) => {
                    self.mark(call.0, Mark::Open);
                    path.push((call, 0));
                }
                Some(Mark::Open) => {
                    let start = path.iter().position(|it| it.0.0 == call.0).unwrap_or(0);
                    let steps = path.iter().skip(start + 1).map(|it| it.0);
                    return Some(steps.chain([call]).collect());
                }
                _ => {}
            }
        }
        None
    }

    fn mark(&mut self, rule: RuleId, mark: Mark) {
        if let Some(it) = self.marks.get_mut(rule) {
            *it = mark;
        }
    }
}

fn left_recursion(text: &str, grammar: &Grammar, cycle: &[FirstCall]) -> ConstraintError {
    let name = |id: RuleId| grammar.rules.get(id).map_or("", |it| it.name.as_str());
    let home = cycle.last().map_or(0, |it| it.0);
    let mut names = vec![name(home)];
    names.extend(cycle.iter().take(MAX_NAMES).map(|it| name(it.0)));
    if cycle.len() > MAX_NAMES {
        names.push("…");
    }
    let at = cycle.first().map_or(0, |it| it.1);
    let message = format!(
        "left recursion: the rule {} comes back to itself before it reads a character ({}); \
         expected a character first",
        name(home),
        names.join(" → ")
    );
    ConstraintError {
        within: Some(name(home).to_owned()),
        ..fault(text, at, message)
    }
}

/// For each rule, the calls that may stand first in it.
fn first_calls(network: &Network) -> Vec<Vec<FirstCall>> {
    let nullable = nullable_rules(network);
    let mut seen = vec![false; network.n_nodes()];
    (0..network.n_rules())
        .map(|rule| {
            let mut res = Vec::new();
            let mut todo = vec![network.start(rule)];
            while let Some(node) = todo.pop() {
                if !is_new(&mut seen, node) {
                    continue;
                }
                match network.op(node) {
                    Op::Split(nodes) => todo.extend(nodes.iter().rev()),
                    Op::Call { rule, next, at } => {
                        res.push((*rule, *at));
                        if holds(&nullable, *rule) {
                            todo.push(*next);
                        }
                    }
                    Op::Byte { .. } | Op::Token { .. } | Op::End | Op::Accept => {}
                }
            }
            res
        })
        .collect()
}

/// Which rules can be passed from start to end: over bytes too, or reading nothing.
///
/// Each node is visited once: a call waits until the rule that it names is known to pass.
fn spread(network: &Network, over_bytes: bool) -> Vec<bool> {
    let n_rules = network.n_rules();
    let mut passed = vec![false; n_rules];
    let mut waiting: Vec<Vec<(RuleId, NodeId)>> = vec![Vec::new(); n_rules];
    let mut seen = vec![false; network.n_nodes()];
    let mut todo: Vec<(RuleId, NodeId)> = (0..n_rules).map(|it| (it, network.start(it))).collect();
    while let Some((rule, node)) = todo.pop() {
        if node == END {
            let newly = passed
                .get_mut(rule)
                .is_some_and(|it| !std::mem::replace(it, true));
            if let Some(it) = waiting.get_mut(rule).filter(|_| newly) {
                todo.append(it);
            }
            continue;
        }
        if !is_new(&mut seen, node) {
            continue;
        }
        match network.op(node) {
            Op::Split(nodes) => todo.extend(nodes.iter().map(|it| (rule, *it))),
            Op::Byte { next, .. } | Op::Token { next, .. } if over_bytes => {
                todo.push((rule, *next));
            }
            Op::Call {
                rule: callee, next, ..
            } => {
                if holds(&passed, *callee) {
                    todo.push((rule, *next));
                } else if let Some(it) = waiting.get_mut(*callee) {
                    it.push((rule, *next));
                }
            }
            Op::Byte { .. } | Op::Token { .. } | Op::End | Op::Accept => {}
        }
    }
    passed
}

fn used_rules(root: RuleId, network: &Network) -> Vec<bool> {
    let mut used = vec![false; network.n_rules()];
    let mut seen = vec![false; network.n_nodes()];
    let mut todo = vec![network.start(root)];
    if let Some(it) = used.get_mut(root) {
        *it = true;
    }
    while let Some(node) = todo.pop() {
        if node == END || node == ACCEPT || !is_new(&mut seen, node) {
            continue;
        }
        match network.op(node) {
            Op::Split(nodes) => todo.extend(nodes.iter()),
            Op::Byte { next, .. } | Op::Token { next, .. } => todo.push(*next),
            Op::Call { rule, next, .. } => {
                todo.push(*next);
                if let Some(it) = used.get_mut(*rule).filter(|it| !**it) {
                    *it = true;
                    todo.push(network.start(*rule));
                }
            }
            Op::End | Op::Accept => {}
        }
    }
    used
}

fn is_new(seen: &mut [bool], node: NodeId) -> bool {
    seen.get_mut(node as usize)
        .is_some_and(|it| !std::mem::replace(it, true))
}

fn holds(flags: &[bool], id: usize) -> bool {
    flags.get(id).copied().unwrap_or(false)
}
