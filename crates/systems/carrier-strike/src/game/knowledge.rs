//! What everybody may conclude: detection, dummies, which card is real.

use super::piece::{SquadronId, Squads};
use super::state::{Class, Deck, Form, Report, Squadron, State, Where};
use super::{CarrierGame, only};
use crate::few::Few;
use crate::geometry::LENGTH;
use crate::rule;
use crate::words::{Role, name};
use flagplot_kernel::{Ask, Note, Side};

impl CarrierGame {
    /// Draws the conclusions of R-74 for a side: proved squadrons tie down the real card, and a die that no card
    /// left can have launched is a dummy.
    pub(super) fn conclude(&self, state: &mut State, side: Side) {
        if state.carriers[side].form != Form::Hidden {
            return;
        }
        for id in SquadronId::of(side) {
            let squadron = &state[id];
            let cut = state.carriers[side].may_be_real & squadron.tied_to;
            if squadron.up() && squadron.proved_real && cut != 0 {
                state.carriers[side].may_be_real = cut;
            }
        }
        let may_be_real = state.carriers[side].may_be_real;
        for id in SquadronId::of(side) {
            let squadron = &mut state[id];
            if squadron.up() && !squadron.proved_real && !id.is_recce() && squadron.tied_to & may_be_real == 0 {
                squadron.proved_dummy = true;
            }
        }
    }

    /// The cards that can be the real one, as 1 for a and 2 for b. A scout is no dummy, so that its launch counts before
    /// anything else has proved it.
    pub(super) fn believable(&self, state: &State, side: Side) -> u8 {
        let scouts = state.up(side).iter().filter(|id| id.is_recce()).fold(3, |cards, id| cards & state[id].tied_to);
        let open = state.carriers[side].may_be_real;
        if open & scouts == 0 { open } else { open & scouts }
    }

    /// Everybody sees that a squadron is real.
    pub(super) fn prove_real(&self, state: &mut State, id: SquadronId) {
        if !state[id].proved_real {
            state[id].proved_real = true;
            self.conclude(state, id.side());
        }
    }

    /// A die leaves the table; what was known of it ends.
    pub(super) fn lift(&self, state: &mut State, id: SquadronId, place: Where) {
        let turn = state.turn;
        let squadron = &mut state[id];
        squadron.known_ready = squadron.proved_dummy;
        squadron.unseen.ends(squadron.proved_real || squadron.detected, squadron.proved_dummy);
        squadron.place = place;
        squadron.left_turn = turn;
        squadron.role = None;
        squadron.ordnance = Some(false);
        squadron.shown_role = None;
        squadron.struck = false;
        squadron.dummy = Some(false);
        squadron.proved_real = false;
        squadron.proved_dummy = false;
        squadron.tied_to = 0;
        squadron.detected = false;
        squadron.report = None;
        squadron.launched = false;
        squadron.ditched = false;
        if matches!(place, Where::Lost | Where::LostUnseen) {
            squadron.strength = 0;
        }
        if place == Where::Lost {
            squadron.show_strength();
            // What was done to it aboard goes down with it.
            squadron.deck = Deck::Refuelled;
            squadron.acted = false;
            squadron.detect_used = false;
        }
        state.act.lifted = true;
        state.act.group.take(id);
        state.act.under_guns.take(id);
        state.act.slides.take(id);
    }

    /// A dummy is exposed: its die goes back to the squadron aboard.
    pub(super) fn expose(&self, state: &mut State, id: SquadronId, ask: &mut impl Ask) {
        state[id].proved_dummy = true;
        let aboard = !matches!(state.carriers[id.side()].form, Form::Destroyed);
        self.lift(state, id, if aboard { Where::Aboard } else { Where::Lost });
        ask.note(|| {
            Note::new("dummy-exposed", format!("{id} was a dummy and comes off the table."))
                .by(&[rule::DUMMIES, rule::R_38])
                .pieces([id])
        });
    }

    /// A squadron is destroyed in everybody's sight.
    pub(super) fn destroy(&self, state: &mut State, id: SquadronId, ask: &mut impl Ask) {
        self.lift(state, id, Where::Lost);
        ask.note(|| Note::new("squadron-lost", format!("{id} is lost.")).pieces([id]));
    }

    /// A group is detected: its dummies come off, the rest is marked, the owner reports its class. [Detect], R-63
    pub(super) fn detect_group(&self, state: &mut State, group: Squads, ask: &mut impl Ask) {
        for id in group.iter().filter(|id| state[*id].is_dummy()).collect::<Squads>().iter() {
            self.expose(state, id, ask);
        }
        let found: Squads = group.iter().filter(|id| state[*id].real()).collect();
        if found.is_empty() || found.iter().all(|id| state[id].detected) {
            return;
        }
        let has = |role| found.iter().any(|id| state[id].role == Some(role));
        let class = match (has(Role::Fighter), has(Role::Strike)) {
            (true, true) => Class::Mixture,
            (true, false) => Class::Fighters,
            (false, true) => Class::Strike,
            (false, false) => Class::Recce,
        };
        for id in found.iter() {
            state[id].detected = true;
            state[id].report = Some(Report { class, given_for: found });
            self.prove_real(state, id);
        }
        ask.note(|| {
            let what = match class {
                Class::Fighters => "fighters",
                Class::Strike => "strike aircraft",
                Class::Mixture => "a mixture of fighters and strike aircraft",
                Class::Recce => "scouts",
            };
            Note::new("group-detected", format!("{} detected: {what}.", found.names()))
                .by(&[rule::DETECT, rule::R_63, rule::R_3])
                .pieces(found.iter())
        });
    }

    /// A squadron counts as detected from now on.
    pub(super) fn mark_detected(&self, state: &mut State, id: SquadronId) {
        state[id].detected = true;
        self.prove_real(state, id);
    }

    /// A card is detected: a decoy goes, the real one lies open. [Detect], R-21
    pub(super) fn detect_card(&self, state: &mut State, side: Side, at: usize, ask: &mut impl Ask) {
        let carrier = state.carriers[side];
        let label = carrier.card_id(side, at);
        match carrier.form {
            Form::Revealed => state.carriers[side].detected = true,
            Form::Hidden if carrier.real == Some(at as u8) => {
                state.carriers[side].may_be_real = 1 << at;
                self.conclude(state, side);
                state.act.moved_cards = u8::from(state.act.moved_cards & (1 << at) != 0);
                let carrier = &mut state.carriers[side];
                carrier.cards = [carrier.cards[at], None];
                carrier.form = Form::Revealed;
                carrier.slipped = false;
                carrier.real = Some(0);
                carrier.may_be_real = 1;
                carrier.detected = true;
                for id in state.up(side).iter() {
                    state[id].tied_to = 3;
                }
            }
            Form::Hidden => {
                state.carriers[side].cards[at] = None;
                state.carriers[side].may_be_real = 3 & !(1 << at);
                self.conclude(state, side);
                ask.note(|| {
                    Note::new(
                        "decoy-exposed",
                        format!("{label} was a decoy; the other card is the carrier group, but not yet detected."),
                    )
                    .by(&[rule::R_21])
                });
                return;
            }
            _ => return,
        }
        ask.note(|| {
            Note::new("carrier-detected", format!("{}'s carrier group is detected.", name(side)))
                .by(&[rule::DETECT])
                .pieces([state.carriers[side].card_id(side, 0)])
        });
    }

    /// Enemy dice and cards that keep contact with a squadron or a card: dice within six lengths that are not proved
    /// dummies, cards within three.
    pub(super) fn watched_card(&self, state: &State, side: Side, card: flagplot_kernel::plane::Point) -> bool {
        let enemy = side.other();
        let (dice, cards) =
            (self.book.ranges.stay_detected_squadron * LENGTH, self.book.ranges.stay_detected_cv * LENGTH);
        state
            .up(enemy)
            .iter()
            .any(|id| !state[id].proved_dummy && self.book.geometry.near_card(state[id].pos, card, dice))
            || state.carriers[enemy].on_table().any(|(_, other)| self.book.geometry.near_card(other, card, cards))
    }

    fn watched_squadron(&self, state: &State, id: SquadronId) -> bool {
        let enemy = id.side().other();
        let (dice, cards) =
            (self.book.ranges.stay_detected_squadron * LENGTH, self.book.ranges.stay_detected_cv * LENGTH);
        let at = state[id].pos;
        let (dice, cards) = (dice + self.book.geometry.die_radius, cards + self.book.geometry.die_radius);
        state.up(enemy).iter().any(|other| !state[other].proved_dummy && state[other].pos.dist2(at) <= dice * dice)
            || state.carriers[enemy].on_table().any(|(_, card)| card.dist2(at) <= cards * cards)
    }

    /// Detection without numbers, of everything within a length of a real squadron. [Detect 1], R-20, R-72
    ///
    /// Whoever was near something before has been dealt with then, so it is enough to look round what has moved; only where
    /// a die has left the table can dummies be found alone that were not so before.
    pub(super) fn automatic_detection(&self, state: &mut State, ask: &mut impl Ask) {
        if state.act.touched.is_empty() && !state.act.lifted && state.act.moved_cards == 0 {
            return;
        }
        let geometry = &self.book.geometry;
        let reach = self.book.ranges.automatic_detection;
        let ups = Side::BOTH.map(|side| state.up(side));
        let dummies_left = state.act.lifted && ups[0].and(ups[1]).iter().any(|id| state[id].is_dummy());
        let moved = if dummies_left { Squads::ALL } else { state.act.touched };
        let near = !moved.is_empty()
            && Side::BOTH
                .into_iter()
                .any(|side| state.within(geometry, moved.shared(ups[side.index()]), ups[side.other().index()], reach));
        for side in Side::BOTH {
            let enemy = side.other();
            if !near {
                let cards_moved = state.act.moved_cards != 0 && state.phasing == enemy;
                self.look_at_cards(state, if cards_moved { Squads::ALL } else { moved }.shared(ups[side.index()]), ask);
                continue;
            }
            let up = state.up(side);
            if up.is_empty() {
                continue;
            }
            let hiding = state
                .up(enemy)
                .iter()
                .any(|id| !state[id].detected && state.within(geometry, up, state.group_of(geometry, id), reach));
            for group in if hiding { state.groups(geometry, enemy) } else { Few::default() }.iter().copied() {
                let real = state.pick(side, Squadron::real);
                let dummies = state.pick(side, Squadron::is_dummy);
                let undetected = group.iter().any(|id| state[id].up() && !state[id].detected);
                if undetected && state.within(geometry, real, group, reach) {
                    ask.note(|| {
                        Note::new("automatic", format!("{} is within a length of a squadron.", group.names()))
                            .detail()
                            .by(&[rule::DETECT, rule::R_20])
                    });
                    self.detect_group(state, group, ask);
                } else {
                    // Two dummies that meet expose each other, whoever flies with them.
                    let false_ones: Squads = group.iter().filter(|id| state[*id].is_dummy()).collect();
                    let met: Squads = dummies
                        .iter()
                        .filter(|id| state.within(geometry, Squads::one(*id), false_ones, reach))
                        .collect();
                    let near: Squads =
                        false_ones.iter().filter(|id| state.within(geometry, Squads::one(*id), met, reach)).collect();
                    if !met.is_empty() {
                        ask.note(|| Note::new("dummies-meet", "Two dummies have met.").detail().by(&[rule::R_72]));
                        for id in met.and(near).iter() {
                            self.expose(state, id, ask);
                        }
                    }
                }
            }
            self.look_at_cards(state, state.up(side), ask);
        }
    }

    /// Squadrons near a card: a real one detects it, a dummy is proved one.
    pub(super) fn look_at_cards(&self, state: &mut State, lookers: Squads, ask: &mut impl Ask) {
        let Some(first) = lookers.first() else { return };
        let enemy = first.side().other();
        let reach = self.book.ranges.automatic_detection * LENGTH;
        for at in 0..2 {
            let carrier = &state.carriers[enemy];
            if !carrier.undetected() {
                return;
            }
            let Some(card) = carrier.cards[at] else { continue };
            let near: Squads = lookers
                .iter()
                .filter(|id| self.book.geometry.near_card(state[*id].pos, card, reach) && state[*id].up())
                .collect();
            if near.is_empty() {
                continue;
            }
            if near.iter().any(|id| state[id].real()) {
                self.detect_card(state, enemy, at, ask);
            } else {
                for id in near.iter() {
                    state[id].proved_dummy = true;
                }
            }
        }
    }

    /// Markers go when nobody is near enough any more.
    pub(super) fn lapse(&self, state: &mut State, ask: &mut impl Ask) {
        for id in SquadronId::all() {
            if state[id].up() && state[id].detected && !self.watched_squadron(state, id) {
                state[id].detected = false;
                ask.note(|| {
                    Note::new("contact-lost", format!("Contact with {id} is lost."))
                        .by(&[rule::DETECT, rule::R_22])
                        .pieces([id])
                });
            }
        }
        for side in Side::BOTH {
            let carrier = &state.carriers[side];
            if carrier.form == Form::Revealed
                && carrier.detected
                && !carrier.real_card().is_some_and(|card| self.watched_card(state, side, card))
            {
                state.carriers[side].detected = false;
                ask.note(|| {
                    Note::new("contact-lost", format!("Contact with {}'s carrier group is lost.", name(side)))
                        .by(&[rule::DETECT, rule::R_22])
                });
            }
        }
    }

    /// A carrier group sinks with everything aboard.
    pub(super) fn sink(&self, state: &mut State, side: Side, ask: &mut impl Ask) {
        state.carriers[side].form = Form::Destroyed;
        state.carriers[side].detected = false;
        state.carriers[side].cards = [None; 2];
        state.carriers[side].must_shed = false;
        for id in SquadronId::of(side) {
            if state[id].is_dummy() {
                self.expose(state, id, ask);
            }
            if state[id].place == Where::Aboard || state[id].place == Where::LostUnseen {
                let left = state[id].left_turn;
                self.lift(state, id, Where::Lost);
                state[id].left_turn = left;
            }
        }
        ask.note(|| {
            Note::new("carrier-sunk", format!("{}'s carrier group is destroyed with all squadrons aboard.", name(side)))
                .by(&[rule::CARRIERS, rule::R_16])
        });
    }

    /// Something only its owner is told.
    pub(super) fn tell(&self, side: Side, ask: &mut impl Ask, note: impl FnOnce() -> Note) {
        ask.note(|| note().only(only(side)));
    }
}

#[cfg(test)]
mod tests {
    use super::super::Phase;
    use super::*;
    use flagplot_kernel::{AtRandom, ByInstinct, Chance, Game, Sampler};

    /// Looking only round what has moved finds everything there is to find.
    #[test]
    fn nothing_is_left_to_be_detected() {
        let system = crate::System::new(&crate::files()).unwrap();
        let mut looked = 0;
        for (scenario, games) in [("first-strike", 120), ("santa-cruz", 60)] {
            let game = system.game(scenario, &serde_json::Value::Null).unwrap();
            for seed in 0..games {
                let mut chance = Chance::stream(31, seed);
                let mut state = game.setup();
                while state.verdict.is_none() {
                    if seed % 2 == 0 {
                        game.step(&mut state, &mut Sampler::new(&mut chance, AtRandom)).unwrap();
                    } else {
                        game.step(&mut state, &mut Sampler::new(&mut chance, ByInstinct)).unwrap();
                    }
                    if state.phase == Phase::Choose {
                        let mut again = state.clone();
                        again.act.touched = Squads::ALL;
                        again.act.lifted = true;
                        game.automatic_detection(&mut again, &mut Sampler::new(&mut chance, AtRandom));
                        again.act.clear();
                        let mut plain = state.clone();
                        plain.act.clear();
                        assert!(
                            again == plain,
                            "{scenario}, game {seed}, turn {}: somebody was overlooked",
                            state.turn
                        );
                        looked += 1;
                    }
                }
            }
        }
        assert!(looked > 5000);
    }
}
