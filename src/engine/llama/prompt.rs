//! From messages to the tokens that the model reads; what the user typed never becomes a control token.

use crate::constraint::Start;
use crate::engine::spans::ends;
use crate::engine::{Piece, PromptRequest, PromptView};
use crate::prompt::{
    CHATML, Message, Mind, PromptError, TemplateChoice, TemplateInput, Thinking, free_mark,
    has_switch, mind, raw, render, segments, thinking_tags,
};

use super::desk::Desk;
use super::opening::Opening;
use super::vocabulary::{ModelVocabulary, SpecialToken, tokenize};

/// Renders and tokenizes a prompt, which is asked for with where its constraint begins; none without a constraint.
/// Tells from where on the reply is held to it.
pub(super) fn view(
    (request, start): (&PromptRequest, Option<&Start>),
    desk: Desk<'_>,
) -> Result<(PromptView, Opening), PromptError> {
    let vocabulary = desk.vocabulary;
    let texts = || request.messages.iter().map(|it| it.content.as_str());
    if texts().all(|it| it.trim().is_empty()) {
        return Err(PromptError::Empty);
    }
    let template = template(request.template, vocabulary)?;
    let mark = free_mark(texts().chain([request.prefill.as_str(), template.unwrap_or_default()]));
    let protect = |text: &str| vocabulary.guard.mark(text, mark);
    let messages: Vec<Message> = request
        .messages
        .iter()
        .map(|it| Message {
            role: it.role,
            content: protect(&it.content),
        })
        .collect();
    let rendered = match template {
        Some(source) => Rendered::new(source, &messages, (request.thinking, vocabulary))?,
        None => Rendered::raw(&messages),
    };
    let (opening, is_late, warnings) = rendered.opening(request, start, template)?;
    let prefill = if is_late {
        ""
    } else {
        request.prefill.as_str()
    };
    let text = rendered.text + &protect(prefill);
    let (text, segments) = segments(&text, mark);
    check_length(&text, desk.n_ctx)?;
    let tokens = segments
        .iter()
        .flat_map(|it| tokenize(desk.model, it))
        .collect();
    let view = PromptView {
        rendered: text,
        tokens,
        warnings,
        ..PromptView::default()
    };
    let view = with_bos(view, vocabulary);
    let ends = ends(&view.rendered, &view.tokens, |it| vocabulary.written(it));
    Ok((PromptView { ends, ..view }, opening))
}

fn without_prefill(request: &PromptRequest) -> PromptRequest {
    PromptRequest {
        prefill: String::new(),
        ..request.clone()
    }
}

/// The tokens of texts that a reply might hold; what stands for a control token in them stays text.
pub(super) fn pieces(texts: &[String], desk: Desk<'_>) -> Vec<Vec<Piece>> {
    let vocabulary = desk.vocabulary;
    let longest = desk.n_ctx as usize * MAX_BYTES_A_TOKEN;
    let pieces = |text: &String| {
        let mark = free_mark(std::iter::once(text.as_str()));
        let (text, segments) = segments(&vocabulary.guard.mark(text, mark), mark);
        if text.len() > longest {
            return Vec::new();
        }
        let tokens = segments.iter().flat_map(|it| tokenize(desk.model, it));
        tokens
            .map(|token| Piece {
                token,
                bytes: vocabulary.piece(token).to_vec(),
            })
            .collect()
    };
    texts.iter().map(pieces).collect()
}

/// A prompt without its prefill.
struct Rendered {
    text: String,
    mind: Mind,
    has_switch: bool,
}

impl Rendered {
    fn new(
        source: &str,
        messages: &[Message],
        (thinking, vocabulary): (Thinking, &ModelVocabulary),
    ) -> Result<Self, PromptError> {
        let with = |thinking| render(source, &template_input(messages, thinking, vocabulary));
        let text = with(thinking)?;
        let has_switch = has_switch(source);
        let off = has_switch.then(|| with(Thinking::Off)).transpose()?;
        Ok(Self {
            mind: mind(source, &text, off.as_deref()),
            text,
            has_switch,
        })
    }

    fn raw(messages: &[Message]) -> Self {
        Self {
            text: raw(messages),
            mind: Mind::Answers,
            has_switch: false,
        }
    }

    /// From where on the reply is held, whether its prefill comes as late, and what is to be said of it.
    fn opening(
        &self,
        request: &PromptRequest,
        start: Option<&Start>,
        template: Option<&str>,
    ) -> Result<(Opening, bool, Vec<String>), PromptError> {
        let tags = template.and_then(thinking_tags);
        let opening = match start {
            Some(start) => Opening::new(start, (self.mind, tags), &self.text),
            None => Opening::Begun,
        };
        // The answer begins behind the thoughts, so its beginning cannot stand in the prompt.
        let is_late = start == Some(&Start::AfterThinking) && !opening.has_begun();
        let warnings = if is_late {
            self.warnings(&without_prefill(request), false)?
        } else {
            self.warnings(request, start == Some(&Start::Now))?
        };
        Ok((opening, is_late, warnings))
    }

    /// What is to be said of thinking; an error where a prefill cannot stand.
    fn warnings(
        &self,
        request: &PromptRequest,
        is_constrained: bool,
    ) -> Result<Vec<String>, PromptError> {
        let has_prefill = !request.prefill.is_empty();
        if has_prefill && self.mind == Mind::Thinks {
            return Err(PromptError::PrefillWhileThinking);
        }
        let may_think = self.mind != Mind::Answers;
        let said = [
            (request.thinking != Thinking::Template && !self.has_switch)
                .then_some("the chat template has no switch for thinking, so the choice has no effect"),
            (may_think && is_constrained).then_some(
                "the constraint suppresses thinking: it is active from the first token of the reply",
            ),
            (may_think && has_prefill)
                .then_some("the prefill suppresses thinking: the reply goes on behind it"),
        ];
        Ok(said.into_iter().flatten().map(str::to_owned).collect())
    }
}

/// Bytes a token on average that no prompt reaches: text has about four, indented JSON up to ten.
const MAX_BYTES_A_TOKEN: usize = 16;
/// Room for the template in a tiny context.
const BYTES_BESIDE: usize = 4_096;

/// Refuses what cannot fit before the tokenizer sees it: some tokenizers take minutes over a megabyte.
fn check_length(rendered: &str, n_ctx: u32) -> Result<(), PromptError> {
    let n_bytes = rendered.len();
    let max = (n_ctx as usize).saturating_mul(MAX_BYTES_A_TOKEN) + BYTES_BESIDE;
    if n_bytes <= max {
        return Ok(());
    }
    Err(PromptError::TooLong {
        n_bytes,
        n_ctx,
        max,
    })
}

/// The Jinja text to render with; none for the raw prompt.
fn template(
    choice: TemplateChoice,
    vocabulary: &ModelVocabulary,
) -> Result<Option<&str>, PromptError> {
    match (choice, &vocabulary.chat_template) {
        (TemplateChoice::Raw, _) => Ok(None),
        (TemplateChoice::ChatMl, _) => Ok(Some(CHATML)),
        (TemplateChoice::Model, Some(source)) => Ok(Some(source)),
        (TemplateChoice::Model, None) => Err(PromptError::NoTemplate),
    }
}

fn template_input<'a>(
    messages: &'a [Message],
    thinking: Thinking,
    vocabulary: &'a ModelVocabulary,
) -> TemplateInput<'a> {
    fn text(token: Option<&SpecialToken>) -> &str {
        token.map_or("", |it| it.text.as_str())
    }
    TemplateInput {
        messages,
        bos: text(vocabulary.bos.as_ref()),
        eos: text(vocabulary.eos.as_ref()),
        add_generation_prompt: true,
        now: Some(jiff::ZonedDateTime::now().datetime()),
        enable_thinking: thinking.switch(),
    }
}

/// Puts the begin token in front where the tokenizer wants one, and never twice.
fn with_bos(mut view: PromptView, vocabulary: &ModelVocabulary) -> PromptView {
    let Some(bos) = vocabulary.bos.as_ref().filter(|_| vocabulary.adds_bos) else {
        return view;
    };
    if view.tokens.first() == Some(&bos.id) {
        view.warnings.push(format!(
            "double begin token: the template writes {} and the tokenizer would add it again; it stands once",
            bos.text
        ));
    } else {
        view.tokens.insert(0, bos.id);
    }
    view
}
