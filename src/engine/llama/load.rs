//! Loads a model: everything that can be known of the file is checked before llama.cpp sees it.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Sender, unbounded};
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;
use llama_cpp_2::{LlamaBackendDevice, LlamaBackendDeviceType, LlamaModelLoadError};
use sha2::{Digest as _, Sha256};

use crate::engine::{Event, LoadSettings, ModelInfo};
use crate::gguf::{self, Footprint, Header};
use crate::machine;
use crate::sampling;

use super::context::{Context, ContextSettings, capture_log, version};
use super::desk::Desk;
use super::library::backend;
use super::memory::{self, Room};
use super::sequence::Sequence;
use super::vocabulary::ModelVocabulary;
use super::watch::Watch;

/// A model in memory, ready to run.
pub(super) struct Loaded {
    pub(super) model: Arc<LlamaModel>,
    pub(super) sequence: Sequence,
    pub(super) vocabulary: ModelVocabulary,
    pub(super) info: ModelInfo,
    pub(super) footprint: Footprint,
}

impl Loaded {
    pub(super) fn desk(&self) -> Desk<'_> {
        Desk {
            model: &self.model,
            vocabulary: &self.vocabulary,
            n_ctx: self.sequence.settings().n_ctx,
        }
    }

    /// What replies need of the model, and the sequence in which they are evaluated.
    pub(super) fn split(&mut self) -> (Desk<'_>, &mut Sequence) {
        let desk = Desk {
            model: &self.model,
            vocabulary: &self.vocabulary,
            n_ctx: self.sequence.settings().n_ctx,
        };
        (desk, &mut self.sequence)
    }
}

/// Why no model was loaded.
#[derive(Debug)]
pub(super) enum LoadError {
    Failed(String),
    Cancelled,
}

/// Tokens evaluated at once: a prompt can be cancelled between them, and a reply's numbers depend on it.
pub(super) const N_BATCH: u32 = gguf::BATCH;

/// Loads the file, telling progress. Ends early when `watch` is cancelled.
pub(super) fn load(
    (settings, room): (&LoadSettings, Option<Room>),
    watch: &Watch,
    tell: &mut dyn FnMut(Event),
) -> Result<Loaded, LoadError> {
    let started = Instant::now();
    let (header, file) = check_file(&settings.path).map_err(LoadError::Failed)?;
    let context_settings = plan(settings, &header).map_err(LoadError::Failed)?;
    backend().map_err(LoadError::Failed)?;
    if !uses_gpu(settings) {
        memory::check_fit(&header, context_settings, room)
            .map_err(|it| LoadError::Failed(describe(&settings.path, &it)))?;
    }
    let model = Arc::new(load_weights(settings, watch, tell)?);
    let context = Context::new(Arc::clone(&model), context_settings)
        .map_err(|it| LoadError::Failed(describe(&settings.path, &it)))?;
    let vocabulary = ModelVocabulary::new(&model, header.chat_template.clone());
    if watch.is_cancelled() {
        return Err(LoadError::Cancelled);
    }
    let suggested: Vec<_> = header
        .sampling
        .iter()
        .map(|it| (it.key.as_str(), it.value))
        .collect();
    let footprint = header.footprint();
    let info = ModelInfo {
        path: settings.path.clone(),
        name: name(&settings.path, &header),
        architecture: header.architecture,
        quantization: header.quantization,
        bytes: file.n_bytes,
        n_params: model.n_params(),
        n_vocab: vocabulary.n_tokens(),
        n_ctx: context_settings.n_ctx,
        n_ctx_train: header.shape.n_ctx_train,
        n_threads: context_settings.n_threads,
        device: device(settings),
        fingerprint: file.fingerprint,
        chat_template: header.chat_template,
        load_ms: started.elapsed().as_secs_f64() * 1_000.0,
        memory_bytes: machine::resident_memory().unwrap_or(0),
        llama_cpp: version(),
        sampling: sampling::model_defaults(&suggested),
    };
    Ok(Loaded {
        model,
        sequence: Sequence::new(context),
        vocabulary,
        info,
        footprint,
    })
}

/// The devices that llama.cpp can compute on, the processor among them.
pub(super) fn devices() -> Vec<LlamaBackendDevice> {
    match backend() {
        Ok(_) => llama_cpp_2::list_llama_ggml_backend_devices(),
        Err(_) => Vec::new(),
    }
}

/// What the file's outside says.
pub(super) struct FileFacts {
    n_bytes: u64,
    fingerprint: String,
}

pub(super) fn check_file(path: &Path) -> Result<(Header, FileFacts), String> {
    let metadata = fs::metadata(path).map_err(|it| match it.kind() {
        std::io::ErrorKind::NotFound => describe(path, "there is no such file"),
        _ => describe(path, &it.to_string()),
    })?;
    if metadata.is_dir() {
        return Err(describe(
            path,
            "it is a folder; choose the .gguf file in it",
        ));
    }
    if !metadata.is_file() {
        return Err(describe(path, "it is no regular file"));
    }
    if path.to_str().is_none() {
        return Err(describe(path, "its path is not valid UTF-8; rename it"));
    }
    let open =
        || File::open(path).map_err(|it| describe(path, &format!("it cannot be read: {it}")));
    let header = gguf::read_header(open()?).map_err(|it| describe(path, &it.to_string()))?;
    if header.n_vocab == 0 {
        return Err(describe(
            path,
            "it has no vocabulary, so it cannot write text",
        ));
    }
    let n_bytes = metadata.len();
    let fingerprint = fingerprint(open()?, header.header_bytes, n_bytes)
        .map_err(|it| describe(path, &format!("it cannot be read: {it}")))?;
    let facts = FileFacts {
        n_bytes,
        fingerprint,
    };
    Ok((header, facts))
}

/// SHA-256 over the header's bytes and the file's size as eight little-endian bytes, in hexadecimal.
fn fingerprint(file: File, header_bytes: u64, n_bytes: u64) -> std::io::Result<String> {
    let mut hasher = Sha256::new();
    let mut header = file.take(header_bytes);
    let mut buffer = vec![0; 1 << 16];
    loop {
        match header.read(&mut buffer)? {
            0 => break,
            n_read => hasher.update(&buffer[..n_read]),
        }
    }
    hasher.update(n_bytes.to_le_bytes());
    let digest = hasher.finalize();
    let digits =
        |it: &u8| [it >> 4, it & 15].map(|it| char::from(b"0123456789abcdef"[it as usize]));
    Ok(digest.iter().flat_map(digits).collect())
}

fn plan(settings: &LoadSettings, header: &Header) -> Result<ContextSettings, String> {
    let n_ctx_train = header.shape.n_ctx_train;
    let n_ctx = match (settings.n_ctx, n_ctx_train) {
        (0, _) => header.footprint().context(0),
        (wanted, trained) if trained != 0 && wanted > trained => {
            let what = format!(
                "a context of {wanted} tokens is more than the {trained} it was trained for"
            );
            return Err(describe(&settings.path, &what));
        }
        (wanted, _) => wanted.max(MIN_N_CTX),
    };
    let n_threads = match settings.n_threads {
        0 => num_cpus::get_physical().saturating_sub(1).max(1) as u32,
        wanted => wanted.min(MAX_THREADS),
    };
    Ok(ContextSettings {
        n_ctx,
        n_batch: N_BATCH.min(n_ctx),
        n_sequences: 1,
        n_threads,
        flash_attention: settings.flash_attention,
    })
}

const MIN_N_CTX: u32 = 16;
/// llama.cpp's own bound.
const MAX_THREADS: u32 = 512;

/// Loads on a thread of its own, since llama-cpp-2 wants a progress callback that borrows nothing.
fn load_weights(
    settings: &LoadSettings,
    watch: &Watch,
    tell: &mut dyn FnMut(Event),
) -> Result<LlamaModel, LoadError> {
    let (sender, fractions) = unbounded();
    let (path, n_gpu_layers) = (settings.path.clone(), settings.n_gpu_layers);
    let loader_watch = watch.clone();
    let loader = thread::Builder::new()
        .name("load".to_owned())
        .spawn(move || load_file(&path, n_gpu_layers, (loader_watch, sender)))
        .map_err(|it| LoadError::Failed(format!("no thread to load on: {it}")))?;
    let mut told = -1.0_f32;
    for fraction in fractions {
        if fraction - told >= 0.01 {
            told = fraction;
            tell(Event::LoadProgress {
                id: watch.id,
                fraction,
            });
        }
    }
    let (res, log) = loader
        .join()
        .map_err(|_panic| LoadError::Failed("the loading thread ended".to_owned()))?;
    match res {
        _ if watch.is_cancelled() => Err(LoadError::Cancelled),
        Ok(model) => Ok(model),
        Err(error) if log.is_empty() => Err(LoadError::Failed(describe(
            &settings.path,
            &error.to_string(),
        ))),
        Err(_) => Err(LoadError::Failed(describe(&settings.path, &log.join("; ")))),
    }
}

type LoadResult = (Result<LlamaModel, LlamaModelLoadError>, Vec<String>);

fn load_file(
    path: &Path,
    n_gpu_layers: Option<u32>,
    (watch, sender): (Watch, Sender<f32>),
) -> LoadResult {
    let backend = match backend() {
        Ok(it) => it,
        Err(it) => return (Err(LlamaModelLoadError::NullResult), vec![it]),
    };
    let mut params = LlamaModelParams::default().with_progress_callback(move |fraction| {
        sender.send(fraction).is_ok() && !watch.is_cancelled()
    });
    if let Some(n_layers) = n_gpu_layers {
        params = params.with_n_gpu_layers(n_layers);
    }
    capture_log(|| LlamaModel::load_from_file(backend, path, &params))
}

fn uses_gpu(settings: &LoadSettings) -> bool {
    settings.n_gpu_layers != Some(0) && devices().iter().any(is_gpu)
}

fn is_gpu(device: &LlamaBackendDevice) -> bool {
    matches!(
        device.device_type,
        LlamaBackendDeviceType::Gpu | LlamaBackendDeviceType::IntegratedGpu
    )
}

fn device(settings: &LoadSettings) -> String {
    let wants_gpu = uses_gpu(settings);
    let found = devices().into_iter().find(|it| is_gpu(it) == wants_gpu);
    found.map_or_else(|| "CPU".to_owned(), |it| it.description.trim().to_owned())
}

/// The file's name without its ending: what people know a model by. The name inside is often a training run's, but
/// says more than a digest, by which Ollama names its files.
fn name(path: &Path, header: &Header) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    if stem.starts_with("sha256") && !header.name.is_empty() {
        return header.name.clone();
    }
    stem.into_owned()
}

pub(super) fn describe(path: &Path, what: &str) -> String {
    format!("{}: {what}", path.display())
}
