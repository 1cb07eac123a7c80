//! Characters that look like a digit and are none, with their names in Unicode.

/// The names of the digits, in Unicode's spelling.
const NAMES: [&str; 21] = [
    "ZERO",
    "ONE",
    "TWO",
    "THREE",
    "FOUR",
    "FIVE",
    "SIX",
    "SEVEN",
    "EIGHT",
    "NINE",
    "TEN",
    "ELEVEN",
    "TWELVE",
    "THIRTEEN",
    "FOURTEEN",
    "FIFTEEN",
    "SIXTEEN",
    "SEVENTEEN",
    "EIGHTEEN",
    "NINETEEN",
    "TWENTY",
];

/// First character, its number, how many follow each other, and the words around the number's name.
/// From the Unicode Character Database's blocks of numerals.
const RANGES: &[(char, usize, u32, &str, &str)] = &[
    ('\u{00B2}', 2, 2, "SUPERSCRIPT ", ""),
    ('\u{00B9}', 1, 1, "SUPERSCRIPT ", ""),
    ('\u{0660}', 0, 10, "ARABIC-INDIC DIGIT ", ""),
    ('\u{06F0}', 0, 10, "EXTENDED ARABIC-INDIC DIGIT ", ""),
    ('\u{0966}', 0, 10, "DEVANAGARI DIGIT ", ""),
    ('\u{09E6}', 0, 10, "BENGALI DIGIT ", ""),
    ('\u{0E50}', 0, 10, "THAI DIGIT ", ""),
    ('\u{2070}', 0, 1, "SUPERSCRIPT ", ""),
    ('\u{2074}', 4, 6, "SUPERSCRIPT ", ""),
    ('\u{2080}', 0, 10, "SUBSCRIPT ", ""),
    ('\u{2160}', 1, 12, "ROMAN NUMERAL ", ""),
    ('\u{2170}', 1, 12, "SMALL ROMAN NUMERAL ", ""),
    ('\u{2460}', 1, 9, "CIRCLED DIGIT ", ""),
    ('\u{2469}', 10, 11, "CIRCLED NUMBER ", ""),
    ('\u{2474}', 1, 9, "PARENTHESIZED DIGIT ", ""),
    ('\u{247D}', 10, 11, "PARENTHESIZED NUMBER ", ""),
    ('\u{2488}', 1, 9, "DIGIT ", " FULL STOP"),
    ('\u{2491}', 10, 11, "NUMBER ", " FULL STOP"),
    ('\u{24EA}', 0, 1, "CIRCLED DIGIT ", ""),
    ('\u{24EB}', 11, 10, "NEGATIVE CIRCLED NUMBER ", ""),
    ('\u{24F5}', 1, 9, "DOUBLE CIRCLED DIGIT ", ""),
    ('\u{2776}', 1, 9, "DINGBAT NEGATIVE CIRCLED DIGIT ", ""),
    ('\u{2780}', 1, 9, "DINGBAT CIRCLED SANS-SERIF DIGIT ", ""),
    (
        '\u{278A}',
        1,
        9,
        "DINGBAT NEGATIVE CIRCLED SANS-SERIF DIGIT ",
        "",
    ),
    ('\u{FF10}', 0, 10, "FULLWIDTH DIGIT ", ""),
    ('\u{1D7CE}', 0, 10, "MATHEMATICAL BOLD DIGIT ", ""),
    ('\u{1D7D8}', 0, 10, "MATHEMATICAL DOUBLE-STRUCK DIGIT ", ""),
    ('\u{1D7E2}', 0, 10, "MATHEMATICAL SANS-SERIF DIGIT ", ""),
    (
        '\u{1D7EC}',
        0,
        10,
        "MATHEMATICAL SANS-SERIF BOLD DIGIT ",
        "",
    ),
    ('\u{1D7F6}', 0, 10, "MATHEMATICAL MONOSPACE DIGIT ", ""),
];

/// The number a look-alike stands for and its name; none for ASCII digits and all other characters.
pub(super) fn lookalike(c: char) -> Option<(usize, String)> {
    RANGES
        .iter()
        .find_map(|&(first, number, n, before, after)| {
            let offset = (c as u32).checked_sub(first as u32).filter(|it| *it < n)?;
            let number = number + offset as usize;
            Some((number, format!("{before}{}{after}", NAMES[number])))
        })
}

/// The text with look-alikes written as ASCII digits; none when it has no look-alike.
pub(super) fn plain(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let mut found = false;
    for c in text.chars() {
        match lookalike(c) {
            Some((number, _)) => {
                found = true;
                plain.push_str(&number.to_string());
            }
            None => plain.push(c),
        }
    }
    found.then_some(plain)
}

/// Names the first look-alike: "② is CIRCLED DIGIT TWO, not 2".
pub(super) fn remark(text: &str) -> Option<String> {
    text.chars().find_map(|c| {
        let (number, name) = lookalike(c)?;
        Some(format!("{c} is {name}, not {number}"))
    })
}
