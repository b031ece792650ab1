//! What a viewer knows, put together fact by fact from what is public or his own.
//!
//! Everything is taken apart without `..`: a field that is new in the state does not compile here until it is decided
//! who sees it.

use super::FleetGame;
use super::battle::Squad;
use super::end::Stage;
use super::state::{Field, Ledger, Level, Marker, Phase, Running, Sea, Squadron, SquadronId, State, Vessel, VesselId};
use crate::data::Module;
use crate::geometry::Position;
use flagplot_kernel::{Seat, Side, Viewer};
use serde::Serialize;

/// Everything one viewer knows. What a marker holds and the aim of torpedoes are null where they are not known; mine
/// fields and torpedoes of which nobody else knows are absent; an unseen submarine is where everybody last saw her.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// Whose eyes it is for.
    pub viewer: Viewer,
    pub seen: State,
}

impl FleetGame {
    /// What a viewer knows of a state.
    pub(super) fn view_of(&self, state: &State, viewer: Viewer) -> View {
        let State { sea, phase } = state;
        let own = |side: Side| viewer.sees(Seat::from(side));
        View { viewer, seen: State { sea: self.sea_seen(sea, &own), phase: self.phase_seen(sea, phase, &own) } }
    }

    /// The sea as a side knows it: what a screen for that side may be made from.
    pub(super) fn seen_by(&self, sea: &Sea, side: Side) -> Sea {
        self.sea_seen(sea, &|of| of == side)
    }

    fn sea_seen(&self, sea: &Sea, own: &impl Fn(Side) -> bool) -> Sea {
        let Sea {
            turn,
            holder,
            first,
            squadrons,
            vessels,
            stands,
            markers,
            screens,
            squalls,
            running,
            arrived,
            fields,
            ready,
            pending,
        } = sea;
        let battle = &self.battle;
        let squadrons = squadrons.iter().zip(&battle.squadrons);
        let vessels = vessels.iter().enumerate().map(|(at, vessel)| (VesselId(at as u8), vessel));
        Sea {
            turn: *turn,
            holder: *holder,
            first: *first,
            squadrons: squadrons
                .map(|(now, squad)| match own(squad.side) {
                    true => now.clone(),
                    false => self.squadron_from_afar(sea, squad, now),
                })
                .collect(),
            vessels: vessels
                .map(|(id, now)| match own(battle.member(id).side) {
                    true => now.clone(),
                    false => self.vessel_from_afar(sea, id, now),
                })
                .collect(),
            stands: stands.clone(),
            markers: markers.iter().map(|marker| marker_seen(marker, own(marker.side))).collect(),
            screens: screens.clone(),
            squalls: squalls.clone(),
            running: running.iter().filter_map(|run| running_seen(run, own(battle.member(run.by).side))).collect(),
            // The aim is shown when torpedoes arrive.
            arrived: arrived.clone(),
            fields: fields.iter().filter(|field| field.known || own(field.side)).map(field_seen).collect(),
            ready: *ready,
            pending: pending.clone(),
        }
    }

    /// A squadron on a marker shows nothing of what it has done. Of those on the markers of a side everybody knows only
    /// whether any is still surprised, because until then all markers keep course and speed. [C-40]
    fn squadron_from_afar(&self, sea: &Sea, squad: &Squad, now: &Squadron) -> Squadron {
        let Squadron { command, deployed, surprised, began, moved, flown, acted, torpedoed_on, torpedoed_by, shy } =
            now;
        let surprised = if squad.contact && !deployed {
            squad.surprised && self.contacts_surprised(sea, squad.side)
        } else {
            *surprised
        };
        Squadron {
            command: *command,
            deployed: *deployed,
            surprised,
            began: *began,
            moved: *moved && *deployed,
            flown: *flown,
            acted: *acted && *deployed,
            torpedoed_on: *torpedoed_on,
            torpedoed_by: torpedoed_by.clone(),
            shy: *shy,
        }
    }

    /// How far a phase has got, without what is secret: which squadrons on markers may yet hear the guns.
    fn phase_seen(&self, sea: &Sea, phase: &Phase, own: &impl Fn(Side) -> bool) -> Phase {
        let Phase::End(Stage::Alert(left)) = phase else { return phase.clone() };
        let known = |id: &SquadronId| own(self.battle.squad(*id).side) || !self.on_a_marker(sea, *id);
        Phase::End(Stage::Alert(left.iter().copied().filter(known).collect()))
    }

    /// A vessel as the other side and spectators know her: one on a contact marker as the scenario describes her, a
    /// submarine out of sight where she was last seen. Damage is public, because dice are rolled in the open.
    fn vessel_from_afar(&self, sea: &Sea, id: VesselId, vessel: &Vessel) -> Vessel {
        let member = self.battle.member(id);
        if !sea.squadron(member.squadron).deployed {
            return self.fresh_vessel(member);
        }
        let Vessel {
            at,
            speed,
            last_speed,
            now,
            vessels,
            level,
            mood,
            left,
            aground,
            placed,
            seen,
            detected,
            loaded,
            reloads,
            reloaded,
            torpedoes,
            floats,
            mines: _,
            ledger,
            began,
            lost_on,
            wake,
            last_wake,
            entangled,
            star_lit,
            sighted,
        } = vessel;
        let fresh = self.fresh_vessel(member);
        let submerged = *level != Level::Surfaced && now.afloat() && !left;
        let unseen = submerged && !seen;
        let aiming = sea.running.iter().any(|run| run.by == id);
        let secretly = |run: &&Running| run.by == id && run.hidden;
        let launched_secretly = sea.running.iter().any(|run| secretly(&run));
        let loaded = sea.running.iter().filter(secretly).fold(*loaded, |loaded, run| loaded | run.mounts);
        let where_seen = sighted.map_or(fresh.at, |(at, _)| Position { at, ..fresh.at });
        Vessel {
            at: if unseen { where_seen } else { *at },
            speed: if unseen { 0 } else { *speed },
            last_speed: if unseen { 0 } else { *last_speed },
            now: *now,
            vessels: *vessels,
            level: if unseen { Level::Periscope } else { *level },
            mood: *mood,
            left: *left,
            aground: *aground,
            placed: *placed,
            seen: *seen,
            detected: *detected,
            // Launches under water are shown when they are resolved, so the tubes left are known. [C-52]
            loaded,
            reloads: if unseen { Vec::new() } else { reloads.clone() },
            reloaded: *reloaded,
            torpedoes: *torpedoes,
            floats: *floats,
            // Whether a field was laid is nobody else's business.
            mines: fresh.mines,
            ledger: if unseen { Ledger::default() } else { ledger_seen(ledger, aiming, launched_secretly) },
            began: *began,
            lost_on: *lost_on,
            // Sonar tells where a submarine is, not how she came there.
            wake: if submerged { Vec::new() } else { wake.clone() },
            last_wake: if submerged { Vec::new() } else { last_wake.clone() },
            entangled: *entangled,
            star_lit: *star_lit,
            sighted: *sighted,
        }
    }

    /// Whether a viewer knows more, or other things, of pieces that are not his own. What moves and acts in the open is
    /// its side's act, which everybody watches; what a marker holds, a submarine's place, torpedoes and fields are not.
    pub(super) fn learned_by(&self, before: &View, after: &View, _: Seat) -> bool {
        // Where a ship runs without a mine going off tells where no field lies.
        if self.battle.uses(Module::Mines) {
            return before.seen != after.seen;
        }
        let viewer = after.viewer;
        let strange = |side: Side| !viewer.sees(Seat::from(side));
        let facts = |view: &View| {
            let sea = &view.seen.sea;
            let of_vessel = |(id, vessel): (VesselId, &Vessel)| {
                let member = self.battle.member(id);
                strange(member.side).then_some((vessel.placed, vessel.seen, vessel.level, vessel.sighted, vessel.now))
            };
            let markers: Vec<_> = sea
                .markers
                .iter()
                .filter(|marker| strange(marker.side))
                .map(|marker| (marker.holds, marker.real, marker.gone))
                .collect();
            let vessels: Vec<_> = sea.all().map(of_vessel).collect();
            let aims: Vec<_> = sea.running.iter().map(|run| (run.by, run.aim, run.mounts)).collect();
            let fields: Vec<_> = sea.fields.iter().filter(|field| strange(field.side)).cloned().collect();
            (markers, vessels, aims, fields)
        };
        facts(before) != facts(after)
    }
}

/// Who was picked out at night for torpedoes that still run is their secret, and so is a launch under water. [R-54,
/// C-52]
fn ledger_seen(ledger: &Ledger, aiming: bool, launched_secretly: bool) -> Ledger {
    let identified = if aiming { None } else { ledger.identified };
    Ledger { identified, launched: ledger.launched && !launched_secretly, ..*ledger }
}

fn marker_seen(marker: &Marker, own: bool) -> Marker {
    let Marker { side, at, speed, holds, real, gone, moved, acted } = marker;
    Marker {
        side: *side,
        at: *at,
        speed: *speed,
        holds: holds.filter(|_| own || *gone),
        real: *real,
        gone: *gone,
        moved: *moved,
        acted: *acted,
    }
}

fn running_seen(run: &Running, own: bool) -> Option<Running> {
    let Running { by, from, mode, mounts, torpedoes, aim, could, frozen, hidden } = run;
    (own || !hidden).then(|| Running {
        by: *by,
        from: *from,
        mode: *mode,
        mounts: *mounts,
        torpedoes: *torpedoes,
        aim: aim.filter(|_| own),
        could: could.clone(),
        frozen: *frozen,
        hidden: *hidden,
    })
}

fn field_seen(field: &Field) -> Field {
    let Field { side, at, density, known } = field;
    Field { side: *side, at: *at, density: *density, known: *known }
}
