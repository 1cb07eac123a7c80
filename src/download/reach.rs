//! Follows an address through its redirects to what lies there, and gives the token to the hub alone.

use std::time::Duration;

use url::Url;

use super::error::{FetchError, Setback, Trouble};
use super::http::{Answer, Headers, NoAnswer, get};
use super::network::{Network, host};
use super::{Control, Patience};

/// The hub needs two at most.
const MAX_HOPS: usize = 8;

/// An answer that is no redirect, and what the hub said on the way about the file.
#[derive(Debug)]
pub(super) struct Reached {
    pub(super) answer: Answer,
    pub(super) sha256: Option<String>,
    pub(super) bytes: Option<u64>,
}

/// Everything that a request needs beside its address.
#[derive(Clone, Copy)]
pub(super) struct Way<'a> {
    pub(super) network: &'a Network,
    pub(super) patience: &'a Patience,
    pub(super) control: &'a Control,
}

impl Way<'_> {
    /// Asks for an address and goes where it is sent, until there is a body or a reason for none.
    pub(super) fn reach(&self, url: Url, headers: &Headers) -> Result<Reached, Setback> {
        let mut seen = vec![url];
        let (mut sha256, mut bytes) = (None, None);
        loop {
            let url = &seen[seen.len() - 1];
            let answer = self.ask(url, headers.clone())?;
            if self.network.is_home(url) {
                sha256 = sha256.or_else(|| answer.header("x-linked-etag").and_then(sha256_of));
                bytes = bytes.or_else(|| answer.number("x-linked-size"));
            }
            if !matches!(answer.status, 301 | 302 | 303 | 307 | 308) {
                check_status(&answer, self.network)?;
                return Ok(Reached {
                    answer,
                    sha256,
                    bytes,
                });
            }
            let next = next(&answer)?;
            if seen.contains(&next) || seen.len() > MAX_HOPS {
                let what = "the server sends from one address to the next without end";
                return Err(server(what, url).into());
            }
            seen.push(next);
        }
    }

    fn ask(&self, url: &Url, mut headers: Headers) -> Result<Answer, Setback> {
        if let Some(token) = &self.network.token
            && self.network.is_home(url)
        {
            headers.push(("authorization", token.header()));
        }
        let place = host(url);
        get(url, headers, (self.network, self.patience), self.control).map_err(|it| match it {
            NoAnswer::Stopped => FetchError::cancelled(place).into(),
            NoAnswer::Unreachable(why) => Setback::again(FetchError::new(
                Trouble::Unreachable,
                format!("the model hub cannot be reached: {why}"),
                place,
                "check the network, HTTPS_PROXY and HF_ENDPOINT",
            )),
            NoAnswer::Unusable(why) => FetchError::new(
                Trouble::Server,
                why,
                place,
                "check HF_ENDPOINT, HTTPS_PROXY, this computer's date, and its certificates",
            )
            .into(),
            NoAnswer::Lost(why) => Setback::again(server(&why, url)),
        })
    }
}

/// The hash in a tag of the hub's store for large files; other tags are no hashes.
fn sha256_of(etag: &str) -> Option<String> {
    let text = etag.trim_start_matches("W/").trim_matches('"');
    let is_hash = text.len() == 64 && text.bytes().all(|it| it.is_ascii_hexdigit());
    is_hash.then(|| text.to_ascii_lowercase())
}

/// Where a redirect leads: to another address of the web, and never from a safe one to an open one.
fn next(answer: &Answer) -> Result<Url, FetchError> {
    let url = &answer.url;
    let nowhere = || {
        server(
            "the server sends to another address and does not name one that can be used",
            url,
        )
    };
    let target = answer.header("location").ok_or_else(nowhere)?;
    let mut next = url.join(target).map_err(|_parse| nowhere())?;
    if !matches!(next.scheme(), "http" | "https") || !next.has_host() {
        return Err(nowhere());
    }
    if url.scheme() == "https" && next.scheme() == "http" {
        return Err(server(
            "the server sends to an address that is not safe",
            url,
        ));
    }
    let has_login = !next.username().is_empty() || next.password().is_some();
    if has_login {
        return Err(nowhere());
    }
    next.set_fragment(None);
    Ok(next)
}

/// Lets 200, 206 and 416 through; those are for the one who asked.
fn check_status(answer: &Answer, network: &Network) -> Result<(), Setback> {
    let place = host(&answer.url);
    let said = |what: &str| format!("{what} (status {})", answer.status);
    match answer.status {
        200 | 206 | 416 => Ok(()),
        401 | 403 => Err(refused(answer.status, network, place).into()),
        404 | 410 => Err(FetchError::new(
            Trouble::Missing,
            said("the hub has no such repository, revision or file, or keeps it private"),
            place,
            "check the spelling, capitals too; a private repository needs HF_TOKEN",
        )
        .into()),
        408 | 425 | 429 | 500..=599 => {
            let what = match answer.status {
                429 => "the server lets nobody ask so often",
                _ => "the server has failed",
            };
            let advice = "try again later";
            Err(Setback::Again {
                why: FetchError::new(Trouble::Server, said(what), place, advice),
                after: answer.number("retry-after").map(Duration::from_secs),
            })
        }
        _ => Err(server(
            &said("the server answers with what no model is fetched by"),
            &answer.url,
        )
        .into()),
    }
}

fn refused(status: u16, network: &Network, place: String) -> FetchError {
    let advice = if network.token.is_some() {
        "accept the model's licence on its page, and check that the token may read it"
    } else {
        "accept the model's licence on its page, then set HF_TOKEN to a token of yours"
    };
    let what = format!("the hub does not let us have it (status {status})");
    FetchError::new(Trouble::Refused, what, place, advice)
}

pub(super) fn server(what: &str, url: &Url) -> FetchError {
    FetchError::new(
        Trouble::Server,
        what,
        host(url),
        "try again later, or another HF_ENDPOINT",
    )
}
