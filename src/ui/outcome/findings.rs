//! What was found wrong with a value, each thing at its place.

use eframe::egui::{
    CursorIcon, Frame, Label, Margin, RichText, Role, Sense, Shape, Ui, WidgetInfo,
};
use serde_json::Value;

use crate::judge::{AfterDefaults, Correctness, Fault, Leak, Place, PromptText, Verdict};
use crate::ui::theme::{self, Tone, palette};
use crate::ui::widgets::{heading, note, pill};

/// Findings of one kind that are listed.
const MAX_ROWS: usize = 20;

/// One thing that is wrong, at its place.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Finding {
    /// JSON pointer; empty for the root.
    pub(crate) pointer: String,
    pub(crate) message: String,
    /// What belongs under it: the alternatives of an `anyOf`, the place of a leak; depth and text.
    pub(crate) under: Vec<(usize, String)>,
    /// The place that a click leads to, where it is another one.
    pub(crate) leads_to: Option<String>,
}

/// Findings of one kind under a heading.
pub(crate) struct Section<'a> {
    pub(crate) title: &'a str,
    pub(crate) tone: Tone,
    pub(crate) findings: &'a [Finding],
    /// A click leads to the finding's place.
    pub(crate) leads: bool,
    /// The place that is pointed at from elsewhere.
    pub(crate) lit: Option<&'a str>,
}

impl Section<'_> {
    /// Returns the index of the finding that was clicked. Draws nothing where nothing was found.
    pub(crate) fn show(&self, ui: &mut Ui) -> Option<usize> {
        if self.findings.is_empty() {
            return None;
        }
        ui.add_space(theme::GAP - 6.0);
        ui.horizontal(|ui| {
            heading(ui, self.title);
            pill(ui, &self.findings.len().to_string(), self.tone);
        });
        let mut clicked = None;
        for (idx, finding) in self.findings.iter().enumerate().take(MAX_ROWS) {
            if self.finding_ui(finding, idx, ui) {
                clicked = Some(idx);
            }
        }
        if self.findings.len() > MAX_ROWS {
            note(ui, format!("and {} more", self.findings.len() - MAX_ROWS));
        }
        clicked
    }

    fn finding_ui(&self, finding: &Finding, idx: usize, ui: &mut Ui) -> bool {
        let colours = palette(ui);
        let leads_to = finding.leads_to.as_ref().unwrap_or(&finding.pointer);
        let is_lit = self.lit == Some(leads_to.as_str());
        let frame = Frame::NONE
            .fill(colours.soft(self.tone))
            .corner_radius(theme::RADIUS)
            .inner_margin(Margin::symmetric(10, 5));
        let edge = ui.painter().add(Shape::Noop);
        let row = frame.show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 1.0;
            let path = RichText::new(place(&finding.pointer))
                .font(theme::mono(12.0))
                .color(colours.text);
            ui.add(Label::new(path).wrap());
            let message = RichText::new(&finding.message)
                .font(theme::regular(12.0))
                .color(colours.tone(self.tone));
            ui.add(Label::new(message).wrap());
            for (depth, text) in &finding.under {
                ui.horizontal_top(|ui| {
                    ui.add_space(12.0 * (*depth as f32 + 1.0));
                    note(ui, text);
                });
            }
        });
        let place = row.response.rect;
        let color = colours.tone(self.tone);
        let stroke = eframe::egui::Stroke::new(1.0, color);
        let outline = Shape::rect_stroke(
            place,
            theme::RADIUS,
            stroke,
            eframe::egui::StrokeKind::Inside,
        );
        if !self.leads {
            return false;
        }
        let id = ui.scope_id().with((self.title, idx));
        let response = ui
            .interact(place, id, Sense::click())
            .on_hover_cursor(CursorIcon::PointingHand);
        if is_lit || response.hovered() || response.has_focus() {
            ui.painter().set(edge, outline);
        }
        let name = format!("{}: {}", self::place(&finding.pointer), finding.message);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
        response.clicked()
    }
}

pub(crate) fn schema_findings(verdict: &Verdict) -> Vec<Finding> {
    let finding = |it: &Fault| Finding {
        pointer: it.instance_path.clone(),
        message: it.message.clone(),
        under: branches(it),
        leads_to: None,
    };
    verdict.faults.iter().map(finding).collect()
}

/// The alternatives of an `anyOf` or `oneOf` as lines, deeper ones further in.
fn branches(fault: &Fault) -> Vec<(usize, String)> {
    let mut lines = Vec::new();
    add_branches(fault, 0, &mut lines);
    lines
}

fn add_branches(fault: &Fault, depth: usize, lines: &mut Vec<(usize, String)>) {
    const MAX_LINES: usize = 24;
    for branch in &fault.branches {
        if lines.len() >= MAX_LINES || depth > 6 {
            return;
        }
        let name = if branch.name.is_empty() {
            format!("Alternative {}", branch.number)
        } else {
            format!("Alternative {} ({})", branch.number, branch.name)
        };
        if branch.faults.is_empty() {
            lines.push((depth, format!("{name}: fits")));
        }
        for it in &branch.faults {
            let at = if it.instance_path.is_empty() {
                String::new()
            } else {
                format!("{}: ", it.instance_path)
            };
            lines.push((depth, format!("{name}: {at}{}", it.message)));
            add_branches(it, depth + 1, lines);
        }
    }
}

pub(crate) fn answer_findings(correctness: &Correctness) -> Vec<Finding> {
    let differences = correctness.differences.iter();
    differences
        .map(|it| {
            let found = it
                .found
                .as_ref()
                .map_or("nothing".to_owned(), Value::to_string);
            let remark = it
                .remark
                .as_ref()
                .map(|it| format!(" ({it})"))
                .unwrap_or_default();
            Finding {
                pointer: it.path.clone(),
                message: format!("is {found}, should be {}{remark}", it.expected),
                ..Finding::default()
            }
        })
        .collect()
}

pub(crate) fn leak_findings(leaks: &[Leak]) -> Vec<Finding> {
    let finding = |it: &Leak| Finding {
        pointer: it.path.clone(),
        message: format!("“{}” stands in example {}", it.value, it.example),
        under: it.place.as_ref().map(place_line).into_iter().collect(),
        ..Finding::default()
    };
    leaks.iter().map(finding).collect()
}

/// Where in the prompt a value stands.
fn place_line(place: &Place) -> (usize, String) {
    let text = match place.text {
        PromptText::Input => "the input",
        PromptText::ExampleInput => "the example's input",
        PromptText::ExampleAnswer => "the example's answer",
        PromptText::Schema => "the schema",
        PromptText::Instruction => "the instruction",
    };
    (0, format!("In {text}, from byte {} on", place.start))
}

/// What a preset's defaults make of the value. It lights no lamp, so it is told apart.
pub(crate) fn after_defaults_ui(after: Option<&AfterDefaults>, ui: &mut Ui) {
    let Some(after) = after else { return };
    ui.add_space(theme::GAP - 6.0);
    ui.horizontal(|ui| {
        heading(ui, "After the preset's defaults");
        let (word, tone) = if after.verdict.valid {
            ("would be valid", Tone::Quiet)
        } else {
            ("still invalid", Tone::Bad)
        };
        pill(ui, word, tone);
    });
    note(ui, "No lamp goes by this: the model did not write it.");
    for (what, pointers) in [("Filled in", &after.filled), ("Dropped", &after.dropped)] {
        if !pointers.is_empty() {
            note(ui, format!("{what}: {}", pointers.join(", ")));
        }
    }
    for fault in after.verdict.faults.iter().take(MAX_ROWS) {
        note(
            ui,
            format!("{}: {}", place(&fault.instance_path), fault.message),
        );
    }
}

fn place(pointer: &str) -> &str {
    if pointer.is_empty() {
        "whole value"
    } else {
        pointer
    }
}
