use super::combat::{Force, check_policy, check_sides};
use super::strike::CvInput;
use crate::combat::Striker;
use crate::data::Rules;
use crate::duels::{Cell, ValueMatrix, stance_matrix, strike_matrix, written};
use crate::rule;
use crate::words::Stance;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use flagplot_kernel::{Ask, Asked, Note, Refusal, Rule};
use flagplot_referee::{Procedure, Shape, Shaped, map};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

type Cells = BTreeMap<Stance, BTreeMap<Stance, BTreeMap<&'static str, String>>>;
type Mix = BTreeMap<Stance, String>;

fn by_stance<T>(values: impl Iterator<Item = T>) -> BTreeMap<Stance, T> {
    Stance::ALL.iter().copied().zip(values).collect()
}

fn mix(shares: &[RBig]) -> Mix {
    by_stance(shares.iter().map(written))
}

fn cells(matrix: &ValueMatrix) -> Cells {
    let cell = |cell: &Cell| cell.iter().map(|(name, value)| (*name, written(value))).collect();
    by_stance(matrix.cells.iter().map(|row| by_stance(row.iter().map(cell))))
}

/// A fraction, above and below the line.
#[derive(Deserialize, Serialize, Shaped)]
struct Weight(#[shape(0..=1_000_000)] u64, #[shape(1..=1_000_000)] u64);

impl Weight {
    fn value(&self) -> RBig {
        RBig::from_parts(IBig::from(self.0), UBig::from(self.1.max(1)))
    }
}

fn cells_shape() -> Shape {
    map(map(map(written_shape(), 5), 3), 3)
}

fn mix_shape() -> Shape {
    map(written_shape(), 3)
}

fn written_shape() -> Shape {
    String::shape().chars(200)
}

fn note(ask: &mut impl Ask, value: &str) {
    ask.note(|| {
        Note::new("equilibrium", format!("Nine pairs of stances, all dice counted; the value is {value}."))
            .by(&[rule::AIR_COMBAT, rule::C_1])
            .outcome(value)
    });
}

#[derive(Deserialize, Shaped)]
struct SideInput {
    #[serde(flatten)]
    force: Force,
    /// Not to be given: every stance is tried.
    stance: Option<Stance>,
}

#[derive(Deserialize, Shaped)]
pub struct StanceValueInput {
    /// The attacking side.
    first: SideInput,
    /// The other side.
    second: SideInput,
    /// Aircraft a forced break-off is worth, as a fraction.
    #[shape(or = [1, 1])]
    break_off_weight: Weight,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct StanceValueOutput {
    /// Figures by own and enemy stance.
    #[shape(with = cells_shape())]
    cells: Cells,
    /// What the first side can make sure of, in aircraft.
    #[shape(with = written_shape())]
    value: String,
    /// Shares of the first side's stances.
    #[shape(with = mix_shape())]
    first_mix: Mix,
    /// Shares of the second side's stances.
    #[shape(with = mix_shape())]
    second_mix: Mix,
}

/// What the stances of a combat are worth.
pub struct StanceValue(pub Arc<Rules>);

impl Procedure for StanceValue {
    const NAME: &'static str = "stance-value";
    const HELP: &'static str = "What every pair of stances is worth in a combat, and how to mix them.";
    const DICE: &'static str = "none";
    const RULES: &'static [Rule] = &[rule::AIR_COMBAT, rule::BREAK_OFF, rule::C_1];
    type Input = StanceValueInput;
    type Facts = StanceValueInput;
    type Output = StanceValueOutput;

    fn read(&self, input: StanceValueInput) -> Result<StanceValueInput, Refusal> {
        let StanceValueInput { first, second, .. } = &input;
        let mut reasons = check_sides(&first.force, &second.force);
        if first.stance.is_some() || second.stance.is_some() {
            reasons.push(Refusal::new("inconsistent", "stance-value tries every stance; none may be given."));
        }
        reasons.extend(check_policy([&first.force, &second.force]).err());
        Refusal::all(reasons).map(|()| input)
    }

    fn run(&self, input: &StanceValueInput, ask: &mut impl Ask) -> Asked<StanceValueOutput> {
        let (first, second) = (&input.first.force, &input.second.force);
        let squadrons = [first.squadrons(), second.squadrons()];
        let matrix = stance_matrix(
            &self.0,
            &first.line(&squadrons[0], Stance::Instinctive),
            &second.line(&squadrons[1], Stance::Instinctive),
            &input.break_off_weight.value(),
        );
        let value = written(&matrix.play.value);
        note(ask, &value);
        Ok(StanceValueOutput {
            cells: cells(&matrix),
            value,
            first_mix: mix(&matrix.play.rows),
            second_mix: mix(&matrix.play.columns),
        })
    }
}

#[derive(Deserialize, Shaped)]
pub struct StrikeValueInput {
    /// Aircraft.
    #[shape(1..=12)]
    strength: u8,
    /// Whether it is a kamikaze squadron.
    #[shape(or = false)]
    kamikaze: bool,
    /// The carrier group.
    cv: CvInput,
    /// Aircraft a step of the group is worth, as a fraction.
    #[shape(or = [3, 1])]
    hit_weight: Weight,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct StrikeValueOutput {
    /// Figures by the striker's and the guns' stance.
    #[shape(with = cells_shape())]
    cells: Cells,
    /// What the striker can make sure of, in aircraft.
    #[shape(with = written_shape())]
    value: String,
    /// Shares of the striker's stances.
    #[shape(with = mix_shape())]
    striker_mix: Mix,
    /// Shares of the guns' stances.
    #[shape(with = mix_shape())]
    aa_mix: Mix,
}

/// What the stances of a strike are worth.
pub struct StrikeValue(pub Arc<Rules>);

impl Procedure for StrikeValue {
    const NAME: &'static str = "strike-value";
    const HELP: &'static str = "What every pair of stances is worth in a strike, and how to mix them.";
    const DICE: &'static str = "none";
    const RULES: &'static [Rule] = &[rule::STRIKE_ATTACK, rule::C_1, rule::C_2];
    type Input = StrikeValueInput;
    type Facts = StrikeValueInput;
    type Output = StrikeValueOutput;

    fn read(&self, input: StrikeValueInput) -> Result<StrikeValueInput, Refusal> {
        input.cv.check().map_or(Ok(input), Err)
    }

    fn run(&self, input: &StrikeValueInput, ask: &mut impl Ask) -> Asked<StrikeValueOutput> {
        let striker = Striker::plain(input.strength, input.kamikaze);
        let matrix = strike_matrix(&self.0, &striker, &input.cv.guns(&self.0), &input.hit_weight.value());
        let value = written(&matrix.play.value);
        note(ask, &value);
        Ok(StrikeValueOutput {
            cells: cells(&matrix),
            value,
            striker_mix: mix(&matrix.play.rows),
            aa_mix: mix(&matrix.play.columns),
        })
    }
}
