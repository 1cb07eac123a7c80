//! Holds the architecture invariants that the compiler does not know of.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::{Path, PathBuf};

/// Longest file we accept, in lines.
const MAX_LINES: usize = 400;
/// Longest function we accept, in lines, outside `ui` (there clippy holds it to 80).
const MAX_FN_LINES: usize = 50;

/// What each room may not name.
const FORBIDDEN: &[(&str, &[&str])] = &[
    ("src/sampling", PURE),
    ("src/constraint", PURE),
    ("src/ladder", PURE),
    ("src/judge", PURE),
    ("src/prompt", PURE),
    ("src/lab", PURE),
    ("src/gguf", PURE),
    (
        "src/engine",
        &[
            "egui",
            "eframe",
            "crate::app",
            "crate::ui",
            "crate::cli",
            "crate::runner",
            "crate::store",
        ],
    ),
    (
        "src/runner",
        &[
            "egui",
            "eframe",
            "llama_cpp_2",
            "llama_cpp_sys",
            "crate::app",
            "crate::ui",
            "crate::cli",
        ],
    ),
    (
        "src/store",
        &[
            "egui",
            "eframe",
            "llama_cpp_2",
            "llama_cpp_sys",
            "crate::app",
            "crate::ui",
            "crate::cli",
            "crate::engine",
            "crate::runner",
        ],
    ),
    (
        "src/app",
        &[
            "egui",
            "eframe",
            "llama_cpp_2",
            "llama_cpp_sys",
            "crate::ui",
            "crate::cli",
        ],
    ),
    ("src/ui", &["llama_cpp_2", "llama_cpp_sys", "crate::cli"]),
    (
        "src/download",
        &[
            "egui",
            "eframe",
            "llama_cpp_2",
            "llama_cpp_sys",
            "crate::app",
            "crate::ui",
            "crate::cli",
            "crate::engine",
            "crate::runner",
        ],
    ),
];

/// What a room that is pure may not name: no window, no model, no clock, no file, no thread, no other side.
const PURE: &[&str] = &[
    "egui",
    "eframe",
    "llama_cpp_2",
    "llama_cpp_sys",
    "std::fs",
    "std::time",
    "std::thread",
    "std::env",
    "std::process",
    "Instant::now",
    "Timestamp::now",
    "Zoned::now",
    "tempfile",
    "crate::engine",
    "crate::runner",
    "crate::store",
    "crate::app",
    "crate::ui",
    "crate::cli",
];

#[test]
fn rooms_point_one_way() {
    for (room, words) in FORBIDDEN {
        for (path, text) in sources(room) {
            for (idx, line) in text.lines().enumerate() {
                let code = line.split("//").next().unwrap_or_default();
                for word in *words {
                    assert!(
                        !code.contains(word),
                        "{}:{} names {word}",
                        path.display(),
                        idx + 1
                    );
                }
            }
        }
    }
}

#[test]
fn the_runner_records_nothing_itself() {
    for (path, text) in sources("src/runner") {
        // Its tests take their presets and tasks from the library.
        if path.components().any(|it| it.as_os_str() == "tests.rs") {
            continue;
        }
        assert!(
            !text.contains("crate::store"),
            "{} names crate::store",
            path.display()
        );
    }
}

#[test]
fn the_window_leaves_every_change_of_state_to_the_app() {
    for (path, text) in sources("src/ui") {
        for (idx, line) in text.lines().enumerate() {
            assert!(
                !assigns_to_the_model(line),
                "{}:{} changes the model's state; app does that",
                path.display(),
                idx + 1
            );
        }
    }
}

#[test]
fn only_the_llama_backend_names_llama_cpp() {
    for (path, text) in sources("src") {
        if path.components().any(|it| it.as_os_str() == "llama") {
            continue;
        }
        for word in ["llama_cpp_2", "llama_cpp_sys_2"] {
            assert!(!text.contains(word), "{} names {word}", path.display());
        }
    }
}

#[test]
fn only_downloads_touch_the_network() {
    for (path, text) in sources("src") {
        if path.ends_with("src/download/http.rs") || path.ends_with("src/download/control.rs") {
            continue;
        }
        for word in ["ureq::", "TcpStream", "UdpSocket"] {
            assert!(!text.contains(word), "{} names {word}", path.display());
        }
    }
    for room in ["src/engine", "src/runner", "src/store"] {
        for (path, text) in sources(room) {
            assert!(
                !text.contains("crate::download"),
                "{} names crate::download",
                path.display()
            );
        }
    }
}

#[test]
fn unsafe_code_lives_in_one_file() {
    let files: Vec<_> = sources("src")
        .into_iter()
        .filter(|it| it.1.contains("expect(unsafe_code"))
        .collect();
    assert!(files.len() <= 1, "{files:?}");
}

#[test]
fn every_file_says_what_it_is_for() {
    for (path, text) in sources("src") {
        assert!(
            text.starts_with("//! "),
            "{} has no module doc",
            path.display()
        );
    }
}

#[test]
fn files_stay_short() {
    for (path, text) in sources("src") {
        let n_lines = text.lines().count();
        assert!(
            n_lines <= MAX_LINES,
            "{} has {n_lines} lines",
            path.display()
        );
    }
}

#[test]
fn functions_stay_short() {
    for (path, text) in sources("src") {
        if path.starts_with(root().join("src/ui")) {
            continue;
        }
        for (line, n_lines) in functions(&text) {
            assert!(
                n_lines <= MAX_FN_LINES,
                "{}:{line} is a function of {n_lines} lines",
                path.display()
            );
        }
    }
}

#[test]
fn no_module_hides_behind_an_empty_word() {
    for (path, _) in sources("src") {
        for word in ["utils", "helper", "manager", "common", "misc"] {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            assert!(!name.contains(word), "{} says nothing", path.display());
        }
    }
}

#[test]
fn every_shipped_file_is_in_the_binary() {
    let folders = [
        ("presets", "json", stepladder::lab::shipped_presets()),
        ("presets/tasks", "json", stepladder::prompt::shipped_tasks()),
        ("presets/replies", "json", stepladder::app::sample_files()),
        ("grammars", "gbnf", stepladder::constraint::grammars()),
    ];
    for (folder, extension, shipped) in folders {
        let mut n_files = 0;
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|it| it == extension) {
                let text = fs::read_to_string(&path).unwrap();
                assert!(
                    shipped.iter().any(|it| it.1 == text),
                    "{} is not shipped",
                    path.display()
                );
                n_files += 1;
            }
        }
        assert_eq!(n_files, shipped.len(), "{folder}");
    }
}

/// The first line and the number of lines of each function, read off the indentation that rustfmt gives.
fn functions(text: &str) -> Vec<(usize, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut res = Vec::new();
    for (idx, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        let indent = line.len() - code.len();
        if !is_fn(code) || code.ends_with(';') {
            continue;
        }
        let end = format!("{}}}", " ".repeat(indent));
        if let Some(n) = lines[idx..].iter().position(|it| *it == end) {
            res.push((idx + 1, n + 1));
        }
    }
    res
}

/// Whether a line begins a function, whatever stands before its `fn`.
fn is_fn(code: &str) -> bool {
    let mut rest = code;
    if let Some(behind) = rest.strip_prefix("pub(") {
        let Some((_, behind)) = behind.split_once(") ") else {
            return false;
        };
        rest = behind;
    }
    let words = ["pub ", "const ", "async ", "unsafe ", "extern \"C\" "];
    while let Some(behind) = words.iter().find_map(|it| rest.strip_prefix(it)) {
        rest = behind;
    }
    rest.starts_with("fn ")
}

#[test]
fn every_kind_of_function_is_measured() {
    for code in [
        "fn a() {",
        "pub const fn a() {",
        "pub(in crate::engine) fn a() {",
        "unsafe fn a() {",
        "pub(super) unsafe extern \"C\" fn a() {",
    ] {
        assert!(is_fn(code), "{code}");
    }
    assert!(!is_fn("let f = |a| a;") && !is_fn("pub(crate) struct A {"));
}

/// Whether a line sets a field of the window's model, such as `self.model.models = found;`.
fn assigns_to_the_model(line: &str) -> bool {
    let Some(rest) = line.trim_start().strip_prefix("self.model.") else {
        return false;
    };
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '.');
    let behind = rest[end.unwrap_or(rest.len())..].trim_start();
    let operator = behind.trim_start_matches(['+', '-', '*', '/', '|', '&']);
    operator.starts_with('=') && !operator.starts_with("==")
}

#[test]
fn an_assignment_to_the_model_is_seen() {
    assert!(assigns_to_the_model("    self.model.models = models;"));
    assert!(assigns_to_the_model("self.model.draft.seed += 1;"));
    assert!(!assigns_to_the_model("self.model.draft.seed == 1"));
    assert!(!assigns_to_the_model("self.model.notices.len();"));
}

fn sources(dir: &str) -> Vec<(PathBuf, String)> {
    let mut res = Vec::new();
    visit(&mut res, &root().join(dir));
    assert!(!res.is_empty(), "{dir} has no sources");
    res
}

fn visit(acc: &mut Vec<(PathBuf, String)>, dir: &Path) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            visit(acc, &path);
        } else if path.extension().is_some_and(|it| it == "rs") {
            acc.push((path.clone(), fs::read_to_string(&path).unwrap()));
        }
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
