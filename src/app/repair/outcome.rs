//! The climb and the judges on a pasted reply, and where in its text everything stands.

use serde_json::Value;

use super::diff::{DiffLine, diff};
use super::marks::{Mark, marks};
use super::places::Places;
use super::spans::child;
use crate::app::checked::judge_fault;
use crate::constraint::ConstraintError;
use crate::judge::{Advice, Ending, Fault, Judgement, advice, reply_cause};
use crate::ladder::Climb;
use crate::runner::{Appraised, Given, appraise};

/// What is to be climbed, and by what it is judged; a whole that can be sent to another thread.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asked {
    pub id: u64,
    pub reply: String,
    pub prefill: String,
    /// Text of the schema, for naming its faults.
    pub schema: String,
    pub given: Given,
    /// Index of the candidate to take in place of the ladder's own choice.
    pub picked: Option<usize>,
}

/// Everything there is to show of a reply.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    pub climb: Climb,
    pub judgement: Judgement,
    /// Index of the value among the candidates.
    pub chosen: Option<usize>,
    /// Index of the value that the ladder takes by itself.
    pub own: Option<usize>,
    /// The candidates as one line each, cut where they are long.
    pub previews: Vec<String>,
    pub places: Places,
    /// The changed lines of the reply.
    pub diff: Vec<DiffLine>,
    /// The schema's faults at the places that they speak of: a key that is not allowed at itself.
    pub faults: Vec<Fault>,
    pub marks: Vec<Mark>,
    /// Why the schema judges nothing; none without a schema, or when it judges.
    pub schema_fault: Option<ConstraintError>,
    /// What the schema could do better.
    pub advice: Vec<Advice>,
}

/// Climbs and judges. Never fails; linear in the length of the reply.
pub fn outcome(asked: &Asked) -> Outcome {
    let (climb, judgement) = appraised(asked, None);
    let own = index_of(&climb, climb.value());
    let picked = asked.picked.filter(|it| Some(*it) != own);
    let wanted = picked.and_then(|it| climb.candidates().nth(it).cloned());
    let (climb, judgement, chosen) = match wanted {
        Some(value) => {
            let (mut taken, judgement) = appraised(asked, Some(&value));
            tell_pick(&mut taken, &climb);
            (taken, judgement, picked)
        }
        None => (climb, judgement, own),
    };
    let places = Places::of(&asked.reply, &climb);
    let faults = placed_faults(&judgement);
    let marks = marks(&asked.reply, (&climb, &judgement, &faults), &places);
    let has_schema = !asked.schema.trim().is_empty();
    Outcome {
        diff: diff(&asked.reply, climb.repairs()),
        faults,
        previews: climb.candidates().map(preview).collect(),
        climb,
        judgement,
        chosen,
        own,
        places,
        marks,
        advice: asked.given.schema.as_ref().map(advice).unwrap_or_default(),
        schema_fault: has_schema.then(|| judge_fault(&asked.schema)).flatten(),
    }
}

fn appraised(asked: &Asked, picked: Option<&Value>) -> (Climb, Judgement) {
    let appraised = Appraised {
        reply: &asked.reply,
        prefill: &asked.prefill,
        picked,
        ..Appraised::default()
    };
    let (climb, mut judgement) = appraise(&appraised, &asked.given);
    // Where no lamp is dark, the reply as a whole may still be something that a strict reader refuses.
    judgement.cause = judgement
        .cause
        .or_else(|| reply_cause(&asked.reply, &climb, Ending::default()));
    (climb, judgement)
}

/// The ladder explains its own choice; where the user chose, that is said in its place.
fn tell_pick(taken: &mut Climb, own: &Climb) {
    let is_choice = |it: &String| it.starts_with("Took the ");
    taken.notes.retain(|it| !is_choice(it));
    let told = own.notes.iter().find(|it| is_choice(it));
    taken.notes.push(match told {
        Some(told) => format!("This value was picked by you. By itself the ladder: {told}"),
        None => "This value was picked by you.".to_owned(),
    });
}

fn placed_faults(judgement: &Judgement) -> Vec<Fault> {
    let faults = judgement.verdict.iter().flat_map(|it| &it.faults);
    let placed = |it: &Fault| Fault {
        instance_path: match unwanted_key(it) {
            Some(key) => child(&it.instance_path, &key),
            None => it.instance_path.clone(),
        },
        ..it.clone()
    };
    faults.map(placed).collect()
}

/// The key that is not allowed, as the message quotes it.
fn unwanted_key(fault: &Fault) -> Option<String> {
    let is_unwanted = matches!(
        fault.keyword.as_str(),
        "additionalProperties" | "unevaluatedProperties"
    );
    let from = fault.message.find('"').filter(|_| is_unwanted)?;
    let quoted = fault.message.get(from..)?;
    let mut texts = serde_json::Deserializer::from_str(quoted).into_iter::<String>();
    texts.next()?.ok()
}

fn preview(value: &Value) -> String {
    const MAX_CHARS: usize = 160;
    let text = value.to_string();
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn index_of(climb: &Climb, value: Option<&Value>) -> Option<usize> {
    climb.candidates().position(|it| Some(it) == value)
}
