//! Leaving the sea, where a scenario allows it. [C-43]

use crate::game::FleetGame;
use crate::game::battle::{Hull, side};
use crate::game::id::Id;
use crate::game::state::{Level, Sea, VesselId};
use crate::rule;
use flagplot_kernel::{
    Ask, Asked, Candidate, Chance, Choice, Decision, Form, FormItem, Note, OptionView, Prompt, Refusal, Screen, Seat,
    Side,
};

/// Which ships leave the sea?
pub(in crate::game) struct LeaveSheet<'a> {
    pub game: &'a FleetGame,
    pub side: Side,
    pub sea: &'a Sea,
    /// Those that may.
    pub ships: Vec<VesselId>,
}

impl FleetGame {
    /// Vessels of a side that may leave the sea now.
    pub(in crate::game) fn leavers(&self, sea: &Sea, of: Side) -> Vec<VesselId> {
        let grants: Vec<_> = self.battle.scenario.leave.iter().filter(|leave| side(leave.side) == of).collect();
        if grants.is_empty() {
            return Vec::new();
        }
        let may = |id: VesselId| {
            let at = self.point(sea, id);
            grants.iter().any(|leave| {
                let east = leave.x_above.is_none_or(|x| at.x > i64::from(x));
                let clear = leave.clear_mm.is_none_or(|mm| self.clear_of_enemies(sea, id, mm));
                east && clear
            })
        };
        let own = sea.all().filter(|(id, vessel)| {
            let member = self.battle.member(*id);
            member.side == of
                && vessel.in_play()
                && vessel.level == Level::Surfaced
                && !(member.model.hull == Hull::Ship && member.model.sheet.is_air_base())
        });
        own.map(|(id, _)| id).filter(|id| may(*id)).collect()
    }

    /// Whether every enemy vessel in sight is further away than this.
    pub(in crate::game) fn clear_of_enemies(&self, sea: &Sea, id: VesselId, mm: i32) -> bool {
        self.enemies(sea, self.battle.member(id).side).all(|enemy| self.range(sea, id, enemy) > mm)
    }

    pub(super) fn ask_to_leave(&self, sea: &mut Sea, side: Side, ask: &mut impl Ask) -> Asked<()> {
        let ships = self.leavers(sea, side);
        if ships.is_empty() {
            return Ok(());
        }
        let leaving = ask.decide(&LeaveSheet { game: self, side, sea, ships })?;
        for ship in leaving.iter().filter_map(|id| self.battle.find(id.as_str())) {
            let vessel = sea.vessel_mut(ship);
            (vessel.left, vessel.speed) = (true, 0);
            ask.note(|| {
                let member = self.battle.member(ship);
                Note::new("leaves", format!("{} leaves the sea", member.name)).by(&[rule::C_43]).pieces([&member.id])
            });
        }
        Ok(())
    }
}

impl Decision for LeaveSheet<'_> {
    type Value = Vec<Id>;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &Vec<Id>) -> Result<(), Refusal> {
        for (at, id) in value.iter().enumerate() {
            let found = self.game.battle.find(id.as_str()).filter(|found| self.ships.contains(found));
            if found.is_none() {
                let text = format!("'{}' cannot leave the sea now.", crate::game::actions::shown(id));
                let names: Vec<&str> =
                    self.ships.iter().map(|ship| self.game.battle.member(*ship).name.as_str()).collect();
                let remedy = format!("Those that can: {}.", names.join(", "));
                return Err(Refusal::new("cannot-leave", text).by(rule::C_43).remedy(remedy));
            }
            if value[..at].contains(id) {
                let text = format!("'{}' is named twice.", crate::game::actions::shown(id));
                return Err(Refusal::new("named-twice", text).by(rule::C_43));
            }
        }
        Ok(())
    }
}

impl LeaveSheet<'_> {
    fn ids(&self) -> Vec<Id> {
        self.ships.iter().map(|ship| self.game.battle.member(*ship).id.clone()).collect()
    }
}

impl Screen for LeaveSheet<'_> {
    fn prompt(&self) -> Prompt {
        Prompt::new("leave", "Which of these leave the sea for good?", rule::C_43).confirm()
    }

    fn candidates(&self) -> Vec<Candidate<Vec<Id>>> {
        let all = if self.ships.len() == 1 { "Leave the sea" } else { "All of them leave" };
        vec![Candidate::new(self.ids(), all).at(self.ids()), Candidate::new(Vec::new(), "Stay")]
    }

    fn form(&self) -> Form {
        let items = self.ships.iter().map(|ship| {
            let member = self.game.battle.member(*ship);
            let option = OptionView::new(member.id.to_string(), "leaves").at([&member.id]);
            FormItem { id: member.id.to_string(), label: member.name.clone(), options: vec![option] }
        });
        Form::Subset { items: items.collect(), min: 0, max: self.ships.len() as u32 }
    }
}

impl Choice for LeaveSheet<'_> {
    fn sample(&self, chance: &mut Chance) -> Vec<Id> {
        self.ids().into_iter().filter(|_| chance.below(2) == 0).collect()
    }

    fn instinct(&self, _: &mut Chance) -> Vec<Id> {
        self.ships
            .iter()
            .filter(|ship| self.game.should_leave(self.sea, **ship))
            .map(|ship| self.game.battle.member(*ship).id.clone())
            .collect()
    }
}
