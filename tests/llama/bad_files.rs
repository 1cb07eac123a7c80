//! Files that are no usable model: each is refused with a message, and nothing ends the process.

use std::fs;
use std::path::Path;

use stepladder::engine::llama::LlamaBackend;
use stepladder::engine::{Cancel, Event, LoadSettings, RunId};

use super::setup::{Asked, greedy, instruct_path, load, settings};

#[track_caller]
fn check_refused(path: &Path, part: &str) {
    check_settings(settings(path), part);
}

#[track_caller]
fn check_settings(settings: LoadSettings, part: &str) {
    let path = settings.path.display().to_string();
    let events = load(&mut LlamaBackend::new(), settings, &Cancel::default());
    match events.last() {
        Some(Event::LoadFailed { message, .. }) => {
            assert!(message.contains(part), "{message:?} lacks {part:?}");
            assert!(message.contains(&path), "{message:?} lacks the path");
        }
        other => panic!("{other:?}"),
    }
}

/// The real model with some of its bytes changed, in a folder that is removed with it.
fn changed(change: impl FnOnce(&mut Vec<u8>)) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.gguf");
    let mut bytes = fs::read(instruct_path()).unwrap();
    change(&mut bytes);
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn position(bytes: &[u8], of: &[u8]) -> usize {
    bytes.windows(of.len()).position(|it| it == of).unwrap()
}

#[test]
fn a_missing_file_is_named() {
    check_refused(Path::new("/nowhere/model.gguf"), "there is no such file");
}

#[test]
fn a_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    check_refused(folder.path(), "it is a folder");
}

#[cfg(unix)]
#[test]
fn a_device_is_no_regular_file() {
    check_refused(Path::new("/dev/null"), "no regular file");
}

#[test]
fn another_kind_of_file_is_named_by_how_it_starts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.gguf");
    fs::write(&path, "Dear diary").unwrap();
    check_refused(&path, "not a GGUF file: it starts with \"Dear\"");
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read_is_named() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("secret.gguf");
    fs::write(&path, "GGUF").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    // The system's own user reads everything; the file is then refused for being cut.
    let part = if fs::read(&path).is_ok() {
        "cut"
    } else {
        "cannot be read"
    };
    check_refused(&path, part);
}

#[test]
fn a_model_cut_short_is_named() {
    for n_kept in [100, 100_000, 50_000_000] {
        let (_folder, path) = changed(|it| it.truncate(n_kept));
        check_refused(&path, "cut:");
    }
}

#[test]
fn an_absurd_block_count_never_reaches_llama_cpp() {
    let key = b"llama.block_count";
    for count in [0_u32, 1_000, u32::MAX] {
        let (_folder, path) = changed(|bytes| {
            let at = position(bytes, key) + key.len() + 4;
            bytes[at..at + 4].copy_from_slice(&count.to_le_bytes());
        });
        check_refused(&path, "llama.block_count is");
    }
}

#[test]
fn an_unknown_architecture_fails_with_the_words_of_llama_cpp() {
    let (_folder, path) = changed(|bytes| {
        let n_header = 2_000_000.min(bytes.len());
        while let Some(at) = bytes[..n_header].windows(5).position(|it| it == b"llama") {
            bytes[at..at + 5].copy_from_slice(b"lhama");
        }
    });
    check_refused(&path, "lhama");
}

#[test]
fn weights_that_are_no_numbers_fail_the_run_and_not_the_process() {
    let (_folder, path) = changed(|bytes| {
        let header = stepladder::gguf::read_header(std::io::Cursor::new(&*bytes)).unwrap();
        bytes[header.header_bytes as usize..].fill(0xFF);
    });
    let message = Asked::new(settings(path))
        .run(&greedy("Hello", 5))
        .unwrap_err();
    assert!(message.contains("NaN"), "{message}");
}

#[test]
fn a_context_beyond_what_the_model_was_trained_for_is_refused() {
    let mut wanted = settings(instruct_path());
    wanted.n_ctx = 100_000;
    check_settings(wanted, "100000 tokens is more than the 8192");
}

#[test]
fn a_cancelled_load_says_so() {
    let cancel = Cancel::default();
    cancel.request(RunId(1));
    let events = load(&mut LlamaBackend::new(), settings(instruct_path()), &cancel);
    assert_eq!(events.last(), Some(&Event::LoadCancelled { id: RunId(1) }));
}

#[test]
fn a_failed_load_leaves_no_model_behind() {
    use stepladder::engine::{Backend as _, Command};
    let mut backend = LlamaBackend::new();
    load(&mut backend, settings(instruct_path()), &Cancel::default());
    load(
        &mut backend,
        settings("/nowhere/model.gguf"),
        &Cancel::default(),
    );
    let mut told = Vec::new();
    let command = Command::Run {
        id: RunId(2),
        request: Box::new(greedy("Hello", 5)),
    };
    backend.execute(command, &Cancel::default(), &mut |it| told.push(it));
    assert!(matches!(&told[..], [Event::RunFailed { .. }]), "{told:?}");
}

#[test]
fn a_loaded_model_tells_what_it_is() {
    let model = Asked::new(settings(instruct_path()));
    let info = &model.info;
    assert_eq!(info.architecture, "llama");
    assert_eq!(info.n_vocab, 49_152);
    assert_eq!(info.n_ctx, 2_048);
    assert_eq!(info.n_params, 134_515_008);
    assert_eq!(info.fingerprint.len(), 64);
    assert!(info.n_threads >= 1);
    assert!(info.load_ms > 0.0 && info.memory_bytes > 0);
    assert!(!info.device.is_empty() && !info.llama_cpp.is_empty());
    assert!(info.chat_template.is_some());
}
