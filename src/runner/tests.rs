//! From events to trials.

use serde_json::json;

use super::*;
use crate::engine::{
    Event, Finish, ModelInfo, PromptView, RunId, RunTimings, StopReason, TokenEvent,
};
use crate::lab::StageSummary;
use crate::prompt::TemplateChoice;
use crate::sampling::{Stage, StageEffect, TokenTrace};
use crate::store::{self, Folders};

fn job(preset: &str, input: usize) -> Job {
    let library = store::library(&Folders::at("no such folder"));
    let task = library.task("shopping").unwrap();
    Job::new(
        library.preset(preset).unwrap(),
        task,
        &Text::Input(input),
        &library.grammars,
    )
    .unwrap()
}

fn token(effects: Vec<StageEffect>, n_legal: Option<u32>, mask_us: Option<u32>) -> TokenEvent {
    TokenEvent {
        given: false,
        token: 1,
        bytes: vec![b'x'],
        text: "x".to_owned(),
        trace: TokenTrace {
            wanted: 1,
            probability: 1.0,
            rank: 1,
            before: Vec::new(),
            after: Vec::new(),
            effects,
            n_legal,
            mask_us,
            ..TokenTrace::default()
        },
        names: Vec::new(),
    }
}

fn ban(removed_mass: f32, changed_top: bool) -> StageEffect {
    StageEffect {
        stage: Stage::NoRepeatNgram,
        n_removed: 1,
        removed_mass,
        kept_mass: 1.0 - removed_mass,
        changed_top,
        new_top: None,
    }
}

#[test]
fn the_right_answer_lights_every_lamp() {
    let job = job("greedy", 0);
    let answer = job.given.answer.clone().unwrap();
    let assembly = Assembly::new(RunId(2), job, ModelInfo::default());
    let finish = Finish {
        knobs: Vec::new(),
        held: crate::engine::Held::default(),
        stop: StopReason::EndOfGeneration,
        text: answer.to_string(),
        timings: RunTimings {
            decode_ms: 500.0,
            n_reply: 20,
            ..RunTimings::default()
        },
    };
    let trial = assembly.finish(&finish, Moment::now());
    assert!(trial.lamps.parses);
    assert_eq!(trial.lamps.schema, Some(true));
    assert_eq!(trial.lamps.correct, Some(true));
    assert_eq!(trial.cause, None);
    assert!((trial.timings.tokens_per_second - 40.0).abs() < 1e-9);
}

#[test]
fn a_cut_reply_is_recorded_as_truncated_and_its_verdict_as_on_a_repair() {
    let assembly = Assembly::new(RunId(2), job("greedy", 0), ModelInfo::default());
    let finish = Finish {
        knobs: Vec::new(),
        held: crate::engine::Held::default(),
        stop: StopReason::TokenLimit,
        text: r#"{"items": [{"name": "milk", "qty": 2}, {"na"#.to_owned(),
        timings: RunTimings::default(),
    };
    let trial = assembly.finish(&finish, Moment::now());
    assert_eq!(trial.climb.rung.map(u8::from), Some(4));
    assert!(trial.verdict.unwrap().on_repaired);
    assert_eq!(trial.stop, "token_limit");
}

#[test]
fn a_trial_survives_its_line() {
    let assembly = Assembly::new(RunId(2), job("greedy-schema", 1), ModelInfo::default());
    let finish = Finish {
        knobs: Vec::new(),
        held: crate::engine::Held::default(),
        stop: StopReason::DeadEnd {
            stages: vec!["a".to_owned(), "b".to_owned()],
        },
        text: "no".to_owned(),
        timings: RunTimings::default(),
    };
    let trial = assembly.finish(&finish, Moment::now());
    let line = serde_json::to_string(&trial).unwrap();
    assert_eq!(
        serde_json::from_str::<crate::lab::Trial>(&line).unwrap(),
        trial
    );
    assert_eq!(trial.stop_detail.as_deref(), Some("a against b"));
}

#[test]
fn a_second_start_voids_the_first_attempts_tokens() {
    let id = RunId(2);
    let mut assembly = Assembly::new(id, job("greedy", 0), ModelInfo::default());
    assembly.on_event(&Event::Tokens {
        id,
        tokens: vec![token(Vec::new(), None, None)],
    });
    let view = Box::new(PromptView {
        rendered: "again".to_owned(),
        ..PromptView::default()
    });
    assembly.on_event(&Event::Started {
        id,
        attempt: 2,
        view,
    });
    assert!(assembly.tokens.is_empty());
    assert_eq!(
        (assembly.attempt, assembly.view.rendered.as_str()),
        (2, "again")
    );
}

#[test]
fn the_summary_counts_changed_tokens_and_averages_over_all_of_them() {
    let tokens = [
        token(vec![ban(0.5, true)], None, None),
        token(Vec::new(), None, None),
    ];
    let expected = StageSummary {
        stage: Stage::NoRepeatNgram,
        n_blamed: 0,
        n_removing: 1,
        n_changed: 1,
        removed_mass_mean: 0.25,
        removed_mass_max: 0.5,
    };
    assert_eq!(summarise(&tokens).stages, [expected]);
    assert_eq!(summarise(&tokens).mask, None);
}

#[test]
fn the_masks_median_and_p99_are_nearest_ranks() {
    let tokens: Vec<_> = (1..=100)
        .map(|n| token(Vec::new(), Some(n), Some(n * 10)))
        .collect();
    let mask = summarise(&tokens).mask.unwrap();
    assert_eq!(
        (mask.legal_median, mask.us_median, mask.us_p99),
        (50, 500, 990)
    );
}

#[test]
fn a_preset_with_the_tasks_grammar_gets_it() {
    let request = job("greedy-grammar", 0).request;
    let value = serde_json::to_value(&request.constraint).unwrap();
    assert_eq!(value["kind"], json!("grammar"));
    assert!(value["text"].as_str().unwrap().contains("qty"));
}

#[test]
fn an_input_that_is_not_there_is_named() {
    let library = store::library(&Folders::at("no such folder"));
    let task = library.task("shopping").unwrap();
    let error = Job::new(
        library.preset("greedy").unwrap(),
        task,
        &Text::Input(98),
        &library.grammars,
    )
    .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("no input 99; it has inputs 1 to 8"),
        "{error}"
    );
}

/// A template in the style of a model that thinks, of our own writing.
const THINKING: &str =
    "{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}[assistant]<think>\n";

#[track_caller]
fn check_channels(template: &str, prompt: &str, reply: &str, expected: (Option<&str>, u8)) {
    let appraised = Appraised {
        reply,
        template: Some(template),
        prompt,
        ..Appraised::default()
    };
    let (climb, _) = appraise(&appraised, &Given::default());
    let rung = climb.rung.map(u8::from).unwrap();
    assert_eq!((climb.thinking.as_deref().map(str::trim), rung), expected);
    assert_eq!(climb.value(), Some(&json!({"a": 1})));
}

#[test]
fn thinking_that_the_prompt_opened_is_a_channel_of_its_own() {
    let prompt = "[user]hi[assistant]<think>\n";
    check_channels(
        THINKING,
        prompt,
        "maybe {x}\n</think>\n{\"a\": 1}",
        (Some("maybe {x}"), 1),
    );
}

#[test]
fn thinking_that_the_reply_opens_is_a_channel_too() {
    check_channels(
        THINKING,
        "[user]hi[assistant]",
        "<think>hm</think>{\"a\": 1}",
        (Some("hm"), 1),
    );
}

#[test]
fn a_template_without_thinking_leaves_the_tags_to_the_ladder() {
    check_channels(
        "{{ messages }}",
        "[user]hi",
        "<think>a {x}</think>{\"a\": 1}",
        (Some("a {x}"), 3),
    );
}

/// A reply under a constraint, to a prompt that opened the block.
#[track_caller]
fn check_constrained(reply: &str, thinking: Option<&str>) {
    let appraised = Appraised {
        reply,
        template: Some(THINKING),
        prompt: "[user]hi[assistant]<think>\n",
        constrained: true,
        ..Appraised::default()
    };
    let (climb, _) = appraise(&appraised, &Given::default());
    assert!(climb.value().is_some(), "{climb:?}");
    assert_eq!(climb.thinking.as_deref(), thinking);
}

#[test]
fn a_constrained_reply_that_never_closes_the_block_is_the_answer() {
    check_constrained("{\"a\": 1}", None);
}

#[test]
fn a_constrained_reply_that_holds_the_tag_in_a_text_is_the_answer() {
    check_constrained("{\"a\": \"</think>\"}", None);
}

#[test]
fn a_constraint_that_lets_the_model_think_leaves_the_channel() {
    check_constrained("hm</think>{\"a\": 1}", Some("hm"));
}

/// The thoughts recorded of a reply that opens a block, by the template that rendered.
#[track_caller]
fn check_template(template: TemplateChoice, reply: &str, expected: Option<&str>) {
    let mut job = job("greedy", 0);
    job.request.prompt.template = template;
    let model = ModelInfo {
        chat_template: Some(THINKING.to_owned()),
        ..ModelInfo::default()
    };
    let mut assembly = Assembly::new(RunId(2), job, model);
    assembly.view.rendered = "[user]hi[assistant]<think>\n".to_owned();
    let finish = Finish {
        knobs: Vec::new(),
        held: crate::engine::Held::default(),
        stop: StopReason::EndOfGeneration,
        text: reply.to_owned(),
        timings: RunTimings::default(),
    };
    let climb = assembly.finish(&finish, Moment::now()).climb;
    assert_eq!(climb.thinking.as_deref(), expected);
}

#[test]
fn the_template_that_rendered_tells_the_thinking() {
    check_template(
        TemplateChoice::Model,
        "hm {\"a\": 1}",
        Some("hm {\"a\": 1}"),
    );
    check_template(TemplateChoice::ChatMl, "hm {\"a\": 1}", None);
    check_template(TemplateChoice::Raw, "hm {\"a\": 1}", None);
}

#[test]
fn a_constrained_job_is_climbed_although_the_prompt_opened_a_block() {
    let mut job = job("greedy-schema", 0);
    job.request.prompt.prefill = "{".to_owned();
    let answer = job.given.answer.clone().unwrap();
    let model = ModelInfo {
        chat_template: Some(THINKING.to_owned()),
        ..ModelInfo::default()
    };
    let mut assembly = Assembly::new(RunId(2), job, model);
    assembly.view.rendered = "[user]hi[assistant]<think>\n{".to_owned();
    let finish = Finish {
        knobs: Vec::new(),
        held: crate::engine::Held::default(),
        stop: StopReason::ConstraintComplete,
        text: answer.to_string()[1..].to_owned(),
        timings: RunTimings::default(),
    };
    let trial = assembly.finish(&finish, Moment::now());
    assert_eq!(trial.climb.value(), Some(&answer));
    assert_eq!(trial.lamps.schema, Some(true));
}
