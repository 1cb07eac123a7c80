//! Pictures of every state, for looking at: written to the folder that `SHOTS` names, if it is set.

use std::path::Path;

use eframe::egui::{Theme, pos2};
use egui_kittest::kittest::Queryable as _;
use stepladder::app::{
    ConstraintKind, DocumentKind, GetPhase, Getting, GrammarsAction, Model, Notice, NoticeKind,
    RunPhase, ThemeChoice,
};
use stepladder::constraint::{ConstraintError, WhiteSpace};
use stepladder::download::{Wanted, offer};

use crate::compare;
use crate::fixture;
use crate::getting;
use crate::grammars;
use crate::machine;
use crate::repair;
use crate::{Window, window};
use crate::{bench, runs};

#[test]
fn pictures_of_every_state() {
    let Ok(folder) = std::env::var("SHOTS") else {
        return;
    };
    let only = std::env::var("ONLY").unwrap_or_default();
    for (name, make) in SCENES {
        if !name.contains(&only) {
            continue;
        }
        for theme in [ThemeChoice::Dark, ThemeChoice::Light] {
            let big = (1440.0, 900.0);
            take(Path::new(&folder), name, (make(), theme, big));
        }
        take(
            Path::new(&folder),
            name,
            (make(), ThemeChoice::Dark, (1000.0, 640.0)),
        );
    }
}

type Scene = (&'static str, fn() -> Model);

const SCENES: &[Scene] = &[
    ("empty", fixture::ready),
    ("no-model", fixture::without_model),
    ("loading", fixture::loading),
    ("prefill", fixture::reading_the_prompt),
    ("running", || fixture::writing(&fixture::VALID[..120])),
    ("growing", || {
        fixture::writing("{\"items\": [{\"name\": \"oat milk\", \"qty\": 2}, {\"name\": \"rye br")
    }),
    ("valid", fixture::done_valid),
    ("repaired", fixture::done_repaired),
    ("no-json", fixture::done_no_json),
    ("far-east", fixture::far_east),
    ("trouble", trouble),
    ("hover", fixture::done_repaired),
    ("grammar", grammar),
    ("model-menu", fixture::ready),
    ("get-models", get_models),
    ("get-offline", get_offline),
    ("task-menu", fixture::ready),
    ("large-editor", grammar),
    ("texts", texts),
    ("more-knobs", idle_knobs),
    ("lost", lost),
    ("partly", partly),
    ("dead-end", dead_end),
    ("space-loop", space_loop),
    ("judge", judge),
    ("load-settings", || machine::with_devices(fixture::ready())),
    ("machine-measuring", machine::measuring),
    ("machine-measured", machine::measured),
    ("repair-empty", repair::empty),
    ("repair-fenced", || repair::sample("fenced")),
    ("repair-detours", || repair::sample("detours")),
    ("repair-loop", || repair::sample("loop")),
    ("repair-leak", || repair::sample("leak")),
    ("repair-far-east", repair::far_east),
    ("repair-refusal", repair::refusal),
    ("repair-schema", || repair::sample("detours")),
    ("repair-large", repair::large),
    ("compare-first", compare::first),
    ("compare-no-model", compare::without_model),
    ("compare-two", compare::two),
    ("compare-parted", compare::parted),
    ("compare-six", compare::six),
    ("compare-far-east", compare::far_east),
    ("compare-running", compare::running),
    ("compare-change", compare::two),
    ("building", crate::building::with_speeds),
    ("building-empty", crate::building::empty),
    ("played", crate::choosing::opened_in_play),
    ("bench-empty", bench::first),
    ("bench-results", bench::results),
    ("bench-cell", bench::cell),
    ("bench-running", bench::running),
    ("bench-against", runs::against),
    ("bench-copied", runs::copied),
    ("grammars", grammars::first),
    ("grammars-fault", || {
        grammars::with_text(
            "# 주석 한 줄\nroot ::= \"{\" pair (\",\" pair)* \"}\"\npair ::= strng \":\" [0-9]+\nstring ::= [a-z가-힣一-龥]+\n",
        )
    }),
    ("grammars-examples", grammars::first),
    ("grammars-report", grammars::partly),
    ("grammars-schema", || grammars::schema("shopping")),
    ("grammars-steps", grammars::stepped),
    ("grammars-new", || {
        grammars::with(GrammarsAction::New(DocumentKind::Grammar))
    }),
    ("repair-edit", || repair::sample("detours")),
];

/// What is clicked before the picture is taken.
fn clicks(name: &str) -> &'static [&'static str] {
    match name {
        "model-menu" => &["Model: SmolLM2 135M Instruct"],
        "load-settings" | "machine-measuring" | "machine-measured" => {
            &["Model: SmolLM2 135M Instruct", "Load settings"]
        }
        "get-models" => &["Model: Choose a model"],
        "get-offline" => &["Model: Choose a model", "Get a model"],
        "judge" => &["Schema that judges"],
        "compare-change" => &["Change a knob of B"],
        "grammars-examples" => &["Show: Examples"],
        "grammars-report" => &["Show: Enforcement"],
        "grammars-steps" => &["Show: Steps"],
        "repair-edit" => &["Line 2, column 4: Quote, ' became \""],
        "repair-schema" => &["Schema", "Input and right answer"],
        "partly" => &["What the chain did"],
        "task-menu" => &["Input: Input 1 of 2"],
        "large-editor" => &["Edit in a large window"],
        "texts" => &["Fold the prompt", "Unfold the prompt", "Edit example 1"],
        "more-knobs" => &["More knobs", "Stop texts", "Fold the prompt"],
        _ => &[],
    }
}

fn get_models() -> Model {
    let mut model = getting::with(getting::half_way());
    let wanted = |text: &str| Wanted::parse(text).unwrap();
    let kept = GetPhase::Kept {
        bytes: 120_000_000,
        total: Some(386_404_992),
    };
    let failed = GetPhase::Failed {
        message: "the hub does not let us have it (status 403); hub.example; accept the model's licence on its page, then set HF_TOKEN to a token of yours".to_owned(),
        bytes: 0,
    };
    let smol = offer("smollm2-360m").unwrap().wanted();
    let others = [
        (smol, kept),
        (
            wanted("someone/A-Model-With-A-Rather-Long-Name-GGUF:Q4_K_M"),
            failed,
        ),
    ];
    for (idx, (wanted, phase)) in others.into_iter().enumerate() {
        let id = 10 + idx as u64;
        model.download.items.push(Getting { id, wanted, phase });
    }
    model
}

fn get_offline() -> Model {
    let mut model = fixture::without_model();
    model.search.free_memory = Some(1_500_000_000);
    model.download.obstacle = Some("No way to hub.example: nothing can be downloaded now. Models on this computer work as ever.".to_owned());
    model
}

fn texts() -> Model {
    let mut model = fixture::done_repaired();
    model.draft.prompt.style = stepladder::prompt::PromptStyle::Schema;
    model
}

fn idle_knobs() -> Model {
    let mut model = fixture::done_valid();
    model.draft.constraint.kind = ConstraintKind::None;
    let knobs = &mut model.draft.knobs;
    knobs.set(stepladder::sampling::Knob::TopP, 0.9).unwrap();
    knobs.set(stepladder::sampling::Knob::TopK, 40.0).unwrap();
    model
}

/// The engine was lost in the middle of a reply, which is tried again.
fn lost() -> Model {
    let mut reply = fixture::reply("{\n  \"items\": [", None);
    reply.assembly.attempt = 2;
    Model {
        engine: stepladder::app::EnginePhase::Restarting {
            reason: "the process was killed by signal 9".to_owned(),
            info: None,
        },
        ..fixture::running(reply)
    }
}

/// A schema with more in it than a mask can hold a reply to.
fn partly() -> Model {
    let mut model = fixture::done_under(&fixture::free_schema());
    fixture::PARTLY.clone_into(&mut model.draft.constraint.schema);
    model.check_constraint();
    fixture::with_trial(model, |it| {
        it.constraint["text"] = fixture::PARTLY.into();
    })
}

fn dead_end() -> Model {
    fixture::with_trial(fixture::done_repaired(), |it| {
        "dead_end".clone_into(&mut it.stop);
        it.stop_detail = Some("no-repeat n-gram against constraint mask".to_owned());
    })
}

fn space_loop() -> Model {
    let mut model = fixture::done_under(&fixture::free_schema());
    model.draft.constraint.white_space = WhiteSpace::Free;
    model.check_constraint();
    fixture::with_trial(model, |it| {
        "loop_guard".clone_into(&mut it.stop);
        it.stop_detail = Some("64 tokens of white space in a row".to_owned());
    })
}

fn judge() -> Model {
    let mut model = fixture::done_repaired();
    model.draft.judge_schema.push_str("\n,");
    model.check_constraint();
    model
}

fn grammar() -> Model {
    let mut model = fixture::ready();
    model.draft.constraint.kind = ConstraintKind::Grammar;
    let text = &mut model.draft.constraint.grammar;
    *text = text.replace("string \":\"", "strng \":\"");
    model.constraint_error = Some(ConstraintError {
        message: "there is no rule “strng”; did you mean “string”?".to_owned(),
        place: Some((3, 12)),
        within: Some("pair".to_owned()),
    });
    model
}

fn trouble() -> Model {
    Model {
        preview: fixture::shown(Err(
            "the template calls `strftime_now`, which is not known".to_owned()
        )),
        run: RunPhase::Failed {
            message: "The prompt has 2,214 tokens, the context has room for 2,048.".to_owned(),
        },
        notices: vec![
            Notice {
                kind: NoticeKind::Warning,
                text: "The saved draft could not be read and was set aside as draft.json.broken."
                    .to_owned(),
            },
            Notice {
                kind: NoticeKind::Info,
                text: "The engine was lost and is back.".to_owned(),
            },
        ],
        ..fixture::ready()
    }
}

fn take(folder: &Path, name: &str, (mut model, theme, size): (Model, ThemeChoice, (f32, f32))) {
    model.settings.theme = theme;
    let mut harness = window(model, size);
    let (egui_theme, word) = match theme {
        ThemeChoice::Dark => (Theme::Dark, "dark"),
        ThemeChoice::Light => (Theme::Light, "light"),
    };
    harness.ctx.set_theme(egui_theme);
    harness.set_render_cursor(false);
    harness.run_steps(4);
    for label in clicks(name) {
        harness.get_by_label(label).click();
        harness.run_steps(4);
    }
    if name == "hover" {
        point_at_a_token(&mut harness, size);
    }
    let picture = harness.render().unwrap();
    let file = format!("{name}-{word}-{}.png", size.0);
    picture.save(folder.join(file)).unwrap();
}

fn point_at_a_token(harness: &mut Window, (width, height): (f32, f32)) {
    let place = if width < 1_200.0 {
        pos2(340.0, height - 165.0)
    } else {
        pos2(377.0, height - 217.0)
    };
    harness.hover_at(place);
    harness.run_steps(8);
    harness.set_render_cursor(true);
}
