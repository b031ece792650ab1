//! What a player may want to know before a decision. (What the odds tool should answer)

use super::choices::{EngineOption, Tail, VerticalChoice};
use super::choose_move::{MoveChoice, Points};
use super::choose_targets::Targets;
use super::fire_odds::{attack, lost, struck};
use super::foresee::Foreseen;
use super::state::{CraftId, Mover, Stage, State, VerticalOption};
use super::{Act, Declarations, Dogfight, think};
use crate::bet;
use crate::edge::{self, Hold};
use crate::ending;
use crate::flight::SpinBet;
use crate::initiative::{self, Next, RollOff, Why};
use crate::movement::{self, Leveling};
use crate::tables::{StallEffect, Tables};
use crate::who::Who;
use crate::words::{Engine, Flight, Maneuver, Pitch, Status, counted, signed};
use flagplot_kernel::{Answer, Ask, Asked, Insight, SeatQuestion};
use flagplot_odds::{Budget, Dist, Enumerator, Exact, Fraction, OddsError, enumerate};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::hash::Hash;

/// How much work one look ahead may cost.
pub(super) fn budget() -> Budget<'static> {
    Budget { branches: 400_000, states: 200_000, ..Budget::USUAL }
}

/// Everything that the dice may make of a run.
fn odds<T: Eq + Hash>(run: impl FnMut(&mut Enumerator<Exact>) -> Asked<T>) -> Result<Dist<T>, OddsError> {
    enumerate::<_, Exact>(budget(), run)
}

pub(super) fn explain(
    game: &Dogfight,
    state: &State,
    answers: &[Answer],
    question: &SeatQuestion,
    value: Option<&Value>,
) -> Vec<Insight> {
    let look = Look { game, state, answers, value };
    match question.prompt.code {
        "targets" => look.targets(question),
        "tail" => look.tail(),
        "vertical" => look.vertical(),
        "move" => look.steps(),
        "cancel" | "exit-edge" => look.ways(question),
        "engine" => look.engine(question),
        "fire" => look.fire(),
        "pip" => question.options.iter().map(|option| Insight::exact(option.label.clone())).collect(),
        "recover" => look.recover(),
        _ => Vec::new(),
    }
}

struct Look<'a> {
    game: &'a Dogfight,
    state: &'a State,
    answers: &'a [Answer],
    value: Option<&'a Value>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Came {
    edge: i32,
    speed: i32,
    level: i32,
    pitch: Pitch,
    flight: Flight,
    status: Status,
    worn: bool,
}

impl Look<'_> {
    fn tables(&self) -> &Tables {
        &self.game.rules.tables
    }

    /// The answer that is looked at, if there is one.
    fn wanted<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_value(self.value?.clone()).ok()
    }

    /// Starting edges over every enemy, theirs over us, and the chances of outranking them.
    fn targets(&self, question: &SeatQuestion) -> Vec<Insight> {
        let (game, state) = (self.game, self.state);
        let choice = Targets { game, state, seat: question.seat };
        let wanted: Option<Declarations> = self.wanted();
        let mut insights = Vec::new();
        for own in choice.crews() {
            let who = game.who(own);
            let named = wanted.as_ref().and_then(|wanted| game.find(wanted.0.get(who.id)?.as_ref()?));
            let mut insight = Insight::exact(format!("{who}: edge at the start of the turn"));
            let enemies = state.in_play().filter(|&other| !game.friends(own, other));
            for enemy in enemies.filter(|&other| named.is_none_or(|named| named == other)) {
                let (target, mine) = (game.who(enemy), self.starting_edge(own, enemy));
                let theirs = if state.get(enemy).flight == Flight::Spinning {
                    "none, it is spinning".to_owned()
                } else {
                    self.starting_edge(enemy, own)
                };
                insight =
                    insight.line(format!("over {target}: {mine}; its edge over {who} if it targets {who}: {theirs}"));
                if let Ok(chance) = self.outranks(own, enemy) {
                    insight = insight.chance(format!("{who} outranks {target} and moves after it"), chance.to_string());
                }
            }
            insights.push(insight);
        }
        insights
    }

    fn starting_edge(&self, own: CraftId, enemy: CraftId) -> String {
        let (craft, prey) = (self.state.get(own), self.state.get(enemy));
        let kept = craft.target == Some(enemy);
        let hold = if kept { Hold::Kept(craft.edge.unwrap_or(0)) } else { Hold::New(None) };
        let carried = edge::carried(&craft.position, &prey.position, hold);
        let position = self.game.rules.diagram.bonus(&craft.position, &prey.position).bonus;
        let handicap = match think::carried_against(self.state, own, enemy) {
            Some(theirs) if !kept && theirs > 0 => format!(", or {} if it keeps its target", signed(position - theirs)),
            _ => String::new(),
        };
        let (total, rule) = (signed(carried.edge + position), carried.rule);
        format!("{total} ({rule} {}, position {}){handicap}", signed(carried.edge), signed(position))
    }

    /// The chance that one aircraft outranks another this turn.
    fn outranks(&self, one: CraftId, other: CraftId) -> Result<Fraction, OddsError> {
        let ranks = odds(|dice| {
            let mut post = |id| {
                let seniority = self.game.seniority(self.state, id);
                initiative::post(self.tables(), Who::NOBODY, None, seniority, dice)
            };
            let keys = [post(other)?, post(one)?];
            Ok(initiative::rank(&keys, &[Who::NOBODY; 2], RollOff::EveryOrderAlike, dice)? == [0, 1])
        })?;
        Ok(ranks.chance(&true))
    }

    fn tail(&self) -> Vec<Insight> {
        let (game, state) = (self.game, self.state);
        let Next::Place(own) = state.order.clone().up_next() else { return Vec::new() };
        let (who, Some(prey)) = (game.who(own), state.prey(game, own)) else { return Vec::new() };
        let Ok(tailing) = (Tail { game, state, who: own }).tailing() else { return Vec::new() };
        let (posted, bonus, against) = (tailing.posted, tailing.bonus(), tailing.target_posted);
        let mut insight = Insight::exact("Waiting for the target")
            .line(format!("{who} posts {posted} and adds {bonus}: {} against {against}.", posted + bonus));
        let mut circle = vec![own];
        let mut here = Some(prey);
        while let Some(member) = here.filter(|member| !circle.contains(member)) {
            circle.push(member);
            here = state.order.follows(member).map(|(leader, _)| leader);
        }
        let names = |ids: &[CraftId]| ids.iter().map(|&id| game.who(id).name).collect::<Vec<_>>().join(", ");
        if here == Some(own) {
            let in_formation = |id| matches!(state.order.follows(id), Some((_, Why::Formation)));
            let rolling = circle.iter().filter(|&&member| !in_formation(member)).count();
            let chance = Fraction::new(1u32, rolling.max(1) as u32);
            insight = insight
                .line(format!("This closes a circle of {}.", names(&circle)))
                .chance(format!("{who} goes first in the circle"), chance.to_string());
        } else {
            insight = insight.line("This closes no circle.");
        }
        let orders = |title: &str, waits: bool| {
            let mut insight = Insight::exact(title);
            if let Ok(orders) = odds(|dice| self.order_after(own, waits.then_some(prey), dice)) {
                for (order, _) in orders.iter() {
                    insight = insight.chance(names(order), orders.chance(order).to_string());
                }
            }
            insight.chances.sort_by(|a, b| a.label.cmp(&b.label));
            insight
        };
        vec![
            insight,
            orders("Order of movement if only this aircraft waits", true),
            orders("Order of movement if it moves now", false),
        ]
    }

    /// The order in which the rest would move if nobody else tailed.
    fn order_after(&self, own: CraftId, waits_for: Option<CraftId>, dice: &mut impl Ask) -> Asked<Vec<CraftId>> {
        let mut order = self.state.order.clone();
        let ranks: Vec<u8> = self.state.craft.iter().map(|craft| craft.rank).collect();
        let before = order.moved().len();
        match waits_for {
            Some(prey) => order.tail(own, prey, &self.game.names(), RollOff::EveryOrderAlike, dice)?,
            None => order.has_just_moved(own, &ranks),
        }
        while let Next::Moves(id) | Next::Place(id) = order.up_next() {
            order.has_just_moved(id, &ranks);
        }
        Ok(order.moved()[before..].to_vec())
    }

    fn mover(&self) -> Option<&Mover> {
        self.state.mover.as_ref()
    }

    /// Speed, movement points, bet levels and pitch for each climb or dive.
    fn vertical(&self) -> Vec<Insight> {
        let (game, Some(mover)) = (self.game, self.mover()) else { return Vec::new() };
        let wanted: Option<VerticalOption> = self.wanted();
        let choice = VerticalChoice { game, state: self.state, mover };
        let options = choice.open().into_iter().filter(|option| wanted.is_none_or(|wanted| wanted == *option));
        options.map(|option| self.climb(mover, option)).collect()
    }

    fn climb(&self, mover: &Mover, option: VerticalOption) -> Insight {
        let (tables, start) = (self.tables(), mover.tally.speed);
        let made = self.game.vertical(self.state, mover, option);
        let (speed, steepness) = made.map_or((start, 0), |made| (made.speed, made.points));
        let points = |aerobatics| {
            let sum = movement::movement_sum(mover.die, start, steepness, aerobatics);
            tables.movement_points.cell(0, sum)
        };
        let leveling = match option {
            VerticalOption::LevelOff => Leveling::Off(movement::finish_points(tables, start)),
            _ => Leveling::No,
        };
        let level = |maneuver| match movement::required_level(tables, speed, maneuver, leveling) {
            Ok(Some(level)) => level.to_string(),
            Ok(None) => "none".to_owned(),
            Err(_) => "impossible".to_owned(),
        };
        let insight = Insight::exact(option.word())
            .line(format!(
                "speed {speed}, {}, {} with aerobatics",
                counted(points(false), "movement point"),
                points(true)
            ))
            .line(format!(
                "bet levels: turn 1 {}, turn 2 {}, turn 3 {}, stay in hex {}",
                level(Maneuver::Facing1),
                level(Maneuver::Facing2),
                level(Maneuver::Facing3),
                level(Maneuver::StayInHex)
            ));
        let Some(made) = made else { return insight };
        insight.line(match self.state.get(mover.who).position.level + made.levels {
            0 => "into the ground".to_owned(),
            to => format!("level {to}, pitch {}", made.pitch),
        })
    }

    /// Runs the present step, and the rest of the move without further steps, in every way the dice may fall.
    fn rest_of_move(&self, value: &Value) -> Result<Dist<Came>, OddsError> {
        let Some(who) = self.mover().map(|mover| mover.who) else { return Err(OddsError::NeedsChoice) };
        let before = self.state.get(who);
        odds(|dice| {
            let mut state = self.state.clone();
            self.game.take_step(&mut state, &mut Foreseen::new(dice, self.answers, Some(value)))?;
            while let Some(mover) = state.mover.as_mut().filter(|mover| mover.who == who) {
                if mover.stage == Stage::Steps {
                    (mover.stage, mover.leveling) = (Stage::Engine, None);
                }
                self.game.take_step(&mut state, &mut Foreseen::new(dice, &[], None))?;
            }
            let craft = state.get(who);
            Ok(Came {
                edge: craft.edge.unwrap_or(0) - before.edge.unwrap_or(0),
                speed: craft.speed,
                level: craft.position.level,
                pitch: craft.position.pitch,
                flight: craft.flight,
                status: craft.status,
                worn: craft.harm.boxes != before.harm.boxes,
            })
        })
    }

    /// The bet screen: every level and number of points; or everything that one act may come to.
    fn steps(&self) -> Vec<Insight> {
        match (self.mover(), self.value) {
            (None, _) => Vec::new(),
            (Some(mover), None) => self.bet_screen(mover),
            (Some(mover), Some(value)) => self.act(mover, value),
        }
    }

    fn act(&self, mover: &Mover, value: &Value) -> Vec<Insight> {
        let Some(act) = self.wanted::<Act>() else { return Vec::new() };
        let mut insights = Vec::new();
        if let Some(bet) = self.game.bet_on(self.state, mover, &act)
            && let Ok(win) = odds(|dice| Ok(bet::roll(self.tables(), &bet, Who::NOBODY, dice)?.0.won()))
        {
            let needs = bet.needs(self.tables());
            let insight = Insight::exact("The bet").chance("won", win.chance(&true).to_string());
            insights.push(insight.line(format!("level {}, {needs} or more on 2d6", bet.level)));
        }
        let Ok(dist) = self.rest_of_move(value) else { return insights };
        insights.push(spread("Net edge, if you bet no more", &dist, |came| {
            (came.status != Status::Destroyed).then(|| i64::from(came.edge))
        }));
        insights.push(speeds("Speed at the end of the move", &dist));
        insights.push(dangers("Dangers", &dist, self.state.get(mover.who).position.pitch));
        insights
    }

    /// Chances of each level and number of points, for the plainest thing to bet on here.
    fn bet_screen(&self, mover: &Mover) -> Vec<Insight> {
        let (game, state) = (self.game, self.state);
        let choice = MoveChoice { game, state, mover };
        let mut acts = choice.acts(Points::All);
        acts.retain(|act| match act {
            Act::Straight { .. } | Act::BetOnly { .. } => true,
            Act::Stay { .. } => choice.is_in_middle(),
            Act::Exit { edge, .. } => edge.index() == 0, // The other edges have the same odds.
            _ => false,
        });
        let bets = acts.iter().filter_map(|act| game.bet_on(state, mover, act));
        bets.filter_map(|bet| {
            let dist = self.bet_cell(mover, &bet).ok()?;
            let points = counted(bet.points, "aerobatic point");
            let title = format!("{}: level {}, {points}", bet.maneuver, bet.level);
            let edge = mean(&dist.map(|cell| cell.edge));
            Some(
                chances(
                    Insight::exact(title),
                    &dist,
                    &[
                        ("edge gained", &|cell| cell.edge > 0),
                        ("won", &|cell| cell.won),
                        ("a task cut", &|cell| cell.cut),
                        ("forced half dive", &|cell| cell.half_dive),
                        ("stress damage", &|cell| cell.worn),
                        ("destroyed by stress", &|cell| cell.lost),
                        ("stall", &|cell| cell.stall == StallEffect::Stall),
                        ("spin", &|cell| cell.stall == StallEffect::Spin),
                    ],
                )
                .line(format!("expected net edge {edge}, with power where that is possible")),
            )
        })
        .collect()
    }

    /// One cell of the bet screen: the bet and the end of the move.
    fn bet_cell(&self, mover: &Mover, bet: &bet::Bet) -> Result<Dist<Cell>, OddsError> {
        let harm = &self.state.get(mover.who).harm;
        let ender = self.game.ender(self.state, mover.who);
        // The bet first; many of its outcomes leave the same tally, and with it the same end of the move.
        let made = odds(|dice| {
            let (roll, failure) = bet::roll(self.tables(), bet, Who::NOBODY, dice)?;
            let cancelled = failure.as_ref().map(|failure| bet.tasks().give_up(failure.cut, &[])).unwrap_or_default();
            let settled = bet::settle(self.tables(), bet, roll, failure.as_ref(), cancelled, dice);
            let mut tally = mover.tally;
            tally.add_settled(self.tables(), bet, &settled);
            Ok((settled.edge_gain - settled.edge_loss, settled.won, cancelled.total() > 0, settled.half_dive, tally))
        })?;
        let mut ends: Vec<(ending::Tally, Dist<End>)> = Vec::new();
        made.then(|&(edge, won, cut, half_dive, tally)| {
            if !ends.iter().any(|(known, _)| *known == tally) {
                let engine = if tally.check_engine(Engine::Power, ender.ratings, harm.engine_destroyed).is_ok() {
                    Engine::Power
                } else if harm.engine_destroyed {
                    Engine::Drag
                } else {
                    Engine::None
                };
                let end = odds(|dice| {
                    let ended = ending::settle(self.tables(), &tally, engine, &ender, dice)?;
                    Ok((ended.boxes(harm.boxes) != harm.boxes, ended.destroyed(), ended.stall_effect()))
                })?;
                ends.push((tally, end));
            }
            let end =
                ends.iter().find(|(known, _)| *known == tally).map(|(_, end)| end).ok_or(OddsError::NeedsChoice)?;
            Ok(end.map(|&(worn, lost, stall)| Cell { edge, won, cut, half_dive, worn, lost, stall }))
        })
    }

    /// Position and edge for each answer to a question in the middle of a lost bet.
    fn ways(&self, question: &SeatQuestion) -> Vec<Insight> {
        let Some(who) = self.mover().map(|mover| mover.who) else { return Vec::new() };
        let wanted = question.options.iter().filter(|option| self.value.is_none_or(|value| *value == option.value));
        let mut insights = Vec::new();
        for option in wanted {
            let dist = odds(|dice| {
                let mut state = self.state.clone();
                self.game.take_step(&mut state, &mut Foreseen::new(dice, self.answers, Some(&option.value)))?;
                let craft = state.get(who);
                Ok((craft.position, craft.edge, craft.status))
            });
            let Ok(dist) = dist else { continue };
            let lines = dist.iter().map(|((position, edge, status), _)| {
                let (hex, spot) = (position.hex, super::spot(position));
                let edge = edge.map_or("no edge".to_owned(), |edge| format!("edge {}", signed(edge)));
                let (level, pitch) = (position.level, position.pitch);
                let hex = self.game.hex_name(hex);
                format!("{hex} {spot}, level {level}, {pitch}, {edge}, {status}")
            });
            let mut insight = Insight::exact(option.label.clone());
            insight.lines = lines.collect();
            insight.lines.sort();
            insights.push(insight);
        }
        insights
    }

    /// Speed and danger with power, with drag and with neither.
    fn engine(&self, question: &SeatQuestion) -> Vec<Insight> {
        let Some(mover) = self.mover() else { return Vec::new() };
        let options = EngineOption::ALL.iter().map(|option| (*option, json!(option)));
        let options = options.filter(|(_, value)| question.options.iter().any(|shown| shown.value == *value));
        let mut insights = Vec::new();
        for (option, value) in options.filter(|(_, value)| self.value.is_none_or(|wanted| wanted == value)) {
            let Ok(dist) = self.rest_of_move(&value) else { continue };
            let with = match option {
                EngineOption::Power => "power",
                EngineOption::Drag => "drag",
                EngineOption::None => "neither",
                EngineOption::Spin => "a spin",
            };
            insights.push(speeds(format!("Speed with {with}"), &dist));
            let pitch = self.state.get(mover.who).position.pitch;
            let danger = dangers(format!("Dangers with {with}"), &dist, pitch);
            insights.push(match self.overspeed(mover, option) {
                Some(chance) => danger.chance("above the maximum dive speed", chance.to_string()),
                None => danger,
            });
        }
        insights
    }

    /// The chance that the aircraft ends faster than its wings bear; none if neither power nor drag changes its speed.
    fn overspeed(&self, mover: &Mover, option: EngineOption) -> Option<Fraction> {
        let engine = option.engine().filter(|_| mover.stage == Stage::Engine)?;
        let ender = self.game.ender(self.state, mover.who);
        let ends = odds(|dice| {
            let ended = ending::settle(self.tables(), &mover.tally, engine, &ender, dice)?;
            Ok(ended.speed_after_engine > ended.max_dive)
        });
        Some(ends.ok()?.chance(&true))
    }

    /// Hits, critical hits, and the chance that the target does not live through this turn: by this fire alone, and
    /// with what has been fired at it before.
    fn fire(&self) -> Vec<Insight> {
        let (game, state) = (self.game, self.state);
        let mut moved = state.order.moved().iter().skip(usize::from(state.fired));
        let Some((own, (gun, prey))) = moved.find_map(|&id| Some((id, game.may_fire(state, id).ok()?))) else {
            return Vec::new();
        };
        let (target, tables) = (game.who(prey), self.tables());
        let Ok(dist) = attack(tables, &gun, game.info(own).ratings.guns) else { return Vec::new() };
        let mut insights = vec![
            spread("Hits", &dist, |(hits, _)| Some(i64::from(*hits))),
            spread("Critical hits", &dist, |(_, criticals)| Some(i64::from(*criticals))),
        ];
        let unhurt = Dist::certain((state.get(prey).harm.boxes, 0, false));
        if let Ok(after) = struck(tables, &unhurt, &dist) {
            insights.push(Insight::exact(format!("This fire alone on {target}")).chance("destroyed", lost(&after)));
        }
        let before: Vec<_> = state.shots.iter().filter(|shots| shots.at == prey).collect();
        let hurt = before
            .iter()
            .try_fold(unhurt, |hurt, shots| struck(tables, &hurt, &Dist::certain((shots.hits, shots.criticals))));
        if let (false, Ok(hurt)) = (before.is_empty(), hurt) {
            let mut insight = Insight::exact(format!("{target} this turn, earlier fire included"))
                .chance("destroyed without this fire", lost(&hurt));
            if let Ok(after) = struck(tables, &hurt, &dist) {
                insight = insight.chance("destroyed", lost(&after));
            }
            insights.push(insight);
        }
        insights
    }

    fn recover(&self) -> Vec<Insight> {
        let Some(mover) = self.mover() else { return Vec::new() };
        let win = odds(|dice| Ok(self.game.spin(self.state, mover.who, SpinBet::Recover, dice)?.won()));
        let Ok(win) = win else { return Vec::new() };
        let level = self.state.get(mover.who).position.level;
        let lost = win.chance(&false);
        let ground = (0..level).fold(Fraction::one(), |chance, _| chance.times(&lost));
        let tries = if level == 1 { "1 try".to_owned() } else { format!("{level} tries") };
        vec![
            Insight::exact("Recovery")
                .chance("this turn", win.chance(&true).to_string())
                .chance("into the ground, trying every turn", ground.to_string())
                .line(format!("{tries} before the ground")),
        ]
    }
}

/// How a move ends: worn by stress, broken up, stalled or spinning.
type End = (bool, bool, StallEffect);

/// A cell of the bet screen.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Cell {
    edge: i32,
    won: bool,
    cut: bool,
    half_dive: bool,
    worn: bool,
    lost: bool,
    stall: StallEffect,
}

/// Something that may happen, with its label.
type Event<'a, T> = (&'a str, &'a dyn Fn(&T) -> bool);

/// Adds the chance of each event.
fn chances<T: Eq + Hash>(insight: Insight, dist: &Dist<T>, events: &[Event<'_, T>]) -> Insight {
    events.iter().fold(insight, |insight, (label, event)| insight.chance(*label, dist.chance_of(*event).to_string()))
}

/// The distribution of a number, in rising order.
fn spread<T: Eq + Hash>(title: impl Into<String>, dist: &Dist<T>, number: impl Fn(&T) -> Option<i64>) -> Insight {
    let numbers = dist.map(|outcome| number(outcome));
    let mut values: Vec<Option<i64>> = numbers.iter().map(|(value, _)| *value).collect();
    values.sort_unstable();
    values.into_iter().fold(Insight::exact(title), |insight, value| {
        let label = value.map_or("lost".to_owned(), |value| value.to_string());
        insight.chance(label, numbers.chance(&value).to_string())
    })
}

/// The speeds at the end of a move.
fn speeds(title: impl Into<String>, dist: &Dist<Came>) -> Insight {
    spread(title, dist, |came| (came.status == Status::InPlay).then(|| i64::from(came.speed)))
}

/// Everything that may go wrong in a move that began with this pitch.
fn dangers(title: impl Into<String>, dist: &Dist<Came>, pitch: Pitch) -> Insight {
    let flies = |came: &Came| came.status == Status::InPlay && came.flight == Flight::Flying;
    let falls = |came: &Came| came.pitch == Pitch::Diving || came.flight == Flight::Spinning;
    chances(
        Insight::exact(title),
        dist,
        &[
            ("forced half dive", &|came| pitch != Pitch::Diving && flies(came) && came.pitch == Pitch::Diving),
            ("stress damage", &|came| came.worn),
            ("stall", &|came| came.flight == Flight::Stalled),
            ("spin", &|came| came.flight == Flight::Spinning),
            ("destroyed", &|came| came.status == Status::Destroyed),
            ("crash next turn unless saved by a bet", &|came| {
                came.status == Status::InPlay && came.level == 1 && falls(came)
            }),
        ],
    )
}

/// The mean of a number, to the hundredth.
fn mean(dist: &Dist<i32>) -> String {
    const SHIFT: i32 = 1000;
    // Shifted above zero, because expectations are of numbers that are not negative.
    let shifted = dist.expect(|&n| u64::from((n + SHIFT).max(0).unsigned_abs()));
    let hundredths: i64 = (shifted.numerator() * 100u32 / shifted.denominator()).try_into().unwrap_or(0);
    let hundredths = hundredths - i64::from(SHIFT) * 100;
    format!("{}{}.{:02}", if hundredths < 0 { "−" } else { "+" }, hundredths.abs() / 100, hundredths.abs() % 100)
}
