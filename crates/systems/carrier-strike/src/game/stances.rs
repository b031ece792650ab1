//! Secret stances.

use super::CarrierGame;
use super::absent::no_markers;
use super::piece::{SquadronId, Squads};
use super::state::State;
use crate::rule;
use crate::words::{Markers, Role, Skill, Stance};
use flagplot_kernel::{Ask, Asked, Candidate, Chance, Choice, Decision, Prompt, Refusal, Screen, Seat, Side};
use flagplot_odds::weights;
use serde::{Deserialize, Serialize};

/// A stance with its markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StanceAnswer {
    pub stance: Stance,
    #[serde(default)]
    pub markers: Markers,
}

/// What a stance is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Occasion {
    Combat,
    Strike,
    UnderFire,
    Guns,
}

pub(super) struct StanceChoice<'a> {
    game: &'a CarrierGame,
    state: &'a State,
    seat: Side,
    own: Squads,
    enemy: Squads,
    skill: Skill,
    mix: [u64; 3],
    occasion: Occasion,
}

impl<'a> StanceChoice<'a> {
    /// A side of a combat. The lowest skill in it counts.
    pub fn in_combat(game: &'a CarrierGame, state: &'a State, own: Squads, enemy: Squads) -> Self {
        let seat = own.first().map_or(state.phasing, |id| id.side());
        let skill = own
            .iter()
            .map(|id| game.skill(seat, state[id].shown_role.unwrap_or(Role::Strike)))
            .min()
            .unwrap_or_default();
        let strength = |set: Squads| set.iter().map(|id| u32::from(state[id].last_seen)).sum::<u32>();
        let mixes = &game.mixes;
        let mix = match (game.fights_as(state, own), game.fights_as(state, enemy)) {
            (Role::Fighter, Role::Strike) => mixes.hunters,
            (Role::Strike, _) => mixes.hunted,
            _ if strength(own) * 4 >= strength(enemy) * 5 => mixes.strong,
            _ if strength(enemy) * 4 >= strength(own) * 5 => mixes.weak,
            _ => mixes.even,
        };
        Self { game, state, seat, own, enemy, skill, mix, occasion: Occasion::Combat }
    }

    fn pilots(game: &'a CarrierGame, state: &'a State, id: SquadronId, occasion: Occasion) -> Self {
        let side = id.side();
        let enemy = &state.carriers[side.other()];
        let crippled = usize::from(enemy.hits >= game.book.carrier.crippled_at);
        let role = state[id].role.unwrap_or(Role::Strike);
        let mix = if occasion == Occasion::Strike { game.mixes.strikers[crippled] } else { [0, 1, 2] };
        Self {
            game,
            state,
            seat: side,
            own: Squads::one(id),
            enemy: Squads::NONE,
            skill: game.skill(side, role),
            mix,
            occasion,
        }
    }

    /// A squadron that strikes.
    pub fn striking(game: &'a CarrierGame, state: &'a State, id: SquadronId) -> Self {
        Self::pilots(game, state, id, Occasion::Strike)
    }

    /// A squadron under fire.
    pub fn under_fire(game: &'a CarrierGame, state: &'a State, id: SquadronId) -> Self {
        Self::pilots(game, state, id, Occasion::UnderFire)
    }

    /// The guns; their crews have no skill.
    pub fn gunners(game: &'a CarrierGame, state: &'a State, side: Side, target: SquadronId) -> Self {
        let crippled = usize::from(state.carriers[side].hits >= game.book.carrier.crippled_at);
        Self {
            game,
            state,
            seat: side,
            own: Squads::NONE,
            enemy: Squads::one(target),
            skill: Skill::None,
            mix: game.mixes.guns[crippled],
            occasion: Occasion::Guns,
        }
    }

    fn with(&self, stance: Stance, red: u8) -> StanceAnswer {
        let due = self.skill.markers();
        StanceAnswer { stance, markers: Markers { red: red.min(due), blue: due - red.min(due) } }
    }
}

impl Decision for StanceChoice<'_> {
    type Value = StanceAnswer;

    fn seat(&self) -> Seat {
        self.seat.into()
    }

    fn check(&self, value: &StanceAnswer) -> Result<(), Refusal> {
        let due = self.skill.markers();
        if value.markers.total() == due {
            return Ok(());
        }
        Err(Refusal::new("bad-markers", format!("{} pilots play exactly {due} markers.", self.skill.word()))
            .by(rule::PILOT_SKILL))
    }
}

impl Screen for StanceChoice<'_> {
    fn prompt(&self) -> Prompt {
        let (text, rule) = match self.occasion {
            Occasion::Combat => (
                format!("Choose a secret stance: {} against {}.", self.own.names(), self.enemy.names()),
                rule::AIR_COMBAT,
            ),
            Occasion::Strike => (
                format!("Choose a secret stance: {} attacks the carrier group.", self.own.names()),
                rule::STRIKE_ATTACK,
            ),
            Occasion::UnderFire => {
                (format!("Choose a secret stance: {} is under fire.", self.own.names()), rule::AA_FIRE)
            }
            Occasion::Guns => {
                (format!("Choose a secret stance: your guns fire at {}.", self.enemy.names()), rule::AA_FIRE)
            }
        };
        let prompt = Prompt::new("stance", text, rule);
        // Where a side has pilots of skill, one looks for markers.
        let skilled =
            [Role::Fighter, Role::Strike].into_iter().any(|role| self.game.skill(self.seat, role) != Skill::None);
        match (self.skill, self.occasion) {
            (Skill::None, Occasion::Guns) if skilled => no_markers(prompt, "only pilots have them, gun crews do not."),
            (Skill::None, _) if skilled => {
                no_markers(prompt, "the least skilled pilots of the combat count, and these have none.")
            }
            _ => prompt,
        }
    }

    fn candidates(&self) -> Vec<Candidate<StanceAnswer>> {
        let mut all = Vec::new();
        for stance in Stance::ALL {
            for red in 0..=self.skill.markers() {
                let answer = self.with(stance, red);
                let label = if self.skill == Skill::None {
                    stance.to_string()
                } else {
                    format!("{stance}, {} red and {} blue", answer.markers.red, answer.markers.blue)
                };
                all.push(Candidate::new(answer, label));
            }
        }
        all
    }
}

impl Choice for StanceChoice<'_> {
    fn sample(&self, chance: &mut Chance) -> StanceAnswer {
        let stance = Stance::ALL[chance.below(3) as usize];
        let red = if self.skill == Skill::None { 0 } else { chance.below(u32::from(self.skill.markers()) + 1) as u8 };
        self.with(stance, red)
    }

    /// From the exact worth of every pair of plays, markers included.
    fn mix(&self) -> Option<Vec<(StanceAnswer, u64)>> {
        let duel = self.game.duel(self.state)?;
        let (plays, shares): (Vec<_>, Vec<_>) = duel
            .mix(self.seat)
            .map(|((stance, markers), share)| (StanceAnswer { stance, markers }, share.clone()))
            .unzip();
        Some(plays.into_iter().zip(weights(&shares)?).collect())
    }

    fn instinct(&self, chance: &mut Chance) -> StanceAnswer {
        let stance = Stance::ALL[chance.weighted(&self.mix).unwrap_or(1)];
        // Attackers add hits, those under fire save their own skins.
        let red = match self.occasion {
            Occasion::UnderFire => 0,
            Occasion::Strike => self.skill.markers(),
            _ => chance.below(u32::from(self.skill.markers()) + 1) as u8,
        };
        self.with(stance, red)
    }
}

impl CarrierGame {
    /// Two stances in secret, the phasing side asked first; the answers in the order given.
    pub(super) fn both_stances(
        &self,
        state: &State,
        ask: &mut impl Ask,
        one: StanceChoice<'_>,
        other: StanceChoice<'_>,
    ) -> Asked<[StanceAnswer; 2]> {
        let first_is_phasing = one.seat == state.phasing;
        let answers = ask.in_secret(&if first_is_phasing { [one, other] } else { [other, one] })?;
        let [a, b] = [answers[0], answers[1]];
        Ok(if first_is_phasing { [a, b] } else { [b, a] })
    }
}
