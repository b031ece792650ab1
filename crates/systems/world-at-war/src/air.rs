//! Air groups and one round of air combat. [19.2, 19.31A]

use crate::Rulebook;
use crate::charts::{DiceColumn, Toll};
use crate::nation::{Drm, Nation, NationalityCharts, Supply, at_edge, majority, modified};
use crate::rule;
use flagplot_kernel::{Ask, Asked, D6, Note};
use serde::{Deserialize, Serialize};

/// What kind of aircraft a group flies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AirType {
    /// Army air.
    ArmyAir,
    /// Naval air.
    NavalAir,
    /// Kamikazes: aborted by fighters, not by air defence, and no naval air.
    Kamikaze,
    /// Jets.
    Jet,
    /// Interceptors.
    Interceptor,
    /// Strategic bombers.
    StrategicBomber,
    /// Air transports.
    AirTransport,
}

impl AirType {
    /// The words of requests and files.
    pub const WORDS: [&'static str; 7] =
        ["army-air", "naval-air", "kamikaze", "jet", "interceptor", "strategic-bomber", "air-transport"];
}

/// Some air units of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AirGroup {
    /// Whose they are.
    pub nation: Nation,
    /// What they fly.
    pub kind: AirType,
    /// How many factors or squadrons.
    pub count: u32,
    /// Whether they are Japan's best naval air.
    pub elite: bool,
    /// The winter effect they suffer.
    pub winter_effect: u8,
    /// Their supply.
    pub supply: Supply,
}

/// The winter effect from which air suffers.
const WINTER_FROM: u8 = 8;

impl AirGroup {
    /// The group's modifier on the air nationality chart. [19.31A, R-46]
    #[must_use]
    pub fn drm(&self, charts: &NationalityCharts) -> Drm {
        let modifiers = &charts.air_modifiers;
        let mut drm = Drm::of(self.nation, charts.air(self.nation), charts.rule(self.nation, rule::AIR_CHART));
        if self.elite {
            drm.add("elite naval air", modifiers.elite_japanese_naval_air, rule::AIR_CHART);
        }
        if self.kind == AirType::Interceptor {
            drm.add("interceptors", modifiers.interceptors, rule::R_31);
        }
        if self.kind == AirType::NavalAir && self.nation == Nation::Britain {
            drm.add("British naval air", modifiers.british_naval_air, rule::AIR_CHART);
        }
        if self.winter_effect >= WINTER_FROM {
            drm.add("winter", modifiers.winter_effect_8_or_more, rule::AIR_CHART);
        }
        if self.supply.is_short() {
            drm.add("partial supply or oil", modifiers.partial_supply_or_oil_effects, rule::R_12);
        }
        drm
    }
}

/// How many units a force has.
#[must_use]
pub fn strength(force: &[AirGroup]) -> u32 {
    force.iter().map(|group| group.count).sum()
}

/// The modifier of a force: that of most of its units, the lower one when tied.
pub fn force_drm(charts: &NationalityCharts, force: &[AirGroup], whose: &str, ask: &mut impl Ask) -> i32 {
    let total =
        majority(force.iter().filter(|group| group.count > 0).map(|group| (group.drm(charts).total, group.count)));
    ask.note(|| {
        let mut note = Note::new("air-nationality", format!("Air DRM of the {whose}: {total}"))
            .detail()
            .by(&[rule::AIR_CHART, rule::R_16])
            .outcome(total);
        if let Some(group) = force.iter().find(|group| group.count > 0 && group.drm(charts).total == total) {
            note.modifiers = group.drm(charts).parts();
        }
        note
    });
    total
}

/// Takes losses from the groups in their order: eliminations first, then aborts. What is too much is lost.
pub fn lose(force: &mut [AirGroup], toll: Toll, can_abort: impl Fn(&AirGroup) -> bool) -> Toll {
    let mut take = |number: u32, may: &dyn Fn(&AirGroup) -> bool| {
        let mut left = number;
        for group in force.iter_mut().filter(|group| may(group)) {
            let taken = group.count.min(left);
            group.count -= taken;
            left -= taken;
        }
        number - left
    };
    let eliminated = take(toll.eliminated, &|_| true);
    let aborted = take(toll.aborted, &can_abort);
    Toll { eliminated, aborted }
}

/// What air units are counted in; one kind for a whole combat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AirUnit {
    /// Air factors.
    Factors,
    /// Squadrons, three to a factor.
    Squadrons,
}

/// What the defender flies for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AirRole {
    /// Interception and counterair: nothing special.
    Interception,
    /// Combat air patrol over ships.
    Cap,
    /// Land-based cover over ships.
    AirCover,
    /// Defence against strategic bombing.
    StrategicBombingDefense,
}

impl AirRole {
    /// The words of requests.
    pub const WORDS: [&'static str; 4] = ["interception", "cap", "air-cover", "strategic-bombing-defense"];

    /// Whether the defender can be driven off. [19.2]
    #[must_use]
    pub fn aborts(self) -> bool {
        self == AirRole::Interception
    }
}

/// What an air combat is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AirSetting {
    /// What units are counted in.
    pub unit: AirUnit,
    /// What the defender does.
    pub role: AirRole,
    /// Radar research results of the defender.
    pub radar_results: u32,
}

/// The parts of the attacker's modifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct AirModifierParts {
    /// The difference on the chart.
    pub nationality: i32,
    /// The difference in jets.
    pub jets: i32,
    /// The defender's combat air patrol.
    pub cap: i32,
    /// The defender's radar.
    pub radar: i32,
}

impl AirModifierParts {
    /// The attacker's modifier; the defender's is the same with the other sign.
    #[must_use]
    pub fn attacker(&self) -> i32 {
        self.nationality + self.jets + self.cap + self.radar
    }
}

/// What one side rolled and inflicts.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct AirFire {
    /// Units engaged.
    pub engaged: u32,
    /// The modifier of the force on the chart.
    pub drm: i32,
    /// What is added to its roll.
    pub modifier: i32,
    /// Its two dice.
    pub roll: u32,
    /// The same with the modifier.
    pub modified_roll: i32,
    /// The column read.
    pub column: DiceColumn,
    /// The rows read.
    pub rows: Vec<u32>,
    /// Enemies the table eliminates.
    pub table_eliminated: u32,
    /// Enemies the table aborts.
    pub table_aborted: u32,
}

/// What a side lost and has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct AirLosses {
    /// Gone for good.
    pub eliminated: u32,
    /// Driven off.
    pub aborted: u32,
    /// Still there.
    pub remaining: u32,
}

/// A round of air combat.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct AirRound {
    /// What the attacker rolled.
    pub attacker: AirFire,
    /// What the defender rolled.
    pub defender: AirFire,
    /// The parts of the attacker's modifier.
    pub modifier_parts: AirModifierParts,
    /// What the attacker lost.
    pub attacker_losses: AirLosses,
    /// What the defender lost.
    pub defender_losses: AirLosses,
}

/// Jets that count: each factor, or each full three squadrons.
fn jets(force: &[AirGroup], unit: AirUnit) -> i32 {
    let jets: u32 = force.iter().filter(|group| group.kind == AirType::Jet).map(|group| group.count).sum();
    match unit {
        AirUnit::Factors => jets as i32,
        AirUnit::Squadrons => (jets / 3) as i32,
    }
}

/// One round of air combat; both forces are left with what survives. [19.2]
pub fn round(
    book: &Rulebook,
    attackers: &mut [AirGroup],
    defenders: &mut [AirGroup],
    setting: AirSetting,
    ask: &mut impl Ask,
) -> Asked<AirRound> {
    let attacker_drm = force_drm(&book.nations, attackers, "attacker", ask);
    let defender_drm = force_drm(&book.nations, defenders, "defender", ask);
    let parts = AirModifierParts {
        nationality: attacker_drm - defender_drm,
        jets: jets(attackers, setting.unit) - jets(defenders, setting.unit),
        cap: if setting.role == AirRole::Cap { -1 } else { 0 },
        radar: if setting.role == AirRole::StrategicBombingDefense { -(setting.radar_results as i32) } else { 0 },
    };
    let modifier = parts.attacker();
    ask.note(|| {
        let text = format!("The attacker adds {modifier}, the defender {}.", -modifier);
        let jets = if setting.unit == AirUnit::Squadrons { rule::R_44 } else { rule::AIR_TABLE };
        modified(
            Note::new("air-modifier", text).by(&[rule::AIR_TABLE, rule::R_3, rule::R_29]).outcome(modifier),
            &[
                ("nationality", parts.nationality, rule::AIR_CHART),
                ("jets", parts.jets, jets),
                ("combat air patrol", parts.cap, rule::R_15),
                ("radar", parts.radar, rule::R_30),
            ],
        )
    });
    let attack = fire(book, strength(attackers), attacker_drm, modifier, "attacker", ask)?;
    let defense = fire(book, strength(defenders), defender_drm, -modifier, "defender", ask)?;
    let attacker_losses = suffer(attackers, &defense, true, "attacker", ask);
    let defender_losses = suffer(defenders, &attack, setting.role.aborts(), "defender", ask);
    Ok(AirRound { attacker: attack, defender: defense, modifier_parts: parts, attacker_losses, defender_losses })
}

fn fire(
    book: &Rulebook,
    engaged: u32,
    drm: i32,
    modifier: i32,
    whose: &'static str,
    ask: &mut impl Ask,
) -> Asked<AirFire> {
    let roll = ask.sum(2, D6, format_args!("air combat, {whose}"))?;
    let modified_roll = roll.total as i32 + modifier;
    ask.note(|| {
        let text =
            format!("The {whose} with {engaged} engaged rolls {}, {modified_roll} with the modifier.", roll.total);
        let note =
            Note::new("air-combat", text).by(&[rule::AIR_TABLE, rule::R_43]).dice(&roll.faces.0).outcome(modified_roll);
        modified(at_edge(note, modified_roll, 2..=12), &[("modifier", modifier, rule::R_3)])
    });
    let reading = book.charts.air_combat(ask, engaged, modified_roll);
    ask.note(|| {
        let mut rules = vec![rule::AIR_TABLE, rule::R_1];
        if reading.rows.contains(&8) {
            rules.push(rule::R_2);
        }
        if reading.rows.len() > 1 {
            rules.push(rule::R_18);
        }
        let text =
            format!("The {whose} inflicts {} eliminated and {} aborted.", reading.sum.eliminated, reading.sum.aborted);
        Note::new("air-fire", text).detail().by(&rules).outcome(reading.sum.to_string())
    });
    Ok(AirFire {
        engaged,
        drm,
        modifier,
        roll: roll.total,
        modified_roll,
        column: reading.column,
        rows: reading.rows,
        table_eliminated: reading.sum.eliminated,
        table_aborted: reading.sum.aborted,
    })
}

fn suffer(force: &mut [AirGroup], fire: &AirFire, aborts: bool, whose: &str, ask: &mut impl Ask) -> AirLosses {
    let toll = Toll { eliminated: fire.table_eliminated, aborted: if aborts { fire.table_aborted } else { 0 } };
    let toll = lose(force, toll, |_| true);
    let losses = AirLosses { eliminated: toll.eliminated, aborted: toll.aborted, remaining: strength(force) };
    if !aborts && fire.table_aborted > 0 {
        ask.note(|| {
            Note::new(
                "no-aborts",
                format!("The {whose} cannot be driven off: {} aborts are ignored.", fire.table_aborted),
            )
            .detail()
            .by(&[rule::AIR_TABLE])
        });
    }
    ask.note(|| {
        let text = format!(
            "The {whose} loses {} and has {} aborted; {} are left.",
            losses.eliminated, losses.aborted, losses.remaining
        );
        Note::new("air-losses", text).by(&[rule::R_27]).outcome(toll.to_string())
    });
    losses
}
