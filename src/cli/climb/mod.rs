//! `stepladder climb`: the ladder and the judges alone, on a pasted reply or on many lines.

mod expected;
mod lines;

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use serde_json::{Map, Value, json};

use super::args::ClimbArguments;
use super::{out, table};
use crate::judge::{Ending, Judgement, Schema, reply_cause};
use crate::ladder::Climb;
use crate::runner::{Appraised, Given, appraise};
use crate::store::{MAX_DOCUMENT, MAX_REPLY, at_most, read_given};

/// Climbs one reply or many, and says what came of it.
pub(super) fn climb(arguments: &ClimbArguments) -> ExitCode {
    let schema = match arguments.schema.as_deref().map(read_schema).transpose() {
        Ok(it) => it,
        Err(it) => return out::error(&it),
    };
    if arguments.lines {
        return lines::climb_lines(&arguments.file, schema.as_ref());
    }
    let reply = match read(&arguments.file) {
        Ok(it) => it,
        Err(it) => return out::error(&it),
    };
    let found = judge((&reply, ""), schema.as_ref());
    if arguments.json {
        out::line(&Value::Object(object(&found)).to_string());
    } else {
        out::line(&table::ladder(&found.0, &found.1));
    }
    let judgement = found.1;
    let is_good = judgement.lamps.parses && judgement.lamps.schema != Some(false);
    ExitCode::from(if is_good { 0 } else { out::BAD })
}

/// A reply behind its prefill, and what comes of it.
fn judge((reply, prefill): (&str, &str), schema: Option<&Value>) -> (Climb, Judgement) {
    let appraised = Appraised {
        reply,
        prefill,
        ..Appraised::default()
    };
    let given = Given {
        schema: schema.cloned(),
        ..Given::default()
    };
    let (climb, mut judgement) = appraise(&appraised, &given);
    // Where no lamp is dark, the reply as a whole may still be something that a strict reader refuses.
    judgement.cause = judgement
        .cause
        .or_else(|| reply_cause(reply, &climb, Ending::default()));
    (climb, judgement)
}

/// The climb's fields, and the judges' beside them.
fn object((climb, judgement): &(Climb, Judgement)) -> Map<String, Value> {
    let mut res = match serde_json::to_value(climb) {
        Ok(Value::Object(it)) => it,
        _ => Map::new(),
    };
    res.insert("cause".to_owned(), json!(judgement.cause));
    res.insert("verdict".to_owned(), json!(judgement.verdict));
    res
}

fn read_schema(path: &Path) -> Result<Value, String> {
    let place = path.display();
    let text = read_given(path, MAX_DOCUMENT).map_err(|it| unreadable(path, &it))?;
    let value = serde_json::from_str(&text)
        .map_err(|it| format!("the schema is not JSON: {it}; {place}; mend it at that place"))?;
    // The error begins with the words that the schema cannot be used.
    Schema::parse(&value).map_err(|it| format!("{it}; {place}; mend the keyword that is named"))?;
    Ok(value)
}

fn read(path: &Path) -> Result<String, String> {
    let read = if path == Path::new("-") {
        at_most(io::stdin().lock(), MAX_REPLY)
    } else {
        File::open(path).and_then(|it| at_most(it, MAX_REPLY))
    };
    let bytes = read.map_err(|it| unreadable(path, &it))?;
    String::from_utf8(bytes).map_err(|it| {
        let at = it.utf8_error().valid_up_to();
        format!(
            "not UTF-8 at byte {at}; {}; convert the file first",
            path.display()
        )
    })
}

fn unreadable(path: &Path, error: &io::Error) -> String {
    format!(
        "cannot read the file: {error}; {}; check the path",
        path.display()
    )
}
