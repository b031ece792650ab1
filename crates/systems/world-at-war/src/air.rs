//! Air groups and one round of air combat. [19.2, 19.31A]

use crate::Rules;
use crate::charts::{DiceColumn, Toll};
use crate::messages::{all, armed, counted, ensure};
use crate::nation::{
    Drm, Nation, NationalityCharts, Reasons, Supply, at_edge, force_drm, force_reasons, modified, nation,
};
use crate::rule;
use flagplot_kernel::{Ask, Asked, D6, Note, Refusal, Rule};
use flagplot_referee::{Shaped, words};
use serde::{Deserialize, Serialize};

#[words]
pub enum AirType {
    ArmyAir,
    NavalAir,
    /// Aborted by fighters, not by air defense, and not naval air.
    Kamikaze,
    Jet,
    Interceptor,
    StrategicBomber,
    AirTransport,
}

/// Air units of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Shaped)]
pub struct AirGroup {
    /// whose it is
    #[shape(with = nation())]
    pub nation: Nation,
    /// factors or squadrons
    #[shape(0..=1000)]
    pub count: u32,
    /// what it flies
    #[serde(rename = "type")]
    #[shape(or = AirType::ArmyAir)]
    pub kind: AirType,
    /// elite Japanese naval air
    #[shape(or = false)]
    pub elite: bool,
    /// winter effect; 8 or more costs one
    #[shape(0..=99, or = 0)]
    pub winter_effect: u8,
    #[serde(flatten)]
    pub supply: Supply,
}

/// The winter effect from which air suffers.
const WINTER_FROM: u8 = 8;

impl AirGroup {
    /// Ordinary army air.
    #[must_use]
    pub fn new(nation: Nation, count: u32) -> Self {
        Self { nation, count, kind: AirType::ArmyAir, elite: false, winter_effect: 0, supply: Supply::default() }
    }

    /// The group's modifier on the air nationality chart. [19.31A, R-46]
    #[must_use]
    pub fn drm<R: Reasons>(&self, charts: &NationalityCharts) -> R {
        let modifiers = &charts.air_modifiers;
        let mut drm = R::default();
        drm.add(self.nation.name(), charts.air(self.nation), charts.rule(self.nation, rule::AIR_CHART));
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

/// Whether a request may give these groups. Only Japanese naval air is ever elite. [19.31A]
pub(crate) fn check_groups(groups: &[AirGroup], path: &str) -> Result<(), Refusal> {
    all(groups.iter().enumerate().map(|(at, group)| {
        ensure(!group.elite || (group.nation, group.kind) == (Nation::Japan, AirType::NavalAir), || {
            let message = format!("{path}[{at}].elite: only Japanese naval air can be elite.");
            Refusal::new("not-elite", message).by(rule::AIR_CHART)
        })
    }))
}

/// The same for a side that must have at least one unit.
pub(crate) fn check_force(groups: &[AirGroup], side: &str, rule: Rule) -> Result<(), Refusal> {
    let path = format!("input.{side}");
    all([check_groups(groups, &path), armed(strength(groups), side, &path, rule)])
}

#[must_use]
pub fn strength(force: &[AirGroup]) -> u32 {
    force.iter().map(|group| group.count).sum()
}

fn force(charts: &NationalityCharts, force: &[AirGroup]) -> i32 {
    force_drm(force.iter().map(|group| (group.drm(charts), group.count)))
}

/// The modifier of a force, noted.
pub fn air_drm(charts: &NationalityCharts, groups: &[AirGroup], whose: &str, ask: &mut impl Ask) -> i32 {
    let total = force(charts, groups);
    ask.note(|| {
        let drms = groups.iter().map(|group| (group.drm::<Drm>(charts), group.count));
        let text = format!("Air DRM of the {whose}: {total}");
        force_reasons(drms, total).note("air-nationality", text).by(&[rule::AIR_CHART, rule::R_16])
    });
    total
}

/// Takes losses from the groups in their order: eliminations first, then aborts. Excess results are lost.
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
#[words]
pub enum AirUnit {
    Factors,
    /// Three to a factor.
    Squadrons,
}

/// What the defender flies for.
#[words]
pub enum AirRole {
    /// Interception and counterair.
    Interception,
    /// Combat air patrol over ships.
    Cap,
    /// Land-based cover over ships.
    AirCover,
    StrategicBombingDefense,
}

impl AirRole {
    /// Whether the defender can be driven off. [19.2]
    #[must_use]
    pub fn aborts(self) -> bool {
        self == AirRole::Interception
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Shaped)]
pub struct AirSetting {
    /// what the counts stand for
    #[shape(or = AirUnit::Factors)]
    pub unit: AirUnit,
    /// what the defender flies for
    #[shape(or = AirRole::Interception)]
    pub role: AirRole,
    /// the defender's radar research results, against strategic bombing only
    ///
    ///
    #[shape(0..=99, or = 0)]
    pub radar_results: u32,
}

/// Two forces that meet in the air.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct AirCombat {
    /// the attacker's groups, in the order in which they are lost
    #[shape(items = 0..=200)]
    pub attackers: Vec<AirGroup>,
    /// the defender's groups, in the order in which they are lost
    #[shape(items = 0..=200)]
    pub defenders: Vec<AirGroup>,
    #[serde(flatten)]
    pub setting: AirSetting,
}

impl AirCombat {
    /// Whether the facts hold together. [19.2, R-30]
    pub fn check(&self) -> Result<(), Refusal> {
        let AirSetting { role, radar_results, .. } = self.setting;
        let radar = ensure(radar_results == 0 || role == AirRole::StrategicBombingDefense, || {
            let message = "input.radar_results: radar counts against strategic bombing only.";
            Refusal::new("radar-not-applicable", message).by(rule::R_30)
        });
        let attackers = check_force(&self.attackers, "attackers", rule::AIR_TABLE);
        all([attackers, check_force(&self.defenders, "defenders", rule::AIR_TABLE), radar])
    }
}

/// The parts of the attacker's modifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct AirModifierParts {
    /// difference on the chart
    pub nationality: i32,
    /// difference in jets
    pub jets: i32,
    /// combat air patrol
    pub cap: i32,
    /// radar
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
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct AirFire {
    /// units engaged
    pub engaged: u32,
    /// the force's modifier on the chart
    pub drm: i32,
    /// added to its roll
    pub modifier: i32,
    /// two dice
    #[shape(2..=12)]
    pub roll: u32,
    /// with the modifier
    pub modified_roll: i32,
    /// the column read
    pub column: DiceColumn,
    /// the rows read
    #[shape(1..=20, items = 1..=100_000)]
    pub rows: Vec<u32>,
    /// enemies the table eliminates
    pub table_eliminated: u32,
    /// enemies the table aborts
    pub table_aborted: u32,
}

/// What a side lost and has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct AirLosses {
    /// gone for good
    pub eliminated: u32,
    /// driven off
    pub aborted: u32,
    /// still there
    pub remaining: u32,
}

impl AirLosses {
    /// What a force has lost and what it has left.
    #[must_use]
    pub fn new(toll: Toll, force: &[AirGroup]) -> Self {
        Self { eliminated: toll.eliminated, aborted: toll.aborted, remaining: strength(force) }
    }
}

/// A round of air combat.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct AirRound {
    /// what the attacker rolled and inflicts
    pub attacker: AirFire,
    /// what the defender rolled and inflicts
    pub defender: AirFire,
    /// the attacker's modifier by parts
    pub modifier_parts: AirModifierParts,
    /// what the attacker lost
    pub attacker_losses: AirLosses,
    /// what the defender lost
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

/// The attacker's modifier by parts, from the modifiers of both forces on the chart.
fn parts(
    attackers: (&[AirGroup], i32),
    defenders: (&[AirGroup], i32),
    AirSetting { unit, role, radar_results }: AirSetting,
) -> AirModifierParts {
    AirModifierParts {
        nationality: attackers.1 - defenders.1,
        jets: jets(attackers.0, unit) - jets(defenders.0, unit),
        cap: if role == AirRole::Cap { -1 } else { 0 },
        radar: if role == AirRole::StrategicBombingDefense { -(radar_results as i32) } else { 0 },
    }
}

/// The attacker's modifier; the defender's is the same with the other sign. [19.2, R-3]
#[must_use]
pub fn modifier(
    charts: &NationalityCharts,
    attackers: &[AirGroup],
    defenders: &[AirGroup],
    setting: AirSetting,
) -> i32 {
    let with = |groups| (groups, force(charts, groups));
    parts(with(attackers), with(defenders), setting).attacker()
}

/// What both sides of a round rolled, before anything is lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    pub attacker: AirFire,
    pub defender: AirFire,
    pub modifier_parts: AirModifierParts,
}

/// Both sides roll and read the table. [19.2]
pub fn clash(
    rules: &Rules,
    attackers: &[AirGroup],
    defenders: &[AirGroup],
    setting: AirSetting,
    ask: &mut impl Ask,
) -> Asked<Clash> {
    let attacker_drm = air_drm(&rules.nations, attackers, "attacker", ask);
    let defender_drm = air_drm(&rules.nations, defenders, "defender", ask);
    let modifier_parts = parts((attackers, attacker_drm), (defenders, defender_drm), setting);
    let modifier = modifier_parts.attacker();
    ask.note(|| {
        let text = format!("The attacker adds {modifier}, the defender {}.", -modifier);
        let jets = if setting.unit == AirUnit::Squadrons { rule::R_44 } else { rule::AIR_TABLE };
        modified(
            Note::new("air-modifier", text).by(&[rule::AIR_TABLE, rule::R_3, rule::R_29]).outcome(modifier),
            &[
                ("nationality", modifier_parts.nationality, rule::AIR_CHART),
                ("jets", modifier_parts.jets, jets),
                ("combat air patrol", modifier_parts.cap, rule::R_15),
                ("radar", modifier_parts.radar, rule::R_30),
            ],
        )
    });
    let attacker = fire(rules, strength(attackers), attacker_drm, modifier, "attacker", ask)?;
    let defender = fire(rules, strength(defenders), defender_drm, -modifier, "defender", ask)?;
    Ok(Clash { attacker, defender, modifier_parts })
}

/// What a force of some strength loses to the enemy's fire. [19.2, R-27]
pub fn owed(fire: &AirFire, strength: u32, aborts: bool, whose: &str, ask: &mut impl Ask) -> Toll {
    if !aborts && fire.table_aborted > 0 {
        ask.note(|| {
            let text =
                format!("The {whose} cannot be driven off and ignores {}.", counted(fire.table_aborted, "abort"));
            Note::new("no-aborts", text).detail().by(&[rule::AIR_TABLE])
        });
    }
    let eliminated = fire.table_eliminated.min(strength);
    let aborted = if aborts { fire.table_aborted.min(strength - eliminated) } else { 0 };
    ask.note(|| {
        let remaining = strength - eliminated - aborted;
        let text = format!("The {whose}: {eliminated} eliminated, {aborted} aborted, {remaining} left.");
        Note::new("air-losses", text).by(&[rule::R_27]).outcome(Toll { eliminated, aborted }.to_string())
    });
    Toll { eliminated, aborted }
}

/// One round of air combat; both forces are left with what survives. [19.2]
pub fn round(
    rules: &Rules,
    attackers: &mut [AirGroup],
    defenders: &mut [AirGroup],
    setting: AirSetting,
    ask: &mut impl Ask,
) -> Asked<AirRound> {
    let Clash { attacker, defender, modifier_parts } = clash(rules, attackers, defenders, setting, ask)?;
    let attacker_losses = suffer(attackers, &defender, true, "attacker", ask);
    let defender_losses = suffer(defenders, &attacker, setting.role.aborts(), "defender", ask);
    Ok(AirRound { attacker, defender, modifier_parts, attacker_losses, defender_losses })
}

fn fire(
    rules: &Rules,
    engaged: u32,
    drm: i32,
    modifier: i32,
    whose: &'static str,
    ask: &mut impl Ask,
) -> Asked<AirFire> {
    let roll = ask.sum(2, D6, format_args!("air combat, {whose}"))?;
    let modified_roll = roll.total as i32 + modifier;
    ask.note(|| {
        let text = format!("The {whose}, {engaged} engaged, rolls {}: {modified_roll} with the modifier.", roll.total);
        let note =
            Note::new("air-combat", text).by(&[rule::AIR_TABLE, rule::R_43]).dice(&roll.faces.0).outcome(modified_roll);
        modified(at_edge(note, modified_roll, 2..=12), &[("modifier", modifier, rule::R_3)])
    });
    let reading = rules.charts.air_combat(ask, engaged, modified_roll);
    ask.note(|| {
        let mut cited = vec![rule::AIR_TABLE, rule::R_1];
        if reading.rows.contains(&8) {
            cited.push(rule::R_2);
        }
        if reading.rows.len() > 1 {
            cited.push(rule::R_18);
        }
        let text =
            format!("The {whose} inflicts {} eliminated and {} aborted.", reading.sum.eliminated, reading.sum.aborted);
        Note::new("air-fire", text).detail().by(&cited).outcome(reading.sum.to_string())
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
    let toll = owed(fire, strength(force), aborts, whose, ask);
    AirLosses::new(lose(force, toll, |_| true), force)
}
