//! Statistics against values that were worked out elsewhere.

use crate::lab::{Decision, Pairs, quantile, wilson};

#[track_caller]
fn check_wilson(n: usize, of: usize, (low, high): (f64, f64)) {
    let found = wilson(n, of);
    assert!((found.low - low).abs() < 5e-5, "{found:?}");
    assert!((found.high - high).abs() < 5e-5, "{found:?}");
}

/// Worked out by hand from Wilson's formula, with four places: 18/24, 1/24, the ends, and one published in
/// Newcombe (1998), table I: 81 of 263.
#[test]
fn wilson_intervals_are_as_published() {
    check_wilson(81, 263, (0.2553, 0.3662));
    check_wilson(15, 148, (0.0624, 0.1605));
    check_wilson(0, 20, (0.0, 0.1611));
    check_wilson(1, 29, (0.0061, 0.1718));
    check_wilson(24, 24, (0.8620, 1.0));
}

#[test]
fn nothing_counted_may_be_anything() {
    check_wilson(0, 0, (0.0, 1.0));
}

/// The exact p from the binomial distribution, summed by hand as fractions of powers of two.
#[track_caller]
fn check_p(n_lost: usize, n_won: usize, expected: f64) {
    let pairs = Pairs {
        n_same: 3,
        n_lost,
        n_won,
    };
    assert!((pairs.p() - expected).abs() < 1e-12, "{}", pairs.p());
}

#[test]
fn the_paired_test_is_exact() {
    check_p(0, 0, 1.0);
    check_p(1, 0, 1.0);
    check_p(5, 0, 2.0 / 32.0);
    check_p(0, 6, 2.0 / 64.0);
    check_p(8, 1, 2.0 * 10.0 / 512.0);
    check_p(4, 4, 1.0);
    check_p(10, 2, 2.0 * (1.0 + 12.0 + 66.0) / 4096.0);
}

#[test]
fn thousands_of_pairs_do_not_overflow() {
    let pairs = Pairs {
        n_same: 0,
        n_lost: 4_000,
        n_won: 1_000,
    };
    assert!(pairs.p() < 1e-300);
    let even = Pairs {
        n_same: 0,
        n_lost: 3_000,
        n_won: 3_000,
    };
    assert!((even.p() - 1.0).abs() < 1e-9);
}

#[track_caller]
fn check_decision((n_same, n_lost, n_won): (usize, usize, usize), expected: Decision) {
    let pairs = Pairs {
        n_same,
        n_lost,
        n_won,
    };
    assert_eq!(pairs.decision(), expected);
}

#[test]
fn few_pairs_decide_nothing() {
    check_decision((0, 0, 0), Decision::Unpaired);
    check_decision((9, 0, 0), Decision::Same);
    check_decision((9, 5, 0), Decision::TooFew);
    check_decision((9, 6, 0), Decision::Worse);
    check_decision((0, 0, 6), Decision::Better);
}

#[test]
fn quantiles_lie_between_values() {
    assert_eq!(quantile(&[], 0.5), None);
    assert_eq!(quantile(&[7.0], 0.9), Some(7.0));
    assert_eq!(quantile(&[4.0, 1.0, 3.0, 2.0], 0.5), Some(2.5));
    // R: quantile(c(15, 20, 35, 40, 50), 0.4) is 29.
    let found = quantile(&[50.0, 15.0, 40.0, 20.0, 35.0], 0.4).unwrap();
    assert!((found - 29.0).abs() < 1e-9);
}
