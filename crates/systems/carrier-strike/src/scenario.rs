//! Scenarios as the data file gives them.

use crate::data::AaTable;
use crate::words::{Color, Skill};
use flagplot_kernel::{BySide, Side};
use serde::Deserialize;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    pub id: String,
    pub title: String,
    /// `printed` or `ours`.
    pub source: Source,
    pub brief: String,
    /// Why it is a demonstration, if it is one.
    pub demonstration: Option<String>,
    /// North to south.
    pub length: i64,
    pub turns: u8,
    start_player: Color,
    blue: SideSheet,
    red: SideSheet,
    /// Squadrons in the air at the start.
    #[serde(default)]
    pub deployed: Vec<Deployed>,
    pub victory: VictoryLines,
    /// What Blue gives in play, in hits, so that both sides have an even chance; the referee judges by the lines as
    /// they are.
    pub bid: Option<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    Printed,
    Ours,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideSheet {
    pub name: Option<String>,
    /// Strengths of the combat squadrons.
    pub combat: Vec<u8>,
    pub recce: u8,
    pub cv_hits: u8,
    pub cv: CvStart,
    /// Whether every squadron starts armed.
    #[serde(default)]
    pub must_be_armed: bool,
    /// Ids of kamikaze squadrons.
    #[serde(default)]
    pub kamikaze: Vec<String>,
    #[serde(default)]
    pub skill: SkillSheet,
    /// Guns by hits, if not the common ones.
    pub aa_by_hits: Option<AaTable>,
    /// How far from its home edge the carriers may go.
    pub cv_max_from_home: Option<i64>,
    #[serde(default = "yes")]
    pub may_disengage: bool,
}

fn yes() -> bool {
    true
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CvStart {
    /// Two cards, one of them a decoy.
    Hidden,
    /// On the table and detected.
    Detected,
}

/// Pilot skill by role.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SkillSheet {
    #[serde(default)]
    pub fighter: Skill,
    #[serde(default)]
    pub strike: Skill,
}

/// A squadron in the air at the start.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deployed {
    pub squadron: String,
    pub rl: u8,
    pub lengths_from: String,
    pub lengths: i64,
    pub detected: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VictoryLines {
    FirstStrike,
    PullBackTheHorns,
    Kamikaze,
    HiryuAlone,
    PhilippineSea,
}

impl Scenario {
    /// Who begins the first turn.
    pub fn start(&self) -> Side {
        self.start_player.side()
    }
    pub fn sheet(&self, side: Side) -> &SideSheet {
        match side {
            Side::First => &self.blue,
            Side::Second => &self.red,
        }
    }

    /// The y of a side's home edge.
    pub fn home(&self, side: Side) -> i64 {
        match side {
            Side::First => 0,
            Side::Second => self.length,
        }
    }
    pub fn names(&self) -> BySide<String> {
        BySide::new_with(|side| {
            self.sheet(side).name.clone().map_or_else(
                || crate::words::name(side).to_owned(),
                |name| format!("{}: {name}", crate::words::name(side)),
            )
        })
    }
}

impl Scenario {
    /// What is wrong with it, if anything.
    pub(crate) fn check(&self) -> Result<(), String> {
        if !(4000..=40_000).contains(&self.length) {
            return Err("length must lie between 4000 and 40000".into());
        }
        if !(1..=12).contains(&self.turns) {
            return Err("turns must lie between 1 and 12".into());
        }
        let can_bid = matches!(self.victory, VictoryLines::Kamikaze | VictoryLines::PhilippineSea);
        if self.bid.is_some_and(|bid| !can_bid || !(1..=3).contains(&bid)) {
            return Err("only the lines 'kamikaze' and 'philippine-sea' have a bid, of 1 to 3 hits".into());
        }
        for side in Side::BOTH {
            let sheet = self.sheet(side);
            let who = crate::words::color(side);
            if sheet.combat.is_empty()
                || sheet.combat.len() > 4
                || sheet.combat.iter().any(|strength| !(1..=12).contains(strength))
            {
                return Err(format!("{who} needs 1 to 4 combat squadrons of 1 to 12 aircraft"));
            }
            if sheet.recce > 2 || sheet.cv_hits > 7 {
                return Err(format!("{who} may have 2 scouts and at most 7 hits"));
            }
            if let Some(id) =
                sheet.kamikaze.iter().find(|id| !(1..=sheet.combat.len()).any(|n| **id == format!("{}{n}", &who[..1])))
            {
                return Err(format!("{who} has no combat squadron '{id}' that could be a kamikaze"));
            }
        }
        for deployed in &self.deployed {
            let side = if deployed.squadron.starts_with('b') { Side::First } else { Side::Second };
            let enemy = format!("{}-cv", crate::words::color(side.other()));
            let scout = (1..=self.sheet(side).recce)
                .any(|n| deployed.squadron == format!("{}r{n}", &crate::words::color(side)[..1]));
            if !scout || deployed.lengths_from != enemy || self.sheet(side.other()).cv != CvStart::Detected {
                return Err(format!(
                    "only a scout can start in the air, measured from a detected enemy carrier; '{}' does not",
                    deployed.squadron
                ));
            }
            if !(1..=8).contains(&deployed.rl) || !(1..=8).contains(&deployed.lengths) {
                return Err(format!("'{}' needs a range die and a distance of 1 to 8", deployed.squadron));
            }
        }
        Ok(())
    }
}
