use super::{NAME, check_markers, repeated};
use crate::combat::{Flak, Guns, StrikeResult, Striker};
use crate::data::{AaTable, Rules};
use crate::rule;
use crate::words::{Role, Skill, Stance, Status};
use flagplot_kernel::{Ask, Asked, Flow, Process, Refusal, Rule};
use flagplot_odds::{Budget, Dist, Exact, distribution};
use flagplot_referee::{FieldOdds, Procedure, Shaped, projected};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Deserialize, Shaped)]
pub struct CvInput {
    /// Hits taken so far, 0 to 7.
    #[shape(0..=8)]
    hits: u8,
    /// Anti-aircraft points for 0 to 8 hits.
    #[shape(0..=24)]
    aa_table: Option<AaTable>,
}

impl CvInput {
    pub fn guns(&self, rules: &Rules) -> Guns {
        Guns { hits: self.hits, aa: self.aa_table.unwrap_or(rules.carrier.aa_by_hits) }
    }

    pub fn check(&self) -> Option<Refusal> {
        (self.hits >= 8)
            .then(|| Refusal::new("cv-destroyed", "The target carrier group is already destroyed.").by(rule::CARRIERS))
    }
}

/// A squadron that meets the guns.
#[derive(Deserialize, Shaped)]
pub struct StrikerInput {
    /// Name.
    #[shape(chars = NAME)]
    id: String,
    #[serde(flatten)]
    striker: Striker,
    /// Its pilots.
    #[shape(or = Skill::None)]
    skill: Skill,
    /// How the guns answer.
    aa_stance: Stance,
}

impl StrikerInput {
    fn check(&self) -> Option<Refusal> {
        check_markers(self.skill, self.striker.markers, &self.id).err()
    }
}

#[derive(Deserialize, Shaped)]
pub struct StrikeInput {
    /// The striking squadron.
    squadron: StrikerInput,
    /// The carrier group.
    cv: CvInput,
}

/// One squadron against a carrier group.
pub struct Strike(pub Arc<Rules>);

impl Procedure for Strike {
    const NAME: &'static str = "strike";
    const HELP: &'static str = "One strike squadron attacks a carrier group.";
    const DICE: &'static str = "striker, anti-aircraft";
    const RULES: &'static [Rule] = &[
        rule::STRIKE_ATTACK,
        rule::HITS_INFLICTED,
        rule::CARRIERS,
        rule::KAMIKAZE,
        rule::R_32,
        rule::R_54,
        rule::R_59,
        rule::C_1,
        rule::C_2,
    ];
    type Input = StrikeInput;
    type Facts = (StrikerInput, Guns);
    type Output = StrikeResult;

    fn read(&self, StrikeInput { squadron, cv }: StrikeInput) -> Result<Self::Facts, Refusal> {
        Refusal::all(squadron.check().into_iter().chain(cv.check()).collect())?;
        Ok((squadron, cv.guns(&self.0)))
    }

    fn run(&self, (squadron, guns): &Self::Facts, ask: &mut impl Ask) -> Asked<StrikeResult> {
        self.0.strike(ask, &squadron.striker, squadron.aa_stance, guns)
    }
}

#[derive(Deserialize, Shaped)]
pub struct StrikeGroupInput {
    /// The squadrons in striking order.
    #[shape(items = 1..=4)]
    squadrons: Vec<StrikerInput>,
    /// The carrier group.
    cv: CvInput,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct StrikeGroupOutput {
    /// Each strike.
    #[shape(items = 1..=4)]
    strikes: Vec<StrikeResult>,
    /// Strikes flown.
    #[shape(1..=4)]
    strikes_made: u8,
    /// Hits the group has now.
    #[shape(0..=8)]
    cv_hits: u8,
    /// Hits it took.
    #[shape(0..=8)]
    cv_hits_added: u8,
    /// How it fares.
    cv_status: Status,
    /// Aircraft left by squadron.
    #[shape(0..=12, items = 0..=4)]
    remaining: BTreeMap<String, u8>,
    /// Aircraft lost.
    #[shape(0..=48)]
    aircraft_lost: u8,
}

/// The strikes of a group, one to a step.
struct Wave<'a> {
    rules: &'a Rules,
    squadrons: &'a [StrikerInput],
    guns: Guns,
    /// Whether each strike is kept; without, more branches are the same.
    keep: bool,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct WaveState {
    made: usize,
    hits: u8,
    left: [u8; 4],
    strikes: Vec<StrikeResult>,
}

impl Process for Wave<'_> {
    type State = WaveState;

    fn step(&self, state: &mut WaveState, ask: &mut impl Ask) -> Asked<Flow> {
        let squadron = &self.squadrons[state.made];
        let guns = Guns { hits: state.hits, ..self.guns };
        let result = self.rules.strike(ask, &squadron.striker, squadron.aa_stance, &guns)?;
        state.left[state.made] = result.squadron_strength;
        state.hits = result.cv_hits;
        state.made += 1;
        if self.keep {
            state.strikes.push(result);
        }
        let over = state.made == self.squadrons.len() || result.cv_status == Status::Destroyed;
        Ok(if over { Flow::Done } else { Flow::Continue })
    }
}

impl Wave<'_> {
    fn start(&self) -> WaveState {
        let mut left = [0; 4];
        for (left, squadron) in left.iter_mut().zip(self.squadrons) {
            *left = squadron.striker.strength;
        }
        WaveState { made: 0, hits: self.guns.hits, left, strikes: Vec::new() }
    }

    fn output(&self, state: &WaveState) -> StrikeGroupOutput {
        let left = || self.squadrons.iter().zip(state.left);
        StrikeGroupOutput {
            strikes: state.strikes.clone(),
            strikes_made: state.made as u8,
            cv_hits: state.hits,
            cv_hits_added: state.hits - self.guns.hits,
            cv_status: self.rules.carrier.status(state.hits),
            remaining: left().map(|(squadron, left)| (squadron.id.clone(), left)).collect(),
            aircraft_lost: left().map(|(squadron, left)| squadron.striker.strength - left).sum(),
        }
    }
}

/// So many different lists of strikes are told apart in the odds of one field.
const MOST_LISTS: usize = 200_000;

/// Several squadrons, one after the other.
pub struct StrikeGroup(pub Arc<Rules>);

impl Procedure for StrikeGroup {
    const NAME: &'static str = "strike-group";
    const HELP: &'static str = "Several strike squadrons attack a carrier group one after the other.";
    const DICE: &'static str = "striker, anti-aircraft for each strike; none once the group is destroyed";
    const RULES: &'static [Rule] = &[rule::STRIKE_ATTACK, rule::STRIKE];
    type Input = StrikeGroupInput;
    type Facts = (Vec<StrikerInput>, Guns);
    type Output = StrikeGroupOutput;

    fn read(&self, StrikeGroupInput { squadrons, cv }: StrikeGroupInput) -> Result<Self::Facts, Refusal> {
        let mut reasons = repeated(squadrons.iter().map(|squadron| squadron.id.as_str()));
        reasons.extend(squadrons.iter().filter_map(StrikerInput::check).chain(cv.check()));
        Refusal::all(reasons)?;
        Ok((squadrons, cv.guns(&self.0)))
    }

    fn run(&self, (squadrons, guns): &Self::Facts, ask: &mut impl Ask) -> Asked<StrikeGroupOutput> {
        let wave = Wave { rules: &self.0, squadrons, guns: *guns, keep: true };
        let mut state = wave.start();
        while wave.step(&mut state, ask)? == Flow::Continue {}
        Ok(wave.output(&state))
    }

    fn odds(
        &self,
        (squadrons, guns): &Self::Facts,
        wanted: Option<&str>,
        budget: Budget<'_>,
    ) -> Result<FieldOdds, Refusal> {
        let keep = wanted.is_some_and(|field| field == "strikes" || field.starts_with("strikes."));
        let wave = Wave { rules: &self.0, squadrons, guns: *guns, keep };
        // Nearly every roll makes another list of strikes: beyond some hundred thousand they say nothing.
        let budget = if keep { Budget { states: budget.states.min(MOST_LISTS), ..budget } } else { budget };
        let dist = distribution::<_, Exact>(&wave, Dist::certain(wave.start()), budget)?;
        Ok(projected(&dist, |state| wave.output(state), wanted))
    }
}

#[derive(Deserialize, Shaped)]
struct AaTarget {
    /// What it is.
    kind: Role,
    #[serde(flatten)]
    squadron: StrikerInput,
}

#[derive(Deserialize, Shaped)]
pub struct AaFireInput {
    /// The squadron under fire.
    squadron: AaTarget,
    /// The carrier group.
    cv: CvInput,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct AaFireOutput {
    #[serde(flatten)]
    flak: Flak,
    /// Aircraft left.
    #[shape(0..=12)]
    remaining: u8,
    /// Whether nothing is left.
    destroyed: bool,
}

/// Guns fire at a squadron that flies over.
pub struct AaFire(pub Arc<Rules>);

impl Procedure for AaFire {
    const NAME: &'static str = "aa-fire";
    const HELP: &'static str = "Guns fire at a squadron over the carrier group outside a strike.";
    const DICE: &'static str = "anti-aircraft";
    const RULES: &'static [Rule] = &[rule::AA_FIRE, rule::R_35, rule::C_2];
    type Input = AaFireInput;
    type Facts = (StrikerInput, Guns);
    type Output = AaFireOutput;

    fn read(
        &self,
        AaFireInput { squadron: AaTarget { kind, squadron }, cv }: AaFireInput,
    ) -> Result<Self::Facts, Refusal> {
        let mut reasons = Vec::new();
        let mut bar = |barred: bool, refusal: Refusal| reasons.extend(barred.then_some(refusal));
        let (striker, scouts) = (&squadron.striker, kind == Role::Recce);
        bar(
            striker.kamikaze && kind != Role::Strike,
            Refusal::new("inconsistent", "Kamikaze squadrons are strike aircraft.").by(rule::KAMIKAZE),
        );
        bar(
            scouts && squadron.skill != Skill::None,
            Refusal::new("inconsistent", "Scouts have no pilot skill.").by(rule::R_53),
        );
        bar(
            scouts && striker.strength > 1,
            Refusal::new(
                "out-of-range",
                "input.squadron.strength must be 1: a reconnaissance squadron has one aircraft.",
            ),
        );
        reasons.extend(squadron.check().into_iter().chain(cv.check()));
        Refusal::all(reasons)?;
        Ok((squadron, cv.guns(&self.0)))
    }

    fn run(&self, (squadron, guns): &Self::Facts, ask: &mut impl Ask) -> Asked<AaFireOutput> {
        let flak = self.0.aa_fire(ask, &squadron.striker, squadron.aa_stance, guns)?;
        let remaining = squadron.striker.strength - flak.lost;
        Ok(AaFireOutput { flak, remaining, destroyed: remaining == 0 })
    }
}
