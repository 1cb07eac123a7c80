//! The packed form of traces: exact, small, and safe to read whatever the bytes are.

use super::traces::removing_knobs;
use super::*;
use crate::sampling::packed::{PackError, Packer, Unpacker};
use crate::sampling::{Span, Stage, Standing, Touch};

fn packed(trace: &TokenTrace) -> Vec<u8> {
    let mut packer = Packer::default();
    packer.trace(trace);
    packer.into_bytes()
}

fn unpacked(bytes: &[u8]) -> Result<TokenTrace, PackError> {
    let mut unpacker = Unpacker::new(bytes);
    let trace = unpacker.trace()?;
    assert!(unpacker.is_at_end());
    Ok(trace)
}

/// Traces with every stage on in turn, some under a mask, some with the favourite gone.
fn traces() -> Vec<TokenTrace> {
    let mut noise = Noise(31);
    let mut traces = Vec::new();
    for round in 0..300 {
        let n_vocab = 20 + noise.below(3000) as usize;
        let knobs = if round % 10 == 0 {
            Knobs::neutral()
        } else {
            removing_knobs(&mut noise)
        };
        let mut chain = Chain::new(&knobs, n_vocab);
        chain.feed_prompt(&noise.tokens(200, 20));
        let legal = noise.tokens(400, n_vocab as u64);
        let mask = (round % 3 == 0).then(|| mask(n_vocab, &legal));
        if let Outcome::Token { mut trace, .. } = chain.step(&noise.logits(n_vocab), mask.as_ref())
        {
            trace.mask_us = mask.map(|_| noise.below(5000) as u32);
            traces.push(trace);
        }
    }
    traces
}

#[test]
fn a_trace_comes_back_as_it_was() {
    let traces = traces();
    assert!(traces.len() > 200, "{}", traces.len());
    for trace in traces {
        assert_eq!(unpacked(&packed(&trace)).unwrap(), trace);
    }
}

#[test]
fn a_trace_that_no_chain_would_make_comes_back_too() {
    let odd = TokenTrace {
        wanted: u32::MAX,
        probability: -0.0,
        rank: u32::MAX,
        wanted_after: Some(Standing::default()),
        touches: vec![Touch {
            stage: Stage::Mirostat,
            token: 7,
            shift: Some(f32::MIN),
            earlier: Some(Span { start: 9, end: 2 }),
        }],
        n_legal: Some(0),
        ..TokenTrace::default()
    };
    for trace in [odd, TokenTrace::default()] {
        let back = unpacked(&packed(&trace)).unwrap();
        assert_eq!(back, trace);
        assert_eq!(back.probability.to_bits(), trace.probability.to_bits());
    }
}

#[test]
fn a_packed_trace_takes_a_fifth_of_its_json() {
    let traces = traces();
    let n_packed: usize = traces.iter().map(|it| packed(it).len()).sum();
    let json = |it: &TokenTrace| serde_json::to_string(it).unwrap().len();
    let n_json: usize = traces.iter().map(json).sum();
    println!(
        "{} bytes a trace, {} as JSON",
        n_packed / traces.len(),
        n_json / traces.len()
    );
    assert!(n_packed * 5 < n_json, "{n_packed} of {n_json}");
}

#[test]
fn every_cut_is_an_error() {
    for trace in traces().iter().take(20) {
        let bytes = packed(trace);
        for end in 0..bytes.len() {
            let error = Unpacker::new(&bytes[..end]).trace().unwrap_err();
            assert!(error.at <= end, "{error}");
        }
    }
}

#[test]
fn any_bytes_are_read_or_refused() {
    let mut noise = Noise(32);
    let mut n_refused = 0;
    for trace in traces() {
        let mut bytes = packed(&trace);
        for _ in 0..20 {
            let at = noise.below(bytes.len() as u64) as usize;
            bytes[at] = noise.below(256) as u8;
            match Unpacker::new(&bytes).trace() {
                // What was read can be written and read again.
                Ok(read) => assert_eq!(unpacked(&packed(&read)).unwrap(), read),
                Err(_) => n_refused += 1,
            }
        }
    }
    assert!(n_refused > 1000, "{n_refused}");
}

#[track_caller]
fn check_refused(bytes: &[u8], message: &str) {
    assert_eq!(
        Unpacker::new(bytes).trace().unwrap_err().to_string(),
        message
    );
}

#[test]
fn false_lengths_and_numbers_are_named() {
    check_refused(&[], "byte 0 of packed tokens: expected more bytes");
    check_refused(
        &[0, 200, 1, 0],
        "byte 3 of packed tokens: expected fewer entries",
    );
    check_refused(
        &[0xff; 12],
        "byte 0 of packed tokens: expected a number of at most 64 bits",
    );
    check_refused(
        &[0, 0, 5, 9, 0],
        "byte 3 of packed tokens: expected the place of a candidate that is listed",
    );
    check_refused(
        &[0, 1, 5, 0, 0, 0xc0, 0x7f],
        "byte 3 of packed tokens: expected a number in single precision",
    );
}
