//! The sea as a viewer sees it.

use super::CarrierGame;
use super::piece::SquadronId;
use super::state::{Class, Deck, Form, Phase, State, Where};
use super::view::View;
use crate::geometry::LENGTH;
use crate::words::{Role, name};
use flagplot_kernel::plane::Point;
use flagplot_kernel::scene::{Badge, Panel, Piece, Place, PlaneMark, Ring, Scene, Surface, Track};
use flagplot_kernel::{Seat, Side};

impl CarrierGame {
    pub(super) fn scene_of(&self, view: &View) -> Scene {
        let state = &view.seen;
        Scene {
            title: format!("{}: turn {} of {}", self.scenario.title, state.turn, self.scenario.turns),
            status: self.status(state),
            surface: self.sea(),
            pieces: self
                .cards(view)
                .chain(SquadronId::all().filter(|id| state[*id].up()).map(|id| self.die(view, id)))
                .collect(),
            rings: self.rings(view),
            tracks: self.tracks(view),
            arrows: Vec::new(),
            panels: Side::BOTH.into_iter().map(|side| self.panel(view, side)).collect(),
        }
    }

    fn status(&self, state: &State) -> Vec<String> {
        let mut lines = Vec::new();
        for side in Side::BOTH {
            let carrier = &state.carriers[side];
            let form = match carrier.form {
                Form::Unplaced => "not yet placed",
                Form::Hidden if carrier.slipped => "hidden, slipped away",
                Form::Hidden => "hidden",
                Form::Revealed if carrier.detected => "detected",
                Form::Revealed => "in sight, not detected",
                Form::Disengaged => "has left the battle",
                Form::Destroyed => "destroyed",
            };
            let guns = self.aa[side][usize::from(carrier.hits.min(8))];
            lines.push(format!(
                "{}: {form}, {} of 8 hits, {guns} anti-aircraft points{}",
                name(side),
                carrier.hits,
                if state.passed[side] { ", passed" } else { "" }
            ));
        }
        let turn = usize::from(state.turn.clamp(1, 12)) - 1;
        for side in Side::BOTH {
            let work = state.deck_operations[side][turn];
            if work > 0 {
                lines.push(format!("{}: {work} deck operations this turn", name(side)));
            }
        }
        lines.push(match state.phase {
            Phase::Over => "The game is over.".into(),
            Phase::Cards(side) | Phase::Roles(side) => format!("{} sets up.", name(side)),
            _ => format!("{} to act.", name(state.phasing)),
        });
        if state.surface_contact {
            lines.push("Carriers have sighted each other.".into());
        }
        lines
    }

    fn sea(&self) -> Surface {
        let room = self.book.geometry.sea_room;
        let (width, length) = (self.book.geometry.area_width, self.scenario.length);
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

    pub(super) fn cards<'a>(&'a self, view: &'a View) -> impl Iterator<Item = Piece> + 'a {
        let state = &view.seen;
        let geometry = &self.book.geometry;
        Side::BOTH.into_iter().flat_map(move |side| {
            let carrier = &state.carriers[side];
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
                    }
                }
                if carrier.detected {
                    states.push("detected".into());
                }
                if carrier.acted {
                    states.push("acted".into());
                }
                if carrier.hits >= self.book.carrier.crippled_at {
                    states.push("crippled".into());
                }
                let guns = self.aa[side][usize::from(carrier.hits.min(8))];
                let mut badges = vec![Badge::new("hits", carrier.hits, "hits taken of 8")];
                if carrier.form == Form::Revealed || view.viewer.sees(Seat::from(side)) {
                    badges.push(Badge::new("AA", guns, "anti-aircraft points"));
                }
                Piece {
                    id: id.to_string(),
                    name: id.to_string(),
                    side: Some(side),
                    kind: "card".into(),
                    place: Place::Point(card.into()),
                    facing: None,
                    size: Some([geometry.card_width, geometry.card_length]),
                    badges,
                    text: format!("{id}: {what}, {} hits", carrier.hits),
                    states,
                }
            })
        })
    }

    /// What a fighter squadron does where it is. [Roles]
    fn duty(&self, state: &State, id: SquadronId) -> &'static str {
        let squadron = &state[id];
        match squadron.role {
            Some(Role::Recce) => "scout",
            Some(Role::Strike) if squadron.ordnance == Some(true) => "strike",
            Some(Role::Strike) => "strike aircraft",
            Some(Role::Fighter) => {
                let own = &state.carriers[id.side()];
                if own.on_table().any(|(_, card)| self.book.geometry.on_card(squadron.pos, card)) {
                    "combat air patrol"
                } else if state
                    .group_of(&self.book.geometry, id)
                    .iter()
                    .any(|other| matches!(state[other].role, Some(Role::Strike | Role::Recce)))
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
                    Class::Mixture => "reported in a mixture",
                    Class::Recce => "scout",
                },
                _ => "unknown",
            },
        }
    }

    pub(super) fn die(&self, view: &View, id: SquadronId) -> Piece {
        let state = &view.seen;
        let squadron = &state[id];
        let own = view.viewer.sees(Seat::from(id.side()));
        let duty = self.duty(state, id);
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
        let group = state.group_of(&self.book.geometry, id);
        let with = if group.count() > 1 {
            format!(", in a group with {}", group.without(super::piece::Squads::one(id)).names())
        } else {
            String::new()
        };
        Piece {
            id: id.to_string(),
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
            size: Some([2 * self.book.geometry.die_radius, 2 * self.book.geometry.die_radius]),
            badges,
            states,
            text: format!("{id}: {duty}, {} {strength}, range die {}{with}", squadron.strength, squadron.rl),
        }
    }

    /// Rings at 1, 3 and 6 lengths, and the ring inside which a squadron still gets home.
    fn rings(&self, view: &View) -> Vec<Ring> {
        let state = &view.seen;
        let mut all = Vec::new();
        let mut put = |at: Point, radius: i64, label: String, side: Side, piece: String| {
            all.push(Ring { at: at.into(), radius, label, side: Some(side), piece: Some(piece) })
        };
        for id in SquadronId::all().filter(|id| state[*id].up()) {
            for lengths in [1, 3, 6] {
                put(
                    state[id].pos,
                    self.book.geometry.centres(lengths),
                    if lengths == 1 { "1 length".into() } else { format!("{lengths} lengths") },
                    id.side(),
                    id.to_string(),
                );
            }
            if view.viewer.sees(Seat::from(id.side()))
                && let Some(home) = state.carriers[id.side()].real_card()
            {
                let rl = i64::from(state[id].rl);
                let reach = if rl <= 2 { 3 } else { 6 * (rl - 2) + 3 };
                put(
                    home,
                    reach * LENGTH + self.book.geometry.card_length / 2,
                    format!("{id} still gets home from here"),
                    id.side(),
                    id.to_string(),
                );
            }
        }
        for (lead, met_at) in
            [(state.trail.lead, &state.trail.met_at), (state.act.order.first().copied(), &state.act.met_at)]
        {
            for (lead, at) in lead.into_iter().flat_map(|lead| met_at.iter().map(move |at| (lead, *at))) {
                put(at, self.book.geometry.die_radius, "point of contact".into(), lead.side(), lead.to_string());
            }
        }
        for side in Side::BOTH {
            let carrier = &state.carriers[side];
            for (at, card) in carrier.on_table() {
                put(
                    card,
                    3 * LENGTH + self.book.geometry.card_width / 2,
                    "3 lengths: launch, land, search".into(),
                    side,
                    carrier.card_id(side, at).to_string(),
                );
            }
        }
        all
    }

    /// What has been flown, and for its owner what is still to be flown.
    fn tracks(&self, view: &View) -> Vec<Track> {
        let state = &view.seen;
        let mut all = Vec::new();
        let piece = state.act.order.first().map(ToString::to_string);
        let mut put = |track: &[Point], label: &str, lead: Option<SquadronId>| {
            if let Some(lead) = lead.filter(|_| track.len() > 1) {
                let points = track.iter().map(|point| (*point).into()).collect();
                all.push(Track { points, label: label.into(), side: Some(lead.side()), piece: Some(lead.to_string()) });
            }
        };
        put(&state.trail.track, "flown in the last action", state.trail.lead);
        put(
            &state.act.track,
            if state.act.enemy.is_empty() { "flown" } else { "flown, in contact at its end" },
            state.act.order.first().copied(),
        );
        if let Some(walk) = &state.walk
            && walk.main
            && !walk.course.ahead().is_empty()
        {
            let ahead = std::iter::once(walk.course.lead).chain(walk.course.ahead().iter().copied());
            all.push(Track {
                points: ahead.map(Into::into).collect(),
                label: "still to be flown".into(),
                side: Some(state.phasing),
                piece,
            });
        }
        all
    }

    fn panel(&self, view: &View, side: Side) -> Panel {
        let state = &view.seen;
        let mut rows = vec![vec!["squadron".to_owned(), "aircraft".to_owned(), "where".to_owned(), "state".to_owned()]];
        for id in SquadronId::of(side).filter(|id| state[*id].place != Where::Absent) {
            let squadron = &state[id];
            let place = match squadron.place {
                Where::Aboard => "aboard",
                Where::Deployed => "in the air",
                Where::Lost | Where::LostUnseen => "lost",
                Where::OffTable | Where::Absent => "off the table",
            };
            let deck = match squadron.deck {
                Deck::Landed => "landed",
                Deck::Refuelled => "refuelled",
                Deck::Fighter => "armed as fighters",
                Deck::Strike => "armed for strikes",
                Deck::Unknown => "",
            };
            let text = if squadron.up() {
                self.duty(state, id)
            } else if squadron.place == Where::Aboard {
                deck
            } else {
                ""
            };
            rows.push(vec![id.to_string(), squadron.strength.to_string(), place.to_owned(), text.to_owned()]);
        }
        Panel { title: self.scenario.names()[side].clone(), side: Some(side), rows, header: true }
    }
}
