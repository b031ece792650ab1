//! Visibility and spotting.

use super::*;
use crate::gunnery::Range;
use crate::sight::{Line, Lookout, Permission, Sight, Spotted};

procedures![Visibility, Spotting];

#[derive(Deserialize, Shaped)]
struct Seen {
    /// Day or night.
    light: Light,
    #[serde(flatten)]
    range: Range,
    #[serde(flatten)]
    sight: Sight,
    /// The battery has gunnery radar.
    #[shape(or = false)]
    battery_radar: bool,
}

impl Procedure for Visibility {
    const NAME: &'static str = "visibility";
    const HELP: &'static str = "Whether guns may fire and torpedoes may be launched at a target.";
    const DICE: &'static str = "none";
    const RULES: &'static [Rule] = &[rule::S9_1, rule::R_28, rule::R_29, rule::R_50, rule::R_51];
    type Input = Seen;
    type Facts = (Line, bool);
    type Output = Permission;

    fn read(&self, input: Seen) -> Result<(Line, bool), Refusal> {
        let Seen { light, range, sight, battery_radar } = input;
        Ok((Line { light, band: range.band(&self.0)?, sight }, battery_radar))
    }

    fn run(&self, (line, radar): &(Line, bool), ask: &mut impl Ask) -> Asked<Permission> {
        Ok(line.permission(*radar, ask))
    }
}

impl Procedure for Spotting {
    const NAME: &'static str = "spotting";
    const HELP: &'static str = "Whether a ship identifies a contact.";
    const DICE: &'static str = "a d10, unless the contact is seen without a roll or not at all";
    const RULES: &'static [Rule] = &[rule::C_6];
    type Input = Lookout;
    type Facts = Lookout;
    type Output = Spotted;

    fn read(&self, input: Lookout) -> Result<Lookout, Refusal> {
        Ok(input)
    }

    fn run(&self, facts: &Lookout, ask: &mut impl Ask) -> Asked<Spotted> {
        facts.look(&self.0, ask)
    }
}
