//! Names the knobs that are set and cannot bite, with the reason.

use super::{Knob, KnobList, Knobs, Stage};

/// The knobs that count the tokens of the window.
const PENALTIES: [Knob; 3] = [
    Knob::RepetitionPenalty,
    Knob::PresencePenalty,
    Knob::FrequencyPenalty,
];

/// A knob at the value that leaves one token.
struct Sole {
    knob: Knob,
    value: f64,
    stage: Stage,
}

impl Knobs {
    /// Every knob that is off neutral without any effect, and why in half a sentence.
    pub fn idle(&self) -> Vec<(Knob, String)> {
        Knob::ALL
            .into_iter()
            .filter(|&knob| !self.is_neutral(knob))
            .filter_map(|knob| Some((knob, self.why_idle(knob)?)))
            .collect()
    }

    /// The same for the lists that are not empty: logit bias and token ban.
    pub fn idle_lists(&self) -> Vec<(KnobList, String)> {
        KnobList::ALL
            .into_iter()
            .filter(|it| self.n_entries(*it) > 0)
            .filter_map(|it| Some((it, self.why_stage_idle(it.stage())?)))
            .collect()
    }

    fn why_stage_idle(&self, stage: Stage) -> Option<String> {
        if !self.order.contains(stage) {
            return Some(format!("set, but {stage} is not in the order: no effect"));
        }
        let sole = self.leaves_one()?;
        if !self.is_before(sole.stage, stage) || self.can_take_the_last(stage) {
            return None;
        }
        Some(format!(
            "{} {} before it leaves one token, so there is nothing left to do",
            sole.knob, sole.value
        ))
    }

    /// The first stage in the order that leaves one token only, or a few that are exactly as likely.
    fn leaves_one(&self) -> Option<Sole> {
        let settings = [
            (Knob::TopK, 1.0),
            (Knob::TopP, 0.0),
            (Knob::MinP, 1.0),
            (Knob::TypicalP, 0.0),
        ];
        let soles = settings.into_iter().filter_map(|(knob, value)| {
            let stage = knob.spec().stage.filter(|it| self.order.contains(*it))?;
            let is_set = (self.get(knob) - value).abs() < f64::EPSILON;
            is_set.then_some(Sole { knob, value, stage })
        });
        let place = |it: &Sole| self.order.stages().iter().position(|at| *at == it.stage);
        soles.min_by_key(place)
    }

    fn is_before(&self, first: Stage, second: Stage) -> bool {
        let stages = self.order.stages();
        let place = |stage| stages.iter().position(|it| *it == stage);
        matches!((place(first), place(second)), (Some(a), Some(b)) if a < b)
    }

    /// Whether the stage can take the one token that is left, which ends the reply in a dead end: an effect.
    fn can_take_the_last(&self, stage: Stage) -> bool {
        match stage {
            Stage::Mask | Stage::TokenBan | Stage::MinTokens | Stage::NoRepeatNgram => true,
            Stage::LogitBias => self.logit_bias.iter().any(|it| it.bias.is_infinite()),
            _ => false,
        }
    }

    fn why_idle(&self, knob: Knob) -> Option<String> {
        if let Some(stage) = knob.spec().stage
            && let Some(reason) = self.why_stage_idle(stage)
        {
            return Some(reason);
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
            Knob::Seed if self.draws_nothing() => {
                Some("one token is left, so nothing is drawn".to_owned())
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

    /// Whether one token is left for the draw, and XTC throws no dice before that.
    fn draws_nothing(&self) -> bool {
        let xtc_is_off = |sole: Sole| {
            self.is_neutral(Knob::XtcProbability) || !self.is_before(Stage::Xtc, sole.stage)
        };
        self.leaves_one().is_some_and(xtc_is_off)
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
