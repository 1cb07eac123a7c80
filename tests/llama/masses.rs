//! The masses in the traces of real replies, written with every stage on: what was there is what is left and what was
//! taken.
//!
//! What a stage took is summed up here from the candidates that are there before it and not after it, which chains cut
//! off before and behind the stage tell from the model's logits; the trace, worked out in another way, is the one that
//! the engine tells with the reply.

use std::collections::HashMap;
use std::path::Path;

use stepladder::constraint::{Constraint, Matcher, TokenMask, TokenTrie, Vocabulary, compile};
use stepladder::engine::llama::ModelTokens;
use stepladder::sampling::{
    BiasTarget, Chain, CharClass, Knob, Knobs, Lexicon, LogitBias, Order, Outcome, Stage, TokenId,
    TokenTrace,
};

use super::real_logits::Scored;
use super::setup::{self, Told, greedy, instruct};

const ASKED: &str = "Turn the text into JSON. Text: two apples and three pears.";
/// May end anywhere, so that a minimum of tokens has something to do.
const GRAMMAR: &str = r#"root ::= [a-zA-Z0-9 {}:,."\[\]\n]+"#;
const N_TOKENS: u32 = 40;

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
        (Knob::MinTokens, 30.0),
        (Knob::MaxTokens, f64::from(N_TOKENS)),
        (Knob::Seed, 7.0),
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

/// A reply as the engine told it, with the model's logits before each of its tokens.
struct Written {
    told: Told,
    knobs: Knobs,
    vocabulary: Vocabulary,
    matcher: Matcher,
    logits: Vec<Vec<f32>>,
}

impl Written {
    fn new(order: &Order) -> Self {
        let knobs = knobs(order);
        let mut request = greedy(ASKED, N_TOKENS);
        request.knobs = knobs.clone();
        request.constraint = Constraint::Grammar {
            text: GRAMMAR.to_owned(),
        };
        let told = instruct().run(&request).unwrap();
        let path = setup::instruct_path();
        let vocabulary = ModelTokens::open(&path).unwrap().vocabulary().clone();
        let trie = TokenTrie::new(&vocabulary).unwrap();
        Self {
            matcher: compile(&request.constraint, &trie).unwrap().unwrap(),
            logits: reply_logits(&path, &told.view.tokens, &told.ids()),
            told,
            knobs,
            vocabulary,
        }
    }

    fn cuts(&self) -> Vec<Cut> {
        let lexicon = Lexicon {
            pieces: &self.vocabulary.pieces,
            ends: &self.vocabulary.end_of_generation,
        };
        let stages = self.knobs.order.stages();
        let cut = |nth: usize| {
            let mut knobs = self.knobs.clone();
            knobs.order = Order::new(&stages[..=nth]).unwrap();
            let n_vocab = self.vocabulary.pieces.len();
            let mut chain = Chain::with_lexicon(&knobs, n_vocab, lexicon);
            chain.feed_prompt(&self.told.view.tokens);
            Cut {
                stage: stages[nth],
                chain,
            }
        };
        (0..stages.len()).map(cut).collect()
    }
}

/// What a model says at the end of a prompt and behind each token of the reply, evaluated as a reply is: the prompt at
/// once, then token by token.
fn reply_logits(path: &Path, prompt: &[TokenId], reply: &[TokenId]) -> Vec<Vec<f32>> {
    let mut scored = Scored::open(path);
    scored.decode(prompt, false);
    let mut res = vec![scored.logits(-1)];
    for token in reply {
        scored.decode(&[*token], false);
        res.push(scored.logits(-1));
    }
    res
}

/// Each token's probability; none for those that are gone.
fn softmax(logits: &[f32]) -> Vec<Option<f64>> {
    let max = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weights = logits.iter().map(|it| f64::from(it - max).exp());
    let weights: Vec<f64> = weights.collect();
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|it| Some(it / sum)).collect()
}

/// The most likely token, the first among equals.
fn favourite(shares: &[Option<f64>]) -> TokenId {
    let better = |best: (TokenId, f64), it: (TokenId, f64)| if it.1 > best.1 { it } else { best };
    let shares = (0..).zip(shares).filter_map(|it| Some((it.0, (*it.1)?)));
    shares.fold((0, -1.0), better).0
}

/// Checks one token against what was told of it; counts the stages that took something.
#[track_caller]
fn check_token(
    cuts: &mut [Cut],
    (logits, mask): (&[f32], &TokenMask),
    trace: &TokenTrace,
    n_taking: &mut HashMap<Stage, u32>,
) {
    for cut in cuts.iter_mut() {
        let outcome = cut.chain.step(logits, Some(mask));
        assert!(matches!(outcome, Outcome::Token { .. }), "{outcome:?}");
    }
    let mut before = softmax(logits);
    for it in &trace.before {
        let raw = before[it.token as usize].unwrap_or_default();
        assert!(
            (raw - f64::from(it.probability)).abs() < 1e-6,
            "{it:?} is {raw}"
        );
    }
    for cut in cuts {
        let mut after = vec![None; before.len()];
        for (token, share) in cut.chain.shares() {
            after[token as usize] = Some(share);
        }
        let mass = |is_left: bool| -> f64 {
            let pairs = before.iter().zip(&after);
            let some = pairs.filter(|it| it.1.is_some() == is_left);
            some.filter_map(|it| *it.0).sum()
        };
        let (left, taken) = (mass(true), mass(false));
        let all: f64 = before.iter().flatten().sum();
        assert!((all - 1.0).abs() < 1e-4 && (left + taken - all).abs() < 1e-9);
        let n_taken = before.iter().flatten().count() - after.iter().flatten().count();
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
        let (old, new) = (favourite(&before), favourite(&after));
        let new_top = (old != new).then_some(new);
        assert_eq!(effect.and_then(|it| it.new_top), new_top, "{}", cut.stage);
        if n_taken > 0 {
            *n_taking.entry(cut.stage).or_default() += 1;
        }
        before = after;
    }
}

#[track_caller]
fn check(order: &Order) {
    let mut written = Written::new(order);
    let mut cuts = written.cuts();
    let mut n_taking = HashMap::new();
    for (event, logits) in written.told.tokens.iter().zip(&written.logits) {
        let mask = written.matcher.mask().unwrap();
        check_token(&mut cuts, (logits, &mask), &event.trace, &mut n_taking);
        written.matcher.accept(event.token).unwrap();
        for cut in &mut cuts {
            cut.chain.accept(event.token);
        }
    }
    let n_tokens = written.told.tokens.len();
    assert!(n_tokens >= 30, "{n_tokens} tokens are too few to tell");
    println!("{n_tokens} tokens; stages that took something: {n_taking:?}");
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
