//! The odds a player wants at the moment of choice, all of them exact.

use crate::attack::{Engagement, FOR_THE_BOX, Named, Order};
use crate::battle::{Battle, Fighter, Ground, counter};
use crate::campaign;
use crate::choices::{Attacks, Declare, OnOrOff, StayOrGo, dice as dice_of, points};
use crate::day_night::Action;
use crate::faction::{ByRole, Role};
use crate::game::{Schiffskrieg, State};
use crate::odds::{how_many, taken};
use crate::points::loss;
use crate::raid::Raid;
use crate::resolution::{BattleOutcome, outcome, strength};
use crate::results::{BoxName, Fate, Taken, fate};
use crate::scenario::Fight;
use crate::thinking::{allocate, convoys};
use crate::wishes::fought;
use flagplot_kernel::{BySide, Insight, SeatQuestion, Side};
use flagplot_odds::{Budget, Dist, Fraction, OddsError};
use serde_json::{Value, json};

pub fn explain(game: &Schiffskrieg, state: &State, question: &SeatQuestion, value: Option<&Value>) -> Vec<Insight> {
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
    insights.unwrap_or_else(|error| vec![Insight::with_basis("No odds", error.to_string())])
}

fn fight(
    ground: &Ground<'_>,
    fight: Option<&Fight>,
    question: &SeatQuestion,
    value: Option<&Value>,
) -> Result<Vec<Insight>, OddsError> {
    let side = question.seat.side();
    match (fight, question.prompt.code) {
        (Some(Fight::Battle(battle)), "wish") => wish(ground, battle, side),
        (Some(Fight::Battle(battle)), "declare-attacks") => {
            attacks(&Declare::new(ground, &battle.line, side, battle.engagement(), battle.round), value)
        }
        (Some(Fight::Battle(battle)), "retreat") => retreat(ground, battle, side, value),
        (Some(Fight::Raid(raid)), "declare-attacks") => attacks(&raid.declare(ground, side), value),
        (Some(Fight::Raid(raid)), "another-round") if about(value, OnOrOff::AnotherRound) => {
            let next = Raid { round: raid.round + 1, ..raid.clone() };
            let declare = next.declare(ground, side);
            let mut insights =
                outlook(&declare, &allocate(&declare).orders, "If you fly on, with the suggested attacks")?;
            if !next.surprised() {
                let theirs = next.declare(ground, side.other());
                insights.extend(outlook(&theirs, &allocate(&theirs).orders, "What the base may do to the raiders")?);
            }
            Ok(insights)
        }
        _ => Ok(Vec::new()),
    }
}

/// Whether a player looks at this answer, or at none in particular.
fn about(value: Option<&Value>, answer: impl serde::Serialize) -> bool {
    value.is_none_or(|value| *value == json!(answer))
}

/// At the decision to sail: who would hold the hex after one round of either kind.
fn stage(ground: &Ground<'_>, battle: &Battle) -> Result<Vec<Insight>, OddsError> {
    let each = Action::BOTH.into_iter().map(|action| next_round(ground, battle, action, 1, "If you sail"));
    each.collect()
}

/// The two-by-two table of wishes, and what either action is worth.
fn wish(ground: &Ground<'_>, battle: &Battle, side: Side) -> Result<Vec<Insight>, OddsError> {
    let mut insights = Vec::new();
    for own in Action::BOTH {
        for theirs in Action::BOTH {
            let by_side = |which: Side| if which == side { own } else { theirs };
            let dist = fought(ground, ByRole::new_with(|role| by_side(role.side(battle.phasing))))?;
            let title = format!("You wish for {}, the enemy for {}", own.title(), theirs.title());
            insights.push(Action::BOTH.into_iter().fold(Insight::exact(title), |insight, action| {
                insight.chance(format!("{} Action", action.title()), dist.chance(&action).to_string())
            }));
        }
    }
    for action in Action::BOTH {
        let exchange = |which: Side| suggested(&battle.declare(ground, Role::of(which, battle.phasing), action));
        insights.push(
            Insight::exact(format!("Expected points by {action}, with the suggested attacks on both sides"))
                .line(format!("You would gain {}.", decimal(&exchange(side)?)))
                .line(format!("You would lose {}.", decimal(&exchange(side.other())?))),
        );
    }
    Ok(insights)
}

fn decimal(fraction: &Fraction) -> String {
    let hundredths: u128 = (fraction.numerator() * 100u8 / fraction.denominator()).try_into().unwrap_or(0);
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

pub fn percent(fraction: &Fraction) -> String {
    let tenths: u128 = (fraction.numerator() * 1000u16 / fraction.denominator()).try_into().unwrap_or(0);
    format!("{}.{}%", tenths / 10, tenths % 10)
}

fn attacks(declare: &Declare<'_>, value: Option<&Value>) -> Result<Vec<Insight>, OddsError> {
    let named: Option<Vec<Named>> = value.and_then(|value| serde_json::from_value(value.clone()).ok());
    let (orders, title) = match named {
        Some(named) => (declare.orders(Attacks::Named(named)), "These attacks"),
        None => (allocate(declare).orders, "Suggested attacks"),
    };
    let mut insights = outlook(declare, &orders, title)?;
    insights.extend(last_added(declare, &orders)?);
    if declare.engagement != Engagement::BaseAttack {
        insights.extend(own_losses(declare)?);
    }
    Ok(insights)
}

fn last_added(declare: &Declare<'_>, orders: &[Order]) -> Result<Option<Insight>, OddsError> {
    let Some((last, before)) = orders.split_last() else { return Ok(None) };
    let at = usize::from(last.target);
    let fate_of = |orders: &[Order]| Ok(fates(declare, orders)?.swap_remove(at).1);
    let (without, with): (Dist<Fate>, Dist<Fate>) = (fate_of(before)?, fate_of(orders)?);
    let (attacker, target) = (declare.own(usize::from(last.attacker)).sheet.name, declare.enemy(at).sheet.name);
    let mut insight = Insight::exact(format!("{attacker} at {target}: what this attack adds"));
    for &name in BoxName::ALL {
        let [less, more] = [&without, &with].map(|dist| dist.chance_of(|fate| fate.box_name == name));
        if less != more {
            insight = insight.line(format!("{}: {} before, {} with it.", name.title(), percent(&less), percent(&more)));
        }
    }
    let [less, more] = [&without, &with].map(|dist| decimal(&dist.expect(|fate| gain(declare, at, fate))));
    Ok(Some(insight.line(format!("Expected points: {less} before, {more} with it."))))
}

/// Own units in this round: as the enemy's attacks have left them, or as its suggested attacks would.
fn own_losses(declare: &Declare<'_>) -> Result<Vec<Insight>, OddsError> {
    let theirs = Declare::new(declare.ground, declare.line, declare.side.other(), declare.engagement, declare.round);
    match declare.line[declare.side].iter().any(|fighter| fighter.taken != Taken::default()) {
        true => outlook(&theirs, &[], "Your own units after the enemy's attacks"),
        false => outlook(&theirs, &allocate(&theirs).orders, "Your own units, if the enemy attacks as suggested"),
    }
}

/// The dice at every enemy unit and what becomes of it, what it has taken already counted in.
fn fates(declare: &Declare<'_>, orders: &[Order]) -> Result<Vec<(u32, Dist<Fate>)>, OddsError> {
    let each = (0..declare.targets()).map(|at| {
        let attacks = orders.iter().filter(|order| usize::from(order.target) == at);
        let dice = attacks.map(|order| declare.dice(order)).sum();
        // In a Base Attack what was noted in an earlier round counts in the end.
        let Fighter { taken: before, noted, .. } = declare.line[declare.side.other()][at];
        let before = Taken { disabled: before.disabled || noted, ..before };
        let more = taken(declare.ground.rules, dice, FOR_THE_BOX, Budget::default())?;
        Ok((dice, more.map(|more| fate(declare.enemy(at), before.and(*more)))))
    });
    each.collect()
}

/// What a fate of an enemy unit adds to the points: for a unit damaged earlier in the game half is counted already.
fn gain(declare: &Declare<'_>, at: usize, fate: &Fate) -> u64 {
    let (enemy, unit) = (declare.side.other(), declare.enemy(at));
    let started = declare.ground.started_damaged[enemy][usize::from(declare.line[enemy][at].unit)];
    let all = loss(unit.sheet, started, fate.sunk(), fate.damaged);
    u64::from(all.saturating_sub(loss(unit.sheet, started, false, unit.damaged)))
}

fn expected_points(declare: &Declare<'_>, fates: &[(u32, Dist<Fate>)]) -> Fraction {
    let each = fates.iter().enumerate().map(|(at, (_, dist))| dist.expect(|fate| gain(declare, at, fate)));
    each.fold(Fraction::zero(), |sum, points| sum.plus(&points))
}

pub fn suggested(declare: &Declare<'_>) -> Result<Fraction, OddsError> {
    Ok(expected_points(declare, &fates(declare, &allocate(declare).orders)?))
}

/// The five boxes for each target, how many are sunk, and what that is worth.
fn outlook(declare: &Declare<'_>, orders: &[Order], title: &str) -> Result<Vec<Insight>, OddsError> {
    let fates = fates(declare, orders)?;
    let sunk = how_many(fates.iter().map(|(_, dist)| dist), Fate::sunk);
    let mut summary = Insight::exact(format!("{title}: units sunk or destroyed"))
        .line(format!("Expected points from losses: {}.", decimal(&expected_points(declare, &fates))));
    for n in 0..=declare.targets() as u32 {
        summary = possible(summary, n.to_string(), sunk.chance(&n));
    }
    let empty = fates.iter().fold(Fraction::one(), |all, (_, dist)| all.times(&dist.chance_of(|fate| !fate.in_line())));
    if empty != Fraction::zero() {
        summary = summary.line(format!("Chance that their whole line is gone afterwards: {}.", percent(&empty)));
    }
    let mut insights = vec![summary];
    for (at, (dice, dist)) in fates.into_iter().enumerate() {
        let before = declare.line[declare.side.other()][at].taken;
        if dice == 0 && before == Taken::default() {
            continue;
        }
        let unit = declare.enemy(at);
        let how = if dice == 0 { "as it stands".to_owned() } else { dice_of(dice) };
        let mut insight = Insight::exact(format!("{}, {how}", unit.sheet.name));
        for &name in BoxName::ALL {
            insight = possible(insight, name.title(), dist.chance_of(|fate| fate.box_name == name));
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

pub fn possible(insight: Insight, label: impl Into<String>, chance: Fraction) -> Insight {
    if chance == Fraction::zero() { insight } else { insight.chance(label, chance.to_string()) }
}

fn retreat(ground: &Ground<'_>, battle: &Battle, side: Side, value: Option<&Value>) -> Result<Vec<Insight>, OddsError> {
    let role = Role::of(side, battle.phasing);
    let held = points(ground.hold_scores);
    let mut insights = Vec::new();
    if about(value, StayOrGo::Retreat) {
        let left = ByRole::new_with(|which| if which == role { 0 } else { battle.strength(ground, which) });
        let outcome = outcome(ground.rules, left);
        let units = battle.line[side].len();
        let safe = if units == 1 { "unit in line is safe" } else { "units in line are safe" };
        let mut insight =
            Insight::exact("If you retreat").line(format!("The battle ends in {outcome}; your {units} {safe}."));
        if ground.hold_scores > 0 && outcome.holder().is_some() {
            insight = insight.line(format!("{} gets {held} for holding the hex.", ground.names[side.other()]));
        }
        let convoys = convoys(ground, battle, side);
        if convoys > 0 {
            let lost = format!("Your convoys do not come through, which gives up their {}.", points(convoys));
            insight = insight.line(lost);
        }
        insights.push(insight);
    }
    if about(value, StayOrGo::Stay) {
        for action in Action::BOTH {
            let round = battle.round + 1;
            let mut insight = next_round(ground, battle, action, round, "If both stay")?;
            let exchange = |side| suggested(&Declare::new(ground, &battle.line, side, action.into(), round));
            if ground.hold_scores > 0 {
                insight = insight.line(format!("Holding the hex gives {held}."));
            }
            let (gain, lose) = (decimal(&exchange(side)?), decimal(&exchange(side.other())?));
            let losses = format!("Expected points from losses: you gain {gain}, you lose {lose}.");
            insights.push(insight.line(losses));
        }
    }
    Ok(insights)
}

/// Who holds the hex after one more round of this kind with the suggested attacks on both sides.
pub fn next_round(
    ground: &Ground<'_>,
    battle: &Battle,
    action: Action,
    round: u8,
    when: &str,
) -> Result<Insight, OddsError> {
    let outcomes = holders(ground, battle, action, round)?;
    let title = format!("{when}, after one {} Action with the suggested attacks on both sides", action.title());
    Ok(BattleOutcome::ALL.iter().fold(Insight::exact(title), |insight, end| {
        let who = end.holder().map_or("neither side holds the hex".to_owned(), |role| {
            format!("{} holds it", ground.names[role.side(battle.phasing)])
        });
        insight.chance(format!("{end}: {who}"), outcomes.chance(end).to_string())
    }))
}

/// How the battle would end after one more round of this kind with the suggested attacks on both sides.
pub fn holders(
    ground: &Ground<'_>,
    battle: &Battle,
    action: Action,
    round: u8,
) -> Result<Dist<BattleOutcome>, OddsError> {
    let strengths = |side: Side| -> Result<Dist<u32>, OddsError> {
        let declare = Declare::new(ground, &battle.line, side.other(), action.into(), round);
        let fates = fates(&declare, &allocate(&declare).orders)?;
        Ok(fates.into_iter().zip(&battle.line[side]).fold(Dist::certain(0), |sum, ((_, dist), fighter)| {
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
