//! The forecast of the n-gram ban against what the ban did on the shopping task.

use std::path::Path;

use stepladder::engine::{PreviewRequest, PromptView};
use stepladder::lab::{Preset, shipped_presets};
use stepladder::prompt::{
    Piece, Task, expected_text, expected_text_indented, forecast, shipped_tasks, structural_runs,
};
use stepladder::runner::{Job, Text};
use stepladder::sampling::{Knobs, Span, Stage, TokenId};

use super::setup::{Told, instruct};

fn shipped(files: &[(&'static str, &'static str)], name: &str) -> &'static str {
    let found = files.iter().find(|it| Path::new(it.0).ends_with(name));
    found.unwrap_or_else(|| panic!("{name}")).1
}

/// A token that the ban took while the reply was written.
#[derive(Debug)]
struct Ban {
    /// The run that it would have completed, the token last.
    run: Vec<TokenId>,
    text: String,
    earlier: Span,
}

/// The bans of a reply whose whole run is structure: signs, white space and the schema's keys.
fn structural_bans(told: &Told, size: usize, keys: &[&str]) -> Vec<Ban> {
    let mut written = told.view.tokens.clone();
    let mut bans = Vec::new();
    for event in &told.tokens {
        let touches = event.trace.touches.iter();
        for touch in touches.filter(|it| it.stage == Stage::NoRepeatNgram && it.shift.is_none()) {
            let run = [&written[written.len() + 1 - size..], &[touch.token]].concat();
            let text = text_of(&run, told);
            if is_structure(&text, keys) {
                bans.push(Ban {
                    run,
                    text,
                    earlier: touch.earlier.unwrap(),
                });
            }
        }
        written.push(event.token);
    }
    bans
}

/// The text of some tokens of the prompt, the reply or the candidates.
fn text_of(run: &[TokenId], told: &Told) -> String {
    let names = told.tokens.iter().flat_map(|it| &it.names);
    let name = |token: &TokenId| names.clone().find(|it| it.0 == *token);
    let texts = run
        .iter()
        .map(|it| name(it).map_or("?", |it| it.1.as_str()));
    texts.collect()
}

fn piece(it: &stepladder::engine::Piece) -> Piece {
    Piece {
        token: it.token,
        bytes: it.bytes.clone(),
    }
}

/// The prompt's tokens with their texts, from the places where they end.
fn prompt_pieces(view: &PromptView) -> Vec<Piece> {
    let starts = std::iter::once(0).chain(view.ends.iter().copied());
    let ends = view.ends.iter();
    let texts = starts
        .zip(ends)
        .map(|(start, end)| start as usize..*end as usize);
    let pieces = view.tokens.iter().zip(texts);
    pieces
        .map(|(token, text)| Piece {
            token: *token,
            bytes: view.rendered.as_bytes()[text].to_vec(),
        })
        .collect()
}

fn is_structure(text: &str, keys: &[&str]) -> bool {
    let rest = keys
        .iter()
        .fold(text.to_owned(), |text, key| text.replace(key, ""));
    rest.chars()
        .all(|it| "{}[]:,\"".contains(it) || it.is_whitespace())
}

#[test]
fn every_structural_token_that_was_banned_was_forecast_or_written_before_by_the_reply() {
    let task = Task::parse(shipped(shipped_tasks(), "shopping.json"), "shopping.json").unwrap();
    let preset = shipped(shipped_presets(), "greedy-ngram3.json");
    let preset = Preset::parse(preset, "greedy-ngram3.json").unwrap();
    let example = Some(&task.examples[0].answer);
    let answers = [expected_text, expected_text_indented].map(|it| it(&task.schema, example));
    let keys = ["items", "name", "qty"];
    let (mut n_forecast, mut n_own) = (0, 0);
    let mut missed = Vec::new();
    for input in 0..task.inputs.len() {
        let mut model = instruct();
        let job = Job::new(&preset, &task, &Text::Input(input), &[]).unwrap();
        let told = model.run(&job.request).unwrap();
        let prompt = told.view.tokens.as_slice();
        let mut forecast_of = |answer: &str| {
            let asked = job.request.prompt.clone();
            let view = model
                .preview_of(PreviewRequest {
                    prompt: asked,
                    texts: vec![answer.to_owned()],
                    knobs: Knobs::neutral(),
                })
                .unwrap();
            assert_eq!(view.tokens, prompt);
            let mut pieces = |_: &str| view.texts[0].iter().map(piece).collect();
            forecast((prompt, true), 3, answer, &mut pieces)
        };
        let forecast = forecast_of(&answers[0]).with_spelling(forecast_of(&answers[1]));
        let runs = structural_runs(&prompt_pieces(&told.view), 3, &keys);
        let forecast = forecast.with_runs(runs);
        println!("input {input}: {} | {}", forecast.sentence(), told.text());
        for ban in structural_bans(&told, 3, &keys) {
            let is_own = ban.earlier.end as usize > prompt.len();
            let is_forecast = forecast.has(&ban.run, prompt);
            println!(
                "  {:?} at {:?}: forecast {is_forecast}, own {is_own}",
                ban.text, ban.earlier
            );
            if !is_own && !is_forecast {
                missed.push(ban);
                continue;
            }
            n_forecast += u32::from(is_forecast);
            n_own += u32::from(is_own);
        }
    }
    println!("{n_forecast} were forecast, {n_own} were written by the reply before");
    assert!(missed.is_empty(), "{missed:?}");
    assert!(n_forecast > 0, "no structural token was banned");
}
