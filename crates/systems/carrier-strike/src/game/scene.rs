//! The sea as a viewer sees it.

use super::CarrierGame;
use super::piece::{SquadronId, Squads};
use super::refusals::Count;
use super::state::{Class, Deck, Form, Phase, State, Table, Where};
use super::view::View;
use crate::fuel::reach_home;
use crate::geometry::LENGTH;
use crate::words::{Role, name};
use flagplot_kernel::plane::Point;
use flagplot_kernel::scene::{self, Badge, Panel, Piece, Place, PlaneMark, Ring, Scene, Surface, Track};
use flagplot_kernel::{Seat, Side, Viewer};

impl CarrierGame {
    pub(super) fn scene_of(&self, view: &View) -> Scene {
        let table = &view.seen.table;
        Scene {
            title: format!("{}: turn {} of {}", self.scenario.title, table.turn, self.scenario.turns),
            status: self.status(&view.seen),
            surface: self.sea(),
            pieces: self
                .cards(table, view.viewer)
                .chain(SquadronId::all().filter(|id| table[*id].up()).map(|id| self.die(table, view.viewer, id)))
                .collect(),
            rings: self.rings(view),
            tracks: self.tracks(view),
            panels: Side::BOTH.into_iter().map(|side| self.panel(view, side)).collect(),
            decks: Side::BOTH.into_iter().filter_map(|side| self.deck(view, side)).collect(),
            ..Scene::default()
        }
    }

    fn status(&self, table: &State) -> Vec<String> {
        let mut lines = Vec::new();
        for side in Side::BOTH {
            let carrier = &table.carriers[side];
            let form = match carrier.form {
                Form::Unplaced => "not yet placed",
                Form::Hidden if carrier.slipped_turn > 0 => "hidden, slipped away",
                Form::Hidden => "hidden",
                Form::Revealed if carrier.detected => "detected",
                Form::Revealed => "in sight, not detected",
                Form::Disengaged => "has left the battle",
                Form::Destroyed => "destroyed",
            };
            let guns = self.guns(table, side).points();
            lines.push(format!(
                "{}: {form}, {} of 8 hits, {}{}",
                name(side),
                carrier.hits,
                Count(guns, "anti-aircraft point"),
                if table.passed[side] { ", passed" } else { "" }
            ));
        }
        let turn = usize::from(table.turn.clamp(1, 12)) - 1;
        for side in Side::BOTH {
            let work = table.deck_operations[side][turn];
            if work > 0 {
                lines.push(format!("{}: {} this turn", name(side), Count(work, "deck operation")));
            }
        }
        lines.push(match table.phase {
            Phase::Over => "The game is over.".into(),
            Phase::Cards(side) | Phase::Roles(side) => format!("{} sets up.", name(side)),
            _ => format!("{} to act.", name(table.phasing)),
        });
        if table.surface_contact {
            lines.push("Carriers have sighted each other.".into());
        }
        lines
    }

    fn sea(&self) -> Surface {
        let room = self.rules.geometry.sea_room;
        let (width, length) = (self.rules.geometry.area_width, self.scenario.length);
        let mut marks = vec![
            PlaneMark { label: "area of operations".into(), side: None, from: [0, 0], to: [width, length] },
            PlaneMark { label: "Blue home edge".into(), side: Some(Side::First), from: [0, 0], to: [width, 0] },
            PlaneMark {
                label: "Red home edge".into(),
                side: Some(Side::Second),
                from: [0, length],
                to: [width, length],
            },
        ];
        for side in Side::BOTH {
            if let Some(most) = self.scenario.sheet(side).cv_max_from_home {
                let home = self.scenario.home(side);
                marks.push(PlaneMark {
                    label: format!("station of {}'s carriers", name(side)),
                    side: Some(side),
                    from: [-room, home - most],
                    to: [width + room, home + most],
                });
            }
        }
        Surface::Plane { min: [-room, -room], max: [width + room, length + room], marks }
    }

    pub(super) fn cards<'a>(&'a self, table: &'a Table, viewer: Viewer) -> impl Iterator<Item = Piece> + 'a {
        let geometry = &self.rules.geometry;
        Side::BOTH.into_iter().flat_map(move |side| {
            let carrier = &table.carriers[side];
            carrier.on_table().map(move |(at, card)| {
                let id = carrier.card_id(side, at);
                let mut states = Vec::new();
                let mut what = match carrier.form {
                    Form::Revealed => "carrier group".to_owned(),
                    _ => "carrier group or decoy".to_owned(),
                };
                if carrier.form == Form::Hidden {
                    states.push("hidden".to_owned());
                    if let Some(real) = carrier.real {
                        what = if usize::from(real) == at {
                            "carrier group, face down".into()
                        } else {
                            "decoy, face down".into()
                        };
                        states.push(if usize::from(real) == at { "real" } else { "decoy" }.to_owned());
                    } else if self.believable(table, side) == 1 << at {
                        what = "must be the carrier group, face down".into();
                        states.push("deduced".to_owned());
                    } else if self.believable(table, side) != 3 {
                        what = "must be the decoy, face down".into();
                        states.push("ruled-out".to_owned());
                    }
                }
                if carrier.detected {
                    states.push("detected".into());
                }
                if carrier.acted {
                    states.push("acted".into());
                }
                if carrier.hits >= self.rules.carrier.crippled_at {
                    states.push("crippled".into());
                }
                let guns = self.guns(table, side).points();
                let mut badges = vec![Badge::new("hits", carrier.hits, "hits taken, of 8")];
                if carrier.form == Form::Revealed || viewer.sees(Seat::from(side)) {
                    badges.push(Badge::new("AA", guns, "anti-aircraft points"));
                }
                Piece {
                    id: id.id().into(),
                    name: id.to_string(),
                    side: Some(side),
                    kind: "card".into(),
                    place: Place::Point(card.into()),
                    facing: None,
                    size: Some([geometry.card_width, geometry.card_length]),
                    badges,
                    text: format!("{id}: {what}, {}", Count(carrier.hits, "hit")),
                    states,
                }
            })
        })
    }

    /// What a fighter squadron does where it is. [Roles]
    fn duty(&self, table: &Table, id: SquadronId) -> &'static str {
        let squadron = &table[id];
        match squadron.role {
            Some(Role::Recce) => "scout",
            Some(Role::Strike) if squadron.ordnance == Some(true) => "strike",
            Some(Role::Strike) => "strike aircraft",
            Some(Role::Fighter) => {
                let own = &table.carriers[id.side()];
                if own.on_table().any(|(_, card)| self.rules.geometry.on_card(squadron.pos, card)) {
                    "combat air patrol"
                } else if table
                    .group_of(&self.rules.geometry, id)
                    .iter()
                    .any(|other| matches!(table[other].role, Some(Role::Strike | Role::Recce)))
                {
                    "escort"
                } else {
                    "hunter"
                }
            }
            None => match (squadron.dummy, squadron.report) {
                (Some(true), _) => "dummy",
                (_, Some(report)) => match report.class {
                    Class::Fighters => "reported fighters",
                    Class::Strike => "reported strike aircraft",
                    Class::Mixture => "reported as part of a mixed group",
                    Class::Recce => "scout",
                },
                _ => "unknown",
            },
        }
    }

    pub(super) fn die(&self, table: &Table, viewer: Viewer, id: SquadronId) -> Piece {
        let squadron = &table[id];
        let own = viewer.sees(Seat::from(id.side()));
        let duty = self.duty(table, id);
        let mut states = Vec::new();
        for (holds, word) in [
            (squadron.detected, "detected"),
            (squadron.acted, "acted"),
            (squadron.launched, "launched"),
            (squadron.dummy == Some(true), "dummy"),
            (squadron.proved_real, "proved-real"),
            (squadron.proved_dummy, "proved-dummy"),
            (squadron.rl <= 1, "last-fuel"),
            (squadron.ordnance == Some(true), "loaded"),
            (squadron.struck, "struck"),
            (self.kamikaze.has(id), "kamikaze"),
        ] {
            if holds {
                states.push(word.to_owned());
            }
        }
        let strength = if own { "aircraft" } else { "aircraft last seen" };
        let mut badges = vec![Badge::new("RL", squadron.rl, "range die")];
        if squadron.dummy != Some(true) {
            badges.push(Badge::new("n", squadron.strength, strength));
        }
        let group = table.group_of(&self.rules.geometry, id);
        let with = if group.count() > 1 {
            format!(", in a group with {}", group.without(Squads::one(id)))
        } else {
            String::new()
        };
        Piece {
            id: id.id().into(),
            name: id.to_string(),
            side: Some(id.side()),
            kind: match squadron.role {
                _ if id.is_recce() => "scout",
                Some(Role::Fighter) => "fighter-squadron",
                Some(Role::Strike) => "strike-squadron",
                _ => "squadron",
            }
            .into(),
            place: Place::Point(squadron.pos.into()),
            facing: None,
            size: Some([2 * self.rules.geometry.die_radius, 2 * self.rules.geometry.die_radius]),
            badges,
            states,
            text: format!("{id}: {duty}, {} {strength}, range die {}{with}", squadron.strength, squadron.rl),
        }
    }

    /// Rings at 1, 3 and 6 lengths, and the ring inside which a squadron still gets home.
    fn rings(&self, view: &View) -> Vec<Ring> {
        let table = &view.seen.table;
        let mut all = Vec::new();
        let mut put = |at: Point, radius: i64, label: String, side: Side, piece: &str| {
            all.push(Ring { at: at.into(), radius, label, side: Some(side), piece: Some(piece.into()) })
        };
        for id in SquadronId::all().filter(|id| table[*id].up()) {
            for lengths in [1, 3, 6] {
                put(
                    table[id].pos,
                    self.rules.geometry.centres(lengths),
                    if lengths == 1 { "1 length".into() } else { format!("{lengths} lengths") },
                    id.side(),
                    id.id(),
                );
            }
            if view.viewer.sees(Seat::from(id.side()))
                && let Some(home) = table.carriers[id.side()].real_card()
            {
                put(
                    home,
                    reach_home(table[id].rl) + self.rules.geometry.card_length / 2,
                    format!("{id} gets home from inside this ring"),
                    id.side(),
                    id.id(),
                );
            }
        }
        for (lead, at) in
            table.trail.lead.into_iter().flat_map(|lead| table.trail.met_at.iter().map(move |at| (lead, *at)))
        {
            put(at, self.rules.geometry.die_radius, "point of contact".into(), lead.side(), lead.id());
        }
        for side in Side::BOTH {
            let carrier = &table.carriers[side];
            for (at, card) in carrier.on_table() {
                put(
                    card,
                    3 * LENGTH + self.rules.geometry.card_width / 2,
                    "3 lengths: launch, land and search".into(),
                    side,
                    carrier.card_id(side, at).id(),
                );
            }
        }
        all
    }

    /// What has been flown, and for its owner what is still to be flown.
    fn tracks(&self, view: &View) -> Vec<Track> {
        let State { table, phase } = &view.seen;
        let Some(lead) = table.trail.lead else { return Vec::new() };
        let flight = if let Phase::Action(underway) = phase { underway.flight() } else { None };
        let flown = match (phase, flight) {
            (_, Some(flight)) if flight.in_contact() => "flown, in contact at its end",
            (Phase::Action(_) | Phase::Shed(_), _) => "flown",
            _ => "flown in the last action",
        };
        let track = |points: Vec<Point>, label: &str| Track {
            points: points.into_iter().map(Into::into).collect(),
            label: label.into(),
            side: Some(lead.side()),
            piece: Some(lead.id().into()),
            ..Track::default()
        };
        let mut all = Vec::new();
        if table.trail.track.len() > 1 {
            all.push(track(table.trail.track.clone(), flown));
        }
        if let Some(walk) = flight.and_then(|flight| flight.walk)
            && !walk.course.ahead().is_empty()
        {
            let ahead = std::iter::once(walk.course.lead).chain(walk.course.ahead().iter().copied());
            all.push(track(ahead.collect(), "still to be flown"));
        }
        all
    }

    /// The squadrons aboard a side's carriers, for those who know which card that is.
    fn deck(&self, view: &View, side: Side) -> Option<scene::Deck> {
        let table = &view.seen.table;
        let carrier = &table.carriers[side];
        let real = carrier.real.filter(|_| view.viewer.sees(Seat::from(side)) && carrier.in_play())?;
        let aboard = SquadronId::of(side).filter(|id| table[*id].place == Where::Aboard).map(|id| {
            let squadron = &table[id];
            let kind = match squadron.deck {
                _ if id.is_recce() => "scout",
                Deck::Fighter => "fighter-squadron",
                Deck::Strike => "strike-squadron",
                _ => "squadron",
            };
            let acted = if squadron.acted { ", has acted" } else { "" };
            scene::Aboard {
                id: id.id().into(),
                name: id.to_string(),
                kind: kind.into(),
                strength: squadron.strength.into(),
                state: format!("{}{acted}", deck_words(squadron.deck)),
            }
        });
        Some(scene::Deck {
            piece: carrier.card_id(side, usize::from(real)).id().into(),
            title: format!("Aboard the {} carriers", name(side)),
            aboard: aboard.collect(),
        })
    }

    fn panel(&self, view: &View, side: Side) -> Panel {
        let table = &view.seen.table;
        let mut rows = vec![vec!["squadron".to_owned(), "aircraft".to_owned(), "where".to_owned(), "state".to_owned()]];
        for id in SquadronId::of(side).filter(|id| table[*id].place != Where::Absent) {
            let squadron = &table[id];
            let place = match squadron.place {
                Where::Aboard => "aboard",
                Where::Deployed => "in the air",
                Where::Lost | Where::LostUnseen => "lost",
                Where::OffTable | Where::Absent => "off the table",
            };
            let text = if squadron.up() {
                self.duty(table, id)
            } else if squadron.place == Where::Aboard {
                deck_words(squadron.deck)
            } else {
                ""
            };
            rows.push(vec![id.to_string(), squadron.strength.to_string(), place.to_owned(), text.to_owned()]);
        }
        Panel { title: self.scenario.names()[side].clone(), side: Some(side), rows, header: true }
    }
}

/// What has been done to a squadron aboard.
fn deck_words(deck: Deck) -> &'static str {
    match deck {
        Deck::Landed => "landed",
        Deck::Refuelled => "refuelled",
        Deck::Fighter => "armed as fighters",
        Deck::Strike => "armed for strikes",
        Deck::Unknown => "",
    }
}
