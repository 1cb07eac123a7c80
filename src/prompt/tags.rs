//! How long the tags of a template are, before its parser sees them.

/// Most words and signs in one tag; those in use have under 200.
pub(super) const MAX_TAG_TOKENS: usize = 1_000;

/// The line of the first tag with more than [`MAX_TAG_TOKENS`] words and signs, texts in quotes counted as one.
pub(super) fn overlong_tag(source: &str) -> Option<usize> {
    let mut tag = Tag::Outside;
    let mut n_tokens = 0;
    let mut before = ' ';
    for (idx, c) in source.char_indices() {
        tag = match tag {
            Tag::Outside => {
                n_tokens = 0;
                match (before, c) {
                    ('{', '{' | '%') => Tag::Inside { n_open: 0 },
                    ('{', '#') => Tag::Comment,
                    _ => Tag::Outside,
                }
            }
            Tag::Comment if before == '#' && c == '}' => Tag::Outside,
            Tag::Comment => Tag::Comment,
            Tag::Quoted(quoted) => quoted.step(c),
            Tag::Inside { n_open } => {
                let continues_word = is_word(c) && is_word(before);
                n_tokens += usize::from(!c.is_whitespace() && !continues_word);
                if n_tokens > MAX_TAG_TOKENS {
                    return Some(source[..idx].matches('\n').count() + 1);
                }
                inside(n_open, before, c)
            }
        };
        before = c;
    }
    None
}

#[derive(Clone, Copy, Debug)]
enum Tag {
    Outside,
    Comment,
    /// With so many braces of its own open.
    Inside {
        n_open: usize,
    },
    Quoted(Quoted),
}

#[derive(Clone, Copy, Debug)]
struct Quoted {
    n_open: usize,
    quote: char,
    is_escaped: bool,
}

impl Quoted {
    fn step(self, c: char) -> Tag {
        if c == self.quote && !self.is_escaped {
            return Tag::Inside {
                n_open: self.n_open,
            };
        }
        Tag::Quoted(Self {
            is_escaped: c == '\\' && !self.is_escaped,
            ..self
        })
    }
}

fn inside(n_open: usize, before: char, c: char) -> Tag {
    match (before, c) {
        (_, '"' | '\'') => Tag::Quoted(Quoted {
            n_open,
            quote: c,
            is_escaped: false,
        }),
        ('%', '}') => Tag::Outside,
        ('}', '}') if n_open == 0 => Tag::Outside,
        (_, '{') => Tag::Inside { n_open: n_open + 1 },
        (_, '}') => Tag::Inside {
            n_open: n_open.saturating_sub(1),
        },
        _ => Tag::Inside { n_open },
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
