//! One request and the head of its answer. The only file that names the HTTP client.

use std::io::{self, Read};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, bounded};
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, Body, Error, Proxy, Timeout};
use url::Url;

use super::network::Network;
use super::{Control, Patience};

/// How often a request that waits for its answer looks whether it was stopped.
const GLANCE: Duration = Duration::from_millis(25);
/// Heads of real answers are a tenth of it.
const MAX_HEAD: usize = 64 << 10;
const USER_AGENT: &str = concat!("stepladder/", env!("CARGO_PKG_VERSION"));

/// The head of an answer, and the way to its body.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) url: Url,
    response: ureq::http::Response<Body>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NoAnswer {
    Stopped,
    /// There is no way to the host.
    Unreachable(String),
    /// The connection is not safe, or the address no address: another try would be as vain.
    Unusable(String),
    /// It began and broke.
    Lost(String),
}

/// What goes along with a request.
pub(super) type Headers = Vec<(&'static str, String)>;

/// Sends a request and waits for the head of the answer. Redirects and bad statuses are answers too.
pub(super) fn get(
    url: &Url,
    headers: Headers,
    (network, patience): (&Network, &Patience),
    control: &Control,
) -> Result<Answer, NoAnswer> {
    let agent = agent(network.proxies.of(url), patience)?;
    control.watch(&agent);
    let (tell, told) = bounded(1);
    let target = url.to_string();
    // A name that is looked up and a connection that is built up cannot be broken off. They get a thread that is left
    // behind when the user stops waiting, and ends by its own timeouts.
    let thread = thread::Builder::new().name("request".to_owned());
    let work = move || {
        let mut request = agent.get(target);
        for (name, value) in headers {
            request = request.header(name, value);
        }
        // Nobody waits for it any more after a stop.
        if tell.send(request.call()).is_err() {}
    };
    thread
        .spawn(work)
        .map_err(|it| NoAnswer::Lost(it.to_string()))?;
    loop {
        if control.is_stopped() {
            return Err(NoAnswer::Stopped);
        }
        match told.recv_timeout(GLANCE) {
            Ok(Ok(response)) => {
                return Ok(Answer {
                    status: response.status().as_u16(),
                    url: url.clone(),
                    response,
                });
            }
            Ok(Err(error)) => return Err(no_answer(&error)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(NoAnswer::Lost("the request ended by itself".to_owned()));
            }
        }
    }
}

impl Answer {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.response
            .headers()
            .get(name)?
            .to_str()
            .ok()
            .map(str::trim)
    }

    /// A header that is a number; what is none counts as absent.
    pub(super) fn number(&self, name: &str) -> Option<u64> {
        self.header(name)?.parse().ok()
    }

    /// The body, as long as it may be; whoever reads it bounds it.
    pub(super) fn into_reader(self) -> impl Read {
        self.response.into_body().into_reader()
    }
}

fn agent(proxy: Option<&str>, patience: &Patience) -> Result<Agent, NoAnswer> {
    let unusable = |_error| NoAnswer::Unusable("the proxy's address cannot be read".to_owned());
    let proxy = proxy.map(Proxy::new).transpose().map_err(unusable)?;
    let tls = TlsConfig::builder()
        .root_certs(RootCerts::PlatformVerifier)
        .build();
    let config = Agent::config_builder()
        .tls_config(tls)
        .proxy(proxy)
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .user_agent(USER_AGENT)
        .accept("*/*")
        // A compressed body would have another length and another hash.
        .accept_encoding("identity")
        .max_response_header_size(MAX_HEAD)
        .max_idle_connections(0)
        .timeout_resolve(Some(patience.connect))
        .timeout_connect(Some(patience.connect))
        .timeout_send_request(Some(patience.answer))
        .timeout_recv_response(Some(patience.answer))
        .timeout_per_read(Some(patience.stall))
        .build();
    Ok(config.new_agent())
}

fn no_answer(error: &Error) -> NoAnswer {
    match error {
        Error::HostNotFound => NoAnswer::Unreachable("the host is not known".to_owned()),
        Error::ConnectionFailed | Error::Timeout(Timeout::Resolve | Timeout::Connect) => {
            NoAnswer::Unreachable("the host does not answer".to_owned())
        }
        Error::Io(it) if is_about_names(it) => {
            NoAnswer::Unreachable("its name cannot be looked up".to_owned())
        }
        Error::Io(it) if is_unreachable(it.kind()) => NoAnswer::Unreachable(plain(it)),
        Error::Io(it) if is_about_certificates(it) => {
            NoAnswer::Unusable(format!("the connection is not safe: {it}"))
        }
        Error::Tls(it) => NoAnswer::Unusable(format!("the connection is not safe: {it}")),
        Error::Rustls(it) => NoAnswer::Unusable(format!("the connection is not safe: {it}")),
        Error::BadUri(_) | Error::Http(_) | Error::InvalidProxyUrl => {
            NoAnswer::Unusable("the address cannot be used".to_owned())
        }
        Error::ConnectProxyFailed(it) => {
            NoAnswer::Unreachable(format!("the proxy refuses the connection: {it}"))
        }
        Error::Io(it) => NoAnswer::Lost(plain(it)),
        Error::Timeout(_) => NoAnswer::Lost("the server does not answer in time".to_owned()),
        it => NoAnswer::Lost(it.to_string()),
    }
}

fn is_unreachable(kind: io::ErrorKind) -> bool {
    use io::ErrorKind as Kind;
    matches!(
        kind,
        Kind::ConnectionRefused
            | Kind::HostUnreachable
            | Kind::NetworkUnreachable
            | Kind::NetworkDown
            | Kind::AddrNotAvailable
            | Kind::NotFound
    )
}

/// The name server knows the host's name not, or cannot be asked; the standard library has no kind for it.
fn is_about_names(error: &io::Error) -> bool {
    /// Windows: there is no such host; try again; no address behind the name.
    const CODES: [i32; 3] = [11_001, 11_002, 11_004];
    let of_windows = error.raw_os_error().is_some_and(|it| CODES.contains(&it));
    of_windows && cfg!(windows) || error.to_string().contains("lookup address")
}

/// Failures of a handshake come as errors of the stream.
fn is_about_certificates(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::InvalidData
}

/// Without the number of the system's error.
pub(super) fn plain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => "the connection is refused".to_owned(),
        io::ErrorKind::ConnectionReset => "the connection was reset".to_owned(),
        io::ErrorKind::UnexpectedEof => "the connection was cut".to_owned(),
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => "the server fell silent".to_owned(),
        io::ErrorKind::NetworkUnreachable | io::ErrorKind::NetworkDown => {
            "there is no network".to_owned()
        }
        _ => error.to_string(),
    }
}
