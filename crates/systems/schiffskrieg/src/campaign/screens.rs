//! How the questions of a campaign are put to a player.

use super::choices::{Orders, Refit, RepairOf, Repairs, Sail};
use super::{Command, Goal, Station, thinking};
use crate::delay;
use crate::rule;
use crate::screens::{item, option};
use crate::unit::{Id, Kind};
use flagplot_kernel::{Candidate, Form, FormItem, Prompt, Rule, Screen};
use serde_json::json;

impl Command<'_> {
    fn names(&self, units: impl Iterator<Item = usize>) -> String {
        units.map(|at| self.sheet(at).name.to_string()).collect::<Vec<_>>().join(", ")
    }
}

/// Says why some units, if there are any, cannot be chosen.
fn missing(prompt: Prompt, names: String, why: &str, rule: Rule) -> Prompt {
    if names.is_empty() { prompt } else { prompt.missing(format!("{names}: {why}. [{rule}]")) }
}

impl Screen for Refit<'_> {
    fn prompt(&self) -> Prompt {
        let text = "Which of your damaged ships in port go into the Naval Warfare Delay Box to be repaired?";
        let sound = self.0.at(Station::Port).filter(|at| !self.ships().any(|ship| ship == *at));
        let prompt = Prompt::new("refit", text, rule::TURN_2).confirm();
        missing(prompt, self.0.names(sound), "only damaged ships are repaired", rule::TURN_2)
    }

    fn candidates(&self) -> Vec<Candidate<Vec<Id>>> {
        let all: Vec<Id> = self.ships().map(|at| self.0.id(at)).collect();
        let mut out = vec![Candidate::new(Vec::new(), "None")];
        if all.len() > 1 {
            out.push(Candidate::new(all, "All of them"));
        }
        out.extend(
            self.ships()
                .map(|at| self.0.sheet(at))
                .map(|sheet| Candidate::new(vec![sheet.id], format!("Only {}", sheet.name)).at([sheet.id])),
        );
        out
    }

    fn form(&self) -> Form {
        let ships = self.ships().map(|at| self.0.sheet(at));
        let items: Vec<FormItem> =
            ships.map(|sheet| item(sheet, vec![option(json!(sheet.id), "repair", sheet.id)])).collect();
        Form::Subset { max: items.len() as u32, items, min: 0 }
    }
}

impl Orders<'_> {
    /// Orders a player may expect and cannot give: zones out of reach, carriers that cannot raid, units not in port.
    fn missing(&self) -> Vec<String> {
        let mut reasons = Vec::new();
        for at in self.units() {
            let zones = (0..self.zones().len() as u8).map(Goal::Zone);
            let mut barred = zones.filter(|&goal| !self.legal(at, goal)).peekable();
            let Some(&first) = barred.peek() else { continue };
            if let Err(refusal) = self.check_one(&Sail { unit: self.0.id(at), order: self.word(first) }, &[]) {
                let zones: Vec<String> = barred.map(|goal| self.0.goal_words(goal)).collect();
                reasons.push(format!("{} to {}: {refusal}", self.0.sheet(at).name, zones.join(", ")));
            }
        }
        let carrier = |at: &usize| self.0.sheet(*at).kind == Kind::Carrier && !self.legal(*at, Goal::Raid);
        let cannot = self.0.names(self.units().filter(carrier));
        if !cannot.is_empty() {
            let why = "only carriers with an Airstrike Factor on the side that is up can raid";
            reasons.push(format!("A raid by {cannot}: {why}. [{}]", rule::TURN_3));
        }
        let stations = &self.0.state.stations[self.0.side];
        let here = |at: &usize| matches!(stations[*at], Station::Port | Station::Removed | Station::Delivered);
        let away = self.0.names((0..stations.len()).filter(|at| !here(at)));
        if !away.is_empty() {
            reasons.push(format!("Orders for {away}: only units in port get orders. [{}]", rule::TURN_3));
        }
        reasons
    }
}

impl Screen for Orders<'_> {
    fn prompt(&self) -> Prompt {
        let turn = self.0.state.turn;
        let text = format!("Turn {turn}: where does each of your units in port go? Units without an order stay.");
        self.missing().into_iter().fold(Prompt::new("orders", text, rule::TURN_3).confirm(), Prompt::missing)
    }

    fn candidates(&self) -> Vec<Candidate<Vec<Sail>>> {
        let best = thinking::best(self.0, 3).into_iter();
        let mut out: Vec<_> = best.map(|(label, goals)| Candidate::new(self.written(&goals), label)).collect();
        for (at, zone) in self.zones().iter().enumerate() {
            let goal = Goal::Zone(at as u8);
            let goals: Vec<_> = self.units().filter(|&at| self.legal(at, goal)).map(|at| (at, goal)).collect();
            if !goals.is_empty() {
                let label = format!("All units in reach to {}", zone.name);
                out.push(Candidate::new(self.written(&goals), label).at([zone.id]));
            }
        }
        out.push(Candidate::new(Vec::new(), "All units stay in port"));
        out
    }

    fn form(&self) -> Form {
        let items = self.units().map(|at| {
            let sheet = self.0.sheet(at);
            let options = self.options(at).filter(|&goal| goal != Goal::Port).map(|goal| {
                let order = self.word(goal);
                option(json!(Sail { unit: sheet.id, order }), self.0.goal_words(goal), order)
            });
            item(sheet, options.collect())
        });
        Form::Assign { items: items.collect(), none: "stays in port".into() }
    }
}

impl Screen for Repairs<'_> {
    fn prompt(&self) -> Prompt {
        let more = self.0.campaign.rules.delay.repair_drm;
        let text = format!(
            "Repair your damaged ships in the Naval Warfare Delay Box ({more} turns more), or bring them back damaged?"
        );
        let sound = self.0.at(Station::NavalWarfareDelayBox(None)).filter(|&at| !self.0.unit(at).damaged);
        let prompt = Prompt::new("repairs", text, rule::TURN_8).confirm();
        missing(prompt, self.0.names(sound), "not damaged; they come back by the die alone", rule::TURN_8)
    }

    fn candidates(&self) -> Vec<Candidate<Vec<RepairOf>>> {
        let suggested = self.all(|at| thinking::repairs(self.0, at));
        let mut out = vec![Candidate::new(suggested.clone(), "Suggested repairs")];
        for (choice, label) in
            [(delay::Choice::Repair, "Repair all of them"), (delay::Choice::ReturnDamaged, "All come back damaged")]
        {
            let value = self.all(|_| choice);
            if value != suggested {
                out.push(Candidate::new(value, label));
            }
        }
        out
    }

    fn form(&self) -> Form {
        let items = self.ships().map(|at| self.0.sheet(at)).map(|sheet| {
            let choices = delay::Choice::ALL.iter();
            let options =
                choices.map(|&choice| option(json!(RepairOf { unit: sheet.id, choice }), choice.title(), sheet.id));
            item(sheet, options.collect())
        });
        Form::Assign { items: items.collect(), none: "not decided; every ship needs a choice".into() }
    }
}
