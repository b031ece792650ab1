//! What a viewer knows, put together fact by fact from what is his to see.
//!
//! Everything is taken apart without `..`: a field that is new in the state does not compile here until it is decided
//! who sees it.

use super::CarrierGame;
use super::piece::{SquadronId, Squads};
use super::state::{Act, Carrier, Deck, Fight, Form, Phase, Search, Squadron, State, Trail, Walk, Where};
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
    /// What can be seen.
    pub seen: State,
}

impl CarrierGame {
    pub(super) fn view_of(&self, state: &State, viewer: Viewer) -> View {
        let State {
            turn,
            start,
            phasing,
            passed,
            deck_operations,
            surface_contact,
            carriers,
            squadrons,
            phase,
            act,
            fight,
            walk,
            trail,
            lines,
            then,
            surface_losers,
            verdict,
        } = state;
        let own = |side: Side| viewer.sees(Seat::from(side));
        let laying = matches!(phase, Phase::Cards(_));
        let group = |side: Side| if own(side) { carriers[side] } else { carrier_from_afar(&carriers[side], laying) };
        let mut known = *squadrons;
        for id in SquadronId::all().filter(|id| !own(id.side())) {
            known[id.index()] = from_afar(id, &squadrons[id.index()]);
        }
        // The guns of a hidden group pass over dummies: which dice are under them would tell which card is real.
        let guns = |id: &SquadronId| own(id.side().other()) || carriers[id.side().other()].form != Form::Hidden;
        let seen = State {
            turn: *turn,
            start: *start,
            phasing: *phasing,
            passed: *passed,
            deck_operations: *deck_operations,
            surface_contact: *surface_contact,
            carriers: BySide::new_with(group),
            squadrons: known,
            phase: *phase,
            act: act_seen(act, own(*phasing), act.under_guns.iter().filter(guns).collect()),
            fight: fight_seen(fight),
            walk: walk.as_ref().map(|walk| walk_seen(walk, own(*phasing))),
            trail: trail_seen(trail),
            lines: *lines,
            then: *then,
            surface_losers: *surface_losers,
            verdict: *verdict,
        };
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
    let Carrier { hits, form, slipped, cards, real: _, may_be_real, detected, acted, detect_used, must_shed } =
        *carrier;
    // Cards lie on the table when both sides have laid theirs.
    let (form, cards, may_be_real, detected) =
        if laying { (Form::Unplaced, [None; 2], 3, false) } else { (form, cards, may_be_real, detected) };
    let real = match (form, may_be_real) {
        (Form::Hidden, 1) | (Form::Revealed, _) => Some(0),
        (Form::Hidden, 2) => Some(1),
        _ => None,
    };
    Carrier { hits, form, slipped, cards, real, may_be_real, detected, acted, detect_used, must_shed }
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

/// An action in progress, with the dice under guns that are known to fire: only its owner knows what search is planned
/// for its end.
fn act_seen(act: &Act, own: bool, under_guns: Squads) -> Act {
    let Act {
        kind,
        order,
        group,
        allowance,
        flown,
        track,
        met_at,
        home,
        search,
        planned,
        contacts,
        enemy,
        met,
        gave_way,
        interrupted,
        under_guns: _,
        fired_at,
        struck,
        slides,
        moved_cards,
        touched,
        lifted,
    } = act;
    Act {
        kind: *kind,
        order: *order,
        group: *group,
        allowance: *allowance,
        flown: *flown,
        track: track.clone(),
        met_at: *met_at,
        home: *home,
        search: search.map(search_seen),
        planned: planned.filter(|_| own).map(search_seen),
        contacts: *contacts,
        enemy: *enemy,
        met: *met,
        gave_way: *gave_way,
        interrupted: *interrupted,
        under_guns,
        fired_at: *fired_at,
        struck: *struck,
        slides: *slides,
        moved_cards: *moved_cards,
        touched: *touched,
        lifted: *lifted,
    }
}

/// A search is announced as it is.
fn search_seen(search: Search) -> Search {
    let Search { by, target, then } = search;
    Search { by, target, then }
}

/// A dogfight: whoever is in it has shown what it is.
fn fight_seen(fight: &Fight) -> Fight {
    let Fight { attackers, defenders, broken, step, escorting, escorts_fought, combats, current } = fight;
    Fight {
        attackers: *attackers,
        defenders: *defenders,
        broken: *broken,
        step: *step,
        escorting: *escorting,
        escorts_fought: *escorts_fought,
        combats: *combats,
        current: *current,
    }
}

/// A flight in progress: only its owner knows where its own path leads. A line flown inside the action was announced.
fn walk_seen(walk: &Walk, own: bool) -> Walk {
    let Walk { movers, course, contact, guns, main } = *walk;
    let course = if own || !main {
        course
    } else {
        let mut flown = Course::new(course.lead, Waypoints::default());
        flown.flown = course.flown;
        flown
    };
    Walk { movers, course, contact, guns, main }
}

/// What the last action left to be seen is there to be seen.
fn trail_seen(trail: &Trail) -> Trail {
    let Trail { lead, track, met_at } = trail;
    Trail { lead: *lead, track: track.clone(), met_at: *met_at }
}
