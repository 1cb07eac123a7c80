//! What a ban of n-grams will do to the expected answer, known before anything is run.

use serde_json::Value;

use super::{Draft, Model};
use crate::engine::PromptView;
use crate::lab::{ConstraintChoice, Lint, Preset, Terms, lint, structured_twin};
use crate::prompt::{
    Forecast, Piece, PromptStyle, answer_keys, expected_text, expected_text_indented, forecast,
    structural_runs,
};
use crate::sampling::{Knob, Scope};
use crate::store::Library;

impl Draft {
    /// The answer that is expected, as the first example spells it or as the schema shapes it, and the same on several
    /// lines; none without a schema.
    pub fn expected_answers(&self) -> Vec<String> {
        let Ok(schema) = serde_json::from_str::<Value>(&self.judge_schema) else {
            return Vec::new();
        };
        let shows_examples = self.prompt.style == PromptStyle::Example;
        let example = self.prompt.examples.iter().find(|it| it.on);
        let example = example
            .filter(|_| shows_examples)
            .and_then(|it| serde_json::from_str(&it.answer).ok());
        let spellings = [expected_text, expected_text_indented];
        let texts = spellings.map(|it| it(&schema, example.as_ref()));
        texts.into()
    }

    /// Which settings are likely to break the JSON that is asked for; none where no JSON is.
    pub fn lint(&self) -> Vec<Lint> {
        match serde_json::from_str::<Value>(&self.judge_schema) {
            Ok(schema) => lint(&self.as_preset(), Some(&schema)),
            Err(_) => Vec::new(),
        }
    }

    /// Turns what the lint finds to what is fit for JSON.
    pub(super) fn take_twin(&mut self, library: &Library) {
        let schema = serde_json::from_str::<Value>(&self.judge_schema).ok();
        let twin = structured_twin(&self.as_preset(), schema.as_ref());
        let name = self.preset.clone();
        self.take_preset(&twin, library);
        self.preset = name;
    }

    /// The settings as a preset of their own.
    pub(super) fn as_preset(&self) -> Preset {
        let constraint = match self.constraint.kind {
            super::ConstraintKind::None => ConstraintChoice::None,
            super::ConstraintKind::Grammar => {
                ConstraintChoice::Grammar(self.constraint.grammar.clone())
            }
            super::ConstraintKind::Schema => {
                ConstraintChoice::Schema(self.constraint.schema.clone())
            }
            super::ConstraintKind::Regex => ConstraintChoice::Regex(self.constraint.regex.clone()),
        };
        Preset {
            name: self.preset.clone(),
            title: self.preset.clone(),
            about: String::new(),
            style: self.prompt.style,
            knobs: self.knobs.clone(),
            constraint,
            terms: Terms {
                white_space: self.constraint.white_space,
                switches: self.constraint.switches.clone(),
                hold: self.hold.clone(),
                prefill: self.prompt.prefill.clone(),
                first: self.first,
            },
            defaults: crate::judge::Defaults::default(),
            other: serde_json::Map::new(),
        }
    }
}

/// The forecast for the draft's ban, from the prompt and the answer's tokens as the engine has them; none without a ban.
pub(super) fn forecast_of(model: &Model, view: &PromptView) -> Option<Forecast> {
    let knobs = &model.draft.knobs;
    let size = knobs.count(Knob::NoRepeatNgramSize);
    let counts_prompt = knobs.ngram_scope == Scope::PromptAndReply;
    let answers = model.draft.expected_answers();
    if size == 0 {
        return None;
    }
    let spellings = answers.iter().zip(&view.texts);
    let forecasts = spellings.map(|(answer, pieces)| {
        let text: Vec<u8> = pieces.iter().flat_map(|it| it.bytes.clone()).collect();
        // Of an answer that the draft has left behind nothing is told; the next preview is on its way then.
        (text == answer.as_bytes()).then(|| {
            let mut tokens = |_: &str| pieces.iter().map(piece).collect();
            forecast((&view.tokens, counts_prompt), size, answer, &mut tokens)
        })
    });
    // A recording may know fewer spellings than are asked for.
    let forecasts: Option<Vec<_>> = forecasts.collect();
    let forecast = forecasts?.into_iter().reduce(Forecast::with_spelling)?;
    if !counts_prompt {
        return Some(forecast);
    }
    let keys = answer_keys(answers.first()?);
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    Some(forecast.with_runs(structural_runs(&prompt_pieces(view), size, &keys)))
}

/// The prompt's tokens with their texts; none where it is not known where each of them ends.
fn prompt_pieces(view: &PromptView) -> Vec<Piece> {
    let mut start = 0;
    let ends = view.ends.iter().map(|it| *it as usize);
    let texts = ends.map(|end| {
        let text = view.rendered.as_bytes().get(start..end);
        start = end;
        text.unwrap_or_default().to_vec()
    });
    let pieces = view.tokens.iter().zip(texts);
    pieces
        .map(|(token, bytes)| Piece {
            token: *token,
            bytes,
        })
        .collect()
}

fn piece(it: &crate::engine::Piece) -> Piece {
    Piece {
        token: it.token,
        bytes: it.bytes.clone(),
    }
}
