//! Where a server sends us, and who gets the token.

use stepladder::download::Trouble;

use crate::hub::{Desk, FILE, model, serve, sha256};
use crate::server::{Reply, Request, Server};

const TOKEN: &str = "hf_not-a-real-token";

fn authorization(request: &Request) -> Option<String> {
    request.header("authorization").map(ToOwned::to_owned)
}

/// The hub names hash and size and sends to another host, which has the bytes; as the real one does.
fn hub_and_store(bytes: &[u8]) -> (Server, Server) {
    let served = bytes.to_vec();
    let store = Server::start(move |it, _| {
        let mut reply = serve(it, &served);
        reply.headers.retain(|it| !it.0.starts_with("x-linked"));
        reply
    });
    let (target, hash, n_bytes) = (
        format!("{}/blob?signature=secret", store.url()),
        sha256(bytes),
        bytes.len(),
    );
    let hub = Server::start(move |_, _| {
        Reply::new(302, "")
            .with("location", &target)
            .with("x-linked-etag", format!("\"{hash}\""))
            .with("x-linked-size", n_bytes)
    });
    (hub, store)
}

#[test]
fn the_token_goes_to_the_hub_and_not_to_the_host_it_sends_to() {
    let bytes = model();
    let (hub, store) = hub_and_store(&bytes);
    let desk = Desk::at(&hub).with("HF_TOKEN", TOKEN);
    let fetched = desk.fetch().unwrap();
    assert_eq!(
        fetched.sha256,
        Some(sha256(&bytes)),
        "the hub's hash counts"
    );
    desk.check_whole(&bytes);
    assert_eq!(
        authorization(&hub.served()[0].request),
        Some(format!("Bearer {TOKEN}"))
    );
    assert_eq!(store.served().len(), 1);
    assert_eq!(authorization(&store.served()[0].request), None);
    assert_eq!(store.served()[0].request.target, "/blob?signature=secret");
}

#[test]
fn a_store_that_lies_about_the_hash_is_not_heard() {
    let bytes = model();
    let mut other = bytes.clone();
    *other.last_mut().unwrap() ^= 1;
    let store = Server::start(move |it, _| serve(it, &other));
    let (target, hash) = (store.url(), sha256(&bytes));
    let hub = Server::start(move |_, _| {
        Reply::new(302, "")
            .with("location", &target)
            .with("x-linked-etag", format!("\"{hash}\""))
    });
    let desk = Desk::at(&hub);
    assert_eq!(desk.fetch().unwrap_err().trouble, Trouble::WrongHash);
}

#[test]
fn a_redirect_within_the_hub_keeps_the_token_and_may_be_relative() {
    let bytes = model();
    let hub = Server::start(move |it, _| match it.target.as_str() {
        FILE => Reply::new(307, "").with("location", "/moved/there.gguf"),
        _ => serve(it, &bytes),
    });
    let desk = Desk::at(&hub).with("HF_TOKEN", TOKEN);
    desk.fetch().unwrap();
    let last = hub.served().pop().unwrap().request;
    assert_eq!(last.target, "/moved/there.gguf");
    assert!(authorization(&last).is_some());
}

#[track_caller]
fn check_given_up(
    says: &str,
    answer: impl Fn(&Request, usize) -> Reply + Send + Sync + 'static,
) -> usize {
    let hub = Server::start(answer);
    let error = Desk::at(&hub).fetch().unwrap_err();
    assert_eq!(error.trouble, Trouble::Server);
    assert!(error.what.contains(says), "{error}");
    hub.served().len()
}

#[test]
fn circles_are_seen() {
    let there = |it: &Request, _| {
        let next = if it.target == FILE { "/b" } else { FILE };
        Reply::new(302, "").with("location", next)
    };
    assert_eq!(check_given_up("without end", there), 2);
}

#[test]
fn a_chain_of_ever_new_addresses_has_an_end() {
    let on = |_: &Request, idx: usize| Reply::new(302, "").with("location", format!("/{idx}"));
    assert!(check_given_up("without end", on) <= 10);
}

#[test]
fn strange_targets_are_not_followed() {
    let targets = [
        "",
        "file:///etc/passwd",
        "ftp://127.0.0.1/x",
        "http://",
        "http://user:word@127.0.0.1:9/x",
        "javascript:alert(1)",
    ];
    for target in targets {
        let n_asked = check_given_up("does not name one that can be used", move |_, _| {
            let reply = Reply::new(302, "");
            if target.is_empty() {
                reply
            } else {
                reply.with("location", target)
            }
        });
        assert_eq!(n_asked, 1, "{target}");
    }
}

#[test]
fn neither_errors_nor_debug_texts_show_the_token_or_a_signature() {
    let store = Server::start(|_, _| Reply::new(403, ""));
    let target = format!("{}/blob?signature=secret", store.url());
    let hub = Server::start(move |_, _| Reply::new(302, "").with("location", &target));
    let desk = Desk::at(&hub)
        .with("HF_TOKEN", TOKEN)
        .with("HTTPS_PROXY", "http://me:word@127.0.0.1:9");
    let error = desk.fetch().unwrap_err();
    let texts = [
        format!("{error}"),
        format!("{error:?}"),
        format!("{:?}", desk.fetcher()),
    ];
    for text in texts {
        for secret in [TOKEN, "signature", "secret", "me:word"] {
            assert!(!text.contains(secret), "{text}");
        }
    }
}
