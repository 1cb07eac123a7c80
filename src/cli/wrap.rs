//! Breaks text into lines for a column of a terminal.

use unicode_width::UnicodeWidthChar as _;

/// A line under way, and where it can be broken.
#[derive(Default)]
struct Row {
    text: String,
    n_cells: usize,
    /// Bytes and cells in front of the last place at which a line may end.
    last_break: Option<(usize, usize)>,
}

/// Lines of at most `width` terminal cells, broken between words; a word that is longer is broken where the line ends.
/// Every character stays, but for spaces that would stand at a line's beginning for want of room at the end of the
/// line before. Control characters become visible.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    text.split('\n')
        .flat_map(|it| wrap_line(it, width))
        .collect()
}

fn wrap_line(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut row = Row::default();
    for c in text.chars() {
        let shown = if c.is_control() { '␣' } else { c };
        let n_cells = shown.width().unwrap_or(0);
        if row.n_cells + n_cells > width {
            if shown == ' ' {
                lines.push(std::mem::take(&mut row).text);
                continue;
            }
            row.break_before(n_cells, &mut lines);
        }
        row.push(shown, n_cells);
    }
    lines.push(row.text);
    lines
}

impl Row {
    fn push(&mut self, c: char, n_cells: usize) {
        // Chinese, Japanese and Korean may break at either side of each character.
        if n_cells > 1 {
            self.allow_break();
        }
        self.text.push(c);
        self.n_cells += n_cells;
        if n_cells > 1 || c == ' ' {
            self.allow_break();
        }
    }

    fn allow_break(&mut self) {
        if !self.text.is_empty() {
            self.last_break = Some((self.text.len(), self.n_cells));
        }
    }

    /// Puts what stands before the last place to break into `lines` and keeps the rest.
    fn break_before(&mut self, n_cells: usize, lines: &mut Vec<String>) {
        let here = (self.text.len(), self.n_cells);
        // A wide character can itself be put on the next line.
        let at = self.last_break.filter(|_| n_cells < 2).unwrap_or(here);
        let rest = self.text.split_off(at.0);
        lines.push(std::mem::replace(&mut self.text, rest));
        self.n_cells -= at.1;
        self.last_break = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, width: usize, expected: &[&str]) {
        assert_eq!(wrap(text, width), expected);
    }

    #[test]
    fn lines_are_broken_between_words() {
        check("end of generation", 12, &["end of ", "generation"]);
        check("one two", 3, &["one", "two"]);
        check("one  two", 3, &["one", " ", "two"]);
        check("column 27: a colon", 9, &["column ", "27: a ", "colon"]);
    }

    #[test]
    fn a_word_that_is_too_long_is_broken_at_the_width() {
        check("abcdef", 4, &["abcd", "ef"]);
        check("an abcdefgh", 4, &["an ", "abcd", "efgh"]);
    }

    #[test]
    fn chinese_takes_two_cells_a_character() {
        check("牛奶鸡蛋", 5, &["牛奶", "鸡蛋"]);
        check("买 牛奶鸡蛋", 7, &["买 牛奶", "鸡蛋"]);
        check("牛奶milk", 6, &["牛奶", "milk"]);
    }

    #[test]
    fn line_breaks_are_kept_and_control_characters_shown() {
        check("a\n\tb", 9, &["a", "␣b"]);
        check("a\n\nb\n", 9, &["a", "", "b", ""]);
        check("", 9, &[""]);
    }

    #[test]
    fn a_column_of_one_cell_comes_to_an_end() {
        check("牛a", 1, &["", "牛", "a"]);
    }
}
