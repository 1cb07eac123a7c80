//! `--require`: a rate that must be reached, such as `schema>=0.9` or `greedy-schema:correct>0.5`.

use crate::lab::{Measure, Report};

/// One requirement.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Requirement {
    /// The row it is for; none: every row.
    row: Option<String>,
    measure: Measure,
    least: f64,
    /// The rate must be more than the least.
    is_strict: bool,
}

/// Names on the command line; the labels of tables have spaces in them.
const NAMES: [(&str, Measure); 5] = [
    ("as-is", Measure::AsIs),
    ("parses", Measure::Parses),
    ("schema", Measure::Schema),
    ("correct", Measure::Correct),
    ("leak-free", Measure::LeakFree),
];

impl Requirement {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let fault = || {
            format!(
                "{text} is no requirement; --require; write MEASURE>=RATE with a rate from 0 to 1 and one of {}",
                measures()
            )
        };
        let (left, right) = text.split_once('>').ok_or_else(fault)?;
        let (right, is_strict) = match right.strip_prefix('=') {
            Some(rest) => (rest, false),
            None => (right, true),
        };
        let (row, name) = match left.rsplit_once(':') {
            Some((row, name)) => (Some(row.trim().to_owned()), name),
            None => (None, left),
        };
        let name = name.trim().replace('_', "-");
        let measure = NAMES.iter().find(|it| it.0 == name);
        let unknown = || {
            format!(
                "there is no measure {name}; --require {text}; choose from {}",
                measures()
            )
        };
        let measure = measure.ok_or_else(unknown)?.1;
        let least: f64 = right
            .trim()
            .parse()
            .map_err(|_no_number: std::num::ParseFloatError| fault())?;
        if !(0.0..=1.0).contains(&least) {
            return Err(fault());
        }
        Ok(Self {
            row,
            measure,
            least,
            is_strict,
        })
    }

    /// Refuses a row that is none of these.
    pub(super) fn check_row(&self, rows: &[String]) -> Result<(), String> {
        let unknown = self.row.as_ref().filter(|it| !rows.contains(it));
        unknown.map_or(Ok(()), |it| {
            Err(format!(
                "there is no row {it}; --require; choose from {}",
                rows.join("; ")
            ))
        })
    }

    /// A sentence for each row that misses it. A row without judged replies misses it.
    pub(super) fn misses(&self, report: &Report<'_>) -> Vec<String> {
        let mut misses = Vec::new();
        let mut n_rows = 0;
        for part in &report.models {
            let asked = |label: &str| self.row.as_deref().is_none_or(|it| it == label);
            for row in part.results.rows.iter().filter(|it| asked(&it.label)) {
                n_rows += 1;
                let share = row.share(self.measure);
                let rate = share.n as f64 / share.of.max(1) as f64;
                let is_met =
                    share.of > 0 && (rate > self.least || !self.is_strict && rate >= self.least);
                if !is_met {
                    misses.push(format!(
                        "{} of {} on {}: {} where {}{} is required",
                        self.measure.label(),
                        row.label,
                        part.title,
                        share.text(),
                        if self.is_strict { "more than " } else { "" },
                        self.least
                    ));
                }
            }
        }
        if n_rows == 0 {
            misses.push(format!(
                "there is no row {}",
                self.row.as_deref().unwrap_or("at all")
            ));
        }
        misses
    }
}

fn measures() -> String {
    NAMES.map(|it| it.0).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, row: Option<&str>, measure: Measure, (least, is_strict): (f64, bool)) {
        let expected = Requirement {
            row: row.map(str::to_owned),
            measure,
            least,
            is_strict,
        };
        assert_eq!(Requirement::parse(text), Ok(expected));
    }

    #[test]
    fn requirements_name_measure_and_rate() {
        check("schema>=0.9", None, Measure::Schema, (0.9, false));
        check("leak-free > 0.5", None, Measure::LeakFree, (0.5, true));
        check(
            "greedy, plain:as_is>=1",
            Some("greedy, plain"),
            Measure::AsIs,
            (1.0, false),
        );
    }

    #[test]
    fn what_is_no_requirement_is_refused() {
        for text in [
            "schema",
            "schema<0.9",
            "beauty>=0.9",
            "schema>=90",
            "schema>=x",
        ] {
            let error = Requirement::parse(text).unwrap_err();
            assert!(error.contains("--require"), "{error}");
            assert!(
                error.contains("as-is, parses, schema, correct, leak-free"),
                "{error}"
            );
        }
    }

    #[test]
    fn a_row_that_is_none_is_refused_with_those_that_there_are() {
        let rows = ["greedy, plain", "greedy, example"].map(str::to_owned);
        let check = |text: &str| Requirement::parse(text).unwrap().check_row(&rows);
        assert_eq!(check("schema>=0.9"), Ok(()));
        assert_eq!(check("greedy, plain:schema>=0.9"), Ok(()));
        let error = check("gredy:schema>=0.9").unwrap_err();
        let text = "there is no row gredy; --require; choose from greedy, plain; greedy, example";
        assert_eq!(error, text);
    }
}
