//! Ship movement. [6.4]

pub mod contact;
mod insight;
pub mod orders;
mod run;
mod screens;
pub mod signals;
pub mod torpedoes;

use crate::game::FleetGame;
use crate::game::id::Id;
use crate::game::state::Phase;
use crate::game::state::{Group, Level, MarkerId, Sea, SquadronId, State, VesselId};
use crate::game::turn::Stop;
use crate::rule;
use crate::volley::{Modifiers, Test};
use contact::{ContactMove, MoveContact};
use flagplot_kernel::course::Leg;
use flagplot_kernel::{Ask, Asked, Chance, Menu, Note, Prompt, Seat, Side};
pub(in crate::game) use orders::Orders;
use orders::Plan;
use run::order;
pub(in crate::game) use run::{corners, end_of, length};
use serde::{Deserialize, Serialize};

/// What a ship does when her turn in the squadron comes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    Ordered(Plan),
    /// She keeps her course.
    Keeps(VesselId),
    /// She does as the guide did. [C-50]
    Follows(VesselId),
}

/// How far it has got.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// A side chooses what it moves next.
    Choose(Side),
    /// A squadron that met torpedoes last turn may shrink from them. [C-50]
    Nerve(SquadronId),
    Orders(SquadronId),
    /// The orders are carried out, the first of these next.
    Run {
        squadron: SquadronId,
        left: Vec<Task>,
        guide: Option<Plan>,
    },
    /// The secret torpedo sheet. [C-38]
    Torpedoes(SquadronId),
    /// The Crew Tests of the latest launches; `left` of them are still to be rolled.
    Launch {
        squadron: SquadronId,
        left: usize,
    },
    /// A contact moves or deploys.
    Contact(MarkerId),
}

impl FleetGame {
    pub(in crate::game) fn begin_ships(&self, sea: &mut Sea) -> Option<Stage> {
        for vessel in &mut sea.vessels {
            if vessel.level == Level::Surfaced {
                vessel.last_speed = vessel.speed;
            }
        }
        for squadron in &mut sea.squadrons {
            (squadron.moved, squadron.shy) = (false, false);
        }
        for marker in &mut sea.markers {
            marker.moved = false;
        }
        let gone: Vec<VesselId> = sea.all().filter(|(_, vessel)| !vessel.in_play()).map(|(id, _)| id).collect();
        sea.screens.retain(|screen| !gone.contains(&screen.by));
        self.next_mover(sea, sea.first)
    }

    pub(in crate::game) fn step_ships(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        let Phase::Ships(stage) = &mut state.phase else { return Ok(()) };
        let sea = &mut state.sea;
        let next = match stage {
            Stage::Choose(side) => {
                let (side, groups) = (*side, self.movable(sea, *side));
                if groups.len() < 2 {
                    self.next_mover(sea, side)
                } else {
                    let chosen = ask.decide(&ChooseGroup { game: self, sea, side })?;
                    let group = groups.into_iter().find(|group| self.group_id(*group) == chosen);
                    group.map(|group| self.enter_group(sea, group))
                }
            }
            Stage::Nerve(squadron) => {
                self.test_nerve(sea, *squadron, ask)?;
                Some(Stage::Orders(*squadron))
            }
            Stage::Orders(squadron) => Some(self.give_orders(sea, *squadron, ask)?),
            Stage::Run { squadron, left, guide } => self.run_next(sea, *squadron, left, guide, ask)?,
            Stage::Torpedoes(squadron) => self.declare_torpedoes(sea, *squadron, ask)?,
            Stage::Launch { squadron, left } => self.launch_next(sea, *squadron, *left, ask)?,
            Stage::Contact(marker) => self.move_contact(sea, *marker, ask)?,
        };
        match next {
            Some(next) => *stage = next,
            None => self.after(Stop::Ships, state),
        }
        Ok(())
    }

    /// The groups of a side that have not moved: squadrons on the table with ships that move, and contact markers.
    pub(in crate::game) fn movable(&self, sea: &Sea, side: Side) -> Vec<Group> {
        let squadrons = (0..sea.squadrons.len()).map(|at| SquadronId(at as u8)).filter(|id| {
            let now = sea.squadron(*id);
            self.battle.squad(*id).side == side && now.deployed && !now.moved && self.afloat(sea, *id).next().is_some()
        });
        let markers = self.contacts(sea, side).filter(|id| !sea.marker(*id).moved);
        squadrons.map(Group::Squadron).chain(markers.map(Group::Marker)).collect()
    }

    /// Whether a group moves without a question.
    fn automatic(&self, sea: &Sea, group: Group) -> bool {
        match group {
            Group::Squadron(id) => self.on_sheet(sea, id).is_empty(),
            Group::Marker(id) => self.contacts_surprised(sea, sea.marker(id).side),
        }
    }

    /// Who moves next: `side` if it has something left, else the other.
    fn next_mover(&self, sea: &mut Sea, side: Side) -> Option<Stage> {
        let side = [side, side.other()].into_iter().find(|side| !self.movable(sea, *side).is_empty())?;
        let groups = self.movable(sea, side);
        match groups.first() {
            Some(first) if groups.len() == 1 || groups.iter().all(|group| self.automatic(sea, *group)) => {
                Some(self.enter_group(sea, *first))
            }
            _ => Some(Stage::Choose(side)),
        }
    }

    /// A group begins to move.
    fn enter_group(&self, sea: &mut Sea, group: Group) -> Stage {
        match group {
            Group::Marker(marker) => {
                sea.marker_mut(marker).moved = true;
                Stage::Contact(marker)
            }
            Group::Squadron(squadron) => {
                sea.squadron_mut(squadron).moved = true;
                if self.must_test_nerve(sea, squadron) {
                    Stage::Nerve(squadron)
                } else {
                    self.orders_or_run(sea, squadron)
                }
            }
        }
    }

    fn orders_or_run(&self, sea: &Sea, squadron: SquadronId) -> Stage {
        if self.on_sheet(sea, squadron).is_empty() {
            self.tasks(sea, squadron, Vec::new())
        } else {
            Stage::Orders(squadron)
        }
    }

    /// The other side's turn, after a group has moved.
    fn moved(&self, sea: &mut Sea, side: Side) -> Option<Stage> {
        self.next_mover(sea, side.other())
    }

    fn must_test_nerve(&self, sea: &Sea, squadron: SquadronId) -> bool {
        let shy = self.battle.scenario.torpedo_shy.as_ref();
        let squad = self.battle.squad(squadron);
        shy.is_some_and(|shy| crate::game::battle::side(shy.side) == squad.side)
            && sea.squadron(squadron).torpedoed_on == Some(sea.turn - 1)
    }

    /// Whether a squadron that met torpedoes shrinks from those who launched them. [C-50]
    fn test_nerve(&self, sea: &mut Sea, squadron: SquadronId, ask: &mut impl Ask) -> Asked<()> {
        let Some(shy) = &self.battle.scenario.torpedo_shy else { return Ok(()) };
        let name = format!("{} faces torpedoes again", self.battle.squad(squadron).name);
        let test = Test {
            what: "nerve",
            name: &name,
            rules: &[rule::C_50],
            modifiers: Modifiers::new().with("command value", sea.squadron(squadron).command, rule::C_50),
            needed: shy.needed,
            words: ("presses on", "keeps away from those who launched them"),
        };
        sea.squadron_mut(squadron).shy = !test.roll(ask)?;
        Ok(())
    }

    fn give_orders(&self, sea: &Sea, squadron: SquadronId, ask: &mut impl Ask) -> Asked<Stage> {
        let choice = Orders { game: self, sea, squadron, only: None };
        let ships = choice.ships();
        if ships.is_empty() {
            return Ok(self.tasks(sea, squadron, Vec::new()));
        }
        let entries = ask.decide(&choice)?;
        let plans: Vec<Plan> = entries.iter().filter_map(|entry| choice.plan(&ships, entry)).collect();
        self.tell_signal(&choice, &ships, &plans, ask);
        Ok(self.tasks(sea, squadron, plans))
    }

    /// Orders that a signal would have given are told as that signal. [C-37]
    fn tell_signal(&self, orders: &Orders<'_>, ships: &[VesselId], plans: &[Plan], ask: &mut impl Ask) {
        if !ask.listening() || ships.len() < 2 || plans.is_empty() {
            return;
        }
        let signals = orders.signals(ships);
        let Some(signal) = signals.into_iter().find(|signal| orders.work_out(ships, *signal) == plans) else { return };
        ask.note(|| {
            let squad = self.battle.squad(orders.squadron);
            let text = format!("Signal of {}: {}", squad.name, signal.words(None));
            let pieces = ships.iter().map(|ship| &self.battle.member(*ship).id);
            Note::new("signal", text).by(&[rule::C_37]).pieces(pieces)
        });
    }

    /// Everything that the ships of a squadron do: those with orders first, in the order of the sheet.
    fn tasks(&self, sea: &Sea, squadron: SquadronId, plans: Vec<Plan>) -> Stage {
        let guide = self.guide(sea, squadron);
        let rest = self.afloat(sea, squadron).filter(|id| !plans.iter().any(|plan| plan.vessel == *id));
        let rest =
            rest.map(|id| if guide.is_some_and(|guide| guide != id) { Task::Follows(id) } else { Task::Keeps(id) });
        let mut rest: Vec<Task> = rest.collect();
        // The guide leads, with or without orders.
        rest.sort_by_key(|task| matches!(task, Task::Follows(_)));
        let left = plans.iter().cloned().map(Task::Ordered).chain(rest).collect();
        Stage::Run { squadron, left, guide: None }
    }

    /// The next ship of a squadron moves.
    fn run_next(
        &self,
        sea: &mut Sea,
        squadron: SquadronId,
        left: &mut Vec<Task>,
        guide: &mut Option<Plan>,
        ask: &mut impl Ask,
    ) -> Asked<Option<Stage>> {
        let Some(task) = left.first().cloned() else {
            return Ok(self.after_orders(sea, squadron));
        };
        let id = match &task {
            Task::Ordered(plan) => plan.vessel,
            Task::Keeps(id) | Task::Follows(id) => *id,
        };
        if sea.vessel(id).in_play() {
            let plan = match task {
                Task::Ordered(plan) if self.lawful(sea, &[], &plan).is_ok() => plan,
                Task::Ordered(plan) => self.ask_again(sea, squadron, plan.vessel, ask)?,
                Task::Keeps(id) => self.keep(sea, &[], id),
                Task::Follows(id) => self.follow_guide(sea, id, guide.as_ref()),
            };
            if self.guide(sea, squadron) == Some(id) {
                *guide = Some(plan.clone());
            }
            self.carry_out(sea, &plan, ask)?;
        }
        left.remove(0);
        if left.is_empty() {
            return Ok(self.after_orders(sea, squadron));
        }
        Ok(Some(Stage::Run { squadron, left: std::mem::take(left), guide: guide.take() }))
    }

    /// A ship whose orders have become illegal through a die is asked again, if she still has a choice. [C-36]
    fn ask_again(&self, sea: &Sea, squadron: SquadronId, ship: VesselId, ask: &mut impl Ask) -> Asked<Plan> {
        if self.moves_by_herself(sea, squadron, ship) {
            return Ok(self.keep(sea, &[], ship));
        }
        let choice = Orders { game: self, sea, squadron, only: Some(ship) };
        let entries = ask.decide(&choice)?;
        let plan = entries.first().and_then(|entry| choice.plan(&[ship], entry));
        Ok(plan.unwrap_or_else(|| self.keep(sea, &[], ship)))
    }

    /// What a ship under a guide does: the same turns at the same speed, as far as she can. [C-50]
    fn follow_guide(&self, sea: &Sea, id: VesselId, guide: Option<&Plan>) -> Plan {
        let Some(guide) = guide else { return self.keep(sea, &[], id) };
        let (slowest, fastest) = self.mover(sea, id).speeds();
        let speed = guide.speed.clamp(slowest, fastest.max(slowest));
        let whole = orders::knots(&self.battle.rules, speed);
        let mut left = whole;
        let mut legs = Vec::with_capacity(guide.legs.len() + 1);
        for leg in &guide.legs {
            match *leg {
                Leg::Ahead(mm) => {
                    let mm = mm.min(left);
                    left -= mm;
                    legs.push(Leg::Ahead(mm));
                }
                turn if left > 0 || legs.is_empty() => legs.push(turn),
                _ => {}
            }
        }
        if left > 0 {
            legs.push(Leg::Ahead(left));
        }
        let same = Plan { vessel: id, speed, legs, smoke: false };
        let straight = Plan::straight(&self.battle.rules, id, speed);
        let lowest = Plan::straight(&self.battle.rules, id, slowest);
        [same, straight].into_iter().find(|plan| self.lawful(sea, &[], plan).is_ok()).unwrap_or(lowest)
    }

    /// Moves a ship as planned. [section 4]
    fn carry_out(&self, sea: &mut Sea, plan: &Plan, ask: &mut impl Ask) -> Asked<()> {
        let id = plan.vessel;
        let mover = self.mover(sea, id);
        sea.screens.retain(|screen| screen.by != id);
        let orders: Vec<crate::movement::Order> = plan.legs.iter().copied().map(order).collect();
        let steered = mover.steers(&self.battle.rules, &orders, ask)?;
        let straight = Plan::straight(&self.battle.rules, id, plan.speed);
        let legs = if steered { &plan.legs } else { &straight.legs };
        let vessel = sea.vessel_mut(id);
        vessel.last_wake = std::mem::replace(&mut vessel.wake, vec![mover.position.at.point()]);
        vessel.speed = plan.speed;
        if plan.smoke && !vessel.now.gear.smoke {
            vessel.floats -= 1;
        }
        self.tell_move(sea, plan, steered, ask);
        let path = corners(mover.position, legs);
        let end = end_of(mover.position, legs);
        let ashore = || path.windows(2).any(|leg| self.runs_ashore(leg[0], leg[1]));
        let free = steered && !ashore() && self.blocker(sea, &[], id, end.at.point()).is_none();
        // Smoke lies along the way that she really runs, which land or another ship may cut short.
        if !free {
            let ran = self.forced_run(sea, id, legs, ask)?;
            if plan.smoke {
                self.lay_smoke(sea, id, mover.position, &ran);
            }
            return Ok(());
        }
        if plan.smoke {
            self.lay_smoke(sea, id, mover.position, legs);
        }
        self.put(sea, id, end, &path);
        self.cross_fields(sea, id, &path, ask)
    }

    fn tell_move(&self, sea: &Sea, plan: &Plan, steered: bool, ask: &mut impl Ask) {
        ask.note(|| {
            let member = self.battle.member(plan.vessel);
            let (now, end) = (sea.vessel(plan.vessel).at.heading, self.end(sea, plan).heading);
            let (name, speed, smoke) = (&member.name, plan.speed, if plan.smoke { " and makes smoke" } else { "" });
            let text = match () {
                () if !steered => format!("{name} does not answer her helm and runs straight ahead at {speed} knots"),
                () if speed == 0 => format!("{name} lies stopped"),
                () if now == end && !plan.turns() => {
                    format!("{name} holds {:03} at {speed} knots{smoke}", now.degrees())
                }
                () => format!("{name} comes to {:03} at {speed} knots{smoke}", end.degrees()),
            };
            Note::new("move", text).by(&[rule::C_3, rule::C_36]).outcome(speed).pieces([&member.id])
        });
    }

    /// After the orders of a squadron: the torpedo sheet, if a ship has a loaded mount left.
    fn after_orders(&self, sea: &mut Sea, squadron: SquadronId) -> Option<Stage> {
        if self.may_launch(sea, squadron).next().is_some() {
            return Some(Stage::Torpedoes(squadron));
        }
        self.moved(sea, self.battle.squad(squadron).side)
    }

    fn move_contact(&self, sea: &mut Sea, marker: MarkerId, ask: &mut impl Ask) -> Asked<Option<Stage>> {
        let side = sea.marker(marker).side;
        if self.contacts_surprised(sea, side) {
            self.keep_contact(sea, marker);
            return Ok(self.moved(sea, side));
        }
        match ask.decide(&MoveContact { game: self, sea, marker })? {
            ContactMove::Run(run) => self.run_contact(sea, marker, &run, ask),
            ContactMove::Deploy(deploy) => {
                let held = sea.marker(marker).holds;
                self.deploy_and_tell(sea, marker, deploy.line, ask);
                if let Some(crate::game::state::Holds::Squadron(squadron)) = held {
                    return Ok(self.after_orders(sea, squadron));
                }
            }
        }
        Ok(self.moved(sea, side))
    }

    /// The id of a group in answers.
    pub(in crate::game) fn group_id(&self, group: Group) -> Id {
        match group {
            Group::Squadron(id) => self.battle.squad(id).id.clone(),
            Group::Marker(id) => self.marker_id(id),
        }
    }

    /// A group as people call it.
    pub(in crate::game) fn group_name(&self, group: Group) -> String {
        match group {
            Group::Squadron(id) => self.battle.squad(id).name.clone(),
            Group::Marker(id) => self.marker_name(id),
        }
    }

    /// The pieces of a group in the scene.
    pub(in crate::game) fn group_pieces(&self, sea: &Sea, group: Group) -> Vec<String> {
        match group {
            Group::Squadron(id) => {
                let ships = self.battle.squad(id).vessels.iter().filter(|ship| sea.vessel(**ship).in_play());
                ships.map(|ship| self.battle.member(*ship).id.to_string()).collect()
            }
            Group::Marker(id) => vec![self.marker_id(id).to_string()],
        }
    }
}

/// What a side moves next.
pub(in crate::game) struct ChooseGroup<'a> {
    pub game: &'a FleetGame,
    pub sea: &'a Sea,
    pub side: Side,
}

impl ChooseGroup<'_> {
    fn groups(&self) -> Vec<Group> {
        self.game.movable(self.sea, self.side)
    }

    fn group(&self, id: &Id) -> Option<Group> {
        self.groups().into_iter().find(|group| self.game.group_id(*group) == *id)
    }
}

impl Menu for ChooseGroup<'_> {
    type Option = Id;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn prompt(&self) -> Prompt {
        Prompt::new("move-next", "Which squadron do you move next?", rule::S6_4)
    }

    fn options(&self) -> Vec<Id> {
        self.groups().into_iter().map(|group| self.game.group_id(group)).collect()
    }

    fn label(&self, option: &Id) -> String {
        self.group(option).map_or_else(String::new, |group| self.game.group_name(group))
    }

    fn pieces(&self, option: &Id) -> Vec<String> {
        self.group(option).map_or_else(Vec::new, |group| self.game.group_pieces(self.sea, group))
    }

    fn sample(&self, chance: &mut Chance) -> Id {
        let groups = self.groups();
        self.game.group_id(groups[chance.below(groups.len() as u32) as usize])
    }

    fn instinct(&self, chance: &mut Chance) -> Id {
        match self.game.mover_instinct(self.sea, self.side) {
            Some(group) => self.game.group_id(group),
            None => Menu::sample(self, chance),
        }
    }
}
