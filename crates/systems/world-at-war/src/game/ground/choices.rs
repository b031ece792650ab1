//! The questions with a short list of answers. [4.2]

pub use super::losses::{Counters, LossChoice, Losses, Overstacked};
pub use super::orders::{Order, Orders};
pub use super::places::{Advance, NextHex, RetreatTo, Retreats, Take};

use super::GroundGame;
use super::attacks::adjective;
use super::state::{Fight, GroundState, Phase};
use super::thinking;
use crate::messages::counted;
use crate::rule;
use crate::scenarios::{HexId, TurnOption};
use flagplot_kernel::{
    Candidate, Chance, Decision, Form, FormItem, FormSum, Menu, Prompt, Refusal, Screen, Seat, Side,
};
use flagplot_referee::words;
use std::collections::BTreeMap;

/// What a player turn is to be.
pub struct TurnChoice<'a> {
    pub game: &'a GroundGame,
    pub state: &'a GroundState,
}

impl Menu for TurnChoice<'_> {
    type Option = TurnOption;

    fn seat(&self) -> Seat {
        self.state.active.into()
    }

    fn prompt(&self) -> Prompt {
        let text = format!("Turn {} of {}: what do you do this turn?", self.state.turn, self.game.scenario.turns);
        Prompt::new("option", text, rule::GROUND_TURN)
    }

    fn options(&self) -> Vec<TurnOption> {
        TurnOption::ALL.to_vec()
    }

    fn allow(&self, option: &TurnOption) -> Result<(), Refusal> {
        if self.game.scenario.options.contains(option) {
            return Ok(());
        }
        Err(Refusal::new("not-now", "This battle does not allow it.").by(rule::GROUND_TURN))
    }

    fn label(&self, option: &TurnOption) -> String {
        match option {
            TurnOption::Offensive => "Offensive: move, then attack",
            TurnOption::Attrition => "Attrition: move, then roll on the attrition table",
            TurnOption::Pass => "Pass: move only",
        }
        .into()
    }

    fn sample(&self, chance: &mut Chance) -> TurnOption {
        let open = &self.game.scenario.options;
        open[chance.below(open.len() as u32) as usize]
    }

    fn instinct(&self, _: &mut Chance) -> TurnOption {
        thinking::option(self.game, self.state)
    }
}

/// Air factors by hex.
pub type Spread = BTreeMap<HexId, u8>;

/// What air factors are spread over the attacked hexes for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpreadFor {
    Das,
    Intercept,
}

impl SpreadFor {
    /// Whose air it is.
    pub fn side(self, state: &GroundState) -> Side {
        match self {
            SpreadFor::Das => state.active.other(),
            SpreadFor::Intercept => state.active,
        }
    }
}

/// Defensive air support, or interceptors against it.
pub struct AirWish<'a> {
    pub game: &'a GroundGame,
    pub state: &'a GroundState,
    pub what: SpreadFor,
}

impl AirWish<'_> {
    pub(super) fn ready(&self) -> u32 {
        u32::from(self.state.air[self.what.side(self.state)].ready)
    }
}

impl Decision for AirWish<'_> {
    type Value = Spread;

    fn seat(&self) -> Seat {
        self.what.side(self.state).into()
    }

    fn check(&self, value: &Spread) -> Result<(), Refusal> {
        self.game.check_spread(self.state, self.what, value)
    }
}

impl Screen for AirWish<'_> {
    fn prompt(&self) -> Prompt {
        let ready = counted(self.ready(), "air factor");
        match self.what {
            SpreadFor::Das => {
                let text = format!("You have {ready} ready. How many support the defense of each attacked hex?");
                Prompt::new("das", text, rule::C_6)
                    .confirm()
                    .missing(format!("More than three air factors for each ground factor in the hex. [{}]", rule::C_6))
            }
            SpreadFor::Intercept => {
                let text = format!("You have {ready} ready. How many intercept the air support over each hex?");
                Prompt::new("intercept", text, rule::C_21).confirm()
            }
        }
    }

    fn candidates(&self) -> Vec<Candidate<Spread>> {
        let limits = self.game.spread_limits(self.state, self.what);
        let mut out = vec![
            Candidate::new(thinking::spread(self.game, self.state, self.what), "Suggested"),
            Candidate::new(Spread::new(), "None"),
        ];
        for (hex, limit) in limits {
            let id = self.game.map.id(hex);
            let mut add = |factors: u32| {
                if factors > 0 {
                    let label = format!("{} to {}", counted(factors, "air factor"), self.game.map.name(hex));
                    out.push(Candidate::new(Spread::from([(id, factors as u8)]), label).at([id.key()]));
                }
            };
            add(limit);
            if limit > 1 {
                add(limit / 2);
            }
        }
        out
    }

    fn form(&self) -> Form {
        let limits = self.game.spread_limits(self.state, self.what);
        let item = |hex| FormItem {
            id: self.game.map.id(hex).to_string(),
            label: self.game.map.name(hex),
            options: Vec::new(),
        };
        let mut form = Form::numbers(limits.iter().map(|(hex, limit)| (item(*hex), (0, i64::from(*limit)))), None);
        if let Form::Numbers { items, sums, .. } = &mut form {
            let items = items.iter().map(|item| item.id.clone()).collect();
            sums.push(FormSum { label: "Air factors".into(), items, min: 0, max: i64::from(self.ready()) });
        }
        form
    }
}

#[words]
pub enum OnOrAway {
    Continue,
    Withdraw,
}

/// After a round of air combat: another round, or away? [C-21]
pub struct GoOrLeave<'a> {
    pub game: &'a GroundGame,
    pub state: &'a GroundState,
    pub side: Side,
}

impl Menu for GoOrLeave<'_> {
    type Option = OnOrAway;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn prompt(&self) -> Prompt {
        let (own, enemy, hex) = self.strengths();
        let (own, who) = (counted(own, "air factor"), adjective(self.side.other()));
        let text = format!("Over {hex}: your {own} against {enemy} {who}. Fight another round, or withdraw?");
        Prompt::new("air-continue", text, rule::C_21).confirm()
    }

    fn options(&self) -> Vec<OnOrAway> {
        OnOrAway::ALL.to_vec()
    }

    fn label(&self, option: &OnOrAway) -> String {
        match option {
            OnOrAway::Continue => "Fight on",
            OnOrAway::Withdraw if self.side == self.state.active => "Withdraw: the air support stays over the hex",
            OnOrAway::Withdraw => "Withdraw: the hex loses its air support",
        }
        .into()
    }

    fn sample(&self, chance: &mut Chance) -> OnOrAway {
        OnOrAway::ALL[chance.below(2) as usize]
    }

    fn instinct(&self, _: &mut Chance) -> OnOrAway {
        thinking::air_on(self.game, self.state, self.side)
    }
}

impl GoOrLeave<'_> {
    fn strengths(&self) -> (u32, u32, String) {
        let Phase::AirCombat(combat) = self.state.phase else { return (0, 0, String::new()) };
        let attack = self.state.attack_on(combat.target);
        let (interceptors, das) = attack.map_or((0, 0), |attack| (attack.interceptors, attack.das));
        let (own, enemy) = if self.side == self.state.active { (interceptors, das) } else { (das, interceptors) };
        (u32::from(own), u32::from(enemy), self.game.map.name(combat.target))
    }
}

/// Which declared attack is fought next.
pub struct ResolveNext<'a> {
    pub game: &'a GroundGame,
    pub state: &'a GroundState,
}

impl Menu for ResolveNext<'_> {
    type Option = HexId;

    fn seat(&self) -> Seat {
        self.state.active.into()
    }

    fn prompt(&self) -> Prompt {
        Prompt::new("resolve", "Which attack is fought next?", rule::GROUND_TURN)
    }

    fn options(&self) -> Vec<HexId> {
        self.state.attacks.iter().map(|attack| self.game.map.id(attack.target)).collect()
    }

    fn label(&self, option: &HexId) -> String {
        let attack = self.state.attacks.iter().find(|attack| self.game.map.id(attack.target) == *option);
        attack.map_or_else(String::new, |attack| {
            let strengths = self.game.strengths(self.state, attack);
            let (hex, ratio) = (self.game.map.name(attack.target), strengths.ratio());
            format!("{hex}: {} against {}, {ratio}", strengths.attack, strengths.defense)
        })
    }

    fn pieces(&self, option: &HexId) -> Vec<String> {
        vec![option.key()]
    }

    fn instinct(&self, _: &mut Chance) -> HexId {
        thinking::next_attack(self.game, self.state)
    }
}

#[words]
pub enum BreakOff {
    Continue,
    BreakOff,
}

/// After a round that leaves both sides there: another, or enough? [15.6]
pub struct GoOnChoice<'a> {
    pub game: &'a GroundGame,
    pub state: &'a GroundState,
    pub fight: &'a Fight,
}

impl Menu for GoOnChoice<'_> {
    type Option = BreakOff;

    fn seat(&self) -> Seat {
        self.state.active.into()
    }

    fn prompt(&self) -> Prompt {
        let strengths = self.game.strengths(self.state, &self.fight.attack);
        let text = format!(
            "{} still holds: {} against {}, {}, and {:+} on the die. Fight another round?",
            self.game.map.name(self.fight.attack.target),
            strengths.attack,
            strengths.defense,
            strengths.ratio(),
            self.fight.rounds
        );
        Prompt::new("go-on", text, rule::R_9).confirm()
    }

    fn options(&self) -> Vec<BreakOff> {
        BreakOff::ALL.to_vec()
    }

    fn label(&self, option: &BreakOff) -> String {
        match option {
            BreakOff::Continue => "Fight another round",
            BreakOff::BreakOff => "Break off the attack",
        }
        .into()
    }

    fn sample(&self, chance: &mut Chance) -> BreakOff {
        BreakOff::ALL[chance.below(2) as usize]
    }

    fn instinct(&self, _: &mut Chance) -> BreakOff {
        thinking::go_on(self.game, self.state, self.fight)
    }
}
