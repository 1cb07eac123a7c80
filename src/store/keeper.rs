//! Saves documents on a thread of its own, the latest state of each only, so that typing never waits for the disk.
//! What could not be saved is kept and tried again until it is.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use serde::Serialize;
use serde_json::Value;

use super::merge::save_merged;
use super::own_files::OwnFiles;
use super::{Seen, save};

/// How long a change may wait for others that are saved with it.
const QUIET: Duration = Duration::from_millis(150);
/// How long it takes until what failed is tried again.
const AGAIN: Duration = Duration::from_secs(2);

/// What a file is to hold.
#[derive(Debug)]
enum Content {
    /// Only this window writes it.
    Document(Value),
    /// Other windows write it too: what is changed against the base holds.
    Shared { base: Value, mine: Value },
    /// A file of the user's own, which other programs may have changed; none to take it away.
    Own(Option<String>),
}

#[derive(Debug)]
enum Todo {
    Save(PathBuf, Content),
    /// The user's own files were read again.
    Know(Seen),
}

/// What there is to tell of a save.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Saved {
    /// It failed, with what, where and what to do; it is tried again.
    Failed(String),
    /// What had failed with this sentence is on the disk now.
    Mended(String),
    /// It went well, and this must be known.
    Said(String),
}

type Waiting = BTreeMap<PathBuf, Content>;

/// The thread and the way to it. Dropping it saves what is still waiting.
#[derive(Debug)]
pub struct Keeper {
    todo: Option<Sender<Todo>>,
    outcomes: Receiver<Saved>,
    thread: Option<JoinHandle<()>>,
}

impl Keeper {
    /// Starts the thread. `seen` are the user's own files as they were read; `wake` is called when there is an outcome
    /// to look at.
    pub fn start(seen: Seen, wake: impl Fn() + Send + 'static) -> io::Result<Self> {
        let (todo, todos) = unbounded();
        let (tell, outcomes) = unbounded();
        let desk = Desk {
            tell,
            wake: Box::new(wake),
            own: OwnFiles::new(seen),
            failures: BTreeMap::new(),
        };
        let thread = thread::Builder::new()
            .name("keeper".to_owned())
            .spawn(move || desk.keep(&todos))?;
        Ok(Self {
            todo: Some(todo),
            outcomes,
            thread: Some(thread),
        })
    }

    /// Has the document saved soon. A value that is no JSON is told as an error at once.
    pub fn save(&self, path: &Path, value: &impl Serialize) -> Result<(), String> {
        let value = serde_json::to_value(value).map_err(|it| it.to_string())?;
        self.put(path, Content::Document(value))
    }

    /// Has those fields saved soon in which `mine` differs from `base`.
    pub fn save_shared(&self, path: &Path, base: Value, mine: Value) -> Result<(), String> {
        self.put(path, Content::Shared { base, mine })
    }

    /// Has a file of the user's own saved soon; without a text, has it taken away. What another program has made of it
    /// in the meantime is kept under another name.
    pub fn save_own(&self, path: &Path, text: Option<String>) -> Result<(), String> {
        self.put(path, Content::Own(text))
    }

    /// The user's own files were read again, and what was found is what they are to hold.
    pub fn know(&self, seen: Seen) {
        if let Some(todo) = &self.todo
            && todo.send(Todo::Know(seen)).is_err()
        {
            // The next save says that the thread is gone.
        }
    }

    fn put(&self, path: &Path, content: Content) -> Result<(), String> {
        let gone = || {
            format!(
                "cannot save; {}; the saving thread has ended, restart the program",
                path.display()
            )
        };
        let todo = self.todo.as_ref().ok_or_else(gone)?;
        todo.send(Todo::Save(path.to_owned(), content))
            .map_err(|_gone| gone())
    }

    /// What there is to tell since the last look.
    pub fn news(&self) -> impl Iterator<Item = Saved> {
        self.outcomes.try_iter()
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.todo = None;
        if let Some(thread) = self.thread.take() {
            // A panic in the thread was reported when it happened; there is nothing left to save.
            drop(thread.join());
        }
    }
}

/// What the thread has.
struct Desk {
    tell: Sender<Saved>,
    wake: Box<dyn Fn() + Send>,
    own: OwnFiles,
    /// Sentences of what is failing, so that each is told once.
    failures: BTreeMap<PathBuf, String>,
}

impl Desk {
    fn keep(mut self, todos: &Receiver<Todo>) {
        let mut waiting = Waiting::new();
        loop {
            let next = if waiting.is_empty() {
                todos.recv().map_err(|_gone| RecvTimeoutError::Disconnected)
            } else {
                todos.recv_timeout(AGAIN)
            };
            match next {
                Ok(todo) => {
                    self.take(&mut waiting, todo);
                    // A fixed pause, not one that each change restarts: someone who types without end is saved too.
                    let deadline = Instant::now() + QUIET;
                    while let Ok(todo) = todos.recv_deadline(deadline) {
                        self.take(&mut waiting, todo);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    self.save_all(waiting);
                    return;
                }
            }
            waiting = self.save_all(waiting);
        }
    }

    fn take(&mut self, waiting: &mut Waiting, todo: Todo) {
        match todo {
            Todo::Save(path, content) => put(waiting, path, content),
            Todo::Know(seen) => self.own.know(seen),
        }
    }

    /// Gives back what could not be saved.
    fn save_all(&mut self, waiting: Waiting) -> Waiting {
        let mut left = Waiting::new();
        for (path, content) in waiting {
            let saved = match &content {
                Content::Document(value) => save(&path, value).map(|()| None),
                Content::Shared { base, mine } => save_merged(&path, base, mine).map(|()| None),
                Content::Own(text) => self.own.save(&path, text.as_deref()),
            };
            match saved {
                Ok(said) => {
                    let mended = self.failures.remove(&path).map(Saved::Mended);
                    for news in mended.into_iter().chain(said.map(Saved::Said)) {
                        self.say(news);
                    }
                }
                Err(error) => {
                    let text = error.to_string();
                    if self.failures.insert(path.clone(), text.clone()).as_ref() != Some(&text) {
                        self.say(Saved::Failed(text));
                    }
                    left.insert(path, content);
                }
            }
        }
        left
    }

    fn say(&self, news: Saved) {
        // Nobody listens any more when the window is gone.
        if self.tell.send(news).is_ok() {
            (self.wake)();
        }
    }
}

fn put(waiting: &mut Waiting, path: PathBuf, content: Content) {
    let content = match (waiting.remove(&path), content) {
        // What the disk has is behind the first of the two.
        (Some(Content::Shared { base, .. }), Content::Shared { mine, .. }) => {
            Content::Shared { base, mine }
        }
        (_, content) => content,
    };
    waiting.insert(path, content);
}
