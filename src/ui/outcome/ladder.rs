//! The ladder, drawn as one: four rungs, the lowest at the bottom, the one that held lit.

use eframe::egui::text::{LayoutJob, TextFormat};
use eframe::egui::{
    Align2, CursorIcon, Pos2, Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2,
};

use crate::ladder::{Climb, Rung};
use crate::ui::theme::{self, Palette, Tone, icons, palette};

const RUNGS: [(Rung, &str, &str); 4] = [
    (Rung::Repair, "Repair", "mends small faults of syntax"),
    (
        Rung::Cut,
        "Cut out the JSON",
        "leaves out what stands around it",
    ),
    (
        Rung::Fences,
        "Strip the fences",
        "takes off ``` around the reply",
    ),
    (Rung::AsIs, "As is", "the whole reply is JSON"),
];

/// Left edge of the left rail, distance of the rails, left edge of the words.
const RAIL: f32 = 8.0;
const SPAN: f32 = 40.0;
const WORDS: f32 = 64.0;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RungState {
    /// No reply was judged yet.
    Waiting,
    /// A lower rung held.
    NotNeeded,
    Held,
    /// With the parser's message.
    Failed(String),
}

/// One row of the ladder.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RungRow {
    pub(crate) number: u8,
    pub(crate) title: &'static str,
    pub(crate) about: &'static str,
    pub(crate) state: RungState,
    /// A click leads to the place of the parser's message.
    pub(crate) leads: bool,
}

/// The rows, highest rung first, as they stand on the screen.
pub(crate) fn rows(climb: Option<&Climb>) -> Vec<RungRow> {
    let row = |(rung, title, about): (Rung, &'static str, &'static str)| RungRow {
        number: rung.into(),
        title,
        about,
        state: climb.map_or(RungState::Waiting, |it| state(it, rung)),
        leads: false,
    };
    RUNGS.map(row).to_vec()
}

/// Returns the number of the rung that was clicked.
pub(crate) fn ladder_ui(rows: &[RungRow], ui: &mut Ui) -> Option<u8> {
    ui.spacing_mut().item_spacing.y = 0.0;
    let top = ui.next_widget_position();
    let rails = ui.painter().add(eframe::egui::Shape::Noop);
    let mut clicked = None;
    for row in rows {
        if rung_ui(row, ui) {
            clicked = Some(row.number);
        }
    }
    let bottom = ui.next_widget_position().y;
    let stroke = Stroke::new(3.0, palette(ui).border_strong);
    let rail = |x: f32| {
        let x = top.x + x;
        eframe::egui::Shape::line_segment([pos2(x, top.y + 4.0), pos2(x, bottom - 4.0)], stroke)
    };
    ui.painter().set(rails, vec![rail(RAIL), rail(RAIL + SPAN)]);
    clicked
}

fn state(climb: &Climb, rung: Rung) -> RungState {
    let failed = climb.attempts().iter().find(|it| it.rung == rung);
    if climb.rung == Some(rung) {
        RungState::Held
    } else if let Some(attempt) = failed {
        let error = &attempt.error;
        RungState::Failed(format!("{}:{} {}", error.line, error.column, error.message))
    } else {
        RungState::NotNeeded
    }
}

/// Says whether it was clicked.
fn rung_ui(row: &RungRow, ui: &mut Ui) -> bool {
    let colours = palette(ui);
    let look = Look::of(row, colours);
    let width = ui.available_width();
    let mut job = LayoutJob::default();
    job.wrap.max_width = width - WORDS - 10.0;
    job.wrap.max_rows = 3;
    let format = TextFormat::simple(theme::regular(theme::SMALL), look.words);
    let words = match &row.state {
        RungState::Failed(message) => message.as_str(),
        _ => row.about,
    };
    job.append(words, 0.0, format);
    let galley = ui.fonts_mut(|it| it.layout_job(job));
    let height = (galley.size().y + 30.0).max(44.0);
    let leads = row.leads && matches!(row.state, RungState::Failed(_));
    let (sense, role) = if leads {
        (Sense::click(), Role::Button)
    } else {
        (Sense::hover(), Role::ListItem)
    };
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), sense);
    if leads && (response.hovered() || response.has_focus()) {
        let place = rect
            .shrink2(vec2(0.0, 1.0))
            .with_min_x(rect.left() + WORDS - 8.0);
        ui.painter()
            .rect_filled(place, theme::CARD_RADIUS, colours.raised);
    }
    response.widget_info(|| {
        WidgetInfo::labeled(
            role,
            true,
            format!(
                "Rung {}, {}: {}{}",
                row.number,
                row.title,
                look.word,
                match &row.state {
                    RungState::Failed(message) => format!(", {message}"),
                    _ => String::new(),
                }
            ),
        )
    });
    if row.state == RungState::Held {
        let place = rect.shrink2(vec2(0.0, 1.0));
        let left = Rect::from_min_max(pos2(place.left() + WORDS - 8.0, place.top()), place.max);
        let edge = Stroke::new(theme::HAIRLINE, look.bar.gamma_multiply(0.4));
        let fill = colours.soft(held_tone(row.number));
        ui.painter()
            .rect(left, theme::CARD_RADIUS, fill, edge, StrokeKind::Inside);
    }
    bar(ui, rect, row, &look);
    let at = pos2(rect.left() + WORDS, rect.top() + 15.0);
    ui.painter().text(
        at,
        Align2::LEFT_CENTER,
        row.title,
        theme::medium(theme::BODY),
        look.title,
    );
    state_word(ui, pos2(rect.right() - 10.0, at.y), &look);
    let at = pos2(rect.left() + WORDS, rect.top() + 25.0);
    ui.painter().galley(at, galley.clone(), look.words);
    let response = if galley.elided {
        response.on_hover_text(words)
    } else {
        response
    };
    if leads {
        return response.on_hover_cursor(CursorIcon::PointingHand).clicked();
    }
    false
}

/// A reply that only repair could save is a warning, however well it was saved.
fn held_tone(number: u8) -> Tone {
    if number == u8::from(Rung::Repair) {
        Tone::Warn
    } else {
        Tone::Good
    }
}

/// The rung itself, between the rails, with its number.
fn bar(ui: &Ui, rect: Rect, row: &RungRow, look: &Look) {
    let colours = palette(ui);
    let center = pos2(rect.left() + RAIL + SPAN / 2.0, rect.center().y);
    let thick = if row.state == RungState::Held {
        7.0
    } else {
        4.0
    };
    let bar = Rect::from_center_size(center, vec2(SPAN + 8.0, thick));
    ui.painter().rect_filled(bar, 3, look.bar);
    let fill = match row.state {
        RungState::Held => look.bar,
        _ => colours.panel,
    };
    let edge = Stroke::new(1.5, look.bar);
    ui.painter().circle(center, 9.0, fill, edge);
    let color = match row.state {
        RungState::Held => colours.on_fill,
        _ => look.number,
    };
    ui.painter().text(
        center,
        Align2::CENTER_CENTER,
        row.number,
        theme::semibold(theme::SMALL),
        color,
    );
}

fn state_word(ui: &Ui, right: Pos2, look: &Look) {
    let font = theme::medium(theme::SMALL);
    let text = format!("{} {}", look.sign, look.word);
    ui.painter()
        .text(right, Align2::RIGHT_CENTER, text.trim(), font, look.state);
}

/// Colours and words of a rung in its state.
struct Look {
    bar: eframe::egui::Color32,
    number: eframe::egui::Color32,
    title: eframe::egui::Color32,
    words: eframe::egui::Color32,
    state: eframe::egui::Color32,
    sign: &'static str,
    word: &'static str,
}

impl Look {
    fn of(row: &RungRow, colours: &Palette) -> Self {
        let dim = Self {
            bar: colours.border_strong,
            number: colours.faint,
            title: colours.faint,
            words: colours.faint,
            state: colours.faint,
            sign: "",
            word: "",
        };
        match &row.state {
            RungState::Waiting => Self {
                title: colours.weak,
                ..dim
            },
            RungState::NotNeeded => Self {
                word: "not needed",
                ..dim
            },
            RungState::Held => {
                let color = colours.tone(held_tone(row.number));
                Self {
                    bar: color,
                    number: color,
                    title: colours.text,
                    words: colours.weak,
                    state: color,
                    sign: icons::CHECK,
                    word: "held",
                }
            }
            RungState::Failed(_) => Self {
                bar: colours.bad.lerp_to_gamma(colours.panel, 0.35),
                number: colours.bad,
                title: colours.text,
                words: colours.weak,
                state: colours.bad,
                sign: icons::X,
                word: "gave way",
            },
        }
    }
}
