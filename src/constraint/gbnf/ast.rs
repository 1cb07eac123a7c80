//! A grammar as it was written: rules made of texts, classes, calls, choices and repetitions.

/// A rule by its place in [`Grammar::rules`].
pub(crate) type RuleId = usize;

/// A grammar of which every name that is used is also defined.
#[derive(Debug)]
pub(crate) struct Grammar {
    pub(crate) rules: Vec<Rule>,
    pub(crate) root: RuleId,
    /// Tokens that stand for themselves, in the order of the text.
    pub(crate) tokens: Vec<TokenTerminal>,
    /// What is odd but not wrong, a sentence each.
    pub(crate) warnings: Vec<String>,
}

#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) name: String,
    /// Where its name stands, in bytes from the start of the text.
    pub(crate) at: usize,
    pub(crate) body: Node,
}

/// One whole token, or any but that one; what its bytes are does not matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TokenTerminal {
    pub(crate) token: TokenName,
    /// Any token but this one is meant.
    pub(crate) is_negated: bool,
    /// Where it stands, in bytes from the start of the text.
    pub(crate) at: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenName {
    /// The number of a token, as in `<[1000]>`.
    Id(u32),
    /// What is shown for it with its brackets, such as `<think>`.
    Name(String),
}

#[derive(Debug)]
pub(crate) enum Node {
    Text(String),
    /// Sorted code point ranges that neither touch nor overlap, both ends included.
    Class(Vec<(u32, u32)>),
    /// A token by its place in [`Grammar::tokens`].
    Token(usize),
    Call {
        rule: RuleId,
        at: usize,
    },
    Sequence(Vec<Self>),
    Choice(Vec<Self>),
    Repeat {
        item: Box<Self>,
        min: u32,
        /// No bound when absent.
        max: Option<u32>,
    },
}

/// As it is written in a grammar.
impl std::fmt::Display for TokenTerminal {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_negated {
            out.write_str("!")?;
        }
        match &self.token {
            TokenName::Id(id) => write!(out, "<[{id}]>"),
            TokenName::Name(name) => out.write_str(name),
        }
    }
}
