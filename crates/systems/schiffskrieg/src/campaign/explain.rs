//! The odds a player wants at the decisions of a campaign.

use super::choices::{Orders, Refit, Repairs, Sail};
use super::{CampaignGame, CampaignState, Command, Goal, thinking};
use crate::battle::{Battle, Place};
use crate::day_night::Action;
use crate::delay::{self, Waiting};
use crate::explain::{next_round, percent, possible};
use flagplot_kernel::{BySide, Decision, Insight, SeatQuestion, Side};
use flagplot_odds::{Budget, Fraction, OddsError, enumerate};
use serde_json::Value;

pub fn explain(
    game: &CampaignGame,
    state: &CampaignState,
    question: &SeatQuestion,
    value: Option<&Value>,
) -> Result<Vec<Insight>, OddsError> {
    let command = Command { campaign: game, state, side: question.seat.side() };
    match question.prompt.code {
        "refit" => Refit(command).ships().map(|at| returns(command, at, delay::Choice::Repair)).collect(),
        "repairs" => {
            let ships = Repairs(command).ships().collect::<Vec<_>>();
            let both = ships.into_iter().flat_map(|at| delay::Choice::ALL.iter().map(move |choice| (at, *choice)));
            both.map(|(at, choice)| returns(command, at, choice)).collect()
        }
        "orders" => orders(command, value),
        _ => Ok(Vec::new()),
    }
}

fn returns(command: Command<'_>, at: usize, choice: delay::Choice) -> Result<Insight, OddsError> {
    let Command { campaign: game, state, .. } = command;
    let sheet = command.sheet(at);
    let drm = command.faction().delay_drm;
    let waiting = Waiting { id: sheet.id, choice: Some(choice) };
    let due = enumerate(Budget::default(), |ask| {
        Ok(delay::roll(&game.rules, waiting, sheet.name.as_str(), i64::from(state.turn), drm, ask)?.turn)
    })?;
    let last = i64::from(game.last_turn());
    let mut insight = Insight::exact(format!("{}, {}: the turn it comes back", sheet.name, choice.title()));
    for turn in i64::from(state.turn) + 1..=last {
        let chance = due.chance(&turn);
        if chance != Fraction::zero() {
            insight = possible(insight, format!("turn {turn}"), chance)
                .line(format!("Back by turn {turn}: {}.", percent(&due.chance_of(|back| *back <= turn))));
        }
    }
    Ok(possible(insight, "not before the end", due.chance_of(|back| *back > last)))
}

/// For each zone with own units: who holds it against the stack the enemy is expected to send.
fn orders(command: Command<'_>, value: Option<&Value>) -> Result<Vec<Insight>, OddsError> {
    let Command { campaign: game, state, side } = command;
    let choice = Orders(command);
    let given: Option<Vec<Sail>> =
        value.and_then(|value| serde_json::from_value(value.clone()).ok()).filter(|given| choice.check(given).is_ok());
    let suggested = |side: Side| {
        let best = thinking::best(Command { side, ..command }, 1).pop();
        best.map_or_else(Vec::new, |(_, goals)| goals)
    };
    let own = given.map_or_else(|| suggested(side), |given| choice.goals(&given));
    let enemy = suggested(side.other());
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
                    .line("If no enemy comes, a force that can hold takes the zone."),
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
            insights.push(
                next_round(&ground, &battle, action, 1, &called.name)?.line(format!("Expected: {}.", names.join(", "))),
            );
        }
    }
    Ok(insights)
}
