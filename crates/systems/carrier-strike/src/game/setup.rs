//! Set-up: cards on the home edges, squadrons armed, both in secret.

use super::CarrierGame;
use super::piece::SquadronId;
use super::setup_choices::{CardsLaid, SetupCards, SetupDeployed, SetupRoles};
use super::state::{ActionRecord, Carrier, Deck, Form, Phase, Squadron, State, Table, Trail, Unseen, Where};
use crate::geometry::LENGTH;
use crate::rule;
use crate::scenario::CvStart;
use crate::words::Role;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Ask, Asked, BySide, Note, Side};

impl CarrierGame {
    pub(super) fn first_state(&self) -> State {
        let carrier = |side: Side| Carrier {
            hits: self.scenario.sheet(side).cv_hits,
            form: Form::Unplaced,
            slipped_turn: 0,
            contact_lost: false,
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
                u8::from(id.number() < usize::from(sheet.recce)) * self.rules.squadron.recce_strength
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
        let table = Table {
            turn: 1,
            start: self.scenario.start(),
            phasing: self.scenario.start(),
            passed: BySide::default(),
            deck_operations: BySide::default(),
            surface_contact: false,
            carriers: BySide::new_with(carrier),
            squadrons: std::array::from_fn(|at| squadron(SquadronId(at as u8))),
            action: ActionRecord::default(),
            trail: Trail::default(),
            surface_losers: BySide::default(),
            verdict: None,
        };
        State { table, phase: Phase::Cards(Side::First) }
    }

    /// Lays the cards of a side, labelled by where they lie. [Set up], R-8
    pub(super) fn place_cards(&self, table: &mut Table, side: Side, laid: CardsLaid) {
        let carrier = &mut table.carriers[side];
        match (self.scenario.sheet(side).cv, laid.decoy) {
            (CvStart::Hidden, Some(decoy)) => {
                carrier.lay_pair(laid.real, decoy);
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

    pub(super) fn lay_cards(&self, table: &mut Table, side: Side, ask: &mut impl Ask) -> Asked<Phase> {
        let laid = ask.decide(&SetupCards { game: self, side })?;
        self.place_cards(table, side, laid);
        self.tell(side, ask, || {
            Note::new("cards-laid", "You lay your cards on your home edge.").by(&[rule::SET_UP, rule::R_8])
        });
        Ok(if side == Side::First { Phase::Cards(Side::Second) } else { Phase::Roles(Side::First) })
    }

    pub(super) fn arm_squadrons(&self, table: &mut Table, side: Side, ask: &mut impl Ask) -> Asked<Phase> {
        let arming = ask.decide(&SetupRoles { game: self, table, side })?;
        for (id, arming) in arming {
            table[id].deck = arming.deck();
        }
        ask.note(|| {
            Note::new("armed", format!("{} has armed its squadrons.", self.side_name(side))).by(&[
                rule::SET_UP,
                rule::ROLES,
                rule::C_6,
                rule::R_8,
            ])
        });
        Ok(if side == Side::First { Phase::Roles(Side::Second) } else { self.next_airborne(0) })
    }

    fn next_airborne(&self, at: u8) -> Phase {
        if usize::from(at) < self.scenario.deployed.len() { Phase::Airborne(at) } else { Phase::Choose }
    }

    /// The squadron that starts in the air, with the card its place is measured from.
    fn airborne(&self, table: &Table, at: u8) -> Option<(SquadronId, Point, i64, u8)> {
        let deployed = self.scenario.deployed.get(usize::from(at))?;
        let id = SquadronId::named(&deployed.squadron)?;
        let card = table.carriers[id.side().other()].cards[0]?;
        Some((id, card, deployed.lengths * LENGTH, deployed.rl))
    }

    pub(super) fn place_airborne(&self, table: &mut Table, at: u8, ask: &mut impl Ask) -> Asked<Phase> {
        if let Some((id, card, distance, rl)) = self.airborne(table, at) {
            let point = ask.decide(&SetupDeployed { game: self, table, id, card, distance })?;
            let detected = self.scenario.deployed[usize::from(at)].detected;
            let squadron = &mut table[id];
            squadron.place = Where::Deployed;
            squadron.pos = point;
            squadron.rl = rl;
            squadron.role = Some(Role::Recce);
            squadron.tied_to = 3;
            squadron.detected = detected;
            squadron.proved_real = detected;
            ask.note(|| {
                Note::new("airborne", format!("{id} is in the air.")).by(&[rule::SET_UP, rule::C_8]).pieces([id.id()])
            });
        }
        Ok(self.next_airborne(at + 1))
    }
}
