//! Gathers a run's events into the trial that is recorded.

use serde_json::{Map, Value, json};

use super::{Appraised, Job, Moment, app_version, appraise};
use crate::constraint::{Badge, Constraint, badge};
use crate::engine::{
    Event, Finish, ModelInfo, PromptView, RunId, StageDone, StopReason, TokenEvent,
};
use crate::judge::Ending;
use crate::lab::{
    ForkedFrom, Holding, MaskSummary, ModelStamp, StageRecord, StageSummary, Timings, TraceSummary,
    Trial,
};
use crate::prompt::{CHATML, Message, TemplateChoice, is_open, thinking_tags};
use crate::sampling::Blame;

/// A reply as far as it has come, with all that its trial will need.
#[derive(Clone, Debug)]
pub struct Assembly {
    pub id: RunId,
    pub job: Job,
    pub model: ModelInfo,
    pub view: PromptView,
    pub tokens: Vec<TokenEvent>,
    /// The first of two stages, once it is done.
    pub staged: Option<Box<StageDone>>,
    /// 2 when the engine was lost and the reply is tried again.
    pub attempt: u32,
    /// The reply that this one goes on from.
    pub forked_from: Option<ForkedFrom>,
    /// The tokens taken over from it, with the traces that they got when they were chosen.
    pub shared: Vec<TokenEvent>,
}

impl Assembly {
    pub fn new(id: RunId, job: Job, model: ModelInfo) -> Self {
        Self {
            id,
            job,
            model,
            view: PromptView::default(),
            tokens: Vec::new(),
            staged: None,
            attempt: 1,
            forked_from: None,
            shared: Vec::new(),
        }
    }

    /// Takes in what belongs to this run. A second `Started` voids what came before it.
    pub fn on_event(&mut self, event: &Event) {
        match event {
            Event::Started { id, attempt, view } if *id == self.id => {
                self.tokens.clear();
                if self.attempt != *attempt {
                    self.staged = None;
                }
                self.attempt = *attempt;
                self.view = (**view).clone();
            }
            Event::Staged { id, stage } if *id == self.id => {
                self.staged = Some(stage.clone());
            }
            Event::Tokens { id, tokens } if *id == self.id => {
                for token in tokens {
                    let event = self.with_own_trace(token);
                    self.tokens.push(event);
                }
            }
            _ => {}
        }
    }

    /// A given token keeps the trace of its choice.
    fn with_own_trace(&self, token: &TokenEvent) -> TokenEvent {
        let known = self.shared.get(self.tokens.len());
        match known.filter(|it| token.given && it.token == token.token) {
            Some(known) => TokenEvent {
                given: true,
                text: token.text.clone(),
                ..known.clone()
            },
            None => token.clone(),
        }
    }

    /// Climbs and judges the finished reply.
    pub fn finish(&self, finish: &Finish, moment: Moment) -> Trial {
        let given = &self.job.given;
        let appraised = Appraised {
            reply: &finish.text,
            ending: finish.stop.ending(),
            prefill: self.prefill_in_prompt(),
            template: self.template(),
            prompt: &self.view.rendered,
            constrained: self.is_held_from_start(),
            picked: None,
        };
        let (climb, judgement) = appraise(&appraised, given);
        Trial {
            v: 1,
            id: moment.id(self.id.0),
            time: moment.text(),
            versions: versions(&self.model),
            model: stamp(&self.model, finish.timings.batch_width),
            preset: self.job.preset.clone(),
            style: self.job.style,
            task: self.job.task.clone(),
            input: self.job.input,
            input_text: given.input_text.clone(),
            messages: self.messages(),
            prefill: self.job.request.prompt.prefill.clone(),
            prompt: self.view.rendered.clone(),
            prompt_tokens: self.view.tokens.clone(),
            constraint: serde_json::to_value(&self.job.request.constraint).unwrap_or_default(),
            holding: self.holding(finish),
            stages: self.staged.iter().map(|it| self.stage(it)).collect(),
            reply: finish.text.clone(),
            reply_tokens: self.tokens.iter().map(|it| it.token).collect(),
            stop: finish.stop.name().to_owned(),
            stop_detail: finish.stop.detail(),
            attempt: self.attempt_of(finish),
            timings: timings(&self.model, finish),
            trace: self.trace(finish),
            climb,
            verdict: judgement.verdict,
            correctness: judgement.correctness,
            after_defaults: judgement.after_defaults,
            leaks: judgement.leaks,
            origins: judgement.origins,
            lamps: judgement.lamps,
            cause: judgement.cause,
            forked_from: self.forked_from.clone(),
            cell: None,
            other: Map::new(),
        }
    }
}

impl Assembly {
    /// The tag with which the prompt has opened the model's thoughts; none where the reply begins outside of them.
    pub fn opened_tag(&self) -> Option<&'static str> {
        let tags = thinking_tags(self.template()?)?;
        let is_free = !self.is_held_from_start();
        (is_free && is_open(&self.view.rendered, tags)).then_some(tags.open)
    }

    fn trace(&self, finish: &Finish) -> TraceSummary {
        TraceSummary {
            knobs: finish.knobs.clone(),
            ..summarise(&self.tokens)
        }
    }

    /// A reply that lost its engine twice may not have begun a second time.
    fn attempt_of(&self, finish: &Finish) -> u32 {
        match finish.stop {
            StopReason::EngineLost { .. } => self.attempt.max(2),
            _ => self.attempt,
        }
    }

    fn is_held_from_start(&self) -> bool {
        let request = &self.job.request;
        request.constraint != Constraint::None && request.hold.start.is_now()
    }

    /// The prefill where the reply goes on from it; empty where it stands in the reply, behind the thoughts.
    fn prefill_in_prompt(&self) -> &str {
        let prefill = self.job.request.prompt.prefill.as_str();
        if self.view.rendered.ends_with(prefill) {
            prefill
        } else {
            ""
        }
    }

    /// The messages of the reply's own prompt.
    fn messages(&self) -> Vec<Message> {
        let asked = &self.job.request.prompt.messages;
        match &self.staged {
            Some(stage) => stage.kind.second_messages(asked, &stage.finish.text),
            None => asked.clone(),
        }
    }

    fn holding(&self, finish: &Finish) -> Holding {
        let request = &self.job.request;
        let badge = match request.constraint {
            Constraint::None => None,
            _ if finish.held.never_began => Some(Badge::None),
            _ => Some(badge(&request.constraint)),
        };
        Holding {
            hold: request.hold.clone(),
            held: finish.held.clone(),
            badge,
        }
    }

    fn stage(&self, stage: &StageDone) -> StageRecord {
        let appraised = Appraised {
            reply: &stage.finish.text,
            ending: stage.finish.stop.ending(),
            template: self.template(),
            prompt: &stage.view.rendered,
            ..Appraised::default()
        };
        let (climb, judgement) = appraise(&appraised, &self.job.given);
        StageRecord {
            kind: stage.kind,
            messages: stage.messages.clone(),
            prompt: stage.view.rendered.clone(),
            prompt_tokens: stage.view.tokens.clone(),
            reply: stage.finish.text.clone(),
            reply_tokens: stage.tokens.clone(),
            stop: stage.finish.stop.name().to_owned(),
            stop_detail: stage.finish.stop.detail(),
            timings: timings(&self.model, &stage.finish),
            rung: climb.rung,
            verdict: judgement.verdict,
            lamps: judgement.lamps,
            cause: judgement.cause,
        }
    }

    /// The template that rendered the prompt; none for a raw one.
    fn template(&self) -> Option<&str> {
        match self.job.request.prompt.template {
            TemplateChoice::Model => self.model.chat_template.as_deref(),
            TemplateChoice::ChatMl => Some(CHATML),
            TemplateChoice::Raw => None,
        }
    }
}

impl StopReason {
    /// The name in records and on the screen.
    pub fn name(&self) -> &'static str {
        match self {
            Self::EndOfGeneration => "end_of_generation",
            Self::TokenLimit => "token_limit",
            Self::ContextFull => "context_full",
            Self::StopString { .. } => "stop_string",
            Self::ConstraintComplete => "constraint_complete",
            Self::Cancelled => "cancelled",
            Self::DeadEnd { .. } => "dead_end",
            Self::LoopGuard { .. } => "loop_guard",
            Self::EngineLost { .. } => "engine_lost",
        }
    }

    /// What there is to say beside the name.
    pub fn detail(&self) -> Option<String> {
        match self {
            Self::StopString { text } => Some(text.clone()),
            Self::DeadEnd { stages } => Some(stages.join(" against ")),
            Self::LoopGuard { what } => Some(what.clone()),
            Self::EngineLost { reason } => Some(reason.clone()),
            _ => None,
        }
    }

    /// What the judges need to know of it.
    pub fn ending(&self) -> Ending {
        match self {
            Self::EndOfGeneration | Self::ConstraintComplete | Self::StopString { .. } => {
                Ending::ByItself
            }
            Self::DeadEnd { .. } => Ending::DeadEnd,
            _ => Ending::Cut,
        }
    }
}

/// What the chain did over a whole reply, but for the tokens that were given to it.
pub fn summarise(tokens: &[TokenEvent]) -> TraceSummary {
    let n_given = tokens.iter().take_while(|it| it.given).count();
    let tokens = &tokens[n_given..];
    let mut stages: Vec<StageSummary> = Vec::new();
    let blames: Vec<_> = tokens.iter().map(|it| it.trace.blame(it.token)).collect();
    for effect in tokens.iter().flat_map(|it| &it.trace.effects) {
        let found = stages.iter().position(|it| it.stage == effect.stage);
        let idx = found.unwrap_or_else(|| {
            stages.push(StageSummary {
                stage: effect.stage,
                n_changed: 0,
                n_blamed: 0,
                n_removing: 0,
                removed_mass_mean: 0.0,
                removed_mass_max: 0.0,
            });
            stages.len() - 1
        });
        let stage = &mut stages[idx];
        stage.n_changed += u32::from(effect.changed_top);
        stage.n_removing += u32::from(effect.n_removed > 0);
        stage.removed_mass_mean += effect.removed_mass / tokens.len() as f32;
        stage.removed_mass_max = stage.removed_mass_max.max(effect.removed_mass);
    }
    for stage in &mut stages {
        let blamed = blames.iter().filter(|it| **it == Blame::Stage(stage.stage));
        stage.n_blamed = blamed.count() as u32;
    }
    TraceSummary {
        stages,
        knobs: Vec::new(),
        mask: mask_summary(tokens),
    }
}

fn mask_summary(tokens: &[TokenEvent]) -> Option<MaskSummary> {
    let mut legal: Vec<u32> = tokens.iter().filter_map(|it| it.trace.n_legal).collect();
    let mut us: Vec<u32> = tokens.iter().filter_map(|it| it.trace.mask_us).collect();
    if legal.is_empty() {
        return None;
    }
    legal.sort_unstable();
    us.sort_unstable();
    Some(MaskSummary {
        legal_median: quantile(&legal, 50),
        us_median: quantile(&us, 50),
        us_p99: quantile(&us, 99),
    })
}

/// The value at a percentage of sorted values (nearest rank); 0 for none.
fn quantile(sorted: &[u32], percent: usize) -> u32 {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or(0)
}

fn versions(model: &ModelInfo) -> Map<String, Value> {
    let mut res = Map::new();
    res.insert("stepladder".to_owned(), json!(app_version()));
    res.insert("llama_cpp".to_owned(), json!(model.llama_cpp));
    res
}

fn stamp(model: &ModelInfo, batch_width: u32) -> ModelStamp {
    ModelStamp {
        file: model
            .path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        bytes: model.bytes,
        fingerprint: model.fingerprint.clone(),
        architecture: model.architecture.clone(),
        quantization: model.quantization.clone(),
        device: model.device.clone(),
        device_fallback: model.device_fallback.clone(),
        n_threads: model.n_threads,
        n_batch: model.n_batch,
        n_ctx: model.n_ctx,
        batch_width,
    }
}

fn timings(model: &ModelInfo, finish: &Finish) -> Timings {
    let it = &finish.timings;
    let seconds = it.decode_ms / 1000.0;
    Timings {
        load_ms: model.load_ms,
        prefill_ms: it.prefill_ms,
        n_kept: it.n_kept,
        first_token_ms: it.first_token_ms,
        decode_ms: it.decode_ms,
        mask_ms: it.mask_ms,
        tokens_per_second: if seconds > 0.0 {
            f64::from(it.n_reply) / seconds
        } else {
            0.0
        },
    }
}
