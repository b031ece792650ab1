//! What a viewer knows, put together fact by fact from what is his to see.
//!
//! Everything is taken apart without `..`: a field that is new in the state does not compile here until it is decided
//! who sees it.

use super::CarrierGame;
use super::carrier::{CarrierMove, CarrierStage};
use super::dogfight::{Attack, Dogfight, FightStage};
use super::flight::{Flight, FlightStage, Move, MoveStage};
use super::piece::{SquadronId, Squads};
use super::process::Underway;
use super::search::{Planned, Search};
use super::state::{ActionRecord, Carrier, Deck, Form, Phase, Squadron, State, Table, Trail, Where};
use super::strike::Strike;
use super::walking::{Lines, Walk};
use crate::walk::{Course, Waypoints};
use crate::words::Role;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{BySide, Seat, Side, Viewer};
use serde::Serialize;

/// Everything one viewer knows and remembers. Unknown facts are null, `unknown` or `off-table`;
/// an enemy strength is the one last seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// Whose eyes it is for.
    pub viewer: Viewer,
    pub seen: State,
}

impl CarrierGame {
    pub(super) fn view_of(&self, state: &State, viewer: Viewer) -> View {
        let State { table, phase } = state;
        let Table {
            turn,
            start,
            phasing,
            passed,
            deck_operations,
            surface_contact,
            carriers,
            squadrons,
            action,
            trail,
            surface_losers,
            verdict,
        } = table;
        let own = |side: Side| viewer.sees(Seat::from(side));
        let laying = matches!(phase, Phase::Cards(_));
        let group = |side: Side| if own(side) { carriers[side] } else { carrier_from_afar(&carriers[side], laying) };
        let mut known = *squadrons;
        for id in SquadronId::all().filter(|id| !own(id.side())) {
            known[id.index()] = from_afar(id, &squadrons[id.index()]);
        }
        // The guns of a hidden group pass over dummies: which dice are under them would tell which card is real.
        let guns = |id: &SquadronId| own(id.side().other()) || carriers[id.side().other()].form != Form::Hidden;
        let table = Table {
            turn: *turn,
            start: *start,
            phasing: *phasing,
            passed: *passed,
            deck_operations: *deck_operations,
            surface_contact: *surface_contact,
            carriers: BySide::new_with(group),
            squadrons: known,
            action: action_seen(action, action.over_guns.iter().filter(guns).collect()),
            trail: trail_seen(trail),
            surface_losers: *surface_losers,
            verdict: *verdict,
        };
        let phase = match phase {
            Phase::Cards(side) => Phase::Cards(*side),
            Phase::Roles(side) => Phase::Roles(*side),
            Phase::Airborne(at) => Phase::Airborne(*at),
            Phase::Choose => Phase::Choose,
            Phase::Action(underway) => Phase::Action(underway_seen(underway, own(*phasing))),
            Phase::Shed(side) => Phase::Shed(*side),
            Phase::Over => Phase::Over,
        };
        let seen = State { table, phase };
        View { viewer, seen }
    }

    /// Whether a viewer knows more, or other things, of pieces that are not his own. Of the side that acted, where its
    /// pieces are and that they have acted is its act, which everybody watches.
    pub(super) fn learned_by(&self, before: &View, after: &View, by: Side) -> bool {
        Side::BOTH.into_iter().filter(|side| !after.viewer.sees(Seat::from(*side))).any(|side| {
            let facts = |view: &View| {
                let (mut carrier, mut squadrons) = (view.seen.carriers[side], *view.seen.of(side));
                if side == by {
                    carrier.cards = carrier.cards.map(|card| card.map(|_| Point::default()));
                    carrier.acted = false;
                    for squadron in &mut squadrons {
                        squadron.pos = Point::default();
                        squadron.acted = false;
                    }
                }
                (carrier, squadrons)
            };
            facts(before) != facts(after)
        })
    }
}

/// A carrier group as the other side and spectators know it.
fn carrier_from_afar(carrier: &Carrier, laying: bool) -> Carrier {
    let Carrier {
        hits,
        form,
        slipped_turn,
        contact_lost,
        cards,
        real: _,
        may_be_real,
        detected,
        acted,
        detect_used,
        must_shed,
    } = *carrier;
    // Cards lie on the table when both sides have laid theirs.
    let (form, cards, may_be_real, detected) =
        if laying { (Form::Unplaced, [None; 2], 3, false) } else { (form, cards, may_be_real, detected) };
    let real = match (form, may_be_real) {
        (Form::Hidden, 1) | (Form::Revealed, _) => Some(0),
        (Form::Hidden, 2) => Some(1),
        _ => None,
    };
    Carrier {
        hits,
        form,
        slipped_turn,
        contact_lost,
        cards,
        real,
        may_be_real,
        detected,
        acted,
        detect_used,
        must_shed,
    }
}

/// A squadron as the other side and spectators know it.
fn from_afar(id: SquadronId, squadron: &Squadron) -> Squadron {
    let Squadron {
        place,
        strength: _,
        last_seen,
        deck: _,
        left_turn,
        known_ready,
        may_be_lost,
        unseen,
        pos,
        rl,
        role: _,
        ordnance: _,
        shown_role,
        struck,
        dummy: _,
        proved_real,
        proved_dummy,
        tied_to,
        detected,
        report,
        acted,
        detect_used,
        launched,
        ditched,
    } = *squadron;
    let away = Squadron {
        place: match place {
            Where::Absent | Where::Lost => place,
            Where::Deployed | Where::Aboard | Where::LostUnseen | Where::OffTable => Where::OffTable,
        },
        strength: last_seen,
        last_seen,
        deck: Deck::Unknown,
        left_turn,
        known_ready,
        may_be_lost,
        unseen,
        pos: Point::default(),
        rl: 0,
        role: None,
        ordnance: None,
        shown_role: None,
        struck: false,
        dummy: None,
        proved_real: false,
        proved_dummy: false,
        tied_to: 0,
        detected: false,
        report: None,
        acted: false,
        detect_used: false,
        launched: false,
        ditched: false,
    };
    if place != Where::Deployed {
        return away;
    }
    let scout = id.is_recce();
    Squadron {
        place,
        pos,
        rl,
        role: if scout { Some(Role::Recce) } else { shown_role },
        ordnance: if scout || struck || shown_role == Some(Role::Fighter) { Some(false) } else { None },
        shown_role,
        struck,
        dummy: if detected || proved_real || scout {
            Some(false)
        } else if proved_dummy {
            Some(true)
        } else {
            None
        },
        proved_real,
        proved_dummy,
        tied_to,
        detected,
        report,
        acted,
        detect_used,
        launched,
        ditched,
        ..away
    }
}

/// What an action has done, with the dice over guns that are known to fire.
fn action_seen(action: &ActionRecord, over_guns: Squads) -> ActionRecord {
    let ActionRecord { squadrons, moved, lifted, moved_cards, over_guns: _, fired_at } = *action;
    ActionRecord { squadrons, moved, lifted, moved_cards, over_guns, fired_at }
}

/// What the last action left to be seen is there to be seen.
fn trail_seen(trail: &Trail) -> Trail {
    let Trail { lead, track, met_at } = trail;
    Trail { lead: *lead, track: track.clone(), met_at: *met_at }
}

/// An action under way: only its owner knows its path, and what search is planned for its end.
fn underway_seen(underway: &Underway, own: bool) -> Underway {
    match underway {
        Underway::Move(Move { flight, search, stage }) => {
            let known = own || *stage != MoveStage::Fly;
            let search = search.filter(|_| known).map(plan_seen);
            Underway::Move(Move { flight: flight_seen(flight, own), search, stage: *stage })
        }
        Underway::FlyHome(flight) => Underway::FlyHome(flight_seen(flight, own)),
        Underway::MoveCv(CarrierMove { search, under, stage }) => {
            let searching = [CarrierStage::SearchFirst, CarrierStage::NameTarget, CarrierStage::SearchAfter];
            let known = own || searching.contains(stage);
            let search = search.filter(|_| known).map(plan_seen);
            Underway::MoveCv(CarrierMove { search, under: *under, stage: *stage })
        }
        Underway::Attack(attack) => Underway::Attack(match attack {
            Attack::Search { search, attackers } => {
                Attack::Search { search: search_seen(*search), attackers: *attackers }
            }
            Attack::Fight(fight) => Attack::Fight(Box::new(fight_seen(fight))),
            Attack::Nobody => Attack::Nobody,
        }),
        Underway::Strike(Strike { flight, struck, stage }) => {
            Underway::Strike(Strike { flight: flight_seen(flight, own), struck: *struck, stage: *stage })
        }
        Underway::Search(search) => Underway::Search(search_seen(*search)),
    }
}

/// A search is announced as it is.
fn search_seen(search: Search) -> Search {
    let Search { by, target } = search;
    Search { by, target }
}

fn plan_seen(plan: Planned) -> Planned {
    let Planned { by, target } = plan;
    Planned { by, target }
}

/// A flight: only its owner knows where its path leads.
fn flight_seen(flight: &Flight, own: bool) -> Flight {
    let Flight { purpose, group, allowance, flown, walk, contacts, met, gave_way, stage } = flight;
    let hidden = |walk: Walk| {
        let Walk { kind, movers, course } = walk_seen(walk);
        let mut flown = Course::new(course.lead, Waypoints::default());
        flown.flown = course.flown;
        Walk { kind, movers, course: flown }
    };
    Flight {
        purpose: *purpose,
        group: *group,
        allowance: *allowance,
        flown: *flown,
        walk: walk.map(|walk| if own { walk_seen(walk) } else { hidden(walk) }),
        contacts: *contacts,
        met: *met,
        gave_way: *gave_way,
        stage: match stage {
            FlightStage::Path => FlightStage::Path,
            FlightStage::Flak(id) => FlightStage::Flak(*id),
            FlightStage::Contact(enemy) => FlightStage::Contact(*enemy),
            FlightStage::GivingWay(lines) => FlightStage::GivingWay(Box::new(lines_seen(lines))),
            FlightStage::Fight(fight) => FlightStage::Fight(Box::new(fight_seen(fight))),
            FlightStage::Resume => FlightStage::Resume,
            FlightStage::Over => FlightStage::Over,
        },
    }
}

fn walk_seen(walk: Walk) -> Walk {
    let Walk { kind, movers, course } = walk;
    Walk { kind, movers, course }
}

/// Lines flown inside an action were announced.
fn lines_seen(lines: &Lines) -> Lines {
    let Lines { waiting, walk, flak } = lines;
    Lines { waiting: *waiting, walk: walk.map(walk_seen), flak: *flak }
}

/// A dogfight: whoever is in it has shown what it is.
fn fight_seen(fight: &Dogfight) -> Dogfight {
    let Dogfight {
        attackers,
        defenders,
        broken,
        against_strike,
        step,
        escorting,
        combats,
        hits,
        breaking,
        escorts_fought,
        stage,
    } = fight;
    Dogfight {
        attackers: *attackers,
        defenders: *defenders,
        broken: *broken,
        against_strike: *against_strike,
        step: *step,
        escorting: *escorting,
        combats: *combats,
        hits: *hits,
        breaking: *breaking,
        escorts_fought: *escorts_fought,
        stage: match stage {
            FightStage::Lines(lines) => FightStage::Lines(lines_seen(lines)),
            FightStage::Match => FightStage::Match,
            FightStage::Join => FightStage::Join,
            FightStage::NextCombat => FightStage::NextCombat,
            FightStage::Combat(combat) => FightStage::Combat(*combat),
            FightStage::Losses => FightStage::Losses,
            FightStage::BreakOff(squadrons) => FightStage::BreakOff(*squadrons),
            FightStage::Step3 => FightStage::Step3,
        },
    }
}
