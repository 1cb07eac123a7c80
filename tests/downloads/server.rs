//! A server of the tests' own on this computer's loopback: it answers as a closure says, well or badly.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// What was asked.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// The request line's method and target, such as `GET` and `/a/b`.
    pub(crate) method: String,
    pub(crate) target: String,
    headers: Vec<(String, String)>,
}

/// What is answered.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) ending: Ending,
}

/// How a body ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Whole,
    /// The connection is closed after so many bytes.
    Cut(usize),
    /// Nothing comes after so many bytes, and the connection stays.
    Silent(usize),
    /// Pieces of so many bytes with a little time between them.
    Slow(usize),
}

/// A request, and how many bytes of the body were sent for it.
#[derive(Clone, Debug)]
pub(crate) struct Served {
    pub(crate) request: Request,
    pub(crate) n_sent: usize,
}

/// Runs until it is dropped.
pub(crate) struct Server {
    address: SocketAddr,
    served: Arc<Mutex<Vec<Served>>>,
    is_over: Arc<AtomicBool>,
}

type Answer = dyn Fn(&Request, usize) -> Reply + Send + Sync;

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|it| it.0 == name);
        found.map(|it| it.1.as_str())
    }
}

impl Reply {
    pub(crate) fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: body.into(),
            ending: Ending::Whole,
        }
    }

    #[expect(
        clippy::needless_pass_by_value,
        reason = "it reads better at its calls"
    )]
    pub(crate) fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        self.headers.push((name, value.to_string()));
        self
    }

    pub(crate) fn ending(mut self, ending: Ending) -> Self {
        self.ending = ending;
        self
    }
}

impl Server {
    /// Answers by the request and its number, from 0. A reply without a `content-length` or a
    /// `transfer-encoding` gets its body's length; an empty value leaves the header out.
    pub(crate) fn start(answer: impl Fn(&Request, usize) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let served = Arc::new(Mutex::new(Vec::new()));
        let is_over = Arc::new(AtomicBool::new(false));
        let answer: Arc<Answer> = Arc::new(answer);
        let (list, over) = (Arc::clone(&served), Arc::clone(&is_over));
        let accept = move || {
            for stream in listener.incoming().flatten() {
                if over.load(Ordering::Relaxed) {
                    return;
                }
                let (answer, list, over) = (answer.clone(), list.clone(), over.clone());
                let serve = move || serve(stream, &*answer, (&list, &over));
                thread::Builder::new().spawn(serve).unwrap();
            }
        };
        thread::Builder::new().spawn(accept).unwrap();
        Self {
            address,
            served,
            is_over,
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn address(&self) -> String {
        self.address.to_string()
    }

    /// All requests so far.
    pub(crate) fn served(&self) -> Vec<Served> {
        self.served.lock().unwrap().clone()
    }

    /// Of all bodies.
    pub(crate) fn n_sent(&self) -> usize {
        self.served().iter().map(|it| it.n_sent).sum()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        // Wakes the thread that accepts.
        drop(TcpStream::connect(self.address));
    }
}

fn serve(
    mut stream: TcpStream,
    answer: &Answer,
    (list, is_over): (&Mutex<Vec<Served>>, &AtomicBool),
) {
    let Some(request) = read(&stream) else { return };
    let idx = {
        let mut list = list.lock().unwrap();
        list.push(Served {
            request: request.clone(),
            n_sent: 0,
        });
        list.len() - 1
    };
    let reply = answer(&request, idx);
    if write_head(&mut stream, &reply).is_none() {
        return;
    }
    let n_bytes = match reply.ending {
        Ending::Cut(it) | Ending::Silent(it) => it.min(reply.body.len()),
        Ending::Whole | Ending::Slow(_) => reply.body.len(),
    };
    let piece = match reply.ending {
        Ending::Slow(it) => it,
        _ => 16 << 10,
    };
    for chunk in reply.body[..n_bytes].chunks(piece.max(1)) {
        if stream.write_all(chunk).is_err() {
            return;
        }
        list.lock().unwrap()[idx].n_sent += chunk.len();
        if matches!(reply.ending, Ending::Slow(_)) {
            thread::sleep(Duration::from_millis(2));
        }
    }
    while matches!(reply.ending, Ending::Silent(_)) && !is_over.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(5));
    }
}

fn read(stream: &TcpStream) -> Option<Request> {
    let mut lines = BufReader::new(stream).lines();
    let line = lines.next()?.ok()?;
    let mut words = line.split(' ');
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut headers = Vec::new();
    loop {
        let line = lines.next()?.ok()?;
        let Some((name, value)) = line.split_once(':') else {
            break;
        };
        headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
    Some(Request {
        method,
        target,
        headers,
    })
}

fn write_head(stream: &mut TcpStream, reply: &Reply) -> Option<()> {
    let mut head = format!(
        "HTTP/1.1 {} Whatever\r\nconnection: close\r\n",
        reply.status
    );
    let says = |name: &str| reply.headers.iter().any(|it| it.0 == name);
    if !says("content-length") && !says("transfer-encoding") {
        let line = format!("content-length: {}\r\n", reply.body.len());
        head += &line;
    }
    for (name, value) in reply.headers.iter().filter(|it| !it.1.is_empty()) {
        let line = format!("{name}: {value}\r\n");
        head += &line;
    }
    head += "\r\n";
    stream.write_all(head.as_bytes()).ok()
}
