//! Saves documents on a thread of its own, the latest state of each only, so that typing never waits for the disk.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};
use serde::Serialize;
use serde_json::Value;

use super::{remove, save, save_text};

/// How long a change may wait for others that are saved with it.
const QUIET: Duration = Duration::from_millis(150);

/// What a file is to hold.
#[derive(Debug)]
enum Content {
    Document(Value),
    Text(String),
    /// There is to be no file.
    Nothing,
}

/// What became of each save.
type Outcome = Result<(), String>;

/// The thread and the way to it. Dropping it saves what is still waiting.
#[derive(Debug)]
pub struct Keeper {
    todo: Option<Sender<(PathBuf, Content)>>,
    outcomes: Receiver<Outcome>,
    thread: Option<JoinHandle<()>>,
}

impl Keeper {
    /// Starts the thread. `wake` is called when there is an outcome to look at.
    pub fn start(wake: impl Fn() + Send + 'static) -> io::Result<Self> {
        let (todo, todos) = unbounded();
        let (tell, outcomes) = unbounded();
        let thread = thread::Builder::new()
            .name("keeper".to_owned())
            .spawn(move || keep(&todos, &tell, &wake))?;
        Ok(Self {
            todo: Some(todo),
            outcomes,
            thread: Some(thread),
        })
    }

    /// Has the document saved soon. A value that is no JSON is told as an error at once.
    pub fn save(&self, path: &Path, value: &impl Serialize) -> Outcome {
        let value = serde_json::to_value(value).map_err(|it| it.to_string())?;
        self.put(path, Content::Document(value))
    }

    /// Has a text saved soon as it is; without one, has the file taken away.
    pub fn save_text(&self, path: &Path, text: Option<String>) -> Outcome {
        self.put(path, text.map_or(Content::Nothing, Content::Text))
    }

    fn put(&self, path: &Path, content: Content) -> Outcome {
        let gone = || {
            format!(
                "cannot save; {}; the saving thread has ended, restart the program",
                path.display()
            )
        };
        let todo = self.todo.as_ref().ok_or_else(gone)?;
        todo.send((path.to_owned(), content))
            .map_err(|_gone| gone())
    }

    /// The saves that failed since the last look.
    pub fn failures(&self) -> impl Iterator<Item = String> {
        self.outcomes.try_iter().filter_map(Result::err)
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

fn keep(todos: &Receiver<(PathBuf, Content)>, tell: &Sender<Outcome>, wake: &dyn Fn()) {
    while let Ok((path, content)) = todos.recv() {
        let mut waiting = BTreeMap::from([(path, content)]);
        // A fixed pause, not one that each change restarts: someone who types without end is saved too.
        let deadline = Instant::now() + QUIET;
        while let Ok((path, content)) = todos.recv_deadline(deadline) {
            waiting.insert(path, content);
        }
        save_all(waiting, tell, wake);
    }
}

fn save_all(waiting: BTreeMap<PathBuf, Content>, tell: &Sender<Outcome>, wake: &dyn Fn()) {
    for (path, content) in waiting {
        let outcome = match content {
            Content::Document(value) => save(&path, &value),
            Content::Text(text) => save_text(&path, &text),
            Content::Nothing => remove(&path),
        };
        let outcome = outcome.map_err(|it| it.to_string());
        let is_failure = outcome.is_err();
        if tell.send(outcome).is_ok() && is_failure {
            wake();
        }
    }
}
