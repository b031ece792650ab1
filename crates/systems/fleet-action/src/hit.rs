//! A hit: damage, Wreck Test, fire among aircraft, chances of criticals, criticals.

use crate::armour::{penetrates, protection};
use crate::critical::{Critical, CriticalState, CriticalTable, Harm};
use crate::rule;
use crate::rules::Rules;
use crate::ship::{Condition, Sheet};
use crate::ship_tests::{SecondChance, Sinking, WreckCause, fire_test};
use crate::words::*;
use flagplot_kernel::{Ask, Asked, D20, Flow, Note, Process};

/// A weapon that strikes a ship.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weapon {
    pub ip: i32,
    pub cv: i32,
    pub pen: i32,
    /// Damage and chances are multiplied by this.
    pub multiple: i32,
    pub direction: Direction,
    /// Where it strikes, under water.
    pub column: Column,
}

#[derive(Clone, Copy, Debug)]
pub struct Hit<'a> {
    pub rules: &'a Rules,
    pub sheet: &'a Sheet,
    pub weapon: Weapon,
}

/// How far a hit has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HitState {
    pub ship: Condition,
    /// What else was done.
    pub harm: Harm,
    pub damage: i32,
    pub penetrates: bool,
    pub criticals: i32,
    /// Criticals still to be resolved; `None` before the chances are rolled.
    pub left: Option<i32>,
    /// Fires when the ship was hit.
    pub fires_when_hit: i32,
}

/// Takes damage from structure and the rest from flotation; an air base has structure only.
/// True if a Wreck Test is due: the last point is gone, or there was none and more was lost. [10.2]
pub fn take_damage(sheet: &Sheet, ship: &mut Condition, direction: Direction, damage: i32) -> bool {
    if sheet.is_air_base() {
        ship.s = (ship.s - damage).max(0);
        return damage > 0 && ship.s == 0;
    }
    let to_structure = if direction == Direction::Underwater { 0 } else { damage.min(ship.s) };
    let to_flotation = damage - to_structure;
    ship.s -= to_structure;
    ship.f = (ship.f - to_flotation).max(0);
    to_flotation > 0 && ship.f == 0
}

impl Hit<'_> {
    #[must_use]
    pub fn begin(&self, ship: Condition) -> HitState {
        HitState {
            ship,
            harm: Harm::default(),
            damage: 0,
            penetrates: false,
            criticals: 0,
            left: None,
            fires_when_hit: ship.fires,
        }
    }

    pub fn resolve(&self, ship: Condition, ask: &mut impl Ask) -> Asked<HitState> {
        let mut striking = self.begin(ship);
        while self.step(&mut striking, ask)? == Flow::Continue {}
        Ok(striking)
    }

    /// Damage and everything up to the number of criticals.
    pub fn strike(&self, striking: &mut HitState, ask: &mut impl Ask) -> Asked<()> {
        self.damage(striking, ask);
        let due = take_damage(self.sheet, &mut striking.ship, self.weapon.direction, striking.damage);
        if due {
            striking.ship.status =
                Sinking::of(self.sheet, &striking.ship).wreck_test(self.rules, WreckCause::Damage, ask)?;
        }
        striking.left = Some(0);
        if !striking.ship.afloat() {
            return Ok(());
        }
        self.armed_aircraft(striking, ask)?;
        let chances = ask.pool::<2>(self.weapon.multiple as u32, D20, "chance of a critical", |face| {
            usize::from(i32::from(face) <= self.weapon.cv)
        })?;
        striking.criticals = chances.counts[1] as i32;
        striking.left = Some(striking.criticals);
        ask.note(|| {
            let number = striking.criticals;
            let criticals = if number == 1 { "1 critical".to_owned() } else { format!("{number} criticals") };
            let Weapon { cv, multiple, .. } = self.weapon;
            let text = format!("Chances of a critical: {cv} or less on {multiple} d20: {criticals}");
            Note::new("chances", text).by(&[rule::C_8]).dice(&chances.faces.0).outcome(striking.criticals)
        });
        Ok(())
    }

    /// The armour that a hit meets: the belt, or the deck that is stronger.
    fn armour(&self) -> (Area, i32) {
        let armour = &self.sheet.armour;
        let deck = if armour.flight_deck > armour.deck { Area::FlightDeck } else { Area::Belt };
        let area = if self.weapon.direction == Direction::Horizontal { deck } else { Area::Belt };
        (area, protection(area, self.weapon.direction, armour, 0))
    }

    /// The points that a hit costs, and whether it goes through the armour.
    #[must_use]
    pub fn cost(&self) -> (i32, bool) {
        let Weapon { ip, pen, multiple, direction, .. } = self.weapon;
        let through = pen >= self.armour().1 || direction == Direction::Underwater;
        let full = ip * multiple;
        (if through { full } else { (full + 1) / 2 }, through)
    }

    /// IP times the multiple, halved where the armour holds. [C-8]
    fn damage(&self, striking: &mut HitState, ask: &mut impl Ask) {
        let Weapon { ip, pen, multiple, direction, .. } = self.weapon;
        let (area, ac) = self.armour();
        penetrates(area, pen, ac, direction, ask);
        (striking.damage, striking.penetrates) = self.cost();
        ask.note(|| {
            let halved = if striking.penetrates { "" } else { ", halved by armour" };
            let note = Note::new("damage", format!("Damage: IP {ip} times {multiple}{halved}: {}", striking.damage))
                .by(&[rule::C_8])
                .outcome(striking.damage);
            if direction == Direction::Underwater { note.by(&[rule::R_26]) } else { note }
        });
    }

    /// A hit that pierces the flight deck of a carrier arming aircraft calls for a Fire Test. [C-19]
    fn armed_aircraft(&self, striking: &mut HitState, ask: &mut impl Ask) -> Asked<()> {
        let arming = self.sheet.kind == Kind::Carrier && striking.ship.rearming > 0;
        if arming && self.weapon.direction == Direction::Horizontal && self.weapon.pen >= self.sheet.armour.flight_deck
        {
            ask.note(|| {
                Note::new("deck-fire", "The hit pierces the flight deck while aircraft are being armed")
                    .by(&[rule::C_19])
                    .detail()
            });
            striking.ship.fires += i32::from(fire_test(self.weapon.cv, SecondChance::No, ask)?.success);
        }
        Ok(())
    }
}

impl Process for Hit<'_> {
    type State = HitState;

    /// The damage with all chances, then one critical after the other.
    fn step(&self, striking: &mut HitState, ask: &mut impl Ask) -> Asked<Flow> {
        let left = match striking.left {
            None => {
                self.strike(striking, ask)?;
                striking.left.unwrap_or(0)
            }
            Some(left) => {
                let Weapon { cv, pen, direction, column, .. } = self.weapon;
                let critical = Critical {
                    rules: self.rules,
                    sheet: self.sheet,
                    cv,
                    pen,
                    direction,
                    fires_when_hit: striking.fires_when_hit,
                };
                let table = CriticalTable::of(self.sheet, direction, column);
                (striking.ship, striking.harm) = critical.resolve(striking.ship, striking.harm, table, ask)?;
                left - 1
            }
        };
        striking.left = Some(left);
        let more = left > 0 && striking.ship.afloat();
        if !more {
            striking.left = Some(0);
        }
        Ok(if more { Flow::Continue } else { Flow::Done })
    }
}

/// A ship beside an explosion. [C-18]
#[derive(Clone, Copy, Debug)]
pub struct Blast<'a> {
    pub rules: &'a Rules,
    pub cv: i32,
    pub sheet: &'a Sheet,
    pub distance_mm: i32,
    /// Fires before the explosion.
    pub fires: i32,
}

/// How far an explosion has got with a ship beside it. Once it is over, nothing is left of the critical.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlastState {
    pub hit: bool,
    pub ship: Condition,
    pub harm: Harm,
    critical: Option<CriticalState>,
}

impl BlastState {
    #[must_use]
    pub fn new(ship: Condition) -> Self {
        Self { hit: false, ship, harm: Harm::default(), critical: None }
    }
}

impl Blast<'_> {
    /// Everything the explosion does to the ship.
    pub fn resolve(&self, ship: Condition, ask: &mut impl Ask) -> Asked<BlastState> {
        let mut state = BlastState::new(ship);
        while self.step(&mut state, ask)? == Flow::Continue {}
        Ok(state)
    }

    /// A ship in reach takes a splash marker and rolls whether it is struck.
    fn shake(&self, ship: &mut Condition, ask: &mut impl Ask) -> Asked<bool> {
        ship.splash += 1;
        let struck = ask.roll_as(D20, "collateral damage", |face| i32::from(face) <= self.cv)?;
        ask.note(|| {
            let face = struck.face.unwrap_or(0);
            let word = if struck.read { "struck" } else { "shaken" };
            Note::new("collateral", format!("Collateral damage: {} or less; d20 {face}: {word}", self.cv))
                .by(&[rule::C_18])
                .dice(&[face])
                .outcome(word)
        });
        Ok(struck.read)
    }
}

impl Process for Blast<'_> {
    type State = BlastState;

    /// Whether she is struck, then one roll of her critical after the other.
    fn step(&self, state: &mut BlastState, ask: &mut impl Ask) -> Asked<Flow> {
        let (direction, column) = (Direction::Vertical, Column::Midships);
        let Self { rules, cv, sheet, fires, .. } = *self;
        let critical = Critical { rules, sheet, cv, pen: 0, direction, fires_when_hit: fires };
        let Some(spending) = &mut state.critical else {
            let reached = self.distance_mm <= rules.reach.collateral;
            if !reached || !self.shake(&mut state.ship, ask)? {
                return Ok(Flow::Done);
            }
            state.hit = true;
            let table = CriticalTable::of(sheet, direction, column);
            state.critical = Some(critical.begin(state.ship, state.harm, table));
            return Ok(Flow::Continue);
        };
        let flow = critical.step(spending, ask)?;
        if flow == Flow::Done {
            (state.ship, state.harm, state.critical) = (spending.ship, spending.harm, None);
        }
        Ok(flow)
    }
}
