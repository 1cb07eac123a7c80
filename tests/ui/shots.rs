//! Pictures of every state, for looking at: written to the folder that `SHOTS` names, if it is set.

use std::path::Path;

use eframe::egui::{Theme, pos2};
use stepladder::app::{ConstraintKind, Model, Notice, NoticeKind, RunPhase, ThemeChoice};
use stepladder::constraint::ConstraintError;

use crate::fixture;
use crate::{Window, window};

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

const SCENES: &[(&str, fn() -> Model)] = &[
    ("empty", fixture::ready),
    ("no-model", fixture::without_model),
    ("loading", fixture::loading),
    ("prefill", fixture::reading_the_prompt),
    ("running", || fixture::writing(&fixture::VALID[..120])),
    ("valid", fixture::done_valid),
    ("repaired", fixture::done_repaired),
    ("no-json", fixture::done_no_json),
    ("far-east", fixture::far_east),
    ("trouble", trouble),
    ("hover", fixture::done_repaired),
    ("grammar", grammar),
];

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
        preview: Some(Err(
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
    model.theme = theme;
    let mut harness = window(model, size);
    let (egui_theme, word) = match theme {
        ThemeChoice::Dark => (Theme::Dark, "dark"),
        ThemeChoice::Light => (Theme::Light, "light"),
    };
    harness.ctx.set_theme(egui_theme);
    harness.set_render_cursor(false);
    harness.run_steps(4);
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
        pos2(441.0, height - 195.0)
    };
    harness.hover_at(place);
    harness.run_steps(8);
    harness.set_render_cursor(true);
}
