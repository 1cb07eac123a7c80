//! `stepladder models get` and `stepladder models catalogue`: models that are not here yet.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::models::{printable, size};
use super::out::{self, Progress};
use crate::download::{
    Control, FetchError, Fetched, Fetcher, Offer, Order, Wanted, catalogue, offer, progress_text,
};
use crate::gguf::Fit;
use crate::lab::{Column, Table};
use crate::machine;
use crate::store::Folders;

/// What can be done about models beside listing those that are here.
#[derive(Debug, Subcommand)]
pub(super) enum ModelsCommand {
    /// Downloads a model into the data folder; one that was stopped is gone on with.
    Get(GetArguments),
    /// Lists small models that can be had by name, and whether they would fit.
    Catalogue(CatalogueArguments),
}

#[derive(Debug, Args)]
pub(super) struct GetArguments {
    /// A name of the catalogue, or a file on the hub: owner/name, owner/name:FILE.gguf, owner/name:QUANTIZATION, with
    /// @REVISION behind the name if it is to be another than the newest.
    #[arg(value_name = "MODEL")]
    model: String,
    /// One JSON object on standard output, and nothing else.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct CatalogueArguments {
    /// One JSON array on standard output, and nothing else.
    #[arg(long)]
    json: bool,
    /// The context that memory is worked out for, in tokens; 0 for each model's own, at most 8192.
    #[arg(long, default_value_t = 0, value_name = "TOKENS")]
    ctx: u32,
}

/// Does what is asked for.
pub(super) fn run(command: &ModelsCommand) -> ExitCode {
    match command {
        ModelsCommand::Get(it) => match get(it) {
            Ok(fetched) => say(&fetched, it.json),
            Err(error) => failed(&error),
        },
        ModelsCommand::Catalogue(it) => list(it),
    }
}

fn get(arguments: &GetArguments) -> Result<Fetched, FetchError> {
    let offered = offer(arguments.model.trim());
    let wanted = match offered {
        Some(it) => it.wanted(),
        None => Wanted::parse(&arguments.model)?,
    };
    let order = Order {
        wanted,
        folder: Folders::of_user().models(),
        sha256: offered.and_then(|it| it.sha256.clone()),
    };
    let mut line = Progress::new();
    let fetched = Fetcher::here()?.fetch(&order, &Control::default(), &mut |it| {
        line.show(&printable(&format!("{}  {}", it.file, progress_text(it))));
    });
    line.clear();
    fetched
}

fn say(fetched: &Fetched, is_json: bool) -> ExitCode {
    if is_json {
        let object = json!({
            "path": fetched.path,
            "bytes": fetched.bytes,
            "resumed_at": fetched.resumed_at,
            "sha256": fetched.sha256,
            "was_here": fetched.was_here,
        });
        out::line(&object.to_string());
        return ExitCode::SUCCESS;
    }
    out::line(&printable(&fetched.path.display().to_string()));
    if fetched.was_here {
        out::say("It was here already.");
    } else if !fetched.is_checked {
        out::say("The hub names no hash for it, so only its header was checked.");
    }
    ExitCode::SUCCESS
}

/// A file that came and is bad is a check that failed; everything else could not be done.
fn failed(error: &FetchError) -> ExitCode {
    let code = out::error(&printable(&error.to_string()));
    if error.is_bad_file() {
        ExitCode::from(out::BAD)
    } else {
        code
    }
}

fn list(arguments: &CatalogueArguments) -> ExitCode {
    let free = machine::free_memory();
    let rated = |it: &Offer| {
        let verdict = it.fit(arguments.ctx, free).map(Fit::label);
        (it.need(arguments.ctx).total(), verdict)
    };
    if arguments.json {
        let offers: Value = catalogue()
            .iter()
            .map(|it| {
                let (memory, verdict) = rated(it);
                let mut object = json!(it);
                object["memory"] = memory.into();
                object["verdict"] = verdict.into();
                object
            })
            .collect();
        out::line(&offers.to_string());
        return ExitCode::SUCCESS;
    }
    out::whole(table(rated).text().as_bytes());
    out::line("Get one by its name, or any other as owner/name: stepladder models get NAME");
    ExitCode::SUCCESS
}

/// `rated` gives the memory that a model takes, and whether it fits.
fn table(rated: impl Fn(&Offer) -> (u64, Option<&'static str>)) -> Table {
    let titles = [
        "name",
        "quantization",
        "size",
        "memory",
        "verdict",
        "licence",
        "repository",
    ];
    let columns = titles.map(|it| Column {
        title: it.to_owned(),
        is_number: matches!(it, "size" | "memory"),
    });
    let rows = catalogue().iter().map(|it| {
        let (memory, verdict) = rated(it);
        vec![
            it.name.clone(),
            it.quantization.clone(),
            size(it.bytes),
            size(memory),
            verdict.unwrap_or("–").to_owned(),
            it.licence.clone(),
            it.repository.clone(),
        ]
    });
    Table {
        columns: columns.into(),
        rows: rows.collect(),
    }
}
