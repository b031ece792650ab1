//! The odds a player wants at the moment of choice, all of them exact. [12]

use super::NavalGame;
use super::air_choices::{Aims, Launch, Launches, NamedAims, Targets, Tasking, Tasks};
use super::choices::{Evade, Numbers};
use super::free::{NamedPick, Pick};
use super::gun_choices::{FireOrders, Salvo, Salvos, Withdraw};
use super::imagine::NavalView;
use super::odds::{ALL, WEIGHTS};
use super::said::Said;
use super::screens::sentence;
use super::state::{Fire, Mark, Open, Phase, Task};
use super::thinking::air::{Force, Prospect, aimed, launched, prospect, supposed_cap};
use super::thinking::{POINT, surface};
use crate::messages::counted;
use crate::search;
use flagplot_kernel::{BySide, Insight, SeatQuestion, Side};
use flagplot_odds::Fraction;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub(super) fn explain(
    game: &NavalGame,
    view: &NavalView,
    question: &SeatQuestion,
    value: Option<&Value>,
) -> Vec<Insight> {
    let (open, side) = (&view.open, question.seat.side());
    let tasks: Vec<Task> =
        view.tasks.iter().map(|task| Task { cap: task.cap.unwrap_or(0), strike: task.strike.unwrap_or(0) }).collect();
    match (question.prompt.code, open.phase) {
        ("pick", _) => pick(&Pick { game, open, side }, value),
        ("tasking", _) => tasking(&Tasking { game, open, side }, value),
        ("launch", _) => launch(&Launch { game, open, tasks: &tasks, side }, view, value),
        ("targets", _) => {
            open.flights.first().map_or(Vec::new(), |flight| targets(&Targets { game, open, flight }, value))
        }
        ("engage", _) => engage(game, open, side),
        ("evade", Phase::Evade { own, enemy, .. }) => evade(&Evade { game, open, own, enemy }),
        ("fire", Phase::Orders(pair)) => {
            game.pair(open, pair).map_or(Vec::new(), |pair| fire(&FireOrders::new(game, open, side, pair), pair, value))
        }
        ("withdraw", _) => withdraw(&Withdraw { game, open, side }),
        _ => Vec::new(),
    }
}

/// What a player looks at, by name; nothing if it cannot be read.
fn given<T: DeserializeOwned>(value: Option<&Value>) -> Option<T> {
    value.and_then(|value| serde_json::from_value(value.clone()).ok())
}

fn fraction(part: i64, whole: i64) -> Fraction {
    Fraction::new(part.max(0) as u64, whole.max(1) as u64)
}

/// The chance that it does not happen.
fn otherwise(chance: &Fraction) -> Fraction {
    Fraction::new(chance.denominator() - chance.numerator(), chance.denominator().clone())
}

/// A chance as people read it.
fn percent(part: i64, whole: i64) -> String {
    format!("{}%", (100 * part + whole / 2) / whole.max(1))
}

/// Hundredths as a number with one decimal.
fn decimal(hundredths: i64) -> String {
    let tenths = (hundredths + if hundredths < 0 { -5 } else { 5 }) / 10;
    format!("{}{}.{}", if tenths < 0 { "-" } else { "" }, tenths.abs() / 10, tenths.abs() % 10)
}

fn shown(insight: Insight, label: impl Into<String>, chance: Fraction) -> Insight {
    if chance == Fraction::zero() { insight } else { insight.chance(label, chance.to_string()) }
}

/// What two dice do to a target: how often out of 36 it is sunk and damaged, and the points in hundredths.
#[derive(Clone, Copy, Default)]
struct Odds {
    sunk: i64,
    damaged: i64,
    points: i64,
}

fn odds(game: &NavalGame, open: &Open, group: u8, mark: Mark, screened: bool, hits: impl Fn(usize) -> u32) -> Odds {
    let target = game.target(open, group, mark, screened);
    let mut odds = Odds::default();
    for (roll, weight) in WEIGHTS.iter().enumerate() {
        let harm = game.harm(open, mark, &target, hits(roll));
        odds.sunk += weight * i64::from(harm.sunk);
        odds.damaged += weight * i64::from(harm.damaged && !harm.sunk);
        odds.points += weight * harm.points * POINT;
    }
    odds.points /= ALL;
    odds
}

/// The fates of one target under one attack.
fn fates(title: String, odds: Odds, mark: Mark) -> Insight {
    let (sunk, damaged) = match mark {
        Mark::Ship(_) => ("sunk", "damaged"),
        Mark::Light => ("all sunk", "a cruiser damaged"),
    };
    let insight = shown(Insight::exact(title), sunk, fraction(odds.sunk, ALL));
    let insight = shown(insight, damaged, fraction(odds.damaged, ALL));
    let insight = shown(insight, "neither", fraction(ALL - odds.sunk - odds.damaged, ALL));
    insight.line(format!("Expected points: {}.", decimal(odds.points)))
}

fn targets(choice: &Targets<'_>, value: Option<&Value>) -> Vec<Insight> {
    let Targets { game, open, flight } = *choice;
    let read = given::<NamedAims>(value).and_then(|named| choice.read(&Said::Named(named)).ok());
    let title = if read.is_some() { "These targets" } else { "Suggested targets" };
    let Aims(aims) = read.unwrap_or_else(|| aimed(choice));
    let mut aiming = flight.clone();
    aiming.aims = aims;
    let mut insights = Vec::new();
    let mut points = 0;
    for (&(mark, count), squadrons) in aiming.aims.iter().zip(game.filled(open, &aiming)) {
        let force = Force::new(game, squadrons.iter().copied());
        let modifier = game.strike_modifier(open, flight, mark, force);
        let odds = odds(game, open, flight.target, mark, false, |roll| game.glance.air(count.into(), roll, modifier));
        points += odds.points;
        let name = sentence(game.mark_name(mark));
        insights.push(fates(format!("{name}, {}", counted(count.into(), "squadron")), odds, mark));
    }
    let summary = Insight::exact(title).line(format!("Expected points of the strike: {}.", decimal(points)));
    insights.insert(0, summary);
    insights.push(by_squadrons(choice));
    insights
}

/// Every target under every number of squadrons.
fn by_squadrons(choice: &Targets<'_>) -> Insight {
    let Targets { game, open, flight } = *choice;
    let groups = flight.force.iter().map(|&(wing, count)| game.squadrons(open, wing, count));
    let force = Force::new(game, groups);
    let mut insight = Insight::exact("Chances to sink (and to damage) by squadrons");
    for mark in choice.marks() {
        let modifier = game.strike_modifier(open, flight, mark, force);
        let each = (1..=force.count.min(12)).map(|count| {
            let odds = odds(game, open, flight.target, mark, false, |roll| game.glance.air(count, roll, modifier));
            format!("{count}: {} ({})", percent(odds.sunk, ALL), percent(odds.damaged, ALL))
        });
        let each: Vec<String> = each.collect();
        insight = insight.line(format!("{}: {}", sentence(game.mark_name(mark)), each.join(", ")));
    }
    insight
}

fn fire(choice: &FireOrders<'_>, pair: BySide<u8>, value: Option<&Value>) -> Vec<Insight> {
    let FireOrders { game, open, side, enemy, screened, .. } = *choice;
    let read = given::<Vec<Salvo>>(value).and_then(|named| choice.read(&Said::Named(named)).ok());
    let title = if read.is_some() { "These orders" } else { "Suggested fire" };
    let Salvos(salvos) = read.unwrap_or_else(|| surface::aimed(choice));
    let mut orders: Vec<Fire> = Vec::new();
    for (gun, target) in salvos {
        match orders.iter_mut().find(|order| order.target == target) {
            Some(order) => order.guns.push(gun),
            None => orders.push(Fire { side, target, guns: vec![gun], hits: 0 }),
        }
    }
    let mut insights = Vec::new();
    let mut points = 0;
    for order in &orders {
        let (factors, modifier) = game.fire_modifier(open, pair, order);
        let odds = odds(game, open, enemy, order.target, screened, |roll| game.glance.fleet(factors, roll, modifier));
        points += odds.points;
        let name = sentence(game.mark_name(order.target));
        insights.push(fates(format!("{name}, {}", counted(factors, "fleet factor")), odds, order.target));
    }
    let theirs = surface::exchange(game, open, pair)[side.other()];
    insights.insert(
        0,
        Insight::exact(title)
            .line(format!("Expected points of your fire: {}.", decimal(points)))
            .line(format!("The enemy's best fire can expect {}.", decimal(theirs))),
    );
    let mut table = Insight::exact("Chances to sink (and to damage) by fleet factors");
    let all = Fire { side, target: Mark::Light, guns: choice.guns().collect(), hits: 0 };
    let most: u32 = all.guns.iter().map(|gun| game.firers(open, choice.own, *gun).factors).sum();
    for mark in choice.marks() {
        let (_, modifier) = game.fire_modifier(open, pair, &Fire { target: mark, ..all.clone() });
        let rows = [1, 2, 3, 4, 6, 9, 12, 15, 18, 21, 24, 27, 30].into_iter().filter(|factors| *factors <= most);
        let each = rows.map(|factors| {
            let odds = odds(game, open, enemy, mark, screened, |roll| game.glance.fleet(factors, roll, modifier));
            format!("{factors}: {} ({})", percent(odds.sunk, ALL), percent(odds.damaged, ALL))
        });
        table = table.line(format!("{}: {}", sentence(game.mark_name(mark)), each.collect::<Vec<_>>().join(", ")));
    }
    insights.push(table);
    insights
}

/// What a strike comes to, with the suggested targets for those who get through.
fn strike(title: String, prospect: &Prospect<'_>) -> Insight {
    let Prospect { game, open, target, .. } = *prospect;
    let sights = prospect.sights();
    let (mut none, mut mean) = (0, 0);
    let whole = ALL * ALL;
    let mut sinks = Fraction::zero();
    let mut harms = Fraction::zero();
    for (left, _, weight) in prospect.arrivals() {
        if left == 0 {
            none += weight;
            continue;
        }
        mean += weight * i64::from(left);
        let (mut afloat, mut unharmed) = (Fraction::one(), Fraction::one());
        for (mark, count) in sights.share(left).0 {
            if let Mark::Ship(_) = mark {
                let modifier = prospect.modifier(mark);
                let odds = odds(game, open, target, mark, false, |roll| game.glance.air(count.into(), roll, modifier));
                afloat = afloat.times(&fraction(ALL - odds.sunk, ALL));
                unharmed = unharmed.times(&fraction(ALL - odds.sunk - odds.damaged, ALL));
            }
        }
        let share = fraction(weight, whole);
        sinks = sinks.plus(&share.times(&otherwise(&afloat)));
        harms = harms.plus(&share.times(&otherwise(&unharmed)));
    }
    let insight = shown(Insight::exact(title), "no squadron gets through", fraction(none, whole));
    let insight = shown(insight, "sinks a named ship", sinks);
    shown(insight, "damages or sinks a named ship", harms)
        .line(format!("Squadrons that get through, on average: {}.", decimal(mean * 100 / whole)))
        .line(format!("Expected gain, own losses counted: {}.", decimal(prospect.gain())))
}

/// A strike against each of the patrols it may meet.
fn against_patrols(
    game: &NavalGame,
    open: &Open,
    side: Side,
    target: u8,
    force: Force,
    known: Option<&NavalView>,
) -> Vec<Insight> {
    let name = game.group_name(target);
    let count = counted(force.count, "squadron");
    let wings: Vec<u8> = game.wings_at(open, super::Home::Group(target)).map(|(at, _)| at).collect();
    let cap = |wing: u8| known.and_then(|view| view.tasks[usize::from(wing)].cap);
    if wings.iter().all(|wing| known.is_some() && cap(*wing).is_some()) {
        let flies = |wing: u8| cap(wing).unwrap_or(0);
        return vec![strike(format!("{count} against {name}"), &prospect(game, open, side, target, force, &flies))];
    }
    let limit = |wing: u8| game.rules.naval.cap.limit(open.wings[usize::from(wing)].count.into()) as u8;
    let plans: [(&str, &dyn Fn(u8) -> u8); 3] = [
        ("no CAP", &|_| 0),
        ("a quarter on CAP", &|wing| supposed_cap(open, wing)),
        ("as much CAP as may fly", &limit),
    ];
    plans
        .into_iter()
        .map(|(what, cap)| {
            strike(format!("{count} against {name}, if it has {what}"), &prospect(game, open, side, target, force, cap))
        })
        .collect()
}

fn tasking(choice: &Tasking<'_>, value: Option<&Value>) -> Vec<Insight> {
    let Tasking { game, open, side } = *choice;
    let read = given::<Numbers>(value).and_then(|named| choice.read(&Said::Named(named)).ok());
    let Tasks(tasks) = read.unwrap_or_else(|| choice.quarter(choice.keeps_one()));
    let mut insights = Vec::new();
    if game.scenario.contact == crate::scenarios::Contact::Search {
        let data = &game.rules.naval.search;
        let plain: i32 = game.search_modifiers(open, side).iter().map(|part| part.1).sum();
        let groups = game.present_of(open, side.other()).count() as u32;
        for (with, more) in [("with a squadron in reserve", data.modifier_search_air), ("without a reserve", 0)] {
            let mut insight = Insight::exact(format!("Groups found {with}"));
            for found in 0..=groups {
                let dice = WEIGHTS.iter().enumerate();
                let ways =
                    dice.filter(|(roll, _)| search::found(data, *roll as i32 + 2 + plain + more, groups) == found);
                insight = shown(insight, found.to_string(), fraction(ways.map(|(_, weight)| weight).sum(), ALL));
            }
            insights.push(insight);
        }
    }
    let groups: Vec<_> = tasks.iter().map(|(wing, task)| game.squadrons(open, *wing, task.strike)).collect();
    let force = Force::new(game, groups.iter().copied());
    if force.count > 0 {
        for target in game.present_of(open, side.other()) {
            insights.extend(against_patrols(game, open, side, target, force, None));
        }
    }
    insights
}

fn launch(choice: &Launch<'_>, view: &NavalView, value: Option<&Value>) -> Vec<Insight> {
    let Launch { game, open, side, .. } = *choice;
    let read = given::<Numbers>(value).and_then(|named| choice.read(&Said::Named(named)).ok());
    let caps = |wing: u8| view.tasks[usize::from(wing)].cap.unwrap_or_else(|| supposed_cap(open, wing));
    let Launches(launches) = read.unwrap_or_else(|| launched(choice, &caps).0);
    let mut insights = Vec::new();
    for target in choice.found() {
        let sent = launches.iter().filter(|launch| launch.1 == target);
        let groups: Vec<_> = sent.map(|(wing, _, count)| game.squadrons(open, *wing, *count)).collect();
        let force = Force::new(game, groups.iter().copied());
        if force.count > 0 {
            insights.extend(against_patrols(game, open, side, target, force, Some(view)));
        }
    }
    if insights.is_empty() {
        insights.push(Insight::exact("No strike").line("Your squadrons stay aboard."));
    }
    insights
}

/// What a round of fire between two groups may bring.
fn duel(game: &NavalGame, open: &Open, side: Side, own: u8, enemy: u8) -> Insight {
    let pair = BySide::new_with(|which| if which == side { own } else { enemy });
    let worth = surface::exchange(game, open, pair);
    Insight::exact(format!("A round of fire: {} against {}", game.group_name(own), game.group_name(enemy)))
        .line(format!("Your best fire can expect {} points.", decimal(worth[side])))
        .line(format!("The enemy's best fire can expect {} points.", decimal(worth[side.other()])))
}

/// The chance to get away.
fn escape(game: &NavalGame, open: &Open, own: u8, enemy: u8) -> Insight {
    let needed = game.escape(open, own, enemy);
    let ways = i64::from((7 - needed).clamp(0, 6));
    shown(Insight::exact(format!("{} gets away", game.group_name(own))), "yes", fraction(ways, 6))
}

fn engage(game: &NavalGame, open: &Open, side: Side) -> Vec<Insight> {
    let mut insights = Vec::new();
    for own in game.present_of(open, side).filter(|own| !open.is_engaged(*own)) {
        for enemy in game.found(open, side).into_iter().filter(|enemy| !open.is_engaged(*enemy)) {
            let away = if game.evades_freely(open, enemy, own) {
                "It can evade without a roll.".to_owned()
            } else {
                format!("It evades on {} or more.", game.escape(open, enemy, own))
            };
            insights.push(duel(game, open, side, own, enemy).line(away));
        }
    }
    insights
}

fn evade(choice: &Evade<'_>) -> Vec<Insight> {
    let Evade { game, open, own, enemy } = *choice;
    let side = game.side_of_group(own);
    let away = if game.evades_freely(open, own, enemy) {
        Insight::exact("If you evade").line("A fast group always evades a slow one.")
    } else {
        escape(game, open, own, enemy)
    };
    vec![away, duel(game, open, side, own, enemy)]
}

fn withdraw(choice: &Withdraw<'_>) -> Vec<Insight> {
    let Withdraw { game, open, side } = *choice;
    let limits = &game.facts.limits;
    let surface::Prospects { leave, stay } = surface::prospects(choice);
    let end = |score: i64| match limits.winner(score) {
        None => "a draw".to_owned(),
        Some(winner) => format!("a victory for the {}", super::SIDES[winner]),
    };
    let mut insights = vec![
        Insight::exact("If all your groups leave now")
            .line(format!("The battle would stand at {leave}: {}.", end(leave))),
    ];
    for group in choice.groups() {
        match open.opponent(group).filter(|enemy| game.present(open, *enemy)) {
            Some(enemy) => insights.push(escape(game, open, group, enemy)),
            None => insights.push(
                Insight::exact(format!("{} gets away", game.group_name(group)))
                    .line("Without a roll: it is not engaged."),
            ),
        }
    }
    let now = limits.score(game.points(open));
    let mut staying = Insight::with_basis("If you stay", "exact for a round of fire, estimated for those after it")
        .line(format!("The score is {now} now: {}.", end(now)));
    if let Some(pair) = game.pair(open, 0).filter(|pair| Side::BOTH.iter().all(|side| game.present(open, pair[*side])))
    {
        let worth = surface::exchange(game, open, pair);
        let (mine, theirs) = (decimal(worth[side]), decimal(worth[side.other()]));
        staying = staying.line(format!("The next round of fire can bring you {mine} points and the enemy {theirs}."));
    }
    let expected = stay.div_euclid(POINT);
    insights.push(staying.line(format!("At the end it may stand near {}: {}.", decimal(stay), end(expected))));
    insights
}

fn pick(choice: &Pick<'_>, value: Option<&Value>) -> Vec<Insight> {
    let Some(named) = given::<NamedPick>(value) else { return Vec::new() };
    let said = Said::Named(named);
    let mut insight = Insight::exact("This fleet");
    match choice.read(&said) {
        Ok(picked) => {
            let guns: u32 = picked
                .ships
                .iter()
                .map(|at| choice.game.ship(*at))
                .filter(|ship| !ship.kind.is_carrier())
                .map(|ship| ship.size)
                .sum::<u32>()
                + 2 * u32::from(picked.cruisers)
                + u32::from(picked.destroyers);
            let factors = counted(choice.price(&picked), "naval factor");
            insight = insight.line(format!("It has {factors}, and fires with {guns}."));
        }
        Err(refusal) => insight = insight.line(refusal.to_string()),
    }
    vec![insight]
}
