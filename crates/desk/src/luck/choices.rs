//! What a choice gave away.

use super::study::{Moment, Study};
use super::{ChoiceLoss, LuckSettings};
use crate::record::Entry;
use crate::words::worded;
use flagplot_catalog::{AnyGame, Settings};
use flagplot_kernel::{Chance, Seat};
use serde_json::Value;

/// The entries that are choices.
pub(super) fn entries(study: &Study) -> Vec<usize> {
    (0..study.entries.len()).filter(|at| matches!(study.entries[*at].1, Entry::Answer { .. })).collect()
}

/// What the choice of an entry gave away. None where nothing could be found out.
pub(super) fn loss(study: &Study, at: usize, settings: &LuckSettings) -> Option<(Seat, ChoiceLoss)> {
    let (number, Entry::Answer { seat, value }) = &study.entries[at] else { return None };
    let mut chance = Chance::stream(!settings.seed, at as u64);
    let (best, best_label, loss, error) =
        against_best(study.desk.game().as_ref(), &study.moments[at], *seat, value, settings, &mut chance)?;
    let hint = study.hint(*number, *seat).filter(|hint| hint.value == *value).and_then(|hint| hint.error);
    // Both figures are estimates of the same difference; the hint's own error is part of what a player could know.
    let error = hint.map_or(error, |of_hint| error.max(of_hint));
    let loss = if hint.is_some() { loss.min(error) } else { loss };
    let hinted = hint.is_some();
    let asked = &study.answered[at];
    let best_label = match &asked.question {
        Some(question) if !best_label.is_empty() => worded(question, &best, best_label),
        _ => best_label,
    };
    let (question, text, chosen_label) = (asked.code.clone(), asked.text.clone(), asked.chosen.clone());
    Some((
        *seat,
        ChoiceLoss {
            at: *number,
            question,
            text,
            chosen: value.clone(),
            chosen_label,
            best,
            best_label,
            loss,
            error,
            hinted,
        },
    ))
}

/// The best answer found, its words, and by how much it is better than the one chosen, with the error.
fn against_best(
    game: &dyn AnyGame,
    before: &Moment,
    seat: Seat,
    chosen: &Value,
    settings: &LuckSettings,
    chance: &mut Chance,
) -> Option<(Value, String, f64, f64)> {
    let mut how = Settings::new(settings.budget).on_one_core();
    how.also = vec![chosen.clone()];
    how.margin = 0.0;
    let position = before.position.as_ref();
    let thought = game.search(position, &before.answers, seat, &how, chance)?;
    // An answer outside of a mix is played out against one in it.
    let in_mix =
        || thought.alternatives.iter().filter(|alternative| alternative.share.is_some_and(|share| share > 0.0));
    if let Some(given) = in_mix().find(|alternative| alternative.value == *chosen) {
        let best = in_mix().max_by(|a, b| a.estimate.total_cmp(&b.estimate))?;
        let error = if best.value == given.value { 0.0 } else { best.error.hypot(given.error) };
        return Some((best.value.clone(), best.label.clone(), best.estimate - given.estimate, error));
    }
    if thought.value == *chosen {
        return Some((chosen.clone(), String::new(), 0.0, 0.0));
    }
    let label = thought
        .alternatives
        .iter()
        .find(|alternative| alternative.value == thought.value)
        .map_or_else(String::new, |alternative| alternative.label.clone());
    let compared = game.compare(position, &before.answers, seat, &thought.value, chosen, settings.pairs, chance);
    Some((thought.value, label, compared.difference, compared.error))
}
