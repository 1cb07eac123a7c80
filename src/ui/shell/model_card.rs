//! A found model in the picker: what it is, what memory it takes, where it lies.

use eframe::egui::text::{LayoutJob, TextWrapping};
use eframe::egui::{
    Align2, Color32, FontId, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2,
};

use super::model_picker::size_text;
use crate::app::FoundModel;
use crate::gguf::{Fit, MemoryNeed, Room};
use crate::store::Card;
use crate::ui::theme::{self, icons, palette};

const HEIGHT: f32 = 58.0;

/// What a card shows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CardText {
    name: String,
    /// Quantization, size, architecture, parameters, context.
    facts: String,
    /// Memory and place.
    needs: String,
    fit: Option<Fit>,
    /// What there is no room for.
    hover: String,
}

/// Makes the texts; memory is worked out for the context that the load settings ask for, and for where layers go.
pub(super) fn card(found: &FoundModel, n_ctx: u32, room: &Room) -> CardText {
    let mut facts = vec![found.quantization.clone(), size_text(found.bytes)];
    let mut needs = Vec::new();
    let mut hover = vec![found.path.display().to_string()];
    if let (Some(card), Some(need)) = (&found.card, found.need(n_ctx)) {
        let trained = card.footprint.shape.n_ctx_train;
        facts.push(found.architecture.clone());
        facts.push(format!("{} parameters", card.parameters()));
        facts.push(format!("context {trained}"));
        let used = card.footprint.context(n_ctx);
        needs.push(format!("{} for {used} tokens", needed(card, need, room)));
        let template = if card.has_chat_template { "a" } else { "no" };
        hover.push(format!("{template} chat template"));
        hover.extend(card.license.as_ref().map(|it| format!("license {it}")));
        let recommended = card.sampling.iter();
        hover.extend(recommended.map(|it| format!("recommends {} {}", it.key, it.value)));
        if card.n_parts > 1 {
            hover.push(format!("in {} parts", card.n_parts));
        }
    }
    needs.push(found.found_in.clone());
    let also = found.also.iter();
    hover.extend(also.map(|it| format!("also {} ({})", it.path.display(), it.found_in)));
    CardText {
        name: found.name.clone(),
        facts: facts.join(" · "),
        needs: needs.join(" · "),
        fit: found.fit_in(n_ctx, room),
        hover: hover.join("\n"),
    }
}

/// What of which memory it takes.
fn needed(card: &Card, need: MemoryNeed, room: &Room) -> String {
    let Some(device) = &room.device else {
        let total = size_text(need.total());
        let of = room.computer;
        let of = of.map_or(String::new(), |it| format!(" of {} free", size_text(it)));
        return format!("needs {total}{of}");
    };
    let share = card.footprint.share(need, device.n_layers);
    let (there, free) = (size_text(share.device), size_text(device.free));
    let here = size_text(share.computer);
    format!(
        "needs {there} of {free} free on {}, {here} here",
        device.name
    )
}

pub(super) fn card_ui(card: &CardText, loaded: bool, ui: &mut Ui) -> Response {
    let colours = palette(ui);
    let size = vec2(ui.available_width(), HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let verdict = card
        .fit
        .map_or(String::new(), |it| format!(", {}", it.label()));
    let name = format!("{}, {}{verdict}", card.name, card.facts);
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, loaded, &name));
    let (fill, edge) = if loaded {
        (colours.accent_soft, colours.accent.gamma_multiply(0.5))
    } else if response.hovered() || response.has_focus() {
        (colours.hover, Color32::TRANSPARENT)
    } else {
        (Color32::TRANSPARENT, Color32::TRANSPARENT)
    };
    let painter = ui.painter_at(rect);
    let stroke = Stroke::new(theme::HAIRLINE, edge);
    painter.rect(rect, theme::RADIUS, fill, stroke, StrokeKind::Inside);
    let mut right = rect.right() - 10.0;
    let at_right = |text: &str, font: FontId, colour, right: f32| {
        let at = pos2(right, rect.center().y - 17.0);
        painter.text(at, Align2::RIGHT_CENTER, text, font, colour)
    };
    if loaded {
        let font = theme::regular(14.0);
        right = at_right(icons::CHECK, font, colours.accent, right).left() - 8.0;
    }
    if let Some(fit) = card.fit {
        let colour = match fit {
            Fit::Fits => colours.good,
            Fit::Tight => colours.warn,
            Fit::DoesNotFit => colours.bad,
        };
        let font = theme::regular(theme::SMALL);
        right = at_right(fit.label(), font, colour, right).left() - 8.0;
    }
    let left = rect.left() + 10.0;
    let line = |text: &str, font: FontId, (colour, y): (Color32, f32), right: f32| {
        let mut job = LayoutJob::simple_singleline(text.to_owned(), font, colour);
        job.wrap = TextWrapping::truncate_at_width((right - left).max(0.0));
        let galley = painter.layout_job(job);
        let at = pos2(left, rect.center().y + y - galley.size().y / 2.0);
        painter.galley(at, galley, colour);
    };
    line(
        &card.name,
        theme::medium(theme::BODY),
        (colours.text, -17.0),
        right,
    );
    let (small, end) = (theme::regular(theme::SMALL), rect.right() - 10.0);
    line(&card.facts, small.clone(), (colours.weak, 1.0), end);
    line(&card.needs, small, (colours.weak, 17.0), end);
    response.on_hover_text(&card.hover)
}
