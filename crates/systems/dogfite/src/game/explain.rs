//! What a player may want to know before a decision. (What the odds tool should answer)

use super::choices::{EngineOption, VerticalChoice};
use super::choose_move::{MoveChoice, Points};
use super::choose_targets::Targets;
use super::fire_odds::{attack, lost, struck};
use super::foresee::Foreseen;
use super::state::{CraftId, Mover, Stage, State, VerticalOption};
use super::{Act, Declarations, Dogfight};
use crate::bet;
use crate::edge::{self, Hold};
use crate::ending::{self, Ender};
use crate::flight::{self, SpinBet};
use crate::initiative;
use crate::movement::{self, Leveling};
use crate::tables::{StallEffect, Tables};
use crate::words::{Engine, Extent, Flight, Maneuver, Pitch, Status, Vertical, signed};
use flagplot_kernel::{Answer, Ask, Asked, Insight, SeatQuestion};
use flagplot_odds::{Budget, Dist, Exact, Fraction, OddsError, enumerate};
use serde_json::{Value, json};
use std::hash::Hash;

/// How much work one look ahead may cost.
pub(super) fn budget() -> Budget<'static> {
    Budget { branches: 400_000, states: 200_000, give_up: None }
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

/// What a move came to.
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

    /// Starting edges over every enemy, theirs over us, and who is likely to outrank whom.
    fn targets(&self, question: &SeatQuestion) -> Vec<Insight> {
        let (game, state) = (self.game, self.state);
        let choice = Targets { game, state, seat: question.seat };
        let wanted: Option<Declarations> = self.value.and_then(|value| serde_json::from_value(value.clone()).ok());
        let mut insights = Vec::new();
        for own in choice.crews() {
            let name = game.name(own);
            let named = wanted
                .as_ref()
                .and_then(|wanted| wanted.0.get(name).cloned().flatten())
                .and_then(|target| game.find(&target));
            let mut insight = Insight::exact(format!("{name}: edge at the start of the turn"));
            for enemy in state
                .in_play()
                .filter(|&other| game.side(other) != game.side(own) && (named.is_none() || named == Some(other)))
            {
                let mine = self.starting_edge(own, enemy);
                let theirs = if state.get(enemy).flight == Flight::Spinning {
                    "none, it spins".to_owned()
                } else {
                    self.starting_edge(enemy, own)
                };
                insight = insight.line(format!(
                    "over {}: {mine}; its edge over {name} if it chooses so: {theirs}",
                    game.name(enemy)
                ));
                insight = insight.chance(
                    format!("{name} outranks {} and moves after it", game.name(enemy)),
                    self.outranks(own, enemy).to_string(),
                );
            }
            insights.push(insight);
        }
        insights
    }

    fn starting_edge(&self, own: CraftId, enemy: CraftId) -> String {
        let (craft, prey) = (self.state.get(own), self.state.get(enemy));
        let theirs = if prey.target == Some(own) {
            prey.edge.map(|edge| edge::carried(&prey.position, &craft.position, Hold::Kept(edge)).edge)
        } else {
            None
        };
        let kept = craft.target == Some(enemy);
        let hold = if kept { Hold::Kept(craft.edge.unwrap_or(0)) } else { Hold::New(None) };
        let carried = edge::carried(&craft.position, &prey.position, hold);
        let position = self.game.rules.diagram.bonus(&craft.position, &prey.position).bonus;
        let handicap = match theirs {
            Some(theirs) if !kept && theirs > 0 => format!(", or {} if it keeps its target", signed(position - theirs)),
            _ => String::new(),
        };
        format!(
            "{} ({} {}, position {}){handicap}",
            signed(carried.edge + position),
            carried.rule,
            signed(carried.edge),
            signed(position)
        )
    }

    /// The chance that one aircraft will outrank another this turn.
    fn outranks(&self, one: CraftId, other: CraftId) -> Fraction {
        let key = |id: CraftId, die: i32| {
            let craft = self.state.get(id);
            let experience = self.game.experience(self.state, id);
            (
                die + experience + self.tables().initiative.cell(0, craft.speed),
                experience,
                craft.position.level,
                craft.speed,
            )
        };
        // Counted in half pairs of dice, because equals roll off.
        let halves: u32 = (0..10)
            .flat_map(|a| (0..10).map(move |b| (a, b)))
            .map(|(a, b)| match key(one, a).cmp(&key(other, b)) {
                std::cmp::Ordering::Greater => 2,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Less => 0,
            })
            .sum();
        Fraction::new(halves, 200u32)
    }

    fn tail(&self) -> Vec<Insight> {
        let (game, state) = (self.game, self.state);
        let mut order = state.order.clone();
        let initiative::Next::Place(own) = order.up_next() else { return Vec::new() };
        let craft = state.get(own);
        let Some(prey) = state.prey(game, own) else { return Vec::new() };
        let target = state.get(prey);
        let bonus = initiative::tailing_bonus(craft.edge.unwrap_or(0), target.target.is_some());
        let mut insight = Insight::exact("Waiting for the target").line(format!(
            "{} posts {} and adds {bonus}: {} against {}.",
            game.name(own),
            craft.posted,
            craft.posted + bonus,
            target.posted
        ));
        let mut circle = vec![own];
        let mut here = Some(prey);
        while let Some(member) = here.filter(|member| !circle.contains(member)) {
            circle.push(member);
            here = state.order.follows(member).map(|(leader, _)| leader);
        }
        if here == Some(own) {
            let rolling = circle
                .iter()
                .filter(|&&member| state.order.follows(member).is_none_or(|(_, why)| why != initiative::Why::Formation))
                .count();
            let names: Vec<&str> = circle.iter().map(|&member| game.name(member)).collect();
            insight = insight.line(format!("This closes a circle of {}.", names.join(", "))).chance(
                format!("{} goes first of the circle", game.name(own)),
                Fraction::new(1u32, rolling.max(1) as u32).to_string(),
            );
        } else {
            insight = insight.line("No circle is closed by it.");
        }
        let orders = |title: &str, waits: bool| {
            let orders = enumerate::<_, Exact>(budget(), |dice| self.order_after(own, waits.then_some(prey), dice));
            let mut insight = Insight::exact(title);
            for (order, _) in orders.iter().flat_map(Dist::iter) {
                let names: Vec<&str> = order.iter().map(|&id| game.name(id)).collect();
                let chance = orders.as_ref().map_or_else(|_| Fraction::zero(), |orders| orders.chance(order));
                insight = insight.chance(names.join(", "), chance.to_string());
            }
            insight.chances.sort_by(|a, b| a.label.cmp(&b.label));
            insight
        };
        vec![
            insight,
            orders("Order of movement if it waits and nobody else does", true),
            orders("Order of movement if it moves now", false),
        ]
    }

    /// The order in which the rest would move if nobody else tailed.
    fn order_after(&self, own: CraftId, waits_for: Option<CraftId>, dice: &mut impl Ask) -> Asked<Vec<CraftId>> {
        let mut order = self.state.order.clone();
        let ranks: Vec<u8> = self.state.craft.iter().map(|craft| craft.rank).collect();
        let before = order.moved().len();
        match waits_for {
            Some(prey) => order.tail(own, prey, &self.game.names(), initiative::RollOff::EveryOrderAlike, dice)?,
            None => order.has_just_moved(own, &ranks),
        }
        while let initiative::Next::Moves(id) | initiative::Next::Place(id) = order.up_next() {
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
        let position = &self.state.get(mover.who).position;
        let wanted: Option<VerticalOption> = self.value.and_then(|value| serde_json::from_value(value.clone()).ok());
        let choice = VerticalChoice { game, state: self.state, mover };
        let mut insights = Vec::new();
        for option in choice.options().into_iter().filter(|option| wanted.is_none() || wanted == Some(*option)) {
            let made = match option {
                VerticalOption::Stay | VerticalOption::LevelOff => None,
                VerticalOption::HalfClimb => Some((Vertical::Climb, Extent::Half)),
                VerticalOption::HalfDive => Some((Vertical::Dive, Extent::Half)),
                VerticalOption::FullClimb => Some((Vertical::Climb, Extent::Full)),
                VerticalOption::FullDive => Some((Vertical::Dive, Extent::Full)),
                VerticalOption::Finish => Some((
                    if position.pitch == Pitch::Climbing { Vertical::Climb } else { Vertical::Dive },
                    Extent::Finish,
                )),
            };
            let made = made
                .and_then(|(way, extent)| movement::vertical_move(self.tables(), mover.tally.speed, way, extent).ok());
            let (speed, steepness) = made.map_or((mover.tally.speed, 0), |made| (made.speed, made.points));
            let points = |aerobatics| {
                self.tables()
                    .movement_points
                    .cell(0, movement::movement_sum(mover.die, mover.tally.speed, steepness, aerobatics))
            };
            let leveling = if option == VerticalOption::LevelOff {
                Leveling::Off(movement::finish_points(self.tables(), mover.tally.speed))
            } else {
                Leveling::No
            };
            let level = |maneuver| match movement::required_level(
                self.tables(),
                speed,
                maneuver,
                leveling,
                &mut flagplot_kernel::Tape::new(Vec::new()).deaf(),
            ) {
                Ok(Some(level)) => level.to_string(),
                Ok(None) => "none".to_owned(),
                Err(_) => "impossible".to_owned(),
            };
            let mut insight = Insight::exact(option.word())
                .line(format!(
                    "speed {speed}, {}, {} with aerobatics",
                    movement::movement_points_in_words(points(false)),
                    points(true)
                ))
                .line(format!(
                    "bet levels: turn 1 {}, turn 2 {}, turn 3 {}, stay in hex {}",
                    level(Maneuver::Facing1),
                    level(Maneuver::Facing2),
                    level(Maneuver::Facing3),
                    level(Maneuver::StayInHex)
                ));
            if let Some(made) = made {
                let to = position.level + made.levels;
                insight = insight.line(if to == 0 {
                    "into the ground".to_owned()
                } else {
                    format!("level {to}, pitch {}", made.pitch)
                });
            }
            insights.push(insight);
        }
        insights
    }

    /// Runs the present step, and the rest of the move without further steps, in every way the dice may fall.
    fn rest_of_move(&self, value: &Value) -> Result<Dist<Came>, OddsError> {
        let Some(who) = self.mover().map(|mover| mover.who) else { return Err(OddsError::NeedsChoice) };
        let before = self.state.get(who);
        enumerate::<_, Exact>(budget(), |dice| {
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
        match self.value {
            None => self.bet_screen(),
            Some(value) => self.act(value),
        }
    }

    fn act(&self, value: &Value) -> Vec<Insight> {
        let (Some(mover), Ok(act)) = (self.mover(), serde_json::from_value::<Act>(value.clone())) else {
            return Vec::new();
        };
        let mut insights = Vec::new();
        if let Ok(plan) = self.game.plan(self.state, mover, &act)
            && let Some(bet) = plan.bet
        {
            let win = enumerate::<_, Exact>(budget(), |dice| Ok(bet::roll(self.tables(), &bet, "", dice)?.won()))
                .map(|dist| dist.chance(&true).to_string());
            if let Ok(win) = win {
                insights.push(Insight::exact("The bet").chance("won", win).line(format!(
                    "level {}, {} or more on 2d6",
                    bet.level,
                    bet.target_number(self.tables()) - bet.modifier()
                )));
            }
        }
        let Ok(dist) = self.rest_of_move(value) else { return insights };
        insights.push(spread("Net edge, if nothing more is bet", &dist, |came| {
            (came.status != Status::Destroyed).then(|| i64::from(came.edge))
        }));
        insights.push(spread("Speed at the end of the move", &dist, |came| {
            (came.status == Status::InPlay).then(|| i64::from(came.speed))
        }));
        insights.push(dangers(&dist, self.state.get(mover.who).position.pitch));
        insights
    }

    /// Chances of each level and number of points, for the plainest thing a bet can be made on here.
    fn bet_screen(&self) -> Vec<Insight> {
        let (game, state, Some(mover)) = (self.game, self.state, self.mover()) else { return Vec::new() };
        let choice = MoveChoice { game, state, mover };
        let in_middle = state.get(mover.who).position.facing.is_none();
        let acts = choice.acts(Points::All);
        let wanted = acts.iter().filter(|act| match act {
            Act::Straight { .. } | Act::BetOnly { .. } => true,
            Act::Stay { .. } => in_middle,
            Act::Exit { edge, .. } => edge.index() == 0, // The other edges have the same odds.
            _ => false,
        });
        let mut insights = Vec::new();
        for act in wanted {
            let Ok(plan) = game.plan(state, mover, act) else { continue };
            let Some(bet) = plan.bet else { continue };
            let Ok(dist) = self.bet_cell(mover, &bet) else { continue };
            let chance = |what: &dyn Fn(&Cell) -> bool| dist.chance_of(what).to_string();
            let mut insight = Insight::exact(format!(
                "{}: level {}, {} aerobatic {}",
                bet.maneuver,
                bet.level,
                bet.points,
                if bet.points == 1 { "point" } else { "points" }
            ))
            .chance("edge gained", chance(&|cell| cell.edge > 0))
            .chance("won", chance(&|cell| cell.won))
            .chance("a task cut", chance(&|cell| cell.cut))
            .chance("forced half dive", chance(&|cell| cell.half_dive))
            .chance("stress damage", chance(&|cell| cell.worn))
            .chance("destroyed by stress", chance(&|cell| cell.lost))
            .chance("stall", chance(&|cell| cell.stall == StallEffect::Stall))
            .chance("spin", chance(&|cell| cell.stall == StallEffect::Spin));
            insight = insight.line(format!(
                "expected net edge {}, with the engine run for power if that is possible",
                mean(&dist.map(|cell| cell.edge))
            ));
            insights.push(insight);
        }
        insights
    }

    /// One cell of the bet screen: the bet and the end of the move.
    fn bet_cell(&self, mover: &Mover, bet: &bet::Bet) -> Result<Dist<Cell>, OddsError> {
        let (game, state) = (self.game, self.state);
        let harm = &state.get(mover.who).harm;
        let ratings = &game.info(mover.who).ratings;
        let ender = Ender {
            who: "",
            ratings,
            flying: game.flying(state, mover.who),
            power_penalty: harm.power_penalty,
            boxes: harm.boxes,
        };
        // The bet first; many of its outcomes leave the same tally, and with it the same end of the move.
        let made = enumerate::<_, Exact>(budget(), |dice| {
            let roll = bet::roll(self.tables(), bet, "", dice)?;
            let failure = if roll.won() { None } else { Some(bet::failure(self.tables(), -roll.margin, "", dice)?) };
            let cancelled = failure.as_ref().map(|failure| bet.tasks().give_up(failure.cut, &[])).unwrap_or_default();
            let settled = bet::settle(self.tables(), bet, roll, failure.as_ref(), cancelled, dice);
            let mut tally = mover.tally;
            tally.add_bet(
                self.tables(),
                bet.level,
                settled.speed_loss,
                settled.power_bonus > 0,
                settled.failure_stress,
            );
            Ok((settled.edge_gain - settled.edge_loss, settled.won, cancelled.total() > 0, settled.half_dive, tally))
        })?;
        let mut ends: Vec<(ending::Tally, Dist<End>)> = Vec::new();
        made.then(|&(edge, won, cut, half_dive, tally)| {
            if !ends.iter().any(|(known, _)| *known == tally) {
                let engine = if tally.check_engine(Engine::Power, ratings, harm.engine_destroyed).is_ok() {
                    Engine::Power
                } else if harm.engine_destroyed {
                    Engine::Drag
                } else {
                    Engine::None
                };
                let end = enumerate::<_, Exact>(budget(), |dice| {
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
            let dist = enumerate::<_, Exact>(budget(), |dice| {
                let mut state = self.state.clone();
                self.game.take_step(&mut state, &mut Foreseen::new(dice, self.answers, Some(&option.value)))?;
                let craft = state.get(who);
                Ok((craft.position, craft.edge, craft.status))
            });
            let Ok(dist) = dist else { continue };
            let mut insight = Insight::exact(option.label.clone());
            for ((position, edge, status), _) in dist.iter() {
                let spot = position.facing.map_or("in the middle".to_owned(), |facing| {
                    format!("facing {}", super::COMPASS[usize::from(facing.index())])
                });
                let edge = edge.map_or("no edge".to_owned(), |edge| format!("edge {}", signed(edge)));
                insight = insight.line(format!(
                    "{},{} {spot}, level {}, {}, {edge}, {status}",
                    position.hex.q, position.hex.r, position.level, position.pitch
                ));
            }
            insights.push(insight);
        }
        insights
    }

    /// Speed and danger with power, with drag and with neither.
    fn engine(&self, question: &SeatQuestion) -> Vec<Insight> {
        let Some(mover) = self.mover() else { return Vec::new() };
        let wanted = EngineOption::ALL
            .iter()
            .map(|option| json!(option))
            .filter(|option| question.options.iter().any(|shown| shown.value == *option));
        let mut insights = Vec::new();
        for option in wanted.filter(|option| self.value.is_none_or(|value| value == option)) {
            let Ok(dist) = self.rest_of_move(&option) else { continue };
            let title = option.as_str().unwrap_or_default().to_owned();
            insights.push(spread(format!("Speed with {title}"), &dist, |came| {
                (came.status == Status::InPlay).then(|| i64::from(came.speed))
            }));
            let mut danger = dangers(&dist, self.state.get(mover.who).position.pitch);
            danger.title = format!("Dangers with {title}");
            insights.push(match self.overspeed(mover, &option) {
                Some(chance) => danger.chance("above the maximum dive speed", chance.to_string()),
                None => danger,
            });
        }
        insights
    }

    /// The chance that the engine leaves the aircraft faster than its wings bear; none where the engine has no say.
    fn overspeed(&self, mover: &Mover, option: &Value) -> Option<Fraction> {
        let engine: Engine = serde_json::from_value(option.clone()).ok().filter(|_| mover.stage == Stage::Engine)?;
        let harm = &self.state.get(mover.who).harm;
        let ratings = &self.game.info(mover.who).ratings;
        let ender = Ender {
            who: "",
            ratings,
            flying: self.game.flying(self.state, mover.who),
            power_penalty: harm.power_penalty,
            boxes: harm.boxes,
        };
        let ends = enumerate::<_, Exact>(budget(), |dice| {
            let ended = ending::settle(self.tables(), &mover.tally, engine, &ender, dice)?;
            Ok(ended.speed_after_engine > ended.max_dive)
        });
        Some(ends.ok()?.chance(&true))
    }

    /// Hits, criticals, and the chance that the target does not live through this turn: by this fire alone, and with what has been
    /// fired at it before.
    fn fire(&self) -> Vec<Insight> {
        let (game, state) = (self.game, self.state);
        let moved = state.order.moved().iter().skip(usize::from(state.fired)).copied();
        let Some((own, (gun, prey))) = moved.into_iter().find_map(|id| Some((id, game.may_fire(state, id).ok()?)))
        else {
            return Vec::new();
        };
        let Ok(dist) = attack(self.tables(), &gun, game.info(own).ratings.guns) else { return Vec::new() };
        let mut insights = vec![
            spread("Hits", &dist, |(hits, _)| Some(i64::from(*hits))),
            spread("Critical hits", &dist, |(_, criticals)| Some(i64::from(*criticals))),
        ];
        let unhurt = Dist::certain((state.get(prey).harm.boxes, 0, false));
        if let Ok(after) = struck(self.tables(), &unhurt, &dist) {
            insights.push(
                Insight::exact(format!("This fire alone on {}", game.name(prey))).chance("destroyed", lost(&after)),
            );
        }
        let before: Vec<_> = state.shots.iter().filter(|shots| shots.at == prey).collect();
        let hurt = before.iter().try_fold(unhurt, |hurt, shots| {
            struck(self.tables(), &hurt, &Dist::certain((shots.hits, shots.criticals)))
        });
        if let (false, Ok(hurt)) = (before.is_empty(), hurt) {
            let mut insight =
                Insight::exact(format!("{} this turn, with what has been fired at it before", game.name(prey)))
                    .chance("destroyed without this fire", lost(&hurt));
            if let Ok(after) = struck(self.tables(), &hurt, &dist) {
                insight = insight.chance("destroyed", lost(&after));
            }
            insights.push(insight);
        }
        insights
    }

    fn recover(&self) -> Vec<Insight> {
        let (game, Some(mover)) = (self.game, self.mover()) else { return Vec::new() };
        let harm = &self.state.get(mover.who).harm;
        let win = enumerate::<_, Exact>(budget(), |dice| {
            Ok(flight::spin(
                self.tables(),
                SpinBet::Recover,
                game.flying(self.state, mover.who),
                harm.control_penalty,
                "",
                dice,
            )?
            .won())
        });
        let Ok(win) = win else { return Vec::new() };
        let level = self.state.get(mover.who).position.level;
        let lost = win.chance(&false);
        let ground = (0..level).fold(Fraction::one(), |chance, _| chance.times(&lost));
        vec![
            Insight::exact("Recovery")
                .chance("this turn", win.chance(&true).to_string())
                .chance("into the ground, trying every turn", ground.to_string())
                .line(format!("{level} tries until the ground")),
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

/// The distribution of a number, in rising order.
fn spread<T: Eq + Hash>(title: impl Into<String>, dist: &Dist<T>, number: impl Fn(&T) -> Option<i64>) -> Insight {
    let numbers = dist.map(|outcome| number(outcome));
    let mut values: Vec<Option<i64>> = numbers.iter().map(|(value, _)| *value).collect();
    values.sort_unstable();
    let mut insight = Insight::exact(title);
    for value in values {
        insight = insight
            .chance(value.map_or("lost".to_owned(), |value| value.to_string()), numbers.chance(&value).to_string());
    }
    insight
}

/// Everything that may go wrong in a move.
fn dangers(dist: &Dist<Came>, pitch: Pitch) -> Insight {
    let chance = |what: &dyn Fn(&Came) -> bool| dist.chance_of(what).to_string();
    Insight::exact("Dangers")
        .chance(
            "forced half dive",
            chance(&|came| {
                pitch != Pitch::Diving
                    && came.status == Status::InPlay
                    && came.pitch == Pitch::Diving
                    && came.flight == Flight::Flying
            }),
        )
        .chance("stress damage", chance(&|came| came.worn))
        .chance("stall", chance(&|came| came.flight == Flight::Stalled))
        .chance("spin", chance(&|came| came.flight == Flight::Spinning))
        .chance("destroyed", chance(&|came| came.status == Status::Destroyed))
        .chance(
            "crash next turn unless saved by a bet",
            chance(&|came| {
                came.status == Status::InPlay
                    && came.level == 1
                    && (came.pitch == Pitch::Diving || came.flight == Flight::Spinning)
            }),
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
