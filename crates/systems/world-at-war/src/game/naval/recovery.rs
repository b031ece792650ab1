//! Recovery: squadrons land on carriers that have room. [6.2, C-15, C-29]

use super::NavalGame;
use super::choices::Share;
use super::facts::Home;
use super::state::{NavalState, Open, Phase, Wing};
use super::strike::{Fate, losses_of};
use crate::air::AirGroup;
use crate::messages::counted;
use crate::rule;
use crate::scenarios::Contact;
use flagplot_kernel::{Ask, Asked, Note};

impl NavalGame {
    /// Squadrons land; those without a carrier go to another own one with room, or are lost. [6.2, C-29]
    pub(crate) fn recovery(&self, state: &mut NavalState, ask: &mut impl Ask) -> Asked<()> {
        let count = |open: &Open, group: u8| -> u32 {
            open.wings.iter().filter(|wing| wing.home == Home::Group(group)).map(|wing| u32::from(wing.count)).sum()
        };
        let excess = |open: &Open, group: u8| {
            if open.here(group) { count(open, group).saturating_sub(self.capacity(open, group)) } else { 0 }
        };
        let groups = state.open.groups.len() as u8;
        let before: Vec<u8> = state.open.wings.iter().map(|wing| wing.count).collect();
        if (0..groups).any(|group| excess(&state.open, group) > 0) {
            state.open = self.find_decks(state.open.clone(), excess, count, ask)?;
        }
        for wing in &mut state.open.wings {
            (wing.flying, wing.away) = (0, 0);
        }
        state.tasks.resize(state.open.wings.len(), Default::default());
        for ((task, wing), before) in state.tasks.iter_mut().zip(&state.open.wings).zip(before) {
            // Those ready to strike are lost first, CAP last.
            task.strike = task.strike.saturating_sub(before.saturating_sub(wing.count));
            task.cap = task.cap.min(wing.count);
            task.strike = task.strike.min(wing.count - task.cap);
        }
        state.open.phase = self.after_recovery();
        Ok(())
    }

    /// Squadrons above the room of their own group go elsewhere or are lost.
    fn find_decks(
        &self,
        mut open: Open,
        excess: impl Fn(&Open, u8) -> u32,
        count: impl Fn(&Open, u8) -> u32,
        ask: &mut impl Ask,
    ) -> Asked<Open> {
        for group in 0..open.groups.len() as u8 {
            let excess = excess(&open, group);
            if excess == 0 {
                continue;
            }
            let side = self.side_of_group(group);
            let others = (0..open.groups.len() as u8)
                .filter(|&other| other != group && open.here(other) && self.side_of_group(other) == side);
            let rooms: Vec<(u8, u8)> = others
                .map(|other| (other, self.capacity(&open, other).saturating_sub(count(&open, other)) as u8))
                .filter(|room| room.1 > 0)
                .collect();
            let room: u32 = rooms.iter().map(|room| u32::from(room.1)).sum();
            let (saved, lost) = (excess.min(room), excess.saturating_sub(room));
            let mut shares: Vec<u8> = rooms.iter().map(|room| room.1).collect();
            if saved < room {
                let items: Vec<(String, String, u8)> = rooms
                    .iter()
                    .map(|&(other, room)| {
                        let facts = &self.facts.groups[usize::from(other)];
                        (facts.id.clone(), facts.name.clone(), room)
                    })
                    .collect();
                shares = Share::in_order(&items, saved as u8, 0..items.len());
                if rooms.len() > 1 {
                    let text = format!(
                        "{} of {} need another carrier. Where do they land?",
                        counted(saved, "squadron"),
                        self.group_name(group)
                    );
                    let (code, rule, total) = ("recovery", rule::C_29, saved as u8);
                    let share = Share { side, code, text, rule, items, total, usual: shares };
                    let said = ask.decide(&share)?;
                    shares = share.read(&said).unwrap_or(share.usual);
                }
            }
            let wings: Vec<usize> = (0..open.wings.len())
                .filter(|at| open.wings[*at].home == Home::Group(group) && open.wings[*at].count > 0)
                .collect();
            let groups: Vec<AirGroup> =
                wings.iter().map(|&at| self.squadrons(&open, at as u8, open.wings[at].count)).collect();
            let name = |at: usize| self.wing_name(&open, wings[at] as u8);
            let gone = losses_of(side, &groups, name, lost, Fate::NoCarrier, ask)?;
            for (&at, &gone) in wings.iter().zip(&gone) {
                lose(&mut open.wings[at], gone);
            }
            open.squadrons_lost[side] += lost as u16;
            ask.note(|| {
                let text = format!(
                    "{}: {} find no carrier, {saved} land on other carriers.",
                    self.group_name(group),
                    counted(lost, "squadron")
                );
                Note::new("recovery", text).by(&[rule::C_15, rule::C_29]).outcome(lost)
            });
            for (&(other, _), &share) in rooms.iter().zip(&shares) {
                self.rehome(&mut open, &wings, other, share);
            }
        }
        Ok(open)
    }

    /// Squadrons of these wings, the last first, land with another group.
    fn rehome(&self, open: &mut Open, wings: &[usize], group: u8, mut count: u8) {
        for &at in wings.iter().rev() {
            let wing = open.wings[at];
            let moving = wing.count.min(count);
            if moving == 0 {
                continue;
            }
            count -= moving;
            let aborted = wing.aborted.min(moving);
            lose(&mut open.wings[at], moving);
            open.wings[at].aborted = wing.aborted - aborted;
            let (home, unit) = (Home::Group(group), wing.unit);
            match open.wings.iter_mut().find(|other| other.home == home && other.unit == unit) {
                Some(other) => {
                    other.count += moving;
                    other.aborted += aborted;
                }
                None => open.wings.push(Wing { home, count: moving, away: 0, tired: 0, flying: 0, aborted, ..wing }),
            }
        }
    }

    fn after_recovery(&self) -> Phase {
        match self.scenario.contact {
            Contact::Search => Phase::Engage(self.attacker()),
            Contact::Engaged => Phase::Orders(0),
            Contact::AirOnly => Phase::RoundEnd,
        }
    }
}

/// Squadrons of a wing that has landed are gone.
fn lose(wing: &mut Wing, gone: u8) {
    wing.count -= gone;
    wing.aborted = wing.aborted.min(wing.count);
    wing.tired = wing.tired.min(wing.count);
    wing.away = wing.away.min(wing.count);
    wing.flying = wing.flying.min(wing.count);
}
