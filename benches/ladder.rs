//! How fast the ladder is: against a repair library on the same text, on lines made to hurt, and on a stream.
//!
//! `cargo bench --profile dev --bench ladder` prints criterion's figures and, after them, the ratios that count.

#![expect(clippy::print_stdout, reason = "a bench prints what it found")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};
use stepladder::ladder::{Hint, Stream, climb};

/// The faults that the broken texts hold; the library reads all of them as we do.
const RECORDS: &[&str] = &[
    "{'name': 'milk', 'qty': 2, 'note': 'two litres, if they have them'}",
    "{name: \"eggs\", qty: 12, fresh: True, price: None,}",
    "{\"name\": \"bread\", \"qty\": 1 \"tags\": [\"a\", \"b\",], /* from the list */ \"ok\": true}",
    "{“name”: “rice”, “qty”: 3, \"city\": \"Seoul 서울\"}",
    "{\"name\": \"tea\", \"qty\": 1, // green\n \"text\": \"A longer text without any fault in it, as most of a reply is.\"}",
    "{\"name\": \"jam\", \"qty\": 4, \"more\": {\"a\": 1.5, \"b\": [1, 2, 3], \"c\": \"x\\ny\"}}",
];

/// What stands around a small reply; the library gives up on prose, so there is none.
const FRAMES: &[(&str, &str)] = &[("", ""), ("```json\n", "\n```"), ("```\n", "\n```")];

fn main() {
    let mut criterion = Criterion::default()
        .measurement_time(Duration::from_secs(4))
        .warm_up_time(Duration::from_secs(1))
        .sample_size(20)
        .configure_from_args();
    against_a_library(&mut criterion);
    lines_that_hurt(&mut criterion);
    streams(&mut criterion);
    criterion.final_summary();
    ratios();
}

/// 1 MB of broken records in one array.
fn large() -> String {
    let mut text = "[".to_owned();
    for record in RECORDS.iter().cycle() {
        if text.len() > 1_000_000 {
            break;
        }
        text.push_str(record);
        text.push_str(",\n");
    }
    text.push(']');
    text
}

/// 1,000 replies of a few hundred bytes.
fn small() -> Vec<String> {
    (0..1000)
        .map(|n| {
            let (before, after) = FRAMES[n % FRAMES.len()];
            let records: Vec<&str> = (0..=n % 3)
                .map(|k| RECORDS[(n + k) % RECORDS.len()])
                .collect();
            format!("{before}{{\"items\": [{}]}}{after}", records.join(", "))
        })
        .collect()
}

/// A climb with its log, nothing asked for: the value is a document, the log a list of edits.
fn ours(text: &str) {
    black_box(climb(black_box(text), &Hint::default()));
}

/// A climb that is asked for its value.
fn ours_to_a_value(text: &str) {
    let climb = climb(black_box(text), &Hint::default());
    black_box(climb.value());
}

/// A climb that is asked for its value and for its edits with line, column and both texts.
fn ours_to_a_value_with_edits(text: &str) {
    let climb = climb(black_box(text), &Hint::default());
    black_box((climb.value(), climb.repairs()));
}

/// The library makes a text of a text and writes no log.
fn theirs(text: &str) {
    black_box(jsonrepair_rs::jsonrepair(black_box(text)).ok());
}

/// The library and `serde_json` behind it, for who needs the value.
fn theirs_to_a_value(text: &str) {
    let repaired = jsonrepair_rs::jsonrepair(black_box(text)).unwrap_or_default();
    black_box(serde_json::from_str::<serde_json::Value>(&repaired).ok());
}

fn against_a_library(criterion: &mut Criterion) {
    let (large, small) = (vec![large()], small());
    for (what, replies) in [
        ("1 MB of broken JSON", large),
        ("1,000 small replies", small),
    ] {
        let mut group = criterion.benchmark_group(what);
        group.throughput(Throughput::Bytes(n_bytes(&replies)));
        for (name, run) in SIDES {
            group.bench_function(*name, |it| {
                it.iter(|| replies.iter().for_each(|reply| run(reply)));
            });
        }
        group.finish();
    }
}

/// What is done with one reply.
type Side = fn(&str);

/// What is measured, by what each side yields.
const SIDES: &[(&str, Side)] = &[
    ("climb: document and log", ours),
    ("climb: value", ours_to_a_value),
    ("climb: value and placed edits", ours_to_a_value_with_edits),
    ("jsonrepair-rs: text", theirs),
    ("jsonrepair-rs and serde_json: value", theirs_to_a_value),
];

fn n_bytes(replies: &[String]) -> u64 {
    replies.iter().map(|it| it.len() as u64).sum()
}

/// 20,000 characters each, made of what costs a careless parser the most.
fn hurting() -> Vec<(String, String)> {
    const N_CHARS: usize = 20_000;
    let mut lines = Vec::new();
    for start in ["", "{", "[", "{\"a\": \"", "{'a': '"] {
        for unit in [
            "{",
            "[",
            "(",
            "{\"a\":",
            "[{",
            "\"",
            "'",
            "“",
            "\\",
            "\\\"",
            "//",
            "/*",
            "#",
            "```\n",
            "```json\n{",
            "~~~\n",
            "{}",
            "{} ",
            "[]",
            "()",
            "<",
            "<think>",
            "</think>",
            "[TOOL_CALLS]",
            "<|channel|>",
            "◁",
            ",",
            ":",
            "\",",
            "\":",
            " ",
            "…",
            "a",
            "1",
            "-",
            "é",
            "”，“",
            "x: ",
            "{x} ",
            "[x](y) ",
        ] {
            let n_units = N_CHARS / unit.chars().count();
            lines.push((
                format!("{start}{unit}…"),
                format!("{start}{}", unit.repeat(n_units)),
            ));
        }
    }
    lines
}

fn lines_that_hurt(criterion: &mut Criterion) {
    let lines = hurting();
    criterion.bench_function("lines that hurt, all", |it| {
        it.iter(|| lines.iter().for_each(|(_, line)| ours(line)));
    });
}

/// A reply of 20,000 characters and its 5,000 pieces.
fn stream_reply() -> (String, Vec<String>) {
    let mut text = "Here it is:\n```json\n{\"items\": [".to_owned();
    while text.len() < 19_900 {
        text.push_str(RECORDS[5]);
        text.push_str(", ");
        text.push_str("{\"name\": \"oil\", \"qty\": 1, \"note\": \"The longer the text, the more pieces.\"}, ");
    }
    text.push_str("{}]}\n```\n");
    let chars: Vec<char> = text.chars().collect();
    let pieces = chars.chunks(4).map(|it| it.iter().collect()).collect();
    (text, pieces)
}

fn in_pieces(pieces: &[String]) {
    let mut stream = Stream::default();
    for piece in pieces {
        stream.push(black_box(piece));
        // A view takes the tree after every piece.
        black_box(stream.tree());
    }
}

fn at_once(text: &str) {
    let mut stream = Stream::default();
    stream.push(black_box(text));
    black_box(stream.value());
}

fn streams(criterion: &mut Criterion) {
    let (text, pieces) = stream_reply();
    let mut group = criterion.benchmark_group("20,000 characters");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("streamed in 5,000 pieces", |it| {
        it.iter(|| in_pieces(&pieces));
    });
    group.bench_function("streamed at once", |it| it.iter(|| at_once(&text)));
    group.bench_function("climbed", |it| it.iter(|| ours(&text)));
    group.finish();
}

/// The median time of some runs in seconds.
fn median(n_runs: usize, mut run: impl FnMut()) -> f64 {
    let times = (0..n_runs).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    });
    middle(times.collect())
}

fn middle(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Prints how fast each side is, and the ratios of what is alike. The sides take turns, so that a busy machine
/// troubles all of them.
fn against(what: &str, replies: &[String]) {
    const N_TURNS: usize = 61;
    let mut times = vec![Vec::with_capacity(N_TURNS); SIDES.len()];
    for _ in 0..N_TURNS {
        for ((_, run), times) in SIDES.iter().zip(&mut times) {
            let start = Instant::now();
            for reply in replies {
                run(reply);
            }
            times.push(start.elapsed().as_secs_f64());
        }
    }
    println!("  {what}:");
    let n_megabytes = n_bytes(replies) as f64 / 1e6;
    let medians: Vec<f64> = times.into_iter().map(middle).collect();
    for ((name, _), time) in SIDES.iter().zip(&medians) {
        println!("    {:6.1} MB/s  {name}", n_megabytes / time);
    }
    println!(
        "    {:.2} times as fast as their text; {:.2} times as fast as their value, {:.2} with placed edits on top",
        medians[3] / medians[0],
        medians[4] / medians[1],
        medians[4] / medians[2]
    );
}

fn ratios() {
    let (large, small) = (large(), small());
    println!("\nOur climb with its log on, against jsonrepair-rs, which writes none:");
    for (what, replies) in [
        ("1 MB of broken JSON", vec![large]),
        ("1,000 small replies", small),
    ] {
        against(what, &replies);
    }
    let mut slowest: Vec<(f64, String)> = hurting()
        .into_iter()
        .map(|(name, line)| (median(3, || ours(&line)) * 1e3, name))
        .collect();
    slowest.sort_by(|one, other| other.0.total_cmp(&one.0));
    println!(
        "The slowest of {} lines of 20,000 characters (bound: 50 ms):",
        slowest.len()
    );
    for (time, name) in slowest.iter().take(5) {
        println!("  {time:.2} ms  {name:?}");
    }
    let (text, pieces) = stream_reply();
    let streamed = median(101, || in_pieces(&pieces));
    println!(
        "{} characters in {} pieces (bound: 3 times):",
        text.chars().count(),
        pieces.len()
    );
    println!(
        "  {:.2} times a stream that gets them at once",
        streamed / median(101, || at_once(&text))
    );
    println!(
        "  {:.2} times a climb to its value, {:.2} times one that is not asked for it",
        streamed / median(101, || ours_to_a_value(&text)),
        streamed / median(101, || ours(&text))
    );
}
