//! A resumable parser for replies that are still being written: fed piece by piece, it shows the fields that have closed.
//!
//! It is a preview. It reads JSON, quotes and structure of other alphabets, bare keys, comments and the literals of
//! other languages, skips prose, fences and thinking; [`climb()`](super::climb()) judges the finished reply.
//! A field that has closed stays as it is, unless the reply writes it a second time or shows that all of it was
//! thought aloud.

use serde_json::{Map, Value};

use super::numbers::{Numeral, numeral};
use super::scan::{Quote, is_blank, is_word, structure};
use super::stream_text::{Comment, Text, TextEnd};
use super::stream_view::{Branch, Pending};
use super::tags::{Thinking, thinking};
use super::tree::MAX_DEPTH;
use super::words::literal;

/// Where a reply under way stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StreamState {
    /// No value has begun.
    #[default]
    Waiting,
    /// The model thinks aloud.
    Thinking,
    /// A value is being written.
    Open,
    /// The value is whole.
    Closed,
    /// What comes is no JSON the stream can read; the fields that closed before stay.
    Broken,
}

/// The value of a reply under way. The work is linear in the text pushed.
#[derive(Clone, Debug, Default)]
pub struct Stream {
    state: StreamState,
    root: Option<Value>,
    levels: Vec<Level>,
    expected: Expected,
    token: Token,
    /// The tag that may be under way outside the value.
    tag: String,
}

/// An open container.
#[derive(Clone, Debug)]
pub(super) struct Level {
    is_object: bool,
    /// The key whose value is under way.
    pub(super) key: Option<String>,
    n_items: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Expected {
    Key,
    Colon,
    #[default]
    Value,
    After,
}

#[derive(Clone, Debug, Default)]
enum Token {
    #[default]
    None,
    Text(Text),
    Word(String),
    Comment(Comment),
}

impl Stream {
    /// Takes the next piece of the reply. Pieces may end anywhere between two characters.
    pub fn push(&mut self, piece: &str) {
        let mut rest = piece;
        loop {
            if self.state == StreamState::Open
                && let Token::Text(text) = &mut self.token
            {
                rest = &rest[text.push_plain(rest)..];
            }
            let Some(c) = rest.chars().next() else { return };
            rest = &rest[c.len_utf8()..];
            if self.state == StreamState::Open {
                self.read(c);
            } else {
                self.seek(c);
            }
        }
    }

    pub fn state(&self) -> StreamState {
        self.state
    }

    /// The value so far: closed fields, and the open containers around them.
    pub fn value(&self) -> Option<&Value> {
        self.root.as_ref()
    }

    /// The value so far as a tree that tells what has closed from what is open; costs nothing to take.
    pub fn tree(&self) -> Option<Branch<'_>> {
        let value = self.root.as_ref()?;
        Some(Branch::new(value, &self.levels, self.pending()))
    }

    /// The place that is being written, or where reading broke off, such as `$.items[1].name`.
    pub fn path(&self) -> String {
        let mut path = "$".to_owned();
        for (n, level) in self.levels.iter().enumerate() {
            match &level.key {
                Some(key) => {
                    path.push('.');
                    path.push_str(key);
                }
                None if level.is_object => {}
                None => {
                    // The container inside is an item already, a scalar under way is none yet.
                    let is_added = n + 1 < self.levels.len() || self.expected == Expected::After;
                    let index = level.n_items.saturating_sub(usize::from(is_added));
                    path.extend(["[", &index.to_string(), "]"]);
                }
            }
        }
        path
    }

    /// The scalar or key under way in the innermost open container.
    fn pending(&self) -> Option<Pending<'_>> {
        let level = self.levels.last()?;
        let text = match &self.token {
            Token::Text(text) => text.so_far(),
            Token::Word(word) => word,
            _ => "",
        };
        let pending = match (self.expected, level.key.as_deref()) {
            (Expected::Key, _) => Pending {
                key: text,
                text: "",
            },
            (_, key) => Pending {
                key: key.unwrap_or_default(),
                text,
            },
        };
        (!pending.key.is_empty() || !pending.text.is_empty()).then_some(pending)
    }

    /// Outside a value: looks for its first bracket and for thinking tags.
    fn seek(&mut self, c: char) {
        const LONGEST_TAG: usize = 80;
        if matches!(c, '<' | '◁') || (c == '[' && self.state == StreamState::Thinking) {
            self.tag.clear();
            self.tag.push(c);
        } else if !self.tag.is_empty() {
            self.tag.push(c);
            if matches!(c, '>' | ']' | '▷') {
                self.end_tag();
                return;
            }
            if self.tag.len() > LONGEST_TAG {
                self.tag.clear();
            }
        }
        if matches!(structure(c), Some('{' | '[')) && self.may_begin() {
            self.tag.clear();
            self.root = None;
            self.levels.clear();
            self.expected = Expected::Value;
            self.state = StreamState::Open;
            self.structure(c);
        }
    }

    /// Whether a bracket begins the value: nothing has, or nothing but a citation or an empty pair of brackets.
    fn may_begin(&self) -> bool {
        match (self.state, &self.root) {
            (StreamState::Waiting, _) => true,
            (StreamState::Closed, Some(Value::Array(items))) => {
                items.iter().all(|it| !it.is_object() && !it.is_array())
            }
            (StreamState::Closed, Some(Value::Object(map))) => map.is_empty(),
            _ => false,
        }
    }

    fn end_tag(&mut self) {
        let tag = std::mem::take(&mut self.tag);
        match thinking(&tag) {
            Some(Thinking::Opens) if self.state == StreamState::Waiting => {
                self.state = StreamState::Thinking;
            }
            // What came before was thought, even if the opening tag is missing.
            Some(Thinking::Closes) => *self = Self::default(),
            _ => {}
        }
    }

    fn read(&mut self, c: char) {
        match &mut self.token {
            Token::None => self.structure(c),
            Token::Text(text) => match text.push(c) {
                TextEnd::Open => {}
                TextEnd::Closed(text) => {
                    self.token = Token::None;
                    self.end_text(text);
                }
            },
            Token::Word(word) if is_word(c) || matches!(c, '.' | '+') => word.push(c),
            Token::Word(word) => {
                let word = std::mem::take(word);
                self.token = Token::None;
                self.end_word(word, c);
                if self.state == StreamState::Open {
                    self.structure(c);
                }
            }
            Token::Comment(comment) => match comment.after(c) {
                Some(comment) => self.token = Token::Comment(comment),
                None if matches!(comment, Comment::Slash) => self.give_up(c),
                None => self.token = Token::None,
            },
        }
    }

    /// A character between tokens.
    fn structure(&mut self, c: char) {
        if is_blank(c) {
            return;
        }
        let in_object = self.levels.last().is_some_and(|it| it.is_object);
        let quote = Quote::opened_by(c);
        match (self.expected, structure(c).unwrap_or(c)) {
            (Expected::Key | Expected::After, '}') if in_object => self.close(),
            (Expected::Value | Expected::After, ']') if !in_object => self.close(),
            (Expected::Key, ',') => {}
            (Expected::Value, ',') if !in_object => {}
            (Expected::After, ',') => {
                self.expected = if in_object {
                    Expected::Key
                } else {
                    Expected::Value
                };
            }
            (Expected::Colon, ':') => self.expected = Expected::Value,
            (Expected::Value, '{') => self.open(true),
            (Expected::Value, '[') => self.open(false),
            (_, '/') => self.token = Token::Comment(Comment::Slash),
            (_, '#') => self.token = Token::Comment(Comment::Line),
            (Expected::Key | Expected::Value, _) => match quote {
                Some(quote) => self.token = Token::Text(Text::new(quote)),
                None if is_word(c) || matches!(c, '.' | '+') => {
                    self.token = Token::Word(c.to_string());
                }
                None => self.give_up(c),
            },
            _ => self.give_up(c),
        }
    }

    fn end_text(&mut self, text: String) {
        if self.expected == Expected::Key {
            self.begin_field(text);
        } else {
            self.add(Value::String(text));
        }
    }

    /// Ends a bare word before the character that does not belong to it.
    fn end_word(&mut self, word: String, next: char) {
        if self.expected == Expected::Key {
            self.begin_field(word);
        } else if let Some(literal) = literal(&word) {
            self.add(literal.value());
        } else if let Numeral::Strict { number, .. } | Numeral::Mended { number, .. } =
            numeral(&word)
        {
            self.add(Value::Number(number));
        } else {
            self.give_up(next);
        }
    }

    fn begin_field(&mut self, key: String) {
        if let Some(level) = self.levels.last_mut() {
            level.key = Some(key);
        }
        self.expected = Expected::Colon;
    }

    fn open(&mut self, is_object: bool) {
        if self.levels.len() == MAX_DEPTH {
            self.state = StreamState::Broken;
            return;
        }
        self.put(if is_object {
            Value::Object(Map::new())
        } else {
            Value::Array(Vec::new())
        });
        self.levels.push(Level {
            is_object,
            key: None,
            n_items: 0,
        });
        self.expected = if is_object {
            Expected::Key
        } else {
            Expected::Value
        };
    }

    fn close(&mut self) {
        self.levels.pop();
        self.end_value();
        if self.levels.is_empty() {
            self.state = StreamState::Closed;
        }
    }

    fn add(&mut self, value: Value) {
        self.put(value);
        self.end_value();
    }

    fn end_value(&mut self) {
        self.expected = Expected::After;
        if let Some(level) = self.levels.last_mut() {
            level.key = None;
        }
    }

    /// Puts a value into the innermost container.
    fn put(&mut self, value: Value) {
        let Some((last, outer)) = self.levels.split_last_mut() else {
            self.root = Some(value);
            return;
        };
        // The depth is bounded, so the way down costs a constant.
        let container = outer
            .iter()
            .try_fold(self.root.as_mut(), |container, level| {
                Some(match (container?, &level.key) {
                    (Value::Object(map), Some(key)) => map.get_mut(key),
                    (Value::Array(items), _) => items.last_mut(),
                    _ => None,
                })
            });
        last.n_items += 1;
        match (container.flatten(), &last.key) {
            (Some(Value::Object(map)), Some(key)) => {
                map.insert(key.clone(), value);
            }
            (Some(Value::Array(items)), _) => items.push(value),
            _ => {}
        }
    }

    /// Prose in brackets is skipped; a value that breaks off keeps what has closed.
    fn give_up(&mut self, c: char) {
        let is_empty = match &self.root {
            Some(Value::Object(map)) => map.is_empty(),
            Some(Value::Array(items)) => items.iter().all(Value::is_number),
            _ => true,
        };
        self.token = Token::None;
        if !is_empty {
            self.state = StreamState::Broken;
            return;
        }
        self.state = StreamState::Waiting;
        self.root = None;
        self.levels.clear();
        // What was not in place inside may begin the value: `{{"a": 1}}`.
        self.seek(c);
    }
}
