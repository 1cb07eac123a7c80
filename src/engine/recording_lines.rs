//! The file form of a recording: JSON lines.
//!
//! The first line is `{"v":1,"recording":"<title>"}`, and may list `devices`. A line with `for` (`load`, `preview`, `measure` or `run`) begins a part, and
//! the lines after it are its steps: `{"after_ms":25,"event":{…}}`, or `{"do":"hang"}` and `{"do":"die"}` for tests.
//! A run may say which prompts it answers (`match`, any text of the messages, letter case ignored; the longest that
//! occurs wins, and those with the same one take turns), and may give its text alone: `{"for":"run","match":"mood","reply":"{…}","tokens_per_second":40,"stop":{"kind":"token_limit"}}`.

use serde::{Deserialize, Serialize};

use super::recording::{Deed, ScriptedReply, Step, TOKENS_PER_SECOND, make_reply};
use super::{Device, Event, Recording, StopReason};

/// A recording that cannot be read. Lines count from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the recording: {message}")]
pub struct RecordingError {
    pub line: usize,
    pub message: String,
}

impl Recording {
    /// Reads the lines; empty ones are skipped.
    pub fn parse(text: &str) -> Result<Self, RecordingError> {
        let mut lines = text
            .lines()
            .enumerate()
            .map(|(idx, line)| (idx + 1, line.trim()))
            .filter(|(_, line)| !line.is_empty());
        let mut res = parse_header(lines.next())?;
        let mut part = None;
        for (number, line) in lines {
            let line: Line =
                serde_json::from_str(line).map_err(|it| fault(number, it.to_string()))?;
            if line.part.is_some() {
                res.check_end(part, number)?;
            }
            part = res.add(line, part).map_err(|it| fault(number, it))?;
        }
        res.check_end(part, text.lines().count())?;
        Ok(res)
    }

    /// The file form, which `parse` reads. A reply that has no end yet is left out.
    pub fn to_lines(&self) -> String {
        let mut lines = vec![Line {
            v: Some(1),
            recording: Some(self.title.clone()),
            devices: self.devices.clone(),
            ..Line::default()
        }];
        let mut add = |part, matching: Option<&String>, steps: &[Step]| {
            if steps.last().is_some_and(Step::is_end) {
                lines.push(Line {
                    part: Some(part),
                    matching: matching.cloned(),
                    ..Line::default()
                });
                lines.extend(steps.iter().map(Line::from));
            }
        };
        add(Part::Load, None, &self.load);
        add(Part::Preview, None, &self.preview);
        add(Part::Measure, None, &self.measure);
        for reply in &self.replies {
            add(Part::Run, reply.matching.as_ref(), &reply.steps);
        }
        lines
            .iter()
            .filter_map(|it| serde_json::to_string(it).ok())
            .map(|it| it + "\n")
            .collect()
    }

    /// Takes in a line after the header; returns the part it belongs to.
    fn add(&mut self, line: Line, part: Option<Part>) -> Result<Option<Part>, String> {
        if line.v.is_some() || line.recording.is_some() {
            return Err("the header comes once, as the first line".to_owned());
        }
        if let Some(part) = line.part {
            self.begin(part, line)?;
            return Ok(Some(part));
        }
        let part = part.ok_or("expected a line with \"for\" before the first step")?;
        let deed = match (line.event, line.deed) {
            (Some(event), None) => Deed::Tell(*event),
            (None, Some(DeedName::Hang)) => Deed::Hang,
            (None, Some(DeedName::Die)) => Deed::Die,
            _ => return Err("expected a step with either \"event\" or \"do\"".to_owned()),
        };
        let after_ms = line.after_ms.unwrap_or(0);
        if let Some(steps) = self.steps_mut(part) {
            if steps.last().is_some_and(Step::is_end) {
                return Err("this step comes after the end of its part".to_owned());
            }
            steps.push(Step { after_ms, deed });
        }
        Ok(Some(part))
    }

    fn begin(&mut self, part: Part, line: Line) -> Result<(), String> {
        if part == Part::Run {
            let speed = line.tokens_per_second.unwrap_or(TOKENS_PER_SECOND);
            if !(0.1..=10_000.0).contains(&speed) {
                return Err(format!(
                    "tokens_per_second is {speed}; it must be 0.1 to 10000"
                ));
            }
            let stop = line.stop.unwrap_or(StopReason::EndOfGeneration);
            let steps = line.reply.map(|it| make_reply(&it, stop, speed));
            self.replies.push(ScriptedReply {
                matching: line.matching,
                steps: steps.unwrap_or_default(),
            });
        } else if line.matching.is_some() || line.reply.is_some() {
            return Err("only a run has \"match\" or \"reply\"".to_owned());
        } else if let Some(steps) = self.steps_mut(part) {
            steps.clear();
        }
        Ok(())
    }

    fn check_end(&mut self, part: Option<Part>, line: usize) -> Result<(), RecordingError> {
        let Some(part) = part else { return Ok(()) };
        let steps = self.steps_mut(part);
        if steps.is_some_and(|it| it.last().is_some_and(Step::is_end)) {
            return Ok(());
        }
        let message = format!("the {part:?} before it has no event that ends it").to_lowercase();
        Err(fault(line, message))
    }

    fn steps_mut(&mut self, part: Part) -> Option<&mut Vec<Step>> {
        match part {
            Part::Load => Some(&mut self.load),
            Part::Preview => Some(&mut self.preview),
            Part::Measure => Some(&mut self.measure),
            Part::Run => self.replies.last_mut().map(|it| &mut it.steps),
        }
    }
}

/// One line of the file, before it is known which kind it is.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Line {
    #[serde(skip_serializing_if = "Option::is_none")]
    v: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recording: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    devices: Vec<Device>,
    #[serde(rename = "for", skip_serializing_if = "Option::is_none")]
    part: Option<Part>,
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    matching: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reply: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens_per_second: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop: Option<StopReason>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<Box<Event>>,
    #[serde(rename = "do", skip_serializing_if = "Option::is_none")]
    deed: Option<DeedName>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Part {
    Load,
    Preview,
    Measure,
    Run,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum DeedName {
    Hang,
    Die,
}

impl From<&Step> for Line {
    fn from(step: &Step) -> Self {
        let (event, deed) = match &step.deed {
            Deed::Tell(event) => (Some(Box::new(event.clone())), None),
            Deed::Hang => (None, Some(DeedName::Hang)),
            Deed::Die => (None, Some(DeedName::Die)),
        };
        Self {
            after_ms: (step.after_ms > 0).then_some(step.after_ms),
            event,
            deed,
            ..Self::default()
        }
    }
}

fn parse_header(line: Option<(usize, &str)>) -> Result<Recording, RecordingError> {
    let expected = "expected the header {\"v\":1,\"recording\":\"<title>\"}";
    let (number, line) = line.ok_or_else(|| fault(1, expected.to_owned()))?;
    let line: Line =
        serde_json::from_str(line).map_err(|it| fault(number, format!("{expected}: {it}")))?;
    match (line.v, line.recording) {
        (Some(1), Some(title)) => Ok(Recording {
            title,
            devices: line.devices,
            ..Recording::default()
        }),
        (Some(v), Some(_)) => Err(fault(
            number,
            format!("version {v}; this Stepladder reads 1"),
        )),
        _ => Err(fault(number, expected.to_owned())),
    }
}

fn fault(line: usize, message: String) -> RecordingError {
    RecordingError { line, message }
}
