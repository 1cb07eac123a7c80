//! In which language a reply is written that is no JSON: a programming language, or another format for data.

/// Marks of a programming language: a line that begins with one of these, and a sign that must stand somewhere.
const LANGUAGES: &[(&str, &[&str], &[&str])] = &[
    (
        "Python code",
        &[
            "def ",
            "import ",
            "from ",
            "class ",
            "print(",
            "for ",
            "if __name__",
            "#!/usr/bin/env python",
            "async def ",
            "@",
        ],
        &["(", " import ", "="],
    ),
    (
        "JavaScript code",
        &[
            "function ",
            "const ",
            "let ",
            "var ",
            "console.log",
            "async function",
            "export ",
            "import ",
            "module.exports",
        ],
        &["(", "=", "=>"],
    ),
    (
        "Java code",
        &[
            "public class",
            "public static",
            "import java",
            "package ",
            "class ",
            "private ",
        ],
        &["{", ";"],
    ),
    (
        "C code",
        &[
            "#include",
            "int main",
            "void main",
            "using namespace",
            "std::",
        ],
        &["(", "<"],
    ),
    (
        "SQL",
        &[
            "SELECT ",
            "INSERT INTO",
            "CREATE TABLE",
            "UPDATE ",
            "DELETE FROM",
        ],
        &[" FROM", " VALUES", "(", " SET "],
    ),
    (
        "Rust code",
        &["fn ", "use std", "pub fn ", "struct ", "let mut "],
        &["(", "{", ";"],
    ),
    ("Go code", &["package main", "func ", "type "], &["{"]),
    (
        "shell commands",
        &["#!/bin/", "curl ", "echo ", "pip install", "$ ", "sudo "],
        &[""],
    ),
    ("PHP code", &["<?php", "$"], &["?>", ";"]),
];

/// How a fence names a language.
const LABELS: &[(&str, &str)] = &[
    ("python", "Python code"),
    ("py", "Python code"),
    ("javascript", "JavaScript code"),
    ("js", "JavaScript code"),
    ("typescript", "TypeScript code"),
    ("ts", "TypeScript code"),
    ("java", "Java code"),
    ("c", "C code"),
    ("cpp", "C++ code"),
    ("c++", "C++ code"),
    ("csharp", "C# code"),
    ("sql", "SQL"),
    ("rust", "Rust code"),
    ("go", "Go code"),
    ("bash", "shell commands"),
    ("sh", "shell commands"),
    ("shell", "shell commands"),
    ("php", "PHP code"),
    ("ruby", "Ruby code"),
];

/// Fewest lines of a text's start that are looked at for the mark of a language.
const N_LINES: usize = 12;

/// The programming language of a text or of the fence in it.
pub(super) fn language_of(text: &str) -> Option<&'static str> {
    let (label, body) = fenced(text).unwrap_or(("", text));
    let labelled = LABELS.iter().find(|it| it.0 == label).map(|it| it.1);
    labelled.or_else(|| marked(body))
}

/// The format for data that a text is written in.
pub(super) fn format_of(text: &str) -> Option<&'static str> {
    let (label, body) = fenced(text).unwrap_or(("", text));
    let lines = || body.lines().map(str::trim).filter(|it| !it.is_empty());
    let count = |holds: &dyn Fn(&str) -> bool| lines().filter(|it| holds(it)).count();
    if count(&|it| it.starts_with('|') && it.ends_with('|')) >= 2
        || (count(&|it| it.contains(" | ")) >= 2 && body.contains("---"))
    {
        return Some("a table in Markdown");
    }
    let is_tagged = label == "xml" || label == "html" || body.trim_start().starts_with('<');
    if is_tagged && body.contains("</") {
        return Some("XML");
    }
    if label == "yaml" || label == "yml" || is_yaml(body) {
        return Some("YAML");
    }
    if count(&is_bullet) >= 2 {
        return Some("a list in Markdown");
    }
    let n_pairs = count(&|it| is_pair(it));
    if n_pairs >= 2 && n_pairs == lines().count() {
        return Some("lines of key and value");
    }
    (label == "csv" || is_csv(body)).then_some("CSV")
}

fn marked(text: &str) -> Option<&'static str> {
    let begins = |mark: &&str| {
        let lines = text.lines().take(N_LINES).map(str::trim_start);
        lines.into_iter().any(|it| it.starts_with(*mark))
    };
    // A first word such as "from" or "let" is English too: the text must have a sign of code as well.
    let is_sure = |language: &str| match language {
        "Python code" => is_python(text),
        "JavaScript code" => {
            text.contains("=>") || text.contains(';') || text.contains("){") || text.contains(") {")
        }
        _ => true,
    };
    LANGUAGES
        .iter()
        .find(|(language, starts, signs)| {
            starts.iter().any(|it| begins(&it))
                && signs.iter().any(|it| text.contains(it))
                && is_sure(language)
        })
        .map(|it| it.0)
}

/// Python's own signs: a block, a call as a line, an import, an assignment.
fn is_python(text: &str) -> bool {
    text.lines().map(str::trim_end).any(|line| {
        let begin = line.trim_start();
        let is_block = line.ends_with(':')
            && ["def ", "class ", "for ", "if ", "with ", "async def "]
                .iter()
                .any(|it| begin.starts_with(it))
            && (begin.contains('(') || begin.contains(" in ") || begin.contains("=="));
        let n_words = begin.split_whitespace().count();
        let is_import = begin.starts_with("import ")
            && n_words <= 4
            && !begin.contains(';')
            && !begin.contains('\'');
        let is_from = begin.starts_with("from ")
            && begin.contains(" import ")
            && !begin.contains(['\'', ';']);
        is_block
            || is_import
            || is_from
            || begin.starts_with("print(")
            || (begin.starts_with("def ") && begin.contains("):"))
    })
}

/// A fence's label and what stands in it.
fn fenced(text: &str) -> Option<(&str, &str)> {
    let start = text.find("```")? + 3;
    let rest = &text[start..];
    let (label, body) = rest.split_once('\n')?;
    let end = body.find("```").unwrap_or(body.len());
    Some((label.trim(), &body[..end]))
}

fn is_yaml(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().filter(|it| !it.trim().is_empty()).collect();
    let is_nested = lines
        .iter()
        .any(|it| it.starts_with(' ') || it.starts_with("- "));
    let is_line = |it: &&&str| {
        let body = it.trim_start().trim_start_matches("- ");
        is_pair(body) || it.trim_start().starts_with("- ")
    };
    let n = lines.iter().filter(is_line).count();
    let n_pairs = lines
        .iter()
        .filter(|it| is_pair(it.trim_start().trim_start_matches("- ")))
        .count();
    lines.len() >= 2
        && n == lines.len()
        && n_pairs * 2 > lines.len()
        && (is_nested || text.starts_with("---"))
}

/// `name: apples`
fn is_pair(line: &str) -> bool {
    let Some((key, value)) = line.split_once([':', '：']) else {
        return false;
    };
    let is_key = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | '*');
    !key.is_empty()
        && key.chars().count() <= 30
        && key.chars().all(is_key)
        && (value.is_empty() || value.starts_with([' ', '*']) || !value.is_ascii())
}

fn is_bullet(line: &str) -> bool {
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered =
        number.len() < line.len() && (number.starts_with(". ") || number.starts_with(") "));
    is_numbered
        || ["- ", "* ", "• ", "・", "+ "]
            .iter()
            .any(|it| line.starts_with(it))
}

fn is_csv(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().filter(|it| !it.trim().is_empty()).collect();
    let n_commas = |it: &&str| it.matches(',').count();
    let first = lines.first().map_or(0, n_commas);
    let is_header = lines.first().is_some_and(|it| {
        !it.contains(['.', '!', '?']) && it.split(',').all(|f| f.split_whitespace().count() <= 2)
    });
    first > 0 && is_header && lines.len() >= 2 && lines.iter().all(|it| n_commas(it) == first)
}
