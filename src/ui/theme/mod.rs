//! How the window looks: all colours, fonts, icons and sizes.

mod fonts;
pub(crate) mod icons;
mod palette;

use eframe::egui::style::{HandleShape, ScrollStyle, Spacing};
use eframe::egui::{
    Color32, Context, CornerRadius, CursorIcon, FontId, Margin, Shadow, Stroke, Style, TextStyle,
    Theme, Vec2, Visuals,
};

pub(crate) use fonts::{icon_fill, medium, mono, regular, semibold};
pub(crate) use palette::{Palette, Tone, palette};

use crate::app::ThemeChoice;

/// Width of the column of knobs, of the ladder's column, and the bounds between which they can be drawn.
pub(crate) const KNOBS_WIDTH: f32 = 276.0;
pub(crate) const KNOBS_RANGE: std::ops::RangeInclusive<f32> = 240.0..=420.0;
pub(crate) const LADDER_WIDTH: f32 = 372.0;
pub(crate) const LADDER_RANGE: std::ops::RangeInclusive<f32> = 300.0..=560.0;
pub(crate) const TOP_BAR: f32 = 52.0;
pub(crate) const STATUS_LINE: f32 = 28.0;
/// Height of buttons, pickers and segmented controls.
pub(crate) const CONTROL: f32 = 28.0;
/// Corners of controls, of cards, of a token's tint.
pub(crate) const RADIUS: u8 = 6;
pub(crate) const CARD_RADIUS: u8 = 8;
pub(crate) const TINT_RADIUS: f32 = 3.0;
/// Space at the edges of a column, between its parts, and between a caption and its part.
pub(crate) const MARGIN: i8 = 16;
pub(crate) const GAP: f32 = 16.0;
pub(crate) const SMALL_GAP: f32 = 4.0;
/// Text sizes.
pub(crate) const TINY: f32 = 10.5;
pub(crate) const SMALL: f32 = 11.5;
pub(crate) const LABEL: f32 = 12.5;
pub(crate) const BODY: f32 = 13.0;
pub(crate) const TITLE: f32 = 14.0;
pub(crate) const CODE: f32 = 12.5;
pub(crate) const REPLY: f32 = 13.5;
/// Height of a row of the reply, of code and of the value's tree.
pub(crate) const REPLY_ROW: f32 = 22.0;
pub(crate) const CODE_ROW: f32 = 19.0;
pub(crate) const TREE_ROW: f32 = 21.0;
pub(crate) const HAIRLINE: f32 = 1.0;

/// Brings fonts and both themes into a window; once, before its first frame.
pub fn install(ctx: &Context) {
    ctx.set_fonts(fonts::definitions());
    ctx.style_mut_of(Theme::Dark, |style| apply(style, &palette::DARK));
    ctx.style_mut_of(Theme::Light, |style| apply(style, &palette::LIGHT));
}

/// Puts the chosen theme on.
pub fn set(ctx: &Context, choice: ThemeChoice) {
    ctx.set_theme(match choice {
        ThemeChoice::Dark => Theme::Dark,
        ThemeChoice::Light => Theme::Light,
    });
}

fn apply(style: &mut Style, colours: &Palette) {
    style.text_styles = [
        (TextStyle::Small, regular(SMALL)),
        (TextStyle::Body, regular(BODY)),
        (TextStyle::Button, medium(BODY)),
        (TextStyle::Heading, semibold(15.0)),
        (TextStyle::Monospace, FontId::monospace(CODE)),
    ]
    .into();
    style.interaction.tooltip_delay = 0.15;
    style.interaction.selectable_labels = false;
    style.animation_time = 0.12;
    space(&mut style.spacing);
    colour(&mut style.visuals, colours);
    widgets(&mut style.visuals, colours);
}

fn space(spacing: &mut Spacing) {
    spacing.item_spacing = Vec2::new(8.0, 6.0);
    spacing.button_padding = Vec2::new(10.0, 4.0);
    spacing.interact_size = Vec2::new(30.0, CONTROL);
    spacing.window_margin = Margin::same(14);
    spacing.menu_margin = Margin::same(6);
    spacing.slider_rail_height = 4.0;
    spacing.icon_width = 16.0;
    spacing.icon_width_inner = 9.0;
    spacing.tooltip_width = 320.0;
    spacing.scroll = ScrollStyle {
        bar_width: 8.0,
        ..ScrollStyle::floating()
    };
}

fn colour(visuals: &mut Visuals, colours: &Palette) {
    visuals.panel_fill = colours.panel;
    visuals.window_fill = colours.card;
    visuals.window_stroke = Stroke::new(HAIRLINE, colours.border_strong);
    visuals.window_corner_radius = CornerRadius::same(10);
    visuals.menu_corner_radius = CornerRadius::same(CARD_RADIUS);
    visuals.window_shadow = shadow(colours, 28);
    visuals.popup_shadow = shadow(colours, 14);
    visuals.extreme_bg_color = colours.well;
    visuals.text_edit_bg_color = Some(colours.well);
    visuals.faint_bg_color = colours.raised.gamma_multiply(0.5);
    visuals.code_bg_color = colours.raised;
    visuals.hyperlink_color = colours.accent;
    visuals.warn_fg_color = colours.warn;
    visuals.error_fg_color = colours.bad;
    visuals.weak_text_color = Some(colours.weak);
    let strength = if visuals.dark_mode { 0.45 } else { 0.25 };
    visuals.selection.bg_fill = colours.accent_fill.gamma_multiply(strength);
    visuals.selection.stroke = Stroke::new(HAIRLINE, colours.accent);
    visuals.slider_trailing_fill = true;
    visuals.handle_shape = HandleShape::Circle;
    visuals.interact_cursor = Some(CursorIcon::PointingHand);
    visuals.indent_has_left_vline = false;
}

fn widgets(visuals: &mut Visuals, colours: &Palette) {
    let widgets = &mut visuals.widgets;
    let edge = colours.border_strong;
    for (widget, fill, stroke) in [
        (&mut widgets.noninteractive, colours.panel, colours.border),
        (&mut widgets.inactive, colours.raised, Color32::TRANSPARENT),
        (&mut widgets.hovered, colours.hover, edge),
        (&mut widgets.active, colours.hover, colours.accent),
        (&mut widgets.open, colours.raised, edge),
    ] {
        widget.bg_fill = fill;
        widget.weak_bg_fill = fill;
        widget.bg_stroke = Stroke::new(HAIRLINE, stroke);
        widget.fg_stroke = Stroke::new(HAIRLINE, colours.text);
        widget.corner_radius = CornerRadius::same(RADIUS);
        widget.expansion = 0.0;
    }
}

fn shadow(colours: &Palette, blur: u8) -> Shadow {
    Shadow {
        offset: [0, 6],
        blur,
        spread: 0,
        color: colours.shadow,
    }
}
