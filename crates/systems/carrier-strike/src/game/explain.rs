//! What a player may want to know before a decision.

use super::CarrierGame;
use super::action::{Action, CvDetect};
use super::piece::{Order, PieceId, SquadronId, Squads, listed};
use super::process::Underway;
use super::refusals::Count;
use super::search::Search;
use super::state::{Form, Phase, Table};
use super::view::View;
use crate::duels::{search_duel, written};
use crate::fuel::{Homing, ditching, reach_home};
use crate::geometry::{lengths, lengths_left};
use crate::victory::verdict;
use crate::walk::{Course, Hazards, Waypoints, stride};
use crate::words::name;
use dashu_ratio::RBig;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Answer, Insight, SeatQuestion, Side};
use serde_json::Value;

impl CarrierGame {
    pub(super) fn explain_question(
        &self,
        view: &View,
        _: &[Answer],
        question: &SeatQuestion,
        value: Option<&Value>,
    ) -> Vec<Insight> {
        let state = &view.seen;
        let (table, side) = (&state.table, question.seat.side());
        let underway = if let Phase::Action(underway) = &state.phase { Some(underway) } else { None };
        let flight = underway.and_then(Underway::flight);
        match question.prompt.code {
            "choose-action" => match value.and_then(|value| serde_json::from_value::<Action>(value.clone()).ok()) {
                Some(action) => self.explain_action(table, side, &action),
                None => vec![self.explain_standing(table)],
            },
            "detection-number" => {
                let search = underway.and_then(Underway::search);
                search.map(|search| self.explain_search(table, side, search.by, search.target)).into_iter().collect()
            }
            "stance" => {
                let encounter = underway.and_then(Underway::encounter);
                encounter.map(|encounter| self.explain_stance(table, encounter, side)).into_iter().collect()
            }
            "search-target" => {
                let target = value.and_then(|value| serde_json::from_value(value.clone()).ok());
                let by = match underway {
                    Some(Underway::Move(moving)) => moving.search.and_then(|plan| plan.by),
                    _ => None,
                };
                target.map(|target| self.explain_search(table, side, by, target)).into_iter().collect()
            }
            "contact" => flight.map_or_else(Vec::new, |flight| self.explain_contact(table, flight, value)),
            "strike-next" => {
                let Some(Underway::Strike(strike)) = underway else { return Vec::new() };
                let first = value
                    .and_then(|value| serde_json::from_value::<Option<SquadronId>>(value["strike"].clone()).ok())
                    .flatten();
                self.explain_strikes(table, side, strike.able(table), first)
            }
            "path" | "resume" | "after-strike" => {
                let path = value.and_then(|value| serde_json::from_value::<Vec<Point>>(value["path"].clone()).ok());
                let named = value.and_then(|value| serde_json::from_value::<Order>(value["squadrons"].clone()).ok());
                let group = flight.map_or(Squads::NONE, |flight| table.in_the_air(flight.group));
                let order = named.unwrap_or_else(|| table.in_order(group));
                match path {
                    Some(path) => self.explain_walk(table, side, &order, &path, flight.map(|flight| flight.met)),
                    None => vec![self.fuel_lines(
                        table,
                        side,
                        &order,
                        Point::default(),
                        Insight::exact("Fuel, staying here"),
                    )],
                }
            }
            _ => Vec::new(),
        }
    }

    fn explain_action(&self, table: &Table, side: Side, action: &Action) -> Vec<Insight> {
        match action {
            Action::Move { squadrons, path, detect } => {
                let mut all =
                    path.map(|path| self.explain_walk(table, side, squadrons, path.points(), None)).unwrap_or_default();
                let first = detect.and_then(|plan| Some((plan.by, plan.target?)));
                all.extend(first.map(|(by, target)| self.explain_search(table, side, Some(by), target)));
                all
            }
            Action::MoveCv { detect: Some(CvDetect { target: Some(target), .. }), .. } => {
                vec![self.explain_search(table, side, None, *target)]
            }
            Action::Dogfight { squadrons, target, detect } => {
                let group = table.group_of(&self.rules.geometry, *target);
                let mut all: Vec<Insight> = detect
                    .map(|plan| self.explain_search(table, side, Some(plan.by), PieceId::Squadron(*target)))
                    .into_iter()
                    .collect();
                all.push(self.explain_fight(table, side, squadrons.iter().copied().collect(), group, "Attacking"));
                all
            }
            Action::Strike { squadrons, path } => {
                let mut all = self.explain_walk(table, side, squadrons, path.points(), None);
                let able = squadrons.iter().copied().filter(|id| table[*id].ordnance == Some(true)).collect();
                all.extend(self.explain_strikes(table, side, able, None));
                all
            }
            Action::FlyHome { squadron, .. } | Action::Land { squadron } if table[*squadron].rl <= 1 => {
                self.explain_fuel(table, *squadron)
            }
            Action::Detect { by, target } => {
                vec![self.explain_search(table, side, by.squadron(), *target)]
            }
            Action::Pass => vec![self.explain_pass(table, side), self.explain_standing(table)],
            _ => Vec::new(),
        }
    }

    /// Will the walk make contact, with whom, and does the fuel last? Squadrons met before are not met again.
    fn explain_walk(
        &self,
        table: &Table,
        side: Side,
        squadrons: &[SquadronId],
        path: &[Point],
        met: Option<Squads>,
    ) -> Vec<Insight> {
        let (Some(lead), waypoints) = (squadrons.first(), Waypoints::from(path)) else { return Vec::new() };
        if !path.iter().all(|point| self.in_sea_room(*point)) {
            return Vec::new();
        }
        let groups = table.groups(&self.rules.geometry, side.other());
        let enemies: Vec<(Point, u8)> = groups
            .iter()
            .enumerate()
            .flat_map(|(n, group)| group.without(met.unwrap_or_default()).iter().map(move |id| (id, n as u8)))
            .map(|(id, n)| (table[id].pos, n))
            .collect();
        let hazards = Hazards { squadrons: &enemies, hidden: &[], seers: 0, guns: &[], targets: 0 };
        let mut movers: Vec<Point> = squadrons.iter().map(|id| table[*id].pos).collect();
        let mut course = Course::new(table[*lead].pos, waypoints);
        let stop = stride(&self.rules.geometry, &mut course, &mut movers, &hazards);
        let mut walk = Insight::exact("The walk")
            .line(format!("The path is {} lengths long.", lengths(waypoints.length(table[*lead].pos))));
        walk = if stop.contact == 0 {
            walk.line("It meets no enemy.")
        } else {
            let met = groups.iter().enumerate().filter(|(n, _)| stop.contact & (1 << n) != 0).map(|(_, group)| group);
            walk.line(format!("It meets {} after {} lengths.", listed(met), lengths(course.flown)))
        };
        let end = waypoints.end(table[*lead].pos) - table[*lead].pos;
        let carrier = &table.carriers[side.other()];
        for (at, card) in carrier.on_table() {
            let name = carrier.card_id(side.other(), at);
            let nearest =
                squadrons.iter().map(|id| self.rules.geometry.to_card(table[*id].pos + end, card)).min().unwrap_or(0);
            walk = walk.line(format!("It ends {} lengths from {name}.", lengths(nearest)));
            if self.comes_by(table, squadrons, &waypoints, card, carrier.undetected()) {
                walk = walk.line(if carrier.undetected() {
                    format!(
                        "It passes within 1 length of {name}: a squadron detects the card, a dummy gives itself away."
                    )
                } else {
                    format!("It passes over the guns of {name}.")
                });
            }
        }
        walk = self.fuel_lines(table, side, squadrons, end, walk);
        vec![walk]
    }

    /// What fuel each squadron has to spare for the way home after flying so far.
    fn fuel_lines(
        &self,
        table: &Table,
        side: Side,
        squadrons: &[SquadronId],
        end: Point,
        mut walk: Insight,
    ) -> Insight {
        for id in squadrons {
            let Some(home) = table.carriers[side].real_card() else { continue };
            let margin = reach_home(table[*id].rl) - self.rules.geometry.to_card(table[*id].pos + end, home);
            walk = walk.line(if margin >= 0 {
                format!("{id} can still get home, with fuel for {} lengths to spare.", lengths_left(margin))
            } else {
                format!("{id} cannot get home: its fuel ends {} lengths short.", lengths(-margin))
            });
        }
        walk
    }

    /// Whether a walk comes within a length of a hidden card, or over the guns of an open one.
    fn comes_by(&self, table: &Table, squadrons: &[SquadronId], path: &Waypoints, card: Point, hidden: bool) -> bool {
        let Some(lead) = squadrons.first() else { return false };
        let everybody = (1 << squadrons.len().min(12)) - 1;
        let cards = [card];
        let hazards = if hidden {
            Hazards { squadrons: &[], hidden: &cards, seers: everybody, guns: &[], targets: 0 }
        } else {
            Hazards { squadrons: &[], hidden: &[], seers: 0, guns: &cards, targets: everybody }
        };
        let mut movers: Vec<Point> = squadrons.iter().map(|id| table[*id].pos).collect();
        let stop = stride(&self.rules.geometry, &mut Course::new(table[*lead].pos, *path), &mut movers, &hazards);
        stop.near != [0; 2] || stop.entered != 0
    }

    fn explain_fuel(&self, table: &Table, id: SquadronId) -> Vec<Insight> {
        if table[id].is_dummy() {
            return vec![Insight::exact(format!("{id} on its last fuel")).line("It is a dummy, so no aircraft ditch.")];
        }
        let distance = table.to_home(&self.rules, id);
        let strength = table[id].strength;
        let (now, _) = ditching(&self.rules, strength, distance, table[id].ditched);
        let mut insight = Insight::exact(format!("{id} on its last fuel"))
            .line(format!("{} of {strength} aircraft ditch now.", now.lost));
        if let (Homing::Move, Some(distance)) = (now.then, distance) {
            let left = (distance - self.rules.speeds.squadron_move).max(0);
            let (next, _) = ditching(&self.rules, strength - now.lost, Some(left), true);
            insight = insight.line(format!(
                "It ends about {} lengths from the card, and {} more ditch next turn unless the carriers come nearer.",
                lengths(left),
                next.lost
            ));
        }
        vec![insight]
    }

    /// A search with its mix, and what may be found.
    pub(super) fn explain_search(&self, table: &Table, side: Side, by: Option<SquadronId>, target: PieceId) -> Insight {
        let play = search_duel(&self.rules, Search::column(by));
        let searching = target.side() != side;
        let who = by.map_or_else(|| "The carrier group".to_owned(), |id| id.to_string());
        let mut insight = Insight::exact(format!("{who} searches for {target}: numbers that cannot be outguessed"))
            .chance("found", written(&play.value));
        for (number, share) in (1..=4).zip(if searching { &play.rows } else { &play.columns }) {
            insight = insight.chance(format!("play {number}"), written(share));
        }
        let theirs = (1..=4).zip(if searching { &play.columns } else { &play.rows });
        let played: Vec<String> = theirs
            .filter(|(_, share)| **share != RBig::ZERO)
            .map(|(number, share)| format!("{number} ({})", written(share)))
            .collect();
        insight = insight.line(format!("Expect {} from the other side.", listed(played)));
        if !searching {
            return insight;
        }
        match target {
            PieceId::Card(card) => {
                let carrier = &table.carriers[card.side];
                let believable = self.believable(table, card.side);
                let can_be = |at: usize| carrier.form == Form::Revealed || believable & (1 << at) != 0;
                let open = carrier.on_table().filter(|(at, _)| can_be(*at)).count().max(1);
                let may_be = carrier.card_at(card.label).is_some_and(can_be);
                let real = if may_be { RBig::from_parts(1.into(), open.into()) } else { RBig::ZERO };
                insight
                    .chance("the carrier group is detected", written(&(play.value.clone() * &real)))
                    .chance("a decoy is exposed", written(&(play.value * (RBig::ONE - real))))
            }
            PieceId::Squadron(id) => {
                let unsure: Squads =
                    table.group_of(&self.rules.geometry, id).iter().filter(|id| table[*id].dummy.is_none()).collect();
                if unsure.is_empty() {
                    insight
                } else {
                    insight.line(format!(
                        "{} may be a dummy; the odds count one die in {} as one.",
                        unsure,
                        super::imagine::DUMMY_ONE_IN
                    ))
                }
            }
        }
    }

    fn explain_pass(&self, table: &Table, side: Side) -> Insight {
        let enemy = side.other();
        let up: Squads = table.up(enemy).iter().filter(|id| !table[*id].acted).collect();
        let mut insight = Insight::exact("What the other side can still do this turn");
        if table.passed[enemy] {
            return insight.line(format!("{} has passed: the turn ends.", name(enemy)));
        }
        insight = insight.line(if up.is_empty() {
            "None of its squadrons in the air has an action left.".to_owned()
        } else {
            format!("{} not acted.", up.doing("has", "have"))
        });
        if table.carriers[enemy].in_play() && !table.carriers[enemy].acted {
            insight = insight.line("Its carriers have not acted.");
        }
        insight
    }

    /// The level held, and what would change it.
    fn explain_standing(&self, table: &Table) -> Insight {
        let verdict = verdict(&self.scenario, &self.position(table, false));
        let held = |side: Side| format!("{} has: {}.", name(side), verdict.levels[side]);
        let mut insight = Insight::exact("If the game ended now").line(held(Side::First)).line(held(Side::Second));
        for side in Side::BOTH {
            let carrier = &table.carriers[side];
            if matches!(carrier.form, Form::Hidden | Form::Revealed) {
                let next = (carrier.hits + 1..=self.rules.carrier.steps).find(|hits| {
                    let mut position = self.position(table, false);
                    position.sides[side].cv_hits = *hits;
                    crate::victory::verdict(&self.scenario, &position).levels != verdict.levels
                });
                insight = insight.line(match next {
                    Some(hits) => {
                        format!("{} on {} would change that.", Count(hits - carrier.hits, "hit"), name(side))
                    }
                    None => format!("No number of hits on {} alone would change that.", name(side)),
                });
            }
        }
        insight
    }
}
