//! Attacks: declared, supported, intercepted. [4.2, steps 3a to 3d]

use super::GroundGame;
use super::choices::{AirWish, GoOrLeave, Order, Orders, Spread, SpreadFor};
use super::map::{HexAt, UnitAt};
use super::set::Set;
use super::state::{AirCombat, AirStage, Attack, Combat, GroundState, Phase};
use crate::air::{self, AirGroup, AirRole, AirSetting, AirUnit};
use crate::game::victory::SIDES;
use crate::ground::{Strengths, column};
use crate::messages::{counted, ensure};
use crate::nation::Nation;
use crate::rule;
use flagplot_kernel::{Ask, Asked, Note, Refusal, Side};

/// Rounds after which combat over defensive air support ends. [C-21]
pub(crate) const AIR_ROUNDS: u8 = 6;

/// How often an attack may be taken back in one combat phase, so that every game ends.
pub(crate) const MOST_TAKEN_BACK: u8 = 20;

impl GroundGame {
    /// Whether a unit may attack at all in this combat phase, and if not, why. [4.2]
    pub(crate) fn may_attack(&self, state: &GroundState, unit: UnitAt) -> Result<(), &'static str> {
        let now = state.unit(unit);
        let declared = || state.attacks.iter().any(|attack| attack.units.contains(unit));
        match () {
            () if now.hex.is_none() => Err("has been eliminated"),
            () if now.isolated() => Err("is isolated"),
            () if now.attacked => Err("has attacked"),
            () if state.combat == Combat::Exploitation && !now.exploiting => Err("has not exploited a breakthrough"),
            () if declared() => Err("attacks already"),
            () => Ok(()),
        }
    }

    /// The units that can attack a hex now.
    pub(crate) fn ready_against(&self, state: &GroundState, target: HexAt) -> Set {
        let near = self.map.links(target);
        let army = self.army(state, state.active).filter(|(_, _, hex)| near.contains(*hex));
        army.map(|(unit, ..)| unit).filter(|unit| self.may_attack(state, *unit).is_ok()).collect()
    }

    /// Enemy hexes that some unit can attack and that are not attacked yet.
    pub(crate) fn attackable(&self, state: &GroundState) -> Set {
        let ready = self.army(state, state.active).filter(|(unit, ..)| self.may_attack(state, *unit).is_ok());
        let near = ready.fold(Set::default(), |near, (_, _, hex)| near.or(self.map.links(hex)));
        near.and(&self.occupied(state, state.active.other())).without(&state.attacked)
    }

    /// The most air factors that may support so many ground factors. [C-6]
    pub(crate) fn support_limit(&self, factors: u32) -> u32 {
        let air = &self.rules.units.air;
        factors * air.support_limit_multiple / air.support_per_air_factor.max(1)
    }

    pub(crate) fn strengths(&self, state: &GroundState, attack: &Attack) -> Strengths {
        self.forces(state, attack).strengths()
    }

    /// Whether any attack can be declared.
    pub(crate) fn can_attack(&self, state: &GroundState) -> bool {
        self.attackable(state).iter().any(|target| self.strongest(state, target).ratio().column().is_some())
    }

    /// The strengths if all that can attack a hex did so, with as much air support as may be sent.
    pub(crate) fn strongest(&self, state: &GroundState, target: HexAt) -> Strengths {
        let units = self.ready_against(state, target);
        let most = self.support_limit(self.factors(units.iter())).min(u32::from(state.air[state.active].ready));
        self.strengths(state, &Attack { target, units, support: most as u8, das: 0, interceptors: 0 })
    }

    /// Whether an attack may be declared. [4.3]
    pub(crate) fn check_attack(&self, state: &GroundState, attack: &Attack) -> Result<(), Refusal> {
        let Attack { target, units, support, .. } = *attack;
        let hex = self.map.name(target);
        ensure(!state.attacked.contains(target), || {
            Refusal::new("already-attacked", format!("{hex} is attacked already in this phase."))
                .by(rule::GROUND_TURN)
                .remedy("Take that attack back first, or attack another hex.")
        })?;
        ensure(self.stack(state, target).any(|unit| self.info(unit).side != state.active), || {
            Refusal::new("cannot-attack", format!("No enemy unit stands in {hex}."))
                .by(rule::GROUND_TURN)
                .remedy("Attack a hex that holds enemy units.")
        })?;
        ensure(!units.is_empty(), || {
            Refusal::new("cannot-attack", "An attack needs at least one ground unit.")
                .by(rule::GROUND_TURN)
                .remedy("Choose the units that attack.")
        })?;
        for unit in units.iter() {
            let near = state.unit(unit).hex.is_some_and(|from| self.map.links(from).contains(target));
            let why = self.may_attack(state, unit).and(if near { Ok(()) } else { Err("is not adjacent") });
            if let Err(why) = why {
                return Err(Refusal::new("cannot-attack", format!("{} {why}.", self.info(unit).name))
                    .by(rule::GROUND_TURN)
                    .remedy("Leave it out."));
            }
        }
        self.check_air(state, state.active, u32::from(support), self.factors(units.iter()))?;
        column(self.strengths(state, attack)).map(|_| ())
    }

    /// Whether a side may send so many factors to support so many ground factors. [C-6]
    fn check_air(&self, state: &GroundState, side: Side, air: u32, ground: u32) -> Result<(), Refusal> {
        let (limit, ready) = (self.support_limit(ground), u32::from(state.air[side].ready));
        ensure(air <= limit, || {
            let times = self.rules.units.air.support_limit_multiple;
            let message = format!("At most {times} times the ground factors: {}.", counted(limit, "air factor"));
            Refusal::new("too-much-support", message).by(rule::C_6).remedy("Send fewer air factors.")
        })?;
        ensure(air <= ready, || {
            let message = format!("You have {} ready.", counted(ready, "air factor"));
            Refusal::new("not-enough-air", message).by(rule::C_6).remedy("Send fewer air factors.")
        })
    }

    pub(crate) fn declare(&self, state: &mut GroundState, attack: Attack) {
        state.air[state.active].ready -= attack.support;
        state.attacked.insert(attack.target);
        let at = state.attacks.iter().position(|other| other.target > attack.target).unwrap_or(state.attacks.len());
        state.attacks.insert(at, attack);
    }

    pub(crate) fn take_back(&self, state: &mut GroundState, target: HexAt) {
        if let Some(at) = state.attacks.iter().position(|attack| attack.target == target) {
            let attack = state.attacks.remove(at);
            state.air[state.active].ready += attack.support;
            state.attacked.remove(target);
            state.taken_back += 1;
        }
    }

    /// Step 3a: one attack, one attack taken back, or the end of it. [C-33]
    pub(super) fn declare_step(&self, state: &mut GroundState, ask: &mut impl Ask) -> Asked<()> {
        if state.attacks.is_empty() && !self.can_attack(state) {
            state.phase = self.after_combat(state);
            return Ok(());
        }
        match ask.decide(&Orders { game: self, state })? {
            Order::Attack { target, units, support } => {
                let Some(target) = self.map.place(target) else { return Ok(()) };
                let units = units.iter().filter_map(|id| self.find(id)).collect();
                let attack = Attack { target, units, support, das: 0, interceptors: 0 };
                self.declare(state, attack);
                ask.note(|| {
                    let Strengths { attack: att, defense } = self.strengths(state, &attack);
                    let (names, hex) = (self.attackers_named(&attack), self.map.name(target));
                    let ratio = Strengths { attack: att, defense }.ratio();
                    let text = format!("{hex} will be attacked by {names}: {att} against {defense}, {ratio}.");
                    Note::new("declare", text)
                        .by(&[rule::GROUND_TURN, rule::C_5, rule::C_6])
                        .pieces([self.map.id(target).key()])
                });
            }
            Order::TakeBack { target } => {
                let Some(target) = self.map.place(target) else { return Ok(()) };
                self.take_back(state, target);
                ask.note(|| {
                    let text = format!("The attack on {} is taken back.", self.map.name(target));
                    Note::new("take-back", text).by(&[rule::C_33])
                });
            }
            _ => {
                state.phase = match () {
                    () if state.attacks.is_empty() => self.after_combat(state),
                    () if state.air[state.active.other()].ready > 0 => Phase::Das,
                    () => Phase::Resolve,
                }
            }
        }
        Ok(())
    }

    /// The hexes air factors may be spread over, each with its limit: attacked hexes for DAS, those with DAS for
    /// interceptors.
    pub(crate) fn spread_limits(&self, state: &GroundState, what: SpreadFor) -> Vec<(HexAt, u32)> {
        let all = state.attacks.iter();
        match what {
            SpreadFor::Das => all
                .map(|attack| {
                    let limit = self.support_limit(self.factors(self.stack(state, attack.target)));
                    (attack.target, limit.min(u32::from(state.air[state.active.other()].ready)))
                })
                .collect(),
            SpreadFor::Intercept => {
                let ready = u32::from(state.air[state.active].ready);
                all.filter(|attack| attack.das > 0).map(|attack| (attack.target, ready)).collect()
            }
        }
    }

    pub(crate) fn check_spread(&self, state: &GroundState, what: SpreadFor, spread: &Spread) -> Result<(), Refusal> {
        let side = what.side(state);
        let limits = self.spread_limits(state, what);
        let mut sum = 0u32;
        for (id, factors) in spread {
            let hex = self.map.place(*id);
            let Some(limit) = limits.iter().find(|(at, _)| Some(*at) == hex) else {
                let message = match what {
                    SpreadFor::Das => format!("{id} is not attacked."),
                    SpreadFor::Intercept => format!("There is no defensive air support over {id}."),
                };
                return Err(Refusal::new("unknown-hex", message).by(rule::GROUND_TURN).remedy("Choose a listed hex."));
            };
            let ground = match what {
                SpreadFor::Das => self.factors(self.stack(state, limit.0)),
                SpreadFor::Intercept => u32::MAX / 100,
            };
            self.check_air(state, side, u32::from(*factors), ground)?;
            sum += u32::from(*factors);
        }
        self.check_air(state, side, sum, u32::MAX / 100)
    }

    /// Steps 3b and 3c: defensive air support, and interceptors against it.
    pub(super) fn spread_step(&self, state: &mut GroundState, what: SpreadFor, ask: &mut impl Ask) -> Asked<()> {
        let spread = ask.decide(&AirWish { game: self, state, what })?;
        let side = what.side(state);
        for (id, factors) in spread.iter().filter(|(_, factors)| **factors > 0) {
            let Some(hex) = self.map.place(*id) else { continue };
            let Some(attack) = state.attacks.iter_mut().find(|attack| attack.target == hex) else { continue };
            match what {
                SpreadFor::Das => attack.das = *factors,
                SpreadFor::Intercept => attack.interceptors = *factors,
            }
            state.air[side].ready -= factors;
            ask.note(|| {
                let (factors, hex) = (counted(u32::from(*factors), "air factor"), self.map.name(hex));
                let text = match what {
                    SpreadFor::Das => format!("{}: {factors} in defensive air support over {hex}.", SIDES[side]),
                    SpreadFor::Intercept => format!("{}: {factors} intercept over {hex}.", SIDES[side]),
                };
                Note::new("air-support", text).by(&[rule::GROUND_TURN, rule::C_6]).pieces([id.key()])
            });
        }
        let das = state.attacks.iter().any(|attack| attack.das > 0);
        state.phase = match what {
            SpreadFor::Das if das && state.air[state.active].ready > 0 => Phase::Intercept,
            _ => self.next_air_combat(state),
        };
        Ok(())
    }

    /// The next hex over which interceptors meet defensive air support, in the order of hex ids.
    fn next_air_combat(&self, state: &GroundState) -> Phase {
        let meet = state.attacks.iter().find(|attack| attack.das > 0 && attack.interceptors > 0);
        meet.map_or(Phase::Resolve, |attack| {
            Phase::AirCombat(AirCombat { target: attack.target, rounds: 0, next: AirStage::Round })
        })
    }

    pub(crate) fn air_nation(&self, side: Side) -> Nation {
        let air = &self.scenario.air;
        let nation = if side == Side::First { air.axis_nation } else { air.allies_nation };
        nation.unwrap_or(Nation::Germany)
    }

    pub(crate) fn air_setting() -> AirSetting {
        AirSetting { unit: AirUnit::Factors, role: AirRole::Interception, radar_results: 0 }
    }

    /// Step 3d: a round of air combat, or a side's decision after it. [19.2, C-2, C-21]
    pub(super) fn air_combat_step(&self, state: &mut GroundState, now: AirCombat, ask: &mut impl Ask) -> Asked<()> {
        let active = state.active;
        let Some(at) = state.attacks.iter().position(|attack| attack.target == now.target) else {
            state.phase = Phase::Resolve;
            return Ok(());
        };
        if now.next != AirStage::Round {
            let side = if now.next == AirStage::Interceptors { active } else { active.other() };
            let wish = ask.decide(&GoOrLeave { game: self, state, side })?;
            ask.note(|| {
                let what = if wish == super::choices::OnOrAway::Continue { "fights on" } else { "withdraws" };
                let text = format!("Over {}: the {} air force {what}.", self.map.name(now.target), adjective(side));
                Note::new("air-decision", text).by(&[rule::C_21])
            });
            let attack = &mut state.attacks[at];
            match (wish, now.next) {
                (super::choices::OnOrAway::Continue, AirStage::Interceptors) => {
                    state.phase = Phase::AirCombat(AirCombat { next: AirStage::Das, ..now });
                }
                (super::choices::OnOrAway::Continue, _) => {
                    state.phase = Phase::AirCombat(AirCombat { next: AirStage::Round, ..now });
                }
                (super::choices::OnOrAway::Withdraw, stage) => {
                    if stage == AirStage::Das {
                        state.air[active.other()].spent += attack.das;
                        attack.das = 0;
                    }
                    self.end_air_combat(state, at);
                }
            }
            return Ok(());
        }
        let attack = state.attacks[at];
        let mut interceptors = [AirGroup::new(self.air_nation(active), u32::from(attack.interceptors))];
        let mut das = [AirGroup::new(self.air_nation(active.other()), u32::from(attack.das))];
        ask.note(|| {
            let text = format!(
                "Air combat over {}, round {}: {} interceptors against {} in defensive air support.",
                self.map.name(now.target),
                now.rounds + 1,
                attack.interceptors,
                attack.das
            );
            Note::new("air-combat-over-hex", text).by(&[rule::C_2, rule::C_21])
        });
        let round = air::round(&self.rules, &mut interceptors, &mut das, Self::air_setting(), ask)?;
        for (side, losses) in [(active, &round.attacker_losses), (active.other(), &round.defender_losses)] {
            state.air[side].eliminated += losses.eliminated as u8;
            state.air[side].spent += losses.aborted as u8;
        }
        let attack = &mut state.attacks[at];
        attack.interceptors = round.attacker_losses.remaining as u8;
        attack.das = round.defender_losses.remaining as u8;
        let rounds = now.rounds + 1;
        if attack.interceptors == 0 || attack.das == 0 || rounds >= AIR_ROUNDS {
            self.end_air_combat(state, at);
        } else {
            state.phase = Phase::AirCombat(AirCombat { rounds, next: AirStage::Interceptors, ..now });
        }
        Ok(())
    }

    /// The interceptors go home; what is left of the defensive air support stays.
    fn end_air_combat(&self, state: &mut GroundState, at: usize) {
        let attack = &mut state.attacks[at];
        state.air[state.active].spent += attack.interceptors;
        attack.interceptors = 0;
        state.phase = self.next_air_combat(state);
    }

    /// The units of an attack and its air factors, by name.
    pub(crate) fn attackers_named(&self, attack: &Attack) -> String {
        let air = (attack.support > 0).then(|| counted(u32::from(attack.support), "air factor"));
        listed(attack.units.iter().map(|unit| self.info(unit).name.as_str()).chain(air.as_deref()))
    }

    /// Units in a list, by name.
    pub(crate) fn names(&self, units: impl IntoIterator<Item = UnitAt>) -> String {
        listed(units.into_iter().map(|unit| self.info(unit).name.as_str()))
    }
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    match names.split_last() {
        None => "nothing".into(),
        Some((last, [])) => (*last).into(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

pub(crate) fn adjective(side: Side) -> &'static str {
    match side {
        Side::First => "Axis",
        Side::Second => "Allied",
    }
}
