//! Replies that are chosen in the results become a task, so that their inputs can be asked again later.

use super::{BenchAction, BenchEffect, building};
use crate::app::{Effect, Library, Model, NoticeKind};
use crate::lab::Trial;
use crate::prompt::{Task, TaskInput, is_name};

/// The wishes that choose replies, and the one that saves them.
pub(super) fn on_marks(model: &mut Model, action: BenchAction) -> Vec<Effect> {
    let desk = &mut model.bench;
    let Some(shown) = &desk.shown else {
        return Vec::new();
    };
    match action {
        BenchAction::Mark(idx) if idx < shown.trials.len() => {
            let was_marked = desk.marked.remove(&idx);
            if !was_marked {
                desk.marked.insert(idx);
            }
        }
        BenchAction::MarkFailed => {
            let listed = shown.replies();
            let failed = |it: &usize| shown.measure.of(&shown.trials[*it]) == Some(false);
            desk.marked.extend(listed.iter().copied().filter(failed));
        }
        BenchAction::UnmarkAll => desk.marked.clear(),
        BenchAction::SaveMarked(name) => return save(model, name.trim()),
        _ => {}
    }
    Vec::new()
}

fn save(model: &mut Model, name: &str) -> Vec<Effect> {
    let desk = &model.bench;
    let Some(shown) = &desk.shown else {
        return Vec::new();
    };
    let marked = desk.marked.iter();
    let marked: Vec<&Trial> = marked
        .filter_map(|it| shown.trials.get(*it))
        .map(AsRef::as_ref)
        .collect();
    let tasks = match tasks(name, &marked, &model.library) {
        Ok(it) => it,
        Err(text) => {
            model.notify(NoticeKind::Warning, text);
            return Vec::new();
        }
    };
    let n: usize = tasks.iter().map(|it| it.inputs.len()).sum();
    let names: Vec<&str> = tasks.iter().map(|it| it.id.as_str()).collect();
    let text = format!(
        "{n} {} saved as the {} {}, for the plan builder, Play and `stepladder bench --task {}`.",
        if n == 1 { "input is" } else { "inputs are" },
        if tasks.len() == 1 { "task" } else { "tasks" },
        names.join(", "),
        names.join(",")
    );
    model.notify(NoticeKind::Info, text);
    model.bench.marked.clear();
    model.library.tasks.extend(tasks.iter().cloned());
    building::refresh(model);
    let effect = |it| Effect::Bench(BenchEffect::SaveTask(Box::new(it)));
    tasks.into_iter().map(effect).collect()
}

/// One task of the name, or one for each task that was answered: a task has one schema.
fn tasks(name: &str, marked: &[&Trial], library: &Library) -> Result<Vec<Task>, String> {
    if !is_name(name) || name.starts_with('.') {
        return Err(
            "The task needs a name of letters, digits, “-”, “_”, “.” and “+”: type one.".to_owned(),
        );
    }
    let mut sources: Vec<(&str, Vec<&Trial>)> = Vec::new();
    for trial in marked {
        match sources.iter_mut().find(|it| it.0 == trial.task) {
            Some(source) => source.1.push(trial),
            None => sources.push((&trial.task, vec![trial])),
        }
    }
    if sources.is_empty() {
        return Err("No reply is chosen: tick some in the list.".to_owned());
    }
    let has_several = sources.len() > 1;
    let task = |(source, trials): &(&str, Vec<&Trial>)| {
        let id = if has_several {
            format!("{name}-{source}")
        } else {
            name.to_owned()
        };
        if library.task(&id).is_some() {
            return Err(format!(
                "There is a task “{id}” already: choose another name."
            ));
        }
        let Some(source) = library.task(source) else {
            return Err(format!(
                "The task “{source}” is gone from the library, and its schema with it: bring its file back."
            ));
        };
        let title = format!("{}: {name}", source.title);
        Ok(source.with_inputs(id, title, inputs(source, trials)))
    };
    sources.iter().map(task).collect()
}

/// Each text once, with the right answer where the task knows it.
fn inputs(task: &Task, trials: &[&Trial]) -> Vec<TaskInput> {
    let mut inputs: Vec<TaskInput> = Vec::new();
    for trial in trials {
        if inputs.iter().any(|it| it.text == trial.input_text) {
            continue;
        }
        let known = task.inputs.iter().find(|it| it.text == trial.input_text);
        inputs.push(TaskInput {
            text: trial.input_text.clone(),
            answer: known.and_then(|it| it.answer.clone()),
        });
    }
    inputs
}
