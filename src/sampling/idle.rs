//! Names the knobs that are set and cannot bite, with the reason.

use super::{Knob, Knobs};

/// The knobs that count the tokens of the window.
const PENALTIES: [Knob; 3] = [
    Knob::RepetitionPenalty,
    Knob::PresencePenalty,
    Knob::FrequencyPenalty,
];

impl Knobs {
    /// Every knob that is off neutral without any effect, and why in half a sentence.
    pub fn idle(&self) -> Vec<(Knob, String)> {
        Knob::ALL
            .into_iter()
            .filter(|&knob| !self.is_neutral(knob))
            .filter_map(|knob| Some((knob, self.why_idle(knob)?)))
            .collect()
    }

    fn why_idle(&self, knob: Knob) -> Option<String> {
        if let Some(stage) = knob.spec().stage
            && !self.order.contains(stage)
        {
            return Some(format!("set, but {stage} is not in the order: no effect"));
        }
        match knob {
            Knob::TopK | Knob::TopP | Knob::MinP | Knob::TopNSigma | Knob::MirostatTau
                if self.is_greedy() => Some(
                "temperature is 0, so the most likely token is taken, and this never takes that one away"
                    .to_owned(),
            ),
            Knob::Seed if self.is_greedy() && self.is_neutral(Knob::XtcProbability) => {
                Some("temperature is 0, so nothing is drawn".to_owned())
            }
            Knob::XtcThreshold if self.is_neutral(Knob::XtcProbability) => {
                Some("the XTC chance is 0".to_owned())
            }
            Knob::DynatempExponent if self.is_neutral(Knob::DynatempRange) => {
                Some("the dynamic temperature is off".to_owned())
            }
            Knob::MirostatEta if self.is_neutral(Knob::MirostatTau) => {
                Some("mirostat is off".to_owned())
            }
            Knob::DryBase | Knob::DryAllowedLength | Knob::DryLastN
                if self.is_neutral(Knob::DryMultiplier) =>
            {
                Some("DRY's strength is 0".to_owned())
            }
            Knob::DryMultiplier if self.get(Knob::DryLastN).abs() < 0.5 => {
                Some("the DRY window is 0, so no token is looked at".to_owned())
            }
            Knob::PenaltyLastN if !PENALTIES.into_iter().any(|it| self.is_at_work(it)) => {
                Some("no penalty is set that could use the window".to_owned())
            }
            _ if PENALTIES.contains(&knob) && self.count_of_window() == Some(0) => {
                Some("the penalty window is 0, so no token is counted".to_owned())
            }
            _ => None,
        }
    }

    fn is_at_work(&self, knob: Knob) -> bool {
        let is_in_order = knob.spec().stage.is_none_or(|it| self.order.contains(it));
        is_in_order && !self.is_neutral(knob)
    }

    /// How many of the last tokens the penalties count; none for all of them.
    pub(super) fn count_of_window(&self) -> Option<usize> {
        let window = self.get(Knob::PenaltyLastN);
        (window >= 0.0).then(|| self.count(Knob::PenaltyLastN))
    }
}
