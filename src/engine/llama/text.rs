//! From tokens' bytes to text: whole characters only, and nothing of a stop string.

use std::collections::VecDeque;

use crate::engine::TokenEvent;

/// Puts a reply together, and holds tokens back while their text is not settled.
///
/// A token is settled when its characters are whole and no stop string may be forming in its text.
#[derive(Debug, Default)]
pub(super) struct ReplyText {
    stops: Vec<String>,
    /// All settled and held text.
    text: String,
    /// Bytes of a character that is not complete.
    partial: Vec<u8>,
    held: VecDeque<Held>,
}

/// A token that may still lose text, with where its text begins and ends in the reply.
#[derive(Debug)]
struct Held {
    event: TokenEvent,
    start: usize,
    end: usize,
    /// Part of it is in `partial`.
    is_partial: bool,
}

impl ReplyText {
    /// Empty stop strings stop nothing.
    pub(super) fn new(stops: &[String]) -> Self {
        Self {
            stops: stops.iter().filter(|it| !it.is_empty()).cloned().collect(),
            ..Self::default()
        }
    }

    /// Takes a token in, with its bytes; its text is set here. Gives the stop string that it completed.
    pub(super) fn push(&mut self, mut event: TokenEvent) -> Option<String> {
        let start = self.text.len();
        self.partial.extend(&event.bytes);
        event.text = take_whole(&mut self.partial);
        self.text.push_str(&event.text);
        let is_partial = !self.partial.is_empty();
        if start < self.text.len() {
            for held in &mut self.held {
                held.is_partial = false;
            }
        }
        self.held.push_back(Held {
            event,
            start,
            end: self.text.len(),
            is_partial,
        });
        let (at, stop) = self.find_stop(start)?;
        self.cut(at);
        Some(stop)
    }

    /// Tokens that are settled now.
    pub(super) fn settled(&mut self) -> Vec<TokenEvent> {
        let n_safe = self.text.len() - self.n_forming();
        let mut res = Vec::new();
        while let Some(held) = self.held.pop_front() {
            if held.end > n_safe || held.is_partial {
                self.held.push_front(held);
                break;
            }
            res.push(held.event);
        }
        res
    }

    /// Settles all that is left; an unfinished character becomes U+FFFD.
    pub(super) fn finish(&mut self) -> Vec<TokenEvent> {
        if !std::mem::take(&mut self.partial).is_empty()
            && let Some(last) = self.held.back_mut()
        {
            last.event.text.push(char::REPLACEMENT_CHARACTER);
            self.text.push(char::REPLACEMENT_CHARACTER);
        }
        self.held.drain(..).map(|it| it.event).collect()
    }

    /// The reply so far, what is held back included.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The earliest stop string that ends in the text from `start` on.
    fn find_stop(&self, start: usize) -> Option<(usize, String)> {
        let first = |stop: &String| {
            let from = start.saturating_sub(stop.len() - 1);
            let from = self.text.floor_char_boundary(from);
            let at = self.text[from..].find(stop.as_str())? + from;
            Some((at, stop.clone()))
        };
        let found = self.stops.iter().filter_map(first);
        found.min_by_key(|(at, _)| *at)
    }

    /// Takes away the text from `at` on, and the tokens that wrote nothing else.
    fn cut(&mut self, at: usize) {
        self.text.truncate(at);
        self.partial.clear();
        self.held.retain(|it| it.start < at);
        for held in &mut self.held {
            held.is_partial = false;
            if held.end > at {
                held.event.text.truncate(at - held.start);
                held.end = at;
            }
        }
    }

    /// Bytes at the text's end that may be the beginning of a stop string.
    fn n_forming(&self) -> usize {
        let forming = |stop: &String| {
            let longest = (1..stop.len()).rev();
            longest
                .filter(|it| stop.is_char_boundary(*it))
                .find(|it| self.text.ends_with(&stop[..*it]))
                .unwrap_or(0)
        };
        self.stops.iter().map(forming).max().unwrap_or(0)
    }
}

/// Takes the whole characters at the front; bytes that can be no character become U+FFFD.
fn take_whole(bytes: &mut Vec<u8>) -> String {
    let mut res = String::new();
    let mut n_taken = 0;
    for chunk in bytes.utf8_chunks() {
        res.push_str(chunk.valid());
        n_taken += chunk.valid().len();
        let invalid = chunk.invalid();
        let is_unfinished = n_taken + invalid.len() == bytes.len() && may_be_continued(invalid);
        if !invalid.is_empty() && !is_unfinished {
            res.push(char::REPLACEMENT_CHARACTER);
            n_taken += invalid.len();
        }
    }
    bytes.drain(..n_taken);
    res
}

/// Whether more bytes can make a character of these.
fn may_be_continued(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|it| it.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::TokenTrace;

    fn event(bytes: &[u8]) -> TokenEvent {
        TokenEvent {
            given: false,
            token: 0,
            bytes: bytes.to_vec(),
            text: String::new(),
            trace: TokenTrace {
                wanted: 0,
                probability: 1.0,
                rank: 1,
                before: Vec::new(),
                after: Vec::new(),
                effects: Vec::new(),
                n_legal: None,
                mask_us: None,
                ..TokenTrace::default()
            },
            names: Vec::new(),
        }
    }

    /// Pushes pieces until a stop; gives the texts told after each push, those at the end, and the stop.
    fn walk(stops: &[&str], pieces: &[&[u8]]) -> (Vec<String>, Vec<String>, Option<String>) {
        let stops: Vec<String> = stops.iter().map(|it| (*it).to_owned()).collect();
        let mut reply = ReplyText::new(&stops);
        let mut told = Vec::new();
        let mut stopped = None;
        let mut joined = String::new();
        for piece in pieces {
            stopped = reply.push(event(piece));
            if stopped.is_some() {
                break;
            }
            let settled = texts(reply.settled());
            joined.push_str(&settled.concat());
            told.push(settled.join("|"));
        }
        let rest = texts(reply.finish());
        joined.push_str(&rest.concat());
        assert_eq!(
            joined,
            reply.text(),
            "all told texts, joined, are the reply"
        );
        (told, rest, stopped)
    }

    fn texts(events: Vec<TokenEvent>) -> Vec<String> {
        events.into_iter().map(|it| it.text).collect()
    }

    #[track_caller]
    fn check_told(pieces: &[&[u8]], told: &[&str], rest: &[&str]) {
        let (found, found_rest, _) = walk(&[], pieces);
        assert_eq!(found, told);
        assert_eq!(found_rest, rest);
    }

    #[track_caller]
    fn check_stop(stops: &[&str], pieces: &[&[u8]], (reply, stop): (&str, Option<&str>)) {
        let (told, rest, found) = walk(stops, pieces);
        let text = told.concat().replace('|', "") + &rest.concat();
        assert_eq!(text, reply);
        assert_eq!(found.as_deref(), stop);
    }

    #[test]
    fn plain_tokens_are_told_at_once() {
        check_told(&[b"Hello", b" world"], &["Hello", " world"], &[]);
    }

    #[test]
    fn an_emoji_in_three_tokens_comes_whole() {
        check_told(
            &[b"\xF0\x9F", b"\x98", b"\x80!"],
            &["", "", "||\u{1F600}!"],
            &[],
        );
    }

    #[test]
    fn a_korean_syllable_split_over_two_tokens_comes_whole() {
        check_told(&[b"\xED\x95", b"\x9C"], &["", "|\u{D55C}"], &[]);
    }

    #[test]
    fn a_token_that_ends_one_character_and_begins_another_is_held() {
        check_told(&[b"\xC3", b"\xA4\xC3", b"\xB6"], &["", "", "ä|ö"], &[]);
    }

    #[test]
    fn an_unfinished_character_at_the_end_becomes_a_replacement() {
        check_told(&[b"a", b"\xF0\x9F"], &["a", ""], &["\u{FFFD}"]);
    }

    #[test]
    fn bytes_that_are_no_character_become_replacements() {
        check_told(
            &[b"\xFFa", b"\xC3", b"b"],
            &["\u{FFFD}a", "", "|\u{FFFD}b"],
            &[],
        );
    }

    #[test]
    fn a_stop_string_is_cut_off() {
        check_stop(&["END"], &[b"a END b"], ("a ", Some("END")));
    }

    #[test]
    fn a_stop_string_over_three_tokens_is_never_told() {
        check_stop(&["END"], &[b"a E", b"N", b"D b"], ("a ", Some("END")));
    }

    #[test]
    fn tokens_wait_while_a_stop_string_may_form() {
        let (told, rest, stop) = walk(&["END"], &[b"a", b"E", b"N", b"x"]);
        assert_eq!(told, ["a", "", "", "E|N|x"]);
        assert!(rest.is_empty() && stop.is_none());
    }

    #[test]
    fn what_was_held_for_a_stop_string_is_told_at_the_end() {
        check_stop(&["END"], &[b"a", b"EN"], ("aEN", None));
    }

    #[test]
    fn the_earliest_of_two_stop_strings_counts() {
        check_stop(&["c", "b"], &[b"abc"], ("a", Some("b")));
    }

    #[test]
    fn a_stop_string_of_wide_characters_is_found_across_tokens() {
        let pieces: &[&[u8]] = &[b"x\xEB", b"\x81\x9D", b"y"];
        check_stop(&["\u{B05D}"], pieces, ("x", Some("\u{B05D}")));
    }

    #[test]
    fn a_stop_string_after_a_wide_character_is_found() {
        check_stop(
            &["\n\n"],
            &["한\n".as_bytes(), b"\nrest"],
            ("한", Some("\n\n")),
        );
    }

    #[test]
    fn a_token_wholly_within_the_stop_string_is_not_told() {
        let (told, rest, _) = walk(&["END"], &[b"a", b"E", b"ND"]);
        assert_eq!(told, ["a", ""]);
        assert!(rest.is_empty());
    }

    #[test]
    fn an_empty_stop_string_stops_nothing() {
        check_stop(&[""], &[b"abc"], ("abc", None));
    }
}
