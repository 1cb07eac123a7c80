//! Opens the real window on a virtual display, types, runs the real model, and reads the trial that was written.

#![cfg(all(target_os = "linux", feature = "llama"))]
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use stepladder::lab::Trial;
use stepladder::store::read_trials;

/// Ends a program when the test ends, however it ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

#[test]
fn a_typed_input_runs_on_the_real_model_and_is_judged() {
    let model = env::var("STEPLADDER_MODEL")
        .expect("set STEPLADDER_MODEL to the default model (scripts/test.sh does)");
    let data = tempfile::tempdir().unwrap();
    let (_display, number) = virtual_display(data.path());
    let display = format!(":{number}");
    let _window = Running(
        Command::new(env!("CARGO_BIN_EXE_stepladder"))
            .args(["--renderer", "glow"])
            .env("DISPLAY", &display)
            .env_remove("WAYLAND_DISPLAY")
            .env("STEPLADDER_DATA", data.path())
            .env("STEPLADDER_MODEL", model)
            .spawn()
            .unwrap(),
    );
    let id = wait_for("the window", || {
        xdotool(&display, &["search", "--name", "^Stepladder$"])
    });
    let id = id.lines().next().unwrap().to_owned();
    // Asked for again and again: xdotool's own wait for the focus can wait for ever.
    wait_for("the focus", || {
        xdotool(&display, &["windowfocus", &id])?;
        let focused = xdotool(&display, &["getwindowfocus"])?;
        (focused.trim() == id).then_some(())
    });
    // Ctrl+L puts the cursor into the input, as a browser does with its address.
    xdotool(&display, &["key", "ctrl+l"]).unwrap();
    sleep(Duration::from_millis(500));
    xdotool(&display, &["key", "ctrl+a"]).unwrap();
    xdotool(&display, &["type", "--delay", "60", "four lemons please"]).unwrap();
    let trial = wait_for("the trial", || {
        xdotool(&display, &["key", "ctrl+Return"])?;
        sleep(Duration::from_secs(3));
        let (trials, _) = read_trials(&data.path().join("trials.jsonl")).ok()?;
        trials.into_iter().find(|it: &Trial| it.stop != "cancelled")
    });
    assert_eq!(trial.input_text, "four lemons please");
    assert!(
        trial.prompt.contains("four lemons please"),
        "{}",
        trial.prompt
    );
    assert!(!trial.reply.is_empty());
    assert_eq!(trial.lamps.parses, trial.climb.rung.is_some());
    assert_eq!(trial.lamps.schema.is_some(), trial.verdict.is_some());
    let draft = fs::read_to_string(data.path().join("draft.json")).unwrap();
    assert!(
        draft.contains("four lemons please"),
        "the draft was not saved"
    );
}

/// Xvfb on a number that it finds free itself.
fn virtual_display(dir: &Path) -> (Running, String) {
    let file = dir.join("display");
    let child = Command::new("Xvfb")
        .args([
            "-displayfd",
            "1",
            "-screen",
            "0",
            "1440x900x24",
            "-nolisten",
            "tcp",
        ])
        .stdout(fs::File::create(&file).unwrap())
        .stderr(Stdio::null())
        .spawn()
        .expect("Xvfb is missing: scripts/test.sh installs it");
    let running = Running(child);
    let number = wait_for("the display", || {
        let text = fs::read_to_string(&file).ok()?;
        text.ends_with('\n').then(|| text.trim().to_owned())
    });
    (running, number)
}

fn xdotool(display: &str, args: &[&str]) -> Option<String> {
    let done = Command::new("xdotool")
        .env("DISPLAY", display)
        .args(args)
        .output();
    let done = done.expect("xdotool is missing: scripts/test.sh installs it");
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    done.status.success().then_some(text)
}

/// Asks again and again until there is an answer; a machine under load takes its time.
fn wait_for<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(it) = ask() {
            return it;
        }
        assert!(
            begun.elapsed() < Duration::from_mins(2),
            "{what} did not come"
        );
        sleep(Duration::from_millis(200));
    }
}
