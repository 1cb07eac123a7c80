//! A grammar as it was written: rules made of texts, classes, calls, choices and repetitions.

/// A rule by its place in [`Grammar::rules`].
pub(crate) type RuleId = usize;

/// A grammar of which every name that is used is also defined.
#[derive(Debug)]
pub(crate) struct Grammar {
    pub(crate) rules: Vec<Rule>,
    pub(crate) root: RuleId,
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

#[derive(Debug)]
pub(crate) enum Node {
    Text(String),
    /// Sorted code point ranges that neither touch nor overlap, both ends included.
    Class(Vec<(u32, u32)>),
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
