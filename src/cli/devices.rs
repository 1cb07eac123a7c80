//! `stepladder devices`: what models can be computed on, as the engine's process finds it.

use std::process::ExitCode;

use serde_json::Value;

use super::args::DevicesArguments;
use super::models::size;
use super::out;
use super::run::own_process;
use crate::engine::{Device, Engine};
use crate::lab::{Column, Table};
use crate::runner;

/// Lists them, as a table or as JSON.
pub(super) fn devices(arguments: &DevicesArguments) -> ExitCode {
    let found = own_process().and_then(|source| {
        let engine = Engine::start(source, || {});
        runner::devices(&engine).map_err(|it| {
            format!("the devices cannot be listed: {it}; the engine; update the graphics driver, or use a build without it")
        })
    });
    match found {
        Ok(found) if arguments.json => {
            let found: Value = found.iter().map(|it| serde_json::json!(it)).collect();
            out::line(&found.to_string());
            ExitCode::SUCCESS
        }
        Ok(found) => {
            out::whole(table(&found).text().as_bytes());
            ExitCode::SUCCESS
        }
        Err(it) => out::error(&it),
    }
}

fn table(found: &[Device]) -> Table {
    let column = |title: &str, is_number| Column {
        title: title.to_owned(),
        is_number,
    };
    let row = |it: &Device| {
        let bytes = |n: u64| if n > 0 { size(n) } else { "–".to_owned() };
        vec![
            it.name.clone(),
            it.kind.label().to_owned(),
            it.backend.clone(),
            bytes(it.memory_bytes),
            bytes(it.free_bytes),
            it.description.clone(),
        ]
    };
    Table {
        columns: vec![
            column("name", false),
            column("kind", false),
            column("backend", false),
            column("memory", true),
            column("free", true),
            column("description", false),
        ],
        rows: found.iter().map(row).collect(),
    }
}
