//! The questions of an air battle, and which answers are legal. [5.2]

use super::day::factors;
use super::state::{AirState, Loss, Role};
use super::{AirGame, HOME, RESERVE};
use crate::game::victory::SIDES;
use crate::messages::{all, ensure};
use crate::rule;
use crate::scenarios::Mission;
use flagplot_kernel::{Chance, Decision, Menu, Prompt, Refusal, Seat};
use flagplot_referee::words;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// A number for each of some names: by position, or as a player has named them. Its JSON form is the map either way.
#[derive(Clone, Debug)]
pub enum Numbers<'a> {
    Placed {
        numbers: Vec<u16>,
        keys: &'a [String],
    },
    Named(BTreeMap<String, i64>),
    /// A word, which answers another question.
    Said(String),
}

impl Serialize for Numbers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Numbers::Placed { numbers, keys } => serializer.collect_map(keys.iter().zip(numbers)),
            Numbers::Named(named) => named.serialize(serializer),
            Numbers::Said(word) => word.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Numbers<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "a whole number for each name is expected")]
        enum Given {
            Numbers(BTreeMap<String, i64>),
            Word(String),
        }
        Ok(match Given::deserialize(deserializer)? {
            Given::Numbers(named) => Numbers::Named(named),
            Given::Word(word) => Numbers::Said(word),
        })
    }
}

impl<'a> Numbers<'a> {
    pub fn placed(numbers: Vec<u16>, keys: &'a [String]) -> Self {
        Numbers::Placed { numbers, keys }
    }

    /// The numbers in the order of the names. What is not named is 0.
    fn read(&self, keys: &[String]) -> Vec<i64> {
        match self {
            Numbers::Placed { numbers, .. } => numbers.iter().map(|&number| number.into()).collect(),
            Numbers::Named(named) => keys.iter().map(|key| named.get(key).copied().unwrap_or(0)).collect(),
            Numbers::Said(_) => vec![0; keys.len()],
        }
    }

    /// Names that are not among those asked for.
    fn unknown(&self, keys: &[String]) -> Vec<&str> {
        match self {
            Numbers::Named(named) => named.keys().filter(|key| !keys.contains(key)).map(String::as_str).collect(),
            _ => Vec::new(),
        }
    }
}

fn shown(text: &str) -> String {
    text.chars().take(60).collect()
}

/// No number is below 0, and each fits the state.
fn whole(numbers: &[i64], keys: &[String]) -> Result<(), Refusal> {
    all(numbers.iter().zip(keys).map(|(number, key)| {
        ensure((0..=i64::from(u16::MAX)).contains(number), || {
            Refusal::new("bad-number", format!("{key}: {number} is not a number of factors.")).by(rule::AIR_DAY)
        })
    }))
}

/// The factors of each group to each target; the defender may hold some in reserve. Secret, both at once. [C-22]
pub struct PlanChoice<'a> {
    pub game: &'a AirGame,
    pub state: &'a AirState,
    pub role: Role,
}

impl<'a> PlanChoice<'a> {
    pub fn keys(&self) -> &'a [String] {
        &self.game.keys[self.role]
    }

    pub fn placed(&self, numbers: Vec<u16>) -> Numbers<'a> {
        Numbers::placed(numbers, self.keys())
    }

    /// Ready factors of a group.
    pub fn ready(&self, group: usize) -> u32 {
        self.state.wings[self.role].ready[group].into()
    }

    /// The most factors a slot may hold.
    pub fn most(&self, slot: usize) -> u32 {
        match (self.role, self.game.targets().get(slot)) {
            (Role::Attacker, Some(target)) => target.most_attackers,
            (_, Some(_)) => u32::from(u16::MAX),
            (_, None) => self.game.most_in_reserve(self.state),
        }
    }

    /// A name that no number of the plan has: its group or its slot is unknown.
    fn unknown(&self, key: &str) -> Refusal {
        let (group, slot) = key.split_once(':').unwrap_or((key, ""));
        let names = &self.game.groups[self.role];
        if names.iter().all(|known| known.id != group) {
            let message = format!("You have no group '{}'.", shown(group));
            let known: Vec<&str> = names.iter().map(|group| group.name.as_str()).collect();
            return Refusal::new("unknown-group", message)
                .by(rule::AIR_DAY)
                .remedy(format!("Your groups are: {}.", known.join(", ")));
        }
        unknown_target(self.game, slot)
    }
}

fn unknown_target(game: &AirGame, slot: &str) -> Refusal {
    let known: Vec<&str> = game.targets().iter().map(|target| target.name.as_str()).collect();
    Refusal::new("unknown-target", format!("There is no target '{}' in this battle.", shown(slot)))
        .by(rule::AIR_DAY)
        .remedy(format!("The targets are: {}.", known.join(", ")))
}

/// A word where numbers or a target are asked for.
fn not_now(game: &AirGame, word: &str, what: &str) -> Refusal {
    let message = match game.scenario.mission {
        Mission::StrategicBombing if word == StayOrLeave::Withdraw.word() => {
            "Neither side withdraws from strategic bombing.".to_owned()
        }
        _ => format!("'{}' is not possible in this phase.", shown(word)),
    };
    Refusal::new("not-now", message).by(rule::AIR_DAY).remedy(format!("It is your turn to {what}."))
}

impl<'a> Decision for PlanChoice<'a> {
    type Value = Numbers<'a>;

    fn seat(&self) -> Seat {
        self.game.side(self.role).into()
    }

    fn check(&self, plan: &Numbers<'a>) -> Result<(), Refusal> {
        if let Numbers::Said(word) = plan {
            return Err(not_now(self.game, word, "plan the day"));
        }
        let (keys, slots) = (self.keys(), self.game.slots(self.role));
        Refusal::all(plan.unknown(keys).into_iter().map(|key| self.unknown(key)).collect())?;
        let numbers = plan.read(keys);
        whole(&numbers, keys)?;
        let groups = numbers.chunks(slots).zip(&self.game.groups[self.role]).enumerate().map(|(at, (sent, group))| {
            let ready = self.ready(at);
            ensure(sent.iter().sum::<i64>() <= ready.into(), || {
                let (name, ready) = (&group.name, factors(ready));
                let sent: i64 = sent.iter().sum();
                Refusal::new("not-enough-air", format!("{name} has {ready} ready, and the plan sends {sent}."))
                    .by(rule::AIR_DAY)
                    .remedy("Send fewer of them.")
            })
        });
        let limits = (0..slots).map(|slot| {
            let sent: i64 = numbers.iter().skip(slot).step_by(slots).sum();
            let most = self.most(slot);
            ensure(sent <= most.into(), || match self.game.targets().get(slot) {
                Some(target) => {
                    let (place, most) = (&target.name, factors(most));
                    let message = format!("At most {most} can attack {place}, and the plan sends {sent}.");
                    Refusal::new("too-many-attackers", message)
                        .by(rule::C_22)
                        .remedy("Send the others elsewhere, or leave them at home.")
                }
                None => {
                    let message = format!("The reserve holds at most {}, and the plan has {sent}.", factors(most));
                    Refusal::new("reserve-too-large", message)
                        .by(rule::C_22)
                        .remedy("It is at most a third of your ready factors: send the others to a target.")
                }
            })
        });
        all(groups.chain(limits))
    }
}

impl Numbers<'_> {
    /// The numbers of an answer that has passed its check.
    pub fn checked(self, keys: &[String]) -> Vec<u16> {
        match self {
            Numbers::Placed { numbers, .. } => numbers,
            named => named.read(keys).into_iter().map(|number| u16::try_from(number).unwrap_or(0)).collect(),
        }
    }
}

/// Where does the whole reserve go? [C-22]
pub struct ReserveChoice<'a> {
    pub game: &'a AirGame,
    pub state: &'a AirState,
}

impl ReserveChoice<'_> {
    /// The targets that are attacked: elsewhere the reserve would meet nobody.
    pub fn open(&self) -> Vec<u8> {
        let all = 0..self.game.targets().len() as u8;
        all.filter(|&target| self.game.present(self.state, Role::Attacker, target) > 0).collect()
    }

    pub fn answer(&self, target: Option<u8>) -> String {
        target.map_or(HOME, |target| &self.game.target(target).id).to_owned()
    }

    /// The target of an answer that has passed its check.
    pub fn target(&self, answer: &str) -> Option<u8> {
        self.game.targets().iter().position(|target| target.id == answer).map(|at| at as u8)
    }
}

impl Decision for ReserveChoice<'_> {
    type Value = String;

    fn seat(&self) -> Seat {
        self.game.side(Role::Defender).into()
    }

    fn check(&self, answer: &String) -> Result<(), Refusal> {
        match self.target(answer) {
            _ if answer == HOME => Ok(()),
            None if StayOrLeave::WORDS.contains(&answer.as_str()) => {
                Err(not_now(self.game, answer, "commit the reserve"))
            }
            None => Err(unknown_target(self.game, answer)),
            Some(target) => ensure(self.open().contains(&target), || {
                let message = format!("{} is not attacked today.", self.game.target(target).name);
                Refusal::new("not-attacked", message)
                    .by(rule::AIR_DAY)
                    .remedy("Choose a target that is attacked, or keep the reserve at home.")
            }),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossKind {
    Eliminated,
    Aborted,
}

impl LossKind {
    pub const BOTH: [LossKind; 2] = [LossKind::Eliminated, LossKind::Aborted];

    pub fn of(self, loss: Loss) -> u16 {
        match self {
            LossKind::Eliminated => loss.eliminated,
            LossKind::Aborted => loss.aborted,
        }
    }
}

/// Which groups take the losses? Asked where they differ in nation or type. [5.2, C-29]
pub struct LossChoice<'a> {
    pub game: &'a AirGame,
    pub state: &'a AirState,
    pub role: Role,
    pub kind: LossKind,
    pub target: u8,
    pub guns: bool,
}

impl<'a> LossChoice<'a> {
    pub fn keys(&self) -> &'a [String] {
        &self.game.ids[self.role]
    }

    pub fn placed(&self, numbers: Vec<u16>) -> Numbers<'a> {
        Numbers::placed(numbers, self.keys())
    }

    pub fn due(&self) -> u16 {
        self.kind.of(self.state.due[self.role])
    }

    /// The most a group can lose.
    pub fn most(&self, group: usize) -> u16 {
        self.game.able(self.state, self.role, self.kind, group, self.target, self.guns)
    }
}

impl<'a> Decision for LossChoice<'a> {
    type Value = Numbers<'a>;

    fn seat(&self) -> Seat {
        self.game.side(self.role).into()
    }

    fn check(&self, answer: &Numbers<'a>) -> Result<(), Refusal> {
        if let Numbers::Said(word) = answer {
            return Err(not_now(self.game, word, "say which groups take the losses"));
        }
        let keys = self.keys();
        if let [first, ..] = answer.unknown(keys)[..] {
            let message = format!("You have no group '{}'.", shown(first));
            return Err(Refusal::new("unknown-group", message).by(rule::AIR_DAY));
        }
        let numbers = answer.read(keys);
        whole(&numbers, keys)?;
        let groups = numbers.iter().zip(&self.game.groups[self.role]).enumerate().map(|(at, (number, group))| {
            let most = self.most(at);
            ensure(*number <= i64::from(most), || {
                let message = format!("{} can lose at most {} here.", group.name, factors(most.into()));
                Refusal::new("not-enough-air", message).by(rule::AIR_DAY)
            })
        });
        let (sum, due) = (numbers.iter().sum::<i64>(), self.due());
        let total = ensure(sum == i64::from(due), || {
            let message = format!("The losses are {}; {sum} are named.", factors(due.into()));
            Refusal::new("wrong-losses", message).by(rule::R_27).remedy("Name exactly that many.")
        });
        all(groups.chain([total]))
    }
}

#[words]
pub enum StayOrLeave {
    Continue,
    Withdraw,
}

/// Another round over a target, or away? [5.2]
pub struct Staying<'a> {
    pub game: &'a AirGame,
    pub state: &'a AirState,
    pub role: Role,
    pub target: u8,
    pub round: u8,
}

impl Menu for Staying<'_> {
    type Option = StayOrLeave;

    fn seat(&self) -> Seat {
        self.game.side(self.role).into()
    }

    fn prompt(&self) -> Prompt {
        let place = &self.game.target(self.target).name;
        let [own, theirs] = [self.role, self.role.other()].map(|role| self.game.present(self.state, role, self.target));
        let (round, rounds) = (self.round, self.game.scenario.rounds);
        let enemy = SIDES[self.game.side(self.role.other())];
        let text = format!(
            "{place}: you have {} against {theirs} of the {enemy}. Fight round {round} of {rounds}, or withdraw?",
            factors(own)
        );
        Prompt::new("stay", text, rule::AIR_DAY)
            .missing(format!("Withdraw some of them: a force leaves as a whole. [{}]", rule::AIR_DAY))
    }

    fn options(&self) -> Vec<StayOrLeave> {
        StayOrLeave::ALL.to_vec()
    }

    fn label(&self, option: &StayOrLeave) -> String {
        match (option, self.role) {
            (StayOrLeave::Continue, _) => "Fight on",
            (StayOrLeave::Withdraw, Role::Attacker) => "Withdraw: fly home without bombing",
            (StayOrLeave::Withdraw, Role::Defender) => "Withdraw: let the attackers through",
        }
        .into()
    }

    fn sample(&self, chance: &mut Chance) -> StayOrLeave {
        StayOrLeave::ALL[chance.below(2) as usize]
    }

    fn instinct(&self, _: &mut Chance) -> StayOrLeave {
        self.best()
    }
}

/// A slot of a plan in words.
pub fn slot_name(game: &AirGame, slot: usize) -> &str {
    game.targets().get(slot).map_or(RESERVE, |target| target.name.as_str())
}
