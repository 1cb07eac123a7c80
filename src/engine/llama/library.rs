//! llama.cpp itself, as far as a process has it once.

use std::sync::OnceLock;

use llama_cpp_2::LlamaCppError;
use llama_cpp_2::llama_backend::LlamaBackend;

use super::context::silence;

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
