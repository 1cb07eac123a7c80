//! llama.cpp as a library: its start, its versions, and its log and last words in our hands.
#![expect(
    unsafe_code,
    reason = "llama-cpp-2 gives the log to tracing, and says nothing of an abort"
)]

use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_void};
use std::io::Write as _;
use std::sync::OnceLock;

use llama_cpp_2::LlamaCppError;
use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_sys_2 as sys;

/// Starts llama.cpp, once in a process, with its log and its last words in our hands.
pub(super) fn backend() -> Result<&'static LlamaBackend, String> {
    static BACKEND: OnceLock<Result<LlamaBackend, LlamaCppError>> = OnceLock::new();
    BACKEND
        .get_or_init(|| {
            silence();
            LlamaBackend::init()
        })
        .as_ref()
        .map_err(|it| format!("llama.cpp could not start: {it}"))
}

/// Takes llama.cpp's log away from stderr, and keeps an abort from starting a debugger for a backtrace.
pub(super) fn silence() {
    // SAFETY: both callbacks are functions that live as long as the process, and they touch no foreign state.
    unsafe {
        sys::llama_log_set(Some(on_log), std::ptr::null_mut());
        sys::ggml_set_abort_callback(Some(on_abort));
    }
}

/// The crate that brings llama.cpp's sources. They carry no commit, so this is what names them exactly.
const SOURCES: &str = "llama-cpp-sys-2 0.1.161";

/// llama.cpp's and ggml's versions, the crate of their sources, and the commit if the build knew it.
pub(super) fn version() -> String {
    // SAFETY: the three functions return pointers to static text.
    let [llama, ggml, commit] = unsafe {
        [
            sys::llama_version(),
            sys::ggml_version(),
            sys::ggml_commit(),
        ]
        .map(|it| {
            if it.is_null() {
                return String::new();
            }
            CStr::from_ptr(it).to_string_lossy().into_owned()
        })
    };
    let commit = match commit.as_str() {
        "" | "unknown" => String::new(),
        it => format!(", commit {it}"),
    };
    format!("{llama} (ggml {ggml}, {SOURCES}{commit})")
}

/// Runs `work` and gives what llama.cpp warned of or complained about on this thread meanwhile.
pub(super) fn capture_log<T>(work: impl FnOnce() -> T) -> (T, Vec<String>) {
    LOG.with_borrow_mut(Vec::clear);
    let res = work();
    let lines = LOG.with_borrow_mut(std::mem::take);
    let lines = lines.iter().map(|it| it.trim().to_owned());
    (res, lines.filter(|it| !it.is_empty()).collect())
}

thread_local! {
    /// Warnings and errors of the call that this thread is in.
    static LOG: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// A flood of warnings must not become memory.
const MAX_LOG_LINES: usize = 64;

extern "C" fn on_log(level: sys::ggml_log_level, text: *const c_char, _data: *mut c_void) {
    let is_kept = matches!(level, sys::GGML_LOG_LEVEL_WARN | sys::GGML_LOG_LEVEL_ERROR);
    if text.is_null() || !is_kept {
        return;
    }
    // SAFETY: llama.cpp passes text that ends with a zero byte and lives during the call.
    let line = unsafe { CStr::from_ptr(text) }.to_string_lossy();
    // Nothing here may panic: the caller is C++. A log line that cannot be kept is dropped.
    let _kept = LOG.try_with(|log| {
        if let Ok(mut log) = log.try_borrow_mut()
            && log.len() < MAX_LOG_LINES
        {
            log.push(line.into_owned());
        }
    });
}

extern "C" fn on_abort(message: *const c_char) {
    if message.is_null() {
        return;
    }
    // SAFETY: ggml passes text that ends with a zero byte and lives during the call.
    let message = unsafe { CStr::from_ptr(message) };
    let mut stderr = std::io::stderr().lock();
    let _written = stderr
        .write_all(message.to_bytes())
        .and_then(|()| stderr.write_all(b"\n"));
}
