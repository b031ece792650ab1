//! Set-up: cards on the home edges, squadrons armed, both in secret.

use super::CarrierGame;
use super::absent::absent;
use super::forms::{Laid, each, item, place, placeholder};
use super::piece::{SquadronId, Squads};
use super::state::{Act, Carrier, Deck, Fight, Form, Phase, Squadron, State, ThenLines, Trail, Unseen, Where};
use crate::few::Few;
use crate::geometry::LENGTH;
use crate::rule;
use crate::scenario::CvStart;
use crate::words::Role;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{
    Ask, Asked, BySide, Candidate, Chance, Choice, Decision, Form as AnswerForm, Note, Prompt, Refusal, Region, Screen,
    Seat, Side,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Where the cards lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardsLaid {
    /// The carrier group.
    pub real: Point,
    /// The decoy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decoy: Option<Point>,
}

/// How a squadron starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arming {
    /// As fighters.
    Fighter,
    /// For strikes.
    Strike,
    /// Not yet armed.
    Refuelled,
}

impl Arming {
    fn words(self) -> &'static str {
        match self {
            Arming::Fighter => "as fighters",
            Arming::Strike => "for strikes",
            Arming::Refuelled => "refuelled only",
        }
    }

    pub(super) fn deck(self) -> Deck {
        match self {
            Arming::Fighter => Deck::Fighter,
            Arming::Strike => Deck::Strike,
            Arming::Refuelled => Deck::Refuelled,
        }
    }
}

impl CarrierGame {
    pub(super) fn first_state(&self) -> State {
        let carrier = |side: Side| Carrier {
            hits: self.scenario.sheet(side).cv_hits,
            form: Form::Unplaced,
            slipped: false,
            cards: [None; 2],
            real: None,
            may_be_real: 3,
            detected: false,
            acted: false,
            detect_used: false,
            must_shed: false,
        };
        let squadron = |id: SquadronId| {
            let sheet = self.scenario.sheet(id.side());
            let strength = if id.is_recce() {
                u8::from(id.number() < usize::from(sheet.recce)) * self.book.squadron.recce_strength
            } else {
                sheet.combat.get(id.number()).copied().unwrap_or(0)
            };
            Squadron {
                place: if strength == 0 { Where::Absent } else { Where::Aboard },
                strength,
                last_seen: strength,
                deck: Deck::Refuelled,
                left_turn: 0,
                known_ready: false,
                may_be_lost: false,
                unseen: Unseen::default(),
                pos: Point::default(),
                rl: 0,
                role: None,
                ordnance: Some(false),
                shown_role: None,
                struck: false,
                dummy: Some(false),
                proved_real: false,
                proved_dummy: false,
                tied_to: 0,
                detected: false,
                report: None,
                acted: false,
                detect_used: false,
                launched: false,
                ditched: false,
            }
        };
        State {
            turn: 1,
            start: self.scenario.start(),
            phasing: self.scenario.start(),
            passed: BySide::default(),
            deck_operations: BySide::default(),
            surface_contact: false,
            carriers: BySide::new_with(carrier),
            squadrons: std::array::from_fn(|at| squadron(SquadronId(at as u8))),
            phase: Phase::Cards(Side::First),
            act: Act::default(),
            fight: Fight::default(),
            walk: None,
            trail: Trail::default(),
            lines: Few::default(),
            then: ThenLines::default(),
            surface_losers: BySide::default(),
            verdict: None,
        }
    }

    /// Lays the cards of a side, labelled by where they lie. [Set up], R-8
    pub(super) fn place_cards(&self, state: &mut State, side: Side, laid: CardsLaid) {
        let carrier = &mut state.carriers[side];
        match (self.scenario.sheet(side).cv, laid.decoy) {
            (CvStart::Hidden, Some(decoy)) => {
                carrier.form = Form::Hidden;
                let real_first = (laid.real.x, laid.real.y) <= (decoy.x, decoy.y);
                carrier.cards =
                    if real_first { [Some(laid.real), Some(decoy)] } else { [Some(decoy), Some(laid.real)] };
                carrier.real = Some(u8::from(!real_first));
                carrier.may_be_real = 3;
            }
            _ => {
                carrier.form = Form::Revealed;
                carrier.cards = [Some(laid.real), None];
                carrier.real = Some(0);
                carrier.may_be_real = 1;
                carrier.detected = true;
            }
        }
    }

    pub(super) fn lay_cards(&self, state: &mut State, side: Side, ask: &mut impl Ask) -> Asked<()> {
        let laid = ask.decide(&SetupCards { game: self, side })?;
        self.place_cards(state, side, laid);
        self.tell(side, ask, || {
            Note::new("cards-laid", format!("You lay your carriers at x {}.", laid.real.x))
                .by(&[rule::SET_UP, rule::R_8])
        });
        state.phase = if side == Side::First { Phase::Cards(Side::Second) } else { Phase::Roles(Side::First) };
        Ok(())
    }

    pub(super) fn arm_squadrons(&self, state: &mut State, side: Side, ask: &mut impl Ask) -> Asked<()> {
        let arming = ask.decide(&SetupRoles { game: self, state, side })?;
        for (id, arming) in arming {
            state[id].deck = arming.deck();
        }
        ask.note(|| {
            Note::new("armed", format!("{} has armed its squadrons.", self.side_name(side))).by(&[
                rule::SET_UP,
                rule::ROLES,
                rule::C_6,
                rule::R_8,
            ])
        });
        state.phase = if side == Side::First { Phase::Roles(Side::Second) } else { Phase::Airborne(0) };
        self.after_placing(state);
        Ok(())
    }

    fn after_placing(&self, state: &mut State) {
        if let Phase::Airborne(at) = state.phase
            && usize::from(at) >= self.scenario.deployed.len()
        {
            state.phase = Phase::Choose;
        }
    }

    /// The squadron that starts in the air, with the card its place is measured from.
    fn airborne(&self, state: &State, at: u8) -> Option<(SquadronId, Point, i64, u8)> {
        let deployed = self.scenario.deployed.get(usize::from(at))?;
        let id = SquadronId::named(&deployed.squadron)?;
        let card = state.carriers[id.side().other()].cards[0]?;
        Some((id, card, deployed.lengths * LENGTH, deployed.rl))
    }

    pub(super) fn place_airborne(&self, state: &mut State, at: u8, ask: &mut impl Ask) -> Asked<()> {
        if let Some((id, card, distance, rl)) = self.airborne(state, at) {
            let point = ask.decide(&SetupDeployed { game: self, state, id, card, distance })?;
            let detected = self.scenario.deployed[usize::from(at)].detected;
            let squadron = &mut state[id];
            squadron.place = Where::Deployed;
            squadron.pos = point;
            squadron.rl = rl;
            squadron.role = Some(Role::Recce);
            squadron.tied_to = 3;
            squadron.detected = detected;
            squadron.proved_real = detected;
            ask.note(|| {
                Note::new("airborne", format!("{id} is in the air at {}, {}.", point.x, point.y))
                    .by(&[rule::SET_UP, rule::C_8])
                    .pieces([id])
            });
        }
        state.phase = Phase::Airborne(at + 1);
        self.after_placing(state);
        Ok(())
    }
}

/// Where to lay the cards.
pub(super) struct SetupCards<'a> {
    pub game: &'a CarrierGame,
    pub side: Side,
}

impl SetupCards<'_> {
    fn hidden(&self) -> bool {
        self.game.scenario.sheet(self.side).cv == CvStart::Hidden
    }

    fn home(&self) -> i64 {
        self.game.scenario.home(self.side)
    }

    fn laid(&self, real: i64, decoy: i64) -> CardsLaid {
        CardsLaid { real: Point::new(real, self.home()), decoy: self.hidden().then(|| Point::new(decoy, self.home())) }
    }
}

impl Decision for SetupCards<'_> {
    type Value = CardsLaid;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &CardsLaid) -> Result<(), Refusal> {
        let width = self.game.book.geometry.area_width;
        if self.hidden() != value.decoy.is_some() {
            let text = if self.hidden() {
                "A hidden group lays two cards, one of them a decoy."
            } else {
                "A group that starts detected has no decoy."
            };
            return Err(Refusal::new("wrong-state", text).by(rule::SET_UP));
        }
        for card in [Some(value.real), value.decoy].into_iter().flatten() {
            if card.y != self.home() || !(0..=width).contains(&card.x) {
                return Err(Refusal::new(
                    "out-of-sea-room",
                    format!("A card starts on its home edge: y {}, x from 0 to {width}.", self.home()),
                )
                .by(rule::C_5));
            }
        }
        if value.decoy.is_some_and(|decoy| self.game.book.geometry.overlap(decoy, value.real)) {
            return Err(Refusal::new("cards-overlap", "Two carrier cards may not overlap.").by(rule::R_61));
        }
        Ok(())
    }
}

impl Screen for SetupCards<'_> {
    fn prompt(&self) -> Prompt {
        let text = if self.hidden() {
            "Lay two cards on your home edge and say which of them is your carrier group."
        } else {
            "Lay your carrier group on your home edge."
        };
        let prompt = Prompt::new("setup-cards", text, if self.hidden() { rule::R_8 } else { rule::C_8 }).confirm();
        let (edge, ahead) = (self.laid(0, self.game.book.geometry.area_width), Point::new(0, self.home() + 1));
        let elsewhere = ("cards off the home edge".to_owned(), self.check(&CardsLaid { real: ahead, ..edge }));
        let alone = (self.hidden().then_some("one card alone"), CardsLaid { decoy: None, ..edge });
        let with_decoy = ((!self.hidden()).then_some("a decoy"), CardsLaid { decoy: Some(ahead), ..edge });
        let others =
            [alone, with_decoy].into_iter().filter_map(|(what, laid)| Some((what?.to_owned(), self.check(&laid))));
        absent(prompt, std::iter::once(elsewhere).chain(others))
    }

    fn candidates(&self) -> Vec<Candidate<CardsLaid>> {
        let width = self.game.book.geometry.area_width;
        let spots = [width / 6, width / 2, width * 5 / 6];
        if !self.hidden() {
            return spots.iter().map(|x| Candidate::new(self.laid(*x, 0), format!("x {x}"))).collect();
        }
        let mut all = Vec::new();
        for real in spots {
            for apart in [-5000, -3000, 3000, 5000] {
                if (0..=width).contains(&(real + apart)) {
                    all.push(Candidate::new(
                        self.laid(real, real + apart),
                        format!("carriers at x {real}, decoy at x {}", real + apart),
                    ));
                }
            }
        }
        all
    }

    fn form(&self) -> AnswerForm {
        let (width, home) = (self.game.book.geometry.area_width, self.home());
        let edge = Region::Line { from: [0, home], to: [width, home] };
        let card = |label: &str, what, x| {
            place(label, self.game.card_to_lay(self.side, what, self.hidden(), Point::new(x, home)), vec![edge.clone()])
        };
        let mut places = vec![card("the carrier group", Laid::Real, if self.hidden() { width / 3 } else { width / 2 })];
        if self.hidden() {
            places.push(card("the decoy", Laid::Decoy, width * 2 / 3));
        }
        AnswerForm::Parts { template: each(places.iter().map(|place| &place.id)), places, items: Vec::new() }
    }
}

impl Choice for SetupCards<'_> {
    fn sample(&self, chance: &mut Chance) -> CardsLaid {
        let geometry = &self.game.book.geometry;
        let width = geometry.area_width;
        let real = i64::from(chance.below(width as u32 + 1));
        let room = (width - 2 * geometry.card_width).max(1) as u32;
        let shift = geometry.card_width + i64::from(chance.below(room));
        let decoy = (real + shift) % (width + 1);
        let fits = (decoy - real).abs() >= geometry.card_width;
        self.laid(
            real,
            if fits {
                decoy
            } else if real > width / 2 {
                0
            } else {
                width
            },
        )
    }

    fn instinct(&self, chance: &mut Chance) -> CardsLaid {
        // Near enough together that every launch fits both.
        let width = self.game.book.geometry.area_width;
        let real = width / 4 + i64::from(chance.below((width / 2) as u32));
        let apart = 2500 + i64::from(chance.below(2000));
        let decoy = if chance.below(2) == 0 { real - apart } else { real + apart };
        self.laid(real, if (0..=width).contains(&decoy) { decoy } else { 2 * real - decoy })
    }
}

/// How to arm the squadrons.
struct SetupRoles<'a> {
    game: &'a CarrierGame,
    state: &'a State,
    side: Side,
}

impl SetupRoles<'_> {
    fn combat(&self) -> impl Iterator<Item = SquadronId> + '_ {
        SquadronId::of(self.side).filter(|id| !id.is_recce() && self.state[*id].place != Where::Absent)
    }

    /// Whether a squadron may start so.
    fn may_start(&self, id: SquadronId, arming: Arming) -> Result<(), Refusal> {
        match arming {
            Arming::Fighter if self.game.kamikaze.has(id) => Err(Refusal::new(
                "cannot-re-arm",
                format!("Kamikaze pilots only fly strikes: {}.", self.game.kamikaze.names()),
            )
            .by(rule::C_9)),
            Arming::Refuelled if self.game.scenario.sheet(self.side).must_be_armed => {
                Err(Refusal::new("wrong-state", "Every squadron must start armed in this scenario.").by(rule::SET_UP))
            }
            _ => Ok(()),
        }
    }

    fn choices(&self, id: SquadronId) -> Vec<Arming> {
        [Arming::Fighter, Arming::Strike, Arming::Refuelled]
            .into_iter()
            .filter(|arming| self.may_start(id, *arming).is_ok())
            .collect()
    }

    fn with_fighters(&self, fighters: usize) -> BTreeMap<SquadronId, Arming> {
        let able: Squads = self.combat().filter(|id| !self.game.kamikaze.has(*id)).collect();
        let first: Squads = able.iter().take(fighters).collect();
        self.combat().map(|id| (id, if first.has(id) { Arming::Fighter } else { Arming::Strike })).collect()
    }
}

impl Decision for SetupRoles<'_> {
    type Value = BTreeMap<SquadronId, Arming>;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &Self::Value) -> Result<(), Refusal> {
        let asked: Squads = self.combat().collect();
        let given: Squads = value.keys().copied().collect();
        if asked != given {
            return Err(Refusal::new(
                "wrong-state",
                format!("Say how each of {} starts, and nobody else.", asked.names()),
            )
            .by(rule::SET_UP));
        }
        value.iter().try_for_each(|(id, arming)| self.may_start(*id, *arming))
    }
}

impl Screen for SetupRoles<'_> {
    fn prompt(&self) -> Prompt {
        let armed = self.game.scenario.sheet(self.side).must_be_armed;
        let or_not = if armed { "" } else { ", or leave them refuelled" };
        let prompt = Prompt::new(
            "setup-roles",
            format!("Arm your combat squadrons as fighters or for strikes{or_not}."),
            rule::C_6,
        )
        .confirm();
        let tried = self.combat().flat_map(|id| {
            [Arming::Fighter, Arming::Refuelled]
                .map(|arming| (format!("{id} {}", arming.words()), self.may_start(id, arming)))
        });
        absent(prompt, tried)
    }

    fn candidates(&self) -> Vec<Candidate<Self::Value>> {
        let able = self.combat().filter(|id| !self.game.kamikaze.has(*id)).count();
        (0..=able)
            .map(|fighters| {
                let arming = self.with_fighters(fighters);
                let names: Squads =
                    arming.iter().filter(|(_, arming)| **arming == Arming::Fighter).map(|(id, _)| *id).collect();
                let rest = if names.count() < arming.len() { ", the others for strikes" } else { "" };
                let label = if fighters == 0 {
                    "all for strikes".to_owned()
                } else {
                    format!("{} as fighters{rest}", names.names())
                };
                Candidate::new(arming, label)
            })
            .collect()
    }

    fn form(&self) -> AnswerForm {
        let items = self
            .combat()
            .map(|id| {
                item(
                    id,
                    id.name(),
                    self.choices(id).into_iter().map(|arming| (arming, arming.words().to_owned(), Vec::new())),
                )
            })
            .collect();
        AnswerForm::Parts { places: Vec::new(), items, template: each(self.combat()) }
    }
}

impl Choice for SetupRoles<'_> {
    fn sample(&self, chance: &mut Chance) -> Self::Value {
        let mut pick = |id| *chance.pick(&self.choices(id)).unwrap_or(&Arming::Strike);
        self.combat().map(|id| (id, pick(id))).collect()
    }

    fn instinct(&self, _: &mut Chance) -> Self::Value {
        // One squadron guards or escorts, the others strike; a side that only has to live keeps two.
        let defends = match self.game.scenario.victory {
            crate::scenario::VictoryLines::PullBackTheHorns
            | crate::scenario::VictoryLines::Kamikaze
            | crate::scenario::VictoryLines::PhilippineSea => self.side == Side::First,
            _ => false,
        };
        self.with_fighters(if defends { 2 } else { 1 })
    }
}

/// Where a squadron that is in the air starts.
struct SetupDeployed<'a> {
    game: &'a CarrierGame,
    state: &'a State,
    id: SquadronId,
    card: Point,
    distance: i64,
}

impl SetupDeployed<'_> {
    fn spots(&self) -> Vec<Point> {
        let geometry = &self.game.book.geometry;
        let (half_width, half_length) = (geometry.card_width / 2, geometry.card_length / 2);
        let slant = self.distance * 70 / 100;
        let reach = Point::new(half_width, half_length);
        let mut all = Vec::new();
        for line in [(0, 1), (1, 0), (-1, 0), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)] {
            let away = if line.0 == 0 || line.1 == 0 { self.distance - 5 } else { slant };
            let mut point = self.card + Point::new(line.0 * (reach.x + away), line.1 * (reach.y + away));
            // Diagonals are brought to the right distance step by step.
            while line.0 != 0 && line.1 != 0 && geometry.to_card(point, self.card) < self.distance - 9 {
                point = point + Point::new(line.0, line.1);
            }
            if self.check(&point).is_ok() {
                all.push(point);
            }
        }
        all
    }
}

impl Decision for SetupDeployed<'_> {
    type Value = Point;

    fn seat(&self) -> Seat {
        self.id.side().into()
    }

    fn check(&self, value: &Point) -> Result<(), Refusal> {
        if !self.game.in_sea_room(*value) {
            return Err(Refusal::new("out-of-sea-room", "It starts inside the area of operations.").by(rule::C_5));
        }
        let distance = self.game.book.geometry.to_card(*value, self.card);
        if !(self.distance - 10..=self.distance).contains(&distance) {
            return Err(Refusal::new(
                "out-of-range",
                format!(
                    "It is {distance} thousandths from the card; {} to {} are asked for.",
                    self.distance - 10,
                    self.distance
                ),
            )
            .by(rule::C_8));
        }
        if !(0..=self.game.book.geometry.area_width).contains(&value.x)
            || !(0..=self.game.scenario.length).contains(&value.y)
        {
            return Err(Refusal::new("out-of-sea-room", "It starts inside the area of operations.").by(rule::C_5));
        }
        Ok(())
    }
}

impl Screen for SetupDeployed<'_> {
    fn prompt(&self) -> Prompt {
        Prompt::new(
            "setup-deployed",
            format!(
                "Place {} in the air, {} to {} thousandths from the enemy card.",
                self.id,
                self.distance - 10,
                self.distance
            ),
            rule::C_8,
        )
    }

    fn candidates(&self) -> Vec<Candidate<Point>> {
        self.spots().into_iter().map(|point| Candidate::new(point, format!("at {}, {}", point.x, point.y))).collect()
    }

    fn form(&self) -> AnswerForm {
        let start = self.spots().first().copied().unwrap_or(self.card);
        let around = self.game.around_card(self.card, self.distance - 10, self.distance);
        let spot =
            place(format!("{} starts at", self.id), self.game.die_to_put(self.state, self.id, start), vec![around]);
        AnswerForm::Choices {
            ways: vec![
                ("a spot".into(), AnswerForm::Pick),
                (
                    "any point".into(),
                    AnswerForm::Parts { places: vec![spot], items: Vec::new(), template: placeholder(self.id) },
                ),
            ],
        }
    }
}

impl Choice for SetupDeployed<'_> {}
