//! A long list within a scrolled column, of which only the rows in sight are laid out.

use eframe::egui::{Rect, Ui, UiBuilder, pos2, vec2};

/// Rows of one height, numbered from 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    pub(crate) n: usize,
    pub(crate) height: f32,
}

impl Rows {
    /// Takes the room of all rows and draws those that are in sight.
    pub(crate) fn show(self, ui: &mut Ui, mut draw: impl FnMut(&mut Ui, usize)) {
        let size = vec2(ui.available_width(), self.height * self.n as f32);
        // Several lists may stand in one place.
        let (list, whole) = ui.allocate_space(size);
        let sight = ui.clip_rect();
        let place = |y: f32| ((y - whole.top()) / self.height).max(0.0);
        #[expect(clippy::cast_sign_loss, reason = "a place is never negative")]
        let first = place(sight.top()).floor() as usize;
        #[expect(clippy::cast_sign_loss, reason = "a place is never negative")]
        let behind = (place(sight.bottom()).ceil() as usize).min(self.n);
        for idx in first..behind {
            let top = whole.top() + self.height * idx as f32;
            let size = vec2(whole.width(), self.height);
            let row = Rect::from_min_size(pos2(whole.left(), top), size);
            let mut row = ui.new_child(UiBuilder::new().max_rect(row).id_salt((list, idx)));
            draw(&mut row, idx);
        }
    }
}
