//! A whole air strike.

use crate::air::{self, AirGroup, AirRound};
use crate::air_defense::AirDefense;
use crate::messages::{all, ensure};
use crate::naval::Attack;
use crate::strike::{Approach, Strike};
use crate::{Rules, rule};
use flagplot_kernel::{Ask, Asked, Refusal, Rule};
use flagplot_odds::{Budget, Dist, enumerate};
use flagplot_referee::{FieldOdds, Procedure, Shaped, by_enumeration, projected};
use serde::Serialize;
use serde_json::json;
use std::sync::Arc;

pub(super) struct AirStrike(pub(super) Arc<Rules>);

#[derive(Serialize, PartialEq, Eq, Hash, Shaped)]
#[shape(result)]
struct AttackOutput {
    /// the target
    #[shape(chars = 80)]
    id: String,
    #[serde(flatten)]
    attack: Attack,
}

#[derive(Serialize, PartialEq, Eq, Hash, Shaped)]
#[shape(result)]
struct AttackersOutput {
    /// squadrons at the start
    started: u32,
    /// on the way
    eliminated: u32,
    /// on the way
    aborted: u32,
    /// squadrons that attacked
    attacked: u32,
}

#[derive(Serialize, PartialEq, Eq, Hash, Shaped)]
#[shape(result)]
struct ApproachOutput {
    /// the fight with the patrols
    cap_combat: Option<AirRound>,
    /// what the guns did; null if no squadron was left
    air_defense: Option<AirDefense>,
    /// the squadrons
    attackers: AttackersOutput,
    /// patrols left
    cap_remaining: u32,
}

#[derive(Serialize, PartialEq, Eq, Hash, Shaped)]
#[shape(result)]
pub(super) struct AirStrikeOutput {
    #[serde(flatten)]
    approach: ApproachOutput,
    /// each target
    #[shape(items = 0..=200)]
    attacks: Vec<AttackOutput>,
    /// all hits
    total_hits: u32,
}

impl AttackersOutput {
    fn new(strike: &Strike, approach: &Approach) -> Self {
        AttackersOutput {
            started: air::strength(&strike.attackers),
            eliminated: approach.eliminated(),
            aborted: approach.aborted(),
            attacked: air::strength(&approach.force),
        }
    }
}

impl ApproachOutput {
    fn new(strike: &Strike, approach: &Approach) -> Self {
        ApproachOutput {
            attackers: AttackersOutput::new(strike, approach),
            cap_combat: approach.cap_combat.clone(),
            air_defense: approach.air_defense.clone(),
            cap_remaining: approach.cap_remaining,
        }
    }
}

fn named(strike: &Strike, at: usize, attack: Attack) -> AttackOutput {
    AttackOutput { id: strike.targets[at].id.clone(), attack }
}

impl Procedure for AirStrike {
    const NAME: &'static str = "air-strike";
    const HELP: &'static str = "An air strike on ships: past patrols and air defense to its targets.";
    const DICE: &'static str = "with patrols two dice for the strike and two for them; two for air defense if it has a \
                                level and a squadron to shoot at; two for each target that still gets squadrons";
    const RULES: &'static [Rule] = &[
        rule::R_47,
        rule::C_16,
        rule::AIR_TABLE,
        rule::AIR_DEFENSE_TABLE,
        rule::NAVAL_TABLE,
        rule::HITS,
        rule::R_15,
        rule::R_28,
        rule::R_38,
    ];
    type Input = Strike;
    type Facts = Strike;
    type Output = AirStrikeOutput;

    fn read(&self, strike: Strike) -> Result<Strike, Refusal> {
        let forces =
            [air::check_force(&strike.attackers, "attackers", rule::R_47), air::check_groups(&strike.cap, "input.cap")];
        let targets = strike.targets.iter().enumerate().flat_map(|(at, target)| {
            let new = ensure(strike.targets[..at].iter().all(|other| other.id != target.id), || {
                let message = format!("input.targets: '{}' appears twice.", target.id);
                Refusal::new("duplicate-target", message).by(rule::C_16)
            });
            [new, target.ship.check(&format!("input.targets[{at}].ship"))]
        });
        let started = air::strength(&strike.attackers);
        let meant: u32 = strike.targets.iter().map(|target| target.squadrons).sum();
        let allocation = ensure(started == meant, || {
            let message = format!("{started} squadrons attack, but {meant} are given targets.");
            Refusal::new("bad-allocation", message).by(rule::C_16)
        });
        all(forces.into_iter().chain(targets).chain([allocation]))?;
        Ok(strike)
    }

    fn run(&self, strike: &Strike, ask: &mut impl Ask) -> Asked<AirStrikeOutput> {
        let approach = strike.approach(&self.0, ask)?;
        let mut attacks = Vec::new();
        for (at, squadrons) in strike.fill(&approach.force).iter().enumerate() {
            attacks.push(named(strike, at, strike.attack(&self.0, at, squadrons, ask)?));
        }
        Ok(AirStrikeOutput {
            approach: ApproachOutput::new(strike, &approach),
            total_hits: attacks.iter().map(|attack| attack.attack.hits).sum(),
            attacks,
        })
    }

    /// Once it is known what got through, each target has dice of its own.
    fn odds(&self, strike: &Strike, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Refusal> {
        if wanted == Some("attacks") {
            return by_enumeration(|ask| self.run(strike, ask), wanted, budget);
        }
        let approach: Dist<Approach> = enumerate(budget, |ask| strike.approach(&self.0, ask))?;
        let forces = approach.map(|approach| approach.force.clone());
        let attack_on = |force: &Vec<AirGroup>, at: usize| -> Result<Dist<Attack>, Refusal> {
            let squadrons = strike.fill(force);
            Ok(enumerate(budget, |ask| strike.attack(&self.0, at, &squadrons[at], ask))?)
        };
        if let Some(rest) = wanted.and_then(|field| field.strip_prefix("attacks.")) {
            let at = rest.split('.').next().and_then(|at| at.parse::<usize>().ok());
            let Some(at) = at.filter(|at| *at < strike.targets.len()) else { return Ok(FieldOdds::default()) };
            let attacks = forces.then(|force| attack_on(force, at))?;
            let output = |attack: &Attack| json!({"attacks": {at.to_string(): named(strike, at, attack.clone())}});
            return Ok(projected(&attacks, output, wanted));
        }
        // The parts of the approach one by one: each has far fewer outcomes than all of them together.
        let combat = approach.map(|approach| approach.cap_combat.clone());
        let mut odds = projected(&combat, |combat| json!({"cap_combat": combat}), wanted);
        let defense = approach.map(|approach| approach.air_defense.clone());
        odds.extend(projected(&defense, |defense| json!({"air_defense": defense}), wanted));
        let attackers = approach.map(|approach| AttackersOutput::new(strike, approach));
        odds.extend(projected(&attackers, |attackers| json!({"attackers": attackers}), wanted));
        let cap = approach.map(|approach| approach.cap_remaining);
        odds.extend(projected(&cap, |cap| json!({"cap_remaining": cap}), wanted));
        if wanted.is_none_or(|field| field == "total_hits") {
            let hits: Dist<u32> = forces.then(|force| {
                (0..strike.targets.len()).try_fold(Dist::certain(0), |sum, at| {
                    Ok::<_, Refusal>(sum.with(&attack_on(force, at)?, |sum, attack| sum + attack.hits))
                })
            })?;
            odds.put("total_hits", wanted, &hits, |hits| (*hits).into());
        }
        Ok(odds)
    }
}
