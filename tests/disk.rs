//! A disk that fails, and more than one window on it: the window lives, says what happened, and loses nothing.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use eframe::egui::vec2;
use egui_kittest::Harness;
use egui_system_font_provider::SystemFontProvider;
use stepladder::app::{Action, GrammarsAction, NoticeKind, RunPhase, ThemeChoice};
use stepladder::engine::{Recording, Source};
use stepladder::lab::Trial;
use stepladder::store::{Folders, WindowNumber, read_trials};
use stepladder::ui::{Opening, Window};

const RIGHT: &str = r#"{"items": [{"name": "apples", "qty": 2}, {"name": "bananas", "qty": 3}]}"#;

type Opened = Harness<'static, Window>;

/// A window over a data folder that plays a recording.
fn open(data: &Path) -> Opened {
    let opening = Opening {
        folders: Folders::at(data),
        source: Source::Scripted(Recording::from_replies(&[RIGHT]).without_delays()),
        model: Some("recording".into()),
        preset: None,
    };
    let mut window = Harness::builder()
        .with_size(vec2(1440.0, 900.0))
        .with_max_steps(40)
        .with_context_setup(|ctx| ctx.add_font_provider(Arc::new(SystemFontProvider::new())))
        .build_eframe(move |it| Window::new(&it.egui_ctx, opening));
    wait(&mut window, "the model", |it| {
        it.model().obstacle().is_none()
    });
    window
}

/// Steps until it holds. The engine's thread cannot wake the harness, so it looks again by itself.
#[track_caller]
fn wait(window: &mut Opened, what: &str, holds: impl Fn(&Window) -> bool) {
    let begun = Instant::now();
    while !holds(window.state()) {
        assert!(
            begun.elapsed() < Duration::from_mins(1),
            "{what} did not come; notices: {:?}",
            window.state().model().notices
        );
        sleep(Duration::from_millis(10));
        window.step();
    }
    window.step();
}

fn act(window: &mut Opened, action: Action) {
    let ctx = window.ctx.clone();
    window.state_mut().act(action, &ctx);
    window.step();
}

fn run(window: &mut Opened) -> Trial {
    act(window, Action::Run);
    wait(window, "the reply", |it| {
        matches!(it.model().run, RunPhase::Done { .. })
    });
    match &window.state().model().run {
        RunPhase::Done { trial, .. } => (**trial).clone(),
        other => panic!("{other:?}"),
    }
}

fn type_input(window: &mut Opened, text: &str) {
    use egui_kittest::kittest::Queryable as _;
    window.get_by_label("Input").focus();
    window.run_steps(2);
    window.get_by_label("Input").type_text(text);
    window.run_steps(3);
}

fn says(window: &Window, words: &str) -> bool {
    window
        .model()
        .notices
        .iter()
        .any(|it| it.text.contains(words))
}

fn reads(path: &Path, words: &str) -> bool {
    fs::read_to_string(path).is_ok_and(|it| it.contains(words))
}

/// Root may write where permissions say no, so the tests use what stops everybody: a file in a folder's place.
#[test]
fn a_data_folder_that_is_a_file_is_said_and_all_is_saved_once_it_is_mended() {
    let around = tempfile::tempdir().unwrap();
    let data = around.path().join("data");
    fs::write(&data, "I am a file").unwrap();
    let mut window = open(&data);
    assert!(
        says(window.state(), "Nothing can be saved"),
        "{:?}",
        window.state().model().notices
    );
    let trial = run(&mut window);
    assert!(says(window.state(), "1 trial is in memory and tried again"));
    type_input(&mut window, " typed meanwhile");
    wait(&mut window, "the failed save", |it| says(it, "draft.json"));
    assert_eq!(fs::read_to_string(&data).unwrap(), "I am a file");

    fs::remove_file(&data).unwrap();
    wait(&mut window, "the trial on the disk", |it| {
        says(it, "All trials are on the disk now")
    });
    let (written, _) = read_trials(&data.join("scripted-trials.jsonl")).unwrap();
    assert_eq!(written, [trial]);
    wait(&mut window, "the draft on the disk", |it| {
        says(it, "What could not be saved before is on the disk now")
            && reads(&data.join("draft.json"), "typed meanwhile")
    });
    let errors = window
        .state()
        .model()
        .notices
        .iter()
        .filter(|it| it.kind == NoticeKind::Error);
    assert!(
        errors
            .clone()
            .all(|it| it.text.starts_with("Nothing can be saved")),
        "{:?}",
        errors.collect::<Vec<_>>()
    );
}

#[test]
fn a_data_folder_that_vanishes_in_the_middle_comes_back_with_what_is_in_memory() {
    let around = tempfile::tempdir().unwrap();
    let data = around.path().join("data");
    let mut window = open(&data);
    run(&mut window);
    fs::remove_dir_all(&data).unwrap();
    let second = run(&mut window);
    let (written, _) = read_trials(&data.join("scripted-trials.jsonl")).unwrap();
    assert_eq!(written, [second]);
    type_input(&mut window, " still here");
    wait(&mut window, "the draft", |_| {
        reads(&data.join("draft.json"), "still here")
    });
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named_and_the_trial_waits_for_room() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("scripted-trials.jsonl");
    std::os::unix::fs::symlink("/dev/full", &file).unwrap();
    let mut window = open(data.path());
    let first = run(&mut window);
    assert!(
        says(window.state(), "the disk is full"),
        "{:?}",
        window.state().model().notices
    );
    assert!(says(window.state(), "free some space"));
    let second = run(&mut window);
    fs::remove_file(&file).unwrap();
    wait(&mut window, "the trials", |it| {
        says(it, "All trials are on the disk now")
    });
    let (written, _) = read_trials(&file).unwrap();
    assert_eq!(written, [first, second]);
}

#[test]
fn drafts_of_a_newer_version_are_left_alone_and_what_is_typed_is_kept_beside() {
    let data = tempfile::tempdir().unwrap();
    let newer = r#"{"v": 2, "task": {"from": "the future"}}"#;
    let names = ["draft", "repair", "grammars", "compare", "settings"];
    for name in names {
        fs::write(data.path().join(format!("{name}.json")), newer).unwrap();
    }
    let mut window = open(data.path());
    let notices = &window.state().model().notices;
    let n = notices
        .iter()
        .filter(|it| it.text.contains("A newer version of Stepladder"))
        .count();
    assert_eq!(n, names.len(), "{notices:?}");
    assert!(says(window.state(), "update Stepladder"));
    type_input(&mut window, " typed in the old one");
    act(&mut window, Action::SetTheme(ThemeChoice::Light));
    let own = data.path().join("draft.own.json");
    wait(&mut window, "the draft", |_| {
        reads(&own, "typed in the old one")
    });
    wait(&mut window, "the settings", |_| {
        reads(&data.path().join("settings.own.json"), "light")
    });
    drop(window);
    for name in names {
        let text = fs::read_to_string(data.path().join(format!("{name}.json"))).unwrap();
        assert_eq!(text, newer, "{name}");
    }
    let again = open(data.path());
    assert!(
        again
            .state()
            .model()
            .draft
            .prompt
            .input
            .contains("typed in the old one")
    );
}

#[test]
fn broken_drafts_of_all_views_are_set_aside_and_said() {
    let data = tempfile::tempdir().unwrap();
    let names = ["draft", "repair", "grammars", "compare", "settings"];
    for name in names {
        fs::write(data.path().join(format!("{name}.json")), "{\"v\": 1, ").unwrap();
    }
    let window = open(data.path());
    for name in names {
        let now = format!("{name}.json.broken-1");
        assert!(says(window.state(), &now), "{name} is not said");
        assert_eq!(
            fs::read_to_string(data.path().join(now)).unwrap(),
            "{\"v\": 1, "
        );
    }
}

#[test]
fn a_draft_that_is_a_folder_or_too_deep_does_not_take_the_window_down() {
    let data = tempfile::tempdir().unwrap();
    fs::create_dir(data.path().join("draft.json")).unwrap();
    let deep = format!(
        "{{\"kept\": {}{}}}",
        "[".repeat(200_000),
        "]".repeat(200_000)
    );
    fs::write(data.path().join("compare.json"), deep).unwrap();
    let mut window = open(data.path());
    assert!(
        says(window.state(), "it is no file"),
        "{:?}",
        window.state().model().notices
    );
    assert!(says(window.state(), "compare.json.broken-1"));
    run(&mut window);
}

#[test]
fn two_windows_on_one_folder_lose_nothing_of_each_other() {
    let data = tempfile::tempdir().unwrap();
    let mut one = open(data.path());
    let mut two = open(data.path());
    assert!(says(
        two.state(),
        "Another window has this data folder open"
    ));
    assert!(!says(one.state(), "Another window"));
    type_input(&mut one, " of the first");
    type_input(&mut two, " of the second");
    act(&mut one, Action::SetTheme(ThemeChoice::Light));
    let mut load = two.state().model().settings.load.clone();
    load.n_threads = 3;
    act(&mut two, Action::SetLoadSettings(load));
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(run(&mut one).id);
        ids.push(run(&mut two).id);
    }
    drop(one);
    drop(two);
    assert!(reads(&data.path().join("draft.json"), "of the first"));
    assert!(reads(
        &data.path().join("draft.window-2.json"),
        "of the second"
    ));
    let settings = fs::read_to_string(data.path().join("settings.json")).unwrap();
    assert!(
        settings.contains("light") && settings.contains("\"n_threads\": 3"),
        "{settings}"
    );
    let (written, skipped) = read_trials(&data.path().join("scripted-trials.jsonl")).unwrap();
    assert_eq!(
        written.iter().map(|it| it.id.clone()).collect::<Vec<_>>(),
        ids
    );
    assert_eq!(skipped, Vec::<String>::new());
    assert!(!WindowNumber::is_taken(&Folders::at(data.path())));
}

#[test]
fn a_grammar_that_two_windows_change_is_kept_in_both_versions() {
    let data = tempfile::tempdir().unwrap();
    fs::create_dir(data.path().join("grammars")).unwrap();
    let file = data.path().join("grammars/mine.gbnf");
    fs::write(&file, "root ::= \"a\"\n").unwrap();
    let mut window = open(data.path());
    let kind = stepladder::app::DocumentKind::Grammar;
    act(
        &mut window,
        Action::Grammars(GrammarsAction::Open(kind, "mine".to_owned())),
    );
    // Another window, or an editor.
    fs::write(&file, "root ::= \"theirs\"\n").unwrap();
    act(
        &mut window,
        Action::Grammars(GrammarsAction::Rename("renamed".to_owned())),
    );
    wait(&mut window, "the sentence", |it| {
        says(it, "mine.gbnf.other-1")
    });
    assert!(reads(
        &data.path().join("grammars/mine.gbnf.other-1"),
        "theirs"
    ));
    assert!(reads(&data.path().join("grammars/renamed.gbnf"), "\"a\""));
}

#[test]
fn a_broken_plan_is_not_written_over_by_one_of_its_name() {
    let data = tempfile::tempdir().unwrap();
    let plans = data.path().join("presets/plans");
    fs::create_dir_all(&plans).unwrap();
    fs::write(plans.join("broken.json"), "{\"v\": 1, \"name\": ").unwrap();
    let window = open(data.path());
    assert!(says(
        window.state(),
        "broken.json is not valid JSON: line 1"
    ));
    assert_eq!(
        fs::read_to_string(plans.join("broken.json")).unwrap(),
        "{\"v\": 1, \"name\": "
    );
}

/// A disk of 64 kB and one that is read-only, in a name space of the test's own: needs no rights, but a system that
/// lets its users have one. Where it does not, the test says so.
#[cfg(target_os = "linux")]
#[test]
fn a_tiny_disk_and_a_read_only_one_are_named_by_the_command_line() {
    let script = r#"
        set -e
        mount -t tmpfs -o size=64k tmpfs "$1"
        export STEPLADDER_DATA="$1/data"
        "$2" run --scripted "$3" --input 1 --preset greedy --json > /dev/null
        head -c 60000 /dev/zero > "$1/filler" 2> /dev/null || true
        echo "full:"
        "$2" run --scripted "$3" --input all --preset greedy,chat --json > /dev/null || echo "exit $?"
        "$2" export "$1/all.stepladder" || echo "exit $?"
        ls "$1"
        rm "$1/filler"
        mount -o remount,ro "$1"
        echo "read-only:"
        "$2" run --scripted "$3" --input 1 --preset greedy --json > /dev/null || echo "exit $?"
        "$2" import "$4" || echo "exit $?"
    "#;
    let place = tempfile::tempdir().unwrap();
    let other = tempfile::tempdir().unwrap();
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/demo.jsonl");
    let bundle = other.path().join("all.stepladder");
    fs::create_dir(other.path().join("grammars")).unwrap();
    fs::write(other.path().join("grammars/g.gbnf"), "root ::= \"a\"").unwrap();
    stepladder::store::export(&Folders::at(other.path()), &bundle, true).unwrap();
    let may = Command::new("unshare").args(["-rm", "true"]).status();
    if !may.is_ok_and(|it| it.success()) {
        use std::io::Write as _;
        let mut err = std::io::stderr().lock();
        writeln!(
            err,
            "NOT TRIED: this system gives no name spaces, so no tiny disk was made"
        )
        .unwrap();
        return;
    }
    let output = Command::new("unshare")
        .args(["-rm", "sh", "-c", script, "sh"])
        .arg(place.path())
        .arg(env!("CARGO_BIN_EXE_stepladder"))
        .args([&demo, &bundle])
        .output()
        .unwrap();
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(
        text.contains("full:") && text.contains("read-only:"),
        "{text}"
    );
    for words in [
        "the disk is full",
        "free some space",
        "cannot export: the disk is full",
        "the disk is read-only",
        "cannot import: the disk is read-only",
        "exit 2",
    ] {
        assert!(text.contains(words), "“{words}” is not said:\n{text}");
    }
    assert!(!text.contains("panicked"), "{text}");
}
