//! Getting a model in the picker: the catalogue, what is on its way, and a field for any other.

use std::path::PathBuf;

use eframe::egui::{
    Align, Button, Color32, Frame, Label, Layout, Margin, ProgressBar, RichText, ScrollArea,
    TextEdit, Ui, vec2,
};

use super::model_picker::{field_frame, size_text};
use crate::app::{Action, DownloadAction, FoundModel, GetPhase, Getting, Model};
use crate::download::{Offer, Wanted, catalogue, offer, progress_text};
use crate::gguf::Fit;
use crate::ui::State;
use crate::ui::theme::{self, icons, palette};
use crate::ui::widgets::{elided, icon_button, note};

/// The list is this high at least; in a high window it takes what the rest of the menu leaves.
const LIST_HEIGHT: f32 = 250.0;
const AROUND_LIST: f32 = 620.0;
const BAR_HEIGHT: f32 = 6.0;

/// What a row shows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    title: String,
    /// Quantization, size, licence.
    facts: String,
    /// Memory.
    needs: String,
    fit: Option<Fit>,
    hover: String,
    state: RowState,
    wanted: Wanted,
}

/// What can be done with a row.
#[derive(Clone, Debug, PartialEq)]
enum RowState {
    /// It can be fetched.
    Offered,
    /// On its way: how far, in words and between 0 and 1.
    Running {
        id: u64,
        text: String,
        fraction: Option<f32>,
        stopping: bool,
    },
    /// It can be gone on with; why it has not come, if there is a reason.
    Kept {
        id: u64,
        text: String,
        is_failure: bool,
        /// What has come of it.
        bytes: u64,
    },
    Here(PathBuf),
}

/// The rows: what is no offer of the catalogue first, because the user asked for it.
pub(super) fn rows(model: &Model) -> Vec<Row> {
    let offers = catalogue();
    let is_offered = |it: &Getting| offers.iter().any(|offer| offer.wanted() == it.wanted);
    let others = model.download.items.iter().filter(|it| !is_offered(it));
    let others = others.map(|it| other_row(model, it));
    others
        .chain(offers.iter().map(|it| offer_row(model, it)))
        .collect()
}

fn offer_row(model: &Model, offer: &Offer) -> Row {
    let n_ctx = model.settings.load.n_ctx;
    let free = model.search.free_memory;
    let of = free.map_or(String::new(), |it| format!(" of {} free", size_text(it)));
    let need = size_text(offer.need(n_ctx).total());
    let facts = [
        offer.quantization.clone(),
        size_text(offer.bytes),
        offer.licence.clone(),
    ];
    let wanted = offer.wanted();
    let here = || here(&model.models, &offer.file).map(RowState::Here);
    let state = model.download.of(&wanted).map(row_state);
    Row {
        title: offer.title.clone(),
        facts: facts.join(" · "),
        needs: format!("needs {need}{of}"),
        fit: offer.fit(n_ctx, free),
        hover: format!("{}\n{wanted}", offer.about),
        state: state.or_else(here).unwrap_or(RowState::Offered),
        wanted,
    }
}

fn other_row(model: &Model, getting: &Getting) -> Row {
    let of_search = |path: &PathBuf| model.models.iter().find(|it| it.path == *path);
    let found = match &getting.phase {
        GetPhase::Here(path) => of_search(path),
        _ => None,
    };
    let facts = found.map_or(String::new(), |it| {
        format!("{} · {}", it.quantization, size_text(it.bytes))
    });
    Row {
        title: getting.wanted.to_string(),
        facts,
        needs: String::new(),
        fit: found.and_then(|it| it.fit(model.settings.load.n_ctx, model.search.free_memory)),
        hover: getting.wanted.to_string(),
        state: row_state(getting),
        wanted: getting.wanted.clone(),
    }
}

fn row_state(getting: &Getting) -> RowState {
    let id = getting.id;
    match &getting.phase {
        GetPhase::Running { progress, stopping } => RowState::Running {
            id,
            text: progress_text(progress),
            fraction: progress.fraction(),
            stopping: *stopping,
        },
        GetPhase::Kept { bytes, total } => {
            let of = total.map_or(String::new(), |it| format!(" of {}", size_text(it)));
            RowState::Kept {
                id,
                text: format!("{}{of} are here", size_text(*bytes)),
                is_failure: false,
                bytes: *bytes,
            }
        }
        GetPhase::Failed { message, bytes } => {
            let kept = match bytes {
                0 => String::new(),
                it => format!(" ({} are kept)", size_text(*it)),
            };
            RowState::Kept {
                id,
                text: format!("{message}{kept}"),
                is_failure: true,
                bytes: *bytes,
            }
        }
        GetPhase::Here(path) => RowState::Here(path.clone()),
    }
}

/// Where a file of this name lies, whoever put it there.
fn here(models: &[FoundModel], file: &str) -> Option<PathBuf> {
    let is_it = |it: &&FoundModel| {
        let name = it.path.file_name().unwrap_or_default();
        name.eq_ignore_ascii_case(file)
    };
    models.iter().find(is_it).map(|it| it.path.clone())
}

pub(super) fn get_models_ui(model: &Model, state: &mut State, ui: &mut Ui) -> Option<Action> {
    // A menu stretches its buttons, and with them the words of a text.
    let layout = Layout::top_down(Align::LEFT);
    ui.with_layout(layout, |ui| list_ui(model, state, ui)).inner
}

fn list_ui(model: &Model, state: &mut State, ui: &mut Ui) -> Option<Action> {
    if let Some(obstacle) = &model.download.obstacle {
        note(ui, obstacle);
    }
    let mut action = None;
    let height = (ui.ctx().content_rect().height() - AROUND_LIST).max(LIST_HEIGHT);
    ScrollArea::vertical()
        .id_salt("catalogue")
        .max_height(height)
        .min_scrolled_height(height)
        .show(ui, |ui| {
            for row in rows(model) {
                action = row_ui(&row, ui).or(action.take());
            }
        });
    ui.horizontal(|ui| action = typed_ui(&mut state.wanted_model, ui).or(action.take()));
    if let Some(fault) = &model.download.fault {
        let text = RichText::new(fault)
            .font(theme::regular(theme::SMALL))
            .color(palette(ui).bad);
        ui.label(text);
    }
    action
}

fn row_ui(row: &Row, ui: &mut Ui) -> Option<Action> {
    let mut action = None;
    let frame = Frame::NONE.inner_margin(Margin::symmetric(10, 4));
    let shown = frame.show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                action = buttons_ui(row, ui);
                if let Some(fit) = row.fit {
                    ui.label(small(fit.label(), fit_colour(fit, ui)));
                }
                let title = RichText::new(&row.title).font(theme::medium(theme::BODY));
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| elided(ui, title));
            });
        });
        texts_ui(row, ui);
    });
    shown.response.on_hover_text(&row.hover);
    action
}

fn texts_ui(row: &Row, ui: &mut Ui) {
    let colours = palette(ui);
    for text in [&row.facts, &row.needs] {
        if !text.is_empty() {
            elided(ui, small(text, colours.weak));
        }
    }
    match &row.state {
        RowState::Running { text, fraction, .. } => {
            elided(ui, small(text, colours.text));
            let bar = ProgressBar::new(fraction.unwrap_or(0.0))
                .desired_width(ui.available_width())
                .desired_height(BAR_HEIGHT)
                .fill(colours.accent);
            ui.add(bar)
                .accessible_name(format!("Downloading {}: {text}", row.title));
        }
        RowState::Kept {
            text,
            is_failure: true,
            ..
        } => {
            ui.add(Label::new(small(text, colours.bad)).wrap());
        }
        RowState::Kept { text, .. } => {
            elided(ui, small(text, colours.text));
        }
        RowState::Offered | RowState::Here(_) => {}
    }
}

fn buttons_ui(row: &Row, ui: &mut Ui) -> Option<Action> {
    let get = || Action::Download(DownloadAction::Get(Box::new(row.wanted.clone())));
    let named = |ui: &mut Ui, verb: &str| {
        let button = Button::new(RichText::new(verb).font(theme::medium(theme::LABEL)));
        let name = format!("{verb} {}", row.title);
        ui.add(button.min_size(vec2(0.0, theme::CONTROL)))
            .accessible_name(name)
            .clicked()
    };
    match &row.state {
        RowState::Offered => named(ui, "Get").then(get),
        RowState::Running { stopping: true, .. } => {
            ui.label(small("stopping", palette(ui).weak));
            None
        }
        RowState::Running { id, .. } => {
            let name = format!("Stop downloading {}", row.title);
            let is_stopped = icon_button(ui, icons::X, &name).clicked();
            is_stopped.then_some(Action::Download(DownloadAction::Stop(*id)))
        }
        RowState::Kept {
            id,
            is_failure,
            bytes,
            ..
        } => {
            let title = &row.title;
            let (icon, name, wish) = if *bytes > 0 {
                let name = format!("Delete the {} of {title}", size_text(*bytes));
                (icons::TRASH, name, DownloadAction::Discard(*id))
            } else {
                let name = format!("Take {title} off the list");
                (icons::X, name, DownloadAction::Forget(*id))
            };
            let is_dropped = icon_button(ui, icon, &name).clicked();
            let verb = if *is_failure { "Try again" } else { "Go on" };
            let goes_on = named(ui, verb);
            if is_dropped {
                Some(Action::Download(wish))
            } else {
                goes_on.then(get)
            }
        }
        RowState::Here(path) => named(ui, "Load").then(|| Action::LoadModel(path.clone())),
    }
}

fn typed_ui(text: &mut String, ui: &mut Ui) -> Option<Action> {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let is_typed = !text.trim().is_empty();
        let pressed = ui
            .add_enabled(is_typed, Button::new("Get"))
            .accessible_name("Get the typed model")
            .clicked();
        let edit = TextEdit::singleline(text)
            .hint_text("or owner/name, owner/name:file.gguf")
            .desired_width(f32::INFINITY)
            .frame(field_frame(ui))
            .min_size(vec2(0.0, theme::CONTROL));
        let field = ui.add(edit).accessible_name("Model to get");
        let entered = field.lost_focus() && ui.input(|it| it.key_pressed(eframe::egui::Key::Enter));
        if !(pressed || entered) || text.trim().is_empty() {
            return None;
        }
        let typed = text.trim().to_owned();
        // What cannot be read stays, to be mended.
        if offer(&typed).is_some() || Wanted::parse(&typed).is_ok() {
            text.clear();
        }
        Some(Action::Download(DownloadAction::GetTyped(typed)))
    })
    .inner
}

fn small(text: impl Into<String>, colour: Color32) -> RichText {
    RichText::new(text)
        .font(theme::regular(theme::SMALL))
        .color(colour)
}

fn fit_colour(fit: Fit, ui: &Ui) -> Color32 {
    let colours = palette(ui);
    match fit {
        Fit::Fits => colours.good,
        Fit::Tight => colours.warn,
        Fit::DoesNotFit => colours.bad,
    }
}
