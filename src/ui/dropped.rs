//! Files that are dropped on the window.

use eframe::egui;

use super::Window;
use super::errands::BUNDLE;
use crate::app::{Action, GrammarsAction, RepairAction, Tab};

impl Window {
    /// A model is loaded, a bundle imported, anything else read by the view that is open.
    pub(super) fn take_dropped(&mut self, ctx: &egui::Context) {
        let dropped = ctx.input(|it| it.raw.dropped_files.first().map(|it| it.path().to_owned()));
        let Some(path) = dropped else { return };
        let is_model = path
            .extension()
            .is_some_and(|it| it.eq_ignore_ascii_case("gguf"));
        let is_bundle = path.extension().is_some_and(|it| it == BUNDLE);
        let action = match self.model.tab {
            _ if is_bundle => Action::Import(Some(path)),
            Tab::Repair if !is_model => Action::Repair(RepairAction::Read(path)),
            Tab::Grammars if !is_model => Action::Grammars(GrammarsAction::Read(path)),
            _ => Action::LoadModel(path),
        };
        self.act(action, ctx);
    }
}
