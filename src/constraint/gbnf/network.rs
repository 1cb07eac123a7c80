//! A grammar unfolded into a network of steps over bytes, the form in which it is walked.

use std::collections::HashMap;

use super::ast::{Grammar, Node, RuleId};
use super::limits::MAX_NODES;
use super::store::FastBuild;
use super::utf8::push_byte_ranges;

pub(crate) type NodeId = u32;

/// The node that stands for a whole reply.
pub(crate) const ACCEPT: NodeId = 0;
/// The node at which every rule ends.
pub(crate) const END: NodeId = 1;

/// The node that stands for whatever comes after the rules that an outline knows.
pub(crate) const LEAVE: NodeId = 2;

#[derive(Debug)]
pub(crate) enum Op {
    /// Nothing is left to do in this network.
    Accept,
    /// The rule is done: go on where it was called.
    End,
    /// Reads one byte from `low` to `high`.
    Byte { low: u8, high: u8, next: NodeId },
    /// Takes one whole token, by its place in the grammar's list.
    Token { terminal: usize, next: NodeId },
    /// Goes on at each of these nodes, reading nothing.
    Split(Box<[NodeId]>),
    Call {
        rule: RuleId,
        next: NodeId,
        /// Where the rule is named, in bytes from the start of the grammar.
        at: usize,
    },
}

/// A class of characters by its place in the network's list; equal ones are the same.
pub(crate) type ClassId = usize;

/// A node at which a class begins to be read that has so many characters that whole words are made of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClassStart {
    pub(crate) class: ClassId,
    /// Where to go on after one character.
    pub(crate) next: NodeId,
}

/// Nodes of all rules; those of one rule are reached from its start only.
#[derive(Debug)]
pub(crate) struct Network {
    ops: Vec<Op>,
    starts: Vec<NodeId>,
    classes: Vec<Vec<(u32, u32)>>,
    class_starts: HashMap<NodeId, ClassStart, FastBuild>,
}

impl Network {
    /// Unfolds a grammar.
    ///
    /// # Errors
    /// The rule in which the network outgrew its bound.
    pub(crate) fn new(grammar: &Grammar) -> Result<Self, RuleId> {
        let mut build = Build {
            ops: vec![Op::Accept, Op::End, Op::Accept],
            ..Build::default()
        };
        let mut starts = Vec::with_capacity(grammar.rules.len());
        for (id, rule) in grammar.rules.iter().enumerate() {
            let start = build.node(&rule.body, END).ok_or(id)?;
            starts.push(start);
        }
        Ok(Self {
            ops: build.ops,
            starts,
            classes: build.classes,
            class_starts: build.class_starts,
        })
    }

    pub(crate) fn op(&self, node: NodeId) -> &Op {
        self.ops.get(node as usize).unwrap_or(&Op::End)
    }

    pub(crate) fn start(&self, rule: RuleId) -> NodeId {
        self.starts.get(rule).copied().unwrap_or(END)
    }

    pub(crate) fn n_rules(&self) -> usize {
        self.starts.len()
    }

    pub(crate) fn n_nodes(&self) -> usize {
        self.ops.len()
    }

    /// The class that is read from this node on, if it is the first of the nodes that read it.
    pub(crate) fn class_at(&self, node: NodeId) -> Option<&ClassStart> {
        self.class_starts.get(&node)
    }

    /// The code point ranges of a class.
    pub(crate) fn class(&self, class: ClassId) -> &[(u32, u32)] {
        self.classes.get(class).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn ops(&self) -> &[Op] {
        &self.ops
    }
}

/// Builds from the end of a rule to its start, so that every node knows where to go on.
#[derive(Default)]
struct Build {
    ops: Vec<Op>,
    classes: Vec<Vec<(u32, u32)>>,
    ids: HashMap<Vec<(u32, u32)>, ClassId>,
    class_starts: HashMap<NodeId, ClassStart, FastBuild>,
}

/// Characters that a class must have to be called wide, if it has not most small letters.
const MANY_CHARACTERS: u32 = 1_000;
const MANY_LETTERS: u32 = 20;

impl Build {
    fn node(&mut self, node: &Node, next: NodeId) -> Option<NodeId> {
        match node {
            Node::Text(text) => {
                let mut next = next;
                for byte in text.bytes().rev() {
                    next = self.push(Op::Byte {
                        low: byte,
                        high: byte,
                        next,
                    })?;
                }
                Some(next)
            }
            Node::Class(ranges) => self.class(ranges, next),
            Node::Token(terminal) => self.push(Op::Token {
                terminal: *terminal,
                next,
            }),
            Node::Call { rule, at } => self.push(Op::Call {
                rule: *rule,
                next,
                at: *at,
            }),
            Node::Sequence(items) => {
                let mut next = next;
                for item in items.iter().rev() {
                    next = self.node(item, next)?;
                }
                Some(next)
            }
            Node::Choice(options) => {
                let starts: Option<Vec<NodeId>> =
                    options.iter().map(|it| self.node(it, next)).collect();
                self.push(Op::Split(starts?.into()))
            }
            Node::Repeat { item, min, max } => self.repeat(item, (*min, *max), next),
        }
    }

    fn repeat(
        &mut self,
        item: &Node,
        (min, max): (u32, Option<u32>),
        next: NodeId,
    ) -> Option<NodeId> {
        let mut start = next;
        if let Some(max) = max {
            for _ in min..max {
                let once = self.node(item, start)?;
                start = self.push(Op::Split([once, next].into()))?;
            }
        } else {
            let turn = self.push(Op::End)?;
            let once = self.node(item, turn)?;
            *self.ops.get_mut(turn as usize)? = Op::Split([once, next].into());
            // The last copy that must come is the one that the loop comes back to.
            start = if min == 0 { turn } else { once };
        }
        let n_left = if max.is_some() {
            min
        } else {
            min.saturating_sub(1)
        };
        for _ in 0..n_left {
            start = self.node(item, start)?;
        }
        Some(start)
    }

    /// Reads one character. Ways that end in the same bytes share their nodes.
    fn class(&mut self, ranges: &[(u32, u32)], next: NodeId) -> Option<NodeId> {
        let mut ways = Vec::new();
        for (low, high) in ranges {
            push_byte_ranges(&mut ways, *low, *high);
        }
        let mut shared: HashMap<(u32, NodeId), NodeId, FastBuild> = HashMap::default();
        let mut starts = Vec::with_capacity(ways.len());
        for way in ways {
            let mut start = next;
            for (low, high) in way.into_iter().rev() {
                let key = (u32::from(low) << 8 | u32::from(high), start);
                start = if let Some(known) = shared.get(&key) {
                    *known
                } else {
                    let op = Op::Byte {
                        low,
                        high,
                        next: start,
                    };
                    let new = self.push(op)?;
                    shared.insert(key, new);
                    new
                };
            }
            starts.push(start);
        }
        if let Some(first) = starts.first() {
            self.note_class(*first, ranges, next);
        }
        if let [only] = starts.as_slice() {
            return Some(*only);
        }
        self.push(Op::Split(starts.into()))
    }

    fn note_class(&mut self, start: NodeId, ranges: &[(u32, u32)], next: NodeId) {
        let count = |first: u32, last: u32| -> u32 {
            let within = ranges.iter().map(|(low, high)| {
                (*high)
                    .min(last)
                    .saturating_add(1)
                    .saturating_sub((*low).max(first))
            });
            within.sum()
        };
        let is_wide = count(u32::from('a'), u32::from('z')) >= MANY_LETTERS
            || count(0, u32::from(char::MAX)) >= MANY_CHARACTERS;
        if !is_wide {
            return;
        }
        let class = if let Some(known) = self.ids.get(ranges) {
            *known
        } else {
            let new = self.classes.len();
            self.classes.push(ranges.to_vec());
            self.ids.insert(ranges.to_vec(), new);
            new
        };
        self.class_starts.insert(start, ClassStart { class, next });
    }

    fn push(&mut self, op: Op) -> Option<NodeId> {
        if self.ops.len() >= MAX_NODES {
            return None;
        }
        let id = self.ops.len() as NodeId;
        self.ops.push(op);
        Some(id)
    }
}
