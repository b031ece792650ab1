//! How good a position is, in thousandths of an aircraft.

use super::CarrierGame;
use super::piece::SquadronId;
use super::state::{Deck, Form, Table, Where};
use super::view::View;
use super::worth::AIRCRAFT;
use crate::fuel::reach_home;
use crate::geometry::LENGTH;
use crate::victory::Level;
use flagplot_kernel::{Seat, Side, Standing};

impl CarrierGame {
    pub(super) fn evaluate_view(&self, view: &View, side: Side) -> Standing {
        let table = &view.seen.table;
        if let Some(verdict) = &table.verdict {
            return match verdict.winner {
                Some(winner) => {
                    (if winner == side { 1 } else { -1 }) * (200 + 50 * verdict.levels[winner] as i64) * AIRCRAFT
                }
                None if verdict.by_surface => -100 * AIRCRAFT,
                None => 0,
            };
        }
        let own = |of: Side| view.viewer.sees(Seat::from(of));
        self.side_value(table, side, own(side)) - self.side_value(table, side.other(), own(side.other()))
            + self.lead(table, side)
    }

    /// The level held if the game ended now.
    fn lead(&self, table: &Table, side: Side) -> Standing {
        let sides = self.position(table, false).sides;
        let held = |of: Side| match self.scenario.victory.level(of, &sides, self.scenario.bid) {
            Level::None => 0,
            Level::Minor => 4,
            Level::Major => 8,
            Level::Decisive => 12,
        };
        // The side that did not start this turn starts the next.
        let tempo = if table.start == side { -AIRCRAFT / 2 } else { AIRCRAFT / 2 };
        (held(side) - held(side.other())) * AIRCRAFT + tempo
    }

    /// What a side has: aircraft that will come home, carriers, a target in reach, doubt about its own card.
    fn side_value(&self, table: &Table, side: Side, known: bool) -> Standing {
        let carrier = &table.carriers[side];
        let mut value = -self.damage(carrier.hits);
        let target = self.strike_target(table, side);
        let mut loaded_near = false;
        for id in SquadronId::of(side) {
            let squadron = &table[id];
            let strength = i64::from(squadron.strength);
            value += match squadron.place {
                Where::Aboard if squadron.deck == Deck::Landed => strength * 800,
                Where::Aboard | Where::OffTable => strength * AIRCRAFT,
                Where::Deployed => strength * self.homecoming(table, id),
                _ => 0,
            };
            if let Some(card) =
                target.filter(|_| squadron.up() && squadron.dummy != Some(true) && !squadron.struck && !id.is_recce())
            {
                let loaded = if known {
                    squadron.ordnance == Some(true)
                } else {
                    squadron.role != Some(crate::words::Role::Fighter)
                };
                let distance = self.rules.geometry.to_card(squadron.pos, card);
                if loaded && distance <= 9 * LENGTH {
                    loaded_near = true;
                    // A strike about to be flown is worth what it does at the present guns; one on its way a part of
                    // it.
                    let worth = self.strike_worth(id, squadron.strength, table.carriers[side.other()].hits).max(0);
                    value +=
                        if distance <= 3 * LENGTH { worth } else { worth * (10 * LENGTH - distance) / (10 * LENGTH) };
                }
            }
        }
        if loaded_near {
            value += 4 * AIRCRAFT;
        }
        if carrier.form == Form::Hidden && carrier.may_be_real == 3 {
            value += 2 * AIRCRAFT; // One bit of doubt.
        }
        // Scouts on their way to an undetected enemy are worth the nearer they are.
        let enemy = &table.carriers[side.other()];
        if enemy.undetected() {
            let nearest = table
                .up(side)
                .iter()
                .filter(|id| table[*id].dummy != Some(true))
                .flat_map(|id| enemy.on_table().map(move |(_, card)| self.rules.geometry.to_card(table[id].pos, card)))
                .min();
            value += nearest.map_or(0, |distance| (16 * LENGTH - distance.min(16 * LENGTH)) / 8);
        }
        value
    }

    /// The share of a squadron in the air that will come home, in thousandths, flying straight.
    fn homecoming(&self, table: &Table, id: SquadronId) -> i64 {
        let squadron = &table[id];
        let carrier = &table.carriers[id.side()];
        if !carrier.in_play() {
            return 300 + 100 * i64::from(squadron.rl.min(6));
        }
        let distance =
            carrier.on_table().map(|(_, card)| self.rules.geometry.to_card(squadron.pos, card)).min().unwrap_or(0);
        let beyond = (distance - reach_home(squadron.rl)).max(0) / LENGTH;
        (1000 - 120 * beyond).max(0)
    }
}
