//! Refuses a context that memory has no room for: the system ends a process that takes too much.

use crate::gguf::Header;

use super::context::ContextSettings;

/// Refuses a context that cannot fit beside the model. Says nothing where free memory is not known.
pub(super) fn check_fit(
    header: &Header,
    settings: ContextSettings,
    free: Option<u64>,
) -> Result<(), String> {
    let footprint = header.footprint();
    let needed = footprint.need(settings.n_ctx, settings.n_batch).total();
    let Some(free) = free.filter(|it| needed > *it) else {
        return Ok(());
    };
    let without_context = footprint.need(0, settings.n_batch).total();
    let a_token = footprint.need(1, settings.n_batch).total() - without_context;
    let n_fit = free.saturating_sub(without_context) / a_token.max(1) / 256 * 256;
    let advice = if n_fit == 0 {
        "choose a smaller model or close other programs".to_owned()
    } else {
        format!("choose a context of at most {n_fit} tokens")
    };
    Err(format!(
        "the model with a context of {} tokens needs about {}, and {} of memory are free; {advice}",
        settings.n_ctx,
        in_gigabytes(needed),
        in_gigabytes(free)
    ))
}

fn in_gigabytes(n_bytes: u64) -> String {
    format!("{:.1} GB", n_bytes as f64 / 1e9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::FlashAttention;
    use crate::gguf::AttentionShape;

    const GIB: u64 = 1 << 30;

    fn header() -> Header {
        Header {
            architecture: "llama".to_owned(),
            name: String::new(),
            quantization: String::new(),
            license: None,
            chat_template: None,
            add_bos: None,
            n_vocab: 32_000,
            n_params: 0,
            shape: AttentionShape {
                n_ctx_train: 1 << 20,
                block_count: 32,
                embedding_length: 4_096,
                n_head: 32,
                n_head_kv: 8,
                n_head_kv_sum: 8 * 32,
                key_length: 128,
                value_length: 128,
            },
            sampling: Vec::new(),
            n_parts: 1,
            header_bytes: 0,
            data_end: 4 * GIB,
        }
    }

    fn fit(n_ctx: u32, free: Option<u64>) -> Result<(), String> {
        let settings = ContextSettings {
            n_ctx,
            n_batch: 256,
            n_sequences: 1,
            n_threads: 1,
            flash_attention: FlashAttention::Auto,
        };
        check_fit(&header(), settings, free)
    }

    #[test]
    fn a_context_that_fits_is_let_through() {
        assert_eq!(fit(8_192, Some(6 * GIB)), Ok(()));
    }

    #[test]
    fn unknown_memory_refuses_nothing() {
        assert_eq!(fit(1 << 20, None), Ok(()));
    }

    #[test]
    fn a_context_too_large_is_refused_with_one_that_fits() {
        let message = fit(131_072, Some(6 * GIB)).unwrap_err();
        assert!(
            message.contains("131072 tokens needs about 21."),
            "{message}"
        );
        let (_, n_fit) = message.split_once("at most ").unwrap();
        let n_fit: u32 = n_fit.split(' ').next().unwrap().parse().unwrap();
        assert_eq!(fit(n_fit, Some(6 * GIB)), Ok(()));
        assert!(fit(n_fit + 256, Some(6 * GIB)).is_err());
    }

    #[test]
    fn a_model_too_large_is_refused_as_such() {
        let message = fit(512, Some(GIB)).unwrap_err();
        assert!(message.contains("smaller model"), "{message}");
    }
}
