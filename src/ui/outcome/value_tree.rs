//! The value as a tree that folds; a fault is marked at its place.

use std::collections::BTreeSet;

use eframe::egui::text::{LayoutJob, TextWrapping};
use eframe::egui::{Align2, CursorIcon, Rect, Response, Role, Sense, Ui, WidgetInfo, vec2};
use serde_json::Value;

use crate::judge::Fault;
use crate::ui::theme::{self, Tone, icons, palette};
use crate::ui::widgets::{card, note};

/// Rows that are made at most: a loop can write thousands of items.
const MAX_ROWS: usize = 400;
/// Characters of a string that are drawn; the rest is shown on hover.
const MAX_CHARS: usize = 300;
const INDENT: f32 = 14.0;
/// How strongly what is not whole yet is drawn.
const FAINT: f32 = 0.5;

/// One row of the tree.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TreeRow {
    pub(crate) depth: usize,
    /// JSON pointer of the value.
    pub(crate) pointer: String,
    /// Key or index; none at the root.
    pub(crate) key: Option<String>,
    pub(crate) text: String,
    pub(crate) kind: Kind,
    /// Whether it can be folded, and is not.
    pub(crate) open: Option<bool>,
    pub(crate) fault: Option<String>,
    /// Where the value comes from, or what else there is to say of it.
    pub(crate) word: Option<(String, Tone)>,
    /// It is not whole yet.
    pub(crate) faint: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Number,
    Word,
    Branch,
}

/// What the tree shows of a value, and how many rows were left out.
pub(crate) struct Tree<'a> {
    pub(crate) rows: Vec<TreeRow>,
    pub(crate) is_cut: bool,
    /// A click on a row leads to its place; only its caret folds it.
    pub(crate) leads: bool,
    /// JSON pointer of the row that is pointed at from elsewhere.
    pub(crate) lit: Option<String>,
    folded: &'a BTreeSet<String>,
    faults: &'a [Fault],
}

impl<'a> Tree<'a> {
    pub(crate) fn new(value: &Value, folded: &'a BTreeSet<String>, faults: &'a [Fault]) -> Self {
        let mut tree = Self {
            rows: Vec::new(),
            is_cut: false,
            leads: false,
            lit: None,
            folded,
            faults,
        };
        tree.add(value, (0, String::new(), None));
        tree
    }

    fn add(&mut self, value: &Value, (depth, pointer, key): (usize, String, Option<String>)) {
        if self.rows.len() >= MAX_ROWS {
            self.is_cut = true;
            return;
        }
        let can_fold = match value {
            Value::Object(map) => !map.is_empty(),
            Value::Array(list) => !list.is_empty(),
            _ => false,
        };
        let is_open = can_fold && !self.folded.contains(&pointer);
        let (text, kind) = summary(value, is_open);
        let fault = self.faults.iter().find(|it| it.instance_path == pointer);
        self.rows.push(TreeRow {
            depth,
            pointer: pointer.clone(),
            key,
            text,
            kind,
            open: can_fold.then_some(is_open),
            fault: fault.map(|it| it.message.clone()),
            word: None,
            faint: false,
        });
        if !is_open {
            return;
        }
        for (key, child) in children(value) {
            if self.is_cut {
                return;
            }
            let step = key.replace('~', "~0").replace('/', "~1");
            self.add(child, (depth + 1, format!("{pointer}/{step}"), Some(key)));
        }
    }
}

/// What a click in the tree asks for; each names the JSON pointer of its row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TreeClick {
    Fold(String),
    Lead(String),
}

pub(crate) fn tree_ui(tree: &Tree<'_>, ui: &mut Ui) -> Option<TreeClick> {
    let frame = card(ui).fill(palette(ui).well);
    let shown = frame.show(ui, |ui| {
        let mut clicked = None;
        ui.set_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = 0.0;
        for row in &tree.rows {
            let is_lit = tree.lit.as_ref() == Some(&row.pointer);
            let click = row_ui(row, (tree.leads, is_lit), ui);
            clicked = click.or(clicked);
        }
        if tree.is_cut {
            note(ui, format!("Only the first {MAX_ROWS} rows are shown."));
        }
        clicked
    });
    shown.inner
}

/// Made one by one, because a list may have far more than is shown.
fn children(value: &Value) -> Box<dyn Iterator<Item = (String, &Value)> + '_> {
    match value {
        Value::Object(map) => Box::new(map.iter().map(|(key, it)| (key.clone(), it))),
        Value::Array(list) => {
            let items = list.iter().enumerate();
            Box::new(items.map(|(idx, it)| (idx.to_string(), it)))
        }
        _ => Box::new(std::iter::empty()),
    }
}

/// A value in a row of its own: a branch as its brackets.
pub(super) fn scalar(value: &Value) -> (String, Kind) {
    summary(value, true)
}

fn summary(value: &Value, is_open: bool) -> (String, Kind) {
    let count = |n: usize, one: &str, many: &str| {
        if n == 1 {
            format!("1 {one}")
        } else {
            format!("{n} {many}")
        }
    };
    match value {
        Value::Object(map) if map.is_empty() => ("{}".to_owned(), Kind::Branch),
        Value::Array(list) if list.is_empty() => ("[]".to_owned(), Kind::Branch),
        Value::Object(_) if is_open => ("{ }".to_owned(), Kind::Branch),
        Value::Array(_) if is_open => ("[ ]".to_owned(), Kind::Branch),
        Value::Object(map) => {
            let text = format!("{{ {} }}", count(map.len(), "key", "keys"));
            (text, Kind::Branch)
        }
        Value::Array(list) => {
            let text = format!("[ {} ]", count(list.len(), "item", "items"));
            (text, Kind::Branch)
        }
        Value::String(_) => {
            let text: String = value.to_string().chars().take(MAX_CHARS).collect();
            (text, Kind::Text)
        }
        Value::Number(number) => (number.to_string(), Kind::Number),
        Value::Bool(_) | Value::Null => (value.to_string(), Kind::Word),
    }
}

pub(super) fn row_ui(
    row: &TreeRow,
    (leads, is_lit): (bool, bool),
    ui: &mut Ui,
) -> Option<TreeClick> {
    let colours = palette(ui);
    let is_button = leads || row.open.is_some();
    let sense = if is_button {
        Sense::click()
    } else {
        Sense::hover()
    };
    let size = vec2(ui.available_width(), theme::TREE_ROW);
    let (rect, response) = ui.allocate_exact_size(size, sense);
    let key = row.key.as_deref().unwrap_or("value");
    let end = if row.faint { ", still open" } else { "" };
    let name = format!("{key}: {}{end}", row.text);
    response.widget_info(|| match row.open {
        Some(open) => WidgetInfo::selected(Role::TreeItem, true, open, &name),
        None => WidgetInfo::labeled(Role::TreeItem, true, &name),
    });
    if !ui.is_rect_visible(rect) {
        return click(row, leads, &response);
    }
    let is_touched = response.hovered() && is_button || response.has_focus();
    if is_touched || is_lit {
        let fill = if is_lit {
            colours.accent_soft
        } else {
            colours.raised
        };
        ui.painter()
            .rect_filled(rect.expand2(vec2(4.0, 0.0)), 4, fill);
    }
    let is_elided = words_ui(row, ui, rect);
    let shown = row.fault.as_ref().or(is_elided.then_some(&row.text));
    let response = match shown {
        Some(text) => response.on_hover_text(text),
        None => response,
    };
    let response = if is_button {
        response.on_hover_cursor(CursorIcon::PointingHand)
    } else {
        response
    };
    click(row, leads, &response)
}

fn click(row: &TreeRow, leads: bool, response: &Response) -> Option<TreeClick> {
    if !response.clicked() {
        return None;
    }
    let end_of_caret = response.rect.left() + INDENT * row.depth as f32 + INDENT;
    let at = response.interact_pointer_pos();
    let is_on_caret = at.is_some_and(|it| it.x < end_of_caret);
    let pointer = row.pointer.clone();
    match row.open {
        Some(_) if !leads || is_on_caret => Some(TreeClick::Fold(pointer)),
        _ => leads.then_some(TreeClick::Lead(pointer)),
    }
}

/// A key with white space at its edges shows it.
fn shown_key(key: &str) -> String {
    if key.is_empty() || key.trim() != key {
        format!("{key:?}")
    } else {
        key.to_owned()
    }
}

/// Says whether the text had no room.
fn words_ui(row: &TreeRow, ui: &Ui, rect: Rect) -> bool {
    let colours = palette(ui);
    let painter = ui.painter_at(rect);
    let font = theme::mono(12.0);
    let mut place = rect.left_center() + vec2(INDENT * row.depth as f32 + INDENT, 0.0);
    if let Some(open) = row.open {
        let caret = if open {
            icons::CARET_DOWN
        } else {
            icons::CARET_RIGHT
        };
        let at = place - vec2(8.0, 0.0);
        let small = theme::regular(10.0);
        painter.text(at, Align2::CENTER_CENTER, caret, small, colours.weak);
    }
    let strength = if row.faint { FAINT } else { 1.0 };
    if let Some(key) = &row.key {
        let key = format!("{}: ", shown_key(key));
        let drawn = painter.text(
            place,
            Align2::LEFT_CENTER,
            key,
            font.clone(),
            colours.accent.gamma_multiply(strength),
        );
        place.x = drawn.right();
    }
    if row.fault.is_some() {
        let at = rect.right_center() - vec2(8.0, 0.0);
        let sign = theme::icon_fill(13.0);
        painter.text(
            at,
            Align2::CENTER_CENTER,
            icons::X_CIRCLE,
            sign,
            colours.bad,
        );
    }
    let color = match row.kind {
        Kind::Text => colours.good,
        Kind::Number => colours.warn,
        Kind::Word => colours.text,
        Kind::Branch => colours.faint,
    }
    .gamma_multiply(strength);
    let mut room = if row.fault.is_some() { 20.0 } else { 0.0 };
    if let Some((word, tone)) = &row.word {
        let at = rect.right_center() - vec2(room, 0.0);
        let small = theme::regular(theme::TINY);
        let drawn = painter.text(at, Align2::RIGHT_CENTER, word, small, colours.tone(*tone));
        room += drawn.width() + 8.0;
    }
    let mut job = LayoutJob::simple_singleline(row.text.clone(), font, color);
    job.wrap = TextWrapping::truncate_at_width((rect.right() - room - place.x).max(20.0));
    let galley = painter.layout_job(job);
    let is_elided = galley.elided;
    place.y -= galley.size().y / 2.0;
    painter.galley(place, galley, color);
    is_elided
}
