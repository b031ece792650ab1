use super::combat::{Policy, project};
use super::*;
use crate::combat::Line;
use crate::fight::pair_off;
use crate::rule;
use crate::words::{Role, Stance};
use flagplot_kernel::{Ask, Asked, Flow, Note, Process, Unanswered};
use flagplot_odds::{Budget, Dist, Exact, distribution};
use flagplot_referee::{About, FieldOdds, Halt, OldProcedure, bool, map};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;

/// A whole dogfight with everything decided beforehand.
pub struct Dogfight(pub Arc<Book>);

/// A defending squadron.
#[derive(Clone, Debug, Deserialize)]
pub struct Defender {
    /// Its name.
    pub id: String,
    /// What it is.
    pub kind: Role,
    /// Aircraft.
    pub strength: u8,
    /// Its range die.
    pub rl: u8,
}

/// Something for each side.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Both<T> {
    /// The attackers'.
    pub attacker: Option<T>,
    /// The defenders'.
    pub defender: Option<T>,
}

/// Something for each step with combats.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Steps<T> {
    /// Attackers against fighters.
    pub step_1: Option<Both<T>>,
    /// Fighters against attackers.
    pub step_2: Option<Both<T>>,
    /// Attackers against bombers.
    pub step_5: Option<Both<T>>,
}

impl<T: Copy> Steps<T> {
    fn of(&self, step: u8) -> Option<Both<T>> {
        match step {
            1 => self.step_1,
            2 => self.step_2,
            _ => self.step_5,
        }
    }
}

/// Pilot skill of the parties.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Skills {
    /// The attackers.
    pub attacker: Skill,
    /// The defending fighters.
    pub defender_fighters: Skill,
    /// The bombers.
    pub defender_strike: Skill,
}

/// How hits are shared out.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Policies {
    /// By the attackers.
    pub attacker: Policy,
    /// By the defenders.
    pub defender: Policy,
}

/// Everything about a dogfight.
#[derive(Clone, Debug, Deserialize)]
pub struct DogfightInput {
    /// Fighters.
    pub attackers: Vec<SquadronFacts>,
    /// The whole defending group.
    pub defenders: Vec<Defender>,
    /// Stances by step.
    pub stances: Steps<Stance>,
    /// Pilots.
    pub skill: Skills,
    /// Markers by step.
    pub markers: Steps<Markers>,
    /// How hits are shared out.
    pub allocation: Policies,
    /// Defenders that leave reach in step 3.
    pub evade: Vec<String>,
    /// Defenders never in reach.
    pub beyond_reach: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct CombatRecord {
    step: u8,
    first: Vec<String>,
    second: Vec<String>,
    first_shift: i8,
    first_hits: u8,
    first_breaks_off: bool,
    second_shift: i8,
    second_hits: u8,
    second_breaks_off: bool,
}

#[derive(PartialEq, Eq, Hash, Serialize)]
struct SquadronEnd {
    strength: u8,
    rl: u8,
    broken_off: bool,
}

#[derive(PartialEq, Eq, Hash, Serialize)]
pub struct DogfightOutput {
    steps_fought: Vec<u8>,
    combats: Vec<CombatRecord>,
    attackers: BTreeMap<String, SquadronEnd>,
    defenders: BTreeMap<String, SquadronEnd>,
    recce_destroyed: Vec<String>,
    attacker_losses: u8,
    defender_losses: u8,
    strike_aircraft_left: u8,
    strike_aircraft_in_hand: u8,
}

/// Who rolls, written only where somebody reads it.
struct Roller {
    step: u8,
    which: &'static str,
}

impl fmt::Display for Roller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}, {}", self.step, self.which)
    }
}

/// A dogfight, combat by combat.
pub struct Fighting<'a> {
    book: &'a Book,
    input: &'a DogfightInput,
    keep: bool,
    refused: RefCell<Option<Refusal>>,
}

/// Where a dogfight stands.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct FightingState {
    /// Strength of attackers, then of defenders.
    strength: [[u8; 6]; 2],
    broken: [u8; 2],
    step: u8,
    /// The combats of this step still to be fought, as masks of both sides.
    combats: Vec<(u8, u8)>,
    fought: [bool; 6],
    recce_destroyed: u8,
    records: Vec<CombatRecord>,
}

const ATTACKER: usize = 0;
const DEFENDER: usize = 1;

impl<'a> Fighting<'a> {
    /// A dogfight; `keep` keeps the record of each combat.
    #[must_use]
    pub fn new(book: &'a Book, input: &'a DogfightInput, keep: bool) -> Self {
        Self { book, input, keep, refused: RefCell::new(None) }
    }

    /// The start.
    #[must_use]
    pub fn start(&self) -> FightingState {
        let mut strength = [[0; 6]; 2];
        for (at, squadron) in self.input.attackers.iter().enumerate() {
            strength[ATTACKER][at] = squadron.strength;
        }
        for (at, squadron) in self.input.defenders.iter().enumerate() {
            strength[DEFENDER][at] = squadron.strength;
        }
        FightingState {
            strength,
            broken: [0; 2],
            step: 1,
            combats: Vec::new(),
            fought: [false; 6],
            recce_destroyed: 0,
            records: Vec::new(),
        }
    }

    fn present(state: &FightingState, side: usize) -> u8 {
        (0..6).filter(|at| state.strength[side][*at] > 0 && state.broken[side] & (1 << at) == 0).map(|at| 1 << at).sum()
    }

    fn of_kind(&self, kind: Role) -> u8 {
        self.input
            .defenders
            .iter()
            .enumerate()
            .filter(|(_, squadron)| squadron.kind == kind)
            .map(|(at, _)| 1 << at)
            .sum()
    }

    fn in_reach(&self, state: &FightingState) -> u8 {
        let away =
            |id: &String| self.input.beyond_reach.contains(id) || (state.fought[3] && self.input.evade.contains(id));
        self.input.defenders.iter().enumerate().filter(|(_, squadron)| !away(&squadron.id)).map(|(at, _)| 1 << at).sum()
    }

    /// Lays out the combats of the next step that is fought; false when the dogfight is over. [Dogfight 1-5]
    fn next_step(&self, state: &mut FightingState, ask: &mut impl Ask) -> bool {
        let pairs = |first: u8, second: u8| {
            if first == 0 || second == 0 {
                Vec::new()
            } else {
                pair_off(u16::from(first), u16::from(second)).into_iter().map(|(a, b)| (a as u8, b as u8)).collect()
            }
        };
        loop {
            let step = state.step;
            if step > 5 {
                return false;
            }
            let attackers = Self::present(state, ATTACKER);
            let fighters = Self::present(state, DEFENDER) & self.of_kind(Role::Fighter);
            let bombers = Self::present(state, DEFENDER) & self.of_kind(Role::Strike);
            state.combats = match step {
                1 => pairs(attackers, fighters),
                2 if self.of_kind(Role::Fighter) != 0 => pairs(fighters, attackers),
                5 => pairs(attackers, bombers & self.in_reach(state)),
                _ => Vec::new(),
            };
            match step {
                3 if state.fought[2] && self.of_kind(Role::Strike) | self.of_kind(Role::Recce) != 0 => {
                    state.fought[3] = true;
                    ask.note(|| {
                        Note::new("step-3", "Step 3: the defenders may move away.").by(&[rule::DOGFIGHT, rule::R_50])
                    });
                }
                4 => {
                    let found = Self::present(state, DEFENDER) & self.of_kind(Role::Recce) & self.in_reach(state);
                    if found != 0 && attackers != 0 {
                        state.fought[4] = true;
                        state.recce_destroyed = found;
                        for at in 0..6 {
                            if found & (1 << at) != 0 {
                                state.strength[DEFENDER][at] = 0;
                            }
                        }
                        ask.note(|| {
                            Note::new("step-4", "Step 4: scouts in reach are destroyed.")
                                .by(&[rule::DOGFIGHT, rule::R_66])
                        });
                    }
                }
                3 if state.fought[1] && fighters == 0 => ask.note(|| {
                    Note::new("step-3", "No escort fought in step 2, so nobody moves away.").detail().by(&[rule::R_51])
                }),
                _ => {}
            }
            if !state.combats.is_empty() {
                state.fought[usize::from(step)] = true;
                return true;
            }
            state.step += 1;
        }
    }

    fn refuse<T>(&self, refusal: Refusal) -> Asked<T> {
        self.refused.borrow_mut().get_or_insert(refusal);
        Err(Unanswered)
    }

    fn combat(&self, state: &mut FightingState, ask: &mut impl Ask) -> Asked<()> {
        let step = state.step;
        let (first, second) = state.combats.remove(0);
        let sides = if step == 2 { [DEFENDER, ATTACKER] } else { [ATTACKER, DEFENDER] };
        let stances = self.input.stances.of(step);
        let Some([Some(attacker), Some(defender)]) = stances.map(|both| [both.attacker, both.defender]) else {
            return self.refuse(Refusal::new(
                "missing-field",
                format!("input.stances lacks both stances of 'step_{step}', which is fought."),
            ));
        };
        let skill = &self.input.skill;
        let skills = [skill.attacker, if step == 5 { skill.defender_strike } else { skill.defender_fighters }];
        let markers = self
            .input
            .markers
            .of(step)
            .map_or([None; 2], |both| [both.attacker, both.defender])
            .map(Option::unwrap_or_default);
        for (side, name) in [(ATTACKER, "attacker"), (DEFENDER, "defender")] {
            if let Err(refusal) = check_markers(skills[side], markers[side], &format!("step {step}, {name}")) {
                return self.refuse(refusal);
            }
        }
        let stances = [attacker, defender];
        let rl = |side: usize, at: usize| {
            if side == ATTACKER { self.input.attackers[at].rl } else { self.input.defenders[at].rl }
        };
        let ids = |mask: u8| -> Vec<usize> { (0..6).filter(|at| mask & (1 << at) != 0).collect() };
        let members = [ids(first), ids(second)];
        let facts: Vec<Vec<(u8, u8)>> = (0..2)
            .map(|n| members[n].iter().map(|at| (state.strength[sides[n]][*at], rl(sides[n], *at))).collect())
            .collect();
        let role = |side: usize| if side == DEFENDER && step == 5 { Role::Strike } else { Role::Fighter };
        let line = |n: usize| Line {
            role: role(sides[n]),
            squadrons: &facts[n],
            stance: stances[sides[n]],
            markers: markers[sides[n]],
        };
        let names = ["first", "second"].map(|which| Roller { step, which });
        let id = |n: usize, at: usize| {
            if sides[n] == ATTACKER {
                self.input.attackers[at].id.as_str()
            } else {
                self.input.defenders[at].id.as_str()
            }
        };
        ask.note(|| {
            let who = |n: usize| {
                format!(
                    "{} ({})",
                    members[n].iter().map(|at| id(n, *at)).collect::<Vec<_>>().join(", "),
                    stances[sides[n]]
                )
            };
            Note::new("combat", format!("Step {step}: {} against {}.", who(0), who(1)))
                .by(&[rule::DOGFIGHT, rule::R_33])
        });
        let clash = self.book.air_combat_in_short(ask, &line(0), &line(1), [&names[0], &names[1]])?;
        for (n, result) in [clash.first, clash.second].iter().enumerate() {
            let side = sides[n];
            let mut left: Vec<u8> = facts[n].iter().map(|(strength, _)| *strength).collect();
            let policy = if side == ATTACKER { self.input.allocation.attacker } else { self.input.allocation.defender };
            policy.apply(&mut left, result.lost);
            ask.note(|| {
                let shares = members[n]
                    .iter()
                    .zip(&facts[n])
                    .zip(&left)
                    .map(|((at, (before, _)), left)| format!("{} loses {}", id(n, *at), before - left));
                Note::new("losses", format!("{}.", shares.collect::<Vec<_>>().join(", ")))
                    .detail()
                    .by(&[rule::AIR_COMBAT])
                    .outcome(result.lost)
            });
            for (at, left) in members[n].iter().zip(left) {
                state.strength[side][*at] = left;
                if result.breaks_off && left > 0 {
                    state.broken[side] |= 1 << at;
                }
            }
        }
        if self.keep {
            let name = |n: usize| members[n].iter().map(|at| id(n, *at).to_owned()).collect();
            state.records.push(CombatRecord {
                step,
                first: name(0),
                second: name(1),
                first_shift: clash.first.parts.total(),
                first_hits: clash.first.fire.hits,
                first_breaks_off: clash.first.breaks_off,
                second_shift: clash.second.parts.total(),
                second_hits: clash.second.fire.hits,
                second_breaks_off: clash.second.breaks_off,
            });
        }
        if state.combats.is_empty() {
            state.step += 1;
        }
        Ok(())
    }

    fn output(&self, state: &FightingState) -> DogfightOutput {
        let burn = |rl: u8, strength: u8| if strength == 0 { rl } else { rl.saturating_sub(1).max(1) };
        let end = |side: usize, at: usize, rl: u8| {
            let strength = state.strength[side][at];
            SquadronEnd { strength, rl: burn(rl, strength), broken_off: state.broken[side] & (1 << at) != 0 }
        };
        let input = self.input;
        let defenders = || input.defenders.iter().enumerate();
        let bombers = |in_hand: bool| {
            defenders()
                .filter(|(at, squadron)| {
                    squadron.kind == Role::Strike && !(in_hand && state.broken[DEFENDER] & (1 << at) != 0)
                })
                .map(|(at, _)| state.strength[DEFENDER][at])
                .sum()
        };
        DogfightOutput {
            steps_fought: (1..=5).filter(|step| state.fought[usize::from(*step)]).collect(),
            combats: state.records.clone(),
            attackers: input
                .attackers
                .iter()
                .enumerate()
                .map(|(at, squadron)| (squadron.id.clone(), end(ATTACKER, at, squadron.rl)))
                .collect(),
            defenders: defenders()
                .map(|(at, squadron)| (squadron.id.clone(), end(DEFENDER, at, squadron.rl)))
                .collect(),
            recce_destroyed: defenders()
                .filter(|(at, _)| state.recce_destroyed & (1 << at) != 0)
                .map(|(_, squadron)| squadron.id.clone())
                .collect(),
            attacker_losses: input
                .attackers
                .iter()
                .enumerate()
                .map(|(at, squadron)| squadron.strength - state.strength[ATTACKER][at])
                .sum(),
            defender_losses: defenders().map(|(at, squadron)| squadron.strength - state.strength[DEFENDER][at]).sum(),
            strike_aircraft_left: bombers(false),
            strike_aircraft_in_hand: bombers(true),
        }
    }
}

impl Process for Fighting<'_> {
    type State = FightingState;

    fn step(&self, state: &mut FightingState, ask: &mut impl Ask) -> Asked<Flow> {
        if state.combats.is_empty() && !self.next_step(state, ask) {
            ask.note(|| {
                Note::new("fuel", "Every squadron that is left loses one from its range die.")
                    .detail()
                    .by(&[rule::DOGFIGHT, rule::R_52])
            });
            return Ok(Flow::Done);
        }
        self.combat(state, ask)?;
        Ok(Flow::Continue)
    }
}

/// A dogfight in which everybody is instinctive, all markers are red and hits are spread.
#[must_use]
pub fn instinctive_dogfight(
    attackers: Vec<SquadronFacts>,
    defenders: Vec<(String, Role, u8, u8)>,
    skill: Skills,
) -> DogfightInput {
    let red = |skill: Skill| Some(Markers { red: skill.markers(), blue: 0 });
    let fighters = Some(Both { attacker: red(skill.attacker), defender: red(skill.defender_fighters) });
    let bombers = Some(Both { attacker: red(skill.attacker), defender: red(skill.defender_strike) });
    let stances = Some(Both { attacker: Some(Stance::Instinctive), defender: Some(Stance::Instinctive) });
    DogfightInput {
        attackers,
        defenders: defenders.into_iter().map(|(id, kind, strength, rl)| Defender { id, kind, strength, rl }).collect(),
        stances: Steps { step_1: stances, step_2: stances, step_5: stances },
        skill,
        markers: Steps { step_1: fighters, step_2: fighters, step_5: bombers },
        allocation: Policies { attacker: Policy::Spread, defender: Policy::Spread },
        evade: Vec::new(),
        beyond_reach: Vec::new(),
    }
}

/// The odds of a dogfight: how many aircraft each side loses, and how many bombers get through.
pub fn dogfight_odds(book: &Book, input: &DogfightInput, budget: Budget<'_>) -> Option<[Dist<u8>; 3]> {
    let fighting = Fighting::new(book, input, false);
    let dist = distribution::<_, Exact>(&fighting, Dist::certain(fighting.start()), budget).ok()?;
    let outputs = dist.map(|state| {
        let output = fighting.output(state);
        (output.attacker_losses, output.defender_losses, output.strike_aircraft_in_hand)
    });
    Some([outputs.map(|o| o.0), outputs.map(|o| o.1), outputs.map(|o| o.2)])
}

fn policies() -> Shape {
    record(vec![
        or("attacker", word(&["spread", "in-order"]), "spread", "attackers"),
        or("defender", word(&["spread", "in-order"]), "spread", "defenders"),
    ])
}

impl OldProcedure for Dogfight {
    type Input = DogfightInput;
    type Output = DogfightOutput;

    fn about(&self) -> About {
        let attacker = record(vec![
            req("id", text(ID), "name"),
            req("strength", int(1, 12), "aircraft"),
            req("rl", int(1, 6), "range die"),
        ]);
        let defender = record(vec![
            req("id", text(ID), "name"),
            req("kind", word(&["fighter", "strike", "recce"]), "what it is"),
            req("strength", int(1, 12), "aircraft"),
            req("rl", int(1, 8), "range die"),
        ]);
        let both =
            |of: fn() -> Shape| record(vec![opt("attacker", of(), "attackers"), opt("defender", of(), "defenders")]);
        let steps = |of: fn() -> Shape| {
            record(vec![
                opt("step_1", both(of), "step 1"),
                opt("step_2", both(of), "step 2"),
                opt("step_5", both(of), "step 5"),
            ])
        };
        let end = || {
            map(
                record(vec![
                    req("strength", int(0, 12), "aircraft left"),
                    req("rl", int(1, 8), "range die"),
                    req("broken_off", bool(), "whether it broke off"),
                ]),
                6,
            )
        };
        let combat = record(vec![
            req("step", int(1, 5), "step"),
            req("first", list(text(ID), 1, 6), "first side"),
            req("second", list(text(ID), 1, 6), "second side"),
            req("first_shift", int(-20, 20), "shift"),
            req("first_hits", int(0, 72), "hits"),
            req("first_breaks_off", bool(), "breaks off"),
            req("second_shift", int(-20, 20), "shift"),
            req("second_hits", int(0, 72), "hits"),
            req("second_breaks_off", bool(), "breaks off"),
        ]);
        About {
            name: "dogfight",
            help: "Fights a whole dogfight with stances given for each step.",
            dice: "first, second for each combat, in order",
            input: record(vec![
                req("attackers", list(attacker, 1, 6), "fighters"),
                req("defenders", list(defender, 1, 6), "the whole group attacked"),
                req("stances", steps(stance), "stances of the steps that are fought"),
                or(
                    "skill",
                    record(vec![
                        or("attacker", skill(), "none", "attackers"),
                        or("defender_fighters", skill(), "none", "defending fighters"),
                        or("defender_strike", skill(), "none", "bombers"),
                    ]),
                    json!({"attacker": "none", "defender_fighters": "none", "defender_strike": "none"}),
                    "pilots",
                ),
                or("markers", steps(markers), json!({}), "markers of the steps"),
                or(
                    "allocation",
                    policies(),
                    json!({"attacker": "spread", "defender": "spread"}),
                    "how hits are shared out",
                ),
                or("evade", list(text(ID), 0, 6), json!([]), "defenders that leave reach in step 3"),
                or("beyond_reach", list(text(ID), 0, 6), json!([]), "defenders never within reach"),
            ]),
            result: record(vec![
                req("steps_fought", list(int(1, 5), 0, 5), "steps"),
                req("combats", list(combat, 0, 18), "each combat"),
                req("attackers", end(), "attackers afterwards"),
                req("defenders", end(), "defenders afterwards"),
                req("recce_destroyed", list(text(ID), 0, 6), "scouts destroyed"),
                req("attacker_losses", int(0, 72), "aircraft"),
                req("defender_losses", int(0, 72), "aircraft"),
                req("strike_aircraft_left", int(0, 72), "bombers left"),
                req("strike_aircraft_in_hand", int(0, 72), "bombers that have not broken off"),
            ]),
            rules: &[
                rule::DOGFIGHT,
                rule::AIR_COMBAT,
                rule::R_30,
                rule::R_31,
                rule::R_33,
                rule::R_37,
                rule::R_50,
                rule::R_51,
                rule::R_52,
                rule::R_66,
            ],
        }
    }

    fn check(&self, input: &DogfightInput) -> Result<(), Refusal> {
        check_ids(
            input
                .attackers
                .iter()
                .map(|squadron| squadron.id.as_str())
                .chain(input.defenders.iter().map(|squadron| squadron.id.as_str())),
        )?;
        for list in [&input.evade, &input.beyond_reach] {
            check_ids(list.iter().map(String::as_str))?;
            if let Some(id) = list.iter().find(|id| input.defenders.iter().all(|squadron| squadron.id != **id)) {
                return Err(Refusal::new("unknown-id", format!("'{id}' is not one of the defenders.")));
            }
        }
        if let Some(squadron) = input.attackers.iter().find(|squadron| squadron.rl <= 1) {
            return Err(Refusal::new(
                "illegal-attacker",
                format!(
                    "{} is on RL 1; a fighter squadron on its last fuel cannot start a dogfight or intercept.",
                    squadron.id
                ),
            )
            .by(rule::DOGFIGHT));
        }
        for squadron in &input.defenders {
            let (strength, rl) = if squadron.kind == Role::Recce { (1, 8) } else { (12, 6) };
            if squadron.strength > strength || squadron.rl > rl {
                return Err(Refusal::new(
                    "out-of-range",
                    format!("{}: strength must lie between 1 and {strength}, rl between 1 and {rl}.", squadron.id),
                ));
            }
        }
        let skill = &input.skill;
        for step in [1, 2, 5] {
            let Some(both) = input.markers.of(step) else { continue };
            for (given, skill, name) in [
                (both.attacker, skill.attacker, "attacker"),
                (both.defender, if step == 5 { skill.defender_strike } else { skill.defender_fighters }, "defender"),
            ] {
                if let Some(given) = given {
                    check_markers(skill, given, &format!("step {step}, {name}"))?;
                }
            }
        }
        Ok(())
    }

    fn run(&self, input: &DogfightInput, ask: &mut impl Ask) -> Result<DogfightOutput, Halt> {
        let fighting = Fighting::new(&self.0, input, true);
        let mut state = fighting.start();
        loop {
            match fighting.step(&mut state, ask) {
                Ok(Flow::Continue) => {}
                Ok(Flow::Done) => return Ok(fighting.output(&state)),
                Err(Unanswered) => return Err(fighting.refused.take().map_or(Halt::Unanswered, Halt::from)),
            }
        }
    }

    fn odds(&self, input: &DogfightInput, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Halt> {
        let keep = wanted.is_some_and(|field| field == "combats" || field.starts_with("combats."));
        let fighting = Fighting::new(&self.0, input, keep);
        let dist = distribution::<_, Exact>(&fighting, Dist::certain(fighting.start()), budget);
        if let Some(refusal) = fighting.refused.take() {
            return Err(refusal.into());
        }
        Ok(project(&dist?.map(|state| fighting.output(state)), wanted))
    }
}
