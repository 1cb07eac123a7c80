//! How much memory a context takes, and how much is free: the system ends a process that takes too much.

use crate::gguf::Header;

use super::context::ContextSettings;

/// Refuses a context that cannot fit beside the model. Says nothing where free memory is not known.
pub(super) fn check_fit(
    header: &Header,
    settings: ContextSettings,
    free: Option<u64>,
) -> Result<(), String> {
    let weights = header.data_end - header.header_bytes;
    let needed = weights + work_bytes(header, settings) + cache_bytes(header, settings.n_ctx);
    let Some(free) = free.filter(|it| needed > *it) else {
        return Ok(());
    };
    let beside = free.saturating_sub(weights + work_bytes(header, settings));
    let n_fit = beside / cache_bytes(header, 1).max(1) / 256 * 256;
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

/// Memory that a new allocation can have, within the limit set on this process if there is one.
pub(super) fn free_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|it| it.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    let available = kilobytes * 1_024;
    Some(control_group_free().map_or(available, |it| it.min(available)))
}

/// What the control group still allows; pages of files can be given back and count as free.
fn control_group_free() -> Option<u64> {
    let read = |name: &str| std::fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok();
    let max: u64 = read("memory.max")?.trim().parse().ok()?;
    let current: u64 = read("memory.current")?.trim().parse().ok()?;
    let file_pages = read("memory.stat")
        .and_then(|it| {
            it.lines()
                .find_map(|it| it.strip_prefix("inactive_file "))?
                .parse()
                .ok()
        })
        .unwrap_or(0);
    Some(max.saturating_sub(current.saturating_sub(file_pages)))
}

/// Keys and values of all layers, two bytes a number.
fn cache_bytes(header: &Header, n_ctx: u32) -> u64 {
    let shape = header.shape;
    let per_head = u64::from(shape.key_length) + u64::from(shape.value_length);
    let per_layer = u64::from(shape.n_head_kv).saturating_mul(per_head) * 2;
    per_layer
        .saturating_mul(u64::from(shape.block_count))
        .saturating_mul(u64::from(n_ctx))
}

/// Room to compute in: measured at 30 to 60 MB for small models, and a few rows of the vocabulary.
fn work_bytes(header: &Header, settings: ContextSettings) -> u64 {
    let rows = u64::from(settings.n_batch) * u64::from(header.shape.embedding_length) * 4 * 16;
    (32 << 20) + rows + header.n_vocab.saturating_mul(16)
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
                n_head_kv: 8,
                key_length: 128,
                value_length: 128,
            },
            sampling: Vec::new(),
            header_bytes: 0,
            data_end: 4 * GIB,
        }
    }

    fn fit(n_ctx: u32, free: Option<u64>) -> Result<(), String> {
        let settings = ContextSettings {
            n_ctx,
            n_batch: 256,
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
