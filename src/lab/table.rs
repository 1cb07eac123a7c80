//! A small table as text: aligned columns, or Markdown.

use super::visible::visible;

/// A table with a head; every row has a cell for each column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<String>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    pub title: String,
    /// Numbers stand at the right.
    pub is_number: bool,
}

impl Table {
    /// Columns aligned by spaces, two between them; Chinese, Japanese and Korean characters count as two wide.
    /// A terminal is told nothing by names: their control characters are shown.
    pub fn text(&self) -> String {
        let shown = self.shown();
        let widths = shown.widths();
        let head: Vec<_> = shown.columns.iter().map(|it| it.title.clone()).collect();
        let lines = std::iter::once(&head).chain(&shown.rows);
        let mut text = String::new();
        for row in lines {
            text.push_str(shown.line(row, &widths).join("  ").trim_end());
            text.push('\n');
        }
        text
    }

    /// A Markdown table; `|` in a cell is escaped.
    pub fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let head = self.columns.iter().map(|it| escaped(&it.title)).collect();
        let rule = self
            .columns
            .iter()
            .map(|it| if it.is_number { "--:" } else { "---" }.to_owned())
            .collect();
        let mut markdown = line(head) + &line(rule);
        for row in &self.rows {
            markdown += &line(row.iter().map(|it| escaped(it)).collect());
        }
        markdown
    }

    fn shown(&self) -> Self {
        let text = |it: &String| visible(it).replace(['\n', '\t'], " ");
        let columns = self.columns.iter().map(|it| Column {
            title: text(&it.title),
            is_number: it.is_number,
        });
        Self {
            columns: columns.collect(),
            rows: self
                .rows
                .iter()
                .map(|it| it.iter().map(text).collect())
                .collect(),
        }
    }

    fn widths(&self) -> Vec<usize> {
        let mut widths: Vec<_> = self.columns.iter().map(|it| width(&it.title)).collect();
        for row in &self.rows {
            for (cell, widest) in row.iter().zip(&mut widths) {
                *widest = width(cell).max(*widest);
            }
        }
        widths
    }

    fn line(&self, row: &[String], widths: &[usize]) -> Vec<String> {
        let cells = row.iter().zip(&self.columns).zip(widths);
        cells
            .map(|((cell, column), widest)| {
                let space = " ".repeat(widest - width(cell));
                if column.is_number {
                    format!("{space}{cell}")
                } else {
                    format!("{cell}{space}")
                }
            })
            .collect()
    }
}

/// What would end the cell, or be markup, stands there as text.
fn escaped(cell: &str) -> String {
    let mut res = String::with_capacity(cell.len());
    let cell = visible(cell);
    let mut before = ' ';
    for sign in cell.chars() {
        let is_mark = matches!(sign, '|' | '\\' | '`' | '<') || (before == ']' && sign == '(');
        if is_mark {
            res.push('\\');
        }
        res.push(if sign == '\n' { ' ' } else { sign });
        before = sign;
    }
    res
}

/// Columns that a terminal gives a text, as far as our names need it.
fn width(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}
