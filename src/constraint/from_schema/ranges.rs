//! Whole numbers between two bounds, digit by digit.

use super::expression::{Expression, class};

/// Numbers from this one on, without zeros in front.
pub(super) fn at_least(low: u64) -> Expression {
    let text = low.to_string();
    let longer =
        Expression::sequence([digits(1, 9), digits(0, 9).repeated(text.len() as u64, None)]);
    if low == 0 {
        return Expression::choice([
            Expression::literal("0"),
            Expression::sequence([digits(1, 9), digits(0, 9).repeated(0, None)]),
        ]);
    }
    let most = "9".repeat(text.len());
    Expression::choice([of_length(&text, &most), longer])
}

/// Numbers from one to another, both included, without zeros in front.
pub(super) fn between(low: u64, high: u64) -> Expression {
    let (low, high) = (low.to_string(), high.to_string());
    let mut parts = Vec::new();
    for n_digits in low.len()..=high.len() {
        let least = if n_digits == low.len() {
            low.clone()
        } else {
            format!("1{}", "0".repeat(n_digits - 1))
        };
        let most = if n_digits == high.len() {
            high.clone()
        } else {
            "9".repeat(n_digits)
        };
        parts.push(of_length(&least, &most));
    }
    Expression::choice(parts)
}

/// Numbers of as many digits as both bounds have.
fn of_length(low: &str, high: &str) -> Expression {
    let (Some(a), Some(b)) = (first(low), first(high)) else {
        return Expression::atom("");
    };
    let (low_rest, high_rest) = (rest(low), rest(high));
    let n_rest = low_rest.len() as u64;
    if a == b {
        return Expression::sequence([digits(a, a), of_length(low_rest, high_rest)]);
    }
    let lowest = low_rest.bytes().all(|it| it == b'0');
    let highest = high_rest.bytes().all(|it| it == b'9');
    let mut parts = Vec::new();
    if !lowest {
        let nines = "9".repeat(low_rest.len());
        parts.push(Expression::sequence([
            digits(a, a),
            of_length(low_rest, &nines),
        ]));
    }
    let (from, to) = (a + u8::from(!lowest), b.saturating_sub(u8::from(!highest)));
    if from <= to {
        parts.push(Expression::sequence([
            digits(from, to),
            digits(0, 9).repeated(n_rest, Some(n_rest)),
        ]));
    }
    if !highest {
        let zeros = "0".repeat(high_rest.len());
        parts.push(Expression::sequence([
            digits(b, b),
            of_length(&zeros, high_rest),
        ]));
    }
    Expression::choice(parts)
}

fn first(text: &str) -> Option<u8> {
    text.bytes().next().map(|it| it - b'0')
}

fn rest(text: &str) -> &str {
    text.get(1..).unwrap_or_default()
}

/// One digit from a range.
fn digits(from: u8, to: u8) -> Expression {
    if from == to {
        return Expression::literal(&from.to_string());
    }
    class(&[(0x30 + u32::from(from), 0x30 + u32::from(to))], false)
}
