//! What armour protects from which direction. [10.4]

use crate::rule;
use crate::ship::{Armour, GunMount};
use crate::words::*;
use flagplot_kernel::{Ask, Asked, D10, Note};

/// The armour class of an area against a direction; `mount` is that of the turret or casemate in question.
#[must_use]
pub fn protection(area: Area, direction: Direction, armour: &Armour, mount: i32) -> i32 {
    match (direction, area) {
        (Direction::Underwater, _) | (_, Area::None) | (Direction::Vertical, Area::FlightDeck) => 0,
        (Direction::Vertical, Area::Belt) => armour.belt,
        (Direction::Vertical, Area::ConningTower) => armour.ct,
        (Direction::Vertical, Area::Turret | Area::Casemate) => mount,
        (Direction::Horizontal, Area::Belt | Area::Casemate) => armour.deck,
        (Direction::Horizontal, Area::ConningTower) => half_up(armour.ct),
        (Direction::Horizontal, Area::Turret) => half_up(mount),
        (Direction::Horizontal, Area::FlightDeck) => armour.flight_deck,
    }
}

fn half_up(ac: i32) -> i32 {
    (ac + 1) / 2
}

/// The area a gun mount counts as.
#[must_use]
pub fn area_of(mount: &GunMount) -> Area {
    match mount.mounting {
        Mounting::Open | Mounting::Shielded => Area::None,
        Mounting::Casemate => Area::Casemate,
        Mounting::Turret => Area::Turret,
    }
}

/// What the armour of an area is called from a direction: from above it is the deck that protects hull and casemates.
fn plate(area: Area, direction: Direction) -> &'static str {
    match (area, direction) {
        (Area::Belt, Direction::Horizontal) => "deck",
        (Area::Casemate, Direction::Horizontal) => "deck above the casemate",
        (Area::ConningTower, Direction::Horizontal) => "conning tower from above, half",
        (Area::Turret, Direction::Horizontal) => "turret from above, half",
        (Area::Belt, _) => "belt",
        (Area::Casemate, _) => "casemate",
        (Area::ConningTower, _) => "conning tower",
        (Area::Turret, _) => "turret",
        (Area::FlightDeck, _) => "flight deck",
        (Area::None, _) => "open",
    }
}

/// Whether a hit goes through; armour of class 0 stops nothing.
pub fn penetrates(area: Area, pen: i32, ac: i32, direction: Direction, ask: &mut impl Ask) -> bool {
    let through = pen >= ac;
    if direction != Direction::Underwater && area != Area::None {
        ask.note(|| {
            let word = if through { "penetrated" } else { "the armour holds" };
            let rules: &[_] = if area == Area::FlightDeck { &[rule::S10_4, rule::R_7] } else { &[rule::S10_4] };
            Note::new(
                "armour",
                format!("Armour ({}): AC {ac} against penetration {pen}: {word}", plate(area, direction)),
            )
            .by(rules)
            .outcome(word)
            .detail()
        });
    }
    through
}

impl Strike {
    /// The direction, where the weapon alone decides it.
    fn direction(self) -> Option<Direction> {
        match self {
            Strike::Gunfire | Strike::SkipBomb | Strike::SalvoRockets | Strike::Ohka => Some(Direction::Vertical),
            Strike::RakingGunfire | Strike::Bomb | Strike::Fx1400 | Strike::Hs293 | Strike::TinyTim => {
                Some(Direction::Horizontal)
            }
            Strike::Kamikaze => None,
        }
    }
}

/// The direction of an attack; a kamikaze rolls for it.
pub fn direction(strike: Strike, ask: &mut impl Ask) -> Asked<Direction> {
    if let Some(direction) = strike.direction() {
        return Ok(direction);
    }
    let roll = ask.roll_as(D10, "kamikaze: 1-5 vertical, 6-10 horizontal", |face| {
        if face <= 5 { Direction::Vertical } else { Direction::Horizontal }
    })?;
    ask.note(|| {
        let face = roll.face.unwrap_or(0);
        Note::new("kamikaze", format!("Kamikaze: d10 {face}: {}", roll.read))
            .by(&[rule::S10_4])
            .dice(&[face])
            .outcome(roll.read.word())
    });
    Ok(roll.read)
}
