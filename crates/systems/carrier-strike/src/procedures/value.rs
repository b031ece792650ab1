use super::combat::{SideInput, check_policy, check_sides, side};
use super::strike::CvInput;
use super::*;
use crate::combat::{Line, Striker};
use crate::data::AaTable;
use crate::rule;
use crate::words::Stance;
use dashu_int::IBig;
use dashu_ratio::RBig;
use flagplot_kernel::{Ask, Note};
use flagplot_odds::{Budget, Dist, Equilibrium, Exact, Fraction, enumerate, equilibrium};
use flagplot_referee::{About, Halt, OldProcedure, bool, map, tuple};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Nine cells of two secret stances, what they are worth, and how to play them.
#[derive(Clone, Debug)]
pub struct ValueMatrix {
    /// The figures of each cell by name, with the payoff last.
    pub cells: Vec<Vec<Vec<(&'static str, RBig)>>>,
    /// Value and mixes.
    pub play: Equilibrium<RBig>,
}

/// A fraction as the referee writes it.
pub fn written(value: &RBig) -> String {
    format!("{}/{}", value.numerator(), value.denominator())
}

fn rational(fraction: &Fraction) -> RBig {
    RBig::from_parts(IBig::from(fraction.numerator().clone()), fraction.denominator().clone())
}

fn expectation<T: Eq + std::hash::Hash>(dist: &Dist<T>, of: impl Fn(&T) -> u64) -> RBig {
    rational(&dist.expect(of))
}

fn solve(cells: Vec<Vec<Vec<(&'static str, RBig)>>>) -> ValueMatrix {
    let payoff: Vec<Vec<RBig>> = cells
        .iter()
        .map(|row| row.iter().map(|cell| cell.last().map_or(RBig::ZERO, |(_, payoff)| payoff.clone())).collect())
        .collect();
    ValueMatrix { play: equilibrium(&payoff), cells }
}

/// A stance with its markers, as a side may play them.
pub type Played = (Stance, Markers);

/// Everything pilots of a skill can play.
#[must_use]
pub fn playable(skill: Skill) -> Vec<Played> {
    let due = skill.markers();
    Stance::ALL
        .into_iter()
        .flat_map(|stance| (0..=due).rev().map(move |red| (stance, Markers { red, blue: due - red })))
        .collect()
}

/// What secret plays are worth to the one who chooses the row.
pub fn duel(
    rows: &[Played],
    columns: &[Played],
    cell: impl Fn(Played, Played) -> Vec<(&'static str, RBig)>,
) -> ValueMatrix {
    solve(rows.iter().map(|own| columns.iter().map(|enemy| cell(*own, *enemy)).collect()).collect())
}

/// What the stances of a combat are worth to the first side, a forced break-off being worth `weight` aircraft.
pub fn stance_matrix(book: &Book, first: &Line, second: &Line, weight: &RBig) -> ValueMatrix {
    let plain = |line: &Line| Stance::ALL.map(|stance| (stance, line.markers));
    stance_duel(book, first, second, &plain(first), &plain(second), weight)
}

/// The same with markers to be chosen too.
pub fn stance_duel(
    book: &Book,
    first: &Line,
    second: &Line,
    rows: &[Played],
    columns: &[Played],
    weight: &RBig,
) -> ValueMatrix {
    duel(rows, columns, |own, enemy| {
        let (first, second) =
            (Line { stance: own.0, markers: own.1, ..*first }, Line { stance: enemy.0, markers: enemy.1, ..*second });
        let dist = enumerate::<_, Exact>(Budget::default(), |ask| {
            book.air_combat(ask, &first, &second, [&"", &""], [&"", &""])
        })
        .expect("two dice are within any budget");
        let figures = [
            expectation(&dist, |clash| clash.second.lost.into()),
            expectation(&dist, |clash| clash.first.lost.into()),
            expectation(&dist, |clash| clash.second.breaks_off.into()),
            expectation(&dist, |clash| clash.first.breaks_off.into()),
        ];
        let payoff = &figures[0] - &figures[1] + weight * (&figures[2] - &figures[3]);
        let mut named: Vec<_> =
            ["second_lost", "first_lost", "second_breaks_off", "first_breaks_off"].into_iter().zip(figures).collect();
        named.push(("payoff", payoff));
        named
    })
}

/// The same on a scale of one's own: `worth` is told the hits after the strike and the aircraft lost, and gives what that is
/// worth and what it costs.
pub fn strike_matrix_by(
    book: &Book,
    striker: &Striker,
    hits: u8,
    aa: &AaTable,
    worth: impl Fn(u8, u8) -> (i64, i64),
) -> ValueMatrix {
    let cell = |own, enemy| {
        let striker = Striker { stance: own, ..*striker };
        let dist = enumerate::<_, Exact>(Budget::default(), |ask| {
            let result = book.strike(ask, &striker, enemy, hits, aa)?;
            Ok((result.cv_hits, striker.strength - result.squadron_strength))
        })
        .expect("two dice are within any budget");
        let gain = expectation(&dist, |(after, lost)| worth(*after, *lost).0.unsigned_abs());
        let cost = expectation(&dist, |(after, lost)| worth(*after, *lost).1.unsigned_abs());
        vec![("payoff", gain - cost)]
    };
    solve(Stance::ALL.map(|own| Stance::ALL.map(|enemy| cell(own, enemy)).to_vec()).to_vec())
}

/// What the stances of a strike are worth to the striker, a step of the carrier group being worth `weight` aircraft.
pub fn strike_matrix(book: &Book, striker: &Striker, hits: u8, aa: &AaTable, weight: &RBig) -> ValueMatrix {
    strike_duel(book, striker, &Stance::ALL.map(|stance| (stance, striker.markers)), hits, aa, weight)
}

/// The same with markers to be chosen too; gunners have none.
pub fn strike_duel(
    book: &Book,
    striker: &Striker,
    rows: &[Played],
    hits: u8,
    aa: &AaTable,
    weight: &RBig,
) -> ValueMatrix {
    duel(rows, &playable(Skill::None), |own, (enemy, _)| {
        let striker = Striker { stance: own.0, markers: own.1, ..*striker };
        let dist = enumerate::<_, Exact>(Budget::default(), |ask| book.strike(ask, &striker, enemy, hits, aa))
            .expect("two dice are within any budget");
        let steps = expectation(&dist, |result| (result.cv_hits - hits).into());
        let lost = expectation(&dist, |result| (striker.strength - result.squadron_strength).into());
        let broken = expectation(&dist, |result| result.broken_off.into());
        let payoff = weight * &steps - &lost;
        vec![("cv_hits", steps), ("aircraft_lost", lost), ("broken_off", broken), ("payoff", payoff)]
    })
}

/// What flak outside a strike costs the squadron under fire, who chooses the row.
pub fn flak_duel(book: &Book, target: &Striker, rows: &[Played], hits: u8, aa: &AaTable) -> ValueMatrix {
    duel(rows, &playable(Skill::None), |own, (enemy, _)| {
        let target = Striker { stance: own.0, markers: own.1, ..*target };
        let dist = enumerate::<_, Exact>(Budget::default(), |ask| book.aa_fire(ask, &target, enemy, hits, aa))
            .expect("one die is within any budget");
        let lost = expectation(&dist, |flak| flak.lost.into());
        vec![("aircraft_lost", lost.clone()), ("payoff", -lost)]
    })
}

/// Finding something with secret numbers: the chance that it is found, the searcher choosing the row.
pub fn search_duel(book: &Book, column: crate::detection::Column) -> Equilibrium<RBig> {
    let found = |own: u8, enemy: u8| if book.finds(column, own + enemy) { RBig::ONE } else { RBig::ZERO };
    equilibrium(&(1..=4).map(|own| (1..=4).map(|enemy| found(own, enemy)).collect()).collect::<Vec<Vec<RBig>>>())
}

type Cells = BTreeMap<Stance, BTreeMap<Stance, BTreeMap<&'static str, String>>>;
type Mix = BTreeMap<Stance, String>;

fn mix(shares: &[RBig]) -> Mix {
    Stance::ALL.into_iter().zip(shares.iter().map(written)).collect()
}

impl ValueMatrix {
    fn written(&self) -> Cells {
        let row = |row: &Vec<Vec<(&'static str, RBig)>>| {
            Stance::ALL
                .into_iter()
                .zip(row.iter().map(|cell| cell.iter().map(|(name, value)| (*name, written(value))).collect()))
                .collect()
        };
        Stance::ALL.into_iter().zip(self.cells.iter().map(row)).collect()
    }
}

fn weight(given: &[i64; 2]) -> RBig {
    RBig::from_parts(IBig::from(given[0]), dashu_int::UBig::from(given[1].unsigned_abs().max(1)))
}

fn weight_shape() -> Shape {
    tuple(vec![int(0, 1_000_000), int(1, 1_000_000)])
}

fn cells_shape() -> Shape {
    map(map(map(text(200), 5), 3), 3)
}

/// What the stances of a combat are worth.
pub struct StanceValue(pub Arc<Book>);

#[derive(Deserialize)]
pub struct StanceValueInput {
    first: SideInput,
    second: SideInput,
    break_off_weight: [i64; 2],
}

#[derive(PartialEq, Eq, Hash, Serialize)]
pub struct StanceValueOutput {
    cells: Cells,
    value: String,
    first_mix: Mix,
    second_mix: Mix,
}

fn note(ask: &mut impl Ask, value: &str) {
    ask.note(|| {
        Note::new("equilibrium", format!("Nine pairs of stances, all dice counted; the value is {value}."))
            .by(&[rule::AIR_COMBAT, rule::C_1])
            .outcome(value)
    });
}

impl OldProcedure for StanceValue {
    type Input = StanceValueInput;
    type Output = StanceValueOutput;

    fn about(&self) -> About {
        let side = || side(opt("stance", stance(), "not to be given: every stance is tried"));
        About {
            name: "stance-value",
            help: "What every pair of stances is worth in a combat, and how to mix them.",
            dice: "none",
            input: record(vec![
                req("first", side(), "the attacking side"),
                req("second", side(), "the other side"),
                or(
                    "break_off_weight",
                    weight_shape(),
                    json!([1, 1]),
                    "aircraft a forced break-off is worth, as a fraction",
                ),
            ]),
            result: record(vec![
                req("cells", cells_shape(), "figures by own and enemy stance"),
                req("value", text(200), "what the first side can make sure of, in aircraft"),
                req("first_mix", map(text(200), 3), "shares of the stances"),
                req("second_mix", map(text(200), 3), "shares of the stances"),
            ]),
            rules: &[rule::AIR_COMBAT, rule::BREAK_OFF, rule::C_1],
        }
    }

    fn check(&self, input: &StanceValueInput) -> Result<(), Refusal> {
        check_sides(&input.first, &input.second)?;
        if input.first.stance.is_some() || input.second.stance.is_some() {
            return Err(Refusal::new("inconsistent", "stance-value tries every stance; none may be given."));
        }
        check_policy([&input.first, &input.second])
    }

    fn run(&self, input: &StanceValueInput, ask: &mut impl Ask) -> Result<StanceValueOutput, Halt> {
        let facts = |side: &SideInput| {
            side.squadrons.iter().map(|squadron| (squadron.strength, squadron.rl)).collect::<Vec<_>>()
        };
        let (first, second) = (facts(&input.first), facts(&input.second));
        let line = |side: &SideInput, squadrons| Line {
            role: side.kind,
            squadrons,
            stance: Stance::Instinctive,
            markers: side.markers,
        };
        let matrix = stance_matrix(
            &self.0,
            &line(&input.first, &first),
            &line(&input.second, &second),
            &weight(&input.break_off_weight),
        );
        let value = written(&matrix.play.value);
        note(ask, &value);
        Ok(StanceValueOutput {
            cells: matrix.written(),
            value,
            first_mix: mix(&matrix.play.rows),
            second_mix: mix(&matrix.play.columns),
        })
    }
}

/// What the stances of a strike are worth.
pub struct StrikeValue(pub Arc<Book>);

#[derive(Deserialize)]
pub struct StrikeValueInput {
    strength: u8,
    kamikaze: bool,
    cv: CvInput,
    hit_weight: [i64; 2],
}

#[derive(PartialEq, Eq, Hash, Serialize)]
pub struct StrikeValueOutput {
    cells: Cells,
    value: String,
    striker_mix: Mix,
    aa_mix: Mix,
}

impl OldProcedure for StrikeValue {
    type Input = StrikeValueInput;
    type Output = StrikeValueOutput;

    fn about(&self) -> About {
        About {
            name: "strike-value",
            help: "What every pair of stances is worth in a strike, and how to mix them.",
            dice: "none",
            input: record(vec![
                req("strength", int(1, 12), "aircraft"),
                or("kamikaze", bool(), false, "whether it is a kamikaze squadron"),
                req("cv", cv(), "the carrier group"),
                or("hit_weight", weight_shape(), json!([3, 1]), "aircraft a step of the group is worth, as a fraction"),
            ]),
            result: record(vec![
                req("cells", cells_shape(), "figures by the striker's and the guns' stance"),
                req("value", text(200), "what the striker can make sure of, in aircraft"),
                req("striker_mix", map(text(200), 3), "shares of the stances"),
                req("aa_mix", map(text(200), 3), "shares of the stances"),
            ]),
            rules: &[rule::STRIKE_ATTACK, rule::C_1, rule::C_2],
        }
    }

    fn check(&self, input: &StrikeValueInput) -> Result<(), Refusal> {
        input.cv.check()
    }

    fn run(&self, input: &StrikeValueInput, ask: &mut impl Ask) -> Result<StrikeValueOutput, Halt> {
        let striker = Striker {
            strength: input.strength,
            kamikaze: input.kamikaze,
            stance: Stance::Instinctive,
            markers: Markers::default(),
        };
        let matrix = strike_matrix(&self.0, &striker, input.cv.hits, &input.cv.aa(&self.0), &weight(&input.hit_weight));
        let value = written(&matrix.play.value);
        note(ask, &value);
        Ok(StrikeValueOutput {
            cells: matrix.written(),
            value,
            striker_mix: mix(&matrix.play.rows),
            aa_mix: mix(&matrix.play.columns),
        })
    }
}
