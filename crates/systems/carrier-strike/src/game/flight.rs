//! Flying: the walk with its contacts and guns, interception, giving way.

use super::CarrierGame;
use super::flight_choices::{ContactAnswer, ContactChoice, PathChoice, PathUse};
use super::piece::{Order, SquadronId, Squads};
use super::stances::StanceChoice;
use super::state::{ActKind, Form, Phase, State, ThenLines, Walk};
use crate::combat::Striker;
use crate::few::Few;
use crate::geometry::{LENGTH, closing};
use crate::rule;
use crate::walk::{Course, Hazards, Stop, Waypoints, near_cards, stride};
use crate::words::Role;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Ask, Asked, Note, Side};

impl CarrierGame {
    /// The squadrons of an action set out along a path. It was checked when it was chosen.
    pub(super) fn begin_path(&self, state: &mut State, path: &Waypoints, ask: &mut impl Ask) {
        let movers = state.act.group;
        let lead = state.act.order.iter().copied().find(|id| movers.has(*id)).or_else(|| movers.first());
        let Some(lead) = lead else {
            state.phase = Phase::Finish;
            return;
        };
        let course = Course::new(state[lead].pos, *path);
        let strike = matches!(state.act.kind, ActKind::Strike | ActKind::AfterStrike);
        state.walk = Some(Walk { movers, course, contact: true, guns: !strike, main: true });
        state.act.interrupted = false;
        let start = state[lead].pos;
        if state.act.track.last() != Some(&start) {
            state.act.track.push(start);
        }
        ask.note(|| {
            Note::new("sets-out", format!("{}.", movers.doing("sets out", "set out")))
                .by(&[rule::MOVE, rule::GROUPS])
                .pieces(movers.iter())
        });
        state.phase = Phase::Walking;
    }

    /// Squadrons will fly a straight line inside the action.
    pub(super) fn queue_line(&self, state: &mut State, movers: Squads, line: Point) {
        if !movers.is_empty() && line != Point::default() {
            state.lines.push((movers, line));
        }
    }

    /// Attackers close in until the nearest pair touches.
    pub(super) fn close_in(&self, state: &mut State, attackers: Squads, defenders: Squads, then: ThenLines) {
        let line = closing(&state.positions(attackers), &state.positions(defenders));
        state.fight.attackers = attackers;
        state.fight.defenders = defenders;
        self.queue_line(state, attackers, line);
        state.then = then;
    }

    /// Takes up the next line, or goes on when all are flown.
    pub(super) fn next_line(&self, state: &mut State) {
        while let Some((movers, line)) = state.lines.remove(0) {
            let movers: Squads = movers.iter().filter(|id| state[*id].up()).collect();
            if let Some(lead) = movers.first() {
                let from = state[lead].pos;
                state.walk = Some(Walk {
                    movers,
                    course: Course::new(from, Waypoints::to(from + line)),
                    contact: false,
                    guns: true,
                    main: false,
                });
                state.phase = Phase::Walking;
                return;
            }
        }
        state.phase = match state.then {
            ThenLines::BeginFight => Phase::BeginFight,
            ThenLines::FightOn => Phase::FightOn,
            ThenLines::Meet => Phase::Meet,
        };
    }

    /// The guns that can fire at a side's dice: those of a real enemy card.
    fn guns_against(&self, state: &State, movers: Squads) -> Option<Point> {
        movers.first().and_then(|id| state.carriers[id.side().other()].real_card())
    }

    /// Walks to the next pause: a contact, flak, the end. [Move a squadron]
    pub(super) fn walk_on(&self, state: &mut State, ask: &mut impl Ask) {
        loop {
            let Some(mut walk) = state.walk else {
                state.phase = Phase::Finish;
                return;
            };
            // Who came over the guns at a contact is fired at after it, if he still stands there: a line flown inside it comes first.
            if (walk.main || walk.course.flown > 0) && self.next_under_guns(state, walk.movers, ask) {
                return;
            }
            let movers: Few<SquadronId, 6> = walk.movers.iter().filter(|id| state[*id].up()).collect();
            let Some(side) = movers.first().map(|id| id.side()) else {
                self.walk_ended(state, walk, ask);
                return;
            };
            let enemy = side.other();
            let mut at: Few<Point, 6> = movers.iter().map(|id| state[*id].pos).collect();
            let (flown, passed) = (walk.course.flown, walk.course.passed());
            let mut met = Few::default();
            let mut stop = Stop { ended: true, ..Stop::default() };
            let (near_dice, near_cards) = self.what_is_near(state, &walk, &at, enemy);
            if near_dice || near_cards {
                let Some(happened) = self.walk_past(state, &mut walk, &movers, &mut at, near_dice, &mut met, ask)
                else {
                    continue;
                };
                stop = happened;
            } else {
                walk.course.walk_out(&mut at);
            }
            if walk.main {
                state.act.flown += walk.course.flown - flown;
                self.lay_track(state, passed, &walk.course);
            }
            for (id, point) in movers.iter().zip(&at) {
                state[*id].pos = *point;
                state.act.touched.put(*id);
            }
            state.walk = Some(walk);
            if stop.near != [0; 2] {
                self.look_at_cards(state, walk.movers, ask);
            }
            for (n, id) in movers.iter().enumerate() {
                if stop.entered & (1 << n) != 0 {
                    state.act.under_guns.put(*id);
                }
            }
            if stop.contact != 0 {
                state.act.met_at.push(walk.course.lead);
                state.act.contacts = met;
                state.phase = Phase::Meet;
                return;
            }
            if stop.ended {
                self.walk_stands(state, walk);
                if state.act.under_guns.shared(walk.movers).is_empty() {
                    self.walk_ended(state, walk, ask);
                    return;
                }
            }
        }
    }

    /// Whether an enemy die or an enemy card is anywhere near the path at all, so that it is worth looking closer.
    fn what_is_near(&self, state: &State, walk: &Walk, movers: &[Point], enemy: Side) -> (bool, bool) {
        const ROUNDING: i64 = 2;
        let geometry = &self.book.geometry;
        let (low, high) = walk.course.bounds(movers);
        let near = |at: Point, wide: Point| {
            low.x - wide.x <= at.x && at.x <= high.x + wide.x && low.y - wide.y <= at.y && at.y <= high.y + wide.y
        };
        let contact = geometry.centres(1) + ROUNDING;
        let dice = walk.contact
            && state.of(enemy).iter().any(|squadron| squadron.up() && near(squadron.pos, Point::new(contact, contact)));
        let sight =
            Point::new(geometry.card_width / 2 + LENGTH + ROUNDING, geometry.card_length / 2 + LENGTH + ROUNDING);
        let cards = state.carriers[enemy].on_table().any(|(_, card)| near(card, sight));
        (dice, cards)
    }

    /// Walks on past enemies to the next step at which something happens. The groups met are put into `met`. None if a card was
    /// found before the first step, so that everything must be looked at again.
    #[allow(clippy::too_many_arguments, reason = "the parts of one walk")]
    fn walk_past(
        &self,
        state: &mut State,
        walk: &mut Walk,
        movers: &[SquadronId],
        at: &mut Few<Point, 6>,
        near_dice: bool,
        met: &mut Few<Squads, 6>,
        ask: &mut impl Ask,
    ) -> Option<Stop> {
        let geometry = &self.book.geometry;
        let enemy = movers.first()?.side().other();
        // What can happen on the way.
        let mut groups: Few<Squads, 12> = Few::default();
        let mut squadrons: Few<(Point, u8), 12> = Few::default();
        let mut forbidden = 0u16;
        if near_dice {
            for group in &state.groups(geometry, enemy) {
                let members = group.without(state.act.met);
                if !members.is_empty() {
                    members.iter().for_each(|id| squadrons.push((state[id].pos, groups.len() as u8)));
                    groups.push(members);
                }
            }
            for gone in &state.act.gave_way {
                let members: Squads = gone.iter().filter(|id| state[*id].up()).collect();
                if !members.is_empty() {
                    forbidden |= 1 << groups.len();
                    members.iter().for_each(|id| squadrons.push((state[id].pos, groups.len() as u8)));
                    groups.push(members);
                }
            }
        }
        let undetected = state.carriers[enemy].undetected();
        let hidden: Few<Point, 2> =
            if undetected { state.carriers[enemy].on_table().map(|(_, card)| card).collect() } else { Few::default() };
        let mask = |f: &dyn Fn(SquadronId) -> bool| {
            movers.iter().enumerate().filter(|(_, id)| f(**id)).map(|(at, _)| 1u16 << at).sum::<u16>()
        };
        let seers = mask(&|id| !state[id].proved_dummy);
        let targets = if walk.guns { mask(&|id| !state.act.fired_at.has(id)) } else { 0 };
        let guns = self.guns_against(state, walk.movers);
        let hazards = Hazards { squadrons: &squadrons, hidden: &hidden, seers, guns: guns.as_slice(), targets };
        if near_cards(geometry, at, &hazards) != [0; 2] {
            self.look_at_cards(state, walk.movers, ask);
            return None;
        }
        let before = walk.course;
        let mut stop = stride(geometry, &mut walk.course, at, &hazards);
        if stop.contact & forbidden != 0 {
            // It stops short of a group that gave way.
            let steps = walk.course.flown - before.flown - 1;
            walk.course = before;
            *at = movers.iter().map(|id| state[*id].pos).collect();
            crate::walk::walk_steps(&mut walk.course, at, steps);
            stop = Stop { ended: true, ..Stop::default() };
        }
        *met =
            groups.iter().enumerate().filter(|(n, _)| stop.contact & (1 << n) != 0).map(|(_, group)| *group).collect();
        Some(stop)
    }

    /// Who ends over a card without having entered it on the way is fired at now.
    fn walk_stands(&self, state: &mut State, walk: Walk) {
        if !walk.guns || walk.course.flown == 0 {
            return;
        }
        if let Some(card) = self.guns_against(state, walk.movers) {
            for id in walk.movers.iter() {
                let seen = state[id].real() || state.carriers[id.side().other()].form == Form::Revealed;
                if seen
                    && state[id].up()
                    && !state.act.fired_at.has(id)
                    && self.book.geometry.on_card(state[id].pos, card)
                {
                    state.act.under_guns.put(id);
                }
            }
        }
    }

    fn lay_track(&self, state: &mut State, passed: usize, now: &Course) {
        for point in now.track().skip(passed) {
            if state.act.track.last() != Some(&point) {
                state.act.track.push(point);
            }
        }
    }

    /// Finds the next squadron the guns fire at; a dummy is exposed by guns that lie open and ignored by hidden ones.
    fn next_under_guns(&self, state: &mut State, among: Squads, ask: &mut impl Ask) -> bool {
        loop {
            let waiting = state.act.under_guns.shared(among);
            if waiting.is_empty() {
                return false;
            }
            let next = state.act.order.iter().copied().find(|id| waiting.has(*id)).or_else(|| waiting.first());
            let Some(id) = next else { return false };
            state.act.under_guns.take(id);
            let owner = id.side().other();
            let over =
                state.carriers[owner].real_card().is_some_and(|card| self.book.geometry.on_card(state[id].pos, card));
            if !state[id].up() || state.act.fired_at.has(id) || !over {
                continue;
            }
            if state[id].is_dummy() {
                if state.carriers[owner].form == Form::Revealed {
                    ask.note(|| Note::new("exposed-by-guns", "The guns fire at nothing.").detail().by(&[rule::R_39]));
                    self.expose(state, id, ask);
                }
                continue;
            }
            if state.carriers[owner].undetected() {
                self.look_at_cards(state, Squads::one(id), ask);
            }
            self.bring_under_fire(state, id);
            return true;
        }
    }

    /// A squadron is fired at: it is detected and its strength is plain.
    pub(super) fn bring_under_fire(&self, state: &mut State, id: SquadronId) {
        state.act.fired_at.put(id);
        self.mark_detected(state, id);
        self.show_strength(state, id);
        // Where skill goes by role, the markers played will tell the role.
        let side = id.side();
        if self.skill(side, Role::Fighter) != self.skill(side, Role::Strike) {
            state[id].shown_role = state[id].role;
        }
        state.phase = Phase::Flak(id);
    }

    pub(super) fn show_strength(&self, state: &mut State, id: SquadronId) {
        state[id].show_strength();
        state[id].may_be_lost = false;
    }

    /// Guns fire at a squadron outside a strike. [Anti-aircraft fire]
    pub(super) fn flak(&self, state: &mut State, id: SquadronId, ask: &mut impl Ask) -> Asked<()> {
        let owner = id.side().other();
        let pilots = StanceChoice::under_fire(self, state, id);
        let gunners = StanceChoice::gunners(self, state, owner, id);
        let [pilots, gunners] = self.both_stances(state, ask, pilots, gunners)?;
        let target = Striker {
            strength: state[id].strength,
            kamikaze: self.kamikaze.has(id),
            stance: pilots.stance,
            markers: pilots.markers,
        };
        ask.note(|| {
            Note::new("flak-stances", format!("{id} flies {}, the guns fire {}.", pilots.stance, gunners.stance))
                .detail()
                .by(&[rule::AA_FIRE, rule::R_64])
        });
        let flak = self.book.aa_fire(ask, &target, gunners.stance, state.carriers[owner].hits, &self.aa[owner])?;
        state[id].strength -= flak.lost;
        state[id].show_strength();
        if state[id].strength == 0 {
            self.destroy(state, id, ask);
        }
        if state.act.kind == ActKind::MoveCv {
            self.next_slide(state);
        } else if state.walk.is_some() {
            state.phase = Phase::Walking;
        } else {
            state.phase = Phase::AfterContact;
        }
        Ok(())
    }

    /// What follows a walk.
    fn walk_ended(&self, state: &mut State, walk: Walk, ask: &mut impl Ask) {
        state.walk = None;
        if !walk.main {
            state.phase = Phase::Lines;
        } else if state.act.kind == ActKind::Strike && self.touches_target(state) {
            self.begin_strikes(state, ask);
        } else {
            state.phase = Phase::Finish;
        }
    }

    /// Whether some striker touches the enemy card.
    pub(super) fn touches_target(&self, state: &State) -> bool {
        let Some(card) = self.strike_target(state, state.phasing) else { return false };
        state
            .act
            .group
            .iter()
            .any(|id| self.book.geometry.to_card(state[id].pos, card) <= self.book.geometry.die_radius)
    }

    /// Takes up the next group in contact: both sides detect each other, dummies come off. [Intercept], R-71
    pub(super) fn meet(&self, state: &mut State, ask: &mut impl Ask) {
        state.act.enemy = Squads::NONE;
        loop {
            state.act.group = state.act.group.iter().filter(|id| state[*id].up()).collect();
            let movers = state.act.group;
            if movers.is_empty() {
                state.act.contacts.clear();
                state.walk = None;
                state.phase = Phase::Finish;
                return;
            }
            let Some(group) = state.act.contacts.remove(0) else {
                state.phase = if state.act.interrupted { Phase::AfterContact } else { Phase::Walking };
                return;
            };
            let group: Squads = group.iter().filter(|id| state[*id].up()).collect();
            if !state.within(&self.book.geometry, movers, group, self.book.ranges.contact) {
                continue;
            }
            state.act.met = state.act.met.and(group);
            let real = |state: &State, set: Squads| set.iter().any(|id| state[id].real());
            let (we, they) = (real(state, movers), real(state, group));
            ask.note(|| {
                Note::new("contact", format!("{} {}.", movers.doing("meets", "meet"), group.names()))
                    .by(&[rule::INTERCEPT, rule::R_27, rule::R_71])
                    .pieces(movers.and(group).iter())
            });
            if !we && !they {
                ask.note(|| Note::new("dummies-meet", "Two dummies have met.").detail().by(&[rule::R_72]));
            }
            if we || !they {
                self.detect_group(state, group, ask);
            }
            if they || !we {
                self.detect_group(state, movers, ask);
            }
            let left: Squads = group.iter().filter(|id| state[*id].up()).collect();
            state.act.group = movers.iter().filter(|id| state[*id].up()).collect();
            if state.act.group.is_empty() || left.is_empty() {
                continue;
            }
            state.act.enemy = left;
            state.act.interrupted = true;
            state.phase = Phase::Contact;
            return;
        }
    }

    /// The group that is met intercepts or gives way.
    pub(super) fn contact(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        let side = state.other();
        let answer = ask.decide(&ContactChoice { game: self, state, side })?;
        state.walk = None;
        let enemy = state.act.enemy;
        match answer {
            ContactAnswer::Intercept { squadrons } => {
                let fighters: Squads = squadrons.iter().copied().collect();
                ask.note(|| {
                    Note::new("intercepts", format!("{} intercept.", fighters.names()))
                        .by(&[rule::INTERCEPT, rule::R_24, rule::R_26, rule::R_76])
                        .pieces(fighters.iter())
                });
                self.close_in(state, fighters, state.act.group, ThenLines::BeginFight);
            }
            ContactAnswer::GiveWay { line } => {
                ask.note(|| {
                    Note::new("gives-way", format!("{}.", enemy.doing("gives way", "give way")))
                        .by(&[rule::INTERCEPT, rule::R_42, rule::R_69, rule::R_70])
                        .pieces(enemy.iter())
                });
                state.act.gave_way.push(enemy);
                self.queue_line(state, enemy, line);
                state.then = ThenLines::Meet;
            }
        }
        state.phase = Phase::Lines;
        Ok(())
    }

    /// All contacts are settled: the guns fire at who stands over them, then the move goes on or stops.
    pub(super) fn after_contact(&self, state: &mut State, ask: &mut impl Ask) {
        state.walk = None;
        if !self.next_under_guns(state, state.act.group, ask) {
            state.phase = self.go_on(state, ask);
        }
    }

    fn go_on(&self, state: &mut State, ask: &mut impl Ask) -> Phase {
        state.act.group = state.act.group.iter().filter(|id| state[*id].up()).collect();
        if state.act.group.is_empty() {
            return Phase::Finish;
        }
        if state.act.kind != ActKind::FlyHome {
            return Phase::Resume;
        }
        // A squadron flying home has no choice.
        let (Some(id), Some(home)) = (state.act.group.first(), state.act.home) else { return Phase::Finish };
        let left = state.act.allowance - state.act.flown;
        let from = state[id].pos;
        let distance = from.ceil_dist(home);
        if left <= 0 || distance == 0 {
            return Phase::Finish;
        }
        let to = if distance <= left { home } else { from + (home - from).scale(left, distance) };
        self.begin_path(state, &Waypoints::to(to), ask);
        Phase::Walking
    }

    /// Those of the action's squadrons that may fly on, and how far.
    pub(super) fn may_resume(&self, state: &State) -> (Squads, i64) {
        if state.act.kind != ActKind::Strike {
            return (state.act.group, state.act.allowance - state.act.flown);
        }
        let reach = self.book.ranges.strike * LENGTH;
        let near = match self.strike_target(state, state.phasing) {
            Some(card) => {
                state.act.group.iter().filter(|id| self.book.geometry.to_card(state[*id].pos, card) <= reach).collect()
            }
            None => Squads::NONE,
        };
        (near, self.book.speeds.strike_approach)
    }

    pub(super) fn resume(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        let (able, allowance) = self.may_resume(state);
        let order: Order = state.act.order.iter().copied().filter(|id| able.has(*id)).collect();
        let chosen = ask.decide(&PathChoice {
            game: self,
            state,
            side: state.phasing,
            squadrons: &order,
            allowance,
            purpose: PathUse::Resume,
        })?;
        match chosen.path {
            Some(path) => {
                let squadrons = chosen.squadrons.unwrap_or(order);
                state.act.group = squadrons.iter().copied().collect();
                // The lead is the first one named.
                let rest: Order = state.act.order.iter().copied().filter(|id| !squadrons.contains(id)).collect();
                state.act.order = squadrons.iter().chain(&rest).copied().collect();
                if state.act.kind == ActKind::Strike {
                    state.act.allowance = allowance;
                    state.act.flown = 0;
                }
                self.begin_path(state, &path, ask);
            }
            None => {
                ask.note(|| Note::new("stops", "The move stops here.").by(&[rule::R_27]));
                match state.act.kind {
                    ActKind::Strike if self.touches_target(state) => self.begin_strikes(state, ask),
                    ActKind::Move => self.stop_here(state),
                    _ => state.phase = Phase::Finish,
                }
            }
        }
        Ok(())
    }

    /// A move ends at a contact: the guns still look at who stands over them.
    fn stop_here(&self, state: &mut State) {
        let movers = state.act.group;
        let mut course = Course::new(movers.first().map_or(Point::default(), |id| state[id].pos), Waypoints::default());
        course.flown = state.act.flown;
        state.walk = Some(Walk { movers, course, contact: false, guns: true, main: true });
        state.phase = Phase::Walking;
    }

    /// Whether a path would come into contact with a group that gave way.
    pub(super) fn meets_forbidden(&self, state: &State, squadrons: &[SquadronId], path: &Waypoints) -> bool {
        let squadrons_up: Few<(Point, u8), 12> = state
            .act
            .gave_way
            .iter()
            .enumerate()
            .flat_map(|(n, group)| group.iter().map(move |id| (id, n as u8)))
            .filter(|(id, _)| state[*id].up())
            .map(|(id, n)| (state[id].pos, n))
            .collect();
        let Some(lead) = squadrons.first() else { return false };
        if squadrons_up.is_empty() {
            return false;
        }
        let hazards = Hazards { squadrons: &squadrons_up, hidden: &[], seers: 0, guns: &[], targets: 0 };
        let mut at: Few<Point, 12> = squadrons.iter().map(|id| state[*id].pos).collect();
        let mut course = Course::new(state[*lead].pos, *path);
        stride(&self.book.geometry, &mut course, &mut at, &hazards).contact != 0
    }
}
