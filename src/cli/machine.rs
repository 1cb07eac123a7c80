//! `stepladder bench --machine`: how fast a model reads and writes here, with which threads and batches.

use std::path::Path;
use std::process::ExitCode;

use serde_json::json;

use super::args::BenchArguments;
use super::bench_models::{model_paths, source};
use super::loading;
use super::out::{self, Progress};
use crate::engine::{Engine, Measurement, Speed};
use crate::gguf::BATCH;
use crate::lab::{Column, Table};
use crate::runner;
use crate::store::Folders;

/// Measures each model that is named, and prints a table or one JSON object a model.
pub(super) fn machine(arguments: &BenchArguments) -> ExitCode {
    let paths = model_paths(arguments, &[], &Folders::of_user());
    let done = paths.and_then(|it| it.iter().try_for_each(|it| measure(arguments, it)));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(it) => out::error(&it),
    }
}

fn measure(arguments: &BenchArguments, path: &Path) -> Result<(), String> {
    if out::is_unread() {
        return Ok(());
    }
    let engine = Engine::start(source(arguments)?, || {});
    let mut progress = Progress::new();
    let settings = arguments.load.settings(path.to_owned());
    let info = loading::load(&engine, settings, &mut progress)?;
    let measured = runner::measure(&engine, &mut |n_done, n_total| {
        progress.show(&format!("measuring: {n_done} of {n_total}"));
    });
    progress.clear();
    let measured = measured
        .map_err(|it| loading::failed("the model cannot be measured", path, &it.to_string()))?;
    if arguments.json {
        out::line(&json!(measured).to_string());
        return Ok(());
    }
    let (name, quantization) = (&info.name, &info.quantization);
    out::line(&format!("{name} {quantization} on {}\n", info.device));
    out::whole(speeds(&measured).text().as_bytes());
    out::line(&advice(&measured));
    Ok(())
}

fn speeds(measured: &Measurement) -> Table {
    let column = |title: &str, is_number| Column {
        title: title.to_owned(),
        is_number,
    };
    let row = |(it, is_best): (&Speed, bool)| {
        vec![
            it.n_threads.to_string(),
            it.n_batch.to_string(),
            format!("{:.1}", it.prefill),
            it.decode
                .map_or_else(|| "–".to_owned(), |it| format!("{it:.1}")),
            if is_best { "best" } else { "" }.to_owned(),
        ]
    };
    let threads = measured.threads.iter();
    let batches = measured.batches.iter();
    let rows = threads
        .map(|it| (it, it.n_threads == measured.n_threads))
        .chain(batches.map(|it| (it, it.n_batch == measured.n_batch)));
    Table {
        columns: vec![
            column("threads", true),
            column("batch", true),
            column("reading, tokens/s", true),
            column("writing, tokens/s", true),
            column("", false),
        ],
        rows: rows.map(row).collect(),
    }
}

fn advice(measured: &Measurement) -> String {
    format!(
        "\nUse it with --threads {} --batch {}. Threads change no reply; another batch than {BATCH} rounds differently.",
        measured.n_threads, measured.n_batch
    )
}
