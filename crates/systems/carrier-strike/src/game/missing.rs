//! Why an action that a player would look for is not there: the refusal it would meet, told before it is tried.
//!
//! Everything here asks the checks of the actions themselves, which read only what the acting side can see.

use super::CarrierGame;
use super::action::Evasion;
use super::piece::{CardId, CardLabel, PieceId, SquadronId};
use super::refusals::Legal;
use super::state::{Table, Where};
use crate::rule;
use crate::walk::Waypoints;
use crate::words::Role;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Prompt, Refusal, Side};
use std::collections::BTreeMap;

/// At most so many reasons are told at once.
const MOST: usize = 30;

/// Reasons in the order they were found; what fails for the same reason is told together.
#[derive(Default)]
struct Reasons(Vec<(String, String)>);

impl Reasons {
    fn put(&mut self, what: impl Into<String>, refusal: impl Into<Refusal>) {
        let (what, why) = (what.into(), refusal.into().to_string());
        match self.0.iter_mut().find(|(_, known)| *known == why) {
            Some((names, _)) => *names = format!("{names}; {what}"),
            None => self.0.push((what, why)),
        }
    }

    fn of(&mut self, what: impl Into<String>, legal: Result<(), impl Into<Refusal>>) {
        if let Err(refusal) = legal {
            self.put(what, refusal);
        }
    }

    fn told(self, prompt: Prompt) -> Prompt {
        self.0.into_iter().take(MOST).fold(prompt, |prompt, (what, why)| prompt.missing(format!("{what}: {why}")))
    }
}

impl CarrierGame {
    /// The prompt of a go with a reason for each action that is not there.
    pub(super) fn explain_absent(&self, table: &Table, side: Side, prompt: Prompt) -> Prompt {
        let mut reasons = Reasons::default();
        reasons.of("Pass", self.may_pass(table, side));
        for id in SquadronId::of(side) {
            match table[id].place {
                Where::Deployed => self.absent_in_the_air(table, side, id, &mut reasons),
                Where::Aboard => self.absent_on_deck(table, side, id, &mut reasons),
                _ => {}
            }
        }
        self.absent_at_sea(table, side, &mut reasons);
        reasons.told(prompt)
    }

    fn absent_in_the_air(&self, table: &Table, side: Side, id: SquadronId, reasons: &mut Reasons) {
        if let Err(refusal) = self.fresh_die(table, side, id) {
            return reasons.put(format!("Use {id}"), refusal);
        }
        reasons.of(format!("Land {id}"), self.may_land(table, side, id));
        if table[id].rl <= 1 {
            return reasons.of(format!("Move {id}"), self.together(table, side, &[id]).map(|_| ()));
        }
        if table[id].role == Some(Role::Strike) || table[id].is_dummy() {
            let to =
                self.strike_target(table, side).map_or(table[id].pos, |card| self.straight_to_card(table, &[id], card));
            reasons.of(format!("Strike with {id}"), self.may_strike(table, side, &[id], &Waypoints::to(to)));
        }
        if table[id].role == Some(Role::Fighter) {
            let tried = self
                .foes(table, side, table[id].pos)
                .map(|foe| (foe, self.may_dogfight(table, side, &[id], foe, None)));
            none_works(tried, |foe| format!("Attack {foe} with {id}"), reasons);
        }
        let by = PieceId::Squadron(id);
        let tried =
            self.unknown(table, side, table[id].pos).map(|target| (target, self.may_detect(table, side, by, target)));
        none_works(tried, |target| format!("Search for {target} with {id}"), reasons);
    }

    fn absent_on_deck(&self, table: &Table, side: Side, id: SquadronId, reasons: &mut Reasons) {
        if let Err(refusal) = self.own_aboard(table, side, id) {
            return reasons.put(format!("Use {id}"), refusal);
        }
        let at = table.carriers[side].real_card().unwrap_or_default();
        reasons.of(format!("Launch {id}"), self.may_launch(table, side, id, at, false));
        if !id.is_recce() {
            if self.may_launch(table, side, id, at, false).is_ok() {
                reasons.of(format!("Launch {id} as a dummy"), self.may_launch(table, side, id, at, true));
            }
            for role in [Role::Fighter, Role::Strike] {
                reasons.of(
                    format!("Arm {id} {}", if role == Role::Fighter { "as fighters" } else { "for strikes" }),
                    self.may_re_arm(table, side, id, role),
                );
            }
        }
    }

    fn absent_at_sea(&self, table: &Table, side: Side, reasons: &mut Reasons) {
        let own = &table.carriers[side];
        if !own.in_play() || own.acted {
            let nowhere = BTreeMap::new();
            return reasons.of("Move the carriers", self.may_move_cv(table, side, Some(&nowhere), None, None));
        }
        if self.can_evade(table, side).is_none() {
            let nowhere = Evasion { real: Point::default(), decoy: Point::default(), riders: BTreeMap::new() };
            reasons.of("Slip away", self.may_evade(table, side, &nowhere));
        }
        reasons.of("Leave the battle", self.may_disengage(table, side, &[]));
        let by = PieceId::Card(CardId { side, label: CardLabel::Cv });
        let from = own.real_card().unwrap_or_default();
        let tried = self.unknown(table, side, from).map(|target| (target, self.may_detect(table, side, by, target)));
        none_works(tried, |target| format!("Search for {target} with the carriers"), reasons);
    }

    /// Enemy squadrons in the air, the nearest first.
    fn foes(&self, table: &Table, side: Side, from: Point) -> impl Iterator<Item = SquadronId> {
        let mut all: Vec<SquadronId> = table.up(side.other()).iter().collect();
        all.sort_by_key(|id| table[*id].pos.dist2(from));
        all.into_iter()
    }

    /// What of the enemy can still be found, the nearest first.
    pub(super) fn unknown(&self, table: &Table, side: Side, from: Point) -> impl Iterator<Item = PieceId> {
        let enemy = side.other();
        let cards = table.carriers[enemy]
            .on_table()
            .map(|(at, card)| (card.dist2(from), PieceId::Card(table.carriers[enemy].card_id(enemy, at))));
        let mut all: Vec<(i64, PieceId)> = self
            .foes(table, side, from)
            .map(|id| (table[id].pos.dist2(from), PieceId::Squadron(id)))
            .chain(cards)
            .collect();
        all.retain(|(_, piece)| self.target_of(table, side, *piece).is_ok_and(|target| self.undetected(table, target)));
        all.sort_by_key(|(distance, _)| *distance);
        all.into_iter().map(|(_, piece)| piece)
    }
}

/// If none of several tries is legal, why the first of them is not.
fn none_works<T>(tried: impl Iterator<Item = (T, Legal)>, name: impl Fn(&T) -> String, reasons: &mut Reasons) {
    let tried: Vec<(T, Legal)> = tried.collect();
    if tried.iter().all(|(_, legal)| legal.is_err())
        && let Some((what, Err(refusal))) = tried.first()
    {
        reasons.put(name(what), *refusal);
    }
}

/// Compass lines that are not there, each reason once.
pub(super) fn missing_lines<'a>(prompt: Prompt, lines: impl Iterator<Item = (&'a str, Result<(), Refusal>)>) -> Prompt {
    let mut reasons = Reasons::default();
    for (name, legal) in lines {
        reasons.of(name, legal);
    }
    reasons
        .0
        .into_iter()
        .fold(prompt, |prompt, (what, why)| prompt.missing(format!("{}: {why}", what.replace("; ", ", "))))
}

/// Why a squadron that was met does not intercept, why one of a strike does not strike: each with its rule.
pub(super) fn missing_squadrons(
    prompt: Prompt,
    tried: impl Iterator<Item = (SquadronId, Result<(), Refusal>)>,
    what: &str,
) -> Prompt {
    missing(prompt, tried.map(|(id, legal)| (format!("{id} {what}"), legal)))
}

/// Answers one might try that are refused, each with its reason.
pub(super) fn missing(
    prompt: Prompt,
    tried: impl IntoIterator<Item = (String, Result<(), impl Into<Refusal>>)>,
) -> Prompt {
    let mut reasons = Reasons::default();
    for (what, legal) in tried {
        reasons.of(what, legal);
    }
    reasons.told(prompt)
}

/// Markers of skill, where there are none to play.
pub(super) fn no_markers(prompt: Prompt, why: &str) -> Prompt {
    prompt.missing(format!("Markers: {why} [{}]", rule::PILOT_SKILL))
}
