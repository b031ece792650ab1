//! The odds a player wants at the decisions of a campaign.

use super::choices::{Orders, Refit, Repairs, Sail};
use super::{CampaignGame, CampaignState, Goal, thinking};
use crate::battle::{Battle, Place};
use crate::day_night::Action;
use crate::delay::{self, Waiting};
use crate::explain::next_round;
use flagplot_kernel::{BySide, Decision, Insight, SeatQuestion, Side};
use flagplot_odds::{Budget, OddsError, enumerate};
use serde_json::Value;

pub(crate) fn explain(
    game: &CampaignGame,
    state: &CampaignState,
    question: &SeatQuestion,
    value: Option<&Value>,
) -> Result<Vec<Insight>, OddsError> {
    let side = question.seat.side();
    match question.prompt.code {
        "refit" => {
            let choice = Refit { campaign: game, state, side };
            choice.ships().map(|at| returns(game, state, side, at, delay::Choice::Repair)).collect()
        }
        "repairs" => {
            let choice = Repairs { campaign: game, state, side };
            let both = choice.ships().flat_map(|at| [(at, delay::Choice::Repair), (at, delay::Choice::ReturnDamaged)]);
            both.map(|(at, choice)| returns(game, state, side, at, choice)).collect()
        }
        "orders" => orders(game, state, side, value),
        _ => Ok(Vec::new()),
    }
}

/// When a ship comes back, and the chance to be back by each turn.
fn returns(
    game: &CampaignGame,
    state: &CampaignState,
    side: Side,
    at: usize,
    choice: delay::Choice,
) -> Result<Insight, OddsError> {
    let sheet = &game.sheets[side][at];
    let drm = game.campaign.factions[side].delay_drm;
    let waiting = Waiting { id: sheet.id, choice: Some(choice) };
    let due = enumerate(Budget::default(), |ask| {
        Ok(delay::roll(&game.rules, waiting, i64::from(state.turn), drm, ask)?.turn)
    })?;
    let last = i64::from(game.last_turn());
    let mut insight = Insight::exact(format!("{}, {choice}: the turn it comes back", sheet.name));
    for turn in i64::from(state.turn) + 1..=last {
        let chance = due.chance(&turn);
        if chance != flagplot_odds::Fraction::zero() {
            insight = insight
                .chance(format!("turn {turn}"), chance.to_string())
                .line(format!("Back by turn {turn}: {}.", due.chance_of(|back| *back <= turn)));
        }
    }
    let never = due.chance_of(|back| *back > last);
    if never != flagplot_odds::Fraction::zero() {
        insight = insight.chance("not before the end", never.to_string());
    }
    Ok(insight)
}

/// For each zone with own units: who holds it against the stack the enemy is supposed to send.
fn orders(
    game: &CampaignGame,
    state: &CampaignState,
    side: Side,
    value: Option<&Value>,
) -> Result<Vec<Insight>, OddsError> {
    let choice = Orders { campaign: game, state, side };
    let given: Option<Vec<Sail>> =
        value.and_then(|value| serde_json::from_value(value.clone()).ok()).filter(|given| choice.check(given).is_ok());
    let sensible = |side: Side| thinking::best(game, state, side, 1).pop().map_or_else(Vec::new, |(_, goals)| goals);
    let own = given.map_or_else(|| sensible(side), |given| choice.goals(&given));
    let enemy = sensible(side.other());
    let to = |goals: &[(usize, Goal)], zone: u8| -> Vec<usize> {
        goals.iter().filter(|(_, goal)| *goal == Goal::Zone(zone)).map(|&(at, _)| at).collect()
    };
    let mut insights = Vec::new();
    for (zone, called) in game.campaign.zones.iter().enumerate() {
        let mut present = BySide::default();
        present[side] = to(&own, zone as u8);
        present[side.other()] = to(&enemy, zone as u8);
        if present[side].is_empty() {
            continue;
        }
        let names: Vec<&str> =
            present[side.other()].iter().map(|&at| game.sheets[side.other()][at].name.as_str()).collect();
        if names.is_empty() {
            insights.push(
                Insight::exact(format!("{}: the enemy is not expected", called.name))
                    .line("If nobody comes, what can hold takes the zone."),
            );
            continue;
        }
        let phasing = game.phasing(state, zone);
        let mut units = state.units.clone();
        for side in Side::BOTH {
            for &at in &present[side] {
                units[side][at].place = Place::Ready;
            }
        }
        let battle = Battle::new(phasing, &units, &present);
        let ground = game.waters(zone, phasing);
        for action in Action::BOTH {
            let title = format!("{}, after one {action} Action in which both sides attack sensibly", called.name);
            insights.push(
                next_round(&ground, &battle, action, 1, title)?
                    .line(format!("Supposed to come: {}.", names.join(", "))),
            );
        }
    }
    Ok(insights)
}
