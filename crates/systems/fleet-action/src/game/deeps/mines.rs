//! Mines laid, struck and swept. [6.2, C-31]

use super::laying::Laying;
use crate::data::Module;
use crate::game::FleetGame;
use crate::game::battle::Hull;
use crate::game::state::{Field, Level, Sea, State, VesselId};
use crate::game::turn::Stop;
use crate::geometry::Position;
use crate::hit::Weapon;
use crate::mines_and_submarines::Transit;
use crate::rule;
use crate::rules::Rules;
use crate::ship_tests::crew_test;
use crate::words::*;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Ask, Asked, Note, Side, Viewer};
use serde::{Deserialize, Serialize};

/// A sweeper whose Crew Test comes to more than this is not tested for a strike.
const SWEPT_CLEAR: i32 = 8;

/// The density of a field that a ship lays.
const LAID: Density = Density::Medium;

/// How far it has got.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MineStage {
    /// Both sides are asked which of their ships lay a field.
    Lay,
}

/// One step less of a density; nothing is left of a light field.
fn thinned(density: Density) -> Option<Density> {
    match density {
        Density::Heavy => Some(Density::Medium),
        Density::Medium => Some(Density::Light),
        Density::Light => None,
    }
}

impl Field {
    /// A field across the wake of a ship. [9.1]
    #[must_use]
    pub fn astern_of(side: Side, ship: Position, density: Density) -> Field {
        let at = Position { at: ship.at, heading: ship.heading.turned(90) };
        Field { side, at, density: Some(density), known: false }
    }

    /// Its four corners, in order.
    #[must_use]
    pub fn corners(&self, rules: &Rules) -> [Point; 4] {
        let (long, wide) = (i64::from(rules.mine.field_length_mm) / 2, i64::from(rules.mine.field_width_mm) / 2);
        let run =
            |from: Position, turn: i32, mm: i64| Position { heading: from.heading.turned(turn), ..from }.ahead(mm).at;
        let corner = |along: i32, across: i32| {
            let end = Position { at: run(self.at, along, long), ..self.at };
            run(end, across, wide).point()
        };
        [corner(0, -90), corner(0, 90), corner(180, 90), corner(180, -90)]
    }
}

/// Where a segment enters a convex polygon from outside, as a share of its length; nothing if it does not.
fn entry(a: Point, b: Point, corners: &[Point; 4]) -> Option<(i128, i128)> {
    let side = |from: Point, to: Point, at: Point| {
        let (edge, off) = (to - from, at - from);
        i128::from(edge.x) * i128::from(off.y) - i128::from(edge.y) * i128::from(off.x)
    };
    // Inside is to the right of every edge, which run clockwise.
    let edges = corners.iter().zip(corners.iter().cycle().skip(1));
    let sides = edges.map(|(from, to)| (-side(*from, *to, a), -side(*from, *to, b)));
    let (mut enters, mut leaves) = ((0, 1), (1, 1));
    let mut outside = false;
    let less = |p: (i128, i128), q: (i128, i128)| p.0 * q.1 < q.0 * p.1;
    for (begins, ends) in sides {
        match (begins < 0, ends < 0) {
            (true, true) => return None,
            (true, false) => {
                outside = true;
                let at = (-begins, ends - begins);
                enters = if less(enters, at) { at } else { enters };
            }
            (false, true) => {
                let at = (begins, begins - ends);
                leaves = if less(at, leaves) { at } else { leaves };
            }
            (false, false) => {}
        }
    }
    (outside && !less(leaves, enters)).then_some(enters)
}

impl FleetGame {
    /// Everybody knows which ships began with mines, so those are asked as long as they are slow enough. [C-52]
    pub(in crate::game) fn begin_mines(&self, sea: &mut Sea) -> Option<MineStage> {
        let asked = |side: Side| Laying { game: self, sea, side }.ships().next().is_some();
        (self.battle.uses(Module::Mines) && Side::BOTH.into_iter().any(asked)).then_some(MineStage::Lay)
    }

    pub(in crate::game) fn step_mines(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        let sides = Side::BOTH.into_iter().map(|side| Laying { game: self, sea: &state.sea, side });
        let sheets: Vec<Laying<'_>> = sides.filter(|laying| laying.ships().next().is_some()).collect();
        let answers = ask.in_secret(&sheets)?;
        let ships: Vec<VesselId> =
            sheets.iter().zip(&answers).flat_map(|(sheet, answer)| sheet.read(answer).unwrap_or_default()).collect();
        for ship in ships {
            let member = self.battle.member(ship);
            let field = Field::astern_of(member.side, state.sea.vessel(ship).at, LAID);
            state.sea.fields.push(field);
            state.sea.vessel_mut(ship).mines -= 1;
            ask.note(|| {
                Note::new("mines-laid", format!("{} lays a minefield", member.name))
                    .by(&[rule::S6_2, rule::C_31])
                    .pieces([&member.id])
                    .only(Viewer::Seat(member.side.into()))
            });
        }
        self.after(Stop::Mines, state);
        Ok(())
    }

    /// Tests a move along a path against every field that it enters, in the order in which it meets them. A move that
    /// begins inside a field does not enter it. Vessels under water and those out of play are not tested.
    pub(in crate::game) fn cross_fields(
        &self,
        sea: &mut Sea,
        id: VesselId,
        path: &[Point],
        ask: &mut impl Ask,
    ) -> Asked<()> {
        if sea.fields.iter().all(|field| field.density.is_none()) || sea.vessel(id).level != Level::Surfaced {
            return Ok(());
        }
        let rules = &self.battle.rules;
        let mut met: Vec<(usize, (i128, i128), usize)> = Vec::new();
        for (number, field) in sea.fields.iter().enumerate().filter(|(_, field)| field.density.is_some()) {
            let corners = field.corners(rules);
            let legs = path.windows(2).enumerate();
            met.extend(legs.filter_map(|(leg, ends)| {
                let [a, b] = ends else { return None };
                Some((leg, entry(*a, *b, &corners)?, number))
            }));
        }
        met.sort_by(|(leg, at, _), (other, there, _)| leg.cmp(other).then((at.0 * there.1).cmp(&(there.0 * at.1))));
        for (_, _, number) in met {
            if sea.vessel(id).in_play() {
                self.cross_field(sea, id, number, ask)?;
            }
        }
        Ok(())
    }

    /// One ship enters one field. [C-31]
    fn cross_field(&self, sea: &mut Sea, id: VesselId, number: usize, ask: &mut impl Ask) -> Asked<()> {
        let rules = &self.battle.rules;
        let (member, model) = (self.battle.member(id), self.battle.model(id));
        let Some(density) = sea.fields[number].density else { return Ok(()) };
        let vessel = sea.vessel(id);
        let crew_quality = vessel.now.crew_quality;
        let slow = (1..=rules.movement.slow_limit_kn).contains(&vessel.speed);
        let boats = model.hull == Hull::Boats;
        sea.fields[number].known = true;
        ask.note(|| {
            let text = format!("{} enters a {density} minefield", member.name);
            Note::new("minefield", text).by(&[rule::C_31, rule::C_52]).pieces([&member.id])
        });
        let sweeps = model.hull == Hull::Ship && model.light_class == LightClass::C && slow;
        if sweeps {
            let test = crew_test(rules, "Crew Test to sweep mines", crew_quality);
            let (total, passed) = test.roll_total(ask)?;
            if passed {
                self.thin(sea, number, ask);
            }
            if total > SWEPT_CLEAR {
                return Ok(());
            }
        }
        let paravanes = model.hull == Hull::Ship && !model.merchant() && model.size() >= 0;
        let transit = Transit { density, size: model.size(), paravanes, slow };
        if boats {
            if transit.aim(rules).shoot(ask)?.hit {
                self.thin(sea, number, ask);
                self.lose_vessels(sea, id, 1, ask);
            }
            return Ok(());
        }
        let Some(column) = transit.cross(rules, ask)? else { return Ok(()) };
        self.thin(sea, number, ask);
        let (ip, cv) = (rules.mine.ip, rules.mine.cv);
        let weapon = Weapon { ip, cv, pen: 0, multiple: 1, direction: Direction::Underwater, column };
        self.strike(sea, id, weapon, ask)
    }

    /// Takes a step of density from a field.
    fn thin(&self, sea: &mut Sea, number: usize, ask: &mut impl Ask) {
        let field = &mut sea.fields[number];
        field.density = field.density.and_then(thinned);
        let left = field.density;
        ask.note(|| {
            let text =
                left.map_or_else(|| "The minefield is gone".to_owned(), |left| format!("The minefield is now {left}"));
            Note::new("minefield", text).by(&[rule::C_31]).detail()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(a: [i64; 2], b: [i64; 2]) -> Option<(i128, i128)> {
        let corners = [Point::new(-10, 10), Point::new(10, 10), Point::new(10, -10), Point::new(-10, -10)];
        entry(a.into(), b.into(), &corners)
    }

    #[test]
    fn a_path_enters_a_field_only_from_outside() {
        assert_eq!(share([-30, 0], [10, 0]).map(|(n, d)| 4 * n == 2 * d), Some(true), "half way");
        assert_eq!(share([0, 0], [30, 0]), None, "it begins inside");
        assert_eq!(share([-30, 0], [-20, 0]), None, "it ends before the edge");
        assert_eq!(share([-30, 20], [30, 20]), None, "it passes by");
        assert!(share([-30, 10], [30, 10]).is_some(), "it runs along the edge");
        assert!(share([-30, -20], [-5, 30]).is_none(), "it cuts the corner outside");
        assert!(share([-15, 0], [0, 15]).is_some(), "it cuts the corner inside");
    }

    #[test]
    fn a_field_loses_one_step_at_a_time() {
        let steps = std::iter::successors(Some(Density::Heavy), |density| thinned(*density));
        assert_eq!(steps.collect::<Vec<_>>(), [Density::Heavy, Density::Medium, Density::Light]);
    }
}
