//! Anti-aircraft fire outside a strike. [Anti-aircraft fire]

use super::CarrierGame;
use super::piece::{SquadronId, Squads};
use super::stances::Encounter;
use super::state::{Form, Table};
use crate::combat::Striker;
use crate::rule;
use crate::words::Role;
use flagplot_kernel::{Ask, Asked, Note};

impl CarrierGame {
    fn over_guns(&self, table: &Table, id: SquadronId) -> bool {
        let card = table.carriers[id.side().other()].real_card();
        card.is_some_and(|card| self.rules.geometry.on_card(table[id].pos, card))
    }

    /// Squadrons that end over a card without having entered it on the way are fired at now.
    pub(super) fn stand_over_guns(&self, table: &mut Table, movers: Squads) {
        for id in table.in_the_air(movers).iter() {
            let seen = table[id].real() || table.carriers[id.side().other()].form == Form::Revealed;
            if seen && !table.action.fired_at.has(id) && self.over_guns(table, id) {
                table.action.over_guns.put(id);
            }
        }
    }

    /// The next squadron that the guns fire at. Guns that lie open expose a dummy, hidden ones ignore it.
    pub(super) fn next_under_guns(&self, table: &mut Table, among: Squads, ask: &mut impl Ask) -> Option<SquadronId> {
        loop {
            let waiting = table.action.over_guns.shared(among);
            if waiting.is_empty() {
                return None;
            }
            let id = table.action.squadrons.iter().copied().find(|id| waiting.has(*id)).or_else(|| waiting.first())?;
            table.action.over_guns.take(id);
            if !table[id].up() || table.action.fired_at.has(id) || !self.over_guns(table, id) {
                continue;
            }
            let owner = id.side().other();
            if table[id].is_dummy() {
                if table.carriers[owner].form == Form::Revealed {
                    self.expose_by_guns(table, id, ask);
                }
                continue;
            }
            if table.carriers[owner].undetected() {
                self.look_at_cards(table, Squads::one(id), ask);
            }
            self.bring_under_fire(table, id);
            return Some(id);
        }
    }

    pub(super) fn expose_by_guns(&self, table: &mut Table, id: SquadronId, ask: &mut impl Ask) {
        ask.note(|| {
            Note::new("exposed-by-guns", "The guns fire, but the target is a dummy.").detail().by(&[rule::R_39])
        });
        self.expose(table, id, ask);
    }

    /// A squadron is fired at: it is detected and its strength is plain.
    pub(super) fn bring_under_fire(&self, table: &mut Table, id: SquadronId) {
        table.action.fired_at.put(id);
        self.mark_detected(table, id);
        self.show_strength(table, id);
        // Where skill goes by role, the markers played will tell the role.
        let side = id.side();
        if self.skill(side, Role::Fighter) != self.skill(side, Role::Strike) {
            table[id].shown_role = table[id].role;
        }
    }

    pub(super) fn show_strength(&self, table: &mut Table, id: SquadronId) {
        table[id].show_strength();
        table[id].may_be_lost = false;
    }

    pub(super) fn flak(&self, table: &mut Table, id: SquadronId, ask: &mut impl Ask) -> Asked<()> {
        let owner = id.side().other();
        let [pilots, gunners] = self.both_stances(table, ask, Encounter::Flak(id))?;
        let target = Striker {
            strength: table[id].strength,
            kamikaze: self.kamikaze.has(id),
            stance: pilots.stance,
            markers: pilots.markers,
        };
        // Of two cards that lie face down, the log does not say which one fires.
        let carriers = &table.carriers[owner];
        let open = (carriers.form == Form::Revealed).then(|| carriers.card_id(owner, 0));
        ask.note(|| {
            Note::new(
                "flak-stances",
                format!("{id} is under fire ({}); the guns fire ({}).", pilots.stance, gunners.stance),
            )
            .detail()
            .by(&[rule::AA_FIRE, rule::R_64])
            .pieces(open.map(|card| card.id()))
            .on([id.id()])
        });
        let flak = self.rules.aa_fire(ask, &target, gunners.stance, &self.guns(table, owner))?;
        table[id].strength -= flak.lost;
        table[id].show_strength();
        if table[id].strength == 0 {
            self.destroy(table, id, ask);
        }
        Ok(())
    }
}
