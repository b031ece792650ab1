//! What a viewer knows, and worlds it cannot tell from the true one. [C-24]

use super::NavalGame;
use super::facts::Home;
use super::state::{NavalState, Open, Phase, Task, Wing};
use flagplot_kernel::{BySide, Chance, Seat, Side, Viewer};
use serde::Serialize;

/// A battle as a viewer sees it: all that is open, and the tasks it knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NavalView {
    pub viewer: Viewer,
    pub open: Open,
    pub tasks: Vec<KnownTask>,
}

/// What a viewer knows of the tasks of a wing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct KnownTask {
    pub cap: Option<u8>,
    pub strike: Option<u8>,
}

impl Default for NavalView {
    fn default() -> Self {
        let open = Open {
            round: 0,
            phase: Phase::Over,
            ships: Vec::new(),
            groups: Vec::new(),
            wings: Vec::new(),
            covers: Vec::new(),
            sight: BySide::default(),
            launches: 0,
            flights: Vec::new(),
            engaged: Vec::new(),
            fire: Vec::new(),
            light_sunk: BySide::default(),
            squadrons_lost: BySide::default(),
            picked: BySide::default(),
            shown: Vec::new(),
        };
        Self { viewer: Viewer::Spectator, open, tasks: Vec::new() }
    }
}

impl NavalGame {
    /// The open part for everybody, and of the tasks only the viewer's own and CAP that has shown itself. [C-24]
    pub(crate) fn seen(&self, state: &NavalState, viewer: Viewer) -> NavalView {
        let NavalState { open, tasks } = state;
        let known = |(wing, task): (&Wing, &Task)| {
            let Task { cap, strike } = *task;
            let own = !self.keeps_secrets() || viewer.sees(Seat::from(self.facts.side_of(wing.home)));
            KnownTask { cap: (own || wing.cap_shown).then_some(cap), strike: own.then_some(strike) }
        };
        NavalView { viewer, open: open.clone(), tasks: open.wings.iter().zip(tasks).map(known).collect() }
    }

    /// Whether a step showed a viewer tasks that it did not know: CAP over a group that was struck, or all tasks at the
    /// end of a round. A launch shows no more than the answer itself says. [C-24]
    pub(crate) fn uncovered(&self, before: &NavalView, after: &NavalView) -> bool {
        let hidden = |view: &NavalView| view.tasks.iter().filter(|task| task.cap.is_none()).count();
        let round_over = before.open.phase == Phase::RoundEnd && hidden(before) > 0;
        let shown =
            before.tasks.iter().zip(&after.tasks).any(|(before, after)| before.cap.is_none() && after.cap.is_some());
        let search_air = |view: &NavalView| view.open.sight.map(|sight| sight.search_air.is_some());
        shown || round_over || search_air(before) != search_air(after)
    }

    /// A world with tasks that fit all that has shown itself. [C-24]
    pub(crate) fn imagined(&self, view: &NavalView, chance: &mut Chance) -> NavalState {
        let NavalView { viewer: _, open, tasks } = view;
        let mut imagined: Vec<Task> =
            tasks.iter().map(|known| Task { cap: known.cap.unwrap_or(0), strike: known.strike.unwrap_or(0) }).collect();
        if tasked(open.phase) {
            for side in Side::BOTH {
                self.imagine_side(view, side, &mut imagined, chance);
            }
        }
        NavalState { open: open.clone(), tasks: imagined }
    }

    fn imagine_side(&self, view: &NavalView, side: Side, tasks: &mut [Task], chance: &mut Chance) {
        let open = &view.open;
        let unknown = |at: u8| view.tasks[usize::from(at)].strike.is_none();
        let hidden: Vec<u8> = self.wings_of(open, side).map(|(at, _)| at).filter(|at| unknown(*at)).collect();
        // Over each group a player flies no CAP, a quarter, or as much as it may; and keeps little in reserve.
        let mut room: Vec<(u8, u32, u32)> = Vec::new();
        for &at in &hidden {
            let wing = &open.wings[usize::from(at)];
            let free = wing.free().saturating_sub(wing.flying + wing.aborted);
            let task = &mut tasks[usize::from(at)];
            match wing.home {
                Home::Group(group) => {
                    if view.tasks[usize::from(at)].cap.is_none() {
                        let limit = match room.iter_mut().find(|room| room.0 == group) {
                            Some(room) => room,
                            None => {
                                let wings = self.wings_at(open, wing.home);
                                let aboard =
                                    wings.map(|(_, wing)| u32::from(wing.count - wing.away.min(wing.count))).sum();
                                room.push((group, self.rules.naval.cap.limit(aboard), chance.below(3)));
                                let last = room.len() - 1;
                                &mut room[last]
                            }
                        };
                        let most = u32::from(free).min(limit.1) as u8;
                        task.cap = match limit.2 {
                            0 => 0,
                            1 => wing.count.div_ceil(4).min(most),
                            _ => most,
                        };
                        limit.1 -= u32::from(task.cap);
                    }
                    task.strike = free.saturating_sub(task.cap);
                }
                Home::Base(_) => task.strike = free,
            }
        }
        let reserve =
            |tasks: &[Task]| self.wings_of(open, side).any(|(at, wing)| wing.reserve(tasks[usize::from(at)]) > 0);
        match open.sight[side].search_air {
            Some(false) => {}
            Some(true) if reserve(tasks) => {}
            // Search aircraft are out, so a squadron stands by or a base holds.
            Some(true) => self.hold_back(open, &hidden, tasks, chance),
            None if chance.below(2) == 0 => self.hold_back(open, &hidden, tasks, chance),
            None => {}
        }
    }

    fn hold_back(&self, open: &Open, hidden: &[u8], tasks: &mut [Task], chance: &mut Chance) {
        let able = |at: &&u8| {
            let task = tasks[usize::from(**at)];
            task.strike > 0 || (task.cap > 0 && !open.wings[usize::from(**at)].cap_shown)
        };
        let able: Vec<u8> = hidden.iter().filter(able).copied().collect();
        if let Some(&at) = chance.pick(&able) {
            let home = open.wings[usize::from(at)].home;
            let task = &mut tasks[usize::from(at)];
            match home {
                // A base holds as a whole. [6.2]
                Home::Base(_) => {
                    for other in hidden.iter().filter(|other| open.wings[usize::from(**other)].home == home) {
                        tasks[usize::from(*other)].strike = 0;
                    }
                }
                Home::Group(_) if task.strike > 0 => task.strike -= 1,
                Home::Group(_) => task.cap -= 1,
            }
        }
    }
}

/// Whether squadrons have tasks at this point of a round.
fn tasked(phase: Phase) -> bool {
    !matches!(phase, Phase::Pick | Phase::Arrivals | Phase::Merge(_) | Phase::Tasking | Phase::Over)
}
