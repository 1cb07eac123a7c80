//! Rows for the whole room, over a small vocabulary whose tokens cut texts in awkward places.

mod closings;
mod envelopes;
mod examinations;
mod grammar_faults;
mod grammar_texts;
mod hostile;
mod hostile_long;
mod made_grammars;
mod masks;
mod regexes;
mod reports;
mod schemas;
mod shipped;
mod tokens;
mod trials;
mod typing;

use std::sync::OnceLock;

use super::{Constraint, Matcher, SchemaSwitches, TokenTrie, Vocabulary, WhiteSpace, compile};
use crate::sampling::TokenId;

/// Tokens of several bytes, each of which spans more than one item of the usual grammars.
const LONG: &[&[u8]] = &[
    b"{\"",
    b"\":",
    b" \"",
    b"milk",
    b"0}",
    b"\xF0\x9F",
    b"\x98\x80",
    b"aab",
    b"ab",
    b"true",
    b"\",\"",
    b"}}",
    b"\n\n\n\n",
    b"  ",
    b"\xC3",
    b"{\"name\":\"",
    b"null}",
    b"\"}",
    b"12",
    b"tomato",
    b"milkshakes",
    "한국어로😀".as_bytes(),
];
const N_BYTES: u32 = 256;

/// Every single byte, the long tokens, a control token and two that end a reply.
fn toy_vocabulary() -> Vocabulary {
    let mut pieces: Vec<Vec<u8>> = (0..=255).map(|it| vec![it]).collect();
    pieces.extend(LONG.iter().map(|it| it.to_vec()));
    // A second token with the same bytes, as real vocabularies have.
    pieces.push(b"milk".to_vec());
    let mut names = vec![String::new(); pieces.len()];
    for name in ["<|tool|>", "<|end|>", "<|im_end|>"] {
        pieces.push(Vec::new());
        names.push(name.to_owned());
    }
    let n_tokens = pieces.len() as u32;
    Vocabulary {
        pieces,
        names,
        end_of_generation: vec![n_tokens - 1, n_tokens - 2, n_tokens - 1],
    }
}

fn toy() -> &'static TokenTrie {
    static TRIE: OnceLock<TokenTrie> = OnceLock::new();
    TRIE.get_or_init(|| TokenTrie::new(&toy_vocabulary()).unwrap())
}

fn control_token() -> TokenId {
    toy().n_tokens() as u32 - 3
}

fn grammar(text: &str) -> Constraint {
    Constraint::Grammar {
        text: text.to_owned(),
    }
}

fn schema(text: &str, white_space: WhiteSpace) -> Constraint {
    Constraint::Schema {
        text: text.to_owned(),
        white_space,
        switches: SchemaSwitches::default(),
    }
}

fn schema_with(schema: &serde_json::Value, switches: SchemaSwitches) -> Constraint {
    Constraint::Schema {
        text: schema.to_string(),
        white_space: WhiteSpace::EIGHT,
        switches,
    }
}

#[track_caller]
fn matcher(constraint: &Constraint) -> Matcher {
    compile(constraint, toy()).unwrap().unwrap()
}

/// Whether a text, byte by byte and by longest tokens, is a whole reply. Both ways must agree.
#[track_caller]
fn accepts(constraint: &Constraint, text: &[u8]) -> bool {
    let bytes: Vec<TokenId> = text.iter().map(|it| TokenId::from(*it)).collect();
    let by_bytes = takes(&mut matcher(constraint), &bytes);
    let tokens = toy().tokenize(text).unwrap();
    let by_tokens = takes(&mut matcher(constraint), &tokens);
    assert_eq!(by_bytes, by_tokens, "bytes and tokens disagree");
    by_bytes
}

fn takes(matcher: &mut Matcher, tokens: &[TokenId]) -> bool {
    for token in tokens {
        let legal = matcher.mask().unwrap().allows(*token);
        assert_eq!(
            matcher.accept(*token).is_ok(),
            legal,
            "mask and step disagree"
        );
        if !legal {
            return false;
        }
    }
    matcher.is_accepting()
}

#[track_caller]
fn check_accepts(text_of_grammar: &str, text: &str, expected: bool) {
    let found = accepts(&grammar(text_of_grammar), text.as_bytes());
    assert_eq!(found, expected, "{text:?} under {text_of_grammar}");
}
