//! What mask and stages did over the whole reply, in numbers.

use eframe::egui::{RichText, Ui};

use super::{Part, PlayState};
use crate::lab::{MaskSummary, StageSummary, Trial};
use crate::ui::theme::{self, palette};
use crate::ui::widgets::sentence;

/// Draws nothing for a reply that nothing was done to.
pub(super) fn facts_ui(trial: &Trial, state: &mut PlayState, ui: &mut Ui) {
    let facts = facts(trial);
    if facts.is_empty() || !state.disclosure(ui, Part::ChainFacts, "What the chain did") {
        return;
    }
    let color = palette(ui).weak;
    ui.indent("chain facts", |ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        for fact in facts {
            let text = RichText::new(fact).font(theme::regular(theme::SMALL));
            ui.label(text.color(color));
        }
    });
}

/// A line each: the mask's work first, then the stages in their order.
pub(super) fn facts(trial: &Trial) -> Vec<String> {
    let mut facts = Vec::new();
    if let Some(mask) = &trial.trace.mask {
        facts.extend(mask_facts(mask, trial));
    }
    facts.extend(trial.trace.stages.iter().filter_map(stage_fact));
    facts
}

fn mask_facts(mask: &MaskSummary, trial: &Trial) -> Vec<String> {
    let timings = &trial.timings;
    let share = if timings.decode_ms > 0.0 {
        let share = 100.0 * timings.mask_ms / timings.decode_ms;
        format!(", {share:.1} % of the decode time")
    } else {
        String::new()
    };
    vec![
        format!(
            "Mask: {} µs a token in the median, {} µs at the 99th percentile{share}.",
            mask.us_median, mask.us_p99
        ),
        format!("Legal tokens: {} in the median.", mask.legal_median),
    ]
}

/// None for a stage that took nothing away and changed no choice.
fn stage_fact(stage: &StageSummary) -> Option<String> {
    let (mean, max) = (stage.removed_mass_mean, stage.removed_mass_max);
    if stage.n_changed == 0 && max <= 0.0 {
        return None;
    }
    let name = stage.stage.label();
    let tokens = match stage.n_changed {
        0 => "no token".to_owned(),
        1 => "1 token".to_owned(),
        n => format!("{n} tokens"),
    };
    let removed = if max > 0.0 {
        let (mean, max) = (100.0 * mean, 100.0 * max);
        format!(", took {mean:.1} % of the probability on average, {max:.1} % at most")
    } else {
        String::new()
    };
    Some(sentence(&format!("{name}: changed {tokens}{removed}")))
}
