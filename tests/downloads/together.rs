//! Stops from another thread, two windows at once, and proxies.

use std::fs;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use stepladder::download::{Control, Stage, Trouble};

use crate::hub::{Desk, model, serve};
use crate::server::{Ending, Reply, Server};

/// Stops as soon as it holds of what is told, from another thread, and gives what came of it.
#[track_caller]
fn check_stops(server: &Server, patience: Duration, when: impl Fn(&Stage, u64) -> bool) -> Desk {
    let mut desk = Desk::at(server);
    desk.patience.back_off = patience;
    desk.patience.longest_back_off = patience;
    let control = Control::default();
    let stopper = control.clone();
    let (tell, told) = channel();
    let thread = thread::Builder::new().spawn(move || {
        told.recv().unwrap();
        // The download is in the middle of its wait by now.
        thread::sleep(Duration::from_millis(30));
        stopper.stop();
    });
    let stopped = desk.fetch_by(&control, &mut |it| {
        if when(&it.stage, it.done) && tell.send(()).is_err() {}
    });
    assert_eq!(stopped.unwrap_err().trouble, Trouble::Cancelled);
    thread.unwrap().join().unwrap();
    desk
}

const LONG: Duration = Duration::from_mins(10);

#[test]
fn a_download_stops_while_it_waits_for_the_answer() {
    let server = Server::start(|_, idx| {
        if idx == 0 {
            thread::sleep(Duration::from_secs(3));
        }
        Reply::new(500, "")
    });
    check_stops(&server, LONG, |stage, _| *stage == Stage::Asking);
}

#[test]
fn a_download_stops_while_it_waits_for_bytes_and_keeps_what_it_has() {
    let bytes = model();
    let served = bytes.clone();
    let server = Server::start(move |it, _| serve(it, &served).ending(Ending::Silent(300_000)));
    let desk = check_stops(&server, LONG, |stage, done| {
        *stage == Stage::Transferring && done == 300_000
    });
    assert!(desk.part().unwrap() == bytes[..300_000]);
}

#[test]
fn a_download_stops_while_it_waits_to_try_again() {
    let server = Server::start(|_, _| Reply::new(503, ""));
    check_stops(&server, LONG, |stage, _| {
        matches!(stage, Stage::Waiting { .. })
    });
    assert_eq!(server.served().len(), 1);
}

#[test]
fn of_two_windows_one_downloads_and_the_other_is_told_so() {
    let bytes = model();
    let served = bytes.clone();
    let server = Server::start(move |it, idx| {
        let reply = serve(it, &served);
        if idx == 0 {
            reply.ending(Ending::Cut(500_000))
        } else {
            reply
        }
    });
    let desk = Desk::at(&server);
    let mut second = None;
    desk.fetch_by(&Control::default(), &mut |it| {
        if it.done == 500_000 && second.is_none() {
            second = Some(desk.fetch());
        }
    })
    .unwrap();
    let error = second.unwrap().unwrap_err();
    assert_eq!(error.trouble, Trouble::Busy);
    assert!(error.what.contains("another window"), "{error}");
    desk.check_whole(&bytes);
    assert_eq!(server.n_sent(), bytes.len());
}

#[test]
fn many_at_once_leave_one_whole_model() {
    let bytes = model();
    let served = bytes.clone();
    let server = Server::start(move |it, _| serve(it, &served).ending(Ending::Slow(64 << 10)));
    let desk = Desk::at(&server);
    let results: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..6).map(|_| scope.spawn(|| desk.fetch())).collect();
        threads.into_iter().map(|it| it.join().unwrap()).collect()
    });
    assert!(results.iter().any(Result::is_ok));
    let mut others = results.into_iter().filter_map(Result::err);
    assert!(others.all(|it| it.trouble == Trouble::Busy));
    desk.check_whole(&bytes);
    assert_eq!(
        server.n_sent(),
        bytes.len(),
        "one of them fetched, and once"
    );
}

#[test]
fn a_proxy_is_used_unless_its_host_is_left_out() {
    let bytes = model();
    let served = bytes.clone();
    let server = Server::start(move |it, _| serve(it, &served));
    let proxy = Server::start(|_, _| Reply::new(403, ""));
    let through = |desk: Desk| {
        desk.with("HTTP_PROXY", &proxy.url())
            .with("HF_TOKEN", "hf_not-a-real-token")
    };
    let error = through(Desk::at(&server)).fetch().unwrap_err();
    assert_eq!(error.trouble, Trouble::Unreachable, "{error}");
    let asked = proxy.served();
    assert_eq!(asked[0].request.method, "CONNECT");
    assert_eq!(asked[0].request.target, server.address());
    assert_eq!(asked[0].request.header("authorization"), None);
    assert!(server.served().is_empty());
    let desk = through(Desk::at(&server)).with("NO_PROXY", "example.org, 127.0.0.1");
    desk.fetch().unwrap();
    desk.check_whole(&bytes);
}

#[test]
fn the_token_is_read_from_its_usual_places() {
    let bytes = model();
    let server = Server::start(move |it, _| serve(it, &bytes));
    let token = |desk: Desk| {
        desk.fetch().unwrap();
        let last = server.served().pop().unwrap().request;
        last.header("authorization").map(ToOwned::to_owned)
    };
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    assert_eq!(token(Desk::at(&server)), None);
    let named = put("named", "hf_named\n");
    put("token", "hf_home\n");
    let home = folder.path().display().to_string();
    let at_home = Desk::at(&server).with("HF_HOME", &home);
    assert_eq!(token(at_home).as_deref(), Some("Bearer hf_home"));
    let by_path = Desk::at(&server)
        .with("HF_HOME", &home)
        .with("HF_TOKEN_PATH", &named);
    assert_eq!(token(by_path).as_deref(), Some("Bearer hf_named"));
    let direct = Desk::at(&server)
        .with("HF_TOKEN_PATH", &named)
        .with("HF_TOKEN", " hf_direct ");
    assert_eq!(token(direct).as_deref(), Some("Bearer hf_direct"));
    let broken = Desk::at(&server).with("HF_TOKEN", "two words\r\nx: y");
    assert_eq!(token(broken), None);
}
