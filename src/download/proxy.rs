//! Which proxy a request goes through, by the environment's variables.

use url::Url;

use crate::store::Surroundings;

/// The proxies of the environment. They may hold passwords and have no text form.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Proxies {
    https: Option<String>,
    http: Option<String>,
    /// Hosts that are reached without one; `*` is all.
    without: Vec<String>,
}

impl Proxies {
    /// `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, in capitals or not; small letters count first, as
    /// with most tools.
    pub(super) fn find(surroundings: &Surroundings) -> Self {
        let variable = |name: &str| {
            let names = [name.to_lowercase(), name.to_owned()];
            let values = names.iter().filter_map(|it| surroundings.variables.get(it));
            let mut texts = values.filter_map(|it| it.to_str()).map(str::trim);
            texts.find(|it| !it.is_empty()).map(ToOwned::to_owned)
        };
        let without = variable("NO_PROXY").unwrap_or_default();
        let without = without.split(',').map(host_of).filter(|it| !it.is_empty());
        let all = variable("ALL_PROXY");
        Self {
            https: variable("HTTPS_PROXY").or_else(|| all.clone()),
            http: variable("HTTP_PROXY").or(all),
            without: without.collect(),
        }
    }

    /// The proxy for this address; none if it is reached directly.
    pub(super) fn of(&self, url: &Url) -> Option<&str> {
        let host = url.host_str().unwrap_or_default().to_lowercase();
        let is_without = self.without.iter().any(|it| {
            let is_under = || {
                host.strip_suffix(it.as_str())
                    .is_some_and(|it| it.ends_with('.'))
            };
            it == "*" || *it == host || is_under()
        });
        if is_without {
            return None;
        }
        match url.scheme() {
            "https" => self.https.as_deref(),
            _ => self.http.as_deref(),
        }
    }
}

/// An entry of `NO_PROXY` without the marks that tools write before or behind a host: `.example.org`,
/// `*.example.org` and `example.org:443` are `example.org` and all below it.
fn host_of(entry: &str) -> String {
    let entry = entry.trim().to_lowercase();
    if entry == "*" {
        return entry;
    }
    let host = entry.trim_start_matches("*.").trim_start_matches('.');
    let without_port = match host.rsplit_once(':') {
        Some((host, port)) if !host.contains(':') && port.bytes().all(|it| it.is_ascii_digit()) => {
            host
        }
        _ => host,
    };
    without_port.to_owned()
}
