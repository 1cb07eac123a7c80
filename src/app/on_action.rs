//! What each wish of the user changes.

use std::path::PathBuf;

use super::bench::on_bench;
use super::compare::{give_up, on_compare};
use super::download::on_download;
use super::grammars::on_grammars;
use super::repair::{on_repair, open_in_repair};
use super::{
    Action, Effect, EnginePhase, ExampleDraft, Model, Place, Reply, RunPhase, Searching, branch,
    machine,
};
use crate::engine::{Command, LoadSettings, PreviewRequest};
use crate::ladder::Stream;
use crate::prompt::TemplateChoice;
use crate::runner::Assembly;

/// Changes the state and says what is to be done outside it.
pub fn on_action(model: &mut Model, action: Action) -> Vec<Effect> {
    match action {
        Action::ShowTab(tab) => {
            model.tab = tab;
            Vec::new()
        }
        Action::SetTheme(theme) => {
            model.settings.theme = theme;
            vec![Effect::SaveSettings]
        }
        Action::Run => run(model),
        Action::Cancel => cancel(model),
        fork @ (Action::Fork { .. } | Action::SwapBranches | Action::CloseBranch) => {
            branch::on_branch(model, fork)
        }
        Action::LoadModel(path) => load(model, path),
        Action::CancelLoad => cancel_load(model),
        Action::UnloadModel if model.is_running() => Vec::new(),
        Action::RestartEngine => vec![restart(model)],
        Action::UnloadModel => unload(model),
        Action::Machine(action) => machine::on_machine(model, action),
        Action::SetLoadSettings(load) => {
            model.settings.load = load;
            vec![Effect::SaveSettings]
        }
        Action::FindModels => find_models(model),
        Action::BrowseForModel => vec![Effect::BrowseForModel],
        Action::Download(action) => on_download(model, action),
        Action::CopyText(text) => vec![Effect::CopyText(text)],
        Action::Export { with_trials } => vec![Effect::Export { with_trials }],
        Action::Import(path) => vec![Effect::Import(path)],
        Action::OpenInRepair => open_in_repair(model),
        Action::Repair(action) => on_repair(model, action),
        Action::Grammars(action) => on_grammars(model, action),
        Action::Bench(action) => on_bench(model, action),
        Action::Compare(action) => on_compare(model, action),
        told @ (Action::ShowCrash(_) | Action::DismissCrash | Action::DismissNotice(_)) => {
            on_told(model, &told);
            Vec::new()
        }
        edit => {
            on_edit(model, edit);
            draft_edited(model)
        }
    }
}

fn unload(model: &mut Model) -> Vec<Effect> {
    let mut effects = machine::give_up(model);
    effects.push(Effect::Send(Command::Unload));
    effects
}

fn find_models(model: &mut Model) -> Vec<Effect> {
    model.search.running = Some(Searching::default());
    let mut effects = vec![Effect::FindModels];
    // What is free on them may have changed.
    if !model.machine.devices.is_empty() {
        effects.push(model.ask_devices());
    }
    effects
}

/// Starts the engine anew that works: that of an experiment, or else the window's own.
fn restart(model: &Model) -> Effect {
    let running = model.bench.running.as_ref();
    Effect::RestartEngine(running.and_then(|it| it.restarter.clone()))
}

/// What becomes of things that the user was told.
fn on_told(model: &mut Model, action: &Action) {
    match action {
        Action::ShowCrash(is_open) => {
            if let Some(crash) = &mut model.crash {
                crash.is_open = *is_open;
            }
        }
        Action::DismissCrash => model.crash = None,
        Action::DismissNotice(idx) if *idx < model.notices.len() => {
            model.notices.remove(*idx);
        }
        _ => {}
    }
}

fn cancel_load(model: &mut Model) -> Vec<Effect> {
    give_up(&mut model.compare);
    match &model.engine {
        EnginePhase::Loading { id, .. } => vec![Effect::Send(Command::Cancel { id: *id })],
        _ => Vec::new(),
    }
}

/// The wishes that change the draft.
fn on_edit(model: &mut Model, action: Action) {
    let Model { draft, library, .. } = model;
    match action {
        Action::PickTask(id) => {
            if let Some(task) = library.task(&id) {
                draft.take_task(task, library);
            }
        }
        Action::PickInput(idx) => {
            if let Some(task) = library.task(&draft.task) {
                draft.take_input(task, idx, library);
            }
        }
        Action::PickPreset(name) => {
            if let Some(preset) = library.preset(&name) {
                draft.take_preset(preset, library);
            }
        }
        Action::PickGrammar(name) => {
            if let Some(text) = library.grammar(&name) {
                draft.put(Place::Grammar, text.to_owned(), library);
            }
        }
        Action::TakeStructuredTwin => draft.take_twin(library),
        Action::RestoreKept(idx) => draft.restore(idx, library),
        Action::AddExample => draft.prompt.examples.push(ExampleDraft {
            on: true,
            ..ExampleDraft::default()
        }),
        Action::RemoveExample(idx) if idx < draft.prompt.examples.len() => {
            draft.prompt.examples.remove(idx);
        }
        Action::UseChatMl => draft.prompt.template = TemplateChoice::ChatMl,
        _ => {}
    }
}

pub(super) fn draft_edited(model: &mut Model) -> Vec<Effect> {
    model.check_constraint();
    let mut effects = vec![Effect::SaveDraft];
    effects.extend(ask_preview(model));
    effects
}

/// Asks for the rendered prompt, unless an answer is still out or the engine has no time for it.
pub(super) fn ask_preview(model: &mut Model) -> Option<Effect> {
    let is_free = matches!(model.engine, EnginePhase::Ready(_))
        && !model.is_running()
        && !model.is_measuring();
    if !is_free || model.preview.asked.is_some() {
        model.preview.stale = true;
        return None;
    }
    let id = model.take_id();
    model.preview.asked = Some(id);
    model.preview.stale = false;
    let request = Box::new(PreviewRequest {
        prompt: model.draft.prompt_request(),
        texts: model.draft.expected_answers(),
        knobs: model.draft.knobs.clone(),
    });
    Some(Effect::Send(Command::Preview { id, request }))
}

fn run(model: &mut Model) -> Vec<Effect> {
    if let Some(obstacle) = model.obstacle() {
        if !model.is_running() {
            model.run = RunPhase::Failed { message: obstacle };
        }
        return Vec::new();
    }
    let Some(info) = model.info().cloned() else {
        return Vec::new();
    };
    // Its trial is on disk.
    model.branch = None;
    let id = model.take_id();
    let job = model.draft.job(&model.library);
    let request = Box::new(job.request.clone());
    model.run = RunPhase::Running {
        reply: Box::new(Reply {
            assembly: Assembly::new(id, job, info),
            prefill: None,
            stream: Stream::default(),
            cancelling: false,
        }),
    };
    vec![Effect::Send(Command::Run { id, request })]
}

fn cancel(model: &mut Model) -> Vec<Effect> {
    give_up(&mut model.compare);
    let running = model.phases_mut().filter_map(|it| match it {
        RunPhase::Running { reply } if !reply.cancelling => Some(reply),
        _ => None,
    });
    running
        .map(|reply| {
            reply.cancelling = true;
            Effect::Send(Command::Cancel {
                id: reply.assembly.id,
            })
        })
        .collect()
}

fn load(model: &mut Model, path: PathBuf) -> Vec<Effect> {
    let mut effects = cancel(model);
    effects.extend(machine::give_up(model));
    model.compare.leave_home();
    if let EnginePhase::Loading { id, .. } = &model.engine {
        effects.push(Effect::Send(Command::Cancel { id: *id }));
    }
    effects.push(begin_load(model, path));
    effects
}

/// Loads a model in place of the one that is there.
pub(super) fn begin_load(model: &mut Model, path: PathBuf) -> Effect {
    let id = model.take_id();
    let settings = LoadSettings {
        path: path.clone(),
        ..model.settings.load.clone()
    };
    model.preview = super::Preview::default();
    model.engine = EnginePhase::Loading {
        id,
        path,
        fraction: 0.0,
    };
    Effect::Send(Command::Load { id, settings })
}
