//! Reads GBNF as llama.cpp does, with a place for every fault and a bound on everything.

use std::collections::HashMap;

use super::ast::{Grammar, Node, Rule, RuleId, TokenTerminal};
use super::chars;
use super::cursor::{Cursor, fault};
use super::limits::{
    MAX_ALTERNATIVES, MAX_COPIES, MAX_NAME, MAX_NESTING, MAX_QUANTIFIERS, MAX_REPETITIONS,
    MAX_TEXT, MAX_WARNINGS,
};
use super::quantifiers::{self, Counts};
use super::tokens;
use crate::constraint::ConstraintError;

/// Reads a whole grammar: every rule used is defined, and there is a `root`.
///
/// # Errors
/// The first fault, with line, column and the rule that it stands in.
pub(crate) fn parse(text: &str) -> Result<Grammar, ConstraintError> {
    if text.len() > MAX_TEXT {
        let message = format!(
            "the grammar has {} bytes, at most {MAX_TEXT} are read",
            text.len()
        );
        return Err(fault(text, 0, message));
    }
    let mut parser = Parser {
        text,
        cursor: Cursor::new(text),
        ids: HashMap::new(),
        rules: Vec::new(),
        warnings: Vec::new(),
        n_alternatives: 0,
        tokens: Vec::new(),
    };
    // Some editors put this mark in front of a file.
    parser.cursor.eat("\u{FEFF}");
    parser.cursor.skip_blanks(true);
    if parser.cursor.peek().is_none() {
        return Err(fault(
            text,
            0,
            "the grammar is empty; expected a rule such as `root ::= \"yes\" | \"no\"`",
        ));
    }
    while parser.cursor.peek().is_some() {
        parser.rule()?;
    }
    parser.finish()
}

struct Parser<'t> {
    text: &'t str,
    cursor: Cursor<'t>,
    ids: HashMap<&'t str, RuleId>,
    rules: Vec<Draft<'t>>,
    warnings: Vec<String>,
    n_alternatives: usize,
    tokens: Vec<TokenTerminal>,
}

/// A rule that was named, and perhaps not yet defined.
struct Draft<'t> {
    name: &'t str,
    /// Where it was named first.
    at: usize,
    /// The rule in which it was named first.
    used_in: RuleId,
    body: Option<Node>,
}

/// An item of a sequence, and how many copies of its innermost part it stands for.
struct Part {
    node: Node,
    n_copies: u64,
    n_quantifiers: usize,
}

type Parsed<T> = Result<T, ConstraintError>;

impl<'t> Parser<'t> {
    fn rule(&mut self) -> Parsed<()> {
        let at = self.cursor.at();
        let name = self.name()?;
        if name.is_empty() {
            return Err(self.expected_rule());
        }
        let id = self.id_of(name, at, None);
        self.definition(id, at)
            .map_err(|error| name_rule(error, name))
    }

    fn definition(&mut self, id: RuleId, at: usize) -> Parsed<()> {
        self.cursor.skip_blanks(false);
        if !self.cursor.eat("::=") {
            return Err(self.expected("`::=` after the name of a rule"));
        }
        self.cursor.skip_blanks(true);
        let (body, _) = self.choice(id, 0)?;
        match self.cursor.peek() {
            None | Some('\r' | '\n') => self.cursor.skip_blanks(true),
            Some(_) => return Err(self.expected_end_of_rule()),
        }
        let Some(draft) = self.rules.get_mut(id) else {
            return Ok(());
        };
        draft.at = at;
        if draft.body.replace(body).is_some() && self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(format!(
                "The rule {} is defined twice; the last definition counts.",
                draft.name
            ));
        }
        Ok(())
    }

    fn choice(&mut self, rule: RuleId, depth: usize) -> Parsed<(Node, u64)> {
        let mut options = Vec::new();
        let mut n_copies = 1;
        loop {
            let (node, copies) = self.sequence(rule, depth)?;
            options.push(node);
            n_copies = n_copies.max(copies);
            if !self.cursor.eat("|") {
                break;
            }
            self.n_alternatives += 1;
            if self.n_alternatives > MAX_ALTERNATIVES {
                return Err(self.fault_here(format!(
                    "more than {MAX_ALTERNATIVES} alternatives in one grammar"
                )));
            }
            self.cursor.skip_blanks(true);
        }
        let single = (options.len() == 1).then(|| options.pop()).flatten();
        Ok((single.unwrap_or(Node::Choice(options)), n_copies))
    }

    fn sequence(&mut self, rule: RuleId, depth: usize) -> Parsed<(Node, u64)> {
        let mut parts: Vec<Part> = Vec::new();
        while let Some(next) = self.cursor.peek() {
            let at = self.cursor.at();
            if matches!(next, '*' | '+' | '?' | '{') {
                let counts = quantifiers::counts(self.text, &mut self.cursor)?;
                if counts.is_cut {
                    let message = format!("counts above {MAX_REPETITIONS} are read as no bound");
                    self.warn(at, message);
                }
                let Some(part) = parts.pop() else {
                    let message = format!("`{next}` repeats nothing; expected an item before it");
                    return Err(fault(self.text, at, message));
                };
                parts.push(self.repeat(part, counts, at)?);
            } else if let Some((node, n_copies)) = self.item(rule, depth)? {
                parts.push(Part {
                    node,
                    n_copies,
                    n_quantifiers: 0,
                });
            } else {
                break;
            }
            self.cursor.skip_blanks(depth > 0);
        }
        let n_copies = parts.iter().map(|it| it.n_copies).max().unwrap_or(1);
        let mut nodes: Vec<Node> = parts.into_iter().map(|it| it.node).collect();
        let single = (nodes.len() == 1).then(|| nodes.pop()).flatten();
        Ok((single.unwrap_or(Node::Sequence(nodes)), n_copies))
    }

    fn item(&mut self, rule: RuleId, depth: usize) -> Parsed<Option<(Node, u64)>> {
        let at = self.cursor.at();
        let node = match self.cursor.peek() {
            Some('"') => Node::Text(chars::literal(self.text, &mut self.cursor)?),
            Some('[') => self.class()?,
            Some('.') => {
                self.cursor.bump();
                Node::Class(chars::any())
            }
            Some('(') => return self.group(rule, depth).map(Some),
            Some('<' | '!') => {
                self.tokens
                    .push(tokens::terminal(self.text, &mut self.cursor)?);
                Node::Token(self.tokens.len() - 1)
            }
            _ => {
                let name = self.name()?;
                if name.is_empty() {
                    return Ok(None);
                }
                Node::Call {
                    rule: self.id_of(name, at, Some(rule)),
                    at,
                }
            }
        };
        Ok(Some((node, 1)))
    }

    fn class(&mut self) -> Parsed<Node> {
        let at = self.cursor.at();
        let ranges = chars::class(self.text, &mut self.cursor)?;
        if ranges.is_empty() {
            self.warn(
                at,
                "this class names no character and matches the empty text; any character is `.`",
            );
            return Ok(Node::Text(String::new()));
        }
        Ok(Node::Class(ranges))
    }

    fn group(&mut self, rule: RuleId, depth: usize) -> Parsed<(Node, u64)> {
        let at = self.cursor.at();
        if depth == MAX_NESTING {
            let message = format!("brackets are nested more than {MAX_NESTING} deep");
            return Err(fault(self.text, at, message));
        }
        self.cursor.bump();
        self.cursor.skip_blanks(true);
        let inner = self.choice(rule, depth + 1)?;
        if self.cursor.eat(")") {
            return Ok(inner);
        }
        if self.cursor.peek().is_none() {
            return Err(fault(
                self.text,
                at,
                "this `(` is never closed; expected `)`",
            ));
        }
        Err(self.expected("`)` or another item"))
    }

    fn repeat(&self, part: Part, counts: Counts, at: usize) -> Parsed<Part> {
        let Counts { min, max, .. } = counts;
        let n_copies = part.n_copies * u64::from(max.unwrap_or(min).max(1));
        if n_copies > MAX_COPIES {
            let message = format!(
                "repetitions inside repetitions come to {n_copies} copies, at most {MAX_COPIES} are possible"
            );
            return Err(fault(self.text, at, message));
        }
        if part.n_quantifiers == MAX_QUANTIFIERS {
            let message = format!("more than {MAX_QUANTIFIERS} quantifiers on one item");
            return Err(fault(self.text, at, message));
        }
        Ok(Part {
            node: Node::Repeat {
                item: Box::new(part.node),
                min,
                max,
            },
            n_copies,
            n_quantifiers: part.n_quantifiers + 1,
        })
    }

    fn name(&mut self) -> Parsed<&'t str> {
        let at = self.cursor.at();
        let name = self.cursor.take_name();
        if name.len() > MAX_NAME {
            let message = format!("a rule's name has at most {MAX_NAME} characters");
            return Err(fault(self.text, at, message));
        }
        Ok(name)
    }

    fn id_of(&mut self, name: &'t str, at: usize, used_in: Option<RuleId>) -> RuleId {
        let next = self.rules.len();
        let id = *self.ids.entry(name).or_insert(next);
        if id == next {
            self.rules.push(Draft {
                name,
                at,
                used_in: used_in.unwrap_or(id),
                body: None,
            });
        }
        id
    }

    fn finish(self) -> Parsed<Grammar> {
        let names: Vec<&str> = self.rules.iter().map(|it| it.name).collect();
        let Some(root) = self.ids.get("root").copied() else {
            let message =
                "there is no rule named root; expected `root ::= …`, where a reply begins";
            return Err(fault(self.text, 0, message));
        };
        let mut rules = Vec::with_capacity(self.rules.len());
        for draft in self.rules {
            let Some(body) = draft.body else {
                let user = names.get(draft.used_in).copied().unwrap_or_default();
                let message = format!("the rule {} is not defined", draft.name);
                return Err(name_rule(fault(self.text, draft.at, message), user));
            };
            rules.push(Rule {
                name: draft.name.to_owned(),
                at: draft.at,
                body,
            });
        }
        Ok(Grammar {
            rules,
            root,
            tokens: self.tokens,
            warnings: self.warnings,
        })
    }

    fn expected_rule(&self) -> ConstraintError {
        if self.cursor.peek() == Some('|') {
            return self.fault_here(
                "a rule ends with its line; expected the `|` at the end of the line before, or brackets around the choice",
            );
        }
        self.expected("the name of a rule (letters, digits and dashes)")
    }

    fn expected_end_of_rule(&self) -> ConstraintError {
        match self.cursor.peek() {
            Some(')') => self.fault_here("this `)` closes nothing; expected the end of the line"),
            Some('_') => {
                self.fault_here("names have letters, digits and dashes, no underscore")
            }
            Some(':') => self.fault_here(
                "expected the end of the line; the rule before this one has no body (an empty one is `\"\"`)",
            ),
            _ => self.expected("a text, a class, a rule, a group or the end of the line"),
        }
    }

    /// Notes what is odd, but read all the same.
    fn warn(&mut self, at: usize, message: impl Into<String>) {
        if self.warnings.len() < MAX_WARNINGS {
            let warning = fault(self.text, at, message);
            self.warnings.push(format!("{warning}."));
        }
    }

    fn expected(&self, what: &str) -> ConstraintError {
        self.fault_here(format!("expected {what}, found {}", self.cursor.found()))
    }

    fn fault_here(&self, message: impl Into<String>) -> ConstraintError {
        fault(self.text, self.cursor.at(), message)
    }
}

fn name_rule(error: ConstraintError, rule: &str) -> ConstraintError {
    ConstraintError {
        within: error.within.or_else(|| Some(rule.to_owned())),
        ..error
    }
}
