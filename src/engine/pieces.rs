//! Cuts a text into pieces as a tokenizer might, and makes up a trace for each: for replies no model wrote.

use super::TokenEvent;
use crate::sampling::{Candidate, Span, Stage, StageEffect, Standing, TokenId, TokenTrace, Touch};

/// The longest piece of a word, in characters.
const MAX_WORD: usize = 7;

/// Made-up ids lie below the vocabulary size that a recording claims.
pub(super) const N_VOCAB: u32 = 49_152;

/// Tokens that join to exactly `text`. The same text always gives the same tokens and traces.
pub(super) fn make_tokens(text: &str) -> Vec<TokenEvent> {
    split(text)
        .into_iter()
        .enumerate()
        .map(|(idx, piece)| make_token(idx, piece))
        .collect()
}

/// Words with the space before them, runs of white space, single digits, punctuation and CJK characters.
pub(super) fn split(text: &str) -> Vec<&str> {
    let mut res = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (piece, next) = rest.split_at(piece_len(rest));
        res.push(piece);
        rest = next;
    }
    res
}

/// The id that a piece always gets.
pub(super) fn token_id(piece: &str) -> TokenId {
    (hash(piece) % u64::from(N_VOCAB)) as TokenId
}

/// Bytes of the first piece of a text that is not empty.
fn piece_len(text: &str) -> usize {
    let mut chars = text.chars();
    let (Some(first), second) = (chars.next(), chars.next()) else {
        return 0;
    };
    match (first, second) {
        ('\n', _) => prefix_len(text, usize::MAX, char::is_whitespace),
        (' ', Some(' ')) => prefix_len(text, usize::MAX, |it| it == ' '),
        (' ', Some(it)) if is_word(it) => 1 + prefix_len(&text[1..], MAX_WORD, is_word),
        (' ', Some(it)) if it.is_ascii_punctuation() => 2,
        (it, _) if is_word(it) => prefix_len(text, MAX_WORD, is_word),
        (it, _) => it.len_utf8(),
    }
}

fn prefix_len(text: &str, max: usize, belongs: impl Fn(char) -> bool) -> usize {
    text.chars()
        .take(max)
        .take_while(|it| belongs(*it))
        .map(char::len_utf8)
        .sum()
}

fn is_word(it: char) -> bool {
    (it.is_alphabetic() && !is_cjk(it)) || it == '_'
}

fn is_cjk(it: char) -> bool {
    matches!(it, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

fn make_token(idx: usize, piece: &str) -> TokenEvent {
    let mut dice = Dice(hash(piece) ^ (idx as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let token = token_id(piece);
    let names: Vec<_> = std::iter::once(piece)
        .chain(alternatives(piece, &mut dice))
        .map(|it| (token_id(it), it.to_owned()))
        .collect();
    let others: Vec<_> = names.iter().skip(1).map(|(it, _)| *it).collect();
    TokenEvent {
        given: false,
        token,
        bytes: piece.as_bytes().to_vec(),
        text: piece.to_owned(),
        trace: make_trace(token, &others, &mut dice),
        names,
    }
}

fn make_trace(token: TokenId, others: &[TokenId], dice: &mut Dice) -> TokenTrace {
    let mood = dice.roll();
    let is_banned = mood < 0.04 && !others.is_empty();
    let probability = match mood {
        ..0.04 => 0.10 + 0.28 * dice.roll(),
        0.04..0.14 => 0.22 + 0.27 * dice.roll(),
        0.14..0.35 => 0.52 + 0.33 * dice.roll(),
        _ => 0.86 + 0.138 * dice.roll(),
    };
    let chosen = Candidate { token, probability };
    let before = rank(chosen, others, is_banned);
    let removed_mass = if is_banned {
        before[0].probability
    } else {
        0.0
    };
    let kept = &before[usize::from(is_banned)..];
    let after = kept.iter().map(|it| Candidate {
        probability: it.probability / (1.0 - removed_mass),
        ..*it
    });
    let (effect, ban) = made_up_ban(before[0]);
    let chosen_after = Standing {
        rank: 1,
        probability: probability / (1.0 - removed_mass),
    };
    TokenTrace {
        chosen_after,
        wanted_after: (!is_banned).then_some(chosen_after),
        touches: is_banned.then_some(ban).into_iter().collect(),
        entropy: entropy(&before),
        wanted: before[0].token,
        probability,
        rank: 1 + u32::from(is_banned),
        after: after.collect(),
        effects: is_banned.then_some(effect).into_iter().collect(),
        n_legal: None,
        mask_us: None,
        before,
    }
}

/// What a ban of the favourite looks like in a trace.
fn made_up_ban(favourite: Candidate) -> (StageEffect, Touch) {
    let effect = StageEffect {
        stage: Stage::NoRepeatNgram,
        n_removed: 1,
        removed_mass: favourite.probability,
        kept_mass: 1.0 - favourite.probability,
        changed_top: true,
        new_top: None,
    };
    let ban = Touch {
        stage: Stage::NoRepeatNgram,
        token: favourite.token,
        shift: None,
        // Made up like the rest: the prompt's first tokens.
        earlier: Some(Span { start: 0, end: 3 }),
    };
    (effect, ban)
}

/// The surprise to be expected of these candidates, in bits.
fn entropy(candidates: &[Candidate]) -> f32 {
    let surprise = |it: &Candidate| -it.probability * it.probability.log2();
    candidates.iter().map(surprise).sum()
}

/// The candidates, best first: the chosen one leads, or comes second to a favourite that a ban will take away.
fn rank(chosen: Candidate, others: &[TokenId], is_banned: bool) -> Vec<Candidate> {
    let mut res = Vec::new();
    let mut others = others.iter().copied();
    if is_banned {
        res.extend(others.next().map(|token| Candidate {
            token,
            probability: chosen.probability * 1.4,
        }));
    }
    res.push(chosen);
    for token in others {
        let sum: f32 = res.iter().map(|it| it.probability).sum();
        let last = res.last().map_or(1.0, |it| it.probability);
        let probability = ((1.0 - sum) * 0.55).min(last * 0.9);
        res.push(Candidate { token, probability });
    }
    res
}

/// Four other pieces that might have come.
fn alternatives(piece: &str, dice: &mut Dice) -> Vec<&'static str> {
    let first = piece.trim_start().chars().next();
    let table: &[&str] = match first {
        None => &["\n", " ", "\n  ", "\n\n", "\n    ", "  "],
        Some('0'..='9') => &["1", "2", "3", "0", "5", "12", "9"],
        Some('"' | '\'' | '“' | '”') => &["\"", "'", " \"", "`", "“", "null", "["],
        Some('{' | '}' | '[' | ']' | ',' | ':') => &["{", "}", "]", ",", ":", "},", "]}", " "],
        Some(it) if is_cjk(it) => &["的", "一", "是", "有", "个", "不", "了"],
        Some(_) if piece.starts_with(' ') => &[
            " the", " a", " item", " of", " and", " value", " this", " null",
        ],
        Some(_) => &[
            "name", "item", "value", "quantity", "text", "type", "list", "id",
        ],
    };
    let start = dice.pick(table.len());
    table
        .iter()
        .cycle()
        .skip(start)
        .take(table.len())
        .copied()
        .filter(|it| *it != piece && token_id(it) != token_id(piece))
        .take(4)
        .collect()
}

/// FNV-1a.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |acc, byte| {
        (acc ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The generator `SplitMix64`: its numbers look random and are always the same.
struct Dice(u64);

impl Dice {
    /// A number from 0 to below 1.
    fn roll(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1_u64 << 24) as f32
    }

    /// An index below `n`.
    fn pick(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut it = self.0;
        it = (it ^ (it >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        it ^ (it >> 31)
    }
}
