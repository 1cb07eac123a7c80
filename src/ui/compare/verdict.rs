//! How a column's reply was judged: a strip of rungs, the lamps, the cause.

use eframe::egui::{Align2, Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use crate::lab::Trial;
use crate::ladder::Climb;
use crate::ui::outcome::{RungState, lamps, rows};
use crate::ui::theme::{self, Tone, icons, palette};
use crate::ui::widgets::{Light, banner, pill_with_icon, sentence};

const STRIP: f32 = 24.0;

pub(super) fn verdict_ui(trial: &Trial, ui: &mut Ui) {
    strip_ui(&trial.climb, ui);
    ui.scope(|ui| {
        ui.spacing_mut().interact_size.y = 20.0;
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 5.0;
            for lamp in lamps(Some(trial.lamps)) {
                let (sign, tone) = match lamp.light {
                    Light::Lit => (icons::CHECK, Tone::Good),
                    Light::Dark => (icons::X, Tone::Bad),
                    Light::Unjudged => (icons::MINUS, Tone::Quiet),
                };
                let read = format!("{}: {}. {}", lamp.name, lamp.word, lamp.help);
                pill_with_icon(ui, sign, lamp.name, tone).on_hover_text(read);
            }
        });
    });
    if let Some(cause) = &trial.cause {
        banner(ui, Tone::Bad, &sentence(&cause.message));
    }
}

/// The four rungs from left to right, each with its number and a sign; the one that held is filled.
fn strip_ui(climb: &Climb, ui: &mut Ui) {
    let mut rows = rows(Some(climb));
    rows.sort_by_key(|it| it.number);
    let held = rows.iter().find(|it| it.state == RungState::Held);
    let words = match held {
        Some(row) => format!("Rung {} held: {}", row.number, row.title),
        None => "No rung held".to_owned(),
    };
    let width = ui.available_width();
    let (rect, response) = ui.allocate_exact_size(vec2(width, STRIP), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &words));
    let colours = palette(ui);
    let painter = ui.painter();
    let tone = match held.map(|it| it.number) {
        Some(4) => Tone::Warn,
        Some(_) => Tone::Good,
        None => Tone::Bad,
    };
    for (idx, row) in rows.iter().enumerate() {
        let left = rect.left() + 26.0 * idx as f32;
        let place = Rect::from_min_size(pos2(left, rect.top() + 2.0), vec2(22.0, 20.0));
        let (fill, edge, ink) = match row.state {
            RungState::Held => {
                let color = colours.tone(tone);
                (color, color, colours.on_fill)
            }
            RungState::Failed(_) => (colours.soft(Tone::Bad), colours.bad, colours.bad),
            RungState::Waiting | RungState::NotNeeded => {
                (colours.raised, colours.border, colours.faint)
            }
        };
        let stroke = Stroke::new(theme::HAIRLINE, edge);
        painter.rect(place, theme::RADIUS - 1, fill, stroke, StrokeKind::Inside);
        let text = match row.state {
            RungState::Failed(_) => icons::X.to_owned(),
            _ => row.number.to_string(),
        };
        let font = theme::semibold(theme::SMALL);
        painter.text(place.center(), Align2::CENTER_CENTER, text, font, ink);
    }
    let left = rect.left() + 26.0 * rows.len() as f32 + 4.0;
    let room = Rect::from_min_max(pos2(left, rect.top()), rect.max);
    painter.with_clip_rect(room.intersect(ui.clip_rect())).text(
        room.left_center(),
        Align2::LEFT_CENTER,
        held.map_or("No rung held", |it| it.title),
        theme::medium(theme::SMALL),
        colours.tone(tone),
    );
    response.on_hover_text(words);
}
