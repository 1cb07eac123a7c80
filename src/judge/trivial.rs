//! Values too common to tell where they come from.

use serde_json::{Number, Value};

use super::fold::{fold, is_ideograph};

/// Fewest characters of a text that can be a leak; shorter ones coincide too easily.
const MIN_CHARS: usize = 3;

/// The same for Chinese, Japanese and Korean, where two characters are a name.
const MIN_IDEOGRAPHS: usize = 2;

/// Fewest digits of a number that can be a leak wherever it stands.
const MIN_DIGITS: usize = 3;

/// Texts that say nothing, and units.
const COMMON: &[&str] = &[
    "",
    "-",
    "?",
    ".",
    "yes",
    "no",
    "true",
    "false",
    "ok",
    "okay",
    "none",
    "null",
    "nil",
    "nan",
    "n/a",
    "na",
    "unknown",
    "undefined",
    "unspecified",
    "not specified",
    "not provided",
    "not available",
    "not given",
    "not mentioned",
    "tbd",
    "empty",
    "other",
    "kg",
    "g",
    "mg",
    "lb",
    "lbs",
    "oz",
    "l",
    "ml",
    "m",
    "cm",
    "mm",
    "km",
    "pcs",
    "piece",
    "pieces",
    "each",
    "unit",
    "units",
    "usd",
    "eur",
    "krw",
    "cny",
    "am",
    "pm",
    "无",
    "没有",
    "未知",
    "不详",
    "暂无",
    "是",
    "否",
    "个",
    "없음",
    "미정",
    "모름",
    "예",
    "네",
    "아니오",
    "개",
];

/// Whether a value says so little that its source says nothing.
pub(super) fn is_common(value: &Value) -> bool {
    match value {
        Value::String(text) => {
            let text = fold(text);
            COMMON.contains(&text.as_str()) || text.parse().is_ok_and(|it| is_small(&it))
        }
        Value::Number(number) => is_small(number),
        _ => true,
    }
}

/// Whether a value of an example is recognised when it comes again. A number of two digits is so only at the
/// key where the example has it.
pub(super) fn is_distinctive(value: &Value, is_same_key: bool) -> bool {
    match value {
        Value::String(text) => {
            let text = fold(text);
            if let Ok(number) = text.parse::<Number>() {
                return is_distinctive_number(&number, is_same_key);
            }
            let n_ideographs = text.chars().filter(|it| is_ideograph(*it)).count();
            let enough = text.chars().count() >= MIN_CHARS || n_ideographs >= MIN_IDEOGRAPHS;
            enough && !COMMON.contains(&text.as_str())
        }
        Value::Number(number) => is_distinctive_number(number, is_same_key),
        _ => false,
    }
}

fn is_distinctive_number(number: &Number, is_same_key: bool) -> bool {
    let text = number.to_string();
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let digits = digits.trim_start_matches('0');
    // Round numbers are said everywhere.
    let is_round = digits.trim_end_matches('0').len() < 2;
    let is_whole = !number.is_f64();
    !is_round && (digits.len() >= MIN_DIGITS || (is_same_key && is_whole))
}

/// A count on the fingers, a round number, or a share of two digits.
fn is_small(number: &Number) -> bool {
    if let Some(number) = number.as_i64() {
        return number.abs() <= 10 || number == 100;
    }
    let share = number.as_f64().filter(|it| (0.0..=1.0).contains(it));
    share.is_some_and(|it| (it * 100.0 - (it * 100.0).round()).abs() < 1e-9)
}
