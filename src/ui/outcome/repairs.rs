//! What the climb changed and what its reader must know: edits as a diff, flags, notes.

use eframe::egui::text::{LayoutJob, TextFormat};
use eframe::egui::{
    Align2, Color32, CursorIcon, Frame, Margin, Rect, Role, Sense, Shape, Ui, UiBuilder,
    WidgetInfo, pos2, vec2,
};

use crate::app::flag_words;
use crate::ladder::{Climb, Repair, RepairKind};
use crate::ui::theme::{self, Tone, palette};
use crate::ui::tokens::visible;
use crate::ui::widgets::{card, heading, note, pill};

/// Edits that are listed; a loop can need thousands.
const MAX_ROWS: usize = 60;
/// Characters of a changed text that are shown.
const MAX_CHARS: usize = 80;
/// Room for line and column.
const PLACE_WIDTH: f32 = 44.0;

/// The edits of a climb, and how they are shown.
pub(crate) struct Edits<'a> {
    pub(crate) climb: &'a Climb,
    /// A click leads to the edit's place.
    pub(crate) leads: bool,
    /// The edit that is pointed at from elsewhere.
    pub(crate) lit: Option<usize>,
}

/// Returns the index of the edit that was clicked. Draws nothing where nothing was changed.
pub(crate) fn repairs_ui(edits: &Edits<'_>, ui: &mut Ui) -> Option<usize> {
    let climb = edits.climb;
    let n = climb.repairs().len();
    if n == 0 {
        return None;
    }
    let frame = card(ui)
        .fill(palette(ui).well)
        .inner_margin(Margin::symmetric(0, 6));
    frame
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 0.0;
            let mut clicked = None;
            for (idx, repair) in climb.repairs().iter().enumerate().take(MAX_ROWS) {
                if repair_ui(repair, (edits.leads, edits.lit == Some(idx)), ui) {
                    clicked = Some(idx);
                }
            }
            if n > MAX_ROWS {
                note(ui, format!("   and {} more", n - MAX_ROWS));
            }
            clicked
        })
        .inner
}

/// The heading over the edits, with their number.
pub(crate) fn repairs_head_ui(climb: &Climb, ui: &mut Ui) {
    let n = climb.repairs().len();
    if n == 0 {
        return;
    }
    ui.horizontal(|ui| {
        heading(ui, "Changed by the repair");
        let text = if n == 1 {
            "1 edit".to_owned()
        } else {
            format!("{n} edits")
        };
        pill(ui, &text, Tone::Warn);
    });
}

/// Flags and notes, under the ladder: short where a hover may tell the rest.
pub(crate) fn remarks_ui(climb: &Climb, ui: &mut Ui) {
    if !climb.flags.is_empty() {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            for flag in &climb.flags {
                let (name, about) = flag_words(*flag);
                pill(ui, name, Tone::Warn).on_hover_text(about);
            }
        });
    }
    for text in &climb.notes {
        note(ui, text);
    }
}

/// One row: place, what was there and what is there now, kind. Says whether it was clicked.
fn repair_ui(repair: &Repair, (leads, is_lit): (bool, bool), ui: &mut Ui) -> bool {
    let colours = palette(ui);
    let frame = Frame::NONE.inner_margin(Margin::symmetric(10, 2));
    let behind = ui.painter().add(Shape::Noop);
    let name = format!(
        "Line {}, column {}: {}, {} became {}",
        repair.line,
        repair.column,
        kind_words(repair.kind),
        or_nothing(&repair.before),
        or_nothing(&repair.after),
    );
    let row = frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        let place = ui.available_rect_before_wrap();
        let painter = ui.painter();
        let row_middle = place.top() + theme::CODE_ROW / 2.0;
        let kind = painter.text(
            pos2(place.right(), row_middle),
            Align2::RIGHT_CENTER,
            kind_words(repair.kind),
            theme::regular(theme::SMALL),
            colours.weak,
        );
        painter.text(
            pos2(place.left(), row_middle),
            Align2::LEFT_CENTER,
            format!("{}:{}", repair.line, repair.column),
            theme::mono(theme::TINY),
            colours.faint,
        );
        let middle = Rect::from_min_max(
            place.min + vec2(PLACE_WIDTH, 0.0),
            pos2(kind.left() - 8.0, place.bottom()),
        );
        let shown = ui.scope_builder(UiBuilder::new().max_rect(middle), |ui| {
            let job = change(repair, ui);
            ui.label(job)
        });
        if !leads {
            shown.inner.accessible_name(&name);
        }
    });
    let place = row.response.rect;
    let id = ui
        .scope_id()
        .with((repair.offset, repair.kind, &repair.after));
    let response = leads.then(|| {
        ui.interact(place, id, Sense::click())
            .on_hover_cursor(CursorIcon::PointingHand)
    });
    let is_touched = response
        .as_ref()
        .is_some_and(|it| it.hovered() || it.has_focus());
    if is_lit || is_touched {
        let fill = if is_lit {
            colours.accent_soft
        } else {
            colours.raised
        };
        let shape = Shape::rect_filled(place.shrink2(vec2(4.0, 0.0)), 4, fill);
        ui.painter().set(behind, shape);
    }
    response.is_some_and(|it| {
        it.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
        it.clicked()
    })
}

fn or_nothing(text: &str) -> &str {
    if text.is_empty() { "nothing" } else { text }
}

fn change(repair: &Repair, ui: &Ui) -> LayoutJob {
    let colours = palette(ui);
    let mut job = LayoutJob::default();
    job.wrap.max_width = ui.available_width();
    let before = cut(&visible(&repair.before));
    let after = cut(&visible(&repair.after));
    if !before.is_empty() {
        let tint = colours.bad.gamma_multiply(0.22);
        append(&mut job, &format!(" {before} "), (colours.text, tint));
    }
    let between = match (before.is_empty(), after.is_empty()) {
        (true, _) => "+ ",
        (_, true) => "  taken out",
        _ => " → ",
    };
    append(&mut job, between, (colours.faint, Color32::TRANSPARENT));
    if !after.is_empty() {
        let tint = colours.good.gamma_multiply(0.22);
        append(&mut job, &format!(" {after} "), (colours.text, tint));
    }
    job
}

fn append(job: &mut LayoutJob, text: &str, (color, background): (Color32, Color32)) {
    let format = TextFormat {
        background,
        line_height: Some(theme::CODE_ROW),
        ..TextFormat::simple(theme::mono(12.0), color)
    };
    job.append(text, 0.0, format);
}

fn cut(text: &str) -> String {
    if text.chars().count() <= MAX_CHARS {
        return text.to_owned();
    }
    let head: String = text.chars().take(MAX_CHARS - 1).collect();
    format!("{head}…")
}

fn kind_words(kind: RepairKind) -> &'static str {
    match kind {
        RepairKind::Comment => "Comment",
        RepairKind::BareKey => "Key without quotes",
        RepairKind::BareValue => "Value without quotes",
        RepairKind::Quote => "Quote",
        RepairKind::Colon => "Colon",
        RepairKind::Comma => "Comma",
        RepairKind::Bracket => "Bracket",
        RepairKind::Literal => "Literal",
        RepairKind::Number => "Number",
        RepairKind::Escape => "Escape",
        RepairKind::ControlCharacter => "Control character",
        RepairKind::WhiteSpace => "White space",
        RepairKind::Ellipsis => "Dots for left-out parts",
        RepairKind::Concatenation => "Joined strings",
        RepairKind::Wrapper => "Wrapper around the value",
        RepairKind::InnerQuote => "Quote inside a string",
        RepairKind::Unescaped => "Escaped twice",
        RepairKind::Truncation => "Cut off end",
    }
}
