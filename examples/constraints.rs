//! Compares constraints on real models, as tables.
//!
//! `constraints shipped MODEL…`: grammar by hand, grammar made of the schema, and schema on all shipped tasks, one
//! input each, at temperature 0 and at 1 with five seeds. Models without a chat template get the raw prompt.
//! `constraints digits MODEL…`: an answer of digits by a static ban, a grammar, a regular expression and a schema.
#![expect(clippy::print_stdout, reason = "an example prints its tables")]

use std::process::ExitCode;

#[cfg(feature = "llama")]
mod compare {
    use std::path::Path;

    use serde_json::{Value, json};
    use stepladder::constraint::{WhiteSpace, grammars, schema_to_gbnf};
    use stepladder::engine::llama::LlamaBackend;
    use stepladder::engine::{Engine, LoadSettings, ModelInfo, Source};
    use stepladder::lab::{Preset, Trial};
    use stepladder::prompt::{Task, TemplateChoice, shipped_tasks};
    use stepladder::runner::{self, Assembly, Job, Text};

    /// A loaded model and how many runs there were.
    struct Bench {
        engine: Engine,
        info: ModelInfo,
        n_runs: usize,
    }

    /// One row of a table.
    #[derive(Default)]
    struct Row {
        n: usize,
        n_valid: usize,
        n_cut: usize,
        n_closed: usize,
        n_correct: usize,
        removed: f32,
        legal: u32,
        us_median: u32,
        us_p99: u32,
        ms: f64,
    }

    impl Bench {
        fn open(path: &str) -> Result<Self, String> {
            let make = || Box::new(LlamaBackend::new()) as Box<dyn stepladder::engine::Backend>;
            let engine = Engine::start(Source::InProcess(Box::new(make)), || {});
            let settings = LoadSettings {
                path: Path::new(path).to_owned(),
                n_ctx: 2_048,
                ..LoadSettings::default()
            };
            let info = runner::load(&engine, settings, &mut |_| {}).map_err(|it| it.to_string())?;
            Ok(Self {
                engine,
                info,
                n_runs: 0,
            })
        }

        fn run(&mut self, preset: &Preset, task: &Task, input: usize) -> Result<Trial, String> {
            let shipped: Vec<(String, String)> = grammars()
                .iter()
                .map(|it| (it.0.to_owned(), it.1.to_owned()))
                .collect();
            let mut job = Job::new(preset, task, &Text::Input(input), &shipped)
                .map_err(|it| it.to_string())?;
            if self.info.chat_template.is_none() {
                job.request.prompt.template = TemplateChoice::Raw;
            }
            self.n_runs += 1;
            let assembly = Assembly::nth(self.n_runs, job, &self.info);
            runner::run_one(&self.engine, assembly, &mut |_| {})
                .map(|it| it.0)
                .map_err(|it| it.to_string())
        }
    }

    impl Row {
        fn add(&mut self, trial: &Trial) {
            self.n += 1;
            let is_valid = trial.lamps.schema == Some(true);
            self.n_valid += usize::from(is_valid);
            self.n_cut += usize::from(!is_valid && trial.stop == "token_limit");
            self.n_closed += usize::from(trial.holding.held.lost.is_some());
            self.n_correct += usize::from(trial.lamps.correct == Some(true));
            let removed = trial.trace.stages.iter().map(|it| it.removed_mass_mean);
            self.removed += removed.fold(0.0, f32::max);
            if let Some(mask) = trial.trace.mask {
                self.legal = self.legal.max(mask.legal_median);
                self.us_median = self.us_median.max(mask.us_median);
                self.us_p99 = self.us_p99.max(mask.us_p99);
            }
            self.ms += trial.timings.decode_ms;
        }

        fn line(&self, name: &str) -> String {
            let n = self.n.max(1) as f64;
            format!(
                "{name:<34} {:>2}/{:<2} {:>4} {:>6} {:>7} {:>8.2} {:>7} {:>6} {:>7} {:>7.0}",
                self.n_valid,
                self.n,
                self.n_cut,
                self.n_closed,
                self.n_correct,
                f64::from(self.removed) / n,
                self.legal,
                self.us_median,
                self.us_p99,
                self.ms / n
            )
        }
    }

    const HEAD: &str = "                                   valid cut closed correct removed   legal us p50  us p99      ms";

    fn preset(
        temperature: f64,
        seed: u64,
        constraint: &Value,
        knobs: &Value,
    ) -> Result<Preset, String> {
        let mut all = json!({"temperature": temperature, "seed": seed, "max_tokens": 200});
        if let (Some(all), Some(more)) = (all.as_object_mut(), knobs.as_object()) {
            all.extend(more.clone());
        }
        let file = json!({"v": 1, "name": "compared", "style": "example", "knobs": all, "constraint": constraint});
        Preset::parse(&file.to_string(), "compared.json").map_err(|it| it.to_string())
    }

    pub(super) fn shipped(path: &str) -> Result<(), String> {
        let mut bench = Bench::open(path)?;
        println!("{}\n{HEAD}", bench.info.name);
        for (file, text) in shipped_tasks() {
            let task = Task::parse(text, file).map_err(|it| it.to_string())?;
            let made =
                schema_to_gbnf(&task.schema, WhiteSpace::EIGHT).map_err(|it| it.to_string())?;
            for (name, constraint) in [
                (
                    "by hand",
                    json!({"kind": "task_grammar", "close_in_time": true}),
                ),
                (
                    "made",
                    json!({"kind": "grammar", "text": made.text, "close_in_time": true}),
                ),
                (
                    "schema",
                    json!({"kind": "task_schema", "close_in_time": true}),
                ),
            ] {
                let mut row = Row::default();
                let seeds = (1..=5).map(|seed| (1.0, seed));
                for (temperature, seed) in std::iter::once((0.0, 1)).chain(seeds) {
                    let preset = preset(temperature, seed, &constraint, &json!({}))?;
                    let trial = bench.run(&preset, &task, 0)?;
                    row.add(&trial);
                    if trial.lamps.schema != Some(true) {
                        println!(
                            "  {} at {temperature}, seed {seed}: {} {:?}",
                            task.id, trial.stop, trial.reply
                        );
                    }
                }
                println!("{}", row.line(&format!("{} {name}", task.id)));
            }
        }
        Ok(())
    }

    pub(super) fn digits(path: &str) -> Result<(), String> {
        let mut bench = Bench::open(path)?;
        println!("{}\n{HEAD}", bench.info.name);
        let (_, text) = shipped_tasks()
            .iter()
            .find(|it| it.0 == "maths.json")
            .ok_or("no maths task")?;
        let mut file: Value = serde_json::from_str(text).map_err(|it| it.to_string())?;
        file["instruction"] = json!("Solve the problem. Answer with the number alone, in digits.");
        file["schema"] = json!({"type": "integer", "minimum": 0, "maximum": 999_999});
        for list in ["examples", "inputs"] {
            for it in file[list].as_array_mut().into_iter().flatten() {
                let answer = it["answer"]["answer"]
                    .as_str()
                    .and_then(|it| it.parse::<i64>().ok());
                it["answer"] = json!(answer);
            }
        }
        file["rules"] = json!({});
        let task = Task::parse(&file.to_string(), "digits.json").map_err(|it| it.to_string())?;
        let none = json!({"kind": "none"});
        let ban = json!({"token_ban": ["ascii_letter", "punctuation", "white_space"]});
        let hard =
            json!({"token_ban": ["ascii_letter", "punctuation", "white_space", "non_ascii"]});
        for (name, constraint, knobs) in [
            ("nothing", none.clone(), json!({})),
            ("static ban of ASCII others", none.clone(), ban),
            ("static ban of all others", none, hard),
            (
                "grammar",
                json!({"kind": "grammar", "text": "root ::= \"0\" | [1-9] [0-9]{0,5}"}),
                json!({}),
            ),
            (
                "regex",
                json!({"kind": "regex", "text": "0|[1-9][0-9]{0,5}"}),
                json!({}),
            ),
            ("schema", json!({"kind": "task_schema"}), json!({})),
        ] {
            let mut row = Row::default();
            for input in 0..task.inputs.len().min(8) {
                let preset = preset(0.0, 1, &constraint, &knobs)?;
                row.add(&bench.run(&preset, &task, input)?);
            }
            println!("{}", row.line(name));
        }
        Ok(())
    }
}

#[cfg(feature = "llama")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((kind, models)) = arguments.split_first() else {
        println!("constraints shipped|digits MODEL…");
        return ExitCode::from(2);
    };
    for model in models {
        let done = if kind == "digits" {
            compare::digits(model)
        } else {
            compare::shipped(model)
        };
        if let Err(error) = done {
            println!("error: {error}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

#[cfg(not(feature = "llama"))]
fn main() -> ExitCode {
    println!("built without models");
    ExitCode::from(2)
}
