//! What a bundle can hold: a row for each kind of file, by its place in the data folder.

/// How a file is known, and so what counts as the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// There is one of it: drafts and settings.
    Single,
    /// Known by what this field says: presets, tasks, plans.
    Named(&'static str),
    /// Known by the name of its file: grammars, schemas.
    Text,
    /// Lines, each for itself: trials, the regression set.
    Lines,
    /// The plan of an experiment, which its folder stands and falls with.
    Plan,
    /// The trials of an experiment.
    PlanLines,
}

/// Settings and what is being typed.
const SINGLES: [&str; 6] = [
    "settings",
    "draft",
    "repair",
    "grammars",
    "compare",
    "plan-draft",
];

/// Folder, ending, and how its files are known.
pub(super) const FOLDERS: [(&str, &str, Part); 5] = [
    ("presets", ".json", Part::Named("name")),
    ("presets/tasks", ".json", Part::Named("id")),
    ("presets/plans", ".json", Part::Named("name")),
    ("grammars", ".gbnf", Part::Text),
    ("schemas", ".json", Part::Text),
];

/// What people wrote by hand is in every bundle.
pub(super) const CASES: &str = "regression.jsonl";
/// What models wrote is there by choice.
pub(super) const TRIALS: [&str; 2] = ["trials.jsonl", "scripted-trials.jsonl"];

pub(super) const EXPERIMENTS: &str = "experiments";
pub(super) const PLAN: &str = "plan.json";
pub(super) const PLAN_LINES: &str = "trials.jsonl";

/// Longest name of a file, in bytes, with room for a number behind it.
const LONGEST: usize = 200;

impl Part {
    pub(super) fn is_lines(self) -> bool {
        matches!(self, Self::Lines | Self::PlanLines)
    }

    /// What a name in a bundle stands for; none for one that this version does not know or that leads elsewhere.
    pub(super) fn of(name: &str) -> Option<Self> {
        if is_single(name) {
            return Some(Self::Single);
        }
        if name == CASES || TRIALS.contains(&name) {
            return Some(Self::Lines);
        }
        let (folder, file) = name.rsplit_once('/')?;
        if !is_file_name(file) {
            return None;
        }
        let row = FOLDERS.iter().find(|it| it.0 == folder);
        if let Some((_, ending, part)) = row {
            return file.ends_with(ending).then_some(*part);
        }
        let experiment = folder
            .strip_prefix(EXPERIMENTS)
            .and_then(|it| it.strip_prefix('/'))?;
        match file {
            _ if !is_file_name(experiment) => None,
            PLAN => Some(Self::Plan),
            PLAN_LINES => Some(Self::PlanLines),
            _ => None,
        }
    }
}

/// Also those of further windows, and those that stand in for a file that cannot be used.
fn is_single(name: &str) -> bool {
    let Some(stem) = name.strip_suffix(".json") else {
        return false;
    };
    let (first, rest) = stem.split_once('.').unwrap_or((stem, ""));
    let number = rest.strip_prefix("window-").unwrap_or_default();
    let number = number.strip_suffix(".own").unwrap_or(number);
    let is_number = matches!(number.len(), 1 | 2) && number.chars().all(|it| it.is_ascii_digit());
    SINGLES.contains(&first) && (matches!(rest, "" | "own") || is_number)
}

/// Whether it names a file on every system, and nothing but a file of its folder.
pub(super) fn is_file_name(name: &str) -> bool {
    const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];
    let stem = name.split('.').next().unwrap_or_default().to_lowercase();
    let is_device = DEVICES.contains(&stem.trim_end_matches(|it: char| it.is_ascii_digit()));
    let is_plain = |it: char| !it.is_control() && !r#"<>:"/\|?*"#.contains(it);
    !name.is_empty()
        && name.len() <= LONGEST
        && name.chars().all(is_plain)
        && !name.starts_with('.')
        && !name.ends_with(['.', ' '])
        && !is_device
}
