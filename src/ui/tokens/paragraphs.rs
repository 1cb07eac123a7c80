//! A reply cut into paragraphs that are laid out once: only the one that grows is laid out again.

use std::sync::Arc;

use eframe::egui::text::{LayoutJob, TextFormat};
use eframe::egui::{Color32, Galley, Rect, Ui, pos2};

use crate::engine::TokenEvent;
use crate::sampling::TokenId;
use crate::ui::theme::{self, palette};

/// A paragraph with more rows than this gives up all but its last one, which alone can still change.
const MAX_OPEN_ROWS: usize = 6;
/// Shown where a token breaks the line, so that a loop of line breaks can be seen and asked.
const LINE_BREAK: &str = "↵";

/// The part of one token that stands in one paragraph.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Run {
    pub(super) token: usize,
    pub(super) text: String,
    ink: Ink,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ink {
    Plain,
    /// Forced by the constraint, or a line break's mark.
    Faint,
}

#[derive(Debug, Default)]
pub(super) struct Paragraph {
    pub(super) runs: Vec<Run>,
    pub(super) laid: Option<Laid>,
}

/// A paragraph's text in its place, and the box of each token in it.
#[derive(Debug)]
pub(super) struct Laid {
    pub(super) galley: Arc<Galley>,
    pub(super) boxes: Vec<(usize, Rect)>,
    pub(super) height: f32,
}

/// All paragraphs of a reply, and which of its tokens they hold.
#[derive(Debug, Default)]
pub(super) struct Paragraphs {
    pub(super) list: Vec<Paragraph>,
    n_taken: usize,
    /// Ids of the first and the last token taken, by which another reply is known.
    ends: Option<(TokenId, TokenId)>,
}

impl Paragraphs {
    /// Takes in the tokens that are new. Says whether they are those of another reply.
    pub(super) fn take(&mut self, tokens: &[TokenEvent]) -> bool {
        let is_other = ends(tokens, self.n_taken) != self.ends;
        if is_other {
            *self = Self::default();
        }
        for (token, event) in tokens.iter().enumerate().skip(self.n_taken) {
            self.push(token, event);
        }
        self.n_taken = tokens.len();
        self.ends = ends(tokens, self.n_taken);
        is_other
    }

    /// Lays out what has no layout yet.
    pub(super) fn lay_out(&mut self, ui: &Ui, width: f32) {
        let mut idx = 0;
        while let Some(paragraph) = self.list.get_mut(idx) {
            if paragraph.laid.is_none() {
                paragraph.lay_out(ui, width);
            }
            idx += 1;
            if idx == self.list.len() && self.freeze() {
                idx -= 1;
            }
        }
    }

    pub(super) fn height(&self) -> f32 {
        let laid = self.list.iter().filter_map(|it| it.laid.as_ref());
        laid.map(|it| it.height).sum()
    }

    fn push(&mut self, token: usize, event: &TokenEvent) {
        let ink = if event.trace.n_legal == Some(1) {
            Ink::Faint
        } else {
            Ink::Plain
        };
        for (idx, text) in event.text.split('\n').enumerate() {
            if idx > 0 {
                self.add_run(token, LINE_BREAK, Ink::Faint);
                self.list.push(Paragraph::default());
            }
            self.add_run(token, text, ink);
        }
    }

    fn add_run(&mut self, token: usize, text: &str, ink: Ink) {
        if self.list.is_empty() {
            self.list.push(Paragraph::default());
        }
        let Some(last) = self.list.last_mut() else {
            return;
        };
        if !text.is_empty() {
            last.laid = None;
            last.runs.push(Run {
                token,
                text: text.to_owned(),
                ink,
            });
        }
    }

    /// Wrapping is greedy, so every row but the last is final: they become a paragraph of their own.
    /// Says whether that happened; both halves are to be laid out then.
    fn freeze(&mut self) -> bool {
        let Some(last) = self.list.last_mut() else {
            return false;
        };
        let n_final = last.laid.as_ref().map_or(0, Laid::n_final_chars);
        if n_final == 0 {
            return false;
        }
        let rest = split_off(&mut last.runs, n_final);
        last.laid = None;
        self.list.push(Paragraph {
            runs: rest,
            laid: None,
        });
        true
    }
}

impl Laid {
    /// Characters in rows that no later token can change; 0 while there are few rows.
    fn n_final_chars(&self) -> usize {
        let rows = &self.galley.rows;
        if rows.len() <= MAX_OPEN_ROWS {
            return 0;
        }
        let final_rows = &rows[..rows.len() - 1];
        final_rows.iter().map(|it| it.glyphs.len()).sum()
    }
}

impl Paragraph {
    fn lay_out(&mut self, ui: &Ui, width: f32) {
        let colours = palette(ui);
        let mut job = LayoutJob::default();
        job.wrap.max_width = width;
        for run in &self.runs {
            let color = match run.ink {
                Ink::Plain => colours.text,
                Ink::Faint => colours.faint.gamma_multiply(0.8),
            };
            job.append(&run.text, 0.0, format(color));
        }
        let galley = ui.fonts_mut(|it| it.layout_job(job));
        let boxes = boxes(&galley, &self.runs);
        let height = galley.size().y.max(theme::REPLY_ROW);
        self.laid = Some(Laid {
            galley,
            boxes,
            height,
        });
    }
}

/// Leaves the first `n_chars` characters in `runs` and returns the others.
pub(super) fn split_off(runs: &mut Vec<Run>, n_chars: usize) -> Vec<Run> {
    let mut n_seen = 0;
    for idx in 0..runs.len() {
        let n_run = runs[idx].text.chars().count();
        if n_seen + n_run > n_chars {
            let mut rest = runs.split_off(idx);
            let keep: String = rest[0].text.chars().take(n_chars - n_seen).collect();
            if !keep.is_empty() {
                let tail = rest[0].text.split_off(keep.len());
                runs.push(Run {
                    text: keep,
                    ..rest[0].clone()
                });
                rest[0].text = tail;
            }
            return rest;
        }
        n_seen += n_run;
    }
    Vec::new()
}

fn ends(tokens: &[TokenEvent], n: usize) -> Option<(TokenId, TokenId)> {
    let last = tokens.get(n.checked_sub(1)?)?;
    Some((tokens.first()?.token, last.token))
}

fn format(color: Color32) -> TextFormat {
    TextFormat {
        line_height: Some(theme::REPLY_ROW),
        ..TextFormat::simple(theme::mono(theme::REPLY), color)
    }
}

/// One box a token and row, from the glyphs' places.
fn boxes(galley: &Galley, runs: &[Run]) -> Vec<(usize, Rect)> {
    let mut owners = runs
        .iter()
        .flat_map(|run| run.text.chars().map(|_| run.token));
    let mut boxes: Vec<(usize, Rect)> = Vec::new();
    for row in &galley.rows {
        let (top, bottom) = (row.pos.y, row.pos.y + row.size.y);
        let mut is_new_row = true;
        for glyph in &row.glyphs {
            let Some(token) = owners.next() else { break };
            let left = row.pos.x + glyph.pos.x;
            let right = left + glyph.advance_width;
            match boxes.last_mut() {
                Some((last, rect)) if *last == token && !is_new_row => rect.max.x = right,
                _ => boxes.push((
                    token,
                    Rect::from_min_max(pos2(left, top), pos2(right, bottom)),
                )),
            }
            is_new_row = false;
        }
    }
    boxes
}
