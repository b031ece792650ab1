//! Air battles: several days over a set of targets, each with two sealed plans. [5.1, 5.2, C-17]

mod choices;
mod day;
mod explain;
mod forecast;
mod luck;
mod plans;
mod scene;
mod screens;
mod spread;
mod state;
mod thinking;

pub use state::{AirState, ByRole, Loss, Phase, Raid, Role, Wing};

use super::victory::Limits;
use crate::Rules;
use crate::air::{AirGroup, AirRole, AirSetting, AirUnit};
use crate::nation::Supply;
use crate::scenarios::{AirScenario, AirScenarioGroup, BombingTarget, Mission};
use flagplot_kernel::{
    Answer, Ask, Asked, BySide, Chance, Game, Insight, Luck, Outcome, Scene, SeatInfo, SeatQuestion, Side, Standing,
    Viewer,
};
use forecast::Kinds;
pub(crate) use forecast::{KINDS, MOST_FACTORS};
use plans::Memory;
use serde_json::{Value, json};
use std::sync::Arc;

/// The defender's slot for factors in reserve, in the keys of a plan. No target is called so.
pub(crate) const RESERVE: &str = "reserve";
/// The answer that keeps the reserve at home. No target is called so.
pub(crate) const HOME: &str = "home";

pub(crate) struct Group {
    pub id: String,
    pub name: String,
    /// The group as the charts see it, without factors.
    pub unit: AirGroup,
}

impl Group {
    fn new(group: &AirScenarioGroup) -> Self {
        let unit = AirGroup {
            nation: group.nation,
            count: 0,
            kind: group.kind,
            elite: false,
            winter_effect: 0,
            supply: Supply::default(),
        };
        Self { id: group.id.clone(), name: group.title(), unit }
    }
}

pub struct AirGame {
    pub rules: Arc<Rules>,
    pub scenario: AirScenario,
    pub(crate) groups: ByRole<Vec<Group>>,
    /// The names of the numbers of a plan: by group, then by slot.
    keys: ByRole<Vec<String>>,
    ids: ByRole<Vec<String>>,
    limits: Limits,
    kinds: Kinds,
    memory: Memory,
}

impl AirGame {
    pub(crate) fn new(rules: Arc<Rules>, scenario: AirScenario) -> Self {
        let groups = ByRole {
            attacker: scenario.attacker_groups.iter().map(Group::new).collect::<Vec<_>>(),
            defender: scenario.defender_groups.iter().map(Group::new).collect(),
        };
        let keys = ByRole::new_with(|role| {
            let reserve = (role == Role::Defender).then_some(RESERVE);
            let slots: Vec<&str> = scenario.targets.iter().map(|target| target.id.as_str()).chain(reserve).collect();
            groups[role].iter().flat_map(|group| slots.iter().map(|slot| key(&group.id, slot))).collect()
        });
        let ids = ByRole::new_with(|role| groups[role].iter().map(|group| group.id.clone()).collect());
        let limits = Limits {
            attacker: scenario.attacker.side(),
            attacker_wins_at_least: scenario.victory.attacker_wins_at_least,
            defender_wins_at_most: scenario.victory.defender_wins_at_most,
        };
        let kinds = Kinds::new(&rules, &scenario, &groups);
        Self { rules, scenario, groups, keys, ids, limits, kinds, memory: Memory::default() }
    }

    pub(crate) fn side(&self, role: Role) -> Side {
        match role {
            Role::Attacker => self.limits.attacker,
            Role::Defender => self.limits.attacker.other(),
        }
    }

    pub(crate) fn role(&self, side: Side) -> Role {
        if side == self.limits.attacker { Role::Attacker } else { Role::Defender }
    }

    pub(crate) fn targets(&self) -> &[BombingTarget] {
        &self.scenario.targets
    }

    pub(crate) fn target(&self, at: u8) -> &BombingTarget {
        &self.scenario.targets[usize::from(at)]
    }

    /// The slots of a plan for each group: the targets, and for the defender the reserve.
    pub(crate) fn slots(&self, role: Role) -> usize {
        self.targets().len() + usize::from(role == Role::Defender)
    }

    /// The most factors the defender may hold in reserve. [C-22]
    pub(crate) fn most_in_reserve(&self, state: &AirState) -> u32 {
        state.wings.defender.strength() / 3
    }

    /// Factors of a group over a target.
    pub(crate) fn over(&self, state: &AirState, role: Role, group: usize, target: u8) -> u16 {
        let at = group * self.targets().len() + usize::from(target);
        state.wings[role].over.get(at).copied().unwrap_or(0)
    }

    /// Factors of a side over a target.
    pub(crate) fn present(&self, state: &AirState, role: Role, target: u8) -> u32 {
        (0..self.groups[role].len()).map(|group| u32::from(self.over(state, role, group, target))).sum()
    }

    /// A side over a target, as the charts see it.
    pub(crate) fn force(&self, state: &AirState, role: Role, target: u8) -> Vec<AirGroup> {
        let groups = self.groups[role].iter().enumerate();
        groups.map(|(at, group)| AirGroup { count: self.over(state, role, at, target).into(), ..group.unit }).collect()
    }

    /// The factors of a plan in a slot.
    pub(crate) fn planned(&self, state: &AirState, role: Role, slot: usize) -> u32 {
        let slots = self.slots(role);
        state.wings[role].plan.iter().skip(slot).step_by(slots).map(|&factors| u32::from(factors)).sum()
    }

    /// The points of both sides. [5.2]
    pub(crate) fn points(&self, state: &AirState) -> BySide<i64> {
        let victory = &self.scenario.victory;
        let attacker = state.bombing + victory.attacker_per_enemy_factor_eliminated * state.wings.defender.lost();
        let defender = victory.defender_per_enemy_factor_eliminated * state.wings.attacker.lost();
        BySide::new_with(|side| if side == self.limits.attacker { attacker } else { defender })
    }

    pub(crate) fn score(&self, state: &AirState) -> i64 {
        self.limits.score(self.points(state))
    }

    pub(crate) fn days_left(&self, state: &AirState) -> u32 {
        self.scenario.days.saturating_sub(u32::from(state.day))
    }
}

/// What the defender flies for, and what helps. [5.2]
fn setting(scenario: &AirScenario) -> AirSetting {
    let (role, radar_results) = match scenario.mission {
        Mission::Counterair => (AirRole::Interception, 0),
        Mission::StrategicBombing => (AirRole::StrategicBombingDefense, scenario.radar_results),
    };
    AirSetting { unit: AirUnit::Factors, role, radar_results }
}

/// The name of a number of a plan.
fn key(group: &str, slot: &str) -> String {
    format!("{group}:{slot}")
}

impl Game for AirGame {
    type State = AirState;
    type View = AirState;

    fn seats(&self) -> Vec<SeatInfo> {
        super::seats()
    }

    fn aims(&self) -> BySide<String> {
        self.limits.aims("Bombs on targets and enemy air factors shot down")
    }

    fn setup(&self) -> AirState {
        let wing = |groups: &[AirScenarioGroup]| Wing {
            ready: groups.iter().map(|group| group.count as u16).collect(),
            eliminated: vec![0; groups.len()],
            plan: Vec::new(),
            over: Vec::new(),
        };
        let wings =
            ByRole { attacker: wing(&self.scenario.attacker_groups), defender: wing(&self.scenario.defender_groups) };
        AirState {
            day: 1,
            phase: Phase::Dawn,
            wings,
            reserve_to: None,
            raids: vec![Raid::default(); self.targets().len()],
            due: ByRole::default(),
            bombing: 0,
        }
    }

    fn step(&self, state: &mut AirState, ask: &mut impl Ask) -> Asked<()> {
        self.proceed(state, ask)
    }

    fn outcome(&self, state: &AirState) -> Option<Outcome> {
        (state.phase == Phase::Over).then(|| {
            let lost = |role: Role| state.wings[role].lost();
            let details = json!({
                "days": state.day,
                "bombing": state.bombing,
                "attacker_eliminated": lost(Role::Attacker),
                "defender_eliminated": lost(Role::Defender),
            });
            self.limits.outcome(self.points(state), details)
        })
    }

    fn view(&self, state: &AirState, _: Viewer) -> AirState {
        state.clone()
    }

    fn open(&self) -> bool {
        true
    }

    fn scene(&self, state: &AirState) -> Scene {
        self.draw(state)
    }

    fn imagine(&self, state: &AirState, _: &mut Chance) -> AirState {
        state.clone()
    }

    fn evaluate(&self, state: &AirState, side: Side) -> Standing {
        self.standing(state, side)
    }

    fn explain(&self, state: &AirState, _: &[Answer], question: &SeatQuestion, value: Option<&Value>) -> Vec<Insight> {
        self.insights(state, question, value)
    }

    fn luck(&self, before: &AirState, after: &AirState) -> [Luck; 2] {
        self.luck_of(before, after)
    }

    /// A day is judged when it is over.
    fn settled(&self, state: &AirState) -> bool {
        matches!(state.phase, Phase::Dawn | Phase::Plans | Phase::Over)
    }

    fn horizon(&self) -> u32 {
        1
    }

    fn step_limit(&self) -> u32 {
        // A round: its dice, four loss questions, two decisions to stay; then the guns with two loss questions.
        let target = 7 * self.scenario.rounds + 3;
        self.scenario.days * (3 + target * self.targets().len() as u32) + 1
    }
}
