//! Chinese and Korean numerals in a text.

use super::numerals::Numeral;

/// Digits of Chinese and of Korean's Chinese-born series.
const DIGITS: &[(char, f64)] = &[
    ('零', 0.0),
    ('〇', 0.0),
    ('一', 1.0),
    ('壹', 1.0),
    ('二', 2.0),
    ('贰', 2.0),
    ('两', 2.0),
    ('兩', 2.0),
    ('三', 3.0),
    ('叁', 3.0),
    ('四', 4.0),
    ('肆', 4.0),
    ('五', 5.0),
    ('伍', 5.0),
    ('六', 6.0),
    ('陆', 6.0),
    ('七', 7.0),
    ('柒', 7.0),
    ('八', 8.0),
    ('捌', 8.0),
    ('九', 9.0),
    ('玖', 9.0),
    ('半', 0.5),
    ('영', 0.0),
    ('공', 0.0),
    ('일', 1.0),
    ('이', 2.0),
    ('삼', 3.0),
    ('사', 4.0),
    ('오', 5.0),
    ('육', 6.0),
    ('칠', 7.0),
    ('팔', 8.0),
    ('구', 9.0),
];

/// What multiplies the digit before it.
const UNITS: &[(char, f64)] = &[
    ('十', 1e1),
    ('拾', 1e1),
    ('百', 1e2),
    ('佰', 1e2),
    ('千', 1e3),
    ('仟', 1e3),
    ('万', 1e4),
    ('萬', 1e4),
    ('亿', 1e8),
    ('億', 1e8),
    ('십', 1e1),
    ('백', 1e2),
    ('천', 1e3),
    ('만', 1e4),
    ('억', 1e8),
];

/// Korean's own tens and ones, the longer spelling of each first.
const NATIVE_TENS: &[(&str, f64)] = &[
    ("열", 10.0),
    ("스물", 20.0),
    ("스무", 20.0),
    ("서른", 30.0),
    ("마흔", 40.0),
    ("쉰", 50.0),
    ("예순", 60.0),
    ("일흔", 70.0),
    ("여든", 80.0),
    ("아흔", 90.0),
];
const NATIVE_ONES: &[(&str, f64)] = &[
    ("하나", 1.0),
    ("한", 1.0),
    ("둘", 2.0),
    ("두", 2.0),
    ("셋", 3.0),
    ("세", 3.0),
    ("넷", 4.0),
    ("네", 4.0),
    ("다섯", 5.0),
    ("여섯", 6.0),
    ("일곱", 7.0),
    ("여덟", 8.0),
    ("아홉", 9.0),
];

/// Adds all numerals of the text. Lenient: a syllable that is a numeral by chance counts too, since a small number
/// has no source worth naming, and a large one is never written by chance.
pub(super) fn numerals(text: &str, found: &mut Vec<Numeral>) {
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if let Some((value, len)) = native(rest) {
            let end = at + len;
            found.push(Numeral {
                value,
                start: at,
                end,
            });
        }
        let run: usize = rest
            .chars()
            .take_while(|it| digit(*it).is_some() || unit(*it).is_some())
            .map(char::len_utf8)
            .sum();
        if run == 0 {
            at += c.len_utf8();
            continue;
        }
        for value in readings(&rest[..run]) {
            found.push(Numeral {
                value,
                start: at,
                end: at + run,
            });
        }
        at += run;
    }
}

/// Korean's own numerals: `스물다섯` is 25.
fn native(text: &str) -> Option<(f64, usize)> {
    let starting = |table: &[(&str, f64)], text: &str| {
        table
            .iter()
            .find(|it| text.starts_with(it.0))
            .map(|it| (it.1, it.0.len()))
    };
    let Some((tens, len)) = starting(NATIVE_TENS, text) else {
        return starting(NATIVE_ONES, text);
    };
    match starting(NATIVE_ONES, &text[len..]) {
        Some((ones, more)) => Some((tens + ones, len + more)),
        None => Some((tens, len)),
    }
}

/// With its units, digit by digit (`二〇二六`), and each digit alone.
fn readings(run: &str) -> Vec<f64> {
    let by_digit: Option<String> = run.chars().map(|it| digit(it).map(plain)).collect();
    let mut readings = vec![with_units(run)];
    readings.extend(by_digit.and_then(|it| it.parse::<f64>().ok()));
    readings.extend(run.chars().filter_map(digit));
    readings
}

fn plain(digit: f64) -> char {
    char::from_digit(digit as u32, 10).unwrap_or('0')
}

fn with_units(run: &str) -> f64 {
    let (mut total, mut section, mut last) = (0.0_f64, 0.0_f64, None);
    for c in run.chars() {
        if let Some(factor) = unit(c) {
            if factor >= 1e4 {
                total += (section + last.take().unwrap_or(0.0)).max(1.0) * factor;
                section = 0.0;
            } else {
                section += last.take().unwrap_or(1.0) * factor;
            }
        } else {
            last = digit(c);
        }
    }
    total + section + last.unwrap_or(0.0)
}

fn digit(c: char) -> Option<f64> {
    DIGITS.iter().find(|it| it.0 == c).map(|it| it.1)
}

fn unit(c: char) -> Option<f64> {
    UNITS.iter().find(|it| it.0 == c).map(|it| it.1)
}
