//! What is noted of an engine that is lost while it writes several replies.

use super::super::link::{Fate, MakeBackend, ThreadSpawner};
use super::super::supervisor::Limits;
use super::super::{
    Backend, Cancel, Command, Engine, Event, Finish, GroupRun, Held, RunId, RunRequest, RunTimings,
    StopReason,
};
use super::worker::PATIENCE;

/// Dies behind the first reply of a group.
struct Mortal {
    fate: Fate,
}

impl Backend for Mortal {
    fn execute(&mut self, command: Command, _: &Cancel, tell: &mut dyn FnMut(Event)) {
        let Command::RunGroup { runs, .. } = command else {
            return;
        };
        for run in &runs {
            tell(Event::Started {
                id: run.id,
                attempt: 1,
                view: Box::default(),
            });
        }
        let finish = Finish {
            stop: StopReason::EndOfGeneration,
            text: String::new(),
            timings: RunTimings::default(),
            knobs: Vec::new(),
            held: Held::default(),
        };
        tell(Event::Finished {
            id: runs[0].id,
            finish: Box::new(finish),
        });
        self.fate.end("segmentation fault (signal 11)");
    }
}

#[test]
fn the_note_names_the_group_also_behind_its_first_reply() {
    let next = || {
        let make: MakeBackend = Box::new(|fate| Box::new(Mortal { fate }));
        Some(make)
    };
    let next = Box::new(next);
    let spawner = Box::new(ThreadSpawner { next });
    let engine = Engine::drive(spawner, Limits::STRICT, || ());
    let runs = [2, 3].map(|id| GroupRun {
        id: RunId(id),
        request: RunRequest::default(),
    });
    engine.send(Command::RunGroup {
        id: RunId(9),
        width: 2,
        runs: runs.into(),
    });
    let doing = loop {
        let event = engine.events().recv_timeout(PATIENCE).unwrap();
        if let Event::CrashNoted { note } = event {
            break note.doing;
        }
    };
    assert_eq!(doing, "2 replies, 2 of them together");
}
