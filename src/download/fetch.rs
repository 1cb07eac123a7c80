//! A download from its name to the model in its place: lock, tries, checks, rename.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::disk::free_space;
use super::error::{FetchError, Setback, Trouble};
use super::listing::{choose, list, parts};
use super::part_file::PartFile;
use super::place::Place;
use super::progress::{Progress, Reporter, Stage};
use super::reach::Way;
use super::transfer::Transfer;
use super::{Choice, Control, Network, Patience, Wanted};
use crate::gguf::{Holding, read_holding};
use crate::store::Surroundings;

/// What fetches: the way to the hub, and what this computer allows.
#[derive(Clone, Debug)]
pub struct Fetcher {
    pub network: Network,
    pub patience: Patience,
    /// Bytes free on the disk of a folder; none where that is not known.
    pub free_space: fn(&Path) -> Option<u64>,
}

/// What is to be fetched, and where to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    pub wanted: Wanted,
    /// The folder of our own models.
    pub folder: PathBuf,
    /// What the file must hash to, if that is known beforehand.
    pub sha256: Option<String>,
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fetched {
    /// The model; of one that is split, its first part.
    pub path: PathBuf,
    /// Of all parts.
    pub bytes: u64,
    /// How many bytes were there from an earlier try.
    pub resumed_at: u64,
    /// The hash that was checked; none if the hub names none, nothing came, or the model is split.
    pub sha256: Option<String>,
    /// Every file that came was held against a hash.
    pub is_checked: bool,
    /// Nothing was fetched: the model lay in its place.
    pub was_here: bool,
}

impl Fetcher {
    /// As the environment says.
    pub fn here() -> Result<Self, FetchError> {
        Ok(Self {
            network: Network::of(&Surroundings::here())?,
            patience: Patience::default(),
            free_space,
        })
    }

    /// Fetches a model, tells how far it is, and ends soon after `control` stops it. What came of an earlier try is
    /// gone on with. Blocks: it wants a thread of its own.
    pub fn fetch(
        &self,
        order: &Order,
        control: &Control,
        tell: &mut dyn FnMut(&Progress),
    ) -> Result<Fetched, FetchError> {
        self.network.check()?;
        let mut reporter = Reporter::new(self.patience.news, tell);
        let first = self.first_file(&order.wanted, (control, &mut reporter))?;
        let files = parts(&first);
        let mut whole = Fetched {
            is_checked: true,
            ..Fetched::default()
        };
        for (idx, file) in files.iter().enumerate() {
            let name = file.rsplit('/').next().unwrap_or(file);
            reporter.progress = Progress {
                file: name.to_owned(),
                model: files[0].clone(),
                part: (files.len() > 1).then_some((idx + 1, files.len())),
                ..Progress::default()
            };
            let fetched = self.fetch_file(order, file, (control, &mut reporter))?;
            whole = Fetched {
                path: if idx == 0 { fetched.path } else { whole.path },
                bytes: whole.bytes + fetched.bytes,
                resumed_at: whole.resumed_at + fetched.resumed_at,
                sha256: fetched.sha256.filter(|_| files.len() == 1),
                is_checked: whole.is_checked && (fetched.is_checked || fetched.was_here),
                was_here: fetched.was_here && (idx == 0 || whole.was_here),
            };
        }
        Ok(whole)
    }

    fn first_file(
        &self,
        wanted: &Wanted,
        (control, reporter): (&Control, &mut Reporter<'_>),
    ) -> Result<String, FetchError> {
        if let Choice::File(file) = &wanted.choice {
            return Ok(file.clone());
        }
        reporter.enter(Stage::Asking);
        let way = self.way(control);
        let files = self.persist((control, reporter), |_| (list(wanted, &way), 0))?;
        choose(wanted, &files)
    }

    fn fetch_file(
        &self,
        order: &Order,
        file: &str,
        (control, reporter): (&Control, &mut Reporter<'_>),
    ) -> Result<Fetched, FetchError> {
        let place = Place::of(&order.folder, &order.wanted, file);
        let _lock = place.lock()?;
        if let Ok(it) = fs::metadata(&place.model) {
            return Ok(Fetched {
                path: place.model,
                bytes: it.len(),
                was_here: true,
                ..Fetched::default()
            });
        }
        let exact = Wanted {
            choice: Choice::File(file.to_owned()),
            ..order.wanted.clone()
        };
        let mut part = PartFile::open(&place, &exact.to_string(), (reporter, control))?;
        let resumed_at = part.n_bytes();
        let tried = self.complete((order, &exact), (control, reporter), &mut part);
        if let Err(error) = tried {
            // A note without a byte behind it would be offered to go on with.
            if part.n_bytes() == 0 {
                part.discard()?;
            }
            return Err(error);
        }
        let sha256 = accept(part, &place, reporter)?;
        Ok(Fetched {
            bytes: fs::metadata(&place.model).map_or(0, |it| it.len()),
            path: place.model,
            resumed_at,
            is_checked: sha256.is_some(),
            sha256,
            was_here: false,
        })
    }

    /// Tries until the part is whole.
    fn complete(
        &self,
        (order, exact): (&Order, &Wanted),
        (control, reporter): (&Control, &mut Reporter<'_>),
        part: &mut PartFile,
    ) -> Result<(), FetchError> {
        let mut highest = part.n_bytes();
        self.persist((control, reporter), |reporter| {
            let mut transfer = Transfer {
                fetcher: self,
                way: self.way(control),
                wanted: exact,
                folder: &order.folder,
                sha256: order.sha256.as_deref(),
                reporter,
            };
            let result = transfer.go_on(part);
            // What comes a second time is no progress.
            let n_new = part.n_bytes().saturating_sub(highest);
            highest += n_new;
            (result, n_new)
        })
    }

    fn way<'a>(&'a self, control: &'a Control) -> Way<'a> {
        Way {
            network: &self.network,
            patience: &self.patience,
            control,
        }
    }

    /// Tries until it works, is over, or has been vain too often. A try says how many bytes it brought.
    fn persist<'a, T>(
        &self,
        (control, reporter): (&Control, &mut Reporter<'a>),
        mut attempt: impl FnMut(&mut Reporter<'a>) -> (Result<T, Setback>, u64),
    ) -> Result<T, FetchError> {
        let mut n_fruitless = 0;
        let mut has_brought = false;
        loop {
            let (result, n_bytes) = attempt(reporter);
            let (why, after) = match result {
                Ok(it) => return Ok(it),
                Err(Setback::Over(why)) => return Err(why),
                Err(Setback::Again { why, after }) => (why, after),
            };
            has_brought |= n_bytes > 0;
            n_fruitless = if n_bytes >= self.patience.worthwhile {
                1
            } else {
                n_fruitless + 1
            };
            // Who has no network wants to hear it at once; one that went away may come back.
            let is_hopeless = why.trouble == Trouble::Unreachable && !has_brought;
            let wait = self.patience.wait(n_fruitless, after);
            let Some(wait) =
                wait.filter(|_| !is_hopeless && n_fruitless < self.patience.n_fruitless)
            else {
                return Err(why);
            };
            let place = why.place.clone();
            reporter.enter(Stage::Waiting {
                why: why.what,
                wait,
            });
            if control.wait(wait) {
                return Err(FetchError::cancelled(place));
            }
        }
    }
}

/// Checks what came and puts it into its place, or aside.
fn accept(
    mut part: PartFile,
    place: &Place,
    reporter: &mut Reporter<'_>,
) -> Result<Option<String>, FetchError> {
    reporter.enter(Stage::Checking);
    let failed = |it| {
        FetchError::disk(
            "the download cannot be put into its place",
            &place.model,
            &it,
        )
    };
    let found = part.finish()?;
    let expected = part.note.sha256.clone();
    if let Some(expected) = expected.as_ref().filter(|it| **it != found) {
        let set_aside = fs::rename(&place.part, &place.set_aside);
        set_aside.map_err(failed)?;
        part.discard()?;
        return Err(FetchError::new(
            Trouble::WrongHash,
            format!(
                "the file came damaged or changed: its SHA-256 is {found}, and {expected} was promised"
            ),
            place.set_aside.display().to_string(),
            "it is not used; get the model again",
        ));
    }
    if let Err(why) = check_holding(&place.part) {
        part.discard()?;
        let advice = "name another file of the repository";
        let place = place.model.display().to_string();
        return Err(FetchError::new(Trouble::NotAModel, why, place, advice));
    }
    fs::rename(&place.part, &place.model).map_err(failed)?;
    part.discard()?;
    sync_folder(&place.model);
    Ok(expected)
}

/// What the header says, read within bounds.
fn check_holding(path: &Path) -> Result<(), String> {
    let file = File::open(path).map_err(|it| it.to_string())?;
    match read_holding(file) {
        Ok(Holding::Model(_) | Holding::Part(_)) => Ok(()),
        Ok(Holding::Beside(_)) => Err("it goes with a model and is none by itself".to_owned()),
        Err(it) => Err(format!("it is no model that can be read: {it}")),
    }
}

/// Makes the new name last; a system that cannot do so does it by itself.
fn sync_folder(path: &Path) {
    let folder = path.parent().and_then(|it| File::open(it).ok());
    if folder.is_some_and(|it| it.sync_all().is_err()) {}
}
