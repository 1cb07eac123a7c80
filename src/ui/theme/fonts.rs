//! The bundled fonts and the names under which widgets ask for them.

use std::sync::Arc;

use eframe::egui::epaint::text::FontTweak;
use eframe::egui::{FontData, FontDefinitions, FontFamily, FontId};

use crate::typefaces::INTER;

const MONO: &[u8] = include_bytes!("../../../assets/JetBrainsMono-NL-Regular.ttf");
const ICONS: &[u8] = include_bytes!("../../../assets/Phosphor-subset.ttf");
const ICONS_FILL: &[u8] = include_bytes!("../../../assets/Phosphor-Fill-subset.ttf");

const MEDIUM: &str = "medium";
const SEMIBOLD: &str = "semibold";
const FILL: &str = "icons-fill";

pub(crate) fn regular(size: f32) -> FontId {
    FontId::proportional(size)
}

pub(crate) fn medium(size: f32) -> FontId {
    named(size, MEDIUM)
}

pub(crate) fn semibold(size: f32) -> FontId {
    named(size, SEMIBOLD)
}

pub(crate) fn mono(size: f32) -> FontId {
    FontId::monospace(size)
}

/// For icons that are drawn filled.
pub(crate) fn icon_fill(size: f32) -> FontId {
    named(size, FILL)
}

/// Han, kana and Hangul come from the system: egui asks it for what these fonts lack.
pub(super) fn definitions() -> FontDefinitions {
    let mut fonts = FontDefinitions::empty();
    for (name, data) in [
        ("inter", inter(400.0)),
        ("inter-medium", inter(500.0)),
        ("inter-semibold", inter(600.0)),
        ("mono", FontData::from_static(MONO)),
        ("icons", icons(ICONS)),
        ("icons-fill", icons(ICONS_FILL)),
    ] {
        fonts.font_data.insert(name.to_owned(), Arc::new(data));
    }
    for (family, names) in [
        (FontFamily::Proportional, ["inter", "icons"].as_slice()),
        (FontFamily::Monospace, &["mono", "icons"]),
        (FontFamily::Name(MEDIUM.into()), &["inter-medium", "icons"]),
        (
            FontFamily::Name(SEMIBOLD.into()),
            &["inter-semibold", "icons"],
        ),
        (FontFamily::Name(FILL.into()), &["icons-fill"]),
    ] {
        let names = names.iter().map(|&it| it.to_owned()).collect();
        fonts.families.insert(family, names);
    }
    fonts
}

fn named(size: f32, family: &'static str) -> FontId {
    FontId::new(size, FontFamily::Name(family.into()))
}

fn inter(weight: f32) -> FontData {
    let mut tweak = FontTweak::default();
    tweak.coords.push(b"wght", weight);
    FontData::from_static(INTER).tweak(tweak)
}

/// Icons stand a little lower and larger than letters of the same size.
fn icons(bytes: &'static [u8]) -> FontData {
    FontData::from_static(bytes).tweak(FontTweak {
        y_offset_factor: 0.10,
        scale: 1.12,
        ..FontTweak::default()
    })
}
