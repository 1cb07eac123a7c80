//! A knob: its name, its value to type or drag, and a slider where its range suits one.

use eframe::egui::{
    Align, DragValue, Label, Layout, Rect, Response, RichText, Role, Sense, Slider, Stroke, Ui,
    WidgetInfo, vec2,
};

use super::{note, pill};
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
    /// Whose value it is.
    pub(crate) origin: Option<RowOrigin<'a>>,
    /// A line under the name: what the knob did in the last run, what else could be said.
    pub(crate) remark: Option<&'a str>,
    /// What the model's file suggests; one click takes it.
    pub(crate) suggested: Option<f64>,
}

/// Whose value a knob has, and the way back from a changed one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RowOrigin<'a> {
    pub(crate) word: &'a str,
    pub(crate) form: OriginForm,
    /// The value that one click leads back to.
    pub(crate) back: Option<f64>,
}

/// How an origin is drawn, so that it can be told without colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OriginForm {
    /// A hollow dot: the default.
    Hollow,
    /// A filled dot: the preset.
    Filled,
    /// A square: the model's file.
    Square,
    /// A filled dot in the accent's colour with a ring: changed by the user.
    Ringed,
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
    if let Some(remark) = row.remark {
        note(ui, remark);
    }
    let typed = typed | suggestion_ui(ui, row, value);
    if row.look == Look::Value {
        return typed;
    }
    let slid = slider(ui, row, value).labelled_by(name.id).changed();
    ui.add_space(theme::SMALL_GAP);
    typed || slid
}

/// The model file's own value; says whether it was taken.
fn suggestion_ui(ui: &mut Ui, row: &KnobRow<'_>, value: &mut f64) -> bool {
    let Some(suggested) = row.suggested else {
        return false;
    };
    let text = format!("Take the model file's {suggested:.*}", row.decimals);
    let label = RichText::new(&text)
        .font(theme::regular(theme::SMALL))
        .color(palette(ui).accent);
    let response = ui.link(label);
    let name = format!("{text} for {}", row.name);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    if response.clicked() {
        *value = suggested;
    }
    response.clicked()
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
    let reset = row.origin.and_then(|it| origin_ui(ui, row, &it));
    if let Some(back) = reset {
        *value = back;
    }
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
    (name, changed || reset.is_some(), extra)
}

/// The dot before the name; returns the value to go back to when it was clicked.
fn origin_ui(ui: &mut Ui, row: &KnobRow<'_>, origin: &RowOrigin<'_>) -> Option<f64> {
    let colours = palette(ui);
    let sense = if origin.back.is_some() {
        Sense::click()
    } else {
        Sense::hover()
    };
    let (rect, response) = ui.allocate_exact_size(vec2(10.0, HEAD), sense);
    let center = rect.center();
    let painter = ui.painter();
    match origin.form {
        OriginForm::Hollow => {
            painter.circle_stroke(center, 2.5, Stroke::new(1.0, colours.border_strong));
        }
        OriginForm::Filled => {
            painter.circle_filled(center, 3.0, colours.faint);
        }
        OriginForm::Square => {
            let place = Rect::from_center_size(center, vec2(6.0, 6.0));
            painter.rect_filled(place, 1, colours.good);
        }
        OriginForm::Ringed => {
            painter.circle_filled(center, 2.5, colours.accent);
            painter.circle_stroke(center, 4.5, Stroke::new(1.0, colours.accent));
        }
    }
    let back = origin.back.map(|it| format!("{it:.*}", row.decimals));
    let (read, help) = match &back {
        Some(back) => (
            format!("{}: {}; back to {back}", row.name, origin.word),
            format!("{}. Click: back to {back}.", origin.word),
        ),
        None => (
            format!("{}: {}", row.name, origin.word),
            format!("{}.", origin.word),
        ),
    };
    let role = if back.is_some() {
        Role::Button
    } else {
        Role::Label
    };
    response.widget_info(|| WidgetInfo::labeled(role, true, &read));
    let clicked = response.clicked();
    response.on_hover_text(help);
    origin.back.filter(|_| clicked)
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
