//! Models that are being downloaded, were, or can be gone on with.

use std::path::PathBuf;

use super::{Action, Effect, Model, NoticeKind, on_action};
use crate::download::{
    self, FetchError, Fetched, Kept, Progress, Stage, Trouble, Wanted, catalogue, size_text,
};

/// What is known of downloads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DownloadDesk {
    /// In the order in which they were asked for.
    pub items: Vec<Getting>,
    /// Why nothing can be downloaded now, in a line.
    pub obstacle: Option<String>,
    /// What is wrong with the name that was typed.
    pub fault: Option<String>,
}

/// One model on its way.
#[derive(Clone, Debug, PartialEq)]
pub struct Getting {
    pub id: u64,
    pub wanted: Wanted,
    pub phase: GetPhase,
}

#[derive(Clone, Debug, PartialEq)]
pub enum GetPhase {
    Running {
        progress: Progress,
        /// The user asked for its end, and it has not come yet.
        stopping: bool,
    },
    /// A part is here, and the rest can be fetched.
    Kept {
        bytes: u64,
        total: Option<u64>,
    },
    Failed {
        message: String,
        /// What came of it before and is kept.
        bytes: u64,
    },
    Here(PathBuf),
}

/// What a user can do about downloads.
#[derive(Clone, Debug, PartialEq)]
pub enum DownloadAction {
    /// Begins a download, or goes on with one.
    Get(Box<Wanted>),
    /// The same by what was typed: a name of the catalogue, or `owner/name:FILE`.
    GetTyped(String),
    Stop(u64),
    /// Takes one that has ended off the list.
    Forget(u64),
    /// Deletes what has come of one, and takes it off the list.
    Discard(u64),
}

/// What the shell must do for downloads.
#[derive(Clone, Debug, PartialEq)]
pub enum DownloadEffect {
    /// Fetch it on a thread of its own; [`on_download_news`] is told.
    Fetch {
        id: u64,
        wanted: Box<Wanted>,
        sha256: Option<String>,
    },
    Stop(u64),
    /// Delete what has come of it.
    Discard(Box<Wanted>),
}

/// What comes back from there.
#[derive(Clone, Debug, PartialEq)]
pub enum DownloadNews {
    /// What lies on the disk unfinished, and why nothing can be fetched as far as that is known.
    Known {
        kept: Vec<Kept>,
        obstacle: Option<String>,
    },
    Progress(u64, Progress),
    Ended(u64, Result<Fetched, FetchError>),
    /// What has come could not be deleted; why, and what still lies there.
    NotDiscarded {
        error: FetchError,
        kept: Vec<Kept>,
    },
}

impl DownloadDesk {
    /// The one of this file.
    pub fn of(&self, wanted: &Wanted) -> Option<&Getting> {
        self.items.iter().find(|it| it.wanted == *wanted)
    }

    pub fn is_running(&self) -> bool {
        let is_running = |it: &Getting| matches!(it.phase, GetPhase::Running { .. });
        self.items.iter().any(is_running)
    }

    fn by_id(&mut self, id: u64) -> Option<&mut Getting> {
        self.items.iter_mut().find(|it| it.id == id)
    }
}

/// Carries out what the user wants.
pub(super) fn on_download(model: &mut Model, action: DownloadAction) -> Vec<Effect> {
    match action {
        DownloadAction::Get(wanted) => get(model, *wanted),
        DownloadAction::GetTyped(text) => {
            let parsed = match download::offer(text.trim()) {
                Some(it) => Ok(it.wanted()),
                None => Wanted::parse(&text),
            };
            match parsed {
                Ok(wanted) => get(model, wanted),
                Err(error) => {
                    model.download.fault = Some(error.to_string());
                    Vec::new()
                }
            }
        }
        DownloadAction::Stop(id) => match model.download.by_id(id).map(|it| &mut it.phase) {
            Some(GetPhase::Running { stopping, .. }) if !*stopping => {
                *stopping = true;
                vec![Effect::Download(DownloadEffect::Stop(id))]
            }
            _ => Vec::new(),
        },
        DownloadAction::Forget(id) => {
            take_over(model, id);
            Vec::new()
        }
        DownloadAction::Discard(id) => {
            let discard = |it| Effect::Download(DownloadEffect::Discard(Box::new(it)));
            take_over(model, id).map(discard).into_iter().collect()
        }
    }
}

/// Takes one that has ended off the list.
fn take_over(model: &mut Model, id: u64) -> Option<Wanted> {
    let items = &mut model.download.items;
    let is_it = |it: &Getting| it.id == id && !matches!(it.phase, GetPhase::Running { .. });
    let idx = items.iter().position(is_it)?;
    Some(items.remove(idx).wanted)
}

/// Takes in what a download has to tell. News of one that was forgotten fall away.
pub fn on_download_news(model: &mut Model, news: DownloadNews) -> Vec<Effect> {
    match news {
        DownloadNews::Known { kept, obstacle } => {
            for it in kept {
                put_kept(model, it);
            }
            if obstacle.is_some() {
                model.download.obstacle = obstacle;
            }
            Vec::new()
        }
        DownloadNews::Progress(id, news) => {
            if let Some(GetPhase::Running { progress, .. }) =
                model.download.by_id(id).map(|it| &mut it.phase)
            {
                let is_flowing = news.stage == Stage::Transferring;
                *progress = news;
                if is_flowing {
                    model.download.obstacle = None;
                }
            }
            Vec::new()
        }
        DownloadNews::Ended(id, Ok(fetched)) => ended(model, id, fetched),
        DownloadNews::NotDiscarded { error, kept } => {
            for it in kept {
                put_kept(model, it);
            }
            model.notify(NoticeKind::Warning, format!("Not deleted: {error}"));
            Vec::new()
        }
        DownloadNews::Ended(id, Err(error)) => {
            failed(model, id, &error);
            Vec::new()
        }
    }
}

fn get(model: &mut Model, wanted: Wanted) -> Vec<Effect> {
    let is_on_its_way = |it: &Getting| matches!(it.phase, GetPhase::Running { .. });
    model.download.fault = None;
    if model.download.of(&wanted).is_some_and(is_on_its_way) {
        return Vec::new();
    }
    let id = model.take_id().0;
    let running = GetPhase::Running {
        progress: Progress::default(),
        stopping: false,
    };
    let items = &mut model.download.items;
    match items.iter_mut().find(|it| it.wanted == wanted) {
        Some(it) => (it.id, it.phase) = (id, running),
        None => items.push(Getting {
            id,
            wanted: wanted.clone(),
            phase: running,
        }),
    }
    let offered = catalogue().iter().find(|it| it.wanted() == wanted);
    let sha256 = offered.and_then(|it| it.sha256.clone());
    let wanted = Box::new(wanted);
    vec![Effect::Download(DownloadEffect::Fetch {
        id,
        wanted,
        sha256,
    })]
}

/// A part on the disk, unless it is on its way or its failure is still to be read.
fn put_kept(model: &mut Model, kept: Kept) {
    if model.download.of(&kept.wanted).is_some() {
        return;
    }
    let id = model.take_id().0;
    model.download.items.push(Getting {
        id,
        wanted: kept.wanted,
        phase: GetPhase::Kept {
            bytes: kept.bytes,
            total: kept.total,
        },
    });
}

/// The model is here: it is looked for at once, so that it stands among the others.
fn ended(model: &mut Model, id: u64, fetched: Fetched) -> Vec<Effect> {
    let Some(it) = model.download.by_id(id) else {
        return Vec::new();
    };
    let name = it.wanted.to_string();
    it.phase = GetPhase::Here(fetched.path);
    model.download.obstacle = None;
    let checked = match (fetched.was_here, fetched.is_checked) {
        (true, _) => "It was here already.",
        (false, true) => "Its hash is right.",
        (false, false) => "The hub names no hash for it, so only its header was checked.",
    };
    let size = size_text(fetched.bytes);
    model.notify(
        NoticeKind::Info,
        format!("{name} is here ({size}). {checked}"),
    );
    on_action(model, Action::FindModels)
}

fn failed(model: &mut Model, id: u64, error: &FetchError) {
    let Some(it) = model.download.by_id(id) else {
        return;
    };
    let GetPhase::Running { progress, .. } = &it.phase else {
        return;
    };
    let (bytes, total) = (progress.done, progress.total);
    // Parts that are whole stay.
    let is_begun = bytes > 0 || progress.part.is_some_and(|it| it.0 > 1);
    // Now it is known which file is meant, so that no other one is deleted or gone on with.
    it.wanted = it.wanted.of_file(&progress.model);
    // Nothing of these is kept.
    let is_lost = error.is_bad_file();
    let bytes = if is_lost { 0 } else { bytes };
    it.phase = match error.trouble {
        Trouble::Cancelled => GetPhase::Kept { bytes, total },
        _ => GetPhase::Failed {
            message: error.to_string(),
            bytes,
        },
    };
    let wanted = it.wanted.clone();
    let is_gone = error.trouble == Trouble::Cancelled && !is_begun;
    let is_other = |it: &Getting| it.id != id && it.wanted != wanted;
    model
        .download
        .items
        .retain(|it| is_other(it) || (it.id == id && !is_gone));
    if error.trouble == Trouble::Unreachable {
        model.download.obstacle = Some(format!(
            "No way to {}: nothing can be downloaded now. Models on this computer work as ever.",
            error.place
        ));
    }
}
