//! The prompt: task, style, texts, examples, and how it is rendered.

use eframe::egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use stepladder::app::{Action, EnginePhase, Kept, Model, Place};
use stepladder::prompt::{self, PromptStyle, TemplateInput, Thinking};

use crate::{check_click, check_hidden, check_shown, click, fixture, opened};

fn with_template_failure() -> Model {
    let error = prompt::render("{{ messages | no_filter }}", &TemplateInput::default());
    let error = error.unwrap_err();
    Model {
        preview: fixture::shown(Err(error.to_string())),
        ..fixture::ready()
    }
}

#[test]
fn chinese_and_korean_can_be_typed() {
    let mut window = opened(fixture::ready());
    window.get_by_label("Input").focus();
    window.run_steps(2);
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.get_by_label("Input").type_text("你好, 안녕하세요");
    window.run_steps(2);
    let draft = &window.state().model.draft;
    assert_eq!(draft.prompt.input, "你好, 안녕하세요");
    assert_eq!(draft.input, None);
}

#[test]
fn a_task_can_be_picked() {
    let mut window = opened(fixture::ready());
    click(&mut window, "Task: Shopping list");
    click(&mut window, "Contact");
    let wish = Action::PickTask("contact".to_owned());
    assert_eq!(window.state().actions, [wish]);
}

#[test]
fn an_input_can_be_picked() {
    let mut window = opened(fixture::ready());
    click(&mut window, "Input: Input 1 of 2");
    click(&mut window, "2  달걀 열두 개 주세요.");
    assert_eq!(window.state().actions, [Action::PickInput(1)]);
}

#[test]
fn the_style_can_be_changed() {
    let mut window = opened(fixture::ready());
    click(&mut window, "Style: Plain");
    let style = window.state().model.draft.prompt.style;
    assert_eq!(style, PromptStyle::Plain);
}

#[test]
fn an_example_can_be_switched_on() {
    let mut window = opened(fixture::ready());
    click(&mut window, "Use example 2");
    assert!(window.state().model.draft.prompt.examples[1].on);
    assert_eq!(window.state().actions, [Action::DraftEdited]);
}

#[test]
fn an_example_can_be_edited() {
    let mut window = opened(fixture::ready());
    click(&mut window, "Edit example 2");
    window.get_by_label("Input of the example").focus();
    window.run_steps(2);
    window.get_by_label("Input of the example").type_text("x");
    window.run_steps(2);
    let input = &window.state().model.draft.prompt.examples[1].input;
    assert!(input.contains('x'));
}

#[test]
fn an_example_can_be_added() {
    check_click(fixture::ready(), "Add an example", &Action::AddExample);
}

#[test]
fn an_example_can_be_removed() {
    check_click(
        fixture::ready(),
        "Remove example 2",
        &Action::RemoveExample(1),
    );
}

#[test]
fn the_prompts_tokens_are_counted() {
    check_shown(fixture::ready(), "214 tokens");
}

#[test]
fn the_rendered_prompt_unfolds() {
    let mut window = opened(fixture::ready());
    click(&mut window, "Rendered prompt");
    let found = window
        .query_all_by_label_contains("<|im_start|>system")
        .count();
    assert_eq!(found, 1);
}

#[test]
fn a_template_that_fails_is_shown() {
    check_shown(
        with_template_failure(),
        "unknown filter: filter no_filter is unknown",
    );
}

#[test]
fn chatml_is_offered_when_the_template_fails() {
    check_click(
        with_template_failure(),
        "Use ChatML instead",
        &Action::UseChatMl,
    );
}

#[test]
fn chatml_is_not_offered_for_a_fault_that_it_would_not_mend() {
    let model = Model {
        preview: fixture::shown(Err("the prompt is empty".to_owned())),
        ..fixture::ready()
    };
    check_hidden(model, "Use ChatML instead");
}

#[test]
fn a_warning_about_the_prompt_is_in_sight() {
    let mut model = fixture::ready();
    let Some(Ok(view)) = &mut model.preview.shown else {
        panic!("{:?}", model.preview);
    };
    view.warnings.push("double begin token".to_owned());
    check_shown(model, "Double begin token.");
}

// Texts that something else took the place of

fn with_kept() -> Model {
    let mut model = fixture::ready();
    model.draft.kept = vec![Kept {
        place: Place::Input,
        text: "six eggs, 牛奶两盒".to_owned(),
    }];
    model
}

#[test]
fn an_earlier_input_can_be_had_back() {
    let mut window = opened(with_kept());
    click(&mut window, "Earlier inputs: Your earlier");
    click(&mut window, "six eggs, 牛奶两盒");
    assert_eq!(window.state().actions, [Action::RestoreKept(0)]);
}

#[test]
fn without_earlier_texts_there_is_no_menu_for_them() {
    check_hidden(fixture::ready(), "Earlier inputs");
}

// Thinking

#[test]
fn thinking_can_be_switched_where_the_template_has_a_switch() {
    let mut model = fixture::ready();
    let EnginePhase::Ready(info) = &mut model.engine else {
        panic!("not ready")
    };
    info.chat_template = Some("{% if enable_thinking %}<think>{% endif %}".to_owned());
    let mut window = opened(model);
    click(&mut window, "Thinking: Off");
    assert_eq!(window.state().model.draft.prompt.thinking, Thinking::Off);
}

#[test]
fn without_a_switch_for_thinking_none_is_shown() {
    check_hidden(fixture::ready(), "Thinking");
}
