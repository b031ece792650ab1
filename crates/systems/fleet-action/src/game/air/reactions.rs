//! The reactions to an air attack: escorts, interceptors, flak. [6.5, C-46]

use super::flak::{Battery, Volley};
use crate::game::FleetGame;
use crate::game::id::Id;
use crate::game::state::{Mission, Sea, StandId, VesselId};
use crate::rule;
use crate::words::*;
use flagplot_kernel::{Candidate, Chance, Choice, Decision, Form, FormItem, OptionView, Prompt, Refusal, Screen, Seat};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;

impl FleetGame {
    /// Whether a stand has acted or is not in the air.
    fn idle(&self, sea: &Sea, id: StandId) -> bool {
        let stand = sea.stand(id);
        let may_act = self.battle.flight(id).placed.acts_from.is_none_or(|turn| sea.turn >= turn);
        stand.flies() && !stand.acted && may_act
    }

    /// The enemy fighters that can intercept a stand now: they declared it, or patrol where it attacks. [6.5]
    pub(in crate::game) fn interceptors(&self, sea: &Sea, id: StandId) -> Vec<StandId> {
        let side = self.battle.flight(id).side;
        let at = self.stand_point(sea, id);
        let target = self.raided(sea, id).map(|ship| self.point(sea, ship));
        let comes = |(other, stand): &(StandId, &crate::game::state::Stand)| {
            let near = match stand.mission {
                Mission::Intercept(of) => of == id && self.contact(stand.at.point(), at),
                Mission::Patrol => target.is_some_and(|ship| self.contact(stand.at.point(), ship)),
                _ => false,
            };
            near && self.battle.flight(*other).side != side
                && self.idle(sea, *other)
                && self.fighters(sea, *other).factor(Encounter::Intercept) > 0
        };
        sea.all_stands().filter(comes).map(|(other, _)| other).collect()
    }
}

/// Which escorts fight which interceptors?
pub(in crate::game) struct Cover<'a> {
    pub game: &'a FleetGame,
    pub sea: &'a Sea,
    pub stand: StandId,
    pub escorts: Vec<StandId>,
    pub enemies: Vec<StandId>,
}

/// An escort with the enemy that it fights.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pairing {
    pub escort: Id,
    pub fights: Id,
}

impl<'a> Cover<'a> {
    /// The escorts of the stand under attack: of the attacker of a ship, or of the stand that is intercepted.
    pub fn new(game: &'a FleetGame, sea: &'a Sea, attacker: StandId) -> Self {
        let (stand, enemies) = match sea.stand(attacker).mission {
            Mission::Intercept(other) => (other, vec![attacker]),
            _ => (attacker, game.interceptors(sea, attacker)),
        };
        let at = game.stand_point(sea, stand);
        let covers = |(id, escort): &(StandId, &crate::game::state::Stand)| {
            escort.mission == Mission::Escort(stand)
                && game.idle(sea, *id)
                && game.contact(escort.at.point(), at)
                && game.fighters(sea, *id).factor(Encounter::Dogfight) > 0
        };
        let escorts = sea.all_stands().filter(covers).map(|(id, _)| id).collect();
        Self { game, sea, stand, escorts, enemies }
    }

    fn find(&self, among: &[StandId], id: &Id) -> Option<StandId> {
        among.iter().copied().find(|stand| self.game.battle.flight(*stand).id == *id)
    }

    pub fn read(&self, pairs: &[Pairing]) -> Result<Vec<(StandId, StandId)>, Refusal> {
        let mut read: Vec<(StandId, StandId)> = Vec::with_capacity(pairs.len());
        for pair in pairs {
            let shown = |id: &Id| id.as_str().chars().take(60).collect::<String>();
            let refuse = |code: &'static str, text: String| Err(Refusal::new(code, text).by(rule::C_46));
            let Some(escort) = self.find(&self.escorts, &pair.escort) else {
                return refuse(
                    "unknown-stand",
                    format!("'{}' is not an escort that can fight now.", shown(&pair.escort)),
                );
            };
            let Some(enemy) = self.find(&self.enemies, &pair.fights) else {
                return refuse("unknown-stand", format!("'{}' does not intercept here.", shown(&pair.fights)));
            };
            if read.iter().any(|(other, _)| *other == escort) {
                return refuse("named-twice", format!("{} fights once a turn.", self.game.battle.flight(escort).name));
            }
            read.push((escort, enemy));
        }
        Ok(read)
    }

    pub fn pair(&self, escort: StandId, enemy: StandId) -> Pairing {
        let id = |stand: StandId| self.game.battle.flight(stand).id.clone();
        Pairing { escort: id(escort), fights: id(enemy) }
    }
}

impl Decision for Cover<'_> {
    type Value = Vec<Pairing>;

    fn seat(&self) -> Seat {
        self.game.battle.flight(self.stand).side.into()
    }

    fn check(&self, value: &Vec<Pairing>) -> Result<(), Refusal> {
        self.read(value).map(drop)
    }
}

impl Screen for Cover<'_> {
    fn prompt(&self) -> Prompt {
        let name = &self.game.battle.flight(self.stand).name;
        Prompt::new("escorts", format!("Enemy fighters close on {name}. Which escorts fight them?"), rule::C_46)
    }

    fn candidates(&self) -> Vec<Candidate<Vec<Pairing>>> {
        let all = self.game.cover_instinct(self);
        let none = Candidate::new(Vec::new(), "No dogfight");
        if all.is_empty() { vec![none] } else { vec![Candidate::new(all, "Suggested dogfights"), none] }
    }

    fn form(&self) -> Form {
        let battle = &self.game.battle;
        let item = |escort: &StandId| FormItem {
            id: battle.flight(*escort).id.to_string(),
            label: battle.flight(*escort).name.clone(),
            options: self
                .enemies
                .iter()
                .map(|enemy| {
                    let (escort, enemy) = (battle.flight(*escort), battle.flight(*enemy));
                    OptionView::new(json!({"escort": escort.id, "fights": enemy.id}), format!("fights {}", enemy.name))
                        .at([&enemy.id])
                })
                .collect(),
        };
        Form::Assign { items: self.escorts.iter().map(item).collect(), none: "stays with its charge".into() }
    }
}

impl Choice for Cover<'_> {
    fn sample(&self, chance: &mut Chance) -> Vec<Pairing> {
        let mut pairs = Vec::new();
        for escort in &self.escorts {
            let pick = chance.below(self.enemies.len() as u32 + 1) as usize;
            if let Some(enemy) = self.enemies.get(pick) {
                pairs.push(self.pair(*escort, *enemy));
            }
        }
        pairs
    }

    fn instinct(&self, _: &mut Chance) -> Vec<Pairing> {
        self.game.cover_instinct(self)
    }
}

/// Which fighters intercept a stand that attacks?
pub(in crate::game) struct Pounce<'a> {
    pub game: &'a FleetGame,
    pub sea: &'a Sea,
    pub stand: StandId,
    pub fighters: Vec<StandId>,
}

impl<'a> Pounce<'a> {
    pub fn new(game: &'a FleetGame, sea: &'a Sea, stand: StandId) -> Self {
        Self { game, sea, stand, fighters: game.interceptors(sea, stand) }
    }

    pub fn read(&self, chosen: &[Id]) -> Result<Vec<StandId>, Refusal> {
        let mut read = Vec::with_capacity(chosen.len());
        for id in chosen {
            let known = self.fighters.iter().copied().find(|stand| self.game.battle.flight(*stand).id == *id);
            let Some(stand) = known else {
                let shown: String = id.as_str().chars().take(60).collect();
                let text = format!("'{shown}' cannot intercept this attack.");
                return Err(Refusal::new("unknown-stand", text).by(rule::C_46));
            };
            if read.contains(&stand) {
                let text = format!("{} attacks once a turn.", self.game.battle.flight(stand).name);
                return Err(Refusal::new("named-twice", text).by(rule::C_46));
            }
            read.push(stand);
        }
        Ok(read)
    }

    pub fn ids(&self, stands: &[StandId]) -> Vec<Id> {
        stands.iter().map(|stand| self.game.battle.flight(*stand).id.clone()).collect()
    }
}

impl Decision for Pounce<'_> {
    type Value = Vec<Id>;

    fn seat(&self) -> Seat {
        self.game.battle.flight(self.stand).side.other().into()
    }

    fn check(&self, value: &Vec<Id>) -> Result<(), Refusal> {
        self.read(value).map(drop)
    }
}

impl Screen for Pounce<'_> {
    fn prompt(&self) -> Prompt {
        let battle = &self.game.battle;
        let name = &battle.flight(self.stand).name;
        let target = self.game.raided(self.sea, self.stand).map_or("", |ship| &battle.member(ship).name);
        let text = format!("{name} attacks {target}. Which of your fighters intercept?");
        Prompt::new("interceptors", text, rule::C_46)
    }

    fn candidates(&self) -> Vec<Candidate<Vec<Id>>> {
        let mut candidates = vec![Candidate::new(self.ids(&self.fighters), "All intercept")];
        if self.fighters.len() > 1 {
            candidates.extend(self.fighters.iter().map(|one| {
                let flight = self.game.battle.flight(*one);
                Candidate::new(self.ids(&[*one]), format!("Only {}", flight.name)).at([&flight.id])
            }));
        }
        candidates.push(Candidate::new(Vec::new(), "None; they keep their action for another attack"));
        candidates
    }

    fn form(&self) -> Form {
        let item = |stand: &StandId| {
            let flight = self.game.battle.flight(*stand);
            let option = OptionView::new(json!(flight.id), "intercepts").at([&flight.id]);
            FormItem { id: flight.id.to_string(), label: flight.name.clone(), options: vec![option] }
        };
        Form::Subset { items: self.fighters.iter().map(item).collect(), min: 0, max: self.fighters.len() as u32 }
    }
}

impl Choice for Pounce<'_> {
    fn sample(&self, chance: &mut Chance) -> Vec<Id> {
        let chosen: Vec<StandId> = self.fighters.iter().copied().filter(|_| chance.below(2) == 0).collect();
        self.ids(&chosen)
    }

    fn instinct(&self, _: &mut Chance) -> Vec<Id> {
        let chosen = self.game.pounce_instinct(self);
        self.ids(&chosen)
    }
}

/// How many factors of flak fire at a stand that attacks?
pub(in crate::game) struct Guard<'a> {
    pub game: &'a FleetGame,
    pub sea: &'a Sea,
    pub stand: StandId,
    pub target: VesselId,
    pub batteries: Vec<Battery>,
}

/// Factors by ship and kind of fire.
pub(in crate::game) type FlakSheet = BTreeMap<String, i64>;

impl<'a> Guard<'a> {
    pub fn new(game: &'a FleetGame, sea: &'a Sea, stand: StandId, target: VesselId) -> Self {
        Self { game, sea, stand, target, batteries: game.flak_at(sea, game.stand_point(sea, stand), target) }
    }

    fn key(&self, battery: &Battery) -> String {
        format!("{}.{}", self.game.battle.member(battery.ship).id, battery.flak)
    }

    /// The sheet on which each battery fires as many factors as `factors` says.
    pub fn sheet(&self, mut factors: impl FnMut(&Battery) -> i32) -> FlakSheet {
        let fired = self.batteries.iter().map(|battery| (battery, factors(battery)));
        fired
            .filter(|(_, factors)| *factors > 0)
            .map(|(battery, factors)| (self.key(battery), factors.into()))
            .collect()
    }

    /// The volleys of a sheet, in the order in which they are rolled.
    pub fn read(&self, sheet: &FlakSheet) -> Result<Vec<Volley>, Refusal> {
        if let Some(other) = sheet.keys().find(|key| !self.batteries.iter().any(|battery| self.key(battery) == **key)) {
            let shown: String = other.chars().take(60).collect();
            let keys: Vec<String> = self.batteries.iter().map(|battery| self.key(battery)).collect();
            return Err(Refusal::new("out-of-aa-range", format!("'{shown}' cannot fire at this stand."))
                .by(rule::C_10)
                .remedy(format!("What can fire is: {}.", keys.join(", "))));
        }
        let mut volleys = Vec::with_capacity(sheet.len());
        for battery in &self.batteries {
            let Some(&number) = sheet.get(&self.key(battery)) else { continue };
            let name = &self.game.battle.member(battery.ship).name;
            let kind = battery.flak.word().to_uppercase();
            let factors = i32::try_from(number).unwrap_or(-1);
            if factors < 0 {
                let text = format!("{name}, {kind}: {number} is not a number of factors.");
                return Err(Refusal::new("out-of-range", text).by(rule::C_46));
            }
            if factors > battery.factors {
                let text = format!("{name} has {} factors of {kind} left this turn.", battery.factors);
                return Err(Refusal::new("already-fired", text).by(rule::S9_9));
            }
            if factors > 0 {
                volleys.push(Volley { ship: battery.ship, flak: battery.flak, factors });
            }
        }
        Ok(volleys)
    }
}

impl Decision for Guard<'_> {
    type Value = FlakSheet;

    fn seat(&self) -> Seat {
        self.game.battle.member(self.target).side.into()
    }

    fn check(&self, value: &FlakSheet) -> Result<(), Refusal> {
        self.read(value).map(drop)
    }
}

impl Screen for Guard<'_> {
    fn prompt(&self) -> Prompt {
        let battle = &self.game.battle;
        let (stand, ship) = (&battle.flight(self.stand).name, &battle.member(self.target).name);
        Prompt::new("flak", format!("{stand} attacks {ship}. Which guns fire at it?"), rule::C_46)
    }

    fn candidates(&self) -> Vec<Candidate<FlakSheet>> {
        let mut candidates = vec![Candidate::new(self.game.guard_instinct(self), "Suggested flak")];
        let more = [
            (self.sheet(|battery| battery.factors), "Everything fires"),
            (
                self.sheet(|battery| if battery.ship == self.target { battery.factors } else { 0 }),
                "Only the ship under attack fires",
            ),
            (FlakSheet::new(), "Hold fire"),
        ];
        for (sheet, label) in more {
            if candidates.iter().all(|known| known.value != sheet) {
                candidates.push(Candidate::new(sheet, label));
            }
        }
        candidates
    }

    fn form(&self) -> Form {
        let items = self.batteries.iter().map(|battery| {
            let name = &self.game.battle.member(battery.ship).name;
            let kind = battery.flak.word().to_uppercase();
            let item = FormItem { id: self.key(battery), label: format!("{name}, {kind}"), options: Vec::new() };
            (item, (0, i64::from(battery.factors)))
        });
        let mut form = Form::numbers(items, None);
        if let Form::Numbers { cells, .. } = &mut form {
            *cells = self
                .batteries
                .iter()
                .map(|battery| (self.game.battle.member(battery.ship).name.clone(), battery.flak.word().to_uppercase()))
                .collect();
        }
        form
    }
}

impl Choice for Guard<'_> {
    fn sample(&self, chance: &mut Chance) -> FlakSheet {
        match chance.below(4) {
            0 => self.sheet(|battery| chance.below(battery.factors as u32 + 1) as i32),
            _ => self.sheet(|battery| battery.factors),
        }
    }

    fn instinct(&self, _: &mut Chance) -> FlakSheet {
        self.game.guard_instinct(self)
    }
}
