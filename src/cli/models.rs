//! `stepladder models`: the models found on this computer, what they are, and whether they fit.

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::{Value, json};

use super::args::ModelsArguments;
use super::{get, out};
use crate::app::Settings;
use crate::gguf::Fit;
use crate::lab::{Column, Table};
use crate::store::{self, Card, Finding, Folders, FoundModel, Problem};

/// Where a model is needed and none is found.
pub(super) const NONE: &str =
    "no model; --model; name a GGUF file, set STEPLADDER_MODEL, or get one: stepladder models get";

/// Lists them, as a table or as JSON.
pub(super) fn models(arguments: &ModelsArguments) -> ExitCode {
    if let Some(command) = &arguments.command {
        return get::run(command);
    }
    let finding = found(&Folders::of_user());
    if !arguments.problems {
        for it in &finding.problems {
            out::say(&format!("warning: {it}"));
        }
    }
    let free = finding.free_memory;
    if arguments.json {
        let models: Value = finding
            .models
            .iter()
            .map(|it| object(it, arguments.ctx, free))
            .collect();
        let whole = if arguments.problems {
            let problems: Value = finding.problems.iter().map(problem).collect();
            json!({"models": models, "problems": problems, "free_memory": free})
        } else {
            models
        };
        out::line(&whole.to_string());
        return ExitCode::SUCCESS;
    }
    if finding.models.is_empty() {
        out::line(
            "No models found. Set STEPLADDER_MODEL to a GGUF file, or STEPLADDER_MODELS to folders, or get one: \
             stepladder models catalogue.",
        );
        return ExitCode::SUCCESS;
    }
    out::whole(table(&finding, arguments.ctx).text().as_bytes());
    if let Some(free) = free {
        out::line(&format!("{} of memory are free", size(free)));
    }
    ExitCode::SUCCESS
}

/// All models that can be named without their path.
pub(super) fn found(folders: &Folders) -> Finding {
    // Only the window mends a broken settings file; here it means no more than an empty list.
    let settings: Settings = store::peek(&folders.settings()).unwrap_or_default();
    store::find_models(folders, &settings.recent, &mut |_| {})
}

/// The first model that memory has room for, as far as that is known.
pub(super) fn first(folders: &Folders) -> Option<PathBuf> {
    let Finding {
        models,
        free_memory,
        ..
    } = found(folders);
    let fits = |it: &FoundModel| it.fit(0, free_memory) != Some(Fit::DoesNotFit);
    models.into_iter().find(fits).map(|it| it.path)
}

fn table(finding: &Finding, n_ctx: u32) -> Table {
    let column = |title: &str, is_number| Column {
        title: title.to_owned(),
        is_number,
    };
    let columns = vec![
        column("name", false),
        column("architecture", false),
        column("quantization", false),
        column("parameters", true),
        column("size", true),
        column("context", true),
        column("memory", true),
        column("verdict", false),
        column("found in", false),
        column("path", false),
    ];
    let free = finding.free_memory;
    let rows = finding.models.iter().map(|it| row(it, n_ctx, free));
    Table {
        columns,
        rows: rows.collect(),
    }
}

fn row(model: &FoundModel, n_ctx: u32, free: Option<u64>) -> Vec<String> {
    let of_card = |text: &dyn Fn(&Card) -> String| {
        let card = model.card.as_deref();
        card.map_or_else(|| "–".to_owned(), text)
    };
    let need = model.need(n_ctx);
    let fit = model.fit(n_ctx, free);
    let cells = [
        model.name.clone(),
        model.architecture.clone(),
        model.quantization.clone(),
        of_card(&Card::parameters),
        size(model.bytes),
        of_card(&|it| it.footprint.shape.n_ctx_train.to_string()),
        need.map_or_else(|| "–".to_owned(), |it| size(it.total())),
        fit.map_or("–", Fit::label).to_owned(),
        model.found_in.clone(),
        model.path.display().to_string(),
    ];
    cells.map(|it| printable(&it)).into()
}

/// A file may be called anything, with line breaks and orders to the terminal in it.
pub(super) fn printable(text: &str) -> String {
    text.chars()
        .map(|it| if it.is_control() { '␣' } else { it })
        .collect()
}

/// Powers of ten, as file managers show them.
pub(super) fn size(bytes: u64) -> String {
    let bytes = bytes as f64;
    if bytes >= 1e9 {
        format!("{:.1} GB", bytes / 1e9)
    } else {
        format!("{:.0} MB", bytes / 1e6)
    }
}

fn object(model: &FoundModel, n_ctx: u32, free: Option<u64>) -> Value {
    let also: Value = model
        .also
        .iter()
        .map(|it| json!({"path": it.path, "found_in": it.found_in}))
        .collect();
    let mut res = json!({
        "path": model.path,
        "name": model.name,
        "format": "gguf",
        "bytes": model.bytes,
        "architecture": model.architecture,
        "quantization": model.quantization,
        "found_in": model.found_in,
        "also_in": also,
    });
    if let (Some(card), Value::Object(fields)) = (&model.card, &mut res) {
        let Value::Object(more) = described(card) else {
            return res;
        };
        fields.extend(more);
        fields.insert("memory".to_owned(), memory(model, n_ctx, free));
        let verdict = model.fit(n_ctx, free).map(Fit::label);
        fields.insert("verdict".to_owned(), verdict.into());
    }
    res
}

/// What the header says.
fn described(card: &Card) -> Value {
    let shape = card.footprint.shape;
    let sampling = card.sampling.iter();
    let sampling: serde_json::Map<String, Value> = sampling
        .map(|it| (it.key.clone(), it.value.into()))
        .collect();
    json!({
        "title": card.title,
        "parameters": card.n_params,
        "context": shape.n_ctx_train,
        "vocabulary": card.footprint.n_vocab,
        "chat_template": card.has_chat_template,
        "license": card.license,
        "sampling": sampling,
        "parts": card.n_parts,
        "blocks": shape.block_count,
        "embedding": shape.embedding_length,
        "heads": shape.n_head,
        "kv_heads": shape.n_head_kv,
        "key_length": shape.key_length,
        "value_length": shape.value_length,
    })
}

/// In bytes.
fn memory(model: &FoundModel, n_ctx: u32, free: Option<u64>) -> Value {
    let (Some(need), Some(card)) = (model.need(n_ctx), &model.card) else {
        return Value::Null;
    };
    json!({
        "for_context": card.footprint.context(n_ctx),
        "weights": need.weights,
        "cache": need.cache,
        "compute": need.compute,
        "total": need.total(),
        "free": free,
    })
}

fn problem(problem: &Problem) -> Value {
    json!({"path": problem.path, "found_in": problem.found_in, "what": problem.what})
}
