//! The turn: goes, housekeeping, fuel, the end.

use super::CarrierGame;
use super::action::Action;
use super::carrier::CarrierMove;
use super::choices::{ChooseAction, ShedChoice};
use super::dogfight::Attack;
use super::flight::Move;
use super::piece::{CardId, SquadronId};
use super::process::{Process, Underway};
use super::search::{Planned, Search};
use super::state::{ActionRecord, Deck, Form, Phase, State, Table, Unseen, Where};
use super::strike::Strike;
use crate::rule;
use crate::scenario::VictoryLines;
use crate::victory::{Position, Reason, Tally, judge, surface_action, verdict};
use crate::words::{Role, Status};
use flagplot_kernel::{Ask, Asked, BySide, Flow, Note, Side};

impl CarrierGame {
    /// One go of the phasing side.
    pub(super) fn choose_action(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        let State { table, phase } = state;
        let side = table.phasing;
        let action = ask.decide(&ChooseAction { game: self, table, side })?;
        if action == Action::Pass {
            table.action = ActionRecord::default();
            table.passed[side] = true;
            ask.note(|| {
                Note::new("pass", format!("{} passes.", self.side_name(side))).by(&[rule::TURN_SEQUENCE, rule::R_7])
            });
            *phase = self.next_go(table, ask);
            return Ok(());
        }
        table.begin_action(action.squadrons());
        let at_once = match action {
            Action::Move { path, detect, .. } => {
                let search = detect.map(|plan| Planned { by: Some(plan.by), target: plan.target });
                *phase = Phase::Action(Underway::Move(Move::new(self, table, path.as_ref(), search, ask)));
                false
            }
            Action::FlyHome { squadron, card } => self.flies_home(table, phase, squadron, card, ask),
            Action::Land { squadron } if table[squadron].rl <= 1 => self.flies_home(table, phase, squadron, None, ask),
            Action::MoveCv { to, detect, evade } => {
                let search = detect.map(|plan| Planned { by: None, target: plan.target });
                let moving = match (to, evade, search) {
                    (_, Some(evasion), _) => Some(CarrierMove::evade(self, table, &evasion, ask)),
                    (Some(to), None, search) => Some(CarrierMove::cards(self, table, &to, search, ask)),
                    (None, None, Some(search)) => Some(CarrierMove::search_first(self, table, search, ask)),
                    (None, None, None) => None,
                };
                let at_once = moving.is_none();
                if let Some(moving) = moving {
                    *phase = Phase::Action(Underway::MoveCv(moving));
                }
                at_once
            }
            Action::Dogfight { target, detect, .. } => {
                let attack = Attack::new(self, table, target, detect.map(|plan| plan.by), ask);
                *phase = Phase::Action(Underway::Attack(attack));
                false
            }
            Action::Strike { path, .. } => {
                *phase = Phase::Action(Underway::Strike(Strike::new(self, table, &path, ask)));
                false
            }
            Action::Detect { by, target } => {
                let search = Search { by: by.squadron(), target };
                search.announce(self, table, ask);
                *phase = Phase::Action(Underway::Search(search));
                return Ok(());
            }
            Action::Launch { squadron, at, dummy } => {
                self.launch(table, squadron, at, dummy, ask);
                true
            }
            Action::Land { squadron } => {
                self.land(table, squadron, ask);
                true
            }
            Action::Refuel { squadron } => {
                self.deck_work(table, squadron, Deck::Refuelled, ask);
                *phase = self.next_go(table, ask);
                return Ok(());
            }
            Action::ReArm { squadron, role } => {
                let deck = if role == Role::Fighter { Deck::Fighter } else { Deck::Strike };
                self.deck_work(table, squadron, deck, ask);
                *phase = self.next_go(table, ask);
                return Ok(());
            }
            Action::Disengage { aboard } => {
                self.disengage(table, &aboard, ask);
                true
            }
            Action::Pass => true,
        };
        let done = match phase {
            Phase::Action(underway) if !at_once => underway.run(self, table, ask) == Flow::Done,
            _ => true,
        };
        if done {
            *phase = self.action_done(table, ask);
        }
        Ok(())
    }

    /// A squadron sets out for home; whether it is there at once.
    fn flies_home(
        &self,
        table: &mut Table,
        phase: &mut Phase,
        id: SquadronId,
        card: Option<CardId>,
        ask: &mut impl Ask,
    ) -> bool {
        let Some(flight) = self.fly_home(table, id, card, ask) else { return true };
        *phase = Phase::Action(Underway::FlyHome(flight));
        false
    }

    /// The action is complete: its squadrons are marked, then housekeeping runs.
    pub(super) fn action_done(&self, table: &mut Table, ask: &mut impl Ask) -> Phase {
        table.mark_acted();
        self.housekeeping(table, ask)
    }

    /// Housekeeping after every completed action.
    fn housekeeping(&self, table: &mut Table, ask: &mut impl Ask) -> Phase {
        self.automatic_detection(table, ask);
        self.lapse(table, ask);
        for side in [table.phasing, table.other()] {
            if table.carriers[side].must_shed {
                return Phase::Shed(side);
            }
        }
        table.end_action();
        if self.end_check(table, false, ask) { Phase::Over } else { self.next_go(table, ask) }
    }

    /// A crippled group loses what it has no room for.
    pub(super) fn shed(&self, table: &mut Table, side: Side, ask: &mut impl Ask) -> Asked<Phase> {
        let losses = ask.decide(&ShedChoice { game: self, table, side })?;
        table.carriers[side].must_shed = false;
        for (id, lost) in losses {
            if lost == 0 {
                continue;
            }
            let squadron = &mut table[id];
            squadron.strength = squadron.strength.saturating_sub(lost);
            self.tell(side, ask, || {
                Note::new("shed", format!("{id} loses {lost} aircraft for lack of room.")).by(&[rule::R_15, rule::C_7])
            });
            if table[id].strength == 0 {
                if table[id].is_dummy() {
                    self.expose(table, id, ask);
                }
                // Nothing that the other side sees of it changes.
                table[id].place = Where::LostUnseen;
            }
        }
        for id in SquadronId::of(side) {
            // Any squadron not known to be in the air may have been among them.
            if !(table[id].up() && (table[id].proved_real || table[id].detected)) {
                table[id].may_be_lost = true;
                table[id].unseen.before.1 = Unseen::ALL;
            }
        }
        ask.note(|| {
            Note::new(
                "crippled",
                format!(
                    "{}'s carrier group is crippled and loses the aircraft it has no room for.",
                    self.side_name(side)
                ),
            )
            .by(&[rule::CARRIERS, rule::R_15, rule::C_7, rule::R_68])
        });
        Ok(self.housekeeping(table, ask))
    }

    /// The next go: the other side's, unless it has passed.
    fn next_go(&self, table: &mut Table, ask: &mut impl Ask) -> Phase {
        let other = table.other();
        if !table.passed[other] {
            table.phasing = other;
        } else if table.passed[table.phasing] {
            return self.end_turn(table, ask);
        }
        Phase::Choose
    }

    /// The end of the turn: ships, fuel, scouts, markers. [Turn sequence 2-5]
    fn end_turn(&self, table: &mut Table, ask: &mut impl Ask) -> Phase {
        if table.surface_contact && Side::BOTH.into_iter().all(|side| table.carriers[side].in_play()) {
            let after = surface_action(&self.rules, BySide::new_with(|side| table.carriers[side].hits), ask);
            for side in Side::BOTH {
                table.carriers[side].hits = after[side].hits;
                table.surface_losers[side] = after[side].loses;
            }
            for side in Side::BOTH {
                if self.rules.carrier.status(table.carriers[side].hits) == Status::Destroyed {
                    self.sink(table, side, ask);
                }
            }
        }
        self.burn_fuel(table, ask);
        for id in SquadronId::all().filter(|id| id.is_recce()) {
            let squadron = &mut table[id];
            if squadron.place == Where::Aboard && squadron.deck == Deck::Landed && squadron.left_turn < table.turn {
                table[id].deck = Deck::Refuelled;
                self.tell(id.side(), ask, || {
                    Note::new("refuelled", format!("{id} is refuelled.")).by(&[rule::R_13]).detail()
                });
            }
        }
        for squadron in &mut table.squadrons {
            squadron.acted = false;
            squadron.detect_used = false;
            squadron.launched = false;
        }
        for side in Side::BOTH {
            table.carriers[side].acted = false;
            table.carriers[side].detect_used = false;
        }
        table.surface_contact = false;
        self.automatic_detection(table, ask);
        self.lapse(table, ask);
        if self.end_check(table, true, ask) {
            return Phase::Over;
        }
        table.turn += 1;
        table.start = table.start.other();
        table.phasing = table.start;
        table.passed = BySide::default();
        ask.note(|| {
            Note::new("turn", format!("Turn {} begins; {} goes first.", table.turn, self.side_name(table.start)))
                .by(&[rule::TURN_SEQUENCE])
        });
        Phase::Choose
    }

    /// Every die drops by one, except those launched this turn; without a carrier a die that reaches 1 is lost.
    fn burn_fuel(&self, table: &mut Table, ask: &mut impl Ask) {
        for id in SquadronId::all() {
            if !table[id].up() || table[id].launched {
                continue;
            }
            table[id].burn_fuel();
            if table[id].rl == 1 && !table.carriers[id.side()].in_play() {
                self.lost_at_sea(table, id, ask);
            }
        }
        ask.note(|| {
            Note::new("fuel", "Every range die in the air drops by 1, except those launched this turn.")
                .by(&[rule::FUEL])
                .detail()
        });
    }

    /// A die goes into the sea. Nobody is told of an undetected one what it was.
    pub(super) fn lost_at_sea(&self, table: &mut Table, id: SquadronId, ask: &mut impl Ask) {
        let known = table[id].detected
            || !table.carriers[id.side()].in_play() && table.carriers[id.side()].form == Form::Destroyed;
        let dummy = table[id].is_dummy();
        let rules = [rule::FUEL, if table.carriers[id.side()].in_play() { rule::R_45 } else { rule::R_47 }];
        table[id].unseen.loses(Unseen::ALL, Unseen::ALL);
        if dummy {
            let aboard = table.carriers[id.side()].form != Form::Destroyed;
            let ready = table[id].proved_dummy;
            self.lift(table, id, if aboard { Where::Aboard } else { Where::Lost });
            table[id].known_ready = ready;
        } else {
            self.lift(table, id, if known { Where::Lost } else { Where::LostUnseen });
        }
        table[id].may_be_lost = true;
        ask.note(|| {
            Note::new("fuel-spent", format!("{id} runs out of fuel and comes off the table."))
                .by(&rules)
                .pieces([id.id()])
        });
    }

    /// How the game stands for the victory lines.
    pub(super) fn position(&self, table: &Table, time_is_up: bool) -> Position {
        let tally = |side: Side| Tally {
            cv_hits: table.carriers[side].hits,
            disengaged: table.carriers[side].form == Form::Disengaged,
            combat_aircraft: SquadronId::of(side).filter(|id| !id.is_recce()).map(|id| table[id].strength).sum(),
        };
        Position {
            sides: BySide::new_with(tally),
            surface_losers: table.surface_losers,
            kamikaze_aircraft: self.kamikaze.iter().map(|id| table[id].strength).sum(),
            time_is_up,
            bid: self.scenario.bid,
        }
    }

    /// Whether the game is over.
    fn end_check(&self, table: &mut Table, turn_finished: bool, ask: &mut impl Ask) -> bool {
        // Within a turn it ends over a carrier group that is gone or an air group that is spent.
        let by_aircraft = matches!(self.scenario.victory, VictoryLines::Kamikaze | VictoryLines::PhilippineSea);
        if !turn_finished && !by_aircraft && table.carriers.first.in_play() && table.carriers.second.in_play() {
            return false;
        }
        let position = self.position(table, turn_finished && table.turn >= self.scenario.turns);
        if verdict(&self.scenario, &position).reason == Reason::None {
            return false;
        }
        table.verdict = Some(judge(&self.scenario, &position, ask));
        table.end_action();
        true
    }
}
