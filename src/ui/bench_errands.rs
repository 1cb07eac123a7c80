//! What Bench has done outside: pausing, the plan builder's files, charts.

use eframe::egui::Context;

use super::Window;
use super::errands::Found;
use crate::app::{self, Action, BenchAction, BenchEffect, BuildAction, PlanDrafts};
use crate::lab::{Chart, Report, Speeds, drawing};
use crate::store;

/// What comes back.
pub(super) enum BenchFound {
    PickedModel(std::path::PathBuf),
    Speeds(Speeds),
}

impl Window {
    /// At the start: the drafts as they were left, the experiments on the disk, and what their replies took.
    pub(super) fn open_bench(&mut self, drafts: Option<PlanDrafts>, ctx: &Context) {
        self.model.open_plans(drafts);
        self.find_experiments(ctx);
        self.perform_bench(BenchEffect::MeasureSpeeds, ctx);
    }

    pub(super) fn perform_bench(&mut self, effect: BenchEffect, ctx: &Context) {
        match effect {
            BenchEffect::Pause(pauses) => self.bench_reins.pause(pauses),
            BenchEffect::BrowseForModel => {
                let pick = || {
                    let dialog = rfd::FileDialog::new()
                        .set_title("Add a GGUF model to the plan")
                        .add_filter("GGUF models", &["gguf"]);
                    let path = dialog.pick_file()?;
                    Some(Found::OfBench(BenchFound::PickedModel(path)))
                };
                self.send_off(("file dialog", "Type the path instead."), ctx, pick);
            }
            BenchEffect::SaveDraft => {
                self.keep(&self.folders.plan_draft(), |it| {
                    serde_json::to_value(&it.bench.builder.drafts)
                });
            }
            BenchEffect::SaveTask(task) => {
                let path = self.folders.tasks().join(format!("{}.json", task.id));
                self.keep(&path, |_| serde_json::to_value(&task));
            }
            BenchEffect::SaveChart(chart) => self.save_chart(chart, ctx),
            BenchEffect::MeasureSpeeds => {
                let folders = self.folders.clone();
                let read =
                    move || Some(Found::OfBench(BenchFound::Speeds(store::speeds(&folders))));
                self.send_off(("reader", "Start again."), ctx, read);
            }
        }
    }

    pub(super) fn take_bench(&mut self, found: BenchFound, ctx: &Context) {
        match found {
            BenchFound::PickedModel(path) => {
                let wish = BenchAction::Build(BuildAction::AddModel(path));
                self.act(Action::Bench(wish), ctx);
            }
            BenchFound::Speeds(speeds) => app::on_speeds(&mut self.model, speeds),
        }
    }

    fn save_chart(&mut self, chart: Chart, ctx: &Context) {
        let Some(shown) = self.model.bench.shown.clone() else {
            return;
        };
        let write = move || {
            let mut report = Report::new(&shown.plan, shown.reference.clone(), shown.all());
            report.n_asked = Some(shown.n_cells * report.models.len());
            let path = shown.folder.join(format!("{}.png", chart.file_name()));
            let saved = store::picture(&drawing(&report, chart))
                .and_then(|png| store::save_bytes(&path, &png).map_err(|it| it.to_string()));
            Some(match saved {
                Ok(()) => Found::Reported(path),
                Err(text) => Found::Wrote(Err(text)),
            })
        };
        self.send_off(("chart", "Save the HTML report instead."), ctx, write);
    }
}
