//! `stepladder models get` and `catalogue`: exit codes, what goes where, and the JSON.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::hub::{PLACE, model, serve, sha256};
use crate::server::{Ending, Reply, Server};

/// The program in a home folder, with nothing of the environment that could lead elsewhere.
fn models(home: &Path, endpoint: &str, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_stepladder"))
        .env_clear()
        .env("HOME", home)
        .env("STEPLADDER_DATA", home.join("data"))
        .env("HF_ENDPOINT", endpoint)
        .env("HF_TOKEN", "hf_not-a-real-token")
        .arg("models")
        .args(args)
        .output()
        .unwrap()
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_model_is_fetched_resumed_and_then_listed() {
    let bytes = model();
    let served = bytes.clone();
    let server = Server::start(move |it, idx| {
        let reply = serve(it, &served);
        if idx == 0 {
            reply.ending(Ending::Cut(700_000))
        } else {
            reply
        }
    });
    let home = tempfile::tempdir().unwrap();
    let done = models(
        home.path(),
        &server.url(),
        &["get", "owner/tiny-GGUF:tiny-Q4_K_M.gguf"],
    );
    let place = home.path().join("data/models").join(PLACE);
    assert_eq!(text(done.stdout), format!("{}\n", place.display()));
    assert_eq!(
        text(done.stderr),
        "",
        "nobody watches, so there is no progress"
    );
    assert_eq!(done.status.code(), Some(0));
    assert!(std::fs::read(&place).unwrap() == bytes);
    assert_eq!(server.n_sent(), bytes.len());
    let listed = models(home.path(), &server.url(), &["--json"]);
    let listed: Value = serde_json::from_slice(&listed.stdout).unwrap();
    assert_eq!(listed[0]["name"], "tiny-Q4_K_M");
    let again = models(
        home.path(),
        &server.url(),
        &["get", "owner/tiny-GGUF:tiny-Q4_K_M.gguf", "--json"],
    );
    let object: Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!(object["was_here"], true);
    assert_eq!(object["bytes"], bytes.len());
}

#[test]
fn the_json_says_where_it_lies_and_what_was_checked() {
    let bytes = model();
    let served = bytes.clone();
    let server = Server::start(move |it, _| serve(it, &served));
    let home = tempfile::tempdir().unwrap();
    let done = models(
        home.path(),
        &server.url(),
        &["get", "--json", "owner/tiny-GGUF:tiny-Q4_K_M.gguf"],
    );
    let object: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(object["sha256"], sha256(&bytes));
    assert_eq!(object["resumed_at"], 0);
    assert_eq!(object["was_here"], false);
    assert!(object["path"].as_str().unwrap().ends_with(PLACE));
}

#[track_caller]
fn check_fails(
    code: i32,
    says: &str,
    args: &[&str],
    answer: impl Fn() -> Reply + Send + Sync + 'static,
) {
    let server = Server::start(move |_, _| answer());
    let home = tempfile::tempdir().unwrap();
    let done = models(home.path(), &server.url(), args);
    let err = text(done.stderr);
    assert_eq!(done.status.code(), Some(code), "{err}");
    assert_eq!(text(done.stdout), "");
    assert!(err.starts_with("error: ") && err.contains(says), "{err}");
    assert!(!err.contains("hf_not-a-real-token"));
}

#[test]
fn errors_have_their_exit_codes() {
    let missing = || Reply::new(404, "");
    check_fails(
        2,
        "no such repository",
        &["get", "owner/tiny-GGUF:x.gguf"],
        missing,
    );
    check_fails(2, "this names no model", &["get", "no-such-name"], missing);
    check_fails(2, "the token may read it", &["get", "llama-3.2-1b"], || {
        Reply::new(403, "")
    });
    let page = || Reply::new(200, "<html>").with("content-type", "text/html");
    check_fails(
        1,
        "a web page came",
        &["get", "owner/tiny-GGUF:x.gguf"],
        page,
    );
    let other =
        || Reply::new(200, model()).with("x-linked-etag", format!("\"{}\"", "0".repeat(64)));
    check_fails(
        1,
        "damaged or changed",
        &["get", "owner/tiny-GGUF:x.gguf"],
        other,
    );
    check_fails(
        1,
        "another file by this name than the catalogue",
        &["get", "llama-3.2-1b"],
        other,
    );
}

#[test]
fn the_catalogue_needs_no_network() {
    let home = tempfile::tempdir().unwrap();
    let done = models(home.path(), "http://127.0.0.1:9", &["catalogue"]);
    let out = text(done.stdout);
    for part in [
        "llama-3.2-1b",
        "smollm2-360m",
        "Q4_K_M",
        "808 MB",
        "Apache-2.0",
        "bartowski/",
    ] {
        assert!(out.contains(part), "{out} lacks {part}");
    }
    let done = models(home.path(), "http://127.0.0.1:9", &["catalogue", "--json"]);
    let offers: Value = serde_json::from_slice(&done.stdout).unwrap();
    for offer in offers.as_array().unwrap() {
        assert!(offer["memory"].as_u64().unwrap() > offer["bytes"].as_u64().unwrap());
        assert!(
            ["fits", "tight", "does not fit"]
                .iter()
                .any(|it| offer["verdict"] == *it)
        );
    }
}
