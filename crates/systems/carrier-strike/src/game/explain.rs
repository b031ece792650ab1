//! What a player may want to know before a decision.

use super::CarrierGame;
use super::action::Action;
use super::piece::{Order, PieceId, SquadronId, Squads};
use super::state::{Form, State};
use super::view::View;
use crate::detection::Column;
use crate::fuel::{Homing, ditching};
use crate::geometry::LENGTH;
use crate::procedures::{search_duel, written};
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
        let side = question.seat.side();
        match question.prompt.code {
            "choose-action" => match value.and_then(|value| serde_json::from_value::<Action>(value.clone()).ok()) {
                Some(action) => self.explain_action(state, side, &action),
                None => vec![self.explain_standing(state)],
            },
            "detection-number" => state
                .act
                .search
                .map(|search| self.explain_search(state, side, search.by, search.target))
                .into_iter()
                .collect(),
            "stance" => self.explain_stance(state, side),
            "contact" => self.explain_contact(state, side, value),
            "strike-next" => {
                let first = value
                    .and_then(|value| serde_json::from_value::<Option<SquadronId>>(value["strike"].clone()).ok())
                    .flatten();
                self.explain_strikes(state, side, self.can_strike(state), first)
            }
            "path" | "resume" | "after-strike" => {
                let path = value.and_then(|value| serde_json::from_value::<Vec<Point>>(value["path"].clone()).ok());
                let named = value.and_then(|value| serde_json::from_value::<Order>(value["squadrons"].clone()).ok());
                let order = named
                    .unwrap_or_else(|| state.act.order.iter().copied().filter(|id| state.act.group.has(*id)).collect());
                match path {
                    Some(path) => self.explain_walk(state, side, &order, &path),
                    None => vec![self.fuel_lines(
                        state,
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

    fn explain_action(&self, state: &State, side: Side, action: &Action) -> Vec<Insight> {
        match action {
            Action::Move { squadrons, path, detect } => {
                let mut all =
                    path.map(|path| self.explain_walk(state, side, squadrons, path.points())).unwrap_or_default();
                all.extend(detect.map(|plan| self.explain_search(state, side, Some(plan.by), plan.target)));
                all
            }
            Action::MoveCv { detect: Some(plan), .. } => vec![self.explain_search(state, side, None, plan.target)],
            Action::Dogfight { squadrons, target, detect } => {
                let group = state.group_of(&self.book.geometry, *target);
                let mut all: Vec<Insight> = detect
                    .map(|plan| self.explain_search(state, side, Some(plan.by), PieceId::Squadron(*target)))
                    .into_iter()
                    .collect();
                all.push(self.explain_fight(state, side, squadrons.iter().copied().collect(), group, "Attacking"));
                all
            }
            Action::Strike { squadrons, path } => {
                let mut all = self.explain_walk(state, side, squadrons, path.points());
                let able = squadrons.iter().copied().filter(|id| state[*id].ordnance == Some(true)).collect();
                all.extend(self.explain_strikes(state, side, able, None));
                all
            }
            Action::FlyHome { squadron, .. } | Action::Land { squadron } if state[*squadron].rl <= 1 => {
                self.explain_fuel(state, *squadron)
            }
            Action::Detect { by, target } => {
                let by = if let PieceId::Squadron(id) = by { Some(*id) } else { None };
                vec![self.explain_search(state, side, by, *target)]
            }
            Action::Pass => vec![self.explain_pass(state, side), self.explain_standing(state)],
            _ => Vec::new(),
        }
    }

    /// Will the walk make contact, with whom, and does the fuel last?
    fn explain_walk(&self, state: &State, side: Side, squadrons: &[SquadronId], path: &[Point]) -> Vec<Insight> {
        let (Some(lead), waypoints) = (squadrons.first(), Waypoints::from(path)) else { return Vec::new() };
        if !path.iter().all(|point| self.in_sea_room(*point)) {
            return Vec::new();
        }
        let groups = state.groups(&self.book.geometry, side.other());
        let enemies: Vec<(Point, u8)> = groups
            .iter()
            .enumerate()
            .flat_map(|(n, group)| group.without(state.act.met).iter().map(move |id| (id, n as u8)))
            .map(|(id, n)| (state[id].pos, n))
            .collect();
        let hazards = Hazards { squadrons: &enemies, hidden: &[], seers: 0, guns: &[], targets: 0 };
        let mut movers: Vec<Point> = squadrons.iter().map(|id| state[*id].pos).collect();
        let mut course = Course::new(state[*lead].pos, waypoints);
        let stop = stride(&self.book.geometry, &mut course, &mut movers, &hazards);
        let mut walk = Insight::exact("The walk")
            .line(format!("{} thousandths of a card length.", waypoints.length(state[*lead].pos)));
        walk = if stop.contact == 0 {
            walk.line("It makes no contact.")
        } else {
            let met: Vec<String> = groups
                .iter()
                .enumerate()
                .filter(|(n, _)| stop.contact & (1 << n) != 0)
                .map(|(_, group)| group.names())
                .collect();
            walk.line(format!(
                "It meets {} after {} thousandths, at {}, {}.",
                met.join(" and "),
                course.flown,
                course.lead.x,
                course.lead.y
            ))
        };
        let end = waypoints.end(state[*lead].pos) - state[*lead].pos;
        let carrier = &state.carriers[side.other()];
        for (at, card) in carrier.on_table() {
            let name = carrier.card_id(side.other(), at);
            let nearest =
                squadrons.iter().map(|id| self.book.geometry.to_card(state[*id].pos + end, card)).min().unwrap_or(0);
            walk = walk.line(format!("It ends {nearest} thousandths from {name}."));
            if self.comes_by(state, squadrons, &waypoints, card, carrier.undetected()) {
                walk = walk.line(if carrier.undetected() {
                    format!("On the way a squadron comes within a length of {name} and detects it; a dummy would be known for one.")
                } else {
                    format!("On the way it comes over the guns of {name}.")
                });
            }
        }
        walk = self.fuel_lines(state, side, squadrons, end, walk);
        vec![walk]
    }

    /// What fuel each squadron has to spare for the way home after flying so far.
    fn fuel_lines(
        &self,
        state: &State,
        side: Side,
        squadrons: &[SquadronId],
        end: Point,
        mut walk: Insight,
    ) -> Insight {
        for id in squadrons {
            let Some(home) = state.carriers[side].real_card() else { continue };
            let rl = i64::from(state[*id].rl);
            let reach = if rl <= 2 { 3 * LENGTH } else { (6 * (rl - 2) + 3) * LENGTH };
            let margin = reach - self.book.geometry.to_card(state[*id].pos + end, home);
            walk = walk.line(if margin >= 0 {
                format!("{id}: {margin} thousandths of fuel to spare for the way home.")
            } else {
                format!("{id}: {} thousandths short of fuel for the way home.", -margin)
            });
        }
        walk
    }

    /// Whether a walk comes within a length of a hidden card, or over the guns of an open one.
    fn comes_by(&self, state: &State, squadrons: &[SquadronId], path: &Waypoints, card: Point, hidden: bool) -> bool {
        let Some(lead) = squadrons.first() else { return false };
        let everybody = (1 << squadrons.len().min(12)) - 1;
        let cards = [card];
        let hazards = if hidden {
            Hazards { squadrons: &[], hidden: &cards, seers: everybody, guns: &[], targets: 0 }
        } else {
            Hazards { squadrons: &[], hidden: &[], seers: 0, guns: &cards, targets: everybody }
        };
        let mut movers: Vec<Point> = squadrons.iter().map(|id| state[*id].pos).collect();
        let stop = stride(&self.book.geometry, &mut Course::new(state[*lead].pos, *path), &mut movers, &hazards);
        stop.near != [0; 2] || stop.entered != 0
    }

    fn explain_fuel(&self, state: &State, id: SquadronId) -> Vec<Insight> {
        if state[id].is_dummy() {
            return vec![Insight::exact(format!("{id} on its last fuel")).line("It is a dummy: no aircraft ditch.")];
        }
        let distance = state.to_home(&self.book, id);
        let strength = state[id].strength;
        let (now, _) = ditching(&self.book, strength, distance, state[id].ditched);
        let mut insight = Insight::exact(format!("{id} on its last fuel"))
            .line(format!("{} of {strength} aircraft ditch now.", now.lost));
        if let (Homing::Move, Some(distance)) = (now.then, distance) {
            let left = (distance - self.book.speeds.squadron_move).max(0);
            let (next, _) = ditching(&self.book, strength - now.lost, Some(left), true);
            insight = insight.line(format!("It ends about {left} thousandths from the card; {} more ditch next turn unless the carriers come nearer.", next.lost));
        }
        vec![insight]
    }

    /// A search with its mix, and what may be found.
    pub(super) fn explain_search(&self, state: &State, side: Side, by: Option<SquadronId>, target: PieceId) -> Insight {
        let column = if by.is_some_and(SquadronId::is_recce) { Column::Recce } else { Column::CombatOrCv };
        let play = search_duel(&self.book, column);
        let searching = target.side() != side;
        let who = by.map_or("The carrier group", SquadronId::name);
        let mut insight = Insight::exact(format!("{who} looks for {target}: the numbers that cannot be outguessed"))
            .chance("found", written(&play.value));
        for (number, share) in (1..=4).zip(if searching { &play.rows } else { &play.columns }) {
            insight = insight.chance(format!("play {number}"), written(share));
        }
        for (number, share) in (1..=4).zip(if searching { &play.columns } else { &play.rows }) {
            insight = insight.line(format!("The other side plays {number} in {} of all cases.", written(share)));
        }
        if !searching {
            return insight;
        }
        match target {
            PieceId::Card(card) => {
                let carrier = &state.carriers[card.side];
                let believable = self.believable(state, card.side);
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
                    state.group_of(&self.book.geometry, id).iter().filter(|id| state[*id].dummy.is_none()).collect();
                if unsure.is_empty() {
                    insight
                } else {
                    insight.line(format!(
                        "Nobody has proved {} real; one die in {} is taken for a dummy.",
                        unsure.names(),
                        super::imagine::DUMMY_ONE_IN
                    ))
                }
            }
        }
    }

    fn explain_pass(&self, state: &State, side: Side) -> Insight {
        let enemy = side.other();
        let up: Squads = state.up(enemy).iter().filter(|id| !state[*id].acted).collect();
        let mut insight = Insight::exact("What the other side can still do this turn");
        if state.passed[enemy] {
            return insight.line(format!("{} has passed: the turn ends.", name(enemy)));
        }
        insight = insight.line(if up.is_empty() {
            "None of its dice in the air has an action left.".to_owned()
        } else {
            format!("{} have not acted.", up.names())
        });
        if state.carriers[enemy].in_play() && !state.carriers[enemy].acted {
            insight = insight.line("Its carriers have not moved.");
        }
        insight
    }

    /// The level held, and what would change it.
    fn explain_standing(&self, state: &State) -> Insight {
        let verdict = verdict(&self.scenario, &self.position(state, false));
        let held = |side: Side| format!("{} holds: {}.", name(side), verdict.levels[side].word());
        let mut insight = Insight::exact("If it ended now").line(held(Side::First)).line(held(Side::Second));
        for side in Side::BOTH {
            let carrier = &state.carriers[side];
            if matches!(carrier.form, Form::Hidden | Form::Revealed) {
                let next = (carrier.hits + 1..=self.book.carrier.steps).find(|hits| {
                    let mut position = self.position(state, false);
                    position.sides[side].cv_hits = *hits;
                    crate::victory::verdict(&self.scenario, &position).levels != verdict.levels
                });
                insight = insight.line(match next {
                    Some(hits) => format!(
                        "{} hit{} on {} would change that.",
                        hits - carrier.hits,
                        if hits - carrier.hits == 1 { "" } else { "s" },
                        name(side)
                    ),
                    None => format!("No number of hits on {} alone would change that.", name(side)),
                });
            }
        }
        insight
    }
}
