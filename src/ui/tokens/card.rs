//! "Why this token?": the candidates before and after the chain, and what each stage did.

use eframe::egui::{Align, Align2, Label, Layout, Rect, RichText, Sense, Ui, pos2, vec2};

use crate::engine::TokenEvent;
use crate::sampling::{Candidate, Stage, StageEffect, TokenId};
use crate::ui::theme::{self, palette};

/// Candidates that a card shows.
const N_ROWS: usize = 6;
const WIDTH: f32 = 300.0;

/// What a card says, in its words.
#[derive(Debug, PartialEq)]
pub(super) struct Card {
    pub(super) text: String,
    /// Its number in the reply from 1, and its id.
    pub(super) place: String,
    pub(super) probability: String,
    pub(super) rank: String,
    pub(super) rows: Vec<Row>,
    pub(super) stages: Vec<String>,
}

/// One candidate. Shares are between 0 and 1; none after the chain when it was taken away or fell out of the list.
#[derive(Debug, PartialEq)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) before: Option<f32>,
    pub(super) after: Option<f32>,
    pub(super) chosen: bool,
}

impl Card {
    pub(super) fn new(index: usize, event: &TokenEvent) -> Self {
        let trace = &event.trace;
        let rank = match (trace.n_legal, trace.rank) {
            (Some(1), _) => "the only legal token".to_owned(),
            (_, 0 | 1) => "the model's favourite".to_owned(),
            (_, rank) => format!("the model's choice number {rank}"),
        };
        let mut stages: Vec<String> = trace.effects.iter().map(stage_sentence).collect();
        if let Some(n_legal) = trace.n_legal.filter(|it| *it > 1) {
            stages.push(format!(
                "The constraint left {} tokens legal",
                grouped(n_legal)
            ));
        }
        Self {
            text: visible(&shown(event)),
            place: format!("token {} · id {}", index + 1, event.token),
            probability: percent(trace.probability),
            rank,
            rows: rows(event),
            stages,
        }
    }
}

/// Makes white space visible.
pub(crate) fn visible(text: &str) -> String {
    text.replace(' ', "·").replace('\n', "↵").replace('\t', "→")
}

pub(super) fn card_ui(ui: &mut Ui, card: &Card) {
    let colours = palette(ui);
    ui.set_width(WIDTH);
    ui.spacing_mut().item_spacing.y = 4.0;
    ui.horizontal(|ui| {
        let place = RichText::new(&card.place).small().color(colours.faint);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(place);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let text = RichText::new(format!(" {} ", card.text))
                    .font(theme::mono(14.0))
                    .background_color(colours.raised);
                ui.add(Label::new(text).truncate());
            });
        });
    });
    ui.horizontal(|ui| {
        ui.label(RichText::new(&card.probability).font(theme::semibold(15.0)));
        ui.label(RichText::new(&card.rank).color(colours.weak));
    });
    ui.add_space(2.0);
    columns_head(ui);
    for row in &card.rows {
        row_ui(ui, row);
    }
    if !card.stages.is_empty() {
        ui.add_space(theme::SMALL_GAP);
    }
    for stage in &card.stages {
        let text = RichText::new(stage).font(theme::regular(theme::SMALL));
        ui.add(Label::new(text.color(colours.weak)).wrap());
    }
}

fn rows(event: &TokenEvent) -> Vec<Row> {
    let trace = &event.trace;
    let mut ids: Vec<TokenId> = Vec::new();
    let first_ones = trace.after.iter().take(2).chain(&trace.before);
    for id in first_ones.chain(&trace.after).map(|it| it.token) {
        if !ids.contains(&id) && (ids.len() < N_ROWS || id == event.token) {
            ids.push(id);
        }
    }
    let mut rows: Vec<Row> = ids
        .into_iter()
        .map(|id| Row {
            name: visible(name(event, id)),
            before: share(&trace.before, id),
            after: share(&trace.after, id),
            chosen: id == event.token,
        })
        .collect();
    rows.sort_by(|a, b| {
        let key = |it: &Row| it.before.unwrap_or(0.0);
        key(b).total_cmp(&key(a))
    });
    rows
}

fn share(candidates: &[Candidate], id: TokenId) -> Option<f32> {
    let found = candidates.iter().find(|it| it.token == id);
    found.map(|it| it.probability)
}

pub(crate) fn name(event: &TokenEvent, id: TokenId) -> &str {
    let found = event.names.iter().find(|(it, _)| *it == id);
    found.map_or("?", |(_, name)| name.as_str())
}

/// A token's own text, or its name when its text is not finished yet.
fn shown(event: &TokenEvent) -> String {
    if event.text.is_empty() {
        name(event, event.token).to_owned()
    } else {
        event.text.clone()
    }
}

fn stage_sentence(effect: &StageEffect) -> String {
    let stage = stage_name(effect.stage);
    let removed = match effect.n_removed {
        0 => String::new(),
        n => format!(
            " took {} {} and {} of the probability",
            grouped(n),
            if n == 1 { "token" } else { "tokens" },
            percent(effect.removed_mass)
        ),
    };
    match (removed.is_empty(), effect.changed_top) {
        (true, true) => format!("{stage} changed the favourite"),
        (true, false) => format!("{stage} changed the shares"),
        (false, true) => format!("{stage}{removed}, and changed the favourite"),
        (false, false) => format!("{stage}{removed}"),
    }
}

/// The stage's name at the beginning of a sentence.
pub(crate) fn stage_name(stage: Stage) -> String {
    let name = stage.label();
    let mut signs = name.chars();
    match signs.next() {
        Some(first) => first.to_uppercase().chain(signs).collect(),
        None => String::new(),
    }
}

/// Such as 49,112.
pub(crate) fn grouped(number: u32) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

pub(crate) fn percent(share: f32) -> String {
    let percent = share * 100.0;
    if percent > 0.0 && percent < 0.05 {
        "< 0.1 %".to_owned()
    } else {
        format!("{percent:.1} %")
    }
}

const NAME_WIDTH: f32 = 84.0;
const BAR_WIDTH: f32 = 62.0;
const COLUMN: f32 = 108.0;

fn columns_head(ui: &mut Ui) {
    let size = vec2(ui.available_width(), 14.0);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    for (idx, text) in ["model", "after the chain"].into_iter().enumerate() {
        let x = rect.left() + NAME_WIDTH + COLUMN * idx as f32;
        ui.painter().text(
            pos2(x, rect.center().y),
            Align2::LEFT_CENTER,
            text,
            theme::regular(theme::TINY),
            palette(ui).faint,
        );
    }
}

fn row_ui(ui: &mut Ui, row: &Row) {
    let colours = palette(ui);
    let size = vec2(ui.available_width(), 17.0);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let color = if row.chosen {
        colours.text
    } else {
        colours.weak
    };
    let name_place = Rect::from_min_size(rect.min, vec2(NAME_WIDTH - 8.0, rect.height()));
    ui.painter().with_clip_rect(name_place).text(
        rect.left_center(),
        Align2::LEFT_CENTER,
        &row.name,
        theme::mono(12.0),
        color,
    );
    for (idx, share) in [row.before, row.after].into_iter().enumerate() {
        let left = rect.left() + NAME_WIDTH + COLUMN * idx as f32;
        let bar = Rect::from_min_size(pos2(left, rect.center().y - 3.0), vec2(BAR_WIDTH, 6.0));
        ui.painter().rect_filled(bar, 3, colours.raised);
        let fill = if row.chosen {
            colours.accent
        } else {
            colours.faint
        };
        let filled = vec2(BAR_WIDTH * share.unwrap_or(0.0).clamp(0.0, 1.0), 6.0);
        ui.painter()
            .rect_filled(Rect::from_min_size(bar.min, filled), 3, fill);
        let text = share.map_or_else(|| "–".to_owned(), |it| format!("{:.1}", it * 100.0));
        ui.painter().text(
            pos2(bar.right() + 38.0, rect.center().y),
            Align2::RIGHT_CENTER,
            text,
            theme::regular(theme::SMALL),
            colours.weak,
        );
    }
}
