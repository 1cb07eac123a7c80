//! Drives the window by its labels, as a screen reader would. Needs no GPU and no model.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod fixture;
mod shots;

use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui::{Key, Modifiers, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use stepladder::app::{
    Action, ConstraintKind, EnginePhase, Model, Notice, NoticeKind, RunPhase, ThemeChoice,
};
use stepladder::constraint::{ConstraintError, WhiteSpace};
use stepladder::prompt::{PromptStyle, TemplateChoice};
use stepladder::sampling::{Knob, Order, Scope};
use stepladder::ui::{self, Part, State};

/// What the harness keeps: the model, the views' state, and all wishes so far.
pub(crate) struct Seen {
    model: Model,
    state: State,
    actions: Vec<Action>,
}

pub(crate) type Window = Harness<'static, Seen>;

pub(crate) fn window(model: Model, (width, height): (f32, f32)) -> Window {
    let seen = Seen {
        model,
        state: State::default(),
        actions: Vec::new(),
    };
    Harness::builder()
        .with_size(vec2(width, height))
        .with_max_steps(20)
        .with_context_setup(|ctx| {
            ui::theme::install(ctx);
            ctx.add_font_provider(Arc::new(
                egui_system_font_provider::SystemFontProvider::new(),
            ));
        })
        .build_ui_state(
            |ui, seen: &mut Seen| {
                let actions = ui::shell_ui(&mut seen.model, &mut seen.state, ui);
                seen.actions.extend(actions);
            },
            seen,
        )
}

fn opened(model: Model) -> Window {
    let mut window = window(model, (1440.0, 1400.0));
    window.run_steps(3);
    window
}

#[track_caller]
fn click(window: &mut Window, label: &str) {
    window.get_by_label(label).click();
    window.run_steps(3);
}

/// Clicks, and checks the one wish that came of it.
#[track_caller]
fn check_click(model: Model, label: &str, wish: &Action) {
    let mut window = opened(model);
    click(&mut window, label);
    assert_eq!(window.state().actions, std::slice::from_ref(wish));
}

#[track_caller]
fn check_shown(model: Model, text: &str) {
    let window = opened(model);
    let found = window.query_all_by_label_contains(text).count();
    assert!(found > 0, "“{text}” is not on the screen");
}

#[track_caller]
fn check_hidden(model: Model, text: &str) {
    let window = opened(model);
    let found = window.query_all_by_label_contains(text).count();
    assert_eq!(found, 0, "“{text}” is on the screen");
}

fn with_constraint(kind: ConstraintKind) -> Model {
    let mut model = fixture::ready();
    model.draft.constraint.kind = kind;
    model
}

fn with_grammar_fault() -> Model {
    let mut model = with_constraint(ConstraintKind::Grammar);
    model.constraint_error = Some(ConstraintError {
        message: "there is no rule “strng”".to_owned(),
        place: Some((3, 12)),
        within: None,
    });
    model
}

fn with_template_failure() -> Model {
    Model {
        preview: fixture::shown(Err("unknown filter".to_owned())),
        ..fixture::ready()
    }
}

// Running

#[test]
fn run_asks_for_a_run() {
    check_click(fixture::ready(), "Run", &Action::Run);
}

#[test]
fn a_running_reply_can_be_cancelled() {
    check_click(fixture::writing("Sure"), "Cancel", &Action::Cancel);
}

#[test]
fn a_load_can_be_cancelled() {
    check_click(fixture::loading(), "Cancel loading", &Action::CancelLoad);
}

#[track_caller]
fn check_key(model: Model, (modifiers, key): (Modifiers, Key), wishes: &[Action]) {
    let mut window = opened(model);
    window.key_press_modifiers(modifiers, key);
    window.run_steps(2);
    assert_eq!(window.state().actions, wishes);
}

const RUN_KEYS: (Modifiers, Key) = (Modifiers::COMMAND, Key::Enter);
const ESCAPE: (Modifiers, Key) = (Modifiers::NONE, Key::Escape);

#[test]
fn ctrl_enter_runs() {
    check_key(fixture::ready(), RUN_KEYS, &[Action::Run]);
}

#[test]
fn ctrl_enter_does_nothing_while_a_reply_comes() {
    check_key(fixture::writing("Sure"), RUN_KEYS, &[]);
}

#[test]
fn ctrl_enter_does_nothing_without_a_model() {
    check_key(fixture::without_model(), RUN_KEYS, &[]);
}

#[test]
fn ctrl_enter_does_nothing_with_a_faulty_constraint() {
    check_key(with_grammar_fault(), RUN_KEYS, &[]);
}

#[test]
fn escape_cancels_the_run() {
    check_key(fixture::writing("Sure"), ESCAPE, &[Action::Cancel]);
}

#[test]
fn escape_cancels_the_load() {
    check_key(fixture::loading(), ESCAPE, &[Action::CancelLoad]);
}

#[test]
fn escape_does_nothing_when_nothing_runs() {
    check_key(fixture::done_valid(), ESCAPE, &[]);
}

#[test]
fn escape_first_closes_the_card_of_a_token() {
    let mut window = opened(fixture::writing("Sure"));
    window.state_mut().state.tokens.pinned = Some(0);
    window.run_steps(2);
    window.key_press(Key::Escape);
    window.run_steps(2);
    assert_eq!(window.state().state.tokens.pinned, None);
    assert_eq!(window.state().actions, []);
}

#[test]
fn a_cards_token_can_be_walked_with_the_keyboard() {
    let mut window = opened(fixture::writing("one two three"));
    window.get_by_label("Reply text").focus();
    window.run_steps(2);
    window.key_press(Key::ArrowRight);
    window.run_steps(2);
    window.key_press(Key::ArrowRight);
    window.run_steps(2);
    assert_eq!(window.state().state.tokens.pinned, Some(1));
    window.get_by_label_contains("token 2 · id");
}

// Knobs

#[track_caller]
fn check_knob(label: &str, value: f64, knob: Knob) {
    let mut window = opened(fixture::ready());
    let sliders = window.query_all_by_label(label);
    let slider = sliders
        .filter(|it| it.accesskit_node().role() != eframe::egui::Role::Label)
        .last();
    slider.unwrap().set_value_accesskit(value);
    window.run_steps(2);
    let got = window.state().model.draft.knobs.get(knob);
    assert!((got - value).abs() < 1e-6, "{label} is {got}");
    assert_eq!(window.state().actions, [Action::DraftEdited]);
}

#[test]
fn every_knob_is_there_by_its_name() {
    let mut window = opened(fixture::ready());
    click(&mut window, "More knobs");
    for knob in Knob::ALL {
        window.get_by_label(&format!("{} value", knob.spec().name));
    }
}

#[test]
fn temperature_can_be_slid() {
    check_knob("Temperature", 1.25, Knob::Temperature);
}

#[test]
fn the_ngram_size_can_be_slid() {
    check_knob("No-repeat n-gram", 3.0, Knob::NoRepeatNgramSize);
}

#[test]
fn the_token_limit_can_be_set() {
    check_knob("Token limit value", 96.0, Knob::MaxTokens);
}

#[test]
fn the_die_picks_another_seed() {
    let mut window = opened(fixture::ready());
    let before = window.state().model.draft.knobs.get(Knob::Seed);
    click(&mut window, "Pick another seed");
    let after = window.state().model.draft.knobs.get(Knob::Seed);
    assert!((after - before).abs() >= 1.0);
}

#[test]
fn a_knob_without_effect_says_so() {
    let mut model = fixture::ready();
    model.draft.knobs.set(Knob::TopP, 0.9).unwrap();
    check_shown(model, "no effect");
}

#[test]
fn knobs_with_effect_are_not_marked() {
    let mut model = fixture::ready();
    model.draft.knobs.set(Knob::Temperature, 0.8).unwrap();
    model.draft.knobs.set(Knob::TopP, 0.9).unwrap();
    check_hidden(model, "no effect");
}

#[test]
fn the_ngram_ban_can_leave_out_the_prompt() {
    let mut model = fixture::ready();
    model.draft.knobs.set(Knob::NoRepeatNgramSize, 3.0).unwrap();
    let mut window = opened(model);
    click(&mut window, "N-gram ban counts: Reply only");
    assert_eq!(window.state().model.draft.knobs.ngram_scope, Scope::Reply);
}

#[test]
fn the_chain_can_have_the_order_of_llama_cpp() {
    let mut window = opened(fixture::ready());
    click(&mut window, "Order: llama.cpp");
    assert_eq!(window.state().model.draft.knobs.order, Order::llama_cpp());
}

#[test]
fn a_preset_can_be_picked() {
    let mut window = opened(fixture::ready());
    click(&mut window, "Preset: Greedy");
    click(&mut window, "Chat settings");
    let wish = Action::PickPreset("chat".to_owned());
    assert_eq!(window.state().actions, [wish]);
}

#[test]
fn a_preset_that_was_moved_on_from_says_so() {
    let mut model = fixture::ready();
    model.draft.knobs.set(Knob::Temperature, 0.3).unwrap();
    check_shown(model, "edited");
}

// Constraint

#[test]
fn the_constraint_can_be_switched_to_a_schema() {
    let mut window = opened(fixture::ready());
    click(&mut window, "Constraint: Schema");
    let seen = window.state();
    assert_eq!(seen.model.draft.constraint.kind, ConstraintKind::Schema);
    assert_eq!(seen.actions, [Action::DraftEdited]);
    window.get_by_label("Schema text");
}

#[test]
fn white_space_can_be_forbidden() {
    let mut window = opened(with_constraint(ConstraintKind::Schema));
    click(&mut window, "White space: None");
    let chosen = window.state().model.draft.constraint.white_space;
    assert_eq!(chosen, WhiteSpace::None);
}

#[test]
fn a_shipped_grammar_can_be_picked() {
    let mut window = opened(with_constraint(ConstraintKind::Grammar));
    click(&mut window, "Shipped grammars: JSON");
    click(&mut window, "Yes or no");
    let wish = Action::PickGrammar("Yes or no".to_owned());
    assert_eq!(window.state().actions, [wish]);
}

#[test]
fn a_grammar_can_be_typed() {
    let mut window = opened(with_constraint(ConstraintKind::Grammar));
    window.get_by_label("Grammar text").focus();
    window.run_steps(2);
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window
        .get_by_label("Grammar text")
        .type_text("root ::= \"x\"");
    window.run_steps(2);
    let text = &window.state().model.draft.constraint.grammar;
    assert_eq!(text, "root ::= \"x\"");
}

#[test]
fn a_grammars_fault_is_shown_with_its_place() {
    check_shown(
        with_grammar_fault(),
        "line 3, column 12: there is no rule “strng”",
    );
}

#[test]
fn the_large_editor_opens_and_takes_the_text_with_it() {
    let mut window = opened(with_constraint(ConstraintKind::Grammar));
    click(&mut window, "Edit in a large window");
    assert!(window.state().state.play.is_open(Part::LargeEditor));
    assert_eq!(window.query_all_by_label("Grammar text").count(), 1);
}

// Prompt

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
    check_shown(with_template_failure(), "unknown filter");
}

#[test]
fn chatml_is_offered_when_the_template_fails() {
    let mut window = opened(with_template_failure());
    click(&mut window, "Use ChatML instead");
    let template = window.state().model.draft.prompt.template;
    assert_eq!(template, TemplateChoice::ChatMl);
}

// Model

#[test]
fn a_found_model_can_be_loaded() {
    let mut window = opened(fixture::without_model());
    click(&mut window, "Model: Choose a model");
    click(&mut window, "Gemma 3 270M, Q4_K_M · 253 MB");
    let path = PathBuf::from("/models/gemma-3-270m.Q4_K_M.gguf");
    assert_eq!(window.state().actions, [Action::LoadModel(path)]);
}

#[test]
fn a_typed_path_can_be_loaded() {
    let mut window = opened(fixture::without_model());
    click(&mut window, "Model: Choose a model");
    window.get_by_label("Path of a GGUF file").focus();
    window.run_steps(2);
    window
        .get_by_label("Path of a GGUF file")
        .type_text("/x/y.gguf");
    window.run_steps(2);
    click(&mut window, "Load the typed path");
    let path = PathBuf::from("/x/y.gguf");
    assert_eq!(window.state().actions, [Action::LoadModel(path)]);
}

#[test]
fn the_file_dialog_can_be_asked_for() {
    let mut window = opened(fixture::without_model());
    click(&mut window, "Model: Choose a model");
    click(&mut window, "Open a GGUF file…");
    assert_eq!(window.state().actions, [Action::BrowseForModel]);
}

#[test]
fn a_failed_load_is_shown_with_its_reason() {
    let model = Model {
        engine: EnginePhase::Failed {
            path: PathBuf::from("/models/cut.gguf"),
            message: "the file ends in the middle of a tensor".to_owned(),
        },
        ..fixture::without_model()
    };
    check_shown(model, "the file ends in the middle of a tensor");
}

#[test]
fn a_lost_engine_is_shown_with_its_reason() {
    let model = Model {
        engine: EnginePhase::Restarting {
            reason: "segmentation fault".to_owned(),
            info: None,
        },
        ..fixture::without_model()
    };
    check_shown(model, "segmentation fault");
}

#[test]
fn a_notice_can_be_dismissed() {
    let mut model = fixture::ready();
    model.notices.push(Notice {
        kind: NoticeKind::Warning,
        text: "The draft was set aside.".to_owned(),
    });
    check_click(model, "Dismiss", &Action::DismissNotice(0));
}

#[test]
fn the_theme_can_be_switched() {
    let wish = Action::SetTheme(ThemeChoice::Light);
    check_click(fixture::ready(), "Switch to the light theme", &wish);
}

// Reply and verdict

#[test]
fn the_reply_is_read_out() {
    let window = opened(fixture::writing("{\"a\": 1}"));
    let reply = window.get_by_label("Reply text");
    assert_eq!(reply.accesskit_node().value().unwrap(), "{\"a\": 1}");
}

#[test]
fn the_prompts_evaluation_is_shown_while_no_token_has_come() {
    check_shown(fixture::reading_the_prompt(), "128 of 214 tokens");
}

#[test]
fn a_failed_run_says_why() {
    let model = Model {
        run: RunPhase::Failed {
            message: "The prompt is too long.".to_owned(),
        },
        ..fixture::ready()
    };
    check_shown(model, "The prompt is too long.");
}

#[test]
fn a_second_try_is_marked() {
    let mut reply = fixture::reply("Sure", None);
    reply.assembly.attempt = 2;
    check_shown(
        fixture::running(reply),
        "second try after the engine was lost",
    );
}

#[test]
fn a_first_try_is_not_marked() {
    check_hidden(fixture::writing("Sure"), "second try");
}

#[test]
fn lit_lamps_are_read_out() {
    let window = opened(fixture::done_valid());
    for label in [
        "Parses: yes",
        "Schema: valid",
        "Correct: yes",
        "Leak-free: yes",
    ] {
        window.get_by_label(label);
    }
}

#[test]
fn dark_lamps_are_read_out() {
    let window = opened(fixture::done_repaired());
    for label in [
        "Parses: yes",
        "Schema: invalid",
        "Correct: no",
        "Leak-free: leaks",
    ] {
        window.get_by_label(label);
    }
}

#[test]
fn lamps_without_a_judge_are_not_lit() {
    let window = opened(fixture::far_east());
    for label in ["Parses: yes", "Schema: not judged", "Correct: not judged"] {
        window.get_by_label(label);
    }
}

#[test]
fn the_rung_that_held_is_named() {
    check_shown(fixture::done_repaired(), "Rung 4, Repair: held");
}

#[test]
fn a_rung_that_gave_way_has_the_parsers_message() {
    let text = "Rung 2, Strip the fences: gave way, 2:3 key must be a string";
    check_shown(fixture::done_repaired(), text);
}

#[test]
fn rungs_above_are_not_needed() {
    check_shown(fixture::done_valid(), "Rung 4, Repair: not needed");
}

#[test]
fn a_dark_lamp_has_its_cause() {
    check_shown(fixture::done_repaired(), "the n-gram ban took “qty” away");
}

#[test]
fn the_value_folds() {
    let mut window = opened(fixture::done_valid());
    click(&mut window, "items: [ ]");
    window.get_by_label("items: [ 3 items ]");
}

#[test]
fn the_colours_can_be_switched_off() {
    let mut window = opened(fixture::done_valid());
    click(&mut window, "Colour by: Plain");
    assert_eq!(window.state().state.tokens.mode, ui::ColourMode::Plain);
}

#[test]
fn the_folded_prompt_leaves_the_reply_in_sight() {
    let mut window = window(fixture::done_valid(), (1000.0, 640.0));
    window.run_steps(3);
    click(&mut window, "Fold the prompt");
    window.get_by_label("Reply text");
    assert!(window.query_by_label("Instruction").is_none());
}
