//! The rule names that what is being typed may become: a small list at the caret.

use eframe::egui::{Area, Button, Frame, Id, Key, Modifiers, Order, Rect, RichText, Ui, vec2};

use crate::constraint::{Completion, complete_rule};
use crate::ui::theme::{self, palette};

/// Names in the list.
const MAX_NAMES: usize = 8;

/// The list while it is open.
#[derive(Debug, Default)]
pub(super) struct Completing {
    completion: Completion,
    /// Which name is taken by Tab.
    chosen: usize,
}

impl Completing {
    pub(super) fn is_open(&self) -> bool {
        !self.completion.names.is_empty()
    }

    pub(super) fn close(&mut self) {
        *self = Self::default();
    }

    /// Opens for what stands before a byte of the text, if a name is begun there.
    pub(super) fn open(&mut self, text: &str, at: usize) {
        let mut completion = complete_rule(text, at);
        let is_begun = completion.range.start < at;
        completion.names.truncate(MAX_NAMES);
        if is_begun {
            *self = Self {
                completion,
                chosen: 0,
            };
        } else {
            self.close();
        }
    }

    /// Takes the keys that are for the list, before the editor sees them. Says which name was taken.
    pub(super) fn take_keys(&mut self, ui: &Ui) -> Option<usize> {
        if !self.is_open() {
            return None;
        }
        let n = self.completion.names.len();
        let pressed = |key| ui.input_mut(|it| it.consume_key(Modifiers::NONE, key));
        if pressed(Key::ArrowDown) {
            self.chosen = (self.chosen + 1) % n;
        }
        if pressed(Key::ArrowUp) {
            self.chosen = (self.chosen + n - 1) % n;
        }
        if pressed(Key::Escape) {
            self.close();
            return None;
        }
        pressed(Key::Tab).then_some(self.chosen)
    }

    /// Draws the list under the caret. Says which name was clicked.
    pub(super) fn show(&self, ui: &Ui, caret: Rect) -> Option<usize> {
        let mut clicked = None;
        let area = Area::new(Id::unique("rule names"))
            .order(Order::Foreground)
            .fixed_pos(caret.left_bottom() + vec2(0.0, 2.0));
        area.show(ui.ctx(), |ui| {
            Frame::popup(ui.style()).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 1.0;
                for (idx, name) in self.completion.names.iter().enumerate() {
                    let text = RichText::new(name)
                        .font(theme::mono(theme::CODE))
                        .color(palette(ui).text);
                    let button =
                        Button::selectable(idx == self.chosen, text).min_size(vec2(150.0, 22.0));
                    let response = ui.add(button).accessible_name(format!("Complete {name}"));
                    if response.clicked() {
                        clicked = Some(idx);
                    }
                }
            });
        });
        clicked
    }

    /// Puts a name in place of what was typed of it; gives the byte behind it.
    pub(super) fn take(&mut self, idx: usize, text: &mut String) -> Option<usize> {
        let Completion { range, names } = std::mem::take(&mut self.completion);
        let name = names.get(idx)?;
        text.get(range.clone())?;
        text.replace_range(range.clone(), name);
        Some(range.start + name.len())
    }
}
