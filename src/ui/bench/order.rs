//! Which rows of the results are shown, and in which order.

use eframe::egui::Ui;

use crate::app::Part;
use crate::lab::{Measure, ResultRow, Share};
use crate::ui::widgets::{Entry, line_edit, picker};

const FILTER: f32 = 150.0;

/// By what rows are sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Order {
    #[default]
    AsRun,
    Best,
    Quickest,
    Name,
}

const ORDERS: &[(Order, &str)] = &[
    (Order::AsRun, "As in the plan"),
    (Order::Best, "Best first"),
    (Order::Quickest, "Quickest first"),
    (Order::Name, "By name"),
];

/// What is sought.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    pub(super) order: Order,
    /// A part of the presets' names.
    pub(super) filter: String,
}

impl Wanted {
    /// Indices of the rows that are shown.
    pub(super) fn rows(&self, part: &Part, measure: Measure) -> Vec<usize> {
        let filter = self.filter.trim().to_lowercase();
        let rows = &part.results.rows;
        let fits = |it: &usize| rows[*it].label.to_lowercase().contains(&filter);
        let mut shown: Vec<usize> = (0..rows.len()).filter(fits).collect();
        match self.order {
            Order::AsRun => {}
            Order::Best => shown.sort_by(|one, other| {
                let rate = |it: &usize| rate(rows[*it].share(measure));
                rate(other).total_cmp(&rate(one))
            }),
            Order::Quickest => {
                let time = |it: &usize| rows[*it].ms_median;
                shown.sort_by(|one, other| time(one).total_cmp(&time(other)));
            }
            Order::Name => shown.sort_by_key(|it| rows[*it].label.clone()),
        }
        shown
    }

    pub(super) fn show(&mut self, ui: &mut Ui) {
        let entries: Vec<Entry<'_>> = ORDERS
            .iter()
            .map(|(it, title)| Entry {
                title,
                about: "",
                chosen: *it == self.order,
            })
            .collect();
        let shown = ORDERS.iter().find(|it| it.0 == self.order);
        let picked = picker(ui, "Order", shown.map_or("", |it| it.1), &entries);
        if let Some((order, _)) = picked.and_then(|it| ORDERS.get(it)) {
            self.order = *order;
        }
        let edit = line_edit(ui, &mut self.filter, "Filter presets").desired_width(FILTER);
        ui.add(edit).accessible_name("Filter presets");
    }
}

/// The shown rows of a part.
pub(super) fn of<'a>(part: &'a Part, rows: &'a [usize]) -> impl Iterator<Item = &'a ResultRow> {
    rows.iter().filter_map(|it| part.results.rows.get(*it))
}

/// What was never judged comes last.
fn rate(share: Share) -> f64 {
    if share.of == 0 {
        return -1.0;
    }
    share.n as f64 / share.of as f64
}
