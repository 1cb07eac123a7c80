//! How far a download is, in words; the same in the window and in the terminal.

use std::time::Duration;

use super::{Progress, Stage};

/// Such as `123.4 of 491.4 MB · 12.3 MB/s · 30 s left`.
pub fn progress_text(progress: &Progress) -> String {
    let mut words = Vec::new();
    words.extend(progress.part.map(|(idx, of)| format!("part {idx} of {of}")));
    match &progress.stage {
        Stage::Asking => words.push("asking the hub".to_owned()),
        Stage::Reading => words.push(format!(
            "reading the part that is here: {}",
            amount(progress)
        )),
        Stage::Checking => words.push("checking it".to_owned()),
        Stage::Waiting { why, wait } => {
            words.push(format!("{why}; trying again in {}", time_text(*wait)));
        }
        Stage::Transferring => {
            words.push(amount(progress));
            let rate = progress.per_second;
            #[expect(clippy::cast_sign_loss, reason = "a rate is never negative")]
            words.extend(rate.map(|it| format!("{}/s", size_text(it as u64))));
            words.extend(progress.left.map(|it| format!("{} left", time_text(it))));
        }
    }
    words.join(" · ")
}

/// In powers of ten, as file managers show them.
pub fn size_text(bytes: u64) -> String {
    let bytes = bytes as f64;
    match bytes {
        0.0..1e6 => format!("{:.0} kB", bytes / 1e3),
        1e6..1e9 => format!("{:.1} MB", bytes / 1e6),
        _ => format!("{:.2} GB", bytes / 1e9),
    }
}

fn amount(progress: &Progress) -> String {
    match progress.total {
        Some(total) => format!("{} of {}", size_text(progress.done), size_text(total)),
        None => size_text(progress.done),
    }
}

fn time_text(time: Duration) -> String {
    match time.as_secs() {
        0 => "1 s".to_owned(),
        it @ 1..=99 => format!("{it} s"),
        it @ 100..=5_999 => format!("{} min", it.div_ceil(60)),
        it => format!("{} h", it.div_ceil(3_600)),
    }
}
