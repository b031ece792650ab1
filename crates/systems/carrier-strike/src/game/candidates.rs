//! Actions worth showing: what a player would look at first.

use super::CarrierGame;
use super::action::{Action, CvDetect, DetectPlan, DogfightDetect, When};
use super::piece::{CardId, CardLabel, Order, PieceId, SquadronId, Squads};
use super::search::searched_by;
use super::state::{Deck, Form, Table, Where};
use crate::few::Few;
use crate::geometry::{COMPASS, COMPASS_NAMES, LENGTH, clip, compass, lengths, short_of};
use crate::walk::{Course, Hazards, Waypoints, stride};
use crate::words::Role;
use flagplot_kernel::plane::{Point, ceil_sqrt, floor_sqrt};
use flagplot_kernel::{Candidate, Side};
use std::collections::BTreeMap;

/// At most so many moves are shown for each set of squadrons.
const MOST_MOVES: usize = 64;

/// So many of them are shown before everything else.
const FIRST_MOVES: usize = 8;

/// Ways round an enemy group are looked for on the way to so many destinations.
const MOST_DETOURS: usize = 12;

/// How far from an enemy's centre a way round it keeps: just outside contact.
const CLEAR: i64 = 1120;

/// Eight directions at exactly a speed.
pub(super) fn rose(speed: i64) -> Vec<Point> {
    let mut all = Vec::new();
    let mut slant = speed * 7071 / 10_000;
    while ceil_sqrt(2 * (slant + 1) * (slant + 1)) <= speed {
        slant += 1;
    }
    // The slant that rounds up to the speed, trying its neighbours.
    let mut diagonal = Point::new(slant, slant);
    for dx in 0..3 {
        let tried = Point::new(slant + dx, slant);
        if tried.ceil_dist(Point::default()) == speed {
            diagonal = tried;
        }
    }
    for line in [Point::new(0, speed), diagonal, Point::new(speed, 0), Point::new(diagonal.x, -diagonal.y)] {
        all.push(line);
        all.push(-line);
    }
    all
}

impl CarrierGame {
    /// Where the lead must fly so that the nearest member reaches the card.
    pub(super) fn straight_to_card(&self, table: &Table, squadrons: &[SquadronId], card: Point) -> Point {
        let nearest = squadrons.iter().min_by_key(|id| self.rules.geometry.to_card_2(table[**id].pos, card));
        let (Some(nearest), Some(lead)) = (nearest, squadrons.first()) else { return card };
        let from = table[*nearest].pos;
        table[*lead].pos + (self.rules.geometry.nearest_of_card(from, card) - from)
    }

    /// Paths for a set of squadrons, the most useful first: straight, or round an enemy group that the straight one
    /// would meet.
    pub(super) fn destinations(
        &self,
        table: &Table,
        squadrons: &[SquadronId],
        allowance: i64,
        met: Squads,
    ) -> Vec<(Waypoints, String)> {
        let Some(lead) = squadrons.first() else { return Vec::new() };
        let (from, side) = (table[*lead].pos, lead.side());
        let enemy = side.other();
        let geometry = &self.rules.geometry;
        let mut all: Vec<(i64, Point, String)> = Vec::new();
        let mut put = |score: i64, to: Point, label: String| {
            let to = clip(from, to, allowance);
            if to != from && squadrons.iter().all(|id| self.in_sea_room(table[*id].pos + (to - from))) {
                all.push((score, to, label));
            }
        };
        for (at, card) in table.carriers[enemy].on_table() {
            let name = table.carriers[enemy].card_id(enemy, at);
            let edge = geometry.nearest_of_card(from, card);
            for (score, distance) in [(90, 2900), (70, 900), (60, 3900)] {
                put(score, short_of(from, edge, distance), format!("fly to {} lengths from {name}", lengths(distance)));
            }
        }
        for group in table.groups(geometry, enemy).iter().copied() {
            let nearest = group.iter().map(|id| table[id].pos).min_by_key(|at| at.dist2(from));
            if let Some(nearest) = nearest {
                put(50, short_of(from, nearest, CLEAR), format!("fly to just outside contact with {}", group));
                put(40, short_of(from, nearest, 3000), format!("fly to 3 lengths from {}", group));
                put(30, nearest + (nearest - from).scale(1, 2), format!("fly straight through {}", group));
                if let Some(card) = self.haven(table, side) {
                    put(
                        45,
                        short_of(nearest, geometry.nearest_of_card(nearest, card), 1000),
                        format!("fly between {} and the carriers", group),
                    );
                    put(
                        25,
                        nearest + (card - nearest).scale(1, 2),
                        format!("fly midway between {} and the carriers", group),
                    );
                }
            }
        }
        for (at, card) in table.carriers[side].on_table() {
            let name = table.carriers[side].card_id(side, at);
            put(55, card, format!("patrol over {name}"));
            put(
                35,
                short_of(from, geometry.nearest_of_card(from, card), 2900),
                format!("fly to where it can land on {name}"),
            );
        }
        let moving: Squads = squadrons.iter().copied().collect();
        for group in table.groups(geometry, side).iter().copied() {
            let others = group.without(moving);
            if let Some(nearest) = others.iter().map(|id| table[id].pos).min_by_key(|at| at.dist2(from)) {
                put(52, short_of(from, nearest, 180), format!("join {}", others));
            }
        }
        for (line, name) in COMPASS.iter().zip(COMPASS_NAMES) {
            for (score, length) in [(12, 6000), (10, 3000), (8, 4500), (6, 1500)] {
                put(score, from + line.scale(length, 3000), format!("fly {} lengths {name}", lengths(length)));
            }
        }
        all.sort_by_key(|(score, ..)| -score);
        let mut kept: Vec<(Point, String)> = Vec::new();
        for (_, to, label) in all {
            if kept.iter().all(|(other, _)| other.dist2(to) > 100 * 100) {
                kept.push((to, label));
            }
        }
        let mut paths: Vec<(Waypoints, String)> = Vec::new();
        let mut detours = 0;
        for (to, label) in kept {
            let enemies = table.up(enemy).without(met);
            let straight = Waypoints::to(to);
            let in_the_way =
                (detours < MOST_DETOURS).then(|| self.met_on_the_way(table, squadrons, enemies, &straight)).flatten();
            if let Some(id) = in_the_way {
                detours += 1;
                for (path, way) in self.ways_round(table, squadrons, enemies, id, to, allowance) {
                    paths.push((path, format!("{label}, {way} round {id}")));
                }
            }
            paths.push((Waypoints::to(to), label));
        }
        paths.truncate(MOST_MOVES);
        paths
    }

    /// The nearest member of the first enemy group that a path would meet, as far as anybody can see.
    fn met_on_the_way(
        &self,
        table: &Table,
        squadrons: &[SquadronId],
        enemies: Squads,
        path: &Waypoints,
    ) -> Option<SquadronId> {
        let lead = table[*squadrons.first()?].pos;
        let hazards: Vec<(Point, u8)> = enemies.iter().map(|id| (table[id].pos, id.0 % 6)).collect();
        let mut movers: Vec<Point> = squadrons.iter().map(|id| table[*id].pos).collect();
        let mut course = Course::new(lead, *path);
        let stop = stride(
            &self.rules.geometry,
            &mut course,
            &mut movers,
            &Hazards { squadrons: &hazards, hidden: &[], seers: 0, guns: &[], targets: 0 },
        );
        enemies.iter().find(|id| stop.contact & (1 << (id.0 % 6)) != 0)
    }

    /// Two legs past an enemy die, left and right of it: along the tangent of the circle round it, and on to the
    /// destination from where the way is clear.
    fn ways_round(
        &self,
        table: &Table,
        squadrons: &[SquadronId],
        enemies: Squads,
        met: SquadronId,
        to: Point,
        allowance: i64,
    ) -> Vec<(Waypoints, &'static str)> {
        let Some(lead) = squadrons.first().map(|id| table[*id].pos) else { return Vec::new() };
        // The member of the group that comes nearest keeps its distance.
        let Some(nearest) = squadrons.iter().map(|id| table[*id].pos).min_by_key(|at| at.dist2(table[met].pos)) else {
            return Vec::new();
        };
        let away = table[met].pos - nearest;
        let (distance, clear) = (away.norm2(), CLEAR * CLEAR);
        if distance <= clear {
            return Vec::new();
        }
        let root = floor_sqrt(distance - clear);
        let along = away.scale(distance - clear, distance);
        let mut all = Vec::new();
        for (aside, way) in [(Point::new(-away.y, away.x), "left"), (Point::new(away.y, -away.x), "right")] {
            let tangent = along + aside.scale(CLEAR * root, distance);
            let clear_way = (4..=8).find_map(|quarters| {
                let corner = lead + tangent.scale(quarters, 4);
                let left = allowance - lead.ceil_dist(corner);
                if left <= 0 {
                    return None;
                }
                let path = Waypoints::from([corner, clip(corner, to, left)].as_slice());
                (self.path(table, squadrons, &path, allowance).is_ok()
                    && self.met_on_the_way(table, squadrons, enemies, &path).is_none())
                .then_some(path)
            });
            all.extend(clear_way.map(|path| (path, way)));
        }
        all
    }

    /// The sets of squadrons worth moving together.
    pub(super) fn useful_sets(&self, table: &Table, side: Side) -> Vec<Squads> {
        let fit = table.pick(side, |squadron| squadron.up() && !squadron.acted && squadron.rl > 1);
        let mut sets: Vec<Squads> = Vec::new();
        let mut put = |set: Squads| {
            if !set.is_empty()
                && !sets.contains(&set)
                && table.component(&self.rules.geometry, Squads::one(set.first().unwrap_or(SquadronId(0))), set) == set
            {
                sets.push(set);
            }
        };
        let mut rest = fit;
        while let Some(first) = rest.first() {
            let group = table.component(&self.rules.geometry, Squads::one(first), rest);
            rest = rest.without(group);
            put(group);
            put(group.iter().filter(|id| table[*id].role == Some(Role::Fighter)).collect());
            put(group.iter().filter(|id| table[*id].real() && !id.is_recce()).collect());
            put(group.iter().filter(|id| table[*id].ordnance == Some(true)).collect());
        }
        for id in fit.iter() {
            put(Squads::one(id));
        }
        sets
    }

    /// Where carriers may steam: eight directions at full speed, both cards together, so that none stands out.
    pub(super) fn cv_moves(&self, table: &Table, side: Side) -> Vec<(BTreeMap<CardId, Point>, String)> {
        let carrier = &table.carriers[side];
        let names = ["N", "S", "NE", "SW", "E", "W", "SE", "NW"];
        let lines = rose(self.speed(carrier.hits)).into_iter().zip(names);
        let moved = |line| carrier.on_table().map(|(at, card)| (carrier.card_id(side, at), card + line)).collect();
        lines
            .map(|(line, name)| (moved(line), format!("Steam {name}")))
            .filter(|(to, _)| self.cv_move(table, side, to).is_ok())
            .collect()
    }

    /// The cards of a side that can be the real one, as far as everybody knows.
    pub(super) fn open_cards(&self, table: &Table, side: Side) -> Few<Point, 2> {
        let carrier = &table.carriers[side];
        let open = if carrier.form == Form::Revealed { 3 } else { self.believable(table, side) };
        carrier.on_table().filter(|(at, _)| open & (1 << at) != 0).map(|(_, card)| card).collect()
    }

    /// Where squadrons come home to: the carriers, or between the cards while both can be the real one and a squadron
    /// there can land on either, so that it does not point at one of them.
    pub(super) fn haven(&self, table: &Table, side: Side) -> Option<Point> {
        let real = table.carriers[side].real_card()?;
        let reach = self.rules.ranges.land * LENGTH - 100;
        match self.open_cards(table, side)[..] {
            [a, b] => {
                let middle = Point::new((a.x + b.x) / 2, (a.y + b.y) / 2);
                let near = [a, b].iter().all(|card| self.rules.geometry.near_card(middle, *card, reach));
                Some(if near { middle } else { real })
            }
            _ => Some(real),
        }
    }

    /// Where a squadron may be launched. While both cards can be the real one, only points that fit both are shown if
    /// there are any: any other would point at one of them.
    pub(super) fn launch_points(&self, table: &Table, side: Side, dummy: bool) -> Vec<(Point, String)> {
        let Some(real) = table.carriers[side].real_card() else { return Vec::new() };
        let geometry = &self.rules.geometry;
        let reach = self.rules.ranges.launch * LENGTH;
        let open = self.open_cards(table, side);
        let around = |middle: Point, half: Point, away: i64, slant: i64, place: &str| {
            let mut all = vec![(middle, place.to_owned())];
            for (x, y, name) in [
                (0, 1, "N"),
                (1, 1, "NE"),
                (1, 0, "E"),
                (1, -1, "SE"),
                (0, -1, "S"),
                (-1, -1, "SW"),
                (-1, 0, "W"),
                (-1, 1, "NW"),
            ] {
                let out = if x == 0 || y == 0 { away } else { slant };
                all.push((middle + Point::new(x * (half.x + out), y * (half.y + out)), format!("{place}, {name}")));
            }
            if let Some((_, enemy)) = table.carriers[side.other()].on_table().min_by_key(|(_, card)| card.dist2(middle))
            {
                all.push((clip(middle, enemy, half.y + away), format!("{place}, toward the enemy")));
            }
            all.retain(|(at, _)| self.in_sea_room(*at));
            all
        };
        let near = |at: Point, card: Point| geometry.near_card(at, card, reach);
        if let [a, b] = open[..] {
            let middle = Point::new((a.x + b.x) / 2, (a.y + b.y) / 2);
            let mut both = around(middle, Point::default(), 2400, 1200, "between the cards");
            both.retain(|(at, _)| near(*at, a) && near(*at, b));
            if !both.is_empty() {
                return both;
            }
        }
        let half = Point::new(geometry.card_width / 2, geometry.card_length / 2);
        let cards = if dummy { open } else { [real].into_iter().collect() };
        let place = if dummy && cards.len() == 2 { "over a card" } else { "over the carriers" };
        cards.iter().flat_map(|card| around(*card, half, 2490, 2050, place)).collect()
    }

    pub(super) fn action_candidates(&self, table: &Table, side: Side) -> Vec<Candidate<Action>> {
        let mut all: Vec<Candidate<Action>> = Vec::new();
        let legal = |action: &Action| self.legal(table, side, action).is_ok();
        for id in table.up(side).iter().filter(|id| table[*id].rl <= 1 && !table[*id].acted) {
            let carrier = &table.carriers[side];
            let two = table[id].is_dummy() && carrier.on_table().count() == 2;
            let cards: Vec<Option<CardId>> = if two {
                carrier.on_table().map(|(at, _)| Some(carrier.card_id(side, at))).collect()
            } else {
                vec![None]
            };
            for card in cards {
                let label = card.map_or_else(|| format!("Fly {id} home"), |card| format!("Fly {id} home to {card}"));
                all.push(Candidate::new(Action::FlyHome { squadron: id, card }, label).at([id.id()]));
            }
        }
        let sets = self.useful_sets(table, side);
        for set in &sets {
            if let Some(strike) = self.strike_with(table, side, *set) {
                let target = self.struck_card(table, side).map(|card| card.id());
                all.push(Candidate::new(strike, format!("Strike with {}", set)).at(set.ids().chain(target)));
            }
        }
        self.dogfight_candidates(table, side, &sets, &mut all);
        self.search_candidates(table, side, &mut all);
        let mut later: Vec<Candidate<Action>> = Vec::new();
        for set in &sets {
            let squadrons: Order = set.iter().collect();
            let from = squadrons.first().map_or(Point::default(), |id| table[*id].pos);
            for (n, (path, label)) in self
                .destinations(table, &squadrons, self.rules.speeds.squadron_move, Squads::NONE)
                .into_iter()
                .enumerate()
            {
                let detect = self.search_on_arrival(table, side, *set, path.end(from));
                let search = detect.map_or_else(String::new, |plan| format!(", then {} searches", plan.by));
                let action = Action::Move { squadrons, path: Some(path), detect };
                if legal(&action) {
                    let place = if n < FIRST_MOVES { &mut all } else { &mut later };
                    place.push(Candidate::new(action, format!("{}: {label}{search}", set)).at(set.ids()));
                }
            }
        }
        // Scouts first: they go out first.
        let mut own: Vec<SquadronId> =
            SquadronId::of(side).filter(|id| table[*id].place == Where::Aboard || table[*id].up()).collect();
        own.sort_by_key(|id| !id.is_recce());
        // Deck work is about the carriers too.
        let own_card = table.carriers[side].real.map(|real| table.carriers[side].card_id(side, usize::from(real)).id());
        for id in own {
            let mut options = vec![
                (Action::Land { squadron: id }, format!("Land {id}")),
                (Action::Refuel { squadron: id }, format!("Refuel {id}")),
            ];
            for role in [Role::Fighter, Role::Strike] {
                let same =
                    matches!((role, table[id].deck), (Role::Fighter, Deck::Fighter) | (Role::Strike, Deck::Strike));
                if !same {
                    options.push((
                        Action::ReArm { squadron: id, role },
                        format!("Arm {id} {}", if role == Role::Fighter { "as fighters" } else { "for strikes" }),
                    ));
                }
            }
            if table[id].place == Where::Aboard && table[id].deck.ready() && !table[id].acted {
                for dummy in [false, true] {
                    for (at, label) in self.launch_points(table, side, dummy) {
                        options.push((
                            Action::Launch { squadron: id, at, dummy },
                            format!("Launch {id}{}: {label}", if dummy { " as a dummy" } else { "" }),
                        ));
                    }
                }
            }
            all.extend(
                options
                    .into_iter()
                    .filter(|(action, _)| legal(action))
                    .map(|(action, label)| Candidate::new(action, label).at(std::iter::once(id.id()).chain(own_card))),
            );
        }
        let carrier = &table.carriers[side];
        if carrier.in_play() && !carrier.acted {
            all.extend(self.cv_moves(table, side).into_iter().map(|(to, label)| {
                let pieces: Vec<&str> = to.keys().map(|card| card.id()).collect();
                Candidate::new(Action::MoveCv { to: Some(to), detect: None, evade: None }, label).at(pieces)
            }));
            all.extend(self.evasions(table, side).into_iter().map(|evasion| {
                let label = format!("Slip away, carriers {}", compass(evasion.real - evasion.decoy));
                Candidate::new(Action::MoveCv { to: None, detect: None, evade: Some(evasion) }, label)
            }));
        }
        let leave = Action::Disengage { aboard: Vec::new() };
        if legal(&leave) {
            all.push(Candidate::new(leave, "Leave the battle"));
        }
        if legal(&Action::Pass) {
            all.push(Candidate::new(Action::Pass, "Pass"));
        }
        all.append(&mut later);
        all
    }

    /// A search that would be possible where a move ends.
    fn search_on_arrival(&self, table: &Table, side: Side, set: Squads, to: Point) -> Option<DetectPlan> {
        let lead = table[set.first()?].pos;
        let able = |id: &SquadronId| table[*id].real() && !table[*id].detect_used;
        let by = set.iter().filter(able).max_by_key(|id| id.is_recce())?;
        self.findable(table, side, table[by].pos + (to - lead))?;
        Some(DetectPlan { when: When::After, by, target: None })
    }

    fn dogfight_candidates(&self, table: &Table, side: Side, sets: &[Squads], all: &mut Vec<Candidate<Action>>) {
        for set in sets {
            for group in table.groups(&self.rules.geometry, side.other()).iter().copied() {
                let Some(target) = group.first() else { continue };
                let squadrons: Order = set.iter().collect();
                let by = set.iter().find(|id| !table[*id].detect_used);
                let pieces = set.ids().chain(group.ids());
                let plain = Action::Dogfight { squadrons, target, detect: None };
                if self.legal(table, side, &plain).is_ok() {
                    all.push(Candidate::new(plain, format!("Attack {} with {}", group, set)).at(pieces));
                } else if let Some(by) = by {
                    let search = Action::Dogfight { squadrons, target, detect: Some(DogfightDetect { by }) };
                    if self.legal(table, side, &search).is_ok() {
                        all.push(
                            Candidate::new(search, format!("Search for {} and attack with {}", group, set)).at(pieces),
                        );
                    }
                }
            }
        }
    }

    /// The enemy card that a strike would go for.
    fn struck_card(&self, table: &Table, side: Side) -> Option<CardId> {
        let (enemy, target) = (side.other(), self.strike_target(table, side)?);
        let carrier = &table.carriers[enemy];
        carrier.on_table().find(|(_, card)| *card == target).map(|(at, _)| carrier.card_id(enemy, at))
    }

    /// The piece on the board that a searcher is.
    fn searching_piece(&self, table: &Table, by: PieceId) -> &'static str {
        match by {
            PieceId::Squadron(id) => id.id(),
            PieceId::Card(card) => {
                let carrier = &table.carriers[card.side];
                carrier.real.map_or(card.id(), |real| carrier.card_id(card.side, usize::from(real)).id())
            }
        }
    }

    fn search_candidates(&self, table: &Table, side: Side, all: &mut Vec<Candidate<Action>>) {
        let mut searchers: Vec<PieceId> = table.up(side).iter().map(PieceId::Squadron).collect();
        searchers.push(PieceId::Card(CardId { side, label: CardLabel::Cv }));
        for by in searchers {
            for target in self.searchable(table, side, by) {
                all.push(
                    Candidate::new(
                        Action::Detect { by, target },
                        format!("Search for {target} with {}", searched_by(by)),
                    )
                    .at([target.id(), self.searching_piece(table, by)]),
                );
                let combined = match by {
                    PieceId::Squadron(id) => Action::Move {
                        squadrons: std::iter::once(id).collect(),
                        path: None,
                        detect: Some(DetectPlan { when: When::Before, by: id, target: Some(target) }),
                    },
                    PieceId::Card(_) => Action::MoveCv {
                        to: None,
                        detect: Some(CvDetect { when: When::Before, target: Some(target) }),
                        evade: None,
                    },
                };
                if self.legal(table, side, &combined).is_ok() {
                    all.push(
                        Candidate::new(combined, format!("Search for {target} with {}, then move", searched_by(by)))
                            .at([target.id(), self.searching_piece(table, by)]),
                    );
                }
            }
        }
    }
}
