//! The bench itself; it needs llama.cpp for a vocabulary and to be compared with.

use std::mem::ManuallyDrop;
use std::path::Path;
use std::time::{Duration, Instant};

use criterion::Criterion;
use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;
use llama_cpp_2::sampling::LlamaSampler;
use llama_cpp_2::token::LlamaToken;
use llama_cpp_2::token::data::LlamaTokenData;
use llama_cpp_2::token::data_array::LlamaTokenDataArray;
use llguidance::ParserFactory;
use llguidance::api::TopLevelGrammar;
use stepladder::constraint::{Constraint, Matcher, TokenTrie, Vocabulary, compile, grammars};
use stepladder::engine::llama::ModelTokens;
use toktrie::{TokEnv, TokRxInfo, TokTrie, TokenizerEnv};

const N_TOKENS: usize = 300;
/// Steps of llama.cpp's sampler; each takes as long as thousands of ours.
const N_SLOW: usize = 60;

/// The JSON grammar with a rule for each character, as llguidance must have it to keep the language.
const LARK: &str = r#"
start: object
object: "{" ws (member ("," ws member)*)? "}"
member: string ws ":" ws value ws
array: "[" ws (element ("," ws element)*)? "]"
element: value ws
value: object | array | string | number | "true" | "false" | "null"
string: "\"" char* "\""
char: /[^"\\\x00-\x1F]/ | "\\" /["\\\/bfnrt]/ | "\\" "u" hex hex hex hex
hex: /[0-9a-fA-F]/
number: "-"? whole fraction? exponent?
whole: "0" | /[1-9]/ digit*
fraction: "." digit digit*
exponent: /[eE]/ /[+-]/? digit digit*
digit: /[0-9]/
ws: blank*
blank: /[ \t\n\r]/
"#;

pub(crate) fn main() {
    let mut criterion = Criterion::default()
        .configure_from_args()
        .sample_size(10)
        .measurement_time(Duration::from_secs(3));
    for variable in ["STEPLADDER_MODEL", "STEPLADDER_MODEL_2"] {
        let Some(path) = std::env::var_os(variable) else {
            println!("{variable} is not set, so its vocabulary is left out");
            continue;
        };
        let sides = Sides::open(Path::new(&path));
        sides.table();
        sides.benches(&mut criterion);
    }
    criterion.final_summary();
}

/// Microseconds of each mask along a reply, in rising order.
struct Times(Vec<f64>);

struct Sides {
    tokens: ModelTokens,
    trie: TokenTrie,
    model: LlamaModel,
    llguidance: ParserFactory,
}

impl Sides {
    fn open(path: &Path) -> Self {
        let tokens = ModelTokens::open(path).unwrap();
        // The library started llama.cpp already; this only stands for that.
        let backend = ManuallyDrop::new(LlamaBackend {});
        let params = LlamaModelParams::default().with_vocab_only(true);
        Self {
            model: LlamaModel::load_from_file(&backend, path, &params).unwrap(),
            trie: TokenTrie::new(tokens.vocabulary()).unwrap(),
            llguidance: factory(tokens.vocabulary()),
            tokens,
        }
    }

    /// Ours on all kinds of grammar, the others on JSON, and what they come to against ours.
    fn table(&self) {
        println!("\n{} tokens in the vocabulary", self.trie.n_tokens());
        println!(
            "{:28} {:>9} {:>9} {:>9} {:>9}",
            "microseconds", "compile", "p50", "p99", "ratio"
        );
        let mut json_p50 = 1.0;
        for (name, grammar, reply) in ours() {
            let started = Instant::now();
            let matcher = self.matcher(&grammar);
            let compile_us = started.elapsed().as_secs_f64() * 1e6;
            let times = walk(matcher, &self.reply(&reply));
            if name == "JSON" {
                json_p50 = times.quantile(0.5);
            }
            times.print(name, Some(compile_us), None);
        }
        let reply = self.reply(&json());
        let started = Instant::now();
        let parser = self.lark();
        let compile_us = started.elapsed().as_secs_f64() * 1e6;
        walk_llguidance(parser, &reply).print(
            "llguidance by characters",
            Some(compile_us),
            Some(json_p50),
        );
        let slow = self.walk_llama(reply.get(..N_SLOW).unwrap_or(&reply));
        slow.print("llama.cpp, all tokens", None, Some(json_p50));
    }

    fn benches(&self, criterion: &mut Criterion) {
        let mut group = criterion.benchmark_group(format!("{} tokens", self.trie.n_tokens()));
        for (name, grammar, reply) in ours() {
            let reply = self.reply(&reply);
            let fresh = self.matcher(&grammar);
            group.bench_function(name, |it| it.iter(|| walk(fresh.clone(), &reply)));
        }
        let reply = self.reply(&json());
        group.bench_function("llguidance by characters", |it| {
            it.iter(|| walk_llguidance(self.lark(), &reply));
        });
        group.finish();
    }

    fn matcher(&self, grammar: &str) -> Matcher {
        let constraint = Constraint::Grammar {
            text: grammar.to_owned(),
        };
        compile(&constraint, &self.trie).unwrap().unwrap()
    }

    fn lark(&self) -> llguidance::Matcher {
        let grammar = TopLevelGrammar::from_lark(LARK.to_owned());
        llguidance::Matcher::new(self.llguidance.create_parser(grammar))
    }

    fn reply(&self, text: &str) -> Vec<u32> {
        let mut res = self.tokens.tokenize(text, false);
        res.truncate(N_TOKENS);
        res
    }

    fn walk_llama(&self, reply: &[u32]) -> Times {
        let json = grammars()[0].1;
        let mut sampler = LlamaSampler::grammar(&self.model, json, "root").unwrap();
        Times::of(reply, |token| {
            let ids = (0..self.trie.n_tokens() as u32).map(|it| LlamaToken(it.cast_signed()));
            let all = ids.map(|it| LlamaTokenData::new(it, 0.0, 0.0));
            let mut array = LlamaTokenDataArray::from_iter(all, false);
            let started = Instant::now();
            sampler.apply(&mut array);
            let took = started.elapsed();
            sampler.try_accept(LlamaToken(token.cast_signed())).unwrap();
            took
        })
    }
}

impl Times {
    fn of(reply: &[u32], mut step: impl FnMut(u32) -> Duration) -> Self {
        let mut us: Vec<f64> = reply
            .iter()
            .map(|it| step(*it).as_secs_f64() * 1e6)
            .collect();
        us.sort_by(f64::total_cmp);
        Self(us)
    }

    fn quantile(&self, share: f64) -> f64 {
        let covers = |it: &usize| (it + 1) as f64 >= self.0.len() as f64 * share;
        self.0[(0..self.0.len()).find(covers).unwrap()]
    }

    fn print(&self, name: &str, compile_us: Option<f64>, to: Option<f64>) {
        let compile = compile_us.map_or(String::new(), |it| format!("{it:.0}"));
        let ratio = to.map_or(String::new(), |it| {
            format!("{:.0} ×", self.quantile(0.5) / it)
        });
        println!(
            "{name:28} {compile:>9} {:>9.1} {:>9.1} {ratio:>9}",
            self.quantile(0.5),
            self.quantile(0.99)
        );
    }
}

fn walk(mut matcher: Matcher, reply: &[u32]) -> Times {
    Times::of(reply, |token| {
        let started = Instant::now();
        let mask = matcher.mask().unwrap();
        let took = started.elapsed();
        assert!(mask.allows(token));
        matcher.accept(token).unwrap();
        took
    })
}

fn walk_llguidance(mut matcher: llguidance::Matcher, reply: &[u32]) -> Times {
    Times::of(reply, |token| {
        let started = Instant::now();
        let mask = matcher.compute_mask().unwrap();
        let took = started.elapsed();
        assert!(mask.is_allowed(token));
        matcher.consume_token(token).unwrap();
        took
    })
}

/// Names, grammars and replies that ours is measured on.
fn ours() -> Vec<(&'static str, String, String)> {
    let counted = r#"root ::= "\"" [^"\\\x00-\x1F]{0,1500} "\"""#;
    let many = "root ::= (\"\\\"\" [a-z ]{2,60} \"\\\", \")*";
    let objects = "root ::= (\"{\\\"name\\\": \\\"\" char{2,60} \"\\\"}, \")*\nchar ::= [^\"\\\\\\x00-\\x1F] | \"\\\\\" [\"\\\\/bfnrt]";
    let words = "the quick brown fox jumps over the lazy dog and some more words come along ";
    vec![
        ("JSON", grammars()[0].1.to_owned(), json()),
        (
            "one long counted string",
            counted.to_owned(),
            format!("\"{}\"", words.repeat(19)),
        ),
        (
            "many counted strings",
            many.to_owned(),
            "\"the quick brown fox\", ".repeat(50),
        ),
        (
            "objects with counted strings",
            objects.to_owned(),
            "{\"name\": \"the quick brown fox\"}, ".repeat(40),
        ),
    ]
}

/// A reply of more than three hundred tokens with everything that JSON has.
fn json() -> String {
    let item = r#"{"name": "oat milk, 한국어 and é", "qty": 2, "price": -1.5e3, "tags": ["a\n", true, null]}"#;
    format!("{{\"items\": [{}]}}", [item; 12].join(", "))
}

/// A vocabulary as llguidance wants it.
struct Env(TokTrie);

impl TokenizerEnv for Env {
    fn tok_trie(&self) -> &TokTrie {
        &self.0
    }

    fn tokenize_bytes(&self, text: &[u8]) -> Vec<u32> {
        self.0.greedy_tokenize(text)
    }

    fn tokenize_is_canonical(&self) -> bool {
        false
    }
}

fn factory(vocabulary: &Vocabulary) -> ParserFactory {
    let ends = &vocabulary.end_of_generation;
    let mut words = vocabulary.pieces.clone();
    for end in ends {
        words[*end as usize].clear();
    }
    let info = TokRxInfo::new(words.len() as u32, ends[0]);
    let trie = TokTrie::from(&info, &words).with_eos_tokens(ends);
    let env: TokEnv = std::sync::Arc::new(Env(trie));
    let mut factory = ParserFactory::new_simple(&env).unwrap();
    factory.quiet();
    factory
}
