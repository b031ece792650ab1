//! The turn: goes, searches, housekeeping, fuel, the end.

use super::CarrierGame;
use super::action::{Action, Target, When};
use super::choices::{ChooseAction, DetectionNumber, ShedChoice};
use super::flight_choices::{PathChoice, PathUse};
use super::piece::{CardId, CardLabel, PieceId, SquadronId, Squads};
use super::state::{ActKind, Deck, Fight, Form, Phase, Search, State, ThenSearch, Unseen, Where};
use crate::detection::Column;
use crate::geometry::LENGTH;
use crate::rule;
use crate::scenario::VictoryLines;
use crate::victory::{Position, Reason, Tally, judge, surface_action, verdict};
use crate::words::Status;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Ask, Asked, BySide, Note, Side};

impl CarrierGame {
    pub(super) fn choose_action(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        let side = state.phasing;
        let action = ask.decide(&ChooseAction { game: self, state, side })?;
        if action == Action::Pass {
            state.act.clear();
        } else {
            state.begin_action();
        }
        match action {
            Action::Pass => {
                state.passed[side] = true;
                ask.note(|| {
                    Note::new("pass", format!("{} passes.", self.side_name(side))).by(&[rule::TURN_SEQUENCE, rule::R_7])
                });
                state.phase = Phase::Next;
            }
            Action::Move { squadrons, path, detect } => {
                let planned = detect.map(|plan| Search {
                    by: Some(plan.by),
                    target: plan.target,
                    then: if plan.when == When::Before { ThenSearch::Path } else { ThenSearch::Done },
                });
                state.act.kind = ActKind::Move;
                state.act.group = squadrons.iter().copied().collect();
                state.act.order = squadrons;
                state.act.allowance = self.book.speeds.squadron_move;
                match (planned, path) {
                    (Some(search), None) => self.begin_search(state, search, ask),
                    (planned, path) => {
                        state.act.planned = planned;
                        self.begin_path(state, &path.unwrap_or_default(), ask);
                    }
                }
            }
            Action::FlyHome { squadron, card } => self.fly_home(state, squadron, card, ask),
            Action::MoveCv { to, detect, evade } => {
                state.act.kind = ActKind::MoveCv;
                let planned = detect.map(|plan| Search {
                    by: None,
                    target: plan.target,
                    then: if plan.when == When::Before { ThenSearch::CvTo } else { ThenSearch::Done },
                });
                match (to, evade, planned) {
                    (_, Some(evasion), _) => self.slip_away(state, &evasion, ask),
                    (Some(to), None, planned) => {
                        state.act.planned = planned;
                        self.move_cards(state, &to, ask);
                    }
                    (None, None, Some(search)) => self.begin_search(state, search, ask),
                    (None, None, None) => state.phase = Phase::Finish,
                }
            }
            Action::Launch { squadron, at, dummy } => self.launch(state, squadron, at, dummy, ask),
            Action::Land { squadron } if state[squadron].rl <= 1 => self.fly_home(state, squadron, None, ask),
            Action::Land { squadron } => self.land(state, squadron, ask),
            Action::Refuel { squadron } => self.deck_work(state, squadron, Deck::Refuelled, ask),
            Action::ReArm { squadron, role } => self.deck_work(
                state,
                squadron,
                if role == crate::words::Role::Fighter { Deck::Fighter } else { Deck::Strike },
                ask,
            ),
            Action::Dogfight { squadrons, target, detect } => {
                self.declare_dogfight(state, squadrons, target, detect.map(|plan| plan.by), ask)
            }
            Action::Strike { squadrons, path } => self.declare_strike(state, squadrons, &path, ask),
            Action::Detect { by, target } => {
                state.act.kind = ActKind::Detect;
                let by = match by {
                    PieceId::Squadron(id) => Some(id),
                    PieceId::Card(_) => None,
                };
                self.begin_search(state, Search { by, target, then: ThenSearch::Done }, ask);
            }
            Action::Disengage { aboard } => self.disengage(state, &aboard, ask),
        }
        Ok(())
    }

    /// A search is announced: the searcher shows that it is real.
    pub(super) fn begin_search(&self, state: &mut State, search: Search, ask: &mut impl Ask) {
        let side = state.phasing;
        match search.by {
            Some(id) => {
                state[id].detect_used = true;
                self.prove_real(state, id);
            }
            None => {
                let carrier = &mut state.carriers[side];
                carrier.detect_used = true;
                if carrier.form == Form::Hidden {
                    carrier.may_be_real = carrier.real.map_or(carrier.may_be_real, |at| 1 << at);
                }
                self.conclude(state, side);
            }
        }
        ask.note(|| {
            let who =
                search.by.map_or_else(|| format!("{}'s carrier group", self.side_name(side)), |id| id.to_string());
            Note::new("search-begins", format!("{who} looks for {}.", search.target))
                .by(&[rule::DETECT, rule::R_17, rule::R_18, rule::R_62])
                .pieces([search.target.to_string()])
        });
        state.act.search = Some(search);
        state.phase = Phase::Numbers;
    }

    /// Both sides choose a number in secret. [Detect 2]
    pub(super) fn numbers(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        let Some(search) = state.act.search else {
            state.phase = Phase::Finish;
            return Ok(());
        };
        let side = state.phasing;
        let column = if search.by.is_some_and(SquadronId::is_recce) { Column::Recce } else { Column::CombatOrCv };
        let who = search.by.map_or(CardId { side, label: CardLabel::Cv }.name(), SquadronId::name);
        let question =
            |seat: Side| DetectionNumber { seat, column, searcher: seat == side, who, target: search.target };
        let numbers = ask.in_secret(&[question(side), question(side.other())])?;
        let found = self.book.search(ask, column, numbers[0].0, numbers[1].0);
        state.act.search = None;
        let target = self.target_of(state, side, search.target).ok();
        if found && let Some(target) = target {
            match target {
                Target::Group(group) => self.detect_group(state, group, ask),
                Target::Card(enemy, at) => {
                    self.detect_card(state, enemy, at, ask);
                    if search.by.is_none() && state.carriers[enemy].form == Form::Revealed {
                        state.surface_contact = true;
                        ask.note(|| {
                            Note::new(
                                "surface-contact",
                                "Carriers have sighted each other: there will be a surface action this turn.",
                            )
                            .by(&[rule::SURFACE_ACTION])
                        });
                    }
                }
            }
        }
        state.phase = match search.then {
            ThenSearch::Path => Phase::Path,
            ThenSearch::CvTo => Phase::CvTo,
            ThenSearch::Dogfight => {
                let left = match target {
                    Some(Target::Group(group)) if found => group.iter().filter(|id| state[*id].up()).collect(),
                    _ => Squads::NONE,
                };
                if left.is_empty() {
                    state.act.order.clear(); // Nobody has acted.
                    Phase::Finish
                } else {
                    self.close_in(state, state.act.group, left, super::state::ThenLines::BeginFight);
                    Phase::Lines
                }
            }
            ThenSearch::Done => Phase::Housekeeping,
        };
        Ok(())
    }

    /// The path after a search before it; staying marks nobody.
    pub(super) fn path_after_search(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        let chosen = ask.decide(&PathChoice {
            game: self,
            state,
            side: state.phasing,
            squadrons: &state.act.order,
            allowance: state.act.allowance,
            purpose: PathUse::AfterSearch,
        })?;
        match chosen.path {
            Some(path) => self.begin_path(state, &path, ask),
            None => {
                state.act.order.clear();
                state.phase = Phase::Finish;
            }
        }
        Ok(())
    }

    /// The action is complete: its squadrons are marked, and a search planned for now is made if it still can be.
    pub(super) fn finish(&self, state: &mut State, ask: &mut impl Ask) {
        for id in state.act.order.iter().copied().collect::<Squads>().iter() {
            state[id].acted = true;
        }
        state.walk = None;
        state.fight = Fight::default();
        let planned = state.act.planned.take();
        if let Some(search) = planned
            && self.search_still_possible(state, search)
        {
            self.begin_search(state, search, ask);
            return;
        }
        state.phase = Phase::Housekeeping;
    }

    fn search_still_possible(&self, state: &State, search: Search) -> bool {
        let by = match search.by {
            Some(id) => PieceId::Squadron(id),
            None => PieceId::Card(CardId { side: state.phasing, label: CardLabel::Cv }),
        };
        self.legal_search(state, state.phasing, by, search.target)
    }

    /// Housekeeping after every completed action.
    pub(super) fn housekeeping(&self, state: &mut State, ask: &mut impl Ask) {
        self.automatic_detection(state, ask);
        self.lapse(state, ask);
        for side in [state.phasing, state.other()] {
            if state.carriers[side].must_shed {
                state.phase = Phase::Shed(side);
                return;
            }
        }
        state.end_action();
        if !self.end_check(state, false, ask) {
            state.phase = Phase::Next;
        }
    }

    /// A crippled group loses what it has no room for.
    pub(super) fn shed(&self, state: &mut State, side: Side, ask: &mut impl Ask) -> Asked<()> {
        let losses = ask.decide(&ShedChoice { game: self, state, side })?;
        state.carriers[side].must_shed = false;
        for (id, lost) in losses {
            if lost == 0 {
                continue;
            }
            let squadron = &mut state[id];
            squadron.strength = squadron.strength.saturating_sub(lost);
            self.tell(side, ask, || {
                Note::new("shed", format!("{id} loses {lost} for want of room.")).by(&[rule::R_15, rule::C_7])
            });
            if state[id].strength == 0 {
                if state[id].is_dummy() {
                    self.expose(state, id, ask);
                }
                // Nothing that the other side sees of it changes.
                state[id].place = Where::LostUnseen;
            }
        }
        for id in SquadronId::of(side) {
            // Any squadron not known to be in the air may have been among them.
            if !(state[id].up() && (state[id].proved_real || state[id].detected)) {
                state[id].may_be_lost = true;
                state[id].unseen.before.1 = Unseen::ALL;
            }
        }
        ask.note(|| {
            Note::new(
                "crippled",
                format!("{}'s carrier group is crippled; what it has no room for is lost.", self.side_name(side)),
            )
            .by(&[rule::CARRIERS, rule::R_15, rule::C_7, rule::R_68])
        });
        state.phase = Phase::Housekeeping;
        Ok(())
    }

    /// The next go: the other side's, unless it has passed.
    pub(super) fn next_go(&self, state: &mut State) {
        let other = state.other();
        if !state.passed[other] {
            state.phasing = other;
        } else if state.passed[state.phasing] {
            state.phase = Phase::EndTurn;
            return;
        }
        state.phase = Phase::Choose;
    }

    /// The end of the turn: ships, fuel, scouts, markers. [Turn sequence 2-5]
    pub(super) fn end_turn(&self, state: &mut State, ask: &mut impl Ask) {
        if state.surface_contact && Side::BOTH.into_iter().all(|side| state.carriers[side].in_play()) {
            let after = surface_action(&self.book, BySide::new_with(|side| state.carriers[side].hits), ask);
            for side in Side::BOTH {
                state.carriers[side].hits = after[side].hits;
                state.surface_losers[side] = after[side].loses;
            }
            for side in Side::BOTH {
                if self.book.carrier.status(state.carriers[side].hits) == Status::Destroyed {
                    self.sink(state, side, ask);
                }
            }
        }
        self.burn_fuel(state, ask);
        for id in SquadronId::all().filter(|id| id.is_recce()) {
            let squadron = &mut state[id];
            if squadron.place == Where::Aboard && squadron.deck == Deck::Landed && squadron.left_turn < state.turn {
                state[id].deck = Deck::Refuelled;
                self.tell(id.side(), ask, || {
                    Note::new("refuelled", format!("{id} is refuelled.")).by(&[rule::R_13]).detail()
                });
            }
        }
        for squadron in &mut state.squadrons {
            squadron.acted = false;
            squadron.detect_used = false;
            squadron.launched = false;
        }
        for side in Side::BOTH {
            state.carriers[side].acted = false;
            state.carriers[side].detect_used = false;
        }
        state.surface_contact = false;
        self.automatic_detection(state, ask);
        self.lapse(state, ask);
        if self.end_check(state, true, ask) {
            return;
        }
        state.turn += 1;
        state.start = state.start.other();
        state.phasing = state.start;
        state.passed = BySide::default();
        ask.note(|| {
            Note::new("turn", format!("Turn {} begins; {} goes first.", state.turn, self.side_name(state.start)))
                .by(&[rule::TURN_SEQUENCE])
        });
        state.phase = Phase::Choose;
    }

    /// Every die drops by one, except those launched this turn; without a carrier a die that reaches 1 is lost.
    fn burn_fuel(&self, state: &mut State, ask: &mut impl Ask) {
        for id in SquadronId::all() {
            if !state[id].up() || state[id].launched {
                continue;
            }
            state[id].rl = state[id].rl.saturating_sub(1).max(1);
            if state[id].rl == 1 && !state.carriers[id.side()].in_play() {
                self.lost_at_sea(state, id, ask);
            }
        }
        ask.note(|| Note::new("fuel", "Every die in the air drops by one.").by(&[rule::FUEL]).detail());
    }

    /// A die goes into the sea. Nobody is told of an undetected one what it was.
    pub(super) fn lost_at_sea(&self, state: &mut State, id: SquadronId, ask: &mut impl Ask) {
        let known = state[id].detected
            || !state.carriers[id.side()].in_play() && state.carriers[id.side()].form == Form::Destroyed;
        let dummy = state[id].is_dummy();
        let rules = [rule::FUEL, if state.carriers[id.side()].in_play() { rule::R_45 } else { rule::R_47 }];
        state[id].unseen.loses(Unseen::ALL, Unseen::ALL);
        if dummy {
            let aboard = state.carriers[id.side()].form != Form::Destroyed;
            let ready = state[id].proved_dummy;
            self.lift(state, id, if aboard { Where::Aboard } else { Where::Lost });
            state[id].known_ready = ready;
        } else {
            self.lift(state, id, if known { Where::Lost } else { Where::LostUnseen });
        }
        state[id].may_be_lost = true;
        ask.note(|| {
            Note::new("fuel-spent", format!("{id} comes off the table with its fuel spent.")).by(&rules).pieces([id])
        });
    }

    /// How the game stands for the victory lines.
    pub(super) fn position(&self, state: &State, time_is_up: bool) -> Position {
        let tally = |side: Side| Tally {
            cv_hits: state.carriers[side].hits,
            disengaged: state.carriers[side].form == Form::Disengaged,
            combat_aircraft: SquadronId::of(side).filter(|id| !id.is_recce()).map(|id| state[id].strength).sum(),
        };
        Position {
            sides: BySide::new_with(tally),
            surface_losers: state.surface_losers,
            kamikaze_aircraft: self.kamikaze.iter().map(|id| state[id].strength).sum(),
            time_is_up,
        }
    }

    /// Whether the game is over.
    fn end_check(&self, state: &mut State, turn_finished: bool, ask: &mut impl Ask) -> bool {
        // Within a turn it ends over a carrier group that is gone or an air group that is spent.
        let by_aircraft = matches!(self.scenario.victory, VictoryLines::Kamikaze | VictoryLines::PhilippineSea);
        if !turn_finished && !by_aircraft && state.carriers.first.in_play() && state.carriers.second.in_play() {
            return false;
        }
        let position = self.position(state, turn_finished && state.turn >= self.scenario.turns);
        if verdict(&self.scenario, &position).reason == Reason::None {
            return false;
        }
        state.verdict = Some(judge(&self.scenario, &position, ask));
        state.end_action();
        state.phase = Phase::Over;
        true
    }

    /// Whether a die is within landing reach.
    pub(super) fn can_land(&self, state: &State, id: SquadronId) -> bool {
        let reach = self.book.ranges.land * LENGTH;
        let near = |card: Point| self.book.geometry.near_card(state[id].pos, card, reach);
        let carrier = &state.carriers[id.side()];
        if state[id].is_dummy() {
            carrier.on_table().any(|(_, card)| near(card))
        } else {
            carrier.real_card().is_some_and(near)
        }
    }
}
