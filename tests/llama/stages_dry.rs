//! DRY against llama.cpp's, which needs a model's vocabulary for the breakers.

use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;
use llama_cpp_2::sampling::LlamaSampler;
use llama_cpp_2::token::LlamaToken;

use std::mem::ManuallyDrop;
use std::path::PathBuf;

use stepladder::engine::llama::ModelTokens;
use stepladder::sampling::{Knob, Knobs, Lexicon, TokenId};

use super::setup;
use super::stage_oracle::{Edge, Tally, ours, theirs};
use super::stage_vectors::{Dice, Shape};

/// The knobs of one comparison: strength, base, allowed length, window (-1 for all).
type Strengths = (f64, f64, u32, i32);

const STRENGTHS: [Strengths; 5] = [
    (0.8, 1.75, 2, -1),
    (0.8, 1.75, 2, 40),
    (2.0, 1.2, 1, -1),
    (1.5, 3.0, 4, 100),
    (0.5, 1.0, 3, -1),
];

/// Texts that go on with what they said before, with breakers in between.
fn seen(words: &[TokenId], dice: &mut Dice) -> Vec<TokenId> {
    let mut text: Vec<TokenId> = (0..30).map(|_| words[dice.below(words.len())]).collect();
    while text.len() < 200 {
        let start = dice.below(text.len() - 10);
        let n = 1 + dice.below(9);
        text.extend_from_within(start..start + n);
        if dice.below(3) == 0 {
            text.push(words[dice.below(words.len())]);
        }
    }
    text
}

#[track_caller]
fn check(path: &PathBuf, breakers: &[&str]) {
    let tokens = ModelTokens::open(path).unwrap();
    let backend = ManuallyDrop::new(LlamaBackend {});
    let params = LlamaModelParams::default().with_vocab_only(true);
    let model = LlamaModel::load_from_file(&backend, path, &params).unwrap();
    let lexicon = Lexicon {
        pieces: &tokens.vocabulary().pieces,
        ends: &[],
    };
    let n_vocab = lexicon.pieces.len();
    let words = tokens.tokenize(
        "one two: \"three\" four\n five * six \n\nseven, eight. nine",
        false,
    );
    let mut dice = Dice(3);
    let mut tally = Tally::default();
    let mut n_penalized = 0;
    for nth in 0..30 {
        let seen = seen(&words, &mut dice);
        let logits = Shape::ALL[nth % Shape::ALL.len()].logits(n_vocab, nth as u64);
        let (strength, base, allowed, window) = STRENGTHS[nth / 5 % STRENGTHS.len()];
        let last_n = if window < 0 { 4096 } else { window };
        let mut sampler = LlamaSampler::dry(
            &model,
            strength as f32,
            base as f32,
            allowed.cast_signed(),
            last_n,
            breakers,
        );
        sampler.accept_many(seen.iter().map(|it| LlamaToken(it.cast_signed())));
        let mut knobs = Knobs::neutral();
        for (knob, value) in [
            (Knob::DryMultiplier, strength),
            (Knob::DryBase, base),
            (Knob::DryAllowedLength, f64::from(allowed)),
            (Knob::DryLastN, f64::from(window)),
        ] {
            knobs.set(knob, value).unwrap();
        }
        knobs.dry_breakers = breakers.iter().map(|it| (*it).to_owned()).collect();
        println!("DRY {breakers:?}, text {nth}");
        let found = ours((&knobs, lexicon), &seen, &logits);
        let plain = ours((&Knobs::neutral(), lexicon), &seen, &logits);
        n_penalized += usize::from(found != plain);
        tally.compare(
            (&found, &theirs(&mut sampler, &logits)),
            &logits,
            Edge::Near(0.0),
        );
    }
    assert!(n_penalized > 4, "{n_penalized} texts were penalized at all");
    tally.tell(&format!("DRY with {breakers:?}, {n_penalized} penalized"));
}

#[test]
fn dry_is_llama_cpps_without_breakers() {
    check(&setup::instruct_path(), &[]);
    check(&setup::base_path(), &[]);
}

/// Breakers of one sign each. Where a breaker falls apart into several tokens, llama.cpp knows one way to cut it and
/// ours all of them, so such are not compared.
#[test]
fn dry_is_llama_cpps_with_breakers() {
    for path in [setup::instruct_path(), setup::base_path()] {
        check(&path, &["\n", ":", "\"", "*"]);
        check(&path, &[",", " two"]);
    }
}
