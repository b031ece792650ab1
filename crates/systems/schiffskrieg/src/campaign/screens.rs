//! How the questions of a campaign are put to a player.

use super::choices::{Orders, Refit, RepairOf, Repairs, Sail};
use super::{CampaignGame, Goal, Station, thinking};
use crate::delay;
use crate::rule;
use crate::screens::{item, option};
use crate::unit::{Id, Kind};
use flagplot_kernel::{Candidate, Form, Prompt, Rule, Screen, Side};
use serde_json::json;

fn names(campaign: &CampaignGame, side: Side, units: impl Iterator<Item = usize>) -> String {
    units.map(|at| campaign.sheets[side][at].name.to_string()).collect::<Vec<_>>().join(", ")
}

/// Says why some units, if there are any, cannot be chosen.
fn missing(prompt: Prompt, names: String, why: &str, rule: Rule) -> Prompt {
    if names.is_empty() { prompt } else { prompt.missing(format!("{names}: {why}. [{rule}]")) }
}

impl Screen for Refit<'_> {
    fn prompt(&self) -> Prompt {
        let text = "Which of your damaged ships in port go into the Naval Warfare Delay Box to be repaired?";
        let port = self.campaign.at(self.state, self.side, Station::Port);
        let sound = names(self.campaign, self.side, port.filter(|at| !self.ships().any(|ship| ship == *at)));
        let prompt = Prompt::new("refit", text, rule::TURN_2).confirm();
        missing(prompt, sound, "only damaged ships are repaired", rule::TURN_2)
    }

    fn candidates(&self) -> Vec<Candidate<Vec<Id>>> {
        let all: Vec<Id> = self.ships().map(|at| self.id(at)).collect();
        let mut out = vec![Candidate::new(Vec::new(), "None")];
        if all.len() > 1 {
            out.push(Candidate::new(all, "All of them"));
        }
        out.extend(self.ships().map(|at| {
            let id = self.id(at);
            Candidate::new(vec![id], format!("Only {}", self.campaign.sheets[self.side][at].name)).at([id])
        }));
        out
    }

    fn form(&self) -> Form {
        let ships = self.ships().map(|at| {
            let sheet = &self.campaign.sheets[self.side][at];
            item(sheet, vec![option(json!(sheet.id), "repair", sheet.id)])
        });
        let items: Vec<_> = ships.collect();
        Form::Subset { max: items.len() as u32, items, min: 0 }
    }
}

impl Orders<'_> {
    /// Orders a player may expect and cannot give: zones out of reach, carriers that cannot raid, units not in port.
    fn missing(&self) -> Vec<String> {
        let CampaignGame { campaign, sheets, .. } = self.campaign;
        let mut reasons = Vec::new();
        for at in self.units() {
            let mut zones =
                (0..campaign.zones.len() as u8).map(Goal::Zone).filter(|&goal| !self.legal(at, goal)).peekable();
            let Some(&first) = zones.peek() else { continue };
            if let Err(refusal) = self.check_one(&Sail { unit: self.id(at), order: self.word(first) }, &[]) {
                let zones: Vec<String> = zones.map(|goal| self.campaign.goal_words(self.side, goal)).collect();
                reasons.push(format!("{} to {}: {refusal}", sheets[self.side][at].name, zones.join(", ")));
            }
        }
        let carrier = |at: &usize| sheets[self.side][*at].kind == Kind::Carrier && !self.legal(*at, Goal::Raid);
        let cannot = names(self.campaign, self.side, self.units().filter(carrier));
        if !cannot.is_empty() {
            let why = "only carriers with an Airstrike Factor on the side that is up can raid";
            reasons.push(format!("A raid by {cannot}: {why}. [{}]", rule::TURN_3));
        }
        let stations = &self.state.stations[self.side];
        let here = |at: &usize| matches!(stations[*at], Station::Port | Station::Removed | Station::Delivered);
        let away = names(self.campaign, self.side, (0..stations.len()).filter(|at| !here(at)));
        if !away.is_empty() {
            reasons.push(format!("Orders for {away}: only units in port get orders. [{}]", rule::TURN_3));
        }
        reasons
    }
}

impl Screen for Orders<'_> {
    fn prompt(&self) -> Prompt {
        let turn = self.state.turn;
        let text = format!("Turn {turn}: where does each of your units in port go? Units without an order stay.");
        self.missing().into_iter().fold(Prompt::new("orders", text, rule::TURN_3).confirm(), Prompt::missing)
    }

    fn candidates(&self) -> Vec<Candidate<Vec<Sail>>> {
        let best = thinking::best(self.campaign, self.state, self.side, 3);
        let mut out: Vec<Candidate<Vec<Sail>>> =
            best.into_iter().map(|(label, goals)| Candidate::new(self.written(&goals), label)).collect();
        for (zone, called) in self.campaign.campaign.zones.iter().enumerate() {
            let goal = Goal::Zone(zone as u8);
            let goals: Vec<(usize, Goal)> =
                self.units().filter(|&at| self.legal(at, goal)).map(|at| (at, goal)).collect();
            if !goals.is_empty() {
                let label = format!("All units in reach to {}", called.name);
                out.push(Candidate::new(self.written(&goals), label).at([called.id]));
            }
        }
        out.push(Candidate::new(Vec::new(), "All units stay in port"));
        out
    }

    fn form(&self) -> Form {
        let items = self.units().map(|at| {
            let sheet = &self.campaign.sheets[self.side][at];
            let options = self.options(at).filter(|&goal| goal != Goal::Port).map(|goal| {
                let order = self.word(goal);
                option(json!(Sail { unit: sheet.id, order }), self.campaign.goal_words(self.side, goal), order)
            });
            item(sheet, options.collect())
        });
        Form::Assign { items: items.collect(), none: "stays in port".into() }
    }
}

impl Screen for Repairs<'_> {
    fn prompt(&self) -> Prompt {
        let more = self.campaign.rules.delay.repair_drm;
        let text = format!(
            "Repair your damaged ships in the Naval Warfare Delay Box ({more} turns more), or bring them back damaged?"
        );
        let waiting = self.campaign.at(self.state, self.side, Station::NavalWarfareDelayBox(None));
        let sound = waiting.filter(|&at| !self.state.units[self.side][at].damaged);
        let prompt = Prompt::new("repairs", text, rule::TURN_8).confirm();
        let why = "not damaged; they come back by the die alone";
        missing(prompt, names(self.campaign, self.side, sound), why, rule::TURN_8)
    }

    fn candidates(&self) -> Vec<Candidate<Vec<RepairOf>>> {
        let sensible = self.all(|at| thinking::repairs(self.campaign, self.state, self.side, at));
        let mut out = vec![Candidate::new(sensible.clone(), "Suggested repairs")];
        for (choice, label) in
            [(delay::Choice::Repair, "Repair all of them"), (delay::Choice::ReturnDamaged, "All come back damaged")]
        {
            let value = self.all(|_| choice);
            if value != sensible {
                out.push(Candidate::new(value, label));
            }
        }
        out
    }

    fn form(&self) -> Form {
        let items = self.ships().map(|at| {
            let sheet = &self.campaign.sheets[self.side][at];
            let options = delay::Choice::ALL
                .iter()
                .map(|&choice| option(json!(RepairOf { unit: sheet.id, choice }), choice.title(), sheet.id));
            item(sheet, options.collect())
        });
        Form::Assign { items: items.collect(), none: "not decided; every ship needs a choice".into() }
    }
}
