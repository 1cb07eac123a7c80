//! `climb --lines`: one result a line, in order, whatever the lines hold.

use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::ExitCode;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::expected::Expected;
use super::{judge, object, unreadable};
use crate::cli::line_fault::line_fault;
use crate::cli::out;
use crate::judge::Schema;

/// A longer line is answered with an error: its value could need many times its length in memory.
const MAX_LINE: usize = 32 << 20;

/// What a line asks for; other fields are of no concern here.
#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    id: Value,
    input: String,
    #[serde(default)]
    schema: Option<Value>,
    /// The text that was put into the model's mouth.
    #[serde(default)]
    prefill: String,
    /// What must come of it: the line is a case of a regression set.
    #[serde(default)]
    expected: Option<Value>,
}

/// How the lines came out so far.
#[derive(Default)]
struct Tally {
    bad: usize,
    expecting: usize,
    differing: usize,
}

/// Answers each line as soon as it is read. Exit code 1 when a line cannot be read or differs from what it expects.
pub(super) fn climb_lines(file: &Path, schema: Option<&Value>) -> ExitCode {
    let mut input: Box<dyn BufRead> = if file == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        match fs::File::open(file) {
            Ok(it) => Box::new(BufReader::new(it)),
            Err(it) => return out::error(&unreadable(file, &it)),
        }
    };
    let mut tally = Tally::default();
    for number in 1.. {
        let result = match read_line(&mut input) {
            Ok(Read::Line(line)) => {
                let line = without_mark(&line, number == 1);
                if line.iter().all(u8::is_ascii_whitespace) {
                    continue;
                }
                answer((number, line), schema, &mut tally)
            }
            Ok(Read::TooLong) => {
                let most = MAX_LINE >> 20;
                Err(failed(
                    &Value::Null,
                    &format!("line {number} is longer than {most} MiB"),
                ))
            }
            Ok(Read::End) => break,
            Err(it) => return out::error(&unreadable(file, &it)),
        };
        tally.bad += usize::from(result.is_err());
        out::line(&result.unwrap_or_else(|it| it).to_string());
        if out::is_unread() {
            break;
        }
    }
    tell(&tally)
}

fn tell(tally: &Tally) -> ExitCode {
    let Tally {
        bad,
        expecting,
        differing,
    } = *tally;
    if expecting > 0 {
        let differ = if differing == 1 { "differs" } else { "differ" };
        out::say(&format!(
            "{differing} of {expecting} {differ} from what is expected"
        ));
    }
    ExitCode::from(if bad + differing == 0 { 0 } else { out::BAD })
}

/// The result for a line, or the error that stands in its place.
fn answer(
    (number, line): (usize, &[u8]),
    schema: Option<&Value>,
    tally: &mut Tally,
) -> Result<Value, Value> {
    // A list would be taken for the fields in their order.
    if line.trim_ascii_start().first() == Some(&b'[') {
        let error = format!("line {number} is a list; it must be an object");
        return Err(failed(&Value::Null, &error));
    }
    let line: Line = serde_json::from_slice(line)
        .map_err(|it| failed(&Value::Null, &line_fault(number, &it)))?;
    let expected = line.expected.map(Expected::read).transpose();
    let expected =
        expected.map_err(|it| failed(&line.id, &format!("line {number}: expected: {it}")))?;
    tally.expecting += usize::from(expected.is_some());
    let schema = line.schema.as_ref().or(schema);
    if let Some(Err(error)) = schema.map(Schema::parse) {
        tally.differing += usize::from(expected.is_some());
        return Err(failed(&line.id, &error.to_string()));
    }
    let found = judge((&line.input, &line.prefill), schema);
    let mut res = Map::new();
    res.insert("id".to_owned(), line.id);
    res.extend(object(&found));
    if let Some(expected) = &expected {
        let differences = expected.differences(&found);
        tally.differing += usize::from(!differences.is_empty());
        res.insert("expected_met".to_owned(), json!(differences.is_empty()));
        if !differences.is_empty() {
            res.insert("differences".to_owned(), json!(differences));
        }
    }
    Ok(Value::Object(res))
}

fn failed(id: &Value, error: &str) -> Value {
    json!({ "id": id, "error": error })
}

/// A byte order mark before the first line is no part of it.
fn without_mark(line: &[u8], is_first: bool) -> &[u8] {
    let marked = line.strip_prefix(b"\xEF\xBB\xBF").filter(|_| is_first);
    marked.unwrap_or(line)
}

enum Read {
    Line(Vec<u8>),
    /// It was read to its end and not kept.
    TooLong,
    End,
}

fn read_line(input: &mut dyn BufRead) -> io::Result<Read> {
    let mut line = Vec::new();
    let (mut is_too_long, mut has_begun) = (false, false);
    loop {
        let part = match input.fill_buf() {
            Ok(it) => it,
            Err(it) if it.kind() == io::ErrorKind::Interrupted => continue,
            Err(it) => return Err(it),
        };
        let end = part.iter().position(|it| *it == b'\n');
        let is_over = end.is_some() || part.is_empty();
        has_begun |= !part.is_empty();
        let text = &part[..end.unwrap_or(part.len())];
        is_too_long |= line.len() + text.len() > MAX_LINE;
        if is_too_long {
            line = Vec::new();
        } else {
            line.extend_from_slice(text);
        }
        let n_used = text.len() + usize::from(end.is_some());
        input.consume(n_used);
        if is_over {
            return Ok(match (has_begun, is_too_long) {
                (false, _) => Read::End,
                (_, true) => Read::TooLong,
                _ => Read::Line(line),
            });
        }
    }
}
