//! The command line: one file a subcommand, one table of what can be asked.

mod against;
mod args;
mod bench;
mod bundle;
mod climb;
mod constrain;
mod constrain_lines;
mod devices;
mod engine;
mod examined;
mod get;
mod load;
mod machine;
mod models;
mod out;
mod report;
mod requirement;
mod run;
mod stepping;
mod table;
mod telling;
mod window;

pub use args::main;
