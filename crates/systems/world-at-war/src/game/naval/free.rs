//! A free battle: both seats pick ships of their navies in secret, then fight. [C-36]

use super::NavalGame;
use super::facts::ShipFacts;
use super::said::{Said, Spoken};
use super::state::{Condition, NavalState, Open, Phase};
use crate::Rules;
use crate::messages::{counted, ensure};
use crate::nation::Nation;
use crate::rule;
use crate::scenarios::{CombatGroup, Contact, NavalScenario, NavalType, NavalVictory, Seat as ScenarioSeat};
use flagplot_kernel::{
    Ask, Asked, BySide, Candidate, Decision, Form, FormItem, Note, OptionView, Prompt, Refusal, Screen, Seat, Side,
};
use flagplot_referee::{Shape, Shaped, list, word_of};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::sync::Arc;

pub const ID: &str = "fleet-free";
pub(crate) const TITLE: &str = "Fleet battle of your own";
pub(crate) const BRIEF: &str =
    "Choose two navies and a size. Both sides pick their ships in secret and meet in sight of each other, five rounds.";

/// The settings of a free battle, all of which may be left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Shaped)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// the navies of the Axis; cruisers and destroyers come from the first
    pub axis: Vec<String>,
    /// the navies of the Allies; cruisers and destroyers come from the first
    pub allies: Vec<String>,
    /// naval factors each side may pick
    #[shape(4..=80)]
    pub factors: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { axis: vec!["germany".into()], allies: vec!["britain".into()], factors: 24 }
    }
}

/// The least and the most naval factors of a side.
const FACTORS: std::ops::RangeInclusive<u32> = 4..=80;
const ROUNDS: u32 = 5;
const LIMIT: i64 = 3;

/// The navies that have ships with names.
fn navies(rules: &Rules) -> Vec<&'static str> {
    let has = |nation: &&Nation| rules.ships.iter().any(|ship| ship.nation == **nation);
    Nation::ALL.iter().filter(has).map(|nation| nation.word()).collect()
}

impl Settings {
    /// Their shape, and the settings of a player who asks for nothing.
    pub(crate) fn options(rules: &Rules) -> (Shape, Value) {
        let navies = || list(word_of(navies(rules)), 1, 3);
        (Self::shape().with("axis", navies()).with("allies", navies()), json!(Self::default()))
    }

    pub(crate) fn read(options: &Value) -> Result<Self, Refusal> {
        if options.is_null() {
            return Ok(Self::default());
        }
        serde_json::from_value(options.clone()).map_err(|error| {
            Refusal::new("bad-options", format!("The settings of the free fleet battle are not valid: {error}."))
                .by(rule::C_36)
                .remedy(format!("They look like {}.", json!(Self::default())))
        })
    }

    fn nations(&self, rules: &Rules) -> Result<BySide<Vec<Nation>>, Refusal> {
        let mut reasons = Vec::new();
        let mut bad = |message: String| reasons.push(Refusal::new("bad-options", message).by(rule::C_36));
        if !FACTORS.contains(&self.factors) {
            let (least, most) = (FACTORS.start(), FACTORS.end());
            bad(format!("{} naval factors: a side may have {least} to {most}.", self.factors));
        }
        let known = navies(rules);
        let mut sides: BySide<Vec<Nation>> = BySide::default();
        for (side, words) in [(Side::First, &self.axis), (Side::Second, &self.allies)] {
            let name = super::SIDES[side];
            if !(1..=3).contains(&words.len()) {
                bad(format!("The {name} have {} navies; give one to three.", words.len()));
            }
            for word in words {
                let shown: String = word.chars().take(40).collect();
                match known.iter().find(|known| *known == word).and_then(|word| word.parse::<Nation>().ok()) {
                    None => bad(format!("There is no navy '{shown}'; there are {}.", known.join(", "))),
                    Some(nation) if sides.first.contains(&nation) || sides.second.contains(&nation) => {
                        bad(format!("The navy '{shown}' is named twice."));
                    }
                    Some(nation) => sides[side].push(nation),
                }
            }
        }
        Refusal::all(reasons)?;
        Ok(sides)
    }
}

/// What a free battle adds to a naval battle.
#[derive(Clone, Debug)]
pub(crate) struct FreeBattle {
    pub settings: Settings,
}

impl NavalGame {
    /// A free battle: all ships of the navies are there to be picked.
    pub(crate) fn free(rules: Arc<Rules>, options: &Value) -> Result<Self, Refusal> {
        let settings = Settings::read(options)?;
        let nations = settings.nations(&rules)?;
        let group = |side: Side| {
            let navies = &nations[side];
            let ships = rules.ships.iter().filter(|ship| navies.contains(&ship.nation));
            CombatGroup {
                seat: ScenarioSeat::of(side),
                id: if side == Side::First { "axis-fleet" } else { "allied-fleet" }.into(),
                nation: navies[0],
                ships: ships.map(|ship| ship.id.clone()).collect(),
                cruisers: 0,
                destroyers: 0,
                cves: 0,
                transports: 0,
                air: 0,
                elite: false,
                activity: false,
                from_round: 1,
                base: None,
                cover: Vec::new(),
                committed: Vec::new(),
            }
        };
        let scenario = NavalScenario {
            id: ID.into(),
            kind: NavalType::FleetBattle,
            name: TITLE.into(),
            brief: BRIEF.into(),
            attacker: ScenarioSeat::Axis,
            passive: None,
            demonstration: None,
            rounds: ROUNDS,
            at_sea: None,
            night: false,
            contact: Contact::Engaged,
            search: None,
            fixed_surprise: Vec::new(),
            group: Side::BOTH.map(group).into(),
            base: Vec::new(),
            victory: NavalVictory {
                sunk_per_factor: 2,
                damaged_per_factor: 1,
                squadron_eliminated: 0,
                invasion_group: None,
                invasion_survives: 0,
                concede: None,
                attacker_wins_at_least: LIMIT,
                defender_wins_at_most: -LIMIT,
            },
        };
        Ok(Self { free: Some(FreeBattle { settings }), ..Self::new(rules, scenario) })
    }

    /// A free battle begins with empty fleets.
    pub(crate) fn nothing_picked(&self, state: &mut NavalState) {
        state.open.ships.fill(Condition::Absent);
        state.open.phase = Phase::Pick;
    }

    /// Both seats pick their ships, in secret. [C-36]
    pub(crate) fn pick(&self, state: &mut NavalState, ask: &mut impl Ask) -> Asked<()> {
        let open = &state.open;
        let choices = Side::BOTH.map(|side| Pick { game: self, open, side });
        let said = ask.in_secret(&choices)?;
        let picks: Vec<Picked> =
            choices.iter().zip(&said).map(|(choice, said)| choice.read(said).unwrap_or_default()).collect();
        for (side, picked) in Side::BOTH.into_iter().zip(picks) {
            ask.note(|| {
                let names = picked.ships.iter().map(|at| self.ship(*at).name.clone());
                let lights = [(picked.cruisers, "cruiser"), (picked.destroyers, "destroyer")];
                let lights = lights.into_iter().filter(|(count, _)| *count > 0);
                let all: Vec<String> = names.chain(lights.map(|(count, noun)| counted(count.into(), noun))).collect();
                let text = format!("The {} bring {}.", super::SIDES[side], all.join(", "));
                Note::new("pick", text).by(&[rule::C_36]).pieces(picked.ships.iter().map(|at| &self.ship(*at).id))
            });
            for at in picked.ships {
                state.open.ships[usize::from(at)] = Condition::Sound;
            }
            let lights = &mut state.open.groups[side.index()].lights;
            (lights.cruisers, lights.destroyers) = (picked.cruisers.into(), picked.destroyers.into());
            state.open.picked[side] = (picked.cruisers, picked.destroyers);
        }
        state.open.phase = Phase::Arrivals;
        Ok(())
    }

    /// The forces that were picked, as a scenario that can be played again. [C-36]
    pub(crate) fn saved(&self, state: &NavalState, id: &str, title: &str) -> Result<String, Refusal> {
        let Some(free) = &self.free else {
            let message = "Only a free fleet battle, whose ships the players picked, can be saved as a scenario.";
            return Err(Refusal::new("not-custom", message).by(rule::C_36));
        };
        let open = &state.open;
        ensure(open.phase != Phase::Pick, || {
            Refusal::new("wrong-time", "The ships have not been picked yet.").by(rule::C_36)
        })?;
        let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        ensure(!id.is_empty() && id.len() <= 60 && id.chars().all(letters) && id != ID, || {
            let message = format!("An id has up to 60 small letters, digits and hyphens, and is not '{ID}'.");
            Refusal::new("bad-value", message)
        })?;
        let title: String = title.chars().filter(|c| !c.is_control()).take(80).collect();
        let groups = (0..open.groups.len()).map(|at| {
            let facts = &self.facts.groups[at];
            let side = facts.side;
            let ships = self.facts.ships.iter().zip(&open.ships);
            let ships = ships.filter(|(ship, state)| ship.side == side && **state != Condition::Absent);
            let ids: Vec<&String> = ships.map(|(ship, _)| &ship.id).collect();
            let (cruisers, destroyers) = open.picked[side];
            json!({
                "seat": ScenarioSeat::of(side), "id": facts.id, "nation": facts.nation, "ships": ids,
                "cruisers": cruisers, "destroyers": destroyers,
            })
        });
        let scenario = json!({
            "id": id, "type": "fleet-battle", "name": title, "attacker": "axis", "rounds": ROUNDS, "night": false,
            "brief": format!("A free fleet battle of {} naval factors a side.", free.settings.factors),
            "contact": "engaged", "group": groups.collect::<Vec<Value>>(),
            "victory": {
                "sunk_per_factor": 2, "damaged_per_factor": 1, "attacker_wins_at_least": LIMIT,
                "defender_wins_at_most": -LIMIT,
            },
        });
        let text = toml::to_string(&json!({"scenario": [scenario]}))
            .map_err(|error| Refusal::new("internal", format!("The battle cannot be written: {error}.")))?;
        Ok(format!("# A free fleet battle, saved to be played again.\n\n{text}"))
    }
}

/// Which ships? Secret, both seats at once. [C-36]
pub(crate) struct Pick<'a> {
    pub game: &'a NavalGame,
    pub open: &'a Open,
    pub side: Side,
}

/// The ships a side picks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Picked {
    pub ships: Vec<u8>,
    pub cruisers: u8,
    pub destroyers: u8,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NamedPick {
    ships: Vec<String>,
    cruisers: u8,
    destroyers: u8,
}

impl Spoken for Picked {
    type Named = NamedPick;

    fn named(&self, game: &NavalGame, _: &Open) -> NamedPick {
        NamedPick {
            ships: self.ships.iter().map(|at| game.ship(*at).id.clone()).collect(),
            cruisers: self.cruisers,
            destroyers: self.destroyers,
        }
    }
}

impl<'a> Pick<'a> {
    pub(super) fn factors(&self) -> u32 {
        self.game.free.as_ref().map_or(0, |free| free.settings.factors)
    }

    /// The ships there are to pick, by their place.
    pub fn ships(&self) -> impl Iterator<Item = (u8, &'a ShipFacts)> + use<'a> {
        let (side, ships) = (self.side, self.game.facts.ships.iter().enumerate());
        ships.filter(move |(_, ship)| ship.side == side).map(|(at, ship)| (at as u8, ship))
    }

    pub fn price(&self, picked: &Picked) -> u32 {
        let named: u32 = picked.ships.iter().map(|at| self.game.ship(*at).size).sum();
        named + 2 * u32::from(picked.cruisers) + u32::from(picked.destroyers)
    }

    pub fn placed(&self, picked: Picked) -> Said<'a, Picked> {
        Said::Placed { game: self.game, open: self.open, plan: picked }
    }

    pub fn read(&self, said: &Said<'_, Picked>) -> Result<Picked, Refusal> {
        let picked = match said {
            Said::Placed { plan, .. } => plan.clone(),
            Said::Named(NamedPick { ships, cruisers, destroyers }) => {
                let mut picked = Picked { ships: Vec::new(), cruisers: *cruisers, destroyers: *destroyers };
                for id in ships {
                    let ship = self.ships().find(|(_, ship)| ship.id == *id);
                    let shown: String = id.chars().take(40).collect();
                    let Some((at, _)) = ship else {
                        return Err(Refusal::new("unknown-unit", format!("'{shown}' is not a ship of your navies."))
                            .by(rule::C_36));
                    };
                    ensure(!picked.ships.contains(&at), || {
                        Refusal::new("duplicate-id", format!("'{shown}' is picked twice.")).by(rule::C_36)
                    })?;
                    picked.ships.push(at);
                }
                picked
            }
        };
        let (price, factors) = (self.price(&picked), self.factors());
        ensure(price <= factors, || {
            let message = format!("These ships have {price} naval factors; {factors} are allowed.");
            Refusal::new("too-many-factors", message).by(rule::C_36).remedy("Leave some ships at home.")
        })?;
        ensure(price > 0, || Refusal::new("no-ships", "A fleet needs a ship.").by(rule::C_36))?;
        Ok(picked)
    }
}

impl<'a> Decision for Pick<'a> {
    type Value = Said<'a, Picked>;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &Self::Value) -> Result<(), Refusal> {
        self.read(value).map(drop)
    }
}

impl<'a> Screen for Pick<'a> {
    fn prompt(&self) -> Prompt {
        let text = format!("Which ships do you bring? Up to {} naval factors.", self.factors());
        Prompt::new("pick", text, rule::C_36).confirm()
    }

    fn candidates(&self) -> Vec<Candidate<Said<'a, Picked>>> {
        let factors = self.factors();
        let mut fleets: Vec<Picked> = Vec::new();
        for lights in [0, factors / 4, factors / 2] {
            let fleet = self.battle_line(lights);
            if !fleets.contains(&fleet) {
                fleets.push(fleet);
            }
        }
        let label = |fleet: &Picked| {
            let names = fleet.ships.iter().map(|at| self.game.ship(*at).name.clone());
            let lights = [(fleet.cruisers, "cruiser"), (fleet.destroyers, "destroyer")].into_iter();
            let lights = lights.filter(|(count, _)| *count > 0).map(|(count, noun)| counted(count.into(), noun));
            names.chain(lights).collect::<Vec<String>>().join(", ")
        };
        fleets.into_iter().map(|fleet| Candidate::new(self.placed(fleet.clone()), label(&fleet))).collect()
    }

    fn form(&self) -> Form {
        let mut items: Vec<FormItem> = Vec::new();
        let mut ships: Vec<Value> = Vec::new();
        for (_, ship) in self.ships() {
            ships.push(json!(format!("${}", ship.id)));
            let options = vec![OptionView::new(Value::Null, "stays in port"), OptionView::new(json!(ship.id), "sails")];
            items.push(FormItem { id: ship.id.clone(), label: format!("{} (size {})", ship.name, ship.size), options });
        }
        let mut template = Map::new();
        template.insert("ships".into(), ships.into());
        for (id, each, label) in [("cruisers", 2, "Cruisers (2 factors each)"), ("destroyers", 1, "Destroyers")] {
            let options = (0..=self.factors() / each).map(|n| OptionView::new(json!(n), n.to_string()));
            items.push(FormItem { id: id.into(), label: label.into(), options: options.collect() });
            template.insert(id.into(), json!(format!("${id}")));
        }
        Form::Parts { places: Vec::new(), items, template: template.into() }
    }
}
