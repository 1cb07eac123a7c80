//! Which device the next model is loaded on.

use eframe::egui::text::{LayoutJob, TextWrapping};
use eframe::egui::{Align2, Color32, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::model_picker::size_text;
use crate::app::Model;
use crate::engine::{Device, DeviceKind};
use crate::ui::theme::{self, icons, palette};
use crate::ui::widgets::{caption, note};

const ROW: f32 = 38.0;

/// A device as it is offered.
#[derive(Clone, Debug, PartialEq, Eq)]
struct DeviceRow {
    /// What is saved; none for the best there is.
    name: Option<String>,
    title: String,
    detail: String,
    is_chosen: bool,
}

/// The rows, and why the loaded model runs on another device than was asked for. `chosen` is none for the best.
pub(super) fn device_choice_ui(model: &Model, chosen: &mut Option<String>, ui: &mut Ui) {
    caption(ui, "Device");
    for row in rows(
        &model.machine.devices,
        model.settings.load.device.as_deref(),
    ) {
        if row_ui(&row, ui) {
            *chosen = row.name;
        }
    }
    if let Some(reason) = model.info().and_then(|it| it.device_fallback.as_ref()) {
        note(ui, format!("The loaded model runs on the CPU: {reason}"));
    }
}

/// The best there is comes first; a device that was chosen and is gone stays to be seen.
fn rows(devices: &[Device], chosen: Option<&str>) -> Vec<DeviceRow> {
    let is_chosen = |name: &str| chosen.is_some_and(|it| it.eq_ignore_ascii_case(name));
    let offered = || {
        let holds_layers = |it: &&Device| it.is_gpu() || it.kind == DeviceKind::Cpu;
        devices.iter().filter(holds_layers)
    };
    let best = offered().find(|it| it.is_gpu());
    let mut rows = vec![DeviceRow {
        name: None,
        title: "Best there is".to_owned(),
        detail: match best {
            _ if devices.is_empty() => "The engine has not said yet which there are".to_owned(),
            Some(it) => format!("Now {}", it.label()),
            None => "Now the CPU: no graphics device is found".to_owned(),
        },
        is_chosen: chosen.is_none(),
    }];
    rows.extend(offered().map(|it| DeviceRow {
        name: Some(it.name.clone()),
        title: it.name.clone(),
        detail: detail(it),
        is_chosen: is_chosen(&it.name),
    }));
    if let Some(name) = chosen
        && !rows.iter().any(|it| it.is_chosen)
    {
        rows.push(DeviceRow {
            name: Some(name.to_owned()),
            title: name.to_owned(),
            detail: "Not here now; models are loaded on the CPU".to_owned(),
            is_chosen: true,
        });
    }
    rows
}

/// Its maker's words, its memory, and what drives it.
fn detail(device: &Device) -> String {
    let mut parts = vec![device.description.clone()];
    if device.memory_bytes > 0 {
        let all = size_text(device.memory_bytes);
        parts.push(
            if device.free_bytes > 0 && device.free_bytes < device.memory_bytes {
                format!("{} of {all} free", size_text(device.free_bytes))
            } else {
                all
            },
        );
    }
    // The processor's backend is called as it is.
    parts.extend(device.is_gpu().then(|| device.backend.clone()));
    parts.retain(|it| !it.is_empty());
    parts.join(" · ")
}

/// Says whether it was chosen anew.
fn row_ui(row: &DeviceRow, ui: &mut Ui) -> bool {
    let colours = palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    let name = format!("Device: {}, {}", row.title, row.detail);
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, row.is_chosen, &name));
    let fill = if row.is_chosen {
        colours.accent_soft
    } else if response.hovered() || response.has_focus() {
        colours.hover
    } else {
        Color32::TRANSPARENT
    };
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, theme::RADIUS, fill);
    let mut right = rect.right() - 10.0;
    if row.is_chosen {
        let at = pos2(right, rect.center().y);
        let font = theme::regular(14.0);
        let sign = painter.text(at, Align2::RIGHT_CENTER, icons::CHECK, font, colours.accent);
        right = sign.left() - 8.0;
    }
    let left = rect.left() + 10.0;
    let texts = [
        (&row.title, theme::medium(theme::LABEL), colours.text, -8.0),
        (&row.detail, theme::regular(theme::SMALL), colours.weak, 8.0),
    ];
    for (text, font, colour, y) in texts {
        let mut job = LayoutJob::simple_singleline(text.clone(), font, colour);
        job.wrap = TextWrapping::truncate_at_width((right - left).max(0.0));
        let galley = painter.layout_job(job);
        let at = pos2(left, rect.center().y + y - galley.size().y / 2.0);
        painter.galley(at, galley, colour);
    }
    let clicked = response.clicked();
    response.on_hover_text(&row.detail);
    clicked && !row.is_chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device(name: &str, kind: DeviceKind) -> Device {
        Device {
            name: name.to_owned(),
            description: format!("{name} of a maker"),
            backend: "Vulkan".to_owned(),
            kind,
            memory_bytes: 8_000_000_000,
            free_bytes: 6_000_000_000,
        }
    }

    #[test]
    fn the_first_row_names_what_is_best_now() {
        let devices = [
            device("CPU", DeviceKind::Cpu),
            device("Vulkan0", DeviceKind::Gpu),
        ];
        let rows = rows(&devices, None);
        assert_eq!(rows[0].detail, "Now Vulkan0: Vulkan0 of a maker");
        assert!(rows[0].is_chosen && !rows[1].is_chosen && !rows[2].is_chosen);
        assert_eq!(
            rows[2].detail,
            "Vulkan0 of a maker · 6.0 GB of 8.0 GB free · Vulkan"
        );
    }

    #[test]
    fn a_device_that_is_gone_stays_to_be_seen() {
        let rows = rows(&[device("CPU", DeviceKind::Cpu)], Some("CUDA0"));
        let last = rows.last().unwrap();
        assert!(last.is_chosen && last.title == "CUDA0");
        assert_eq!(rows.len(), 3);
    }

    #[test]
    fn what_holds_no_layers_is_not_offered() {
        let devices = [
            device("CPU", DeviceKind::Cpu),
            device("BLAS", DeviceKind::Accelerator),
        ];
        assert_eq!(rows(&devices, Some("cpu")).len(), 2);
    }
}
