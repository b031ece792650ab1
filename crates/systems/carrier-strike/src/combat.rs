//! Shifts, hits, breaking off: one combat in the air, one strike, one burst of flak.
//!
//! The game, the referee and the odds all fight with these functions.

use crate::data::{AaBonus, AaTable, Rules};
use crate::rule;
use crate::words::{Markers, Role, Stance, Status};
use flagplot_kernel::{Ask, Asked, D6, Effect, Modifier, Note, Rule};
use flagplot_referee::{Shaped, int, map};
use serde::{Deserialize, Serialize};
use std::fmt::Display;

/// What moves the column, by name. All of it is added up before the column is clamped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(with = map(int(-20, 20), 12))]
pub struct ShiftParts {
    pub stance: i8,
    pub die: i8,
    #[serde(skip_serializing_if = "none")]
    pub fighters_v_strike: i8,
    #[serde(skip_serializing_if = "none")]
    pub fighters_v_rl_1: i8,
    #[serde(skip_serializing_if = "none")]
    pub strike_or_rl_1_v_fighters: i8,
    #[serde(skip_serializing_if = "none")]
    pub own_red_markers: i8,
    #[serde(skip_serializing_if = "none")]
    pub enemy_blue_markers: i8,
    #[serde(skip_serializing_if = "none")]
    pub kamikaze: i8,
    #[serde(skip_serializing_if = "none")]
    pub aa_v_kamikaze: i8,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde hands over a reference
fn none(part: &i8) -> bool {
    *part == 0
}

impl ShiftParts {
    pub fn total(&self) -> i8 {
        self.stance
            + self.die
            + self.fighters_v_strike
            + self.fighters_v_rl_1
            + self.strike_or_rl_1_v_fighters
            + self.own_red_markers
            + self.enemy_blue_markers
            + self.kamikaze
            + self.aa_v_kamikaze
    }

    fn named(&self) -> Vec<Modifier> {
        let parts: [(&str, i8, Rule); 7] = [
            ("fighters_v_strike", self.fighters_v_strike, rule::AIR_COMBAT),
            ("fighters_v_rl_1", self.fighters_v_rl_1, rule::R_30),
            ("strike_or_rl_1_v_fighters", self.strike_or_rl_1_v_fighters, rule::R_29),
            ("own_red_markers", self.own_red_markers, rule::PILOT_SKILL),
            ("enemy_blue_markers", self.enemy_blue_markers, rule::PILOT_SKILL),
            ("kamikaze", self.kamikaze, rule::KAMIKAZE),
            ("aa_v_kamikaze", self.aa_v_kamikaze, rule::KAMIKAZE),
        ];
        let always = [("stance", self.stance, rule::C_1), ("die", self.die, rule::HITS_INFLICTED)];
        let other = parts.into_iter().filter(|(_, value, _)| *value != 0);
        always.into_iter().chain(other).map(|(name, value, rule)| Modifier::new(name, i64::from(value), rule)).collect()
    }
}

/// A reading of the table of hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Hits {
    /// Aircraft or points for one hit.
    #[shape(1..=12)]
    pub column: u8,
    /// The column, from 0.
    #[shape(0..=8)]
    pub column_index: u8,
    /// Hits.
    #[shape(0..=48)]
    pub hits: u8,
}

/// A die and what the table of hits makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Fire {
    /// Die.
    #[shape(1..=6)]
    pub roll: u8,
    /// Sum of the shifts.
    #[shape(-20..=20)]
    pub shift: i8,
    /// The shifts by name.
    pub shift_parts: ShiftParts,
    /// Aircraft or points for one hit.
    #[shape(1..=12)]
    pub column: u8,
    /// Hits by the table.
    #[shape(0..=72)]
    pub hits: u8,
}

/// One side of a combat in the air.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    pub role: Role,
    /// Strength and range die of each squadron.
    pub squadrons: &'a [(u8, u8)],
    pub stance: Stance,
    pub markers: Markers,
}

impl Line<'_> {
    pub fn strength(&self) -> u8 {
        self.squadrons.iter().map(|(strength, _)| strength).sum()
    }

    /// Whether at least half of its aircraft are on their last fuel.
    pub fn on_rl_1(&self) -> bool {
        let low: u8 = self.squadrons.iter().filter(|(_, rl)| *rl <= 1).map(|(strength, _)| strength).sum();
        u16::from(low) * 2 >= u16::from(self.strength())
    }
}

/// What a combat did to and by one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct LineResult {
    /// Aircraft before the combat.
    #[shape(0..=72)]
    pub strength: u8,
    #[serde(flatten)]
    pub fire: Fire,
    /// Aircraft lost.
    #[shape(0..=72)]
    pub lost: u8,
    /// Pressure on the enemy.
    #[shape(-20..=20)]
    pub break_off_total: i8,
    /// Whether it must break off.
    pub breaks_off: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Clash {
    pub first: LineResult,
    pub second: LineResult,
}

/// A squadron that meets the guns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Shaped)]
pub struct Striker {
    /// Aircraft.
    #[shape(1..=12)]
    pub strength: u8,
    /// Whether it is a kamikaze squadron.
    #[shape(or = false)]
    pub kamikaze: bool,
    /// How it flies.
    pub stance: Stance,
    /// Markers played.
    #[shape(or = Markers::default())]
    pub markers: Markers,
}

impl Striker {
    /// Instinctive, without markers.
    pub fn plain(strength: u8, kamikaze: bool) -> Self {
        Self { strength, kamikaze, stance: Stance::Instinctive, markers: Markers::default() }
    }
}

/// The guns of a carrier group.
#[derive(Clone, Copy, Debug)]
pub struct Guns {
    /// Hits the group has taken.
    pub hits: u8,
    pub aa: AaTable,
}

impl Guns {
    pub fn points(&self) -> u8 {
        self.aa[usize::from(self.hits.min(8))]
    }
}

/// What flak did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Flak {
    /// Anti-aircraft points.
    #[shape(0..=24)]
    pub aa_strength: u8,
    #[serde(flatten)]
    pub fire: Fire,
    /// Aircraft lost.
    #[shape(0..=12)]
    pub lost: u8,
}

/// A strike that has been flown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct StrikeResult {
    /// Striker's die.
    #[shape(1..=6)]
    pub strike_roll: u8,
    /// Guns' die.
    #[shape(1..=6)]
    pub aa_roll: u8,
    /// Anti-aircraft points.
    #[shape(0..=24)]
    pub aa_strength: u8,
    /// Shift of the guns.
    #[shape(-20..=20)]
    pub aa_shift: i8,
    /// The same by name.
    pub aa_shift_parts: ShiftParts,
    /// Column of the guns.
    #[shape(1..=12)]
    pub aa_column: u8,
    /// Hits of the guns by the table.
    #[shape(0..=24)]
    pub aa_hits: u8,
    /// Aircraft shot down.
    #[shape(0..=12)]
    pub aircraft_lost_to_aa: u8,
    /// Aircraft left.
    #[shape(0..=12)]
    pub strength_after_aa: u8,
    /// Pressure of the guns.
    #[shape(-20..=40)]
    pub aa_break_off_total: i8,
    /// Whether only half attack.
    pub broken_off: bool,
    /// Aircraft that attack.
    #[shape(0..=12)]
    pub attack_strength: u8,
    /// Shift of the strike.
    #[shape(-20..=20)]
    pub strike_shift: i8,
    /// The same by name.
    pub strike_shift_parts: ShiftParts,
    /// Column of the strike.
    #[shape(1..=12)]
    pub strike_column: u8,
    /// Hits by the table.
    #[shape(0..=12)]
    pub hits_on_cv: u8,
    /// Hits the group has now.
    #[shape(0..=8)]
    pub cv_hits: u8,
    /// How it fares.
    pub cv_status: Status,
    /// Anti-aircraft points left.
    #[shape(0..=24)]
    pub aa_after: u8,
    /// Aircraft left in the end.
    #[shape(0..=12)]
    pub squadron_strength: u8,
}

impl Rules {
    /// Reads the table of hits: the start column, shifted once by the sum, fractions dropped. [Hits inflicted], R-28
    pub fn hits(&self, ask: &mut impl Ask, who: impl Display, strength: u8, parts: ShiftParts, roll: u8) -> Fire {
        let shift = parts.total();
        let Hits { column, hits, .. } = self.hits_for(ask, who, strength, shift, || (parts.named(), vec![roll]));
        Fire { roll, shift, shift_parts: parts, column, hits }
    }

    /// The same for a shift that was given as such.
    pub fn hits_shifted(&self, ask: &mut impl Ask, strength: u8, shift: i8) -> Hits {
        self.hits_for(ask, "given", strength, shift, || {
            (vec![Modifier::new("shift", shift.into(), rule::HITS_INFLICTED)], Vec::new())
        })
    }

    fn hits_for(
        &self,
        ask: &mut impl Ask,
        who: impl Display,
        strength: u8,
        shift: i8,
        from: impl FnOnce() -> (Vec<Modifier>, Vec<u8>),
    ) -> Hits {
        let hits = self.hits_at(strength, shift);
        ask.note(|| {
            let (modifiers, dice) = from();
            let mut note = Note::new(
                "hits",
                format!("{who}: strength {strength}, one hit per {}: {}.", hits.column, counted(hits.hits, "hit")),
            )
            .detail()
            .by(&[rule::HITS_INFLICTED, rule::R_28, rule::C_1])
            .table("hits-inflicted", "shift", format!("1 per {}", hits.column))
            .dice(&dice)
            .outcome(hits.hits);
            note.modifiers = modifiers;
            note
        });
        hits
    }

    /// Reads the combat card aloud: the shift of the hits that one stance inflicts on another.
    fn read_card(&self, ask: &mut impl Ask, who: impl Display, own: Stance, enemy: Stance) {
        ask.note(|| {
            let shift = self.combat_card.shift(own, enemy);
            Note::new("combat-card", format!("{who}: {own} against {enemy} shifts by {shift:+}."))
                .detail()
                .by(&[rule::C_1])
                .table("combat-card", own, format!("against {enemy}"))
                .outcome(shift)
        });
    }

    /// The same for a shift already known.
    pub fn hits_at(&self, strength: u8, shift: i8) -> Hits {
        let index = (self.hits_inflicted.start_column as i8 + shift).clamp(0, 8) as u8;
        let column = self.hits_inflicted.one_hit_per[index as usize];
        Hits { column, column_index: index, hits: strength / column }
    }

    fn die_shift(&self, face: u8) -> i8 {
        self.hits_inflicted.die_shift[usize::from(face.clamp(1, 6)) - 1]
    }

    fn line_shift(&self, own: &Line, enemy: &Line, face: u8) -> ShiftParts {
        let modifiers = &self.modifiers;
        let mut parts = ShiftParts {
            stance: self.combat_card.shift(own.stance, enemy.stance),
            die: self.die_shift(face),
            own_red_markers: modifiers.marker_red * own.markers.red as i8,
            enemy_blue_markers: modifiers.marker_blue * enemy.markers.blue as i8,
            ..ShiftParts::default()
        };
        if own.role == Role::Fighter && enemy.role == Role::Strike {
            parts.fighters_v_strike = modifiers.fighters_v_strike;
        }
        if own.role == Role::Fighter && enemy.on_rl_1() {
            parts.fighters_v_rl_1 = modifiers.fighters_v_rl_1;
        }
        if enemy.role == Role::Fighter && (own.role == Role::Strike || own.on_rl_1()) {
            parts.strike_or_rl_1_v_fighters = modifiers.strike_or_rl_1_v_fighters;
        }
        parts
    }

    /// One combat between squadrons: a die each, the first side's first. [Air combat 2-5], R-59
    ///
    /// The owners still have to allocate the hits and to choose where they break off to. `ids` stand for the dice,
    /// which records bind to these words, so that they may never change; `names` stand in sentences.
    pub fn air_combat(
        &self,
        ask: &mut impl Ask,
        first: &Line,
        second: &Line,
        ids: [&dyn Display; 2],
        names: [&dyn Display; 2],
    ) -> Asked<Clash> {
        let faces = [ask.roll(D6, ids[0])?, ask.roll(D6, ids[1])?];
        Ok(self.fought_out(ask, first, second, names, faces))
    }

    /// The same where only what a face does is of interest: faces with the same effect are one branch for the odds.
    pub fn air_combat_in_short(
        &self,
        ask: &mut impl Ask,
        first: &Line,
        second: &Line,
        names: [&dyn Display; 2],
    ) -> Asked<Clash> {
        let card = &self.combat_card;
        let lead = card.aggression(first.stance) - card.aggression(second.stance);
        let mut faces = [0; 2];
        for (n, face) in faces.iter_mut().enumerate() {
            let lead = if n == 0 { lead } else { -lead };
            let effect = |face: u8| (self.die_shift(face), face as i8 + lead >= card.break_off_at);
            // The least face with the same effect stands for all of them.
            let roll = ask.roll_as(D6, names[n], |face| {
                (1..=face).find(|least| effect(*least) == effect(face)).unwrap_or(face)
            })?;
            *face = roll.face.unwrap_or(roll.read);
        }
        Ok(self.fought_out(ask, first, second, names, faces))
    }

    fn fought_out(
        &self,
        ask: &mut impl Ask,
        first: &Line,
        second: &Line,
        names: [&dyn Display; 2],
        faces: [u8; 2],
    ) -> Clash {
        let parts = [self.line_shift(first, second, faces[0]), self.line_shift(second, first, faces[1])];
        let strengths = [first.strength(), second.strength()];
        let fires = [(0, first, second), (1, second, first)].map(|(at, own, enemy)| {
            self.read_card(ask, names[at], own.stance, enemy.stance);
            self.hits(ask, names[at], strengths[at], parts[at], faces[at])
        });
        let lost = [fires[1].hits.min(strengths[0]), fires[0].hits.min(strengths[1])];
        let aggression = [self.combat_card.aggression(first.stance), self.combat_card.aggression(second.stance)];
        let totals = [faces[0] as i8 + aggression[0] - aggression[1], faces[1] as i8 + aggression[1] - aggression[0]];
        let fought_out = lost[0] < strengths[0] && lost[1] < strengths[1];
        let presses = |at: usize| fought_out && totals[at] >= self.combat_card.break_off_at;
        // Fighters that attack bombers never break off.
        let hunting = first.role == Role::Fighter && second.role == Role::Strike;
        let breaks = [presses(1) && !hunting, presses(0)];
        let lines = [first, second];
        for (own, enemy) in [(0, 1), (1, 0)] {
            ask.note(|| {
                let mut note = Note::new(
                    "break-off",
                    format!(
                        "{}: pressure {} ({} drives off); the enemy {}.",
                        names[own],
                        totals[own],
                        self.combat_card.break_off_at,
                        if breaks[enemy] { "breaks off" } else { "stays" }
                    ),
                )
                .detail()
                .by(&[rule::BREAK_OFF, rule::R_59])
                .table("break-off", lines[own].stance, format!("against {}", lines[enemy].stance))
                .dice(&[faces[own]])
                .modifier(Modifier::new("aggression", aggression[own].into(), rule::C_1))
                .modifier(Modifier::new("enemy_aggression", -i64::from(aggression[enemy]), rule::C_1))
                .outcome(breaks[enemy]);
                if !fought_out {
                    note = note.by(&[rule::R_37]);
                }
                note
            });
        }
        let result = |at: usize| LineResult {
            strength: strengths[at],
            fire: fires[at],
            lost: lost[at],
            break_off_total: totals[at],
            breaks_off: breaks[at],
        };
        Clash { first: result(0), second: result(1) }
    }

    fn guns(&self, ask: &mut impl Ask, face: u8, target: &Striker, aa_stance: Stance, guns: &Guns) -> Flak {
        let points = guns.points();
        let mut parts = ShiftParts {
            stance: self.combat_card.shift(aa_stance, target.stance),
            die: self.die_shift(face),
            enemy_blue_markers: self.modifiers.marker_blue * target.markers.blue as i8,
            ..ShiftParts::default()
        };
        if target.kamikaze {
            parts.aa_v_kamikaze = self.modifiers.aa_v_kamikaze;
        }
        ask.note(|| {
            let note = Note::new("guns", format!("The carrier group fires with {points} points."))
                .detail()
                .by(&[rule::CARRIERS, rule::C_2, rule::R_67])
                .outcome(points);
            // Guns of a scenario's own are not on the chart.
            if guns.aa == self.carrier.aa_by_hits { note.table("anti-aircraft", "guns", guns.hits) } else { note }
        });
        self.read_card(ask, "anti-aircraft", aa_stance, target.stance);
        let fire = self.hits(ask, "anti-aircraft", points, parts, face);
        Flak { aa_strength: points, fire, lost: fire.hits.min(target.strength) }
    }

    /// Guns fire at a squadron over the carrier; only they roll. [Anti-aircraft fire], R-35
    pub fn aa_fire(&self, ask: &mut impl Ask, target: &Striker, aa_stance: Stance, guns: &Guns) -> Asked<Flak> {
        let face = ask.roll(D6, "anti-aircraft")?;
        let flak = self.guns(ask, face, target, aa_stance, guns);
        ask.note(|| {
            Note::new("flak", format!("Flak shoots down {}.", counted(flak.lost, "aircraft")))
                .by(&[rule::AA_FIRE, rule::R_35])
                .dice(&[face])
                .outcome(flak.lost)
                .effect(Effect::of(flak.lost))
        });
        Ok(flak)
    }

    /// One squadron attacks a carrier group: the guns first, then what is left of the attack. [Strike 2-6]
    pub fn strike(&self, ask: &mut impl Ask, striker: &Striker, aa_stance: Stance, guns: &Guns) -> Asked<StrikeResult> {
        let strike_roll = ask.roll(D6, "striker")?;
        let aa_roll = ask.roll(D6, "anti-aircraft")?;
        let flak = self.guns(ask, aa_roll, striker, aa_stance, guns);
        let left = striker.strength - flak.lost;
        let card = &self.combat_card;
        let bonus = match card.aa_break_off_bonus {
            AaBonus::Hits => flak.lost as i8,
            AaBonus::Flat2 => 2,
        };
        let total = aa_roll as i8 + card.aggression(aa_stance) + bonus - card.aggression(striker.stance);
        let broken_off = left > 0 && total >= card.break_off_at;
        let attack_strength = if broken_off { left.div_ceil(2) } else { left };
        ask.note(|| {
            Note::new(
                "aa-break-off",
                format!("Guns: pressure {total}; {attack_strength} of {} press the attack.", counted(left, "aircraft")),
            )
            .detail()
            .by(&[rule::STRIKE_ATTACK, rule::R_32])
            .dice(&[aa_roll])
            .modifier(Modifier::new("aggression", card.aggression(aa_stance).into(), rule::C_1))
            .modifier(Modifier::new("shot_down", bonus.into(), rule::R_32))
            .modifier(Modifier::new("enemy_aggression", -i64::from(card.aggression(striker.stance)), rule::C_1))
            .outcome(broken_off)
        });
        let mut parts = ShiftParts {
            stance: card.shift(striker.stance, aa_stance),
            die: self.die_shift(strike_roll),
            own_red_markers: self.modifiers.marker_red * striker.markers.red as i8,
            ..ShiftParts::default()
        };
        if striker.kamikaze {
            parts.kamikaze = self.modifiers.kamikaze_strike;
        }
        self.read_card(ask, "striker", striker.stance, aa_stance);
        let fire = self.hits(ask, "striker", attack_strength, parts, strike_roll);
        let after = guns.hits.saturating_add(fire.hits).min(self.carrier.steps);
        let status = self.carrier.status(after);
        ask.note(|| {
            let note = Note::new(
                "strike",
                format!(
                    "The strike scores {}; the carrier group has {after} and is {}.",
                    counted(fire.hits, "hit"),
                    status
                ),
            )
            .by(&[rule::STRIKE_ATTACK, rule::R_59, rule::R_67])
            .dice(&[strike_roll, aa_roll])
            .outcome(after)
            .effect(Effect::of(fire.hits));
            if striker.kamikaze { note.by(&[rule::KAMIKAZE, rule::R_54]) } else { note }
        });
        Ok(StrikeResult {
            strike_roll,
            aa_roll,
            aa_strength: flak.aa_strength,
            aa_shift: flak.fire.shift,
            aa_shift_parts: flak.fire.shift_parts,
            aa_column: flak.fire.column,
            aa_hits: flak.fire.hits,
            aircraft_lost_to_aa: flak.lost,
            strength_after_aa: left,
            aa_break_off_total: total,
            broken_off,
            attack_strength,
            strike_shift: fire.shift,
            strike_shift_parts: parts,
            strike_column: fire.column,
            hits_on_cv: fire.hits,
            cv_hits: after,
            cv_status: status,
            aa_after: Guns { hits: after, ..*guns }.points(),
            squadron_strength: if striker.kamikaze { 0 } else { left },
        })
    }
}

/// One hit at a time off the strongest squadron, the first listed on ties.
pub fn spread(strengths: &mut [u8], hits: u8) {
    for _ in 0..hits {
        let mut strongest = 0;
        for at in 1..strengths.len() {
            if strengths[at] > strengths[strongest] {
                strongest = at;
            }
        }
        if let Some(strength) = strengths.get_mut(strongest) {
            *strength = strength.saturating_sub(1);
        }
    }
}

/// Off the squadrons in order, each emptied before the next.
pub fn in_order(strengths: &mut [u8], mut hits: u8) {
    for strength in strengths {
        let taken = hits.min(*strength);
        *strength -= taken;
        hits -= taken;
    }
}

/// "1 hit", "2 hits".
pub(crate) fn counted(n: u8, what: &str) -> String {
    if n == 1 || what == "aircraft" { format!("{n} {what}") } else { format!("{n} {what}s") }
}
