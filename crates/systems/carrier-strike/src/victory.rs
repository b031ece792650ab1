//! Who has won, and how well.

use crate::combat::counted;
use crate::rule;
use crate::scenario::{Scenario, VictoryLines};
use crate::words::{color, name};
use flagplot_kernel::{Ask, BySide, Note, Rule, Side};
use flagplot_referee::{Shaped, words};
use serde::{Deserialize, Serialize};

/// How well a side stands by the scenario's lines.
#[words]
pub enum Level {
    None,
    Minor,
    Major,
    Decisive,
}

#[words]
pub enum Reason {
    None,
    TurnLimit,
    /// A side that has left holds a level.
    VictoryAndDisengaged,
    /// The carrier that matters is sunk.
    CvSunk,
    /// The carrier that matters has left.
    CvDisengaged,
    KamikazesSpent,
    AirGroupSpent,
    NoCarriersLeft,
    SurfaceAction,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Shaped)]
pub struct Tally {
    /// Hits taken.
    #[shape(0..=8)]
    pub cv_hits: u8,
    /// Whether its carriers have left.
    #[shape(or = false)]
    pub disengaged: bool,
    /// Aircraft of all combat squadrons.
    #[shape(0..=48, or = 48)]
    pub combat_aircraft: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub sides: BySide<Tally>,
    /// Who has lost a carrier to ships.
    pub surface_losers: BySide<bool>,
    pub kamikaze_aircraft: u8,
    pub time_is_up: bool,
    /// The scenario's bid in play; none at the referee's table.
    pub bid: Option<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Verdict {
    pub reason: Reason,
    pub winner: Option<Side>,
    pub levels: BySide<Level>,
    /// Whether the level comes from a surface action.
    pub by_surface: bool,
}

impl Verdict {
    /// The level as a word of the outcome.
    pub fn level(&self) -> &'static str {
        match (self.winner, self.by_surface) {
            (Some(_), true) => "surface",
            (None, true) => "both-lose",
            (Some(side), false) => self.levels[side].word(),
            (None, false) => "draw",
        }
    }
}

impl VictoryLines {
    /// The level a side holds.
    pub fn level(self, side: Side, sides: &BySide<Tally>, bid: Option<u8>) -> Level {
        let (own, enemy) = (&sides[side], &sides[side.other()]);
        let best =
            |lines: &[(bool, Level)]| lines.iter().find(|(held, _)| *held).map_or(Level::None, |(_, level)| *level);
        match (self, side) {
            (VictoryLines::FirstStrike, _) => best(&[
                (enemy.cv_hits >= 8 && own.cv_hits <= 3, Level::Decisive),
                (enemy.cv_hits >= 4 && own.cv_hits <= 3, Level::Major),
                (enemy.cv_hits >= 1 && own.cv_hits < enemy.cv_hits && own.cv_hits <= 3, Level::Minor),
            ]),
            (VictoryLines::PullBackTheHorns, Side::First) => best(&[
                (own.disengaged && enemy.cv_hits >= 1, Level::Decisive),
                (own.cv_hits <= 6 && own.combat_aircraft >= 12, Level::Major),
            ]),
            (VictoryLines::PullBackTheHorns, Side::Second) => best(&[
                (enemy.cv_hits >= 8 && own.cv_hits == 0, Level::Decisive),
                (enemy.cv_hits >= 8 && own.cv_hits <= 2, Level::Major),
            ]),
            (VictoryLines::Kamikaze, Side::First) => {
                best(&[(own.cv_hits == 0, Level::Decisive), (own.cv_hits + bid.unwrap_or(0) <= 3, Level::Major)])
            }
            (VictoryLines::Kamikaze, Side::Second) => {
                best(&[(enemy.cv_hits >= 8, Level::Decisive), (enemy.cv_hits + bid.unwrap_or(0) >= 4, Level::Major)])
            }
            (VictoryLines::HiryuAlone, Side::First) => best(&[
                (enemy.cv_hits >= 8 && own.cv_hits <= 1, Level::Decisive),
                (enemy.cv_hits >= 8 && own.cv_hits <= 3, Level::Major),
            ]),
            (VictoryLines::HiryuAlone, Side::Second) => best(&[
                (enemy.cv_hits >= 4 && own.cv_hits < 8, Level::Decisive),
                (enemy.cv_hits >= 2 && own.cv_hits < 8, Level::Major),
            ]),
            (VictoryLines::PhilippineSea, Side::First) => {
                let ahead = bid.is_none_or(|bid| enemy.cv_hits > own.cv_hits + bid);
                let unhurt = bid.is_some() || own.cv_hits <= 1;
                best(&[
                    (ahead && own.cv_hits == 0 && enemy.combat_aircraft <= 12, Level::Decisive),
                    (ahead && unhurt, Level::Major),
                ])
            }
            (VictoryLines::PhilippineSea, Side::Second) => {
                let ahead = bid.is_none_or(|bid| own.cv_hits < enemy.cv_hits + bid);
                let hurt = bid.is_some() || enemy.cv_hits >= 2;
                best(&[(ahead && enemy.cv_hits >= 4, Level::Decisive), (ahead && hurt, Level::Major)])
            }
        }
    }

    /// How a side wins, as far as a sentence can say it.
    pub fn aim(self, side: Side, bid: Option<u8>) -> String {
        let aim = match (self, side, bid) {
            (VictoryLines::Kamikaze, Side::First, Some(bid)) => {
                return format!("You win if your carrier takes no more than {}.", counted(3 - bid, "hit"));
            }
            (VictoryLines::Kamikaze, Side::Second, Some(bid)) => {
                return format!("You win if the enemy carrier takes {} or more.", counted(4 - bid, "hit"));
            }
            (VictoryLines::PhilippineSea, Side::First, Some(bid)) => {
                return format!(
                    "You win if the enemy carrier takes at least {} hits more than yours; exactly {bid} more is a \
                     draw.",
                    bid + 1
                );
            }
            (VictoryLines::PhilippineSea, Side::Second, Some(bid)) => {
                return format!(
                    "You win if your carrier takes at most {} more than the enemy's; exactly {bid} more is a draw.",
                    counted(bid - 1, "hit")
                );
            }
            (VictoryLines::FirstStrike, ..) => {
                "You win if you hit the enemy carrier more often than yours is hit, and yours takes no more than 3 \
                 hits."
            }
            (VictoryLines::PullBackTheHorns, Side::First, _) => {
                "You win if your carrier takes no more than 6 hits and you keep 12 aircraft, or if it gets away after \
                 hitting the enemy's."
            }
            (VictoryLines::PullBackTheHorns, Side::Second, _) => {
                "You win if you sink the enemy carrier with 8 hits while yours takes no more than 2."
            }
            (VictoryLines::Kamikaze, Side::First, _) => "You win if your carrier takes no more than 3 hits.",
            (VictoryLines::Kamikaze, Side::Second, _) => "You win if the enemy carrier takes 4 hits or more.",
            (VictoryLines::HiryuAlone, Side::First, _) => {
                "You win if you sink the enemy carrier with 8 hits while yours takes no more than 3."
            }
            (VictoryLines::HiryuAlone, Side::Second, _) => {
                "You win if you hit the enemy carrier twice or more and yours does not sink."
            }
            (VictoryLines::PhilippineSea, Side::First, _) => "You win if your carrier takes no more than 1 hit.",
            (VictoryLines::PhilippineSea, Side::Second, _) => "You win if you hit the enemy carrier twice or more.",
        };
        aim.to_owned()
    }

    /// The ruling behind the lines.
    fn rules(self) -> &'static [Rule] {
        match self {
            VictoryLines::FirstStrike => &[rule::VICTORY, rule::R_16, rule::R_56],
            VictoryLines::PullBackTheHorns => &[rule::VICTORY, rule::R_55],
            VictoryLines::Kamikaze => &[rule::VICTORY, rule::C_9],
            VictoryLines::HiryuAlone | VictoryLines::PhilippineSea => &[rule::VICTORY, rule::C_10],
        }
    }
}

/// Judges a position by the lines of a scenario.
pub fn verdict(scenario: &Scenario, position: &Position) -> Verdict {
    let lines = scenario.victory;
    let losers = position.surface_losers;
    let surface = losers.first || losers.second;
    let levels =
        BySide::new_with(
            |side| if losers[side] { Level::None } else { lines.level(side, &position.sides, position.bid) },
        );
    let winner = if surface {
        Side::BOTH.into_iter().find(|side| !losers[*side])
    } else {
        Side::BOTH.into_iter().find(|side| levels[*side] > Level::None && levels[*side] > levels[side.other()])
    };
    let sunk = |side: Side| position.sides[side].cv_hits >= 8;
    let left = |side: Side| position.sides[side].disengaged;
    let out = |side| sunk(side) || left(side);
    let matters = match lines {
        VictoryLines::PullBackTheHorns => Some(Side::First),
        VictoryLines::HiryuAlone => Some(Side::Second),
        _ => None,
    };
    let reasons = [
        (surface, Reason::SurfaceAction),
        (
            lines == VictoryLines::FirstStrike
                && Side::BOTH.into_iter().any(|side| left(side) && levels[side] > Level::None),
            Reason::VictoryAndDisengaged,
        ),
        (matters.is_some_and(sunk), Reason::CvSunk),
        (matters.is_some_and(left), Reason::CvDisengaged),
        (lines == VictoryLines::Kamikaze && position.kamikaze_aircraft == 0, Reason::KamikazesSpent),
        (lines == VictoryLines::PhilippineSea && position.sides.second.combat_aircraft == 0, Reason::AirGroupSpent),
        (out(Side::First) && out(Side::Second), Reason::NoCarriersLeft),
        (position.time_is_up, Reason::TurnLimit),
    ];
    let reason = reasons.iter().find(|(holds, _)| *holds).map_or(Reason::None, |(_, reason)| *reason);
    Verdict { reason, winner, levels, by_surface: surface }
}

/// The same, with a note.
pub fn judge(scenario: &Scenario, position: &Position, ask: &mut impl Ask) -> Verdict {
    let verdict = verdict(scenario, position);
    let Verdict { levels, by_surface: surface, .. } = verdict;
    let lines = scenario.victory;
    ask.note(|| {
        let leader = match verdict.winner {
            Some(side) => format!("{} is ahead ({})", name(side), verdict.level()),
            None => "neither side is ahead".to_owned(),
        };
        let text = format!("Blue holds {}, Red {}; {leader}.", levels.first, levels.second);
        let note = Note::new("victory", text).by(lines.rules()).outcome(verdict.winner.map_or("none", color));
        if surface { note.by(&[rule::SURFACE_ACTION, rule::C_11]) } else { note }
    });
    verdict
}

/// What a surface action does to one side. [Surface to surface action], R-41
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shelling {
    pub damage: u8,
    pub hits: u8,
    pub loses: bool,
}

/// Each side takes the other's remaining steps, counted before the exchange.
pub fn surface_action(rules: &crate::data::Rules, hits: BySide<u8>, ask: &mut impl Ask) -> BySide<Shelling> {
    let steps = rules.carrier.steps;
    let after = BySide::new_with(|side| {
        let damage = steps - hits[side.other()].min(steps);
        let after = (hits[side] + damage).min(steps);
        let crosses = |line: u8| hits[side] < line && after >= line;
        Shelling { damage, hits: after, loses: crosses(rules.carrier.crippled_at) || crosses(steps) }
    });
    ask.note(|| {
        Note::new(
            "surface-action",
            format!(
                "Carriers exchange fire: Blue takes {} and has {}, Red takes {} and has {}.",
                after.first.damage, after.first.hits, after.second.damage, after.second.hits
            ),
        )
        .by(&[rule::SURFACE_ACTION, rule::R_41])
    });
    after
}
