//! One try at a file: asks for what is missing, holds the answer against what is known, and takes in what comes.

use std::io::{self, Read};
use std::path::Path;

use url::Url;

use super::disk::check_room;
use super::error::{FetchError, Setback, Trouble};
use super::http::{Answer, Headers, plain};
use super::part_file::{CHUNK, Note, PartFile};
use super::progress::{Reporter, Stage};
use super::reach::{Reached, Way, server};
use super::{Fetcher, Wanted};

/// What every file in the format begins with.
const MAGIC: &[u8] = b"GGUF";
/// Where no length is known the room on the disk is looked at this often.
const ROOM_EVERY: u64 = 64 << 20;

/// A file on its way.
pub(super) struct Transfer<'a, 'b> {
    pub(super) fetcher: &'a Fetcher,
    pub(super) way: Way<'a>,
    pub(super) wanted: &'a Wanted,
    pub(super) folder: &'a Path,
    /// What the catalogue says that it hashes to.
    pub(super) sha256: Option<&'a str>,
    pub(super) reporter: &'a mut Reporter<'b>,
}

/// A body that is being read.
struct Body {
    url: Url,
    kind: Option<String>,
    reader: Box<dyn Read>,
}

/// Where an answer's body belongs.
enum Offset {
    Start,
    /// Behind what has come.
    End,
    /// Nothing is missing.
    Complete,
}

impl Transfer<'_, '_> {
    /// Fetches until the part is whole, or something ends it.
    pub(super) fn go_on(&mut self, part: &mut PartFile) -> Result<(), Setback> {
        self.reporter.enter(Stage::Asking);
        let url = {
            let Wanted {
                owner,
                name,
                revision,
                ..
            } = self.wanted;
            let head = [owner.as_str(), name, "resolve", revision];
            self.way
                .network
                .url(head.into_iter().chain(self.wanted.file().split('/')))
        };
        let reached = self.way.reach(url, &range(part))?;
        let sha256 = self.hash(&reached)?;
        let n_kept = match offset(&reached.answer, part, sha256.as_deref()) {
            Some(Offset::Complete) => return Ok(()),
            Some(Offset::End) => part.n_bytes(),
            Some(Offset::Start) => 0,
            None => {
                part.asks_whole = true;
                let what = "the server sends another part than it was asked for";
                return Err(Setback::again(server(what, &reached.answer.url)));
            }
        };
        let total = total(&reached, n_kept)?;
        let missing = total.map_or(0, |it| it.saturating_sub(n_kept));
        check_room(missing, (self.fetcher.free_space)(self.folder), self.folder)?;
        let etag = reached
            .answer
            .header("etag")
            .filter(|it| it.starts_with('"'));
        let note = Note {
            v: 1,
            wanted: part.note.wanted.clone(),
            etag: etag.map(ToOwned::to_owned),
            sha256,
            total,
        };
        self.reporter.progress.total = total;
        self.reporter.progress.done = n_kept;
        self.reporter.enter(Stage::Transferring);
        self.begin(reached.answer, (n_kept == 0, note), part)
    }

    /// Reads the first bytes of a body, and gives up what is there for nothing less than a model.
    fn begin(
        &mut self,
        answer: Answer,
        (is_anew, note): (bool, Note),
        part: &mut PartFile,
    ) -> Result<(), Setback> {
        let mut body = Body {
            url: answer.url.clone(),
            kind: answer.header("content-type").map(ToOwned::to_owned),
            reader: Box::new(answer.into_reader()),
        };
        let mut chunk = vec![0; CHUNK];
        let n_read = self.read(&mut body, (&mut chunk, MAGIC.len()))?;
        if is_anew {
            if n_read > 0 && !chunk[..n_read].starts_with(MAGIC) {
                return Err(self.no_model(body.kind.as_deref()).into());
            }
            part.start_over()?;
        }
        part.bind(note)?;
        self.take_in((body, &mut chunk, n_read), part)
    }

    /// The hash that the whole must have. The hub's own word may not contradict the catalogue's.
    fn hash(&self, reached: &Reached) -> Result<Option<String>, FetchError> {
        match (self.sha256, &reached.sha256) {
            (Some(ours), Some(theirs)) if ours != theirs => Err(FetchError::new(
                Trouble::WrongHash,
                "the hub has another file by this name than the catalogue",
                self.wanted.to_string(),
                format!(
                    "to get it nevertheless, name {}:{}",
                    self.wanted.repository(),
                    self.wanted.file()
                ),
            )),
            (Some(ours), _) => Ok(Some(ours.to_owned())),
            (None, theirs) => Ok(theirs.clone()),
        }
    }

    fn take_in(
        &mut self,
        (mut body, chunk, mut n_read): (Body, &mut [u8], usize),
        part: &mut PartFile,
    ) -> Result<(), Setback> {
        let total = part.note.total;
        let mut room_at = part.n_bytes() + ROOM_EVERY;
        while n_read > 0 {
            if total.is_some_and(|it| part.n_bytes() + n_read as u64 > it) {
                let what = "the server sends more bytes than it said there are";
                part.start_over()?;
                return Err(server(what, &body.url).into());
            }
            part.write(&chunk[..n_read])?;
            self.reporter.advance(part.n_bytes());
            if total.is_none() && part.n_bytes() >= room_at {
                check_room(0, (self.fetcher.free_space)(self.folder), self.folder)?;
                room_at = part.n_bytes() + ROOM_EVERY;
            }
            n_read = self.read(&mut body, (chunk, 1))?;
        }
        match total {
            Some(total) if part.n_bytes() < total => {
                let what = format!("the server ends after {} of {total} bytes", part.n_bytes());
                Err(Setback::again(server(&what, &body.url)))
            }
            _ => Ok(()),
        }
    }

    /// Waits for at least so many bytes of a body; fewer are its end.
    fn read(&self, body: &mut Body, (chunk, least): (&mut [u8], usize)) -> Result<usize, Setback> {
        let read = fill(&mut body.reader, chunk, least);
        // A connection that is closed for a stop may look like the end of a body.
        if self.way.control.is_stopped() {
            return Err(FetchError::cancelled(self.wanted.to_string()).into());
        }
        read.map_err(|it| Setback::again(server(&plain(&it), &body.url)))
    }

    fn no_model(&self, kind: Option<&str>) -> FetchError {
        let what = match kind {
            Some(it) if it.starts_with("text/html") => {
                "a web page came in place of the model; perhaps the network wants a login"
                    .to_owned()
            }
            _ => "what came is no model in GGUF".to_owned(),
        };
        let advice = "open the page in a browser, or name another file";
        FetchError::new(Trouble::NotAModel, what, self.wanted.to_string(), advice)
    }
}

/// Asks for the rest, if it can be told from the rest of something else.
fn range(part: &PartFile) -> Headers {
    if part.n_bytes() == 0 || part.asks_whole || !part.note.is_bound() {
        return Headers::new();
    }
    let mut headers = vec![("range", format!("bytes={}-", part.n_bytes()))];
    headers.extend(part.note.etag.clone().map(|it| ("if-range", it)));
    headers
}

/// Where the body of an answer belongs; none if it belongs nowhere.
fn offset(answer: &Answer, part: &PartFile, sha256: Option<&str>) -> Option<Offset> {
    let is_same = match sha256 {
        Some(_) => part.note.sha256.as_deref() == sha256,
        None => answer.header("etag") == part.note.etag.as_deref(),
    };
    let (begin, whole) = answer
        .header("content-range")
        .and_then(content_range)
        .unzip();
    match (answer.status, begin.flatten(), whole.flatten()) {
        (200, _, _) => Some(Offset::Start),
        (206, Some(begin), _) if begin == part.n_bytes() && is_same => Some(Offset::End),
        (206, Some(0), _) if part.n_bytes() == 0 => Some(Offset::Start),
        (416, _, Some(whole)) if whole == part.n_bytes() && is_same && whole > 0 => {
            Some(Offset::Complete)
        }
        _ => None,
    }
}

/// First byte and length of the whole in `bytes 5-9/10`, `bytes 5-9/*` or `bytes */10`.
fn content_range(text: &str) -> Option<(Option<u64>, Option<u64>)> {
    let (range, whole) = text.strip_prefix("bytes ")?.trim().split_once('/')?;
    let begin = range
        .split_once('-')
        .and_then(|it| it.0.trim().parse().ok());
    Some((begin, whole.trim().parse().ok()))
}

/// The length of the whole by the hub, the range, or the body, which must not contradict each other.
fn total(reached: &Reached, n_bytes: u64) -> Result<Option<u64>, FetchError> {
    let answer = &reached.answer;
    let by_range = answer
        .header("content-range")
        .and_then(content_range)
        .and_then(|it| it.1);
    let by_body = answer
        .number("content-length")
        .map(|it| it.saturating_add(n_bytes));
    let said = reached.bytes.or(by_range);
    let known = [said, by_range, by_body].into_iter().flatten().max();
    match (said, known) {
        // A body that is shorter is a cut one, and is gone on with.
        (Some(said), Some(known)) if known > said => {
            let what =
                format!("the server names two lengths for one file, {said} and {known} bytes");
            Err(server(&what, &answer.url))
        }
        (said, known) => Ok(said.or(known)),
    }
}

/// Reads what there is, and waits for at least so many bytes.
fn fill(reader: &mut dyn Read, chunk: &mut [u8], least: usize) -> io::Result<usize> {
    let mut n_filled = 0;
    while n_filled < least {
        match reader.read(&mut chunk[n_filled..]) {
            Ok(0) => break,
            Ok(n_read) => n_filled += n_read,
            Err(it) if it.kind() == io::ErrorKind::Interrupted => {}
            Err(it) => return Err(it),
        }
    }
    Ok(n_filled)
}
