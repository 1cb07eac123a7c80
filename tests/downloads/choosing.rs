//! Which file is meant where only a repository is named.

use stepladder::download::{Control, Trouble};

use crate::hub::{Desk, model, serve};
use crate::server::{Ending, Reply, Request, Server};

/// A repository with these files, all of them the same model.
fn repository(files: &'static [&'static str]) -> Server {
    let bytes = model();
    Server::start(move |it: &Request, _| {
        if it.target == "/api/models/owner/tiny-GGUF/revision/main" {
            let files: Vec<_> = files
                .iter()
                .map(|it| serde_json::json!({"rfilename": it}))
                .collect();
            return Reply::new(200, serde_json::json!({"siblings": files}).to_string());
        }
        match it.target.strip_prefix("/owner/tiny-GGUF/resolve/main/") {
            Some(file) if files.contains(&file) => serve(it, &bytes),
            _ => Reply::new(404, ""),
        }
    })
}

#[track_caller]
fn check(wanted: &str, files: &'static [&'static str], expected: &[&str]) {
    let server = repository(files);
    let desk = Desk::at(&server);
    let fetched = desk
        .fetch_this(wanted, &Control::default(), &mut |_| {})
        .unwrap();
    let asked = server.served().into_iter().map(|it| it.request.target);
    let asked: Vec<_> = asked
        .filter_map(|it| it.rsplit_once("/main/").map(|it| it.1.to_owned()))
        .collect();
    assert_eq!(asked, expected);
    assert_eq!(
        fetched.path,
        desk.models().join("owner/tiny-GGUF").join(expected[0])
    );
    assert_eq!(fetched.bytes, (model().len() * expected.len()) as u64);
}

#[track_caller]
fn check_error(wanted: &str, files: &'static [&'static str], says: &str) {
    let server = repository(files);
    let desk = Desk::at(&server);
    let error = desk
        .fetch_this(wanted, &Control::default(), &mut |_| {})
        .unwrap_err();
    assert_eq!(error.trouble, Trouble::Missing);
    assert!(error.to_string().contains(says), "{error}");
}

#[test]
fn the_only_file_is_meant() {
    check(
        "owner/tiny-GGUF",
        &["README.md", "tiny.gguf", "mmproj-tiny.gguf"],
        &["tiny.gguf"],
    );
}

#[test]
fn of_several_the_usual_quantization_is_meant() {
    check(
        "owner/tiny-GGUF",
        &["tiny-F16.gguf", "tiny-UD-Q4_K_M.gguf", "tiny-q4_k_m.gguf"],
        &["tiny-q4_k_m.gguf"],
    );
}

#[test]
fn a_quantization_can_be_named_by_itself() {
    check(
        "owner/tiny-GGUF:q8_0",
        &["tiny-Q4_K_M.gguf", "tiny-Q8_0.gguf"],
        &["tiny-Q8_0.gguf"],
    );
}

#[test]
fn all_parts_of_a_split_model_come() {
    let files = &[
        "big/tiny-Q4_K_M-00001-of-00002.gguf",
        "big/tiny-Q4_K_M-00002-of-00002.gguf",
    ];
    check("owner/tiny-GGUF:Q4_K_M", files, files);
    check("owner/tiny-GGUF", files, files);
}

#[test]
fn a_choice_that_nobody_made_is_asked_for() {
    check_error(
        "owner/tiny-GGUF",
        &["a-Q5_0.gguf", "a-Q8_0.gguf"],
        "a-Q5_0.gguf, a-Q8_0.gguf",
    );
}

#[test]
fn a_quantization_that_is_not_there_is_said_with_those_that_are() {
    check_error(
        "owner/tiny-GGUF:Q2_K",
        &["a-Q2_K_S.gguf", "a-Q8_0.gguf"],
        "no file is in Q2_K",
    );
}

#[test]
fn a_repository_without_a_model_is_said() {
    check_error(
        "owner/tiny-GGUF",
        &["model.safetensors", "README.md"],
        "no file in GGUF",
    );
}

#[test]
fn names_that_lead_out_of_the_folder_are_not_taken() {
    check_error(
        "owner/tiny-GGUF",
        &["../../../evil.gguf", "/evil.gguf", "a/../b.gguf"],
        "no file in GGUF",
    );
}

#[test]
fn a_list_that_is_none_or_has_no_end_is_refused() {
    for body in [
        "",
        "{\"siblings\": 3}",
        "<html>",
        "{\"siblings\": [{\"rfilename\": null}]}",
    ] {
        let server = Server::start(move |_, _| Reply::new(200, body));
        let desk = Desk::at(&server);
        let error = desk
            .fetch_this("owner/tiny-GGUF", &Control::default(), &mut |_| {})
            .unwrap_err();
        assert_eq!(error.trouble, Trouble::Server, "{body}");
    }
    let server = Server::start(|_, _| Reply::new(200, vec![b'['; 6 << 20]).ending(Ending::Whole));
    let desk = Desk::at(&server);
    let error = desk
        .fetch_this("owner/tiny-GGUF", &Control::default(), &mut |_| {})
        .unwrap_err();
    assert!(error.what.contains("has no end"), "{error}");
}
