//! A reply under a grammar that llguidance walks: a schema's or a regular expression's.

use std::sync::{Arc, OnceLock};

use llguidance::ParserFactory;
use llguidance::api::{StopReason, TopLevelGrammar};
use toktrie::{ApproximateTokEnv, InferenceCapabilities};

use super::ConstraintError;
use crate::sampling::TokenId;

/// A reply under a schema or a regular expression.
#[derive(Clone)]
pub(super) struct GuidedWalk {
    matcher: llguidance::Matcher,
    recipe: Arc<TopLevelGrammar>,
}

impl GuidedWalk {
    /// # Errors
    /// The library's message, as it stands.
    pub(super) fn new(grammar: TopLevelGrammar, factory: &ParserFactory) -> Result<Self, String> {
        let recipe = Arc::new(grammar.clone());
        let parser = factory
            .create_parser(grammar)
            .map_err(|it| it.to_string())?;
        Ok(Self {
            matcher: llguidance::Matcher::new(Ok(parser)),
            recipe,
        })
    }

    /// What it was made of, to make it again over other tokens.
    pub(super) fn recipe(&self) -> &TopLevelGrammar {
        &self.recipe
    }

    /// The tokens that may come next, a bit each; none when the constraint is fulfilled to the end.
    pub(super) fn text_mask(&mut self) -> Result<Vec<u32>, ConstraintError> {
        if self.matcher.is_stopped() && !self.matcher.is_error() {
            return Ok(Vec::new());
        }
        match self.matcher.compute_mask() {
            Ok(set) => Ok(set.into()),
            Err(_) if self.matcher.stop_reason() == StopReason::NoExtensionBias => Ok(Vec::new()),
            Err(error) => Err(given_up(&error.to_string())),
        }
    }

    /// Takes a token; changes nothing when it is not allowed.
    pub(super) fn accept(&mut self, token: TokenId) -> Result<bool, ConstraintError> {
        if self.matcher.is_stopped() && !self.matcher.is_error() {
            return Ok(false);
        }
        self.matcher
            .try_consume_tokens(&[token])
            .map(|n_taken| n_taken == 1)
            .map_err(|error| given_up(&error.to_string()))
    }

    pub(super) fn is_accepting(&mut self) -> bool {
        self.matcher.is_accepting().unwrap_or(false)
    }
}

/// A factory over single bytes, for constraints that are checked without a model.
pub(super) fn byte_factory() -> Result<&'static ParserFactory, ConstraintError> {
    static FACTORY: OnceLock<Option<ParserFactory>> = OnceLock::new();
    FACTORY
        .get_or_init(|| {
            let env = ApproximateTokEnv::single_byte_env();
            let mut factory =
                ParserFactory::new(&env, InferenceCapabilities::default(), &[]).ok()?;
            factory.quiet();
            Some(factory)
        })
        .as_ref()
        .ok_or_else(|| ConstraintError::new("the compiler of constraints is not available"))
}

/// The first line: what follows are traces and excerpts of the library's own source.
pub(super) fn first_line(message: &str) -> &str {
    message.lines().next().unwrap_or_default().trim()
}

fn given_up(message: &str) -> ConstraintError {
    ConstraintError::new(format!(
        "the constraint takes too much work at this place: {}",
        first_line(message)
    ))
}
