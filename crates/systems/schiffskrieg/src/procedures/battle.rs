use super::made::{EndFate, Made, Total};
use super::units::{GivenUnit, Roster, read_roster};
use super::{battle_odds, or_by_name};
use crate::attack::{Engagement, Order};
use crate::day_night::{Action, Waters, select};
use crate::doctrine::Doctrine;
use crate::faction::{ByRole, Role, by_role};
use crate::points::loss;
use crate::resolution::{BattleOutcome, resolve, strength};
use crate::results::{Taken, apply};
use crate::rule;
use crate::rules::Rules;
use crate::unit::{Counter, Id};
use flagplot_kernel::{Ask, Asked, Note, Refusal, Rule};
use flagplot_odds::Budget;
use flagplot_referee::{FieldOdds, Procedure, Shaped};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

pub struct Battle(pub Arc<Rules>);

#[derive(Deserialize, Shaped)]
pub struct Input {
    /// whether the hex holds only water
    all_sea: bool,
    #[serde(flatten)]
    forces: ByRole<Force>,
}

#[derive(Deserialize, Shaped)]
struct Force {
    /// the units in line
    #[shape(items = 1..=60)]
    units: Vec<GivenUnit>,
    /// hexes to its nearest Air Base; none if it has none
    #[shape(null, 0..=99)]
    nearest_air_base: Option<u8>,
    /// its standing orders
    doctrine: Doctrine,
}

/// A battle by standing orders: what the ruling and its odds share.
pub struct Facts {
    waters: Waters,
    pub roster: Roster,
    doctrines: ByRole<Doctrine>,
}

pub type Fates = ByRole<Vec<EndFate>>;

pub enum After {
    Round,
    /// With the faction that retreats, if there is one.
    Resolution(Option<Role>),
}

impl Facts {
    pub fn select(&self, rules: &Rules, round: usize, ask: &mut impl Ask) -> Asked<crate::day_night::Selection> {
        select(rules, &self.waters, ByRole::new_with(|role| self.doctrines[role].wish[round]), ask)
    }

    pub fn start(&self) -> Fates {
        self.roster.as_ref().map(|units| units.iter().map(|unit| EndFate::new(false, false, unit.damaged)).collect())
    }

    pub fn counter(&self, fates: &Fates, role: Role, at: usize) -> Counter<'_> {
        Counter { sheet: &self.roster[role][at].sheet, damaged: fates[role][at] == EndFate::InLineDamaged }
    }

    /// The attacks of both factions in a round, which follow from the position at its start.
    pub fn plans(&self, rules: &Rules, action: Action, fates: &Fates) -> ByRole<Vec<Order>> {
        let at = ByRole::new_with(|role| {
            let places = fates[role].iter().enumerate().filter(|(_, fate)| fate.in_line());
            places.map(|(at, _)| at).collect::<Vec<_>>()
        });
        let line =
            ByRole::new_with(|role| at[role].iter().map(|&at| self.counter(fates, role, at)).collect::<Vec<_>>());
        ByRole::new_with(|role| {
            let (own, enemy) = (&line[role], &line[role.other()]);
            let mut orders = self.doctrines[role].attacks(rules, Engagement::from(action), own, enemy);
            for order in &mut orders {
                order.attacker = at[role][usize::from(order.attacker)] as u8;
                order.target = at[role.other()][usize::from(order.target)] as u8;
            }
            orders
        })
    }

    /// After so many rounds: an empty line or the last round ends the battle; then the phasing faction decides first
    /// whether it retreats.
    pub fn after(&self, rules: &Rules, fought: usize, fates: &Fates) -> After {
        let in_line = fates.as_ref().map(|fates| fates.iter().filter(|fate| fate.in_line()).count());
        if in_line.phasing == 0 || in_line.non_phasing == 0 || fought >= usize::from(rules.battle.max_rounds) {
            return After::Resolution(None);
        }
        let retreats = |role: &Role| self.doctrines[*role].retreats(in_line[*role], in_line[role.other()]);
        match Role::BOTH.into_iter().find(retreats) {
            None => After::Round,
            retreated => After::Resolution(retreated),
        }
    }

    /// What a unit with this fate adds to the strength of its faction, and to the points of the enemy.
    pub fn worth(&self, role: Role, at: usize, fate: EndFate) -> (u32, u32) {
        let unit = &self.roster[role][at];
        let counter = Counter { sheet: &unit.sheet, damaged: fate == EndFate::InLineDamaged };
        let points = loss(&unit.sheet, unit.damaged, fate == EndFate::SunkDestroyed, fate.damaged());
        (if fate.in_line() { strength(counter) } else { 0 }, points)
    }
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct Round {
    /// its kind
    action: Action,
    /// whether dice decided
    rolled: bool,
    /// its attacks
    #[shape(items = 0..=120)]
    attacks: Vec<Made>,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct UnitResult {
    /// what became of it
    fate: EndFate,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Output {
    /// each round
    #[shape(items = 1..=2)]
    rounds: Vec<Round>,
    /// how many rounds
    #[shape(1..=2)]
    rounds_fought: u32,
    /// the faction that retreated
    retreated: Option<Role>,
    /// who holds the hex
    outcome: BattleOutcome,
    /// strength of the phasing faction
    #[shape(0..=9999)]
    phasing_strength: u32,
    /// strength of the other faction
    #[shape(0..=9999)]
    non_phasing_strength: u32,
    /// each unit
    #[shape(items = 0..=120)]
    units: BTreeMap<Id, UnitResult>,
    /// points of both factions from enemy losses
    #[shape(with = by_role(u32::shape().within(0..=9999)))]
    vp: ByRole<u32>,
}

impl Procedure for Battle {
    const NAME: &'static str = "battle";
    const HELP: &'static str = "A whole battle by standing orders, for analysis.";
    const DICE: &'static str = "each round the selection if the wishes differ, then the attacks as in combat-round";
    const RULES: &'static [Rule] = &[
        rule::SEQUENCE_1,
        rule::SEQUENCE_2,
        rule::SEQUENCE_3,
        rule::SEQUENCE_4,
        rule::SEQUENCE_5,
        rule::SEQUENCE_6,
        rule::POINTS,
    ];

    type Input = Input;
    type Facts = Facts;
    type Output = Output;

    fn read(&self, Input { all_sea, forces }: Input) -> Result<Facts, Refusal> {
        let nearest_air_base = forces.as_ref().map(|force| force.nearest_air_base);
        let ByRole { phasing, non_phasing } = forces;
        let roster = read_roster(phasing.units, non_phasing.units)?;
        let doctrines = ByRole { phasing: phasing.doctrine, non_phasing: non_phasing.doctrine };
        let mut reasons = Vec::new();
        for role in Role::BOTH {
            let priority = &doctrines[role].priority;
            for (at, id) in priority.iter().enumerate() {
                let mut refuse = |code, names: String| {
                    let message = format!("The priority list of the {role} faction names {names}.");
                    reasons.push(Refusal::new(code, message));
                };
                if roster[role.other()].iter().all(|unit| unit.sheet.id != *id) {
                    refuse("unknown-unit", format!("'{id}', which is not a unit of the enemy"));
                } else if priority[..at].contains(id) {
                    refuse("duplicate-unit", format!("'{id}' twice"));
                }
            }
        }
        Refusal::all(reasons)?;
        Ok(Facts { waters: Waters { all_sea, nearest_air_base }, roster, doctrines })
    }

    fn run(&self, facts: &Facts, ask: &mut impl Ask) -> Asked<Output> {
        let rules = &*self.0;
        let mut fates = facts.start();
        let mut rounds: Vec<Round> = Vec::new();
        let retreated = loop {
            let selection = facts.select(rules, rounds.len(), ask)?;
            let plans = facts.plans(rules, selection.action, &fates);
            let mut attacks = Vec::new();
            for role in Role::BOTH {
                for order in &plans[role] {
                    let (from, to) = (usize::from(order.attacker), usize::from(order.target));
                    let units = [facts.counter(&fates, role, from), facts.counter(&fates, role.other(), to)];
                    attacks.push(Made::make(rules, units, order.factor, 1, ask)?);
                }
            }
            for role in Role::BOTH {
                for at in (0..fates[role].len()).filter(|&at| fates[role][at].in_line()).collect::<Vec<_>>() {
                    let unit = facts.counter(&fates, role, at);
                    let Total { damage_points, disabled_results, .. } = Total::of(&attacks, unit.sheet.id);
                    fates[role][at] = apply(unit, Taken { damage_points, disabled: disabled_results > 0 }, ask).into();
                }
            }
            rounds.push(Round { action: selection.action, rolled: selection.totals.is_some(), attacks });
            if let After::Resolution(retreated) = facts.after(rules, rounds.len(), &fates) {
                break retreated;
            }
        };
        if let Some(role) = retreated {
            ask.note(|| {
                Note::new("retreat", format!("The {role} faction retreats with its whole line."))
                    .by(&[rule::SEQUENCE_5, rule::R_19])
            });
        }
        let worth = ByRole::new_with(|role| {
            let each = fates[role].iter().enumerate().map(|(at, &fate)| facts.worth(role, at, fate));
            each.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
        });
        let strengths = ByRole::new_with(|role| if retreated == Some(role) { 0 } else { worth[role].0 });
        let outcome = resolve(rules, strengths, ask);
        let vp = ByRole::new_with(|role| worth[role.other()].1);
        ask.note(|| {
            Note::new("points", format!("Points from losses: phasing {}, non-phasing {}.", vp.phasing, vp.non_phasing))
                .by(&[rule::POINTS, rule::C_15])
        });
        let units = Role::BOTH.into_iter().flat_map(|role| facts.roster[role].iter().zip(&fates[role]));
        Ok(Output {
            rounds_fought: rounds.len() as u32,
            rounds,
            retreated,
            outcome,
            phasing_strength: strengths.phasing,
            non_phasing_strength: strengths.non_phasing,
            units: units.map(|(unit, &fate)| (unit.sheet.id, UnitResult { fate })).collect(),
            vp,
        })
    }

    fn odds(&self, facts: &Facts, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Refusal> {
        or_by_name(battle_odds::odds(&self.0, facts, wanted, budget)?, self, facts, wanted, budget)
    }
}
