//! Damage control, repairs and burning. [C-20]

use crate::critical::Harm;
use crate::hit::take_damage;
use crate::rule;
use crate::rules::Rules;
use crate::ship::{Condition, Sheet};
use crate::ship_tests::{Sinking, WreckCause};
use crate::volley::{Modifiers, Test};
use crate::words::*;
use flagplot_kernel::{Ask, Asked, D6, Note, Refusal};
use flagplot_referee::Shaped;
use serde::{Deserialize, Serialize};

/// Teams set to one repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct Repair {
    /// Item to repair.
    pub item: RepairItem,
    /// Teams on the repair.
    #[shape(1..=99)]
    pub teams: i32,
}

/// How a ship shares out her teams.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct DamageControl {
    /// Teams of the ship.
    #[shape(0..=99)]
    pub dc: i32,
    /// Crew quality.
    #[shape(-9..=2, or = 0)]
    pub crew_quality: i32,
    /// Fires aboard.
    #[shape(0..=99, or = 0)]
    pub fires: i32,
    /// Teams that fight the fires.
    #[shape(0..=99, or = 0)]
    pub teams_on_fires: i32,
    /// Repairs by the other teams.
    #[shape(items = 0..=20, or = [])]
    pub repairs: Vec<Repair>,
}

/// What the teams achieved.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Repaired {
    /// Fires left.
    pub fires: i32,
    /// What is added against the fires.
    pub fire_modifier: i32,
    /// How the fight against the fires went.
    pub fire_fighting: FireFighting,
    /// Items repaired.
    #[serde(rename = "repaired")]
    #[shape(items = 0..=5)]
    pub items: Vec<RepairItem>,
    /// Knots won back.
    pub speed_restored: i32,
}

impl DamageControl {
    /// Whether the teams can be shared out like this.
    pub fn check(&self) -> Result<(), Refusal> {
        let teams = self.teams_on_fires + self.repairs.iter().map(|repair| repair.teams).sum::<i32>();
        if teams > self.dc {
            let text = format!("{teams} teams are assigned; the ship has {}.", self.dc);
            return Err(Refusal::new("too-many-teams", text).by(rule::C_20));
        }
        for (at, repair) in self.repairs.iter().enumerate() {
            if self.repairs[..at].iter().any(|before| before.item == repair.item) {
                let text = format!("{} is repaired twice; each item can be tried once a turn.", repair.item);
                return Err(Refusal::new("not-allowed", text).by(rule::C_20));
            }
        }
        Ok(())
    }

    /// Fires first, then the repairs in the order given.
    pub fn work(&self, rules: &Rules, ask: &mut impl Ask) -> Asked<Repaired> {
        let mut done = Repaired {
            fires: self.fires,
            fire_modifier: 0,
            fire_fighting: FireFighting::None,
            items: Vec::new(),
            speed_restored: 0,
        };
        if self.fires > 0 {
            self.fight_fires(rules, &mut done, ask)?;
        }
        for repair in &self.repairs {
            self.repair(rules, *repair, &mut done, ask)?;
        }
        Ok(done)
    }

    fn fight_fires(&self, rules: &Rules, done: &mut Repaired, ask: &mut impl Ask) -> Asked<()> {
        let teams = rules.band(self.teams_on_fires);
        let modifiers = Modifiers::new()
            .with("crew quality", self.crew_quality, rule::C_20)
            .with("teams", teams, rule::BANDS)
            .with("fires", -rules.band(self.fires), rule::BANDS);
        done.fire_modifier = modifiers.total();
        let test = Test {
            what: "fire-fighting",
            name: "Fighting the fires",
            rules: &[rule::C_20],
            modifiers,
            needed: rules.needs.test_pass_d10,
            words: ("won", "lost"),
        };
        if test.roll(ask)? {
            done.fire_fighting = FireFighting::Won;
            done.fires = (self.fires - teams).max(0);
        } else {
            done.fire_fighting = FireFighting::Lost;
            done.fires += 1;
        }
        Ok(())
    }

    fn repair(&self, rules: &Rules, repair: Repair, done: &mut Repaired, ask: &mut impl Ask) -> Asked<()> {
        let name = format!("Repair of {}", repair.item);
        let modifiers = Modifiers::new().with("crew quality", self.crew_quality, rule::C_20).with(
            "teams",
            rules.band(repair.teams),
            rule::BANDS,
        );
        let test = Test {
            what: "repair",
            name: &name,
            rules: &[rule::C_20, rule::R_38],
            modifiers,
            needed: rules.needs.repair_pass_d10,
            words: ("repaired", "not repaired"),
        };
        if !test.roll(ask)? {
            return Ok(());
        }
        done.items.push(repair.item);
        if repair.item == RepairItem::Speed {
            let knots = ask.roll(D6, "knots won back")?;
            ask.note(|| {
                Note::new("knots", format!("The engines give d6 {knots} knots more, up to the original speed"))
                    .by(&[rule::C_20, rule::R_38])
                    .dice(&[knots])
                    .outcome(knots)
            });
            done.speed_restored = i32::from(knots);
        }
        Ok(())
    }
}

/// Fires eat structure, then flotation. [C-20]
pub fn burn(rules: &Rules, sheet: &Sheet, ship: &mut Condition, ask: &mut impl Ask) -> Asked<Harm> {
    let loss = rules.band(ship.fires);
    let due = take_damage(sheet, ship, Direction::Horizontal, loss);
    ask.note(|| {
        Note::new("burning", format!("{} fires burn: {loss} points lost", ship.fires))
            .by(&[rule::C_20, rule::BANDS])
            .outcome(loss)
    });
    if due {
        ship.status = Sinking::of(sheet, ship).wreck_test(rules, WreckCause::Damage, ask)?;
    }
    Ok(Harm::default())
}
