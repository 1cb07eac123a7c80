//! Which model runs: the one loaded, those found, and how to open another.

use std::path::{Path, PathBuf};

use eframe::egui::text::{LayoutJob, TextWrapping};
use eframe::egui::{
    Align, Align2, Button, Frame, Layout, Margin, Popup, PopupCloseBehavior, ProgressBar, Response,
    RichText, ScrollArea, Stroke, TextEdit, Ui, pos2, vec2,
};

use super::get_models::get_models_ui;
use super::load_settings::load_settings_ui;
use super::model_card::{card, card_ui};
use crate::app::{Action, EnginePhase, FoundModel, Model, ModelSearch, Problem, Searching};
use crate::ui::State;
use crate::ui::theme::{self, icons, palette};
use crate::ui::widgets::{caption, disclosure, icon, icon_button, note, quiet_button};

const MENU_WIDTH: f32 = 440.0;
const MAX_PROBLEMS: usize = 3;
const LOADING_WIDTH: f32 = 270.0;

/// What the closed picker shows.
#[derive(Debug, PartialEq)]
struct Shown {
    name: String,
    detail: String,
}

pub(super) fn model_picker_ui(
    model: &Model,
    state: &mut State,
    ui: &mut Ui,
    actions: &mut Vec<Action>,
) {
    if let EnginePhase::Loading { path, fraction, .. } = &model.engine {
        actions.extend(loading_ui(path, *fraction, ui));
        return;
    }
    let button = button_ui(&shown(&model.engine), ui);
    let menu = Popup::menu(&button)
        .gap(4.0)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| {
            // However much is unfolded, all of it can be reached.
            let height = ui.ctx().content_rect().height() - theme::TOP_BAR - 2.0 * theme::GAP;
            let action = ScrollArea::vertical()
                .id_salt("menu")
                .max_height(height.max(200.0))
                .min_scrolled_height(height.max(200.0))
                .show(ui, |ui| menu_ui(model, state, ui))
                .inner;
            let stays = matches!(
                action,
                Some(Action::SetLoadSettings(_) | Action::Machine(_) | Action::Download(_))
            );
            if action.is_some() && !stays {
                ui.close();
            }
            action
        });
    actions.extend(menu.and_then(|it| it.inner));
}

/// Such as "93 MB"; powers of ten, as file managers show them.
pub(super) fn size_text(bytes: u64) -> String {
    let bytes = bytes as f64;
    if bytes >= 1e9 {
        format!("{:.1} GB", bytes / 1e9)
    } else {
        format!("{:.0} MB", bytes / 1e6)
    }
}

fn shown(engine: &EnginePhase) -> Shown {
    match engine {
        EnginePhase::Ready(info) => Shown {
            name: info.name.clone(),
            detail: if info.bytes > 0 {
                format!("{} · {}", info.quantization, size_text(info.bytes))
            } else {
                "recording".to_owned()
            },
        },
        EnginePhase::Restarting { .. } => Shown {
            name: "Engine starting again".to_owned(),
            detail: String::new(),
        },
        EnginePhase::NoModel | EnginePhase::Failed { .. } | EnginePhase::Loading { .. } => Shown {
            name: "Choose a model".to_owned(),
            detail: String::new(),
        },
    }
}

fn button_ui(shown: &Shown, ui: &mut Ui) -> Response {
    let colours = palette(ui);
    let name = RichText::new(&shown.name).font(theme::medium(theme::BODY));
    let detail = RichText::new(&shown.detail)
        .font(theme::regular(12.0))
        .color(colours.weak);
    let sign = icon(icons::CUBE, 15.0).color(colours.accent);
    let caret = icon(icons::CARET_DOWN, 11.0).color(colours.weak);
    let button = if shown.detail.is_empty() {
        Button::new((sign, name, caret))
    } else {
        Button::new((sign, name, detail, caret))
    };
    ui.add(button)
        .accessible_name(format!("Model: {}", shown.name))
}

fn loading_ui(path: &Path, fraction: f32, ui: &mut Ui) -> Option<Action> {
    let cancelled = icon_button(ui, icons::X, "Cancel loading").clicked();
    let colours = palette(ui);
    let name = format!("Loading {}", file_name(path));
    let bar = ProgressBar::new(fraction)
        .desired_width(LOADING_WIDTH)
        .desired_height(theme::CONTROL)
        .corner_radius(theme::RADIUS)
        .fill(colours.accent_soft.lerp_to_gamma(colours.accent, 0.25));
    let bar = ui.add(bar).accessible_name(&name);
    let place = bar.rect.shrink2(vec2(10.0, 0.0));
    let painter = ui.painter();
    let percent = painter.text(
        place.right_center(),
        Align2::RIGHT_CENTER,
        format!("{:.0} %", fraction * 100.0),
        theme::medium(12.0),
        colours.text,
    );
    let room = percent.left() - place.left() - 8.0;
    let mut job = LayoutJob::simple_singleline(name, theme::medium(12.0), colours.text);
    job.wrap = TextWrapping::truncate_at_width(room);
    let galley = painter.layout_job(job);
    let at = pos2(place.left(), place.center().y - galley.size().y / 2.0);
    painter.galley(at, galley, colours.text);
    bar.on_hover_text(path.display().to_string());
    cancelled.then_some(Action::CancelLoad)
}

fn menu_ui(model: &Model, state: &mut State, ui: &mut Ui) -> Option<Action> {
    ui.set_width(MENU_WIDTH);
    ui.spacing_mut().button_padding = vec2(10.0, 4.0);
    let mut action = None;
    if found_ui(&model.search, ui) {
        action = Some(Action::FindModels);
    }
    let load = &model.settings.load;
    let room = model.room();
    // Who has no model yet is looking for one, and who gets one looks after it.
    let has_none = model.models.is_empty() && model.search.running.is_none();
    let is_getting = !model.download.items.is_empty();
    let mut is_catalogue_open = state.catalogue_open.unwrap_or(has_none || is_getting);
    let height = if is_catalogue_open { 130.0 } else { 300.0 };
    ScrollArea::vertical().max_height(height).show(ui, |ui| {
        for found in &model.models {
            let card = card(found, load.n_ctx, &room);
            if card_ui(&card, is_loaded(model, found), ui).clicked() {
                action = Some(Action::LoadModel(found.path.clone()));
            }
        }
        if has_none {
            note(
                ui,
                "None yet. Open a GGUF file, type its path, or get one below.",
            );
        }
        problems_ui(&model.search.problems, ui);
    });
    ui.add_space(6.0);
    if quiet_button(ui, icons::FOLDER_OPEN, "Open a GGUF file…").clicked() {
        action = Some(Action::BrowseForModel);
    }
    ui.horizontal(|ui| action = path_ui(&mut state.model_path, ui).or(action.take()));
    if matches!(model.engine, EnginePhase::Ready(_))
        && quiet_button(ui, icons::X, "Unload the model").clicked()
    {
        action = Some(Action::UnloadModel);
    }
    let was_open = is_catalogue_open;
    disclosure(ui, &mut is_catalogue_open, "Get a model");
    if is_catalogue_open != was_open {
        state.catalogue_open = Some(is_catalogue_open);
    }
    if is_catalogue_open {
        action = get_models_ui(model, state, ui).or(action);
    }
    disclosure(ui, &mut state.load_settings_open, "Load settings");
    if state.load_settings_open {
        action = load_settings_ui(model, ui).or(action);
    }
    action
}

/// The list's head: how far the search is, or a way to begin it anew.
fn found_ui(search: &ModelSearch, ui: &mut Ui) -> bool {
    let Some(running) = &search.running else {
        return ui
            .horizontal(|ui| {
                caption(ui, "Found on this computer");
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    icon_button(ui, icons::ARROW_AGAIN, "Search for models again").clicked()
                })
                .inner
            })
            .inner;
    };
    caption(ui, &searching_text(running));
    false
}

fn searching_text(running: &Searching) -> String {
    let Searching {
        place,
        n_looked,
        n_files,
        n_models,
    } = running;
    if place.is_empty() {
        format!("Searching: {n_models} models in {n_looked} of {n_files} files")
    } else {
        format!("Searching {place}: {n_files} files")
    }
}

/// The first few; `stepladder models` names all of them.
fn problems_ui(problems: &[Problem], ui: &mut Ui) {
    for it in problems.iter().take(MAX_PROBLEMS) {
        note(ui, format!("Left out: {it}"));
    }
    let n_more = problems.len().saturating_sub(MAX_PROBLEMS);
    if n_more > 0 {
        note(
            ui,
            format!("and {n_more} more; `stepladder models` lists them"),
        );
    }
}

fn path_ui(path: &mut String, ui: &mut Ui) -> Option<Action> {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let typed = path.trim();
        let opened = ui
            .add_enabled(!typed.is_empty(), Button::new("Load"))
            .accessible_name("Load the typed path")
            .clicked();
        let edit = TextEdit::singleline(path)
            .hint_text("or type a path")
            .desired_width(f32::INFINITY)
            .align(Align2::LEFT_CENTER)
            .frame(field_frame(ui))
            .min_size(vec2(0.0, theme::CONTROL));
        let field = ui.add(edit).accessible_name("Path of a GGUF file");
        let entered = field.lost_focus() && ui.input(|it| it.key_pressed(eframe::egui::Key::Enter));
        let typed = path.trim();
        let wanted = (opened || entered) && !typed.is_empty();
        wanted.then(|| Action::LoadModel(PathBuf::from(typed)))
    })
    .inner
}

pub(super) fn field_frame(ui: &Ui) -> Frame {
    let colours = palette(ui);
    Frame::NONE
        .fill(colours.well)
        .stroke(Stroke::new(theme::HAIRLINE, colours.border_strong))
        .corner_radius(theme::RADIUS)
        .inner_margin(Margin::symmetric(8, 4))
}

fn is_loaded(model: &Model, found: &FoundModel) -> bool {
    matches!(&model.engine, EnginePhase::Ready(info) if info.path == found.path)
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .map(|it| it.to_string_lossy().into_owned())
        .unwrap_or_default()
}
