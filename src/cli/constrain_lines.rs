//! `stepladder constrain --lines`: many constraints, each in a process that is ended when it takes too long.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitCode, Stdio};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use serde::Deserialize;
use serde_json::{Value, json};

use super::args::ConstrainArguments;
use super::constrain::{Asked, tokens};
use super::line_fault::line_fault;
use super::out;
use super::stepping::{Tokens, Walked};
use crate::constraint::Badge;
use crate::store;

/// How long the vocabulary may take to be read.
const START_LIMIT: Duration = Duration::from_mins(2);
/// What a worker says when the vocabulary is read.
const READY: &str = "ready";

/// One line of the input.
#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    schema: Option<Value>,
    #[serde(default)]
    grammar: Option<String>,
    #[serde(default)]
    regex: Option<String>,
    #[serde(default)]
    texts: Vec<String>,
}

/// Answers each line; good when every line could be used.
pub(super) fn constrain_lines(arguments: &ConstrainArguments) -> ExitCode {
    match try_lines(arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(out::BAD),
        Err(it) => out::error(&it),
    }
}

/// The worker's side: a line of answer for each line, which stands behind its number, until the input ends.
pub(super) fn work(arguments: &ConstrainArguments) -> ExitCode {
    let tokens = match tokens(arguments) {
        Ok(it) => it,
        Err(it) => {
            out::line(&it);
            return ExitCode::from(out::UNUSABLE);
        }
    };
    out::line(READY);
    for line in io::stdin().lock().split(b'\n') {
        let Ok(line) = line else {
            break;
        };
        out::line(&answer(&line, &tokens, arguments).to_string());
        if out::is_unread() {
            break;
        }
    }
    ExitCode::SUCCESS
}

/// The process that answers, and what it says.
struct Worker {
    child: Child,
    input: ChildStdin,
    answers: Receiver<String>,
}

impl Worker {
    fn start(arguments: &ConstrainArguments) -> Result<Self, String> {
        let failed = |it: io::Error| {
            format!("cannot start a process for the lines: {it}; the system; free some memory")
        };
        let mut child = Command::new(std::env::current_exe().map_err(failed)?)
            .args(worker_arguments(arguments))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("a process without pipes was started; the system; try again".to_owned());
        };
        let (sender, answers) = bounded(1);
        thread::Builder::new()
            .name("answers".to_owned())
            .spawn(move || {
                for line in BufReader::new(output).lines().map_while(Result::ok) {
                    if sender.send(line).is_err() {
                        return;
                    }
                }
            })
            .map_err(failed)?;
        let worker = Self {
            child,
            input,
            answers,
        };
        match worker.answers.recv_timeout(START_LIMIT) {
            Ok(it) if it == READY => Ok(worker),
            Ok(problem) => Err(problem),
            Err(_) => Err(
                "the vocabulary cannot be read in time; --model; choose another file".to_owned(),
            ),
        }
    }

    fn ask(&mut self, (number, line): (usize, &[u8]), limit: Duration) -> Result<String, String> {
        let sent = self
            .input
            .write_all(format!("{number} ").as_bytes())
            .and_then(|()| self.input.write_all(line))
            .and_then(|()| self.input.write_all(b"\n"))
            .and_then(|()| self.input.flush());
        if sent.is_err() {
            return Err(self.obituary());
        }
        match self.answers.recv_timeout(limit) {
            Ok(it) => Ok(it),
            Err(RecvTimeoutError::Timeout) => {
                Err(format!("no answer within {} s", limit.as_secs_f64()))
            }
            Err(RecvTimeoutError::Disconnected) => Err(self.obituary()),
        }
    }

    fn obituary(&mut self) -> String {
        match self.child.wait() {
            Ok(status) => format!("the constraint ended its process ({status})"),
            Err(it) => format!("the constraint's process is lost: {it}"),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn try_lines(arguments: &ConstrainArguments) -> Result<bool, String> {
    let limit = Duration::try_from_secs_f64(arguments.limit)
        .map_err(|it| format!("{it}; --limit; give a number of seconds"))?;
    let mut is_good = true;
    // Started before the first line, so that a model that cannot be read is told at once.
    let mut worker = Some(Worker::start(arguments)?);
    let mut lines = input(&arguments.file)?;
    let mut number = 0;
    while let Some(line) =
        store::next_line(&mut lines).map_err(|it| unreadable(&arguments.file, &it))?
    {
        number += 1;
        if out::is_unread() {
            break;
        }
        let store::Line::Whole(line) = line else {
            is_good = false;
            let error = format!("line {number} is longer than lines may be");
            out::line(&failed(&Value::Null, &error).to_string());
            continue;
        };
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let mut running = match worker.take() {
            Some(it) => it,
            None => Worker::start(arguments)?,
        };
        match running.ask((number, &line), limit) {
            Ok(answer) => {
                is_good &= answer.contains("\"compiled\":true");
                out::line(&answer);
                worker = Some(running);
            }
            Err(problem) => {
                is_good = false;
                let id = serde_json::from_slice::<Value>(&line)
                    .ok()
                    .and_then(|it| it.get("id").cloned());
                out::line(&failed(&id.unwrap_or_default(), &problem).to_string());
            }
        }
    }
    Ok(is_good)
}

/// Everything that a worker must know; what it is to answer comes over its input.
fn worker_arguments(arguments: &ConstrainArguments) -> Vec<std::ffi::OsString> {
    let mut res = vec!["constrain-worker".into()];
    if arguments.bytes {
        res.push("--bytes".into());
    } else if let Some(model) = &arguments.model {
        res.push("--model".into());
        res.push(model.into());
    }
    res.push("--white-space".into());
    res.push(arguments.white_space.to_string().into());
    if arguments.lenient {
        res.push("--lenient".into());
    }
    res
}

fn answer(line: &[u8], tokens: &Tokens, arguments: &ConstrainArguments) -> Value {
    let (number, line) = numbered(line);
    let value: Value = match serde_json::from_slice(line) {
        Ok(it) => it,
        Err(it) => return failed(&Value::Null, &line_fault(number, &it)),
    };
    let id = value.get("id").cloned().unwrap_or_default();
    let line = match serde_json::from_value::<Line>(value) {
        Ok(it) => it,
        Err(it) => return failed(&id, &line_fault(number, &it)),
    };
    let asked = Asked {
        schema: line.schema.map(|it| it.to_string()),
        grammar: line.grammar,
        regex: line.regex,
    };
    let tried = asked.constraint(arguments).and_then(|it| {
        tokens
            .walk_all(&it, &line.texts, false)
            .map_err(|it| it.to_string())
    });
    match tried {
        Err(error) => failed(&id, &error),
        Ok(tried) => {
            let texts: Vec<Value> = tried.texts.iter().map(Walked::figures).collect();
            json!({
                "id": id,
                "compiled": true,
                "error": null,
                "compile_ms": tried.compile_ms,
                "badge": tried.badge,
                "texts": texts,
            })
        }
    }
}

/// The number that the line has in its file, and the line.
fn numbered(line: &[u8]) -> (usize, &[u8]) {
    let mut parts = line.splitn(2, |it| *it == b' ');
    let number = parts.next().and_then(|it| str::from_utf8(it).ok());
    let number = number.and_then(|it| it.parse().ok()).unwrap_or(0);
    (number, parts.next().unwrap_or_default())
}

fn failed(id: &Value, error: &str) -> Value {
    json!({
        "id": id,
        "compiled": false,
        "error": error,
        "compile_ms": null,
        "badge": Badge::None,
        "texts": [],
    })
}

fn input(file: &Path) -> Result<Box<dyn BufRead>, String> {
    if file == Path::new("-") {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    let file_or_error = File::open(file).map_err(|it| unreadable(file, &it))?;
    Ok(Box::new(BufReader::new(file_or_error)))
}

fn unreadable(path: &Path, error: &io::Error) -> String {
    format!(
        "cannot read the file: {error}; {}; check the path",
        path.display()
    )
}
