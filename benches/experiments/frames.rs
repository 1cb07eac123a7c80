//! What frames cost: of Bench with 10,000 trials at rest, scrolled, and while a plan adds replies to them; of Compare
//! with six columns at rest and while one is written.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use eframe::egui::{
    Event as UiEvent, Modifiers, MouseWheelSource, MouseWheelUnit, TouchPhase, Vec2, pos2, vec2,
};
use egui_kittest::Harness;
use egui_system_font_provider::SystemFontProvider;
use stepladder::app::{
    self, Action, BenchAction, BenchNews, CellChoice, Draft, Model, Pace, Running, RunsNews,
    Second, Settings, Shown, Tab,
};
use stepladder::engine::Event;
use stepladder::store::{self, Folders};
use stepladder::ui::{self, State};

const N_FRAMES: usize = 600;
const SIZE: Vec2 = vec2(1440.0, 900.0);
/// A frame may take so long, `logic` and `ui` together.
const LIMIT: Duration = Duration::from_millis(8);

/// What a frame takes in and draws, and how long each one took.
struct Seen {
    model: Model,
    state: State,
    /// News that the next frame takes in.
    news: Vec<BenchNews>,
    /// Events of the engine that the next frame takes in.
    events: Vec<Event>,
    took: Vec<Duration>,
}

/// Prints medians and 99th percentiles.
pub(crate) fn bench(shown: Shown, other: &Shown) {
    let folder = shown.folder.clone();
    let spare = shown.trials[0].clone();
    let mut harness = harness(with_results(shown, other));
    let rest = frames(&mut harness, |_, _| {});
    print("Bench at rest", &rest);
    let painted_rest = painted(&mut harness, |_, _| {});
    let scrolled = frames(&mut harness, |harness, n| {
        let place = if n % 2 == 0 { 1300.0 } else { 700.0 };
        harness.event(UiEvent::PointerMoved(pos2(place, 700.0)));
        harness.event(UiEvent::MouseWheel {
            unit: MouseWheelUnit::Point,
            delta: vec2(0.0, if n % 80 < 60 { -180.0 } else { 700.0 }),
            phase: TouchPhase::Move,
            source: MouseWheelSource::Wheel,
            modifiers: Modifiers::NONE,
        });
    });
    print("Bench scrolled", &scrolled);
    running(harness.state_mut(), folder);
    let goes_on = |harness: &mut Harness<'static, Seen>, n: usize| {
        let news = &mut harness.state_mut().news;
        if n.is_multiple_of(10) {
            news.push(BenchNews::Trial(Box::new((*spare).clone())));
        }
        news.push(BenchNews::Progress {
            n_done: n,
            n_todo: 20_000,
            text: format!("{n} tokens written"),
            seconds_left: Some(600.0),
            seconds: 88.0,
        });
    };
    let run = frames(&mut harness, goes_on);
    print("Bench while a plan runs, a reply every tenth frame", &run);
    ratio(&run, &rest);
    let painted_run = painted(&mut harness, goes_on);
    println!(
        "painted as well, by whatever paints here: {:.1} ms at rest, {:.1} ms while a plan runs, {:.2} times",
        1e3 * painted_rest.as_secs_f64(),
        1e3 * painted_run.as_secs_f64(),
        painted_run.as_secs_f64() / painted_rest.as_secs_f64()
    );
}

/// Prints the same of six columns; the last one takes in these events.
pub(crate) fn compare((model, events): (Model, Vec<Event>)) {
    let mut harness = harness(model);
    let rest = frames(&mut harness, |_, _| {});
    print("Compare at rest, five columns answered", &rest);
    let share = events.len().div_ceil(N_FRAMES);
    let run = frames(&mut harness, |harness, n| {
        let next = events.iter().skip(n * share).take(share);
        harness.state_mut().events.extend(next.cloned());
    });
    print("Compare while the sixth column is written", &run);
    ratio(&run, &rest);
}

fn ratio(run: &Times, rest: &Times) {
    let middle = |it: &Times| quantile(&it.1, 50).as_secs_f64();
    println!(
        "a running frame takes {:.2} times one at rest, tessellation included, painting not",
        middle(run) / middle(rest)
    );
}

fn with_results(mut shown: Shown, other: &Shown) -> Model {
    let library = store::library(&Folders::at("no such folder"));
    let draft = Draft::new(&library);
    let second = Second::new(
        (other.folder.clone(), "Another run".to_owned()),
        other.trials.clone(),
        (&shown.folder, &shown.trials),
    );
    shown.measure = stepladder::lab::Measure::Schema;
    let label = shown.parts[0].results.rows[0].label.clone();
    let mut model = Model {
        tab: Tab::Bench,
        ..Model::new(library, draft, Settings::default())
    };
    app::on_bench_news(&mut model, 0, BenchNews::Opened(Box::new(shown)));
    app::on_runs_news(&mut model, RunsNews::Second(Box::new(second)));
    let choice = CellChoice {
        part: 0,
        label,
        task: None,
    };
    app::on_action(&mut model, Action::Bench(BenchAction::PickCell(choice)));
    model
}

fn harness(model: Model) -> Harness<'static, Seen> {
    let seen = Seen {
        model,
        state: State::default(),
        news: Vec::new(),
        events: Vec::new(),
        took: Vec::new(),
    };
    Harness::builder()
        .with_size(SIZE)
        .with_context_setup(|ctx| {
            ui::theme::install(ctx);
            ctx.add_font_provider(Arc::new(SystemFontProvider::new()));
        })
        .build_ui_state(
            |ui, seen: &mut Seen| {
                let begun = Instant::now();
                for news in std::mem::take(&mut seen.news) {
                    let effects = app::on_bench_news(&mut seen.model, 7, news);
                    // The window counts on another thread; here nothing is carried out.
                    drop(effects);
                }
                for event in std::mem::take(&mut seen.events) {
                    drop(app::on_event(&mut seen.model, event));
                }
                let actions = ui::shell_ui(&mut seen.model, &mut seen.state, ui);
                drop(actions);
                seen.took.push(begun.elapsed());
            },
            seen,
        )
}

fn running(seen: &mut Seen, folder: PathBuf) {
    seen.model.bench.running = Some(Running {
        id: 7,
        folder,
        n_done: 0,
        n_todo: 20_000,
        text: String::new(),
        seconds_left: None,
        seconds: 0.0,
        pace: Pace::default(),
        restarter: None,
        model: PathBuf::new(),
    });
}

/// Times of `logic` and `ui`, and of whole steps.
type Times = (Vec<Duration>, Vec<Duration>);

fn frames(
    harness: &mut Harness<'static, Seen>,
    before: impl Fn(&mut Harness<'static, Seen>, usize),
) -> Times {
    harness.run_steps(5);
    harness.state_mut().took.clear();
    let mut whole = Vec::new();
    for n in 0..N_FRAMES {
        before(harness, n);
        let begun = Instant::now();
        harness.step();
        whole.push(begun.elapsed());
    }
    (std::mem::take(&mut harness.state_mut().took), whole)
}

/// The median of a few steps with their pictures.
fn painted(
    harness: &mut Harness<'static, Seen>,
    before: impl Fn(&mut Harness<'static, Seen>, usize),
) -> Duration {
    const N_PAINTED: usize = 30;
    let took: Vec<Duration> = (0..N_PAINTED)
        .map(|n| {
            before(harness, n);
            let begun = Instant::now();
            harness.step();
            drop(harness.render());
            begun.elapsed()
        })
        .collect();
    quantile(&took, 50)
}

fn print(what: &str, (took, whole): &Times) {
    let ms = |it: Duration| 1e3 * it.as_secs_f64();
    let p99 = quantile(took, 99);
    println!(
        "{what}: {:.2} ms in the median, {:.2} ms at the 99th percentile ({:.2} of the {:.0} ms); whole steps {:.2} and {:.2} ms",
        ms(quantile(took, 50)),
        ms(p99),
        p99.as_secs_f64() / LIMIT.as_secs_f64(),
        ms(LIMIT),
        ms(quantile(whole, 50)),
        ms(quantile(whole, 99)),
    );
}

fn quantile(took: &[Duration], percent: usize) -> Duration {
    let mut sorted = took.to_vec();
    sorted.sort_unstable();
    let at = sorted.len() * percent / 100;
    sorted.get(at).copied().unwrap_or_default()
}
