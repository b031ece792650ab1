use super::combat::project;
use super::*;
use crate::combat::{ShiftParts, StrikeResult, Striker};
use crate::data::AaTable;
use crate::rule;
use crate::words::{Role, Stance, Status};
use flagplot_kernel::{Ask, Asked, Flow, Process};
use flagplot_odds::{Budget, Dist, Exact, distribution};
use flagplot_referee::{About, FieldOdds, Halt, OldProcedure, bool, map};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Deserialize)]
pub struct CvInput {
    pub hits: u8,
    pub aa_table: Option<AaTable>,
}

impl CvInput {
    pub fn aa(&self, book: &Book) -> AaTable {
        self.aa_table.unwrap_or(book.carrier.aa_by_hits)
    }

    pub fn check(&self) -> Result<(), Refusal> {
        if self.hits >= 8 {
            return Err(
                Refusal::new("cv-destroyed", "The target carrier group is already destroyed.").by(rule::CARRIERS)
            );
        }
        Ok(())
    }
}

#[derive(Clone, Deserialize)]
pub struct StrikerInput {
    id: String,
    strength: u8,
    kamikaze: bool,
    stance: Stance,
    skill: Skill,
    markers: Markers,
    aa_stance: Stance,
}

impl StrikerInput {
    fn striker(&self) -> Striker {
        Striker { strength: self.strength, kamikaze: self.kamikaze, stance: self.stance, markers: self.markers }
    }
}

fn striker() -> Shape {
    record(vec![
        req("id", text(ID), "name"),
        req("strength", int(1, 12), "aircraft"),
        or("kamikaze", bool(), false, "whether it is a kamikaze squadron"),
        req("stance", stance(), "how it attacks"),
        or("skill", skill(), "none", "its pilots"),
        or("markers", markers(), no_markers(), "markers played"),
        req("aa_stance", stance(), "how the guns answer"),
    ])
}

fn strike_result() -> Shape {
    record(vec![
        req("strike_roll", int(1, 6), "striker's die"),
        req("aa_roll", int(1, 6), "guns' die"),
        req("aa_strength", int(0, 24), "anti-aircraft points"),
        req("aa_shift", int(-20, 20), "shift of the guns"),
        req("aa_shift_parts", map(int(-20, 20), 12), "the same by name"),
        req("aa_column", int(1, 12), "column of the guns"),
        req("aa_hits", int(0, 24), "hits of the guns by the table"),
        req("aircraft_lost_to_aa", int(0, 12), "aircraft shot down"),
        req("strength_after_aa", int(0, 12), "aircraft left"),
        req("aa_break_off_total", int(-20, 40), "pressure of the guns"),
        req("broken_off", bool(), "whether only half attack"),
        req("attack_strength", int(0, 12), "aircraft that attack"),
        req("strike_shift", int(-20, 20), "shift of the strike"),
        req("strike_shift_parts", map(int(-20, 20), 12), "the same by name"),
        req("strike_column", int(1, 12), "column of the strike"),
        req("hits_on_cv", int(0, 12), "hits by the table"),
        req("cv_hits", int(0, 8), "hits the group has now"),
        req("cv_status", word(&["operational", "crippled", "destroyed"]), "how it fares"),
        req("aa_after", int(0, 24), "anti-aircraft points left"),
        req("squadron_strength", int(0, 12), "aircraft left in the end"),
    ])
}

/// One squadron against a carrier group.
pub struct Strike(pub Arc<Book>);

#[derive(Deserialize)]
pub struct StrikeInput {
    squadron: StrikerInput,
    cv: CvInput,
}

impl OldProcedure for Strike {
    type Input = StrikeInput;
    type Output = StrikeResult;

    fn about(&self) -> About {
        About {
            name: "strike",
            help: "One strike squadron attacks a carrier group.",
            dice: "striker, anti-aircraft",
            input: record(vec![
                req("squadron", striker(), "the striking squadron"),
                req("cv", cv(), "the carrier group"),
            ]),
            result: strike_result(),
            rules: &[
                rule::STRIKE_ATTACK,
                rule::HITS_INFLICTED,
                rule::CARRIERS,
                rule::KAMIKAZE,
                rule::R_32,
                rule::R_54,
                rule::R_59,
                rule::C_1,
                rule::C_2,
            ],
        }
    }

    fn check(&self, input: &StrikeInput) -> Result<(), Refusal> {
        check_markers(input.squadron.skill, input.squadron.markers, &input.squadron.id)?;
        input.cv.check()
    }

    fn run(&self, input: &StrikeInput, ask: &mut impl Ask) -> Result<StrikeResult, Halt> {
        Ok(self.0.strike(
            ask,
            &input.squadron.striker(),
            input.squadron.aa_stance,
            input.cv.hits,
            &input.cv.aa(&self.0),
        )?)
    }
}

/// Several squadrons, one after the other.
pub struct StrikeGroup(pub Arc<Book>);

#[derive(Deserialize)]
pub struct StrikeGroupInput {
    squadrons: Vec<StrikerInput>,
    cv: CvInput,
}

#[derive(PartialEq, Eq, Hash, Serialize)]
pub struct StrikeGroupOutput {
    strikes: Vec<StrikeResult>,
    strikes_made: u8,
    cv_hits: u8,
    cv_hits_added: u8,
    cv_status: Status,
    remaining: BTreeMap<String, u8>,
    aircraft_lost: u8,
}

/// The strikes of a group, one to a step.
struct Wave<'a> {
    book: &'a Book,
    input: &'a StrikeGroupInput,
    aa: AaTable,
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
        let squadron = &self.input.squadrons[state.made];
        let result = self.book.strike(ask, &squadron.striker(), squadron.aa_stance, state.hits, &self.aa)?;
        state.left[state.made] = result.squadron_strength;
        state.hits = result.cv_hits;
        state.made += 1;
        if self.keep {
            state.strikes.push(result);
        }
        Ok(if state.made == self.input.squadrons.len() || result.cv_status == Status::Destroyed {
            Flow::Done
        } else {
            Flow::Continue
        })
    }
}

impl Wave<'_> {
    fn start(&self) -> WaveState {
        let mut left = [0; 4];
        for (left, squadron) in left.iter_mut().zip(&self.input.squadrons) {
            *left = squadron.strength;
        }
        WaveState { made: 0, hits: self.input.cv.hits, left, strikes: Vec::new() }
    }

    fn output(&self, state: &WaveState) -> StrikeGroupOutput {
        let squadrons = &self.input.squadrons;
        StrikeGroupOutput {
            strikes: state.strikes.clone(),
            strikes_made: state.made as u8,
            cv_hits: state.hits,
            cv_hits_added: state.hits - self.input.cv.hits,
            cv_status: self.book.carrier.status(state.hits),
            remaining: squadrons.iter().zip(state.left).map(|(squadron, left)| (squadron.id.clone(), left)).collect(),
            aircraft_lost: squadrons.iter().zip(state.left).map(|(squadron, left)| squadron.strength - left).sum(),
        }
    }
}

impl OldProcedure for StrikeGroup {
    type Input = StrikeGroupInput;
    type Output = StrikeGroupOutput;

    fn about(&self) -> About {
        About {
            name: "strike-group",
            help: "Several strike squadrons attack a carrier group one after the other.",
            dice: "striker, anti-aircraft for each strike; none once the group is destroyed",
            input: record(vec![
                req("squadrons", list(striker(), 1, 4), "in striking order"),
                req("cv", cv(), "the carrier group"),
            ]),
            result: record(vec![
                req("strikes", list(strike_result(), 1, 4), "each strike"),
                req("strikes_made", int(1, 4), "strikes flown"),
                req("cv_hits", int(0, 8), "hits the group has now"),
                req("cv_hits_added", int(0, 8), "hits it took"),
                req("cv_status", word(&["operational", "crippled", "destroyed"]), "how it fares"),
                req("remaining", map(int(0, 12), 4), "aircraft left by squadron"),
                req("aircraft_lost", int(0, 48), "aircraft lost"),
            ]),
            rules: &[rule::STRIKE_ATTACK, rule::STRIKE],
        }
    }

    fn check(&self, input: &StrikeGroupInput) -> Result<(), Refusal> {
        check_ids(input.squadrons.iter().map(|squadron| squadron.id.as_str()))?;
        for squadron in &input.squadrons {
            check_markers(squadron.skill, squadron.markers, &squadron.id)?;
        }
        input.cv.check()
    }

    fn run(&self, input: &StrikeGroupInput, ask: &mut impl Ask) -> Result<StrikeGroupOutput, Halt> {
        let wave = Wave { book: &self.0, input, aa: input.cv.aa(&self.0), keep: true };
        let mut state = wave.start();
        while wave.step(&mut state, ask)? == Flow::Continue {}
        Ok(wave.output(&state))
    }

    fn odds(&self, input: &StrikeGroupInput, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Halt> {
        let keep = wanted.is_some_and(|field| field == "strikes" || field.starts_with("strikes."));
        let wave = Wave { book: &self.0, input, aa: input.cv.aa(&self.0), keep };
        // A list of strikes is a state of its own for nearly every roll of the dice: beyond some hundred thousand nobody reads them.
        let budget = if keep { Budget { states: budget.states.min(MOST_LISTS), ..budget } } else { budget };
        let dist = distribution::<_, Exact>(&wave, Dist::certain(wave.start()), budget)?;
        Ok(project(&dist.map(|state| wave.output(state)), wanted))
    }
}

/// So many different lists of strikes are told apart in the odds of one field.
const MOST_LISTS: usize = 200_000;

/// Guns fire at what flies over.
pub struct AaFire(pub Arc<Book>);

#[derive(Deserialize)]
pub struct AaFireInput {
    squadron: AaTarget,
    cv: CvInput,
}

#[derive(Deserialize)]
struct AaTarget {
    id: String,
    kind: Role,
    strength: u8,
    kamikaze: bool,
    stance: Stance,
    skill: Skill,
    markers: Markers,
    aa_stance: Stance,
}

#[derive(PartialEq, Eq, Hash, Serialize)]
pub struct AaFireOutput {
    roll: u8,
    aa_strength: u8,
    shift: i8,
    shift_parts: ShiftParts,
    column: u8,
    hits: u8,
    lost: u8,
    remaining: u8,
    destroyed: bool,
}

impl OldProcedure for AaFire {
    type Input = AaFireInput;
    type Output = AaFireOutput;

    fn about(&self) -> About {
        let squadron = record(vec![
            req("id", text(ID), "name"),
            req("kind", word(&["fighter", "strike", "recce"]), "what it is"),
            req("strength", int(1, 12), "aircraft"),
            or("kamikaze", bool(), false, "whether it is a kamikaze squadron"),
            req("stance", stance(), "how it flies"),
            or("skill", skill(), "none", "its pilots"),
            or("markers", markers(), no_markers(), "markers played"),
            req("aa_stance", stance(), "how the guns fire"),
        ]);
        About {
            name: "aa-fire",
            help: "Guns fire at a squadron over the carrier group outside a strike.",
            dice: "anti-aircraft",
            input: record(vec![
                req("squadron", squadron, "the squadron under fire"),
                req("cv", cv(), "the carrier group"),
            ]),
            result: record(vec![
                req("roll", int(1, 6), "die"),
                req("aa_strength", int(0, 24), "anti-aircraft points"),
                req("shift", int(-20, 20), "sum of the shifts"),
                req("shift_parts", map(int(-20, 20), 12), "the shifts by name"),
                req("column", int(1, 12), "one hit per so many"),
                req("hits", int(0, 24), "hits by the table"),
                req("lost", int(0, 12), "aircraft lost"),
                req("remaining", int(0, 12), "aircraft left"),
                req("destroyed", bool(), "whether nothing is left"),
            ]),
            rules: &[rule::AA_FIRE, rule::R_35, rule::C_2],
        }
    }

    fn check(&self, input: &AaFireInput) -> Result<(), Refusal> {
        let squadron = &input.squadron;
        if squadron.kamikaze && squadron.kind != Role::Strike {
            return Err(Refusal::new("inconsistent", "Kamikaze squadrons are strike aircraft.").by(rule::KAMIKAZE));
        }
        if squadron.kind == Role::Recce && squadron.skill != Skill::None {
            return Err(Refusal::new("inconsistent", "Scouts have no pilot skill.").by(rule::R_53));
        }
        if squadron.kind == Role::Recce && squadron.strength > 1 {
            return Err(Refusal::new(
                "out-of-range",
                "input.squadron.strength must lie between 1 and 1: a reconnaissance squadron has one aircraft.",
            ));
        }
        check_markers(squadron.skill, squadron.markers, &squadron.id)?;
        input.cv.check()
    }

    fn run(&self, input: &AaFireInput, ask: &mut impl Ask) -> Result<AaFireOutput, Halt> {
        let squadron = &input.squadron;
        let target = Striker {
            strength: squadron.strength,
            kamikaze: squadron.kamikaze,
            stance: squadron.stance,
            markers: squadron.markers,
        };
        let flak = self.0.aa_fire(ask, &target, squadron.aa_stance, input.cv.hits, &input.cv.aa(&self.0))?;
        Ok(AaFireOutput {
            roll: flak.roll,
            aa_strength: flak.strength,
            shift: flak.parts.total(),
            shift_parts: flak.parts,
            column: flak.fire.column,
            hits: flak.fire.hits,
            lost: flak.lost,
            remaining: squadron.strength - flak.lost,
            destroyed: flak.lost == squadron.strength,
        })
    }
}
