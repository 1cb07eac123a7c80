//! A thin context of our own over llama.cpp, with a guard before each call that could end the process.
#![expect(
    unsafe_code,
    reason = "llama-cpp-2's context has no abort callback, no bound on outputs, and borrows its model"
)]

use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_void};
use std::io::Write as _;
use std::ptr::NonNull;
use std::sync::{Arc, OnceLock};

use llama_cpp_2::LlamaCppError;
use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_sys_2 as sys;

use super::watch::{DecodeError, Watch};
use crate::engine::FlashAttention;
use crate::sampling::TokenId;

/// How a context is made. Tokens and threads; all above 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContextSettings {
    pub(super) n_ctx: u32,
    /// The longest row of tokens that one `decode` takes.
    pub(super) n_batch: u32,
    pub(super) n_threads: u32,
    pub(super) flash_attention: FlashAttention,
}

/// One sequence of tokens with its keys and values, on a model that it keeps alive.
pub(super) struct Context {
    ptr: NonNull<sys::llama_context>,
    n_ctx: u32,
    n_batch: u32,
    n_vocab: u32,
    n_past: u32,
    /// What the sequence begins with, as far as it was evaluated in rows of `n_batch` tokens.
    rows: Vec<TokenId>,
    has_logits: bool,
    // Declared last, so that it is dropped after `Drop` freed the context that points into it.
    model: Arc<LlamaModel>,
}

// SAFETY: a llama_context may be used from any thread, one at a time, which `&mut self` ensures.
unsafe impl Send for Context {}

impl Context {
    /// Fails with llama.cpp's own words, or when the model cannot write text.
    pub(super) fn new(model: Arc<LlamaModel>, settings: ContextSettings) -> Result<Self, String> {
        if settings.n_ctx == 0 || settings.n_batch == 0 || settings.n_threads == 0 {
            return Err("a context needs at least one token and one thread".to_owned());
        }
        let n_vocab = u32::try_from(model.n_vocab()).unwrap_or(0);
        let raw_model = model_ptr(&model);
        // SAFETY: the model is alive; these only read it.
        let writes_text = unsafe {
            sys::llama_model_has_decoder(raw_model)
                && !sys::llama_model_has_encoder(raw_model)
                && !sys::llama_model_is_diffusion(raw_model)
        };
        if !writes_text || n_vocab == 0 {
            return Err("it is no model that writes text token by token".to_owned());
        }
        // SAFETY: the parameters are llama.cpp's defaults with plain numbers changed; the model is alive.
        let (ptr, log) = capture_log(|| unsafe {
            sys::llama_init_from_model(raw_model, context_params(settings))
        });
        let ptr = NonNull::new(ptr).ok_or_else(|| {
            let reason = log.join("; ");
            format!("llama.cpp could not make a context: {reason}")
        })?;
        let res = Self {
            ptr,
            n_ctx: settings.n_ctx,
            n_batch: settings.n_batch,
            n_vocab,
            n_past: 0,
            rows: Vec::new(),
            has_logits: false,
            model,
        };
        if res.memory().is_none() {
            return Err("it is no model that writes text token by token".to_owned());
        }
        Ok(res)
    }

    pub(super) fn model(&self) -> &LlamaModel {
        &self.model
    }

    pub(super) fn n_ctx(&self) -> u32 {
        self.n_ctx
    }

    /// The longest row of tokens that one `decode` takes.
    pub(super) fn n_batch(&self) -> u32 {
        self.n_batch
    }

    /// Tokens of the sequence that are evaluated.
    pub(super) fn n_past(&self) -> u32 {
        self.n_past
    }

    /// Evaluates tokens behind those already evaluated; after an error the sequence is undefined until `keep`.
    pub(super) fn decode(
        &mut self,
        tokens: &[TokenId],
        wants_logits: bool,
        watch: &Watch,
    ) -> Result<(), DecodeError> {
        self.guard(tokens)?;
        self.has_logits = false;
        let is_row =
            tokens.len() == self.n_batch as usize && self.rows.len() == self.n_past as usize;
        let rows = std::mem::take(&mut self.rows);
        let (code, log) = capture_log(|| self.evaluate(tokens, wants_logits, watch));
        match code {
            0 => {
                self.rows = rows;
                if is_row {
                    self.rows.extend_from_slice(tokens);
                }
                self.n_past += tokens.len() as u32;
                self.has_logits = wants_logits;
                Ok(())
            }
            2 => Err(DecodeError::Cancelled),
            _ if watch.is_cancelled() => Err(DecodeError::Cancelled),
            code => Err(DecodeError::Failed {
                code,
                log: log.join("; "),
            }),
        }
    }

    /// The logits after the last token, one for each id, if the last `decode` asked for them.
    pub(super) fn logits(&mut self) -> Option<&[f32]> {
        if !self.has_logits {
            return None;
        }
        // SAFETY: the last decode made one row of outputs; llama.cpp keeps it until the next call that needs
        // `&mut self`, and gives null when there is none.
        unsafe {
            let row = sys::llama_get_logits_ith(self.ptr.as_ptr(), -1);
            if row.is_null() {
                return None;
            }
            Some(std::slice::from_raw_parts(row, self.n_vocab as usize))
        }
    }

    /// Makes room for another sequence and gives how many of its tokens need not be evaluated: those that stand in
    /// whole rows at the old sequence's begin. The last token is never among them, since its logits are asked for.
    pub(super) fn keep(&mut self, tokens: &[TokenId]) -> usize {
        let n_row = self.n_batch as usize;
        let same = self.rows.iter().zip(tokens).take_while(|it| it.0 == it.1);
        let n_same = same.count().min(tokens.len().saturating_sub(1));
        let n_kept = n_same / n_row * n_row;
        let n_kept = if self.forget_behind(n_kept) {
            n_kept
        } else {
            0
        };
        self.rows.truncate(n_kept);
        self.n_past = n_kept as u32;
        self.has_logits = false;
        n_kept
    }

    /// Forgets the tokens from this place on, or all of them. A model whose memory cannot go back to a place, such as
    /// a recurrent one, says false to the former.
    fn forget_behind(&mut self, n_kept: usize) -> bool {
        let Some(memory) = self.memory() else {
            return false;
        };
        // SAFETY: the memory belongs to the living context.
        unsafe {
            if n_kept > 0
                && sys::llama_memory_seq_rm(memory.as_ptr(), 0, (n_kept as u32).cast_signed(), -1)
            {
                return true;
            }
            sys::llama_memory_clear(memory.as_ptr(), false);
        }
        n_kept == 0
    }

    /// Calls llama.cpp with tokens that passed the guard; gives its code.
    fn evaluate(&mut self, tokens: &[TokenId], wants_logits: bool, watch: &Watch) -> i32 {
        let n_tokens = tokens.len();
        let mut ids: Vec<sys::llama_token> = tokens.iter().map(|it| it.cast_signed()).collect();
        let first = self.n_past.cast_signed();
        let mut positions: Vec<sys::llama_pos> = (first..).take(n_tokens).collect();
        let mut n_sequences = vec![1_i32; n_tokens];
        let mut sequence: sys::llama_seq_id = 0;
        let mut sequences = vec![&raw mut sequence; n_tokens];
        let mut outputs = vec![0_i8; n_tokens];
        outputs[n_tokens - 1] = i8::from(wants_logits);
        let batch = sys::llama_batch {
            n_tokens: (n_tokens as u32).cast_signed(),
            token: ids.as_mut_ptr(),
            embd: std::ptr::null_mut(),
            pos: positions.as_mut_ptr(),
            n_seq_id: n_sequences.as_mut_ptr(),
            seq_id: sequences.as_mut_ptr(),
            logits: outputs.as_mut_ptr(),
        };
        // SAFETY: the context is alive, the batch's arrays have `n_tokens` items and outlive the call,
        // ids and positions were checked, and the watch is borrowed until the callback is taken away.
        unsafe {
            let data = std::ptr::from_ref(watch).cast_mut().cast::<c_void>();
            sys::llama_set_abort_callback(self.ptr.as_ptr(), Some(is_cancelled), data);
            let code = sys::llama_decode(self.ptr.as_ptr(), batch);
            sys::llama_synchronize(self.ptr.as_ptr());
            sys::llama_set_abort_callback(self.ptr.as_ptr(), None, std::ptr::null_mut());
            code
        }
    }

    fn guard(&self, tokens: &[TokenId]) -> Result<(), DecodeError> {
        let n_tokens = tokens.len();
        if n_tokens == 0 || n_tokens > self.n_batch as usize {
            let n_batch = self.n_batch;
            return Err(DecodeError::BatchSize { n_tokens, n_batch });
        }
        let (n_past, n_ctx) = (self.n_past, self.n_ctx);
        if n_past as usize + n_tokens > n_ctx as usize {
            return Err(DecodeError::ContextFull {
                n_tokens,
                n_past,
                n_ctx,
            });
        }
        let n_vocab = self.n_vocab;
        match tokens.iter().find(|it| **it >= n_vocab) {
            Some(&token) => Err(DecodeError::UnknownToken { token, n_vocab }),
            None => Ok(()),
        }
    }

    fn memory(&self) -> Option<NonNull<sys::llama_memory_i>> {
        // SAFETY: the context is alive.
        NonNull::new(unsafe { sys::llama_get_memory(self.ptr.as_ptr()) })
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the pointer came from llama_init_from_model and is freed once.
        unsafe { sys::llama_free(self.ptr.as_ptr()) };
    }
}

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
    if text.is_null() || level == sys::GGML_LOG_LEVEL_DEBUG {
        return;
    }
    // SAFETY: llama.cpp passes text that ends with a zero byte and lives during the call.
    let line = unsafe { CStr::from_ptr(text) }.to_string_lossy();
    super::log::pass_on(&line);
    if !is_kept {
        return;
    }
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

extern "C" fn is_cancelled(data: *mut c_void) -> bool {
    // SAFETY: `decode` set the data to a watch that it borrows for as long as the callback is set.
    unsafe { &*data.cast_const().cast::<Watch>() }.is_cancelled()
}

fn context_params(settings: ContextSettings) -> sys::llama_context_params {
    // SAFETY: only returns numbers.
    let mut params = unsafe { sys::llama_context_default_params() };
    params.n_ctx = settings.n_ctx;
    params.n_batch = settings.n_batch;
    params.n_ubatch = settings.n_batch;
    params.n_seq_max = 1;
    // The default reserves a row of logits for every token of a batch: half a gigabyte with a large vocabulary.
    params.n_outputs_max = 1;
    let n_threads = i32::try_from(settings.n_threads).unwrap_or(i32::MAX);
    params.n_threads = n_threads;
    params.n_threads_batch = n_threads;
    params.flash_attn_type = match settings.flash_attention {
        FlashAttention::Auto => sys::LLAMA_FLASH_ATTN_TYPE_AUTO,
        FlashAttention::On => sys::LLAMA_FLASH_ATTN_TYPE_ENABLED,
        FlashAttention::Off => sys::LLAMA_FLASH_ATTN_TYPE_DISABLED,
    };
    params.no_perf = true;
    params
}

/// llama-cpp-2 keeps the pointer to itself; its model is a transparent wrapper around it, and its version is pinned.
fn model_ptr(model: &LlamaModel) -> *mut sys::llama_model {
    const {
        assert!(size_of::<LlamaModel>() == size_of::<*mut sys::llama_model>());
        assert!(align_of::<LlamaModel>() == align_of::<*mut sys::llama_model>());
    }
    // SAFETY: `LlamaModel` is `repr(transparent)` over a non-null pointer to the model.
    unsafe { std::mem::transmute_copy(model) }
}
