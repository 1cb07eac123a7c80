//! Causes in how a reply ended: loop, dead end, cut.

use super::Cause;
use super::bounds::dotted;
use super::cause::Scene;
use super::judgement::Ending;
use super::loops::{find_loop, find_repeated_items};
use super::nothing::answer_start;
use super::place::open_path;
use crate::ladder::Flag;

pub(super) fn looping(scene: &Scene<'_>) -> Vec<Cause> {
    let reply = scene.judged.reply;
    let is_cut = is_cut(scene);
    let start = answer_start(reply);
    let start = if reply[start..].trim().is_empty() {
        0
    } else {
        start
    };
    let found = find_loop(&reply[start..], is_cut).filter(|_| is_cut || scene.value().is_none());
    if let Some(found) = found {
        let message = format!("the reply ends in a {}", found.describe());
        let cause = Cause::new("loop", message).over(start + found.start, reply.len());
        return vec![Cause {
            path: found.path,
            ..cause
        }];
    }
    let repeated = scene
        .value()
        .filter(|_| scene.is_wrong())
        .and_then(find_repeated_items);
    repeated
        .map(|it| Cause {
            path: it.path.clone(),
            ..Cause::new("loop", format!("the reply is a {}", it.describe()))
        })
        .into_iter()
        .collect()
}

pub(super) fn dead_end(scene: &Scene<'_>) -> Vec<Cause> {
    let is_open = is_truncated(scene) || scene.value().is_none();
    if scene.judged.ending != Ending::DeadEnd || !is_open {
        return Vec::new();
    }
    vec![broken(scene, "dead_end", "every next token was forbidden")]
}

pub(super) fn truncated(scene: &Scene<'_>) -> Vec<Cause> {
    let reply = scene.judged.reply;
    let is_open = || open_path(&reply[answer_start(reply)..]).is_some();
    let is_lost = is_cut(scene) && scene.value().is_none() && is_open();
    if scene.judged.ending == Ending::DeadEnd || !(is_truncated(scene) || is_lost) {
        return Vec::new();
    }
    let what = match scene.judged.ending {
        Ending::Cut => "the reply is cut off",
        _ => "the reply stops before its end",
    };
    vec![broken(scene, "truncated", what)]
}

fn broken(scene: &Scene<'_>, kind: &str, what: &str) -> Cause {
    let reply = scene.judged.reply;
    let path = open_path(&reply[answer_start(reply)..]);
    let place = path
        .as_ref()
        .map(|it| format!(" at {}", dotted(it)))
        .unwrap_or_default();
    let cause = Cause::new(kind, format!("{what}{place}")).over(reply.len(), reply.len());
    Cause { path, ..cause }
}

fn is_truncated(scene: &Scene<'_>) -> bool {
    scene.judged.climb.flags.contains(&Flag::Truncated)
}

fn is_cut(scene: &Scene<'_>) -> bool {
    is_truncated(scene) || scene.judged.ending != Ending::ByItself
}
