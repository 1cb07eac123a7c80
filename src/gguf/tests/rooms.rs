//! A model of round numbers, in rooms of round numbers.

use crate::gguf::{AttentionShape, DeviceRoom, Fit, Footprint, MemoryNeed, Room, Share};

/// Nine blocks and the output: ten layers.
const TEN: Footprint = Footprint {
    weight_bytes: 0,
    n_vocab: 0,
    shape: AttentionShape {
        n_ctx_train: 0,
        block_count: 9,
        embedding_length: 0,
        n_head: 0,
        n_head_kv: 0,
        n_head_kv_sum: 0,
        key_length: 0,
        value_length: 0,
    },
};

const NEED: MemoryNeed = MemoryNeed {
    weights: 800,
    cache: 200,
    compute: 50,
};

#[track_caller]
fn check_share(n_layers: Option<u32>, device: u64, computer: u64) {
    assert_eq!(TEN.share(NEED, n_layers), Share { device, computer });
}

#[test]
fn weights_and_cache_go_with_the_layers() {
    check_share(None, 1_050, 50);
    check_share(Some(10), 1_050, 50);
    check_share(Some(99), 1_050, 50);
    check_share(Some(4), 450, 650);
    check_share(Some(0), 0, 1_050);
}

#[track_caller]
fn check(computer: Option<u64>, device: Option<(u64, Option<u32>)>, expected: Option<Fit>) {
    let room = Room {
        computer,
        device: device.map(|(free, n_layers)| DeviceRoom {
            name: "Vulkan0".to_owned(),
            free,
            n_layers,
        }),
    };
    assert_eq!(room.fit(&TEN, NEED), expected);
}

#[test]
fn without_a_device_the_computers_memory_decides() {
    check(Some(2_000), None, Some(Fit::Fits));
    check(Some(1_000), None, Some(Fit::DoesNotFit));
    check(None, None, None);
}

#[test]
fn with_all_layers_on_a_device_its_memory_decides() {
    check(Some(100), Some((2_000, None)), Some(Fit::Fits));
    check(Some(100), Some((1_100, None)), Some(Fit::Tight));
    check(Some(9_000), Some((1_000, None)), Some(Fit::DoesNotFit));
    check(None, Some((2_000, None)), Some(Fit::Fits));
}

#[test]
fn a_model_that_is_shared_out_has_to_fit_on_both_sides() {
    check(Some(2_000), Some((600, Some(4))), Some(Fit::Fits));
    check(Some(600), Some((600, Some(4))), Some(Fit::DoesNotFit));
    check(Some(2_000), Some((400, Some(4))), Some(Fit::DoesNotFit));
}
