//! How the open questions of a battle are put to a player.

use crate::attack::{self, Engagement, Named, Order};
use crate::choices::{Attacks, Declare, dice};
use crate::custom::{MOST_PICKED, Pick, cost};
use crate::rule;
use crate::thinking;
use crate::unit::{Factor, Id, Sheet};
use flagplot_kernel::{Candidate, Chance, Form, FormItem, OptionView, Prompt, Screen};
use serde_json::{Value, json};

pub fn item(sheet: &Sheet, options: Vec<OptionView>) -> FormItem {
    FormItem { id: sheet.id.to_string(), label: sheet.name.to_string(), options }
}

/// An option that a click on a piece or place stands for.
pub fn option(value: Value, label: impl Into<String>, piece: Id) -> OptionView {
    OptionView::new(value, label).at([piece])
}

impl Declare<'_> {
    /// Everything at one target, each unit with its strongest factor that reaches it.
    fn all_at(&self, target: usize) -> Vec<Order> {
        (0..self.shooters())
            .filter_map(|attacker| {
                let dice = |&&factor: &&Factor| self.attack(attacker, factor, target);
                let &factor = Factor::ALL.iter().max_by_key(dice).filter(|factor| dice(factor).is_some())?;
                Some(Order { attacker: attacker as u8, factor, target: target as u8 })
            })
            .collect()
    }

    fn why_not(&self, at: usize) -> String {
        let unit = self.own(at);
        if self.berth.bars(unit) {
            return format!("ships in port do not attack [{}]", rule::BASE_ATTACK);
        }
        let mut attempts = Factor::ALL.iter().flat_map(|&factor| (0..self.targets()).map(move |at| (factor, at)));
        let refusal = attempts.find_map(|(factor, target)| {
            let target = self.enemy(target);
            let barred = attack::check(self.ground.rules, self.engagement, unit, factor, target).err()?;
            (barred != attack::Barred::NoFactor).then(|| barred.refusal(unit, factor, target))
        });
        match (refusal, self.engagement) {
            (Some(refusal), _) => refusal.to_string(),
            (None, Engagement::BaseAttack) => format!("it has no Airstrike Factor [{}]", rule::BASE_ATTACK),
            (None, _) => format!("it has no factor for this action [{}]", rule::TARGETING),
        }
    }
}

impl<'a> Screen for Declare<'a> {
    fn prompt(&self) -> Prompt {
        let (kind, cited) = match self.engagement {
            Engagement::Day => ("Day Action: aircraft and torpedoes attack", rule::TARGETING),
            Engagement::Night => ("Night Action: guns and torpedoes attack", rule::TARGETING),
            Engagement::BaseAttack => ("Base Attack: only aircraft attack", rule::BASE_ATTACK),
        };
        let text = format!("{kind}. Which units attack, and what? One target for each unit, or none.");
        let barred = (0..self.shooters()).filter(|&at| !self.can_attack(at));
        barred.fold(Prompt::new("declare-attacks", text, cited).confirm(), |prompt, at| {
            prompt.missing(format!("{} cannot attack: {}", self.own(at).sheet.name, self.why_not(at)))
        })
    }

    fn candidates(&self) -> Vec<Candidate<Attacks<'a>>> {
        let mut out = vec![Candidate::new(self.placed(thinking::allocate(self).orders), "Suggested attacks")];
        for target in 0..self.targets() {
            let orders = self.all_at(target);
            if !orders.is_empty() {
                let Sheet { name, id, .. } = self.enemy(target).sheet;
                out.push(Candidate::new(self.placed(orders), format!("All attacks on {name}")).at([id]));
            }
        }
        out.push(Candidate::new(self.placed(Vec::new()), "No attack"));
        out
    }

    fn form(&self) -> Form {
        let items = (0..self.shooters()).map(|at| {
            let unit = self.own(at).sheet;
            let mut options = Vec::new();
            for target in 0..self.targets() {
                for &factor in Factor::ALL {
                    let Some(rolled) = self.attack(at, factor, target) else { continue };
                    let enemy = self.enemy(target).sheet;
                    let named = Named { attacker: unit.id, factor, target: enemy.id };
                    let label = format!("{} with {factor}, {}", enemy.name, dice(rolled));
                    options.push(option(json!(named), label, enemy.id));
                }
            }
            item(unit, options)
        });
        Form::Assign { items: items.filter(|item| !item.options.is_empty()).collect(), none: "no attack".into() }
    }
}

impl Screen for Pick<'_> {
    fn prompt(&self) -> Prompt {
        let settings = &self.game.settings;
        let text = format!(
            "Which units do you pick? Up to {} points, at most {} of them for LBAs, and at least one warship.",
            settings.budget,
            settings.air_budget()
        );
        let nations = settings.side(self.side).nations.join(", ");
        Prompt::new("pick", text, rule::CUSTOM)
            .confirm()
            .missing(format!("Units of other nations: you pick from {nations}. [{}]", rule::CUSTOM))
    }

    fn candidates(&self) -> Vec<Candidate<Vec<Id>>> {
        // The same offers whenever the question is put.
        let mut chance = Chance::seeded(u64::from(self.game.settings.budget));
        let mut out: Vec<Candidate<Vec<Id>>> = Vec::new();
        for _ in 0..4 {
            let force = self.suggested(&mut chance);
            if out.iter().all(|other| other.value != force) {
                let names: Vec<&str> = self.picked(&force).map(|sheet| sheet.name.as_str()).collect();
                let label = format!("{} points: {}", self.price(&force), names.join(", "));
                out.push(Candidate::new(force.clone(), label).at(force));
            }
        }
        out
    }

    fn form(&self) -> Form {
        let items = self
            .sheets()
            .iter()
            .map(|sheet| item(sheet, vec![option(json!(sheet.id), format!("costs {}", cost(&sheet.front)), sheet.id)]));
        Form::Subset { items: items.collect(), min: 1, max: MOST_PICKED as u32 }
    }
}
