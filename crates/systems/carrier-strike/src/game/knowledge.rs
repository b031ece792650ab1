//! What everybody may conclude: detection, dummies, which card is real.

use super::piece::{SquadronId, Squads};
use super::state::{Class, Deck, Form, Report, Squadron, Table, Where};
use super::{CarrierGame, only};
use crate::few::Few;
use crate::geometry::LENGTH;
use crate::rule;
use crate::words::{Role, name};
use flagplot_kernel::{Ask, Effect, Note, Side};

impl CarrierGame {
    /// Draws the conclusions of R-74 for a side: proved squadrons tie down the real card, and a die that no card
    /// left can have launched is a dummy.
    pub(super) fn conclude(&self, table: &mut Table, side: Side) {
        if table.carriers[side].form != Form::Hidden {
            return;
        }
        for id in SquadronId::of(side) {
            let squadron = &table[id];
            let cut = table.carriers[side].may_be_real & squadron.tied_to;
            if squadron.up() && squadron.proved_real && cut != 0 {
                table.carriers[side].may_be_real = cut;
            }
        }
        let may_be_real = table.carriers[side].may_be_real;
        for id in SquadronId::of(side) {
            let squadron = &mut table[id];
            if squadron.up() && !squadron.proved_real && !id.is_recce() && squadron.tied_to & may_be_real == 0 {
                squadron.proved_dummy = true;
            }
        }
    }

    /// The cards that can be the real one, as 1 for a and 2 for b. A scout is no dummy, so that its launch
    /// counts before anything else has proved it.
    pub(super) fn believable(&self, table: &Table, side: Side) -> u8 {
        let scouts = table.up(side).iter().filter(|id| id.is_recce()).fold(3, |cards, id| cards & table[id].tied_to);
        let open = table.carriers[side].may_be_real;
        if open & scouts == 0 { open } else { open & scouts }
    }

    /// Everybody sees that a squadron is real.
    pub(super) fn prove_real(&self, table: &mut Table, id: SquadronId) {
        if !table[id].proved_real {
            table[id].proved_real = true;
            self.conclude(table, id.side());
        }
    }

    /// A die leaves the table; what was known of it ends.
    pub(super) fn lift(&self, table: &mut Table, id: SquadronId, place: Where) {
        let turn = table.turn;
        let squadron = &mut table[id];
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
        table.action.lifted = true;
        table.action.over_guns.take(id);
    }

    /// A dummy is exposed: its die goes back to the squadron aboard.
    pub(super) fn expose(&self, table: &mut Table, id: SquadronId, ask: &mut impl Ask) {
        table[id].proved_dummy = true;
        let aboard = !matches!(table.carriers[id.side()].form, Form::Destroyed);
        self.lift(table, id, if aboard { Where::Aboard } else { Where::Lost });
        ask.note(|| {
            Note::new("dummy-exposed", format!("{id} is a dummy and comes off the table."))
                .by(&[rule::DUMMIES, rule::R_38])
                .pieces([id.id()])
        });
    }

    /// A squadron is destroyed in everybody's sight.
    pub(super) fn destroy(&self, table: &mut Table, id: SquadronId, ask: &mut impl Ask) {
        self.lift(table, id, Where::Lost);
        ask.note(|| Note::new("squadron-lost", format!("{id} is lost.")).pieces([id.id()]).effect(Effect::Lost));
    }

    /// A group is detected: its dummies come off, the rest is marked, the owner reports its class. [Detect], R-63
    pub(super) fn detect_group(&self, table: &mut Table, group: Squads, ask: &mut impl Ask) {
        for id in group.iter().filter(|id| table[*id].is_dummy()).collect::<Squads>().iter() {
            self.expose(table, id, ask);
        }
        let found: Squads = group.iter().filter(|id| table[*id].real()).collect();
        if found.is_empty() || found.iter().all(|id| table[id].detected) {
            return;
        }
        let has = |role| found.iter().any(|id| table[id].role == Some(role));
        let class = match (has(Role::Fighter), has(Role::Strike)) {
            (true, true) => Class::Mixture,
            (true, false) => Class::Fighters,
            (false, true) => Class::Strike,
            (false, false) => Class::Recce,
        };
        for id in found.iter() {
            table[id].detected = true;
            table[id].report = Some(Report { class, given_for: found });
            self.prove_real(table, id);
        }
        ask.note(|| {
            let what = match class {
                Class::Fighters => "fighters",
                Class::Strike => "strike aircraft",
                Class::Mixture => "a mixture of fighters and strike aircraft",
                Class::Recce => "scouts",
            };
            Note::new("group-detected", format!("{} detected: {what}.", found.doing("is", "are")))
                .by(&[rule::DETECT, rule::R_63, rule::R_3])
                .pieces(found.ids())
        });
    }

    /// A squadron counts as detected from now on.
    pub(super) fn mark_detected(&self, table: &mut Table, id: SquadronId) {
        table[id].detected = true;
        self.prove_real(table, id);
    }

    /// A card is detected: a decoy goes, the real one lies open. [Detect], R-21
    pub(super) fn detect_card(&self, table: &mut Table, side: Side, at: usize, ask: &mut impl Ask) {
        let carrier = table.carriers[side];
        let label = carrier.card_id(side, at);
        match carrier.form {
            Form::Revealed => {
                table.carriers[side].detected = true;
                table.carriers[side].contact_lost = false;
            }
            Form::Hidden if carrier.real == Some(at as u8) => {
                table.carriers[side].may_be_real = 1 << at;
                self.conclude(table, side);
                table.action.moved_cards = u8::from(table.action.moved_cards & (1 << at) != 0);
                let carrier = &mut table.carriers[side];
                carrier.cards = [carrier.cards[at], None];
                carrier.form = Form::Revealed;
                carrier.slipped_turn = 0;
                carrier.contact_lost = false;
                carrier.real = Some(0);
                carrier.may_be_real = 1;
                carrier.detected = true;
                for id in table.up(side).iter() {
                    table[id].tied_to = 3;
                }
            }
            Form::Hidden => {
                table.carriers[side].cards[at] = None;
                table.carriers[side].may_be_real = 3 & !(1 << at);
                self.conclude(table, side);
                ask.note(|| {
                    Note::new(
                        "decoy-exposed",
                        format!("{label} is a decoy. The other card is the carrier group, but it is not detected yet."),
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
                .pieces([table.carriers[side].card_id(side, 0).id()])
        });
    }

    /// Enemy dice and cards that keep contact with a squadron or a card: dice within six lengths that are not proved
    /// dummies, cards within three.
    pub(super) fn watched_card(&self, table: &Table, side: Side, card: flagplot_kernel::plane::Point) -> bool {
        let enemy = side.other();
        let (dice, cards) =
            (self.rules.ranges.stay_detected_squadron * LENGTH, self.rules.ranges.stay_detected_cv * LENGTH);
        table
            .up(enemy)
            .iter()
            .any(|id| !table[id].proved_dummy && self.rules.geometry.near_card(table[id].pos, card, dice))
            || table.carriers[enemy].on_table().any(|(_, other)| self.rules.geometry.near_card(other, card, cards))
    }

    fn watched_squadron(&self, table: &Table, id: SquadronId) -> bool {
        let enemy = id.side().other();
        let (dice, cards) =
            (self.rules.ranges.stay_detected_squadron * LENGTH, self.rules.ranges.stay_detected_cv * LENGTH);
        let at = table[id].pos;
        let (dice, cards) = (dice + self.rules.geometry.die_radius, cards + self.rules.geometry.die_radius);
        let watches = |other| !table[other].proved_dummy && table[other].pos.dist2(at) <= dice * dice;
        table.up(enemy).iter().any(watches)
            || table.carriers[enemy].on_table().any(|(_, card)| card.dist2(at) <= cards * cards)
    }

    /// Detection without numbers, of everything within a length of a real squadron. [Detect 1], R-20, R-72
    ///
    /// Whoever was near something before has been dealt with then, so it is enough to look round what has moved; only
    /// where a die has left the table can dummies be found alone that were not so before.
    pub(super) fn automatic_detection(&self, table: &mut Table, ask: &mut impl Ask) {
        if table.action.moved.is_empty() && !table.action.lifted && table.action.moved_cards == 0 {
            return;
        }
        let geometry = &self.rules.geometry;
        let reach = self.rules.ranges.automatic_detection;
        let ups = Side::BOTH.map(|side| table.up(side));
        let dummies_left = table.action.lifted && ups[0].and(ups[1]).iter().any(|id| table[id].is_dummy());
        let moved = if dummies_left { Squads::ALL } else { table.action.moved };
        let near = moved.shared(ups[0].and(ups[1])).iter().any(|id| {
            // A group that a squadron has joined may be near an enemy although the squadron itself is not.
            let about = if table[id].detected { Squads::one(id) } else { table.group_of(geometry, id) };
            table.within(geometry, about, ups[id.side().other().index()], reach)
        });
        for side in Side::BOTH {
            let enemy = side.other();
            if !near {
                let cards_moved = table.action.moved_cards != 0 && table.phasing == enemy;
                self.look_at_cards(table, if cards_moved { Squads::ALL } else { moved }.shared(ups[side.index()]), ask);
                continue;
            }
            let up = table.up(side);
            if up.is_empty() {
                continue;
            }
            let groups = table.groups(geometry, enemy);
            let hides = |group: &Squads| group.iter().any(|id| !table[id].detected);
            let hiding = groups.iter().any(|group| hides(group) && table.within(geometry, up, *group, reach));
            for group in if hiding { groups } else { Few::default() }.iter().copied() {
                let real = table.pick(side, Squadron::real);
                let dummies = table.pick(side, Squadron::is_dummy);
                let undetected = group.iter().any(|id| table[id].up() && !table[id].detected);
                if undetected && table.within(geometry, real, group, reach) {
                    ask.note(|| {
                        Note::new(
                            "automatic",
                            format!("{} within 1 length of an enemy squadron.", group.doing("is", "are")),
                        )
                        .detail()
                        .by(&[rule::DETECT, rule::R_20])
                    });
                    self.detect_group(table, group, ask);
                } else {
                    // Two dummies that meet expose each other, whoever flies with them.
                    let false_ones: Squads = group.iter().filter(|id| table[*id].is_dummy()).collect();
                    let met: Squads = dummies
                        .iter()
                        .filter(|id| table.within(geometry, Squads::one(*id), false_ones, reach))
                        .collect();
                    let near: Squads =
                        false_ones.iter().filter(|id| table.within(geometry, Squads::one(*id), met, reach)).collect();
                    if !met.is_empty() {
                        ask.note(|| Note::new("dummies-meet", "Two dummies meet.").detail().by(&[rule::R_72]));
                        for id in met.and(near).iter() {
                            self.expose(table, id, ask);
                        }
                    }
                }
            }
            self.look_at_cards(table, table.up(side), ask);
        }
    }

    /// Squadrons near a card: a real one detects it, a dummy is proved one.
    pub(super) fn look_at_cards(&self, table: &mut Table, lookers: Squads, ask: &mut impl Ask) {
        let Some(first) = lookers.first() else { return };
        let enemy = first.side().other();
        let reach = self.rules.ranges.automatic_detection * LENGTH;
        for at in 0..2 {
            let carrier = &table.carriers[enemy];
            if !carrier.undetected() {
                return;
            }
            let Some(card) = carrier.cards[at] else { continue };
            let near = lookers.kept(|id| self.rules.geometry.near_card(table[id].pos, card, reach) && table[id].up());
            if near.is_empty() {
                continue;
            }
            if near.iter().any(|id| table[id].real()) {
                self.detect_card(table, enemy, at, ask);
            } else {
                for id in near.iter() {
                    table[id].proved_dummy = true;
                }
            }
        }
    }

    /// Markers go when nobody is near enough any more.
    pub(super) fn lapse(&self, table: &mut Table, ask: &mut impl Ask) {
        let [first, second] = Side::BOTH.map(|side| table.pick(side, |squadron| squadron.up() && squadron.detected));
        for id in first.and(second).iter() {
            if !self.watched_squadron(table, id) {
                table[id].detected = false;
                ask.note(|| {
                    Note::new("contact-lost", format!("Contact with {id} is lost."))
                        .by(&[rule::DETECT, rule::R_22])
                        .pieces([id.id()])
                });
            }
        }
        for side in Side::BOTH {
            let carrier = &table.carriers[side];
            if carrier.form == Form::Revealed
                && carrier.detected
                && !carrier.real_card().is_some_and(|card| self.watched_card(table, side, card))
            {
                table.carriers[side].detected = false;
                table.carriers[side].contact_lost = true;
                ask.note(|| {
                    Note::new("contact-lost", format!("Contact with {}'s carrier group is lost.", name(side)))
                        .by(&[rule::DETECT, rule::R_22])
                });
            }
        }
    }

    /// A carrier group sinks with everything aboard.
    pub(super) fn sink(&self, table: &mut Table, side: Side, ask: &mut impl Ask) {
        let card = table.carriers[side].card_id(side, 0);
        table.carriers[side].form = Form::Destroyed;
        table.carriers[side].detected = false;
        table.carriers[side].cards = [None; 2];
        table.carriers[side].must_shed = false;
        for id in SquadronId::of(side) {
            if table[id].is_dummy() {
                self.expose(table, id, ask);
            }
            if table[id].place == Where::Aboard || table[id].place == Where::LostUnseen {
                let left = table[id].left_turn;
                self.lift(table, id, Where::Lost);
                table[id].left_turn = left;
            }
        }
        ask.note(|| {
            Note::new("carrier-sunk", format!("{}'s carrier group is destroyed with all squadrons aboard.", name(side)))
                .by(&[rule::CARRIERS, rule::R_16])
                .pieces([card.id()])
                .effect(Effect::Lost)
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
    use super::super::state::ActionRecord;
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
                        again.action.moved = Squads::ALL;
                        again.action.lifted = true;
                        game.automatic_detection(&mut again, &mut Sampler::new(&mut chance, AtRandom));
                        again.action = ActionRecord::default();
                        let mut plain = state.clone();
                        plain.action = ActionRecord::default();
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
