//! Models made by hand: every state that the window can be in, without an engine.

use std::path::PathBuf;

use serde_json::{Map, Value, json};
use stepladder::app::{
    ConstraintDraft, ConstraintKind, Draft, EnginePhase, ExampleDraft, FoundModel, Library, Model,
    Preview, PromptDraft, Reply, RunPhase, Settings,
};
use stepladder::engine::{ModelInfo, PromptView, RunId, TokenEvent};
use stepladder::judge::{Cause, Correctness, Difference, Fault, Lamps, Leak, Verdict};
use stepladder::lab::{ConstraintChoice, ModelStamp, Preset, Timings, TraceSummary, Trial};
use stepladder::ladder::{Attempt, Climb, Flag, Repair, RepairKind, Rung, SyntaxError};
use stepladder::prompt::{Example, PromptStyle, Task, TaskInput};
use stepladder::runner::Assembly;
use stepladder::sampling::{Candidate, Knob, Knobs, Stage, StageEffect, TokenTrace};

pub(crate) const JSON_GRAMMAR: &str = "root   ::= object\nobject ::= \"{\" pair (\",\" pair)* \"}\"   # an object\npair   ::= string \":\" value\nstring ::= \"\\\"\" [a-z]+ \"\\\"\"\nvalue  ::= string | \"null\"\n";

pub(crate) const VALID: &str = "{\n  \"items\": [\n    { \"name\": \"oat milk\", \"qty\": 2 },\n    { \"name\": \"rye bread\", \"qty\": 1 },\n    { \"name\": \"ripe avocados\", \"qty\": 4 }\n  ],\n  \"note\": null\n}";

pub(crate) const BROKEN: &str = "Sure! Here is the list you asked for:\n\n```json\n{\n  'items': [\n    { 'name': 'oat milk', 'quantity': 2, },\n    { 'name': 'NAME', 'qty': \"1\" },\n  ],\n  'note': None\n```\nLet me know if you need anything else.";

pub(crate) const FAR_EAST: &str = "{\n  \"买家\": \"上海光华贸易有限公司\",\n  \"품목\": [\n    { \"이름\": \"녹차 가루 일 킬로그램\", \"qty\": 12, \"비고\": \"서울특별시 종로구 세종대로 이백구번지까지 빠른 배송으로 보내 주세요\" },\n    { \"名称\": \"铸铁茶壶以及配套的四只陶瓷茶杯，请务必用双层纸箱仔细包装后再发货\", \"qty\": 3 },\n    { \"品名\": \"急須\", \"qty\": 1 }\n  ]\n}";

/// A window with a loaded model and nothing run yet.
pub(crate) fn ready() -> Model {
    Model {
        engine: EnginePhase::Ready(Box::new(info())),
        preview: shown(Ok(prompt_view())),
        models: found(),
        ..Model::new(library(), draft(), Settings::default())
    }
}

pub(crate) fn shown(result: Result<PromptView, String>) -> Preview {
    Preview {
        shown: Some(result),
        ..Preview::default()
    }
}

pub(crate) fn without_model() -> Model {
    Model {
        engine: EnginePhase::NoModel,
        preview: Preview::default(),
        ..ready()
    }
}

pub(crate) fn loading() -> Model {
    Model {
        engine: EnginePhase::Loading {
            id: RunId(1),
            path: PathBuf::from("/models/gemma-3-270m.Q4_K_M.gguf"),
            fraction: 0.42,
        },
        ..without_model()
    }
}

pub(crate) fn reading_the_prompt() -> Model {
    let reply = Reply {
        prefill: Some((128, 214)),
        ..reply("", None)
    };
    running(reply)
}

/// In the middle of a reply.
pub(crate) fn writing(text: &str) -> Model {
    running(reply(text, None))
}

pub(crate) fn running(reply: Reply) -> Model {
    Model {
        run: RunPhase::Running {
            reply: Box::new(reply),
        },
        ..ready()
    }
}

pub(crate) fn done(text: &str, trial: Trial) -> Model {
    let legal = trial.constraint.get("kind").is_some_and(|it| it != "none");
    Model {
        run: RunPhase::Done {
            reply: Box::new(reply(text, legal.then_some(812))),
            trial: Box::new(trial),
        },
        ..ready()
    }
}

/// Held by a schema, all lamps lit.
pub(crate) fn done_valid() -> Model {
    let mut model = done(VALID, valid_trial());
    let constraint = &mut model.draft.constraint;
    constraint.kind = ConstraintKind::Schema;
    model
}

/// Prose, fences, single quotes, a wrong key, a leak: all lamps but the first are dark.
pub(crate) fn done_repaired() -> Model {
    let mut model = done(BROKEN, repaired_trial());
    let knobs = &mut model.draft.knobs;
    knobs.set(Knob::Temperature, 0.75).unwrap();
    knobs.set(Knob::TopP, 0.9).unwrap();
    knobs.set(Knob::TopK, 40.0).unwrap();
    knobs.set(Knob::RepetitionPenalty, 1.12).unwrap();
    knobs.set(Knob::NoRepeatNgramSize, 3.0).unwrap();
    "chat".clone_into(&mut model.draft.preset);
    model
}

pub(crate) fn done_no_json() -> Model {
    let text = "I'm sorry, but I can't help with that list. Could you tell me more about it?";
    let error = |rung| attempt(rung, "expected value", 1, 1);
    let climb = Climb {
        attempts: vec![
            error(Rung::AsIs),
            error(Rung::Fences),
            attempt(Rung::Cut, "no object or array in the reply", 1, 1),
            attempt(
                Rung::Repair,
                "nothing that could be an object or array",
                1,
                1,
            ),
        ],
        ..Climb::default()
    };
    let mut trial = trial(text, climb);
    "token_limit".clone_into(&mut trial.stop);
    trial.lamps = Lamps::default();
    trial.cause = Some(Cause {
        kind: "no_json".to_owned(),
        message: "The reply holds no JSON at all: it is prose from the first word.".to_owned(),
    });
    done(text, trial)
}

pub(crate) fn far_east() -> Model {
    let value: Value = serde_json::from_str(FAR_EAST).unwrap();
    let climb = Climb {
        rung: Some(Rung::AsIs),
        value: Some(value),
        whole_reply_valid: true,
        first_object_recoverable: true,
        ..Climb::default()
    };
    let mut trial = trial(FAR_EAST, climb);
    trial.lamps = Lamps {
        parses: true,
        schema: None,
        correct: None,
        leak_free: Some(true),
    };
    let mut model = done(FAR_EAST, trial);
    let prompt = &mut model.draft.prompt;
    "上海光华贸易有限公司订购：녹차 가루 1kg 12봉지, 急須 1点。请将发票寄到北京市朝阳区建国门外大街甲六号。".clone_into(&mut prompt.input);
    "从下面的文字中提取订单，只回答 JSON。주문을 JSON으로만 답하세요."
        .clone_into(&mut prompt.instruction);
    model
}

pub(crate) fn reply(text: &str, n_legal: Option<u32>) -> Reply {
    let job = draft().job(&library());
    Reply {
        assembly: Assembly {
            view: prompt_view(),
            tokens: tokens(text, n_legal),
            ..Assembly::new(RunId(7), job, info())
        },
        prefill: None,
        cancelling: false,
    }
}

/// Cuts a text into token-like pieces, with made-up but steady probabilities.
pub(crate) fn tokens(text: &str, n_legal: Option<u32>) -> Vec<TokenEvent> {
    let mut dice = 0x9E37_79B9_u32;
    let mut roll = move || {
        dice ^= dice << 13;
        dice ^= dice >> 17;
        dice ^= dice << 5;
        f32::from((dice >> 16) as u16) / 65_536.0
    };
    let pieces = pieces(text);
    let pieces = pieces.iter().enumerate();
    pieces
        .map(|(idx, piece)| token(idx, piece, (roll(), roll()), n_legal))
        .collect()
}

fn token(idx: usize, text: &str, (a, b): (f32, f32), n_legal: Option<u32>) -> TokenEvent {
    let is_sign = text.chars().all(|it| !it.is_alphanumeric());
    let probability = match (is_sign, a) {
        (true, _) => 0.93 + 0.07 * a,
        (_, 0.0..0.14) => 0.04 + 2.0 * a,
        (_, 0.14..0.35) => 0.35 + a,
        _ => 0.82 + 0.18 * b,
    };
    let id = 300 + idx as u32;
    let rank = if probability < 0.15 {
        4
    } else if probability < 0.45 {
        2
    } else {
        1
    };
    let others = [" the", "\n", "name", " null", "42"];
    let mut before = vec![Candidate {
        token: id,
        probability,
    }];
    let mut rest = 1.0 - probability;
    for other in 0..5_u32 {
        let share = rest * if rank > 1 && other == 0 { 0.7 } else { 0.5 };
        rest -= share;
        before.push(Candidate {
            token: 9_000 + other,
            probability: share,
        });
    }
    before.sort_by(|x, y| y.probability.total_cmp(&x.probability));
    let after = vec![
        Candidate {
            token: id,
            probability: (probability * 1.4).min(0.98),
        },
        Candidate {
            token: before.iter().find(|it| it.token != id).unwrap().token,
            probability: (1.0 - probability * 1.4).max(0.02),
        },
    ];
    let effects = if rank > 1 {
        vec![
            StageEffect {
                stage: Stage::NoRepeatNgram,
                n_removed: 3,
                removed_mass: 0.721,
                changed_top: true,
            },
            StageEffect {
                stage: Stage::TopK,
                n_removed: 49_112,
                removed_mass: 0.013,
                changed_top: false,
            },
        ]
    } else {
        Vec::new()
    };
    let mut names = vec![(id, text.to_owned())];
    names.extend(
        (0..5_u32)
            .zip(others)
            .map(|(it, name)| (9_000 + it, name.to_owned())),
    );
    TokenEvent {
        token: id,
        bytes: text.as_bytes().to_vec(),
        text: text.to_owned(),
        trace: TokenTrace {
            wanted: before[0].token,
            probability,
            rank,
            before,
            after,
            effects,
            n_legal: n_legal.map(|it| if is_sign && b < 0.5 { 1 } else { it }),
            mask_us: n_legal.map(|_| 9),
        },
        names,
    }
}

fn pieces(text: &str) -> Vec<String> {
    let kind = |it: char| match it {
        '\n' | ' ' => 0,
        it if it.is_ascii_alphanumeric() => 1,
        it if it.is_alphanumeric() => 2,
        _ => 3,
    };
    let mut pieces: Vec<String> = Vec::new();
    for sign in text.chars() {
        let joins = pieces
            .last()
            .and_then(|it| it.chars().last())
            .is_some_and(|last| {
                let n = pieces.last().map_or(0, |it| it.chars().count());
                match (kind(last), kind(sign)) {
                    (0, 0 | 1) | (3, 3) => n < 4,
                    (1, 1) => n < 6,
                    _ => false,
                }
            });
        match pieces.last_mut() {
            Some(last) if joins => last.push(sign),
            _ => pieces.push(sign.to_string()),
        }
    }
    pieces
}

fn valid_trial() -> Trial {
    let climb = Climb {
        rung: Some(Rung::AsIs),
        value: Some(serde_json::from_str(VALID).unwrap()),
        whole_reply_valid: true,
        first_object_recoverable: true,
        ..Climb::default()
    };
    let mut trial = trial(VALID, climb);
    "constraint_complete".clone_into(&mut trial.stop);
    trial.constraint = json!({"kind": "schema"});
    trial.verdict = Some(Verdict {
        valid: true,
        ..Verdict::default()
    });
    trial.correctness = Some(Correctness {
        correct: true,
        differences: Vec::new(),
    });
    trial.lamps = Lamps {
        parses: true,
        schema: Some(true),
        correct: Some(true),
        leak_free: Some(true),
    };
    trial
}

fn repaired_trial() -> Trial {
    let repair = |kind, (line, column), before: &str, after: &str| Repair {
        kind,
        offset: 0,
        line,
        column,
        before: before.to_owned(),
        after: after.to_owned(),
    };
    let climb = Climb {
        rung: Some(Rung::Repair),
        value: Some(json!({
            "items": [
                {"name": "oat milk", "quantity": 2},
                {"name": "NAME", "qty": "1"},
            ],
            "note": null,
        })),
        flags: vec![Flag::Truncated, Flag::NumberAsString],
        notes: vec!["The object's end is missing; one bracket was put in.".to_owned()],
        repairs: vec![
            repair(RepairKind::Quote, (5, 3), "'items'", "\"items\""),
            repair(RepairKind::Quote, (6, 7), "'name'", "\"name\""),
            repair(RepairKind::Comma, (6, 40), ",", ""),
            repair(RepairKind::Literal, (9, 11), "None", "null"),
            repair(RepairKind::Truncation, (9, 15), "", "}"),
        ],
        attempts: vec![
            attempt(Rung::AsIs, "expected value", 1, 1),
            attempt(Rung::Fences, "key must be a string", 2, 3),
            attempt(Rung::Cut, "the object that begins here has no end", 4, 1),
        ],
        candidates: Vec::new(),
        whole_reply_valid: false,
        first_object_recoverable: true,
        thinking: None,
    };
    let mut trial = trial(BROKEN, climb);
    trial.verdict = Some(Verdict {
        valid: false,
        on_repaired: true,
        faults: vec![
            fault("/items/0", "required", "\"qty\" is a required property"),
            fault("/items/1/qty", "type", "\"1\" is not of type \"integer\""),
        ],
    });
    trial.correctness = Some(Correctness {
        correct: false,
        differences: vec![Difference {
            path: "/items/1/name".to_owned(),
            expected: json!("rye bread"),
            found: Some(json!("NAME")),
            remark: None,
        }],
    });
    trial.leaks = vec![Leak {
        path: "/items/1/name".to_owned(),
        value: "NAME".to_owned(),
        example: 1,
    }];
    trial.lamps = Lamps {
        parses: true,
        schema: Some(false),
        correct: Some(false),
        leak_free: Some(false),
    };
    trial.cause = Some(Cause {
        kind: "wrong_shape".to_owned(),
        message: "/items/0 has “quantity” where the schema asks for “qty”: the n-gram ban took “qty” away.".to_owned(),
    });
    trial
}

fn fault(path: &str, keyword: &str, message: &str) -> Fault {
    Fault {
        instance_path: path.to_owned(),
        keyword: keyword.to_owned(),
        message: message.to_owned(),
    }
}

fn attempt(rung: Rung, message: &str, line: usize, column: usize) -> Attempt {
    Attempt {
        rung,
        error: SyntaxError {
            message: message.to_owned(),
            line,
            column,
        },
    }
}

fn trial(text: &str, climb: Climb) -> Trial {
    Trial {
        v: 1,
        id: "01".to_owned(),
        time: "2026-11-30T12:00:00Z".to_owned(),
        versions: Map::new(),
        model: ModelStamp::default(),
        preset: Value::Null,
        style: PromptStyle::Example,
        task: "shopping".to_owned(),
        input: Some(0),
        input_text: String::new(),
        messages: Vec::new(),
        prompt: String::new(),
        prompt_tokens: Vec::new(),
        constraint: json!({"kind": "none"}),
        reply: text.to_owned(),
        reply_tokens: Vec::new(),
        stop: "end_of_generation".to_owned(),
        stop_detail: None,
        attempt: 1,
        timings: Timings {
            first_token_ms: 212.0,
            tokens_per_second: 41.8,
            ..Timings::default()
        },
        trace: TraceSummary::default(),
        climb,
        verdict: None,
        correctness: None,
        leaks: Vec::new(),
        lamps: Lamps::default(),
        cause: None,
        other: Map::new(),
    }
}

fn draft() -> Draft {
    let mut knobs = Knobs::neutral();
    knobs.set(Knob::Temperature, 0.0).unwrap();
    Draft {
        task: "shopping".to_owned(),
        input: Some(0),
        prompt: PromptDraft {
            system: "You are a careful clerk. Answer with JSON only.".to_owned(),
            instruction: "Extract the shopping list: each item with its name and its quantity as a whole number.".to_owned(),
            input: "Could you get two cartons of oat milk, a rye bread and four ripe avocados? Thanks!".to_owned(),
            examples: vec![
                ExampleDraft {
                    input: "Please buy 3 lemons.".to_owned(),
                    answer: "{\"items\":[{\"name\":\"NAME\",\"qty\":3}],\"note\":null}".to_owned(),
                    on: true,
                },
                ExampleDraft {
                    input: "Nothing today.".to_owned(),
                    answer: "{\"items\":[],\"note\":null}".to_owned(),
                    on: false,
                },
            ],
            ..PromptDraft::default()
        },
        preset: "greedy".to_owned(),
        knobs,
        constraint: ConstraintDraft {
            grammar: JSON_GRAMMAR.to_owned(),
            schema: format!("{:#}", schema()),
            ..ConstraintDraft::default()
        },
        judge_schema: format!("{:#}", schema()),
    }
}

fn library() -> Library {
    let preset = |name: &str, title: &str, about: &str| Preset {
        name: name.to_owned(),
        title: title.to_owned(),
        about: about.to_owned(),
        style: PromptStyle::Example,
        knobs: draft().knobs,
        constraint: ConstraintChoice::None,
        other: Map::new(),
    };
    Library {
        tasks: vec![
            task("shopping", "Shopping list"),
            task("contact", "Contact"),
            task("mood", "Mood tag"),
        ],
        presets: vec![
            preset("greedy", "Greedy", "Always the most likely token."),
            preset("chat", "Chat settings", "What a chat app sends by default."),
        ],
        grammars: vec![
            ("JSON".to_owned(), JSON_GRAMMAR.to_owned()),
            (
                "Yes or no".to_owned(),
                "root ::= \"yes\" | \"no\"\n".to_owned(),
            ),
        ],
        problems: Vec::new(),
    }
}

fn task(id: &str, title: &str) -> Task {
    Task {
        v: 1,
        id: id.to_owned(),
        title: title.to_owned(),
        system: String::new(),
        instruction: "Extract it.".to_owned(),
        schema: schema(),
        examples: vec![Example {
            input: "Please buy 3 lemons.".to_owned(),
            answer: json!({"items": []}),
        }],
        inputs: ["Two cartons of oat milk, please.", "달걀 열두 개 주세요."]
            .map(|it| TaskInput {
                text: it.to_owned(),
                answer: None,
            })
            .to_vec(),
        rules: Map::new(),
        other: Map::new(),
    }
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "items": {"type": "array", "items": {"type": "object"}},
            "note": {"type": ["string", "null"]},
        },
        "required": ["items", "note"],
    })
}

fn info() -> ModelInfo {
    ModelInfo {
        path: PathBuf::from("/models/SmolLM2-135M-Instruct.Q4_1.gguf"),
        name: "SmolLM2 135M Instruct".to_owned(),
        architecture: "llama".to_owned(),
        quantization: "Q4_1".to_owned(),
        bytes: 91_700_000,
        n_vocab: 49_152,
        n_ctx: 2_048,
        n_threads: 2,
        device: "CPU".to_owned(),
        memory_bytes: 412_000_000,
        llama_cpp: "b6100".to_owned(),
        ..ModelInfo::default()
    }
}

fn found() -> Vec<FoundModel> {
    let model = |file: &str, name: &str, quantization: &str, bytes| FoundModel {
        path: PathBuf::from("/models").join(file),
        name: name.to_owned(),
        architecture: "llama".to_owned(),
        quantization: quantization.to_owned(),
        bytes,
        found_in: "/models".to_owned(),
    };
    vec![
        model(
            "SmolLM2-135M-Instruct.Q4_1.gguf",
            "SmolLM2 135M Instruct",
            "Q4_1",
            91_700_000,
        ),
        model(
            "gemma-3-270m.Q4_K_M.gguf",
            "Gemma 3 270M",
            "Q4_K_M",
            253_000_000,
        ),
        model(
            "qwen2.5-7b.Q4_K_M.gguf",
            "Qwen2.5 7B Instruct",
            "Q4_K_M",
            4_680_000_000,
        ),
    ]
}

fn prompt_view() -> PromptView {
    PromptView {
        rendered: "<|im_start|>system\nYou are a careful clerk. Answer with JSON only.<|im_end|>\n<|im_start|>user\nExtract the shopping list…<|im_end|>\n<|im_start|>assistant\n".to_owned(),
        tokens: (0..214).collect(),
        warnings: Vec::new(),
    }
}
