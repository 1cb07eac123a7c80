//! Every colour of the window, one row a token, for the dark and the light theme.

#![expect(
    clippy::disallowed_methods,
    reason = "this is the one place where colours are made"
)]

use eframe::egui::{Color32, Ui};

/// What egui's own visuals have no name for. A table: one field a token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Palette {
    /// Behind the prompt and the reply.
    pub(crate) bg: Color32,
    /// Behind the side columns and the bars.
    pub(crate) panel: Color32,
    pub(crate) card: Color32,
    /// Text fields and code.
    pub(crate) well: Color32,
    pub(crate) raised: Color32,
    pub(crate) hover: Color32,
    /// The chosen part of a segmented control.
    pub(crate) chosen: Color32,
    pub(crate) chosen_edge: Color32,
    pub(crate) border: Color32,
    pub(crate) border_strong: Color32,
    pub(crate) text: Color32,
    pub(crate) weak: Color32,
    pub(crate) faint: Color32,
    pub(crate) accent: Color32,
    pub(crate) accent_fill: Color32,
    pub(crate) accent_soft: Color32,
    pub(crate) on_accent: Color32,
    /// On a lamp, a rung or a badge that is filled with its own colour.
    pub(crate) on_fill: Color32,
    pub(crate) good: Color32,
    pub(crate) warn: Color32,
    pub(crate) bad: Color32,
    pub(crate) good_soft: Color32,
    pub(crate) warn_soft: Color32,
    pub(crate) bad_soft: Color32,
    /// Behind a token that the model was torn about.
    pub(crate) torn: Color32,
    /// Behind a token that the model hardly believed in.
    pub(crate) doubtful: Color32,
    /// Behind a token that the chain changed: by a ban, a penalty, a cut, the mask, the dice.
    pub(crate) changes: [Color32; 5],
    /// Behind a token that was the only legal one.
    pub(crate) forced: Color32,
    /// Behind text that the inspector points at.
    pub(crate) pointed: Color32,
    pub(crate) shadow: Color32,
}

pub(super) const DARK: Palette = Palette {
    bg: hex(0x000E_1014),
    panel: hex(0x0013_161B),
    card: hex(0x0019_1D24),
    well: hex(0x000E_1014),
    raised: hex(0x0022_2731),
    hover: hex(0x002A_303C),
    chosen: hex(0x0030_3742),
    chosen_edge: Color32::TRANSPARENT,
    border: hex(0x0024_2A33),
    border_strong: hex(0x0039_414E),
    text: hex(0x00E4_E8EE),
    weak: hex(0x009B_A5B4),
    faint: hex(0x0078_8291),
    accent: hex(0x008B_A6FF),
    accent_fill: hex(0x004C_6CF0),
    accent_soft: hex(0x001E_2745),
    on_accent: Color32::WHITE,
    on_fill: hex(0x000E_1014),
    good: hex(0x004C_C38A),
    warn: hex(0x00E5_B04F),
    bad: hex(0x00F2_777A),
    good_soft: hex(0x001A_2D27),
    warn_soft: hex(0x0030_2A1F),
    bad_soft: hex(0x0032_2024),
    torn: hex(0x006E_551B),
    doubtful: hex(0x009E_2F3C),
    changes: [
        hex(0x008A_2F45),
        hex(0x0075_5714),
        hex(0x0028_5685),
        hex(0x0024_6349),
        hex(0x0053_4090),
    ],
    forced: hex(0x0024_4A56),
    pointed: hex(0x005A_4A12),
    shadow: Color32::from_black_alpha(120),
};

pub(super) const LIGHT: Palette = Palette {
    bg: Color32::WHITE,
    panel: hex(0x00F6_F7F9),
    card: Color32::WHITE,
    well: Color32::WHITE,
    raised: hex(0x00EC_EEF2),
    hover: hex(0x00E2_E6EC),
    chosen: Color32::WHITE,
    chosen_edge: hex(0x00E1_E5EA),
    border: hex(0x00E1_E5EA),
    border_strong: hex(0x00C6_CDD7),
    text: hex(0x001A_1F28),
    weak: hex(0x0056_6172),
    faint: hex(0x0078_8291),
    accent: hex(0x0035_55D8),
    accent_fill: hex(0x003F_5FE8),
    accent_soft: hex(0x00E6_EBFD),
    on_accent: Color32::WHITE,
    on_fill: Color32::WHITE,
    good: hex(0x0014_804F),
    warn: hex(0x009A_6100),
    bad: hex(0x00C4_302B),
    good_soft: hex(0x00E2_F3E9),
    warn_soft: hex(0x00FB_F0D9),
    bad_soft: hex(0x00FC_E7E5),
    torn: hex(0x00FB_E3A6),
    doubtful: hex(0x00F8_A59F),
    changes: [
        hex(0x00F9_B9C3),
        hex(0x00F7_DF9F),
        hex(0x00BD_DCF7),
        hex(0x00B8_E7CB),
        hex(0x00DB_CEF8),
    ],
    forced: hex(0x00C4_E8F0),
    pointed: hex(0x00FF_EC9E),
    shadow: Color32::from_black_alpha(40),
};

/// The colours of the theme that is on.
pub(crate) fn palette(ui: &Ui) -> &'static Palette {
    if ui.visuals().dark_mode {
        &DARK
    } else {
        &LIGHT
    }
}

/// What a mark says, apart from its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Quiet,
    Accent,
    Good,
    Warn,
    Bad,
}

impl Palette {
    /// The colour of a mark and its text.
    pub(crate) fn tone(&self, tone: Tone) -> Color32 {
        match tone {
            Tone::Quiet => self.weak,
            Tone::Accent => self.accent,
            Tone::Good => self.good,
            Tone::Warn => self.warn,
            Tone::Bad => self.bad,
        }
    }

    /// The colour behind a mark's text.
    pub(crate) fn soft(&self, tone: Tone) -> Color32 {
        match tone {
            Tone::Quiet => self.raised,
            Tone::Accent => self.accent_soft,
            Tone::Good => self.good_soft,
            Tone::Warn => self.warn_soft,
            Tone::Bad => self.bad_soft,
        }
    }

    /// Behind a token of this probability. Sure tokens stay plain, so that the eye goes to the others.
    pub(crate) fn confidence(&self, probability: f32) -> Color32 {
        if probability >= 0.9 {
            Color32::TRANSPARENT
        } else if probability > 0.5 {
            self.torn.lerp_to_gamma(self.bg, (probability - 0.5) / 0.5)
        } else {
            self.doubtful.lerp_to_gamma(self.torn, probability / 0.5)
        }
    }

    /// Behind a token that the chain changed, by the number of the change.
    pub(crate) fn change(&self, change: usize) -> Color32 {
        self.changes[change.min(self.changes.len() - 1)]
    }

    /// Behind a token that was the model's first, second or a later choice.
    pub(crate) fn rank(&self, rank: u32) -> Color32 {
        match rank {
            0 | 1 => Color32::TRANSPARENT,
            2 => self.confidence(0.55),
            3..=5 => self.confidence(0.3),
            _ => self.confidence(0.05),
        }
    }
}

const fn hex(rgb: u32) -> Color32 {
    Color32::from_rgb((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8)
}
