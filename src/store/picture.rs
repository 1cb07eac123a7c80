//! Drawings as pictures: an SVG becomes a PNG, in the program's own typeface.

use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

use crate::typefaces::INTER;

/// Pixels for each unit of the drawing, so that text is sharp in a document.
const SCALE: f32 = 2.0;
/// Larger pictures are refused: no reader could see them whole.
const MAX_SIDE: f32 = 16_384.0;

/// Draws an SVG document as a PNG. Signs that the program's typeface lacks come from the system's.
///
/// # Errors
/// A sentence: the drawing cannot be read, or is too large for a picture.
pub fn picture(svg: &str) -> Result<Vec<u8>, String> {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(INTER.to_vec());
    let family = fonts.faces().find_map(|it| it.families.first().cloned());
    let family = family.map(|it| it.0).unwrap_or_default();
    if svg.chars().any(|it| it > '\u{2fff}') {
        fonts.load_system_fonts();
    }
    fonts.set_sans_serif_family(family.clone());
    let options = Options {
        font_family: family,
        fontdb: Arc::new(fonts),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options)
        .map_err(|it| format!("the chart cannot be drawn: {it}; save the HTML report instead"))?;
    let (width, height) = (tree.size().width() * SCALE, tree.size().height() * SCALE);
    let too_large =
        || "the chart is too large for a picture; save the HTML report instead".to_owned();
    if width > MAX_SIDE || height > MAX_SIDE {
        return Err(too_large());
    }
    #[expect(clippy::cast_sign_loss, reason = "a side is never negative")]
    let pixmap = Pixmap::new(width.ceil() as u32, height.ceil() as u32);
    let mut pixmap = pixmap.ok_or_else(too_large)?;
    resvg::render(
        &tree,
        Transform::from_scale(SCALE, SCALE),
        &mut pixmap.as_mut(),
    );
    pixmap
        .encode_png()
        .map_err(|it| format!("the picture cannot be made: {it}; save the HTML report instead"))
}
