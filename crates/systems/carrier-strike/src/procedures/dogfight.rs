use super::combat::{Fighting, Policy};
use super::{NAME, check_markers, repeated};
use crate::combat::Line;
use crate::data::Rules;
use crate::duels::Played;
use crate::fight::pair_off;
use crate::rule;
use crate::words::{Markers, Role, Skill, Stance};
use flagplot_kernel::{Ask, Asked, Flow, Note, Process, Refusal, Rule};
use flagplot_odds::{Budget, Dist, Exact, distribution};
use flagplot_referee::{FieldOdds, Procedure, Shaped, projected};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A squadron in a dogfight.
#[derive(Deserialize, Shaped)]
pub struct Fighter {
    /// Name.
    #[shape(chars = NAME)]
    pub id: String,
    /// What it is.
    pub kind: Role,
    /// Aircraft.
    #[shape(1..=12)]
    pub strength: u8,
    /// Range die.
    #[shape(1..=8)]
    pub rl: u8,
}

#[derive(Clone, Copy, Deserialize, Shaped)]
struct Both<T: Shaped> {
    /// Attackers.
    attacker: Option<T>,
    /// Defenders.
    defender: Option<T>,
}

#[derive(Clone, Copy, Deserialize, Shaped)]
pub struct Steps<T: Shaped> {
    /// Step 1.
    step_1: Option<Both<T>>,
    /// Step 2.
    step_2: Option<Both<T>>,
    /// Step 5.
    step_5: Option<Both<T>>,
}

impl<T: Copy + Shaped> Steps<T> {
    fn of(&self, step: u8) -> [Option<T>; 2] {
        let both = match step {
            1 => self.step_1,
            2 => self.step_2,
            _ => self.step_5,
        };
        both.map_or([None; 2], |both| [both.attacker, both.defender])
    }
}

#[derive(Clone, Copy, Default, Serialize, Deserialize, Shaped)]
struct Skills {
    /// Attackers.
    #[shape(or = Skill::None)]
    attacker: Skill,
    /// Defending fighters.
    #[shape(or = Skill::None)]
    defender_fighters: Skill,
    /// Bombers.
    #[shape(or = Skill::None)]
    defender_strike: Skill,
}

#[derive(Clone, Copy, Serialize, Deserialize, Shaped)]
struct Policies {
    /// Attackers.
    #[shape(or = Policy::Spread)]
    attacker: Policy,
    /// Defenders.
    #[shape(or = Policy::Spread)]
    defender: Policy,
}

#[derive(Deserialize, Shaped)]
pub struct DogfightInput {
    /// Fighters.
    #[shape(items = 1..=6)]
    attackers: Vec<Fighting>,
    /// The whole group attacked.
    #[shape(items = 1..=6)]
    defenders: Vec<Fighter>,
    /// Stances of the steps that are fought.
    stances: Steps<Stance>,
    /// Pilots.
    #[shape(or = Skills::default())]
    skill: Skills,
    /// Markers of the steps.
    #[shape(or = {})]
    markers: Steps<Markers>,
    /// How hits are shared out.
    #[shape(or = Policies { attacker: Policy::Spread, defender: Policy::Spread })]
    allocation: Policies,
    /// Defenders that leave reach in step 3.
    #[shape(items = 0..=6, chars = NAME, or = [])]
    evade: Vec<String>,
    /// Defenders never within reach.
    #[shape(items = 0..=6, chars = NAME, or = [])]
    beyond_reach: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct CombatRecord {
    /// Step.
    #[shape(1..=5)]
    step: u8,
    /// First side.
    #[shape(items = 1..=6, chars = NAME)]
    first: Vec<String>,
    /// Second side.
    #[shape(items = 1..=6, chars = NAME)]
    second: Vec<String>,
    /// Shift of the first side.
    #[shape(-20..=20)]
    first_shift: i8,
    /// Hits of the first side.
    #[shape(0..=72)]
    first_hits: u8,
    /// Whether the first side breaks off.
    first_breaks_off: bool,
    /// Shift of the second side.
    #[shape(-20..=20)]
    second_shift: i8,
    /// Hits of the second side.
    #[shape(0..=72)]
    second_hits: u8,
    /// Whether the second side breaks off.
    second_breaks_off: bool,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct SquadronEnd {
    /// Aircraft left.
    #[shape(0..=12)]
    strength: u8,
    /// Range die.
    #[shape(1..=8)]
    rl: u8,
    /// Whether it broke off.
    broken_off: bool,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct DogfightOutput {
    /// Steps fought.
    #[shape(1..=5, items = 0..=5)]
    steps_fought: Vec<u8>,
    /// Each combat.
    #[shape(items = 0..=18)]
    combats: Vec<CombatRecord>,
    /// Attackers afterwards.
    #[shape(items = 0..=6)]
    attackers: BTreeMap<String, SquadronEnd>,
    /// Defenders afterwards.
    #[shape(items = 0..=6)]
    defenders: BTreeMap<String, SquadronEnd>,
    /// Scouts destroyed.
    #[shape(items = 0..=6, chars = NAME)]
    recce_destroyed: Vec<String>,
    /// Aircraft the attackers lose.
    #[shape(0..=72)]
    attacker_losses: u8,
    /// Aircraft the defenders lose.
    #[shape(0..=72)]
    defender_losses: u8,
    /// Bombers left.
    #[shape(0..=72)]
    strike_aircraft_left: u8,
    /// Bombers that have not broken off.
    #[shape(0..=72)]
    strike_aircraft_in_hand: u8,
}

const ATTACKER: usize = 0;
const DEFENDER: usize = 1;

/// The steps in which combats are fought.
const FOUGHT: [u8; 3] = [1, 2, 5];

/// A set of the squadrons of one side, by their places.
type Set = u8;

fn members(set: Set) -> impl Iterator<Item = usize> {
    (0..6).filter(move |at| set & (1 << at) != 0)
}

/// Everything about a dogfight that is decided beforehand.
pub struct Facts {
    /// The attackers and the group attacked.
    sides: [Vec<Fighter>; 2],
    /// What both play in steps 1, 2 and 5, or why a step cannot be fought.
    plays: [Result<[Played; 2], Refusal>; 3],
    policies: [Policy; 2],
    /// Defenders in reach, before step 3 and after it.
    in_reach: [Set; 2],
}

impl Facts {
    /// A dogfight in which all are instinctive, all markers are red and hits are spread. Skill is that of the
    /// attackers, the defending fighters and the bombers.
    pub fn instinctive(attackers: Vec<Fighter>, defenders: Vec<Fighter>, skill: [Skill; 3]) -> Self {
        let play = |skill: Skill| (Stance::Instinctive, Markers { red: skill.markers(), blue: 0 });
        let plays = [1, 1, 2].map(|defender| Ok([play(skill[0]), play(skill[defender])]));
        Self { sides: [attackers, defenders], plays, policies: [Policy::Spread; 2], in_reach: [Set::MAX; 2] }
    }

    fn of_kind(&self, kind: Role) -> Set {
        let defenders = self.sides[DEFENDER].iter().enumerate();
        defenders.filter(|(_, squadron)| squadron.kind == kind).map(|(at, _)| 1 << at).sum()
    }
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Standing {
    strength: [[u8; 6]; 2],
    broken: [Set; 2],
    step: u8,
    /// The combats of this step still to be fought.
    combats: Vec<[Set; 2]>,
    fought: [bool; 6],
    scouts_destroyed: Set,
    records: Vec<CombatRecord>,
}

impl Standing {
    fn present(&self, side: usize) -> Set {
        let here = (0..6).filter(|at| self.strength[side][*at] > 0).map(|at| 1 << at).sum::<Set>();
        here & !self.broken[side]
    }
}

struct Fight<'a> {
    rules: &'a Rules,
    facts: &'a Facts,
    /// Whether the record of each combat is kept.
    keep: bool,
}

impl Fight<'_> {
    fn start(&self) -> Standing {
        let mut strength = [[0; 6]; 2];
        for (strengths, side) in strength.iter_mut().zip(&self.facts.sides) {
            strengths.iter_mut().zip(side).for_each(|(strength, squadron)| *strength = squadron.strength);
        }
        Standing {
            strength,
            broken: [0; 2],
            step: 1,
            combats: Vec::new(),
            fought: [false; 6],
            scouts_destroyed: 0,
            records: Vec::new(),
        }
    }

    /// Lays out the combats of the next step that is fought; false when the dogfight is over. [Dogfight 1-5]
    fn next_step(&self, state: &mut Standing, ask: &mut impl Ask) -> bool {
        let pairs = |first: Set, second: Set| {
            if first == 0 || second == 0 {
                return Vec::new();
            }
            pair_off(first.into(), second.into()).into_iter().map(|(a, b)| [a as Set, b as Set]).collect()
        };
        let of_kind = |kind| self.facts.of_kind(kind);
        while state.step <= 5 {
            let attackers = state.present(ATTACKER);
            let defenders = state.present(DEFENDER);
            let reached = defenders & self.facts.in_reach[usize::from(state.fought[3])];
            let fighters = defenders & of_kind(Role::Fighter);
            match state.step {
                1 => state.combats = pairs(attackers, fighters),
                2 => state.combats = pairs(fighters, attackers),
                3 if state.fought[2] && of_kind(Role::Strike) | of_kind(Role::Recce) != 0 => {
                    state.fought[3] = true;
                    ask.note(|| {
                        Note::new("step-3", "Step 3: the defenders may move away.").by(&[rule::DOGFIGHT, rule::R_50])
                    });
                }
                3 if state.fought[1] && fighters == 0 => ask.note(|| {
                    Note::new("step-3", "Step 3: no escort fought back, so the defenders do not move.")
                        .detail()
                        .by(&[rule::R_51])
                }),
                4 if attackers != 0 && reached & of_kind(Role::Recce) != 0 => {
                    state.fought[4] = true;
                    state.scouts_destroyed = reached & of_kind(Role::Recce);
                    members(state.scouts_destroyed).for_each(|at| state.strength[DEFENDER][at] = 0);
                    ask.note(|| {
                        Note::new("step-4", "Step 4: scouts in reach are destroyed.").by(&[rule::DOGFIGHT, rule::R_66])
                    });
                }
                5 => state.combats = pairs(attackers, reached & of_kind(Role::Strike)),
                _ => {}
            }
            if !state.combats.is_empty() {
                state.fought[usize::from(state.step)] = true;
                return true;
            }
            state.step += 1;
        }
        false
    }

    fn combat(&self, state: &mut Standing, ask: &mut impl Ask) -> Asked<()> {
        let step = state.step;
        let sets = state.combats.remove(0);
        let plays = match &self.facts.plays[usize::from(step.min(3)) - 1] {
            Ok(plays) => plays,
            Err(refusal) => return Err(ask.refuse(refusal.clone())),
        };
        let sides = if step == 2 { [DEFENDER, ATTACKER] } else { [ATTACKER, DEFENDER] };
        let squadron = |n: usize, at: usize| &self.facts.sides[sides[n]][at];
        let squadrons = [0, 1]
            .map(|n| members(sets[n]).map(|at| (state.strength[sides[n]][at], squadron(n, at).rl)).collect::<Vec<_>>());
        let line = |n: usize| {
            let (stance, markers) = plays[sides[n]];
            let role = if sides[n] == DEFENDER && step == 5 { Role::Strike } else { Role::Fighter };
            Line { role, squadrons: &squadrons[n], stance, markers }
        };
        let ids = |n: usize| members(sets[n]).map(move |at| squadron(n, at).id.clone()).collect::<Vec<_>>();
        ask.note(|| {
            let who = |n: usize| format!("{} ({})", ids(n).join(", "), plays[sides[n]].0);
            Note::new("combat", format!("Step {step}: {} against {}.", who(0), who(1)))
                .by(&[rule::DOGFIGHT, rule::R_33])
        });
        let clash = self.rules.air_combat_in_short(
            ask,
            &line(0),
            &line(1),
            [&format_args!("step {step}, first"), &format_args!("step {step}, second")],
        )?;
        for (n, result) in [clash.first, clash.second].iter().enumerate() {
            let mut left: Vec<u8> = squadrons[n].iter().map(|(strength, _)| *strength).collect();
            self.facts.policies[sides[n]].apply(&mut left, result.lost);
            ask.note(|| {
                let shares = ids(n).into_iter().zip(squadrons[n].iter().zip(&left));
                let shares = shares.map(|(id, ((before, _), left))| format!("{id} loses {}", before - left));
                Note::new("losses", format!("{}.", shares.collect::<Vec<_>>().join(", ")))
                    .detail()
                    .by(&[rule::AIR_COMBAT])
                    .outcome(result.lost)
            });
            for (at, left) in members(sets[n]).zip(left) {
                state.strength[sides[n]][at] = left;
                if result.breaks_off && left > 0 {
                    state.broken[sides[n]] |= 1 << at;
                }
            }
        }
        if self.keep {
            state.records.push(CombatRecord {
                step,
                first: ids(0),
                second: ids(1),
                first_shift: clash.first.fire.shift,
                first_hits: clash.first.fire.hits,
                first_breaks_off: clash.first.breaks_off,
                second_shift: clash.second.fire.shift,
                second_hits: clash.second.fire.hits,
                second_breaks_off: clash.second.breaks_off,
            });
        }
        if state.combats.is_empty() {
            state.step += 1;
        }
        Ok(())
    }

    fn lost(&self, state: &Standing, side: usize) -> u8 {
        self.facts.sides[side].iter().zip(state.strength[side]).map(|(squadron, left)| squadron.strength - left).sum()
    }

    fn bombers(&self, state: &Standing, among: Set) -> u8 {
        members(self.facts.of_kind(Role::Strike) & among).map(|at| state.strength[DEFENDER][at]).sum()
    }

    fn output(&self, state: &Standing) -> DogfightOutput {
        let [attackers, defenders] = [ATTACKER, DEFENDER].map(|side| {
            let end = |(at, squadron): (usize, &Fighter)| {
                let strength = state.strength[side][at];
                let rl = if strength == 0 { squadron.rl } else { squadron.rl.saturating_sub(1).max(1) };
                (squadron.id.clone(), SquadronEnd { strength, rl, broken_off: state.broken[side] & (1 << at) != 0 })
            };
            self.facts.sides[side].iter().enumerate().map(end).collect()
        });
        DogfightOutput {
            steps_fought: (1..=5).filter(|step| state.fought[usize::from(*step)]).collect(),
            combats: state.records.clone(),
            attackers,
            defenders,
            recce_destroyed: members(state.scouts_destroyed)
                .map(|at| self.facts.sides[DEFENDER][at].id.clone())
                .collect(),
            attacker_losses: self.lost(state, ATTACKER),
            defender_losses: self.lost(state, DEFENDER),
            strike_aircraft_left: self.bombers(state, Set::MAX),
            strike_aircraft_in_hand: self.bombers(state, !state.broken[DEFENDER]),
        }
    }
}

impl Process for Fight<'_> {
    type State = Standing;

    fn step(&self, state: &mut Standing, ask: &mut impl Ask) -> Asked<Flow> {
        if state.combats.is_empty() && !self.next_step(state, ask) {
            ask.note(|| {
                Note::new("fuel", "Every squadron that is left loses 1 from its range die.")
                    .detail()
                    .by(&[rule::DOGFIGHT, rule::R_52])
            });
            return Ok(Flow::Done);
        }
        self.combat(state, ask)?;
        Ok(Flow::Continue)
    }
}

/// The odds of a dogfight: how many aircraft each side loses, and how many bombers get through.
pub fn dogfight_odds(rules: &Rules, facts: &Facts, budget: Budget<'_>) -> Option<[Dist<u8>; 3]> {
    let fight = Fight { rules, facts, keep: false };
    let dist = distribution::<_, Exact>(&fight, Dist::certain(fight.start()), budget).ok()?;
    Some([
        dist.map(|state| fight.lost(state, ATTACKER)),
        dist.map(|state| fight.lost(state, DEFENDER)),
        dist.map(|state| fight.bombers(state, !state.broken[DEFENDER])),
    ])
}

/// A whole dogfight with everything decided beforehand.
pub struct Dogfight(pub Arc<Rules>);

impl Procedure for Dogfight {
    const NAME: &'static str = "dogfight";
    const HELP: &'static str = "Fights a whole dogfight with stances given for each step.";
    const DICE: &'static str = "first, second for each combat, in order";
    const RULES: &'static [Rule] = &[
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
    ];
    type Input = DogfightInput;
    type Facts = Facts;
    type Output = DogfightOutput;

    fn read(&self, input: DogfightInput) -> Result<Facts, Refusal> {
        let DogfightInput { attackers, defenders, stances, skill, markers, allocation, evade, beyond_reach } = input;
        let ids = attackers.iter().map(|squadron| &squadron.id).chain(defenders.iter().map(|squadron| &squadron.id));
        let mut reasons = repeated(ids.map(String::as_str));
        for list in [&evade, &beyond_reach] {
            reasons.extend(repeated(list.iter().map(String::as_str)));
            let unknown = list.iter().filter(|id| defenders.iter().all(|squadron| squadron.id != **id));
            reasons
                .extend(unknown.map(|id| Refusal::new("unknown-id", format!("'{id}' is not one of the defenders."))));
        }
        reasons.extend(attackers.iter().filter(|squadron| squadron.rl <= 1).map(|squadron| {
            let id = &squadron.id;
            let message =
                format!("{id} is on RL 1; a fighter squadron on its last fuel cannot start a dogfight or intercept.");
            Refusal::new("illegal-attacker", message).by(rule::DOGFIGHT)
        }));
        for Fighter { id, kind, strength, rl } in &defenders {
            let most = if *kind == Role::Recce { (1, 8) } else { (12, 6) };
            if *strength > most.0 || *rl > most.1 {
                let message = format!("{id}: strength must lie between 1 and {}, rl between 1 and {}.", most.0, most.1);
                reasons.push(Refusal::new("out-of-range", message));
            }
        }
        let plays = FOUGHT.map(|step| {
            let skill = [skill.attacker, if step == 5 { skill.defender_strike } else { skill.defender_fighters }];
            let given = markers.of(step);
            let check = |side: usize| {
                let whose = format!("step {step}, {}", ["attacker", "defender"][side]);
                check_markers(skill[side], given[side].unwrap_or_default(), &whose)
            };
            let wrong = |side: &usize| given[*side].is_some();
            reasons.extend([0, 1].into_iter().filter(wrong).filter_map(|side| check(side).err()));
            let [Some(attacker), Some(defender)] = stances.of(step) else {
                let message = format!("input.stances lacks both stances of 'step_{step}', which is fought.");
                return Err(Refusal::new("missing-field", message));
            };
            check(0).and(check(1))?;
            let markers = given.map(Option::unwrap_or_default);
            Ok([(attacker, markers[0]), (defender, markers[1])])
        });
        Refusal::all(reasons)?;
        let reached = |away: &dyn Fn(&String) -> bool| -> Set {
            let near = defenders.iter().enumerate().filter(|(_, squadron)| !away(&squadron.id));
            near.map(|(at, _)| 1 << at).sum()
        };
        let in_reach =
            [reached(&|id| beyond_reach.contains(id)), reached(&|id| beyond_reach.contains(id) || evade.contains(id))];
        let fighter = |Fighting { id, strength, rl }| Fighter { id, kind: Role::Fighter, strength, rl };
        let sides = [attackers.into_iter().map(fighter).collect(), defenders];
        Ok(Facts { sides, plays, policies: [allocation.attacker, allocation.defender], in_reach })
    }

    fn run(&self, facts: &Facts, ask: &mut impl Ask) -> Asked<DogfightOutput> {
        let fight = Fight { rules: &self.0, facts, keep: true };
        let mut state = fight.start();
        while fight.step(&mut state, ask)? == Flow::Continue {}
        Ok(fight.output(&state))
    }

    fn odds(&self, facts: &Facts, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Refusal> {
        let keep = wanted.is_some_and(|field| field == "combats" || field.starts_with("combats."));
        let fight = Fight { rules: &self.0, facts, keep };
        let dist = distribution::<_, Exact>(&fight, Dist::certain(fight.start()), budget)?;
        Ok(projected(&dist, |state| fight.output(state), wanted))
    }
}
