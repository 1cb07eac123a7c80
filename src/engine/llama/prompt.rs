//! From messages to the tokens that the model reads; what the user typed never becomes a control token.

use crate::engine::{PromptRequest, PromptView};
use crate::prompt::{
    CHATML, Message, TemplateChoice, TemplateInput, free_mark, prefilled, raw, render, segments,
};

use super::context::Context;
use super::vocabulary::{ModelVocabulary, SpecialToken, tokenize};

/// Renders and tokenizes a prompt. Fails with a sentence for the user.
pub(super) fn view(
    request: &PromptRequest,
    context: &Context,
    vocabulary: &ModelVocabulary,
) -> Result<PromptView, String> {
    let texts = || request.messages.iter().map(|it| it.content.as_str());
    if texts()
        .chain([request.prefill.as_str()])
        .all(|it| it.trim().is_empty())
    {
        return Err("the prompt is empty; write an instruction or an input".to_owned());
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
        Some(source) => {
            render(source, &template_input(&messages, vocabulary)).map_err(|it| it.to_string())?
        }
        None => raw(&messages),
    };
    let rendered = prefilled(&rendered, &protect(&request.prefill)).map_err(|it| it.to_string())?;
    let (rendered, segments) = segments(&rendered, mark);
    check_length(&rendered, context.n_ctx())?;
    let tokens = segments
        .iter()
        .flat_map(|it| tokenize(context.model(), it))
        .collect();
    Ok(with_bos(
        PromptView {
            rendered,
            tokens,
            warnings: Vec::new(),
        },
        vocabulary,
    ))
}

/// Bytes a token on average that no prompt reaches: text has about four, indented JSON up to ten.
const MAX_BYTES_A_TOKEN: usize = 16;
/// Room for the template in a tiny context.
const BYTES_BESIDE: usize = 4_096;

/// Refuses what cannot fit before the tokenizer sees it: some tokenizers take minutes over a megabyte.
fn check_length(rendered: &str, n_ctx: u32) -> Result<(), String> {
    let n_bytes = rendered.len();
    let max = (n_ctx as usize).saturating_mul(MAX_BYTES_A_TOKEN) + BYTES_BESIDE;
    if n_bytes <= max {
        return Ok(());
    }
    Err(format!(
        "the prompt has {n_bytes} bytes, and a context of {n_ctx} tokens holds no more than {max}; \
         shorten the prompt or load the model with a larger context"
    ))
}

/// The Jinja text to render with; none for the raw prompt.
fn template(choice: TemplateChoice, vocabulary: &ModelVocabulary) -> Result<Option<&str>, String> {
    match (choice, &vocabulary.chat_template) {
        (TemplateChoice::Raw, _) => Ok(None),
        (TemplateChoice::ChatMl, _) => Ok(Some(CHATML)),
        (TemplateChoice::Model, Some(source)) => Ok(Some(source)),
        (TemplateChoice::Model, None) => Err(
            "the model's file has no chat template; choose no template (raw) or ChatML".to_owned(),
        ),
    }
}

fn template_input<'a>(
    messages: &'a [Message],
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
        enable_thinking: None,
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
