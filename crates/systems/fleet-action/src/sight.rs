//! Firing by sight and spotting contacts. [9.1, C-6]

use crate::rule;
use crate::rules::Rules;
use crate::volley::{Modifiers, Test};
use crate::words::*;
use flagplot_kernel::{Ask, Asked, Note};
use flagplot_referee::Shaped;
use serde::{Deserialize, Serialize};

/// How well a ship sees a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct Sight {
    /// Spotting distance of the ship in range bands.
    #[shape(0..=9)]
    pub sd: i32,
    /// Tactical visibility range in range bands.
    #[shape(0..=9)]
    pub tvr: i32,
    /// Smoke, weather or land hides the target.
    #[shape(or = false)]
    pub obscured: bool,
    /// The target is lit.
    #[shape(or = false)]
    pub illuminated: bool,
}

/// A line from a ship to a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    pub light: Light,
    pub band: i32,
    pub sight: Sight,
}

/// What 9.1 permits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Permission {
    /// Row that applies.
    pub row: SightRow,
    /// Range band.
    pub range_band: i32,
    /// Guns.
    pub guns: Leave,
    /// Torpedoes at a ship.
    #[serde(rename = "torpedo_aimed")]
    pub aimed: Leave,
    /// Torpedoes into an area.
    #[serde(rename = "torpedo_wide_spread")]
    pub wide_spread: Leave,
    /// What radar adds to the guns.
    pub guns_bonus: i32,
}

impl Line {
    /// Whether it is within the spotting distance and the visibility.
    fn in_reach(&self) -> bool {
        self.band <= self.sight.sd.min(self.sight.tvr)
    }

    /// What may be shot and launched. [9.1]
    pub fn permission(&self, battery_radar: bool, ask: &mut impl Ask) -> Permission {
        let when = |yes: bool, leave: Leave| if yes { leave } else { Leave::Forbidden };
        let (near, range_band) = (self.in_reach(), self.band);
        let light = self.light;
        let Sight { sd, tvr, obscured, illuminated } = self.sight;
        let permission = if range_band > tvr || obscured {
            Permission {
                row: SightRow::BeyondOrObscured,
                range_band,
                guns: when(battery_radar && range_band <= sd, Leave::CrewTest),
                aimed: Leave::Forbidden,
                wide_spread: when(near, Leave::CrewTest),
                guns_bonus: 0,
            }
        } else if light == Light::Day || illuminated {
            let row = if light == Light::Day { SightRow::Day } else { SightRow::Night };
            let leave = when(near, Leave::Allowed);
            let guns_bonus = i32::from(near && battery_radar);
            Permission { row, range_band, guns: leave, aimed: leave, wide_spread: leave, guns_bonus }
        } else {
            let test = when(near, Leave::CrewTest);
            Permission {
                row: SightRow::Night,
                range_band,
                guns: test,
                aimed: test,
                wide_spread: when(near, Leave::Allowed),
                guns_bonus: 0,
            }
        };
        ask.note(|| {
            let Permission { row, guns, aimed, wide_spread, guns_bonus, .. } = permission;
            let text = format!(
                "RB {range_band}, spotting distance {sd}, visibility {tvr}: row {row}: guns {guns} (+{guns_bonus}), \
                 aimed torpedoes {aimed}, wide spread {wide_spread}"
            );
            let lit = if row == SightRow::Night && illuminated { "night, illuminated" } else { row.word() };
            let rules: &[_] = match row {
                SightRow::Night => &[rule::S9_1, rule::R_28, rule::R_29, rule::R_51],
                SightRow::Day => &[rule::S9_1, rule::R_28, rule::R_29],
                SightRow::BeyondOrObscured => &[rule::S9_1, rule::R_28, rule::R_29, rule::R_50],
            };
            Note::new("visibility", text).by(rules).table("who-may-shoot", lit, "").outcome(guns.word())
        });
        permission
    }
}

/// An attempt to spot a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct Lookout {
    /// Day or night.
    pub light: Light,
    /// Distance to the contact.
    #[shape(0..=100_000, unit = "mm")]
    pub range_mm: i32,
    #[serde(flatten)]
    pub sight: Sight,
    /// The ship has search radar.
    #[shape(or = false)]
    pub search_radar: bool,
    /// Size of the largest ship in the contact.
    #[shape(-4..=3)]
    pub target_size: i32,
    /// Crew quality.
    #[shape(-9..=2, or = 0)]
    pub crew_quality: i32,
}

/// The result of a lookout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Spotted {
    /// The contact could be seen at all.
    pub possible: bool,
    /// The contact was seen without a roll.
    pub automatic: bool,
    /// What is added to the roll; 0 without one.
    pub modifier: i32,
    /// The contact was seen.
    pub spotted: bool,
}

impl Lookout {
    /// Looks. [C-6]
    pub fn look(&self, rules: &Rules, ask: &mut impl Ask) -> Asked<Spotted> {
        let sight = self.sight;
        let line = Line { light: self.light, band: rules.range_band(self.range_mm), sight };
        let visual = !sight.obscured && line.in_reach();
        let radar = self.search_radar && line.band <= sight.sd;
        let sure = match self.light {
            Light::Day => self.range_mm <= rules.spotting.automatic_day_mm,
            Light::Night => self.range_mm <= rules.spotting.automatic_night_mm || sight.illuminated,
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
            needed: rules.needs.test_pass_d10,
            words: ("spotted", "not spotted"),
        };
        Ok(Spotted { possible, automatic, modifier, spotted: test.roll(ask)? })
    }
}
