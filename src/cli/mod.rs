//! The command line: one file a subcommand, one table of what can be asked.

mod against;
mod args;
mod bench;
mod climb;
mod constrain;
mod constrain_lines;
mod engine;
mod examined;
mod models;
mod out;
mod report;
mod requirement;
mod run;
mod stepping;
mod table;
mod window;

pub use args::main;
