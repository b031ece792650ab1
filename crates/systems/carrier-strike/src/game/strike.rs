//! Strikes on the carrier group. [Strike]

use super::CarrierGame;
use super::choices::StrikeNextChoice;
use super::flight::{Flight, Purpose};
use super::flight_choices::{PathChoice, PathUse};
use super::piece::{SquadronId, Squads};
use super::process::Process;
use super::stances::Encounter;
use super::state::Table;
use crate::combat::Striker;
use crate::rule;
use crate::walk::Waypoints;
use crate::words::{Role, Status};
use flagplot_kernel::{Ask, Asked, Flow, Note};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StrikeStage {
    Approach,
    /// Which squadron attacks next?
    Next,
    Run(SquadronId),
    /// Where do the squadrons fly afterwards?
    ChooseExit,
    Exit,
    Over,
}

/// Squadrons fly to a detected carrier group, attack it and fly away.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Strike {
    pub flight: Flight,
    /// Squadrons that have attacked.
    pub struck: Squads,
    pub stage: StrikeStage,
}

impl Strike {
    pub(super) fn new(game: &CarrierGame, table: &mut Table, path: &Waypoints, ask: &mut impl Ask) -> Self {
        let mut flight = Flight::new(table, Purpose::Strike, game.rules.speeds.strike_approach);
        let squadrons = table.action.squadrons;
        for id in &squadrons {
            game.prove_real(table, *id);
        }
        ask.note(|| {
            Note::new("strike-sets-out", format!("{} to strike.", flight.group.doing("sets out", "set out")))
                .by(&[rule::STRIKE, rule::R_34, rule::R_46, rule::R_62])
                .pieces(flight.group.ids())
        });
        flight.set_out(table, path, ask);
        Self { flight, struck: Squads::NONE, stage: StrikeStage::Approach }
    }

    /// Squadrons that can attack now; the last fuel is no bar any more.
    pub(super) fn able(&self, table: &Table) -> Squads {
        let able = |id: &SquadronId| table[*id].role == Some(Role::Strike) && table[*id].ordnance == Some(true);
        table.in_the_air(self.flight.group.without(self.struck)).iter().filter(able).collect()
    }

    /// Whether a squadron of the strike touches the enemy card.
    fn touches_target(&self, game: &CarrierGame, table: &Table) -> bool {
        let Some(card) = game.strike_target(table, table.phasing) else { return false };
        let touches = |id| game.rules.geometry.to_card(table[id].pos, card) <= game.rules.geometry.die_radius;
        self.flight.group.iter().any(touches)
    }

    /// Asks on until told to stop, the carrier is gone or everybody has struck.
    fn next_attack(&mut self, game: &CarrierGame, table: &Table) {
        self.flight.group = table.in_the_air(self.flight.group);
        let waiting = self.flight.group.without(self.struck);
        if game.strike_target(table, table.phasing).is_some() && !waiting.is_empty() {
            self.stage = StrikeStage::Next;
        } else {
            self.attacks_over();
        }
    }

    fn attacks_over(&mut self) {
        self.stage = if self.flight.group.is_empty() { StrikeStage::Over } else { StrikeStage::ChooseExit };
    }

    fn choose_attacker(&mut self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> Asked<()> {
        let able = self.able(table);
        match ask.decide(&StrikeNextChoice { game, table, able, struck: self.struck })?.strike {
            Some(id) => {
                game.mark_detected(table, id);
                game.show_strength(table, id);
                table[id].shown_role = Some(Role::Strike);
                self.stage = StrikeStage::Run(id);
            }
            None => self.attacks_over(),
        }
        Ok(())
    }

    /// One squadron attacks. [Strike 1-6]
    fn attack(&mut self, game: &CarrierGame, table: &mut Table, id: SquadronId, ask: &mut impl Ask) -> Asked<()> {
        let owner = id.side().other();
        let [pilots, gunners] = game.both_stances(table, ask, Encounter::Strike(id))?;
        let striker = Striker {
            strength: table[id].strength,
            kamikaze: game.kamikaze.has(id),
            stance: pilots.stance,
            markers: pilots.markers,
        };
        ask.note(|| {
            Note::new(
                "strike-stances",
                format!("{id} attacks ({}); the guns fire ({}).", pilots.stance, gunners.stance),
            )
            .by(&[rule::STRIKE_ATTACK])
            .pieces([id.id()])
            .on([table.carriers[owner].card_id(owner, 0).id()])
        });
        let before = table.carriers[owner].hits;
        let result = game.rules.strike(ask, &striker, gunners.stance, &game.guns(table, owner))?;
        self.struck.put(id);
        table[id].strength = result.squadron_strength;
        table[id].show_strength();
        table[id].ordnance = Some(false);
        table[id].struck = true;
        if result.squadron_strength == 0 {
            game.destroy(table, id, ask);
        }
        table.carriers[owner].hits = result.cv_hits;
        if result.cv_status == Status::Destroyed {
            game.sink(table, owner, ask);
        } else if result.cv_status == Status::Crippled && game.rules.carrier.status(before) == Status::Operational {
            table.carriers[owner].must_shed = true;
        }
        self.next_attack(game, table);
        Ok(())
    }

    /// The flight after the strike: one path, all together, no flak.
    fn choose_exit(&mut self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> Asked<()> {
        let flight = &mut self.flight;
        let (squadrons, allowance) = (&table.in_order(flight.group), game.rules.speeds.after_strike);
        let purpose = PathUse::AfterStrike;
        let chosen = ask.decide(&PathChoice { game, table, flight, squadrons, allowance, purpose })?;
        self.stage = StrikeStage::Over;
        if let Some(path) = chosen.path {
            flight.purpose = Purpose::AfterStrike;
            (flight.allowance, flight.flown) = (allowance, 0);
            flight.set_out(table, &path, ask);
            self.stage = StrikeStage::Exit;
        }
        Ok(())
    }
}

impl Process for Strike {
    fn question(&mut self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> Asked<()> {
        match self.stage {
            StrikeStage::Approach | StrikeStage::Exit => self.flight.question(game, table, ask),
            StrikeStage::Next => self.choose_attacker(game, table, ask),
            StrikeStage::Run(id) => self.attack(game, table, id, ask),
            StrikeStage::ChooseExit => self.choose_exit(game, table, ask),
            StrikeStage::Over => Ok(()),
        }
    }

    fn run(&mut self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> Flow {
        match self.stage {
            StrikeStage::Approach => {
                if self.flight.run(game, table, ask) == Flow::Continue {
                    return Flow::Continue;
                }
                let group = table.in_the_air(self.flight.group);
                self.flight.group = group;
                if !self.touches_target(game, table) {
                    return Flow::Done;
                }
                ask.note(|| {
                    Note::new("over-the-target", format!("{} over the target.", group.doing("is", "are")))
                        .by(&[rule::STRIKE_ATTACK, rule::R_60])
                        .pieces(group.ids())
                });
                self.next_attack(game, table);
                self.run(game, table, ask)
            }
            StrikeStage::Exit => self.flight.run(game, table, ask),
            StrikeStage::Over => Flow::Done,
            StrikeStage::Next | StrikeStage::Run(_) | StrikeStage::ChooseExit => Flow::Continue,
        }
    }
}
