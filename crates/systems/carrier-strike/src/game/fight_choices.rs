//! What is asked in a dogfight.

use super::CarrierGame;
use super::absent::{absent, absent_lines};
use super::flight_choices::modest;
use super::forms::{counted, each, item, place, within};
use super::piece::{SquadronId, Squads};
use super::state::{ActKind, State};
use crate::combat::{in_order, spread};
use crate::geometry::{COMPASS, COMPASS_NAMES};
use crate::rule;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Candidate, Chance, Choice, Decision, Form, FormPlace, Prompt, Refusal, Screen, Seat, Side};
use std::collections::BTreeMap;

/// Who fights whom: each squadron of the first side, and its enemy.
pub(super) struct MatchChoice {
    pub side: Side,
    pub first: Squads,
    pub second: Squads,
}

impl MatchChoice {
    fn by_order(&self, turn: usize) -> BTreeMap<SquadronId, SquadronId> {
        let second: Vec<SquadronId> = self.second.iter().collect();
        self.first.iter().enumerate().map(|(at, id)| (id, second[(at + turn) % second.len()])).collect()
    }
}

impl Decision for MatchChoice {
    type Value = BTreeMap<SquadronId, SquadronId>;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &Self::Value) -> Result<(), Refusal> {
        let own: Squads = value.keys().copied().collect();
        let enemies: Squads = value.values().copied().collect();
        let combats = self.first.count().min(self.second.count());
        if own != self.first || !enemies.without(self.second).is_empty() || enemies.count() != combats {
            return Err(Refusal::new(
                "bad-match",
                format!(
                    "Each of {} must meet one of {}, in {combats} combats.",
                    self.first.names(),
                    self.second.names()
                ),
            )
            .by(rule::R_33));
        }
        Ok(())
    }
}

impl Screen for MatchChoice {
    fn prompt(&self) -> Prompt {
        let prompt =
            Prompt::new("match", format!("Pair off {} with {}.", self.first.names(), self.second.names()), rule::R_33);
        absent(
            prompt,
            self.second.iter().map(|enemy| {
                (format!("all against {enemy}"), self.check(&self.first.iter().map(|id| (id, enemy)).collect()))
            }),
        )
    }

    fn candidates(&self) -> Vec<Candidate<Self::Value>> {
        let label = |pairs: &Self::Value| {
            pairs.iter().map(|(own, enemy)| format!("{own} v {enemy}")).collect::<Vec<_>>().join(", ")
        };
        (0..self.second.count())
            .map(|turn| self.by_order(turn))
            .map(|pairs| {
                let label = label(&pairs);
                Candidate::new(pairs, label)
            })
            .collect()
    }

    fn form(&self) -> Form {
        against(self.first, self.second, "fights")
    }
}

impl Choice for MatchChoice {}

/// A squadron of the others for each of some.
fn against(some: Squads, others: Squads, how: &str) -> Form {
    let options = || others.iter().map(|id| (id, id.to_string(), vec![id.to_string()]));
    Form::Parts {
        places: Vec::new(),
        items: some.iter().map(|id| item(id, format!("{id} {how}"), options())).collect(),
        template: each(some.iter()),
    }
}

/// Which combats surplus squadrons join: each, and the enemy it helps against.
pub(super) struct JoinChoice {
    pub side: Side,
    pub surplus: Squads,
    pub firsts: Squads,
}

impl Decision for JoinChoice {
    type Value = BTreeMap<SquadronId, SquadronId>;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &Self::Value) -> Result<(), Refusal> {
        let own: Squads = value.keys().copied().collect();
        if own != self.surplus || value.values().any(|id| !self.firsts.has(*id)) {
            return Err(Refusal::new(
                "bad-match",
                format!("Each of {} must join a combat against one of {}.", self.surplus.names(), self.firsts.names()),
            )
            .by(rule::R_33));
        }
        Ok(())
    }
}

impl Screen for JoinChoice {
    fn prompt(&self) -> Prompt {
        let prompt = Prompt::new(
            "join",
            format!("Put {} into combats, each against one of {}.", self.surplus.names(), self.firsts.names()),
            rule::R_33,
        );
        absent(prompt, [("staying out".to_owned(), self.check(&BTreeMap::new()))])
    }

    fn candidates(&self) -> Vec<Candidate<Self::Value>> {
        self.firsts
            .iter()
            .map(|enemy| {
                Candidate::new(self.surplus.iter().map(|id| (id, enemy)).collect(), format!("all against {enemy}"))
            })
            .collect()
    }

    fn form(&self) -> Form {
        against(self.surplus, self.firsts, "joins against")
    }
}

impl Choice for JoinChoice {}

/// Which combat is fought next, by one of the first side's squadrons in it.
pub(super) struct NextCombatChoice<'a> {
    pub side: Side,
    pub combats: &'a [(Squads, Squads)],
}

impl Decision for NextCombatChoice<'_> {
    type Value = SquadronId;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &SquadronId) -> Result<(), Refusal> {
        if self.combats.iter().any(|(first, _)| first.has(*value)) {
            return Ok(());
        }
        Err(Refusal::new("bad-match", format!("{value} is in none of the combats left.")).by(rule::AIR_COMBAT))
    }
}

impl Screen for NextCombatChoice<'_> {
    fn prompt(&self) -> Prompt {
        Prompt::new("next-combat", "Which combat is fought next?", rule::AIR_COMBAT)
    }

    fn candidates(&self) -> Vec<Candidate<SquadronId>> {
        self.combats
            .iter()
            .filter_map(|(first, second)| {
                Some(
                    Candidate::new(first.first()?, format!("{} against {}", first.names(), second.names()))
                        .at(first.and(*second).iter()),
                )
            })
            .collect()
    }
}

impl Choice for NextCombatChoice<'_> {}

/// How hits are shared out.
pub(super) struct AllocateChoice<'a> {
    pub state: &'a State,
    pub side: Side,
    pub squadrons: Squads,
    pub hits: u8,
}

impl AllocateChoice<'_> {
    fn by(&self, policy: fn(&mut [u8], u8)) -> BTreeMap<SquadronId, u8> {
        let before: Vec<u8> = self.squadrons.iter().map(|id| self.state[id].strength).collect();
        let mut after = before.clone();
        policy(&mut after, self.hits);
        self.squadrons.iter().zip(before.iter().zip(after)).map(|(id, (before, after))| (id, before - after)).collect()
    }
}

impl Decision for AllocateChoice<'_> {
    type Value = BTreeMap<SquadronId, u8>;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &Self::Value) -> Result<(), Refusal> {
        let within = value.iter().all(|(id, lost)| self.squadrons.has(*id) && *lost <= self.state[*id].strength);
        if !within || value.values().map(|lost| u32::from(*lost)).sum::<u32>() != u32::from(self.hits) {
            return Err(Refusal::new(
                "bad-allocation",
                format!("The allocation must hand out exactly {} hits within squadron strengths.", self.hits),
            )
            .by(rule::AIR_COMBAT));
        }
        Ok(())
    }
}

impl Screen for AllocateChoice<'_> {
    fn prompt(&self) -> Prompt {
        let hits = if self.hits == 1 { "1 hit".to_owned() } else { format!("{} hits", self.hits) };
        let prompt =
            Prompt::new("allocate", format!("Share out {hits} among {}.", self.squadrons.names()), rule::AIR_COMBAT);
        let all_on = |id: SquadronId| (format!("all {hits} on {id}"), self.check(&BTreeMap::from([(id, self.hits)])));
        absent(
            prompt,
            self.squadrons.iter().map(all_on).chain([("fewer hits".to_owned(), self.check(&BTreeMap::new()))]),
        )
    }

    fn candidates(&self) -> Vec<Candidate<Self::Value>> {
        vec![Candidate::new(self.by(spread), "spread evenly"), Candidate::new(self.by(in_order), "in order")]
    }

    fn form(&self) -> Form {
        let limits = self.squadrons.iter().map(|id| (0, i64::from(self.state[id].strength))).collect();
        Form::Numbers { items: counted(self.squadrons.iter()), limits, total: Some(i64::from(self.hits)) }
    }
}

impl Choice for AllocateChoice<'_> {
    fn instinct(&self, _: &mut Chance) -> Self::Value {
        self.by(spread)
    }
}

/// Where squadrons break off to.
pub(super) struct BreakOffChoice<'a> {
    pub game: &'a CarrierGame,
    pub state: &'a State,
    pub side: Side,
    pub squadrons: Squads,
}

impl BreakOffChoice<'_> {
    fn inside(&self, line: Point) -> bool {
        self.squadrons.iter().all(|id| self.game.in_sea_room(self.state[id].pos + line))
    }
}

impl Decision for BreakOffChoice<'_> {
    type Value = Point;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &Point) -> Result<(), Refusal> {
        if !modest(*value) || value.ceil_dist(Point::default()) != self.game.book.speeds.break_off {
            return Err(Refusal::new("not-exactly-3", "Breaking off must be exactly 3 card lengths.").by(rule::R_42));
        }
        if !self.inside(*value) {
            return Err(Refusal::new("out-of-sea-room", "That leads outside the sea room.").by(rule::R_4));
        }
        Ok(())
    }
}

impl Screen for BreakOffChoice<'_> {
    fn prompt(&self) -> Prompt {
        let prompt = Prompt::new(
            "break-off",
            format!("{} must break off: choose a line of three lengths.", self.squadrons.names()),
            rule::BREAK_OFF,
        );
        absent_lines(prompt, COMPASS.iter().zip(COMPASS_NAMES).map(|(line, name)| (name, self.check(line))))
    }

    fn candidates(&self) -> Vec<Candidate<Point>> {
        COMPASS
            .iter()
            .zip(COMPASS_NAMES)
            .filter(|(line, _)| self.inside(**line))
            .map(|(line, name)| Candidate::new(*line, name))
            .collect()
    }

    fn form(&self) -> Form {
        let start = COMPASS.into_iter().find(|line| self.inside(*line)).unwrap_or(COMPASS[0]);
        let any = self.game.line_form(self.state, self.squadrons, self.game.book.speeds.break_off, start, |line| line);
        Form::Choices {
            ways: std::iter::once(("a compass line".to_owned(), Form::Pick))
                .chain(any.map(|form| ("any line".to_owned(), form)))
                .collect(),
        }
    }
}

impl Choice for BreakOffChoice<'_> {
    fn listed(&self) -> bool {
        true
    }

    fn instinct(&self, _: &mut Chance) -> Point {
        let from = self.squadrons.first().map_or(Point::default(), |id| self.state[id].pos);
        let home = self.state.carriers[self.side].real_card().unwrap_or(from);
        COMPASS
            .iter()
            .copied()
            .filter(|line| self.inside(*line))
            .min_by_key(|line| (from + *line).dist2(home))
            .unwrap_or(COMPASS[0])
    }
}

/// How the defenders move in step 3.
pub(super) struct Step3Choice<'a> {
    pub game: &'a CarrierGame,
    pub state: &'a State,
    pub side: Side,
    pub squadrons: Squads,
}

impl Step3Choice<'_> {
    fn all_by(&self, line: Point) -> BTreeMap<SquadronId, Point> {
        self.squadrons
            .iter()
            .filter(|id| self.game.in_sea_room(self.state[*id].pos + line))
            .map(|id| (id, line))
            .collect()
    }

    /// A line of at most three lengths from the first squadron toward a point.
    fn toward(&self, to: Point) -> Point {
        let from = self.squadrons.first().map_or(Point::default(), |id| self.state[id].pos);
        let most = self.game.book.speeds.step_3_move;
        let distance = from.ceil_dist(to);
        if distance <= most { to - from } else { (to - from).scale(most, distance) }
    }

    fn ways(&self) -> Vec<(Point, &'static str)> {
        let attacker = self.game.fighting(self.state, self.state.fight.attackers).first().map(|id| self.state[id].pos);
        let from = self.squadrons.first().map_or(Point::default(), |id| self.state[id].pos);
        let mut all = Vec::new();
        if let Some(attacker) = attacker {
            let away = COMPASS.iter().max_by_key(|line| (from + **line).dist2(attacker));
            all.extend(away.map(|line| (*line, "away from the attackers")));
        }
        if let Some(card) = self.game.strike_target(self.state, self.side) {
            all.push((self.toward(card), "toward the target"));
        }
        if let Some(home) = self.state.carriers[self.side].real_card() {
            all.push((self.toward(home), "toward home"));
        }
        all
    }
}

impl Decision for Step3Choice<'_> {
    type Value = BTreeMap<SquadronId, Point>;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &Self::Value) -> Result<(), Refusal> {
        for (id, line) in value {
            if !self.squadrons.has(*id) {
                return Err(Refusal::new("not-deployed", format!("{id} is not one of {}.", self.squadrons.names()))
                    .by(rule::DOGFIGHT));
            }
            let most = self.game.book.speeds.step_3_move;
            if !modest(*line) || line.ceil_dist(Point::default()) > most {
                return Err(Refusal::new(
                    "path-too-long",
                    format!("{id} may move {most} thousandths of a card length here."),
                )
                .by(rule::R_42));
            }
            if !self.game.in_sea_room(self.state[*id].pos + *line) {
                return Err(
                    Refusal::new("out-of-sea-room", format!("{id} would end outside the sea room.")).by(rule::R_4)
                );
            }
        }
        Ok(())
    }
}

impl Screen for Step3Choice<'_> {
    fn prompt(&self) -> Prompt {
        Prompt::new(
            "step-3-move",
            format!("Move {} by up to three lengths each, or leave them.", self.squadrons.names()),
            rule::R_50,
        )
    }

    fn candidates(&self) -> Vec<Candidate<Self::Value>> {
        let mut all = vec![Candidate::new(BTreeMap::new(), "stay")];
        all.extend(self.ways().into_iter().map(|(line, label)| Candidate::new(self.all_by(line), label)));
        all.extend(
            COMPASS
                .iter()
                .zip(COMPASS_NAMES)
                .map(|(line, name)| Candidate::new(self.all_by(*line), format!("all {name}"))),
        );
        all
    }

    fn form(&self) -> Form {
        let places = self.squadrons.iter().map(|id| {
            let from = self.state[id].pos;
            let region = within(from, self.game.book.speeds.step_3_move);
            FormPlace {
                origin: Some(from.into()),
                optional: true,
                ..place(format!("{id} goes to"), self.game.die_to_put(self.state, id, from), vec![region])
            }
        });
        Form::Parts { places: places.collect(), items: Vec::new(), template: each(self.squadrons.iter()) }
    }
}

impl Choice for Step3Choice<'_> {
    fn instinct(&self, chance: &mut Chance) -> Self::Value {
        // A strike presses on, everybody else gets away.
        let ways = self.ways();
        let wanted =
            if self.state.act.kind == ActKind::Strike { "toward the target" } else { "away from the attackers" };
        match ways.iter().find(|(_, label)| *label == wanted) {
            Some((line, _)) => self.all_by(*line),
            None => self.sample(chance),
        }
    }
}
