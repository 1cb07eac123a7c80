//! A thin context of our own over llama.cpp, with a guard before each call that could end the process.
#![expect(
    unsafe_code,
    reason = "llama-cpp-2's context has no abort callback, no bound on outputs, and borrows its model"
)]

use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_void};
use std::io::Write as _;
use std::ptr::NonNull;
use std::sync::Arc;

use llama_cpp_2::model::LlamaModel;
use llama_cpp_sys_2 as sys;

use super::row::{ContextSettings, Place};
use super::watch::{DecodeError, Watch};
use crate::engine::FlashAttention;

/// Sequences of tokens with their keys and values, on a model that it keeps alive.
pub(super) struct Context {
    ptr: NonNull<sys::llama_context>,
    settings: ContextSettings,
    n_vocab: u32,
    /// Where the last `decode` was asked for logits, by places in its row.
    outputs: Vec<i32>,
    threads: NonNull<sys::ggml_threadpool>,
    // Declared last, so that it is dropped after `Drop` freed the context that points into it.
    _model: Arc<LlamaModel>,
}

// SAFETY: a llama_context may be used from any thread, one at a time, which `&mut self` ensures.
unsafe impl Send for Context {}

impl Context {
    /// Fails with llama.cpp's own words, or when the model cannot write text.
    pub(super) fn new(model: Arc<LlamaModel>, settings: ContextSettings) -> Result<Self, String> {
        let (n_ctx, n_batch) = (settings.n_ctx, settings.n_batch);
        if [n_ctx, n_batch, settings.n_threads, settings.n_sequences].contains(&0) {
            return Err("a context needs at least one token, sequence and thread".to_owned());
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
        let Some(threads) = threads(settings.n_threads) else {
            // SAFETY: the context was just made, and nobody else has it.
            unsafe { sys::llama_free(ptr.as_ptr()) };
            return Err("there are no threads to compute on".to_owned());
        };
        // SAFETY: both are alive, and the threads are freed behind the context.
        unsafe { sys::llama_attach_threadpool(ptr.as_ptr(), threads.as_ptr(), threads.as_ptr()) };
        let res = Self {
            ptr,
            settings,
            n_vocab,
            outputs: Vec::new(),
            threads,
            _model: model,
        };
        if res.memory().is_none() {
            return Err("it is no model that writes text token by token".to_owned());
        }
        Ok(res)
    }

    pub(super) fn settings(&self) -> ContextSettings {
        self.settings
    }

    /// How many tokens some of the model's layers look back at most; none where all look back to the beginning.
    pub(super) fn window(&self) -> Option<u32> {
        // SAFETY: the context is alive, and so is its model.
        let n_tokens = unsafe {
            let model = sys::llama_get_model(self.ptr.as_ptr());
            sys::llama_model_n_swa(model)
        };
        u32::try_from(n_tokens).ok().filter(|it| *it > 0)
    }

    /// Evaluates tokens in one row; after an error what it was to change is undefined.
    pub(super) fn decode(&mut self, row: &[Place], watch: &Watch) -> Result<(), DecodeError> {
        self.settings.check(row, self.n_vocab)?;
        self.outputs.clear();
        let (code, log) = capture_log(|| self.evaluate(row, watch));
        match code {
            0 => {
                let wanted = (0..).zip(row).filter(|it| it.1.wants_logits);
                self.outputs.extend(wanted.map(|it| it.0));
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

    /// What the last `decode` was asked for, in the order of its row: a logit for each token of the vocabulary.
    pub(super) fn logits(&mut self) -> Vec<&[f32]> {
        let row = |idx: &i32| {
            // SAFETY: llama.cpp keeps the outputs of a decode until the next call that needs `&mut self`, and gives
            // null where there are none.
            unsafe {
                let row = sys::llama_get_logits_ith(self.ptr.as_ptr(), *idx);
                (!row.is_null()).then(|| std::slice::from_raw_parts(row, self.n_vocab as usize))
            }
        };
        self.outputs.iter().filter_map(row).collect()
    }

    /// Forgets a sequence's tokens from this place on. A model whose memory cannot go back to a place, such as a
    /// recurrent one, says false, and forgets nothing.
    pub(super) fn forget(&mut self, sequence: u32, from: u32) -> bool {
        self.outputs.clear();
        let [sequence, from] = [sequence, from].map(u32::cast_signed);
        // SAFETY: the memory belongs to the living context.
        self.memory()
            .is_some_and(|it| unsafe { sys::llama_memory_seq_rm(it.as_ptr(), sequence, from, -1) })
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.outputs.clear();
        if let Some(memory) = self.memory() {
            // SAFETY: the memory belongs to the living context.
            unsafe { sys::llama_memory_clear(memory.as_ptr(), false) };
        }
    }

    /// Gives one sequence all that another has evaluated. What it had itself must be forgotten.
    pub(super) fn copy(&mut self, from: u32, to: u32) {
        let is_known = |it: u32| it < self.settings.n_sequences;
        let Some(memory) = self.memory().filter(|_| is_known(from) && is_known(to)) else {
            return;
        };
        let [from, to] = [from, to].map(u32::cast_signed);
        // SAFETY: the memory belongs to the living context, and both sequences are among its own.
        unsafe { sys::llama_memory_seq_cp(memory.as_ptr(), from, to, -1, -1) };
    }

    /// What a sequence has evaluated, to be given back later; nothing where that cannot be had or takes more than
    /// `most` bytes.
    pub(super) fn save(&mut self, sequence: u32, most: usize) -> Option<Vec<u8>> {
        let sequence = sequence.cast_signed();
        let ptr = self.ptr.as_ptr();
        // SAFETY: the context is alive, and the buffer has the length that is told.
        unsafe {
            let n_bytes = sys::llama_state_seq_get_size(ptr, sequence);
            if n_bytes > most {
                return None;
            }
            let mut bytes = vec![0; n_bytes];
            let n = sys::llama_state_seq_get_data(ptr, bytes.as_mut_ptr(), bytes.len(), sequence);
            (n > 0 && n == bytes.len()).then_some(bytes)
        }
    }

    /// Gives a sequence back what `save` took of it from this very context; false where that failed.
    pub(super) fn restore(&mut self, sequence: u32, bytes: &[u8]) -> bool {
        self.outputs.clear();
        let (ptr, n) = (self.ptr.as_ptr(), bytes.len());
        // SAFETY: the context is alive, and the bytes came from it.
        let n_read = unsafe {
            sys::llama_state_seq_set_data(ptr, bytes.as_ptr(), n, sequence.cast_signed())
        };
        n_read == n
    }

    /// Calls llama.cpp with tokens that passed the guard; gives its code.
    fn evaluate(&mut self, row: &[Place], watch: &Watch) -> i32 {
        let n_tokens = row.len();
        let mut ids: Vec<sys::llama_token> = row.iter().map(|it| it.token.cast_signed()).collect();
        let positions = row.iter().map(|it| it.position.cast_signed());
        let mut positions: Vec<sys::llama_pos> = positions.collect();
        let mut n_sequences = vec![1_i32; n_tokens];
        let sequences = row.iter().map(|it| it.sequence.cast_signed());
        let mut sequences: Vec<sys::llama_seq_id> = sequences.collect();
        let mut places: Vec<*mut sys::llama_seq_id> =
            sequences.iter_mut().map(std::ptr::from_mut).collect();
        let mut outputs: Vec<i8> = row.iter().map(|it| i8::from(it.wants_logits)).collect();
        let batch = sys::llama_batch {
            n_tokens: (n_tokens as u32).cast_signed(),
            token: ids.as_mut_ptr(),
            embd: std::ptr::null_mut(),
            pos: positions.as_mut_ptr(),
            n_seq_id: n_sequences.as_mut_ptr(),
            seq_id: places.as_mut_ptr(),
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

    fn memory(&self) -> Option<NonNull<sys::llama_memory_i>> {
        // SAFETY: the context is alive.
        NonNull::new(unsafe { sys::llama_get_memory(self.ptr.as_ptr()) })
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the pointers came from llama_init_from_model and ggml_threadpool_new and are freed once, the threads
        // last: the context refers to them.
        unsafe {
            sys::llama_free(self.ptr.as_ptr());
            sys::ggml_threadpool_free(self.threads.as_ptr());
        }
    }
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

/// Threads that stay from one `decode` to the next: without them, llama.cpp starts new ones for every token.
fn threads(n_threads: u32) -> Option<NonNull<sys::ggml_threadpool>> {
    /// How long a thread spins before it sleeps, between 0 and 100: some milliseconds, longer than a token is chosen.
    const POLL: u32 = 1;
    // SAFETY: the parameters are ggml's defaults with a number changed; they are only read.
    unsafe {
        let n_threads = i32::try_from(n_threads).unwrap_or(i32::MAX);
        let mut params = sys::ggml_threadpool_params_default(n_threads);
        params.poll = POLL;
        NonNull::new(sys::ggml_threadpool_new(&raw mut params))
    }
}

fn context_params(settings: ContextSettings) -> sys::llama_context_params {
    // SAFETY: only returns numbers.
    let mut params = unsafe { sys::llama_context_default_params() };
    params.n_ctx = settings.n_ctx;
    params.n_batch = settings.n_batch;
    params.n_ubatch = settings.n_batch;
    params.n_seq_max = settings.n_sequences;
    // A memory for each, so that no sequence looks at the others' tokens only to leave them out.
    params.kv_unified = false;
    // What a sliding window has passed stays, so that a sequence can go back to where prompts part.
    params.swa_full = true;
    // The default reserves a row of logits for every token of a batch: half a gigabyte with a large vocabulary.
    params.n_outputs_max = settings.n_sequences;
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
