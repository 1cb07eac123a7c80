//! What the window has done on threads of its own: file dialogs, the search for models, large replies.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use eframe::egui::{Context, ViewportId};

use super::bench_errands::BenchFound;
use super::{Window, bench_thread, downloads};
use crate::app::{
    self, Asked, AskedTrial, BenchNews, BenchOrder, DocumentKind, DownloadNews, Experiment,
    Outcome, RunsEffect, RunsNews, Tried,
};
use crate::runner::Moment;
use crate::store::{self, Differing, Exported, Finding, Imported, Library, Searching};

/// Larger files are no replies.
const MAX_REPLY: u64 = 64 << 20;
/// Larger files are no grammars.
const MAX_DOCUMENT: u64 = 1 << 20;

/// How a file ends that holds everything.
pub(super) const BUNDLE: &str = "stepladder";

/// How often a search says how far it is.
const NEWS: Duration = Duration::from_millis(100);

/// What comes back.
pub(super) enum Found {
    /// The search for models goes on.
    Searching(Searching),
    Models(Finding),
    Picked(PathBuf),
    PickedReply(PathBuf),
    Reply(PathBuf, Result<Vec<u8>, String>),
    Climbed(u64, Box<Outcome>),
    Tried(u64, Box<Tried>),
    PickedDocument(PathBuf),
    Document(PathBuf, Result<Vec<u8>, String>),
    /// What became of a file that was asked for.
    Wrote(Result<(), String>),
    /// A report was written into this folder, or a chart into this file.
    Reported(PathBuf),
    Exported(Result<(Exported, String), String>),
    PickedBundle(PathBuf),
    Imported(Box<Result<(Imported, Library), String>>),
    Experiments(Vec<Experiment>),
    Bench(u64, BenchNews),
    OfBench(BenchFound),
    Download(DownloadNews),
    Runs(RunsNews),
}

impl Window {
    /// The system's dialog blocks, so it gets a thread; without a dialog service it answers "none" at once.
    pub(super) fn browse(&mut self, ctx: &Context) {
        let pick = || {
            let dialog = rfd::FileDialog::new()
                .set_title("Open a GGUF model")
                .add_filter("GGUF models", &["gguf"]);
            dialog.pick_file().map(Found::Picked)
        };
        self.send_off(("file dialog", "Type the path instead."), ctx, pick);
    }

    pub(super) fn browse_for_reply(&mut self, ctx: &Context) {
        let pick = || {
            let dialog = rfd::FileDialog::new().set_title("Open a reply");
            dialog.pick_file().map(Found::PickedReply)
        };
        self.send_off(
            ("file dialog", "Drop the file or paste its text."),
            ctx,
            pick,
        );
    }

    pub(super) fn read_reply(&mut self, path: PathBuf, ctx: &Context) {
        let read = || {
            let read = read_file(&path, MAX_REPLY);
            Some(Found::Reply(path, read))
        };
        self.send_off(("reader", "Paste its text instead."), ctx, read);
    }

    pub(super) fn climb(&mut self, asked: Asked, ctx: &Context) {
        let climb = move || {
            let outcome = app::outcome(&asked);
            Some(Found::Climbed(asked.id, Box::new(outcome)))
        };
        self.send_off(("climb", "Try again."), ctx, climb);
    }

    pub(super) fn try_constraint(&mut self, asked: AskedTrial, ctx: &Context) {
        let work = move || {
            let tried = app::try_all(&asked);
            Some(Found::Tried(asked.id, Box::new(tried)))
        };
        self.send_off(("trial", "Change the text to try again."), ctx, work);
    }

    pub(super) fn browse_for_document(&mut self, ctx: &Context) {
        let pick = || {
            let dialog = rfd::FileDialog::new()
                .set_title("Open a grammar or a schema")
                .add_filter("Grammars and schemas", &["gbnf", "json", "txt"]);
            dialog.pick_file().map(Found::PickedDocument)
        };
        let advice = "Drop the file or paste its text.";
        self.send_off(("file dialog", advice), ctx, pick);
    }

    pub(super) fn read_document(&mut self, path: PathBuf, ctx: &Context) {
        let read = || {
            let read = read_file(&path, MAX_DOCUMENT);
            Some(Found::Document(path, read))
        };
        self.send_off(("reader", "Paste its text instead."), ctx, read);
    }

    pub(super) fn save_document_as(
        &mut self,
        (kind, name): (DocumentKind, String),
        text: String,
        ctx: &Context,
    ) {
        let ask = move || {
            let dialog = rfd::FileDialog::new()
                .set_title("Save as a file")
                .set_file_name(file_name(kind, &name));
            let path = dialog.save_file()?;
            let result = store::save_text(&path, &text).map_err(|it| it.to_string());
            Some(Found::Wrote(result))
        };
        self.send_off(("file dialog", "Copy the text instead."), ctx, ask);
    }

    pub(super) fn export(&mut self, with_trials: bool, ctx: &Context) {
        let folders = self.folders.clone();
        let export = move || {
            let day = Moment::now().text();
            let day = day.split('T').next().unwrap_or_default();
            let dialog = rfd::FileDialog::new()
                .set_title("Export everything to one file")
                .set_file_name(format!("{day}.{BUNDLE}"));
            let path = dialog.save_file()?;
            let place = path.display().to_string();
            let result = store::export(&folders, &path, with_trials);
            Some(Found::Exported(
                result.map(|it| (it, place)).map_err(|it| it.to_string()),
            ))
        };
        let advice = "On the command line: stepladder export FILE.";
        self.send_off(("file dialog", advice), ctx, export);
    }

    pub(super) fn browse_for_bundle(&mut self, ctx: &Context) {
        let pick = || {
            let dialog = rfd::FileDialog::new()
                .set_title("Import what was exported")
                .add_filter("Exports of Stepladder", &[BUNDLE]);
            dialog.pick_file().map(Found::PickedBundle)
        };
        let advice = "Drop the file on the window instead.";
        self.send_off(("file dialog", advice), ctx, pick);
    }

    /// What is typed here stays: drafts and settings of the file come in beside.
    pub(super) fn import(&mut self, path: PathBuf, ctx: &Context) {
        let folders = self.folders.clone();
        let import = move || {
            let result = store::import(&folders, &path, Differing::Beside);
            let result = result.map(|it| (it, store::library(&folders)));
            Some(Found::Imported(Box::new(
                result.map_err(|it| it.to_string()),
            )))
        };
        let advice = "On the command line: stepladder import FILE.";
        self.send_off(("import", advice), ctx, import);
    }

    /// Where a document of the user's own lies.
    pub(super) fn document_path(&self, kind: DocumentKind, name: &str) -> PathBuf {
        let folder = match kind {
            DocumentKind::Grammar => self.folders.grammars(),
            DocumentKind::Schema => self.folders.schemas(),
        };
        folder.join(file_name(kind, name))
    }

    /// Runs a plan on a thread of its own; each of its news wakes the window.
    pub(super) fn start_bench(&mut self, mut order: BenchOrder, ctx: &Context) {
        let id = order.id;
        if order.folder.as_os_str().is_empty() {
            let time = Moment::now().text().replace([':', '.'], "-");
            let name = format!("{time} {}", order.plan.name);
            order.folder = store::free_folder(&self.folders.experiments(), &name);
            self.model.bench.place(id, order.folder.clone());
        }
        self.bench_reins = Arc::default();
        let reins = Arc::clone(&self.bench_reins);
        let (source, folders) = (self.bench_source.clone(), self.folders.clone());
        let (tell, waker) = (self.found.0.clone(), ctx.clone());
        let work = move || {
            let mut send = |news| {
                // Nobody listens any more when the window is gone.
                if tell.send(Found::Bench(id, news)).is_ok() {
                    waker.request_repaint_of(ViewportId::ROOT);
                }
            };
            let result = match source {
                Some(source) => bench_thread::run(order, (source, &folders), &reins, &mut send),
                None => Err("This engine cannot be opened a second time.".to_owned()),
            };
            Some(Found::Bench(id, BenchNews::Ended(result)))
        };
        self.send_off(("experiment", "Try again."), ctx, work);
    }

    pub(super) fn read_experiment(&mut self, path: PathBuf, ctx: &Context) {
        let folders = self.folders.clone();
        let read = move || {
            let library = store::library(&folders);
            Some(match bench_thread::read(&path, &library) {
                Ok(shown) => Found::Bench(0, BenchNews::Opened(Box::new(shown))),
                Err(text) => Found::Wrote(Err(text)),
            })
        };
        self.send_off(("reader", "Try again."), ctx, read);
    }

    /// Reads or counts for Bench beside the window's thread.
    pub(super) fn work_on_runs(&mut self, effect: RunsEffect, ctx: &Context) {
        let work = move || match bench_thread::beside(effect) {
            Ok(news) => news.map(Found::Runs),
            Err(text) => Some(Found::Wrote(Err(text))),
        };
        self.send_off(("count", "Open the experiment again."), ctx, work);
    }

    pub(super) fn find_experiments(&mut self, ctx: &Context) {
        let folders = self.folders.clone();
        let find = move || Some(Found::Experiments(bench_thread::find(&folders)));
        self.send_off(("search for experiments", "Start again."), ctx, find);
    }

    pub(super) fn save_report(&mut self, ctx: &Context) {
        let Some(shown) = self.model.bench.shown.clone() else {
            return;
        };
        let write = move || {
            Some(match bench_thread::save_report(&shown) {
                Ok(()) => Found::Reported(shown.folder.clone()),
                Err(text) => Found::Wrote(Err(text)),
            })
        };
        self.send_off(("report", "Try again."), ctx, write);
    }

    pub(super) fn look_for_models(&mut self, ctx: &Context) {
        let (folders, recent) = (self.folders.clone(), self.model.settings.recent.clone());
        let (tell, waker) = (self.found.0.clone(), ctx.clone());
        let mut told = Instant::now();
        let find = move || {
            // Parts of downloads lie in the same folders.
            let known = downloads::known(&folders);
            drop(tell.send(Found::Download(known)));
            let mut send = |searching: &Searching| {
                // A search takes in thousands of files a second; nobody reads so fast.
                if told.elapsed() >= NEWS && tell.send(Found::Searching(searching.clone())).is_ok()
                {
                    told = Instant::now();
                    waker.request_repaint_of(ViewportId::ROOT);
                }
            };
            Some(Found::Models(store::find_models(
                &folders, &recent, &mut send,
            )))
        };
        if !self.send_off(("model search", "Open one by its path."), ctx, find) {
            app::on_search_failed(&mut self.model);
        }
    }

    /// Starts a thread of this name; `advice` is what the user can do when there is none to be had. Says whether it
    /// runs.
    pub(super) fn send_off(
        &mut self,
        (name, advice): (&str, &str),
        ctx: &Context,
        work: impl FnOnce() -> Option<Found> + Send + 'static,
    ) -> bool {
        let (tell, ctx) = (self.found.0.clone(), ctx.clone());
        let started = thread::Builder::new().name(name.to_owned()).spawn(move || {
            if let Some(found) = work()
                && tell.send(found).is_ok()
            {
                ctx.request_repaint_of(ViewportId::ROOT);
            }
        });
        if let Err(error) = &started {
            let text = format!("The {name} cannot be started: {error}. {advice}");
            app::on_saved(&mut self.model, Err(text));
        }
        started.is_ok()
    }
}

fn file_name(kind: DocumentKind, name: &str) -> String {
    match kind {
        DocumentKind::Grammar => format!("{name}.gbnf"),
        DocumentKind::Schema => format!("{name}.schema.json"),
    }
}

fn read_file(path: &std::path::Path, most: u64) -> Result<Vec<u8>, String> {
    let place = path.display();
    store::read_bytes(path, most)
        .map_err(|it| format!("{place} cannot be read: {it}. Check the file."))
}
