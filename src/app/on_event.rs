//! What each event of the engine changes.

use std::path::PathBuf;

use super::bench::refresh_outlook;
use super::forecast::forecast_of;
use super::on_action::ask_preview;
use super::{Crash, Effect, EnginePhase, Model, NoticeKind, Reply, RunPhase, Steps};
use super::{compare, machine};
use crate::constraint::Walk;
use crate::engine::{CrashNote, Event, Finish, ModelInfo, RunId, StopReason};
use crate::ladder::Stream;
use crate::runner::{Moment, crash_stamps};

/// What a notice of a lost engine says until the engine is back.
const BEING_STARTED: &str = "It is being started again.";

/// Takes in one event. Late events of an abandoned load, preview or run fall away by their id.
pub fn on_event(model: &mut Model, event: Event) -> Vec<Effect> {
    let mut effects = take_in(model, event);
    effects.extend(compare::go_on(model));
    effects
}

fn take_in(model: &mut Model, event: Event) -> Vec<Effect> {
    for phase in model.phases_mut() {
        if let RunPhase::Running { reply } = phase {
            reply.assembly.on_event(&event);
        }
    }
    match event {
        Event::Started { id, attempt, .. } => {
            started(model, id, attempt);
            Vec::new()
        }
        Event::PrefillProgress {
            id,
            n_done,
            n_total,
        } => {
            if let Some(reply) = running(model, id) {
                reply.prefill = Some((n_done, n_total));
            }
            Vec::new()
        }
        Event::Tokens { id, tokens } => {
            if let Some(reply) = running(model, id) {
                reply.prefill = None;
                for token in &tokens {
                    reply.stream.push(&token.text);
                }
            }
            Vec::new()
        }
        Event::Finished { id, finish } => finished(model, id, &finish),
        Event::RunFailed { id, message } => {
            if let Some(phase) = model.phase_mut(id) {
                *phase = RunPhase::Failed { message };
            }
            refresh_preview(model)
        }
        Event::Walked { id, walk } => {
            walked(model, id, Ok(walk));
            Vec::new()
        }
        Event::WalkFailed { id, message } => {
            walked(model, id, Err(message));
            Vec::new()
        }
        Event::Previewed { id, view } => previewed(model, id, Ok(*view)),
        Event::PreviewFailed { id, message } => previewed(model, id, Err(message)),
        other => on_engine(model, other),
    }
}

/// A text was stepped through in Grammars; one that was asked for before another falls away.
fn walked(model: &mut Model, id: RunId, result: Result<Box<Walk>, String>) {
    let desk = &mut model.grammars;
    if !matches!(desk.steps, Steps::Working(ours) if ours == id) {
        return;
    }
    desk.steps = match result {
        Ok(walk) => Steps::Done {
            text: desk.draft.step_text.clone(),
            walk,
        },
        Err(message) => Steps::Failed(message),
    };
}

fn started(model: &mut Model, id: RunId, attempt: u32) {
    if let Some(reply) = running(model, id) {
        reply.prefill = None;
        begin_stream(reply);
    }
    if attempt > 1 {
        model.notify(
            NoticeKind::Warning,
            "The engine was lost; the reply is tried once more.",
        );
    }
}

/// What stands before the reply belongs to its value: the beginning that was put into the model's mouth, and the
/// tag with which the template may have opened its thoughts.
fn begin_stream(reply: &mut Reply) {
    reply.stream = Stream::default();
    let assembly = &reply.assembly;
    reply.stream.push(assembly.opened_tag().unwrap_or_default());
    reply.stream.push(&assembly.job.request.prompt.prefill);
}

/// What became of a save or of recording a trial: silence, or a notice.
pub fn on_saved(model: &mut Model, result: Result<(), String>) {
    if let Err(text) = result {
        model.notify(NoticeKind::Error, text);
    }
}

/// What is known of a loss is kept and shown.
fn crash_noted(model: &mut Model, note: &CrashNote) -> Effect {
    let moment = Moment::now();
    let text = note.text(&crash_stamps(moment));
    model.crash = Some(Box::new(Crash {
        text: text.clone(),
        ..Crash::default()
    }));
    let when = moment.text();
    Effect::KeepCrashNote { when, text }
}

/// A crash note is on the disk, or could not be written.
pub fn on_crash_kept(model: &mut Model, result: Result<PathBuf, String>) {
    if let Some(crash) = &mut model.crash {
        crash.kept = Some(result);
    }
}

/// The events that change which model is loaded.
fn on_engine(model: &mut Model, event: Event) -> Vec<Effect> {
    match event {
        Event::LoadProgress {
            id,
            fraction: share,
        } => {
            if let EnginePhase::Loading {
                id: ours, fraction, ..
            } = &mut model.engine
                && *ours == id
            {
                *fraction = share;
            }
        }
        Event::Loaded { id, info } => return loaded(model, id, info),
        Event::Machine { id, news } => return machine::on_news(model, id, *news),
        Event::LoadFailed { id, message } => load_failed(model, id, message),
        Event::LoadCancelled { id } if is_loading(model, id) => {
            model.engine = EnginePhase::NoModel;
        }
        Event::Unloaded if matches!(model.engine, EnginePhase::Ready(_)) => {
            model.engine = EnginePhase::NoModel;
        }
        Event::CrashNoted { note } => return vec![crash_noted(model, &note)],
        Event::EngineSilent { silence } => model.silence = Some(silence),
        Event::EngineSilenceOver => model.silence = None,
        Event::EngineLost { reason } => engine_lost(model, reason),
        Event::EngineRestarted => {
            model.notices.iter_mut().for_each(|it| {
                it.text = it.text.replace(BEING_STARTED, "It is running again.");
            });
            if let EnginePhase::Restarting { info, .. } = &mut model.engine {
                model.engine = info.take().map_or(EnginePhase::NoModel, EnginePhase::Ready);
            }
            return refresh_preview(model);
        }
        _ => {}
    }
    Vec::new()
}

fn loaded(model: &mut Model, id: RunId, info: Box<ModelInfo>) -> Vec<Effect> {
    let was_asked = is_loading(model, id);
    if !was_asked && !matches!(model.engine, EnginePhase::Restarting { .. }) {
        return Vec::new();
    }
    let mut effects = Vec::new();
    if was_asked && !model.is_scripted {
        model.remember(&info);
        effects.push(Effect::SaveSettings);
    }
    if let Some(reason) = &info.device_fallback {
        let text = format!("The model runs on the CPU: {reason}");
        model.notify(NoticeKind::Warning, text);
    }
    model.engine = EnginePhase::Ready(info);
    refresh_outlook(model);
    effects.extend(refresh_preview(model));
    effects
}

fn is_loading(model: &Model, id: RunId) -> bool {
    matches!(&model.engine, EnginePhase::Loading { id: ours, .. } if *ours == id)
}

/// A load that was asked for has failed, or the one that was to bring a lost model back.
fn load_failed(model: &mut Model, id: RunId, message: String) {
    let path = match &model.engine {
        EnginePhase::Loading { id: ours, path, .. } if *ours == id => path.clone(),
        EnginePhase::Restarting { info, .. } => {
            info.as_ref().map(|it| it.path.clone()).unwrap_or_default()
        }
        // After a cancel that took the process with it, the model is loaded again without a word.
        EnginePhase::Ready(info) => info.path.clone(),
        _ => return,
    };
    model.engine = EnginePhase::Failed { path, message };
}

/// A load that was under way is answered by its own event; a loaded model comes back with the process.
fn engine_lost(model: &mut Model, reason: String) {
    model.notify(
        NoticeKind::Error,
        format!("The engine stopped: {reason}. {BEING_STARTED}"),
    );
    model.preview.asked = None;
    model.preview.stale = true;
    if let EnginePhase::Ready(info) = &mut model.engine {
        let info = Some(std::mem::take(info));
        model.engine = EnginePhase::Restarting { reason, info };
    }
}

fn running(model: &mut Model, id: RunId) -> Option<&mut Reply> {
    match model.phase_mut(id)? {
        RunPhase::Running { reply } => Some(reply),
        _ => None,
    }
}

fn finished(model: &mut Model, id: RunId, finish: &Finish) -> Vec<Effect> {
    let Some(phase) = model.phase_mut(id) else {
        return Vec::new();
    };
    let RunPhase::Running { reply } = std::mem::take(phase) else {
        return Vec::new();
    };
    let trial = Box::new(reply.assembly.finish(finish, Moment::now()));
    *phase = RunPhase::Done {
        reply,
        trial: trial.clone(),
    };
    if let StopReason::EngineLost { reason } = &finish.stop {
        let text = format!(
            "The engine stopped twice on this reply: {reason}. Try another preset or model."
        );
        model.notify(NoticeKind::Error, text);
    }
    let mut effects = vec![Effect::AppendTrial(trial)];
    effects.extend(refresh_preview(model));
    effects
}

fn previewed(
    model: &mut Model,
    id: RunId,
    result: Result<crate::engine::PromptView, String>,
) -> Vec<Effect> {
    if model.preview.asked != Some(id) {
        return Vec::new();
    }
    model.preview.asked = None;
    model.preview.forecast = result.as_ref().ok().and_then(|it| forecast_of(model, it));
    model.preview.shown = Some(result);
    if model.preview.stale {
        refresh_preview(model)
    } else {
        Vec::new()
    }
}

fn refresh_preview(model: &mut Model) -> Vec<Effect> {
    ask_preview(model).into_iter().collect()
}
