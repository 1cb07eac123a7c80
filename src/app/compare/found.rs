//! What the columns' replies say together: their fields, their tokens in lock step, and who parted them.

use std::collections::HashMap;

use serde_json::Value;

use super::words::{Meeting, sentence};
use super::{ColumnId, CompareDesk, Playback};
use crate::app::{Reply, RunPhase};
use crate::engine::TokenEvent;
use crate::lab::{
    Culprit, Divergence, FieldTable, LockStep, Parting, Setup, Trial, Witness, field_table,
    lock_step, parting,
};
use crate::sampling::Stage;

/// Finished replies held against each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The columns as they stood then; those without a reply take part in nothing.
    pub columns: Vec<ColumnId>,
    pub fields: FieldTable,
    /// The cells of the fields as JSON text, a list a row.
    pub texts: Vec<Vec<Option<String>>>,
    pub lock_step: LockStep,
    /// One for each divergence, in the same order.
    pub partings: Vec<Vec<Parted>>,
    /// Some replies are of another model, whose tokens are cut otherwise: they are compared by their texts.
    pub mixes_models: bool,
}

/// Why one column left the reference at a divergence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parted {
    /// Index of the column.
    pub column: usize,
    pub parting: Parting,
    /// What was written on both sides, who made it so, and by which setting.
    pub sentence: String,
}

impl Comparison {
    /// None without a finished reply.
    pub(super) fn of(desk: &CompareDesk) -> Option<Self> {
        let columns: Vec<ColumnId> = desk.draft.columns.iter().map(|it| it.id).collect();
        let done: Vec<Option<Done<'_>>> = columns.iter().map(|it| done(desk, *it)).collect();
        let prints = done
            .iter()
            .flatten()
            .map(|it| &it.reply.assembly.model.fingerprint);
        let first = prints.clone().next()?;
        let mixes_models = prints.clone().any(|it| it != first);
        let values: Vec<Option<&Value>> = done
            .iter()
            .map(|it| it.as_ref().and_then(|it| it.trial.climb.value()))
            .collect();
        let reference = desk.draft.reference_place();
        let keys = keys(&done, mixes_models);
        let streams: Vec<Option<&[u32]>> = keys.iter().map(Option::as_deref).collect();
        let lock_step = lock_step(&streams, reference);
        let partings = lock_step
            .divergences
            .iter()
            .enumerate()
            .map(|(nth, it)| partings(desk, (&lock_step, it), (nth, &done)));
        let fields = field_table(&values, reference);
        let rows = fields.rows.iter();
        Some(Self {
            partings: partings.collect(),
            texts: rows.map(|it| texts_of(&it.cells)).collect(),
            fields,
            lock_step,
            columns,
            mixes_models,
        })
    }

    pub fn n_steps(&self) -> usize {
        self.lock_step.steps.len()
    }

    /// The index of a column; none for one that came later.
    pub fn place(&self, id: ColumnId) -> Option<usize> {
        self.columns.iter().position(|it| *it == id)
    }

    /// The number of the divergence, from 0, at which playback stands; the first, where the replies are shown whole.
    pub fn reached(&self, playback: Playback) -> Option<usize> {
        let divergences = &self.lock_step.divergences;
        if playback.is_whole {
            return (!divergences.is_empty()).then_some(0);
        }
        divergences
            .iter()
            .position(|it| it.step + 1 == playback.n_steps)
    }
}

impl Parted {
    /// The stage that is to blame; none where it was none.
    pub fn stage(&self) -> Option<Stage> {
        match self.parting.culprit {
            Culprit::Stage { stage, .. } => Some(stage),
            _ => None,
        }
    }
}

fn texts_of(cells: &[Option<Value>]) -> Vec<Option<String>> {
    let texts = cells.iter().map(|it| it.as_ref().map(Value::to_string));
    texts.collect()
}

/// A finished column.
struct Done<'a> {
    reply: &'a Reply,
    trial: &'a Trial,
}

fn done(desk: &CompareDesk, id: ColumnId) -> Option<Done<'_>> {
    match desk.run(id)? {
        RunPhase::Done { reply, trial } => Some(Done { reply, trial }),
        _ => None,
    }
}

/// A number for each token, the same for the same token: its id or, across models, a number for its text.
fn keys(done: &[Option<Done<'_>>], mixes_models: bool) -> Vec<Option<Vec<u32>>> {
    let mut known: HashMap<&[u8], u32> = HashMap::new();
    let mut keys = Vec::new();
    for column in done {
        keys.push(column.as_ref().map(|it| {
            let tokens = &it.reply.assembly.tokens;
            if !mixes_models {
                return tokens.iter().map(|it| it.token).collect();
            }
            let mut texts = Vec::new();
            for event in tokens {
                let next = known.len() as u32;
                texts.push(*known.entry(&event.bytes).or_insert(next));
            }
            texts
        }));
    }
    keys
}

fn partings(
    desk: &CompareDesk,
    (lock_step, divergence): (&LockStep, &Divergence),
    (nth, done): (usize, &[Option<Done<'_>>]),
) -> Vec<Parted> {
    let witness = |column: usize| {
        let it = done[column].as_ref()?;
        let event = divergence.at[column].and_then(|at| it.reply.assembly.tokens.get(at));
        Some((witness(it, event), event))
    };
    let reference = lock_step.reference.unwrap_or_default();
    let leaving = divergence.leaving.iter().filter_map(|&column| {
        let (one, other) = (witness(reference)?, witness(column)?);
        let parting = parting(&one.0, &other.0);
        let meeting = Meeting {
            names: (desk.draft.name(reference), desk.draft.name(column)),
            letters: (
                super::draft::letter(reference),
                super::draft::letter(column),
            ),
            events: (one.1, other.1),
            stops: (one.0.stop, other.0.stop),
            token: divergence.at[reference]
                .or(divergence.at[column])
                .unwrap_or_default()
                + 1,
            is_first: nth == 0,
        };
        Some(Parted {
            sentence: sentence(&meeting, &parting),
            column,
            parting,
        })
    });
    leaving.collect()
}

fn witness<'a>(done: &Done<'a>, event: Option<&'a TokenEvent>) -> Witness<'a> {
    let (assembly, stop) = (&done.reply.assembly, done.trial.stop.as_str());
    let request = &assembly.job.request;
    Witness {
        setup: Setup {
            knobs: &request.knobs,
            constraint: &request.constraint,
            hold: &request.hold,
            style: assembly.job.style,
            thinking: request.prompt.thinking,
            prefill: &request.prompt.prefill,
            first: request.first,
            model: (&assembly.model.name, &assembly.model.fingerprint),
        },
        token: event.map(|it| (it.token, &it.trace)),
        stop,
    }
}
