//! A model on a graphics device whose engine is lost.

use super::Step::{Asked, Heard, Lost};
use super::{check, finished, loaded, started};
use crate::engine::tests::{load, run};
use crate::engine::{Event, RunId};

/// The first loss may be chance; after the second the graphics device is left.
#[test]
fn a_model_that_is_lost_twice_on_a_graphics_device_comes_back_on_the_processor() {
    let on_gpu = || {
        Heard(Event::LoadingOn {
            id: RunId(1),
            device: "Vulkan0".to_owned(),
        })
    };
    check(
        [
            Asked(load(1)),
            on_gpu(),
            loaded(1),
            Asked(run(2)),
            Lost("device lost"),
            on_gpu(),
            loaded(1),
            started(2),
            Lost("device lost"),
            loaded(1),
            Asked(run(3)),
            finished(3, "a"),
        ],
        &[
            "> load 1",
            "loading 1 on Vulkan0",
            "loaded 1",
            "> run 2",
            "lost: device lost",
            "> load 1",
            "loaded 1",
            "EngineRestarted",
            "> run 2",
            "started 2 (2)",
            "lost: device lost",
            "finished 2 (lost: device lost):  [0]",
            "> load 1 on the processor: Vulkan0 failed: device lost",
            "loaded 1",
            "EngineRestarted",
            "> run 3",
            "finished 3: a [0]",
        ],
    );
}
