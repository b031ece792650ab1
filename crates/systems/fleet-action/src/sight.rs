//! Who sees whom: shooting by sight and spotting contacts. [9.1, C-6]

use crate::book::Book;
use crate::rule;
use crate::throw::{Modifiers, Test};
use crate::words::*;
use flagplot_kernel::{Ask, Asked, Note};

/// A line from a ship to what she looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The light.
    pub light: Light,
    /// The range band.
    pub band: i32,
    /// The ship's spotting distance.
    pub sd: i32,
    /// The tactical visibility range.
    pub tvr: i32,
    /// Whether something hides the target.
    pub obscured: bool,
    /// Whether the target is lit.
    pub illuminated: bool,
}

/// What 9.1 permits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Permission {
    /// The row that applies.
    pub row: SightRow,
    /// Guns.
    pub guns: Leave,
    /// Torpedoes at a ship.
    pub aimed: Leave,
    /// Torpedoes into an area.
    pub wide_spread: Leave,
    /// What radar adds to the guns.
    pub guns_bonus: i32,
}

impl Line {
    /// Whether it is within the spotting distance and the visibility.
    fn in_reach(&self) -> bool {
        self.band <= self.sd.min(self.tvr)
    }

    /// What may be shot and launched. [9.1]
    pub fn permission(&self, battery_radar: bool, ask: &mut impl Ask) -> Permission {
        let when = |yes: bool, leave: Leave| if yes { leave } else { Leave::Forbidden };
        let near = self.in_reach();
        let permission = if self.band > self.tvr || self.obscured {
            Permission {
                row: SightRow::BeyondOrObscured,
                guns: when(battery_radar && self.band <= self.sd, Leave::CrewTest),
                aimed: Leave::Forbidden,
                wide_spread: when(near, Leave::CrewTest),
                guns_bonus: 0,
            }
        } else if self.light == Light::Day || self.illuminated {
            let row = if self.light == Light::Day { SightRow::Day } else { SightRow::Night };
            let leave = when(near, Leave::Allowed);
            Permission {
                row,
                guns: leave,
                aimed: leave,
                wide_spread: leave,
                guns_bonus: i32::from(near && battery_radar),
            }
        } else {
            let test = when(near, Leave::CrewTest);
            Permission {
                row: SightRow::Night,
                guns: test,
                aimed: test,
                wide_spread: when(near, Leave::Allowed),
                guns_bonus: 0,
            }
        };
        ask.note(|| {
            let Permission { row, guns, aimed, wide_spread, guns_bonus } = permission;
            let text = format!(
                "RB {}, spotting distance {}, visibility {}: row {row}: guns {guns} (+{guns_bonus}), aimed torpedoes {aimed}, wide spread {wide_spread}",
                self.band, self.sd, self.tvr
            );
            let rules: &[_] = match row {
                SightRow::Night => &[rule::S9_1, rule::R_28, rule::R_29, rule::R_51],
                SightRow::Day => &[rule::S9_1, rule::R_28, rule::R_29],
                SightRow::BeyondOrObscured => &[rule::S9_1, rule::R_28, rule::R_29, rule::R_50],
            };
            Note::new("visibility", text)
                .by(rules)
                .table("who-may-shoot", if row == SightRow::Night && self.illuminated { "night, illuminated" } else { row.word() }, "")
                .outcome(guns.word())
        });
        permission
    }
}

/// An attempt to spot a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookout {
    /// The line to it.
    pub line: Line,
    /// The distance.
    pub range_mm: i32,
    /// Whether the ship has search radar.
    pub search_radar: bool,
    /// The size of the largest ship in the contact.
    pub target_size: i32,
    /// Crew quality.
    pub crew_quality: i32,
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Spotted {
    /// Whether it could be seen at all.
    pub possible: bool,
    /// Whether it was seen without a roll.
    pub automatic: bool,
    /// What was added to the roll; 0 without one.
    pub modifier: i32,
    /// Whether it was seen.
    pub spotted: bool,
}

impl Lookout {
    /// Looks. [C-6]
    pub fn look(&self, book: &Book, ask: &mut impl Ask) -> Asked<Spotted> {
        let line = &self.line;
        let visual = !line.obscured && line.in_reach();
        let radar = self.search_radar && line.band <= line.sd;
        let sure = match line.light {
            Light::Day => self.range_mm <= book.spotting.automatic_day_mm,
            Light::Night => self.range_mm <= book.spotting.automatic_night_mm || line.illuminated,
        };
        let possible = visual || radar;
        let automatic = visual && sure;
        if !possible || automatic {
            let word = if automatic { "seen without a roll" } else { "out of sight" };
            ask.note(|| {
                Note::new("spotting", format!("Contact at {} mm: {word}", self.range_mm)).by(&[rule::C_6]).outcome(word)
            });
            return Ok(Spotted { possible, automatic, modifier: 0, spotted: automatic });
        }
        let modifiers = Modifiers::new()
            .with("crew quality", self.crew_quality, rule::C_6)
            .with("size of the largest ship", self.target_size, rule::C_6)
            .when(radar, "search radar", 1, rule::C_6);
        let modifier = modifiers.total();
        let test = Test {
            what: "spotting",
            name: "Spotting",
            rules: &[rule::C_6],
            modifiers,
            needed: book.needs.test_pass_d10,
            words: ("spotted", "not spotted"),
        };
        Ok(Spotted { possible, automatic, modifier, spotted: test.roll(ask)? })
    }
}
