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
use flagplot_kernel::plane::{self, Point};
use flagplot_kernel::{Ask, Asked, Note, Side, Viewer};
use serde::{Deserialize, Serialize};

/// A sweeper whose Crew Test comes to more than this is not tested for a strike.
pub(in crate::game) const SWEPT_CLEAR: i32 = 8;

/// The density of a field that a ship lays.
const LAID: Density = Density::Medium;

/// How far it has got.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MineStage {
    /// Both sides are asked which of their ships lay a field.
    Lay,
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
        for number in self.fields_met(sea, path) {
            if sea.vessel(id).in_play() {
                self.cross_field(sea, id, number, ask)?;
            }
        }
        Ok(())
    }

    /// The fields that a path enters, each once, in the order in which it meets them. [C-52]
    pub(in crate::game) fn fields_met(&self, sea: &Sea, path: &[Point]) -> Vec<usize> {
        let rules = &self.battle.rules;
        let mut met: Vec<(usize, (i128, i128), usize)> = Vec::new();
        for (number, field) in sea.fields.iter().enumerate().filter(|(_, field)| field.density.is_some()) {
            let corners = field.corners(rules);
            let legs = path.windows(2).enumerate();
            met.extend(legs.filter_map(|(leg, ends)| {
                let [a, b] = ends else { return None };
                Some((leg, plane::entry(*a, *b, &corners)?, number))
            }));
        }
        met.sort_by(|(leg, at, _), (other, there, _)| leg.cmp(other).then((at.0 * there.1).cmp(&(there.0 * at.1))));
        let mut fields: Vec<usize> = Vec::with_capacity(met.len());
        for (_, _, number) in met {
            if !fields.contains(&number) {
                fields.push(number);
            }
        }
        fields
    }

    /// Whether a vessel sweeps mines as she goes, and how she passes through a field. [C-31]
    pub(in crate::game) fn transit(&self, id: VesselId, speed: i32, density: Density) -> (bool, Transit) {
        let model = self.battle.model(id);
        let slow = (1..=self.battle.rules.movement.slow_limit_kn).contains(&speed);
        let sweeps = model.hull == Hull::Ship && model.light_class == LightClass::C && slow;
        let paravanes = model.hull == Hull::Ship && !model.merchant() && model.size() >= 0;
        (sweeps, Transit { density, size: model.size(), paravanes, slow })
    }

    pub(in crate::game) fn mine(&self, column: Column) -> Weapon {
        let (ip, cv) = (self.battle.rules.mine.ip, self.battle.rules.mine.cv);
        Weapon { ip, cv, pen: 0, multiple: 1, direction: Direction::Underwater, column }
    }

    /// One ship enters one field. [C-31]
    fn cross_field(&self, sea: &mut Sea, id: VesselId, number: usize, ask: &mut impl Ask) -> Asked<()> {
        let rules = &self.battle.rules;
        let (member, model) = (self.battle.member(id), self.battle.model(id));
        let Some(density) = sea.fields[number].density else { return Ok(()) };
        let crew_quality = self.crew_quality(sea, id);
        let (sweeps, transit) = self.transit(id, sea.vessel(id).speed, density);
        let boats = model.hull == Hull::Boats;
        sea.fields[number].known = true;
        ask.note(|| {
            let text = format!("{} enters a {density} minefield", member.name);
            Note::new("minefield", text).by(&[rule::C_31, rule::C_52]).pieces([&member.id])
        });
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
        if boats {
            if transit.aim(rules).shoot(ask)?.hit {
                self.thin(sea, number, ask);
                self.lose_vessels(sea, id, 1, ask);
            }
            return Ok(());
        }
        let Some(column) = transit.cross(rules, ask)? else { return Ok(()) };
        self.thin(sea, number, ask);
        self.strike(sea, id, self.mine(column), ask)
    }

    /// Takes a step of density from a field.
    fn thin(&self, sea: &mut Sea, number: usize, ask: &mut impl Ask) {
        let field = &mut sea.fields[number];
        field.density = field.density.and_then(Density::thinned);
        let left = field.density;
        ask.note(|| {
            let text =
                left.map_or_else(|| "The minefield is gone".to_owned(), |left| format!("The minefield is now {left}"));
            Note::new("minefield", text).by(&[rule::C_31]).detail()
        });
    }
}
