//! The masses of a trace on real logits with every stage on: what was there is what is left and what was taken.
//!
//! What a stage took is summed up here from the candidates that are there before it and not after it, which chains cut
//! off before and behind the stage tell; the trace works it out in another way.

use std::collections::HashMap;

use stepladder::constraint::TokenMask;
use stepladder::engine::llama::ModelTokens;
use stepladder::sampling::{
    BiasTarget, Chain, CharClass, Knob, Knobs, Lexicon, LogitBias, Order, Outcome, Stage, TokenId,
};

use super::real_logits::real_logits;
use super::setup;

const PROMPT: &str = "Turn the text into JSON. Text: two apples and three pears.\nJSON:";
const REPLY: &str =
    " {\"items\": [{\"name\": \"apples\", \"qty\": 2}, {\"name\": \"pears\", \"qty\": 3}]}";

/// Every stage, each mild enough that something is left.
fn knobs(order: &Order) -> Knobs {
    let values = [
        (Knob::RepetitionPenalty, 1.1),
        (Knob::PresencePenalty, 0.2),
        (Knob::FrequencyPenalty, 0.1),
        (Knob::DryMultiplier, 0.5),
        (Knob::NoRepeatNgramSize, 2.0),
        (Knob::Temperature, 1.2),
        (Knob::DynatempRange, 0.2),
        (Knob::TopK, 900.0),
        (Knob::TopP, 0.97),
        (Knob::MinP, 0.01),
        (Knob::TypicalP, 0.95),
        (Knob::TopNSigma, 5.0),
        (Knob::XtcProbability, 0.5),
        (Knob::XtcThreshold, 0.05),
        (Knob::MirostatTau, 3.0),
        (Knob::MinTokens, 8.0),
    ];
    let set = |knobs: Knobs, &(knob, value): &(Knob, f64)| knobs.with(knob, value).unwrap();
    let mut knobs = values.iter().fold(Knobs::neutral(), set);
    knobs.order = order.clone();
    knobs.token_ban = vec![CharClass::parse("uppercase").unwrap()];
    knobs.logit_bias = [(" the", f32::NEG_INFINITY), ("\"", -1.0)]
        .map(|(text, bias)| LogitBias {
            target: BiasTarget::Text(text.to_owned()),
            bias,
        })
        .to_vec();
    knobs
}

/// The chain up to each stage, and the probabilities that it leaves at the token that is looked at.
struct Cut {
    stage: Stage,
    chain: Chain,
}

/// A real text with the model's logits behind each token.
struct Text {
    tokens: ModelTokens,
    ids: Vec<TokenId>,
    n_prompt: usize,
    logits: Vec<Vec<f32>>,
}

impl Text {
    fn read() -> Self {
        let path = setup::instruct_path();
        let tokens = ModelTokens::open(&path).unwrap();
        let text = format!("{PROMPT}{REPLY}");
        Self {
            n_prompt: tokens.tokenize(PROMPT, true).len(),
            ids: tokens.tokenize(&text, true),
            logits: real_logits(&path, &text),
            tokens,
        }
    }

    fn cuts(&self, knobs: &Knobs) -> Vec<Cut> {
        let vocabulary = self.tokens.vocabulary();
        let lexicon = Lexicon {
            pieces: &vocabulary.pieces,
            ends: &vocabulary.end_of_generation,
        };
        let stages = knobs.order.stages();
        let cut = |nth: usize| {
            let mut knobs = knobs.clone();
            knobs.order = Order::new(&stages[..=nth]).unwrap();
            let mut chain = Chain::with_lexicon(&knobs, vocabulary.pieces.len(), lexicon);
            chain.feed_prompt(&self.ids[..self.n_prompt]);
            Cut {
                stage: stages[nth],
                chain,
            }
        };
        (0..stages.len()).map(cut).collect()
    }
}

/// All but every seventh token, another seventh at each place.
fn mask(n_vocab: usize, at: usize) -> TokenMask {
    let mut words = vec![0; n_vocab.div_ceil(32)];
    for token in (0..n_vocab).filter(|it| it % 7 != at % 7) {
        words[token / 32] |= 1 << (token % 32);
    }
    TokenMask::from_words(words)
}

fn softmax(logits: &[f32]) -> HashMap<TokenId, f64> {
    let max = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weights = logits.iter().map(|it| f64::from(it - max).exp());
    let weights: Vec<f64> = weights.collect();
    let sum: f64 = weights.iter().sum();
    (0..).zip(weights.iter().map(|it| it / sum)).collect()
}

/// Checks one token; counts the stages that took something.
#[track_caller]
fn check_token(
    cuts: &mut [Cut],
    (logits, mask): (&[f32], &TokenMask),
    n_taking: &mut HashMap<Stage, u32>,
) {
    let outcomes: Vec<_> = cuts
        .iter_mut()
        .map(|it| it.chain.step(logits, Some(mask)))
        .collect();
    let Some(Outcome::Token { trace, .. }) = outcomes.last() else {
        panic!("{outcomes:?}")
    };
    let mut before = softmax(logits);
    for cut in cuts {
        let after: HashMap<TokenId, f64> = cut.chain.shares().into_iter().collect();
        let mass = |is_left: bool| -> f64 {
            let some = before.iter();
            let some = some.filter(|it| after.contains_key(it.0) == is_left);
            some.map(|it| it.1).sum()
        };
        let (left, taken) = (mass(true), mass(false));
        let all: f64 = before.values().sum();
        assert!((all - 1.0).abs() < 1e-4 && (left + taken - all).abs() < 1e-9);
        let n_taken = before.len() - after.len();
        let effect = trace.effects.iter().find(|it| it.stage == cut.stage);
        let told = effect.map_or((0, 0.0, 1.0), |it| {
            (it.n_removed, it.removed_mass, it.kept_mass)
        });
        assert_eq!(told.0 as usize, n_taken, "{}", cut.stage);
        let is_near = |a: f32, b: f64| (f64::from(a) - b).abs() < 1e-4;
        assert!(
            is_near(told.1, taken) && is_near(told.2, left),
            "{}: told {told:?}, found {taken} taken and {left} left",
            cut.stage
        );
        if n_taken > 0 {
            *n_taking.entry(cut.stage).or_default() += 1;
        }
        before = after;
    }
}

#[track_caller]
fn check(order: &Order) {
    let text = Text::read();
    let knobs = knobs(order);
    let mut cuts = text.cuts(&knobs);
    let mut n_taking = HashMap::new();
    let n_vocab = text.logits[0].len();
    for at in text.n_prompt..text.ids.len() {
        let mask = mask(n_vocab, at);
        check_token(&mut cuts, (&text.logits[at - 1], &mask), &mut n_taking);
        for cut in &mut cuts {
            cut.chain.accept(text.ids[at]);
        }
    }
    println!("stages that took something: {n_taking:?}");
    let idle: Vec<_> = order
        .stages()
        .iter()
        .filter(|it| !n_taking.contains_key(it) && !moves_only(**it))
        .collect();
    assert!(idle.is_empty(), "{idle:?} took nothing anywhere");
}

/// Stages that make tokens more or less likely and take none away.
fn moves_only(stage: Stage) -> bool {
    matches!(
        stage,
        Stage::RepetitionPenalty | Stage::PresenceFrequency | Stage::Dry | Stage::Temperature
    )
}

#[test]
fn what_is_left_and_what_was_taken_are_what_was_there() {
    check(&Order::transformers());
}

#[test]
fn the_same_in_llama_cpps_order() {
    check(&Order::llama_cpp());
}
