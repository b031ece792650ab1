//! One attack on one naval target, by aircraft or by ships. [20.51, 22.55, 23.44]

use crate::Rulebook;
use crate::air::{self, AirGroup, AirType};
use crate::charts::{DiceColumn, FactorRow, Reading};
use crate::hits::{self, LightEffect, LightShips, OneFactorClass, ShipEffect, ShipState};
use crate::nation::{Drm, Nation, Supply, at_edge, majority, modified};
use crate::naval_data::ShipKind;
use crate::rule;
use flagplot_kernel::{Ask, Asked, D6, Note, Rule, Sum};
use serde::Serialize;

/// The size of the largest battleships, which the chart favours.
const FIVE_FACTORS: u32 = 5;

/// One ship as a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShipTarget {
    /// Its kind.
    pub kind: ShipKind,
    /// Its navy.
    pub nation: Nation,
    /// Its naval factors.
    pub size: u32,
    /// How it is.
    pub state: ShipState,
    /// Its supply.
    pub supply: Supply,
}

/// A group of light ships as a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LightTarget {
    /// Their navy.
    pub nation: Nation,
    /// The ships.
    pub ships: LightShips,
    /// Which ships of one factor are sunk first.
    pub order: [OneFactorClass; 3],
    /// Their supply.
    pub supply: Supply,
}

/// What an attack is made on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A named ship or a single cruiser.
    Ship(ShipTarget),
    /// A group of light ships.
    Light(LightTarget),
}

/// What an attack did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(untagged)]
pub enum Effect {
    /// To a ship.
    Ship(ShipEffect),
    /// To light ships.
    Light(LightEffect),
}

impl Effect {
    /// Naval factors sunk, if the target was this.
    #[must_use]
    pub fn factors_sunk(&self, target: &Target) -> u32 {
        match (self, target) {
            (Effect::Ship(effect), Target::Ship(ship)) if effect.state == ShipState::Sunk => ship.size,
            (Effect::Light(effect), _) => 2 * effect.cruisers_sunk + effect.one_factor_sunk,
            _ => 0,
        }
    }
}

impl Target {
    /// What so many hits do to it. [23.44]
    pub fn hit(&self, book: &Rulebook, hits: u32, ask: &mut impl Ask) -> Effect {
        match self {
            Target::Ship(ship) => Effect::Ship(hits::hit_ship(ship.size, ship.state, hits, &book.naval.damage, ask)),
            Target::Light(light) => Effect::Light(hits::hit_light(&light.ships, light.order, hits, ask)),
        }
    }

    /// Its modifier on the naval nationality chart. [22.552A, R-49]
    #[must_use]
    pub fn drm(&self, book: &Rulebook) -> Drm {
        let chart = &book.nations;
        let added = &chart.naval_modifiers;
        let (nation, supply) = match self {
            Target::Ship(ship) => (ship.nation, ship.supply),
            Target::Light(light) => (light.nation, light.supply),
        };
        let mut drm = Drm::of(nation, chart.naval(nation), chart.rule(nation, rule::NAVAL_CHART));
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
                let others = light.ships.factors() - light.ships.cves;
                if light.ships.cves > 0
                    && majority([(added.cve, light.ships.cves), (0, others)].into_iter()) == added.cve
                {
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
fn target_drm(book: &Rulebook, target: &Target, ask: &mut impl Ask) -> i32 {
    let drm = target.drm(book);
    let total = drm.total;
    ask.note(|| {
        let mut note = Note::new("naval-nationality", format!("Naval DRM of the target: {total}"))
            .detail()
            .by(&[rule::NAVAL_CHART, rule::R_25])
            .outcome(total);
        note.modifiers = drm.parts();
        if total < 0 {
            note.rules.push(rule::R_33);
        }
        note
    });
    total
}

/// The modifiers of an attack by aircraft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct AirAttackParts {
    /// The attackers' air nationality.
    pub air_nationality: i32,
    /// The target's naval nationality, with the sign it is added with.
    pub naval_nationality: i32,
    /// Naval air at sea.
    pub naval_air: i32,
    /// Surprise.
    pub surprise: i32,
}

/// The modifiers of an attack by ships.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct FleetAttackParts {
    /// The difference in naval nationality.
    pub nationality: i32,
    /// What either group is busy with.
    pub activity: i32,
}

/// What was rolled and read.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Shot<P> {
    /// The modifiers by name.
    pub modifier_parts: P,
    /// All of them together.
    pub modifier: i32,
    /// The two dice.
    pub roll: u32,
    /// The same with the modifiers.
    pub modified_roll: i32,
    /// The column read.
    pub column: DiceColumn,
    /// The rows read, by their fleet factors.
    pub rows: Vec<FactorRow>,
    /// Hits on the target.
    pub hits: u32,
    /// What they did.
    pub effect: Effect,
}

/// An attack by aircraft.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct AirAttack {
    /// Squadrons attacking.
    pub squadrons: u32,
    /// What came of it.
    #[serde(flatten)]
    pub shot: Shot<AirAttackParts>,
}

/// An attack by ships.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct FleetAttack {
    /// Fleet factors firing.
    pub factors: u32,
    /// What came of it.
    #[serde(flatten)]
    pub shot: Shot<FleetAttackParts>,
}

/// Where the target lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Waters {
    /// At sea.
    AtSea,
    /// In port.
    InPort,
}

/// The surprise that helps an attack.
const SURPRISE_FROM: u32 = 3;

/// Squadrons attack a target. [23.44, R-46]
pub fn air_attack(
    book: &Rulebook,
    attackers: &[AirGroup],
    target: &Target,
    waters: Waters,
    surprise: u32,
    ask: &mut impl Ask,
) -> Asked<AirAttack> {
    let squadrons = air::strength(attackers);
    let naval: u32 = attackers.iter().filter(|group| group.kind == AirType::NavalAir).map(|group| group.count).sum();
    let parts = AirAttackParts {
        air_nationality: air::force_drm(&book.nations, attackers, "squadrons", ask),
        naval_nationality: -target_drm(book, target, ask),
        naval_air: i32::from(waters == Waters::AtSea && 2 * naval > squadrons),
        surprise: i32::from(surprise >= SURPRISE_FROM),
    };
    let modifiers = [
        ("air nationality", parts.air_nationality, rule::R_46),
        ("target's naval nationality", parts.naval_nationality, rule::NAVAL_CHART),
        ("naval air at sea", parts.naval_air, rule::R_38),
        ("surprise", parts.surprise, rule::R_37),
    ];
    let (modifier, roll, modified_roll) =
        dice(format_args!("{squadrons} squadrons attack"), &modifiers, rule::R_36, ask)?;
    let reading = book.charts.air_attack(ask, squadrons, modified_roll);
    Ok(AirAttack { squadrons, shot: shot(book, parts, modifier, &roll, modified_roll, reading, target, ask) })
}

/// Some ships of one kind that fire together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Firers {
    /// Their navy.
    pub nation: Nation,
    /// Their fleet factors.
    pub factors: u32,
    /// Whether they are battleships of five factors.
    pub five_factor: bool,
    /// Whether they are submarines.
    pub submarine: bool,
    /// Their supply.
    pub supply: Supply,
}

impl Firers {
    /// Their modifier on the naval nationality chart. [22.552A, R-40]
    #[must_use]
    pub fn drm(&self, book: &Rulebook) -> Drm {
        let chart = &book.nations;
        let added = &chart.naval_modifiers;
        let mut drm = Drm::of(self.nation, chart.naval(self.nation), chart.rule(self.nation, rule::NAVAL_CHART));
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

/// What the two combat groups are busy with besides fighting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Activity {
    /// The attackers' group has a task that burdens it.
    pub attacker_encumbered: bool,
    /// The target's group has.
    pub target_encumbered: bool,
}

/// Ships attack a target; all fire of a side on it is this one attack. [22.55, R-49]
pub fn fleet_attack(
    book: &Rulebook,
    attackers: &[Firers],
    target: &Target,
    activity: Activity,
    ask: &mut impl Ask,
) -> Asked<FleetAttack> {
    let factors = attackers.iter().map(|firers| firers.factors).sum();
    let own = majority(
        attackers.iter().filter(|firers| firers.factors > 0).map(|firers| (firers.drm(book).total, firers.factors)),
    );
    ask.note(|| {
        let mut note = Note::new("naval-nationality", format!("Naval DRM of the firing ships: {own}"))
            .detail()
            .by(&[rule::NAVAL_CHART, rule::R_16])
            .outcome(own);
        if let Some(firers) = attackers.iter().find(|firers| firers.factors > 0 && firers.drm(book).total == own) {
            note.modifiers = firers.drm(book).parts();
        }
        note
    });
    let parts = FleetAttackParts {
        nationality: own - target_drm(book, target, ask),
        activity: i32::from(activity.target_encumbered) - i32::from(activity.attacker_encumbered),
    };
    let modifiers =
        [("naval nationality", parts.nationality, rule::R_49), ("activity of the groups", parts.activity, rule::R_20)];
    let (modifier, roll, modified_roll) =
        dice(format_args!("{factors} fleet factors fire"), &modifiers, rule::R_43, ask)?;
    let reading = book.charts.fleet_attack(ask, factors, modified_roll);
    Ok(FleetAttack { factors, shot: shot(book, parts, modifier, &roll, modified_roll, reading, target, ask) })
}

fn dice(
    what: std::fmt::Arguments<'_>,
    modifiers: &[(&str, i32, Rule)],
    rows: Rule,
    ask: &mut impl Ask,
) -> Asked<(i32, Sum, i32)> {
    let modifier = modifiers.iter().map(|(_, value, _)| value).sum::<i32>();
    let roll = ask.sum(2, D6, "naval attack")?;
    let total = roll.total as i32 + modifier;
    ask.note(|| {
        let text = format!("{what}: {} on the dice, {total} with modifiers.", roll.total);
        let note = Note::new("naval-attack", text)
            .by(&[rule::NAVAL_TABLE, rule::R_25, rows])
            .dice(&roll.faces.0)
            .outcome(total);
        modified(at_edge(note, total, 2..=12), modifiers)
    });
    Ok((modifier, roll, total))
}

#[allow(clippy::too_many_arguments, reason = "the last step of both kinds of attack gathers everything")]
fn shot<P>(
    book: &Rulebook,
    parts: P,
    modifier: i32,
    roll: &Sum,
    modified_roll: i32,
    reading: Reading<FactorRow, u32>,
    target: &Target,
    ask: &mut impl Ask,
) -> Shot<P> {
    if reading.rows.len() > 1 {
        ask.note(|| {
            Note::new(
                "overflow",
                format!(
                    "Rows {} together.",
                    reading.rows.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ")
                ),
            )
            .detail()
            .by(&[rule::R_18])
            .outcome(reading.sum)
        });
    }
    let effect = target.hit(book, reading.sum, ask);
    Shot {
        modifier_parts: parts,
        modifier,
        roll: roll.total,
        modified_roll,
        column: reading.column,
        rows: reading.rows,
        hits: reading.sum,
        effect,
    }
}
