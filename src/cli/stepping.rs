//! Steps a constraint over texts with a model's tokens: what is legal at each step, and how long that took to find.

use std::path::Path;
use std::time::Instant;

use serde::Serialize;
use serde_json::{Value, json};

use crate::constraint::{
    Badge, Constraint, ConstraintError, Following, Matcher, TokenTrie, badge, compile,
};
use crate::sampling::TokenId;

/// The tokens that texts are cut into: a model's, or single bytes.
pub(super) struct Tokens {
    trie: TokenTrie,
    #[cfg(feature = "llama")]
    model: Option<crate::engine::llama::ModelTokens>,
}

/// A constraint, and how texts fared under it.
pub(super) struct Tried {
    pub(super) compile_ms: f64,
    pub(super) badge: Badge,
    pub(super) texts: Vec<Walked>,
}

/// How one text fared.
#[derive(Default)]
pub(super) struct Walked {
    pub(super) accepted: bool,
    /// Bytes that are allowed, where the text is not accepted.
    pub(super) stopped_at: Option<usize>,
    pub(super) steps: Vec<Step>,
    /// What could follow where it stopped or ended; absent when only figures are wanted.
    pub(super) following: Option<Following>,
    pub(super) error: Option<String>,
}

/// One token of a text, and the mask that it was held to.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Step {
    pub(super) token: TokenId,
    pub(super) text: String,
    pub(super) legal_tokens: u32,
    pub(super) is_legal: bool,
    pub(super) mask_us: f64,
}

impl Tokens {
    /// Single bytes, so that no model is needed.
    pub(super) fn of_bytes() -> Result<Self, String> {
        Ok(Self {
            trie: TokenTrie::of_bytes()?,
            #[cfg(feature = "llama")]
            model: None,
        })
    }

    /// Reads a model's vocabulary, and nothing else of it.
    #[cfg(feature = "llama")]
    pub(super) fn of_model(path: &Path) -> Result<Self, String> {
        let model = crate::engine::llama::ModelTokens::open(path)?;
        Ok(Self {
            trie: TokenTrie::new(model.vocabulary())?,
            model: Some(model),
        })
    }

    #[cfg(not(feature = "llama"))]
    pub(super) fn of_model(path: &Path) -> Result<Self, String> {
        Err(format!(
            "{}: this build reads no models; it was built without the feature llama",
            path.display()
        ))
    }

    /// Compiles a constraint and walks texts under it; a fault of the constraint is the error.
    pub(super) fn walk_all(
        &self,
        constraint: &Constraint,
        texts: &[String],
        explains: bool,
    ) -> Result<Tried, ConstraintError> {
        let started = Instant::now();
        let matcher = compile(constraint, &self.trie)?;
        let compile_ms = started.elapsed().as_secs_f64() * 1_000.0;
        let walked = |text: &String| match matcher.clone() {
            Some(it) => self.walk(it, text, explains),
            None => Walked {
                accepted: true,
                ..Walked::default()
            },
        };
        Ok(Tried {
            compile_ms,
            badge: badge(constraint),
            texts: texts.iter().map(walked).collect(),
        })
    }

    fn walk(&self, mut matcher: Matcher, text: &str, explains: bool) -> Walked {
        let fresh = matcher.clone();
        let mut steps = Vec::new();
        match self.steps(&mut matcher, text, (&mut steps, explains)) {
            Err(error) => Walked {
                stopped_at: Some(self.n_bytes(&steps)),
                steps,
                error: Some(error.to_string()),
                ..Walked::default()
            },
            Ok(n_bytes) => {
                let n_taken = text.floor_char_boundary(n_bytes);
                let accepted = n_taken == text.len() && matcher.is_accepting();
                if explains && n_taken < n_bytes {
                    // What could stand in place of the whole character is asked before it.
                    matcher = fresh;
                    matcher.accept_text(text.as_bytes().get(..n_taken).unwrap_or_default());
                }
                Walked {
                    accepted,
                    stopped_at: (!accepted).then_some(n_taken),
                    steps,
                    following: explains.then(|| matcher.following(8).ok()).flatten(),
                    error: None,
                }
            }
        }
    }

    /// Takes token after token; gives the number of bytes that are allowed. Tokens have their text where it is shown.
    fn steps(
        &self,
        matcher: &mut Matcher,
        text: &str,
        (steps, is_shown): (&mut Vec<Step>, bool),
    ) -> Result<usize, ConstraintError> {
        let mut n_taken = 0;
        for token in self.tokenize(text, matcher.names_tokens()) {
            let started = Instant::now();
            let mask = matcher.mask()?;
            let mask_us = rounded(started.elapsed().as_secs_f64() * 1e6);
            let is_legal = mask.allows(token);
            steps.push(Step {
                token,
                text: if is_shown {
                    String::from_utf8_lossy(self.trie.shown(token)).into_owned()
                } else {
                    String::new()
                },
                legal_tokens: mask.n_legal(),
                is_legal,
                mask_us,
            });
            if !is_legal {
                let rest = text.as_bytes().get(n_taken..).unwrap_or_default();
                return Ok(n_taken + matcher.accept_text(rest));
            }
            matcher.accept(token)?;
            n_taken += self.trie.shown(token).len();
        }
        Ok(n_taken)
    }

    /// As the model's tokenizer does it; by the longest token at each place where that adds to the text.
    fn tokenize(&self, text: &str, reads_names: bool) -> Vec<TokenId> {
        #[cfg(feature = "llama")]
        if let Some(model) = &self.model {
            let tokens = model.tokenize(text, reads_names);
            let bytes: Vec<u8> = tokens
                .iter()
                .flat_map(|it| self.trie.shown(*it))
                .copied()
                .collect();
            if bytes == text.as_bytes() {
                return tokens;
            }
        }
        // Only a model's own tokenizer knows names.
        let _ = reads_names;
        self.trie.tokenize(text.as_bytes()).unwrap_or_default()
    }

    fn n_bytes(&self, steps: &[Step]) -> usize {
        let taken = steps.iter().filter(|it| it.is_legal);
        taken.map(|it| self.trie.shown(it.token).len()).sum()
    }
}

impl Walked {
    /// As `--lines` prints it.
    pub(super) fn figures(&self) -> Value {
        let mut us: Vec<f64> = self.steps.iter().map(|it| it.mask_us).collect();
        us.sort_by(f64::total_cmp);
        let mut res = json!({
            "accepted": self.accepted,
            "stopped_at": self.stopped_at,
            "mask_us_p50": quantile(&us, 0.5),
            "mask_us_p99": quantile(&us, 0.99),
        });
        if let (Some(error), Some(object)) = (&self.error, res.as_object_mut()) {
            object.insert("error".to_owned(), json!(error));
        }
        res
    }
}

/// The smallest value that at least this share of the sorted values does not exceed.
fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let below = sorted
        .iter()
        .enumerate()
        .find(|(idx, _)| (idx + 1) as f64 >= sorted.len() as f64 * share);
    let (_, value) = below?;
    Some(rounded(*value))
}

/// To hundredths: what is beyond them is chance.
fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
