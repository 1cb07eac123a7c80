//! Chat templates: a model's own Jinja text makes one prompt of the messages.

use std::io::{self, Write};

use jiff::civil::DateTime;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Value;
use minijinja::{AutoEscape, Environment, Error, ErrorKind, context};

use super::tags::{MAX_TAG_TOKENS, overlong_tag};
use super::{Message, Role};

/// `ChatML`, for a model whose own template is missing or broken.
pub const CHATML: &str = "\
{% for message in messages %}\
{{ '<|im_start|>' ~ message.role ~ '\\n' ~ message.content ~ '<|im_end|>\\n' }}\
{% endfor %}\
{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

/// What the sentence of every failed template begins with.
const TEMPLATE_FAILED: &str = "the chat template failed";

/// What is said of a model without a template.
const NO_TEMPLATE: &str = "the model's file has no chat template";

/// Longest prompt a template may write, in bytes.
const MAX_OUTPUT: usize = 1_000_000;

/// Instructions a template may run, and units of 64 bytes it may make.
const FUEL: u64 = 2_000_000;

/// Deepest recursion of macros and blocks.
const MAX_RECURSION: usize = 100;

/// Longest template that is read, in bytes; those in use are under 20,000.
const MAX_TEMPLATE: usize = 500_000;

/// What a template is given.
#[derive(Clone, Debug, Default)]
pub struct TemplateInput<'a> {
    pub messages: &'a [Message],
    /// The text of the begin token; empty when the model has none.
    pub bos: &'a str,
    pub eos: &'a str,
    /// Ends the prompt where the reply begins.
    pub add_generation_prompt: bool,
    /// The local time, for templates that write the date. This room has no clock.
    pub now: Option<DateTime>,
    /// Switches thinking on or off in templates that know the switch; none leaves it to the template.
    pub enable_thinking: Option<bool>,
}

/// Why a template could not be rendered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{TEMPLATE_FAILED}{}: {message}", line.map(|it| format!(" in line {it}")).unwrap_or_default())]
pub struct TemplateError {
    pub message: String,
    /// Line of the template, counted from 1.
    pub line: Option<usize>,
}

/// Why messages do not become a prompt. Each is a sentence for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PromptError {
    #[error("the prompt is empty; write an instruction or an input")]
    Empty,
    #[error("{NO_TEMPLATE}; choose no template (raw) or ChatML")]
    NoTemplate,
    #[error(transparent)]
    Template(#[from] TemplateError),
    #[error(
        "thinking is on, so the prefill would become part of it or keep it from beginning; \
         switch thinking off or leave the prefill empty"
    )]
    PrefillWhileThinking,
    #[error(
        "the prompt has {n_bytes} bytes, and a context of {n_ctx} tokens holds no more than {max}; \
         shorten the prompt or load the model with a larger context"
    )]
    TooLong {
        n_bytes: usize,
        n_ctx: u32,
        max: usize,
    },
}

/// Renders a template as Hugging Face Transformers does: blocks trimmed, Python's string methods,
/// `raise_exception`, `strftime_now`, `tojson` without HTML escapes. Loops without end, deep recursion and
/// prompts over 1 MB are errors.
pub fn render(source: &str, input: &TemplateInput<'_>) -> Result<String, TemplateError> {
    check_source(source)?;
    let environment = environment(input.now)?;
    let template = environment
        .template_from_str(source)
        .map_err(|it| template_error(&it))?;
    let mut output = Bounded::default();
    let rendered = template.render_captured_to(variables(input), &mut output);
    if output.is_full {
        return Err(failure(format!("it writes more than {MAX_OUTPUT} bytes")));
    }
    rendered.map_err(|it| template_error(&it))?;
    String::from_utf8(output.bytes).map_err(|it| failure(format!("it writes broken text: {it}")))
}

/// No template: the messages' texts, a blank line between them and nothing added.
pub fn raw(messages: &[Message]) -> String {
    let texts: Vec<&str> = messages.iter().map(|it| it.content.as_str()).collect();
    texts.join("\n\n")
}

/// Whether a message tells of a chat template that failed or is missing, so that `ChatML` is worth a try.
pub fn is_template_failure(message: &str) -> bool {
    message.starts_with(TEMPLATE_FAILED) || message.starts_with(NO_TEMPLATE)
}

/// A warning when the template writes the begin token and the tokenizer adds it once more.
pub fn double_begin(rendered: &str, bos: &str, adds_bos: bool) -> Option<String> {
    let is_double = adds_bos && !bos.is_empty() && rendered.starts_with(bos);
    is_double.then(|| {
        format!("double begin token: the template writes {bos} and the tokenizer adds it again")
    })
}

/// Refuses what minijinja's parser, which recurses over long chains of operators, might not survive.
fn check_source(source: &str) -> Result<(), TemplateError> {
    if source.len() > MAX_TEMPLATE {
        return Err(failure(format!("it is longer than {MAX_TEMPLATE} bytes")));
    }
    match overlong_tag(source) {
        Some(line) => Err(TemplateError {
            message: format!("one of its tags has more than {MAX_TAG_TOKENS} words and signs"),
            line: Some(line),
        }),
        None => Ok(()),
    }
}

fn environment(now: Option<DateTime>) -> Result<Environment<'static>, TemplateError> {
    let syntax = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .build()
        .map_err(|it| template_error(&it))?;
    let mut environment = Environment::new();
    environment.set_syntax(syntax);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_fuel(Some(FUEL));
    environment.set_recursion_limit(MAX_RECURSION);
    environment.set_debug(false);
    environment.set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
    environment.add_function("raise_exception", raise_exception);
    environment.add_function("strftime_now", move |format: String| strftime(now, &format));
    environment.add_filter("tojson", super::tojson::tojson);
    Ok(environment)
}

fn variables(input: &TemplateInput<'_>) -> Value {
    let messages: Vec<Value> = input
        .messages
        .iter()
        .map(|it| context! { role => role(it.role), content => it.content.as_str() })
        .collect();
    let common = context! {
        messages => messages,
        bos_token => input.bos,
        eos_token => input.eos,
        add_generation_prompt => input.add_generation_prompt,
        tools => (),
        documents => (),
    };
    match input.enable_thinking {
        Some(enable_thinking) => context! { enable_thinking, ..common },
        None => common,
    }
}

fn role(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
    }
}

fn raise_exception(message: &str) -> Result<Value, Error> {
    Err(Error::new(ErrorKind::InvalidOperation, message.to_owned()))
}

fn strftime(now: Option<DateTime>, format: &str) -> Result<String, Error> {
    let fault = |message: String| Error::new(ErrorKind::InvalidOperation, message);
    let now = now.ok_or_else(|| fault("it asks for the time, which is not known".to_owned()))?;
    jiff::fmt::strtime::format(format, now)
        .map_err(|it| fault(format!("the date format {format:?} cannot be used: {it}")))
}

fn template_error(error: &Error) -> TemplateError {
    let message = match (error.kind(), error.detail()) {
        (ErrorKind::OutOfFuel, _) => "it runs too long; is there a loop without end?".to_owned(),
        (ErrorKind::InvalidOperation, Some(detail)) => detail.to_owned(),
        (kind, Some(detail)) => format!("{kind}: {detail}"),
        (kind, None) => kind.to_string(),
    };
    TemplateError {
        message,
        line: error.line(),
    }
}

fn failure(message: String) -> TemplateError {
    TemplateError {
        message,
        line: None,
    }
}

/// Takes no more than a prompt may hold.
#[derive(Debug, Default)]
struct Bounded {
    bytes: Vec<u8>,
    is_full: bool,
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + bytes.len() > MAX_OUTPUT {
            self.is_full = true;
            return Err(io::Error::other("the prompt is too long"));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
