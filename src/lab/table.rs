//! A small table as text: aligned columns, or Markdown.

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
    pub fn text(&self) -> String {
        let widths = self.widths();
        let head: Vec<_> = self.columns.iter().map(|it| it.title.clone()).collect();
        let lines = std::iter::once(&head).chain(&self.rows);
        let mut text = String::new();
        for row in lines {
            text.push_str(self.line(row, &widths).join("  ").trim_end());
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

fn escaped(cell: &str) -> String {
    cell.replace('|', "\\|").replace('\n', " ")
}

/// Columns that a terminal gives a text, as far as our names need it.
fn width(text: &str) -> usize {
    let is_wide = |c: char| matches!(c, '\u{1100}'..='\u{115F}' | '\u{2E80}'..='\u{A4CF}' | '\u{AC00}'..='\u{D7A3}' | '\u{F900}'..='\u{FAFF}' | '\u{FE30}'..='\u{FE6F}' | '\u{FF00}'..='\u{FF60}');
    text.chars().map(|it| 1 + usize::from(is_wide(it))).sum()
}
