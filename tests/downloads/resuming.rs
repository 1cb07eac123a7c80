//! Cuts, stops and new starts: what has come is not asked for again.

use std::fs;
use std::sync::Mutex;

use stepladder::download::{Control, Stage, Trouble, Wanted, discard, kept};

use crate::hub::{Desk, FILE, model, serve, sha256};
use crate::server::{Ending, Reply, Server};

/// Serves the model, and falls silent in the middle of this answer.
fn silent_once(nth: usize) -> Server {
    let served = model();
    Server::start(move |it, idx| {
        let reply = serve(it, &served);
        if idx == nth {
            reply.ending(Ending::Silent(400_000))
        } else {
            reply
        }
    })
}

#[test]
fn a_file_comes_whole_is_checked_and_lies_in_its_place() {
    let bytes = model();
    let served = bytes.clone();
    let server = Server::start(move |it, _| serve(it, &served));
    let desk = Desk::at(&server);
    let mut last = None;
    let fetched = desk
        .fetch_by(&Control::default(), &mut |it| last = Some(it.clone()))
        .unwrap();
    assert_eq!(fetched.path, desk.place());
    assert_eq!(fetched.bytes, bytes.len() as u64);
    assert_eq!(fetched.sha256, Some(sha256(&bytes)));
    assert_eq!(fetched.resumed_at, 0);
    desk.check_whole(&bytes);
    let last = last.unwrap();
    assert_eq!(
        (last.stage, last.total),
        (Stage::Checking, Some(bytes.len() as u64))
    );
    let served = server.served();
    assert_eq!(served.len(), 1);
    assert_eq!(served[0].request.target, FILE);
}

#[test]
fn a_download_goes_on_after_three_cuts_and_no_byte_comes_twice() {
    let bytes = model();
    let served = bytes.clone();
    let cuts = [300_000, 70_001, 450_001];
    let server = Server::start(move |it, idx| {
        let reply = serve(it, &served);
        match cuts.get(idx) {
            Some(n_bytes) => reply.ending(Ending::Cut(*n_bytes)),
            None => reply,
        }
    });
    let desk = Desk::at(&server);
    desk.fetch().unwrap();
    desk.check_whole(&bytes);
    let served = server.served();
    let ranges: Vec<_> = served.iter().map(|it| it.request.header("range")).collect();
    let expected = ["bytes=300000-", "bytes=370001-", "bytes=820002-"];
    assert_eq!(
        ranges,
        [
            None,
            Some(expected[0]),
            Some(expected[1]),
            Some(expected[2])
        ]
    );
    let tag = format!("\"{}\"", &sha256(&bytes)[..16]);
    assert!(
        served[1..]
            .iter()
            .all(|it| it.request.header("if-range") == Some(&tag))
    );
    assert_eq!(server.n_sent(), bytes.len(), "bytes sent in four answers");
}

#[test]
fn what_was_stopped_is_kept_and_gone_on_with_by_another_program() {
    let bytes = model();
    let server = silent_once(0);
    let desk = Desk::at(&server);
    let control = Control::default();
    let stopper = control.clone();
    let stopped = desk.fetch_by(&control, &mut |it| {
        if it.done == 400_000 {
            stopper.stop();
        }
    });
    assert_eq!(stopped.unwrap_err().trouble, Trouble::Cancelled);
    assert!(desk.part().unwrap() == bytes[..400_000]);
    assert_eq!(desk.found(), [""; 0], "a part is no model");
    let [part] = kept(&desk.models()).try_into().unwrap();
    assert_eq!(
        (part.bytes, part.total),
        (400_000, Some(bytes.len() as u64))
    );
    assert_eq!(part.wanted.to_string(), "owner/tiny-GGUF:tiny-Q4_K_M.gguf");
    let fetched = desk.fetch().unwrap();
    assert_eq!(fetched.resumed_at, 400_000);
    desk.check_whole(&bytes);
    assert_eq!(server.n_sent(), bytes.len());
    assert_eq!(kept(&desk.models()), []);
}

#[test]
fn what_has_come_can_be_deleted_and_only_that() {
    let server = silent_once(0);
    let desk = Desk::at(&server);
    let control = Control::default();
    let stopper = control.clone();
    let mut is_busy = None;
    let of = |text: &str| Wanted::parse(text).unwrap();
    let its_own = of("owner/tiny-GGUF:tiny-Q4_K_M.gguf");
    let stopped = desk.fetch_by(&control, &mut |it| {
        if it.done == 400_000 {
            let while_it_runs = discard(&desk.models(), &its_own);
            is_busy = Some(while_it_runs.unwrap_err().trouble);
            stopper.stop();
        }
    });
    assert_eq!(stopped.unwrap_err().trouble, Trouble::Cancelled);
    assert_eq!(is_busy, Some(Trouble::Busy));
    for other in [
        "owner/tiny-GGUF:tiny-Q8_0.gguf",
        "owner/tiny-GGUF:Q4_K_M",
        "owner/tiny-GGUF",
        "owner/other-GGUF:tiny-Q4_K_M.gguf",
    ] {
        discard(&desk.models(), &of(other)).unwrap();
        assert_eq!(kept(&desk.models()).len(), 1, "{other} may be another one");
    }
    discard(&desk.models(), &its_own).unwrap();
    assert_eq!(kept(&desk.models()), []);
    assert_eq!(desk.part(), None);
}

/// Stops a model of three parts within its second one.
fn stopped_in_the_middle() -> (Server, Desk) {
    let server = silent_once(1);
    let desk = Desk::at(&server);
    let control = Control::default();
    let stopper = control.clone();
    let first = "owner/tiny-GGUF:q/tiny-00001-of-00003.gguf";
    let stopped = desk.fetch_this(first, &control, &mut |it| {
        assert_eq!(it.model, "q/tiny-00001-of-00003.gguf");
        if it.part == Some((2, 3)) && it.done == 400_000 {
            stopper.stop();
        }
    });
    assert_eq!(stopped.unwrap_err().trouble, Trouble::Cancelled);
    (server, desk)
}

#[test]
fn a_split_model_is_gone_on_with_as_a_whole() {
    let (server, desk) = stopped_in_the_middle();
    let [waiting] = kept(&desk.models()).try_into().unwrap();
    let wanted = waiting.wanted.to_string();
    assert_eq!(wanted, "owner/tiny-GGUF:q/tiny-00001-of-00003.gguf");
    let fetched = desk
        .fetch_this(&wanted, &Control::default(), &mut |_| {})
        .unwrap();
    assert!(fetched.path.ends_with("q/tiny-00001-of-00003.gguf"));
    assert!(fetched.is_checked && !fetched.was_here);
    assert_eq!(fetched.resumed_at, 400_000);
    let targets: Vec<String> = server
        .served()
        .iter()
        .map(|it| it.request.target[it.request.target.len() - 20..].to_owned())
        .collect();
    let part = |it: u32| format!("-{it:05}-of-00003.gguf");
    assert_eq!(targets, [part(1), part(2), part(2), part(3)]);
    assert_eq!(kept(&desk.models()), []);
}

#[test]
fn a_split_model_is_deleted_with_the_parts_that_have_come_whole_but_not_once_it_is_whole() {
    let (_server, desk) = stopped_in_the_middle();
    let [waiting] = kept(&desk.models()).try_into().unwrap();
    let folder = desk.models().join("owner/tiny-GGUF/q");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3);
    discard(&desk.models(), &waiting.wanted).unwrap();
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    let wanted = waiting.wanted.to_string();
    desk.fetch_this(&wanted, &Control::default(), &mut |_| {})
        .unwrap();
    discard(&desk.models(), &waiting.wanted).unwrap();
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3);
}

#[test]
fn a_file_that_has_changed_meanwhile_is_fetched_anew() {
    let (old, mut new) = (model(), model());
    let n_bytes = new.len();
    new[n_bytes - 1] ^= 1;
    let served = new.clone();
    let server = Server::start(move |it, idx| match idx {
        0 => serve(it, &old).ending(Ending::Cut(500_000)),
        _ => serve(it, &served),
    });
    let desk = Desk::at(&server);
    let fetched = desk.fetch().unwrap();
    assert_eq!(fetched.sha256, Some(sha256(&new)));
    desk.check_whole(&new);
    assert_eq!(server.n_sent(), 500_000 + n_bytes);
}

#[test]
fn without_a_name_for_its_version_a_file_is_never_pieced_together() {
    let bytes = model();
    let served = bytes.clone();
    let server = Server::start(move |_, idx| {
        let reply = Reply::new(200, served.clone());
        if idx == 0 {
            reply.ending(Ending::Cut(500_000))
        } else {
            reply
        }
    });
    let desk = Desk::at(&server);
    let fetched = desk.fetch().unwrap();
    assert_eq!(fetched.sha256, None, "nobody has named a hash");
    desk.check_whole(&bytes);
    assert!(
        server
            .served()
            .iter()
            .all(|it| it.request.header("range").is_none())
    );
}

#[test]
fn a_weak_name_for_a_version_is_none() {
    let bytes = model();
    let served = bytes.clone();
    let server = Server::start(move |_, idx| {
        let reply = Reply::new(200, served.clone()).with("etag", "W/\"1\"");
        if idx == 0 {
            reply.ending(Ending::Cut(500_000))
        } else {
            reply
        }
    });
    let desk = Desk::at(&server);
    desk.fetch().unwrap();
    assert!(
        server
            .served()
            .iter()
            .all(|it| it.request.header("range").is_none())
    );
}

#[test]
fn a_part_that_is_whole_already_is_checked_and_taken() {
    let bytes = model();
    let served = bytes.clone();
    let server = Server::start(move |it, _| serve(it, &served));
    let desk = Desk::at(&server);
    let folder = desk.place().parent().unwrap().to_owned();
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("tiny-Q4_K_M.gguf.part"), &bytes).unwrap();
    let note = serde_json::json!({
        "v": 1,
        "wanted": "owner/tiny-GGUF:tiny-Q4_K_M.gguf",
        "etag": null,
        "sha256": sha256(&bytes),
        "total": bytes.len(),
    });
    fs::write(folder.join("tiny-Q4_K_M.gguf.part.json"), note.to_string()).unwrap();
    let fetched = desk.fetch().unwrap();
    assert_eq!(fetched.resumed_at, bytes.len() as u64);
    assert_eq!(server.n_sent(), 0, "no byte of a body");
    desk.check_whole(&bytes);
}

#[test]
fn a_part_whose_note_is_damaged_is_not_trusted() {
    let bytes = model();
    let served = bytes.clone();
    let server = Server::start(move |it, _| serve(it, &served));
    for note in [
        "",
        "{",
        "[]",
        "{\"v\":1,\"wanted\":\"other/one:x.gguf\",\"etag\":\"\\\"a\\\"\"}",
    ] {
        let desk = Desk::at(&server);
        let folder = desk.place().parent().unwrap().to_owned();
        fs::create_dir_all(&folder).unwrap();
        fs::write(
            folder.join("tiny-Q4_K_M.gguf.part"),
            "GGUF and then something else",
        )
        .unwrap();
        fs::write(folder.join("tiny-Q4_K_M.gguf.part.json"), note).unwrap();
        let fetched = desk.fetch().unwrap();
        assert_eq!(fetched.resumed_at, 0, "{note}");
        desk.check_whole(&bytes);
    }
}

#[test]
fn a_model_that_is_there_is_not_fetched_again() {
    let bytes = model();
    let served = bytes.clone();
    let server = Server::start(move |it, _| serve(it, &served));
    let desk = Desk::at(&server);
    desk.fetch().unwrap();
    let again = desk.fetch().unwrap();
    assert_eq!(
        (again.path, again.bytes),
        (desk.place(), bytes.len() as u64)
    );
    assert_eq!(server.served().len(), 1);
}

#[test]
fn progress_never_goes_back_and_says_rate_and_time_left() {
    let bytes = model();
    let served = bytes.clone();
    let server = Server::start(move |it, _| serve(it, &served).ending(Ending::Slow(4 << 10)));
    let desk = Desk::at(&server);
    let told = Mutex::new(Vec::new());
    desk.fetch_by(&Control::default(), &mut |it| {
        told.lock().unwrap().push(it.clone());
    })
    .unwrap();
    let told = told.into_inner().unwrap();
    assert!(told.windows(2).all(|it| it[0].done <= it[1].done));
    let flowing: Vec<_> = told
        .iter()
        .filter(|it| it.stage == Stage::Transferring)
        .collect();
    assert!(
        flowing
            .iter()
            .all(|it| it.total == Some(bytes.len() as u64))
    );
    let rated = flowing
        .iter()
        .filter(|it| it.per_second.is_some())
        .collect::<Vec<_>>();
    assert!(!rated.is_empty(), "{} times told, no rate", told.len());
    assert!(
        rated
            .iter()
            .all(|it| it.per_second.unwrap() > 0.0 && it.left.is_some())
    );
}
