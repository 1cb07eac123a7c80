//! What a frame of Compare costs with six long replies: at rest, and while the last of them is written.

use stepladder::app::{
    self, Action, CompareAction, Draft, Effect, EnginePhase, Model, Settings, Tab,
};
use stepladder::engine::{
    Backend as _, Cancel, Command, Event, ModelInfo, Recording, ScriptedBackend,
};
use stepladder::store::{self, Folders};

const PRESETS: [&str; 6] = [
    "greedy",
    "chat",
    "greedy-ngram3",
    "greedy-repetition",
    "greedy-grammar",
    "greedy-schema",
];

/// Six columns of which the first five have answered, and what the last one is told.
pub(crate) fn last_of_six() -> (Model, Vec<Event>) {
    let library = store::library(&Folders::at("no such folder"));
    let draft = Draft::new(&library);
    let info = ModelInfo {
        path: "m.gguf".into(),
        name: "m".to_owned(),
        fingerprint: "m".to_owned(),
        chat_template: Some("{{ messages }}".to_owned()),
        ..ModelInfo::default()
    };
    let mut model = Model {
        tab: Tab::Compare,
        engine: EnginePhase::Ready(Box::new(info)),
        ..Model::new(library, draft, Settings::default())
    };
    for column in model.compare.draft.columns.clone() {
        wish(&mut model, CompareAction::Remove(column.id));
    }
    for preset in PRESETS {
        wish(&mut model, CompareAction::Add(preset.to_owned()));
    }
    let replies: Vec<String> = (0..PRESETS.len()).map(reply).collect();
    let replies: Vec<&str> = replies.iter().map(String::as_str).collect();
    let recording = Recording::from_replies(&replies).without_delays();
    let mut backend = ScriptedBackend::new(recording, || ());
    let mut effects = wish(&mut model, CompareAction::Run);
    loop {
        let run = effects.iter().find_map(|it| match it {
            Effect::Send(Command::Run { id, request }) => Some((*id, request.clone())),
            _ => None,
        });
        let Some((id, request)) = run else {
            return (model, Vec::new());
        };
        let mut events = Vec::new();
        let command = Command::Run { id, request };
        backend.execute(command, &Cancel::default(), &mut |it| events.push(it));
        let last = model.compare.draft.columns.last().map(|it| it.id);
        let is_last = last.is_some_and(|it| model.compare.run(it).is_some());
        if is_last {
            return (model, events);
        }
        for event in events {
            effects = app::on_event(&mut model, event);
        }
    }
}

fn wish(model: &mut Model, wish: CompareAction) -> Vec<Effect> {
    app::on_action(model, Action::Compare(wish))
}

/// A list of some hundred tokens, each reply with words of its own.
fn reply(nth: usize) -> String {
    let items: Vec<String> = (0..40)
        .map(|it| format!("{{\"name\": \"thing {it} of {}\", \"qty\": {it}}}", nth % 3))
        .collect();
    format!("{{\"items\": [{}], \"note\": null}}", items.join(", "))
}
