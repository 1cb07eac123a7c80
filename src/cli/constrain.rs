//! `stepladder constrain`: a grammar, schema or regular expression stepped over a text, without running a model.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use serde_json::{Value, json};

use super::args::ConstrainArguments;
use super::stepping::{Tokens, Tried, Walked};
use super::{constrain_lines, models, out, run};
use crate::constraint::{
    self, Badge, Constraint, Enforcement, KeywordReport, WhiteSpace, grammars,
};
use crate::store::Folders;

/// Which of the three kinds was asked for, with what it was given.
#[derive(Default)]
pub(super) struct Asked {
    pub(super) schema: Option<String>,
    pub(super) grammar: Option<String>,
    pub(super) regex: Option<String>,
}

/// Steps a constraint over one text or over many lines.
pub(super) fn constrain(arguments: &ConstrainArguments) -> ExitCode {
    if arguments.lines {
        return constrain_lines::constrain_lines(arguments);
    }
    match try_constrain(arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(out::BAD),
        Err(it) => out::error(&it),
    }
}

/// The tokens that the arguments name.
pub(super) fn tokens(arguments: &ConstrainArguments) -> Result<Tokens, String> {
    if arguments.bytes {
        return Tokens::of_bytes();
    }
    let folders = Folders::of_user();
    let path = match &arguments.model {
        Some(it) => run::named(it, &folders),
        None => models::found(&folders)
            .into_iter()
            .next()
            .map(|it| it.path)
            .ok_or("no model; --model; name a GGUF file, set STEPLADDER_MODEL, or use --bytes")?,
    };
    Tokens::of_model(&path)
        .map_err(|it| format!("the vocabulary cannot be read: {it}; --model; choose another file"))
}

impl Asked {
    /// # Errors
    /// None of the three is there, or more than one, or it is one that cannot be enforced.
    pub(super) fn constraint(self, white_space: WhiteSpace) -> Result<Constraint, String> {
        match (self.schema, self.grammar, self.regex) {
            (Some(text), None, None) => Ok(Constraint::Schema { text, white_space }),
            (None, Some(text), None) => Ok(Constraint::Grammar { text }),
            (None, None, Some(_)) => {
                Err("regular expressions cannot be enforced yet; write a grammar".to_owned())
            }
            (None, None, None) => Err("no schema, grammar or regex is given".to_owned()),
            _ => Err("only one of schema, grammar and regex can be given".to_owned()),
        }
    }
}

/// Whether the constraint can be used and the text, if there is one, is accepted.
fn try_constrain(arguments: &ConstrainArguments) -> Result<bool, String> {
    let constraint = asked(arguments)?
        .constraint(arguments.white_space.into())
        .map_err(|it| format!("{it}; --schema, --grammar, --regex; give one of them"))?;
    let tokens = tokens(arguments)?;
    let texts: Vec<String> = arguments.text.iter().cloned().collect();
    let tried = match tokens.walk_all(&constraint, &texts, true) {
        Ok(it) => it,
        Err(error) => {
            if arguments.json {
                let error = error.to_string();
                out::line(
                    &json!({"compiled": false, "error": error, "badge": Badge::None}).to_string(),
                );
            } else {
                out::say(&format!(
                    "error: {error}; the constraint; mend it at that place"
                ));
            }
            return Ok(false);
        }
    };
    let is_good = tried.texts.iter().all(|it| it.accepted);
    if arguments.json {
        out::line(&object(&constraint, &tried).to_string());
    } else {
        print(&constraint, &tried, arguments.text.as_deref());
    }
    Ok(is_good)
}

fn asked(arguments: &ConstrainArguments) -> Result<Asked, String> {
    Ok(Asked {
        schema: arguments.schema.as_deref().map(read).transpose()?,
        grammar: arguments.grammar.as_deref().map(read_grammar).transpose()?,
        regex: arguments.regex.clone(),
    })
}

/// A file, or a shipped grammar by its name.
fn read_grammar(path: &Path) -> Result<String, String> {
    let shipped = grammars().iter().find(|it| Path::new(it.0) == path);
    match shipped {
        Some((_, text)) if !path.exists() => Ok((*text).to_owned()),
        _ => read(path),
    }
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|it| {
        format!(
            "cannot read the file: {it}; {}; check the path",
            path.display()
        )
    })
}

fn object(constraint: &Constraint, tried: &Tried) -> Value {
    let mut res = json!({
        "compiled": true,
        "error": null,
        "compile_ms": tried.compile_ms,
        "badge": tried.badge,
        "warnings": constraint::check(constraint).unwrap_or_default(),
        "report": report(constraint),
    });
    if let (Some(walked), Some(object)) = (tried.texts.first(), res.as_object_mut()) {
        if let Value::Object(figures) = walked.figures() {
            object.extend(figures);
        }
        object.insert("steps".to_owned(), json!(walked.steps));
        if let Some(it) = &walked.following {
            let next = json!({
                "may_end": it.may_end,
                "characters": it.characters.to_string(),
                "terminals": it.terminals,
                "legal_tokens": it.n_legal,
            });
            object.insert("following".to_owned(), next);
        }
    }
    res
}

fn report(constraint: &Constraint) -> Vec<KeywordReport> {
    let Constraint::Schema { text, .. } = constraint else {
        return Vec::new();
    };
    let schema: Value = serde_json::from_str(text).unwrap_or_default();
    constraint::report(&schema)
}

fn print(constraint: &Constraint, tried: &Tried, text: Option<&str>) {
    let badge = match tried.badge {
        Badge::Enforced => "enforced",
        Badge::Partly => "partly enforced",
        Badge::None => "not enforced",
    };
    out::line(&format!("{badge}, compiled in {:.2} ms", tried.compile_ms));
    for it in constraint::check(constraint).unwrap_or_default() {
        out::line(&format!("warning: {it}"));
    }
    for it in report(constraint) {
        let fate = match it.enforcement {
            Enforcement::Enforced => "enforced by the mask",
            Enforcement::CheckedAfterwards => "checked afterwards",
            Enforcement::NotChecked => "not checked",
        };
        out::line(&format!("{:<20} {fate}  {}", it.keyword, it.pointer));
    }
    if let (Some(text), Some(walked)) = (text, tried.texts.first()) {
        print_walk(text, walked);
    }
}

fn print_walk(text: &str, walked: &Walked) {
    out::line("\n   legal    microseconds  token");
    for it in &walked.steps {
        let mark = if it.is_legal { "" } else { "  (not legal)" };
        out::line(&format!(
            "{:8} {:15.1}  {:?}{mark}",
            it.legal_tokens, it.mask_us, it.text
        ));
    }
    if let Some(error) = &walked.error {
        out::line(&format!("\nGiven up: {error}"));
        return;
    }
    let next = walked.following.as_ref().map(|it| {
        let mut parts = it.terminals.clone();
        if !it.characters.is_empty() {
            parts.push(it.characters.to_string());
        }
        if it.may_end {
            parts.push("the end".to_owned());
        }
        format!("{} ({} legal tokens)", parts.join(", or "), it.n_legal)
    });
    let next = next.unwrap_or_default();
    match walked.stopped_at {
        None => out::line("\nAccepted"),
        Some(at) if at == text.len() => {
            out::line(&format!(
                "\nNot finished after {at} bytes; what may follow: {next}"
            ));
        }
        Some(at) => {
            let rest: String = text
                .get(at..)
                .unwrap_or_default()
                .chars()
                .take(20)
                .collect();
            out::line(&format!(
                "\nStopped at byte {at}, before {rest:?}; expected: {next}"
            ));
        }
    }
}
