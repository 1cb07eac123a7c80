//! Numbers: what JSON takes, what it nearly takes, and what is kept as text.

use serde_json::Number;

/// What a token that looks like a number is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Numeral {
    /// JSON's own form. `exact` is false when i64, u64 and f64 do not keep the digits.
    Strict { number: Number, exact: bool },
    /// JSON5's form, or a cut one: `+1`, `.5`, `5.`, `2e`.
    Mended { number: Number, exact: bool },
    /// Digits that mean something else or lose something as a number: `007`, `1,234`, `0x1F`, `1/5`.
    AsText,
    /// A number beyond f64: there is no value for it.
    Overflow,
    /// No number at all.
    No,
}

/// Judges a token.
pub(super) fn numeral(token: &str) -> Numeral {
    if !token.bytes().any(|byte| byte.is_ascii_digit()) {
        return Numeral::No;
    }
    if is_strict(token) {
        return match parse(token) {
            Some(number) => Numeral::Strict {
                exact: is_exact(token, &number),
                number,
            },
            None => Numeral::Overflow,
        };
    }
    let mended = mend(token);
    if is_strict(&mended) {
        return match parse(&mended) {
            Some(number) => Numeral::Mended {
                exact: is_exact(&mended, &number),
                number,
            },
            None => Numeral::Overflow,
        };
    }
    let is_hex = token
        .strip_prefix("0x")
        .or(token.strip_prefix("0X"))
        .is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let is_numeric = token
        .chars()
        .all(|c| c.is_ascii_digit() || "+-.,_'eE/:%".contains(c));
    if is_hex || is_numeric {
        Numeral::AsText
    } else {
        Numeral::No
    }
}

/// Whether a token holds digits or signs that only look like ASCII ones.
pub(super) fn has_lookalike(token: &str) -> bool {
    token
        .chars()
        .any(|c| !c.is_ascii() && (c.is_numeric() || matches!(c, '−' | '－' | '＋' | '．')))
}

/// Whether a text is nothing but look-alike digits and the signs around them.
pub(super) fn is_lookalike(text: &str) -> bool {
    // Most texts begin with a letter.
    text.chars()
        .all(|c| c.is_numeric() || "−－＋．+-.,，".contains(c))
        && has_lookalike(text)
}

/// Whether the digits of a JSON number survive in the value made of it.
pub(super) fn is_exact(token: &str, number: &Number) -> bool {
    // f64 keeps 15 digits of every number.
    if number.is_i64() || number.is_u64() || token.len() <= 15 && !token.contains(['e', 'E']) {
        return true;
    }
    number
        .as_f64()
        .is_some_and(|float| digits(token) == digits(&format!("{float:e}")))
}

/// Whether a token is a number of JSON.
pub(super) fn is_strict(token: &str) -> bool {
    let rest = token.strip_prefix('-').unwrap_or(token);
    let n_whole = rest.bytes().take_while(u8::is_ascii_digit).count();
    if n_whole == 0 || (n_whole > 1 && rest.starts_with('0')) {
        return false;
    }
    let mut rest = &rest[n_whole..];
    if let Some(fraction) = rest.strip_prefix('.') {
        let n_digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
        if n_digits == 0 {
            return false;
        }
        rest = &fraction[n_digits..];
    }
    let Some(exponent) = rest.strip_prefix(['e', 'E']) else {
        return rest.is_empty();
    };
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    !exponent.is_empty() && exponent.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a token is a number that the end of the text cut.
pub(super) fn is_start(token: &str) -> bool {
    matches!(numeral(token), Numeral::Mended { .. }) || token == "-"
}

/// Drops a plus sign and an unfinished tail, and adds the zero before a point.
fn mend(token: &str) -> String {
    let token = token.strip_prefix('+').unwrap_or(token);
    let (sign, rest) = token
        .strip_prefix('-')
        .map_or(("", token), |rest| ("-", rest));
    let rest = rest.strip_suffix(['+', '-']).unwrap_or(rest);
    let rest = rest.strip_suffix(['e', 'E']).unwrap_or(rest);
    let mut mended = sign.to_owned();
    if rest.starts_with('.') {
        mended.push('0');
    }
    match rest.split_once('.') {
        Some((whole, after)) if after.is_empty() || after.starts_with(['e', 'E']) => {
            mended.push_str(whole);
            mended.push_str(if after.is_empty() { ".0" } else { after });
        }
        _ => mended.push_str(rest),
    }
    mended
}

fn parse(token: &str) -> Option<Number> {
    if token.bytes().all(|byte| byte.is_ascii_digit())
        && let Ok(number) = token.parse::<u64>()
    {
        return Some(number.into());
    }
    serde_json::from_str(token).ok()
}

/// The significant digits and the power of ten of the first: equal for equal numbers.
fn digits(token: &str) -> (String, i64) {
    let token = token.strip_prefix('-').unwrap_or(token);
    let (mantissa, exponent) = token.split_once(['e', 'E']).unwrap_or((token, "0"));
    let n = |n: usize| i64::try_from(n).unwrap_or(i64::MAX / 4);
    let exponent: i64 = exponent.parse().unwrap_or(i64::MIN / 2);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all: String = [whole, fraction].concat();
    let n_zeros = all.len() - all.trim_start_matches('0').len();
    let significant = all.trim_matches('0').to_owned();
    if significant.is_empty() {
        return (significant, 0);
    }
    (significant, exponent + n(whole.len()) - n(n_zeros))
}
