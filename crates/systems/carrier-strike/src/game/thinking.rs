//! How a computer answers: at random for playouts, and as a sensible player would without thinking ahead.

use super::action::Action;
use super::choices::{ChooseAction, ShedChoice};
use super::fight_choices::{AllocateChoice, BreakOffChoice, JoinChoice, MatchChoice, Step3Choice};
use super::flight_choices::{ContactAnswer, ContactChoice, CvMoveChoice, PathAnswer, PathChoice};
use super::piece::Squads;
use super::setup_choices::{Arming, CardsLaid, SetupCards, SetupDeployed, SetupRoles};
use super::stances::{Encounter, StanceAnswer, StanceChoice};
use super::state::Class;
use crate::combat::spread;
use crate::geometry::COMPASS;
use crate::scenario::VictoryLines;
use crate::words::{Role, Stance};
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Chance, Choice, Screen, Side};
use flagplot_odds::weights;

impl Choice for SetupCards<'_> {
    fn sample(&self, chance: &mut Chance) -> CardsLaid {
        let geometry = &self.game.rules.geometry;
        let width = geometry.area_width;
        let real = i64::from(chance.below(width as u32 + 1));
        let room = (width - 2 * geometry.card_width).max(1) as u32;
        let shift = geometry.card_width + i64::from(chance.below(room));
        let decoy = (real + shift) % (width + 1);
        let fits = (decoy - real).abs() >= geometry.card_width;
        let far = if real > width / 2 { 0 } else { width };
        self.laid(real, if fits { decoy } else { far })
    }

    /// Every pair with either card real, all alike.
    fn mix(&self) -> Option<Vec<(CardsLaid, u64)>> {
        self.hidden().then(|| self.candidates().into_iter().map(|candidate| (candidate.value, 1)).collect())
    }

    fn instinct(&self, chance: &mut Chance) -> CardsLaid {
        let width = self.game.rules.geometry.area_width;
        let apart = 2500 + i64::from(chance.below(2500));
        let west = i64::from(chance.below((width - apart) as u32));
        let (real, decoy) = if chance.below(2) == 0 { (west, west + apart) } else { (west + apart, west) };
        self.laid(real, decoy)
    }
}

impl Choice for SetupRoles<'_> {
    fn sample(&self, chance: &mut Chance) -> Self::Value {
        let mut pick = |id| *chance.pick(&self.choices(id)).unwrap_or(&Arming::Strike);
        self.combat().map(|id| (id, pick(id))).collect()
    }

    /// One squadron guards or escorts, any of them, the others strike; a side that only has to live keeps two. Now and
    /// then it is one more.
    fn mix(&self) -> Option<Vec<(Self::Value, u64)>> {
        let defends = match self.game.scenario.victory {
            VictoryLines::PullBackTheHorns | VictoryLines::Kamikaze | VictoryLines::PhilippineSea => {
                self.side == Side::First
            }
            _ => false,
        };
        let able = self.able();
        let usual = able.count().min(1 + usize::from(defends));
        let sets = (0..=able.0).map(Squads).filter(|set| set.without(able).is_empty());
        let weight = |set: &Squads| match set.count() {
            count if count == usual => 3,
            count if count == usual + 1 => 1,
            _ => 0,
        };
        Some(sets.map(|set| (self.armed(set), weight(&set))).filter(|(_, weight)| *weight > 0).collect())
    }

    fn instinct(&self, chance: &mut Chance) -> Self::Value {
        let mut mix = self.mix().unwrap_or_default();
        let weights: Vec<u64> = mix.iter().map(|(_, weight)| *weight).collect();
        match chance.weighted(&weights) {
            Some(at) => mix.swap_remove(at).0,
            None => self.sample(chance),
        }
    }
}

impl Choice for SetupDeployed<'_> {}

impl Choice for ChooseAction<'_> {
    fn sample(&self, chance: &mut Chance) -> Action {
        self.game.sample_action(self.table, self.side, chance)
    }

    fn instinct(&self, chance: &mut Chance) -> Action {
        self.game.instinct_action(self.table, self.side, chance)
    }
}

impl Choice for ShedChoice<'_> {}

impl Choice for StanceChoice<'_> {
    fn sample(&self, chance: &mut Chance) -> StanceAnswer {
        let stance = Stance::ALL[chance.below(3) as usize];
        let due = self.skill().markers();
        let red = if due == 0 { 0 } else { chance.below(u32::from(due) + 1) as u8 };
        self.with(stance, red)
    }

    /// From the exact worth of every pair of plays, markers included.
    fn mix(&self) -> Option<Vec<(StanceAnswer, u64)>> {
        let duel = self.game.duel(self.table, self.encounter);
        let (plays, shares): (Vec<_>, Vec<_>) = duel
            .mix(self.side)
            .map(|((stance, markers), share)| (StanceAnswer { stance, markers }, share.clone()))
            .unzip();
        Some(plays.into_iter().zip(weights(&shares)?).collect())
    }

    fn instinct(&self, chance: &mut Chance) -> StanceAnswer {
        let stance = Stance::ALL[chance.weighted(&self.usual_mix()).unwrap_or(1)];
        let due = self.skill().markers();
        // Attackers add hits, those under fire save their own skins.
        let red = match self.encounter {
            Encounter::Flak(id) if self.side == id.side() => 0,
            Encounter::Strike(id) if self.side == id.side() => due,
            _ => chance.below(u32::from(due) + 1) as u8,
        };
        self.with(stance, red)
    }
}

impl Choice for PathChoice<'_> {
    fn sample(&self, chance: &mut Chance) -> PathAnswer {
        if let Some(card) = self.to_card() {
            let to = self.game.straight_to_card(self.table, self.squadrons, card);
            return if chance.below(4) == 0 { PathAnswer::default() } else { self.legal(to).unwrap_or_default() };
        }
        if chance.below(3) == 0 || self.allowance < 1 {
            return PathAnswer::default();
        }
        self.game
            .sample_point(self.table, self.squadrons, self.allowance, chance)
            .and_then(|to| self.legal(to))
            .unwrap_or_default()
    }

    fn instinct(&self, chance: &mut Chance) -> PathAnswer {
        if let Some(card) = self.to_card() {
            return self.legal(self.game.straight_to_card(self.table, self.squadrons, card)).unwrap_or_default();
        }
        self.game
            .instinct_path(self.table, self.table.phasing, self.squadrons, self.allowance, chance)
            .and_then(|to| self.legal(to))
            .unwrap_or_default()
    }
}

impl Choice for CvMoveChoice<'_> {}

impl Choice for ContactChoice<'_> {
    fn listed(&self) -> bool {
        true
    }

    fn instinct(&self, chance: &mut Chance) -> ContactAnswer {
        let fighters = self.fighters();
        let strength = |set: Squads| set.iter().map(|id| i64::from(self.table[id].last_seen)).sum::<i64>();
        // Bombers and scouts are worth meeting; fighters only at even strength.
        let foes = self.movers;
        let fighters_seen = foes.iter().all(|id| {
            self.table[id].shown_role == Some(Role::Fighter)
                || self.table[id].report.is_some_and(|report| report.class == Class::Fighters)
        });
        let worth =
            if fighters_seen { strength(fighters) >= strength(foes) } else { strength(fighters) * 2 >= strength(foes) };
        if !fighters.is_empty() && worth {
            return ContactAnswer::Intercept { squadrons: fighters.iter().collect() };
        }
        // Toward home, as far as that goes.
        let home = self.game.haven(self.table, self.met.side());
        let from = self.met.first().map_or(Point::default(), |id| self.table[id].pos);
        let lines = self.lines();
        let best = lines.iter().min_by_key(|(line, _)| home.map_or(0, |home| (from + *line).dist2(home)));
        match best {
            Some((line, _)) => ContactAnswer::GiveWay { line: *line },
            None => self.sample(chance),
        }
    }
}

impl Choice for MatchChoice {}

impl Choice for JoinChoice {}

impl Choice for AllocateChoice<'_> {
    fn instinct(&self, _: &mut Chance) -> Self::Value {
        self.by(spread)
    }
}

impl Choice for BreakOffChoice<'_> {
    fn listed(&self) -> bool {
        true
    }

    fn instinct(&self, _: &mut Chance) -> Point {
        let from = self.squadrons.first().map_or(Point::default(), |id| self.table[id].pos);
        let home = self.game.haven(self.table, self.squadrons.side()).unwrap_or(from);
        COMPASS
            .iter()
            .copied()
            .filter(|line| self.inside(*line))
            .min_by_key(|line| (from + *line).dist2(home))
            .unwrap_or(COMPASS[0])
    }
}

impl Choice for Step3Choice<'_> {
    fn instinct(&self, chance: &mut Chance) -> Self::Value {
        // A strike presses on, everybody else gets away.
        let ways = self.ways();
        let wanted = if self.against_strike { "Fly toward the target" } else { "Fly away from the attackers" };
        match ways.iter().find(|(_, label)| *label == wanted) {
            Some((line, _)) => self.all_by(*line),
            None => self.sample(chance),
        }
    }
}
