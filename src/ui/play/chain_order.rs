//! The order of the chain: stages as rows that are moved by dragging or by the arrow keys.

use eframe::egui::{
    Align2, CursorIcon, EventFilter, Key, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui,
    WidgetInfo, pos2, vec2,
};

use crate::sampling::{Knob, Knobs, Order, Stage};
use crate::ui::theme::{self, icons, palette};
use crate::ui::tokens::stage_name;
use crate::ui::widgets::{note, quiet_button};

const ROW: f32 = 24.0;

/// One stage, as its row says it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct StageRow {
    pub(super) stage: Stage,
    pub(super) name: String,
    /// Whether a knob switches it on; the mask is always ready.
    pub(super) is_on: bool,
    /// Why it changes nothing although it is switched on.
    pub(super) idle: Option<String>,
}

/// Stages in their order, and those that the order leaves out.
pub(super) fn stage_rows(knobs: &Knobs) -> (Vec<StageRow>, Vec<StageRow>) {
    let idle = knobs.idle();
    let row = |stage: Stage| {
        let of_stage = |it: &Knob| it.spec().stage == Some(stage);
        let mut knobs_of_stage = Knob::ALL.into_iter().filter(of_stage);
        let reason = idle.iter().find(|it| of_stage(&it.0));
        StageRow {
            stage,
            name: stage_name(stage),
            is_on: match stage {
                Stage::Mask => true,
                Stage::LogitBias => !knobs.logit_bias.is_empty(),
                Stage::TokenBan => !knobs.token_ban.is_empty(),
                _ => knobs_of_stage.any(|it| !knobs.is_neutral(it)),
            },
            idle: reason.map(|it| it.1.clone()),
        }
    };
    let left_out = Stage::ALL.iter().filter(|it| !knobs.order.contains(**it));
    (
        knobs.order.stages().iter().map(|it| row(*it)).collect(),
        left_out.map(|it| row(*it)).collect(),
    )
}

/// The order with one stage moved.
pub(super) fn moved(order: &Order, from: usize, to: usize) -> Order {
    let mut stages = order.stages().to_vec();
    if from >= stages.len() || to >= stages.len() {
        return order.clone();
    }
    let stage = stages.remove(from);
    stages.insert(to, stage);
    // A permutation of a valid order is one.
    Order::new(&stages).unwrap_or_else(|_| order.clone())
}

pub(super) fn chain_order_ui(knobs: &mut Knobs, ui: &mut Ui) {
    let (rows, left_out) = stage_rows(knobs);
    note(ui, "Drag a stage, or focus it and press ↑ or ↓.");
    ui.spacing_mut().item_spacing.y = 2.0;
    let mut wish = None;
    for (idx, row) in rows.iter().enumerate() {
        let to = row_ui(ui, (idx, rows.len()), row);
        wish = to.map(|it| (idx, it)).or(wish);
    }
    if let Some((from, to)) = wish {
        knobs.order = moved(&knobs.order, from, to);
    }
    for row in &left_out {
        ui.horizontal(|ui| {
            note(ui, format!("{} is not in the order", row.name));
            if quiet_button(ui, icons::PLUS, "Add").clicked() {
                let mut stages = knobs.order.stages().to_vec();
                stages.push(row.stage);
                if let Ok(order) = Order::new(&stages) {
                    knobs.order = order;
                }
            }
        });
    }
}

/// Returns the place that the stage is to be moved to.
fn row_ui(ui: &mut Ui, (idx, n): (usize, usize), row: &StageRow) -> Option<usize> {
    let size = vec2(ui.available_width(), ROW);
    let (_, rect) = ui.allocate_space(size);
    let id = ui.scope_id().with(("stage", row.stage.key()));
    let response = ui
        .interact(rect, id, Sense::click_and_drag())
        .on_hover_cursor(CursorIcon::Grab);
    let state = match (row.is_on, &row.idle) {
        (_, Some(_)) => "no effect",
        (false, _) => "off",
        _ => "",
    };
    let read = format!("Stage {} of {n}: {} {state}", idx + 1, row.name);
    response.widget_info(|| WidgetInfo::labeled(Role::ListItem, true, read.trim_end()));
    paint(ui, &response, (idx, rect), (row, state));
    let to = by_drag(&response, (idx, n), rect).or_else(|| by_key(ui, &response, (idx, n)));
    if let Some(reason) = &row.idle {
        response.on_hover_text(reason);
    } else if response.clicked() {
        response.request_focus();
    }
    to
}

fn paint(
    ui: &Ui,
    response: &Response,
    (idx, rect): (usize, Rect),
    (row, state): (&StageRow, &str),
) {
    let colours = palette(ui);
    let painter = ui.painter();
    let fill = if response.dragged() || response.hovered() {
        colours.hover
    } else {
        colours.raised
    };
    painter.rect_filled(rect, theme::RADIUS - 1, fill);
    if response.has_focus() || response.dragged() {
        let ring = Stroke::new(1.5, colours.accent);
        painter.rect_stroke(rect, theme::RADIUS - 1, ring, StrokeKind::Inside);
    }
    let y = rect.center().y;
    for (x, dy) in [
        (0.0, -4.0),
        (0.0, 0.0),
        (0.0, 4.0),
        (4.0, -4.0),
        (4.0, 0.0),
        (4.0, 4.0),
    ] {
        painter.circle_filled(pos2(rect.left() + 9.0 + x, y + dy), 1.0, colours.faint);
    }
    let color = if row.is_on {
        colours.text
    } else {
        colours.faint
    };
    let font = theme::regular(theme::LABEL);
    let name = format!("{}  {}", idx + 1, row.name);
    let room = Rect::from_min_max(rect.min, rect.max - vec2(58.0, 0.0));
    let place = pos2(rect.left() + 22.0, y);
    painter.with_clip_rect(room.intersect(ui.clip_rect())).text(
        place,
        Align2::LEFT_CENTER,
        name,
        font,
        color,
    );
    let place = pos2(rect.right() - 8.0, y);
    let font = theme::regular(theme::TINY);
    painter.text(place, Align2::RIGHT_CENTER, state, font, colours.faint);
}

/// A dragged row changes places with its neighbour as soon as the pointer is over that.
fn by_drag(response: &Response, (idx, n): (usize, usize), rect: Rect) -> Option<usize> {
    let pointer = response
        .interact_pointer_pos()
        .filter(|_| response.dragged())?;
    if pointer.y < rect.top() && idx > 0 {
        Some(idx - 1)
    } else if pointer.y > rect.bottom() && idx + 1 < n {
        Some(idx + 1)
    } else {
        None
    }
}

fn by_key(ui: &Ui, response: &Response, (idx, n): (usize, usize)) -> Option<usize> {
    if !response.has_focus() {
        return None;
    }
    let filter = EventFilter {
        vertical_arrows: true,
        ..EventFilter::default()
    };
    ui.memory_mut(|it| it.set_focus_lock_filter(response.id, filter));
    let pressed = |key| ui.input(|it| it.key_pressed(key));
    if pressed(Key::ArrowUp) && idx > 0 {
        Some(idx - 1)
    } else if pressed(Key::ArrowDown) && idx + 1 < n {
        Some(idx + 1)
    } else {
        None
    }
}
