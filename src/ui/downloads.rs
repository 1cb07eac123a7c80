//! Downloads on threads of their own: started, told of, and stopped.

use std::collections::BTreeMap;
use std::sync::Arc;

use eframe::egui::{Context, ViewportId};

use super::Window;
use super::errands::Found;
use crate::app::{DownloadEffect, DownloadNews};
use crate::download::{
    Control, FetchError, Fetched, Fetcher, Order, Progress, Wanted, discard, kept,
};
use crate::store::Folders;

/// What fetches a model: the real fetcher, or a script in tests.
pub type Fetch = dyn Fn(&Order, &Control, &mut dyn FnMut(&Progress)) -> Result<Fetched, FetchError>
    + Send
    + Sync;

/// The downloads that run.
pub(super) struct Downloads {
    fetch: Arc<Fetch>,
    controls: BTreeMap<u64, Control>,
}

impl Default for Downloads {
    fn default() -> Self {
        let fetch = |order: &Order, control: &Control, tell: &mut dyn FnMut(&Progress)| {
            Fetcher::here()?.fetch(order, control, tell)
        };
        Self {
            fetch: Arc::new(fetch),
            controls: BTreeMap::new(),
        }
    }
}

impl Window {
    /// Fetches models by something else than the network.
    #[must_use]
    pub fn with_fetch(mut self, fetch: Arc<Fetch>) -> Self {
        self.downloads.fetch = fetch;
        self
    }

    pub(super) fn download(&mut self, effect: DownloadEffect, ctx: &Context) {
        match effect {
            DownloadEffect::Fetch { id, wanted, sha256 } => {
                let order = Order {
                    wanted: *wanted,
                    folder: self.folders.models(),
                    sha256,
                };
                self.start_download(id, order, ctx);
            }
            DownloadEffect::Stop(id) => {
                if let Some(control) = self.downloads.controls.remove(&id) {
                    control.stop();
                }
            }
            DownloadEffect::Discard(wanted) => self.discard_part(*wanted, ctx),
        }
    }

    fn discard_part(&mut self, wanted: Wanted, ctx: &Context) {
        let folder = self.folders.models();
        let work = move || {
            let error = discard(&folder, &wanted).err()?;
            let kept = kept(&folder);
            Some(Found::Download(DownloadNews::NotDiscarded { error, kept }))
        };
        self.send_off(("deletion", "Try again."), ctx, work);
    }

    fn start_download(&mut self, id: u64, order: Order, ctx: &Context) {
        let control = Control::default();
        self.downloads.controls.insert(id, control.clone());
        let (tell, waker) = (self.found.0.clone(), ctx.clone());
        let fetch = Arc::clone(&self.downloads.fetch);
        let work = move || {
            let mut send = |progress: &Progress| {
                let news = DownloadNews::Progress(id, progress.clone());
                // Nobody listens any more when the window is gone.
                if tell.send(Found::Download(news)).is_ok() {
                    waker.request_repaint_of(ViewportId::ROOT);
                }
            };
            let result = fetch(&order, &control, &mut send);
            Some(Found::Download(DownloadNews::Ended(id, result)))
        };
        self.send_off(("download", "Try again."), ctx, work);
    }
}

/// What is known before anything is fetched: parts that lie there, and whether the user allows the network.
pub(super) fn known(folders: &Folders) -> DownloadNews {
    let obstacle = match Fetcher::here() {
        Ok(it) => it.network.obstacle(),
        Err(error) => Some(error.to_string()),
    };
    DownloadNews::Known {
        kept: kept(&folders.models()),
        obstacle,
    }
}
