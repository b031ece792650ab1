//! How the picking of forces is put to a person, and forces that the computer picks. [C-55]

use super::custom::{CustomGame, Force, Item, Pick, side_name};
use crate::rule;
use flagplot_kernel::scene::{BoxArea, Surface};
use flagplot_kernel::{Candidate, Chance, Choice, Decision, Form, FormItem, Insight, Prompt, Scene, Screen, Side};
use serde_json::Value;

/// Ships of a squadron that the computer puts together.
const DIVISION: usize = 4;

impl CustomGame {
    /// The table before the forces are picked.
    pub(super) fn draw_picking(&self) -> Scene {
        let settings = &self.settings;
        let area = |side: Side| BoxArea {
            id: format!("pool-{}", side.index()),
            title: format!("{}: forces to pick", side_name(side)),
            side: Some(side),
            note: format!("up to {} points", settings.points),
            weight: 1,
        };
        Scene {
            title: "Custom battle: picking forces".into(),
            status: vec![
                format!("Both sides pick in secret, up to {} points each.", settings.points),
                format!("{} turns, {}, visibility {} range bands.", settings.turns, settings.light, settings.tvr),
            ],
            surface: Surface::Boxes { boxes: Side::BOTH.map(area).into() },
            ..Scene::default()
        }
    }

    /// What a force costs and what it is.
    pub(super) fn pick_insights(&self, side: Side, value: Option<&Value>) -> Vec<Insight> {
        let force: Option<Force> = value.and_then(|value| serde_json::from_value(value.clone()).ok());
        let force = force.unwrap_or_default();
        let (price, points) = (self.price(&force), i64::from(self.settings.points));
        let mut insight = Insight::exact("This force")
            .line(format!("It costs {price} of {points} points; {} are left.", (points - price).max(0)));
        if let (Some(_), Err(refusal)) = (value, (Pick { game: self, side }).check(&force)) {
            insight = insight.line(refusal.to_string());
        }
        vec![insight]
    }

    /// A random force: ships as long as the points last, sometimes aircraft or small craft.
    fn random_force(&self, chance: &mut Chance) -> Force {
        let mut force = Force::new();
        let mut left = i64::from(self.settings.points);
        let mut ships = 0_usize;
        for _ in 0..60 {
            let Some((key, _, item)) = self.items.get(chance.below(self.items.len() as u32) as usize) else { break };
            let number = match item {
                Item::Ship(_) => (ships / DIVISION + 1) as i64,
                Item::Boats(_) => 1 + i64::from(chance.below(6)),
                // Sisters join the squadron that is being put together, and what lies under water follows ships.
                Item::Sisters(at) if self.squadron_of(*at, &force) == Some((ships / DIVISION + 1) as i64) => {
                    1 + i64::from(chance.below(2))
                }
                Item::Sisters(_) => continue,
                Item::Submarines(_) | Item::Fields(_) if ships > 0 => 1,
                Item::Submarines(_) | Item::Fields(_) => continue,
                Item::Aircraft { .. } if ships > 0 => 1 + i64::from(chance.below(12)),
                Item::Aircraft { .. } => continue,
                // A base is seldom worth its points.
                Item::AirBase | Item::ShoreBattery { .. } if chance.below(40) == 0 && !has_base(&force) => 1,
                Item::AirBase | Item::ShoreBattery { .. } => continue,
            };
            let cost = self.cost(item, number);
            if cost > left || number > self.most(item) || force.contains_key(key) {
                continue;
            }
            left -= cost;
            ships += match item {
                Item::Ship(_) => 1,
                Item::Sisters(_) => number as usize,
                _ => 0,
            };
            force.insert(key.clone(), number);
        }
        if ships == 0 && !force.keys().any(|key| key.starts_with("boats:")) {
            force = self.smallest_force();
        }
        force
    }

    /// The squadron that a ship of a force belongs to.
    fn squadron_of(&self, ship: usize, force: &Force) -> Option<i64> {
        let (key, ..) = self.items.iter().find(|(.., item)| *item == Item::Ship(ship))?;
        force.get(key).copied()
    }

    /// The cheapest ship, which every limit of points allows.
    fn smallest_force(&self) -> Force {
        let ships = self.items.iter().filter(|(.., item)| matches!(item, Item::Ship(_) | Item::Boats(_)));
        let cheapest = ships.min_by_key(|(.., item)| self.cost(item, 1));
        cheapest.map(|(key, ..)| (key.clone(), 1)).into_iter().collect()
    }
}

fn has_base(force: &Force) -> bool {
    force.keys().any(|key| key.starts_with("base:"))
}

impl Screen for Pick<'_> {
    fn prompt(&self) -> Prompt {
        let points = self.game.settings.points;
        let text =
            format!("Which forces do you bring? Up to {points} points; give each ship the number of her squadron.");
        Prompt::new("pick", text, rule::C_55).confirm()
    }

    fn candidates(&self) -> Vec<Candidate<Force>> {
        // The same offers whenever the question is put.
        let mut chance = Chance::seeded(self.game.settings.points as u64);
        let mut candidates: Vec<Candidate<Force>> = Vec::new();
        for _ in 0..4 {
            let force = self.game.random_force(&mut chance);
            if candidates.iter().all(|other| other.value != force) {
                let label = format!("{} points: {}", self.game.price(&force), self.game.names(&force).join(", "));
                candidates.push(Candidate::new(force, label));
            }
        }
        candidates
    }

    fn form(&self) -> Form {
        let items = self.game.items.iter().map(|(key, name, item)| {
            let label = match item {
                Item::Ship(_) => format!("{name}, {} points: squadron", self.game.cost(item, 1)),
                Item::Sisters(_) | Item::Submarines(_) | Item::Fields(_) => {
                    let cost = self.game.cost(item, 1);
                    format!("{name}, {cost} point{} each: how many", if cost == 1 { "" } else { "s" })
                }
                Item::Boats(_) => format!("{name}, 1 point each: how many"),
                Item::Aircraft { .. } => format!("{name}, 1 point for 4: how many"),
                Item::AirBase | Item::ShoreBattery { .. } => format!("{name}, {} points", self.game.cost(item, 1)),
            };
            (FormItem { id: key.clone(), label, options: Vec::new() }, (0, self.game.most(item)))
        });
        Form::numbers(items, None)
    }
}

impl Choice for Pick<'_> {
    fn sample(&self, chance: &mut Chance) -> Force {
        self.game.random_force(chance)
    }

    /// The force that spends the points best of a few.
    fn instinct(&self, chance: &mut Chance) -> Force {
        let forces = (0..8).map(|_| self.game.random_force(chance));
        forces.max_by_key(|force| self.game.price(force)).unwrap_or_else(|| self.game.smallest_force())
    }
}
