//! What some knobs need to know of the vocabulary, and those knobs' values: logit bias and the ban by characters.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::char_class::CharClass;
use super::{KnobError, Knobs, Stage, TokenId};

/// The texts of a model's tokens.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lexicon<'a> {
    /// The bytes of each token, by id; empty for control tokens.
    pub pieces: &'a [Vec<u8>],
    /// Tokens that end a reply.
    pub ends: &'a [TokenId],
}

/// What is added to a token's logit.
#[derive(Clone, Debug, PartialEq)]
pub struct LogitBias {
    pub target: BiasTarget,
    /// From -100 to 100, or minus infinity to take the token away.
    pub bias: f32,
}

/// Which token a bias is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BiasTarget {
    Token(TokenId),
    /// Every token that has exactly this text.
    Text(String),
}

/// The knobs that are lists and not numbers, and stages of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KnobList {
    LogitBias,
    TokenBan,
}

/// What a ban by characters bans in a vocabulary, and what it lets through all the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BanReport {
    pub n_banned: u32,
    /// How many tokens the ban lets through though they hold a character that reads like a banned one, such as ② or ２.
    pub n_look_alikes: u32,
    /// The first of them.
    pub look_alikes: Vec<(TokenId, String)>,
    /// Tokens that hold part of a character only: two of them can make a look-alike that no single one shows.
    pub n_partial: u32,
}

/// How many look-alikes a report lists; some vocabularies hold thousands.
const MOST_LISTED: usize = 200;

/// What a vocabulary makes of the knobs that name tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenKnobReport {
    /// None without a ban.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ban: Option<BanReport>,
    /// The keys of biases that are for no token.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unmatched_biases: Vec<String>,
}

/// The largest bias to either side, as `OpenAI` has it.
const MOST_BIAS: f64 = 100.0;

impl KnobList {
    pub const ALL: [Self; 2] = [Self::LogitBias, Self::TokenBan];

    pub fn stage(self) -> Stage {
        match self {
            Self::LogitBias => Stage::LogitBias,
            Self::TokenBan => Stage::TokenBan,
        }
    }

    /// What people read.
    pub fn name(self) -> &'static str {
        match self {
            Self::LogitBias => "Logit bias",
            Self::TokenBan => "Token ban",
        }
    }
}

impl Knobs {
    /// How many entries the list has; with none it does nothing.
    pub fn n_entries(&self, list: KnobList) -> usize {
        match list {
            KnobList::LogitBias => self.logit_bias.len(),
            KnobList::TokenBan => self.token_ban.len(),
        }
    }

    /// The same knobs with the list empty.
    #[must_use]
    pub(super) fn without_list(&self, list: KnobList) -> Self {
        let mut knobs = self.clone();
        match list {
            KnobList::LogitBias => knobs.logit_bias.clear(),
            KnobList::TokenBan => knobs.token_ban.clear(),
        }
        knobs
    }
}

impl LogitBias {
    /// The tokens it is for; none if the text is no token of this vocabulary.
    pub fn tokens(&self, lexicon: Lexicon<'_>) -> Vec<TokenId> {
        match &self.target {
            BiasTarget::Token(token) => vec![*token],
            BiasTarget::Text(text) => (0..)
                .zip(lexicon.pieces)
                .filter(|(_, piece)| piece.as_slice() == text.as_bytes())
                .map(|(token, _)| token)
                .collect(),
        }
    }

    /// The key in a file: the text, or `#` and the token's id. A text that looks like an id has another `#` before it.
    pub fn key(&self) -> String {
        match &self.target {
            BiasTarget::Token(token) => format!("#{token}"),
            BiasTarget::Text(text) if text.starts_with('#') => format!("#{text}"),
            BiasTarget::Text(text) => text.clone(),
        }
    }

    /// Reads the file form: `{" qty": 2, "#17": -100, "the": false}`, where `false` takes the token away.
    pub fn read_all(value: &Value) -> Result<Vec<Self>, KnobError> {
        let entries = value.as_object().ok_or_else(|| bias_error(value))?;
        entries
            .iter()
            .map(|(key, bias)| {
                let target = read_target(key).ok_or_else(|| bias_error(value))?;
                let bias = read_bias(bias).ok_or_else(|| bias_error(value))?;
                Ok(Self { target, bias })
            })
            .collect()
    }

    /// The file form, which `read_all` reads.
    pub fn write_all(biases: &[Self]) -> Value {
        let entries = biases.iter().map(|it| {
            let bias = match it.bias {
                f32::NEG_INFINITY => Value::Bool(false),
                // Through its shortest text, so that 0.1 stays 0.1.
                bias => bias
                    .to_string()
                    .parse::<f64>()
                    .map_or(Value::Null, Value::from),
            };
            (it.key(), bias)
        });
        Value::Object(entries.collect::<Map<_, _>>())
    }
}

/// What this vocabulary makes of the token ban and the logit bias.
pub fn token_knob_report(knobs: &Knobs, lexicon: Lexicon<'_>) -> TokenKnobReport {
    TokenKnobReport {
        ban: (!knobs.token_ban.is_empty()).then(|| ban_report(&knobs.token_ban, lexicon)),
        unmatched_biases: unmatched_biases(knobs, lexicon),
    }
}

/// The texts of biases that are no token of this vocabulary: they do nothing.
fn unmatched_biases(knobs: &Knobs, lexicon: Lexicon<'_>) -> Vec<String> {
    let is_unmatched = |it: &&LogitBias| match it.target {
        BiasTarget::Token(token) => token as usize >= lexicon.pieces.len(),
        BiasTarget::Text(_) => it.tokens(lexicon).is_empty(),
    };
    knobs
        .logit_bias
        .iter()
        .filter(is_unmatched)
        .map(LogitBias::key)
        .collect()
}

/// What a ban of these classes bans, and what it misses: it goes by characters, not by what they mean.
pub fn ban_report(classes: &[CharClass], lexicon: Lexicon<'_>) -> BanReport {
    let mut report = BanReport::default();
    for (token, piece) in (0..).zip(lexicon.pieces) {
        if bans(classes, piece) {
            report.n_banned += 1;
            continue;
        }
        match std::str::from_utf8(piece) {
            Ok(text) if looks_banned(classes, text) => {
                report.n_look_alikes += 1;
                if report.look_alikes.len() < MOST_LISTED {
                    report.look_alikes.push((token, text.to_owned()));
                }
            }
            Ok(_) => {}
            Err(_) => report.n_partial += 1,
        }
    }
    report
}

/// Whether a token's text holds a character of one of the classes.
pub(super) fn bans(classes: &[CharClass], piece: &[u8]) -> bool {
    let mut chars = piece.utf8_chunks().flat_map(|it| it.valid().chars());
    chars.any(|it| classes.iter().any(|class| class.holds(it)))
}

fn looks_banned(classes: &[CharClass], text: &str) -> bool {
    text.chars()
        .any(|it| classes.iter().any(|class| class.looks_held(it)))
}

fn read_target(key: &str) -> Option<BiasTarget> {
    match key.strip_prefix('#') {
        Some(rest) if rest.starts_with('#') => Some(BiasTarget::Text(rest.to_owned())),
        Some(id) => id.parse().ok().map(BiasTarget::Token),
        None if key.is_empty() => None,
        None => Some(BiasTarget::Text(key.to_owned())),
    }
}

fn read_bias(value: &Value) -> Option<f32> {
    match value {
        Value::Bool(false) => Some(f32::NEG_INFINITY),
        value => value
            .as_f64()
            .filter(|it| it.abs() <= MOST_BIAS)
            .map(|it| it as f32),
    }
}

fn bias_error(value: &Value) -> KnobError {
    KnobError {
        key: "logit_bias".to_owned(),
        value: value.to_string(),
        range: "an object from a token's text, or # and its id, to a number from -100 to 100, or to false".to_owned(),
    }
}
