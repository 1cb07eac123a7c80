//! Draws the stream: tints and lines under the text, a card for the token under the pointer, a ring round the pinned one.

use std::ops::Range;

use eframe::egui::{
    Align, Color32, CursorIcon, EventFilter, Frame, Key, Margin, Rect, Response, Role, Sense,
    Stroke, StrokeKind, Tooltip, Ui, WidgetInfo, vec2,
};

use super::blame::{Change, blame};
use super::card::{Card, card_ui};
use super::paragraphs::Paragraphs;
use super::signs::{band, flag, ring, underline};
use super::track::Track;
use crate::engine::TokenEvent;
use crate::ui::theme::{self, palette};

/// By what the tokens are coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColourMode {
    #[default]
    Confidence,
    Rank,
    /// Which part of the chain made another token come than the favourite.
    Chain,
    /// Where the constraint left one token.
    Forced,
    Plain,
}

impl ColourMode {
    /// All of them with their names, in the order in which they are offered.
    pub(crate) const NAMED: &[(Self, &str)] = &[
        (Self::Confidence, "Confidence"),
        (Self::Rank, "Rank"),
        (Self::Chain, "Chain"),
        (Self::Forced, "Forced"),
        (Self::Plain, "Plain"),
    ];
}

/// The laid out reply and what is marked in it.
#[derive(Debug, Default)]
pub struct TokenView {
    pub mode: ColourMode,
    /// The token that the inspector is about.
    pub pinned: Option<usize>,
    pub(crate) track: Track,
    /// Tokens that the inspector points at.
    pub pointed: Option<Range<usize>>,
    /// Where another branch parts from this one.
    pub parting: Option<usize>,
    /// The token under the pointer on the track.
    pub hovered: Option<usize>,
    /// The token that is to come into sight.
    pub seek: Option<usize>,
    paragraphs: Paragraphs,
    /// Width, theme and pixel density for which the paragraphs were laid out.
    laid_for: Option<(f32, bool, f32)>,
}

/// What is drawn, and where.
struct Scene<'a> {
    rect: Rect,
    tokens: &'a [TokenEvent],
    streaming: bool,
}

impl TokenView {
    /// Pins a token and brings it into sight.
    pub fn pin(&mut self, token: usize) {
        self.pinned = Some(token);
        self.pointed = None;
        self.seek = Some(token);
    }

    pub(crate) fn show(&mut self, ui: &mut Ui, tokens: &[TokenEvent], streaming: bool) {
        let width = ui.available_width().floor();
        self.prepare(ui, tokens, width);
        let size = vec2(width, self.paragraphs.height() + theme::SMALL_GAP);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click());
        response.widget_info(|| reply_info(tokens));
        self.keys(ui, &response, tokens.len());
        self.bring_into_sight(ui, rect);
        if !ui.is_rect_visible(rect) {
            return;
        }
        let scene = Scene {
            rect,
            tokens,
            streaming,
        };
        if let Some((token, place)) = self.paint(ui, &scene) {
            self.hovered(ui, (token, place), &tokens[token]);
        }
        if response.has_focus() && self.pinned.is_none() {
            let ring = Stroke::new(1.0, palette(ui).accent);
            ui.painter()
                .rect_stroke(rect, theme::RADIUS, ring, StrokeKind::Inside);
        }
    }

    fn prepare(&mut self, ui: &Ui, tokens: &[TokenEvent], width: f32) {
        let wanted = Some((width, ui.visuals().dark_mode, ui.pixels_per_point()));
        if wanted != self.laid_for {
            self.paragraphs = Paragraphs::default();
            self.laid_for = wanted;
            self.paragraphs.take(tokens);
        } else if self.paragraphs.take(tokens) {
            self.pinned = None;
            self.pointed = None;
        }
        self.paragraphs.lay_out(ui, width);
    }

    /// Left and right walk from card to card while the reply has the focus.
    fn keys(&mut self, ui: &Ui, response: &Response, n_tokens: usize) {
        if !response.has_focus() || n_tokens == 0 {
            return;
        }
        let arrows = EventFilter {
            horizontal_arrows: true,
            ..EventFilter::default()
        };
        ui.memory_mut(|it| it.set_focus_lock_filter(response.id, arrows));
        let (left, right) = ui.input(|it| {
            (
                it.key_pressed(Key::ArrowLeft),
                it.key_pressed(Key::ArrowRight),
            )
        });
        if right {
            self.pin(self.pinned.map_or(0, |it| (it + 1).min(n_tokens - 1)));
        } else if left {
            self.pin(self.pinned.map_or(n_tokens - 1, |it| it.saturating_sub(1)));
        }
    }

    fn bring_into_sight(&mut self, ui: &Ui, rect: Rect) {
        let Some(wanted) = self.seek.take() else {
            return;
        };
        let mut top = rect.top();
        for laid in self
            .paragraphs
            .list
            .iter()
            .filter_map(|it| it.laid.as_ref())
        {
            if let Some((_, place)) = laid.boxes.iter().find(|it| it.0 >= wanted) {
                let place = place.translate(vec2(rect.left(), top));
                if !ui.clip_rect().contains_rect(place) {
                    ui.scroll_to_rect(place, Some(Align::Center));
                }
                return;
            }
            top += laid.height;
        }
    }

    /// Returns the token under the pointer and its box.
    fn paint(&self, ui: &Ui, scene: &Scene<'_>) -> Option<(usize, Rect)> {
        let Scene { rect, tokens, .. } = *scene;
        let colours = palette(ui);
        let clip = ui.clip_rect();
        let pointer = ui
            .input(|it| it.pointer.hover_pos())
            .filter(|it| clip.contains(*it) && rect.contains(*it));
        let mut under_pointer = None;
        let brushed = self.track.brushed();
        let mut end = rect.left_top();
        let mut top = rect.top();
        for laid in self
            .paragraphs
            .list
            .iter()
            .filter_map(|it| it.laid.as_ref())
        {
            let offset = vec2(rect.left(), top);
            end = rect.left_top() + vec2(0.0, top - rect.top());
            if let Some((_, last)) = laid.boxes.last() {
                end = last.right_top() + offset;
            }
            if top + laid.height >= clip.top() && top <= clip.bottom() {
                for (token, place) in &laid.boxes {
                    let place = place.translate(offset);
                    if brushed.as_ref().is_some_and(|it| it.contains(token)) {
                        band(ui.painter(), place, colours.accent_soft);
                    }
                    self.tint(ui, (&tokens[*token], place));
                    self.mark(ui, (*token, place));
                    if pointer.is_some_and(|it| place.contains(it)) {
                        under_pointer = Some((*token, place));
                    }
                }
                let place = offset.to_pos2();
                ui.painter()
                    .galley(place, laid.galley.clone(), colours.text);
            }
            top += laid.height;
        }
        if scene.streaming {
            let caret = Rect::from_min_size(end + vec2(1.0, 3.5), vec2(7.0, 15.0));
            ui.painter().rect_filled(caret, 1.5, colours.accent);
        }
        under_pointer
    }

    fn tint(&self, ui: &Ui, (event, place): (&TokenEvent, Rect)) {
        let colours = palette(ui);
        let forced = event.trace.n_legal == Some(1);
        let color = match self.mode {
            ColourMode::Confidence if !forced => colours.confidence(event.trace.probability),
            ColourMode::Rank if !forced => colours.rank(event.trace.rank),
            ColourMode::Chain => match blame(event) {
                Some(it) => colours.change(it.change as usize),
                None => return,
            },
            ColourMode::Forced if forced => colours.forced,
            _ => return,
        };
        if color != Color32::TRANSPARENT {
            let tinted = place.shrink2(vec2(0.5, 2.5));
            ui.painter().rect_filled(tinted, theme::TINT_RADIUS, color);
        }
        let line = match self.mode {
            ColourMode::Chain => blame(event).map(|it| it.change),
            ColourMode::Forced => Some(Change::Mask),
            _ => None,
        };
        if let Some(change) = line {
            underline(ui.painter(), place, (change, colours.text));
        }
    }

    /// What is pinned, pointed at, hovered on the track, or where branches part.
    fn mark(&self, ui: &Ui, (token, place): (usize, Rect)) {
        let colours = palette(ui);
        if self.pointed.as_ref().is_some_and(|it| it.contains(&token)) {
            band(ui.painter(), place, colours.pointed);
        }
        if self.parting == Some(token) {
            flag(ui.painter(), place, colours);
        }
        if self.hovered == Some(token) {
            ring(ui.painter(), place, Stroke::new(1.0, colours.text));
        }
        if self.pinned == Some(token) {
            ring(ui.painter(), place, Stroke::new(1.5, colours.accent));
        }
    }

    fn hovered(&mut self, ui: &Ui, (token, place): (usize, Rect), event: &TokenEvent) {
        let colours = palette(ui);
        let response = ui
            .interact(place, ui.scope_id().with(("token", token)), Sense::click())
            .on_hover_cursor(CursorIcon::PointingHand);
        let edge = colours.border_strong.lerp_to_gamma(colours.text, 0.4);
        ring(ui.painter(), place, Stroke::new(1.0, edge));
        if response.clicked() {
            self.pinned = (self.pinned != Some(token)).then_some(token);
            self.pointed = None;
        }
        if self.pinned == Some(token) {
            return;
        }
        let mut tip = Tooltip::for_enabled(&response).gap(6.0);
        tip.popup = tip.popup.frame(card_frame(ui));
        tip.show(|ui| card_ui(ui, &Card::new(token, event)));
    }
}

fn card_frame(ui: &Ui) -> Frame {
    Frame::popup(ui.style()).inner_margin(Margin::symmetric(12, 10))
}

fn reply_info(tokens: &[TokenEvent]) -> WidgetInfo {
    let mut info = WidgetInfo::labeled(Role::Document, true, "Reply text");
    info.current_text_value = Some(tokens.iter().map(|it| it.text.as_str()).collect());
    info
}
