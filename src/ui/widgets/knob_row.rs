//! A knob: its name, its value to type or drag, and a slider where its range suits one.

use eframe::egui::{
    Align, DragValue, Label, Layout, Response, RichText, Sense, Slider, Stroke, Ui, vec2,
};

use super::pill;
use crate::ui::theme::{self, Tone, palette};

/// Height of the row with name and value.
const HEAD: f32 = 22.0;

/// All that is drawn of a knob, besides its value.
pub(crate) struct KnobRow<'a> {
    pub(crate) name: &'a str,
    pub(crate) help: &'a str,
    pub(crate) min: f64,
    pub(crate) max: f64,
    pub(crate) step: f64,
    pub(crate) decimals: usize,
    pub(crate) look: Look,
    /// The word for the least value, where it does not mean a number.
    pub(crate) least: Option<&'a str>,
    /// Why the knob changes nothing as it is set, if so.
    pub(crate) idle: Option<&'a str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// A slider under the name.
    Slider,
    /// A slider that gives small values more room.
    LogSlider,
    /// The value alone: the range is too wide for a slider.
    Value,
}

/// Says whether the value was changed.
pub(crate) fn knob_row(ui: &mut Ui, row: &KnobRow<'_>, value: &mut f64) -> bool {
    let (name, typed, ()) = head_with(ui, row, value, |_| ());
    if row.look == Look::Value {
        return typed;
    }
    let slid = slider(ui, row, value).labelled_by(name.id).changed();
    ui.add_space(theme::SMALL_GAP);
    typed || slid
}

/// Name and value in one row, with what `extra` draws to the left of the value.
pub(crate) fn head_with<R>(
    ui: &mut Ui,
    row: &KnobRow<'_>,
    value: &mut f64,
    extra: impl FnOnce(&mut Ui) -> R,
) -> (Response, bool, R) {
    ui.scope(|ui| {
        ui.spacing_mut().interact_size.y = HEAD;
        ui.horizontal(|ui| head_row(ui, row, value, extra)).inner
    })
    .inner
}

fn head_row<R>(
    ui: &mut Ui,
    row: &KnobRow<'_>,
    value: &mut f64,
    extra: impl FnOnce(&mut Ui) -> R,
) -> (Response, bool, R) {
    let color = if row.idle.is_some() {
        palette(ui).weak
    } else {
        palette(ui).text
    };
    let text = RichText::new(row.name).color(color);
    let name = ui
        .add(Label::new(text).sense(Sense::hover()))
        .on_hover_text(row.help);
    if let Some(reason) = row.idle {
        pill(ui, "no effect", Tone::Quiet).on_hover_text(reason);
    }
    let (changed, extra) = ui
        .with_layout(Layout::right_to_left(Align::Center), |ui| {
            let changed = ui.scope(|ui| value_box(ui, row, value).changed()).inner;
            (changed, extra(ui))
        })
        .inner;
    (name, changed, extra)
}

fn value_box(ui: &mut Ui, row: &KnobRow<'_>, value: &mut f64) -> Response {
    let width = if row.look == Look::Value { 84.0 } else { 50.0 };
    ui.spacing_mut().interact_size = vec2(width, HEAD);
    ui.spacing_mut().button_padding = vec2(6.0, 2.0);
    let (least, min, decimals) = (row.least, row.min, row.decimals);
    let drag = DragValue::new(value)
        .range(row.min..=row.max)
        .speed(row.step)
        .fixed_decimals(row.decimals)
        .custom_formatter(move |value, _| match least {
            Some(word) if value <= min => word.to_owned(),
            _ => format!("{value:.decimals$}"),
        })
        .custom_parser(move |text| {
            let text = text.trim();
            let is_least = least.is_some_and(|it| it.eq_ignore_ascii_case(text));
            is_least.then_some(min).or_else(|| text.parse().ok())
        });
    ui.add(drag)
        .accessible_name(format!("{} value", row.name))
        .on_hover_text(row.help)
}

/// egui sizes the handle by `interact_size.y` and colours rail and handle alike, so the handle is a ring here.
fn slider(ui: &mut Ui, row: &KnobRow<'_>, value: &mut f64) -> Response {
    ui.scope(|ui| {
        let colours = palette(ui);
        ui.spacing_mut().slider_width = ui.available_width();
        ui.spacing_mut().interact_size.y = 16.0;
        let dark = ui.visuals().dark_mode;
        let ring = match (row.idle.is_some(), dark) {
            (true, _) => colours.faint,
            (false, true) => colours.accent,
            (false, false) => colours.accent_fill,
        };
        let visuals = ui.visuals_mut();
        visuals.selection.bg_fill = if row.idle.is_some() {
            colours.border_strong
        } else {
            colours.accent_fill
        };
        let widgets = &mut visuals.widgets;
        widgets.inactive.bg_fill = if dark { colours.raised } else { colours.hover };
        widgets.hovered.bg_fill = colours.well;
        widgets.active.bg_fill = colours.well;
        widgets.inactive.fg_stroke = Stroke::new(2.5, ring);
        widgets.hovered.fg_stroke = Stroke::new(3.5, ring);
        widgets.active.fg_stroke = Stroke::new(3.5, ring);
        let slider = Slider::new(value, row.min..=row.max)
            .step_by(row.step)
            .logarithmic(row.look == Look::LogSlider)
            .show_value(false);
        ui.add(slider)
    })
    .inner
}
