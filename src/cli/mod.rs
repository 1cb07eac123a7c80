//! The command line: one file a subcommand, one table of what can be asked.

mod against;
mod args;
mod bench;
mod bench_models;
mod bench_plan;
mod bundle;
mod climb;
mod constrain;
mod constrain_lines;
mod devices;
mod engine;
mod examined;
mod experiments;
mod get;
mod line_fault;
mod load;
mod loading;
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
mod wrap;

pub use args::main;
