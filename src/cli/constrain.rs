//! `stepladder constrain`: a grammar, schema or regular expression stepped over a text, without running a model.

use std::path::Path;
use std::process::ExitCode;

use serde_json::{Value, json};

use super::args::ConstrainArguments;
use super::stepping::{Tokens, Tried, Walked};
use super::{constrain_lines, examined, loading, models, out, run};
use crate::constraint::{Badge, Constraint, SchemaSwitches, examine, grammars};
use crate::store::{Folders, MAX_DOCUMENT, read_given};

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
        None => {
            models::first(&folders).ok_or_else(|| format!("{}, or use --bytes", models::NONE))?
        }
    };
    Tokens::of_model(&path)
        .map_err(|it| loading::failed("the vocabulary cannot be read", &path, &it))
}

impl Asked {
    /// # Errors
    /// None of the three is there, or more than one, or it is one that cannot be enforced.
    pub(super) fn constraint(self, arguments: &ConstrainArguments) -> Result<Constraint, String> {
        match (self.schema, self.grammar, self.regex) {
            (Some(text), None, None) => Ok(Constraint::Schema {
                text,
                white_space: arguments.white_space,
                switches: SchemaSwitches {
                    lenient: arguments.lenient,
                    ..SchemaSwitches::default()
                },
            }),
            (None, Some(text), None) => Ok(Constraint::Grammar { text }),
            (None, None, Some(text)) => Ok(Constraint::Regex { text }),
            (None, None, None) => Err("no schema, grammar or regex is given".to_owned()),
            _ => Err("only one of schema, grammar and regex can be given".to_owned()),
        }
    }
}

/// Whether the constraint can be used and the text, if there is one, is accepted.
fn try_constrain(arguments: &ConstrainArguments) -> Result<bool, String> {
    let constraint = asked(arguments)?
        .constraint(arguments)
        .map_err(|it| format!("{it}; --schema, --grammar, --regex; give one of them"))?;
    if arguments.report {
        return Ok(examined::print(&constraint, arguments.json));
    }
    if let (true, Constraint::Schema { text, .. }) = (arguments.gbnf, &constraint) {
        return examined::print_grammar(text, arguments);
    }
    let tokens = tokens(arguments)?;
    let texts: Vec<String> = arguments.text.iter().cloned().collect();
    let tried = tokens.walk_all(&constraint, &texts, true);
    let tried = tried.map_err(|error| {
        if arguments.json {
            let error = error.to_string();
            out::line(
                &json!({"compiled": false, "error": error, "badge": Badge::None}).to_string(),
            );
        }
        format!("{error}; {}; mend it at that place", place(arguments))
    })?;
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

/// What the constraint is read from.
fn place(arguments: &ConstrainArguments) -> String {
    let file = arguments.schema.as_ref().or(arguments.grammar.as_ref());
    file.map_or_else(|| "--regex".to_owned(), |it| it.display().to_string())
}

/// A file, or a shipped grammar by its name; a folder of that name does not stand in its way.
fn read_grammar(path: &Path) -> Result<String, String> {
    let shipped = grammars().iter().find(|it| Path::new(it.0) == path);
    if let Some((_, text)) = shipped.filter(|_| !path.is_file()) {
        return Ok((*text).to_owned());
    }
    read_given(path, MAX_DOCUMENT).map_err(|it| {
        let known: Vec<_> = grammars().iter().map(|it| it.0).collect();
        format!(
            "cannot read the grammar: {it}; {}; check the path, or name one of {}",
            path.display(),
            known.join(", ")
        )
    })
}

fn read(path: &Path) -> Result<String, String> {
    read_given(path, MAX_DOCUMENT).map_err(|it| {
        format!(
            "cannot read the file: {it}; {}; check the path",
            path.display()
        )
    })
}

fn object(constraint: &Constraint, tried: &Tried) -> Value {
    let examined = examine(constraint);
    let mut res = json!({
        "compiled": true,
        "error": null,
        "compile_ms": tried.compile_ms,
        "badge": tried.badge,
        "warnings": examined.sentences(),
        "report": examined.keywords,
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

fn print(constraint: &Constraint, tried: &Tried, text: Option<&str>) {
    let badge = examined::badge_words(tried.badge);
    out::line(&format!("{badge}, compiled in {:.2} ms", tried.compile_ms));
    examined::print_keywords(&examine(constraint));
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
