//! The odds a player wants at the moment of choice, all of them exact.

use crate::attack::{Engagement, Named, Order};
use crate::battle::{Battle, Fighter, Ground, counter};
use crate::campaign;
use crate::choices::{Attacks, Declare, OnOrOff, StayOrGo};
use crate::day_night::Action;
use crate::faction::{ByRole, Role};
use crate::game::{Schiffskrieg, State};
use crate::odds::{how_many, taken};
use crate::points::loss;
use crate::resolution::{BattleOutcome, outcome, strength};
use crate::results::{BoxName, Destination, Fate, Taken, fate};
use crate::scenario::Fight;
use crate::thinking::{allocate, convoys};
use crate::wishes::fought;
use flagplot_kernel::{BySide, Insight, SeatQuestion, Side};
use flagplot_odds::{Budget, Dist, OddsError};
use serde_json::Value;

/// What the asked seat may want to know, from the open position.
pub(crate) fn explain(
    game: &Schiffskrieg,
    state: &State,
    question: &SeatQuestion,
    value: Option<&Value>,
) -> Vec<Insight> {
    let insights = match (game, state) {
        (Schiffskrieg::Scenario(game), State::Scenario(state)) if state.fight.is_none() => {
            game.battle_ahead(state).map_or(Ok(Vec::new()), |battle| stage(&game.ground(state), &battle))
        }
        (Schiffskrieg::Scenario(game), State::Scenario(state)) => {
            fight(&game.ground(state), state.fight.as_ref(), question, value)
        }
        (Schiffskrieg::Campaign(game), State::Campaign(state)) if state.fight.is_none() => {
            campaign::explain::explain(game, state, question, value)
        }
        (Schiffskrieg::Campaign(game), State::Campaign(state)) => {
            fight(&game.ground(state), state.fight.as_ref(), question, value)
        }
        (Schiffskrieg::Custom(game), State::Custom(state)) if !state.picked => {
            Ok(game.explain(question.seat.side(), value))
        }
        (Schiffskrieg::Custom(game), State::Custom(state)) => {
            fight(&game.battle.ground(&state.battle), state.battle.fight.as_ref(), question, value)
        }
        _ => Ok(Vec::new()),
    };
    insights.unwrap_or_else(|error| {
        vec![Insight { title: "No odds".into(), basis: error.to_string(), chances: Vec::new(), lines: Vec::new() }]
    })
}

/// At a decision of a battle or a Base Attack.
fn fight(
    ground: &Ground<'_>,
    fight: Option<&Fight>,
    question: &SeatQuestion,
    value: Option<&Value>,
) -> Result<Vec<Insight>, OddsError> {
    let side = question.seat.side();
    match fight {
        Some(Fight::Battle(battle)) => match question.prompt.code {
            "wish" => wish(ground, battle, side),
            "declare-attacks" => {
                attacks(&Declare::new(ground, &battle.line, side, battle.engagement(), battle.round), value)
            }
            "retreat" => retreat(ground, battle, side, value),
            _ => Ok(Vec::new()),
        },
        Some(Fight::Raid(raid)) => match question.prompt.code {
            "declare-attacks" => attacks(&raid.declare(ground, side), value),
            "another-round" if value.is_none_or(|value| *value == serde_json::json!(OnOrOff::AnotherRound)) => {
                let next = crate::raid::Raid { round: raid.round + 1, ..raid.clone() };
                let declare = next.declare(ground, side);
                let mut insights = outlook(
                    &declare,
                    &allocate(&declare).orders,
                    "If you fly on, with the attacks of a sensible player",
                )?;
                if !next.surprised() {
                    let theirs = next.declare(ground, side.other());
                    insights.extend(outlook(
                        &theirs,
                        &allocate(&theirs).orders,
                        "What the base may do to the raiders",
                    )?);
                }
                Ok(insights)
            }
            _ => Ok(Vec::new()),
        },
        None => Ok(Vec::new()),
    }
}

/// At the decision to sail: who would hold the hex after one round of either kind.
fn stage(ground: &Ground<'_>, battle: &Battle) -> Result<Vec<Insight>, OddsError> {
    Action::BOTH
        .into_iter()
        .map(|action| {
            next_round(
                ground,
                battle,
                action,
                1,
                format!("If you sail, after one {action} Action in which both sides attack sensibly"),
            )
        })
        .collect()
}

/// Who gets what: the two-by-two table of wishes.
fn wish(ground: &Ground<'_>, battle: &Battle, side: Side) -> Result<Vec<Insight>, OddsError> {
    let mut insights = Vec::new();
    for own in Action::BOTH {
        for theirs in Action::BOTH {
            let by_side = |which: Side| if which == side { own } else { theirs };
            let wishes = ByRole::new_with(|role| by_side(role.side(battle.phasing)));
            let dist = fought(ground, wishes)?;
            let mut insight = Insight::exact(format!("You wish for {own}, the enemy for {theirs}"));
            for action in Action::BOTH {
                insight = insight.chance(format!("{action} Action"), dist.chance(&action).to_string());
            }
            insights.push(insight);
        }
    }
    for action in Action::BOTH {
        let exchange = |which: Side| -> Result<String, OddsError> {
            let declare = battle.declare(ground, Role::of(which, battle.phasing), action);
            Ok(expected_points(&declare, &allocate(&declare).orders)?.to_string())
        };
        insights.push(
            Insight::exact(format!(
                "Expected points by {}, both sides attacking sensibly",
                action.to_string().to_lowercase()
            ))
            .line(format!("You would gain {}.", decimal(&exchange(side)?)))
            .line(format!("You would lose {}.", decimal(&exchange(side.other())?))),
        );
    }
    Ok(insights)
}

fn decimal(fraction: &str) -> String {
    flagplot_odds::Fraction::parse(fraction).map_or_else(String::new, |fraction| {
        let hundredths: u128 = (fraction.numerator() * 100u8 / fraction.denominator()).try_into().unwrap_or(0);
        format!("{}.{:02}", hundredths / 100, hundredths % 100)
    })
}

fn attacks(declare: &Declare<'_>, value: Option<&Value>) -> Result<Vec<Insight>, OddsError> {
    let named: Option<Vec<Named>> = value.and_then(|value| serde_json::from_value(value.clone()).ok());
    let (orders, title) = match named {
        Some(named) => (declare.orders(Attacks::Named(named)), "These attacks"),
        None => (allocate(declare).orders, "The attacks of a sensible player"),
    };
    let mut insights = outlook(declare, &orders, title)?;
    insights.extend(last_added(declare, &orders)?);
    if declare.engagement != Engagement::BaseAttack {
        insights.extend(own_losses(declare)?);
    }
    Ok(insights)
}

/// What the attack named last changes for its target.
fn last_added(declare: &Declare<'_>, orders: &[Order]) -> Result<Option<Insight>, OddsError> {
    let Some((last, before)) = orders.split_last() else { return Ok(None) };
    let at = usize::from(last.target);
    let fate_of = |orders: &[Order]| Ok(fates(declare, orders)?.swap_remove(at).2);
    let (without, with): (Dist<Fate>, Dist<Fate>) = (fate_of(before)?, fate_of(orders)?);
    let unit = declare.enemy(at);
    let mut insight = Insight::exact(format!(
        "{} at {}: what this attack adds",
        declare.own(usize::from(last.attacker)).sheet.name,
        unit.sheet.name
    ));
    for &name in BoxName::ALL {
        let (less, more) =
            (without.chance_of(|fate| fate.box_name == name), with.chance_of(|fate| fate.box_name == name));
        if less != more {
            insight = insight.line(format!("{}: {} before, {} with it.", name.title(), percent(&less), percent(&more)));
        }
    }
    let points = |dist: &Dist<Fate>| dist.expect(|fate| gain(declare, at, fate));
    Ok(Some(insight.line(format!(
        "Expected points: {} before, {} with it.",
        decimal(&points(&without).to_string()),
        decimal(&points(&with).to_string())
    ))))
}

/// What becomes of one's own units in this round: what is known already, or what a sensible enemy who attacks later does.
fn own_losses(declare: &Declare<'_>) -> Result<Vec<Insight>, OddsError> {
    let theirs = Declare::new(declare.ground, declare.line, declare.side.other(), declare.engagement, declare.round);
    let done = declare.line[declare.side].iter().any(|fighter| fighter.taken != Taken::default());
    let (orders, title) = if done {
        (Vec::new(), "Your own units, as the enemy's attacks have left them")
    } else {
        (allocate(&theirs).orders, "Your own units, if the enemy has yet to attack and does so sensibly")
    };
    outlook(&theirs, &orders, title)
}

/// What becomes of every enemy unit at which these attacks are aimed, what it has taken already counted in.
fn fates(declare: &Declare<'_>, orders: &[Order]) -> Result<Vec<(usize, u32, Dist<Fate>)>, OddsError> {
    let enemy = declare.side.other();
    (0..declare.targets())
        .map(|at| {
            let dice = orders
                .iter()
                .filter(|order| usize::from(order.target) == at)
                .map(|order| declare.dice(usize::from(order.attacker), order.factor, at))
                .sum();
            let Fighter { taken: before, noted, .. } = declare.line[enemy][at];
            let unit = declare.enemy(at);
            let dist = taken(declare.ground.rules, dice, crate::attack::FOR_THE_BOX, Budget::default())?.map(|more| {
                // In a Base Attack what was noted in an earlier round counts in the end.
                let disabled = before.disabled || more.disabled || noted;
                fate(unit, Taken { damage_points: before.damage_points + more.damage_points, disabled })
            });
            Ok((at, dice, dist))
        })
        .collect()
}

/// What a fate of an enemy unit adds to the points: half of it is counted already for one that was damaged earlier in the game.
fn gain(declare: &Declare<'_>, at: usize, fate: &Fate) -> u64 {
    let (enemy, unit) = (declare.side.other(), declare.enemy(at));
    let started = declare.ground.started_damaged[enemy][usize::from(declare.line[enemy][at].unit)];
    let all = loss(unit.sheet, started, fate.box_name == BoxName::SunkDestroyed, fate.damaged);
    u64::from(all.saturating_sub(loss(unit.sheet, started, false, unit.damaged)))
}

pub(crate) fn expected_points(declare: &Declare<'_>, orders: &[Order]) -> Result<flagplot_odds::Fraction, OddsError> {
    let mut sum = flagplot_odds::Fraction::zero();
    for (at, _, dist) in fates(declare, orders)? {
        sum = sum.plus(&dist.expect(|fate| gain(declare, at, fate)));
    }
    Ok(sum)
}

/// The five boxes for each target, how many are sunk, and what that is worth.
fn outlook(declare: &Declare<'_>, orders: &[Order], title: &str) -> Result<Vec<Insight>, OddsError> {
    let fates = fates(declare, orders)?;
    let mut insights = Vec::new();
    let points = expected_points(declare, orders)?;
    let all: Vec<Dist<Fate>> = fates.iter().map(|(_, _, dist)| dist.clone()).collect();
    let sunk = how_many(&all, |fate| fate.box_name == BoxName::SunkDestroyed);
    let mut summary = Insight::exact(format!("{title}: units sunk or destroyed"))
        .line(format!("Expected points from losses: {}.", decimal(&points.to_string())));
    for n in 0..=declare.targets() as u32 {
        let chance = sunk.chance(&n);
        if chance != flagplot_odds::Fraction::zero() {
            summary = summary.chance(n.to_string(), chance.to_string());
        }
    }
    let empty = all.iter().fold(flagplot_odds::Fraction::one(), |product, dist| {
        product.times(&dist.chance_of(|fate| fate.destination != Destination::LineOfBattle))
    });
    if empty != flagplot_odds::Fraction::zero() {
        summary = summary.line(format!("Chance that their whole line is out of it afterwards: {}.", percent(&empty)));
    }
    insights.push(summary);
    for (at, dice, dist) in fates {
        let before = declare.line[declare.side.other()][at].taken;
        if dice == 0 && before == Taken::default() {
            continue;
        }
        let unit = declare.enemy(at);
        let how = if dice == 0 { "as it stands".to_owned() } else { format!("{dice} dice") };
        let mut insight = Insight::exact(format!("{}, {how}", unit.sheet.name));
        for &name in BoxName::ALL {
            let chance = dist.chance_of(|fate| fate.box_name == name);
            if chance != flagplot_odds::Fraction::zero() {
                insight = insight.chance(name.title(), chance.to_string());
            }
        }
        let most = before.damage_points + 6 * dice;
        let damages = |factor: u8| u32::from(factor) <= most;
        if dice > 0 && before.damage_points >= u32::from(unit.up().defense) {
            insight = insight.line("It is bound for the Sunk/Destroyed Box already: these dice change nothing.");
        } else if dice > 0 && !damages(unit.up().defense) {
            let only = unit.sheet.kind.is_ship() && !unit.damage_factor().is_some_and(damages);
            insight = insight.line(if only { "These dice can only disable it." } else { "These dice cannot sink it." });
        }
        insights.push(insight);
    }
    Ok(insights)
}

fn percent(fraction: &flagplot_odds::Fraction) -> String {
    let tenths: u128 = (fraction.numerator() * 1000u16 / fraction.denominator()).try_into().unwrap_or(0);
    format!("{}.{}%", tenths / 10, tenths % 10)
}

/// Staying under either action, against leaving.
fn retreat(ground: &Ground<'_>, battle: &Battle, side: Side, value: Option<&Value>) -> Result<Vec<Insight>, OddsError> {
    let role = Role::of(side, battle.phasing);
    let mut insights = Vec::new();
    if value.is_none_or(|value| *value == serde_json::json!(StayOrGo::Retreat)) {
        let left = ByRole::new_with(|which| if which == role { 0 } else { battle.strength(ground, which) });
        let word = BattleOutcome::WORDS[outcome(ground.rules, left) as usize];
        let mut insight = Insight::exact("If you retreat")
            .line(format!("The battle ends in {word}; your {} units in line are safe.", battle.line[side].len()));
        if ground.hold_scores > 0 && outcome(ground.rules, left).holder().is_some() {
            insight = insight.line(format!(
                "{} gets {} points for holding the hex.",
                ground.names[side.other()],
                ground.hold_scores
            ));
        }
        let convoys = convoys(ground, battle, side);
        if convoys > 0 {
            insight = insight.line(format!("Your convoys do not come through, which gives up their {convoys} points."));
        }
        insights.push(insight);
    }
    if value.is_none_or(|value| *value == serde_json::json!(StayOrGo::Stay)) {
        for action in Action::BOTH {
            let title = format!("If both stay and it is a {action} Action, both sides attacking sensibly");
            insights.push(next_round(ground, battle, action, battle.round + 1, title)?);
            let declare = Declare::new(ground, &battle.line, side, Engagement::from(action), battle.round + 1);
            let theirs = Declare::new(ground, &battle.line, side.other(), Engagement::from(action), battle.round + 1);
            let (gain, lose) = (
                expected_points(&declare, &allocate(&declare).orders)?,
                expected_points(&theirs, &allocate(&theirs).orders)?,
            );
            if let Some(insight) = insights.last_mut() {
                if ground.hold_scores > 0 {
                    insight.lines.push(format!("Holding the hex gives {} points.", ground.hold_scores));
                }
                insight.lines.push(format!(
                    "Expected points from losses: you gain {}, you lose {}.",
                    decimal(&gain.to_string()),
                    decimal(&lose.to_string())
                ));
            }
        }
    }
    Ok(insights)
}

/// Who holds the hex after one more round of this kind in which both sides attack sensibly.
pub(crate) fn next_round(
    ground: &Ground<'_>,
    battle: &Battle,
    action: Action,
    round: u8,
    title: String,
) -> Result<Insight, OddsError> {
    let outcomes = holders(ground, battle, action, round)?;
    let mut insight = Insight::exact(title);
    for end in [BattleOutcome::Success, BattleOutcome::Repulsion, BattleOutcome::Stalemate] {
        let who = end.holder().map_or("nobody holds the hex".to_owned(), |role| {
            format!("{} holds it", ground.names[role.side(battle.phasing)])
        });
        insight =
            insight.chance(format!("{}: {who}", BattleOutcome::WORDS[end as usize]), outcomes.chance(&end).to_string());
    }
    Ok(insight)
}

/// How the battle would end after one more round of this kind in which both sides attack sensibly.
pub(crate) fn holders(
    ground: &Ground<'_>,
    battle: &Battle,
    action: Action,
    round: u8,
) -> Result<Dist<BattleOutcome>, OddsError> {
    let strengths = |side: Side| -> Result<Dist<u32>, OddsError> {
        let declare = Declare::new(ground, &battle.line, side.other(), Engagement::from(action), round);
        let fates = fates(&declare, &allocate(&declare).orders)?;
        Ok(fates.into_iter().fold(Dist::certain(0), |sum, (at, _, dist)| {
            let fighter: &Fighter = &battle.line[side][at];
            let one = dist.map(|fate| {
                let mut unit = counter(ground.sheets, side, fighter);
                unit.damaged = fate.damaged;
                if fate.in_line() { strength(unit) } else { 0 }
            });
            sum.with(&one, |a, b| a + b)
        }))
    };
    let both = BySide { first: strengths(Side::First)?, second: strengths(Side::Second)? };
    Ok(both.first.with(&both.second, |&first, &second| {
        let by_side = BySide { first, second };
        outcome(ground.rules, ByRole::new_with(|role| by_side[role.side(battle.phasing)]))
    }))
}
