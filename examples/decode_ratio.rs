//! Measures what the full stream costs over a plain decode loop: chain, trace and events against arg-max alone.
//!
//! `cargo run --release --example decode_ratio -- MODEL.gguf [TOKENS] [REPETITIONS]`

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
        Backend as _, Cancel, Command, Event, FlashAttention, LoadSettings, ModelInfo,
        PromptRequest, RunId, RunRequest,
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
        let mut ratios = Vec::new();
        for seed in 0..n_repetitions {
            let streamed = stream(&mut backend, seed, n_tokens)?;
            let plain = plain(&mut context, &streamed)?;
            let ratio = streamed.tokens_per_second / plain;
            writeln!(
                out,
                "{:4} tokens: plain {plain:7.1}/s, stream {:7.1}/s, ratio {ratio:.3}",
                streamed.n_reply, streamed.tokens_per_second
            )?;
            ratios.push(ratio);
        }
        ratios.sort_by(f64::total_cmp);
        let median = ratios.get(ratios.len() / 2).ok_or("no repetitions")?;
        writeln!(out, "{}: median ratio {median:.3}", info.name)?;
        Ok(())
    }

    struct Streamed {
        prompt: Vec<TokenId>,
        n_reply: u32,
        tokens_per_second: f64,
    }

    fn load(backend: &mut LlamaBackend, path: &str) -> Result<ModelInfo, Box<dyn Error>> {
        let settings = LoadSettings {
            path: path.into(),
            n_ctx: N_CTX,
            n_threads: 0,
            n_gpu_layers: None,
            flash_attention: FlashAttention::Auto,
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
        backend.execute(command, &Cancel::default(), &mut |event| match event {
            Event::Started { view, .. } => prompt = view.tokens,
            other => last = Some(other),
        });
        match last {
            Some(Event::Finished { finish, .. }) => {
                let timings = finish.timings;
                Ok(Streamed {
                    prompt,
                    n_reply: timings.n_reply,
                    tokens_per_second: f64::from(timings.n_reply) * 1_000.0 / timings.decode_ms,
                })
            }
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
                prefill: String::new(),
            },
            knobs,
            constraint: Constraint::None,
        })
    }

    /// Decodes as many tokens behind the same prompt, each the arg-max; gives tokens a second.
    fn plain(context: &mut LlamaContext<'_>, as_in: &Streamed) -> Result<f64, Box<dyn Error>> {
        context.clear_kv_cache();
        let mut batch = LlamaBatch::new(N_CTX as usize, 1);
        let last = as_in.prompt.len() - 1;
        for (at, token) in as_in.prompt.iter().enumerate() {
            let token = LlamaToken(token.cast_signed());
            batch.add(token, i32::try_from(at)?, &[0], at == last)?;
        }
        context.decode(&mut batch)?;
        let mut position = i32::try_from(as_in.prompt.len())?;
        let started = Instant::now();
        for nth in 0..as_in.n_reply {
            let token = arg_max(context.get_logits_ith(batch.n_tokens() - 1));
            if nth + 1 < as_in.n_reply {
                batch.clear();
                batch.add(LlamaToken(token), position, &[0], true)?;
                context.decode(&mut batch)?;
                position += 1;
            }
        }
        Ok(f64::from(as_in.n_reply) / started.elapsed().as_secs_f64())
    }

    fn arg_max(logits: &[f32]) -> i32 {
        let mut best = 0;
        for (id, logit) in logits.iter().enumerate() {
            if *logit > logits[best] {
                best = id;
            }
        }
        best as i32
    }
}
