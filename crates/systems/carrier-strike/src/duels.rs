//! What secret choices made at the same moment are worth, all dice counted, and how to mix them.

use crate::combat::{Guns, Line, Striker};
use crate::data::Rules;
use crate::detection::Column;
use crate::words::{Markers, Skill, Stance};
use dashu_int::IBig;
use dashu_ratio::RBig;
use flagplot_kernel::Asked;
use flagplot_odds::{Budget, Dist, Enumerator, Equilibrium, Exact, Fraction, enumerate, equilibrium};
use std::hash::Hash;

/// The figures of a pair of plays by name, with the payoff last.
pub type Cell = Vec<(&'static str, RBig)>;

/// Pairs of secret plays, what they are worth to the side that chooses the row, and how to play them.
#[derive(Clone, Debug)]
pub struct ValueMatrix {
    pub cells: Vec<Vec<Cell>>,
    pub play: Equilibrium<RBig>,
}

/// A stance with its markers, as a side may play them.
pub type Played = (Stance, Markers);

/// A fraction as the referee writes it.
pub fn written(value: &RBig) -> String {
    format!("{}/{}", value.numerator(), value.denominator())
}

pub fn rational(fraction: &Fraction) -> RBig {
    RBig::from_parts(IBig::from(fraction.numerator().clone()), fraction.denominator().clone())
}

fn expectation<T: Eq + Hash>(dist: &Dist<T>, of: impl Fn(&T) -> u64) -> RBig {
    rational(&dist.expect(of))
}

fn exact<T: Eq + Hash>(run: impl FnMut(&mut Enumerator<Exact>) -> Asked<T>) -> Dist<T> {
    enumerate(Budget::default(), run).expect("two dice are within any budget")
}

/// Everything pilots of a skill can play.
pub fn playable(skill: Skill) -> Vec<Played> {
    let due = skill.markers();
    let played = |stance: &Stance| {
        let stance = *stance;
        (0..=due).rev().map(move |red| (stance, Markers { red, blue: due - red }))
    };
    Stance::ALL.iter().flat_map(played).collect()
}

/// Every stance with the same markers.
fn stances(markers: Markers) -> Vec<Played> {
    Stance::ALL.iter().map(|stance| (*stance, markers)).collect()
}

fn duel(rows: &[Played], columns: &[Played], cell: impl Fn(Played, Played) -> Cell) -> ValueMatrix {
    let row = |own: &Played| columns.iter().map(|enemy| cell(*own, *enemy)).collect();
    let cells: Vec<Vec<Cell>> = rows.iter().map(row).collect();
    let payoff = |cell: &Cell| cell.last().map_or(RBig::ZERO, |(_, payoff)| payoff.clone());
    let payoffs: Vec<Vec<RBig>> = cells.iter().map(|row| row.iter().map(payoff).collect()).collect();
    ValueMatrix { play: equilibrium(&payoffs), cells }
}

/// What the stances of a combat are worth to the first side, a forced break-off being worth `weight` aircraft.
pub fn stance_matrix(rules: &Rules, first: &Line, second: &Line, weight: &RBig) -> ValueMatrix {
    stance_duel(rules, first, second, [&stances(first.markers), &stances(second.markers)], weight)
}

/// The same with markers to be chosen too.
pub fn stance_duel(
    rules: &Rules,
    first: &Line,
    second: &Line,
    [rows, columns]: [&[Played]; 2],
    weight: &RBig,
) -> ValueMatrix {
    duel(rows, columns, |own, enemy| {
        let first = Line { stance: own.0, markers: own.1, ..*first };
        let second = Line { stance: enemy.0, markers: enemy.1, ..*second };
        let dist = exact(|ask| rules.air_combat(ask, &first, &second, [&"", &""], [&"", &""]));
        let figures = [
            expectation(&dist, |clash| clash.second.lost.into()),
            expectation(&dist, |clash| clash.first.lost.into()),
            expectation(&dist, |clash| clash.second.breaks_off.into()),
            expectation(&dist, |clash| clash.first.breaks_off.into()),
        ];
        let payoff = &figures[0] - &figures[1] + weight * (&figures[2] - &figures[3]);
        let names = ["second_lost", "first_lost", "second_breaks_off", "first_breaks_off"];
        names.into_iter().zip(figures).chain([("payoff", payoff)]).collect()
    })
}

/// What the stances of a strike are worth on a scale of the caller's: `worth` is told the hits after the strike and
/// the aircraft lost, and gives what that gains and what it costs.
pub fn strike_matrix_by(
    rules: &Rules,
    striker: &Striker,
    guns: &Guns,
    worth: impl Fn(u8, u8) -> (i64, i64),
) -> ValueMatrix {
    duel(&stances(striker.markers), &playable(Skill::None), |(stance, _), (enemy, _)| {
        let striker = Striker { stance, ..*striker };
        let dist = exact(|ask| {
            let result = rules.strike(ask, &striker, enemy, guns)?;
            Ok((result.cv_hits, striker.strength - result.squadron_strength))
        });
        let gain = expectation(&dist, |(after, lost)| worth(*after, *lost).0.unsigned_abs());
        let cost = expectation(&dist, |(after, lost)| worth(*after, *lost).1.unsigned_abs());
        vec![("payoff", gain - cost)]
    })
}

/// What the stances of a strike are worth to the striker, a step of the carrier group being worth `weight` aircraft.
pub fn strike_matrix(rules: &Rules, striker: &Striker, guns: &Guns, weight: &RBig) -> ValueMatrix {
    strike_duel(rules, striker, &stances(striker.markers), guns, weight)
}

/// The same with markers to be chosen too; gunners have none.
pub fn strike_duel(rules: &Rules, striker: &Striker, rows: &[Played], guns: &Guns, weight: &RBig) -> ValueMatrix {
    duel(rows, &playable(Skill::None), |(stance, markers), (enemy, _)| {
        let striker = Striker { stance, markers, ..*striker };
        let dist = exact(|ask| rules.strike(ask, &striker, enemy, guns));
        let steps = expectation(&dist, |result| (result.cv_hits - guns.hits).into());
        let lost = expectation(&dist, |result| (striker.strength - result.squadron_strength).into());
        let broken = expectation(&dist, |result| result.broken_off.into());
        let payoff = weight * &steps - &lost;
        vec![("cv_hits", steps), ("aircraft_lost", lost), ("broken_off", broken), ("payoff", payoff)]
    })
}

/// What flak outside a strike costs the squadron under fire, which chooses the row.
pub fn flak_duel(rules: &Rules, target: &Striker, rows: &[Played], guns: &Guns) -> ValueMatrix {
    duel(rows, &playable(Skill::None), |(stance, markers), (enemy, _)| {
        let target = Striker { stance, markers, ..*target };
        let lost = expectation(&exact(|ask| rules.aa_fire(ask, &target, enemy, guns)), |flak| flak.lost.into());
        vec![("aircraft_lost", lost.clone()), ("payoff", -lost)]
    })
}

/// A search with secret numbers: the chance that it finds its target, the searcher choosing the row.
pub fn search_duel(rules: &Rules, column: Column) -> Equilibrium<RBig> {
    let found = |own: u8, enemy: u8| if rules.finds(column, own + enemy) { RBig::ONE } else { RBig::ZERO };
    equilibrium(&(1..=4).map(|own| (1..=4).map(|enemy| found(own, enemy)).collect()).collect::<Vec<Vec<RBig>>>())
}
