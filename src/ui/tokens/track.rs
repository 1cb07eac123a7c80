//! The track under the reply: small lanes with a bar a token, to be pointed at and brushed.

use std::ops::Range;

use eframe::egui::{
    Align2, Color32, CursorIcon, Mesh, Rect, Response, Role, Sense, Shape, Ui, WidgetInfo, pos2,
    vec2,
};

use super::measures::{Lane, Measure, summary};
use crate::engine::TokenEvent;
use crate::sampling::TokenId;
use crate::ui::theme::{self, palette};
use crate::ui::widgets::{icon_button, note};

const LANE: f32 = 15.0;
/// Room for the lane's name at the left, and for a value at the right.
const NAME: f32 = 76.0;
const VALUE: f32 = 52.0;

/// The measures of a reply's tokens, and the bars they make at one width.
#[derive(Debug, Default)]
pub(crate) struct Track {
    measures: Vec<Measure>,
    ends: Option<(TokenId, TokenId)>,
    /// Lanes that have anything to show, with their bars' heights, for so many tokens and so wide.
    bars: Option<(usize, usize, Vec<Bars>)>,
    /// The tokens that are brushed: from where the drag began to where it is.
    brush: Option<(usize, usize)>,
}

/// A lane with the heights of its bars.
type Bars = (Lane, Vec<f32>);

/// What the user did to the track.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Touched {
    pub(crate) hovered: Option<usize>,
    pub(crate) clicked: Option<usize>,
}

impl Track {
    /// The brushed tokens.
    pub(crate) fn brushed(&self) -> Option<Range<usize>> {
        let (from, to) = self.brush?;
        Some(from.min(to)..from.max(to) + 1)
    }

    pub(crate) fn clear_brush(&mut self) -> bool {
        self.brush.take().is_some()
    }

    pub(crate) fn show(
        &mut self,
        ui: &mut Ui,
        tokens: &[TokenEvent],
        pinned: Option<usize>,
    ) -> Touched {
        self.take(tokens);
        let n = self.measures.len();
        let width = ui.available_width();
        let room = (width - NAME - VALUE).floor().max(40.0);
        #[expect(
            clippy::cast_sign_loss,
            reason = "there is room for some points at least"
        )]
        self.lay_out(room as usize);
        let n_lanes = self.lanes().len();
        let size = vec2(width, LANE * n_lanes as f32);
        let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
        let lanes = Rect::from_min_size(rect.min + vec2(NAME, 0.0), vec2(room, rect.height()));
        let response = ui
            .interact(lanes, ui.scope_id().with("track"), Sense::click_and_drag())
            .on_hover_cursor(CursorIcon::Crosshair);
        response.widget_info(|| WidgetInfo::labeled(Role::Slider, true, "Track of the reply"));
        let touched = self.touch(&response, (lanes, n));
        let shown = touched.hovered.or(pinned).filter(|it| *it < n);
        self.paint(ui, lanes, shown);
        self.brushed_ui(ui);
        touched
    }

    /// Takes in the tokens that are new; those of another reply take the place of all.
    pub(super) fn take(&mut self, tokens: &[TokenEvent]) {
        if ends(tokens, self.measures.len()) != self.ends {
            *self = Self::default();
        }
        let new = &tokens[self.measures.len().min(tokens.len())..];
        self.measures.extend(new.iter().map(Measure::new));
        self.ends = ends(tokens, self.measures.len());
    }

    /// At most one bar a point: of the tokens that share one, the highest is shown.
    pub(super) fn lay_out(&mut self, width: usize) {
        let n = self.measures.len();
        if matches!(&self.bars, Some((n_laid, laid_width, _)) if (*n_laid, *laid_width) == (n, width))
        {
            return;
        }
        let n_bars = n.min(width);
        let mut lanes = Vec::new();
        for lane in Lane::ALL {
            let values = self.measures.iter().map(|it| lane.value(it));
            let Some(largest) = values.clone().flatten().reduce(f32::max) else {
                continue;
            };
            let mut heights = vec![0.0_f32; n_bars];
            for (idx, value) in values.enumerate() {
                let height = value.map_or(0.0, |it| lane.height(it, largest));
                let bar = &mut heights[idx * n_bars / n];
                *bar = bar.max(height);
            }
            lanes.push((lane, heights));
        }
        self.bars = Some((n, width, lanes));
    }

    /// Lanes that have anything to show, with their bars' heights.
    pub(super) fn lanes(&self) -> &[Bars] {
        self.bars.as_ref().map_or(&[], |it| &it.2)
    }

    fn touch(&mut self, response: &Response, (lanes, n): (Rect, usize)) -> Touched {
        let token_at = |x: f32| {
            let share = ((x - lanes.left()) / lanes.width()).clamp(0.0, 1.0);
            #[expect(clippy::cast_sign_loss, reason = "the share is clamped")]
            let token = (share * n as f32) as usize;
            token.min(n.saturating_sub(1))
        };
        let Some(pointer) = response.interact_pointer_pos().or(response.hover_pos()) else {
            return Touched::default();
        };
        if n == 0 {
            return Touched::default();
        }
        let token = token_at(pointer.x);
        if response.drag_started() {
            let origin = response.ctx.input(|it| it.pointer.press_origin());
            self.brush = Some((token_at(origin.map_or(pointer.x, |it| it.x)), token));
        } else if response.dragged()
            && let Some((_, to)) = &mut self.brush
        {
            *to = token;
        }
        if response.clicked() {
            self.brush = None;
        }
        Touched {
            hovered: Some(token),
            clicked: response.clicked().then_some(token),
        }
    }

    fn paint(&self, ui: &Ui, lanes: Rect, shown: Option<usize>) {
        let colours = palette(ui);
        let painter = ui.painter();
        let n = self.measures.len();
        let at = |token: usize| lanes.left() + lanes.width() * token as f32 / n.max(1) as f32;
        if let Some(range) = self.brushed() {
            let place = Rect::from_x_y_ranges(at(range.start)..=at(range.end), lanes.y_range());
            painter.rect_filled(place, 0, colours.accent_soft);
        }
        let mut mesh = Mesh::default();
        for (row, (lane, heights)) in self.lanes().iter().enumerate() {
            let bottom = lanes.top() + LANE * (row as f32 + 1.0) - 2.0;
            painter.hline(lanes.x_range(), bottom + 0.5, (1.0, colours.border));
            bars_of(
                &mut mesh,
                (heights, lanes.x_range().min..=lanes.x_range().max, bottom),
                lane_color(ui, *lane),
            );
            let name = pos2(lanes.left() - NAME, bottom - 5.0);
            let font = theme::regular(theme::TINY);
            painter.text(
                name,
                Align2::LEFT_CENTER,
                lane.name(),
                font.clone(),
                colours.faint,
            );
            let value = shown.and_then(|it| lane.value(&self.measures[it]));
            if let Some(value) = value {
                let place = pos2(lanes.right() + VALUE, bottom - 5.0);
                painter.text(
                    place,
                    Align2::RIGHT_CENTER,
                    lane.words(value),
                    font,
                    colours.weak,
                );
            }
        }
        painter.add(Shape::mesh(mesh));
        if let Some(token) = shown {
            let width = (lanes.width() / n as f32).max(1.0);
            let place = Rect::from_x_y_ranges(at(token)..=at(token) + width, lanes.y_range());
            painter.rect_filled(place, 0, colours.text.gamma_multiply(0.25));
        }
    }

    fn brushed_ui(&mut self, ui: &mut Ui) {
        let Some(range) = self.brushed() else { return };
        let Some(measures) = self.measures.get(range.clone()) else {
            return;
        };
        let text = summary(measures, range.start);
        let closed = ui
            .horizontal(|ui| {
                ui.spacing_mut().interact_size.y = 18.0;
                let closed = icon_button(ui, theme::icons::X, "Clear the selection").clicked();
                note(ui, text);
                closed
            })
            .inner;
        if closed {
            self.brush = None;
        }
    }
}

fn bars_of(
    mesh: &mut Mesh,
    (heights, span, bottom): (&[f32], std::ops::RangeInclusive<f32>, f32),
    color: Color32,
) {
    let width = (span.end() - span.start()) / heights.len().max(1) as f32;
    let gap = if width > 3.0 { 1.0 } else { 0.0 };
    for (idx, height) in heights.iter().enumerate().filter(|it| *it.1 > 0.004) {
        let left = span.start() + width * idx as f32;
        let top = bottom - (height * (LANE - 4.0)).max(1.0);
        let right = left + width - gap;
        let place = Rect::from_x_y_ranges(left..=right, top..=bottom);
        mesh.add_colored_rect(place, color);
    }
}

fn lane_color(ui: &Ui, lane: Lane) -> Color32 {
    let colours = palette(ui);
    match lane {
        Lane::Removed => colours.bad,
        Lane::Entropy => colours.warn,
        Lane::Legal => colours.good,
        Lane::MaskTime => colours.accent,
    }
    .gamma_multiply(0.8)
}

fn ends(tokens: &[TokenEvent], n: usize) -> Option<(TokenId, TokenId)> {
    let last = tokens.get(n.checked_sub(1)?)?;
    Some((tokens.first()?.token, last.token))
}
