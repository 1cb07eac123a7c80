//! Where in its JSON a reply stops: the path of keys and indices that was open at the end.

use super::bounds::child_path;

/// Open brackets that are followed; what is nested deeper has its path cut there.
const MAX_OPEN: usize = 256;

/// What a part at the end of a text stands in, with the JSON pointer to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    Text(String),
    List(String),
    Object(String),
    /// Outside of all brackets.
    Nothing,
}

/// Finds the open path at the end of a text as a JSON pointer: `/items/1/name`. None when the text has no bracket
/// or all of them are closed. Forgiving: single quotes and bare keys are read too.
pub(super) fn open_path(text: &str) -> Option<String> {
    let start = text.find(['{', '['])?;
    let mut walk = Walk::default();
    for c in text[start..].chars() {
        walk.step(c);
    }
    (!walk.open.is_empty()).then(|| pointer(&walk.open))
}

/// What all of the text from byte `since` to its end stands in.
pub(super) fn enclosing(text: &str, since: usize) -> Inside {
    let Some(start) = text.find(['{', '[']) else {
        return Inside::Nothing;
    };
    let mut walk = Walk::default();
    let mut least = usize::MAX;
    let mut is_text = true;
    for (at, c) in text[start..].char_indices() {
        if start + at >= since {
            least = least.min(walk.open.len());
            is_text &= walk.quote.is_some();
        }
        walk.step(c);
    }
    least = least.min(walk.open.len());
    if least == usize::MAX || start > since {
        return Inside::Nothing;
    }
    if is_text && walk.quote.is_some() {
        return Inside::Text(pointer(&walk.open));
    }
    let around = || pointer(&walk.open[..least.saturating_sub(1)]);
    match walk.open[..least].last() {
        Some(Open::List { .. }) => Inside::List(around()),
        Some(Open::Object { .. }) => Inside::Object(around()),
        None => Inside::Nothing,
    }
}

#[derive(Debug, Default)]
struct Walk {
    open: Vec<Open>,
    /// The quote of the string that is being read.
    quote: Option<char>,
    is_escaped: bool,
    /// The last string or bare word, which a colon makes a key.
    word: String,
    /// The last character that is not white space, outside of strings.
    last: Option<char>,
}

#[derive(Debug)]
enum Open {
    List { index: usize },
    Object { key: Option<String> },
}

impl Walk {
    fn step(&mut self, c: char) {
        match self.quote {
            Some(_) if self.is_escaped => {
                self.is_escaped = false;
                self.word.push(c);
            }
            Some(_) if c == '\\' => self.is_escaped = true,
            Some(quote) if c == quote => self.quote = None,
            Some(_) => self.word.push(c),
            None => self.step_outside(c),
        }
    }

    fn step_outside(&mut self, c: char) {
        let starts_token = matches!(self.last, None | Some('{' | '[' | ',' | ':'));
        match c {
            '{' => self.push(Open::Object { key: None }),
            '[' => self.push(Open::List { index: 0 }),
            '}' | ']' => drop(self.open.pop()),
            ',' => self.next_item(),
            ':' => {
                if let Some(Open::Object { key }) = self.open.last_mut() {
                    *key = Some(std::mem::take(&mut self.word));
                }
            }
            // Quotes in the prose between values are no strings.
            '"' if !self.open.is_empty() => self.begin_string(c),
            '\'' if starts_token && !self.open.is_empty() => self.begin_string(c),
            _ if c.is_whitespace() => return,
            _ if starts_token => self.word = c.to_string(),
            _ => self.word.push(c),
        }
        self.last = Some(c);
    }

    fn push(&mut self, open: Open) {
        if self.open.len() < MAX_OPEN {
            self.open.push(open);
        }
    }

    fn begin_string(&mut self, quote: char) {
        self.quote = Some(quote);
        self.word.clear();
    }

    fn next_item(&mut self) {
        match self.open.last_mut() {
            Some(Open::List { index }) => *index += 1,
            Some(Open::Object { key }) => *key = None,
            None => {}
        }
    }
}

fn pointer(open: &[Open]) -> String {
    open.iter().fold(String::new(), |path, open| match open {
        Open::List { index } => child_path(&path, &index.to_string()),
        Open::Object { key: Some(key) } => child_path(&path, key),
        Open::Object { key: None } => path,
    })
}
