//! Chat templates: a model's own Jinja text makes one prompt of the messages.

use std::io::{self, Write};

use jiff::civil::DateTime;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Value;
use minijinja::{AutoEscape, Environment, Error, ErrorKind, context};

use super::tags::{MAX_TAG_TOKENS, overlong_tag};
use super::thinking::{is_open, thinking_tags};
use super::{Message, Role};

/// `ChatML`, for a model whose own template is missing or broken.
pub const CHATML: &str = "\
{% for message in messages %}\
{{ '<|im_start|>' ~ message.role ~ '\\n' ~ message.content ~ '<|im_end|>\\n' }}\
{% endfor %}\
{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

/// Longest prompt a template may write, in bytes.
const MAX_OUTPUT: usize = 1_000_000;

/// Instructions a template may run, and units of 64 bytes it may make.
const FUEL: u64 = 2_000_000;

/// Deepest recursion of macros and blocks.
const MAX_RECURSION: usize = 100;

/// Longest template that is read, in bytes; those in use are under 20,000.
const MAX_TEMPLATE: usize = 500_000;

/// What a message about a prompt says when it is the template's fault.
const FAULTS: &[&str] = &["the chat template fails", "has no chat template"];

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
#[error("the chat template fails{}: {message}", line.map(|it| format!(" in line {it}")).unwrap_or_default())]
pub struct TemplateError {
    pub message: String,
    /// Line of the template, counted from 1.
    pub line: Option<usize>,
}

/// Whether a message says that a template is missing or fails, so that another template would help.
pub fn is_template_fault(message: &str) -> bool {
    FAULTS.iter().any(|it| message.contains(it))
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

/// No template: the messages' texts, a blank line between them and after the last.
pub fn raw(messages: &[Message]) -> String {
    let mut text = String::new();
    for message in messages {
        text.push_str(&message.content);
        text.push_str("\n\n");
    }
    text
}

/// Puts the reply's beginning behind a rendered prompt. Refused where the prompt ends inside a block of
/// thinking: the answer's beginning would become a thought.
pub fn prefilled(rendered: &str, prefill: &str) -> Result<String, TemplateError> {
    let opened = thinking_tags(rendered).filter(|it| is_open(rendered, *it));
    if let Some(tags) = opened.filter(|_| !prefill.is_empty()) {
        return Err(failure(format!(
            "it ends the prompt with {}, so the prefill would become part of the thinking; \
             switch thinking off or leave the prefill empty",
            tags.open
        )));
    }
    Ok(format!("{rendered}{prefill}"))
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
