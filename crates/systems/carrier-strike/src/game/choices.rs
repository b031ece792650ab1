//! What players are asked, apart from their actions and the set-up.

use super::CarrierGame;
use super::action::Action;
use super::piece::{CardId, PieceId, SquadronId, Squads};
use super::setup::items;
use super::state::{ActKind, State};
use crate::combat::{in_order, spread};
use crate::detection::Column;
use crate::geometry::{COMPASS, COMPASS_NAMES, GivingWay, comes_no_nearer};
use crate::rule;
use crate::words::{Markers, Role, Skill, Stance};
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Ask, Asked, Candidate, Chance, Choice, Form, Prompt, Refusal, Seat, Side};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;

/// The action of a go.
pub(super) struct ChooseAction<'a> {
    pub game: &'a CarrierGame,
    pub state: &'a State,
    pub side: Side,
}

impl Choice for ChooseAction<'_> {
    type Value = Action;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn prompt(&self) -> Prompt {
        let prompt = Prompt::new("choose-action", format!("Turn {}: choose an action, or pass.", self.state.turn), rule::TURN_SEQUENCE);
        match self.game.may_pass(self.state, self.side) {
            Err(refusal) => prompt.missing(refusal.message),
            Ok(()) => prompt,
        }
    }

    fn check(&self, value: &Action) -> Result<(), Refusal> {
        self.game.legal(self.state, self.side, value)
    }

    fn candidates(&self) -> Vec<Candidate<Action>> {
        self.game.action_candidates(self.state, self.side)
    }

    fn form(&self) -> Form {
        self.game.action_form(self.state, self.side)
    }

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

impl Choice for DetectionNumber {
    type Value = Number;

    fn seat(&self) -> Seat {
        self.seat.into()
    }

    fn prompt(&self) -> Prompt {
        let text = if self.searcher {
            format!("Choose a secret number: {} looks for {}.", self.who, self.target)
        } else {
            format!("Choose a secret number: {} is looking for {}.", self.who, self.target)
        };
        Prompt::new("detection-number", text, rule::DETECT)
    }

    fn check(&self, value: &Number) -> Result<(), Refusal> {
        if (1..=4).contains(&value.0) {
            return Ok(());
        }
        Err(Refusal::new("out-of-range", "The number must lie between 1 and 4.").by(rule::C_3))
    }

    fn candidates(&self) -> Vec<Candidate<Number>> {
        (1..=4).map(|number| Candidate::new(Number(number), number.to_string())).collect()
    }

    fn sample(&self, chance: &mut Chance) -> Number {
        Number(1 + chance.below(4) as u8)
    }

    fn instinct(&self, chance: &mut Chance) -> Number {
        // The mixes that cannot be exploited, for the searcher and the hider alike.
        let weights: [u64; 4] = match self.column {
            Column::CombatOrCv => [1, 2, 2, 1],
            Column::Recce => [1, 1, 1, 1],
        };
        Number(1 + chance.weighted(&weights).unwrap_or(0) as u8)
    }
}

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

pub(super) struct StanceChoice {
    seat: Side,
    own: Squads,
    enemy: Squads,
    skill: Skill,
    mix: [u64; 3],
    occasion: Occasion,
}

impl StanceChoice {
    /// A side of a combat. The lowest skill in it counts.
    pub fn in_combat(game: &CarrierGame, state: &State, own: Squads, enemy: Squads) -> Self {
        let seat = own.first().map_or(state.phasing, |id| id.side());
        let skill = own.iter().map(|id| game.skill(seat, state[id].shown_role.unwrap_or(Role::Strike))).min().unwrap_or_default();
        let strength = |set: Squads| set.iter().map(|id| u32::from(state[id].last_seen)).sum::<u32>();
        let mixes = &game.mixes;
        let mix = match (game.fights_as(state, own), game.fights_as(state, enemy)) {
            (Role::Fighter, Role::Strike) => mixes.hunters,
            (Role::Strike, _) => mixes.hunted,
            _ if strength(own) * 4 >= strength(enemy) * 5 => mixes.strong,
            _ if strength(enemy) * 4 >= strength(own) * 5 => mixes.weak,
            _ => mixes.even,
        };
        Self { seat, own, enemy, skill, mix, occasion: Occasion::Combat }
    }

    fn pilots(game: &CarrierGame, state: &State, id: SquadronId, occasion: Occasion) -> Self {
        let side = id.side();
        let enemy = &state.carriers[side.other()];
        let crippled = usize::from(enemy.hits >= game.book.carrier.crippled_at);
        let role = state[id].role.unwrap_or(Role::Strike);
        let mix = if occasion == Occasion::Strike { game.mixes.strikers[crippled] } else { [0, 1, 2] };
        Self { seat: side, own: Squads::one(id), enemy: Squads::NONE, skill: game.skill(side, role), mix, occasion }
    }

    /// A squadron that strikes.
    pub fn striking(game: &CarrierGame, state: &State, id: SquadronId) -> Self {
        Self::pilots(game, state, id, Occasion::Strike)
    }

    /// A squadron under fire.
    pub fn under_fire(game: &CarrierGame, state: &State, id: SquadronId) -> Self {
        Self::pilots(game, state, id, Occasion::UnderFire)
    }

    /// The guns; their crews have no skill.
    pub fn gunners(game: &CarrierGame, state: &State, side: Side, target: SquadronId) -> Self {
        let crippled = usize::from(state.carriers[side].hits >= game.book.carrier.crippled_at);
        Self { seat: side, own: Squads::NONE, enemy: Squads::one(target), skill: Skill::None, mix: game.mixes.guns[crippled], occasion: Occasion::Guns }
    }

    fn with(&self, stance: Stance, red: u8) -> StanceAnswer {
        let due = self.skill.markers();
        StanceAnswer { stance, markers: Markers { red: red.min(due), blue: due - red.min(due) } }
    }
}

impl Choice for StanceChoice {
    type Value = StanceAnswer;

    fn seat(&self) -> Seat {
        self.seat.into()
    }

    fn prompt(&self) -> Prompt {
        let (text, rule) = match self.occasion {
            Occasion::Combat => (format!("Choose a secret stance: {} against {}.", self.own.names(), self.enemy.names()), rule::AIR_COMBAT),
            Occasion::Strike => (format!("Choose a secret stance: {} attacks the carrier group.", self.own.names()), rule::STRIKE_ATTACK),
            Occasion::UnderFire => (format!("Choose a secret stance: {} is under fire.", self.own.names()), rule::AA_FIRE),
            Occasion::Guns => (format!("Choose a secret stance: your guns fire at {}.", self.enemy.names()), rule::AA_FIRE),
        };
        Prompt::new("stance", text, rule)
    }

    fn check(&self, value: &StanceAnswer) -> Result<(), Refusal> {
        let due = self.skill.markers();
        if value.markers.total() == due {
            return Ok(());
        }
        Err(Refusal::new("bad-markers", format!("{} pilots play exactly {due} markers.", self.skill.word())).by(rule::PILOT_SKILL))
    }

    fn candidates(&self) -> Vec<Candidate<StanceAnswer>> {
        let mut all = Vec::new();
        for stance in Stance::ALL {
            for red in 0..=self.skill.markers() {
                let answer = self.with(stance, red);
                let label = if self.skill == Skill::None { stance.to_string() } else { format!("{stance}, {} red and {} blue", answer.markers.red, answer.markers.blue) };
                all.push(Candidate::new(answer, label));
            }
        }
        all
    }

    fn sample(&self, chance: &mut Chance) -> StanceAnswer {
        let stance = Stance::ALL[chance.below(3) as usize];
        let red = if self.skill == Skill::None { 0 } else { chance.below(u32::from(self.skill.markers()) + 1) as u8 };
        self.with(stance, red)
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
    pub(super) fn both_stances(&self, state: &State, ask: &mut impl Ask, one: StanceChoice, other: StanceChoice) -> Asked<[StanceAnswer; 2]> {
        let first_is_phasing = one.seat == state.phasing;
        let answers = ask.in_secret(&if first_is_phasing { [one, other] } else { [other, one] })?;
        let [a, b] = [answers[0], answers[1]];
        Ok(if first_is_phasing { [a, b] } else { [b, a] })
    }
}

/// A path, or none to stay or stop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PathAnswer {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub squadrons: Option<Vec<SquadronId>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<Vec<Point>>,
}

/// What a path is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PathUse {
    AfterSearch,
    Resume,
    AfterStrike,
}

pub(super) struct PathChoice<'a> {
    pub game: &'a CarrierGame,
    pub state: &'a State,
    pub side: Side,
    pub squadrons: &'a [SquadronId],
    pub allowance: i64,
    pub purpose: PathUse,
}

impl PathChoice<'_> {
    /// Whether the path must lead to the enemy card.
    fn to_card(&self) -> Option<Point> {
        if self.purpose == PathUse::Resume && self.state.act.kind == ActKind::Strike { self.game.strike_target(self.state, self.side) } else { None }
    }

    fn legal(&self, path: Vec<Point>) -> Option<PathAnswer> {
        let answer = PathAnswer { squadrons: None, path: Some(path) };
        self.check(&answer).is_ok().then_some(answer)
    }
}

impl Choice for PathChoice<'_> {
    type Value = PathAnswer;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn prompt(&self) -> Prompt {
        let names = self.squadrons.iter().map(|id| id.name()).collect::<Vec<_>>().join(", ");
        match self.purpose {
            PathUse::AfterSearch => Prompt::new("path", format!("Choose a path for {names}, or stay."), rule::R_75),
            PathUse::Resume => Prompt::new("resume", format!("Go on with {names} (up to {} thousandths), or stop.", self.allowance), rule::R_27),
            PathUse::AfterStrike => Prompt::new("after-strike", format!("Choose a path for {names} after the strike, or stay."), rule::STRIKE),
        }
    }

    fn check(&self, value: &PathAnswer) -> Result<(), Refusal> {
        let Some(path) = &value.path else {
            return Ok(());
        };
        let squadrons = value.squadrons.as_deref().unwrap_or(self.squadrons);
        let set: Squads = squadrons.iter().copied().collect();
        if value.squadrons.is_some() && self.purpose != PathUse::Resume && squadrons != self.squadrons {
            return Err(Refusal::new("not-touching", "All squadrons of the group fly together here.").by(rule::MOVE));
        }
        if set.is_empty() || set.count() != squadrons.len() || squadrons.iter().any(|id| !self.squadrons.contains(id)) {
            return Err(Refusal::new("not-deployed", "Only squadrons that still take part can fly on.").by(rule::R_27));
        }
        let path = self.game.path(self.state, squadrons, path, self.allowance)?;
        if self.purpose == PathUse::Resume && self.game.meets_forbidden(self.state, squadrons, &path) {
            return Err(Refusal::new("contact-forbidden", "The group that gave way may not be approached again in this action.").by(rule::R_27));
        }
        if self.to_card().is_some_and(|card| !self.game.ends_at_card(self.state, squadrons, &path, card)) {
            return Err(Refusal::new("not-at-the-card", "The strike must end with a die touching the carrier card.").by(rule::STRIKE));
        }
        Ok(())
    }

    fn candidates(&self) -> Vec<Candidate<PathAnswer>> {
        let mut all = vec![Candidate::new(PathAnswer::default(), if self.purpose == PathUse::Resume { "stop" } else { "stay" })];
        let Some(lead) = self.squadrons.first() else { return all };
        if let Some(card) = self.to_card() {
            let to = self.game.straight_to_card(self.state, self.squadrons, card);
            all.extend(self.legal(vec![to]).map(|answer| Candidate::new(answer, "go on to the card")));
            return all;
        }
        let spots = self.game.destinations(self.state, self.side, self.squadrons, self.allowance);
        all.extend(spots.into_iter().filter_map(|(to, label)| self.legal(vec![to]).map(|answer| Candidate::new(answer, label).at([lead.name()]))));
        all
    }

    fn form(&self) -> Form {
        let reach = Form::Points { piece: self.squadrons.first().map(ToString::to_string), max: 8, reach: Some(self.allowance), template: json!({"path": "$points"}) };
        Form::Choices { ways: vec![("stay".into(), Form::Pick), ("path".into(), reach)] }
    }

    fn sample(&self, chance: &mut Chance) -> PathAnswer {
        if let Some(card) = self.to_card() {
            let to = self.game.straight_to_card(self.state, self.squadrons, card);
            return if chance.below(4) == 0 { PathAnswer::default() } else { self.legal(vec![to]).unwrap_or_default() };
        }
        if chance.below(3) == 0 || self.allowance < 1 {
            return PathAnswer::default();
        }
        self.game.sample_point(self.state, self.squadrons, self.allowance, chance).and_then(|to| self.legal(vec![to])).unwrap_or_default()
    }

    fn instinct(&self, chance: &mut Chance) -> PathAnswer {
        if let Some(card) = self.to_card() {
            return self.legal(vec![self.game.straight_to_card(self.state, self.squadrons, card)]).unwrap_or_default();
        }
        self.game.instinct_path(self.state, self.side, self.squadrons, self.allowance, chance).and_then(|to| self.legal(vec![to])).unwrap_or_default()
    }
}

/// Where the cards go; nowhere to stay.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CvMoveAnswer {
    #[serde(default)]
    pub to: BTreeMap<CardId, Point>,
}

pub(super) struct CvMoveChoice<'a> {
    pub game: &'a CarrierGame,
    pub state: &'a State,
    pub side: Side,
}

impl Choice for CvMoveChoice<'_> {
    type Value = CvMoveAnswer;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn prompt(&self) -> Prompt {
        Prompt::new("path", "Choose where the carriers steam, or stay.", rule::R_75)
    }

    fn check(&self, value: &CvMoveAnswer) -> Result<(), Refusal> {
        if value.to.is_empty() { Ok(()) } else { self.game.cv_move(self.state, self.side, &value.to) }
    }

    fn candidates(&self) -> Vec<Candidate<CvMoveAnswer>> {
        let mut all = vec![Candidate::new(CvMoveAnswer::default(), "stay")];
        all.extend(self.game.cv_moves(self.state, self.side).into_iter().map(|(to, label)| Candidate::new(CvMoveAnswer { to }, label)));
        all
    }

    fn form(&self) -> Form {
        Form::Json { example: json!(self.game.cv_moves(self.state, self.side).first().map(|(to, _)| CvMoveAnswer { to: to.clone() })) }
    }
}

/// Whether a die slides off a card or stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum SlideAnswer {
    Slide,
    Stay,
}

pub(super) struct SlideChoice {
    pub id: SquadronId,
}

impl Choice for SlideChoice {
    type Value = SlideAnswer;

    fn seat(&self) -> Seat {
        self.id.side().into()
    }

    fn prompt(&self) -> Prompt {
        Prompt::new("slide", format!("An enemy card now lies under {}: slide off, or stay and draw fire?", self.id), rule::R_36)
    }

    fn check(&self, _: &SlideAnswer) -> Result<(), Refusal> {
        Ok(())
    }

    fn candidates(&self) -> Vec<Candidate<SlideAnswer>> {
        vec![Candidate::new(SlideAnswer::Slide, "slide off").at([self.id]), Candidate::new(SlideAnswer::Stay, "stay")]
    }

    fn instinct(&self, _: &mut Chance) -> SlideAnswer {
        SlideAnswer::Slide
    }
}

/// What a group that is met does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "contact", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum ContactAnswer {
    Intercept { squadrons: Vec<SquadronId> },
    GiveWay { line: Point },
}

pub(super) struct ContactChoice<'a> {
    pub game: &'a CarrierGame,
    pub state: &'a State,
    pub side: Side,
}

/// Whether a line is short enough to be measured at all.
fn modest(line: Point) -> bool {
    line.x.abs() <= 100_000 && line.y.abs() <= 100_000
}

impl ContactChoice<'_> {
    /// Fighters that can intercept: with fuel, marked or not.
    fn fighters(&self) -> Squads {
        let able = |id: &SquadronId| self.state[*id].role == Some(Role::Fighter) && self.state[*id].rl >= 2;
        self.state.act.enemy.iter().filter(able).collect()
    }

    fn inside(&self, line: Point) -> bool {
        self.state.act.enemy.iter().all(|id| self.game.in_sea_room(self.state[id].pos + line))
    }

    fn allowed(&self, line: Point, how: GivingWay) -> bool {
        self.inside(line) && comes_no_nearer(&self.state.positions(self.state.act.enemy), &self.state.positions(self.state.act.group), line, how)
    }

    /// How strictly a line is judged: as strictly as leaves one of the compass lines open.
    fn strictness(&self) -> GivingWay {
        let open = |how| COMPASS.iter().any(|line| self.allowed(*line, how));
        [GivingWay::AllAlong, GivingWay::AtTheEnd].into_iter().find(|how| open(*how)).unwrap_or(GivingWay::Anywhere)
    }

    fn lines(&self) -> Vec<(Point, &'static str)> {
        let how = self.strictness();
        COMPASS.iter().zip(COMPASS_NAMES).filter(|(line, _)| self.allowed(**line, how)).map(|(line, name)| (*line, name)).collect()
    }
}

impl Choice for ContactChoice<'_> {
    type Value = ContactAnswer;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn prompt(&self) -> Prompt {
        Prompt::new("contact", format!("{} are met by {}: intercept, or give way?", self.state.act.enemy.names(), self.state.act.group.names()), rule::R_69)
    }

    fn check(&self, value: &ContactAnswer) -> Result<(), Refusal> {
        match value {
            ContactAnswer::Intercept { squadrons } => {
                let set: Squads = squadrons.iter().copied().collect();
                if set.is_empty() || set.count() != squadrons.len() || !set.without(self.state.act.enemy).is_empty() {
                    return Err(Refusal::new("not-deployed", format!("Name fighters among {}.", self.state.act.enemy.names())).by(rule::INTERCEPT));
                }
                if let Some(id) = set.without(self.fighters()).first() {
                    return Err(match self.state[id].role {
                        Some(Role::Fighter) => Refusal::new("fuel-low", format!("Squadron {id} is on RL 1 and cannot intercept.")).by(rule::R_26),
                        _ => Refusal::new("not-fighters", "Only fighters can intercept.").by(rule::INTERCEPT),
                    });
                }
                Ok(())
            }
            ContactAnswer::GiveWay { line } => {
                if !modest(*line) || line.ceil_dist(Point::default()) != self.game.book.speeds.contact_evasion {
                    return Err(Refusal::new("not-exactly-3", "Giving way must be exactly 3 card lengths.").by(rule::R_42));
                }
                if !self.inside(*line) {
                    return Err(Refusal::new("out-of-sea-room", "That leads outside the sea room.").by(rule::R_4));
                }
                if !self.allowed(*line, self.strictness()) {
                    return Err(Refusal::new("evasion-too-close", "Giving way must not bring the groups closer.").by(rule::R_70));
                }
                Ok(())
            }
        }
    }

    fn candidates(&self) -> Vec<Candidate<ContactAnswer>> {
        let fighters = self.fighters();
        let mut all = Vec::new();
        let name = |set: Squads| Candidate::new(ContactAnswer::Intercept { squadrons: set.iter().collect() }, format!("intercept with {}", set.names())).at(set.iter());
        if !fighters.is_empty() {
            all.push(name(fighters));
        }
        if fighters.count() > 1 {
            all.extend(fighters.iter().map(|id| name(Squads::one(id))));
        }
        all.extend(self.lines().into_iter().map(|(line, name)| Candidate::new(ContactAnswer::GiveWay { line }, format!("give way {name}"))));
        all
    }

    fn instinct(&self, chance: &mut Chance) -> ContactAnswer {
        let fighters = self.fighters();
        let strength = |set: Squads| set.iter().map(|id| i64::from(self.state[id].last_seen)).sum::<i64>();
        // Bombers and scouts are worth meeting; fighters only at even strength.
        let foes = self.state.act.group;
        let fighters_seen = foes
            .iter()
            .all(|id| self.state[id].shown_role == Some(Role::Fighter) || self.state[id].report.is_some_and(|report| report.class == super::state::Class::Fighters));
        let worth = if fighters_seen { strength(fighters) >= strength(foes) } else { strength(fighters) * 2 >= strength(foes) };
        if !fighters.is_empty() && worth {
            return ContactAnswer::Intercept { squadrons: fighters.iter().collect() };
        }
        // Toward home, as far as that goes.
        let home = self.state.carriers[self.side].real_card();
        let from = self.state.act.enemy.first().map_or(Point::default(), |id| self.state[id].pos);
        let lines = self.lines();
        let best = lines.iter().min_by_key(|(line, _)| home.map_or(0, |home| (from + *line).dist2(home)));
        match best {
            Some((line, _)) => ContactAnswer::GiveWay { line: *line },
            None => self.sample(chance),
        }
    }
}

/// Who fights whom: each squadron of the first side, and its enemy.
pub(super) struct MatchChoice {
    pub side: Side,
    pub first: Squads,
    pub second: Squads,
}

impl MatchChoice {
    fn by_order(&self, turn: usize) -> BTreeMap<SquadronId, SquadronId> {
        let second: Vec<SquadronId> = self.second.iter().collect();
        self.first.iter().enumerate().map(|(at, id)| (id, second[(at + turn) % second.len()])).collect()
    }
}

impl Choice for MatchChoice {
    type Value = BTreeMap<SquadronId, SquadronId>;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn prompt(&self) -> Prompt {
        Prompt::new("match", format!("Pair off {} with {}.", self.first.names(), self.second.names()), rule::R_33)
    }

    fn check(&self, value: &Self::Value) -> Result<(), Refusal> {
        let own: Squads = value.keys().copied().collect();
        let enemies: Squads = value.values().copied().collect();
        let combats = self.first.count().min(self.second.count());
        if own != self.first || !enemies.without(self.second).is_empty() || enemies.count() != combats {
            return Err(
                Refusal::new("bad-match", format!("Each of {} must meet one of {}, in {combats} combats.", self.first.names(), self.second.names())).by(rule::R_33)
            );
        }
        Ok(())
    }

    fn candidates(&self) -> Vec<Candidate<Self::Value>> {
        let label = |pairs: &Self::Value| pairs.iter().map(|(own, enemy)| format!("{own} v {enemy}")).collect::<Vec<_>>().join(", ");
        (0..self.second.count())
            .map(|turn| self.by_order(turn))
            .map(|pairs| {
                let label = label(&pairs);
                Candidate::new(pairs, label)
            })
            .collect()
    }

    fn form(&self) -> Form {
        Form::Json { example: json!(self.by_order(0)) }
    }
}

/// Which combats surplus squadrons join: each, and the enemy it helps against.
pub(super) struct JoinChoice {
    pub side: Side,
    pub surplus: Squads,
    pub firsts: Squads,
}

impl Choice for JoinChoice {
    type Value = BTreeMap<SquadronId, SquadronId>;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn prompt(&self) -> Prompt {
        Prompt::new("join", format!("Put {} into combats, each against one of {}.", self.surplus.names(), self.firsts.names()), rule::R_33)
    }

    fn check(&self, value: &Self::Value) -> Result<(), Refusal> {
        let own: Squads = value.keys().copied().collect();
        if own != self.surplus || value.values().any(|id| !self.firsts.has(*id)) {
            return Err(Refusal::new("bad-match", format!("Each of {} must join a combat against one of {}.", self.surplus.names(), self.firsts.names())).by(rule::R_33));
        }
        Ok(())
    }

    fn candidates(&self) -> Vec<Candidate<Self::Value>> {
        self.firsts.iter().map(|enemy| Candidate::new(self.surplus.iter().map(|id| (id, enemy)).collect(), format!("all against {enemy}"))).collect()
    }

    fn form(&self) -> Form {
        Form::Json { example: json!(self.surplus.iter().zip(self.firsts.iter().cycle()).collect::<BTreeMap<_, _>>()) }
    }
}

/// Which combat is fought next, by one of the first side's squadrons in it.
pub(super) struct NextCombatChoice<'a> {
    pub side: Side,
    pub combats: &'a [(Squads, Squads)],
}

impl Choice for NextCombatChoice<'_> {
    type Value = SquadronId;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn prompt(&self) -> Prompt {
        Prompt::new("next-combat", "Which combat is fought next?", rule::AIR_COMBAT)
    }

    fn check(&self, value: &SquadronId) -> Result<(), Refusal> {
        if self.combats.iter().any(|(first, _)| first.has(*value)) {
            return Ok(());
        }
        Err(Refusal::new("bad-match", format!("{value} is in none of the combats left.")).by(rule::AIR_COMBAT))
    }

    fn candidates(&self) -> Vec<Candidate<SquadronId>> {
        self.combats
            .iter()
            .filter_map(|(first, second)| Some(Candidate::new(first.first()?, format!("{} against {}", first.names(), second.names())).at(first.and(*second).iter())))
            .collect()
    }
}

/// How hits are shared out.
pub(super) struct AllocateChoice<'a> {
    pub state: &'a State,
    pub side: Side,
    pub squadrons: Squads,
    pub hits: u8,
}

impl AllocateChoice<'_> {
    fn by(&self, policy: fn(&mut [u8], u8)) -> BTreeMap<SquadronId, u8> {
        let before: Vec<u8> = self.squadrons.iter().map(|id| self.state[id].strength).collect();
        let mut after = before.clone();
        policy(&mut after, self.hits);
        self.squadrons.iter().zip(before.iter().zip(after)).map(|(id, (before, after))| (id, before - after)).collect()
    }
}

impl Choice for AllocateChoice<'_> {
    type Value = BTreeMap<SquadronId, u8>;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn prompt(&self) -> Prompt {
        Prompt::new("allocate", format!("Share out {} hits among {}.", self.hits, self.squadrons.names()), rule::AIR_COMBAT)
    }

    fn check(&self, value: &Self::Value) -> Result<(), Refusal> {
        let within = value.iter().all(|(id, lost)| self.squadrons.has(*id) && *lost <= self.state[*id].strength);
        if !within || value.values().map(|lost| u32::from(*lost)).sum::<u32>() != u32::from(self.hits) {
            return Err(
                Refusal::new("bad-allocation", format!("The allocation must hand out exactly {} hits within squadron strengths.", self.hits)).by(rule::AIR_COMBAT)
            );
        }
        Ok(())
    }

    fn candidates(&self) -> Vec<Candidate<Self::Value>> {
        vec![Candidate::new(self.by(spread), "spread evenly"), Candidate::new(self.by(in_order), "in order")]
    }

    fn form(&self) -> Form {
        let limits = self.squadrons.iter().map(|id| (0, i64::from(self.state[id].strength))).collect();
        Form::Numbers { items: items::<u8>(self.squadrons.iter(), |_| Vec::new()), limits, total: Some(i64::from(self.hits)) }
    }

    fn instinct(&self, _: &mut Chance) -> Self::Value {
        self.by(spread)
    }
}

/// Where squadrons break off to.
pub(super) struct BreakOffChoice<'a> {
    pub game: &'a CarrierGame,
    pub state: &'a State,
    pub side: Side,
    pub squadrons: Squads,
}

impl BreakOffChoice<'_> {
    fn inside(&self, line: Point) -> bool {
        self.squadrons.iter().all(|id| self.game.in_sea_room(self.state[id].pos + line))
    }
}

impl Choice for BreakOffChoice<'_> {
    type Value = Point;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn prompt(&self) -> Prompt {
        Prompt::new("break-off", format!("{} must break off: choose a line of three lengths.", self.squadrons.names()), rule::BREAK_OFF)
    }

    fn check(&self, value: &Point) -> Result<(), Refusal> {
        if !modest(*value) || value.ceil_dist(Point::default()) != self.game.book.speeds.break_off {
            return Err(Refusal::new("not-exactly-3", "Breaking off must be exactly 3 card lengths.").by(rule::R_42));
        }
        if !self.inside(*value) {
            return Err(Refusal::new("out-of-sea-room", "That leads outside the sea room.").by(rule::R_4));
        }
        Ok(())
    }

    fn candidates(&self) -> Vec<Candidate<Point>> {
        COMPASS.iter().zip(COMPASS_NAMES).filter(|(line, _)| self.inside(**line)).map(|(line, name)| Candidate::new(*line, name)).collect()
    }

    fn instinct(&self, _: &mut Chance) -> Point {
        let from = self.squadrons.first().map_or(Point::default(), |id| self.state[id].pos);
        let home = self.state.carriers[self.side].real_card().unwrap_or(from);
        COMPASS.iter().copied().filter(|line| self.inside(*line)).min_by_key(|line| (from + *line).dist2(home)).unwrap_or(COMPASS[0])
    }
}

/// How the defenders move in step 3.
pub(super) struct Step3Choice<'a> {
    pub game: &'a CarrierGame,
    pub state: &'a State,
    pub side: Side,
    pub squadrons: Squads,
}

impl Step3Choice<'_> {
    fn all_by(&self, line: Point) -> BTreeMap<SquadronId, Point> {
        self.squadrons.iter().filter(|id| self.game.in_sea_room(self.state[*id].pos + line)).map(|id| (id, line)).collect()
    }

    /// A line of at most three lengths from the first squadron toward a point.
    fn toward(&self, to: Point) -> Point {
        let from = self.squadrons.first().map_or(Point::default(), |id| self.state[id].pos);
        let most = self.game.book.speeds.step_3_move;
        let distance = from.ceil_dist(to);
        if distance <= most { to - from } else { (to - from).scale(most, distance) }
    }

    fn ways(&self) -> Vec<(Point, &'static str)> {
        let attacker = self.game.fighting(self.state, self.state.fight.attackers).first().map(|id| self.state[id].pos);
        let from = self.squadrons.first().map_or(Point::default(), |id| self.state[id].pos);
        let mut all = Vec::new();
        if let Some(attacker) = attacker {
            let away = COMPASS.iter().max_by_key(|line| (from + **line).dist2(attacker));
            all.extend(away.map(|line| (*line, "away from the attackers")));
        }
        if let Some(card) = self.game.strike_target(self.state, self.side) {
            all.push((self.toward(card), "toward the target"));
        }
        if let Some(home) = self.state.carriers[self.side].real_card() {
            all.push((self.toward(home), "toward home"));
        }
        all
    }
}

impl Choice for Step3Choice<'_> {
    type Value = BTreeMap<SquadronId, Point>;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn prompt(&self) -> Prompt {
        Prompt::new("step-3-move", format!("Move {} by up to three lengths each, or leave them.", self.squadrons.names()), rule::R_50)
    }

    fn check(&self, value: &Self::Value) -> Result<(), Refusal> {
        for (id, line) in value {
            if !self.squadrons.has(*id) {
                return Err(Refusal::new("not-deployed", format!("{id} is not one of {}.", self.squadrons.names())).by(rule::DOGFIGHT));
            }
            let most = self.game.book.speeds.step_3_move;
            if !modest(*line) || line.ceil_dist(Point::default()) > most {
                return Err(Refusal::new("path-too-long", format!("{id} may move {most} thousandths of a card length here.")).by(rule::R_42));
            }
            if !self.game.in_sea_room(self.state[*id].pos + *line) {
                return Err(Refusal::new("out-of-sea-room", format!("{id} would end outside the sea room.")).by(rule::R_4));
            }
        }
        Ok(())
    }

    fn candidates(&self) -> Vec<Candidate<Self::Value>> {
        let mut all = vec![Candidate::new(BTreeMap::new(), "stay")];
        all.extend(self.ways().into_iter().map(|(line, label)| Candidate::new(self.all_by(line), label)));
        all.extend(COMPASS.iter().zip(COMPASS_NAMES).map(|(line, name)| Candidate::new(self.all_by(*line), format!("all {name}"))));
        all
    }

    fn form(&self) -> Form {
        Form::Json { example: json!(self.all_by(COMPASS[0])) }
    }

    fn instinct(&self, chance: &mut Chance) -> Self::Value {
        // A strike presses on, everybody else gets away.
        let ways = self.ways();
        let wanted = if self.state.act.kind == ActKind::Strike { "toward the target" } else { "away from the attackers" };
        match ways.iter().find(|(_, label)| *label == wanted) {
            Some((line, _)) => self.all_by(*line),
            None => self.sample(chance),
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

impl Choice for StrikeNextChoice<'_> {
    type Value = StrikeNextAnswer;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn prompt(&self) -> Prompt {
        let hits = self.state.carriers[self.side.other()].hits;
        Prompt::new(
            "strike-next",
            format!(
                "Which squadron strikes next? The carrier group has {hits} hits and {} anti-aircraft points.",
                self.game.aa[self.side.other()][usize::from(hits.min(8))]
            ),
            rule::R_60,
        )
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

    fn candidates(&self) -> Vec<Candidate<StrikeNextAnswer>> {
        let mut all: Vec<_> = self.able.iter().map(|id| Candidate::new(StrikeNextAnswer { strike: Some(id) }, format!("{id} strikes")).at([id])).collect();
        all.push(Candidate::new(StrikeNextAnswer { strike: None }, "stop"));
        all
    }

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

impl Choice for ShedChoice<'_> {
    type Value = BTreeMap<SquadronId, u8>;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn prompt(&self) -> Prompt {
        let (aircraft, scouts) = self.game.excess(self.state, self.side);
        Prompt::new("shed", format!("Your group is crippled: say which {aircraft} aircraft and {scouts} scouts aboard are lost for want of room."), rule::R_15)
    }

    fn check(&self, value: &Self::Value) -> Result<(), Refusal> {
        let excess = self.game.excess(self.state, self.side);
        let mut given = (0u32, 0u32);
        for (id, lost) in value {
            if !self.aboard().any(|aboard| aboard == *id) || *lost > self.state[*id].strength {
                return Err(Refusal::new("bad-allocation", format!("{id} is not aboard with so many aircraft.")).by(rule::R_15));
            }
            if id.is_recce() { given.1 += u32::from(*lost) } else { given.0 += u32::from(*lost) }
        }
        if given != (u32::from(excess.0), u32::from(excess.1)) {
            return Err(Refusal::new("bad-allocation", format!("Exactly {} aircraft and {} scouts must go.", excess.0, excess.1)).by(rule::R_15));
        }
        Ok(())
    }

    fn candidates(&self) -> Vec<Candidate<Self::Value>> {
        vec![Candidate::new(self.by(spread), "spread evenly"), Candidate::new(self.by(in_order), "in order")]
    }

    fn form(&self) -> Form {
        let limits = self.aboard().map(|id| (0, i64::from(self.state[id].strength))).collect();
        let (aircraft, scouts) = self.game.excess(self.state, self.side);
        Form::Numbers { items: items::<u8>(self.aboard(), |_| Vec::new()), limits, total: Some(i64::from(aircraft) + i64::from(scouts)) }
    }
}
