//! Runs comparisons in another process, since llama.cpp's sampler may hang or abort.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use crate::compare::{Outcome, Sides};
use crate::rows::{rows, texts};

/// How many texts, and how long they are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Size {
    Tiny,
    Short,
    Full,
}

pub(crate) struct Job {
    pub(crate) model: PathBuf,
    /// By their places in [`rows`].
    pub(crate) rows: Vec<usize>,
    pub(crate) size: Size,
    /// For one grammar, and for reading the vocabulary.
    pub(crate) limit: Duration,
}

const MARK: &str = "outcome\t";

/// Compares, telling each outcome. A grammar on which the child hangs or dies has that as its fault.
pub(crate) fn run(job: &Job, tell: &mut dyn FnMut(&Outcome)) -> Vec<Outcome> {
    let mut res = Vec::new();
    let mut left = job.rows.clone();
    while !left.is_empty() {
        let (mut child, lines) = start(job, &left);
        while let Some(row) = left.first().copied() {
            let outcome = match lines.recv_timeout(job.limit) {
                Ok(line) => serde_json::from_str(&line).unwrap(),
                Err(error) => Outcome {
                    name: rows().swap_remove(row).name,
                    n_faults: 1,
                    faults: vec![format!("no answer: {error}")],
                    ..Outcome::default()
                },
            };
            left.remove(0);
            let is_gone = outcome.n_texts == 0;
            tell(&outcome);
            res.push(outcome);
            if is_gone {
                break;
            }
        }
        // It may have ended by itself.
        let _ended = child.kill();
        child.wait().unwrap();
    }
    res
}

/// Compares everything on a model, adds to a file of outcomes, and leaves out what stands there already.
pub(crate) fn run_all(model: &Path, out: &Path) {
    let done: Vec<Outcome> = fs::read_to_string(out)
        .unwrap_or_default()
        .lines()
        .filter_map(|it| serde_json::from_str(it).ok())
        .collect();
    let is_done = |name: &str| done.iter().any(|it| it.name == name && it.n_faults == 0);
    let left = (0..).zip(rows()).filter(|(_, row)| !is_done(&row.name));
    let job = Job {
        model: model.to_owned(),
        rows: left.map(|it| it.0).collect(),
        size: Size::Full,
        limit: Duration::from_mins(10),
    };
    let mut file = File::options().append(true).create(true).open(out).unwrap();
    let outcomes = run(&job, &mut |it| {
        writeln!(file, "{}", serde_json::to_string(it).unwrap()).unwrap();
    });
    let faults: Vec<_> = outcomes.iter().filter(|it| it.n_faults > 0).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

/// The child: one line of outcome for each row that it was given.
pub(crate) fn main() {
    let variable = |it: &str| std::env::var(it).unwrap();
    let sides = Sides::open(Path::new(&variable("EXACTNESS_CHILD_MODEL")));
    let (n_texts, max_chars) = match variable("EXACTNESS_CHILD_SIZE").as_str() {
        "Tiny" => (3, 10),
        "Short" => (5, 12),
        _ => (20, 40),
    };
    let all = rows();
    let mut out = std::io::stdout();
    for row in variable("EXACTNESS_CHILD_ROWS").split(',') {
        let row = &all[row.parse::<usize>().unwrap()];
        let outcome = sides.compare(row, &texts(&row.grammar, n_texts, max_chars));
        // The test harness may have written half a line before.
        let line = serde_json::to_string(&outcome).unwrap();
        out.write_all(format!("\n{MARK}{line}\n").as_bytes())
            .unwrap();
    }
}

fn start(job: &Job, left: &[usize]) -> (Child, Receiver<String>) {
    let rows: Vec<String> = left.iter().map(ToString::to_string).collect();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["the_child_compares", "--exact", "--ignored", "--nocapture"])
        .env("EXACTNESS_CHILD_MODEL", &job.model)
        .env("EXACTNESS_CHILD_ROWS", rows.join(","))
        .env("EXACTNESS_CHILD_SIZE", format!("{:?}", job.size))
        .env("GGML_NO_BACKTRACE", "1")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    let (sender, receiver) = channel();
    thread::Builder::new()
        .name("outcomes".to_owned())
        .spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                if let Some(it) = line.strip_prefix(MARK) {
                    // Nobody listens any more when the time was up.
                    let _unheard = sender.send(it.to_owned());
                }
            }
        })
        .unwrap();
    (child, receiver)
}
