//! What can be typed, and where each subcommand goes.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::LazyLock;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::load::LoadArguments;
use super::{
    bench, bundle, climb, constrain, constrain_lines, devices, engine, get, machine, models, out,
    report, run, window,
};
use crate::constraint::WhiteSpace;
use crate::lab::MAX_PARALLEL;
use crate::prompt::{PromptStyle, TemplateChoice};

/// Shows why a local model's JSON breaks and what mends it. Without a subcommand it opens the window.
#[derive(Debug, Parser)]
#[command(name = "stepladder", version = version().as_str(), max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Subcommands>,
    #[command(flatten)]
    window: WindowArguments,
}

#[derive(Debug, Subcommand)]
enum Subcommands {
    /// Runs presets on a task and prints raw reply, rung and verdict side by side.
    Run(RunArguments),
    /// Lets a reply climb the ladder; no model is needed.
    Climb(ClimbArguments),
    /// Steps a constraint over a text: what is legal, and where the text stops.
    Constrain(ConstrainArguments),
    /// Answers the lines of `constrain --lines` for another process of this program.
    #[command(hide = true)]
    ConstrainWorker(ConstrainArguments),
    /// Runs a plan: presets on tasks, every reply recorded, rates with intervals at the end.
    Bench(BenchArguments),
    /// Prints the tables and charts of an experiment that was run before.
    Report(ReportArguments),
    /// Lists the models found on this computer, and gets others.
    Models(ModelsArguments),
    /// Writes presets, tasks, plans, grammars, settings, drafts and trials into one file.
    Export(bundle::ExportArguments),
    /// Takes in what such a file holds; nothing is overwritten silently.
    Import(bundle::ImportArguments),
    /// Lists the devices that models can be computed on.
    Devices(DevicesArguments),
    /// Runs models for another process of this program, over standard input and output.
    #[command(hide = true)]
    Engine(EngineArguments),
}

#[derive(Debug, Args)]
pub(super) struct WindowArguments {
    /// Plays a recording instead of a model.
    #[arg(long, value_name = "FILE")]
    pub(super) scripted: Option<PathBuf>,
    /// Draws with this; the other one is the fallback.
    #[arg(long, value_enum)]
    pub(super) renderer: Option<Renderer>,
    /// Starts with this preset in place of the one used last.
    #[arg(long, value_name = "NAME")]
    pub(super) preset: Option<String>,
    /// Says on standard error how long each phase of the start takes, runs once, and closes.
    #[arg(long)]
    pub(super) phases: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Renderer {
    Glow,
    Wgpu,
}

#[derive(Debug, Args)]
pub(super) struct RunArguments {
    /// A GGUF file, or the name of a model that `models` lists.
    #[arg(long, env = "STEPLADDER_MODEL", value_name = "FILE")]
    pub(super) model: Option<PathBuf>,
    /// Plays a recording instead of any model; its trials go to scripted-trials.jsonl.
    #[arg(long, value_name = "FILE")]
    pub(super) scripted: Option<PathBuf>,
    #[command(flatten)]
    pub(super) load: LoadArguments,
    /// A task: shopping, contact, mood, maths, ticket, event, or one of your own.
    #[arg(long, default_value = "shopping")]
    pub(super) task: String,
    /// One of the task's inputs, from 1, or "all" for a table over all of them.
    #[arg(long, default_value = "1", value_name = "N", conflicts_with = "text")]
    pub(super) input: run::InputChoice,
    /// A text of your own in place of the task's inputs.
    #[arg(long)]
    pub(super) text: Option<String>,
    /// Presets, separated by commas.
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "greedy,greedy-ngram3,greedy-schema"
    )]
    pub(super) preset: Vec<String>,
    /// Prompt styles in place of the preset's own, separated by commas.
    #[arg(long, value_enum, value_delimiter = ',')]
    pub(super) style: Vec<Style>,
    /// How messages become the prompt: the model's own chat template, `ChatML`, or none (for base models).
    #[arg(long, value_enum, default_value = "model")]
    pub(super) template: Template,
    /// Short for --template raw.
    #[arg(long, conflicts_with = "template")]
    pub(super) raw: bool,
    /// Adds what the chain did at each token to the JSON.
    #[arg(long, requires = "json")]
    pub(super) trace: bool,
    /// One JSON object a reply on standard output, and nothing else.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Template {
    Model,
    #[value(name = "chatml")]
    ChatMl,
    Raw,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Style {
    Plain,
    Example,
    Schema,
}

#[derive(Debug, Args)]
pub(super) struct ClimbArguments {
    /// A JSON Schema file to judge the value by.
    #[arg(long, value_name = "FILE")]
    pub(super) schema: Option<PathBuf>,
    /// One JSON object on standard output, and nothing else.
    #[arg(long)]
    pub(super) json: bool,
    /// Reads one object {"id", "input", "schema"?} a line and writes one result a line.
    #[arg(long)]
    pub(super) lines: bool,
    /// The reply; "-" for standard input.
    #[arg(default_value = "-")]
    pub(super) file: PathBuf,
}

#[derive(Debug, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag that is typed"
)]
pub(super) struct ConstrainArguments {
    /// A JSON Schema file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["grammar", "regex"])]
    pub(super) schema: Option<PathBuf>,
    /// A grammar file in GBNF, or the name of a shipped grammar.
    #[arg(long, value_name = "FILE", conflicts_with = "regex")]
    pub(super) grammar: Option<PathBuf>,
    /// A regular expression.
    #[arg(long, value_name = "REGEX")]
    pub(super) regex: Option<String>,
    /// Most characters of white space between tokens of JSON: none, one, eight, free, or a number.
    #[arg(long, value_name = "POLICY", default_value_t)]
    pub(super) white_space: WhiteSpace,
    /// Lets schemas in whose keywords the mask cannot all hold to; the mask is then weaker than the schema.
    #[arg(long)]
    pub(super) lenient: bool,
    /// Prints what becomes of each keyword of the schema, and steps over nothing.
    #[arg(long, requires = "schema", conflicts_with_all = ["gbnf", "text"])]
    pub(super) report: bool,
    /// Prints the grammar that is made of the schema, and steps over nothing.
    #[arg(long, requires = "schema", conflicts_with = "text")]
    pub(super) gbnf: bool,
    /// A GGUF file, or the name of a model that `models` lists; only its vocabulary is read.
    #[arg(long, env = "STEPLADDER_MODEL", value_name = "FILE")]
    pub(super) model: Option<PathBuf>,
    /// Steps single bytes; no model is needed.
    #[arg(long)]
    pub(super) bytes: bool,
    /// The text to step over; without it the constraint is only compiled.
    #[arg(long)]
    pub(super) text: Option<String>,
    /// Reads one object {"id", "schema" or "grammar" or "regex", "texts"} a line and writes one result a line.
    #[arg(long, conflicts_with_all = ["schema", "grammar", "regex", "text"])]
    pub(super) lines: bool,
    /// Seconds that one line may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    pub(super) limit: f64,
    /// One JSON object on standard output, and nothing else.
    #[arg(long)]
    pub(super) json: bool,
    /// With --lines: the file of lines; "-" for standard input.
    #[arg(default_value = "-")]
    pub(super) file: PathBuf,
}

#[derive(Debug, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag that is typed"
)]
pub(super) struct BenchArguments {
    /// A plan file, or the name of a plan: finding, ablation, constraints, strategies, stages,
    /// leakage, or one of your own.
    #[arg(value_name = "PLAN", conflicts_with_all = ["task", "preset", "ablate"])]
    pub(super) plan: Option<PathBuf>,
    /// A GGUF file or a model's name; several run one after the other. Without it: those of the plan, else
    /// `STEPLADDER_MODEL`, else the first that `models` lists.
    #[arg(long, value_name = "FILE", value_delimiter = ',')]
    pub(super) model: Vec<PathBuf>,
    /// Plays a recording instead of a model.
    #[arg(long, value_name = "FILE", conflicts_with = "model")]
    pub(super) scripted: Option<PathBuf>,
    #[command(flatten)]
    pub(super) load: LoadArguments,
    /// The folder for plan and trials; the plan's name, if not given.
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Evaluates K replies together, which is quicker; near-ties may then turn out otherwise. 1 for each alone.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_PARALLEL)))]
    pub(super) parallel: Option<u32>,
    /// Goes on with what is in the folder; refused if the plan is another one.
    #[arg(long)]
    pub(super) resume: bool,
    /// Only says how many replies and tokens the plan asks for, with --resume how many are left.
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Without a plan: tasks, separated by commas.
    #[arg(long, value_delimiter = ',')]
    pub(super) task: Vec<String>,
    /// Without a plan: presets, separated by commas.
    #[arg(long, value_delimiter = ',')]
    pub(super) preset: Vec<String>,
    /// Without a plan: prompt styles in place of the presets' own.
    #[arg(long, value_enum, value_delimiter = ',')]
    pub(super) style: Vec<Style>,
    /// Without a plan: one preset for each knob in which TARGET differs from BASE.
    #[arg(long, value_name = "BASE:TARGET")]
    pub(super) ablate: Option<String>,
    /// Without a plan: the first K inputs of each task.
    #[arg(long, value_name = "K")]
    pub(super) inputs: Option<usize>,
    /// Without a plan: K seeds from 42 on; 0 for the presets' own.
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub(super) seeds: u32,
    /// Runs no plan, but measures how fast the model reads and writes with which threads and batches.
    #[arg(long, conflicts_with_all = ["plan", "task", "preset", "ablate", "out", "resume", "dry_run", "require"])]
    pub(super) machine: bool,
    /// Ends with exit code 1 unless this holds, such as 'schema>=0.9' or 'greedy:correct>0.5'.
    #[arg(long, value_name = "MEASURE>=RATE")]
    pub(super) require: Vec<String>,
    /// One JSON object on standard output, and nothing else.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct ReportArguments {
    /// The folder that `bench` has filled, or the name of an experiment or plan in the data folder.
    #[arg(value_name = "DIR")]
    pub(super) folder: PathBuf,
    /// The folder of another run: says which replies flipped against it, and what was set otherwise.
    #[arg(long, value_name = "OTHER")]
    pub(super) against: Option<PathBuf>,
    /// Markdown, one line a trial, one page with charts, the figures alone, or one chart as a picture.
    #[arg(long, value_enum, default_value = "md")]
    pub(super) format: ReportFormat,
    /// With --format png: the chart.
    #[arg(long, value_enum, default_value = "schema")]
    pub(super) chart: ChartChoice,
    /// Writes into this file instead of to standard output.
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
}

/// The measures that a bar can show, and the rungs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ChartChoice {
    AsIs,
    Parses,
    Schema,
    Correct,
    LeakFree,
    Rungs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ReportFormat {
    Md,
    Csv,
    Html,
    Json,
    Png,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct ModelsArguments {
    #[command(subcommand)]
    pub(super) command: Option<get::ModelsCommand>,
    /// One JSON array on standard output, and nothing else.
    #[arg(long)]
    pub(super) json: bool,
    /// With --json: one object, with the models and what could not be used (without it that goes to standard error).
    #[arg(long, requires = "json")]
    pub(super) problems: bool,
    /// The context that memory is worked out for, in tokens; 0 for each model's own, at most 8192.
    #[arg(long, default_value_t = 0, value_name = "TOKENS")]
    pub(super) ctx: u32,
}

#[derive(Debug, Args)]
pub(super) struct DevicesArguments {
    /// One JSON array on standard output, and nothing else.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct EngineArguments {
    /// Plays a recording instead of a model.
    #[arg(long, value_name = "FILE")]
    pub(super) scripted: Option<PathBuf>,
    /// Megabytes of memory for loads that ask for no limit of their own; 0 for no limit.
    #[arg(long, env = "STEPLADDER_MEMORY", value_name = "MB")]
    pub(super) memory: Option<u32>,
}

/// Reads the command line and does what it says.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(it) => it,
        Err(it) => return out::usage(&it),
    };
    match arguments.command {
        None => window::window(&arguments.window),
        Some(Subcommands::Run(it)) => run::run(&it),
        Some(Subcommands::Climb(it)) => climb::climb(&it),
        Some(Subcommands::Constrain(it)) => constrain::constrain(&it),
        Some(Subcommands::ConstrainWorker(it)) => constrain_lines::work(&it),
        Some(Subcommands::Bench(it)) if it.machine => machine::machine(&it),
        Some(Subcommands::Bench(it)) => bench::bench(&it),
        Some(Subcommands::Report(it)) => report::report(&it),
        Some(Subcommands::Models(it)) => models::models(&it),
        Some(Subcommands::Export(it)) => bundle::export(&it),
        Some(Subcommands::Import(it)) => bundle::import(&it),
        Some(Subcommands::Devices(it)) => devices::devices(&it),
        Some(Subcommands::Engine(it)) => engine::engine(&it),
    }
}

impl From<Style> for PromptStyle {
    fn from(style: Style) -> Self {
        match style {
            Style::Plain => Self::Plain,
            Style::Example => Self::Example,
            Style::Schema => Self::Schema,
        }
    }
}

impl From<Template> for TemplateChoice {
    fn from(template: Template) -> Self {
        match template {
            Template::Model => Self::Model,
            Template::ChatMl => Self::ChatMl,
            Template::Raw => Self::Raw,
        }
    }
}

fn version() -> &'static String {
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        format!(
            "{} (llama.cpp {})",
            env!("CARGO_PKG_VERSION"),
            crate::engine::llama_cpp_version()
        )
    });
    &VERSION
}
