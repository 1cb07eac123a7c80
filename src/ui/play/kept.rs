//! The user's own texts that something else took the place of, and the way back to them.

use eframe::egui::Ui;

use crate::app::{Action, Draft, Place};
use crate::ui::inputs::first_line;
use crate::ui::widgets::{Entry, picker};

/// A menu of the kept texts of one place; nothing where there are none.
pub(super) fn kept_ui(draft: &Draft, place: Place, ui: &mut Ui) -> Option<Action> {
    let kept = kept(draft, place);
    if kept.is_empty() {
        return None;
    }
    let titles: Vec<String> = kept.iter().map(|(_, text)| first_line(text)).collect();
    let entries: Vec<Entry<'_>> = titles
        .iter()
        .zip(&kept)
        .map(|(title, (_, text))| Entry {
            title,
            about: text,
            chosen: false,
        })
        .collect();
    let picked = picker(ui, name(place), "Your earlier", &entries)?;
    kept.get(picked).map(|it| Action::RestoreKept(it.0))
}

/// Index into the draft's kept texts, and the text.
fn kept(draft: &Draft, place: Place) -> Vec<(usize, &str)> {
    let all = draft.kept.iter().enumerate();
    all.filter(|it| it.1.place == place)
        .map(|(idx, it)| (idx, it.text.as_str()))
        .collect()
}

fn name(place: Place) -> &'static str {
    match place {
        Place::Input => "Earlier inputs",
        Place::Grammar => "Earlier grammars",
        Place::Schema => "Earlier schemas",
    }
}
