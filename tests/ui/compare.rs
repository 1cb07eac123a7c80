//! Compare, driven by its labels: columns that run on a recording, playback, changes, and what goes out.

use eframe::egui::{Event as UiEvent, Key, Memory, Modifiers, Rect};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use stepladder::app::{
    self, Action, ColumnState, CompareAction, Effect, EnginePhase, Model, PlaybackWish, RunPhase,
    Settings, Tab,
};
use stepladder::engine::{Backend as _, Cancel, Command, Event, Recording, ScriptedBackend};
use stepladder::lab::{Culprit, Setting};
use stepladder::sampling::{Knob, Stage};
use stepladder::store::{self, Folders};

use crate::{Window, click, fixture, window};

/// What a column's run comes to.
#[derive(Clone, Copy)]
enum Fate {
    Answers,
    /// Is still writing after this many of its events.
    Writes(usize),
    Fails,
}

/// Compare with these presets, nothing run.
fn with(presets: &[&str]) -> Model {
    let library = store::library(&Folders::at("no such folder"));
    let draft = app::Draft::new(&library);
    let mut model = Model {
        tab: Tab::Compare,
        engine: fixture::ready().engine,
        models: fixture::ready().models,
        ..Model::new(library, draft, Settings::default())
    };
    if let EnginePhase::Ready(info) = &mut model.engine {
        info.chat_template = Some("{{ messages }}".to_owned());
    }
    for column in model.compare.draft.columns.clone() {
        wish(&mut model, CompareAction::Remove(column.id));
    }
    for preset in presets {
        wish(&mut model, CompareAction::Add((*preset).to_owned()));
    }
    model
}

fn wish(model: &mut Model, wish: CompareAction) -> Vec<Effect> {
    app::on_action(model, Action::Compare(wish))
}

/// Runs the columns, each to its fate.
fn run(mut model: Model, recording: Recording, fates: &[Fate]) -> Model {
    let mut backend = ScriptedBackend::new(recording.without_delays(), || ());
    let mut effects = wish(&mut model, CompareAction::Run);
    for fate in fates {
        let runs = effects.iter().find_map(|it| match it {
            Effect::Send(Command::Run { id, request }) => Some((*id, request.clone())),
            _ => None,
        });
        let (id, request) = runs.unwrap();
        if matches!(fate, Fate::Fails) {
            let message = "The prompt has 2,214 tokens, the context has room for 2,048. Load the model with a larger context.".to_owned();
            effects = app::on_event(&mut model, Event::RunFailed { id, message });
            continue;
        }
        let mut events = Vec::new();
        let command = Command::Run { id, request };
        backend.execute(command, &Cancel::default(), &mut |it| events.push(it));
        if let Fate::Writes(n) = fate {
            events.truncate(*n);
        }
        for event in events {
            effects = app::on_event(&mut model, event);
        }
    }
    model
}

/// The n-gram ban beside greedy, as a real model answered them.
fn recorded() -> Recording {
    Recording::parse(include_str!("../data/ngram_fork.jsonl")).unwrap()
}

pub(crate) fn first() -> Model {
    with(&["greedy", "chat"])
}

pub(crate) fn without_model() -> Model {
    Model {
        engine: EnginePhase::NoModel,
        ..first()
    }
}

pub(crate) fn two() -> Model {
    let model = with(&["greedy-ngram3", "greedy"]);
    run(model, recorded(), &[Fate::Answers; 2])
}

/// Playback stands at the first divergence.
pub(crate) fn parted() -> Model {
    let mut model = two();
    let wished = CompareAction::Playback(PlaybackWish::NextDivergence);
    wish(&mut model, wished);
    model
}

const SHOPPING: &str = "{\"items\": [{\"name\": \"oat milk\", \"qty\": 2}, {\"name\": \"rye bread\", \"qty\": 1}], \"note\": null}";

/// Six presets, six replies.
pub(crate) fn six() -> Model {
    let presets = [
        "greedy",
        "chat",
        "greedy-ngram3",
        "greedy-repetition",
        "greedy-grammar",
        "greedy-schema",
    ];
    let long = format!(
        "Of course! Here is the shopping list that you asked for, carefully extracted from your message:\n\n```json\n{SHOPPING}\n```\nLet me know if there is anything else that I can do for you today, such as sorting the list by aisle or adding prices."
    );
    let wrong = SHOPPING.replace("\"qty\": 1", "\"quantity\": \"one loaf of it\"");
    let more = SHOPPING.replace("null", "\"thanks a lot, and please also think of the very ripe avocados if the shop has any left by the time you are there\"");
    let replies = [
        SHOPPING,
        &long,
        &wrong,
        "I am sorry, but I cannot help with that.",
        &more,
        SHOPPING,
    ];
    run(
        with(&presets),
        Recording::from_replies(&replies),
        &[Fate::Answers; 6],
    )
}

pub(crate) fn far_east() -> Model {
    let other = fixture::FAR_EAST
        .replace("녹차 가루 일 킬로그램", "녹차 가루 이 킬로그램")
        .replace("急須", "急須と湯呑み");
    let mut model = with(&["greedy", "chat", "greedy-schema"]);
    "上海光华贸易有限公司订购：녹차 가루 1kg 12봉지, 急須 1点。请将发票寄到北京市朝阳区建国门外大街甲六号。".clone_into(&mut model.compare.draft.text);
    let replies = [fixture::FAR_EAST, &other, fixture::FAR_EAST];
    run(
        model,
        Recording::from_replies(&replies),
        &[Fate::Answers; 3],
    )
}

/// One column done, one failed, one writing, one waiting.
pub(crate) fn running() -> Model {
    let model = with(&["greedy", "chat", "greedy-ngram3", "greedy-schema"]);
    let fates = [Fate::Answers, Fate::Fails, Fate::Writes(14)];
    run(model, Recording::from_replies(&[SHOPPING]), &fates)
}

fn opened(model: Model) -> Window {
    let mut window = window(model, (1440.0, 1000.0));
    window.state_mut().is_live = true;
    window.run_steps(3);
    window
}

#[track_caller]
fn check_shown(window: &Window, text: &str) {
    let found = window.query_all_by_label_contains(text).count();
    assert!(found > 0, "“{text}” is not on the screen");
}

/// The replies as they are shown, from left to right.
fn shown_texts(window: &Window) -> Vec<String> {
    let nodes = window.query_all_by_label("Reply text");
    nodes
        .map(|it| it.accesskit_node().value().unwrap())
        .collect()
}

fn whole_texts(model: &Model) -> Vec<String> {
    let columns = model.compare.draft.columns.iter();
    let texts = columns.filter_map(|it| model.compare.trial(it.id));
    texts.map(|it| it.reply.clone()).collect()
}

#[test]
fn a_stranger_is_told_what_to_do() {
    check_shown(&opened(first()), "Every column answers the same prompt");
    check_shown(&opened(without_model()), "No model is loaded");
    check_shown(&opened(with(&[])), "Add columns");
}

#[test]
fn run_and_its_key_ask_for_all_columns() {
    let mut window = window(first(), (1440.0, 1000.0));
    window.run_steps(2);
    click(&mut window, "Run");
    let expected = Action::Compare(CompareAction::Run);
    assert_eq!(window.state().actions, std::slice::from_ref(&expected));
    window.key_press_modifiers(Modifiers::COMMAND, Key::Enter);
    window.run_steps(2);
    assert_eq!(window.state().actions.last(), Some(&expected));
    assert_eq!(window.state().actions.len(), 2);
}

#[test]
fn two_columns_run_and_the_first_divergence_names_knob_and_stage() {
    let window = opened(two());
    assert_eq!(window.query_all_by_label("done").count(), 2);
    assert_eq!(shown_texts(&window), whole_texts(&window.state().model));
    check_shown(&window, "Divergence 1 of ");
    check_shown(&window, "the n-gram ban took `");
    check_shown(&window, "No-repeat n-gram: 3 in A, 0 in B.");
}

#[test]
fn playback_stops_at_the_first_divergence() {
    let model = two();
    let comparison = model.compare.comparison.clone().unwrap();
    let first = comparison.lock_step.divergences[0].clone();
    let parted = &comparison.partings[0][0];
    assert_eq!(parted.stage(), Some(Stage::NoRepeatNgram));
    assert!(matches!(parted.parting.culprit, Culprit::Stage { .. }));
    let settings: Vec<_> = parted
        .parting
        .settings
        .iter()
        .map(|it| it.setting)
        .collect();
    assert_eq!(settings, [Setting::Knob(Knob::NoRepeatNgramSize)]);
    let mut window = opened(model);
    click(&mut window, "Play back");
    // A step a frame at the most, under a generous bound.
    for _ in 0..4 * comparison.n_steps() {
        window.run_steps(1);
        if !window.state().model.compare.playback.is_playing {
            break;
        }
    }
    let playback = window.state().model.compare.playback;
    assert_eq!(
        (playback.n_steps, playback.is_playing),
        (first.step + 1, false)
    );
    window.run_steps(2);
    let texts = shown_texts(&window);
    let whole = whole_texts(&window.state().model);
    let n_same = texts[0]
        .bytes()
        .zip(texts[1].bytes())
        .take_while(|(a, b)| a == b)
        .count();
    assert!(n_same > 0 && texts[0] != texts[1], "{texts:?}");
    assert!(whole[0].starts_with(&texts[0]) && whole[1].starts_with(&texts[1]));
    assert!(texts[0].len() < whole[0].len() && texts[1].len() < whole[1].len());
}

#[test]
fn playback_is_moved_by_buttons_and_by_keys() {
    let mut window = opened(two());
    let n = |window: &Window| window.state().model.compare.playback.n_steps;
    click(&mut window, "Next divergence");
    let first = n(&window);
    click(&mut window, "One token on");
    assert_eq!(n(&window), first + 1);
    click(&mut window, "One token back");
    click(&mut window, "One token back");
    assert_eq!(n(&window), first - 1);
    // The keys are a field's as long as it has the cursor.
    if let Some(focused) = window.ctx.memory(Memory::focused) {
        window.ctx.memory_mut(|it| it.surrender_focus(focused));
    }
    window.key_press(Key::N);
    window.run_steps(2);
    assert_eq!(n(&window), first);
    window.key_press(Key::ArrowRight);
    window.run_steps(2);
    assert_eq!(n(&window), first + 1);
    window.key_press(Key::Home);
    window.run_steps(2);
    assert_eq!(n(&window), 0);
    window.key_press(Key::End);
    window.run_steps(2);
    assert_eq!(shown_texts(&window), whole_texts(&window.state().model));
}

#[test]
fn a_copy_with_one_knob_changed_is_put_beside_its_column() {
    let mut window = opened(two());
    click(&mut window, "Duplicate B and change one knob");
    click(&mut window, "Setting to change in C: Temperature");
    click(&mut window, "Top-k");
    window.get_by_label("Top-k in C").focus();
    window.run_steps(2);
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    for sign in ["4", "0"] {
        window.event(UiEvent::Text(sign.to_owned()));
        window.run_steps(2);
    }
    window.key_press(Key::Enter);
    window.run_steps(3);
    let columns = &window.state().model.compare.draft.columns;
    let titles: Vec<_> = columns.iter().map(|it| it.preset.title.as_str()).collect();
    assert_eq!(titles[2], "Greedy, Top-k 40");
    assert_eq!(columns[2].preset.knobs.count(Knob::TopK), 40);
    check_shown(&window, "Preset of C: Greedy, Top-k 40");
    check_shown(&window, "not run yet");
    // The replies of the others are still held against each other.
    check_shown(&window, "Divergence 1 of ");
}

#[test]
fn a_text_is_typed_sign_by_sign() {
    let mut window = opened(first());
    window.key_press_modifiers(Modifiers::COMMAND, Key::L);
    window.run_steps(3);
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.run_steps(1);
    for sign in "사과 3개, 牛奶 two".chars() {
        window.event(UiEvent::Text(sign.to_string()));
        window.run_steps(2);
    }
    let model = &window.state().model;
    assert_eq!(model.compare.draft.text, "사과 3개, 牛奶 two");
    assert!(window.state().effects.contains(&Effect::SaveCompareDraft));
    check_shown(&window, "Input: Own input");
}

#[test]
fn the_comparison_is_copied_as_markdown() {
    let mut window = opened(two());
    click(&mut window, "Copy as Markdown");
    let Some(Effect::CopyText(text)) = window.state().effects.last() else {
        panic!("{:?}", window.state().effects)
    };
    assert!(text.starts_with("# Compare: "), "{text}");
    assert!(text.contains("## Divergences"), "{text}");
    assert!(text.contains("n-gram ban took"), "{text}");
}

#[test]
fn the_columns_are_saved_as_a_plan() {
    let mut window = opened(two());
    click(&mut window, "Save as plan");
    let saved = window.state().effects.iter().find_map(|it| match it {
        Effect::SavePlan(plan) => Some(plan.clone()),
        _ => None,
    });
    let plan = saved.unwrap();
    assert!(window.state().model.library.plans.contains(&plan));
    check_shown(&window, "Saved as the plan");
}

#[test]
fn a_column_opens_in_play_with_its_trace() {
    let mut window = opened(two());
    click(&mut window, "Open A in Play");
    let model = &window.state().model;
    assert_eq!(model.tab, Tab::Play);
    assert_eq!(model.draft.preset, "greedy-ngram3");
    let RunPhase::Done { reply, .. } = &model.run else {
        panic!("{:?}", model.run)
    };
    let mut tokens = reply.assembly.tokens.iter();
    assert!(tokens.any(|it| it.token != it.trace.wanted));
    check_shown(&window, "ended by itself");
}

#[test]
fn every_state_of_a_column_is_told_in_words() {
    let window = opened(running());
    for word in ["done", "failed", "running", "waiting"] {
        check_shown(&window, word);
    }
    check_shown(&window, "The prompt has 2,214 tokens");
    let model = &window.state().model;
    let states: Vec<_> = model
        .compare
        .draft
        .columns
        .iter()
        .map(|it| model.column_state(it.id))
        .collect();
    assert_eq!(
        states,
        [
            ColumnState::Done,
            ColumnState::Failed,
            ColumnState::Running,
            ColumnState::Waiting
        ]
    );
}

#[test]
fn a_running_comparison_is_cancelled_from_the_top_and_by_escape() {
    let mut window = opened(running());
    click(&mut window, "Cancel");
    assert_eq!(window.state().actions.last(), Some(&Action::Cancel));
    let mut window = opened(running());
    window.key_press(Key::Escape);
    window.run_steps(2);
    assert_eq!(window.state().actions.last(), Some(&Action::Cancel));
}

#[test]
fn fields_are_told_with_their_difference_in_words() {
    let mut window = window(six(), (1440.0, 1800.0));
    window.run_steps(3);
    check_shown(&window, "A /items/1/qty: 1");
    check_shown(&window, "C /items/1/qty: missing, differs");
    check_shown(&window, "C /items/1/quantity: \"one loaf of it\", differs");
    check_shown(&window, "A /items/0/name: \"oat milk\"");
    click(&mut window, "Fields: Differences");
    let left = window.query_all_by_label_contains("A /items/0/name");
    assert_eq!(left.count(), 0);
}

#[test]
fn ctrl_2_shows_compare() {
    let mut model = first();
    model.tab = Tab::Play;
    let mut window = opened(model);
    window.key_press_modifiers(Modifiers::COMMAND, Key::Num2);
    window.run_steps(3);
    assert_eq!(window.state().model.tab, Tab::Compare);
}

/// The places of the columns' preset pickers.
fn heads(model: Model, size: (f32, f32)) -> Vec<Rect> {
    let mut window = window(model, size);
    window.run_steps(3);
    let nodes = window.query_all_by_label_contains("Preset of ");
    nodes.map(|it| it.rect()).collect()
}

#[test]
fn six_columns_stand_side_by_side_on_a_wide_screen_and_two_on_a_narrow_one() {
    let wide = heads(six(), (1440.0, 900.0));
    assert_eq!(wide.len(), 6);
    assert!(
        wide.iter()
            .all(|it| it.right() <= 1440.0 && it.left() >= 0.0),
        "{wide:?}"
    );
    let narrow = heads(two(), (1000.0, 640.0));
    assert!(narrow.iter().all(|it| it.right() <= 1000.0), "{narrow:?}");
    // Six do not fit: they keep their width and are scrolled.
    let scrolled = heads(six(), (1000.0, 640.0));
    let apart = scrolled[1].left() - scrolled[0].left();
    assert!(apart >= 212.0, "{scrolled:?}");
}

#[test]
fn the_reference_is_chosen_at_the_head_of_a_column() {
    let mut window = window(two(), (1440.0, 900.0));
    window.run_steps(3);
    assert!(window.query_by_label("Hold the others against A").is_none());
    click(&mut window, "Hold the others against B");
    let second = window.state().model.compare.draft.columns[1].id;
    let wish = Action::Compare(CompareAction::MakeReference(second));
    assert_eq!(window.state().actions, [wish]);
}
