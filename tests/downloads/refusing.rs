//! Servers and networks that give nothing, and disks that take nothing.

use std::fs;
use std::net::TcpListener;
use std::time::Duration;

use stepladder::download::{FetchError, Network, Trouble, kept};

use crate::hub::{Desk, model, serve};
use crate::server::{Ending, Reply, Server};

/// Fetches from a server that always answers with this status: the error, and how often it was asked.
fn refused(status: u16, token: Option<&str>) -> (FetchError, usize) {
    let server = Server::start(move |_, _| Reply::new(status, "a reason that nobody reads"));
    let desk = Desk::at(&server);
    let desk = token.map_or(Desk::at(&server), |it| desk.with("HF_TOKEN", it));
    let error = desk.fetch().unwrap_err();
    assert!(!desk.place().exists());
    assert_eq!(kept(&desk.models()), []);
    (error, server.served().len())
}

#[test]
fn a_gated_model_says_what_is_to_be_done() {
    for status in [401, 403] {
        let (error, n_asked) = refused(status, None);
        assert_eq!((error.trouble, n_asked), (Trouble::Refused, 1));
        assert!(error.advice.contains("set HF_TOKEN"), "{error}");
        let (error, _) = refused(status, Some("hf_no"));
        assert!(error.advice.contains("the token may read it"), "{error}");
    }
}

#[test]
fn what_is_not_there_is_said_at_once() {
    for status in [404, 410] {
        let (error, n_asked) = refused(status, None);
        assert_eq!((error.trouble, n_asked), (Trouble::Missing, 1));
        assert!(error.what.contains(&status.to_string()), "{error}");
    }
}

#[test]
fn a_server_that_fails_is_asked_again_and_then_given_up() {
    for status in [429, 500, 502, 503, 504] {
        let (error, n_asked) = refused(status, None);
        assert_eq!((error.trouble, n_asked), (Trouble::Server, 7), "{status}");
        assert!(error.what.contains(&status.to_string()), "{error}");
    }
}

#[test]
fn other_answers_are_no_reason_to_ask_again() {
    for status in [204, 304, 400, 405, 418] {
        let (error, n_asked) = refused(status, None);
        assert_eq!((error.trouble, n_asked), (Trouble::Server, 1), "{status}");
    }
}

#[test]
fn a_throttled_download_waits_as_it_is_told_and_goes_on() {
    let bytes = model();
    let served = bytes.clone();
    let server = Server::start(move |it, idx| match idx {
        0 => Reply::new(429, "").with("retry-after", 0),
        1 => Reply::new(503, ""),
        2 => serve(it, &served).ending(Ending::Cut(70_000)),
        3 => Reply::new(429, "").with("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT"),
        _ => serve(it, &served).ending(Ending::Slow(50_000)),
    });
    let desk = Desk::at(&server);
    desk.fetch().unwrap();
    desk.check_whole(&bytes);
    assert_eq!(server.served().len(), 5);
    assert_eq!(server.n_sent(), bytes.len());
}

#[test]
fn nobody_waits_an_hour_because_a_server_says_so() {
    let server = Server::start(|_, _| Reply::new(429, "").with("retry-after", 3_600));
    let error = Desk::at(&server).fetch().unwrap_err();
    assert_eq!(error.trouble, Trouble::Server);
    assert_eq!(server.served().len(), 1);
}

#[test]
fn a_server_that_falls_silent_is_asked_for_the_rest() {
    let bytes = model();
    let served = bytes.clone();
    let server = Server::start(move |it, idx| {
        let reply = serve(it, &served);
        if idx == 0 {
            reply.ending(Ending::Silent(500_000))
        } else {
            reply
        }
    });
    let mut desk = Desk::at(&server);
    desk.patience.stall = Duration::from_millis(300);
    desk.fetch().unwrap();
    desk.check_whole(&bytes);
    assert!(server.served()[1].request.header("range").is_some());
}

#[test]
fn without_a_way_to_the_hub_it_is_said_at_once() {
    // A port that was free a moment ago.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let server = Server::start(|_, _| Reply::new(500, ""));
    let desk = Desk::at(&server).with("HF_ENDPOINT", &format!("http://{address}"));
    let error = desk.fetch().unwrap_err();
    assert_eq!(error.trouble, Trouble::Unreachable);
    assert!(
        error.what.starts_with("the model hub cannot be reached"),
        "{error}"
    );
    assert_eq!(error.place, address.to_string());
}

/// As on a laptop without a network: no name can be looked up, and this one never.
#[test]
fn a_hub_whose_name_is_not_known_is_no_hub_at_once() {
    let server = Server::start(|_, _| Reply::new(500, ""));
    let desk = Desk::at(&server).with("HF_ENDPOINT", "http://hub.invalid");
    let error = desk.fetch().unwrap_err();
    assert_eq!(error.trouble, Trouble::Unreachable, "{error}");
    assert_eq!(error.place, "hub.invalid");
    assert!(!error.what.contains("io:"), "{error}");
}

#[test]
fn downloads_can_be_switched_off() {
    let server = Server::start(|_, _| Reply::new(500, ""));
    for name in ["HF_HUB_OFFLINE", "STEPLADDER_OFFLINE"] {
        let desk = Desk::at(&server).with(name, "1");
        let error = desk.fetch().unwrap_err();
        assert_eq!(error.trouble, Trouble::Unreachable);
        assert!(error.advice.contains(name), "{error}");
        let obstacle = desk.fetcher().network.obstacle().unwrap();
        assert_eq!(
            obstacle,
            format!("Downloads are switched off: {name} is set.")
        );
    }
    assert!(server.served().is_empty(), "nothing goes out");
}

#[test]
fn an_endpoint_that_is_no_address_is_refused() {
    let server = Server::start(|_, _| Reply::new(500, ""));
    for endpoint in [
        "hub",
        "ftp://hub.example.org",
        "http://",
        "https://me:word@hub.example.org",
        "file:///tmp",
    ] {
        let desk = Desk::at(&server).with("HF_ENDPOINT", endpoint);
        let error = Network::of(&desk.surroundings()).unwrap_err();
        assert_eq!(error.trouble, Trouble::Usage, "{endpoint}");
        assert!(error.what.contains("HF_ENDPOINT"), "{error}");
    }
}

#[test]
fn what_does_not_fit_on_the_disk_is_refused_before_it_comes() {
    let bytes = model();
    let server = Server::start(move |it, _| serve(it, &bytes).ending(Ending::Silent(0)));
    let mut desk = Desk::at(&server);
    desk.free_space = |_| Some((64 << 20) + 1_000);
    let error = desk.fetch().unwrap_err();
    assert_eq!(error.trouble, Trouble::NoRoom);
    assert!(error.what.contains("1.2 MB are still to come"), "{error}");
    desk.check_no_rest();
}

#[test]
fn only_the_missing_rest_must_fit_on_the_disk() {
    let bytes = model();
    let n_bytes = bytes.len();
    let server = Server::start(move |it, idx| {
        let reply = serve(it, &bytes);
        if idx == 0 {
            reply.ending(Ending::Cut(n_bytes - 900))
        } else {
            reply
        }
    });
    let mut desk = Desk::at(&server);
    desk.patience.n_fruitless = 1;
    assert_eq!(desk.fetch().unwrap_err().trouble, Trouble::Server);
    desk.free_space = |_| Some((64 << 20) + 1_000);
    desk.fetch().unwrap();
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let server = Server::start(|_, _| Reply::new(500, ""));
    let desk = Desk::at(&server);
    fs::write(desk.models(), "a file where the folder should be").unwrap();
    let error = desk.fetch().unwrap_err();
    assert_eq!(error.trouble, Trouble::Disk);
    assert!(
        error
            .place
            .starts_with(&desk.models().display().to_string()),
        "{error}"
    );
    assert!(server.served().is_empty());
}
