//! Memory of the two models of the tests, worked out by hand, beside what llama.cpp says when it loads them.

use crate::gguf::{AttentionShape, Fit, Footprint};

const MIB: u64 = 1 << 20;

/// `SmolLM2-135M-Instruct`, `Q4_1`: the numbers of its header.
const SMOLLM2: Footprint = Footprint {
    weight_bytes: 96_576_768,
    n_vocab: 49_152,
    shape: AttentionShape {
        n_ctx_train: 8_192,
        block_count: 30,
        embedding_length: 576,
        n_head: 9,
        n_head_kv: 3,
        n_head_kv_sum: 90,
        key_length: 64,
        value_length: 64,
    },
};

/// Gemma 3 270M, `Q4_K_M`.
const GEMMA: Footprint = Footprint {
    weight_bytes: 246_587_904,
    n_vocab: 262_144,
    shape: AttentionShape {
        n_ctx_train: 32_768,
        block_count: 18,
        embedding_length: 640,
        n_head: 4,
        n_head_kv: 1,
        n_head_kv_sum: 18,
        key_length: 256,
        value_length: 256,
    },
};

#[test]
fn the_cache_is_what_llama_cpp_lays_out() {
    // 90 heads × 128 numbers × 2 bytes × 8192 tokens; llama.cpp: "KV buffer size = 180.00 MiB", and 45.00 for 2048.
    assert_eq!(SMOLLM2.cache_bytes(8_192), 180 * MIB);
    assert_eq!(SMOLLM2.cache_bytes(2_048), 45 * MIB);
    // 18 heads × 512 numbers × 2 bytes; llama.cpp: 24.00 MiB for three layers and 120.00 for fifteen with a window.
    assert_eq!(GEMMA.cache_bytes(8_192), 144 * MIB);
    assert_eq!(GEMMA.cache_bytes(2_048), 36 * MIB);
}

#[track_caller]
fn check_above(footprint: Footprint, n_ctx: u32, measured_kilobytes: u64) {
    let estimate = footprint.need(n_ctx, 256).total() as f64;
    let share = estimate / (measured_kilobytes * 1_024) as f64;
    assert!(
        (1.0..1.1).contains(&share),
        "{share} times the memory that was measured"
    );
}

#[test]
fn the_whole_is_a_little_above_what_a_process_of_llama_cpp_takes() {
    // Resident memory at its highest, once the context was made with batches of 256 and one output.
    check_above(SMOLLM2, 2_048, 165_152);
    check_above(SMOLLM2, 8_192, 303_924);
    check_above(GEMMA, 2_048, 342_216);
    check_above(GEMMA, 8_192, 453_060);
}

#[test]
fn the_context_is_the_models_own_within_bounds_unless_one_is_asked_for() {
    assert_eq!(GEMMA.context(0), 8_192);
    assert_eq!(GEMMA.context(20_000), 20_000);
    let unknown = Footprint::default();
    assert_eq!(unknown.context(0), 8_192);
    let mut short = SMOLLM2;
    short.shape.n_ctx_train = 512;
    assert_eq!(short.context(0), 512);
}

#[test]
fn a_need_fits_is_tight_or_does_not_fit() {
    let rows = [
        (800, 1_000, Fit::Fits),
        (801, 1_000, Fit::Tight),
        (1_000, 1_000, Fit::Tight),
        (1_001, 1_000, Fit::DoesNotFit),
        (1, 0, Fit::DoesNotFit),
        (u64::MAX, u64::MAX, Fit::Tight),
    ];
    for (needed, free, expected) in rows {
        assert_eq!(Fit::of(needed, free), expected, "{needed} of {free}");
    }
}

#[test]
fn absurd_shapes_do_not_overflow() {
    let absurd = Footprint {
        weight_bytes: u64::MAX,
        n_vocab: u64::MAX,
        shape: AttentionShape {
            n_head_kv_sum: u64::MAX,
            key_length: 65_536,
            value_length: 65_536,
            embedding_length: 1 << 20,
            ..AttentionShape::default()
        },
    };
    assert_eq!(absurd.need(u32::MAX, 256).total(), u64::MAX);
}
