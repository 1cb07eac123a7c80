//! Refuses a context that memory has no room for: the system ends a process that takes too much.

use crate::gguf::Footprint;

use super::row::ContextSettings;

/// Memory that a model and its context may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Room {
    pub(super) n_bytes: u64,
    /// Somebody set it; else it is what is free, less a twentieth that is left to others.
    pub(super) is_set: bool,
}

impl Room {
    /// From the limit that was asked for, in megabytes, and what is free, in bytes; none where there is no limit, or
    /// free memory is not known.
    pub(super) fn of(limit_mb: Option<u32>, free: Option<u64>) -> Option<Self> {
        match (limit_mb, free) {
            (Some(0), _) | (None, None) => None,
            (Some(megabytes), _) => Some(Self {
                n_bytes: u64::from(megabytes) * 1_000_000,
                is_set: true,
            }),
            (None, Some(free)) => Some(Self {
                n_bytes: free - free / 20,
                is_set: false,
            }),
        }
    }

    /// What this whole process may take, in bytes: what it takes now was not free.
    pub(super) fn of_process(self, resident: Option<u64>) -> u64 {
        let taken = resident.filter(|_| !self.is_set);
        self.n_bytes.saturating_add(taken.unwrap_or(0))
    }
}

/// Refuses a context that cannot fit beside the model. Says nothing where there is no limit.
pub(super) fn check_fit(
    footprint: &Footprint,
    settings: ContextSettings,
    room: Option<Room>,
) -> Result<(), String> {
    let needed = footprint.need(settings.n_ctx, settings.n_batch).total();
    let Some(room) = room.filter(|it| needed > it.n_bytes) else {
        return Ok(());
    };
    let without_context = footprint.need(0, settings.n_batch).total();
    let a_token = footprint.need(1, settings.n_batch).total() - without_context;
    let n_fit = room.n_bytes.saturating_sub(without_context) / a_token.max(1) / 256 * 256;
    let advice = if n_fit == 0 {
        "choose a smaller model or close other programs".to_owned()
    } else {
        format!("choose a context of at most {n_fit} tokens")
    };
    let given = amount(room.n_bytes);
    let limit = if room.is_set {
        format!("the memory limit is {given}; raise it, or ")
    } else {
        format!("{given} of memory can be had; ")
    };
    Err(format!(
        "the model with a context of {} tokens needs about {}, and {limit}{advice}",
        settings.n_ctx,
        amount(needed)
    ))
}

/// Such as "1.5 GB" or "10 MB".
fn amount(n_bytes: u64) -> String {
    match n_bytes as f64 {
        it if it < 1e9 => format!("{:.0} MB", it / 1e6),
        it => format!("{:.1} GB", it / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::FlashAttention;
    use crate::gguf::AttentionShape;

    const GIB: u64 = 1 << 30;

    fn footprint() -> Footprint {
        Footprint {
            weight_bytes: 4 * GIB,
            n_vocab: 32_000,
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
        let room = free.map(|n_bytes| Room {
            n_bytes,
            is_set: false,
        });
        check_fit(&footprint(), settings, room)
    }

    #[test]
    fn what_is_free_is_not_taken_to_the_last_byte() {
        let room = Room::of(None, Some(20 * GIB)).unwrap();
        assert_eq!((room.n_bytes, room.is_set), (19 * GIB, false));
        assert_eq!(room.of_process(Some(GIB)), 20 * GIB);
        assert_eq!(Room::of(None, None), None);
    }

    #[test]
    fn a_limit_counts_whatever_is_free() {
        let room = Room::of(Some(500), Some(20 * GIB)).unwrap();
        assert_eq!((room.n_bytes, room.is_set), (500_000_000, true));
        assert_eq!(room.of_process(Some(GIB)), 500_000_000);
        assert_eq!(Room::of(Some(0), Some(GIB)), None);
    }

    #[test]
    fn a_limit_is_named_as_such() {
        let settings = ContextSettings {
            n_ctx: 8_192,
            n_batch: 256,
            n_sequences: 1,
            n_threads: 1,
            flash_attention: FlashAttention::Auto,
        };
        let message = check_fit(&footprint(), settings, Room::of(Some(5_000), None)).unwrap_err();
        let expected = "and the memory limit is 5.0 GB; raise it, or choose a context of at most";
        assert!(message.contains(expected), "{message}");
        let message = check_fit(&footprint(), settings, Room::of(Some(10), None)).unwrap_err();
        assert!(message.contains("the memory limit is 10 MB;"), "{message}");
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
