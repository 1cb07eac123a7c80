//! Servers that say one thing and send another.

use std::fs;

use stepladder::download::Trouble;

use crate::hub::{Desk, model, serve, sha256};
use crate::server::{Ending, Reply, Server};

/// Fetches from a server that always answers so, and gives the error's text.
#[track_caller]
fn check(
    trouble: Trouble,
    says: &str,
    answer: impl Fn(&[u8]) -> Reply + Send + Sync + 'static,
) -> Server {
    let bytes = model();
    let server = Server::start(move |_, _| answer(&bytes));
    let desk = Desk::at(&server);
    let error = desk.fetch().unwrap_err();
    assert_eq!(error.trouble, trouble, "{error}");
    assert!(error.to_string().contains(says), "{error}");
    assert!(!desk.place().exists());
    assert_eq!(desk.found(), [""; 0]);
    server
}

#[test]
fn a_wrong_hash_is_said_and_the_file_is_set_aside() {
    let bytes = model();
    let mut damaged = bytes.clone();
    let n_bytes = damaged.len();
    damaged[n_bytes / 2] ^= 4;
    let (promised, came) = (sha256(&bytes), sha256(&damaged));
    let (tag, served) = (promised.clone(), damaged.clone());
    let server = Server::start(move |_, _| {
        Reply::new(200, served.clone()).with("x-linked-etag", format!("\"{tag}\""))
    });
    let desk = Desk::at(&server);
    let error = desk.fetch().unwrap_err();
    assert_eq!(error.trouble, Trouble::WrongHash);
    assert!(
        error.what.contains(&promised) && error.what.contains(&came),
        "{error}"
    );
    assert!(!desk.place().exists() && desk.part().is_none());
    let aside = desk
        .models()
        .join("owner/tiny-GGUF/tiny-Q4_K_M.gguf.wrong-hash.part");
    assert!(fs::read(aside).unwrap() == damaged);
    assert_eq!(desk.found(), [""; 0], "it is never offered as a model");
}

#[test]
fn the_catalogue_s_hash_counts_where_the_hub_names_none() {
    let bytes = model();
    let server = Server::start(move |_, _| Reply::new(200, bytes.clone()));
    let mut desk = Desk::at(&server);
    desk.sha256 = Some("0".repeat(64));
    assert_eq!(desk.fetch().unwrap_err().trouble, Trouble::WrongHash);
    assert!(!desk.place().exists());
}

#[test]
fn a_hub_that_contradicts_the_catalogue_is_not_listened_to() {
    let bytes = model();
    let server = Server::start(move |it, _| serve(it, &bytes));
    let mut desk = Desk::at(&server);
    desk.sha256 = Some("0".repeat(64));
    let error = desk.fetch().unwrap_err();
    assert_eq!(error.trouble, Trouble::WrongHash);
    assert!(error.what.contains("another file"), "{error}");
    assert!(!desk.place().exists() && desk.part().is_none());
}

#[test]
fn a_web_page_with_status_200_is_no_model() {
    let page = "<!doctype html><title>Sign in to the network</title>";
    let answer =
        move |_: &[u8]| Reply::new(200, page).with("content-type", "text/html; charset=utf-8");
    let server = check(Trouble::NotAModel, "a web page came", answer);
    assert_eq!(server.served().len(), 1, "another try would bring the same");
}

#[test]
fn a_web_page_does_not_cost_the_part_that_is_kept() {
    let bytes = model();
    let served = bytes.clone();
    let server = Server::start(move |it, idx| match idx {
        0 => serve(it, &served).ending(Ending::Cut(600_000)),
        1 => Reply::new(200, "<html>Log in</html>").with("content-type", "text/html"),
        _ => serve(it, &served),
    });
    let desk = Desk::at(&server);
    assert_eq!(desk.fetch().unwrap_err().trouble, Trouble::NotAModel);
    assert_eq!(desk.part().unwrap().len(), 600_000);
    desk.fetch().unwrap();
    desk.check_whole(&bytes);
    assert_eq!(server.n_sent(), bytes.len() + "<html>Log in</html>".len());
}

#[test]
fn something_that_only_begins_like_a_model_is_none() {
    let answer = |_: &[u8]| {
        Reply::new(
            200,
            "GGUF and nothing that could be read behind it, for a while",
        )
    };
    check(
        Trouble::NotAModel,
        "it is no model that can be read",
        answer,
    );
}

#[test]
fn an_empty_answer_is_no_model() {
    check(Trouble::NotAModel, "no model", |_| Reply::new(200, ""));
}

#[test]
fn a_body_longer_than_the_hub_says_is_refused() {
    let answer = |bytes: &[u8]| Reply::new(200, bytes).with("x-linked-size", bytes.len() - 1);
    check(Trouble::Server, "two lengths for one file", answer);
}

#[test]
fn a_body_without_a_length_that_goes_on_too_long_is_refused() {
    let answer = |bytes: &[u8]| {
        Reply::new(200, bytes)
            .with("content-length", "")
            .with("transfer-encoding", "")
            .with("x-linked-size", bytes.len() - 1)
    };
    check(Trouble::Server, "more bytes than it said", answer);
}

#[test]
fn a_server_that_always_ends_too_early_is_given_up() {
    let answer = |bytes: &[u8]| Reply::new(200, &bytes[..1_000]).with("x-linked-size", bytes.len());
    let server = check(Trouble::Server, "ends after 1000 of", answer);
    assert_eq!(server.served().len(), 7, "tries");
}

#[test]
fn a_server_that_begins_anew_for_ever_is_given_up() {
    // Each try brings more than a worthwhile piece, and none brings it further than the first.
    let bytes = model();
    let server =
        Server::start(move |_, _| Reply::new(200, bytes.clone()).ending(Ending::Cut(900_000)));
    let mut desk = Desk::at(&server);
    desk.patience.worthwhile = 100_000;
    assert_eq!(desk.fetch().unwrap_err().trouble, Trouble::Server);
    assert_eq!(server.served().len(), 7, "tries");
}

#[test]
fn a_server_that_sends_one_byte_at_a_time_and_cuts_is_given_up() {
    let bytes = model();
    let server = Server::start(move |it, _| serve(it, &bytes).ending(Ending::Cut(1)));
    let desk = Desk::at(&server);
    assert_eq!(desk.fetch().unwrap_err().trouble, Trouble::Server);
    assert!(
        server.served().len() <= 8,
        "{} tries",
        server.served().len()
    );
}

#[test]
fn a_range_elsewhere_makes_the_whole_be_asked_for() {
    let bytes = model();
    let served = bytes.clone();
    let server = Server::start(move |it, idx| match idx {
        0 => serve(it, &served).ending(Ending::Cut(500_000)),
        1 => Reply::new(206, &served[400_000..])
            .with(
                "content-range",
                format!("bytes 400000-{}/{}", served.len() - 1, served.len()),
            )
            .with("x-linked-etag", format!("\"{}\"", sha256(&served))),
        _ => serve(it, &served),
    });
    let desk = Desk::at(&server);
    desk.fetch().unwrap();
    desk.check_whole(&bytes);
    let last = server.served().pop().unwrap();
    assert_eq!(last.request.header("range"), None);
}

#[test]
fn a_range_refused_for_a_file_that_shrank_makes_the_whole_be_asked_for() {
    let bytes = model();
    let served = bytes.clone();
    let server = Server::start(move |it, idx| match idx {
        0 => serve(it, &served).ending(Ending::Cut(500_000)),
        1 => Reply::new(416, "").with("content-range", "bytes */17"),
        _ => serve(it, &served),
    });
    let desk = Desk::at(&server);
    desk.fetch().unwrap();
    desk.check_whole(&bytes);
}

#[test]
fn a_head_without_end_is_cut_off() {
    let answer = |_: &[u8]| Reply::new(200, "GGUF").with("x-filler", "a".repeat(1 << 20));
    check(Trouble::Server, "", answer);
}
