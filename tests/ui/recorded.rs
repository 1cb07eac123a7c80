//! A run recorded from a real model, and its fork: the whole way from hovering a token to two branches.

use std::path::Path;

use eframe::egui::{Event as UiEvent, Key, Modifiers, PointerButton, Theme, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use stepladder::app::{self, Action, Draft, Effect, EnginePhase, Model, RunPhase, Settings};
use stepladder::engine::{Backend as _, Cancel, Command, Recording, ScriptedBackend};
use stepladder::sampling::{Knob, Stage};
use stepladder::store::{self, Folders};
use stepladder::ui::{self, ColourMode, State};

use crate::builder;

/// The window's model, its views, and the recording in the engine's place.
pub(crate) struct Played {
    pub(crate) model: Model,
    pub(crate) state: State,
    backend: ScriptedBackend,
}

pub(crate) type PlayedWindow = Harness<'static, Played>;

impl Played {
    /// With the recorded model loaded and the recorded preset picked.
    pub(crate) fn new() -> Self {
        let text = include_str!("../data/ngram_fork.jsonl");
        let recording = Recording::parse(text).unwrap().without_delays();
        let library = store::library(&Folders::at("no such folder"));
        let draft = Draft::new(&library);
        let mut played = Self {
            model: Model::new(library, draft, Settings::default()),
            state: State::default(),
            backend: ScriptedBackend::new(recording, || ()),
        };
        played.act(Action::LoadModel("SmolLM2-135M-Instruct.Q4_1.gguf".into()));
        assert!(matches!(played.model.engine, EnginePhase::Ready(_)));
        played.act(Action::PickPreset("greedy-ngram3".to_owned()));
        played
    }

    /// Carries a wish out to its end, as the window's shell does.
    pub(crate) fn act(&mut self, action: Action) {
        let effects = app::on_action(&mut self.model, action);
        self.perform(effects);
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            let Effect::Send(command) = effect else {
                continue;
            };
            for event in self.tell(command) {
                let effects = app::on_event(&mut self.model, event);
                self.perform(effects);
            }
        }
    }

    fn tell(&mut self, command: Command) -> Vec<stepladder::engine::Event> {
        let mut events = Vec::new();
        let cancel = Cancel::default();
        self.backend
            .execute(command, &cancel, &mut |it| events.push(it));
        events
    }

    /// The first token at which another one came than the model wanted.
    fn first_changed(&self) -> usize {
        let tokens = &self.model.reply().unwrap().assembly.tokens;
        let changed = |it: &stepladder::engine::TokenEvent| it.token != it.trace.wanted;
        tokens.iter().position(changed).unwrap()
    }

    fn branch_text(&self) -> String {
        let branch = self.model.branch.as_ref().unwrap();
        let tokens = &branch.run.reply().unwrap().assembly.tokens;
        tokens.iter().map(|it| it.text.as_str()).collect()
    }
}

/// A window of this size over the recorded reply.
pub(crate) fn played(mut played: Played, size: (f32, f32)) -> PlayedWindow {
    played.act(Action::Run);
    builder(size).build_ui_state(
        |ui, played: &mut Played| {
            for action in ui::shell_ui(&mut played.model, &mut played.state, ui) {
                played.act(action);
            }
        },
        played,
    )
}

/// Large, with the first changed token pinned.
fn pinned() -> PlayedWindow {
    let mut window = played(Played::new(), (1440.0, 1200.0));
    window.run_steps(2);
    let at = window.state().first_changed();
    window.state_mut().state.tokens.pin(at);
    window.run_steps(3);
    window
}

#[track_caller]
fn click(window: &mut PlayedWindow, label: &str) {
    window.get_by_label(label).click();
    window.run_steps(4);
}

#[track_caller]
fn check_shown(window: &PlayedWindow, text: &str) {
    let found = window.query_all_by_label_contains(text).count();
    assert!(found > 0, "“{text}” is not on the screen");
}

#[test]
fn the_inspector_blames_the_ban_and_names_the_place() {
    let window = pinned();
    check_shown(&window, "Why this token?");
    check_shown(&window, "The n-gram ban took `");
    check_shown(&window, "stands in the prompt already");
}

#[test]
fn the_earlier_occurrence_is_marked_in_the_rendered_prompt() {
    let mut window = pinned();
    click(&mut window, "Show it in the prompt");
    let tokens = window.state().state.play.pointed.clone().unwrap();
    assert_eq!(tokens.len(), 3);
    check_shown(&window, "Pointed at: ");
}

#[test]
fn next_goes_to_the_next_token_that_the_ban_changed() {
    let mut window = pinned();
    let first = window.state().first_changed();
    click(&mut window, "Next token changed by the n-gram ban");
    let second = window.state().state.tokens.pinned.unwrap();
    assert!(second > first);
    click(&mut window, "Previous token changed by the n-gram ban");
    assert_eq!(window.state().state.tokens.pinned, Some(first));
}

#[test]
fn closing_the_inspector_brings_the_verdict_back() {
    let mut window = pinned();
    click(&mut window, "Close the inspector");
    check_shown(&window, "Verdict");
    assert_eq!(window.state().state.tokens.pinned, None);
}

#[test]
fn escape_closes_the_inspector() {
    let mut window = pinned();
    window.key_press(Key::Escape);
    window.run_steps(3);
    check_shown(&window, "Verdict");
}

#[test]
fn a_fork_without_the_ban_stands_beside_the_reply_with_its_verdict() {
    let mut window = pinned();
    let at = window.state().first_changed();
    click(&mut window, "Go on from here");
    check_shown(&window, "No-repeat n-gram 3 → 0");
    check_shown(&window, "As it was");
    let played = window.state();
    let branch = played.model.branch.as_ref().unwrap();
    assert_eq!(branch.n_shared, at);
    let RunPhase::Done { trial, .. } = &branch.run else {
        panic!("{:?}", branch.run)
    };
    assert!(trial.lamps.parses, "{}", trial.reply);
    assert_eq!(played.state.tokens.parting, Some(at));
    check_shown(&window, "Make current");
}

#[test]
fn the_other_branch_can_be_made_current_and_closed() {
    let mut window = pinned();
    click(&mut window, "Go on from here");
    let forked = window.state().branch_text();
    click(&mut window, "Make current");
    let tokens = &window.state().model.reply().unwrap().assembly.tokens;
    let shown: String = tokens.iter().map(|it| it.text.as_str()).collect();
    assert_eq!(shown, forked);
    click(&mut window, "Close this branch");
    assert!(window.state().model.branch.is_none());
}

#[test]
fn hovering_a_token_shows_what_could_have_come() {
    let mut window = played(Played::new(), (1440.0, 1200.0));
    window.run_steps(3);
    let text = window.get_by_label("Reply text").rect();
    window.hover_at(text.left_top() + vec2(6.0, 10.0));
    window.run_steps(8);
    check_shown(&window, "token 1 · id");
}

#[test]
fn clicking_a_token_pins_the_inspector() {
    let mut window = played(Played::new(), (1440.0, 1200.0));
    window.run_steps(3);
    let place = window.get_by_label("Reply text").rect().left_top() + vec2(6.0, 10.0);
    for pressed in [true, false] {
        window.hover_at(place);
        window.event(UiEvent::PointerButton {
            pos: place,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        });
        window.run_steps(2);
    }
    assert_eq!(window.state().state.tokens.pinned, Some(0));
    check_shown(&window, "Why this token?");
}

#[test]
fn brushing_the_track_selects_tokens_and_sums_them_up() {
    let mut window = played(Played::new(), (1440.0, 1200.0));
    window.run_steps(3);
    let track = window.get_by_label("Track of the reply").rect();
    let at = |share: f32| track.left_center() + vec2(track.width() * share, 0.0);
    window.drag_at(at(0.1));
    window.run_steps(2);
    window.hover_at(at(0.4));
    window.run_steps(2);
    window.drop_at(at(0.4));
    window.run_steps(3);
    check_shown(&window, "sure on average");
    click(&mut window, "Clear the selection");
    assert_eq!(
        window
            .query_all_by_label_contains("sure on average")
            .count(),
        0
    );
}

/// Pictures for looking at, written to the folder that `SHOTS` names, if it is set.
#[test]
fn pictures_of_the_recorded_run() {
    let Ok(folder) = std::env::var("SHOTS") else {
        return;
    };
    for (size, theme) in [
        ((1440.0, 900.0), Theme::Dark),
        ((1440.0, 900.0), Theme::Light),
        ((1000.0, 640.0), Theme::Dark),
        ((1000.0, 640.0), Theme::Light),
    ] {
        let mut window = played(Played::new(), size);
        window.ctx.set_theme(theme);
        window.set_render_cursor(false);
        window.state_mut().state.tokens.mode = ColourMode::Chain;
        window.run_steps(3);
        let save = |window: &mut PlayedWindow, name: &str| {
            let word = format!("{theme:?}").to_lowercase();
            let file = format!("rec-{name}-{word}-{}.png", size.0);
            window
                .render()
                .unwrap()
                .save(Path::new(&folder).join(file))
                .unwrap();
        };
        save(&mut window, "chain");
        window
            .state_mut()
            .state
            .play
            .set_open(ui::Part::Forecast, true);
        window
            .state_mut()
            .state
            .play
            .set_open(ui::Part::ChainOrder, true);
        window.state_mut().state.play.set_open(ui::Part::Lint, true);
        window.run_steps(3);
        save(&mut window, "forecast");
        window
            .state_mut()
            .state
            .play
            .set_open(ui::Part::Forecast, false);
        window
            .state_mut()
            .state
            .play
            .set_open(ui::Part::Lint, false);
        let at = window.state().first_changed();
        window.state_mut().state.tokens.pin(at);
        window.run_steps(4);
        save(&mut window, "inspector");
        click(&mut window, "Show it in the prompt");
        save(&mut window, "pointed");
        window.get_by_label("Go on from here").scroll_to_me();
        window.run_steps(3);
        save(&mut window, "fork");
        click(&mut window, "Go on from here");
        window.run_steps(3);
        save(&mut window, "branches");
    }
}

/// With the recorded model and preset, and nothing run.
fn unplayed() -> PlayedWindow {
    let mut window = played(Played::new(), (1440.0, 1400.0));
    window.state_mut().model.run = RunPhase::Idle;
    window.run_steps(3);
    window
}

fn count(window: &PlayedWindow, knob: Knob) -> usize {
    window.state().model.draft.knobs.count(knob)
}

#[test]
fn the_forecast_stands_before_any_run_and_leads_into_the_prompt() {
    let mut window = unplayed();
    check_shown(&window, "Forecast: with size 3, ");
    click(&mut window, "Which tokens");
    let rows = window.query_all_by_label_contains(" behind `");
    let row = rows.into_iter().next().unwrap();
    row.click();
    window.run_steps(4);
    check_shown(&window, "Pointed at: ");
}

#[test]
fn the_forecast_agrees_with_what_the_ban_did() {
    let window = played(Played::new(), (1440.0, 900.0));
    let model = &window.state().model;
    let forecast = model.preview.forecast.as_ref().unwrap();
    let first = &model.reply().unwrap().assembly.tokens[0];
    assert_eq!(forecast.banned[0].position, 0);
    assert_eq!(forecast.banned[0].token, first.trace.wanted);
}

#[test]
fn one_click_makes_the_settings_fit_for_json() {
    let mut window = unplayed();
    check_shown(&window, "likely to break JSON");
    click(&mut window, "Make fit for JSON");
    assert_eq!(count(&window, Knob::NoRepeatNgramSize), 0);
    let kind = window.state().model.draft.constraint.kind;
    assert_eq!(kind, app::ConstraintKind::Schema);
}

#[test]
fn a_changed_knob_says_so_and_goes_back_with_one_click() {
    let mut window = unplayed();
    let knobs = &mut window.state_mut().model.draft.knobs;
    knobs.set(Knob::NoRepeatNgramSize, 5.0).unwrap();
    window.run_steps(3);
    click(&mut window, "No-repeat n-gram: Changed by you; back to 3");
    assert_eq!(count(&window, Knob::NoRepeatNgramSize), 3);
    check_shown(&window, "No-repeat n-gram: From the preset");
}

#[test]
fn each_knob_says_after_a_run_what_it_did() {
    let mut window = played(Played::new(), (1440.0, 1400.0));
    window.run_steps(3);
    check_shown(&window, "No effect at ");
}

#[test]
fn a_stage_is_moved_by_the_keyboard() {
    let mut window = unplayed();
    click(&mut window, "Move the stages");
    let place = |window: &PlayedWindow| {
        let order = window.state().model.draft.knobs.order.stages().to_vec();
        order
            .iter()
            .position(|it| *it == Stage::Temperature)
            .unwrap()
    };
    let before = place(&window);
    let label = format!("Stage {} of ", before + 1);
    window.get_by_label_contains(&label).focus();
    window.run_steps(2);
    window.key_press(Key::ArrowUp);
    window.run_steps(3);
    assert_eq!(place(&window), before - 1);
}

#[test]
fn a_bias_and_a_ban_can_be_added() {
    let mut window = played(Played::new(), (1440.0, 3000.0));
    window.run_steps(3);
    click(&mut window, "More knobs");
    click(&mut window, "Token ban");
    click(&mut window, "ascii digit");
    assert_eq!(window.state().model.draft.knobs.token_ban.len(), 1);
    click(&mut window, "Logit bias");
    let field = "A token's text, or # and its id";
    window.get_by_label(field).focus();
    window.run_steps(2);
    window.get_by_label(field).type_text("#17");
    window.run_steps(3);
    click(&mut window, "Add a bias");
    let biases = &window.state().model.draft.knobs.logit_bias;
    assert_eq!(biases.len(), 1);
}
