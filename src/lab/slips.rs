//! Names in preset and plan files that nobody reads: most likely slips of the pen.

use super::plan::{Plan, PresetChoice};
use super::preset::Preset;
use crate::sampling::{Knob, Knobs};

const PRESET_FIELDS: [&str; 10] = [
    "name",
    "title",
    "about",
    "style",
    "knobs",
    "constraint",
    "prefill",
    "first",
    "defaults",
    "ignore_unknown_fields",
];

const CONSTRAINT_FIELDS: [&str; 7] = [
    "kind",
    "text",
    "white_space",
    "switches",
    "start",
    "close_in_time",
    "guards",
];

const PLAN_FIELDS: [&str; 14] = [
    "name",
    "title",
    "about",
    "models",
    "tasks",
    "inputs",
    "styles",
    "presets",
    "ablate",
    "reference",
    "seeds",
    "examples",
    "retry",
    "parallel",
];

impl Preset {
    /// A sentence for each knob of the file that is none, and for each field that looks like a known one.
    pub fn slips(&self) -> Vec<String> {
        let knobs = self.unknown_knobs().into_iter().map(unknown_knob);
        let terms = self.unknown_terms().into_iter();
        let terms = terms.filter_map(|it| unknown_field(it, &CONSTRAINT_FIELDS));
        let inner = ["knobs", "constraint"];
        let fields = self.other.keys().filter(|it| !inner.contains(&it.as_str()));
        knobs
            .chain(terms.map(|it| format!("constraint.{it}")))
            .chain(fields.filter_map(|it| unknown_field(it, &PRESET_FIELDS)))
            .collect()
    }
}

impl Plan {
    /// The same for the plan's own fields, and for the presets that stand whole in it.
    pub fn slips(&self) -> Vec<String> {
        let fields = self.other.keys();
        let mut slips: Vec<String> = fields
            .filter_map(|it| unknown_field(it, &PLAN_FIELDS))
            .collect();
        for (idx, choice) in self.presets.iter().enumerate() {
            if let PresetChoice::Own(preset) = choice {
                let within = preset.slips().into_iter();
                slips.extend(within.map(|it| format!("presets[{idx}].{it}")));
            }
        }
        slips
    }
}

fn unknown_knob(key: &str) -> String {
    let of_other_tools = Knob::ALL
        .into_iter()
        .find(|it| it.spec().aliases.contains(&key));
    let meant = of_other_tools
        .map(|it| it.spec().key)
        .or_else(|| nearest(key, Knobs::keys()));
    match meant {
        Some(meant) => format!("knobs.{key} is no knob; did you mean {meant}?"),
        None => format!("knobs.{key} is no knob, and does nothing"),
    }
}

/// None for a field that is like no other: people write notes into their files.
fn unknown_field(key: &str, known: &[&'static str]) -> Option<String> {
    let meant = nearest(key, known.iter().copied())?;
    Some(format!("{key} is no field; did you mean {meant}?"))
}

/// The name that was most likely meant; none where no name is near.
fn nearest(typed: &str, known: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let most = 1 + typed.chars().count() / 4;
    let near = known.map(|it| (distance(typed, it), it));
    let near = near.filter(|it| it.0 <= most);
    near.min_by_key(|it| it.0).map(|it| it.1)
}

/// How many letters must be put in, left out or changed to make one text of the other (Levenshtein 1966).
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (n_taken, c) in (1..).zip(one.chars()) {
        let mut diagonal = std::mem::replace(&mut row[0], n_taken);
        for (idx, same) in other.iter().map(|it| *it == c).enumerate() {
            let changed = diagonal + usize::from(!same);
            diagonal = row[idx + 1];
            row[idx + 1] = changed.min(row[idx] + 1).min(diagonal + 1);
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_letters() {
        let pairs = [
            ("kitten", "sitting", 3),
            ("", "abc", 3),
            ("abc", "", 3),
            ("flaw", "lawn", 2),
            ("same", "same", 0),
        ];
        for (one, other, expected) in pairs {
            assert_eq!(distance(one, other), expected, "{one} {other}");
        }
    }

    #[track_caller]
    fn check_preset(text: &str, slips: &[&str]) {
        let text = format!(r#"{{"v": 1, "name": "mine", {text}}}"#);
        assert_eq!(Preset::parse(&text, "mine.json").unwrap().slips(), slips);
    }

    #[test]
    fn a_misspelt_knob_is_named_with_the_one_that_was_meant() {
        let meant = "knobs.temprature is no knob; did you mean temperature?";
        check_preset(r#""knobs": {"temprature": 0.7}"#, &[meant]);
        let meant = "knobs.temp is no knob; did you mean temperature?";
        check_preset(r#""knobs": {"temp": 0.7}"#, &[meant]);
        let meant = "knobs.peanlty_scope is no knob; did you mean penalty_scope?";
        check_preset(r#""knobs": {"peanlty_scope": "reply"}"#, &[meant]);
        check_preset(
            r#""knobs": {"flavour": 1}"#,
            &["knobs.flavour is no knob, and does nothing"],
        );
    }

    #[test]
    fn notes_are_no_slips_but_fields_with_a_wrong_letter_are() {
        check_preset(r#""written_by": "me""#, &[]);
        let meant = "stlye is no field; did you mean style?";
        check_preset(r#""stlye": "plain""#, &[meant]);
    }

    #[test]
    fn a_misspelt_field_of_the_constraint_is_named_and_kept() {
        let constraint = r#"{"kind": "none", "text": "", "white_spce": "one", "note": 1}"#;
        let text = format!(r#""constraint": {constraint}"#);
        let meant = "constraint.white_spce is no field; did you mean white_space?";
        check_preset(&text, &[meant]);
        let text = format!(r#"{{"v": 1, "name": "mine", {text}}}"#);
        let read = Preset::parse(&text, "mine.json").unwrap();
        let written = read.to_json();
        assert_eq!(written["constraint"]["white_spce"], "one");
        assert_eq!(written["constraint"]["note"], 1);
        assert_eq!(Preset::parse(&written.to_string(), "mine.json"), Ok(read));
    }

    #[test]
    fn a_plan_tells_of_its_own_presets() {
        let text = r#"{"v": 1, "name": "p", "tasks": ["shopping"], "sedes": [1],
            "presets": ["greedy", {"v": 1, "name": "own", "knobs": {"top_kk": 3}}]}"#;
        let slips = Plan::parse(text, "p.json").unwrap().slips();
        let expected = [
            "sedes is no field; did you mean seeds?",
            "presets[1].knobs.top_kk is no knob; did you mean top_k?",
        ];
        assert_eq!(slips, expected);
    }

    #[test]
    fn every_field_that_is_written_is_known() {
        for (file, text) in super::super::shipped_presets() {
            let preset = Preset::parse(text, file).unwrap();
            assert!(preset.slips().is_empty(), "{file}");
            let written = preset.to_json();
            let within = written["constraint"].as_object().unwrap().keys();
            for key in within {
                assert!(CONSTRAINT_FIELDS.contains(&key.as_str()), "{file}: {key}");
            }
            let keys = written.as_object().unwrap().keys();
            let unknown: Vec<_> = keys
                .filter(|it| *it != "v" && !PRESET_FIELDS.contains(&it.as_str()))
                .collect();
            assert!(unknown.is_empty(), "{file}: {unknown:?}");
        }
        for (file, text) in super::super::shipped_plans() {
            let plan = Plan::parse(text, file).unwrap();
            assert!(plan.slips().is_empty(), "{file}");
            let written = plan.to_json();
            let keys = written.as_object().unwrap().keys();
            let unknown: Vec<_> = keys
                .filter(|it| *it != "v" && !PLAN_FIELDS.contains(&it.as_str()))
                .collect();
            assert!(unknown.is_empty(), "{file}: {unknown:?}");
        }
    }
}
