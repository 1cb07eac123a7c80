//! Measures what the full stream costs over a plain decode loop: chain, trace and events against arg-max alone.
//!
//! `cargo run --release --example decode_ratio -- MODEL.gguf [TOKENS] [REPETITIONS]`
//!
//! On a busy machine the wall clock says little; on Linux the thread's own processor time is compared too.
//! It counts this thread alone, which does all the work when the model runs on one thread.

#[cfg(feature = "llama")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    measure::main()
}

#[cfg(not(feature = "llama"))]
fn main() {}

#[cfg(feature = "llama")]
mod measure {
    use std::error::Error;
    use std::io::Write as _;
    use std::mem::ManuallyDrop;
    use std::num::NonZeroU32;
    use std::time::Instant;

    use llama_cpp_2::context::LlamaContext;
    use llama_cpp_2::context::params::LlamaContextParams;
    use llama_cpp_2::llama_backend::LlamaBackend as CppBackend;
    use llama_cpp_2::llama_batch::LlamaBatch;
    use llama_cpp_2::model::LlamaModel;
    use llama_cpp_2::model::params::LlamaModelParams;
    use llama_cpp_2::token::LlamaToken;

    use stepladder::constraint::Constraint;
    use stepladder::engine::llama::LlamaBackend;
    use stepladder::engine::{
        Backend as _, Cancel, Command, Event, LoadSettings, ModelInfo, PromptRequest, RunId,
        RunRequest,
    };
    use stepladder::prompt::{Message, Role, TemplateChoice};
    use stepladder::sampling::{Knob, Knobs, TokenId};

    const N_CTX: u32 = 2_048;

    pub(super) fn main() -> Result<(), Box<dyn Error>> {
        let mut arguments = std::env::args().skip(1);
        let path = arguments.next().ok_or("name a model file")?;
        let n_tokens: u32 = arguments.next().map_or(Ok(128), |it| it.parse())?;
        let n_repetitions: u64 = arguments.next().map_or(Ok(5), |it| it.parse())?;

        let mut backend = LlamaBackend::new();
        let info = load(&mut backend, &path)?;
        // The library started llama.cpp already; this only stands for that.
        let cpp = ManuallyDrop::new(CppBackend {});
        let model = LlamaModel::load_from_file(&cpp, &path, &LlamaModelParams::default())?;
        let mut context = model.new_context(&cpp, plain_params(&info))?;

        let mut out = std::io::stdout().lock();
        let (mut ratios, mut cpu_ratios) = (Vec::new(), Vec::new());
        for seed in 0..n_repetitions {
            let streamed = stream(&mut backend, seed, n_tokens)?;
            let plain = plain(&mut context, &streamed)?;
            let (plain_rate, rate) = (plain.rate(), streamed.took.rate());
            let (ratio, cpu_ratio) = (rate / plain_rate, plain.cpu / streamed.took.cpu);
            writeln!(
                out,
                "{:4} tokens: plain {plain_rate:7.1}/s, stream {rate:7.1}/s, \
                 ratio {ratio:.3}, of processor time {cpu_ratio:.3}",
                plain.n_tokens
            )?;
            ratios.push(ratio);
            cpu_ratios.push(cpu_ratio);
        }
        let (ratio, cpu_ratio) = (median(ratios), median(cpu_ratios));
        writeln!(
            out,
            "{}, {} threads: median ratio {ratio:.3}, of processor time {cpu_ratio:.3}",
            info.name, info.n_threads
        )?;
        Ok(())
    }

    struct Streamed {
        prompt: Vec<TokenId>,
        took: Took,
    }

    /// How long a number of tokens took, in seconds.
    struct Took {
        n_tokens: u32,
        wall: f64,
        cpu: f64,
    }

    impl Took {
        fn rate(&self) -> f64 {
            f64::from(self.n_tokens) / self.wall
        }
    }

    fn median(mut values: Vec<f64>) -> f64 {
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
    }

    /// Seconds that this thread computed; not a number where the system does not say.
    fn cpu_seconds() -> f64 {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        let nanoseconds = text.split(' ').next().and_then(|it| it.parse::<f64>().ok());
        nanoseconds.unwrap_or(f64::NAN) / 1e9
    }

    fn load(backend: &mut LlamaBackend, path: &str) -> Result<ModelInfo, Box<dyn Error>> {
        let settings = LoadSettings {
            path: path.into(),
            n_ctx: N_CTX,
            ..LoadSettings::default()
        };
        let mut last = None;
        let id = RunId(1);
        backend.execute(
            Command::Load { id, settings },
            &Cancel::default(),
            &mut |it| {
                last = Some(it);
            },
        );
        match last {
            Some(Event::Loaded { info, .. }) => Ok(*info),
            other => Err(format!("{other:?}").into()),
        }
    }

    fn plain_params(info: &ModelInfo) -> LlamaContextParams {
        let n_threads = info.n_threads.cast_signed();
        LlamaContextParams::default()
            .with_n_ctx(NonZeroU32::new(N_CTX))
            .with_n_batch(256)
            .with_n_ubatch(256)
            .with_n_threads(n_threads)
            .with_n_threads_batch(n_threads)
    }

    fn stream(
        backend: &mut LlamaBackend,
        seed: u64,
        n_tokens: u32,
    ) -> Result<Streamed, Box<dyn Error>> {
        let command = Command::Run {
            id: RunId(seed + 2),
            request: Box::new(request(seed, n_tokens)?),
        };
        let mut prompt = Vec::new();
        let mut last = None;
        let mut cpu_started = f64::NAN;
        backend.execute(command, &Cancel::default(), &mut |event| match event {
            Event::Started { view, .. } => prompt = view.tokens,
            Event::PrefillProgress { .. } => cpu_started = cpu_seconds(),
            other => last = Some(other),
        });
        match last {
            Some(Event::Finished { finish, .. }) => Ok(Streamed {
                prompt,
                took: Took {
                    n_tokens: finish.timings.n_reply,
                    wall: finish.timings.decode_ms / 1_000.0,
                    cpu: cpu_seconds() - cpu_started,
                },
            }),
            other => Err(format!("{other:?}").into()),
        }
    }

    /// The knobs of the preset `chat`, without a template, which not every model has.
    fn request(seed: u64, n_tokens: u32) -> Result<RunRequest, Box<dyn Error>> {
        let knobs = Knobs::neutral()
            .with(Knob::Temperature, 0.75)?
            .with(Knob::TopP, 0.9)?
            .with(Knob::TopK, 40.0)?
            .with(Knob::RepetitionPenalty, 1.12)?
            .with(Knob::NoRepeatNgramSize, 3.0)?
            .with(Knob::Seed, seed as f64)?
            .with(Knob::MaxTokens, f64::from(n_tokens))?;
        let content = "The lighthouse stood on a rock far out in the sea. One evening".to_owned();
        Ok(RunRequest {
            prompt: PromptRequest {
                messages: vec![Message {
                    role: Role::User,
                    content,
                }],
                template: TemplateChoice::Raw,
                ..PromptRequest::default()
            },
            knobs,
            constraint: Constraint::None,
            ..RunRequest::default()
        })
    }

    /// Decodes as many tokens behind the same prompt, each the arg-max.
    fn plain(context: &mut LlamaContext<'_>, as_in: &Streamed) -> Result<Took, Box<dyn Error>> {
        context.clear_kv_cache();
        let mut batch = LlamaBatch::new(N_CTX as usize, 1);
        let last = as_in.prompt.len() - 1;
        for (at, token) in as_in.prompt.iter().enumerate() {
            let token = LlamaToken(token.cast_signed());
            batch.add(token, i32::try_from(at)?, &[0], at == last)?;
        }
        context.decode(&mut batch)?;
        let mut position = i32::try_from(as_in.prompt.len())?;
        let n_tokens = as_in.took.n_tokens;
        let (started, cpu_started) = (Instant::now(), cpu_seconds());
        for nth in 0..n_tokens {
            let token = arg_max(context.get_logits_ith(batch.n_tokens() - 1));
            if nth + 1 < n_tokens {
                batch.clear();
                batch.add(LlamaToken(token), position, &[0], true)?;
                context.decode(&mut batch)?;
                position += 1;
            }
        }
        Ok(Took {
            n_tokens,
            wall: started.elapsed().as_secs_f64(),
            cpu: cpu_seconds() - cpu_started,
        })
    }

    fn arg_max(logits: &[f32]) -> i32 {
        let mut best = 0;
        for (id, logit) in logits.iter().enumerate() {
            if *logit > logits[best] {
                best = id;
            }
        }
        (best as u32).cast_signed()
    }
}
