//! How the hub is reached: its address, the token, the proxies, and whether it may be reached at all.

use std::fmt;

use url::Url;

use super::error::{FetchError, Trouble};
use super::proxy::Proxies;
use super::token::Token;
use crate::store::Surroundings;

/// Where models come from unless `HF_ENDPOINT` says otherwise.
const HUB: &str = "https://huggingface.co";

/// The way to the hub.
#[derive(Clone, PartialEq, Eq)]
pub struct Network {
    pub(super) endpoint: Url,
    pub(super) token: Option<Token>,
    pub(super) proxies: Proxies,
    /// The variable that forbids to go there, if one does.
    offline: Option<&'static str>,
}

impl Network {
    /// By the variables of the environment and the user's token file.
    pub fn of(surroundings: &Surroundings) -> Result<Self, FetchError> {
        let variable = |name: &str| surroundings.variables.get(name)?.to_str();
        let offline = ["HF_HUB_OFFLINE", "STEPLADDER_OFFLINE"]
            .into_iter()
            .find(|it| variable(it).is_some_and(is_yes));
        let endpoint = variable("HF_ENDPOINT")
            .map(str::trim)
            .filter(|it| !it.is_empty());
        Ok(Self {
            endpoint: endpoint_of(endpoint.unwrap_or(HUB))?,
            token: Token::find(surroundings),
            proxies: Proxies::find(surroundings),
            offline,
        })
    }

    /// Host and port of the hub, as people read them.
    pub fn host(&self) -> String {
        host(&self.endpoint)
    }

    /// Why nothing can be fetched, as far as that is known without trying.
    pub fn obstacle(&self) -> Option<String> {
        let name = self.offline?;
        Some(format!("Downloads are switched off: {name} is set."))
    }

    pub(super) fn check(&self) -> Result<(), FetchError> {
        let Some(name) = self.offline else {
            return Ok(());
        };
        let advice = format!("unset {name} to download models");
        let what = "downloads are switched off";
        Err(FetchError::new(
            Trouble::Unreachable,
            what,
            self.host(),
            advice,
        ))
    }

    /// The address of something on the hub, by the segments of its path.
    pub(super) fn url<'a>(&self, segments: impl IntoIterator<Item = &'a str>) -> Url {
        let mut res = self.endpoint.clone();
        // An endpoint has a host, so it has a path.
        if let Ok(mut path) = res.path_segments_mut() {
            path.pop_if_empty().extend(segments);
        }
        res
    }

    /// Whether an address is on the hub itself, where the token may go.
    pub(super) fn is_home(&self, url: &Url) -> bool {
        url.origin() == self.endpoint.origin()
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network")
            .field("endpoint", &host(&self.endpoint))
            .field("has_token", &self.token.is_some())
            .field("offline", &self.offline)
            .finish_non_exhaustive()
    }
}

/// Host and port of an address: never its query, which may hold a signature.
pub(super) fn host(url: &Url) -> String {
    let host = url.host_str().unwrap_or("?");
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

fn endpoint_of(text: &str) -> Result<Url, FetchError> {
    let wrong = || {
        let advice = "set it to an address such as https://hub.example.org, or unset it";
        FetchError::new(
            Trouble::Usage,
            "HF_ENDPOINT is no address of a server",
            text,
            advice,
        )
    };
    let mut url = Url::parse(text).map_err(|_parse| wrong())?;
    let is_fit = matches!(url.scheme(), "http" | "https") && url.has_host();
    if !is_fit || !url.username().is_empty() || url.password().is_some() {
        return Err(wrong());
    }
    url.set_query(None);
    url.set_fragment(None);
    Ok(url)
}

fn is_yes(value: &str) -> bool {
    matches!(
        value.trim().to_lowercase().as_str(),
        "1" | "on" | "yes" | "true"
    )
}
