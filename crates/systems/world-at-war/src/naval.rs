//! One attack on one naval target, by aircraft or by ships. [20.51, 22.55, 23.44]

use crate::air::{self, AirGroup, AirType};
use crate::charts::{DiceColumn, FactorRow, Reading};
use crate::hits::{self, Effect, LightShips, OneFactorClass, ShipState};
use crate::messages::{all, distinct, ensure};
use crate::nation::{Drm, Nation, Reasons, Supply, at_edge, force_drm, force_reasons, majority, modified, nation};
use crate::naval_data::ShipKind;
use crate::{Rules, rule};
use flagplot_kernel::{Ask, Asked, D6, Note, Refusal, Rule, Sum};
use flagplot_referee::Shaped;
use serde::{Deserialize, Serialize};

/// The size of the largest battleships, which the chart favours.
const FIVE_FACTORS: u32 = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShipTarget {
    pub kind: ShipKind,
    pub nation: Nation,
    pub size: u32,
    pub damaged: bool,
    pub supply: Supply,
}

/// A group of light ships.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, Shaped)]
pub struct LightGroup {
    /// whose it is
    #[shape(with = nation())]
    pub nation: Nation,
    #[serde(flatten)]
    pub ships: LightShips,
    /// which ships of one factor are sunk first
    #[shape(items = 0..=10, or = [])]
    pub one_factor_order: Vec<OneFactorClass>,
}

impl LightGroup {
    /// Whether it has a ship and names every class once.
    pub fn check(&self, path: &str) -> Result<(), Refusal> {
        let order = self.one_factor_order.iter().map(|class| class.word());
        let order = distinct(order, &format!("{path}.one_factor_order")).map_err(|refusal| refusal.by(rule::HITS));
        let ships = ensure(!self.ships.is_empty(), || {
            Refusal::new("no-target", format!("{path}: the light group has no ships.")).by(rule::R_25)
        });
        all([order, ships])
    }
}

/// A group of light ships as a target.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, Shaped)]
pub struct LightTarget {
    #[serde(flatten)]
    pub group: LightGroup,
    #[serde(flatten)]
    pub supply: Supply,
}

/// What an attack is made on.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, Shaped)]
#[serde(from = "TargetForm")]
#[shape(with = TargetForm::shape())]
pub enum Target {
    /// A named ship or a single cruiser.
    Ship(ShipTarget),
    Light(LightTarget),
}

/// what is attacked
#[derive(Deserialize, Shaped)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum TargetForm {
    CapitalShip(NamedTarget),
    Cvl(NamedTarget),
    Cv(NamedTarget),
    Cvb(NamedTarget),
    Cruiser(CruiserTarget),
    LightGroup(LightTarget),
}

#[derive(Deserialize, Shaped)]
struct NamedTarget {
    /// naval factors
    #[shape(1..=9)]
    size: u32,
    #[serde(flatten)]
    hull: Hull,
}

#[derive(Deserialize, Shaped)]
struct CruiserTarget {
    /// naval factors: always two
    #[shape(2..=2, or = 2)]
    size: u32,
    #[serde(flatten)]
    hull: Hull,
}

#[derive(Deserialize, Shaped)]
struct Hull {
    /// whose it is
    #[shape(with = nation())]
    nation: Nation,
    /// already damaged
    #[shape(or = false)]
    damaged: bool,
    #[serde(flatten)]
    supply: Supply,
}

impl From<TargetForm> for Target {
    fn from(form: TargetForm) -> Self {
        let (kind, size, hull) = match form {
            TargetForm::CapitalShip(ship) => (ShipKind::CapitalShip, ship.size, ship.hull),
            TargetForm::Cvl(ship) => (ShipKind::Cvl, ship.size, ship.hull),
            TargetForm::Cv(ship) => (ShipKind::Cv, ship.size, ship.hull),
            TargetForm::Cvb(ship) => (ShipKind::Cvb, ship.size, ship.hull),
            TargetForm::Cruiser(ship) => (ShipKind::Cruiser, ship.size, ship.hull),
            TargetForm::LightGroup(light) => return Target::Light(light),
        };
        let Hull { nation, damaged, supply } = hull;
        Target::Ship(ShipTarget { kind, nation, size, damaged, supply })
    }
}

impl Target {
    /// Whether there can be such a target.
    pub fn check(&self, path: &str) -> Result<(), Refusal> {
        match self {
            Target::Ship(ship) => hits::check_damage(ship.size, ship.damaged, path),
            Target::Light(light) => light.group.check(path),
        }
    }

    /// Naval factors an attack has sunk of it.
    #[must_use]
    pub fn factors_sunk(&self, effect: &Effect) -> u32 {
        match self {
            Target::Ship(ship) if effect.state == Some(ShipState::Sunk) => ship.size,
            Target::Ship(_) => 0,
            Target::Light(_) => effect.light.map_or(0, |light| 2 * light.cruisers_sunk + light.one_factor_sunk),
        }
    }

    /// What a number of hits does to it. [23.44]
    pub fn hit(&self, rules: &Rules, hits: u32, ask: &mut impl Ask) -> Effect {
        match self {
            Target::Ship(ship) => {
                hits::hit_ship(ship.size, ShipState::afloat(ship.damaged), hits, &rules.naval.damage, ask)
            }
            Target::Light(LightTarget { group, .. }) => {
                hits::hit_light(&group.ships, &group.one_factor_order, hits, ask)
            }
        }
    }

    /// Its modifier on the naval nationality chart. [22.552A, R-49]
    #[must_use]
    pub fn drm<R: Reasons>(&self, rules: &Rules) -> R {
        let chart = &rules.nations;
        let added = &chart.naval_modifiers;
        let (nation, supply) = match self {
            Target::Ship(ship) => (ship.nation, ship.supply),
            Target::Light(light) => (light.group.nation, light.supply),
        };
        let mut drm = R::default();
        drm.add(nation.name(), chart.naval(nation), chart.rule(nation, rule::NAVAL_CHART));
        match self {
            Target::Ship(ship) => match ship.kind {
                ShipKind::CapitalShip if ship.size == FIVE_FACTORS => {
                    drm.add("five-factor battleship", added.five_factor_battleship, rule::NAVAL_CHART)
                }
                ShipKind::Cvl => {
                    let named = [Nation::Japan, Nation::UnitedStates, Nation::Germany, Nation::Italy, Nation::Britain]
                        .contains(&nation);
                    drm.add("light carrier", added.cvl(nation), if named { rule::NAVAL_CHART } else { rule::R_19 });
                }
                ShipKind::Cv => drm.add("carrier", added.cv, rule::NAVAL_CHART),
                ShipKind::Cvb => drm.add("large carrier", added.cvb, rule::NAVAL_CHART),
                ShipKind::CapitalShip | ShipKind::Cruiser => {}
            },
            Target::Light(light) => {
                let ships = &light.group.ships;
                let others = ships.factors() - ships.cves;
                if ships.cves > 0 && majority([(added.cve, ships.cves), (0, others)].into_iter()) == added.cve {
                    drm.add("mostly escort carriers", added.cve, rule::R_32);
                }
            }
        }
        if supply.is_short() {
            drm.add("partial supply or oil", added.partial_supply_or_oil_effects, rule::R_12);
        }
        drm
    }
}

/// Notes a target's modifier and returns it.
fn target_drm(rules: &Rules, target: &Target, ask: &mut impl Ask) -> i32 {
    let total = target.drm(rules);
    ask.note(|| {
        let drm: Drm = target.drm(rules);
        let negative: &[_] = if total < 0 { &[rule::R_33] } else { &[] };
        let text = format!("Naval DRM of the target: {total}");
        drm.note("naval-nationality", text).by(&[rule::NAVAL_CHART, rule::R_25]).by(negative)
    });
    total
}

/// The modifiers of an attack by aircraft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct AirAttackParts {
    /// of the squadrons
    pub air_nationality: i32,
    /// of the target, as it is added
    pub naval_nationality: i32,
    /// naval air at sea
    pub naval_air: i32,
    /// surprise
    pub surprise: i32,
}

/// The modifiers of an attack by ships.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct FleetAttackParts {
    /// difference on the naval chart
    pub nationality: i32,
    /// difference in encumbrance
    pub activity: i32,
}

/// The modifiers of the attack that was made, by aircraft or by ships.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct AttackParts {
    #[serde(flatten)]
    pub air: Option<AirAttackParts>,
    #[serde(flatten)]
    pub fleet: Option<FleetAttackParts>,
}

/// What was rolled and read.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Shot {
    /// the modifiers by name
    pub modifier_parts: AttackParts,
    /// all modifiers
    pub modifier: i32,
    /// two dice
    #[shape(2..=12)]
    pub roll: u32,
    /// with the modifiers
    pub modified_roll: i32,
    /// the column read
    pub column: DiceColumn,
    /// the rows read, by fleet factors
    #[shape(items = 0..=100_000)]
    pub rows: Vec<FactorRow>,
}

/// An attack on one target, by squadrons or by fleet factors.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Attack {
    /// squadrons attacking
    #[serde(skip_serializing_if = "Option::is_none")]
    pub squadrons: Option<u32>,
    /// fleet factors firing
    #[serde(skip_serializing_if = "Option::is_none")]
    pub factors: Option<u32>,
    /// None if no squadron was left to attack.
    #[serde(flatten)]
    pub shot: Option<Shot>,
    /// hits
    pub hits: u32,
    /// what they did
    pub effect: Effect,
}

/// Where the target lies, and how much it is surprised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Shaped)]
pub struct Conditions {
    /// the target is at sea
    #[shape(or = true)]
    pub at_sea: bool,
    /// the attacker's surprise level
    #[shape(0..=9, or = 0)]
    pub surprise_level: u32,
}

/// The surprise that helps an attack.
const SURPRISE_FROM: u32 = 3;

/// Squadrons attack a target. [23.44, R-46]
pub fn air_attack(
    rules: &Rules,
    attackers: &[AirGroup],
    target: &Target,
    conditions: Conditions,
    ask: &mut impl Ask,
) -> Asked<Attack> {
    let squadrons = air::strength(attackers);
    let naval: u32 = attackers.iter().filter(|group| group.kind == AirType::NavalAir).map(|group| group.count).sum();
    let parts = AirAttackParts {
        air_nationality: air::air_drm(&rules.nations, attackers, "squadrons", ask),
        naval_nationality: -target_drm(rules, target, ask),
        naval_air: i32::from(conditions.at_sea && 2 * naval > squadrons),
        surprise: i32::from(conditions.surprise_level >= SURPRISE_FROM),
    };
    let modifiers = [
        ("air nationality", parts.air_nationality, rule::R_46),
        ("target's naval nationality", parts.naval_nationality, rule::NAVAL_CHART),
        ("naval air at sea", parts.naval_air, rule::R_38),
        ("surprise", parts.surprise, rule::R_37),
    ];
    let what = format_args!("Squadrons attacking: {squadrons}");
    let dice = dice(what, &modifiers, rule::R_36, ask)?;
    let reading = rules.charts.air_attack(ask, squadrons, dice.modified_roll);
    let parts = AttackParts { air: Some(parts), fleet: None };
    let attack = shot(rules, parts, &dice, reading, target, ask);
    Ok(Attack { squadrons: Some(squadrons), ..attack })
}

/// Ships of one kind that fire together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Shaped)]
pub struct Firers {
    /// whose it is
    #[shape(with = nation())]
    pub nation: Nation,
    /// fleet factors
    #[shape(0..=1000)]
    pub factors: u32,
    /// battleships of five factors
    #[shape(or = false)]
    pub five_factor: bool,
    /// submarines
    #[shape(or = false)]
    pub submarine: bool,
    #[serde(flatten)]
    pub supply: Supply,
}

impl Firers {
    /// Their modifier on the naval nationality chart. [22.552A, R-40]
    #[must_use]
    pub fn drm<R: Reasons>(&self, rules: &Rules) -> R {
        let chart = &rules.nations;
        let added = &chart.naval_modifiers;
        let mut drm = R::default();
        drm.add(self.nation.name(), chart.naval(self.nation), chart.rule(self.nation, rule::NAVAL_CHART));
        if self.five_factor {
            drm.add("five-factor battleship", added.five_factor_battleship, rule::NAVAL_CHART);
        }
        if self.submarine && self.nation == Nation::Germany {
            drm.add("German submarines", added.german_submarine, rule::R_40);
        }
        if self.supply.is_short() {
            drm.add("partial supply or oil", added.partial_supply_or_oil_effects, rule::R_12);
        }
        drm
    }

    /// Whether it is worth the bonus of the largest battleships.
    #[must_use]
    pub fn is_five_factor(kind: ShipKind, size: u32) -> bool {
        kind == ShipKind::CapitalShip && size == FIVE_FACTORS
    }
}

/// Tasks that encumber the two combat groups.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Shaped)]
pub struct Activity {
    /// a task encumbers the attackers' group
    #[shape(or = false)]
    pub attacker_encumbered: bool,
    /// a task encumbers the target's group
    #[shape(or = false)]
    pub target_encumbered: bool,
}

/// Ships attack a target; all fire of a side on it is this one attack. [22.55, R-49]
pub fn fleet_attack(
    rules: &Rules,
    attackers: &[Firers],
    target: &Target,
    activity: Activity,
    ask: &mut impl Ask,
) -> Asked<Attack> {
    let factors = attackers.iter().map(|firers| firers.factors).sum();
    let own = force_drm(attackers.iter().map(|firers| (firers.drm(rules), firers.factors)));
    ask.note(|| {
        let drms = attackers.iter().map(|firers| (firers.drm::<Drm>(rules), firers.factors));
        let text = format!("Naval DRM of the firing ships: {own}");
        force_reasons(drms, own).note("naval-nationality", text).by(&[rule::NAVAL_CHART, rule::R_16])
    });
    let parts = FleetAttackParts {
        nationality: own - target_drm(rules, target, ask),
        activity: i32::from(activity.target_encumbered) - i32::from(activity.attacker_encumbered),
    };
    let modifiers =
        [("naval nationality", parts.nationality, rule::R_49), ("activity of the groups", parts.activity, rule::R_20)];
    let what = format_args!("Fleet factors firing: {factors}");
    let dice = dice(what, &modifiers, rule::R_43, ask)?;
    let reading = rules.charts.fleet_attack(ask, factors, dice.modified_roll);
    let parts = AttackParts { air: None, fleet: Some(parts) };
    let attack = shot(rules, parts, &dice, reading, target, ask);
    Ok(Attack { factors: Some(factors), ..attack })
}

/// Two dice with their modifiers.
struct Dice {
    modifier: i32,
    roll: Sum,
    modified_roll: i32,
}

fn dice(what: std::fmt::Arguments<'_>, modifiers: &[(&str, i32, Rule)], rows: Rule, ask: &mut impl Ask) -> Asked<Dice> {
    let modifier = modifiers.iter().map(|(_, value, _)| value).sum::<i32>();
    let roll = ask.sum(2, D6, "naval attack")?;
    let modified_roll = roll.total as i32 + modifier;
    ask.note(|| {
        let text = format!("{what}. {} on the dice, {modified_roll} with modifiers.", roll.total);
        let note = Note::new("naval-attack", text).by(&[rule::NAVAL_TABLE, rule::R_25, rows]).dice(&roll.faces.0);
        modified(at_edge(note.outcome(modified_roll), modified_roll, 2..=12), modifiers)
    });
    Ok(Dice { modifier, roll, modified_roll })
}

fn shot(
    rules: &Rules,
    modifier_parts: AttackParts,
    dice: &Dice,
    reading: Reading<FactorRow, u32>,
    target: &Target,
    ask: &mut impl Ask,
) -> Attack {
    if reading.rows.len() > 1 {
        ask.note(|| {
            let rows: Vec<String> = reading.rows.iter().map(ToString::to_string).collect();
            Note::new("overflow", format!("Rows {} together.", rows.join(" and ")))
                .detail()
                .by(&[rule::R_18])
                .outcome(reading.sum)
        });
    }
    let effect = target.hit(rules, reading.sum, ask);
    let &Dice { modifier, ref roll, modified_roll } = dice;
    let Reading { rows, column, sum: hits } = reading;
    let shot = Shot { modifier_parts, modifier, roll: roll.total, modified_roll, column, rows };
    Attack { squadrons: None, factors: None, shot: Some(shot), hits, effect }
}
