//! What players are asked, apart from their actions and the set-up.

use super::CarrierGame;
use super::absent::absent_squadrons;
use super::action::Action;
use super::forms::counted;
use super::piece::{PieceId, SquadronId, Squads};
use super::state::State;
use crate::combat::{in_order, spread};
use crate::detection::Column;
use crate::rule;
use flagplot_kernel::{Candidate, Chance, Choice, Decision, Form, Prompt, Refusal, Screen, Seat, Side};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The action of a go.
pub(super) struct ChooseAction<'a> {
    pub game: &'a CarrierGame,
    pub state: &'a State,
    pub side: Side,
}

impl Decision for ChooseAction<'_> {
    type Value = Action;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &Action) -> Result<(), Refusal> {
        self.game.legal(self.state, self.side, value)
    }
}

impl Screen for ChooseAction<'_> {
    fn prompt(&self) -> Prompt {
        let prompt = Prompt::new(
            "choose-action",
            format!("Turn {}: choose an action, or pass.", self.state.turn),
            rule::TURN_SEQUENCE,
        );
        self.game.explain_absent(self.state, self.side, prompt)
    }

    fn candidates(&self) -> Vec<Candidate<Action>> {
        self.game.action_candidates(self.state, self.side)
    }

    fn form(&self) -> Form {
        self.game.action_form(self.state, self.side)
    }
}

impl Choice for ChooseAction<'_> {
    fn sample(&self, chance: &mut Chance) -> Action {
        self.game.sample_action(self.state, self.side, chance)
    }

    fn instinct(&self, chance: &mut Chance) -> Action {
        self.game.instinct_action(self.state, self.side, chance)
    }
}

/// A secret number of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Number(pub u8);

pub(super) struct DetectionNumber {
    pub seat: Side,
    pub column: Column,
    pub searcher: bool,
    pub who: &'static str,
    pub target: PieceId,
}

impl Decision for DetectionNumber {
    type Value = Number;

    fn seat(&self) -> Seat {
        self.seat.into()
    }

    fn check(&self, value: &Number) -> Result<(), Refusal> {
        if (1..=4).contains(&value.0) {
            return Ok(());
        }
        Err(Refusal::new("out-of-range", "The number must lie between 1 and 4.").by(rule::C_3))
    }
}

impl Screen for DetectionNumber {
    fn prompt(&self) -> Prompt {
        let text = if self.searcher {
            format!("Choose a secret number: {} looks for {}.", self.who, self.target)
        } else {
            format!("Choose a secret number: {} is looking for {}.", self.who, self.target)
        };
        Prompt::new("detection-number", text, rule::DETECT)
    }

    fn candidates(&self) -> Vec<Candidate<Number>> {
        (1..=4).map(|number| Candidate::new(Number(number), number.to_string())).collect()
    }
}

impl Choice for DetectionNumber {
    fn sample(&self, chance: &mut Chance) -> Number {
        Number(1 + chance.below(4) as u8)
    }

    fn mix(&self) -> Option<Vec<(Number, u64)>> {
        Some((1..=4).map(Number).zip(self.weights()).collect())
    }

    fn instinct(&self, chance: &mut Chance) -> Number {
        Number(1 + chance.weighted(&self.weights()).unwrap_or(0) as u8)
    }
}

impl DetectionNumber {
    /// The mixes that cannot be exploited, for the searcher and the hider alike.
    fn weights(&self) -> [u64; 4] {
        match self.column {
            Column::CombatOrCv => [1, 2, 2, 1],
            Column::Recce => [1, 1, 1, 1],
        }
    }
}

/// Which squadron strikes next; none to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StrikeNextAnswer {
    pub strike: Option<SquadronId>,
}

pub(super) struct StrikeNextChoice<'a> {
    pub game: &'a CarrierGame,
    pub state: &'a State,
    pub side: Side,
    pub able: Squads,
}

impl Decision for StrikeNextChoice<'_> {
    type Value = StrikeNextAnswer;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &StrikeNextAnswer) -> Result<(), Refusal> {
        match value.strike {
            Some(id) if !self.able.has(id) => {
                let (code, text) = if self.state.act.struck.has(id) {
                    ("already-acted", format!("Squadron {id} has struck."))
                } else {
                    ("no-ordnance", format!("Squadron {id} cannot strike: it carries no ordnance, or is not here."))
                };
                Err(Refusal::new(code, text).by(rule::R_14))
            }
            _ => Ok(()),
        }
    }
}

impl Screen for StrikeNextChoice<'_> {
    fn prompt(&self) -> Prompt {
        let hits = self.state.carriers[self.side.other()].hits;
        let prompt = Prompt::new(
            "strike-next",
            format!(
                "Which squadron strikes next? The carrier group has {hits} hits and {} anti-aircraft points.",
                self.game.aa[self.side.other()][usize::from(hits.min(8))]
            ),
            rule::R_60,
        );
        let rest = self
            .state
            .act
            .order
            .iter()
            .copied()
            .filter(|id| id.side() == self.side && self.state[*id].up() && !self.able.has(*id));
        absent_squadrons(prompt, rest.map(|id| (id, self.check(&StrikeNextAnswer { strike: Some(id) }))), "strikes")
    }

    fn candidates(&self) -> Vec<Candidate<StrikeNextAnswer>> {
        let mut all: Vec<_> = self
            .able
            .iter()
            .map(|id| Candidate::new(StrikeNextAnswer { strike: Some(id) }, format!("{id} strikes")).at([id]))
            .collect();
        all.push(Candidate::new(StrikeNextAnswer { strike: None }, "stop"));
        all
    }
}

impl Choice for StrikeNextChoice<'_> {
    fn instinct(&self, _: &mut Chance) -> StrikeNextAnswer {
        // Full squadrons first: they thin the guns for the rest.
        let first_biggest = self.able.iter().rev_max(|id| self.state[*id].strength);
        StrikeNextAnswer { strike: first_biggest }
    }
}

trait FirstMax: Iterator + Sized {
    /// The first of the greatest.
    fn rev_max<K: Ord>(self, key: impl Fn(&Self::Item) -> K) -> Option<Self::Item> {
        self.reduce(|best, next| if key(&next) > key(&best) { next } else { best })
    }
}

impl<I: Iterator> FirstMax for I {}

/// What a crippled group loses.
pub(super) struct ShedChoice<'a> {
    pub game: &'a CarrierGame,
    pub state: &'a State,
    pub side: Side,
}

impl ShedChoice<'_> {
    fn aboard(&self) -> impl Iterator<Item = SquadronId> + '_ {
        SquadronId::of(self.side).filter(|id| self.state[*id].aboard())
    }

    fn by(&self, policy: fn(&mut [u8], u8)) -> BTreeMap<SquadronId, u8> {
        let (aircraft, scouts) = self.game.excess(self.state, self.side);
        let combat: Vec<SquadronId> = self.aboard().filter(|id| !id.is_recce()).collect();
        let before: Vec<u8> = combat.iter().map(|id| self.state[*id].strength).collect();
        let mut after = before.clone();
        policy(&mut after, aircraft);
        let lost = combat.iter().zip(before.iter().zip(&after)).map(|(id, (before, after))| (*id, before - after));
        let scouts = self.aboard().filter(|id| id.is_recce()).take(usize::from(scouts)).map(|id| (id, 1));
        lost.chain(scouts).filter(|(_, lost)| *lost > 0).collect()
    }
}

impl Decision for ShedChoice<'_> {
    type Value = BTreeMap<SquadronId, u8>;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &Self::Value) -> Result<(), Refusal> {
        let excess = self.game.excess(self.state, self.side);
        let mut given = (0u32, 0u32);
        for (id, lost) in value {
            if !self.aboard().any(|aboard| aboard == *id) || *lost > self.state[*id].strength {
                return Err(
                    Refusal::new("bad-allocation", format!("{id} is not aboard with so many aircraft.")).by(rule::R_15)
                );
            }
            if id.is_recce() { given.1 += u32::from(*lost) } else { given.0 += u32::from(*lost) }
        }
        if given != (u32::from(excess.0), u32::from(excess.1)) {
            return Err(Refusal::new(
                "bad-allocation",
                format!("Exactly {} aircraft and {} scouts must go.", excess.0, excess.1),
            )
            .by(rule::R_15));
        }
        Ok(())
    }
}

impl Screen for ShedChoice<'_> {
    fn prompt(&self) -> Prompt {
        let (aircraft, scouts) = self.game.excess(self.state, self.side);
        Prompt::new(
            "shed",
            format!(
                "Your group is crippled: say which {aircraft} aircraft and {scouts} scouts aboard are lost for want of room."
            ),
            rule::R_15,
        )
    }

    fn candidates(&self) -> Vec<Candidate<Self::Value>> {
        vec![Candidate::new(self.by(spread), "spread evenly"), Candidate::new(self.by(in_order), "in order")]
    }

    fn form(&self) -> Form {
        let limits = self.aboard().map(|id| (0, i64::from(self.state[id].strength))).collect();
        let (aircraft, scouts) = self.game.excess(self.state, self.side);
        Form::Numbers { items: counted(self.aboard()), limits, total: Some(i64::from(aircraft) + i64::from(scouts)) }
    }
}

impl Choice for ShedChoice<'_> {}
