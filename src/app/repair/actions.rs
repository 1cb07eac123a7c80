//! What each wish in Repair changes, and what comes back from outside.

use std::path::{Path, PathBuf};

use super::{Asked, ClimbPhase, Outcome, RepairDesk, case, case_id, outcome};
use crate::app::{Effect, Model, NoticeKind, RunPhase, Tab};
use crate::runner::Moment;
use crate::store::Library;

/// A wish in the Repair view.
#[derive(Clone, Debug, PartialEq)]
pub enum RepairAction {
    /// Reply, schema, input or answer was changed by a widget: save it and climb again.
    Edited,
    /// Takes another of the reply's values.
    Take(usize),
    /// Puts a shipped broken reply in place, with its task.
    LoadSample(String),
    /// Takes schema, examples, input and answer from a task; an empty id takes them away.
    PickTask(String),
    PickInput(usize),
    /// Puts an earlier reply back.
    Restore(usize),
    /// Empties the view; the reply is kept among the earlier ones.
    Clear,
    /// Opens the system's file dialog.
    Browse,
    /// Reads a reply from a file.
    Read(PathBuf),
    /// Adds the reply and what came of it to the regression set.
    SaveCase,
}

pub(crate) fn on_repair(model: &mut Model, action: RepairAction) -> Vec<Effect> {
    let Model {
        repair, library, ..
    } = model;
    let task = |id: &str| library.task(id);
    match action {
        RepairAction::Edited => {}
        RepairAction::Take(idx) => {
            repair.picked = Some(idx);
            return repair.climb(library);
        }
        RepairAction::LoadSample(id) => {
            if let Some(sample) = super::samples().iter().find(|it| it.id == id) {
                repair.draft.put_reply(sample.reply.clone());
                repair.draft.take_task(task(&sample.task));
                repair
                    .draft
                    .take_input(task(&sample.task), Some(sample.input));
            }
        }
        RepairAction::PickTask(id) => repair.draft.take_task(task(&id)),
        RepairAction::PickInput(idx) => {
            let task = task(&repair.draft.task);
            repair.draft.take_input(task, Some(idx));
        }
        RepairAction::Restore(idx) => repair.draft.restore(idx, library),
        RepairAction::Clear => repair.draft.put_reply(String::new()),
        RepairAction::Browse => return vec![Effect::BrowseForReply],
        RepairAction::Read(path) => return vec![Effect::ReadReply(path)],
        RepairAction::SaveCase => return save_case(model),
    }
    repair.edited(library)
}

/// Brings Play's reply over, with what it was judged by.
pub(crate) fn open_in_repair(model: &mut Model) -> Vec<Effect> {
    let RunPhase::Done { reply, trial } = &model.run else {
        return Vec::new();
    };
    let given = &reply.assembly.job.given;
    let draft = &mut model.repair.draft;
    draft.put_reply(trial.reply.clone());
    draft.take_task(model.library.task(&trial.task));
    draft.input = trial.input;
    draft.input_text.clone_from(&given.input_text);
    draft.schema = given
        .schema
        .as_ref()
        .map(|it| format!("{it:#}"))
        .unwrap_or_default();
    draft.answer = given
        .answer
        .as_ref()
        .map(crate::prompt::spaced)
        .unwrap_or_default();
    draft.examples = given
        .examples
        .iter()
        .map(crate::app::ExampleDraft::of)
        .collect();
    draft
        .prefill
        .clone_from(&reply.assembly.job.request.prompt.prefill);
    model.tab = Tab::Repair;
    model.repair.edited(&model.library)
}

/// Brings a recorded reply over, with the task it answered.
pub(crate) fn open_trial(model: &mut Model, trial: &crate::lab::Trial) -> Vec<Effect> {
    let task = model.library.task(&trial.task);
    let draft = &mut model.repair.draft;
    draft.put_reply(trial.reply.clone());
    draft.take_task(task);
    draft.take_input(task, trial.input);
    draft.input_text.clone_from(&trial.input_text);
    model.tab = Tab::Repair;
    model.repair.edited(&model.library)
}

/// A large reply was climbed. One whose texts have changed since is climbed again; any other late one falls away.
pub fn on_climbed(model: &mut Model, id: u64, found: Box<Outcome>) -> Vec<Effect> {
    match model.repair.phase {
        ClimbPhase::Working { id: ours, stale } if ours == id => {
            if stale {
                model.repair.phase = ClimbPhase::Empty;
                return model.repair.climb(&model.library);
            }
            model.repair.phase = ClimbPhase::Done(found);
        }
        _ => {}
    }
    Vec::new()
}

/// A file was read, or could not be. A file that is named as a schema goes where schemas go.
pub fn on_reply_read(model: &mut Model, path: &Path, read: Result<Vec<u8>, String>) -> Vec<Effect> {
    let bytes = match read {
        Ok(it) => it,
        Err(it) => {
            model.notify(NoticeKind::Error, it);
            return Vec::new();
        }
    };
    let text = String::from_utf8(bytes).unwrap_or_else(|error| {
        let at = error.utf8_error().valid_up_to();
        let text = format!(
            "{} is not UTF-8 from byte {at} on; what cannot be read stands as �.",
            path.display()
        );
        model.notify(NoticeKind::Warning, text);
        String::from_utf8_lossy(error.as_bytes()).into_owned()
    });
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let repair = &mut model.repair;
    if name.to_lowercase().ends_with("schema.json") {
        repair.draft.schema = text;
    } else {
        repair.draft.put_reply(text);
    }
    model.tab = Tab::Repair;
    repair.edited(&model.library)
}

/// What became of saving a case: where it lies, or why it does not.
pub fn on_case_saved(model: &mut Model, result: Result<PathBuf, String>) {
    match result {
        Ok(path) => model.notify(
            NoticeKind::Info,
            format!(
                "The case is saved in {}. Run all cases with: stepladder climb --lines {}",
                path.display(),
                path.display()
            ),
        ),
        Err(text) => {
            model.repair.saved = None;
            model.notify(NoticeKind::Error, text);
        }
    }
}

impl RepairDesk {
    /// Saves the texts and climbs again; another value that was taken before is forgotten.
    fn edited(&mut self, library: &Library) -> Vec<Effect> {
        self.picked = None;
        let mut effects = vec![Effect::SaveRepairDraft];
        effects.extend(self.climb(library));
        effects
    }

    /// Climbs at once, or has a large reply climbed elsewhere: at most one is out.
    pub(crate) fn climb(&mut self, library: &Library) -> Vec<Effect> {
        if self.draft.reply.trim().is_empty() {
            self.phase = ClimbPhase::Empty;
            return Vec::new();
        }
        if let ClimbPhase::Working { stale, .. } = &mut self.phase
            && self.draft.reply.len() > super::LARGE
        {
            *stale = true;
            return Vec::new();
        }
        self.next_id += 1;
        let asked = Asked {
            id: self.next_id,
            reply: self.draft.reply.clone(),
            prefill: self.draft.prefill.clone(),
            schema: self.draft.schema.clone(),
            given: self.draft.given(library),
            picked: self.picked,
        };
        if self.is_large() {
            self.phase = ClimbPhase::Working {
                id: asked.id,
                stale: false,
            };
            return vec![Effect::Climb(Box::new(asked))];
        }
        self.phase = ClimbPhase::Done(Box::new(outcome(&asked)));
        Vec::new()
    }
}

fn save_case(model: &mut Model) -> Vec<Effect> {
    let repair = &mut model.repair;
    let ClimbPhase::Done(outcome) = &repair.phase else {
        return Vec::new();
    };
    let case = case(&repair.draft, outcome);
    let unnamed = serde_json::Value::Object(case.clone());
    if repair.saved.as_ref() == Some(&unnamed) {
        return Vec::new();
    }
    let id = case_id(&repair.draft, &Moment::now().id(repair.next_id));
    let mut line = serde_json::Map::new();
    line.insert("id".to_owned(), id.into());
    line.extend(case);
    repair.saved = Some(unnamed);
    let is_own = outcome.chosen == outcome.own;
    if !is_own {
        model.notify(
            NoticeKind::Info,
            "The saved case expects the value that you picked; the ladder takes another one, so the case is not met.",
        );
    }
    vec![Effect::AppendCase(Box::new(line.into()))]
}
