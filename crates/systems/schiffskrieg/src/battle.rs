//! A battle in play: steps 1 to 6 of the sequence.

use crate::attack::{self, Engagement, Order};
use crate::choices::{Declare, Retreat, StayOrGo, Wish};
use crate::day_night::{Action, Waters, select};
use crate::faction::{ByRole, Role};
use crate::resolution::{BattleOutcome, resolve, strength};
use crate::results::{Destination, Fate, Taken, fate, note_fate};
use crate::rule;
use crate::rules::Rules;
use crate::scenario::tell;
use crate::unit::{Counter, Sheet};
use flagplot_kernel::{Ask, Asked, BySide, Flow, Note, Side};
use flagplot_referee::words;
use serde::{Deserialize, Serialize};

#[words]
pub enum Place {
    Ready,
    NavalWarfareDelayBox,
    DelayBox,
    Removed,
    /// Not picked for a custom battle.
    Absent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct UnitState {
    pub damaged: bool,
    pub place: Place,
}

pub type Units = BySide<Vec<UnitState>>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fighter {
    pub unit: u8,
    pub damaged: bool,
    pub taken: Taken,
    /// Whether a Disabled result waits for the end of a Base Attack.
    pub noted: bool,
}

impl Fighter {
    /// The results of a round take effect; whether it stays in line.
    pub(crate) fn settle(&mut self, fate: Fate, units: &mut [UnitState]) -> bool {
        self.damaged = fate.damaged;
        self.taken = Taken::default();
        let place = match fate.destination {
            Destination::LineOfBattle => Place::Ready,
            Destination::NavalWarfareDelayBox => Place::NavalWarfareDelayBox,
            Destination::DelayBox => Place::DelayBox,
            Destination::RemovedFromPlay => Place::Removed,
        };
        units[usize::from(self.unit)] = UnitState { damaged: fate.damaged, place };
        place == Place::Ready
    }
}

/// What stays the same while a fight goes on.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    pub rules: &'a Rules,
    pub sheets: &'a BySide<Vec<Sheet>>,
    pub names: &'a BySide<String>,
    /// Who was damaged before the first shot of the game, which no enemy scores for.
    pub started_damaged: &'a BySide<Vec<bool>>,
    pub waters: Waters,
    pub fixed_actions: [Option<Action>; 2],
    /// What holding the hex is worth, for the players' judgement.
    pub hold_vp: i64,
    /// What holding the hex scores at once; nothing in a campaign, where control scores by the turn.
    pub hold_scores: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    Selection,
    Declaration(Role),
    Attacks(Role),
    Results,
    Retreat(Role),
    Resolution,
    Over,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Battle {
    pub phasing: Side,
    pub round: u8,
    pub action: Option<Action>,
    pub phase: Phase,
    pub line: BySide<Vec<Fighter>>,
    pub orders: Vec<Order>,
    pub retreated: Option<Role>,
    pub outcome: Option<BattleOutcome>,
}

impl Battle {
    pub fn new(phasing: Side, units: &Units, present: &BySide<Vec<usize>>) -> Self {
        Self {
            phasing,
            round: 1,
            action: None,
            phase: Phase::Selection,
            line: muster(units, present),
            orders: Vec::new(),
            retreated: None,
            outcome: None,
        }
    }

    #[inline]
    pub fn counter<'a>(&self, ground: &Ground<'a>, side: Side, at: usize) -> Counter<'a> {
        counter(ground.sheets, side, &self.line[side][at])
    }

    /// The engagement of the present round; a Day Action while it is not known.
    pub fn engagement(&self) -> Engagement {
        self.action.map_or(Engagement::Day, Engagement::from)
    }

    pub fn declare<'a>(&'a self, ground: &'a Ground<'a>, role: Role, action: Action) -> Declare<'a> {
        Declare::new(ground, &self.line, role.side(self.phasing), Engagement::from(action), self.round)
    }

    /// Strength of a faction: 0 once it has retreated.
    pub fn strength(&self, ground: &Ground<'_>, role: Role) -> u32 {
        if self.retreated == Some(role) {
            return 0;
        }
        let side = role.side(self.phasing);
        (0..self.line[side].len()).map(|at| self.counter(ground, side, at)).map(|counter| strength(counter)).sum()
    }

    fn name<'a>(&self, ground: &Ground<'a>, role: Role) -> &'a str {
        &ground.names[role.side(self.phasing)]
    }

    pub fn step(&mut self, ground: &Ground<'_>, units: &mut Units, ask: &mut impl Ask) -> Asked<Flow> {
        match self.phase {
            Phase::Selection => self.selection(ground, ask)?,
            Phase::Declaration(role) => self.declaration(ground, role, ask)?,
            Phase::Attacks(role) => self.attack(ground, role, ask)?,
            Phase::Results => self.results(ground, units, ask),
            Phase::Retreat(role) => self.retreat(ground, role, ask)?,
            Phase::Resolution => {
                self.outcome = Some(resolve(ground.rules, ByRole::new_with(|role| self.strength(ground, role)), ask));
                self.phase = Phase::Over;
            }
            Phase::Over => {}
        }
        Ok(if self.phase == Phase::Over { Flow::Done } else { Flow::Continue })
    }

    /// Step 1: the kind of the round. [sequence-1]
    fn selection(&mut self, ground: &Ground<'_>, ask: &mut impl Ask) -> Asked<()> {
        let round = self.round;
        let action = match ground.fixed_actions[usize::from(round - 1)] {
            Some(action) => {
                tell(ask, "day-night", &[rule::SEQUENCE_1, rule::STAGES], || {
                    format!("Combat Round {round}: a {} Action, as the scenario says.", action.title())
                });
                action
            }
            None => {
                let cited = [rule::SEQUENCE_1, rule::R_6];
                tell(ask, "round", &cited, || format!("Combat Round {round} begins."));
                let wishes = ask.in_secret(&Role::BOTH.map(|role| Wish { ground, battle: self, role }))?;
                let wishes = ByRole { phasing: wishes[0], non_phasing: wishes[1] };
                select(ground.rules, &ground.waters, wishes, ask)?.action
            }
        };
        self.action = Some(action);
        self.phase = Phase::Declaration(Role::Phasing);
        Ok(())
    }

    /// Steps 2 and 3: a faction names all its attacks. [sequence-2, sequence-3, R-10]
    fn declaration(&mut self, ground: &Ground<'_>, role: Role, ask: &mut impl Ask) -> Asked<()> {
        let declare = Declare::new(ground, &self.line, role.side(self.phasing), self.engagement(), self.round);
        let orders = if declare.possible() { declare.orders(ask.decide(&declare)?) } else { Vec::new() };
        let name = self.name(ground, role);
        let cited = if role == Role::Phasing { rule::SEQUENCE_2 } else { rule::SEQUENCE_3 };
        if orders.is_empty() {
            tell(ask, "declaration", &[cited, rule::R_23], || format!("{name}: no attack declared."));
            self.phase = after(role);
            return Ok(());
        }
        tell(ask, "declaration", &[cited, rule::R_10, rule::C_5], || names_attacks(name, orders.len()));
        self.orders = orders;
        self.phase = Phase::Attacks(role);
        Ok(())
    }

    fn attack(&mut self, ground: &Ground<'_>, role: Role, ask: &mut impl Ask) -> Asked<()> {
        let side = role.side(self.phasing);
        let order = self.orders[0];
        roll_order(ground, &mut self.line, side, order, 1, ask)?;
        self.orders.remove(0);
        if self.orders.is_empty() {
            self.phase = after(role);
        }
        Ok(())
    }

    /// Step 4: everything takes effect at once. [sequence-4]
    fn results(&mut self, ground: &Ground<'_>, units: &mut Units, ask: &mut impl Ask) {
        let round = self.round;
        tell(ask, "results", &[rule::SEQUENCE_4], || format!("The results of Combat Round {round} take effect."));
        settle_all(ground, &mut self.line, self.phasing, units, |fighter| fighter.taken, ask);
        let last = self.round == ground.rules.battle.max_rounds;
        let empty = Side::BOTH.into_iter().any(|side| self.line[side].is_empty());
        if empty {
            tell(ask, "round", &[rule::R_18], || "A line is empty: there is no further round.".into());
        } else if last {
            ask.note(|| Note::new("round", "The last Combat Round has been fought.").by(&[rule::R_20]).detail());
        }
        self.phase = if empty || last { Phase::Resolution } else { Phase::Retreat(Role::Phasing) };
    }

    /// Step 5: the phasing faction decides first; one that goes, goes as a whole. [sequence-5, R-19]
    fn retreat(&mut self, ground: &Ground<'_>, role: Role, ask: &mut impl Ask) -> Asked<()> {
        let stay_or_go = ask.decide(&Retreat { ground, battle: self, role })?;
        let name = self.name(ground, role);
        if stay_or_go == StayOrGo::Retreat {
            let cited = [rule::SEQUENCE_5, rule::R_19];
            tell(ask, "retreat", &cited, || format!("The whole line of {name} retreats."));
            self.retreated = Some(role);
            self.phase = Phase::Resolution;
            return Ok(());
        }
        tell(ask, "retreat", &[rule::SEQUENCE_5], || format!("The line of {name} stays."));
        self.phase = match role {
            Role::Phasing => Phase::Retreat(Role::NonPhasing),
            Role::NonPhasing => {
                self.round += 1;
                self.action = None;
                Phase::Selection
            }
        };
        Ok(())
    }
}

/// All results take effect: first the proof of those who took none, then the losses of the side that was attacked
/// first.
pub(crate) fn settle_all(
    ground: &Ground<'_>,
    line: &mut BySide<Vec<Fighter>>,
    first_to_attack: Side,
    units: &mut Units,
    taken: impl Fn(&Fighter) -> Taken,
    ask: &mut impl Ask,
) {
    let sides = [first_to_attack.other(), first_to_attack];
    if ask.listening() {
        for side in sides {
            for fighter in line[side].iter().filter(|fighter| taken(fighter) == Taken::default()) {
                note_fate(counter(ground.sheets, side, fighter), Taken::default(), ask);
            }
        }
    }
    for side in sides {
        line[side].retain_mut(|fighter| {
            let (unit, taken) = (counter(ground.sheets, side, fighter), taken(fighter));
            if taken != Taken::default() {
                note_fate(unit, taken, ask);
            }
            fighter.settle(fate(unit, taken), &mut units[side])
        });
    }
}

/// "Japan: 1 attack declared."
pub(crate) fn names_attacks(name: &str, many: usize) -> String {
    format!("{name}: {many} {} declared.", if many == 1 { "attack" } else { "attacks" })
}

fn after(role: Role) -> Phase {
    match role {
        Role::Phasing => Phase::Declaration(Role::NonPhasing),
        Role::NonPhasing => Phase::Results,
    }
}

#[inline]
pub fn counter<'a>(sheets: &'a BySide<Vec<Sheet>>, side: Side, fighter: &Fighter) -> Counter<'a> {
    Counter { sheet: &sheets[side][usize::from(fighter.unit)], damaged: fighter.damaged }
}

pub fn muster(units: &Units, present: &BySide<Vec<usize>>) -> BySide<Vec<Fighter>> {
    BySide::new_with(|side| {
        let mut line = Vec::with_capacity(present[side].len());
        for &at in &present[side] {
            let UnitState { damaged, place } = units[side][at];
            if place == Place::Ready {
                line.push(Fighter { unit: at as u8, damaged, taken: Taken::default(), noted: false });
            }
        }
        line
    })
}

/// Rolls an attack; what it does is added to what the target has taken.
#[inline]
pub fn roll_order(
    ground: &Ground<'_>,
    line: &mut BySide<Vec<Fighter>>,
    side: Side,
    order: Order,
    multiplier: u32,
    ask: &mut impl Ask,
) -> Asked<()> {
    let fighter = &line[side][usize::from(order.attacker)];
    let attacker = counter(ground.sheets, side, fighter);
    let was_hit = fighter.taken != Taken::default();
    let target = &mut line[side.other()][usize::from(order.target)];
    let aim = counter(ground.sheets, side.other(), target);
    let (_, got) = attack::resolve(ground.rules, attacker, order.factor, aim, multiplier, ask)?;
    target.taken = target.taken.and(attack::taken(&got));
    if was_hit {
        ask.note(|| {
            let text = format!("{} has been hit in this round, and attacks all the same.", attacker.sheet.name);
            Note::new("still-attacks", text).by(&[rule::R_11]).detail()
        });
    }
    Ok(())
}
