//! The record of a reply comes back as it was written.

use serde_json::{Value, json};

use crate::judge::Lamps;
use crate::lab::Trial;
use crate::ladder::{Climb, Rung};

/// A trial of this preset, with the lamps schema, correct and leak-free.
pub(super) fn trial(preset: &str, rung: Option<Rung>, lamps: [Option<bool>; 3]) -> Trial {
    let mut trial: Trial = serde_json::from_value(record()).unwrap();
    trial.preset = json!({"name": preset});
    trial.climb = Climb {
        rung,
        ..Climb::default()
    };
    trial.lamps = Lamps {
        parses: rung.is_some(),
        schema: lamps[0],
        correct: lamps[1],
        leak_free: lamps[2],
    };
    trial
}

fn record() -> Value {
    json!({
        "v": 1, "id": "t1", "time": "2026-11-30T00:00:00Z", "versions": {"app": "0.1.0"},
        "model": {
            "file": "m.gguf", "bytes": 9, "fingerprint": "ab", "architecture": "llama",
            "quantization": "Q4_1", "device": "CPU", "n_threads": 2, "n_batch": 64, "n_ctx": 2048, "batch_width": 1
        },
        "preset": {"name": "greedy", "colour": "red"}, "style": "example", "task": "mood", "input": 0,
        "input_text": "Tom: hi", "messages": [{"role": "user", "content": "Tom: hi"}],
        "prompt": "Tom: hi", "prompt_tokens": [1, 2], "constraint": {"kind": "none"},
        "reply": "{}", "reply_tokens": [3], "stop": "end_of_generation", "stop_detail": null, "attempt": 1,
        "timings": {
            "load_ms": 1.5, "prefill_ms": 2.0, "n_kept": 0, "first_token_ms": 2.5, "decode_ms": 3.0, "mask_ms": 0.0,
            "tokens_per_second": 40.25
        },
        "trace": {"stages": [], "mask": null},
        "climb": {
            "rung": 1, "value": {"b": 1, "a": 2}, "flags": ["bom"], "notes": [], "repairs": [], "attempts": [],
            "candidates": [], "whole_reply_valid": true, "first_object_recoverable": true, "thinking": null
        },
        "verdict": null, "correctness": null, "leaks": [],
        "lamps": {"parses": true, "schema": null, "correct": null, "leak_free": null}, "cause": null,
        "mood_of_the_day": {"z": 1, "a": [2]}
    })
}

#[test]
fn a_record_comes_back_with_what_this_version_does_not_know() {
    let text = record().to_string();
    let trial: Trial = serde_json::from_str(&text).unwrap();
    assert_eq!(trial.other["mood_of_the_day"], json!({"z": 1, "a": [2]}));
    assert_eq!(serde_json::to_string(&trial).unwrap(), text);
}

#[test]
fn a_rung_that_does_not_exist_is_refused() {
    let mut record = record();
    record["climb"]["rung"] = json!(5);
    let error = serde_json::from_value::<Trial>(record).unwrap_err();
    assert!(error.to_string().contains("rungs 1 to 4"), "{error}");
}
