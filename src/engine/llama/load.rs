//! Loads a model: everything that can be known of the file is checked before llama.cpp sees it.

use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Sender, unbounded};
use llama_cpp_2::LlamaModelLoadError;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;

use crate::engine::{Chosen, Event, LoadSettings, ModelInfo, choose};
use crate::gguf::{BATCH, Footprint, Header};
use crate::machine;
use crate::sampling::{self, ModelDefault};

use super::context::{Context, capture_log, version};
use super::desk::Desk;
use super::devices::{devices, place};
use super::library::backend;
use super::memory::{self, Room};
use super::model_file::{check_file, describe};
use super::row::ContextSettings;
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
pub(super) const N_BATCH: u32 = BATCH;

/// Loads the file, telling progress. Ends early when `watch` is cancelled.
pub(super) fn load(
    (settings, room): (&LoadSettings, Option<Room>),
    watch: &Watch,
    tell: &mut dyn FnMut(Event),
) -> Result<Loaded, LoadError> {
    let started = Instant::now();
    let (header, file) = check_file(&settings.path).map_err(LoadError::Failed)?;
    let context_settings = plan(settings, (&header, &file.footprint)).map_err(LoadError::Failed)?;
    backend().map_err(LoadError::Failed)?;
    let devices = devices();
    let mut chosen = choose(&devices, settings);
    let asked = Asked {
        settings,
        footprint: &file.footprint,
        context_settings,
        watch,
    };
    let (model, context) = asked.bring_up(&mut chosen, room, tell)?;
    let vocabulary = vocabulary(&model, &header, watch)?;
    let info = ModelInfo {
        path: settings.path.clone(),
        name: name(&settings.path, &header),
        architecture: header.architecture.clone(),
        quantization: header.quantization.clone(),
        bytes: file.n_bytes,
        n_params: model.n_params(),
        n_vocab: vocabulary.n_tokens(),
        n_ctx: context_settings.n_ctx,
        n_ctx_train: header.shape.n_ctx_train,
        n_threads: context_settings.n_threads,
        n_batch: context_settings.n_batch,
        layers: layers(&chosen, settings, &header),
        device: chosen.label(&devices),
        device_fallback: chosen.fallback,
        fingerprint: file.fingerprint,
        chat_template: header.chat_template.clone(),
        load_ms: started.elapsed().as_secs_f64() * 1_000.0,
        memory_bytes: machine::resident_memory().unwrap_or(0),
        llama_cpp: version(),
        sampling: suggested(&header),
    };
    Ok(Loaded {
        model,
        sequence: Sequence::new(context),
        vocabulary,
        info,
        footprint: file.footprint,
    })
}

fn vocabulary(
    model: &LlamaModel,
    header: &Header,
    watch: &Watch,
) -> Result<ModelVocabulary, LoadError> {
    let vocabulary = ModelVocabulary::new(model, header.chat_template.clone());
    if watch.is_cancelled() {
        return Err(LoadError::Cancelled);
    }
    Ok(vocabulary)
}

/// The knobs that the file suggests.
fn suggested(header: &Header) -> Vec<ModelDefault> {
    let suggested: Vec<_> = header
        .sampling
        .iter()
        .map(|it| (it.key.as_str(), it.value))
        .collect();
    sampling::model_defaults(&suggested)
}

/// Weights, and a context on them.
type Ready = (Arc<LlamaModel>, Context);

/// What is to be loaded and how.
struct Asked<'a> {
    settings: &'a LoadSettings,
    footprint: &'a Footprint,
    context_settings: ContextSettings,
    watch: &'a Watch,
}

impl Asked<'_> {
    /// Weights and context on what was chosen. A graphics device that refuses leaves the load to the processor, and
    /// `chosen` says so then.
    fn bring_up(
        &self,
        chosen: &mut Chosen,
        room: Option<Room>,
        tell: &mut dyn FnMut(Event),
    ) -> Result<Ready, LoadError> {
        let Some(gpu) = chosen.gpus.first().map(|it| it.name.clone()) else {
            return self.on_cpu(room, tell);
        };
        tell(Event::LoadingOn {
            id: self.watch.id,
            device: gpu.clone(),
        });
        match self.on(chosen, tell) {
            Err(LoadError::Failed(message)) => {
                *chosen = Chosen {
                    gpus: Vec::new(),
                    fallback: Some(format!("{gpu} failed: {message}")),
                };
                self.on_cpu(room, tell)
            }
            other => other,
        }
    }

    fn on_cpu(&self, room: Option<Room>, tell: &mut dyn FnMut(Event)) -> Result<Ready, LoadError> {
        memory::check_fit(self.footprint, self.context_settings, room)
            .map_err(|it| LoadError::Failed(describe(&self.settings.path, &it)))?;
        self.on(&Chosen::default(), tell)
    }

    fn on(&self, chosen: &Chosen, tell: &mut dyn FnMut(Event)) -> Result<Ready, LoadError> {
        let model = Arc::new(load_weights((self.settings, chosen), self.watch, tell)?);
        let context = Context::new(Arc::clone(&model), self.context_settings)
            .map_err(|it| LoadError::Failed(describe(&self.settings.path, &it)))?;
        Ok((model, context))
    }
}

/// Layers on a graphics device, of how many; the output counts as one.
fn layers(chosen: &Chosen, settings: &LoadSettings, header: &Header) -> (u32, u32) {
    let n_all = header.shape.block_count + 1;
    let n_asked = settings.n_gpu_layers.unwrap_or(n_all).min(n_all);
    (if chosen.gpus.is_empty() { 0 } else { n_asked }, n_all)
}

fn plan(
    settings: &LoadSettings,
    (header, footprint): (&Header, &Footprint),
) -> Result<ContextSettings, String> {
    let n_ctx_train = header.shape.n_ctx_train;
    let n_ctx = match (settings.n_ctx, n_ctx_train) {
        (0, _) => footprint.context(0),
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
        n_batch: match settings.n_batch {
            0 => N_BATCH,
            wanted => wanted.min(MAX_BATCH),
        }
        .min(n_ctx),
        n_sequences: 1,
        n_threads,
        flash_attention: settings.flash_attention,
    })
}

const MIN_N_CTX: u32 = 16;
/// Larger rows bring nothing, and cannot be cancelled in between on a graphics device.
const MAX_BATCH: u32 = 4_096;
/// llama.cpp's own bound.
const MAX_THREADS: u32 = 512;

/// Loads on a thread of its own, since llama-cpp-2 wants a progress callback that borrows nothing.
fn load_weights(
    (settings, chosen): (&LoadSettings, &Chosen),
    watch: &Watch,
    tell: &mut dyn FnMut(Event),
) -> Result<LlamaModel, LoadError> {
    let (sender, fractions) = unbounded();
    let (settings, chosen) = (settings.clone(), chosen.clone());
    let path = settings.path.clone();
    let loader_watch = watch.clone();
    let loader = thread::Builder::new()
        .name("load".to_owned())
        .spawn(move || load_file(&settings, &chosen, (loader_watch, sender)))
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
        Err(error) if log.is_empty() => Err(LoadError::Failed(describe(&path, &error.to_string()))),
        Err(_) => Err(LoadError::Failed(describe(&path, &log.join("; ")))),
    }
}

type LoadResult = (Result<LlamaModel, LlamaModelLoadError>, Vec<String>);

fn load_file(
    settings: &LoadSettings,
    chosen: &Chosen,
    (watch, sender): (Watch, Sender<f32>),
) -> LoadResult {
    let failed = |it| (Err(LlamaModelLoadError::NullResult), vec![it]);
    let backend = match backend() {
        Ok(it) => it,
        Err(it) => return failed(it),
    };
    let params = LlamaModelParams::default().with_progress_callback(move |fraction| {
        sender.send(fraction).is_ok() && !watch.is_cancelled()
    });
    match place(params, chosen, settings.n_gpu_layers) {
        Ok(params) => capture_log(|| LlamaModel::load_from_file(backend, &settings.path, &params)),
        Err(it) => failed(it),
    }
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
