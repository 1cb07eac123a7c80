//! Finds the processes of engines.

use std::time::Instant;

use rustix::process::Pid;

use super::PATIENCE;

/// A process of this system.
pub(crate) struct Process {
    /// What it was started with.
    pub(crate) line: String,
    pub(crate) parent: u32,
}

/// The first process that is wanted.
pub(crate) fn find(is_wanted: impl Fn(&Process) -> bool) -> Option<Pid> {
    let numbers = std::fs::read_dir("/proc").unwrap();
    let mut numbers = numbers.filter_map(|it| it.ok()?.file_name().to_str()?.parse::<i32>().ok());
    let number = numbers.find(|it| read(*it).is_some_and(|it| is_wanted(&it)))?;
    Pid::from_raw(number)
}

/// The engine that this program has started, as soon as it has.
pub(crate) fn engine_of(program: u32) -> Pid {
    let begun = Instant::now();
    loop {
        if let Some(it) = find(|it| it.parent == program && it.line.contains(" engine")) {
            return it;
        }
        assert!(begun.elapsed() < PATIENCE, "no engine was started");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

fn read(number: i32) -> Option<Process> {
    let line = std::fs::read(format!("/proc/{number}/cmdline")).ok()?;
    let stat = std::fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
    // Behind the name, which may hold anything, stand the state and the parent.
    let (_, behind) = stat.rsplit_once(')')?;
    let parent = behind.split_whitespace().nth(1)?.parse().ok()?;
    Some(Process {
        line: String::from_utf8_lossy(&line).replace('\0', " "),
        parent,
    })
}
