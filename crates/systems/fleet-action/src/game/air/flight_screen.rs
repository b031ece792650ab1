//! How the flight sheet is put to a person, and random sheets for playouts. [6.5]

use super::flight::{ARRIVAL_MM, Arrival, Doing, FlightEntry, FlightSheet};
use crate::game::state::{Level, StandId, VesselId};
use crate::rule;
use crate::words::*;
use flagplot_kernel::plane::Point;
use flagplot_kernel::scene::{Piece, Place};
use flagplot_kernel::{
    Candidate, Chance, Choice, Form, FormItem, FormPart, FormPlace, OptionView, Prompt, Region, Screen,
};
use serde_json::{Value, json};

impl FlightSheet<'_> {
    /// The enemy ships that can be attacked from the air.
    pub(in crate::game) fn targets(&self) -> Vec<VesselId> {
        let side = self.game.battle.squad(self.squadron).side;
        self.game.enemies(self.sea, side).filter(|id| self.sea.vessel(*id).level == Level::Surfaced).collect()
    }

    /// An entry that leaves a stand as it is, or lets it arrive in a usual way.
    pub(in crate::game) fn blank(&self, stand: StandId) -> FlightEntry {
        let (game, sea) = (self.game, self.sea);
        let arrival = game
            .arrives(sea, stand)
            .then(|| self.targets().first().copied())
            .flatten()
            .map(|ship| Arrival { ship: game.battle.member(ship).id.clone(), bearing: 0 });
        let id = game.battle.flight(stand).id.clone();
        FlightEntry { stand: id, arrival, to: None, doing: None, jettison: false }
    }

    /// An entry that brings a stand to a ship from a bearing, if it gets there this turn; else as near as it gets.
    pub(in crate::game) fn toward(&self, stand: StandId, ship: VesselId, bearing: i32) -> (FlightEntry, bool) {
        let (game, sea) = (self.game, self.sea);
        let mut entry = self.blank(stand);
        if let Some(arrival) = &mut entry.arrival {
            *arrival = Arrival { ship: game.battle.member(ship).id.clone(), bearing };
        }
        let goal = game.point(sea, ship);
        let from = self.from(stand, &entry);
        let (to, there) = self.as_far(stand, from, goal);
        entry.to = Some(to);
        (entry, there)
    }

    /// Where a stand begins that flies by an entry.
    pub(in crate::game) fn from(&self, stand: StandId, entry: &FlightEntry) -> Point {
        let (game, sea) = (self.game, self.sea);
        let side = game.battle.flight(stand).side;
        let arrival = entry.arrival.as_ref().and_then(|arrival| {
            let ship = game.battle.find(arrival.ship.as_str())?;
            let heading = crate::geometry::Heading::new(&game.battle.rules, arrival.bearing)?;
            Some(game.arrival(sea, side, ship, heading))
        });
        arrival.unwrap_or_else(|| game.stand_point(sea, stand))
    }

    /// How far a stand gets toward a point, and whether it gets there.
    pub(in crate::game) fn as_far(&self, stand: StandId, from: Point, goal: Point) -> (Point, bool) {
        let (far, reach) = (from.ceil_dist(goal), self.reach(stand));
        if far <= reach {
            return (goal, true);
        }
        // A little short of the reach, so that rounding never makes it too far.
        (from + (goal - from).scale((reach - 2).max(0), far), false)
    }

    fn doing_options(&self, stand: StandId) -> Vec<OptionView> {
        let (game, sea) = (self.game, self.sea);
        let battle = &game.battle;
        let flight = battle.flight(stand);
        let mut options = vec![OptionView::new(Value::Null, "no mission")];
        let ships = self.targets();
        if sea.stand(stand).loaded {
            options.extend(ships.iter().map(|ship| {
                let member = battle.member(*ship);
                OptionView::new(json!({"attack": member.id}), format!("attack {}", member.name)).at([&member.id])
            }));
        }
        for ship in ships.iter().filter(|ship| game.gun_attack(sea, stand, **ship).is_some()) {
            let member = battle.member(*ship);
            options.push(
                OptionView::new(json!({"strafe": member.id}), format!("strafe {}", member.name)).at([&member.id]),
            );
        }
        let fights = flight.aircraft.ratings.intercept > 0;
        for (other, _) in sea.all_stands().filter(|(_, other)| other.flies()) {
            let named = battle.flight(other);
            if named.side != flight.side && fights {
                let words = format!("intercept {}", named.name);
                options.push(OptionView::new(json!({"intercept": named.id}), words).at([&named.id]));
            }
        }
        for (other, _) in sea.all_stands().filter(|(other, _)| *other != stand) {
            let named = battle.flight(other);
            if named.side == flight.side && fights && (sea.stand(other).flies() || game.arrives(sea, other)) {
                options.push(
                    OptionView::new(json!({"escort": named.id}), format!("escort {}", named.name)).at([&named.id]),
                );
            }
        }
        if fights {
            options.push(OptionView::new(json!("patrol"), "patrol"));
        }
        options.push(OptionView::new(json!("leave"), "go home for good"));
        options
    }

    fn part(&self, stand: StandId) -> FormPart {
        let (game, sea) = (self.game, self.sea);
        let flight = game.battle.flight(stand);
        let arrives = game.arrives(sea, stand);
        let at = self.from(stand, &self.blank(stand));
        let mut items = vec![FormItem { id: "do".into(), label: "Mission".into(), options: self.doing_options(stand) }];
        let mut template = json!({"to": "$to", "do": "$do"});
        if arrives {
            let ships = self.targets();
            let options = ships.iter().map(|ship| {
                let member = game.battle.member(*ship);
                OptionView::new(json!(member.id), member.name.clone()).at([&member.id])
            });
            items.push(FormItem { id: "ship".into(), label: "Comes in from".into(), options: options.collect() });
            let bearings = (0..24).map(|step| OptionView::new(15 * step, format!("{:03}°", 15 * step)));
            items.push(FormItem { id: "bearing".into(), label: "Bearing".into(), options: bearings.collect() });
            template["arrival"] = json!({"ship": "$ship", "bearing": "$bearing"});
        }
        if game.role(sea, stand) == Role::LoadedFighterBomber {
            let options = vec![OptionView::new(Value::Null, "keep the load"), OptionView::new(true, "drop the load")];
            items.push(FormItem { id: "jettison".into(), label: "Load".into(), options });
            template["jettison"] = json!("$jettison");
        }
        let piece = Piece {
            id: flight.id.to_string(),
            name: flight.name.clone(),
            side: Some(flight.side),
            kind: "squadron".into(),
            place: Place::Point(at.into()),
            facing: None,
            size: None,
            badges: Vec::new(),
            states: Vec::new(),
            text: flight.name.clone(),
        };
        let most = self.reach(stand) + if arrives { 2 * ARRIVAL_MM } else { 0 };
        let region = Region::Around { middle: at.into(), size: [0, 0], least: 0, most };
        let place = FormPlace {
            id: "to".into(),
            label: "Flies to".into(),
            piece,
            regions: vec![region],
            origin: None,
            optional: true,
        };
        let mut part =
            FormPart::new(flight.id.as_str(), &flight.name, Form::Parts { places: vec![place], items, template });
        if !arrives {
            part.left_out = "stays where it is".into();
        }
        part
    }

    /// A random entry that is legal.
    fn any(&self, stand: StandId, targets: &[VesselId], chance: &mut Chance) -> FlightEntry {
        let (game, sea) = (self.game, self.sea);
        let mut entry = self.blank(stand);
        let pick = |chance: &mut Chance| targets.get(chance.below(targets.len() as u32) as usize).copied();
        if let (Some(arrival), Some(ship)) = (&mut entry.arrival, pick(chance)) {
            *arrival = Arrival { ship: game.battle.member(ship).id.clone(), bearing: 15 * chance.below(24) as i32 };
        }
        let from = self.from(stand, &entry);
        let flight = game.battle.flight(stand);
        let home = sea.stand(stand).home.filter(|home| sea.vessel(*home).in_play());
        match (pick(chance), home) {
            (Some(ship), _) if sea.stand(stand).loaded && chance.below(8) > 0 => {
                let (to, there) = self.as_far(stand, from, game.point(sea, ship));
                entry.to = Some(to);
                entry.doing = there.then(|| Doing::Attack(game.battle.member(ship).id.clone()));
            }
            (Some(ship), _) if chance.below(4) == 0 && game.gun_attack(sea, stand, ship).is_some() => {
                let (to, there) = self.as_far(stand, from, game.point(sea, ship));
                entry.to = Some(to);
                entry.doing = there.then(|| Doing::Strafe(game.battle.member(ship).id.clone()));
            }
            (_, Some(home)) if flight.attack.is_some() || chance.below(3) == 0 => {
                entry.to = Some(self.as_far(stand, from, game.point(sea, home)).0);
            }
            _ if game.fighters(sea, stand).factor(Encounter::Intercept) > 0 => {
                let others = sea
                    .all_stands()
                    .filter(|(other, one)| one.flies() && game.battle.flight(*other).side != flight.side);
                let others: Vec<StandId> = others.map(|(other, _)| other).collect();
                let other = others.get(chance.below(others.len() as u32) as usize);
                match other {
                    Some(other) => {
                        let (to, there) = self.as_far(stand, from, game.stand_point(sea, *other));
                        entry.to = Some(to);
                        let id = game.battle.flight(*other).id.clone();
                        entry.doing = Some(if there { Doing::Intercept(id) } else { Doing::Patrol });
                    }
                    None => entry.doing = Some(Doing::Patrol),
                }
            }
            (_, None) if flight.attack.is_some() && !sea.stand(stand).loaded => entry.doing = Some(Doing::Leave),
            _ => {}
        }
        // What is against the rules for a reason of its own (a torpedo at a barge) becomes a plain flight.
        if self.legal(&entry).is_err() {
            entry.doing = None;
        }
        entry
    }
}

impl Screen for FlightSheet<'_> {
    fn prompt(&self) -> Prompt {
        let squad = self.game.battle.squad(self.squadron);
        Prompt::new("flight", format!("Where does {} fly, and what will it do?", squad.name), rule::S6_5)
    }

    fn candidates(&self) -> Vec<Candidate<Vec<FlightEntry>>> {
        let best = self.game.flight_instinct(self);
        let mut candidates = vec![Candidate::new(best, "Suggested flight")];
        let home: Vec<FlightEntry> = self.stands().map(|stand| self.game.homeward(self, stand)).collect();
        let stay: Vec<FlightEntry> = self.stands().map(|stand| self.blank(stand)).collect();
        for (entries, label) in [(home, "Break off"), (stay, "No missions")] {
            if candidates.iter().all(|known| known.value != entries) {
                candidates.push(Candidate::new(entries, label));
            }
        }
        candidates
    }

    fn form(&self) -> Form {
        Form::Sheet { key: "stand".into(), parts: self.stands().map(|stand| self.part(stand)).collect() }
    }
}

impl Choice for FlightSheet<'_> {
    fn sample(&self, chance: &mut Chance) -> Vec<FlightEntry> {
        let targets = self.targets();
        self.stands().map(|stand| self.any(stand, &targets, chance)).collect()
    }

    fn instinct(&self, _: &mut Chance) -> Vec<FlightEntry> {
        self.game.flight_instinct(self)
    }
}
