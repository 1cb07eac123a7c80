//! A grammar made ready to be walked: its network, which rules may be empty, and their order.

use super::ast::{RuleId, TokenTerminal};
use super::checks;
use super::cursor::fault;
use super::limits::MAX_NODES;
use super::network::{ClassId, ClassStart, Network, NodeId, Op};
use super::parser::parse;
use super::tokens::{self, KnownToken};
use crate::constraint::{ConstraintError, TokenTrie};

/// A checked grammar. What may begin with what is known, so that a walk never loops.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) warnings: Vec<String>,
    /// Tokens that stand for themselves.
    tokens: Vec<TokenTerminal>,
    network: Network,
    root: RuleId,
    nullable: Vec<bool>,
    /// A rule's rank is below that of every rule that it may begin with.
    ranks: Vec<u32>,
    /// Bytes that no node tells apart are of one class.
    class_of_byte: Vec<u16>,
    n_classes: usize,
}

impl Plan {
    /// Reads and checks a grammar.
    ///
    /// # Errors
    /// The first fault, with line, column and rule.
    pub(crate) fn new(text: &str) -> Result<Self, ConstraintError> {
        let grammar = parse(text)?;
        let network = Network::new(&grammar).map_err(|id| {
            let rule = grammar.rules.get(id);
            ConstraintError {
                within: rule.map(|it| it.name.clone()),
                ..fault(
                    text,
                    rule.map_or(0, |it| it.at),
                    format!("the grammar unfolds into more than {MAX_NODES} steps; expected fewer repetitions"),
                )
            }
        })?;
        let ranks = checks::order_rules(text, &grammar, &network)?;
        let mut warnings = grammar.warnings.clone();
        warnings.extend(checks::warnings(&grammar, &network));
        let (class_of_byte, n_classes) = byte_classes(&network);
        Ok(Self {
            warnings,
            tokens: grammar.tokens,
            nullable: checks::nullable_rules(&network),
            root: grammar.root,
            network,
            ranks,
            class_of_byte,
            n_classes,
        })
    }

    /// Finds the tokens that the grammar names.
    ///
    /// # Errors
    /// One of them is not in the vocabulary, or ends the reply. `text` is the grammar's.
    pub(crate) fn tokens(
        &self,
        text: &str,
        trie: &TokenTrie,
    ) -> Result<Vec<KnownToken>, ConstraintError> {
        tokens::resolve(text, &self.tokens, trie)
    }

    pub(super) fn op(&self, node: NodeId) -> &Op {
        self.network.op(node)
    }

    pub(super) fn n_nodes(&self) -> usize {
        self.network.ops().len()
    }

    pub(super) fn class_at(&self, node: NodeId) -> Option<&ClassStart> {
        self.network.class_at(node)
    }

    /// The code point ranges of a class.
    pub(crate) fn class(&self, class: ClassId) -> &[(u32, u32)] {
        self.network.class(class)
    }

    pub(super) fn start(&self, rule: RuleId) -> NodeId {
        self.network.start(rule)
    }

    pub(super) fn has_tokens(&self) -> bool {
        !self.tokens.is_empty()
    }

    pub(super) fn root(&self) -> RuleId {
        self.root
    }

    pub(super) fn is_nullable(&self, rule: RuleId) -> bool {
        self.nullable.get(rule).copied().unwrap_or(false)
    }

    pub(super) fn rank(&self, rule: RuleId) -> u32 {
        self.ranks.get(rule).copied().unwrap_or(0)
    }

    pub(super) fn class_of(&self, byte: u8) -> usize {
        usize::from(
            self.class_of_byte
                .get(usize::from(byte))
                .copied()
                .unwrap_or(0),
        )
    }

    pub(super) fn n_classes(&self) -> usize {
        self.n_classes
    }
}

fn byte_classes(network: &Network) -> (Vec<u16>, usize) {
    let mut begins = [false; 257];
    for op in network.ops() {
        if let Op::Byte { low, high, .. } = op {
            begins[usize::from(*low)] = true;
            begins[usize::from(*high) + 1] = true;
        }
    }
    let mut class = 0;
    let mut res = Vec::with_capacity(256);
    for (byte, begins) in begins.iter().enumerate().take(256) {
        if byte > 0 && *begins {
            class += 1;
        }
        res.push(class);
    }
    (res, usize::from(class) + 1)
}
