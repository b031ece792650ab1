//! Secret stances.

use super::CarrierGame;
use super::dogfight::Combat;
use super::piece::{SquadronId, Squads};
use super::refusals::{Barred, Count};
use super::state::Table;
use crate::words::{Markers, Role, Skill, Stance};
use flagplot_kernel::{Ask, Asked, Decision, Refusal, Seat, Side};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StanceAnswer {
    pub stance: Stance,
    #[serde(default)]
    pub markers: Markers,
}

/// What two sides choose stances for at the same moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encounter {
    Combat {
        combat: Combat,
        against_strike: bool,
    },
    /// A squadron attacks the carrier group.
    Strike(SquadronId),
    /// Guns fire at a squadron outside a strike.
    Flak(SquadronId),
}

impl Encounter {
    /// Whose stances come first: the attackers of the combat, the pilots before the gunners.
    pub(super) fn first(self) -> Side {
        match self {
            Encounter::Combat { combat, .. } => combat.0.side(),
            Encounter::Strike(id) | Encounter::Flak(id) => id.side(),
        }
    }
}

pub(super) struct StanceChoice<'a> {
    pub game: &'a CarrierGame,
    pub table: &'a Table,
    pub side: Side,
    pub encounter: Encounter,
}

impl StanceChoice<'_> {
    /// The own squadrons and those of the enemy; none for gun crews.
    pub(super) fn squadrons(&self) -> (Squads, Squads) {
        let (first, second) = match self.encounter {
            Encounter::Combat { combat, .. } => combat,
            Encounter::Strike(id) | Encounter::Flak(id) => (Squads::one(id), Squads::NONE),
        };
        if self.side == self.encounter.first() { (first, second) } else { (second, first) }
    }

    pub(super) fn skill(&self) -> Skill {
        let (own, _) = self.squadrons();
        match self.encounter {
            Encounter::Combat { .. } => self.game.lowest_skill(self.table, own),
            _ => own.first().map_or(Skill::None, |id| self.game.pilot_skill(self.table, id)),
        }
    }

    /// How a sensible player mixes stances, from what both sides know.
    pub(super) fn usual_mix(&self) -> [u64; 3] {
        let (own, enemy) = self.squadrons();
        let (game, mixes) = (self.game, &self.game.mixes);
        let strength = |set: Squads| set.iter().map(|id| u32::from(self.table[id].last_seen)).sum::<u32>();
        let target = own.and(enemy).side().other();
        let crippled = usize::from(self.table.carriers[target].hits >= game.rules.carrier.crippled_at);
        match self.encounter {
            Encounter::Combat { .. } => match (game.fights_as(self.table, own), game.fights_as(self.table, enemy)) {
                (Role::Fighter, Role::Strike) => mixes.hunters,
                (Role::Strike, _) => mixes.hunted,
                _ if strength(own) * 4 >= strength(enemy) * 5 => mixes.strong,
                _ if strength(enemy) * 4 >= strength(own) * 5 => mixes.weak,
                _ => mixes.even,
            },
            _ if own.is_empty() => mixes.guns[crippled],
            Encounter::Strike(_) => mixes.strikers[crippled],
            Encounter::Flak(_) => [0, 1, 2],
        }
    }

    pub(super) fn with(&self, stance: Stance, red: u8) -> StanceAnswer {
        let due = self.skill().markers();
        StanceAnswer { stance, markers: Markers { red: red.min(due), blue: due - red.min(due) } }
    }
}

impl Decision for StanceChoice<'_> {
    type Value = StanceAnswer;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &StanceAnswer) -> Result<(), Refusal> {
        let due = self.skill().markers();
        if value.markers.total() == due {
            return Ok(());
        }
        Err(if due == 0 { Barred::NoMarkers } else { Barred::BadMarkers { due: Count(due, "marker") } }.into())
    }
}

impl CarrierGame {
    /// Both sides choose stances in secret, the phasing side asked first; the answers in the order of the encounter.
    pub(super) fn both_stances(
        &self,
        table: &Table,
        ask: &mut impl Ask,
        encounter: Encounter,
    ) -> Asked<[StanceAnswer; 2]> {
        let choice = |side| StanceChoice { game: self, table, side, encounter };
        let answers = ask.in_secret(&[choice(table.phasing), choice(table.other())])?;
        let [a, b] = [answers[0], answers[1]];
        Ok(if encounter.first() == table.phasing { [a, b] } else { [b, a] })
    }

    /// The skill of the pilots of a squadron, as far as its role is known.
    pub(super) fn pilot_skill(&self, table: &Table, id: SquadronId) -> Skill {
        self.skill(id.side(), table[id].shown_role.or(table[id].role).unwrap_or(Role::Strike))
    }

    /// The lowest skill of a side in a combat.
    pub(super) fn lowest_skill(&self, table: &Table, set: Squads) -> Skill {
        let skills = set.iter().map(|id| self.skill(id.side(), table[id].shown_role.unwrap_or(Role::Strike)));
        skills.min().unwrap_or_default()
    }

    /// The role in which a set fights: bombers only where they are attacked.
    pub(super) fn fights_as(&self, table: &Table, set: Squads) -> Role {
        if set.iter().all(|id| table[id].shown_role == Some(Role::Fighter)) { Role::Fighter } else { Role::Strike }
    }
}
