//! Surface actions: engagement, evasion, fire, effects, withdrawal. [6.2, C-13, C-20]

use super::NavalGame;
use super::choices::{Engage, EngageOption, Evade, StandOrEvade};
use super::gun_choices::{FireOrders, Salvos, Withdraw};
use super::screens::{light_piece, mark_piece};
use super::state::{Fire, Gun, Mark, NavalState, Open, Phase, Status};
use super::strike::by_side;
use crate::hits;
use crate::messages::counted;
use crate::nation::majority;
use crate::naval::{self, Activity, Firers};
use crate::rule;
use crate::scenarios::Contact;
use flagplot_kernel::{Ask, Asked, BySide, D6, Effect, Note, Side};

impl Open {
    pub(crate) fn is_engaged(&self, group: u8) -> bool {
        self.engaged.iter().any(|pair| pair.0 == group || pair.1 == group)
    }

    /// The group that a group is engaged with.
    pub(crate) fn opponent(&self, group: u8) -> Option<u8> {
        self.engaged.iter().find_map(
            |&(one, other)| {
                if one == group { Some(other) } else { (other == group).then_some(one) }
            },
        )
    }
}

impl NavalGame {
    /// What a die must show for a group to get away from another: 1 or less is certain. [C-13]
    pub(crate) fn escape(&self, open: &Open, own: u8, enemy: u8) -> i32 {
        let data = &self.rules.naval.withdrawal;
        match (self.fast(open, own), self.fast(open, enemy)) {
            (true, _) => data.needed - data.all_fast_bonus,
            (false, true) => data.needed - data.slow_from_fast_penalty,
            (false, false) => data.needed,
        }
    }

    /// Whether a group evades another without a roll. [C-13]
    pub(crate) fn evades_freely(&self, open: &Open, own: u8, enemy: u8) -> bool {
        self.fast(open, own) && !self.fast(open, enemy)
    }

    /// One own group may engage one that was found. [6.2]
    pub(crate) fn engage(&self, state: &mut NavalState, side: Side, ask: &mut impl Ask) -> Asked<()> {
        let open = &mut state.open;
        let done = |side: Side| if side == self.attacker() { Phase::Engage(side.other()) } else { Phase::Orders(0) };
        let choice = Engage { game: self, open, side };
        let mut option = EngageOption::None;
        if choice.open().len() > 1 {
            option = ask.decide(&choice)?;
        }
        open.phase = match option {
            EngageOption::None => done(side),
            EngageOption::Engage(own, enemy) => {
                ask.note(|| {
                    let text = format!("{} engages {}.", self.group_name(own), self.group_name(enemy));
                    Note::new("engage", text).by(&[rule::NAVAL_ROUND]).pieces(self.ids([own, enemy]))
                });
                Phase::Evade { by: side.other(), own: enemy, enemy: own }
            }
        };
        Ok(())
    }

    fn ids<const N: usize>(&self, groups: [u8; N]) -> [String; N] {
        groups.map(|group| self.facts.groups[usize::from(group)].id.clone())
    }

    /// The group that is engaged stands or evades. [C-13]
    pub(crate) fn evade(&self, state: &mut NavalState, own: u8, enemy: u8, ask: &mut impl Ask) -> Asked<()> {
        let open = &mut state.open;
        let evades = ask.decide(&Evade { game: self, open, own, enemy })? == StandOrEvade::Evade;
        let away = evades && (self.evades_freely(open, own, enemy) || self.gets_away(open, own, enemy, ask)?);
        ask.note(|| {
            let name = self.group_name(own);
            let text = match (evades, away) {
                (_, true) => format!("{name} evades."),
                (true, false) => format!("{name} cannot get away and must fight."),
                (false, false) => format!("{name} stands and fights."),
            };
            Note::new("evade", text).by(&[rule::C_13]).pieces(self.ids([own]))
        });
        if !away {
            let attacker = self.attacker();
            let pair = if self.side_of_group(own) == attacker { (own, enemy) } else { (enemy, own) };
            open.engaged.push(pair);
        }
        let by = self.side_of_group(enemy);
        open.phase = if by == self.attacker() { Phase::Engage(by.other()) } else { Phase::Orders(0) };
        Ok(())
    }

    /// The roll to get away. [C-13]
    fn gets_away(&self, open: &Open, own: u8, enemy: u8, ask: &mut impl Ask) -> Asked<bool> {
        let needed = self.escape(open, own, enemy);
        let roll =
            ask.roll_as(D6, format_args!("{} gets away", self.group_name(own)), |face| i32::from(face) >= needed)?;
        ask.note(|| {
            let text = format!("{} needs {needed} or more to get away.", self.group_name(own));
            Note::new("escape", text).detail().by(&[rule::C_13]).dice(&roll.face.map_or(Vec::new(), |face| vec![face]))
        });
        Ok(roll.read)
    }

    /// The pair of groups that fires now, by side.
    pub(crate) fn pair(&self, open: &Open, at: u8) -> Option<BySide<u8>> {
        if self.scenario.contact == Contact::Engaged {
            if at > 0 {
                return None;
            }
            let group = |side| self.present_of(open, side).next();
            return Some(BySide { first: group(Side::First)?, second: group(Side::Second)? });
        }
        open.engaged.get(usize::from(at)).map(|pair| by_side(self.attacker(), *pair))
    }

    /// Both sides of an engaged pair give their fire orders, sealed. [C-20]
    pub(crate) fn orders(&self, state: &mut NavalState, at: u8, ask: &mut impl Ask) -> Asked<()> {
        let Some(pair) = self.pair(&state.open, at) else {
            state.open.phase = self.after_fire(&state.open);
            return Ok(());
        };
        if self.scenario.contact == Contact::Engaged {
            let attacker = self.attacker();
            state.open.engaged = vec![(pair[attacker], pair[attacker.other()])];
        }
        let open = &state.open;
        let sides = [self.attacker(), self.attacker().other()];
        let choices = sides.map(|side| FireOrders::new(self, open, side, pair));
        let asked = match choices.each_ref().map(|choice| self.fleet_factors(open, choice.own) > 0) {
            [true, true] => &choices[..],
            [true, false] => &choices[..1],
            [false, true] => &choices[1..],
            [false, false] => &[],
        };
        let said = match asked {
            [] => Vec::new(),
            [one] => vec![ask.decide(one)?],
            several => ask.in_secret(several)?,
        };
        let mut fire: Vec<Fire> = Vec::with_capacity(8);
        for (choice, said) in asked.iter().zip(said) {
            let Ok(Salvos(salvos)) = choice.take(said) else { continue };
            let first = fire.len();
            for (gun, mark) in salvos {
                match fire[first..].iter_mut().find(|order| order.target == mark) {
                    Some(order) => order.guns.push(gun),
                    None => fire.push(Fire { side: choice.side, target: mark, guns: vec![gun], hits: 0 }),
                }
            }
            if fire.len() == first {
                ask.note(|| {
                    let text = format!("The {} hold their fire.", super::SIDES[choice.side]);
                    Note::new("no-fire", text).by(&[rule::C_20])
                });
            }
        }
        state.open.fire = fire;
        state.open.phase = Phase::Shot { pair: at, at: 0 };
        Ok(())
    }

    /// What a firer fires with. [C-11]
    pub(crate) fn firers(&self, open: &Open, group: u8, gun: Gun) -> Firers {
        let firers = |nation, factors, five_factor| Firers {
            nation,
            factors,
            five_factor,
            submarine: false,
            supply: Default::default(),
        };
        let group = &open.groups[usize::from(group)];
        match gun {
            Gun::Ship(at) => {
                let ship = self.ship(at);
                firers(ship.nation, ship.size, Firers::is_five_factor(ship.kind, ship.size))
            }
            Gun::Cruisers => firers(group.nation, 2 * self.firing_cruisers(&group.lights), false),
            Gun::Destroyers => firers(group.nation, group.lights.destroyers, false),
        }
    }

    pub(crate) fn activity(&self, open: &Open, own: u8, enemy: u8) -> Activity {
        Activity {
            attacker_encumbered: open.groups[usize::from(own)].encumbered,
            target_encumbered: open.groups[usize::from(enemy)].encumbered,
        }
    }

    /// The fleet factors of an attack, and what it adds to its dice. [3.8]
    pub(crate) fn fire_modifier(&self, open: &Open, pair: BySide<u8>, order: &Fire) -> (u32, i32) {
        let (own, enemy) = (pair[order.side], pair[order.side.other()]);
        let firers: Vec<Firers> = order.guns.iter().map(|gun| self.firers(open, own, *gun)).collect();
        let drm = majority(firers.iter().map(|firers| (firers.drm::<i32>(&self.rules), firers.factors)));
        let target = self.target(open, enemy, order.target, self.screened(open, enemy));
        let activity = self.activity(open, own, enemy);
        let encumbered = i32::from(activity.target_encumbered) - i32::from(activity.attacker_encumbered);
        let factors = firers.iter().map(|firers| firers.factors).sum();
        (factors, drm - target.drm::<i32>(&self.rules) + encumbered)
    }

    /// One attack; its effect waits for the others. [22.55]
    pub(crate) fn shot(&self, state: &mut NavalState, pair_at: u8, at: u8, ask: &mut impl Ask) -> Asked<()> {
        let open = &state.open;
        let (Some(order), Some(pair)) = (open.fire.get(usize::from(at)), self.pair(open, pair_at)) else {
            state.open.phase = Phase::Effects(pair_at);
            return Ok(());
        };
        let (own, enemy) = (pair[order.side], pair[order.side.other()]);
        let target = self.target(open, enemy, order.target, self.screened(open, enemy));
        ask.note(|| {
            let names: Vec<&str> = order.guns.iter().map(|gun| self.gun_name(*gun)).collect();
            let (side, mark) = (super::SIDES[order.side], self.mark_name(order.target));
            let text = format!("The {side} fire on {mark} with {}.", names.join(", "));
            let guns = order.guns.iter().map(|gun| match gun {
                Gun::Ship(at) => self.ship(*at).id.clone(),
                Gun::Cruisers | Gun::Destroyers => light_piece(self, own),
            });
            Note::new("fire", text).by(&[rule::C_20]).pieces(guns).on([mark_piece(self, enemy, order.target)])
        });
        let firers: Vec<Firers> = order.guns.iter().map(|gun| self.firers(open, own, *gun)).collect();
        let attack = naval::fleet_attack(&self.rules, &firers, &target, self.activity(open, own, enemy), ask)?;
        state.open.fire[usize::from(at)].hits = attack.hits as u8;
        let more = usize::from(at) + 1 < state.open.fire.len();
        state.open.phase = if more { Phase::Shot { pair: pair_at, at: at + 1 } } else { Phase::Effects(pair_at) };
        Ok(())
    }

    /// All effects of a pair's fire together. [22.55, C-14]
    pub(crate) fn effects(&self, state: &mut NavalState, pair_at: u8, ask: &mut impl Ask) -> Asked<()> {
        let open = &state.open;
        let Some(pair) = self.pair(open, pair_at) else {
            state.open.phase = Phase::Orders(pair_at + 1);
            return Ok(());
        };
        let screened = pair.map(|group| self.screened(open, group));
        let mut lights = BySide { first: None, second: None };
        for order in &open.fire {
            let side = order.side.other();
            if order.target == Mark::Light && order.hits > 0 {
                let all = open.groups[usize::from(pair[side])].lights;
                let mut under_fire = all;
                if screened[side] {
                    (under_fire.cves, under_fire.transports) = (0, 0);
                }
                let mut effect = hits::light_after(&under_fire, &[], order.hits.into());
                effect = self.sunk_classes(open, pair[side], effect, ask)?;
                if screened[side] {
                    (effect.remaining.cves, effect.remaining.transports) = (all.cves, all.transports);
                    ask.note(|| {
                        let text = "Escort carriers and transports are behind the screen.";
                        Note::new("screen", text).detail().by(&[rule::C_14])
                    });
                }
                lights[side] = Some(effect);
            }
        }
        let fire = std::mem::take(&mut state.open.fire);
        for order in &fire {
            if let Mark::Ship(at) = order.target {
                let before = state.open.ships[usize::from(at)].state();
                let after = hits::ship_after(self.ship(at).size, before, order.hits.into(), &self.rules.naval.damage);
                self.ship_hit(state, at, after.into(), ask);
            }
        }
        for side in Side::BOTH {
            if let Some(effect) = lights[side] {
                self.light_hit(state, pair[side], effect);
                ask.note(|| {
                    let text = format!(
                        "{} loses {} and {} of one factor.",
                        self.group_name(pair[side]),
                        counted(effect.cruisers_sunk, "cruiser"),
                        counted(effect.one_factor_sunk, "ship")
                    );
                    let pieces = [self.ids([pair[side]]), [light_piece(self, pair[side])]].concat();
                    let sunk = effect.cruisers_sunk + effect.one_factor_sunk;
                    Note::new("light-ships", text).by(&[rule::HITS]).pieces(pieces).effect(Effect::of(sunk))
                });
            }
        }
        state.open.phase = Phase::Orders(pair_at + 1);
        Ok(())
    }

    /// After the last pair: withdrawal, unless the battle ends with this round. [6.2]
    fn after_fire(&self, open: &Open) -> Phase {
        if u32::from(open.round) >= self.scenario.rounds { Phase::RoundEnd } else { Phase::Withdraw(self.attacker()) }
    }

    /// The groups of a side that withdraw. [C-13, C-23]
    pub(crate) fn withdraw(&self, state: &mut NavalState, side: Side, ask: &mut impl Ask) -> Asked<()> {
        let open = &state.open;
        let asked = self.present_of(open, side).next().is_some() && self.fights(open, side.other());
        let mut leavers = Vec::new();
        if asked {
            let choice = Withdraw { game: self, open, side };
            let said = ask.decide(&choice)?;
            leavers = choice.take(said).map(|leavers| leavers.0).unwrap_or_default();
        }
        for group in leavers {
            let enemy = state.open.opponent(group).filter(|enemy| self.present(&state.open, *enemy));
            let away = match enemy {
                Some(enemy) => self.gets_away(&state.open, group, enemy, ask)?,
                None => true,
            };
            if away {
                state.open.groups[usize::from(group)].status = Status::Withdrawn;
            }
            ask.note(|| {
                let name = self.group_name(group);
                let text = if away { format!("{name} withdraws.") } else { format!("{name} cannot get away.") };
                Note::new("withdraw", text).by(&[rule::C_13]).pieces(self.ids([group]))
            });
        }
        state.open.phase = if side == self.attacker() { Phase::Withdraw(side.other()) } else { Phase::RoundEnd };
        Ok(())
    }
}
