//! Pieces of a grammar's text, bracketed where they must be.

/// A piece of the right side of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Expression {
    pub(super) text: String,
    shape: Shape,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Atom,
    Sequence,
    Choice,
}

impl Expression {
    /// A rule's name, a literal or a class as it stands in a grammar.
    pub(super) fn atom(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            shape: Shape::Atom,
        }
    }

    /// A text that stands for itself.
    pub(super) fn literal(text: &str) -> Self {
        let mut res = String::from("\"");
        for c in text.chars() {
            match c {
                '"' => res.push_str("\\\""),
                '\\' => res.push_str("\\\\"),
                '\n' => res.push_str("\\n"),
                '\r' => res.push_str("\\r"),
                '\t' => res.push_str("\\t"),
                c if u32::from(c) < 0x20 || u32::from(c) == 0x7F => {
                    let escape = format!("\\x{:02X}", u32::from(c));
                    res.push_str(&escape);
                }
                c => res.push(c),
            }
        }
        res.push('"');
        Self::atom(res)
    }

    /// One after the other. Those without text are left out.
    pub(super) fn sequence(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut parts: Vec<Self> = parts.into_iter().filter(|it| !it.text.is_empty()).collect();
        if parts.len() == 1 {
            return parts.swap_remove(0);
        }
        let texts: Vec<String> = parts.iter().map(|it| it.bracketed(Shape::Choice)).collect();
        Self {
            text: texts.join(" "),
            shape: if texts.is_empty() {
                Shape::Atom
            } else {
                Shape::Sequence
            },
        }
    }

    /// One of them.
    pub(super) fn choice(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut texts: Vec<Self> = Vec::new();
        for part in parts {
            if !texts.contains(&part) {
                texts.push(part);
            }
        }
        if texts.len() == 1 {
            return texts.swap_remove(0);
        }
        let texts: Vec<String> = texts
            .into_iter()
            .map(|it| {
                if it.text.is_empty() {
                    "\"\"".to_owned()
                } else {
                    it.text
                }
            })
            .collect();
        Self {
            text: texts.join(" | "),
            shape: Shape::Choice,
        }
    }

    pub(super) fn optional(self) -> Self {
        self.counted("?")
    }

    /// As often as said; `None` for no bound.
    pub(super) fn repeated(self, least: u64, most: Option<u64>) -> Self {
        match (least, most) {
            _ if self.text.is_empty() => self,
            (_, Some(0)) => Self::atom(""),
            (1, Some(1)) => self,
            (0, Some(1)) => self.counted("?"),
            (0, None) => self.counted("*"),
            (1, None) => self.counted("+"),
            (least, None) => self.counted(&format!("{{{least},}}")),
            (least, Some(most)) if least == most => self.counted(&format!("{{{least}}}")),
            (least, Some(most)) => self.counted(&format!("{{{least},{most}}}")),
        }
    }

    fn counted(self, sign: &str) -> Self {
        if self.text.is_empty() {
            return self;
        }
        // A sign behind a sign would count twice.
        let is_counted = self.text.ends_with(['?', '*', '+', '}']) && self.shape == Shape::Atom;
        let text = if is_counted {
            format!("({})", self.text)
        } else {
            self.bracketed(Shape::Sequence)
        };
        Self::atom(format!("{text}{sign}"))
    }

    fn bracketed(&self, from: Shape) -> String {
        let needs = match from {
            Shape::Choice => self.shape == Shape::Choice,
            _ => self.shape != Shape::Atom,
        };
        if needs {
            format!("({})", self.text)
        } else {
            self.text.clone()
        }
    }
}

/// A class of characters that are given as ranges of code points.
pub(super) fn class(ranges: &[(u32, u32)], is_negated: bool) -> Expression {
    let mut text = String::from(if is_negated { "[^" } else { "[" });
    for (low, high) in ranges {
        text.push_str(&class_char(*low));
        if high > low {
            if *high > low + 1 {
                text.push('-');
            }
            text.push_str(&class_char(*high));
        }
    }
    text.push(']');
    Expression::atom(text)
}

fn class_char(point: u32) -> String {
    match char::from_u32(point) {
        Some('\n') => "\\n".to_owned(),
        Some('\r') => "\\r".to_owned(),
        Some('\t') => "\\t".to_owned(),
        Some('"') => "\"".to_owned(),
        Some('\\') => "\\\\".to_owned(),
        Some(c) if c.is_alphanumeric() || " _.,;:!?/+*@#%&=<>'`~|()".contains(c) => c.to_string(),
        _ if point <= 0xFF => format!("\\x{point:02X}"),
        _ if point <= 0xFFFF => format!("\\u{point:04X}"),
        _ => format!("\\U{point:08X}"),
    }
}
